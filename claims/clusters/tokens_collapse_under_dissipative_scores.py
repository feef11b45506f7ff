"""V = -I and Q^T K with a positive definite symmetric part: all tokens tend to 0. False, a triangle may turn and grow.

A question of ours: does Theorem 8.5 need that Q^T K is symmetric (clusters T5, CE14)? With Q^T K = G + s J, G the form
in which (1, 0), (0, 1), (-1, -1) is an equilateral triangle and J a quarter turn, each token of it seeks another one;
so the triangle turns, and from a size on grows like e^{t/2}, by Lemma S of docs/flow_limits.md.
"""

from flint import fmpq

from claims.clusters.setting import minus_identity_value
from claims.clusters.setting.hypotheses_of_open_problems import definite_symmetric_part
from claims.clusters.setting.starts_of_open_problems import triangle_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TurningEnd, triangle_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 8.5, Q^T K not symmetric",
    refs=("T5", "CE14"),
    note=(
        "With V = -I and Q^T K = [[1, -3], [2, 1]] each of (1, 0), (0, 1), (-1, -1) seeks another one: the "
        "triangle turns around 0 and grows without bound. For Q^T K = I all tokens tend to 0."
    ),
    statement="V = -I and Q^T K + K^T Q > 0: x_i -> 0.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(minus_identity_value, definite_symmetric_part),
    draw=triangle_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_collapse_under_minus_identity",
)


@claim.limit("== 0", times=lambda start: [fmpq(1, 64)], trap=triangle_trap)
def tokens_that_run_off(end: TurningEnd, start: SelfAttentionFlow):
    """How many tokens run off."""
    return exact([len(start.x) * int(end.runs_off)])
