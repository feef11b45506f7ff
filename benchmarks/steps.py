"""Batched float64 steps of `dynamics` against plain loops over configurations.

Both sides move the same random configurations (n = 8 tokens in dimension d = 3) by one step, in the same run:

*hardmax*  x_i <- x_i + gamma (mean of the leaders of i - x_i), gamma = 1/3. Ours: ``HardmaxStep(...).step()`` with
           P = gamma I and all selection weights one. Loop: one configuration, then one token at a time; the leaders are
           the tokens whose score equals the maximum.
*localmax* z_i <- z_i + gamma (mean of the neighbours of i - z_i), gamma = 1/3: the tokens whose score is within
           delta = 1 of the largest. Ours: ``LocalmaxStep(...).step()``. Loop: as for hardmax.
*softmax*  x_i <- x_i + dt sum_j P_ij V x_j, one explicit Euler step with V = B = I, dt = 0.1. Ours:
           ``x + dt * SelfAttentionFlow(...).drift()``. Loop: one configuration, then entry by entry
           P_ij = 1 / sum_k exp <B x_i, x_k - x_j>, then one token at a time.

The loops call NumPy on single vectors inside nested Python loops, the way numerical code that accompanies papers on these
dynamics is written. They are not the fastest loops one could write, and ours is not the fastest batched code: it is the one
formula that also runs on rationals, balls and power series.

Tokens are multiples of 1/16, so that scores are exact in float64 and leader sets have to agree row by row, ties included.
States have to agree to 1e-12. The run is cut into rounds: in each, the loop moves the next share of the configurations
and ours moves all of them, so that other work on the machine slows both; a ratio is the median over the rounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from dynamics.attention import leaders
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep
from dynamics.tokens.self_attention import SelfAttentionFlow

Array = np.ndarray[Any, Any]

N_TOKENS, DIMENSION = 8, 3
GAMMA, DELTA, DT = 1 / 3, 1.0, 0.1
TOLERANCE = 1e-12


# ---------------------------------------------------------------------------------------------------------------------
# One configuration at a time


def hardmax_loop(x: Array) -> Array:
    """One hardmax step of one configuration (n, d)."""
    n = len(x)
    moved = np.zeros_like(x)
    for i in range(n):
        scores = np.dot(x, x[i])
        chosen = scores == np.max(scores)
        weights = np.zeros(n)
        weights[chosen] = 1 / np.sum(chosen)
        moved[i] = GAMMA * np.sum(weights[:, None] * x, axis=0)
    return (1 - GAMMA) * x + moved


def localmax_loop(x: Array) -> Array:
    """One localmax step of one configuration (n, d)."""
    n = len(x)
    moved = np.zeros_like(x)
    for i in range(n):
        scores = np.dot(x, x[i])
        chosen = scores >= np.max(scores) - DELTA
        moved[i] = GAMMA * np.mean(x[chosen], axis=0)
    return (1 - GAMMA) * x + moved


def leaders_loop(x: Array) -> Array:
    """The leader sets :func:`hardmax_loop` averages over, as a mask (n, n)."""
    rows = []
    for i in range(len(x)):
        scores = np.dot(x, x[i])
        rows.append(scores == np.max(scores))
    return np.array(rows)


def softmax_loop(x: Array, B: Array, V: Array) -> Array:
    """One Euler step of the softmax flow from one configuration (n, d)."""
    n = len(x)
    attention = [
        [1 / np.sum([np.exp(np.dot(np.matmul(B, x[i]), x[k] - x[j])) for k in range(n)]) for j in range(n)]
        for i in range(n)
    ]
    moved = np.zeros_like(x)
    for i in range(n):
        velocity = np.sum(np.array([attention[i][j] * np.matmul(V, x[j]) for j in range(n)]), axis=0)
        moved[i] = x[i] + DT * velocity
    return moved


# ---------------------------------------------------------------------------------------------------------------------
# All configurations at once


def hardmax_batched(x: Array) -> Array:
    """One hardmax step of configurations (N, n, d)."""
    eye, ones = np.eye(x.shape[-1]), np.ones((x.shape[-2], x.shape[-2]))
    return HardmaxStep(x=x, B=eye, P=GAMMA * eye, selection=ones).step().x


def localmax_batched(x: Array) -> Array:
    """One localmax step of configurations (N, n, d)."""
    gamma, delta = np.asarray(GAMMA), np.asarray(DELTA)
    return LocalmaxStep(z=x, A=np.eye(x.shape[-1]), gamma=gamma, delta=delta, rule=np.array(ADDITIVE)).step().z


def leaders_batched(x: Array) -> Array:
    """The leader sets :func:`hardmax_batched` averages over, as a mask (N, n, n)."""
    eye, ones = np.eye(x.shape[-1]), np.ones((x.shape[-2], x.shape[-2]))
    return leaders(HardmaxStep(x=x, B=eye, P=GAMMA * eye, selection=ones).scores())


def softmax_batched(x: Array) -> Array:
    """One Euler step of the softmax flow from configurations (N, n, d)."""
    eye = np.eye(x.shape[-1])
    return x + DT * SelfAttentionFlow(x=x, B=eye, V=eye).drift()


# ---------------------------------------------------------------------------------------------------------------------
# Measuring


@dataclass
class Measurement:
    """Seconds of both sides, round by round; `loop` is for its share of the configurations, `ours` for all of them."""

    step: str
    loop: list[float]
    ours: list[float]
    shares: list[float]
    difference: float

    def ratios(self) -> list[float]:
        """How many times longer the loop takes for all configurations, by rounds."""
        return [loop / share / ours for loop, share, ours in zip(self.loop, self.shares, self.ours, strict=True)]


def progress(text: str) -> None:
    """Overwrite the last line of a terminal, add a line elsewhere."""
    if sys.stderr.isatty():
        print(f"\r{text:<78}", end="" if text else "\r", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(
    step: str, loop: Callable[[Array], Array], ours: Callable[[Array], Array], x: Array, rounds: int, batch: int
) -> Measurement:
    """Time both sides on the configurations x (N, n, d), and compare their results."""
    expected, moved = np.empty_like(x), np.empty_like(x)

    def run_loop(low: int, high: int) -> None:
        for index in range(low, high):
            expected[index] = loop(x[index])

    def run_ours() -> None:
        for low in range(0, len(x), batch):
            moved[low : low + batch] = ours(x[low : low + batch])

    run_loop(0, 1)
    run_ours()
    looped, batched, shares = [], [], []
    edges = [len(x) * k // rounds for k in range(rounds + 1)]
    for k, (low, high) in enumerate(pairwise(edges)):
        progress(f"{step}: {low} of {len(x)} configurations looped over, round {k + 1} of {rounds}")
        looped.append(seconds(partial(run_loop, low, high)))
        batched.append(seconds(run_ours))
        shares.append((high - low) / len(x))
    progress("")
    return Measurement(step, looped, batched, shares, float(np.abs(moved - expected).max()))


def same_leaders(x: Array, batch: int) -> tuple[int, int, int]:
    """Rows (one per token) whose leader sets differ between the two sides, rows with ties, rows."""
    different = tied = 0
    for low in range(0, len(x), batch):
        if low % (10 * batch) == 0:
            progress(f"leader sets: {low} of {len(x)} configurations compared")
        ours = leaders_batched(x[low : low + batch])
        theirs = np.array([leaders_loop(one) for one in x[low : low + batch]])
        different += int((ours != theirs).any(axis=-1).sum())
        tied += int((ours.sum(axis=-1) > 1).sum())
    progress("")
    return different, tied, x.shape[0] * x.shape[1]


def table(measurements: list[Measurement]) -> str:
    """The results, in Markdown."""
    lines = [
        "| step | loop, s | ours, s (median) | ours, s (best) | ratio (median) | ratios of the rounds | max difference |",
        "|---|---|---|---|---|---|---|",
    ]
    for m in measurements:
        ratios = m.ratios()
        lines.append(
            f"| {m.step} | {sum(m.loop):.2f} | {np.median(m.ours):.4f} | {min(m.ours):.4f} | {np.median(ratios):.0f} "
            f"| {min(ratios):.0f} to {max(ratios):.0f} | {m.difference:.1e} |"
        )
    return "\n".join(lines)


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
    eye = np.eye(DIMENSION)
    measurements = [
        measure("hardmax", hardmax_loop, hardmax_batched, x, options.repeat, options.batch),
        measure("localmax", localmax_loop, localmax_batched, x, options.repeat, options.batch),
        measure("softmax", lambda one: softmax_loop(one, eye, eye), softmax_batched, x, options.repeat, options.batch),
    ]
    different, tied, rows = same_leaders(x, options.batch)

    print(f"{options.configurations} configurations, n = {N_TOKENS}, d = {DIMENSION}, seed {options.seed}\n")
    print(table(measurements))
    for m in measurements:
        print(f"\n{m.step}, ours, every run: {' '.join(f'{t:.4f}' for t in m.ours)}")
        print(f"{m.step}, loop, by rounds: {' '.join(f'{t:.3f}' for t in m.loop)}")
    print(f"\nleader sets: {different} of {rows} differ ({tied} have ties)")
    if different or not all(m.difference <= TOLERANCE for m in measurements):
        raise SystemExit("the two sides disagree")


if __name__ == "__main__":
    main()
