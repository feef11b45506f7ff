"""P(t) converges, and the rank of its limit is at most the number of vertices of K: false where a token rests at 0.

The corollary of Theorem 2 on the slides (clusters C2). From -1, 0, 1 on the line with Q^T K = V = 1 the token at 0 stays
there and weighs all alike for ever, whatever the others do: P* has the rows (1, 0, 0), (1/3, 1/3, 1/3), (0, 0, 1), so rank
3, while no polytope on a line has more than two vertices. Nor is 0 the only such point: a token in the middle of a face may
have a row of its own, too (`attention_rank_is_the_number_of_vertices`). Limits of tokens bound the rank, not vertices
(`attention_rank_is_at_most_the_number_of_limits`).
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import start_with_a_token_at_0
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2, corollary",
    refs=("C2",),
    note=(
        "From -1, 0, 1 the token at 0 stays and weighs all alike for ever: P* has the rows (1, 0, 0), (1/3, 1/3, "
        "1/3), (0, 0, 1) and rank 3, and K has two vertices. The rank is at least m, and at most the number of limits of "
        "tokens."
    ),
    statement="V = I_d. Suppose Q^T K > 0. lim_{t -> infinity} P(t) = P*, with rank P* <= m.",
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=start_with_a_token_at_0,
    standing=Standing.FALSE,
    corrected_by="clusters.attention_rank_is_at_most_the_number_of_limits",
    defect=Defect(
        Kind.CASE,
        quotation=r"Corollary. $\lim_{t \to \infty} P(t) = P^*$, with rank $P^* \le m$.",
        context=(
            r"Theorem 2: $V = I_d$, $Q^\top K > 0$, $\mathcal K$ is a convex polytope of $m$ vertices, and each "
            r"$z_i(t) = e^{-t} x_i(t)$ tends to a point of a discrete set $\mathcal S \subset \partial \mathcal K "
            r"\cup \{0\}$."
        ),
        wrong=(
            r"A limit that is no vertex may have a row of its own: the origin, or the middle of an edge, as in the plane "
            r"from $(1, 1)$, $(1, -1)$, $(1, 0)$, where the third row is $(\tfrac13, \tfrac13, \tfrac13)$ for ever."
        ),
        correction=(
            r"$m \le$ rank $P^*$, since rows of different vertices share no column. The rank is at most the number of "
            r"different limits $\bar z_i$ in every start that we could decide."
        ),
        consequences=(
            Consequence(
                "Theorem 2",
                survives=True,
                why=r"The corollary is drawn from it, not the other way round.",
                shown_by="clusters.attention_rank_is_at_most_the_number_of_limits",
            ),
        ),
    ),
)


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_at_most_m(end: TokensEnd, start: RescaledFlow):
    """m - rank P*."""
    return exact([end.number_of_vertices - end.rank])


@claim.by_hand(by_argument=True, z=[[-1], [0], [1]], B=[[1]], V=[[1]])
def a_token_at_the_origin(f: RescaledFlow):
    """Three different rows, two vertices."""
    yield (
        rf"Take $d = 1$, $QK = V = 1$ and the tokens ${tex([*f.z[:, 0]])}$. By symmetry they stay $-x(t), 0, "
        rf"x(t)$ with $x(t) \to \infty$."
    )
    yield r"The scores of $0$ are all $0$: its row is $(\tfrac13, \tfrac13, \tfrac13)$ for ever."
    yield r"The scores of $x$ are $-x^2, 0, x^2$: its row tends to $(0, 0, 1)$, and that of $-x$ to $(1, 0, 0)$."
    yield r"These three rows are independent: rank $P^* = 3$, but a segment has $m = 2$ vertices."
