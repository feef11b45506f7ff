"""Our hunt against what one would otherwise do: how many evaluations until a falsehood has a certified counterexample.

Every method looks for a violating instance of the same falsehoods (``falsehoods.py``) within the same budget:

*random*              instances drawn as `claims verify` draws them: sizes at random, kinds of start in turn;
*Hypothesis*          the same construction as a strategy, with ``target(-slack)`` and the phase that climbs;
*psy-taliro*          the numbers of the construction as a vector in a box, by the toolbox's generalised simulated
                      annealing; sizes fixed at the middle of their ranges, starts of the first (general) kind;
*ours*                :func:`claims.hunting.search.search`, without memory of earlier hunts.

One evaluation is one float64 slack of one instance, by the same code for all. What violates in float64 is handed to
:func:`claims.verifying.deciding.check`, on the exact instance: a find counts when that is certified and every assumption is
as the falsehood says. Certifying costs seconds, not evaluations; what it rejects is counted. A run stops at its first find.

    python benchmarks/hunting.py
"""

from __future__ import annotations

import argparse
import os
import statistics
import warnings
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from time import process_time
from typing import Any

import numpy as np
import staliro
from falsehoods import FALSEHOODS, Falsehood, certifies, exactly_within, falsified, robustness
from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import seed as seeded
from hypothesis import strategies as st
from measuring import median, print_table
from rich.console import Console
from rich.progress import track
from staliro.optimizers import DualAnnealing

from claims.hunting.margins import margins
from claims.hunting.search import search
from claims.instances.drawing import draw_freely
from claims.instances.draws import BatchDraws
from claims.instances.hypothesis_draws import HypothesisDraws
from claims.stating.statement import is_costly
from claims.targets.target import Variant
from claims.verifying.processes import workers
from dynamics.arithmetic import FLOAT64
from dynamics.system import System

BUDGET, BUDGET_OF_PATHS = 1000, 100  # evaluations of a run, at a state or of a step, and of whole trajectories

Array = np.ndarray[Any, Any]


class SearchEnded(BaseException):
    """Ends a search at its first find, or when its budget is spent. An Exception Hypothesis would catch, and replay."""


@dataclass
class Referee:
    """Evaluates for every method alike, counts, and certifies."""

    variant: Variant
    budget: int
    evaluations: int = 0
    rejected: int = 0
    found: bool = False
    looked: set[str] = field(default_factory=set)

    def evaluate(self, systems: System) -> Array:
        """The robustness of each member of a float64 batch, shape (batch,). Raises SearchEnded."""
        conclusion = self.variant.conclusion
        slack = margins(conclusion, systems)
        values = robustness(conclusion, slack)
        for index in range(len(values)):
            self.evaluations += 1
            if falsified(conclusion, values[index]):
                self.decide(systems.row(index))
            if self.evaluations >= self.budget:
                raise SearchEnded
        return values

    def decide(self, system: System) -> None:
        """Raise SearchEnded if the exact instance is a certified counterexample; what was rejected is not tried again."""
        system = exactly_within(self.variant, system)
        text = str(system.to_json())
        if text in self.looked:  # certifying costs seconds, and searches come back to where they were
            return
        self.looked.add(text)
        if certifies(self.variant, system):
            self.found = True
            raise SearchEnded
        self.rejected += 1


# ---------------------------------------------------------------------------------------------------------------------
# The methods. Each searches until the referee stops it.


def by_random_draws(referee: Referee, seed: int) -> None:
    """One at a time at first; later a few together, which share their sizes and kinds, for speed."""
    variant = referee.variant
    for turn in range(referee.budget):
        # Batches are quicker, but an early find within one would count evaluations that came after it.
        few = min(16, 1 + referee.evaluations // 64, referee.budget - referee.evaluations)
        draws = BatchDraws(np.random.default_rng([seed, turn]), is_costly(variant.conclusion), turn, batch=few)
        referee.evaluate(draw_freely(variant.claim, variant.conclusion, draws, variant.without))


def _as_batch(system: System) -> System:
    """The exact instance as a float64 batch of one."""
    fields, floats = system.fields(), system.to(FLOAT64)
    # What is a count has no axis for the batch: sizes are shared by all its members.
    return floats.replace(**{n: array if fields[n].integer else array[None] for n, array in floats.arrays().items()})


@st.composite
def _starts(draw: Any, variant: Variant) -> System:
    draws = HypothesisDraws(draw, is_costly(variant.conclusion))
    return draw_freely(variant.claim, variant.conclusion, draws, variant.without)


def by_hypothesis(referee: Referee, seed: int) -> None:
    """Generation, and hill climbing on the slack."""

    @seeded(seed)
    @settings(
        max_examples=referee.budget,
        phases=[Phase.generate, Phase.target],  # nothing is shrunk: that would count as looking
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(_starts(referee.variant))
    def look(system: System) -> None:
        value = float(referee.evaluate(_as_batch(system))[0])
        if np.isfinite(value):
            target(-value)

    look()


@dataclass
class VectorDraws(BatchDraws):
    """Choices read off a vector in [-1, 1]^dimension: sizes at the middle of their ranges, the first of every kind."""

    vector: Array = field(default_factory=lambda: np.zeros(0))
    position: int = 0

    def integer(self, low: int, high: int) -> int:
        """The middle, rounded up."""
        return (low + high + 1) // 2

    def choice(self, options: Sequence[Any]) -> Any:
        """The first."""
        return options[0]

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:  # noqa: ARG002 -- no grid
        """The next numbers of the vector, scaled to [-size, size]; beyond its end, numbers of its own, to count them."""
        count = int(np.prod(shape))
        taken = self.vector[self.position : self.position + count]
        self.position += count
        if len(taken) < count:
            taken = self.rng.uniform(-1, 1, count)
        return np.asarray(size * taken.reshape(1, *shape))


def _from_vector(variant: Variant, vector: Array) -> tuple[System, int]:
    """The batch of one that a vector stands for, and how many numbers it takes."""
    draws = VectorDraws(np.random.default_rng(0), is_costly(variant.conclusion), batch=1, vector=vector)
    return draw_freely(variant.claim, variant.conclusion, draws, variant.without), draws.position


def by_taliro(referee: Referee, seed: int) -> None:
    """psy-taliro's DualAnnealing."""
    _, dimension = _from_vector(referee.variant, np.zeros(0))

    @staliro.costfunc
    def cost(inputs: Any) -> Any:
        system, _ = _from_vector(referee.variant, np.array(list(inputs.static.values())))
        value = float(referee.evaluate(system)[0])
        return value if np.isfinite(value) else 1e9  # an annealer must be led away from where there is no value

    box = {f"x{i}": (-1.0, 1.0) for i in range(dimension)}
    options = staliro.TestOptions(runs=1, iterations=referee.budget, seed=seed % 2**31 + 1, static_inputs=box)
    staliro.staliro(cost, DualAnnealing(), options)


def by_our_hunt(referee: Referee, seed: int) -> None:
    """Calls of our search until one of its candidates is certified."""
    for call in range(referee.budget):
        found = search(referee.variant, [seed, call], referee.budget - referee.evaluations, [])
        referee.evaluations += max(1, found.evaluations)
        for system in found.candidates:
            referee.decide(system)
        if referee.evaluations >= referee.budget:
            return


METHODS: dict[str, Callable[[Referee, int], None]] = {
    "random": by_random_draws,
    "Hypothesis": by_hypothesis,
    "psy-taliro": by_taliro,
    "ours": by_our_hunt,
}


# ---------------------------------------------------------------------------------------------------------------------
# Runs and tables


@dataclass(frozen=True)
class Run:
    """One search by one method. `evaluations` until the find; infinite where nothing was found."""

    falsehood: str
    method: str
    evaluations: float
    budget: int
    rejected: int
    seconds: float


def run(index: int, method: str, seed: int, budget: int) -> Run:
    """Search once. Seconds are those of this process, certifying included."""
    falsehood = FALSEHOODS[index]
    referee = Referee(falsehood.resolve(), budget)

    began = process_time()
    with warnings.catch_warnings(), suppress(SearchEnded):
        warnings.simplefilter("ignore")
        # Not the seed itself: one stream for all falsehoods would make their figures depend on each other.
        METHODS[method](referee, zlib.crc32(f"{seed} {falsehood}".encode()))
    spent = process_time() - began
    found = referee.found and referee.evaluations <= budget
    return Run(str(falsehood), method, referee.evaluations if found else np.inf, budget, referee.rejected, spent)


def print_tables(runs: Sequence[Run], chosen: Sequence[Falsehood], methods: Sequence[str]) -> None:
    """A row for each falsehood, then what the methods do over all of them."""
    of: dict[tuple[str, str], list[Run]] = {}
    for r in runs:
        of.setdefault((r.falsehood, r.method), []).append(r)

    rows, ratios = [], []
    for one in chosen:
        cells = {method: of[str(one), method] for method in methods}
        # Infinite where less than half of the runs found anything: then no finite number is the median.
        medians = {method: statistics.median(r.evaluations for r in cell) for method, cell in cells.items()}
        mine = medians.get("ours", np.inf)
        best = min((cost for method, cost in medians.items() if method != "ours"), default=np.inf)
        ratio = np.nan if np.isinf(mine) and np.isinf(best) else mine / best
        ratios += [] if np.isnan(ratio) else [ratio]
        finds = {method: sum(np.isfinite(r.evaluations) for r in cell) for method, cell in cells.items()}
        shown = [f"{finds[method]}/{len(cell)} {medians[method]:g}" for method, cell in cells.items()]
        rows.append([one, one.chance_shown, *shown, ratio])
    print("Found, and the median evaluations until then\n")
    print_table(("falsehood", "chance", *methods, "ours/best peer"), rows)
    summary = []
    for method in methods:
        every = [r for r in runs if r.method == method]
        hits = [r for r in every if np.isfinite(r.evaluations)]
        known = f"{len({r.falsehood for r in hits})}/{len(chosen)}"
        spent = statistics.median(min(r.evaluations, r.budget) for r in every)
        costs = [r.seconds for r in every]
        rejected = sum(r.rejected for r in every)
        summary.append([method, f"{len(hits) / len(every):.1%}", known, spent, median(costs), rejected, sum(costs)])
    heads = ("success rate", "falsehoods found", "median evaluations", "median CPU-s", "rejected", "CPU-s")
    print_table(("method", *heads), summary)
    print(f"ours over the best peer: median ratio {median(ratios):.3g} over {len(ratios)} falsehoods,", end=" ")
    print(f"at most a tenth on {sum(ratio <= 0.1 for ratio in ratios)}")


def main() -> None:
    """Run and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budget", type=int, default=BUDGET, help="evaluations of a search (state, step, identity)")
    parser.add_argument("--path-budget", type=int, default=BUDGET_OF_PATHS, help="evaluations of a search of trajectories")
    parser.add_argument("--only", default="*", help="falsehoods whose name matches")
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = [i for i, f in enumerate(FALSEHOODS) if fnmatch(str(f), f"*{options.only}*")]
    if not chosen:
        parser.error(f"no falsehood matches {options.only}")
    costly = {i: is_costly(FALSEHOODS[i].resolve().conclusion) for i in chosen}
    tasks = [
        (i, method, seed, options.path_budget if costly[i] else options.budget)
        for seed in range(options.seeds)
        for i in chosen
        for method in options.methods
    ]
    with workers(options.jobs) as pool:
        found = [one for _, one in track(pool.results(run, tasks), "hunting", len(tasks), console=Console(stderr=True))]
    print_tables(found, [FALSEHOODS[i] for i in chosen], options.methods)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
