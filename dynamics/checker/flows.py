"""The flows that the independent checker knows, stated again from the papers, coordinate by coordinate.

Nothing is shared with the formulas of :mod:`dynamics`, on which a certificate rests: an error in one is a disagreement.
States are flat: tokens one after the other, matrices row by row. A field runs on intervals, power series and dual numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from mpmath import iv

from dynamics.checker.intervals import (
    Dual,
    Interval,
    Number,
    Series,
    dot,
    exp,
    exponential,
    interval,
    larger,
    leading,
    times,
    total,
)
from dynamics.checker.matrices import factor_of_identity

Field = Callable[[Sequence[Number]], list[Number]]
Data = dict[str, Any]


@dataclass(frozen=True)
class Statement:
    """A flow from an exact start: x' = field(x), blocks of coordinates, and clocks with their constant speeds.

    `time` is the clock, if any, that the field takes only as one: exactly known, and never perturbed.
    """

    start: list[Fraction]
    blocks: list[range]
    clocks: dict[int, Fraction]
    field: Field
    time: int | None = None


class UnknownFlowError(LookupError):
    """The independent checker has no statement of this flow."""


def is_stated(system: str) -> bool:
    """Whether there is a statement here of the flow of this name."""
    return system in _STATEMENTS


def restate(system: str, instance: dict[str, Any]) -> Statement:
    """The flow of an instance, given as arrays of Fractions.

    Raises UnknownFlowError for a flow that is not stated here, ValueError naming the array that is missing, unknown or of
    the wrong shape.
    """
    if system not in _STATEMENTS:
        raise UnknownFlowError(f"no statement of {system!r}: known are {', '.join(_STATEMENTS)}")
    shapes, build = _STATEMENTS[system]
    for name in instance:
        if name not in shapes:
            raise ValueError(f"instance.{name}: {system} has no such array")
    sizes: dict[str, int] = {}
    for name, axes in shapes.items():
        if name not in instance:
            raise ValueError(f"instance.{name}: missing")
        # Axes of one name have one length in all arrays.
        _measure(instance[name], axes, sizes, f"instance.{name}")
    return build(instance)


def _measure(value: Any, axes: Sequence[str], sizes: dict[str, int], where: str) -> None:
    if not axes:
        if isinstance(value, list):
            raise ValueError(f"{where}: must have fewer axes")
        return
    if not isinstance(value, list) or not value or sizes.setdefault(axes[0], len(value)) != len(value):
        raise ValueError(f"{where}: axis {axes[0]} must be a list of length {sizes.get(axes[0], 'at least 1')}")
    for k, entry in enumerate(value):
        _measure(entry, axes[1:], sizes, f"{where}[{k}]")


def _one(like: Number) -> Number:
    return like * 0 + 1


def _times(matrix: Sequence[Sequence[Number]], x: Sequence[Number]) -> list[Number]:
    return [dot(row, x) for row in matrix]


def _matrix(value: list[list[Fraction]]) -> list[list[Interval]]:
    return [[interval(entry) for entry in row] for row in value]


# ---------------------------------------------------------------------------------------------------------------------
# Self-attention: x_i' = sum_j P_ij V x_j, P_ij ~ exp <x_i, B x_j>; rescaled: z = e^{-tV} x


def _weights(tokens: list[list[Number]], images: list[list[Number]]) -> list[list[Number]]:
    """P_ij ~ exp <x_i, y_j> from tokens x and images y_j = B x_j: row by row, divided by the largest term."""
    rows = []
    for token in tokens:
        heights = [_float(leading(dot(token, image))) for image in images]
        # Beside the largest no exponential overflows; another choice would give the same shares.
        winner = heights.index(max(heights))
        terms: list[Number] = []
        for j, image in enumerate(images):
            if j == winner:
                terms.append(_one(token[0]))
            else:
                # The images apart first: what two scores have in common would cost its digits.
                terms.append(exp(dot(token, [a - b for a, b in zip(image, images[winner], strict=True)])))
        whole = total(terms)
        rows.append([term / whole for term in terms])
    return rows


def _float(value: Interval) -> float:
    """For choices that change no value."""
    try:
        return float(value.mid)
    except (OverflowError, ValueError):
        return 0.0


def _self_attention(data: Data) -> Statement:
    n, d = len(data["x"]), len(data["x"][0])

    def field(state: Sequence[Number]) -> list[Number]:
        # Here and not outside: intervals are as fine as the precision of the moment.
        B, V = _matrix(data["B"]), _matrix(data["V"])
        x = [list(state[i * d : (i + 1) * d]) for i in range(n)]
        P = _weights(x, [_times(B, token) for token in x])
        values = [_times(V, token) for token in x]
        return [total([P[i][j] * values[j][k] for j in range(n)]) for i in range(n) for k in range(d)]

    blocks = [range(i * d, (i + 1) * d) for i in range(n)]
    return Statement([entry for token in data["x"] for entry in token], blocks, {}, field)


def _two_starts(data: Data) -> Statement:
    first, second = (_self_attention(data | {"x": data[name]}) for name in "xy")
    # Both starts move by themselves, in one state: no block of one has a slope in the other.
    size = len(first.start)

    def field(state: Sequence[Number]) -> list[Number]:
        return [*first.field(state[:size]), *second.field(state[size:])]

    blocks = [*first.blocks, *(range(size + block.start, size + block.stop) for block in second.blocks)]
    return Statement([*first.start, *second.start], blocks, {}, field)


def _rescaled(data: Data) -> Statement:
    n, d = len(data["z"]), len(data["z"][0])

    def field(state: Sequence[Number]) -> list[Number]:
        B, V = _matrix(data["B"]), _matrix(data["V"])
        z = [list(state[i * d : (i + 1) * d]) for i in range(n)]
        # Attention sees x = e^{tV} z, though z moves.
        growth = matrix_exponential(data["V"], state[n * d])
        x = [_times(growth, token) for token in z]
        P = _weights(x, [_times(B, token) for token in x])
        drift = []
        for i in range(n):
            # The own token is left out, which cancels exactly.
            mean = [total([P[i][j] * (z[j][k] - z[i][k]) for j in range(n) if j != i] or [z[i][k] * 0]) for k in range(d)]
            drift += _times(V, mean)
        return [*drift, _one(state[-1])]

    blocks = [*(range(i * d, (i + 1) * d) for i in range(n)), range(n * d, n * d + 1)]
    start = [entry for token in data["z"] for entry in token]
    return Statement([*start, data["t"]], blocks, {n * d: Fraction(1)}, field, time=n * d)


def _perceptron(data: Data) -> Statement:
    """W max(., 0) of what tokens alone would do, for each coordinate."""
    alone = _rescaled({name: data[name] for name in ("z", "B", "V", "t")})
    d = len(data["W"])

    def field(state: Sequence[Number]) -> list[Number]:
        W, drift = _matrix(data["W"]), [positive_part(rate) for rate in alone.field(state)[:-1]]
        return [*(rate for i in range(0, len(drift), d) for rate in _times(W, drift[i : i + d])), _one(state[-1])]

    return replace(alone, field=field)


def positive_part(x: Number) -> Number:
    """max(x, 0). Raises ValueError for a series or dual number of whose value the sign is open."""
    value = leading(x)
    # Also a series or a dual number, whose every coefficient is then that of x.
    if value.a > 0:
        return x
    if value.b < 0:
        return x * 0
    if isinstance(x, Series | Dual):
        raise ValueError("a kink at 0 is met")  # noqa: TRY004 -- as at a pole: shorter steps may avoid it
    return larger(value, iv.mpf(0))


def matrix_exponential(V: list[list[Fraction]], t: Number) -> list[list[Number]]:
    """e^{tV} for a time that is an interval, a constant dual number, or a power series t_0 + s.

    e^{cV} e^{(t_0 - c)V} e^{sV}: the first factor at the middle c by halving, the second by its series with remainder.
    Raises ValueError for another series or dual number.
    """
    d = len(V)
    if (pace := factor_of_identity(V)) is not None:
        # One exponential, and exact zeros, which keep the derivative sparse.
        diagonal = exp(t * interval(pace))
        return [[diagonal if i == j else iv.mpf(0) for j in range(d)] for i in range(d)]
    matrix = _matrix(V)
    if isinstance(t, Dual):
        # No flow differentiates in its clock, which has no error: the exponential of a dual matrix is never needed.
        if t.gradient:
            raise ValueError("the time is a clock: nothing is differentiated in it")
        return [[Dual(entry, {}) for entry in row] for row in matrix_exponential(V, t.value)]
    if isinstance(t, Series):
        if len(t.c) > 1 and not (t.c[1] == 1 and all(value == 0 for value in t.c[2:])):
            raise ValueError("the time must be t_0 + s")
        # Coefficients of e^{sV}: V^k / k!.
        # e^{(t_0 + s)V} = e^{t_0 V} e^{sV}: only the first factor is an interval exponential.
        base = matrix_exponential(V, t.c[0])
        powers = [base]
        for k in range(1, len(t.c)):
            powers.append([[entry / k for entry in row] for row in times(powers[-1], matrix)])
        return [[Series([power[i][j] for power in powers]) for j in range(d)] for i in range(d)]
    # At the middle and around it apart: a wide time would be squared as often as the whole is halved.
    center = t.mid
    around = exponential([[entry * (t - center) for entry in row] for row in matrix])
    return times(exponential([[entry * center for entry in row] for row in matrix]), around)


# ---------------------------------------------------------------------------------------------------------------------
# Flows of single coordinates: rates of arrays, from the values that these have now

Build = Callable[[Data], Statement]
Rates = Callable[..., list[Any]]
"""From an instance and its moving arrays, as they are now, their rates: in nested lists, or one number after the other."""


def _flow(
    rates: Rates,
    *moving: str,
    needs: Sequence[Callable[[Data], object]] = (),
    speeds: Callable[[Data], dict[str, list[Fraction]]] = lambda data: {},
) -> Build:
    """A flow of the moving arrays; those with constant `speeds` are clocks. `needs` raise for what is refused."""

    def build(data: Data) -> Statement:
        for need in needs:
            need(data)
        start: list[Fraction] = []
        clocks: dict[int, Fraction] = {}
        for name in moving:
            clocks |= {len(start) + i: speed for i, speed in enumerate(speeds(data).get(name, ()))}
            start += _flat(data[name])

        def field(state: Sequence[Number]) -> list[Number]:
            numbers = iter(state)
            return _flat(rates(data, *(_shaped(numbers, data[name]) for name in moving)))

        return Statement(start, [range(i, i + 1) for i in range(len(start))], clocks, field)

    return build


def _flat(value: Any) -> list[Any]:
    return [number for entry in value for number in _flat(entry)] if isinstance(value, list) else [value]


def _shaped(numbers: Iterator[Number], like: Any) -> Any:
    """The next numbers, in nested lists of this shape."""
    return [_shaped(numbers, entry) for entry in like] if isinstance(like, list) else next(numbers)


def _positive(*names: str) -> Callable[[Data], None]:
    """What the suite refuses as an instance the checker must not state as a flow."""

    def need(data: Data) -> None:
        for name in names:
            if any(value <= 0 for value in _flat(data.get(name, []))):
                raise ValueError(f"instance.{name}: must be positive")

    return need


def _any_target(data: Data) -> None:
    if not any(data["beta_star"]):
        raise ValueError("instance.beta_star: must not be zero")


def _target(data: Data) -> list[Interval]:
    return [interval(value) for value in data["beta_star"]]


ONE = [Fraction(1)]
"""The speed of a clock that is one number."""


def _tau(data: Data) -> dict[str, list[Fraction]]:
    return {"tau": ONE}


def _outer(x: Sequence[Number], y: Sequence[Number]) -> list[list[Number]]:
    """x y^T, for an x that may be of intervals."""
    return [[b * a for b in y] for a in x]


def _transposed(matrix: Sequence[Sequence[Number]]) -> list[tuple[Number, ...]]:
    return list(zip(*matrix, strict=True))


# ---------------------------------------------------------------------------------------------------------------------
# Value-softmax: beta = V softmax(a), gamma minus the derivative of the loss in m = <beta_*, beta>


def _softmax(a: Sequence[Number]) -> list[Number]:
    heights = [_float(leading(score)) for score in a]
    winner = heights.index(max(heights))
    terms = [_one(score) if i == winner else exp(score - a[winner]) for i, score in enumerate(a)]
    whole = total(terms)
    return [term / whole for term in terms]


def _pulled(s: Sequence[Number], v: Sequence[Number]) -> list[Number]:
    """(diag(s) - s s^T) v, as s_i sum_j s_j (v_i - v_j)."""
    return [s_i * rise for s_i, rise in zip(s, _spread(s, v), strict=True)]


def _spread(weights: Sequence[Number], v: Sequence[Number]) -> list[Number]:
    """sum_j w_j (v_i - v_j)."""
    return [total([w * (v_i - v_j) for w, v_j in zip(weights, v, strict=True)]) for v_i in v]


def _power(x: Number, k: int) -> Number:
    result = _one(x)
    for _ in range(abs(k)):
        result = result * x
    return result if k >= 0 else 1 / result


_REDUCED = {"u": ("p",), "a": ("p",), "K": (), "t": (), "tau": ()}


def _reduced(kind: str, moving: Sequence[str] = ("u", "a", "t", "tau")) -> Build:
    """u' = c K s, a' = c J(s) u, t' and tau', where c is the speed of tau in the clock of the flow."""

    def rates(data: Data, *now: Any) -> list[Any]:
        K, at = interval(data["K"]), dict(zip(moving, now, strict=True))
        # Frozen values are no coordinates: they stay.
        u, a = at["u"] if "u" in at else [interval(value) for value in data["u"]], at["a"]
        s = _softmax(a)
        m = dot(s, u)
        du, da, one = [s_i * K for s_i in s], _pulled(s, u), _one(a[0])
        if kind == "path":
            return [du, da]
        if kind == "logistic":
            return [du, da, exp(m) + 1, one]
        if kind == "frozen":
            return [da, exp(m) + 1, one]
        if kind == "square by tau":
            # gamma = 1 - m/K is a coordinate of its own, so that t' = 1/gamma is no quotient of sums that cancel.
            slowing = dot(s, s) + dot(da, da) / K
            return [du, da, 1 / at["slope"], one, -slowing]
        gamma = 1 / (m / K) if kind == "divergence" else 1 - m / K
        du, da = [gamma * value for value in du], [gamma * value for value in da]
        # Weight decay acts on the values alone, and after gamma is known.
        if kind == "decayed square":
            rate = interval(data["decay"])
            du = [value - u_i * rate for value, u_i in zip(du, u, strict=True)]
        return [du, da, one, gamma]

    def speeds(data: Data) -> dict[str, list[Fraction]]:
        # One score has the share 1, whatever it is: then u runs as a clock does.
        found = {"tau" if kind in ("logistic", "frozen", "square by tau") else "t": ONE}
        if len(data["u"]) == 1 and kind in ("logistic", "square by tau", "path"):
            found["u"] = [data["K"]]
        if len(data["u"]) == 1 and kind == "frozen":
            found["a"] = [Fraction(0)]
        return found

    return _flow(rates, *moving, needs=(_positive("K", "decay"),), speeds=speeds)


def _full(residual: Callable[[Data, list[Number], Number], list[Number]], clock: bool = False) -> Build:
    """(V, a) with V' = r s^T, a' = J(s) V^T r, where the residual r is a function of beta = V s and m = <beta_*, beta>."""

    def rates(data: Data, V: Any, a: Any, *tau: Number) -> list[Any]:
        s = _softmax(a)
        beta = _times(V, s)
        r = residual(data, beta, dot(beta, _target(data)))
        return [_outer(r, s), _pulled(s, _times(_transposed(V), r)), *map(_one, tau)]

    def speeds(data: Data) -> dict[str, list[Fraction]]:
        # Under a constant residual and one score V runs straight.
        straight = len(data["a"]) == 1 and residual is _constant_residual
        return {"tau": ONE} | ({"V": [goal * data.get("g", 1) for goal in data["beta_star"]]} if straight else {})

    moving = ("V", "a", "tau") if clock else ("V", "a")
    return _flow(rates, *moving, needs=(_any_target, _positive("g")), speeds=speeds)


def _along_target(data: Data, gamma: Number) -> list[Number]:
    return [gamma * goal for goal in _target(data)]


def _constant_residual(data: Data, beta: list[Number], m: Number) -> list[Number]:
    return _along_target(data, _one(m) * interval(data.get("g", Fraction(1))))


def _mixed_residual(data: Data, beta: list[Number], m: Number) -> list[Number]:
    """-phi'(m) beta_* for phi = c_0 (-m) + c_1 log(1 + e^-m) + c_2 e^-m + c_3 (1 - m)^2 / 2 + c_4 / (1 + e^m) + c_5 m^3."""
    if len(data["c"]) != 6:
        raise ValueError("instance.c: there are six shapes of the loss")
    grown, shrunk = exp(m), exp(-m)
    logistic = 1 / (grown + 1)
    shapes = [_one(m), logistic, shrunk, 1 - m, grown * logistic * logistic, m * m * -3]
    return _along_target(data, total([shape * interval(c) for shape, c in zip(shapes, data["c"], strict=True)]))


# ---------------------------------------------------------------------------------------------------------------------
# Other maps of scores: s_i = f(a_i) / F with F = sum_j f(a_j), or s_i = f(a_i), in the clock tau = int gamma dt


def _logistic_share(x: Number) -> Number:
    return 1 / (exp(-x) + 1)


def _logistic_slope(x: Number) -> Number:
    share = _logistic_share(x)
    return share * (1 - share)


Map = tuple[Callable[[Number], Number], Callable[[Number], Number]]
"""A function f and its derivative."""

_EXPONENTIAL: Map = (exp, exp)
_SIGMOID: Map = (_logistic_share, _logistic_slope)
_ONE_PLUS_EXPONENTIAL: Map = (lambda x: exp(x) + 1, exp)
_ONE_PLUS_SIGMOID: Map = (lambda x: _logistic_share(x) + 1, _logistic_slope)
_IDENTITY: Map = (lambda x: x, _one)
_SQUARE: Map = (lambda x: x * x, lambda x: x * 2)
_CUBE: Map = (lambda x: x * x * x, lambda x: x * x * 3)
_MINUS_DECAY: Map = (lambda x: -exp(-x), lambda x: exp(-x))
_ONE_PLUS_CUBE: Map = (lambda x: x * x * x + 1, lambda x: x * x * 3)
_MAPS = (_EXPONENTIAL, _SIGMOID, _ONE_PLUS_EXPONENTIAL, _ONE_PLUS_SIGMOID, _IDENTITY, _SQUARE, _CUBE)
"""By the index that an instance gives."""


def _map_of(data: Data) -> Map:
    if data["map"] not in range(len(_MAPS)):
        raise ValueError(f"instance.map: there are maps 0 to {len(_MAPS) - 1}")
    return _MAPS[int(data["map"])]


_MAPPED = {"u": ("p",), "a": ("p",), "K": (), "tau": ()}


def _mapped(rates: Callable[[Data, Interval, list[Number], list[Number]], list[Any]], clock: bool = True) -> Build:
    """(u, a, tau): `rates` are those of u, a and tau, from K, u and a; with a clock tau runs by itself."""

    def of_all(data: Data, u: list[Number], a: list[Number], _: Number) -> list[Any]:
        return rates(data, interval(data["K"]), u, a)

    return _flow(of_all, "u", "a", "tau", needs=(_positive("K"),), speeds=_tau if clock else lambda data: {})


def _normalised(chosen: Map | Callable[[Data], Map]) -> Build:
    """u' = K f / F and a_i' = f'(a_i) (u_i - m) / F, m = <s, u>."""

    def rates(data: Data, K: Interval, u: list[Number], a: list[Number]) -> list[Number]:
        f, slope = chosen if isinstance(chosen, tuple) else chosen(data)
        return _normalised_rates(K, u, [f(x) for x in a], [slope(x) for x in a])

    return _mapped(rates)


def _normalised_rates(K: Interval, u: list[Number], values: list[Number], slopes: list[Number]) -> list[Number]:
    share = 1 / total(values)
    # u_i - m = sum_j f_j (u_i - u_j) / F, by differences alone.
    pull = [slope * rise * share * share for slope, rise in zip(slopes, _spread(values, u), strict=True)]
    return [*(value * share * K for value in values), *pull, _one(u[0])]


def _elu_rates(data: Data, K: Interval, u: list[Number], a: list[Number]) -> list[Number]:
    """The first score on the branch 1 + x, the others on e^x."""
    # The region of the lemma, where the first score is positive and the others are not: no kink is met.
    low = [exp(x) for x in a[1:]]
    return _normalised_rates(K, u, [a[0] + 1, *low], [_one(a[0]), *low])


def _scaled_identity(data: Data, K: Interval, u: list[Number], a: list[Number]) -> list[Number]:
    """f(x) = x in a clock with dtau = F^2: no division."""
    # u_i - m is sum_j a_j (u_i - u_j) over F, and that is divided by F again: both go into dtau.
    F = total(a)
    return [*(x * F * K for x in a), *_spread(a, u), F * F]


def _scaled_three_halves(data: Data, K: Interval, u: list[Number], b: list[Number]) -> list[Number]:
    """f(x) = x^(3/2) in the roots b = x^(1/2), in a clock with dtau = F^2: b' = (3/4) sum_j b_j^3 (u_i - u_j)."""
    cubes = [x * x * x for x in b]
    F = total(cubes)
    return [*(cube * F * K for cube in cubes), *(rise * 3 / 4 for rise in _spread(cubes, u)), F * F]


def _elementwise(chosen: Map) -> Build:
    """u' = K f(a), a_i' = f'(a_i) u_i."""

    def rates(data: Data, K: Interval, u: list[Number], a: list[Number]) -> list[Number]:
        f, slope = chosen
        return [*(f(x) * K for x in a), *(slope(x) * v for x, v in zip(a, u, strict=True)), _one(a[0])]

    return _mapped(rates)


def _scaled_exponential(data: Data, K: Interval, u: list[Number], a: list[Number]) -> list[Number]:
    """f(x) = e^x for each score, in a clock with dtau = e^{-a_0}."""
    q = [_one(a[0]), *(exp(x - a[0]) for x in a[1:])]
    return [*(x * K for x in q), *(x * v for x, v in zip(q, u, strict=True)), exp(-a[0])]


def _full_map(data: Data, V: Any, a: list[Number]) -> list[Any]:
    """(V, a), logistic loss: V' = gamma beta_* s^T, a_i' = gamma f'(a_i) (u_i - m) / F with u = V^T beta_*."""
    f, slope = _map_of(data)
    values = [f(x) for x in a]
    share = 1 / total(values)
    s, u = [value * share for value in values], _times(_transposed(V), _target(data))
    gamma = 1 / (exp(dot(s, u)) + 1)
    pull = [gamma * share * slope(x) * rise for x, rise in zip(a, _spread(s, u), strict=True)]
    return [_outer(_target(data), [gamma * s_i for s_i in s]), pull]


# ---------------------------------------------------------------------------------------------------------------------
# Other models


def _linear_network(data: Data, V: Any, a: list[Number], tau: Number) -> list[Any]:
    """beta = V a: V' = beta_* a^T, a' = V^T beta_*."""
    return [_outer(_target(data), a), _times(_transposed(V), _target(data)), _one(tau)]


def _logits(data: Data, V: Any, a: list[Number]) -> list[Any]:
    """Loss -<p_*, log softmax(V^T s)>: V' = s r^T, a' = J(s) V r, r = p_* - softmax(V^T s), a row of V for each token."""
    s = _softmax(a)
    # p_* are shares: instances give weights of any sum.
    whole = sum(data["weights"], Fraction(0))
    guess = _softmax(_times(_transposed(V), s))
    r = [-value + interval(weight / whole) for weight, value in zip(data["weights"], guess, strict=True)]
    return [_outer(s, r), _pulled(s, _times(V, r))]


def _conditioned(data: Data, values: Any, scores: Any) -> list[Any]:
    """Copies of V' = f s^T, a' = J(s) V^T f with f = 2 weight X (b - X V s), X diagonal."""
    moved, pulls = [], []
    for V, a, xs, bs, weight in zip(values, scores, data["X"], data["b"], data["weight"], strict=True):
        s, force = _softmax(a), []
        for beta, x, b in zip(_times(V, s), xs, bs, strict=True):
            X = interval(x)
            force.append((-(beta * X) + interval(b)) * (X * interval(2 * weight)))
        moved.append(_outer(force, s))
        pulls.append(_pulled(s, _times(_transposed(V), force)))
    return [moved, pulls]


def _linearised_gap(data: Data, gap: Number, D: list[Number], x: list[Number]) -> list[Any]:
    """gap' = <g, D>, D' = g gap, x' = g = rate (w - x)."""
    g = [(-x_k + interval(w)) * interval(rate) for x_k, w, rate in zip(x, data["w"], data["rate"], strict=True)]
    return [dot(g, D), [g_k * gap for g_k in g], g]


def _seen(data: Data) -> list[list[int]]:
    visible = data["visible"]
    if any(entry not in (0, 1) for row in visible for entry in row) or any(row[i] != 1 for i, row in enumerate(visible)):
        raise ValueError("instance.visible: must be 1 where row i sees token j, itself included, and 0 elsewhere")
    return [[j for j, entry in enumerate(row) if entry == 1] for row in visible]


def _by_rows(
    data: Data, u: list[Number], A: Any, shared: Callable[[list[Number]], list[Number]]
) -> tuple[list[Number], list[list[Number]]]:
    """sum_i g_i S_ij and g_i J(S_i) u, S_i the softmax of row i over what it sees.

    The gammas 1 / (1 + e^<S_i, u>) are `shared` to give g.
    """
    nothing, weights = u[0] * 0, []
    for row, places in zip(A, _seen(data), strict=True):
        weights.append(dict(zip(places, _softmax([row[j] for j in places]), strict=True)))
    gammas = shared([1 / (exp(total([w * u[j] for j, w in row.items()])) + 1) for row in weights])
    moved = []
    for row, gamma in zip(weights, gammas, strict=True):
        pull = dict(zip(row, _pulled(list(row.values()), [u[j] for j in row]), strict=True))
        # A score of what a row does not see is in no softmax, and rests.
        moved.append([gamma * pull[j] if j in pull else nothing for j in range(len(u))])
    grown = [total([g * row[j] for row, g in zip(weights, gammas, strict=True) if j in row]) for j in range(len(u))]
    return grown, moved


def _row_attention(data: Data, u: list[Number], A: Any, tau: Number) -> list[Any]:
    """u' = K sum_i g_i S_i and A_i' = g_i J(S_i) u, g_i ~ gamma_i = 1 / (1 + e^{m_i}) of sum 1, m_i = <S_i, u>."""

    def shared(gammas: list[Number]) -> list[Number]:
        whole = total(gammas)
        return [gamma / whole for gamma in gammas]

    grown, moved = _by_rows(data, u, A, shared)
    return [[value * interval(data["K"]) for value in grown], moved, _one(tau)]


def _equal_rows(data: Data, u: list[Number], a: list[Number], tau: Number) -> list[Any]:
    """All rows alike: u' = K s, a' = J(s) u / T."""
    s = _softmax(a)
    return [[s_i * interval(data["K"]) for s_i in s], [pull / len(u) for pull in _pulled(s, u)], _one(tau)]


def _full_rows(data: Data, V: Any, A: Any) -> list[Any]:
    """V_j' = (1/T) sum_i S_ij r_i and A_i' = (1/T) J(S_i) V r_i, r_i = beta_* / (1 + e^{m_i}), m_i = <beta_*, (S V)_i>."""
    target = _target(data)
    grown, moved = _by_rows(data, _times(V, target), A, lambda gammas: [gamma / len(V) for gamma in gammas])
    return [[[share * goal for goal in target] for share in grown], moved]


def _tied(transposed: bool) -> Rates:
    """m = <beta_*, U softmax(U a)>, or with U^T in the place of the first U: U and a climb its gradient."""

    def rates(data: Data, U: Any, a: list[Number]) -> list[Any]:
        target, columns, s = _target(data), _transposed(U), _softmax(_times(U, a))
        v = _pulled(s, _times(U if transposed else columns, target))
        along = _transposed(_outer(target, s)) if transposed else _outer(target, s)
        grown = [[b + w * c for b, c in zip(row, a, strict=True)] for row, w in zip(along, v, strict=True)]
        return [grown, _times(columns, v)]

    return rates


# ---------------------------------------------------------------------------------------------------------------------
# Slow clocks: sigma = log T, T = 1 + tau; W_j = (u_0 - u_j) / T, L_j = log(T^2 s_j / s_0), e = u_0 - K tau

_SLOW = {"gaps": ("losers",), "logs": ("losers",), "offset": (), "K": (), "sigma": ()}


def _at_zero(data: Data) -> None:
    if data["sigma"] != 0:
        raise ValueError("instance.sigma: the clock starts at 0")


def _slow(*more: str) -> Build:
    """W, L, e and sigma, and `more`: z = t e^{-m} for the logistic loss, t / T^{k+2} for -phi'(m) = m^{-(k+1)}.

    The last of `logs` is L_{p-1}, the others are L_j - L_{p-1}.
    """

    def rates(data: Data, W: list[Number], logs: list[Number], offset: Number, sigma: Number, *last: Number) -> list[Any]:
        K, T, inverse = interval(data["K"]), exp(sigma), exp(-sigma)
        E = [*(exp(log + logs[-1]) for log in logs[:-1]), exp(logs[-1])]
        # L_j = log(T^2 q_j) tends to a limit where q_j falls like T^-2: no coordinate runs off.
        q = [value * inverse * inverse for value in E]
        lead = 1 / (total(q) + 1)
        # u_0 - m, by differences alone.
        depth = lead * dot(q, W) * T
        # d log q_j / dtau = -s_0 (q_j w_j + (1 - q_j) D), and each derivative is T times that in tau.
        falls = [2 - lead * (value * gap + (1 - part) * depth * T) for value, gap, part in zip(E, W, q, strict=True)]
        found = [
            [lead * (1 - part) * K - gap for gap, part in zip(W, q, strict=True)],
            [*(fall - falls[-1] for fall in falls[:-1]), falls[-1]],
            -(lead * total(E) * inverse * K),
            _one(sigma),
        ]
        m = offset + (T - 1) * K - depth
        if more == ("z",):
            behind = [part * (depth - gap * T) for part, gap in zip(q, W, strict=True)]
            speed = lead * lead * ((dot(q, q) + 1) * K + depth * depth + dot(behind, behind))
            found.append((exp(-m) + 1 - speed * last[0]) * T)
        elif more:
            k = int(data["k"])
            found.append(_power(m * inverse, k + 1) - last[0] * (k + 2))
        return found

    moving = ("gaps", "logs", "offset", "sigma", *more)
    return _flow(rates, *moving, needs=(_positive("K"), _at_zero), speeds=lambda data: {"sigma": ONE})


_FULL = {"V": ("d", "p"), "a": ("p",), "beta_star": ("d",)}
_ROWS = {"A": ("T", "T"), "visible": ("T", "T")}
_TIED = {"U": ("D", "D"), "a": ("D",), "beta_star": ("D",)}
_STATEMENTS: dict[str, tuple[dict[str, tuple[str, ...]], Build]] = {
    "SelfAttentionFlow": ({"x": ("n", "d"), "B": ("d", "d"), "V": ("d", "d")}, _self_attention),
    "TwoStarts": ({"x": ("n", "d"), "y": ("n", "d"), "B": ("d", "d"), "V": ("d", "d")}, _two_starts),
    "RescaledFlow": ({"z": ("n", "d"), "B": ("d", "d"), "V": ("d", "d"), "t": ()}, _rescaled),
    "PerceptronFlow": ({"z": ("n", "d"), "B": ("d", "d"), "V": ("d", "d"), "W": ("d", "d"), "t": ()}, _perceptron),
    "LogisticFlow": (_REDUCED, _reduced("logistic")),
    "FrozenValuesFlow": (_REDUCED, _reduced("frozen", ("a", "t", "tau"))),
    "SquareLossFlow": (_REDUCED, _reduced("square")),
    "DecayedSquareFlow": (_REDUCED | {"decay": ()}, _reduced("decayed square")),
    "SquareLossClockFlow": (_REDUCED | {"slope": ()}, _reduced("square by tau", ("u", "a", "t", "tau", "slope"))),
    "ValuesKLFlow": (_REDUCED, _reduced("divergence")),
    "PathFlow": (_REDUCED, _reduced("path", ("u", "a"))),
    "FullLogisticFlow": (_FULL, _full(lambda data, beta, m: _along_target(data, 1 / (exp(m) + 1)))),
    "FullSquareFlow": (
        _FULL,
        _full(lambda data, beta, m: [-b + goal for goal, b in zip(_target(data), beta, strict=True)]),
    ),
    "FullLinearFlow": (_FULL, _full(_constant_residual)),
    "FullAlignedFlow": (_FULL | {"c": ("shapes",)}, _full(_mixed_residual)),
    "FullClockFlow": (_FULL | {"tau": ()}, _full(_constant_residual, clock=True)),
    "FullValuesKLFlow": (
        _FULL,
        _full(lambda data, beta, m: [1 / b * (goal * goal) for goal, b in zip(_target(data), beta, strict=True)]),
    ),
    "AlignedLossFlow": (_FULL | {"g": ()}, _full(_constant_residual)),
    "FullMapFlow": (_FULL | {"map": ()}, _flow(_full_map, "V", "a", needs=(_any_target, _map_of))),
    "AnyMapFlow": (_MAPPED | {"map": ()}, _normalised(_map_of)),
    "SquareMapFlow": (_MAPPED, _normalised(_SQUARE)),
    "CubeMapFlow": (_MAPPED, _normalised(_CUBE)),
    "NormalisedSigmoidFlow": (_MAPPED, _normalised(_SIGMOID)),
    "OnePlusExponentialFlow": (_MAPPED, _normalised(_ONE_PLUS_EXPONENTIAL)),
    "OnePlusSigmoidFlow": (_MAPPED, _normalised(_ONE_PLUS_SIGMOID)),
    "MinusDecayFlow": (_MAPPED, _normalised(_MINUS_DECAY)),
    "OnePlusCubeFlow": (_MAPPED, _normalised(_ONE_PLUS_CUBE)),
    "IdentityMapFlow": (_MAPPED, _mapped(_scaled_identity, clock=False)),
    "ThreeHalvesMapFlow": (_MAPPED, _mapped(_scaled_three_halves, clock=False)),
    "EluFlow": (_MAPPED, _mapped(_elu_rates)),
    "ElementwiseSigmoidFlow": (_MAPPED, _elementwise(_SIGMOID)),
    "ElementwiseReluFlow": (_MAPPED, _elementwise(_IDENTITY)),
    "ElementwiseExponentialFlow": (_MAPPED, _mapped(_scaled_exponential, clock=False)),
    "LinearNetworkFlow": (
        _FULL | {"tau": ()},
        _flow(_linear_network, "V", "a", "tau", needs=(_any_target,), speeds=_tau),
    ),
    "LogitsKLFlow": (
        {"V": ("p", "d"), "a": ("p",), "weights": ("d",)},
        _flow(_logits, "V", "a", needs=(_positive("weights"),)),
    ),
    "ConditionedRegressionFlow": (
        {"V": ("c", "d", "p"), "a": ("c", "p"), "X": ("c", "d"), "b": ("c", "d"), "weight": ("c",)},
        _flow(_conditioned, "V", "a", needs=(_positive("X", "weight"),)),
    ),
    "LinearisedGapFlow": (
        {"w": ("d",), "rate": ("d",), "gap": (), "D": ("d",), "x": ("d",)},
        _flow(_linearised_gap, "gap", "D", "x", needs=(_positive("rate"),)),
    ),
    "RowAttentionFlow": (
        _ROWS | {"u": ("T",), "K": (), "tau": ()},
        _flow(_row_attention, "u", "A", "tau", needs=(_positive("K"), _seen), speeds=_tau),
    ),
    "EqualRowsFlow": (
        {"u": ("T",), "a": ("T",), "K": (), "tau": ()},
        _flow(
            *(_equal_rows, "u", "a", "tau"),
            needs=(_positive("K"),),
            speeds=lambda data: {"tau": ONE} | ({"u": [data["K"]]} if len(data["u"]) == 1 else {}),
        ),
    ),
    "FullRowAttentionFlow": (
        _ROWS | {"V": ("T", "d"), "beta_star": ("d",)},
        _flow(_full_rows, "V", "A", needs=(_any_target, _seen)),
    ),
    "TiedFlow": (_TIED, _flow(_tied(transposed=False), "U", "a", needs=(_any_target,))),
    "TransposedTiedFlow": (_TIED, _flow(_tied(transposed=True), "U", "a", needs=(_any_target,))),
    "SlowFlow": (_SLOW, _slow()),
    "SlowLogisticFlow": (_SLOW | {"z": ()}, _slow("z")),
    "SlowPowerFlow": (_SLOW | {"k": (), "scaled_time": ()}, _slow("scaled_time")),
}
