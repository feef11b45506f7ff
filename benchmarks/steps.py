"""Batched float64 steps of `dynamics` against plain loops over configurations.

Both sides move the same random configurations (n = 8 tokens in dimension d = 3) by one step, in the same run:

*hardmax*  x_i <- x_i + gamma (mean of the leaders of i - x_i), gamma = 1/3. Ours: ``HardmaxStep(...).step()`` with
           P = gamma I and all selection weights one. Loop: one token at a time; the leaders are the tokens whose score
           equals the maximum.
*localmax* z_i <- z_i + gamma (mean of the neighbours of i - z_i), gamma = 1/3: the tokens whose score is within
           delta = 1 of the largest. Ours: ``LocalmaxStep(...).step()``. Loop: as for hardmax.
*softmax*  x_i <- x_i + dt sum_j P_ij V x_j, one explicit Euler step with V = B = I, dt = 0.1. Ours:
           ``x + dt * SelfAttentionFlow(...).drift()``. Loop: entry by entry P_ij = 1 / sum_k exp <B x_i, x_k - x_j>.

The loops call NumPy on single vectors inside nested Python loops, the way numerical code that accompanies papers on these
dynamics is written. They are not the fastest loops one could write, and ours is not the fastest batched code: it is the one
formula that also runs on rationals, balls and power series.

Tokens are multiples of 1/16, so that scores are exact in float64 and leader sets have to agree row by row, ties included.
States have to agree to 1e-12. The run is cut into rounds: in each, the loop moves the next share of the configurations
and ours moves all of them, so that other work on the machine slows both; a ratio is the median over the rounds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from measuring import print_table, seconds

from dynamics.attention import leaders
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep
from dynamics.tokens.self_attention import SelfAttentionFlow

Array = np.ndarray[Any, Any]
Step = Callable[[Array], Array]

N_TOKENS, DIMENSION = 8, 3
GAMMA, DELTA, DT = 1 / 3, 1.0, 0.1
TOLERANCE = 1e-12
EYE = np.eye(DIMENSION)


# ---------------------------------------------------------------------------------------------------------------------
# One configuration (n, d) at a time


def averaging_loop(x: Array, slack: float) -> Array:
    """One step towards the mean of the tokens whose score is at most `slack` below the largest."""
    moved = np.zeros_like(x)
    for i in range(len(x)):
        scores = np.dot(x, x[i])
        chosen = scores >= np.max(scores) - slack
        moved[i] = GAMMA * np.mean(x[chosen], axis=0)
    return (1 - GAMMA) * x + moved


def softmax_loop(x: Array) -> Array:
    """One Euler step of the softmax flow."""
    n = len(x)
    P = [
        [1 / np.sum([np.exp(np.dot(np.matmul(EYE, x[i]), x[k] - x[j])) for k in range(n)]) for j in range(n)]
        for i in range(n)
    ]
    moved = np.zeros_like(x)
    for i in range(n):
        moved[i] = x[i] + DT * np.sum(np.array([P[i][j] * np.matmul(EYE, x[j]) for j in range(n)]), axis=0)
    return moved


# ---------------------------------------------------------------------------------------------------------------------
# All configurations (N, n, d) at once


def of_hardmax(x: Array) -> HardmaxStep:
    """The step whose leaders are all that attain the largest score."""
    return HardmaxStep(x=x, B=EYE, P=GAMMA * EYE, selection=np.ones((N_TOKENS, N_TOKENS)))


def of_localmax(x: Array) -> LocalmaxStep:
    """The step with an additive slack."""
    return LocalmaxStep(z=x, A=EYE, gamma=np.asarray(GAMMA), delta=np.asarray(DELTA), rule=np.array(ADDITIVE))


STEPS: dict[str, tuple[Step, Step]] = {
    "hardmax": (lambda x: averaging_loop(x, 0), lambda x: np.asarray(of_hardmax(x).step().x)),
    "localmax": (lambda x: averaging_loop(x, DELTA), lambda x: np.asarray(of_localmax(x).step().z)),
    "softmax": (softmax_loop, lambda x: np.asarray(x + DT * SelfAttentionFlow(x=x, B=EYE, V=EYE).drift())),
}


def measured(loop: Step, ours: Step, x: Array, rounds: int, batch: int) -> tuple[list[object], float]:
    """CPU seconds of both sides and the ratios, and how far their results are apart."""
    expected, moved = np.empty_like(x), np.empty_like(x)

    def run_loop(low: int, high: int) -> None:
        for index in range(low, high):
            expected[index] = loop(x[index])

    def run_ours() -> None:
        for low in range(0, len(x), batch):
            moved[low : low + batch] = ours(x[low : low + batch])

    run_loop(0, 1)  # before any is timed: imports and caches are not what is measured
    run_ours()
    # In rounds, a share of the loop and all of ours: whatever else the machine does slows both alike.
    looped, batched, ratios = 0.0, [], []
    for low, high in pairwise(len(x) * k // rounds for k in range(rounds + 1)):
        theirs, _ = seconds(lambda low=low, high=high: run_loop(low, high))
        own, _ = seconds(run_ours)
        looped, batched, ratios = looped + theirs, [*batched, own], [*ratios, theirs * len(x) / (high - low) / own]
    apart = float(np.abs(moved - expected).max())
    shown = f"{min(ratios):.0f} to {max(ratios):.0f}"
    return [looped, float(np.median(batched)), min(batched), float(np.median(ratios)), shown, f"{apart:.1e}"], apart


def main() -> None:
    """Measure, check and print."""
    parser = argparse.ArgumentParser(description="Batched float64 steps against plain loops over configurations.")
    parser.add_argument("--configurations", type=int, default=100_000, help="how many configurations (default 100000)")
    parser.add_argument("--seed", type=int, default=0, help="of the random configurations (default 0)")
    parser.add_argument("--repeat", type=int, default=30, help="rounds: runs of ours, shares of the loop (default 30)")
    parser.add_argument("--batch", type=int, default=1000, help="configurations per call of ours (default 1000)")
    options = parser.parse_args()
    if not 1 <= options.repeat <= options.configurations or options.batch < 1:
        parser.error("needs 1 <= repeat <= configurations and batch >= 1")
    draws = np.random.default_rng(options.seed).standard_normal((options.configurations, N_TOKENS, DIMENSION))
    x = np.round(16 * draws) / 16
    results = {name: measured(*sides, x, options.repeat, options.batch) for name, sides in STEPS.items()}
    ours = np.concatenate(
        [leaders(of_hardmax(x[low : low + options.batch]).scores()) for low in range(0, len(x), options.batch)]
    )
    # One token at a time, as in the loops: those whose score equals the largest, ties included.
    looped = [[np.dot(one, token) == np.max(np.dot(one, token)) for token in one] for one in x]
    different = int((ours != np.array(looped)).any(axis=-1).sum())
    print(f"{options.configurations} configurations, n = {N_TOKENS}, d = {DIMENSION}, seed {options.seed}\n")
    heads = ("loop, CPU-s", "ours, CPU-s (median)", "ours, CPU-s (best)", "ratio (median)", "ratios of the rounds")
    print_table(("step", *heads, "max difference"), [[name, *row] for name, (row, _) in results.items()])
    ties = int((ours.sum(axis=-1) > 1).sum())
    print(f"leader sets: {different} of {len(x) * N_TOKENS} differ ({ties} have ties)")
    if different or not all(apart <= TOLERANCE for _, apart in results.values()):
        raise SystemExit("the two sides disagree")


if __name__ == "__main__":
    main()
