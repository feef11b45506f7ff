"""Gaps between scores grow, a_i - a_j for all i < j: false as printed for p >= 3.

Last sentence of the proof of Theorem 3.2 (polarization C-3.2c), for a; `weight_gaps_grow` has it for s. The losers fall to
zero together: s_i / s_j tends to 1, so a gap between losers rises first and then closes.
"""

import numpy as np
from flint import fmpq

from claims.defects import Consequence, Defect, Kind, tex
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="last sentence of the proof of Theorem 3.2, for a",
    refs=("C-3.2c",),
    note=(
        "From u(0) = (2, 1, 0) the gap a_1 - a_2 shrinks at the rate 0.027 at tau = 6: gaps between losing scores"
        " close again. Gaps from the leader, a_0 - a_j and s_0 - s_j, grow at all times."
    ),
    statement=(
        "For any i < j, we have ... u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t) for any t_+ > t > 0. A similar argument"
        " holds for a_i and s_i."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.leading_score_gaps_grow",
    defect=Defect(
        Kind.LEMMA,
        quotation=(
            r"For any $i < j$, we have, $\dots$ Hence, $u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t)$ for any $t_+ > t > 0$."
            r" A similar argument holds for $a_i$ and $s_i$."
        ),
        context=r"Gradient flow of (5) under Assumption 3.1: $a(0) = 0$ and $u_0(0) > u_1(0) > \dots > u_{p-1}(0)$.",
        wrong=(
            r"For $p \ge 3$ and losing indices $0 < i < j$ the gaps $s_i - s_j$ and $a_i - a_j$ grow at first and then"
            r" shrink."
        ),
        correction=r"The gaps $a_0 - a_j$ and $s_0 - s_j$ from the leader grow at all times, for every $j$.",
        consequences=(
            Consequence(
                "Theorem 3.2(a) and (b)",
                survives=True,
                why=r"(a) is about signs, and (b), for $i < j$, about $u$ alone.",
                shown_by="polarization.gaps_grow",
            ),
            Consequence(
                "Theorem 3.3",
                survives=True,
                why=r"Its proof uses $q_i \le 1$ and the gaps of $u$.",
                shown_by="polarization.score_ratios_decay",
            ),
        ),
        reading=r"Both halves of the sentence fail, for $a$ and for $s$.",
    ),
)


def differences(values):
    """x_i - x_j for i < j."""
    i, j = np.triu_indices(values.shape[-1], 1)
    return values[..., i] - values[..., j]


@claim.trajectory(">= 0", horizon=lambda start: fmpq(8))
def score_gap_rate(now: LogisticFlow, start: LogisticFlow):
    """d(a_i - a_j)/dtau for i < j."""
    return differences(now.da_dtau())


@claim.by_hand(by_argument=True, u=[2, 1, 0], a=[0, 0, 0], K=1)
def losing_weights_meet_again(f: LogisticFlow):
    """Why s_1 - s_2 cannot grow for ever, and a_1 - a_2 neither."""
    yield (
        rf"Take $p = 3$, $\|\beta_*\| = 1$, $a(0) = {tex(f.a)}$, $u(0) = {tex(f.u)}$, so that $s(0) = {tex(f.s)}$ "
        rf"and $s_1 - s_2 = 0$ at $t = 0$."
    )
    yield (
        r"By Theorem 3.2(a) $s_1 - s_2 > 0$ for $t > 0$, and by Theorem 3.3(c) $s_1 - s_2 \to 0$: it cannot "
        r"increase throughout."
    )
    yield (
        r"For $a$: $\frac{1}{\gamma} \frac{d}{dt} (a_1 - a_2) = s_2 \big[ (m - u_2) - e^{a_1 - a_2} (m - u_1) \big]$ with"
        r" $m = \langle s, u \rangle \to \infty$, while $u_1$ and $u_2$ stay bounded (Lemma B.1(a))."
    )
    yield (
        r"If $a_1 - a_2$ never shrank, $e^{a_1 - a_2} \ge c > 1$ from some time on, and the bracket would tend to "
        r"$-\infty$:"
        r" a contradiction."
    )
