"""Trajectories without certificates: float64 by SciPy, and multiprecision by mpmath. Evidence, never a verdict."""

from __future__ import annotations

from collections.abc import Sequence

import mpmath
import numpy as np
import scipy.integrate

from dynamics.arithmetic import FLOAT64, MULTIPRECISION, Array
from dynamics.system import Flow


def _flatten(arrays: Sequence[Array]) -> Array:
    return np.concatenate([np.asarray(array).reshape(-1) for array in arrays])


def integrate(system: Flow, times: Sequence[float], tolerance: float = 1e-12) -> list[Flow]:
    """The flow from an exact start in float64 (DOP853) at increasing times after 0.

    Raises ArithmeticError when the solver gives up.
    """
    start = system.to(FLOAT64)
    solution = scipy.integrate.solve_ivp(
        lambda _, state: _flatten(start.with_state(state).velocity()),
        (0.0, float(times[-1])),
        _flatten([getattr(start, name) for name in start.moving]),
        method="DOP853",
        t_eval=[float(time) for time in times],
        rtol=tolerance,
        atol=tolerance,
    )
    if not solution.success:
        raise ArithmeticError(f"the integration stopped: {solution.message}")
    return [start.with_state(state) for state in solution.y.T]


def integrate_multiprecision(system: Flow, times: Sequence[float]) -> list[Flow]:
    """The flow from an exact start by `mpmath.odefun` at the working precision, at increasing times after 0. Slow."""
    start = system.to(MULTIPRECISION)
    solution = mpmath.odefun(
        lambda _, state: list(_flatten(start.with_state(np.array(state, dtype=object)).velocity())),
        0,
        list(_flatten([getattr(start, name) for name in start.moving])),
    )
    return [start.with_state(np.array(solution(time), dtype=object)) for time in times]
