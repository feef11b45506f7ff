"""The rank of the limit P* of attention lies between the number of vertices of K and the number of limits of tokens.

The corollary of Theorem 2 on the slides: V = I, Q^T K > 0, lim P(t) = P* with rank P* <= m, m the number of vertices. It is
false, and m is a lower bound.

`attention_rank_is_at_most_the_number_of_vertices`: It fails where a token rests at 0, but also where one rests in the
middle of a face.

`attention_has_full_rank`: "What about rank P(t) in general?" ask the slides. For distinct tokens, Q^T K > 0 and any V it is
n at every finite time: P is similar to the symmetric matrix [sqrt(P_ij P_ji)], a positive definite kernel e^<Ax_i, Ax_j>
scaled in rows and columns. I minus it is semidefinite with a simple eigenvalue 0.

`attention_rank_is_at_most_the_number_of_limits`: The corollary with limits instead of vertices. z_i' tends to sum_j P*_ij
z_j* - z_i*, which is therefore 0. So the row of a token that tends to a vertex has weight only on tokens that tend there,
and rows of different vertices share no column: rank P* >= m. That tokens with a common limit have a common row is shown by
Lemmas B2, D and K of docs/flow_limits.md for the starts they decide. For almost every start every limit should be a vertex,
and rank P* = m; that is open (`tokens_converge_to_vertices_under_any_scores`).

`attention_rank_is_the_number_of_vertices`: Our own first correction; also false. By Lemmas D and K of docs/flow_limits.md
the excess is unbounded: for {-1, 1} x {-1, 0, 1} the rank is 6, with four vertices.

`numerical_rank_is_below_rank`: The figures of the paper show the rank of P(t) counted with NumPy's tolerance. For 20 tokens
uniform in [-5, 5]^2, Q^T K = V = I, the rank is 20 at all times; NumPy counts 5 at t = 3, and 12 at the start if the tokens
are a hundredth as large. An experiment.

`attention_converges_for_every_start`: Printed only as part of the corollary. Lemmas B2 and D of docs/flow_limits.md give P*
start by start. Nothing is known about starts without symmetry whose tokens tend to a point inside a face.
"""

import numpy as np

from claims.clusters.setting.hypotheses import distinct_tokens
from claims.clusters.setting.notation import pivots
from claims.clusters.setting.starts_of_flows import at_rest, rescaled_start, start_with_a_token_at_0
from claims.stating.assumptions import definite_key_query, identity_value
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.experiments import Reading
from claims.stating.statement import Origin, Section, Standing
from dynamics.arithmetic import Array, exact, indicator, numbers, sqrt, transposed
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__, system=RescaledFlow)

# Opposite pairs with a token at 0 come first in the draw: they refute it.
attention_rank_is_at_most_the_number_of_vertices = section.claim(
    where="Theorem 2, corollary",
    refs=("C2",),
    note=(
        "From -1, 0, 1 the token at 0 stays and weighs all tokens equally at all times: P* has the rows (1, 0, 0), (1/3, "
        "1/3, 1/3), (0, 0, 1) and rank 3, and K has two vertices. The rank is at least m, and at most the number of limits "
        "of tokens."
    ),
    statement="V = I_d. Suppose Q^T K > 0. lim_{t -> infinity} P(t) = P*, with rank P* <= m.",
    origin=Origin.PRINTED,
    assumptions=(identity_value, definite_key_query),
    draw=start_with_a_token_at_0,
    corrected_by="clusters.attention_rank_is_at_most_the_number_of_limits",
    defect=Defect(
        Kind.CASE,
        quotation=r"Corollary. $\lim_{t \to \infty} P(t) = P^*$, with rank $P^* \le m$.",
        context=(
            r"Theorem 2: $V = I_d$, $Q^\top K > 0$, $\mathcal K$ is a convex polytope of $m$ vertices, and each $z_i(t) = "
            r"e^{-t} x_i(t)$ tends to a point of a discrete set $\mathcal S \subset \partial \mathcal K \cup \{0\}$."
        ),
        wrong=(
            r"A token whose limit is no vertex may have a row of its own, like the $*$ row of Theorem 1, where $d = 1$ and "
            r"$m \le 2$."
        ),
        reading=(
            r"Tokens that rest at $0$ are not the only exception: from $(1, 1)$, $(1, -1)$, $(1, 0)$ in the plane the "
            r"third token, in the middle of an edge, keeps the row $(\tfrac13, \tfrac13, \tfrac13)$ at all times, and rank "
            r"$P^* = 3 > 2 = m$."
        ),
        correction=(
            r"If $P(t)$ converges, then $m \le$ rank $P^*$: in the limit a token that tends to a vertex attends only to "
            r"those that tend there, too. In every start that we could decide the rank is at most the number of "
            r"different limits $\bar z_i$."
        ),
        consequences=(Consequence("Theorem 2", why=r"The corollary is drawn from it, not the other way round."),),
    ),
)


@attention_rank_is_at_most_the_number_of_vertices.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_at_most_m(end: TokensEnd, start: RescaledFlow):
    """m - rank P*."""
    return exact([end.number_of_vertices - end.rank])


@attention_rank_is_at_most_the_number_of_vertices.by_hand(by_argument=True, z=[[-1], [0], [1]], B=[[1]], V=[[1]])
def a_token_at_the_origin(f: RescaledFlow):
    """Three different rows, two vertices."""
    yield (
        rf"Take $d = 1$, $QK = V = 1$ and the tokens ${tex([*f.z[:, 0]])}$. By symmetry they stay $-x(t), 0, "
        rf"x(t)$ with $x(t) \to \infty$."
    )
    yield r"The scores of $0$ are all $0$: its row is $(\tfrac13, \tfrac13, \tfrac13)$ at all times."
    yield r"The scores of $x$ are $-x^2, 0, x^2$: its row tends to $(0, 0, 1)$, and that of $-x$ to $(1, 0, 0)$."
    yield r"These three rows are independent: rank $P^* = 3$, but on a line $m \le 2$."


attention_has_full_rank = section.claim(
    where="slide 'Corollary' after Theorem 2, at a finite time",
    refs=("C2", "O3"),
    statement="If Q^T K > 0 and tokens are distinct then rank P(t) = n, and the eigenvalues of P(t) are real in (0, 1].",
    system=SelfAttentionFlow,
    assumptions=(definite_key_query, distinct_tokens),
)


# P = D^{-1} K with the symmetric kernel K_ij = e^<Ax_i, Ax_j>, so that D^{1/2} P D^{-1/2} has these entries.
def symmetrised(P: Array) -> Array:
    """[sqrt(P_ij P_ji)], shape (..., n, n)."""
    return sqrt(numbers(P * transposed(P)))


# Eigenvalues have no closed form; by Sylvester's criterion the signs of pivots decide.
@attention_has_full_rank.state("> 0")
def eigenvalues_are_positive(f: SelfAttentionFlow):
    """The pivots of [sqrt(P_ij P_ji)]."""
    return pivots(symmetrised(f.attention()))


# P has the eigenvalue 1 for the vector of ones, once only, as all weights are positive: one pivot is 0, and it comes last.
@attention_has_full_rank.state("> 0")
def eigenvalues_are_below_one(f: SelfAttentionFlow):
    """The first n - 1 pivots of I - [sqrt(P_ij P_ji)]; the last is 0."""
    P = f.attention()
    eye = indicator(np.eye(P.shape[-1], dtype=bool), P)
    others = ((1 - eye) * P).sum(axis=-1, keepdims=True)  # 1 - P_ii, without a difference
    return pivots(eye * others - (1 - eye) * symmetrised(P))[..., :-1]


# Kolmogorov's criterion for P to be similar, by a diagonal matrix, to a symmetric one. Of positive weights cycles of three
# are enough.
@attention_has_full_rank.identity()
def cycles_are_reversible(f: SelfAttentionFlow, *, share=1):
    """P_ij P_jk P_ki - P_ik P_kj P_ji: P is similar to [sqrt(P_ij P_ji)]."""
    P = f.attention()
    there = P[..., :, :, None] * P[..., None, :, :] * transposed(P)[..., :, None, :]
    back = transposed(P)[..., :, :, None] * transposed(P)[..., None, :, :] * P[..., :, None, :]
    return there - share * back


attention_rank_is_at_most_the_number_of_limits = section.claim(
    where="Theorem 2, corollary, of the limits",
    refs=("C2",),
    statement=(
        "V = I, Q^T K > 0, and P(t) -> P*: m <= rank P* <= the number of different limits of z_1, ..., z_n, and P* keeps "
        "these limits."
    ),
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
)


# Tokens with one limit have one row in the limit: as many limits, as many different rows at most.
@attention_rank_is_at_most_the_number_of_limits.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_less_rank(end: TokensEnd, start: RescaledFlow, *, each=1):
    """How many different limits z_1, ..., z_n have, less rank P*."""
    return exact([each * end.number_of_limits - end.rank])


# Rows of different vertices share no column, so that one row for each vertex is a set of independent rows.
@attention_rank_is_at_most_the_number_of_limits.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_less_vertices(end: TokensEnd, start: RescaledFlow, *, each=1):
    """rank P* - m."""
    return exact([end.rank - each * end.number_of_vertices])


@attention_rank_is_at_most_the_number_of_limits.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rows_are_stochastic_in_the_limit(end: TokensEnd, start: RescaledFlow, *, whole=1):
    """sum_j P*_ij - 1: no weight is lost."""
    return end.attention @ np.ones(len(end.attention), dtype=int) - whole


# A first guess, kept because it is tempting: a token at 0 is not the only one that may keep a row of its own.
attention_rank_is_the_number_of_vertices = section.claim(
    where="Theorem 2, corollary, with tokens at 0",
    refs=("C2",),
    note=(
        "From (1, 1), (1, -1), (1, 0) the last token stays, by symmetry, and weighs all three equally at all times: rank "
        "P* = 3, and K has two vertices. What holds is m <= rank P* <= the number of limits of tokens."
    ),
    statement="V = I, Q^T K > 0: rank P* = m, or m + 1 if a token rests at 0 and another does not.",
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
    corrected_by="clusters.attention_rank_is_at_most_the_number_of_limits",
)


@attention_rank_is_the_number_of_vertices.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_m_without_a_token_at_the_origin(end: TokensEnd, start: RescaledFlow):
    """rank P* - m, less 1 if a token rests at 0 while others do not."""
    resting = at_rest(end, start)
    return exact([end.rank - end.number_of_vertices - int(resting.any() != resting.all())])


TOKENS, SCALE, END, PER_UNIT = 20, 5, 3, 64

# NumPy counts singular values above n eps times the largest. Those of tokens that come together fall below that, and none
# of them is 0.
numerical_rank_is_below_rank = section.claim(
    where="figures on the rank of P(t)",
    refs=("C2", "O3"),
    statement="For 20 tokens uniform in [-5, 5]^2 (seed 0) NumPy counts rank P(3) = 5, and 12 at t = 0 for tokens / 100.",
)


def flow(z, t=0.0):
    """The rescaled flow of tokens (n, d) at a time."""
    return RescaledFlow(z=z, B=np.eye(2), V=np.eye(2), t=np.asarray(t))


def run(z):
    """The tokens at t = END by Runge-Kutta steps."""
    h = 1 / PER_UNIT
    for step in range(END * PER_UNIT):
        t = step * h
        k_1 = flow(z, t).drift()
        k_2 = flow(z + h / 2 * k_1, t + h / 2).drift()
        k_3 = flow(z + h / 2 * k_2, t + h / 2).drift()
        z = z + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + flow(z + h * k_3, t + h).drift())
    return z


@numerical_rank_is_below_rank.experiment()
def counted_ranks(steps):
    """numpy.linalg.matrix_rank of P for the tokens at t = 3, and for tokens a hundredth as large at the start."""
    if steps < END * PER_UNIT:
        return []
    z = np.random.default_rng(0).uniform(-SCALE, SCALE, (TOKENS, 2))
    late, small = flow(run(z), END), flow(z / 100)
    return [
        Reading("rank P(3)", float(np.linalg.matrix_rank(late.attention())), "5"),
        Reading("rank P(0), tokens / 100", float(np.linalg.matrix_rank(small.attention())), "12"),
    ]


attention_converges_for_every_start = section.claim(
    where="Theorem 2, corollary, existence of P*",
    refs=("N8", "C2"),
    statement="V = I, Q^T K > 0, any d and any start: lim P(t) exists.",
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
    standing=Standing.OPEN,
)


@attention_converges_for_every_start.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def weight_lost_in_the_limit(end: TokensEnd, start: RescaledFlow, *, whole=1):
    """1 - sum_j P*_ij."""
    return whole - end.attention.sum(axis=1)
