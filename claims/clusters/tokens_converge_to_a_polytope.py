"""For V = I and Q^T K > 0 each rescaled token converges to a point on the boundary of a convex polytope K, or to 0.

The limits lie in S = {x in K: |Ax|^2 = max_j <Ax, Av_j>}, with v_j the vertices of K and A^2 = Q^T K.
`tokens_converge_to_a_polytope`: Theorem 2 on the slides, Theorem 3.1 of the paper. Decided start by start by Lemma B2 of
docs/flow_limits.md, or by Lemma D for symmetric starts: the limits of tokens that attend to themselves are the vertices of
K; each other token tends to a vertex, to the middle of a face, or to 0. Two parts of the theorem are claims of their own: S
in bd K u {0}, and S finite.

`solutions_in_the_limit_lie_on_the_boundary`: S in bd K u {0} for the limits of the tokens: <z_i, B z_i> > 0 unless the
token rests at 0, and no vertex has a higher score with z_i, so that z_i lies on a supporting hyperplane.

`rescaled_norms_almost_grow`: The inequality that decides the limits in Theorem 3.1, for any B. max_j <z_i, B(z_j - z_i)> is
never negative.

`norms_grow_away_from_s_on_the_line`: Step 2 of the proof says this for large t and some gamma > 0. On the line it holds at
every time with gamma = e_i, since points of S can only be 0 and the outer tokens: |z| (e - |z|) is at least e/2 times the
distance to {0, e}. In higher dimensions gamma depends on the faces of K and is not explicit.

`points_of_s_inside_a_face_are_one`: S is finite, for the hull of the tokens at any time and any V. For means w = sum_j p_j
z_j and u = sum_j q_j z_j with positive weights let a(w) = max_j <w, B z_j> - <w, Bw>, which is 0 exactly on S. The scores
of w differ by at most a(w)/min p, so <w - u, B (w - u)> <= a(w)/min p + a(u)/min q. On S the right side is 0: S has one
point inside each face at most.
"""

import numpy as np

from claims.clusters.setting.hypotheses import on_the_line
from claims.clusters.setting.notation import form, head_starts, omega, scores, sizes
from claims.clusters.setting.starts import extremal_rescaled_flow, half_way_or_extremal
from claims.clusters.setting.starts_of_flows import at_rest, nearly_alike_or_rescaled, pair_far_apart, rescaled_start
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, at_most, exact, exp, indicator, numbers, peak
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__, system=RescaledFlow)

tokens_converge_to_a_polytope = section.claim(
    where="Theorem 2",
    refs=("T2",),
    statement=(
        "V = I_d. Suppose Q^T K > 0. There exists convex polytope K subset R^d of m >= 1 vertices v_1, ..., v_m such that "
        "for any i in [n], lim_{t -> infinity} z_i(t) = z_i for some z_i in dK u {0}. Actually z_i in S where "
        "{v_j} subseteq S := {x in K: ||Ax||^2 = max_j <Ax, Av_j>} subset dK u {0} and A = (Q^T K)^{1/2}. S is discrete."
    ),
    origin=Origin.PRINTED,
    assumptions=(identity_value, definite_key_query),
    draw=nearly_alike_or_rescaled,
)


@tokens_converge_to_a_polytope.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def polytope_has_a_vertex(end: TokensEnd, start: RescaledFlow, *, least=1):
    """m - 1."""
    return exact([end.number_of_vertices - least])


# Whether z_i is in S is an equation, which balls cannot show. P* is exact: it says which vertices z_i is the mean of, and
# that it scores them alike; so only strict inequalities are left.
@tokens_converge_to_a_polytope.limit("> 0", times=settling_times(tokens_trap), trap=tokens_trap)
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


solutions_in_the_limit_lie_on_the_boundary = section.claim(
    where="cl:propofS",
    refs=("T2",),
    statement="V = I, Q^T K > 0: S is a subset of the boundary of K and 0, and holds every limit.",
    origin=Origin.REPORTED,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
)


# Positive, so that {y: <z_i, B (y - z_i)> = 0} is a hyperplane: z_i lies on it and no vertex beyond.
@solutions_in_the_limit_lie_on_the_boundary.limit("> 0", times=settling_times(tokens_trap), trap=tokens_trap)
def heights_of_supporting_hyperplanes(end: TokensEnd, start: RescaledFlow, *, beyond=0):
    """<z_i, B z_i> of each limit, but for tokens that rest at 0."""
    own = ((end.limits @ start.B) * end.limits).sum(axis=-1)
    return numbers(own[~at_rest(end, start)]) - beyond


rescaled_norms_almost_grow = section.claim(
    where="sharpened from equation (eq17), Step 2 of the proof of Theorem 3.1",
    refs=("G2", "N1"),
    statement="If V = I then <z_i, B z_i'> >= max_j <z_i, B (z_j - z_i)> - omega_n e^{-2t}.",
    assumptions=(identity_value,),
    draw=extremal_rescaled_flow,
)


# The scores of z at time t are e^{2t} <z_i, B z_j>, so that what softmax loses, omega_n, is divided by e^{2t}.
@rescaled_norms_almost_grow.state(">= 0")
def growth_less_head_start(f: RescaledFlow, *, gap=1):
    """<z_i, B z_i'> - max_j <z_i, B (z_j - z_i)> + omega_n e^{-2t}."""
    allowance = gap * omega(f.z.shape[-2], f.z) * exp(-2 * f.t)
    return form(f.z, f.B, f.drift()) - head_starts(scores(f.z, f.B)) + allowance[..., None]


norms_grow_away_from_s_on_the_line = section.claim(
    where="e:eq17, on the line and at every time",
    refs=("T2", "eq17"),
    statement=(
        "d = V = Q^T K = 1: (d/dt) z_i^2 >= e_i min(|z_i|, e_i - |z_i|) - 2 omega_n e^{-2t}, e_i the size of the outer "
        "token on the side of z_i."
    ),
    assumptions=(on_the_line, identity_value, identity_key_query),
    draw=half_way_or_extremal,
)


# By (G2) half the rate is at least |z| (e - |z|) - omega_n e^{-2t}; and |z| (e - |z|) is at least e/2 times the smaller
# factor.
@norms_grow_away_from_s_on_the_line.state(">= 0")
def growth_less_distance(f: RescaledFlow, *, share=1, gap=2):
    """(d/dt) z_i^2 + 2 omega_n e^{-2t} - e_i min(|z_i|, e_i - |z_i|)."""
    z = f.z[..., 0]
    right = indicator(at_most(-z, 0 * z), z)
    size, end = abs(z), right * peak(z) + (1 - right) * peak(-z)
    distance = -peak(np.stack([-size, size - end], axis=-1))[..., 0]
    head_start = gap * omega(z.shape[-1], z) * exp(-2 * f.t)
    return 2 * z * f.drift()[..., 0] + head_start[..., None] - share * end * distance


# Any positive weights would do. The rows of P are at hand, and V = 0 in the draw, for no token moves here.
points_of_s_inside_a_face_are_one = section.claim(
    where="cl:propofS, at every time",
    refs=("T2", "propofS"),
    statement=(
        "Q^T K = A^2 > 0, w and u means of the tokens with positive weights p and q: |A(w - u)|^2 <= a(w)/min p + "
        "a(u)/min q with a(w) = max_j <Aw, Az_j> - |Aw|^2. So S has at most one point inside of each face."
    ),
    system=SelfAttentionFlow,
    assumptions=(definite_key_query,),
    draw=pair_far_apart,
)


def misses(f: SelfAttentionFlow) -> Array:
    """a(w_i)/min_j P_ij for the means w_i = sum_j P_ij x_j, shape (..., n)."""
    P = f.attention()
    means = P @ f.x
    excess = sizes(means @ f.B @ f.x.swapaxes(-1, -2)) - form(means, f.B, means)
    return numbers(excess / -peak(-P)[..., 0])


# Subtract the inequalities for w and u: the scores of w among the tokens differ by a(w)/min p at most, and w - u is a
# difference of two means.
@points_of_s_inside_a_face_are_one.state(">= 0")
def misses_less_distance(f: SelfAttentionFlow, *, share=1):
    """a(w_i)/min p + a(w_k)/min q - |A(w_i - w_k)|^2 for the means that the rows of P make."""
    means, a = f.attention() @ f.x, misses(f)
    apart = means[..., :, None, :] - means[..., None, :, :]
    return a[..., :, None] + a[..., None, :] - share * ((apart @ f.B[..., None, :, :]) * apart).sum(axis=-1)
