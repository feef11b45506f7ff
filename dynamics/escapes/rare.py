"""Rare escapes of any number of tokens by sampling: forced stray picks with bounded weights, and bets against a bound.

Float64 throughout: a *statistical* view, whose error probability is stated. Section 10 of docs/escapes.md derives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log

import numpy as np

from dynamics.arithmetic import Array, UndecidedError, transposed
from dynamics.escapes.counting import strays
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.float_runs import (
    ULPS,
    UNIT,
    Rounding,
    beyond_tubes,
    drawn,
    floats_of,
    log_sum,
    rounding,
)


class NothingToForceError(UndecidedError):
    """No group can leave its tube in the time given."""

    precision_helps = False


@dataclass(frozen=True)
class Weighted:
    """Logarithms of weights whose mean is at most, and at least, P[T_2 < t]; none is above `log_scale`, -inf is 0.

    But for rounding: means are right up to a factor of e^`log_error`, and up to `chance` times the largest weight.
    """

    low: Array
    high: Array
    log_scale: float
    log_error: float
    chance: float


def forced_escapes(chain: AttentionChain, runs: int, rng: np.random.Generator) -> Weighted:
    """Runs of the chain until t = chain.steps in which some group is made to pick outside as often as it needs to leave.

    A group, the steps and the tokens are drawn uniformly; at these steps the token's pick is drawn among the other groups,
    everything else as the chain does. The weight of a run is the ratio of the two laws: what it is in every run that
    escapes is at most the scale, that of the count of picks. Raises NothingToForceError and BeyondFloatsError.
    """
    steps = int(chain.steps.item()) - 1
    labels = sorted(set(chain.group.tolist()))
    groups = [
        (np.flatnonzero(chain.group == label), stray.steps, float(stray.chance.upper().log()))
        for label, stray in zip(labels, strays(chain), strict=True)
        if stray.steps is not None and stray.steps <= steps
    ]
    if not groups:
        raise NothingToForceError("no group can leave its tube so soon")
    tokens, beta, gamma = floats_of(chain)
    off = rounding(chain, steps)
    x = np.broadcast_to(tokens, (runs, *tokens.shape)).copy()
    others = chain.group[:, None] != chain.group[None, :]
    forced = _plan(groups, steps, x.shape[:2], rng)
    # log e_k of the inverse chances of the strays so far, for each group: what the forced law makes likelier.
    sums = [np.full((runs, need + 1), -np.inf) for _, need, _ in groups]
    for one in sums:
        one[:, 0] = 0.0
    # An escape at any step counts, as the tokens are followed on: weights are those of whole runs.
    surely, possibly = np.zeros((2, runs), dtype=bool)
    for step in range(steps):
        scores = beta * (x @ transposed(x))
        astray = np.where(others, scores, -np.inf)
        chosen = drawn(np.where(forced[step][..., None], astray, scores), rng)
        is_stray = np.take_along_axis(np.broadcast_to(others, scores.shape), chosen[..., None], axis=-1)[..., 0]
        inverse = np.where(is_stray, log_sum(scores) - log_sum(astray), -np.inf)
        for (members, need, _), one in zip(groups, sums, strict=True):
            # e_k of what there was, and one more: the token that is forced is one of the group, drawn uniformly.
            value = log_sum(inverse[:, members]) - log(len(members))
            one[:, 1:] = np.logaddexp(one[:, 1:], one[:, :need] + value[:, None])
        x = x + gamma * (np.take_along_axis(x, chosen[..., None], axis=-2) - x)
        beyond = beyond_tubes(chain, x)
        surely |= beyond > off.edge
        possibly |= beyond > -off.edge
    choices = [log(comb(steps, need)) for _, need, _ in groups]
    law = np.logaddexp.reduce([one[:, -1] - ways for one, ways in zip(sums, choices, strict=True)], axis=0) - log(
        len(groups)
    )
    # A run that escapes has as many strays of its group as that needs, each of an inverse chance of 1/(chance n) at least.
    scale = log(len(groups)) + max(
        ways + need * (chance + log(len(members))) for (members, need, chance), ways in zip(groups, choices, strict=True)
    )
    # Only rounding exceeds the scale in runs that escape, and those that do not have the weight 0.
    weights = np.minimum(-law, scale)
    most = max(need for _, need, _ in groups)
    log_error = off.ratio + _error_of_weights(off, x.shape[1], steps, most, max(choices) + abs(scale))
    low, high = (np.where(which, weights, -np.inf) for which in (surely, possibly))
    return Weighted(low, high, scale, log_error, off.chance)


def _error_of_weights(off: Rounding, n: int, steps: int, need: int, others: float) -> float:
    """By how much the logarithm of a weight may be off: of `need` inverse chances each, added up step after step."""
    of_a_stray = 2 * off.score + (20 * n + 50) * UNIT + 6 * UNIT * off.most_score
    largest = need * (2 * off.most_score + 2 * log(n + 1) + 1) + others
    return need * of_a_stray + 20 * (steps + need + 10) * UNIT * largest


def _plan(groups: list[tuple[Array, int, float]], steps: int, size: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Which tokens are forced at which steps, shape (steps, runs, n); `size` is (runs, n), with tokens of other groups."""
    forced = np.zeros((steps, *size), dtype=bool)
    for run, which in enumerate(rng.integers(len(groups), size=size[0])):
        members, need, _ = groups[which]
        times = rng.choice(steps, need, replace=False)
        forced[times, run, rng.choice(members, need)] = True
    return forced


# ---------------------------------------------------------------------------------------------------------------------
# Bets


def log_wealth(samples: Array, mean: float, upwards: bool) -> float:
    """The logarithm of the wealth of one who bets that numbers in [0, 1] have a mean above `mean`, or below it.

    Waudby-Smith and Ramdas: prod (1 +- lambda_i (X_i - m)), each lambda_i from the samples before. If it is not so, the
    wealth is a supermartingale that starts at 1: it ever exceeds 1/alpha with a chance of at most alpha.
    """
    count = len(samples)
    index = np.arange(1, count + 1)
    means = (0.5 * mean + np.cumsum(samples)) / (index + 0.5)
    squares = (0.25 * mean * (1 - mean) + np.cumsum((samples - means) ** 2)) / (index + 0.25)
    before, spread = np.concatenate([[mean], means[:-1]]), np.concatenate([[mean * (1 - mean)], squares[:-1]])
    edge = (before - mean) if upwards else (mean - before)
    bet = np.clip(edge / np.maximum(spread + edge**2, 1e-300), 0.0, 0.5 / mean if upwards else 0.5 / (1 - mean))
    gain = 1 + bet * (samples - mean) if upwards else 1 - bet * (samples - mean)
    return float(np.log(gain).sum())


def interval(found: Weighted, alpha: float) -> tuple[float, float]:
    """log of an interval that holds P[T_2 < t] with a chance of 1 - alpha at least.

    The lower end rests on weights capped at twice the largest of the first tenth of them: a cap makes a mean smaller. The
    upper one needs the scale that no weight exceeds. Means are tested that the first tenth chose, and which is then left
    out: each test may fail with its share of alpha, and an end is the best mean that was refuted, not one between two.
    """
    pilot = max(len(found.low) // 10, 1)
    cap = min(float(found.low[:pilot].max()) + log(2), found.log_scale)
    low = 0.0  # no weight in the first tenth: nothing is said from below
    if cap > -np.inf:
        capped = np.exp(np.minimum(found.low - cap, 0.0))
        means = float(capped[:pilot].mean()) * (1 - NEAR)
        enough = log(2 * len(means) / alpha) + WEALTH_ERROR
        refuted = [mean for mean in means if log_wealth(capped[pilot:], mean, upwards=True) > enough]
        low = max(refuted, default=0.0) - found.chance
    scaled = np.exp(found.high - found.log_scale)
    means = np.concatenate([float(scaled[:pilot].mean()) * (1 + NEAR), POWERS])
    means = means[(means > 0) & (means < 1)]
    enough = log(2 * len(means) / alpha) + WEALTH_ERROR
    refuted = [mean for mean in means if log_wealth(scaled[pilot:], mean, upwards=False) > enough]
    high = found.log_scale + log(min(refuted, default=1.0) + found.chance)
    error = found.log_error + ULPS * (10 + abs(found.log_scale) + abs(cap if low > 0 else 0.0))
    return (cap + log(low) - error if low > 0 else -np.inf), high + error


WEALTH_ERROR = 1e-6
"""More than rounding adds to the logarithm of a wealth of up to a million bets, each a factor of at least a half."""

NEAR = 2.0 ** (-np.arange(4, 32) / 4)
"""How far the means that are tested are from that of the first tenth, relatively."""

POWERS = 2.0 ** -np.arange(1, 40)
"""Means that are tested in any case."""
