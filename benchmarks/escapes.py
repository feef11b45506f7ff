"""What it costs to know a rare escape to 10%, and the mean time of an escape, against splitting.

    python benchmarks/escapes.py

P[T_2 < 12] of the two published tokens, at temperatures at which it is about 1e-5, 1e-10, 1e-25 and 1e-50: by the law, by
runs with forced picks, by splitting, whose cost is that of as many particles as its stated error asks for, by naive
enumeration of all picks, and by plain simulation, whose cost is that of 100/p runs; the cost of one is measured. CPU
seconds of one process. Then log E T_2 against beta for several chains, with its slope, and by splitting.
"""

from __future__ import annotations

import math

import numpy as np
from flint import arb, fmpq
from measuring import print_table, seconds

from dynamics.arithmetic import working_precision
from dynamics.enclosures.escapes import TooManyStatesError, escape_probability, simulate_escapes
from dynamics.escapes.enclose import chance_before, mean_escape
from dynamics.escapes.exponents import exponent_of_mean
from dynamics.escapes.groups import bounded_mean, exponent_of_groups
from dynamics.escapes.histories import alone
from dynamics.escapes.rare import forced_escapes, interval
from dynamics.escapes.splitting import estimates_by_splitting
from dynamics.tokens.attention_chain import AttentionChain

TIME = 12
RUNS = 2000
PARTICLES = 500


def published(beta: fmpq) -> AttentionChain:
    """The two tokens near -2 and 2 whose escape breaks the printed exponent."""
    return AttentionChain.instance(
        v=[[2], [-2]], x=[["17/9"], ["-17/9"]], group=[0, 1], beta=beta, gamma="1/24", eps="1/3", steps=TIME
    )


SHAPES = {
    "segment": ([[1], [-1]], 1),
    "triangle": ([[1, 0], ["-1/2", "7/8"], ["-1/2", "-7/8"]], 1),
    "simplex in R^4": ([*np.eye(4, dtype=int).tolist(), ["-1/2"] * 4], 1),
    "segment, groups of two": ([[1], [-1]], 2),
}


def temperature_of(chance: float) -> fmpq:
    """A beta at which P[T_2 < 12] is about this."""
    low, high = 0, 1 << 12
    while high - low > 1:
        middle = (low + high) // 2
        found = chance_before(published(fmpq(middle, 64)), TIME).low
        low, high = (middle, high) if found > chance else (low, middle)
    return fmpq(high, 64)


def row_of(chance: float) -> list[object]:
    """The costs of each way to know about such a chance."""
    chain, rng = published(temperature_of(chance)), np.random.default_rng

    def enumerated() -> bool:
        try:
            escape_probability(chain, arb(0), 400_000)
        except TooManyStatesError:
            return False
        return True

    by_law, law = seconds(lambda: chance_before(chain, TIME))
    by_force, forced = seconds(lambda: forced_escapes(chain, RUNS, rng(0)))
    by_splitting, split = seconds(lambda: estimates_by_splitting(chain, PARTICLES, rng(0), TIME).log_chance)
    by_enumeration, whole = seconds(enumerated)
    by_simulation, _ = seconds(lambda: simulate_escapes(chain, RUNS, rng(0)))
    least, _ = interval(forced, 1e-12)
    expected = float(law.low.log().mid())
    off = math.expm1(float(np.logaddexp.reduce(forced.high)) - math.log(RUNS) - expected)
    error = f"{abs(off):.1e}, at least {math.exp(least - expected):.3f} P"
    named = f"{split.value - expected:+.2f} at {split.error:.2f}"
    naive = by_enumeration if whole else f"over 400 000 branches in {by_enumeration:.1f}"
    # An error falls with the root of the number of particles, and of runs: one in 1/p is an escape, a hundred give 10%.
    to_a_tenth, plain = by_splitting * (split.error / 0.1) ** 2, by_simulation / RUNS * 100 / chance
    return [f"{float(law.low.mid()):.3e}", by_law, by_force, error, to_a_tenth, named, naive, plain]


def arrhenius() -> list[list[object]]:
    """log E T_2, its slope, the exact exponent, and the mean by splitting, of each shape at each temperature."""
    rows: list[list[object]] = []
    for name, (v, each) in SHAPES.items():
        before = None
        for beta in (4, 8, 16, 32):
            # So many tokens at each vertex; gamma and eps are such that two picks lead out of a tube.
            x = [row for row in v for _ in range(each)]
            group = [label for label in range(len(v)) for _ in range(each)]
            chain = AttentionChain.instance(v=v, x=x, group=group, beta=beta, gamma="1/16", eps="1/7")
            single = alone(chain)
            cost, found = seconds(
                lambda c=chain, one=single: mean_escape(c, 6, 20_000).mean if one else bounded_mean(c, 1000)
            )
            wait = exponent_of_mean(chain) if single else exponent_of_groups(chain)
            exponent = str(wait.low) if wait.low == wait.high else f"{wait.low} to {wait.high}"
            by_splitting, mean = seconds(
                lambda c=chain: estimates_by_splitting(c, PARTICLES, np.random.default_rng(0)).mean
            )
            low, high = (float(end.log().mid()) for end in (found.low, found.high))
            known = low if high - low < 0.01 else math.log(mean.value)
            slope = "" if before is None else f"{(known - before[1]) / (beta - before[0]):.4f}"
            before = beta, known
            theirs = f"{math.log(mean.value):.5f} +- {mean.error / mean.value:.5f}"
            rows.append([name, beta, f"{low:.5f}", f"{high:.5f}", slope, exponent, cost, theirs, by_splitting])
    return rows


if __name__ == "__main__":
    with working_precision(128):
        ways = ("by the law, s", "forced runs, s", "their error", "splitting, s", "off by, at its error")
        print_table(("P", *ways, "enumeration, s", "simulation, s"), list(map(row_of, (1e-5, 1e-10, 1e-25, 1e-50))))
        ends = ("log E T_2 from", "to", "slope", "exponent", "s")
        print_table(("chain", "beta", *ends, "splitting", "s"), arrhenius())
