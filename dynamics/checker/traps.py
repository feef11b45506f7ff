"""Decides again what a trap shows: the lemmas of docs/limits_of_training.md restated over mpmath's intervals.

Nothing is shared with :mod:`dynamics.limits.traps` and :mod:`dynamics.limits.remaining_motion` but the lemmas: softmax,
slopes, masks and margins are written anew, entry by entry. A state is a mapping from the names of arrays to nested lists,
of intervals where they move and of Fractions where they do not; what comes back are the attributes that a claim reads, in
the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mpmath import iv

from dynamics.checker.intervals import Interval, interval, interval_exp, interval_sqrt, is_finite, larger, symmetric

State = Mapping[str, Any]
Shown = dict[str, Any]


class UncaughtError(ArithmeticError):
    """The state is not shown to lie in the region."""


def shown(trap: str, system: str, state: State) -> Shown:
    """What the trap of that name shows of a state of that system.

    Raises UncaughtError where it does not catch it, LookupError for a trap that is not restated here.
    """
    if trap not in _RESTATED:
        raise LookupError(f"no restatement of the trap {trap!r}")
    return _RESTATED[trap](system, state)


def need(*margins: Interval) -> None:
    """Raises UncaughtError where a margin is not certainly positive."""
    if not all(is_finite(margin) and margin.a > 0 for margin in margins):
        raise UncaughtError("a margin is not certainly positive")


def enclosed(value: Any) -> Interval:
    """The interval around a number that does not move; of one that does its own."""
    return interval(value) if isinstance(value, Fraction | int) else value


def _softmax(a: Sequence[Interval]) -> list[Interval]:
    """1 / sum_j exp(a_j - a_i)."""
    return [1 / sum((interval_exp(y - x) for k, y in enumerate(a) if k != i), iv.mpf(1)) for i, x in enumerate(a)]


def _intervals(values: Sequence[Any]) -> list[Interval]:
    return [enclosed(x) for x in values]


def _total(values: Sequence[Interval]) -> Interval:
    return sum(values, iv.mpf(0))


def _unit(size: int, winner: int) -> list[Fraction]:
    return [Fraction(int(j == winner)) for j in range(size)]


def _exactly(value: Interval) -> Fraction:
    """A parameter that is a rational of the instance. Raises UncaughtError where an interval is not a point."""
    if isinstance(value, Fraction | int):
        return Fraction(value)
    raise UncaughtError("a parameter is not exact")


# ---------------------------------------------------------------------------------------------------------------------
# Lemma 1 and its second part, lemmas 4 to 7


def _leader(system: str, state: State) -> Shown:
    if system not in ("LogisticFlow", "FrozenValuesFlow", "PathFlow"):
        raise LookupError(f"nothing is known of who leads in {system}")
    u, a = _intervals(state["u"]), _intervals(state["a"])
    for k in range(len(u)):
        try:
            need(*(u[k] - u[j] for j in range(len(u)) if j != k), *(a[k] - a[j] for j in range(len(a)) if j != k))
        except UncaughtError:
            continue
        moves = system != "FrozenValuesFlow"
        return {"winner": k, "weights": _unit(len(u), k), "least": _softmax(a)[k], "diverging": int(moves)}
    raise UncaughtError("nobody leads in u and in a")


def _first_leads(u: Sequence[Interval], a: Sequence[Interval]) -> None:
    need(*(u[0] - x for x in u[1:]), *(a[0] - x for x in a[1:]))


def _approach(system: str, state: State) -> Shown:
    K = _exactly(state["K"])
    if system == "EqualRowsFlow":
        u, a = _intervals(state["u"]), _intervals(state["a"])
        _first_leads(u, a)
        p, pace = len(a), Fraction(1, len(a))
    elif system in ("SlowFlow", "SlowLogisticFlow", "SlowPowerFlow"):
        gaps, (*ratios, last) = _intervals(state["gaps"]), _intervals(state["logs"])
        lead = 2 * _intervals([state["sigma"]])[0] - last  # a_0 - a_{p-1}
        need(lead, *(lead - ratio for ratio in ratios), *gaps)
        p, pace = len(gaps) + 1, Fraction(1)
    else:
        raise LookupError(f"nothing is known of who leads in {system}")
    # Where K q_j tau^2 -> E: w_j ~ K tau, so tau (log q_j)' -> -pace (E + (p-1) E) = -2. D tau -> (p-1) E, and so does
    # K (1 - s_0) tau^2, which is the rate of K tau - u_0: the two cancel in m = u_0 - D.
    E = 2 / (pace * p)
    found = {"ratio": E / K, "leader": (p - 1) * E, "margin": Fraction(0), "loser": -E}
    if system == "SlowPowerFlow":
        # t' = m^{k+1} with m ~ K tau, so K (k+2) t ~ (K tau)^{k+2} where the power is positive.
        if not _exactly(state["k"]) > -2:
            raise UncaughtError("time is no power of the clock")
        return found | {"power_clock": Fraction(1)}
    # The logistic loss: log t = K tau + O(1), and dm/dtau = K + o(1/tau^2).
    in_time = {"scores_in_time": E * K, "lead_in_time": (p - 1) * E * K}
    return found | in_time | {"time_share": Fraction(1), "time_error": Fraction(0)}


def _normalised_map(system: str, state: State) -> Shown:
    u, a = _intervals(state["u"]), _intervals(state["a"])
    _first_leads(u, a)
    if system == "CubeMapFlow":
        need(*a)
    elif system == "EluFlow":
        need(a[0], -a[1])
    elif system not in ("NormalisedSigmoidFlow", "OnePlusExponentialFlow"):
        raise LookupError(f"nothing is known of the map of {system}")
    losers = max(1, len(u) - 1)
    power = {"CubeMapFlow": Fraction(2, 3), "OnePlusExponentialFlow": Fraction(2, losers)}.get(system, Fraction(2))
    return {"winner": 0, "weights": _unit(len(u), 0), "power": power}


def _bounded_map(system: str, state: State) -> Shown:
    if system != "OnePlusSigmoidFlow":
        raise LookupError(f"the lemma on a bounded map says nothing of {system}")
    u, a, K = _intervals(state["u"]), _intervals(state["a"]), interval(_exactly(state["K"]))
    p, logistic = len(a), [1 / (1 + interval_exp(-x)) for x in a]
    whole = p + _total(logistic)
    mean = _total([(1 + x) * y for x, y in zip(logistic, u, strict=True)]) / whole
    up = [i for i in range(p) if u[i] > mean]
    down = [i for i in range(p) if u[i] < mean]
    if len(up) + len(down) < p:
        raise UncaughtError("who is above the mean is open")
    # sigma is below 1 where it grows and above 0 where it falls: F and the squares of f lie between these for ever.
    least = p + _total([logistic[i] for i in up])
    most = p + len(up) + _total([logistic[i] for i in down])
    squares_most = 4 * len(up) + _total([(1 + logistic[i]) ** 2 for i in down])
    squares_least = len(down) + _total([(1 + logistic[i]) ** 2 for i in up])
    gains = [(1 + logistic[i]) / most - squares_most / least**2 for i in up]
    gains += [squares_least / most**2 - (1 + logistic[i]) / least for i in down]
    slopes = [x * (1 - x) for x in logistic]
    for slope, value in zip(slopes, u, strict=True):
        pace = slope * (value - mean) / whole
        need(*(K * gain - p * abs(pace) * abs(pace) for gain in gains))
    for i, x in enumerate(logistic):
        for slope in slopes:
            brake = (2 * x - 1 if i in up else 1 - 2 * x) - 2 * slope
            need(*((p + 1) * gain * brake - 2 * slope for gain in gains))
    return {"weights": [Fraction(2 if i in up else 1, p + len(up)) for i in range(p)]}


def _elementwise_exponential(_: str, state: State) -> Shown:
    _first_leads(state["u"], state["a"])
    need(state["u"][0])
    return {"winner": 0, "weights": _unit(len(state["u"]), 0)}


def _elementwise_sigmoid(_: str, state: State) -> Shown:
    need(*state["u"])
    return {"shares": [Fraction(1, len(state["u"]))] * len(state["u"])}


def _decayed_square(_: str, state: State) -> Shown:
    u, a, K, decay = state["u"], state["a"], _exactly(state["K"]), _exactly(state["decay"])
    _first_leads(u, a)
    need(interval(K) - _total([x * y for x, y in zip(_softmax(a), u, strict=True)]))
    share = 1 / (1 + 1 / decay)
    return {"winner": 0, "weights": _unit(len(u), 0), "gamma": share, "speed": len(u) * K * share * (1 - share)}


# ---------------------------------------------------------------------------------------------------------------------
# Lemmas 2 and 3


def _seen(state: State) -> list[list[int]]:
    return [[j for j, one in enumerate(row) if _exactly(one) == 1] for row in state["visible"]]


def _rows(_: str, state: State) -> Shown:
    u, A, seen = state["u"], state["A"], _seen(state)
    T = len(u)
    for k in range(T):
        if not all(k in row for row in seen):
            continue
        try:
            need(*(u[k] - u[j] for j in range(T) if j != k))
            need(*(A[i][k] - A[i][j] for i in range(T) for j in seen[i] if j != k))
        except UncaughtError:
            continue
        return {"ends": [[Fraction(1 if j == k else -1) for j in range(T)] for _ in range(T)]}
    raise UncaughtError("no token leads the values and every row")


def _held_rows(_: str, state: State) -> Shown:
    u, A, seen = state["u"], state["A"], _seen(state)
    T = len(u)
    if T < 2 or any(row != list(range(i + 1)) for i, row in enumerate(seen)):
        raise UncaughtError("no causal mask")
    need(*(u[1] - u[j] for j in range(T) if j != 1))
    hold = iv.mpf(-1)
    for i in range(1, T):
        row = A[i][: i + 1]
        need(*(row[1] - row[j] for j in range(i + 1) if j != 1))
        weights = _softmax(row)
        hold += weights[1] - weights[0]
    need(hold)
    later = [[Fraction(0 if j == 1 else -1) for j in range(T)] for _ in range(T - 1)]
    return {"ends": [[Fraction(1 if j == 0 else -1) for j in range(T)], *later]}


def _causal_rows(system: str, state: State) -> Shown:
    try:
        return _rows(system, state)
    except UncaughtError:
        return _held_rows(system, state)


# ---------------------------------------------------------------------------------------------------------------------
# Lemmas 8 to 10


def _square_loss(_: str, state: State) -> Shown:
    u, a, K = state["u"], state["a"], interval(_exactly(state["K"]))
    s, p = _softmax(a), len(a)
    gamma = abs(1 - _total([x * y for x, y in zip(s, u, strict=True)]) / K)
    spread = iv.mpf(0)
    for x in u:
        for y in u:
            spread = larger(spread, abs(x - y))
    rate = interval(Fraction(1, p))
    # The rate is at least what |s|^2 falls to, and the less is left to move the better that is known: each round starts
    # from the last.
    for again in range(5):
        left = iv.mpf([0, (gamma / rate).b])
        reach = (left * (spread + K * left)).b / 4
        if again < 4:
            rate = larger(rate, _total([x * x for x in s]) * interval_exp(-4 * reach))
    around = symmetric(iv.mpf(reach))
    return {
        "a": [x + around for x in a],
        "s": [x * interval_exp(2 * around) for x in s],
        "tau": state["tau"] + symmetric(left),
    }


def _linearised_gap(_: str, state: State) -> Shown:
    left = _total([abs(interval(_exactly(w)) - x) for w, x in zip(state["w"], state["x"], strict=True)])
    size = interval_sqrt(_total([abs(x) * abs(x) for x in (state["gap"], *state["D"])]))
    return {"gap": state["gap"] + symmetric(size * (interval_exp(left) - 1))}


def _conditioned(_: str, state: State) -> Shown:
    ends = []
    for V, a, X, b in zip(state["V"], state["a"], state["X"], state["b"], strict=True):
        s, values = _softmax(a), [_exactly(x) for x in X]
        loss, size = iv.mpf(0), iv.mpf(0)
        for row, x, target in zip(V, values, b, strict=True):
            error = interval(_exactly(target)) - interval(x) * _total([v * w for v, w in zip(row, s, strict=True)])
            loss += abs(error) * abs(error)
            size += _total([abs(v) * abs(v) for v in row])
        way = len(a) * interval_sqrt(loss) / interval(min(values))
        ends.append([x + symmetric(way * (interval_sqrt(size) + way) / 4) for x in s])
    return {"s": ends}


_RESTATED: dict[str, Callable[[str, State], Shown]] = {
    "leader_trap": _leader,
    "approach_trap": _approach,
    "normalised_map_trap": _normalised_map,
    "bounded_map_trap": _bounded_map,
    "elementwise_exponential_trap": _elementwise_exponential,
    "elementwise_sigmoid_trap": _elementwise_sigmoid,
    "decayed_square_trap": _decayed_square,
    "rows_trap": _rows,
    "held_rows_trap": _held_rows,
    "causal_rows_trap": _causal_rows,
    "square_loss_limit": _square_loss,
    "linearised_gap_limit": _linearised_gap,
    "conditioned_limit": _conditioned,
}
