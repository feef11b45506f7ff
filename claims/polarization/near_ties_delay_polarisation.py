"""One leader ahead of tied losers by delta takes half the weight at (p / sqrt K) (log(sqrt K / delta) + c(p) + o(1)).

Here a(0) = 0, and c(p) is explicit (S11). For tied losers w^2/2 - (K/p) (e^b + (p-2) b + (p-1) e^{-b}) is conserved
along b = a_0 - a_1, w = u_0 - u_1, so that tau = int db (e^b + p - 1)^2 / (p e^b w). Near b = 0 this is the unstable
direction b ~ (delta / sqrt K) sinh(sqrt(K) tau / p), and s_0 = 1/2 at b = log(p - 1). The time is enclosed within a
hundredth of p / sqrt K: s_0 < 1/2 until then, and s_0 > 1/2 at all later times.
"""

import math

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import near_tie, three_scores
from claims.polarization.setting.scores import zero_scores
from claims.stating.statement import Claim
from dynamics.arithmetic import fraction, inverse_root
from dynamics.limits.traps import OneHot, leader_trap
from dynamics.training.slow_clocks import PathFlow

# Three scores at least: s_0 = 1/2 at b = log(p - 1), which for p = 2 is the start.
claim = Claim(
    __name__,
    where="section 3.1, time to polarise",
    refs=("S11", "S6"),
    statement="tau_half = (p / |beta_*|) (log(|beta_*| / delta) + O(1)); the O(1) tends to c(p).",
    system=PathFlow,
    assumptions=(three_scores, zero_scores, near_tie),
)


# log(2B) is the part near b = 0, where the integrand is like 1/b. Forty nodes give the rest to 12 digits for p <= 50.
def _constant(p):
    """c(p) = log(2B) + int_0^B ((e^b + p - 1)^2 / (p^2 e^b sqrt(2 h / p)) - 1/b) db, B = log(p - 1)."""
    end = np.log(p - 1)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    b = end * (nodes + 1) / 2
    h = np.expm1(b) + (p - 2) * b + (p - 1) * np.expm1(-b)
    integrand = (np.exp(b) + p - 1) ** 2 / (p**2 * np.exp(b) * np.sqrt(2 * h / p)) - 1 / b
    return np.log(2 * end) + end / 2 * (weights @ integrand)


# The logarithms of numerator and denominator: delta itself may be too small for a float.
def _log(value):
    value = fraction(value)
    return math.log(value.numerator) - math.log(value.denominator)


# A hundredth on each side has room for the o(1), which is below a quarter of it, and for c(p) in floats.
def _around(start, within=0.01):
    """Times tau = (p / sqrt K) (log(sqrt K / delta) + c(p) -+ within)."""
    p, K, delta = len(start.u), start.K.item(), start.u[0] - start.u[1]
    middle = _log(K) / 2 - _log(delta) + _constant(p)
    unit = inverse_root(K, places=64, bits=60)
    return [p * unit * fmpq(round(end * 2**20), 2**20) for end in (middle - within, middle + within)]


@claim.rate("> 0", horizon=lambda start: _around(start)[0])
def polarises_not_before(now: PathFlow, start: PathFlow, *, odds=1):
    """1 - 2 s_0 up to a hundredth of p / sqrt K before the stated time."""
    return odds * (1 - now.s[:1]) - now.s[:1]


# From then on: once index 0 leads, s_0 never falls, so its value at one time bounds all later ones.
@claim.limit("> 0", times=lambda start: _around(start)[1:], trap=leader_trap)
def polarises_from_then_on(limit: OneHot, start: PathFlow, *, odds=1):
    """2 s_0 - 1 from a hundredth of p / sqrt K after the stated time on: the weight of a leader never falls."""
    return limit.least - odds * (1 - limit.least) if limit.winner == 0 else -limit.least
