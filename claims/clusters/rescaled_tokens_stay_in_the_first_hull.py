"""With V = I no rescaled token leaves the hull of the initial tokens.

Clusters H2 (`c:theziunifbdd`), the corollary of hulls that shrink: every norm of the tokens is bounded by the first ones.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import identity_value
from claims.clusters.setting import squared_norms
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Corollary c:theziunifbdd",
    refs=("H2",),
    statement="If V = I then z_i(t) in conv{z_j(0)}, so that |z_i(t)| <= max_j |z_j(0)|.",
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(identity_value,),
)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(1, 2))
def first_longest_less_size(now: RescaledFlow, start: RescaledFlow):
    """|z_j(0)|^2 - |z_i(t)|^2 for the longest first tokens j, if not all tokens start in one place."""
    first, after = squared_norms(start.z), squared_norms(now.z)
    if (start.z == start.z[:1]).all():
        return first[:0]
    longest = max(first)
    return np.asarray([longest - size for size in after])
