"""Convergence to the rows of zeros and ones of P* is doubly exponential: false where an outer token stays bounded.

Theorem 1 on the slides, its last sentence (clusters E-T1a). Which row is the `*` row the slides say themselves: "if
internal particle is bounded, then we get the *-row", and "if x_1(t) or x_n(t) bounded, still get P_1(t) -> e_1". Of two
starts, the first token of one runs off to -infinity, of the other to +infinity, and both starts are certified. These
are open sets of starts, so between the two there is a start in neither: its first token stays bounded, P -> I, no row
of P* is `* ... *`, and by Lemma E of docs/flow_limits.md 1 - P_11 >= 1/(4 x_2(0)^2 e^{2t} + 2) from some time on. Rows
of tokens that run off do converge so (`rows_of_escaping_tokens_converge_doubly_exponentially`).
"""

from flint import fmpq

from claims.clusters.setting.starts_for_limits import bracket
from claims.defects import Consequence, Defect, Kind
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import BoundedBetween, between_trap
from dynamics.tokens.two_starts import TwoStarts

claim = Claim(
    __name__,
    where="Theorem 1, last sentence",
    refs=("T1", "E-T1a"),
    note=(
        "Of the starts (-1, 1) and (0, 1) one sends its first token to -infinity, the other to +infinity; a start"
        " between them keeps it bounded, and its row tends to (1, 0) no faster than a multiple of e^{-2t}. Rows "
        "of tokens that run off, from x_i(0)^2 > omega_n, do converge doubly exponentially."
    ),
    statement=(
        "Assume QK > 0 and V > 0; WLOG QK = V = 1. Given prompt with x_i(0) != x_j(0) for i != j. "
        "lim_{t -> +infinity} P(t) = P*. Non-* rows converge doubly exponentially fast."
    ),
    origin=Origin.PRINTED,
    system=TwoStarts,
    draw=bracket,
    standing=Standing.FALSE,
    corrected_by="clusters.rows_of_escaping_tokens_converge_doubly_exponentially",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"Given prompt with $x_i(0) \neq x_j(0)$ for $i \neq j$. $\dots$ $\lim_{t \to +\infty} P(t) = P^*$. "
            r"Non-$*$ rows converge doubly exponentially fast."
        ),
        context=(
            r"$d = 1$, $QK = V = 1$: $\dot x_i = \sum_j P_{ij} x_j$, $P_{ij} = e^{x_i x_j} / \sum_k e^{x_i x_k}$. "
            r"Up to permutations $P^*$ has the rows $(1, 0, \dots, 0)$, then one row of $*$, then $(0, \dots, 0, 1)$."
        ),
        reading=(
            r"The $*$ row is drawn between the others, so the rows of the first and the last token are no $*$ rows. If the "
            r"row of a token that stays bounded counts as the $*$ row wherever it stands, the sentence holds."
        ),
        wrong=r"Where the first or the last token stays bounded, its row converges, but not doubly exponentially fast.",
        correction=r"Rows of tokens with $|x_i(t)| \to \infty$, all but one at most, converge doubly exponentially fast.",
        consequences=(
            Consequence(
                "Theorem 1, convergence to $P^*$",
                survives=True,
                why=r"Only the rate fails, and on a null set of starts.",
                shown_by="clusters.rows_of_escaping_tokens_converge_doubly_exponentially",
            ),
        ),
    ),
)


@claim.limit(">= 0", times=lambda start: [fmpq(k, 2) for k in (1, 2, 4, 6)], trap=between_trap)
def rows_of_every_start_between_converge_so(between: BoundedBetween, start: TwoStarts):
    """-1 where some start between the two has a row that does not converge doubly exponentially."""
    return exact([between.doubly_exponential])


@claim.by_hand(by_argument=True)
def a_bounded_first_token(_: object):
    """A start between two others, and why its row is slow."""
    yield (
        r"Take $n = 2$ and $x_2(0) = 1$. From $x_1(0) = -1$ the first token runs to $-\infty$ by symmetry; from "
        r"$x_1(0) = 0$, where $\dot x_1 = \tfrac12$, it runs to $+\infty$."
    )
    yield (
        r"Both sets of starts $x_1(0)$ are open, so some start between keeps $x_1$ bounded; then $P_1 \to (1, "
        r"0)$ by Theorem 1 and its proof, and $|x_1|, x_2 \le e^t$."
    )
    yield (
        r"$\dot x_1 = x_1 + P_{12} (x_2 - x_1)$, so $x_1(t) = -\int_t^\infty e^{t - s} P_{12} (x_2 - x_1) \, ds$, "
        r"which is doubly exponentially small if $P_{12}$ is."
    )
    yield (
        r"But then $x_1 x_2 \to 0$ and $x_1^2 \to 0$, so $P_{12} = 1 / (1 + e^{x_1 (x_1 - x_2)}) \to \tfrac12$: a "
        r"contradiction to $P_{12} \to 0$."
    )
