"""Certified trajectories of attention flows where their authors work: what is enclosed, how sharply, at what cost.

    python benchmarks/enclosures.py --against ../checkout-of-before

Each case is a start and a horizon. It is enclosed on one rung of the ladder after the other until the radius, over all
times and coordinates, is below 10^-6; its cost is that of all rungs tried, in CPU seconds of a process of its own. With
`--against` each case is run by another checkout of this repository, too, one after the other, and the ratio is printed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from dynamics.enclosures.steps import LADDER, EnclosureError, enclose_at
from dynamics.system import Flow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

HERE = Path(__file__).resolve()
SHARP = 1e-6
CAP = 600
"""Seconds for one case."""


def uniform(seed: int, n: int, d: int, side: int) -> list[list[Fraction]]:
    """Tokens uniform in [-side, side]^d, multiples of 2^-8."""
    draws = np.random.default_rng(seed).integers(-256 * side, 256 * side + 1, size=(n, d))
    return [[Fraction(int(value), 256) for value in row] for row in draws]


def diagonal(*values: int) -> list[list[int]]:
    """A diagonal matrix."""
    return [[value if i == j else 0 for j in range(len(values))] for i, value in enumerate(values)]


def authors() -> Any:
    """The 20 tokens of docs/examples, uniform in [-5, 5]^2: floats are the dyadic numbers they are."""
    return np.load(HERE.parents[1] / "docs" / "examples" / "clusters_tokens.npz")["tokens"]


def spread_scores(seed: int) -> list[list[Fraction]]:
    """8 tokens whose scores <x_i, x_j> lie up to 50 apart at the start."""
    tokens = uniform(seed, 8, 2, 1)
    x = np.array([[float(value) for value in row] for row in tokens])
    scores = x @ x.T
    factor = Fraction(math.isqrt(int(50 / np.ptp(scores, axis=1).max() * 2**16)), 2**8)
    return [[factor * value for value in row] for row in tokens]


SKEW = [[2, 1], [-1, 1]]
"""Q^T K that is not symmetric."""

Case = tuple[Callable[[], Flow], str]


def cases() -> dict[str, dict[str, Case]]:
    """By group and name: a start and the time to which it is followed."""
    few, many = range(60), range(20)
    return {
        "authors": {
            "rescaled, n = 20, d = 2": (lambda: RescaledFlow.instance(z=authors()), "9/4"),
            "as printed, n = 20, d = 2": (lambda: SelfAttentionFlow.instance(x=authors()), "9/4"),
            "rescaled, n = 40, d = 2": (lambda: RescaledFlow.instance(z=uniform(0, 40, 2, 5)), "9/4"),
            "rescaled, n = 20, d = 3": (lambda: RescaledFlow.instance(z=uniform(0, 20, 3, 5)), "9/4"),
            "rescaled, n = 40, d = 3": (lambda: RescaledFlow.instance(z=uniform(0, 40, 3, 5)), "9/4"),
        },
        "small": {
            f"seed {seed}": (lambda seed=seed: RescaledFlow.instance(z=uniform(seed, 4, 2, 1)), "221/32") for seed in few
        },
        "negative V": {
            f"V = diag(1, -1), seed {seed}": (
                lambda seed=seed: SelfAttentionFlow.instance(x=uniform(seed, 8, 2, 2), V=diagonal(1, -1)),
                "2",
            )
            for seed in many
        },
        "negative V, rescaled": {
            f"V = diag(1, -1), seed {seed}": (
                lambda seed=seed: RescaledFlow.instance(z=uniform(seed, 8, 2, 2), V=diagonal(1, -1)),
                "2",
            )
            for seed in many
        },
        "V = -I": {
            f"seed {seed}": (
                lambda seed=seed: SelfAttentionFlow.instance(x=uniform(seed, 8, 2, 2), V=diagonal(-1, -1)),
                "2",
            )
            for seed in many
        },
        "Q^T K not symmetric": {
            f"seed {seed}": (lambda seed=seed: RescaledFlow.instance(z=uniform(seed, 8, 2, 2), B=SKEW), "2")
            for seed in many
        },
        "scores 50 apart": {
            f"seed {seed}": (lambda seed=seed: RescaledFlow.instance(z=spread_scores(seed)), "2") for seed in many
        },
    }


def run_one(group: str, name: str) -> dict[str, Any]:
    """Enclose one case: CPU seconds, the rung, the radius and the number of steps, or the last failure."""
    make, until = cases()[group][name]
    system, horizon = make(), fmpq(*(int(part) for part in until.split("/")))
    begin, failure = time.process_time(), ""
    for rung in LADDER:
        try:
            trajectory = enclose_at(system, horizon, rung)
        except EnclosureError as error:
            failure = str(error)
            continue
        radius = float(trajectory.radius)
        if radius < SHARP:
            taken = time.process_time() - begin
            return {"seconds": taken, "bits": rung.bits, "radius": radius, "steps": len(trajectory.steps)}
        failure = f"radius {radius:.1e}"
    return {"seconds": time.process_time() - begin, "failure": failure}


def run_by(checkout: Path, group: str, name: str, cap: int) -> dict[str, Any]:
    """:func:`run_one` with the code of a checkout, in a process of its own."""
    command = [sys.executable, str(HERE), "--one", group, name]
    environment = os.environ | {"PYTHONPATH": str(checkout), "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(  # noqa: S603 -- this file, by this Python
            command, env=environment, capture_output=True, text=True, timeout=cap, check=True
        )
    except subprocess.TimeoutExpired:
        return {"seconds": math.nan, "failure": f"more than {cap} s"}
    return dict(json.loads(done.stdout))


def rows(options: argparse.Namespace) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Every case with its results, by this checkout and, if there is one, by the other."""
    checkouts = [HERE.parents[1], *([options.against.resolve()] if options.against else [])]
    for group, named in cases().items():
        if options.only and group not in options.only:
            continue
        for name in list(named)[: options.most]:
            yield group, name, [run_by(checkout, group, name, options.cap) for checkout in checkouts]


def told(result: dict[str, Any]) -> str:
    """One result in words."""
    how = result.get("failure") or f"{result['bits']} bits, {result['steps']} steps, radius {result['radius']:.1e}"
    return f"{result['seconds']:.2f} CPU-s ({how})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(cases()), help="groups of cases (default all)")
    parser.add_argument("--most", type=int, help="at most so many cases of a group")
    parser.add_argument("--cap", type=int, default=CAP, help=f"seconds for one case (default {CAP})")
    parser.add_argument("--against", type=Path, help="another checkout, run on the same cases")
    parser.add_argument("--one", nargs=2, metavar=("GROUP", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(run_one(*options.one)))
        return
    results: dict[str, list[list[dict[str, Any]]]] = {}
    for group, name, found in rows(options):
        results.setdefault(group, []).append(found)
        print(f"{group}: {name}: " + " | before: ".join(map(told, found)), flush=True)
    print("\n| group | certified | CPU-s: median | largest | largest radius |", end="")
    print(" before: certified | median | largest | ratio of medians |" if options.against else "")
    for group, found in results.items():
        line = [group]
        for side in zip(*found, strict=True):
            costs = [result["seconds"] for result in side]
            line += [f"{sum('failure' not in result for result in side)} of {len(side)}"]
            line += [f"{np.median(costs):.3g}", f"{max(costs):.3g}"]
            if side[0] is found[0][0]:
                line.append(f"{max((result.get('radius', math.nan) for result in side), default=math.nan):.1e}")
        if options.against:
            line.append(f"{float(line[6]) / float(line[2]):.3g}")
        print("| " + " | ".join(line) + " |")


if __name__ == "__main__":
    main()
