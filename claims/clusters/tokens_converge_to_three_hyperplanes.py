"""Every rescaled token tends to one of at most three parallel hyperplanes.

Theorem 3 on the slides (clusters T3). That max |lambda_j| "is simple" is read as there: it is an eigenvalue of V, and no
other has its modulus, as Perron and Frobenius have it for positive matrices. Lemma T3'' of
docs/flow_limits.md decides it start by start: of a caught start there are as many hyperplanes as signs of phi_1(z_i);
the third, phi_1 = 0, is that of a token at rest at 0 between opposite ones (`two_hyperplanes_are_enough`).
"""

from claims.assumptions import definite_key_query
from claims.clusters.setting.hypotheses_for_limits import leading_direction
from claims.clusters.setting.starts_with_rates import leading_definite_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import HyperplanesEnd, hyperplanes_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 3",
    refs=("T3", "D4.1"),
    statement=(
        "V in R^{d x d} such that lambda_1 := max_{j in [d]} |lambda_j| satisfies lambda_1 > 0 and is simple "
        "(Perron-Frobenius). Suppose Q^T K > 0. There exist (at most) three parallel hyperplanes such that for any i in "
        "[n], z_i(t) converges to one of these hyperplanes as t -> infinity."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(leading_direction, definite_key_query),
    draw=leading_definite_start,
)


@claim.limit(">= 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_up_to_three(end: HyperplanesEnd, start: RescaledFlow, *, most=3):
    """3 minus the number of hyperplanes."""
    return exact([most - end.count])
