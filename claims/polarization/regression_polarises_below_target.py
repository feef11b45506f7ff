"""Square loss from values other than zero: scores polarize when m(0) < K, and run backwards when m(0) > K.

The hypothesis that V(0) = 0 hides (polarization H6). gamma = 1 - m/K never changes its sign
(`regression_order_is_preserved`). Where it is negative the clock tau runs backwards, and the leader of a state ordered
alike in u and a falls back: from u(0) = (3, 1) and s(0) = (.6, .4) with K = 1 to s = (.316, .684).
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.regression import margin_above_target, margin_below_target
from claims.polarization.setting.scores import comonotone, two_scores
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    where="section 3.2, with V(0) = beta_* u(0)^T / K",
    refs=("H6", "C-reg1", "C-3.5a"),
    statement="From u(0) and s(0) ordered alike and m(0) < K the order stays and a_0 - a_j grows.",
    origin=Origin.OURS,
    system=SquareLossFlow,
    assumptions=(two_scores, comonotone, margin_below_target),
    equivalent={
        "leading_gaps_grow, in _leader_gap_rates: da[..., :1] - da[..., 1:] => da[..., :1]": (
            "a_0 alone rises, too: gamma > 0 and u_0 > m."
        ),
        "leading_gaps_close_above_target, in _leader_gap_rates: da[..., :1] - da[..., 1:] => da[..., :1]": (
            "a_0 alone falls, too: gamma < 0 and u_0 > m."
        ),
    },
)


def _leader_gap_rates(f):
    _, da, _, _ = f.velocity()
    return da[..., :1] - da[..., 1:]


@claim.trajectory("> 0", horizon=lambda start: fmpq(4))
def leading_gaps_grow(now: SquareLossFlow, start: SquareLossFlow):
    """(a_0 - a_j)' at every time."""
    return _leader_gap_rates(now)


@claim.trajectory("> 0", horizon=lambda start: fmpq(4))
def both_stay_ordered(now: SquareLossFlow, start: SquareLossFlow):
    """u_i - u_{i+1} and a_i - a_{i+1}; scores that are tied at the start part at once."""
    return np.concatenate([now.u[:-1] - now.u[1:], now.a[:-1] - now.a[1:]])


@claim.state("> 0", assuming=(two_scores, comonotone, margin_above_target))
def leading_gaps_close_above_target(f: SquareLossFlow):
    """-(a_0 - a_j)' where m > K."""
    return -_leader_gap_rates(f)
