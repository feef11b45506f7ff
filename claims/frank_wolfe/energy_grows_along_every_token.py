"""The energy <Bx, x>/2 never decreases along any token, for B >= 0.

The pointwise form of `duality_gap_is_small_at_some_step` (frank_wolfe FW-6). With J = <B., .>/2,
J(x') - J(x) = gamma <Bx, y - x> + (gamma^2/2) |y - x|_B^2, and the first term is >= 0 as y has the largest score.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import energy
from claims.frank_wolfe.setting.run_hypotheses import concave_energies, steps_at_most_one
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="prop: trash, pointwise",
    refs=("FW-6",),
    statement="J = <B., .>/2, B >= 0, gamma >= 0: J(x_i^{t+1}) - J(x_i^t) >= (gamma^2/2) |y_i - x_i^t|_B^2 >= 0.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(concave_energies, steps_at_most_one),
)


@claim.step(">= 0")
def energy_gain(f: ScheduledHardmax, *, share=1):
    """J(x_i^{t+1}) - J(x_i^t) - (gamma^2/2) |y_i - x_i^t|_B^2 for every token."""
    B, gamma = f.key_query(), f.step_size()[..., None]
    return energy(f.step().x, B) - energy(f.x, B) - share * gamma * gamma * energy(f.targets() - f.x, B)


@claim.step(">= 0")
def energy_never_falls(f: ScheduledHardmax, *, orientation=1):
    """J(x_i^{t+1}) - J(x_i^t) for every token."""
    B = f.key_query()
    return np.asarray(orientation * (energy(f.step().x, B) - energy(f.x, B)))
