"""One hardmax step brings the energy of a token closer to that of every point of the hull.

What is true around Theorem 3.1 (frank_wolfe FW-5). J(x') = (1-g) J(x) + g J(y) - (g(1-g)/2) |x - y|^2 in the
form of B_*, and |x - y|^2 = 2 J(x) + 2 J(y) - 2 <B_* x, y> >= 2 (J(y) - J(p)) + |x - p|^2, as y minimises <B_* x, .>.
B_* >= 0 is not used.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import energy, least_on_hull
from claims.frank_wolfe.setting.run_hypotheses import steps_at_most_one, symmetric_energies
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array
from dynamics.geometry import squared_distances
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 3.1, what is true of it",
    refs=("FW-5",),
    statement="J(x')-J(p) <= (1-g)(J(x)-J(p)) + g^2 (J(y)-J(p)) - (g(1-g)/2) |x-p|_{B_*}^2 for every p in K, g in [0,1].",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(symmetric_energies, steps_at_most_one),
)


def margin(f: ScheduledHardmax, points: Array, share: int) -> Array:
    """The right side less the left one, for each token and each point (..., m, d), shape (..., n, m)."""
    B_star = -f.key_query()
    g = f.step_size()[..., None, None]
    here, target, after = (energy(x, B_star)[..., :, None] for x in (f.x, f.targets(), f.step().x))
    there = energy(points, B_star)[..., None, :]
    apart = squared_distances(f.x, points, B_star)
    return (1 - g) * (here - there) + g * g * (target - there) - share * g * (1 - g) / 2 * apart - (after - there)


@claim.step(">= 0")
def gap_to_tokens(f: ScheduledHardmax, *, share=1):
    """The margin for p among the tokens and half-way between them and the first."""
    return margin(f, np.concatenate([f.x, (f.x + f.x[..., :1, :]) / 2], axis=-2), share)


@claim.step(">= 0", exact_only=True)
def gap_to_least_energy(f: ScheduledHardmax, *, share=1):
    """The margin for p a point of least energy in K."""
    return margin(f, least_on_hull(f.x, -f.key_query())[1][None, :], share)
