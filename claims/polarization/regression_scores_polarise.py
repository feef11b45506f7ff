"""Square loss: every score falls behind the leader by a factor that grows with |beta_*|^2.

What replaces Theorem 3.3(b) here (polarization C-reg4), where delta = min (u_i - u_j)(0) = 0 makes it empty. With the clock
xi = int s_0 dtau = u_0 / K, r_j = s_0 / s_j and w_j = u_0 - u_j obey r_j' >= w_j and w_j' = K (1 - 1/r_j), hence

    r_j >= r_j(0) + (1 - q_j(0)) u_0^2 / (2K),

and u_0 >= m -> K. So 1/q_j(infinity) >= r_j(0) + (K/2)(1 - q_j(0)): however small the gaps, a large target makes the
scores as sparse as one likes.
"""

from flint import fmpq

from claims.polarization.setting.scores import (
    comonotone,
    ordered_scores,
    scores_nearly_tied,
    two_scores,
    where_unmet,
    zero_values,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    where="section 3.2, appendix C.1, in place of Theorem 3.3(b)",
    refs=("C-reg4", "E13", "E17"),
    statement="1/q_j(infinity) >= r_j(0) + (K/2)(1 - q_j(0)) for j != 0.",
    origin=Origin.OURS,
    system=SquareLossFlow,
    assumptions=(two_scores, where_unmet(ordered_scores), zero_values),
    draw=scores_nearly_tied,
)


def _ratios(f):
    return exp(f.a[..., :1] - f.a[..., 1:])


@claim.state(">= 0", assuming=(two_scores, comonotone))
def ratio_rate(f: SquareLossFlow, *, rate=1):
    """(dr_j/dtau) / s_0 - (u_0 - u_j) = (r_j - 1)(u_0 - m), at every state ordered alike in u and a."""
    gaps = f.u[..., :1] - f.u[..., 1:]
    margin = (f.s[..., 1:] * gaps).sum(axis=-1)
    return (_ratios(f) - 1) * margin[..., None] - (rate - 1) * gaps


@claim.identity(assuming=(two_scores,))
def ratio_rate_formula(f: SquareLossFlow, *, rate=1):
    """dr_j/dtau by the product rule, minus s_0 (u_0 - u_j) + s_0 (r_j - 1)(u_0 - m), times s_j / s_0."""
    da, s, leading = f.da_dtau(), f.s, f.u[..., :1]
    formula = s[..., 1:] * (leading - f.u[..., 1:]) + rate * (s[..., :1] - s[..., 1:]) * (leading - f.m[..., None])
    return da[..., :1] - da[..., 1:] - formula


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def ratios_outgrow_leading_value(now: SquareLossFlow, start: SquareLossFlow, *, share=1):
    """dr_j/dtau - (1 - q_j(0)) u_0 s_0 at every t > 0; integrated it is r_j > r_j(0) + (1 - q_j(0)) u_0^2 / (2K)."""
    da = now.da_dtau()
    return _ratios(now) * (da[:1] - da[1:]) - share * (1 - 1 / _ratios(start)) * now.u[:1] * now.s[:1]


@claim.trajectory("> 0", horizon=lambda start: fmpq(4))
def leading_value_exceeds_margin(now: SquareLossFlow, start: SquareLossFlow):
    """u_0 - m, so that u_0 >= K at the limit."""
    return (now.s[1:] * (now.u[:1] - now.u[1:])).sum(axis=-1)


@claim.limit(">= 0", times=lambda start: (fmpq(16), fmpq(32), fmpq(64)), trap=square_loss_limit)
def limit_ratios_exceed_bound(limit: SquareLossEnd, start: SquareLossFlow, *, share=1):
    """1/q_j(infinity) - r_j(0) - (K/2) (1 - q_j(0))."""
    r = _ratios(start)
    return limit.s[0] / limit.s[1:] - r - share * start.K * (1 - 1 / r) / 2
