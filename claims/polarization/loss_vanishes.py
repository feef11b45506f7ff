"""The logistic loss tends to zero, at an explicit rate.

Theorem 3.3(a) (polarization C-3.3a). dm/dtau = K|s|^2 + |J(s) u|^2 >= K/p and dt/dtau = 1 + e^m, so
m + e^m >= m(0) + e^{m(0)} + K t/p, and L <= e^{-m}. Nothing is assumed of the start.
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp_difference
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.3(a)",
    refs=("C-3.3a", "M2(c)", "H3"),
    statement="Vanishing loss. lim_{t -> infinity} L(beta(t)) = 0.",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.state(">= 0", assuming=())
def margin_rate(f: LogisticFlow, *, rate=1):
    """dm/dtau - K/p, at any state whatever."""
    return f.dm_dtau() - rate * f.K / f.a.shape[-1]


@claim.identity(assuming=())
def margin_rate_formula(f: LogisticFlow, *, K_factor=1):
    """dm/dtau - K|s|^2 - sum_i s_i^2 (u_i - m)^2."""
    s, da = f.s, f.da_dtau()
    return f.dm_dtau() - K_factor * f.K * (s * s).sum(axis=-1) - (da * da).sum(axis=-1)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def margin_outgrows_time(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """(m + e^m) - (m(0) + e^{m(0)}) - K t / p."""
    grown = (now.m - start.m) + exp_difference(now.m, start.m)
    return grown - rate * now.K * (now.t - start.t) / len(now.a)
