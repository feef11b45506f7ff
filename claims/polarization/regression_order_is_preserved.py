"""In regression value projections and scores keep their order, and gaps grow.

`regression_order_is_preserved`: From V(0) = 0 and s_0(0) > ... > s_{p-1}(0), for all t > 0. It needs gamma > 0
throughout, which the paper does not say: gamma' = -(|s|^2 + |J(s) u|^2 / K) gamma.

`regression_polarises_below_target`: V(0) = 0 hides the hypothesis m(0) < K (H6). gamma = 1 - m/K never changes its
sign. Where it is negative the clock tau runs backwards, and the leader falls back: from u(0) = (3, 1) and s(0) = (.6,
.4) with K = 1 to s = (.316, .684).
"""

import numpy as np

from claims.polarization.setting.regression import margin_above_target, margin_below_target
from claims.polarization.setting.scores import ASSUMPTION_3_4, comonotone, two_scores
from claims.stating.statement import Origin, Section
from dynamics.training.value_softmax import SquareLossFlow

section = Section(__name__, system=SquareLossFlow)

regression_order_is_preserved = section.claim(
    where="section 3.2, regression; appendix C.1",
    refs=("C-reg1",),
    statement=(
        "Using the same techniques as in the logistic-loss case, we can derive an analogue of Theorem 3.2 for the"
        " regression dynamics."
    ),
    origin=Origin.PRINTED,
    assumptions=ASSUMPTION_3_4,
)


@regression_order_is_preserved.trajectory("> 0", horizon=lambda start: 3)
def values_stay_ordered(now: SquareLossFlow, start: SquareLossFlow):
    """u_i - u_{i+1}."""
    return now.u[:-1] - now.u[1:]


# The scores start apart and the values level, the other way round than in Theorem 3.2.
@regression_order_is_preserved.trajectory("> 0", horizon=lambda start: 3)
def scores_stay_ordered(now: SquareLossFlow, start: SquareLossFlow):
    """a_i - a_{i+1}."""
    return now.a[:-1] - now.a[1:]


@regression_order_is_preserved.trajectory("> 0", horizon=lambda start: 3)
def gaps_grow(now: SquareLossFlow, start: SquareLossFlow):
    """(u_i - u_{i+1})' = gamma K (s_i - s_{i+1})."""
    rate = now.gamma[..., None] * now.du_dtau()
    return rate[:-1] - rate[1:]


# Up to t = 10, long for a quantity that only decays: its sign is what the other inequalities rest on.
@regression_order_is_preserved.trajectory("> 0", horizon=lambda start: 10)
def gamma_stays_positive(now: SquareLossFlow, start: SquareLossFlow, *, most=1):
    """gamma = 1 - m/K."""
    return 1 - most * now.m / now.K


# A linear equation for gamma along the solution: it cannot pass zero.
@regression_order_is_preserved.identity(assuming=())
def gamma_rate(f: SquareLossFlow, *, share=1):
    """K gamma' + (K |s|^2 + |J(s) u|^2) gamma, at any state: gamma never changes sign."""
    du, da, _, _ = f.velocity()
    s, pulled = f.s, f.da_dtau()
    ds = s * (da - (s * da).sum(axis=-1, keepdims=True))
    falling = -(ds * f.u + s * du).sum(axis=-1)
    return falling + share * (f.K * (s * s).sum(axis=-1) + (pulled * pulled).sum(axis=-1)) * f.gamma


# V(0) = beta_* c^T / K keeps the reduced flow, so V(0) = 0 may be given up, if m(0) < K is asked instead.
regression_polarises_below_target = section.claim(
    where="section 3.2, with V(0) = beta_* u(0)^T / K",
    refs=("H6", "C-reg1", "C-3.5a"),
    statement="From u(0) and s(0) ordered alike and m(0) < K the order stays and a_0 - a_j grows.",
    assumptions=(two_scores, comonotone, margin_below_target),
)


def _leader_gap_rates(f):
    _, da, _, _ = f.velocity()
    return da[..., :1] - da[..., 1:]


@regression_polarises_below_target.trajectory("> 0", horizon=lambda start: 4)
def leading_gaps_grow(now: SquareLossFlow, start: SquareLossFlow):
    """(a_0 - a_j)' at every time."""
    return _leader_gap_rates(now)


@regression_polarises_below_target.trajectory("> 0", horizon=lambda start: 4)
def both_stay_ordered(now: SquareLossFlow, start: SquareLossFlow):
    """u_i - u_{i+1} and a_i - a_{i+1}; scores that are tied at the start part at once."""
    return np.concatenate([now.u[:-1] - now.u[1:], now.a[:-1] - now.a[1:]])


# The field is the same, and gamma < 0 turns its arrows round: so the state alone tells.
@regression_polarises_below_target.state("> 0", assuming=(two_scores, comonotone, margin_above_target))
def leading_gaps_close_above_target(f: SquareLossFlow):
    """-(a_0 - a_j)' where m > K."""
    return -_leader_gap_rates(f)
