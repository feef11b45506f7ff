"""z_i(t) converges to bd K x G: false without {0}, a token may rest at 0 inside.

Theorem 4 on the slides (clusters T4). With F = R and G = {0}, from -u, 0, u: K = [-c, c] and the token at 0 stays there
(Lemma D of docs/flow_limits.md).
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line
from claims.clusters.setting.starts_with_rates import line_start_with_a_token_at_0
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
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
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"Suppose $Q^\top K > 0$. There exists a bounded convex polytope $\mathcal K \subset F$ such that "
            r"$z_i(t)$ converge to $\partial \mathcal K \times G$ as $t \to \infty$."
        ),
        context=(
            r"$F, G$ are invariant under $V$, $F \oplus G = \mathbb R^d$, $V_{|F} = \lambda I_d$ with $\lambda > "
            r"0$, $\max_j |\lambda_j(V_{|G})| < \lambda$; $z_i = e^{-tV} x_i$. Theorem 2 on the same slides has "
            r"$\partial \mathcal K \cup \{0\}$."
        ),
        wrong=(
            r"A token whose projection to $F$ is $0$ may rest inside of $\mathcal K$, as Theorem 2 says for $F = "
            r"\mathbb R^d$."
        ),
        correction=r"$z_i(t)$ converges to $(\partial \mathcal K \cup \{0\}) \times G$.",
        consequences=(
            Consequence(
                "Theorem 2",
                survives=True,
                why=r"It has the union with $\{0\}$.",
                shown_by="clusters.tokens_converge_to_a_polytope_and_a_subspace",
            ),
        ),
    ),
)


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_that_are_no_ends(end: TokensEnd, start: RescaledFlow):
    """The number of different limits that are no vertex of K."""
    ends = set(end.classes[end.vertices].tolist())
    return exact([len(set(end.classes.tolist()) - ends)])


@claim.by_hand(by_argument=True, z=[[-1, 0], [0, 0], [1, 0]], B=[[1, 0], [0, 1]], V=[[1, 0], [0, "-1/2"]])
def a_token_at_the_origin(f: RescaledFlow):
    """0 rests, by symmetry, and is no end of the interval."""
    yield (
        rf"Take $Q^\top K = I$, $V = {tex(f.V)}$: $\lambda = 1$, $F = \mathbb R \times 0$, $G = 0 \times \mathbb "
        rf"R$, $|-\tfrac12| < 1$; tokens $(-1, 0)$, $(0, 0)$, $(1, 0)$."
    )
    yield (
        r"The middle token weighs all alike, and the other two cancel: its velocity is $(0, 0)$, now "
        r"and, by symmetry, for ever."
    )
    yield (
        r"The other two stay at $(\mp c(t), 0)$ with $c(t) \to c > 0$, so $\mathcal K = [-c, c]$ and $\partial "
        r"\mathcal K \times G$ has the first coordinates $\mp c$ only; the middle token has $0$."
    )
