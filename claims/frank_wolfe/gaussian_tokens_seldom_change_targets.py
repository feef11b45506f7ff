"""Tokens of Gaussian clouds change their targets at most eight times.

Question Q5 (frank_wolfe FW-8): "early switches <= 8 per token before floating-point ties", in all runs, d <= 10, n <= 30.
The number of runs and the step size are not given; here B = I and gamma = 1/10, 300 clouds in each setting. Most tokens
never change, few do so twice. Not so for designed clouds: a token of six may do so eleven times. Measured in float64; a
lead of less than 1e-9 of the score is a tie.
"""

import numpy as np

from claims.experiments import Frequency
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array
from dynamics.tokens.hardmax import HardmaxStep

SETTINGS = ((2, 6), (2, 30), (3, 12), (5, 30), (10, 30))
CLOUDS, STEPS, GAMMA, PRINTED = 300, 60, 0.1, 8

claim = Claim(
    __name__,
    where="measured for question Q5",
    refs=("Q5", "FW-8"),
    statement="In runs of Gaussian clouds no token changes its target more than 8 times.",
    origin=Origin.OURS,
    system=HardmaxStep,
)


def changes(x: Array) -> Array:
    """How often each token of the clouds (m, n, d) changes its target in 60 steps, integers (m, n)."""
    counts, known = np.zeros(x.shape[:2], dtype=int), None
    for _ in range(STEPS):
        scores = x @ x.swapaxes(1, 2)
        target, best = scores.argmax(axis=2), np.partition(scores, -2, axis=2)[..., -2:]
        clear = best[..., 1] - best[..., 0] > 1e-9 * abs(best[..., 1])
        known = target if known is None else known
        counts += clear & (target != known)
        known = np.where(clear, target, known)
        x = x + GAMMA * (np.take_along_axis(x, target[..., None], axis=1) - x)
    return counts


@claim.experiment()
def clouds_with_many_changes(steps: int):
    """How many of the seeded clouds of each setting have a token with more than 8 changes."""
    clouds = min(steps, CLOUDS)
    readings = []
    for d, n in SETTINGS:
        x = np.random.default_rng([2508, d, n]).standard_normal((clouds, n, d))
        hits = int((changes(x) > PRINTED).any(axis=1).sum())
        readings.append(Frequency(f"d = {d}, n = {n}", hits, clouds, "0.00", printed_runs=CLOUDS))
    return readings
