"""z_i(t) converges to bd K x G: false without {0}, a token may rest at 0 inside.

Theorem 4 on the slides (clusters T4). With F = R and G = {0}, from -u, 0, u: K = [-c, c] and the token at 0 stays there
(Lemma D of docs/flow_limits.md).
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line
from claims.clusters.setting.starts_with_rates import line_start_with_a_token_at_0
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Theorem 4",
    refs=("T4",),
    note=(
        "From -1, 0, 1 the polytope K is an interval [-c, c], and the token at 0 rests inside of it. With 0 added"
        " to the boundary of K the theorem holds."
    ),
    statement=(
        "Suppose Q^T K > 0. There exists a bounded convex polytope K subset F such that z_i(t) converge to dK x G as t "
        "-> infinity."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, identity_key_query),
    draw=line_start_with_a_token_at_0,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_a_polytope_and_a_subspace",
)


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_that_are_no_ends(end: TokensEnd, start: RescaledFlow):
    """The number of different limits that are no vertex of K."""
    ends = set(end.classes[end.vertices].tolist())
    return exact([len(set(end.classes.tolist()) - ends)])
