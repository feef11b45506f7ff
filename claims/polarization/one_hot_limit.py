"""Score ratios to the leader decay at least like one over the clock, q_j <= 1 / (1 + (delta/p) tau) (Theorem 3.3(b)).

Here q_j = s_j / s_0, tau = int_0^t gamma and delta = min_{i<j} (u_i - u_j)(0).

`score_ratios_decay`: In rates, d(1/q_j)/dtau >= w_j / p with w_j = u_0 - u_j >= delta.

`score_ratios_decay_by_own_gap`: Each ratio decays by its own gap delta_j = u_0(0) - u_j(0). The proof needs only that
index 0 leads in u and in a: no a(0) = 0 (H1), no order or strictness among the others (H2), no |beta_*| = 1 (H3). At a
= 0 both sides start with the same slope (T1), so p cannot be replaced by anything smaller. One of its steps: with Q =
1/s_0, u_0 - m >= min_j w_j (1 - 1/Q).
"""

from claims.polarization.setting.scores import ASSUMPTION_3_1, comonotone, leader_dominates, two_scores, zero_scores
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, system=LogisticFlow)

score_ratios_decay = section.claim(
    where="Theorem 3.3(b)",
    refs=("C-3.3b", "M2(f)", "H3", "T1"),
    statement=(
        "Decay of non-maximal scores. For any j != 0 and any t > 0, s_j(t)/s_0(t) <= 1 / (1 + (delta/p) int_0^t "
        "gamma(beta(s)) ds)."
    ),
    origin=Origin.PRINTED,
    assumptions=ASSUMPTION_3_1,
)


def inverse_ratio_speed(f):
    """d(1/q_j)/dtau = e^{a_0 - a_j} (a_0 - a_j)'."""
    a, da = f.a, f.da_dtau()
    return exp(a[..., :1] - a[..., 1:]) * (da[..., :1] - da[..., 1:])


# About a state, so that it serves every trajectory that keeps the order, for whatever loss.
@score_ratios_decay.state(">= 0", assuming=(two_scores, comonotone))
def inverse_ratio_rate(f: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - w_j, at every state ordered alike in u and a."""
    return f.a.shape[-1] * inverse_ratio_speed(f) - rate * (f.u[..., :1] - f.u[..., 1:])


@score_ratios_decay.rate("> 0", horizon=lambda start: 4)
def inverse_ratio_outgrows_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """d(1/q_j)/dtau - delta/p at every t > 0; integrated from q_j(0) = 1 it is the printed bound."""
    delta = min(start.u[:-1] - start.u[1:])
    return inverse_ratio_speed(now) - rate * delta / len(now.a)


# A leader in u and in a is all that the proof uses of its hypotheses.
score_ratios_decay_by_own_gap = section.claim(
    where="Theorem 3.3(b), its proof read closely",
    refs=("C-3.3b", "C-mild", "H1", "H2", "H3", "T1", "M2(f)"),
    statement="If u_0(0) > u_j(0) and a_0(0) >= a_j(0) for j != 0, then q_j <= 1 / (1/q_j(0) + (u_0(0) - u_j(0)) tau / p).",
    assumptions=(two_scores, leader_dominates),
)


# The gaps u_0 - u_j grow, so at later times the own gap at the start is still a lower bound.
@score_ratios_decay_by_own_gap.rate("> 0", horizon=lambda start: 4, name="inverse_ratio_outgrows_clock")
def inverse_ratio_outgrows_clock_by_own_gap(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - delta_j at every t > 0."""
    return len(now.a) * inverse_ratio_speed(now) - rate * (start.u[:1] - start.u[1:])


# At a = 0 the bound and the ratio have one slope: with less than p for p the bound would fail right after the start.
@score_ratios_decay_by_own_gap.identity(assuming=(two_scores, zero_scores))
def bound_is_tangent(f: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j) at a = 0, where every q_j = 1."""
    return f.a.shape[-1] * inverse_ratio_speed(f) - rate * (f.u[..., :1] - f.u[..., 1:])


# As a sum over k of terms >= 0, where u_0 - m and the bound, both large, would be subtracted.
@score_ratios_decay_by_own_gap.state(">= 0", assuming=(two_scores,))
def second_step(f: LogisticFlow, *, least=1):
    """(u_0 - m) - min_j w_j (1 - 1/Q) as sum_k s_k (w_k - w_j) for the smallest w_j."""
    w = f.u[..., :1] - f.u[..., 1:]
    s = f.s[..., 1:]
    smallest = w[..., :1]
    # The least w_j without a comparison, which balls that overlap would not decide.
    for j in range(1, w.shape[-1]):
        smallest = (smallest + w[..., j : j + 1] - abs(smallest - w[..., j : j + 1])) / 2
    return (s * (w - least * smallest)).sum(axis=-1)
