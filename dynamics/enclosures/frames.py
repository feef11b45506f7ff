"""States of attention flows enclosed in other coordinates, and not always in those that are asked for.

For an invertible rational R the tokens w = R^{-1} x of x_i' = sum_j P_ij V x_j follow the same kind of flow, with
R^{-1} V R in place of V and R^T B R in place of B, and so do rescaled tokens: R^{-1} e^{-tV} x = e^{-t R^{-1} V R} w. All data
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
from dynamics.enclosures.forecast import forecast
from dynamics.enclosures.proposal import NOT_BATCHED
from dynamics.enclosures.steps import OUT_OF_FLOATS, Rung, enclose_at
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

TokenFlow = SelfAttentionFlow | RescaledFlow

UNIT = 256
"""Proposed coordinates are multiples of 1/256."""

FLATTEST = 0.1
"""Principal axes are scaled as if no eigenvalue were smaller than this share of the largest."""

EASY = 12.0
"""Growth of errors, in logarithms, below which other coordinates are not looked at."""


@dataclass(frozen=True)
class Frame:
    """Coordinates w = R^{-1} x for an exact start: `flow` is the start in them."""

    start: TokenFlow
    R: Array
    """Exact, invertible, shape (d, d)."""
    flow: TokenFlow

    def state(self, enclosed: TokenFlow, time: fmpq) -> TokenFlow:
        """The state of the start's own flow, from that of `flow`, enclosed at a time after the start."""
        if self.flow is self.start:
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
    return Frame(start, exact(np.eye(len(start.V), dtype=int)), start)


def frame(start: TokenFlow, R: Array, rescaled: bool) -> Frame:
    """The start in the coordinates w = R^{-1} x, or R^{-1} z of the rescaled flow.

    Raises ZeroDivisionError for a singular R, ValueError where a rescaled start at another time than 0 is not `rescaled`:
    its x is not rational. A start of the flow of x begins a rescaled flow at time 0, which is not `rescaled` here.
    """
    L = exact(fmpq_mat(R.tolist()).inv().tolist())
    data = {"B": R.T @ start.B @ R, "V": L @ start.V @ R}
    if isinstance(start, SelfAttentionFlow):
        return Frame(start, R, SelfAttentionFlow(x=start.x @ L.T, **data))
    if rescaled:
        return Frame(start, R, RescaledFlow(z=start.z @ L.T, t=start.t, **data))
    if start.t.item() != 0:
        raise ValueError("the rescaled tokens are those of rational ones at time 0 only")
    return Frame(start, R, SelfAttentionFlow(x=start.z @ L.T, **data))


def proposed_frames(start: TokenFlow) -> Iterator[Frame]:
    """The start's own frame, and others in which errors may grow less."""
    yield own_frame(start)
    V, B = FLOAT64.convert(start.V), FLOAT64.convert(start.B)
    d = len(V)
    rescaled = isinstance(start, RescaledFlow)
    with np.errstate(all="ignore"):
        if np.array_equal(V, V[0, 0] * np.eye(d)):
            values, vectors = np.linalg.eigh(B + B.T)
            sizes = np.abs(values)
            if not 0 < sizes.max() < np.inf or np.ptp(values) == 0:
                return
            proposals = [vectors / np.sqrt(np.maximum(sizes, FLATTEST * sizes.max()) / sizes.max())]
        else:
            proposals = [_eigenvectors(V)]
            rescaled = rescaled and start.t.item() != 0  # type: ignore[union-attr]
    for proposal in proposals:
        if np.isfinite(proposal).all():
            R = exact(np.round(proposal * UNIT)) / fmpq(UNIT)
            if fmpq_mat(R.tolist()).det() != 0:
                yield frame(start, R, rescaled)


def _eigenvectors(V: Array) -> Array:
    """Unit eigenvectors as columns: real and imaginary parts of complex ones; NaN where they are nearly dependent."""
    values, vectors = np.linalg.eig(V)
    columns = [
        vector.real if value.imag >= 0 else vector.imag for value, vector in zip(values, vectors.T, strict=True)
    ]
    R = np.array([column / np.linalg.norm(column) for column in columns]).T
    return R if np.linalg.cond(R) < UNIT / 4 else np.full(V.shape, np.nan)


def foreseen_growth(flow: TokenFlow, horizon: fmpq) -> float:
    """How much errors are foreseen to grow by a time, in logarithms; infinite where nothing is foreseen so far."""
    floats = flow.to(FLOAT64)
    start = np.concatenate([np.asarray(getattr(floats, name), dtype=float).reshape(-1) for name in flow.moving])
    blocks = flow.blocks()
    clocks = [isinstance(flow, RescaledFlow) and i == len(start) - 1 for i in range(len(start))]
    ahead = float(fraction(horizon))
    try:
        found = forecast(lambda states: floats.with_states(states).velocities(), start, ahead, blocks, clocks)
    except (*NOT_BATCHED, *OUT_OF_FLOATS):
        return np.inf
    return np.inf if found is None or found.until < ahead else found.growth


def best_frame(start: TokenFlow, horizon: fmpq) -> Frame:
    """The first of the proposed frames in which errors are foreseen to grow little by a time, else the best of them."""
    frames = list(proposed_frames(start))
    if len(frames) == 1:
        return frames[0]
    best, least = frames[0], np.inf
    for candidate in frames[::-1]:
        growth = foreseen_growth(candidate.flow, horizon)
        if growth < least:
            best, least = candidate, growth
        if least < EASY:
            break
    return best


def enclose_state(chosen: Frame, time: fmpq, rung: Rung, seconds: float | None = None) -> TokenFlow:
    """The state of the start's own flow at a time, in balls of the rung's precision; call it at that precision.

    Raises what :func:`enclose_at` raises.
    """
    return chosen.state(enclose_at(chosen.flow, time, rung, seconds=seconds).end(), time)  # type: ignore[arg-type]
