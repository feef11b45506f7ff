"""If x_1 is bounded then P_1j -> 0 for every j in [n - 1]: false, j = 1 is among them.

The second range of indices in Lemma `l:boundedxn`, as it is reported of v6 (clusters L6): a misprint, the same lemma
has P_11 -> 1.
"""

from flint import fmpq

from claims.clusters.setting.starts_for_limits import bracket
from claims.defects import Consequence, Defect, Kind
from claims.statement import Claim, Origin, Standing
from dynamics.limits import BoundedBetween, between_trap
from dynamics.tokens.two_starts import TwoStarts

claim = Claim(
    __name__,
    where="Lemma l:boundedxn",
    refs=("L6",),
    note=(
        "The range is a misprint, for j = 1 is in [n - 1]: of the starts between (-1, 1) and (0, 1) one keeps x_1"
        " bounded, and its P_11 tends to 1. What holds is P_1(t) -> e_1: the other weights tend to 0."
    ),
    statement=("d = 1: if x_1 is bounded then P_1j(t) -> 0 for every j in [n - 1]."),
    origin=Origin.REPORTED,
    system=TwoStarts,
    assumptions=(),
    draw=bracket,
    standing=Standing.FALSE,
    corrected_by="clusters.bounded_outer_tokens_attend_to_themselves",
    defect=Defect(
        Kind.MISPRINT,
        quotation=r"If $x_1$ is bounded then $P_{1j}(t) \to 0$ for every $j \in [n - 1]$.",
        context=(
            r"Lemma l:boundedxn, $d = 1$, $QK = V = 1$, tokens in increasing order; the lemma's other half, for "
            r"bounded $x_n$, has $j \in [n - 1]$ as well."
        ),
        wrong=r"$j = 1$ is among them, and $P_{11} \to 1$: the range of the other half was copied.",
        correction=r"If $x_1$ is bounded then $P_{1j}(t) \to 0$ for every $j \neq 1$, and $P_{11}(t) \to 1$.",
        consequences=(
            Consequence(
                "Theorem 1",
                survives=True,
                why=r"It uses $P_1 \to e_1$.",
                shown_by="clusters.bounded_outer_tokens_attend_to_themselves",
            ),
        ),
    ),
)


@claim.limit("== 0", times=lambda start: [fmpq(k, 2) for k in (1, 2, 4, 6)], trap=between_trap)
def weights_on_all_but_the_last(between: BoundedBetween, start: TwoStarts):
    """P*_1j for j in [n - 1]."""
    return between.attention[0, :-1]


@claim.by_hand(by_argument=True)
def rows_sum_to_one(_: object):
    """All of them but the last cannot vanish, for the last one does."""
    yield (
        r"Take $n = 2$: $j \in [n - 1]$ is $j = 1$, so the sentence says $P_{11} \to 0$, hence $P_{12} \to 1$, "
        r"for a bounded $x_1$."
    )
    yield (
        r"As for Theorem 1, some start with $x_1(0) \in (-1, 0)$, $x_2(0) = 1$ keeps $x_1$ bounded, while $x_2 "
        r"\to \infty$."
    )
    yield r"Then $\dot x_1 = x_1 + P_{12} (x_2 - x_1) \to \infty$ if $P_{12} \to 1$: $x_1$ would not be bounded."
