"""On the line |z_i|^2 grows at a rate of at least gamma times the distance to S, but for 2 omega_n e^{-2t}.

`e:eq17` (clusters T2, eq17), which says this of late times and some gamma > 0, at every time and with gamma = e_i, the
size of the outer token on the side of z_i: points of S can only be at 0 and the outer tokens. From (G2), as |z| (e -
|z|) is at least e/2 times the distance to 0 and e. In higher dimensions gamma depends on the faces of K and is not
explicit.
"""

import numpy as np

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import omega, on_the_line
from claims.clusters.setting.starts import half_way_or_extremal
from claims.statement import Claim, Origin
from dynamics.arithmetic import at_most, exp, indicator, peak
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="e:eq17, on the line and at every time",
    refs=("T2", "eq17"),
    statement=(
        "d = V = Q^T K = 1: (d/dt) z_i^2 >= e_i min(|z_i|, e_i - |z_i|) - 2 omega_n e^{-2t}, e_i the size of the outer "
        "token on the side of z_i."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, identity_key_query),
    draw=half_way_or_extremal,
)


@claim.state(">= 0")
def growth_less_distance(f: RescaledFlow, *, share=1, gap=2):
    """(d/dt) z_i^2 + 2 omega_n e^{-2t} - e_i min(|z_i|, e_i - |z_i|)."""
    z = f.z[..., 0]
    right = indicator(at_most(-z, 0 * z), z)
    size, end = abs(z), right * peak(z) + (1 - right) * peak(-z)
    distance = -peak(np.stack([-size, size - end], axis=-1))[..., 0]
    head_start = gap * omega(z.shape[-1], z) * exp(-2 * f.t)
    return 2 * z * f.drift()[..., 0] + head_start[..., None] - share * end * distance
