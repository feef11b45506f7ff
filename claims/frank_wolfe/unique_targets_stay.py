"""A token that is its own only target never moves; a token whose only target it is moves straight towards it for ever.

Theorem 4.2 (frank_wolfe FW-8) of one token, without its hypotheses on all vertices and for any B: let w be the
only point of K^0 at which <Bw, .> is largest. It stays so on every smaller hull. For x with w as only target both x and
w lie in the half-spaces of its cell, hence so does the segment, and <B., w> stays the largest score along it.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import one_matrix, steps_at_most_one
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, indicator
from dynamics.attention import leaders
from dynamics.geometry import squared_distances
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2, localised",
    refs=("FW-8", "Q10"),
    statement="If w is the only target of itself and of x_i: x_i^t = prod_{s<t}(1-gamma^s) x_i^0 + (1 - prod) w for all t.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(one_matrix, steps_at_most_one),
)


def settled(f: ScheduledHardmax) -> Array:
    """The tokens whose only target is a point that is its own only target, boolean (..., n). Points count, not indices."""
    led = leaders(f.scores())
    apart = squared_distances(f.x, f.x) != 0
    single = ~(led[..., :, None] & led[..., None, :] & apart[..., None, :, :]).any(axis=(-2, -1))
    own = single & led[..., np.arange(f.x.shape[-2]), np.arange(f.x.shape[-2])]
    return np.asarray(single & (led & own[..., None, :]).any(axis=-1))


@claim.orbit("== 0")
def straight_paths(f: ScheduledHardmax, *, moved=1):
    """x_i^t - prod (1-gamma^s) x_i^0 - (1 - prod) w for every settled token and t."""
    here, w = indicator(settled(f), f.x)[..., None], f.targets()
    left, slacks = 1 + 0 * f.step_size(), []
    for now, after in zip(run(f)[:-1], run(f)[1:], strict=True):
        left = left * (1 - now.step_size())
        rest = left[..., None, None]
        slacks.append(here * (after.x - rest * f.x - moved * (1 - rest) * w))
    return np.stack(slacks, axis=-1)
