"""How many starts of the clusters theorems are settled for ever, and in how much processor time.

    python benchmarks/flow_limits.py --record settled.jsonl

Random starts with 2 to 12 tokens in dimension 2 to 4 (T1 on a line, T4 from dimension 3 on), and the authors' own. Prints a
row for each theorem: settled, undecided by what may help, median and largest CPU-s. With `--record` each start is written
down when it is done: what stands there is not done again, whatever ended the run before, but for undecided starts
that had fewer seconds.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from dynamics.limits import UnsettledError, settle
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

Rng = np.random.Generator
Matrix = list[list[fmpq]]


def tokens(rng: Rng, n: int, d: int, size: int = 2) -> Matrix:
    """n tokens in [-size, size]^d, multiples of 1/64."""
    return [[fmpq(int(k), 64) for k in row] for row in rng.integers(-64 * size, 64 * size + 1, (n, d))]


def definite(rng: Rng, d: int) -> Matrix:
    """M M^T + I/4."""
    M = rng.integers(-4, 5, (d, d))
    return [[fmpq(int(k), 16) + fmpq(int(i == j), 4) for j, k in enumerate(row)] for i, row in enumerate(M @ M.T)]


def value(rng: Rng, d: int, simple: bool) -> Matrix:
    """S D S^-1 with 1 once, or twice, and the other eigenvalues in [-9/16, 9/16]."""
    while True:
        S = fmpq_mat((rng.integers(-2, 3, (d, d)) + 3 * np.eye(d, dtype=int)).tolist())
        if S.det() != 0:
            break
    ones = 1 if simple else 2
    D = diagonal(*[fmpq(1)] * ones, *[fmpq(int(k), 16) for k in rng.integers(-9, 10, d - ones)])
    return (S * fmpq_mat(D) * S.inv()).tolist()


def diagonal(*values: fmpq) -> Matrix:
    """A diagonal matrix."""
    return [[value if i == j else fmpq(0) for j in range(len(values))] for i, value in enumerate(values)]


def sizes(rng: Rng, least_d: int = 2) -> tuple[int, int]:
    """n to 12 and d to 4."""
    return int(rng.integers(2, 13)), int(rng.integers(least_d, 5))


def on_a_line(rng: Rng) -> RescaledFlow:
    """T1."""
    return RescaledFlow.instance(z=tokens(rng, sizes(rng)[0], 1))


def plain_scores(rng: Rng) -> RescaledFlow:
    """T2 with Q^T K = I."""
    return RescaledFlow.instance(z=tokens(rng, *sizes(rng)))


def definite_scores(rng: Rng) -> RescaledFlow:
    """T2 as printed."""
    n, d = sizes(rng)
    return RescaledFlow.instance(z=tokens(rng, n, d), B=definite(rng, d))


def any_scores(rng: Rng) -> RescaledFlow:
    """T2 with Q^T K of any kind: an open problem of the paper."""
    n, d = sizes(rng)
    return RescaledFlow.instance(z=tokens(rng, n, d), B=tokens(rng, d, d, size=1))


def simple_value(rng: Rng) -> RescaledFlow:
    """T3."""
    n, d = sizes(rng)
    return RescaledFlow.instance(z=tokens(rng, n, d, size=1), B=definite(rng, d), V=value(rng, d, simple=True))


def double_value(rng: Rng) -> RescaledFlow:
    """T4."""
    n, d = sizes(rng, least_d=3)
    return RescaledFlow.instance(z=tokens(rng, n, d, size=1), B=definite(rng, d), V=value(rng, d, simple=False))


def repelled(rng: Rng) -> SelfAttentionFlow:
    """T5."""
    n, d = sizes(rng)
    return SelfAttentionFlow.instance(x=tokens(rng, n, d), B=definite(rng, d), V=diagonal(*[fmpq(-1)] * d))


STARTS: dict[str, Callable[[Rng], Any]] = {
    "T1": on_a_line,
    "T2, Q^T K = I": plain_scores,
    "T2, Q^T K > 0": definite_scores,
    "T2, any Q^T K": any_scores,
    "T3": simple_value,
    "T4": double_value,
    "T5": repelled,
}


def published() -> Any:
    """The 20 tokens of docs/examples, uniform in [-5, 5]^2: floats are the dyadic numbers they are."""
    return np.load(Path(__file__).resolve().parents[1] / "docs" / "examples" / "clusters_tokens.npz")["tokens"]


def wide(n: int, d: int) -> Matrix:
    """Tokens uniform in [-5, 5]^d, multiples of 1/64."""
    return tokens(np.random.default_rng(0), n, d, size=5)


AUTHORS: dict[str, Callable[[], Any]] = {
    "T1, n = 40 in [-5, 5]": lambda: RescaledFlow.instance(z=wide(40, 1)),
    "T2, the 20 tokens of docs/examples": lambda: RescaledFlow.instance(z=published()),
    "T2, n = 20 in [-5, 5]^3": lambda: RescaledFlow.instance(z=wide(20, 3)),
    "T2, n = 40 in [-5, 5]^2": lambda: RescaledFlow.instance(z=wide(40, 2)),
    "T2, n = 40 in [-5, 5]^3": lambda: RescaledFlow.instance(z=wide(40, 3)),
    "T3, these 20 tokens, V = diag(1, -1/2)": lambda: RescaledFlow.instance(
        z=published(), V=diagonal(fmpq(1), fmpq(-1, 2))
    ),
    "T3, n = 20 in [-5, 5]^3, V = diag(1, 1/2, -1/2)": lambda: RescaledFlow.instance(
        z=wide(20, 3), V=diagonal(fmpq(1), fmpq(1, 2), fmpq(-1, 2))
    ),
    "T4, n = 20 in [-5, 5]^3, V = diag(1, 1, -1/2)": lambda: RescaledFlow.instance(
        z=wide(20, 3), V=diagonal(fmpq(1), fmpq(1), fmpq(-1, 2))
    ),
    "T5, these 20 tokens, V = -I": lambda: SelfAttentionFlow.instance(x=published(), V=diagonal(fmpq(-1), fmpq(-1))),
}
"""Starts as wide and as many as in the authors' code; the matrices of T3 and T4 are ours."""


def outcome(start: Any, seconds: float) -> dict[str, Any]:
    """What became of one start."""
    n, d = np.shape(start.z if isinstance(start, RescaledFlow) else start.x)
    told: dict[str, Any] = {"n": n, "d": d, "allowed": seconds}
    begun = time.process_time()
    try:
        settled = settle(start, seconds=seconds)
    except UnsettledError as error:
        told |= {"settled": False, "helps": error.helps, "reached": str(error.reached), "reason": str(error)}
    else:
        told |= {"settled": True, "trap": settled.trap, "bits": settled.bits, "since": str(settled.since)}
    return told | {"seconds": round(time.process_time() - begun, 3)}


class Record:
    """What is known of starts, by row and name: in memory, and in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        """Read what the file holds. Raises ValueError, which names the line, where it is no record."""
        self.path = path
        self.known: dict[tuple[str, str], dict[str, Any]] = {}
        if path is not None and path.exists():
            for number, line in enumerate(path.read_text().splitlines(), 1):
                try:
                    found = json.loads(line)
                    self.known[found["row"], found["start"]] = found
                except (json.JSONDecodeError, KeyError, TypeError):
                    raise ValueError(f"{path}, line {number}: no record of a start") from None

    def of(self, row: str, name: str, make: Callable[[], Any], seconds: float) -> dict[str, Any]:
        """The outcome of a start, found now if it is not known."""
        found = self.known.get((row, name))
        if found is None or not (found["settled"] or found["allowed"] >= seconds):
            found = {"row": row, "start": name} | outcome(make(), seconds)
            self.known[row, name] = found
            if self.path is not None:
                with self.path.open("a") as file:
                    file.write(json.dumps(found) + "\n")
        return found


def told(found: list[dict[str, Any]]) -> str:
    """A row of the table."""
    times = [one["seconds"] for one in found if one["settled"]]
    why = Counter(one["helps"] for one in found if not one["settled"])
    undecided = ", ".join(f"{number} ({helps} may help)" for helps, number in why.items()) or "0"
    bits = Counter(one["bits"] for one in found if one["settled"])
    rungs = ", ".join(f"{bits[b]} on {b}" for b in sorted(bits))
    spent = f"{np.median(times):.2f} | {max(times):.2f}" if times else "- | -"
    return f"{len(times)} of {len(found)} | {undecided} | {spent} | {rungs}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=100, help="random starts of each row (default 100)")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU-s allowed for one random start (default 60)")
    parser.add_argument("--wide", type=float, default=600.0, help="CPU-s allowed for one of the authors' (default 600)")
    parser.add_argument("--only", nargs="+", choices=[*STARTS, "authors"], help="rows (default all)")
    parser.add_argument("--record", type=Path, help="a file that keeps what is done")
    options = parser.parse_args()
    try:
        record = Record(options.record)
    except ValueError as error:
        parser.error(str(error))
    rows = options.only or [*STARTS, "authors"]
    print("| theorem | settled | undecided | CPU-s: median | most | bits |\n|---|---|---|---|---|---|")
    for row, make in STARTS.items():
        if row in rows:
            drawn = [
                (str(seed), lambda seed=seed: make(np.random.default_rng([seed, zlib.crc32(row.encode())])))  # noqa: B023
                for seed in range(options.starts)
            ]
            print(f"| {row} | {told([record.of(row, *start, options.seconds) for start in drawn])} |", flush=True)
    if "authors" in rows:
        for name, start in AUTHORS.items():
            print(f"| {name} | {told([record.of('authors', name, start, options.wide)])} |", flush=True)


if __name__ == "__main__":
    main()
