"""Hulls that hold the origin at first leave it, for random data.

The reason for which Theorem 3.1 (frank_wolfe FW-5) is false: Gaussian tokens
with 0 in K^0, B_* = M M^T + I/10 with Gaussian M, gamma^t = 2/(t+2). In every run, 60 in each setting, 0
left the hull. Measured in float64, 30 steps a run.
"""

import numpy as np
import scipy  # its parts are loaded when they are used

from claims.experiments import Frequency, Reading
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array
from dynamics.tokens.hardmax import frank_wolfe_step
from dynamics.tokens.schedules import ScheduledHardmax

SETTINGS = ((2, 6), (3, 12), (5, 30))
RUNS, STEPS = 60, 30

claim = Claim(
    __name__,
    where="measured for Theorem 3.1",
    refs=("FW-5",),
    statement="For Gaussian tokens with 0 in K^0 and gamma^t = 2/(t+2), 0 leaves the hull in every run.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
)


def holds_origin(x: Array) -> bool:
    """Whether convex weights average the tokens (n, d) to 0, in float64."""
    equations = np.vstack([x.T, np.ones(len(x))])
    return float(scipy.optimize.nnls(equations, np.append(np.zeros(x.shape[1]), 1.0))[1]) < 1e-9


def keeps_origin(rng: np.random.Generator, n: int, d: int) -> bool:
    """Whether one run from a start whose hull holds the origin keeps it."""
    x, M = rng.normal(size=(n, d)), rng.normal(size=(d, d))
    while not holds_origin(x):
        x = rng.normal(size=(n, d))
    B_star = M @ M.T + np.eye(d) / 10
    for t in range(STEPS):
        if not holds_origin(x):
            return False
        x = frank_wolfe_step(x, B_star, np.array(2 / (t + 2)))
    return True


@claim.experiment()
def runs_that_leave_the_origin(steps: int):
    """Which part of 60 runs in each setting leave the origin: all but none, and with the interval that so many runs tell.

    In as many settings as the steps allow.
    """
    rng = np.random.default_rng(2508_09628)
    readings: list[Reading | Frequency] = []
    for d, n in SETTINGS[: steps // (RUNS * STEPS)]:
        left = RUNS - sum(keeps_origin(rng, n, d) for _ in range(RUNS))
        readings.append(Reading(f"d = {d}, n = {n}", left / RUNS, "1.000"))
        readings.append(Frequency(f"d = {d}, n = {n}, as a frequency", left, RUNS, "1.000", RUNS))
    return readings
