"""Gaps between values grow, and so do gaps to the leading score, but gaps between losing scores close again.

`gaps_grow`: Theorem 3.2(b) for i < j: d(u_i - u_j)/dtau = K (s_i - s_j) > 0 for t > 0.

`score_gaps_grow`: The last sentence of the proof of Theorem 3.2 is false for a if p >= 3. The losers fall to zero
together: s_i / s_j tends to 1, so a gap between losers rises first and then closes.

`leading_score_gaps_grow`: The sentence is true of pairs with i = 0, at every state where index 0 leads in u and a: s_0
grows and s_j / s_0 shrinks.
"""

import numpy as np

from claims.polarization.setting.scores import ASSUMPTION_3_1, leader_dominates, two_scores
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, exp_difference
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, refs=("C-3.2c",), system=LogisticFlow, assumptions=ASSUMPTION_3_1)

gaps_grow = section.claim(
    where="section 3.1, after Theorem 3.2; proof of Theorem 3.2",
    refs=("C-3.2b", "M2(d)", "H3"),
    statement="for i < j, we have d(u_i - u_j) > 0, driven by the preserved ordering of the attention scores.",
    origin=Origin.PRINTED,
)


# Multiplied by A > 0: what is left is one difference of exponentials, without the softmax's denominator.
def _gap_rate(f):
    i, j = np.triu_indices(f.u.shape[-1], 1)
    return f.K[..., None] * exp_difference(f.a[..., i], f.a[..., j])


@gaps_grow.trajectory("> 0", horizon=lambda start: 4)
def gap_rate(now: LogisticFlow, start: LogisticFlow):
    """A d(u_i - u_j)/dtau = K (e^{a_i} - e^{a_j}) for i < j, A = sum_k e^{a_k} > 0."""
    return _gap_rate(now)


@gaps_grow.identity(assuming=())
def gap_rate_formula(f: LogisticFlow, *, K_factor=1):
    """A d(u_i - u_j)/dtau - K (e^{a_i} - e^{a_j}) for i < j."""
    i, j = np.triu_indices(f.u.shape[-1], 1)
    du = f.du_dtau()
    return exp(f.a).sum(axis=-1, keepdims=True) * (du[..., i] - du[..., j]) - K_factor * _gap_rate(f)


gaps_grow_for_all_pairs = section.claim(
    where="Theorem 3.2(b)",
    refs=("C-3.2b", "E2"),
    note=(
        'With "i != j" a pair may be taken in either order: from u(0) = (1, 0) the gap u_1 - u_0 falls at tau = '
        "1, since u_0 - u_1 grows. For i < j all gaps u_i - u_j grow."
    ),
    statement=(
        "Pairwise gaps between value projections grow over time: for any i != j and any t_+ > t >= 0, (u_i(t_+) -"
        " u_j(t_+)) > (u_i(t) - u_j(t))."
    ),
    origin=Origin.PRINTED,
    corrected_by="polarization.gaps_grow",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"Pairwise gaps between value projections grow over time: for any $i \neq j$ and any $t_+ > t \ge 0$,"
            r" $(u_i(t_+) - u_j(t_+)) > (u_i(t) - u_j(t))$."
        ),
        context=(
            r"Gradient flow of (5) under Assumption 3.1: $a(0) = 0$ and $u_0(0) > u_1(0) > \dots > u_{p-1}(0)$. The "
            r"text after the theorem and its proof have $i < j$."
        ),
        wrong=r"$i \neq j$ stands where $i < j$ is meant: for $i > j$ the gap $u_i - u_j = -(u_j - u_i)$ falls.",
        correction=r"For any $i < j$ and any $t_+ > t \ge 0$, $u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t)$.",
        consequences=(
            Consequence(
                "Theorem 3.3",
                why=r"Its proof uses $u_0 - u_i \ge \delta$, a pair with $i < j$.",
                shown_by="polarization.score_ratios_decay",
            ),
        ),
    ),
)


# The first instance refutes it: of two pairs (i, j) and (j, i) one must fall.
@gaps_grow_for_all_pairs.trajectory("> 0", horizon=lambda start: 1)
def gap_rate_of_every_pair(now: LogisticFlow, start: LogisticFlow):
    """A d(u_i - u_j)/dtau = K (e^{a_i} - e^{a_j}) for every i != j, A = sum_k e^{a_k} > 0."""
    i, j = np.nonzero(~np.eye(len(now.u), dtype=bool))
    return now.K * exp_difference(now.a[i], now.a[j])


@gaps_grow_for_all_pairs.by_hand(by_argument=True, u=[1, 0], a=[0, 0], K=1)
def both_orders(f: LogisticFlow):
    """The two orders of one pair."""
    i, j = tex(f.u[0]), tex(f.u[1])
    yield rf"Take $p = 2$, $\|\beta_*\| = 1$, $a(0) = {tex(f.a)}$, $u(0) = ({i}, {j})$."
    yield (
        r"The statement for $(i, j) = (0, 1)$ says that $u_0 - u_1$ increases; for $(1, 0)$ it says that $u_1 - "
        r"u_0$ increases."
    )
    yield r"The second quantity is minus the first, so both cannot hold at once."


score_gaps_grow = section.claim(
    where="last sentence of the proof of Theorem 3.2, for a",
    note=(
        "From u(0) = (2, 1, 0) the gap a_1 - a_2 shrinks at the rate 0.027 at tau = 6: gaps between losing scores"
        " close again. Gaps from the leader, a_0 - a_j and s_0 - s_j, grow at all times."
    ),
    statement=(
        "For any i < j, we have ... u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t) for any t_+ > t > 0. A similar argument"
        " holds for a_i and s_i."
    ),
    origin=Origin.PRINTED,
    corrected_by="polarization.leading_score_gaps_grow",
    defect=Defect(
        Kind.LEMMA,
        quotation=(
            r"The other implication of this no-crossing property is that the differences increase with time. For any "
            r"$i < j$, we have, $\dots$ Hence, $u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t)$ for any $t_+ > t > 0$. A similar "
            r"argument holds for $a_i$ and $s_i$."
        ),
        context=r"Gradient flow of (5) under Assumption 3.1: $a(0) = 0$ and $u_0(0) > u_1(0) > \dots > u_{p-1}(0)$.",
        wrong=(
            r"For $p \ge 3$ and $0 < i < j$ neither $s_i - s_j$ nor $a_i - a_j$ increases throughout: both rise from $0$ "
            r"and shrink later on."
        ),
        correction=(
            r"The gaps $a_0 - a_j$ and $s_0 - s_j$ from the leader grow at all times, for every $j \ge 1$, and so do, by "
            r"the display before $\Phi_{ij}$, the gaps $e^{-a_j} - e^{-a_i}$ for all $i < j$."
        ),
        consequences=(
            Consequence(
                "Theorem 3.2(a) and (b)",
                why=r"(a) is about signs, and (b), for $i < j$, about $u$ alone.",
                shown_by="polarization.gaps_grow",
            ),
            Consequence(
                "Theorem 3.3",
                why=r"Its proof uses $q_i \le 1$ and the gaps of $u$.",
                shown_by="polarization.score_ratios_decay",
            ),
        ),
        reading=(
            r"A similar argument would show that $a_i - a_j$ and $s_i - s_j$ increase for any $i < j$. Both halves fail."
        ),
    ),
)


def differences(values):
    """x_i - x_j for i < j."""
    i, j = np.triu_indices(values.shape[-1], 1)
    return values[..., i] - values[..., j]


# Twice the usual time: gaps between losers rise first, and that of the note shrinks at tau = 6.
@score_gaps_grow.trajectory(">= 0", horizon=lambda start: 8)
def score_gap_rate(now: LogisticFlow, start: LogisticFlow):
    """d(a_i - a_j)/dtau for i < j."""
    return differences(now.da_dtau())


@score_gaps_grow.by_hand(by_argument=True, u=[2, 1, 0], a=[0, 0, 0], K=1)
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
        r"$-\infty$: a contradiction."
    )


# A claim of its own, for the sentence says two things: s fails already at tau = 2, and a only later.
weight_gaps_grow = section.claim(
    where="last sentence of the proof of Theorem 3.2, for s",
    note=(
        "From u(0) = (2, 1, 0) the gap s_1 - s_2 shrinks at the rate 0.010 at tau = 2: losing weights tend to 0, "
        "and gaps between them close again. Gaps from the leader, s_0 - s_j, grow at all times."
    ),
    statement=(
        "For any i < j, we have ... u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t) for any t_+ > t > 0. A similar argument "
        "holds for a_i and s_i."
    ),
    origin=Origin.PRINTED,
    corrected_by="polarization.leading_score_gaps_grow",
    defect="polarization.score_gaps_grow",
)


@weight_gaps_grow.trajectory(">= 0", horizon=lambda start: 8)
def weight_gap_rate(now: LogisticFlow, start: LogisticFlow):
    """d(s_i - s_j)/dtau for i < j."""
    return differences(now.ds_dtau())


leading_score_gaps_grow = section.claim(
    where="last sentence of the proof of Theorem 3.2, for i = 0",
    statement="a_0 - a_j and s_0 - s_j increase in time for all j.",
)


def gaps_to_leader(values):
    """x_0 - x_j for j >= 1, shape (..., p - 1)."""
    return values[..., :1] - values[..., 1:]


# Asked of every state that index 0 leads, not of the paper's trajectories alone: so a(0) need not be 0.
@leading_score_gaps_grow.state("> 0", assuming=(two_scores, leader_dominates), name="score_gap_rate")
def leading_score_gap_rate(f: LogisticFlow):
    """d(a_0 - a_j)/dtau."""
    return gaps_to_leader(f.da_dtau())


@leading_score_gaps_grow.state("> 0", assuming=(two_scores, leader_dominates), name="weight_gap_rate")
def leading_weight_gap_rate(f: LogisticFlow):
    """d(s_0 - s_j)/dtau."""
    return gaps_to_leader(f.ds_dtau())


@leading_score_gaps_grow.trajectory("> 0", horizon=lambda start: 4)
def score_gap_rate_in_time(now: LogisticFlow, start: LogisticFlow):
    """d(a_0 - a_j)/dtau at every time."""
    return gaps_to_leader(now.da_dtau())
