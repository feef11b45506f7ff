"""If <phi_1, Q^T K phi_1> < 0 all tokens tend to one hyperplane.

The opposite sign of Theorem 4.2 (clusters N3): tokens seek those on the other side, until there is none. Lemma N3'' of
docs/flow_limits.md; of mirrored tokens, which are on both sides for ever and tend to 0, Lemma N.
"""

from claims.clusters.setting.hypotheses_for_limits import leading_direction, negative_first_score
from claims.clusters.setting.starts_with_rates import repelling_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import HyperplanesEnd, hyperplanes_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 4.2, with the other sign",
    refs=("N3",),
    statement=("lambda_1 simple and largest in modulus, <phi_1, Q^T K phi_1> < 0: all phi_1(z_i) tend to one value."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(leading_direction, negative_first_score),
    draw=repelling_start,
)


@claim.limit("== 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_less_one(end: HyperplanesEnd, start: RescaledFlow, *, one=1):
    """The number of hyperplanes, less 1."""
    return exact([end.count - one])
