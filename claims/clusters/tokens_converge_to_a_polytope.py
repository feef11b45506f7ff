"""With V = I every rescaled token tends to a point of a polytope that its own scores do not leave.

Theorem 2 on the slides, Theorem 3.1 of the paper (clusters T2). Decided start by start through Lemma B2, or Lemma D where
the start is symmetric, of docs/flow_limits.md: the limits of the leaders are the vertices of K, other tokens end at one of
them, in the middle of a face, or at 0. That S is on the boundary but for 0, and finite, are claims of their own:
`solutions_in_the_limit_lie_on_the_boundary`, `points_of_s_inside_a_face_are_one`.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import nearly_alike_or_rescaled
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2",
    refs=("T2",),
    statement=(
        "V = I_d. Suppose Q^T K > 0. There exists convex polytope K subset R^d of m >= 1 vertices v_1, ..., v_m such that "
        "for any i in [n], lim_{t -> infinity} z_i(t) = z_i for some z_i in dK u {0}. Actually z_i in S where "
        "{v_j} subseteq S := {x in K: ||Ax||^2 = max_j <Ax, Av_j>} subset dK u {0} and A = (Q^T K)^{1/2}. S is discrete."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=nearly_alike_or_rescaled,
    equivalent={
        "limits_lie_in_S: own * scores[i, kept[i]] - scores[i, j] => own * scores[i, kept[i]]": (
            "It is |A z_i|^2, and z_i is not 0, for a token at 0 has weight on all."
        ),
    },
)


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def polytope_has_a_vertex(end: TokensEnd, start: RescaledFlow, *, least=1):
    """m - 1."""
    return exact([end.number_of_vertices - least])


@claim.limit("> 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_lie_in_S(end: TokensEnd, start: RescaledFlow, *, own=1):
    """<A z_i, A(v_k - v_j)> > 0 for each limit z_i, v_k a vertex that row i of P* puts weight on, v_j one that it does not.

    z_i is the mean of the former, which it scores alike: so ||A z_i||^2 = max_j <A z_i, A v_j>. A token at 0, which is in
    S, has weight on all.
    """
    heard = end.attention[:, end.vertices] != 0
    scores = end.limits @ start.B @ end.limits[end.vertices].T
    kept = np.argmax(heard, axis=1)
    i, j = np.nonzero(~heard)
    return own * scores[i, kept[i]] - scores[i, j]
