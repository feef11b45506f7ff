"""States of attention flows enclosed in other coordinates, and not always in those that are asked for.

For an invertible rational R the tokens w = R^{-1} x of x_i' = sum_j P_ij V x_j follow the same kind of flow, with
U = R^{-1} V R in place of V and R^T B R in place of B, and so do rescaled tokens: R^{-1} e^{-tV} x = e^{-tU} w. All data
stay rational, so an enclosure of the flow of w is one of x = R w, at no loss but rounding. Errors are measured in the
Euclidean norm of each token, which R chooses.

- In the eigenvectors of V errors along one of them do not feed those along another.
- z = e^{-tV} x is enclosed as e^{-tV} times the enclosed x, where V has eigenvalues below the largest: of a negative one
  z is stretched by e^{|mu| t}, and its errors with it, although x is not.
- Where V = lambda I every R will do: in the principal axes of B + B^T, scaled, scores are nearer to <w_i, w_j>.

Which coordinates are taken is a choice, made by forecasts in float64: docs/flow_limits.md, "Coordinates".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq, fmpq_mat

from dynamics.arithmetic import FLOAT64, Array, exact, fraction, matrix_exponential, numbers
from dynamics.choices import guarded_numbers
from dynamics.enclosures.forecast import comparison_matrices, float_run, jacobians_at, least_growth
from dynamics.enclosures.proposal import NOT_BATCHED
from dynamics.enclosures.steps import OUT_OF_FLOATS, Rung, enclose_at
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

TokenFlow = SelfAttentionFlow | RescaledFlow

UNIT = 256
"""Proposed coordinates are multiples of 1/256."""

FLATTEST = 0.1
"""Principal axes are scaled as if no eigenvalue were smaller than this share of the largest."""

NEAR = 1e-6
"""Eigenvalues of V nearer than this are taken for one."""

EASY = 12.0
"""Growth of errors, in logarithms, with which coordinates are good enough."""

TRIALS = 600
"""Where they are not, so many others are tried, divided by the number of tokens."""


@dataclass(frozen=True)
class Frame:
    """Coordinates w = R^{-1} x for an exact start: `flow` is the start in them."""

    start: TokenFlow
    R: Array | None
    """Exact, invertible, shape (d, d); None for the identity, of a start as it is."""
    flow: TokenFlow

    def state(self, enclosed: TokenFlow, time: fmpq) -> TokenFlow:
        """The state of the start's own flow, from that of `flow`, enclosed at a time after the start."""
        if self.R is None:
            return enclosed
        w = enclosed.z if isinstance(enclosed, RescaledFlow) else enclosed.x
        tokens = numbers(w @ self.R.T)
        if isinstance(self.start, SelfAttentionFlow):
            return self.start.replace(x=tokens)
        if isinstance(enclosed, RescaledFlow):
            return self.start.replace(z=tokens, t=enclosed.t)
        with guarded_numbers(on=False):
            shrunk = matrix_exponential(self.start.V, numbers(arb(-time)))
        return self.start.replace(z=numbers(tokens @ shrunk.T), t=numbers(np.array(arb(time), dtype=object)))


def own_frame(start: TokenFlow) -> Frame:
    """The start as it is."""
    return Frame(start, None, start)


def frame(start: TokenFlow, R: Array, rescaled: bool) -> Frame:
    """The start in the coordinates w = R^{-1} x, or R^{-1} z of the rescaled flow.

    Raises TypeError for a flow that is not one of these two but only like one, ZeroDivisionError for a singular R,
    ValueError where a rescaled start at another time than 0 is not `rescaled`: its x is not rational. A start of the flow
    of x begins a rescaled flow at time 0, which is not `rescaled` here.
    """
    if type(start) not in (SelfAttentionFlow, RescaledFlow):
        raise TypeError(f"{type(start).__name__}: no change of coordinates is known for it")
    L = exact(fmpq_mat(R.tolist()).inv().tolist())
    data = {"B": R.T @ start.B @ R, "V": L @ start.V @ R}
    if isinstance(start, SelfAttentionFlow):
        return Frame(start, R, SelfAttentionFlow(x=start.x @ L.T, **data))
    if rescaled:
        return Frame(start, R, RescaledFlow(z=start.z @ L.T, t=start.t, **data))
    if start.t.item() != 0:
        raise ValueError("the rescaled tokens are those of rational ones at time 0 only")
    return Frame(start, R, SelfAttentionFlow(x=start.z @ L.T, **data))


@dataclass(frozen=True)
class Foresight:
    """A run of the flow of x in float64: from it follows how much errors grow in any coordinates."""

    times: Array
    states: Array
    """Tokens, shape (times, n, d)."""
    jacobians: Array
    """Shape (times, n, d, n, d)."""

    def growth(self, R: Array) -> float:
        """How much errors are foreseen to grow in the coordinates R^{-1} x, in logarithms."""
        count, n, d = self.states.shape
        L = np.linalg.inv(R)
        # The run is one for all coordinates: only its Jacobians are turned.
        turned = np.einsum("ab,tibjc,cd->tiajd", L, self.jacobians, R, optimize=True).reshape(count, n * d, n * d)
        matrices = comparison_matrices(turned, [range(i * d, (i + 1) * d) for i in range(n)])
        if not np.isfinite(matrices).all():
            return np.inf
        spans = np.gradient(self.times)
        spans[[0, -1]] /= 2  # weights of the trapezoidal rule
        sizes = np.maximum(1.0, np.abs(self.states[0] @ L.T).max(axis=-1))
        return least_growth(matrices, spans, np.log(sizes))[1]


def foresight(start: TokenFlow, horizon: fmpq) -> Foresight | None:
    """A run in float64 to a time after the start; None where float64 follows the flow no farther than a part of it."""
    floats = start.to(FLOAT64)
    V, B = floats.V, floats.B
    x = floats.z @ matrix_exponential(V, floats.t).T if isinstance(floats, RescaledFlow) else floats.x
    flow = SelfAttentionFlow(x=x, B=B, V=V)
    ahead, (n, d) = float(fraction(horizon)), x.shape

    def rate(states: Array) -> Array:
        return flow.with_states(states).velocities()

    try:
        times, states = float_run(rate, np.asarray(x).reshape(-1), ahead)
        if times[-1] < ahead:
            return None  # growth on a part of the way says nothing of the rest
        return Foresight(times, states.reshape(-1, n, d), jacobians_at(rate, states).reshape(-1, n, d, n, d))
    except (*NOT_BATCHED, *OUT_OF_FLOATS):
        return None


def proposed_coordinates(V: Array, B: Array) -> Iterator[Array]:
    """Columns of R for float64 matrices: the identity, eigenvectors of V, axes of B, and both at once."""
    d = len(V)
    yield np.eye(d)
    symmetric = (B + B.T) / 2
    yield _axes(symmetric)
    if np.array_equal(V, V[0, 0] * np.eye(d)):
        return
    # Of a complex pair the real and the imaginary part of one eigenvector span its plane.
    values, vectors = np.linalg.eig(V)
    order = np.argsort(-values.real, kind="stable")
    pairs = [(values[k], vectors[:, k].real if values[k].imag >= 0 else vectors[:, k].imag) for k in order]
    R = np.array([vector / np.linalg.norm(vector) for _, vector in pairs]).T
    yield R
    # In each eigenspace, the axes of the scores there; beside the first the others may count less or more.
    spaces: list[list[int]] = []
    for k, (one, _) in enumerate(pairs):
        if spaces and abs(pairs[spaces[-1][0]][0] - one) < NEAR:
            spaces[-1].append(k)
        else:
            spaces.append([k])
    for space in spaces:
        inside = np.linalg.qr(R[:, space])[0]
        R[:, space] = inside @ _axes(inside.T @ symmetric @ inside)
    for scale in (1.0, 0.5, 2.0):
        yield R * np.where(np.isin(np.arange(d), spaces[0]), 1.0, scale)


def _axes(symmetric: Array) -> Array:
    """Principal axes as columns, in which a symmetric matrix becomes nearly the identity, or signs."""
    values, vectors = np.linalg.eigh(symmetric)
    sizes = np.abs(values)
    # Directions that score nothing would be stretched without bound.
    return np.asarray(vectors / np.sqrt(np.maximum(sizes, FLATTEST * sizes.max() + 1e-12)))


def best_frame(start: TokenFlow, horizon: fmpq) -> Frame:
    """The frame in which errors are foreseen to grow least up to a time after the start, as far as it is looked for."""
    if type(start) not in (SelfAttentionFlow, RescaledFlow):
        return own_frame(start)
    with np.errstate(all="ignore"):  # what overflows is no proposal
        foreseen = foresight(start, horizon)
        if foreseen is None:
            return own_frame(start)
        V, B = FLOAT64.convert(start.V), FLOAT64.convert(start.B)
        scalar = np.array_equal(V, V[0, 0] * np.eye(len(V)))
        rescaled = isinstance(start, RescaledFlow) and (scalar or start.t.item() != 0)
        found = [R for R in map(_rounded, proposed_coordinates(V, B)) if R is not None]
        rated = [(foreseen.growth(R), k) for k, R in enumerate(found)]
        least, first = min(rated)
        best = found[first]
        # Always the same draws: a verdict must not change from run to run.
        rng = np.random.default_rng(0)
        reach = 0.5
        for _ in range(TRIALS // len(foreseen.states[0])):
            if least < EASY:
                break
            R = _rounded(best @ (np.eye(len(V)) + reach * rng.standard_normal(V.shape)))
            if R is not None and (growth := foreseen.growth(R)) < least:
                best, least = R, growth
            else:
                # Ever nearer to the best, as in a (1 + 1) evolution strategy, but never so near that nothing changes.
                reach = max(0.95 * reach, 0.05)
    return frame(start, exact(best), rescaled)


def _rounded(R: Array) -> Array | None:
    """Short multiples of the columns; None where they are nearly dependent."""
    # Short entries keep the exact R^{-1} V R short, with which every step computes.
    R = R / np.abs(R).max()
    R = np.round(R * UNIT) / UNIT
    return R if np.isfinite(R).all() and np.linalg.cond(R) < UNIT / 2 else None


def enclose_state(chosen: Frame, time: fmpq, rung: Rung, seconds: float | None = None) -> TokenFlow:
    """The state of the start's own flow at a time, in balls of the rung's precision; call it at that precision.

    Raises what :func:`enclose_at` raises.
    """
    return chosen.state(enclose_at(chosen.flow, time, rung, seconds=seconds).end(), time)  # type: ignore[arg-type]
