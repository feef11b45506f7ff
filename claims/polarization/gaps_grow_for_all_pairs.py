"""Gaps between value projections grow, for every i != j: false as printed, since swapping i and j flips the sign.

Theorem 3.2(b) (polarization C-3.2b, E2). Kept as printed, and refuted; `gaps_grow` is what is meant and proved.
"""

import numpy as np
from flint import fmpq

from claims.defects import Consequence, Defect, Kind, tex
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp_difference
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.2(b)",
    refs=("C-3.2b", "E2"),
    note=(
        'With "i != j" a pair may be taken in either order: from u(0) = (1, 0) the gap u_1 - u_0 falls at tau = '
        "1, for u_0 - u_1 grows. For i < j all gaps u_i - u_j grow."
    ),
    statement=(
        "Pairwise gaps between value projections grow over time: for any i != j and any t_+ > t >= 0, (u_i(t_+) -"
        " u_j(t_+)) > (u_i(t) - u_j(t))."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.gaps_grow",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"Pairwise gaps between value projections grow over time: for any $i \neq j$ and any $t_+ > t \ge 0$,"
            r" $(u_i(t_+) - u_j(t_+)) > (u_i(t) - u_j(t))$."
        ),
        context=r"Gradient flow of (5) under Assumption 3.1: $a(0) = 0$ and $u_0(0) > u_1(0) > \dots > u_{p-1}(0)$.",
        wrong=r"$i \neq j$ stands where $i < j$ is meant: for $i > j$ the gap $u_i - u_j = -(u_j - u_i)$ falls.",
        correction=r"For any $i < j$ and any $t_+ > t \ge 0$, $u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t)$.",
        consequences=(
            Consequence(
                "Theorem 3.3",
                survives=True,
                why=r"Its proof uses $u_0 - u_i \ge \delta$, a pair with $i < j$.",
                shown_by="polarization.score_ratios_decay",
            ),
        ),
    ),
)


@claim.trajectory("> 0", horizon=lambda start: fmpq(1))
def gap_rate_of_every_pair(now: LogisticFlow, start: LogisticFlow):
    """A d(u_i - u_j)/dtau = K (e^{a_i} - e^{a_j}) for every i != j, A = sum_k e^{a_k} > 0."""
    i, j = np.nonzero(~np.eye(len(now.u), dtype=bool))
    return now.K * exp_difference(now.a[i], now.a[j])


@claim.by_hand(by_argument=True, u=[1, 0], a=[0, 0], K=1)
def both_orders(f: LogisticFlow):
    """The two orders of one pair."""
    i, j = tex(f.u[0]), tex(f.u[1])
    yield rf"Take $p = 2$, $\|\beta_*\| = 1$, $a(0) = {tex(f.a)}$, $u(0) = ({i}, {j})$."
    yield (
        r"The statement for $(i, j) = (0, 1)$ says that $u_0 - u_1$ increases; for $(1, 0)$ it says that $u_1 - "
        r"u_0$ increases."
    )
    yield r"The second quantity is minus the first, so both cannot hold at once."
