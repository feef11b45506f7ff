"""Hypotheses for flows followed after a time change."""

from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.numbers import power_of_two
from claims.polarization.setting.scores import ramp
from claims.stating.assumptions import certainly_at_most, size
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, indicator, working_precision
from dynamics.training.slow_clocks import distance_to_limit

# The first score is repeated as often as one is missing.
three_scores = size(
    "three_scores",
    "p",
    least=3,
    restrict=lambda f: f.replace(
        **{name: np.concatenate([x] + (3 - x.shape[-1]) * [x[..., :1]], -1) for name, x in (("u", f.u), ("a", f.a))}
    ),
)


def _nearly_tied(f: Any) -> Any:
    leads = indicator(np.arange(f.u.shape[-1]) == 0, f.u)
    size = abs(f.u[..., -1:]) + 1
    # 2K / (1 + K) <= sqrt(K).
    ahead = size / (1 + size) * (2 * f.K / (1 + f.K))[..., None] * power_of_two(f.u, -8)
    return f.replace(u=f.u[..., :1] + ahead * leads)


def _is_nearly_tied(f: Any) -> bool:
    if len(f.u) < 2 or not (f.u[1:] == f.u[1]).all():
        return False
    delta = f.u[0] - f.u[1]
    return bool(delta > 0 and delta**2 * 2**16 <= f.K.item())


# At 1/256 the o(1) of the time to polarise is below 0.0025 for p up to 50; at 1/64 it is nearly the hundredth allowed.
near_tie = Assumption(
    "near_tie",
    "u(0) = c + (delta, 0, ..., 0) with 0 < delta <= |beta_*| / 256",
    satisfies=_is_nearly_tied,
    restrict=_nearly_tied,
)


# The flow stores differences to the last ratio, and that ratio itself: near the limit its linear part is then triangular.
def _log_ratios(f: Any) -> Array:
    """log q_j at the start of a time change."""
    return np.concatenate([f.logs[..., :-1] + f.logs[..., -1:], f.logs[..., -1:]], axis=-1)


def _behind_leader(f: Any) -> Any:
    ratios = -abs(_log_ratios(f))
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], ratios[..., -1:]], axis=-1)
    return f.replace(gaps=abs(f.gaps) + 256 * ramp(f.gaps) + power_of_two(f.gaps, -2), logs=logs)


# Lemma 1 asks for a strict lead in u and in a, which is never lost; scores that tie at the start part at once.
leading_index = Assumption(
    "leading_index",
    "u_0(0) > u_j(0) and a_0(0) >= a_j(0) for all j >= 1",
    satisfies=lambda f: bool((f.gaps > 0).all() and (_log_ratios(f) <= 0).all()),
    restrict=_behind_leader,
)


# x holds logarithms and so is a ball: at 128 bits only an x that is all but equal to 1/16 stays open.
def _is_near_one_hot(f: Any) -> bool | None:
    with working_precision(128):
        return certainly_at_most(distance_to_limit(f).item(), fmpq(1, 16))


def _beside_one_hot(f: Any) -> Any:
    """K above 2^14, log q_j within 1/256 of log(2 / (pK)), and (u_0 - u_j) / K within 1/1024 of 1."""
    p, exactly = f.p, f.gaps.dtype == object
    K = 2**14 * (1 + f.K)
    ratios = f.logs / (256 * (1 + abs(f.logs).max(axis=-1, keepdims=True)))
    level = np.log(2 / (p * np.asarray(K, dtype=float)))
    # 2^-24 is negligible beside 1/256.
    last = ratios[..., -1] + (fmpq(round(float(level) * 2**24), 2**24) if exactly else level)
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], last[..., None]], axis=-1)
    off = f.gaps / (1 + abs(f.gaps).max(axis=-1, keepdims=True)) / 1024
    return f.replace(K=K, logs=logs, gaps=K[..., None] * (1 + off))


near_one_hot = Assumption(
    "near_one_hot",
    "x <= 1/16, where x is the distance to the one-hot limit (docs/limits_of_training.md)",
    satisfies=_is_near_one_hot,
    restrict=_beside_one_hot,
)

# t = int m^{k+1} dtau and m ~ K tau: at k = -2 the clock runs like e^{K t}, and below it is infinite at a finite t.
loss_not_too_steep = Assumption(
    "loss_not_too_steep",
    "k >= -1: the loss is linear, or its slope m^{-(k+1)} falls",
    satisfies=lambda f: bool(f.k.item() >= -1),
    restrict=lambda f: f.replace(k=np.maximum(f.k, -1)),
    violate=lambda f, draws: f.replace(k=0 * f.k - draws.integer(3, 4)),
)

# R_j starts at R(0) = 1, which is 1/q_j(0) only where the scores start level.
level_scores = Assumption(
    "level_scores",
    "a_0(0) = ... = a_{p-1}(0), as for a(0) = 0",
    satisfies=lambda f: bool((f.logs == 0).all()),
    restrict=lambda f: f.replace(logs=0 * f.logs),
)

# u' = K s > 0, so no u_i falls, and m is an average of them. A power of m needs it, and so does u_0(0) >= 0 in (17).
positive_margin = Assumption(
    "positive_margin",
    "min_i u_i(0) > 0, so m > 0 at every time",
    # The clock starts at tau = 0, where the offset is u_0.
    satisfies=lambda f: f.offset.item() > 0 and all(f.offset.item() > gap for gap in f.gaps),
    restrict=lambda f: f.replace(offset=abs(f.offset) + power_of_two(f.gaps, -2) + f.gaps.sum(axis=-1)),
)
