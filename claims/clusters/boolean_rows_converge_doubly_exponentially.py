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
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import BoundedBetween, between_trap
from dynamics.tokens.two_starts import TwoStarts

claim = Claim(
    __name__,
    paper=CLUSTERS,
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
)


@claim.limit(">= 0", times=lambda start: [fmpq(k, 2) for k in (1, 2, 4, 6)], trap=between_trap)
def rows_of_every_start_between_converge_so(between: BoundedBetween, start: TwoStarts):
    """-1 where some start between the two has a row that does not converge doubly exponentially."""
    return exact([between.doubly_exponential])
