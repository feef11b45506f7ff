"""What it costs to know a rare escape to 10%, and the Arrhenius table of mean escape times.

    python benchmarks/escapes.py

P[T_2 < 12] of the two published tokens, at temperatures at which it is about 1e-5, 1e-10, 1e-25 and 1e-50: by the law, by
runs with forced picks, by splitting, whose cost is that of as many particles as its stated error asks for, by naive
enumeration of all picks, and by plain simulation, whose cost is that of 100/p runs; the cost of one is measured. CPU
seconds of one process. Then log E T_2 against beta for several chains, with its slope, and by splitting; groups and what
boxes add; the drift, and the chain's mean against it. One of them alone: `python benchmarks/escapes.py means`, or rare,
arrhenius, groups, drifts.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import working_precision
from dynamics.enclosures.escapes import TooManyStatesError, escape_probability, simulate_escapes
from dynamics.escapes.drift import drift_of, simplex_steps, steps_by_points
from dynamics.escapes.enclose import chance_before, mean_escape
from dynamics.escapes.exponents import exponent_of_mean
from dynamics.escapes.groups import bounded_mean, counted_mean, exponent_of_groups
from dynamics.escapes.histories import alone
from dynamics.escapes.rare import forced_escapes, interval
from dynamics.escapes.sections import leaving
from dynamics.escapes.splitting import splitting
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep

TIME = 12
RUNS = 2000
PARTICLES = 500


def published(beta: fmpq) -> AttentionChain:
    """The two tokens near -2 and 2 whose escape breaks the printed exponent."""
    return AttentionChain.instance(
        v=[[2], [-2]], x=[["17/9"], ["-17/9"]], group=[0, 1], beta=beta, gamma="1/24", eps="1/3", steps=TIME
    )


def at_vertices(v: list[list[Any]], each: int, beta: int) -> AttentionChain:
    """So many tokens at each vertex, tubes that two picks lead out of."""
    x = [row for row in v for _ in range(each)]
    group = [label for label in range(len(v)) for _ in range(each)]
    return AttentionChain.instance(v=v, x=x, group=group, beta=beta, gamma="1/16", eps="1/7")


SHAPES = {
    "segment": ([[1], [-1]], 1),
    "triangle": ([[1, 0], ["-1/2", "7/8"], ["-1/2", "-7/8"]], 1),
    "simplex in R^4": ([*np.eye(4, dtype=int).tolist(), ["-1/2"] * 4], 1),
    "segment, groups of two": ([[1], [-1]], 2),
}


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """The result and its CPU seconds; the result is None where there are too many states."""
    began = time.process_time()
    try:
        found = function()
    except TooManyStatesError:
        found = None
    return found, time.process_time() - began


def temperature_of(chance: float) -> fmpq:
    """A beta at which P[T_2 < 12] is about this."""
    low, high = 0, 1 << 12
    while high - low > 1:
        middle = (low + high) // 2
        found = chance_before(published(fmpq(middle, 64)), TIME).low
        low, high = (middle, high) if found > chance else (low, middle)
    return fmpq(high, 64)


def rare_events() -> None:
    """Print the costs of each way."""
    print(
        "| P | by the law, s | forced runs, s | their error | splitting, s | off by, at its error | enumeration, s | "
        "simulation, s |\n|---|---|---|---|---|---|---|---|"
    )
    for chance in (1e-5, 1e-10, 1e-25, 1e-50):
        chain = published(temperature_of(chance))
        law, law_seconds = timed(lambda chain=chain: chance_before(chain, TIME))
        forced, forced_seconds = timed(lambda chain=chain: forced_escapes(chain, RUNS, np.random.default_rng(0)))
        low, _ = interval(forced, 1e-12)
        middle = float(np.logaddexp.reduce(forced.high)) - math.log(RUNS)
        expected = float(law.low.log().mid())
        enumerated, seconds = timed(lambda chain=chain: escape_probability(chain, arb(0), 400_000))
        naive = f"{seconds:.2f}" if enumerated is not None else f"over 400 000 branches in {seconds:.1f}"
        _, plain = timed(lambda chain=chain: simulate_escapes(chain, RUNS, np.random.default_rng(0)))
        error = f"{abs(math.expm1(middle - expected)):.1e}, at least {math.exp(low - expected):.3f} P"
        split, split_seconds = timed(lambda chain=chain: splitting(chain, PARTICLES, np.random.default_rng(0), TIME))
        log_chance = split.log_chance
        off = f"{log_chance.value - expected:+.2f} at {log_chance.error:.2f}"
        to_a_tenth = f"{split_seconds * (log_chance.error / 0.1) ** 2:.0f}"
        shown = (f"{float(law.low.mid()):.3e}", f"{law_seconds:.3f}", f"{forced_seconds:.3f}", error)
        cells = (*shown, to_a_tenth, off, naive)
        print("|", " | ".join((*cells, f"{plain / RUNS * 100 / chance:.1e}")), "|")


def arrhenius() -> None:
    """Print log E T_2, its slope, the exact exponent, and the mean by splitting."""
    print(
        "\n| chain | beta | log E T_2 from | to | slope | exponent | s | splitting | s |"
        "\n|---|---|---|---|---|---|---|---|---|"
    )
    for name, (v, each) in SHAPES.items():
        before = None
        for beta in (4, 8, 16, 32):
            chain = at_vertices(v, each, beta)
            if alone(chain):
                found, seconds = timed(lambda chain=chain: mean_escape(chain, 6, 20_000).mean)
                wait = exponent_of_mean(chain)
            else:
                found, seconds = timed(lambda chain=chain: bounded_mean(chain, 1000))
                wait = exponent_of_groups(chain)
            exponent = str(wait.low) if wait.low == wait.high else f"{wait.low} to {wait.high}"
            mean, split_seconds = timed(lambda chain=chain: splitting(chain, PARTICLES, np.random.default_rng(0)).mean)
            low, high = (float(end.log().mid()) for end in (found.low, found.high))
            known = math.log(mean.value) if not high - low < 0.01 else low
            slope = "" if before is None else f"{(known - before[1]) / (beta - before[0]):.4f}"
            before = beta, known
            error = mean.error / mean.value
            told = (slope, exponent, f"{seconds:.2f}", f"{math.log(mean.value):.5f} +- {error:.5f}", f"{split_seconds:.2f}")
            cells = (name, str(beta), f"{low:.5f}", f"{high:.5f}", *told)
            print("|", " | ".join(cells), "|", flush=True)


def groups() -> None:
    """Print the bounds of E T_2 for groups at +-1: by first strays and phases, and with boxes."""
    print("\n| tokens at 1 and -1 | beta | without boxes, from | to | E T_2 from | to | boxes | s |\n" + "|---" * 8 + "|")
    for each in ((2, 1), (2, 2), (3, 1)):
        for beta in (4, 16, 100, 1000):
            chain = AttentionChain.instance(
                v=[[1], [-1]], x=[[1]] * each[0] + [[-1]] * each[1], group=[0] * each[0] + [1] * each[1],
                beta=beta, gamma="1/8", eps="1/3",
            )  # fmt: skip
            counted = counted_mean(chain)
            told: list[str] = []
            found, seconds = timed(lambda chain=chain, told=told: bounded_mean(chain, 3000, told.append))
            ends = [end.str(4, radius=False) for end in (counted.low, counted.high, found.low, found.high)]
            cells = (f"{each[0]} and {each[1]}", str(beta), *ends, ", ".join(told), f"{seconds:.0f}")
            print("|", " | ".join(cells), "|", flush=True)


def drifts() -> None:
    """Print when the diameters of perturbed and regular triangles are below 1/2, and when a token has left by 1/8."""
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    x[0, 0] += 1e-3
    x[1, 1] += 5e-4
    titles = ("beta", "perturbed triangle", "s", "it leaves by 1/8, from", "to", "s", "regular triangle, from", "to")
    print(f"\n| {' | '.join(titles)} |\n|{'---|' * len(titles)}")
    for beta in (6, 8, 10, 11, 12, 20, 50, 100):
        start, count, seconds = SoftmaxStep.instance(x=x, beta=beta, gamma="1/2"), "", ""
        if beta <= 12:
            with working_precision(192 if beta <= 10 else 1280):
                steps, took = timed(lambda start=start: steps_by_points(start, fmpq(1, 2), 2_000_000))
                count, seconds = str(steps), f"{took:.1f}"
        with working_precision(128):
            left, slow = timed(lambda start=start: leaving(start, fmpq(1, 8)))
        assert left is not None
        whole = simplex_steps(3, fmpq(beta), fmpq(1, 2), fmpq(1), fmpq(1, 2))
        ends = [end.str(8, radius=False) for end in (left.low, left.high, whole.low, whole.high)]
        print("|", " | ".join((str(beta), count, seconds, *ends[:2], f"{slow:.1f}", *ends[2:])), "|", flush=True)


def means_and_drifts() -> None:
    """Print the chain's mean against the drift at the same temperature, two tokens at +-1 and tubes of 1/4."""
    print(
        "\n| gamma | beta | E T_2 | steps of the drift | ratio, from | to | 4 beta gamma |\n|---|---|---|---|---|---|---|"
    )
    for parts in (8, 32, 128):
        for beta in (2, 4, 8, 16, 64):
            chain = AttentionChain.instance(
                v=[[1], [-1]], x=[[1], [-1]], group=[0, 1], beta=beta, gamma=fmpq(1, parts), eps="1/4"
            )
            found, slow = mean_escape(chain, 4, 20_000).mean, drift_of(chain)
            assert slow is not None
            ends = [
                end.str(4, radius=False) for end in (found.high, slow.high, found.low / slow.high, found.high / slow.low)
            ]
            print("|", " | ".join((f"1/{parts}", str(beta), *ends, f"{4 * beta / parts:.4g}")), "|", flush=True)


VIEWS = {
    "rare": rare_events, "arrhenius": arrhenius, "groups": groups, "drifts": drifts, "means": means_and_drifts,
}  # fmt: skip


if __name__ == "__main__":
    with working_precision(128):
        for view in sys.argv[1:] or VIEWS:
            VIEWS[view]()
