"""Forecasts, from a run in float64, how fast errors will grow, and in which weights they grow least.

A certified step measures errors by max_b |e_b| / w_b over the blocks, and they grow at the rate max_b sum_c A_bc w_c / w_b,
where A has the logarithmic norms of the diagonal blocks of the Jacobian and the norms of the others. For w = e^y every
(A w)_b / w_b is convex in y, and so is the logarithm of what an error of the first step becomes in the last,

    max_b (s_b - y_b) + int max_b (A(t) w)_b / w_b dt + max_b y_b,       s_b the log of the size of what is rounded,

if the same weights are kept. Weights that follow A are handed over at a loss, which its changes add up to: on 20 tokens
uniform in [-5, 5]^2 to t = 2.25 the sum is 10 for these weights and 26 for equal ones. Nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are used

from dynamics.arithmetic import Array

Rate = Callable[[Array], Array]

MOST_TIMES = 300
"""Steps of the run in float64: later times are forecast when they are reached."""

FEWEST_TIMES = 32
"""Steps over the whole horizon: the Jacobian is looked at in as many times at least."""

LITTLE = np.log(10.0)
"""Growth that needs no better weights: to find them costs more than the digit that they may save."""

SHARPNESS = (1.0, 8.0, 64.0)
"""Maxima are smoothed, less from one round of the minimisation to the next."""

FAR = 18.0
"""Logarithms of weights differ by no more than this."""


@dataclass(frozen=True)
class Forecast:
    """Weights, one per block and 1 for clocks, good up to the time `until`; errors grow by the factor e^growth by then."""

    until: float
    weights: Array
    growth: float
    times: Array
    rates: Array
    """The rate at which errors grow in these weights, or fall, at the times."""

    def growth_over(self, begin: float, end: float) -> float:
        """How much errors grow from one time to another, in logarithms; no growth counts as negative."""
        inside = self.times[(self.times > begin) & (self.times < end)]
        times = np.array([begin, *inside, end])
        return float(np.trapezoid(np.maximum(np.interp(times, self.times, self.rates), 0), times))


def forecast(rate: Rate, start: Array, horizon: float, blocks: Sequence[range], clocks: Sequence[bool]) -> Forecast | None:
    """The best weights from a state (size,) on, over a time `horizon` or what can be foreseen of it; None where nothing is.

    `rate` is the field on batches of states, real or complex; `clocks` tells of each coordinate whether it is one. Raises
    OverflowError where the field is not finite at the start.
    """
    with np.errstate(all="ignore"):  # what overflows is no forecast
        times, states = float_run(rate, start, horizon)
        counted = [k for k, block in enumerate(blocks) if not clocks[block.start]]
        # A run that ends before its steps do has left float64: what comes then is not foreseen.
        if not counted or (times[-1] < horizon and len(times) < MOST_TIMES):
            return None
        matrices = comparison_matrices(jacobians_at(rate, states), [blocks[k] for k in counted])
        if not np.isfinite(matrices).all():
            return None
        spans = np.gradient(times)
        spans[[0, -1]] /= 2  # weights of the trapezoidal rule
        sizes = np.array([max(1.0, *np.abs(start[blocks[k].start : blocks[k].stop])) for k in counted])
        logs, growth = least_growth(matrices, spans, np.log(sizes))
        chosen = _short(np.exp(logs))
        rates = (matrices @ chosen / chosen).max(axis=-1)
    weights = np.ones(len(blocks))
    weights[counted] = chosen
    return Forecast(float(times[-1]), weights, growth, times, rates)


def _short(sizes: Array) -> Array:
    """Numbers of eight bits near these: weights are carried exactly."""
    parts, exponents = np.frexp(sizes)
    return np.asarray(np.ldexp(np.round(parts * 256) / 256, exponents))


def float_run(rate: Rate, start: Array, horizon: float) -> tuple[Array, Array]:
    """Times and states of a run in float64, shapes (times,) and (times, size), up to where it leaves float64."""

    def speed(_: float, state: Array) -> Array:
        found = np.asarray(rate(state[None, :])[0])
        if not np.isfinite(found).all():
            raise OverflowError("the field is not finite")  # SciPy would look for a step length for ever
        return found

    # Steps are short for the sake of the Jacobians between them: a method of low order is exact enough and the cheapest.
    solver = scipy.integrate.RK23(
        speed,
        0.0,
        start,
        horizon,
        rtol=1e-3,
        atol=1e-6,
        max_step=horizon / FEWEST_TIMES,
        first_step=horizon / FEWEST_TIMES,
    )
    times, states = [0.0], [start]
    while solver.status == "running" and len(times) < MOST_TIMES:
        try:
            solver.step()
        except OverflowError:
            break
        if solver.status == "failed" or not np.isfinite(solver.y).all():
            break
        times.append(float(solver.t))
        states.append(solver.y)
    return np.array(times), np.array(states)


def jacobians_at(rate: Rate, states: Array) -> Array:
    """DF at each state by imaginary increments, shape (times, size, size)."""
    count, size = states.shape
    # A complex step: its imaginary part is the derivative without cancellation, however short the step.
    shifted = states[:, None, :] + 1e-100j * np.eye(size)
    return np.asarray(rate(shifted.reshape(-1, size)).imag.reshape(count, size, size).swapaxes(1, 2) / 1e-100)


def comparison_matrices(jacobians: Array, blocks: Sequence[range]) -> Array:
    """Of matrices (..., size, size) the logarithmic norms of diagonal blocks and norms of others, (..., blocks, blocks)."""
    matrices = np.empty((*jacobians.shape[:-2], len(blocks), len(blocks)))
    for a, block in enumerate(blocks):
        own = jacobians[..., block.start : block.stop, block.start : block.stop]
        for b, other in enumerate(blocks):
            part = jacobians[..., block.start : block.stop, other.start : other.stop]
            sizes = np.abs(part)
            # |A|_2 <= sqrt(|A|_1 |A|_inf), and at most Frobenius' norm: two bounds that need no decomposition.
            lines = np.sqrt(sizes.sum(axis=-1).max(axis=-1) * sizes.sum(axis=-2).max(axis=-1))
            matrices[..., a, b] = np.minimum(np.sqrt((sizes**2).sum(axis=(-1, -2))), lines)
        finite = np.asarray(np.isfinite(own).all(axis=(-1, -2)))
        symmetric = np.where(finite[..., None, None], own + own.swapaxes(-1, -2), 0) / 2
        matrices[..., a, a] = np.where(finite, np.linalg.eigvalsh(symmetric)[..., -1], np.nan)
    return matrices


def least_growth(matrices: Array, spans: Array, sizes: Array) -> tuple[Array, float]:
    """The y of least growth, shape (blocks,), and that growth, for comparison matrices (times, blocks, blocks).

    `spans` are the lengths of time for which a matrix counts, `sizes` the logarithms s. No growth counts as negative.
    """
    count = matrices.shape[-1]
    eye = np.eye(count, dtype=bool)
    own, others = np.diagonal(matrices, axis1=1, axis2=2), np.where(eye, 0.0, matrices)

    def total(y: Array, sharpness: float) -> tuple[float, Array]:
        couplings = others * np.exp(np.clip(y - y[:, None], -FAR, FAR))
        rates, shares = _smooth_largest(own + couplings.sum(axis=-1), sharpness)
        shares = shares * np.where(rates > 0, spans, 0.0)[:, None]
        moved = shares[:, :, None] * couplings
        begins, first = _smooth_largest(sizes - y, sharpness)
        ends, last = _smooth_largest(y, sharpness)
        value = begins + np.maximum(rates, 0) @ spans + ends
        return float(value), moved.sum(axis=(0, 1)) - moved.sum(axis=(0, 2)) - first + last

    # With y = s nothing is lost at the start: the weights to beat, and to begin from.
    y = plain = sizes - sizes.min()
    growth = total(plain, 1e6)[0]
    if growth <= LITTLE:
        return plain, growth
    # Each round begins where the one before ended: the sharp maximum alone has kinks in which L-BFGS stalls.
    for sharpness in SHARPNESS:
        y = scipy.optimize.minimize(total, y, args=(sharpness,), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
    best = min((y, plain), key=lambda y: total(y, 1e6)[0])
    return best, total(best, 1e6)[0]


def _smooth_largest(values: Array, sharpness: float) -> tuple[Array, Array]:
    """A smooth function just above the maximum along the last axis, and its derivative."""
    top = values.max(axis=-1, keepdims=True)
    powers = np.exp(sharpness * (values - top))
    whole = powers.sum(axis=-1, keepdims=True)
    return (top + np.log(whole) / sharpness)[..., 0], powers / whole
