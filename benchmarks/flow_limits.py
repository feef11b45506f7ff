"""How many random starts of the clusters theorems are settled for ever, and in how much processor time.

    python benchmarks/flow_limits.py [STARTS] [SECONDS]

Prints a row for each theorem: settled, undecided by what may help, median and largest CPU-s of the settled ones.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from dynamics.limits import UnsettledError, settle
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

Rng = np.random.Generator


def tokens(rng: Rng, n: int, d: int, size: int = 2) -> list[list[fmpq]]:
    """n tokens, multiples of 1/64."""
    return [[fmpq(int(k), 64) for k in row] for row in rng.integers(-64 * size, 64 * size + 1, (n, d))]


def definite(rng: Rng, d: int) -> list[list[fmpq]]:
    """M M^T + I/4."""
    M = rng.integers(-4, 5, (d, d))
    return [[fmpq(int(k), 16) + fmpq(int(i == j), 4) for j, k in enumerate(row)] for i, row in enumerate(M @ M.T)]


def value(rng: Rng, d: int, simple: bool) -> list[list[fmpq]]:
    """S D S^-1 with 1 once, or twice, and the other eigenvalues in [-9/16, 9/16]."""
    while True:
        S = fmpq_mat((rng.integers(-2, 3, (d, d)) + 3 * np.eye(d, dtype=int)).tolist())
        if S.det() != 0:
            break
    ones = 1 if simple else 2
    values = [fmpq(1)] * ones + [fmpq(int(k), 16) for k in rng.integers(-9, 10, d - ones)]
    D = fmpq_mat([[values[i] if i == j else fmpq(0) for j in range(d)] for i in range(d)])
    return (S * D * S.inv()).tolist()


def sizes(rng: Rng, least_d: int = 2) -> tuple[int, int]:
    """n to 8 and d to 3."""
    return int(rng.integers(2, 9)), int(rng.integers(least_d, 4))


def any_scores(rng: Rng) -> RescaledFlow:
    """T2 with Q^T K of any kind."""
    n, d = sizes(rng)
    return RescaledFlow.instance(z=tokens(rng, n, d), B=tokens(rng, d, d, size=1))


def _definite(rng: Rng) -> RescaledFlow:
    n, d = sizes(rng)
    return RescaledFlow.instance(z=tokens(rng, n, d), B=definite(rng, d))


def _split(rng: Rng, simple: bool) -> RescaledFlow:
    n, d = sizes(rng, 2 if simple else 3)
    return RescaledFlow.instance(z=tokens(rng, n, d, size=1), B=definite(rng, d), V=value(rng, d, simple))


def _repelled(rng: Rng) -> SelfAttentionFlow:
    n, d = sizes(rng)
    V = [[-fmpq(int(i == j)) for j in range(d)] for i in range(d)]
    return SelfAttentionFlow.instance(x=tokens(rng, n, d), B=definite(rng, d), V=V)


STARTS: dict[str, Callable[[Rng], Any]] = {
    "T1": lambda rng: RescaledFlow.instance(z=tokens(rng, int(rng.integers(2, 13)), 1)),
    "T2, Q^T K = I": lambda rng: RescaledFlow.instance(z=tokens(rng, *sizes(rng))),
    "T2, Q^T K > 0": _definite,
    "T2, any Q^T K": any_scores,
    "T3": lambda rng: _split(rng, simple=True),
    "T4": lambda rng: _split(rng, simple=False),
    "T5": _repelled,
}


def main(count: int, seconds: float) -> None:
    """Print the table."""
    print(f"{count} starts each, at most {seconds:g} CPU-s for one")
    for name, make in STARTS.items():
        times, why = [], Counter[str]()
        for seed in range(count):
            start = make(np.random.default_rng([seed, len(name)]))
            begun = time.process_time()
            try:
                settle(start, seconds=seconds)
                times.append(time.process_time() - begun)
            except UnsettledError as error:
                why[error.helps] += 1
        told = ", ".join(f"{number} undecided ({helps} may help)" for helps, number in why.items()) or "none undecided"
        spent = f"median {np.median(times):.2f}, most {max(times):.2f} CPU-s" if times else ""
        print(f"{name:15} {len(times)}/{count} settled, {told}; {spent}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, float(sys.argv[2]) if len(sys.argv) > 2 else 30.0)
