"""If x_1 is bounded then P_1j -> 0 for every j in [n - 1]: false, j = 1 is among them.

The second range of indices in Lemma `l:boundedxn`, as it is reported of v6 (clusters L6): a misprint, the same lemma
has P_11 -> 1.
"""

from flint import fmpq

from claims.clusters.setting.starts_for_limits import bracket
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.limits import BoundedBetween, between_trap
from dynamics.tokens.two_starts import TwoStarts

claim = Claim(
    __name__,
    paper=CLUSTERS,
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
)


@claim.limit("== 0", times=lambda start: [fmpq(k, 2) for k in (1, 2, 4, 6)], trap=between_trap)
def weights_on_all_but_the_last(between: BoundedBetween, start: TwoStarts):
    """P*_1j for j in [n - 1]."""
    return between.attention[0, :-1]
