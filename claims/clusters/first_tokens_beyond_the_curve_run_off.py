"""Of two tokens on a line, a first one at -513/1000 or below runs off to -infinity, whatever the second one is. Open.

Starts whose first token stays bounded form a curve x_1(x_2) (clusters N7); on it |x_1| reaches 0.512909..., near x_2 = 1.3,
below the threshold sqrt(omega_2) = 0.5277 that is proved. Decided for ever start by start through Lemma A' of
docs/flow_limits.md; from (-0.512, 1.3) the first token runs off to +infinity.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting.hypotheses_of_open_problems import beyond_the_curve
from claims.clusters.setting.starts_of_open_problems import beyond_the_curve_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import ThresholdEnd, settling_times, threshold_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 1, starts with a bounded token",
    refs=("N7", "T1"),
    statement="n = 2, d = V = Q^T K = 1, x_1 <= -513/1000, x_2 > 0: x_1(t) -> -infinity.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(identity_value, identity_key_query, beyond_the_curve),
    draw=beyond_the_curve_start,
    standing=Standing.OPEN,
)


@claim.limit("== 0", times=settling_times(threshold_trap), trap=threshold_trap)
def side_of_the_first_token(end: ThresholdEnd, start: SelfAttentionFlow, *, side=-1):
    """The sign of x_1 for ever, less -1."""
    return exact([int(end.sides[0]) - side])
