"""Hypotheses for flows followed after a time change."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from claims.polarization.setting.scores import ramp
from claims.statement import Assumption
from dynamics.arithmetic import Array, indicator


def _three(f: Any) -> Any:
    missing = max(0, 3 - f.a.shape[-1])
    return f.replace(
        **{name: np.concatenate([getattr(f, name)] + missing * [getattr(f, name)[..., :1]], -1) for name in "ua"}
    )


three_scores = Assumption("three_scores", "p >= 3", satisfies=lambda f: f.a.shape[-1] >= 3, restrict=_three)


def _nearly_tied(f: Any) -> Any:
    leads = indicator(np.arange(f.u.shape[-1]) == 0, f.u)
    size = abs(f.u[..., -1:]) + 1
    # 2K / (1 + K) <= sqrt(K).
    ahead = size / (1 + size) * (2 * f.K / (1 + f.K))[..., None] * (2.0**-8 if f.u.dtype != object else fmpq(1, 2**8))
    return f.replace(u=f.u[..., :1] + ahead * leads)


def _is_nearly_tied(f: Any) -> bool:
    if len(f.u) < 2 or not (f.u[1:] == f.u[1]).all():
        return False
    delta = f.u[0] - f.u[1]
    return bool(delta > 0 and delta**2 * 2**16 <= f.K.item())


near_tie = Assumption(
    "near_tie",
    "u(0) = c + (delta, 0, ..., 0) with 0 < delta <= |beta_*| / 256",
    satisfies=_is_nearly_tied,
    restrict=_nearly_tied,
)


def _log_ratios(f: Any) -> Array:
    """log q_j at the start of a slow clock."""
    return np.concatenate([f.logs[..., :-1] + f.logs[..., -1:], f.logs[..., -1:]], axis=-1)


def _behind_leader(f: Any) -> Any:
    ratios = -abs(_log_ratios(f))
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], ratios[..., -1:]], axis=-1)
    return f.replace(gaps=abs(f.gaps) + 256 * ramp(f.gaps) + _quarter(f.gaps), logs=logs)


def _quarter(values: Array) -> Any:
    return 0.25 if values.dtype != object else fmpq(1, 4)


leading_index = Assumption(
    "leading_index",
    "u_0(0) > u_j(0) and a_0(0) >= a_j(0) for all j >= 1",
    satisfies=lambda f: bool((f.gaps > 0).all() and (_log_ratios(f) <= 0).all()),
    restrict=_behind_leader,
)


def _is_moderate(f: Any) -> bool:
    return bool(
        fmpq(1, 4) <= f.K.item() <= 4
        and abs(f.offset.item()) <= 32
        and all(fmpq(1, 4) <= gap <= 4 for gap in f.gaps)
        and all(-2 <= ratio <= 2 for ratio in _log_ratios(f))
    )


def _moderate(f: Any) -> Any:
    ratios = _log_ratios(f)
    ratios = ratios * 2 / (2 + abs(ratios).max(axis=-1, keepdims=True))
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], ratios[..., -1:]], axis=-1)
    gaps = _quarter(f.gaps) + f.gaps * 3 / (3 + f.gaps.max(axis=-1, keepdims=True))
    offset = f.offset * 32 / (32 + abs(f.offset))
    return f.replace(gaps=gaps, logs=logs, offset=offset, K=_quarter(f.K) + f.K * 3 / (3 + f.K))


moderate_start = Assumption(
    "moderate_start",
    "1/4 <= K <= 4, |u_0(0)| <= 32, 1/4 <= u_0(0) - u_j(0) <= 4, |a_0(0) - a_j(0)| <= 2 (other starts only settle later)",
    satisfies=_is_moderate,
    restrict=_moderate,
)


def _first_eight(f: Any) -> Any:
    if not hasattr(f, "logs"):
        return f.replace(u=f.u[..., :8], a=f.a[..., :8])
    ratios = _log_ratios(f)[..., :7]
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], ratios[..., -1:]], axis=-1)
    return f.replace(gaps=f.gaps[..., :7], logs=logs)


at_most_eight_scores = Assumption(
    "at_most_eight_scores",
    "p <= 8 (more scores only take longer)",
    satisfies=lambda f: (f.gaps.shape[-1] + 1 if hasattr(f, "logs") else f.u.shape[-1]) <= 8,
    restrict=_first_eight,
)


loss_not_too_steep = Assumption(
    "loss_not_too_steep",
    "k >= -1: the loss is linear, or its slope m^{-(k+1)} falls",
    satisfies=lambda f: bool(f.k.item() >= -1),
    restrict=lambda f: f.replace(k=np.maximum(f.k, -1)),
    violate=lambda f, draws: f.replace(k=0 * f.k - draws.integer(3, 4)),
)


level_scores = Assumption(
    "level_scores",
    "a(0) = 0",
    satisfies=lambda f: bool((f.logs == 0).all()),
    restrict=lambda f: f.replace(logs=0 * f.logs),
)


positive_margin = Assumption(
    "positive_margin",
    "min_i u_i(0) > 0, so m > 0 at every time",
    satisfies=lambda f: all(f.offset.item() > gap for gap in f.gaps),
    restrict=lambda f: f.replace(offset=abs(f.offset) + _quarter(f.gaps) + f.gaps.sum(axis=-1)),
)
