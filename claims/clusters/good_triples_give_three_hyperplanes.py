"""The same for a good triple: of Q^T K only <phi_1, Q^T K phi_1> > 0 is asked.

Theorem 4.2 with the definition `d:good` (clusters T3, D4.1). Limits of phi_1(z_i) are a, 0 or b, the limits of the
least and of the largest: a token of a caught start has the limit of its side. Lemma T3'' of docs/flow_limits.md.
"""

import numpy as np

from claims.clusters.setting import positive_first_score
from claims.clusters.setting.hypotheses_for_limits import leading_direction
from claims.clusters.setting.starts_with_rates import leading_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact, numbers
from dynamics.limits import HyperplanesEnd, hyperplanes_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 4.2",
    refs=("T3", "D4.1"),
    statement=(
        "(Q, K, V) a good triple: the phi_1(z_i) tend to values in {0, a, b}, a and b the limits of their minimum and "
        "maximum."
    ),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(leading_direction, positive_first_score),
    draw=leading_start,
)


@claim.limit(">= 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_up_to_three(end: HyperplanesEnd, start: RescaledFlow, *, most=3):
    """3 minus the number of hyperplanes."""
    return exact([most - end.count])


@claim.limit("> 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def heights_of_their_side(end: HyperplanesEnd, start: RescaledFlow, *, beyond=0):
    """The limit of phi_1(z_i) times its sign, but for a token that rests at 0: it ends with all others of its side."""
    return numbers((end.heights * end.sides)[end.sides != 0]) - beyond


@claim.limit("== 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_less_signs(end: HyperplanesEnd, start: RescaledFlow, *, each=1):
    """The number of hyperplanes less the number of signs of the limits."""
    return exact([end.count - each * len(np.unique(end.sides))])
