"""Our hunt against what one would otherwise do: how many evaluations until a falsehood has a certified counterexample.

Every method looks for a violating instance of the same falsehoods (``falsehoods.py``) within the same budget:

*random*              instances drawn as `claims verify` draws them: sizes at random, kinds of start in turn;
*Hypothesis*          the same construction as a strategy, generation only;
*Hypothesis, target*  the same with ``target(-slack)``, and the phase that climbs;
*psy-taliro uniform*  the numbers of the construction as a vector in a box, drawn uniformly; sizes fixed at the middle of
                      their ranges, starts of the first (general) kind;
*psy-taliro dual annealing*  the same box, by the toolbox's generalised simulated annealing;
*ours*                :func:`claims.hunting.search.search`, without memory of earlier hunts.

One evaluation is one float64 slack of one instance, by the same code for all. What violates in float64 is handed to
:func:`claims.verifying.deciding.check`, on the exact instance: a find counts when that is certified and every assumption is
as the falsehood says. Certifying costs seconds, not evaluations; what it rejects is counted. A run stops at its first find.

    python benchmarks/hunting.py --json results.jsonl

writes a line for every run and leaves out those that are there already: it may be interrupted and resumed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import staliro
from falsehoods import FALSEHOODS, Falsehood, certifies, exactly_within, falsified, robustness
from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import seed as seeded
from hypothesis import strategies as st
from rich.console import Console
from rich.progress import track
from rich.table import Table
from staliro.optimizers import DualAnnealing, UniformRandom

from claims.hunting.margins import margins
from claims.hunting.search import search
from claims.instances.drawing import draw_freely, is_costly
from claims.instances.draws import BatchDraws
from claims.instances.hypothesis_draws import HypothesisDraws
from claims.target import Variant
from claims.verifying.processes import workers
from dynamics.arithmetic import FLOAT64
from dynamics.system import System

BUDGET, BUDGET_OF_PATHS = 1000, 100
"""Evaluations of a run for slacks at a state or of a step, and along a trajectory."""

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
        if text in self.looked:
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
        few = min(16, 1 + referee.evaluations // 64, referee.budget - referee.evaluations)
        draws = BatchDraws(np.random.default_rng([seed, turn]), is_costly(variant.conclusion), turn, batch=few)
        referee.evaluate(draw_freely(variant.claim, variant.conclusion, draws, variant.without))


def _as_batch(system: System) -> System:
    """The exact instance as a float64 batch of one."""
    fields, floats = system.fields(), system.to(FLOAT64)
    return floats.replace(**{n: array if fields[n].integer else array[None] for n, array in floats.arrays().items()})


@st.composite
def _starts(draw: Any, variant: Variant) -> System:
    draws = HypothesisDraws(draw, is_costly(variant.conclusion))
    return draw_freely(variant.claim, variant.conclusion, draws, variant.without)


def _by_hypothesis(referee: Referee, seed: int, targeted: bool) -> None:
    phases = [Phase.generate, Phase.target] if targeted else [Phase.generate]

    @seeded(seed)
    @settings(
        max_examples=referee.budget,
        phases=phases,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(_starts(referee.variant))
    def look(system: System) -> None:
        value = float(referee.evaluate(_as_batch(system))[0])
        if targeted and np.isfinite(value):
            target(-value)

    look()


def by_hypothesis(referee: Referee, seed: int) -> None:
    """Generation only."""
    _by_hypothesis(referee, seed, targeted=False)


def by_hypothesis_with_target(referee: Referee, seed: int) -> None:
    """Generation, and hill climbing on the slack."""
    _by_hypothesis(referee, seed, targeted=True)


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


def _by_taliro(referee: Referee, seed: int, optimizer: Any) -> None:
    _, dimension = _from_vector(referee.variant, np.zeros(0))

    @staliro.costfunc
    def cost(inputs: Any) -> Any:
        system, _ = _from_vector(referee.variant, np.array(list(inputs.static.values())))
        value = float(referee.evaluate(system)[0])
        return value if np.isfinite(value) else 1e9

    box = {f"x{i}": (-1.0, 1.0) for i in range(dimension)}
    options = staliro.TestOptions(runs=1, iterations=referee.budget, seed=seed % 2**31 + 1, static_inputs=box)
    staliro.staliro(cost, optimizer, options)


def by_taliro_uniform(referee: Referee, seed: int) -> None:
    """psy-taliro's UniformRandom."""
    _by_taliro(referee, seed, UniformRandom())


def by_taliro_annealing(referee: Referee, seed: int) -> None:
    """psy-taliro's DualAnnealing."""
    _by_taliro(referee, seed, DualAnnealing())


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
    "Hypothesis, target": by_hypothesis_with_target,
    "psy-taliro uniform": by_taliro_uniform,
    "psy-taliro annealing": by_taliro_annealing,
    "ours": by_our_hunt,
}


# ---------------------------------------------------------------------------------------------------------------------
# Runs


@dataclass(frozen=True)
class Run:
    """One search by one method. `evaluations` until the find, or all that were spent."""

    falsehood: str
    method: str
    seed: int
    budget: int
    found: bool
    evaluations: int
    rejected: int
    seconds: float

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What is not run twice."""
        return self.falsehood, self.method, self.seed, self.budget


def run(falsehood: Falsehood, method: str, seed: int, budget: int) -> Run:
    """Search once. Seconds are those of this process, certifying included."""
    referee = Referee(falsehood.resolve(), budget)
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with suppress(SearchEnded):
            # Not the seed itself: one stream for all falsehoods would make their figures depend on each other.
            METHODS[method](referee, zlib.crc32(f"{seed} {falsehood}".encode()))
    spent = time.process_time() - began
    within = referee.found and referee.evaluations <= budget
    return Run(str(falsehood), method, seed, budget, within, referee.evaluations, referee.rejected, spent)


def _run_named(index: int, method: str, seed: int, budget: int) -> Run:
    return run(FALSEHOODS[index], method, seed, budget)


def read_runs(path: Path | None) -> list[Run]:
    """The runs that a file holds; a last line cut short by an interruption is left out."""
    if path is None or not path.exists():
        return []
    runs = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            runs.append(Run(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return runs


def budget_of(falsehood: Falsehood, budget: int, of_paths: int) -> int:
    """Evaluations for one search."""
    return of_paths if is_costly(falsehood.resolve().conclusion) else budget


def run_all(tasks: Sequence[tuple[int, str, int, int]], jobs: int) -> Iterator[Run]:
    """The runs as they finish."""
    with workers(jobs) as pool:
        for _, run in pool.results(_run_named, tasks):
            yield run


# ---------------------------------------------------------------------------------------------------------------------
# Tables


def evaluations_of(runs: Sequence[Run]) -> float:
    """The median number of evaluations, where a search that found nothing counts as more than its budget."""
    return statistics.median(r.evaluations if r.found else np.inf for r in runs)


def _shown(runs: Sequence[Run]) -> str:
    if not runs:
        return "-"
    found, median = sum(r.found for r in runs), evaluations_of(runs)
    return f"{found}/{len(runs)} {f'>{runs[0].budget}' if np.isinf(median) else f'{median:g}'}"


def print_tables(runs: Sequence[Run], falsehoods: Sequence[Falsehood], methods: Sequence[str], console: Console) -> None:
    """A row for each falsehood, then what the methods do over all of them."""
    of: dict[tuple[str, str], list[Run]] = {}
    for r in runs:
        of.setdefault((r.falsehood, r.method), []).append(r)
    table = Table("falsehood", "chance", *methods, "ours/best peer", title="found, median evaluations until then")
    peers = [method for method in methods if method != "ours"]
    ratios, missed = [], []
    for falsehood in falsehoods:
        cells = [of.get((str(falsehood), method), []) for method in methods]
        best = min((evaluations_of(c) for m, c in zip(methods, cells, strict=True) if m in peers and c), default=np.inf)
        mine = of.get((str(falsehood), "ours"), [])
        ratio = evaluations_of(mine) / best if mine and not (np.isinf(best) and np.isinf(evaluations_of(mine))) else np.nan
        if mine and not np.isnan(ratio):
            ratios.append(ratio)
        if mine and not any(r.found for r in mine):
            finders = [m for m, c in zip(methods, cells, strict=True) if any(r.found for r in c)]
            if finders:
                missed.append(f"{falsehood}: found by {', '.join(finders)}")
        table.add_row(
            str(falsehood), falsehood.chance_shown, *map(_shown, cells), "" if np.isnan(ratio) else f"{ratio:.3g}"
        )
    console.print(table)
    _print_summary(of, falsehoods, methods, console)
    if ratios:
        best_median = min((_median_over(of, falsehoods, m) for m in peers), default=np.inf)
        console.print(
            f"ours over the best peer: median ratio {statistics.median(ratios):.3g} over {len(ratios)} falsehoods,"
        )
        console.print(f"  at most a tenth on {sum(r <= 0.1 for r in ratios)}; ratio of the medians", end=" ")
        console.print(f"{_median_over(of, falsehoods, 'ours') / best_median:.3g}")
    console.print("found by a peer and not by ours: " + ("\n  ".join(["", *missed]) if missed else "none"))


def _median_over(of: dict[tuple[str, str], list[Run]], falsehoods: Sequence[Falsehood], method: str) -> float:
    """The median over all runs, a search that found nothing counting as its budget."""
    every = [r for f in falsehoods for r in of.get((str(f), method), [])]
    return statistics.median(r.evaluations if r.found else r.budget for r in every) if every else np.inf


def _print_summary(
    of: dict[tuple[str, str], list[Run]], falsehoods: Sequence[Falsehood], methods: Sequence[str], console: Console
) -> None:
    summary = Table("method", "success rate", "falsehoods found", "median evaluations", "median CPU-s", "rejected", "CPU-s")
    for method in methods:
        groups = [of[key] for f in falsehoods if (key := (str(f), method)) in of]
        every = [r for group in groups for r in group]
        if not every:
            continue
        summary.add_row(
            method,
            f"{sum(r.found for r in every) / len(every):.1%}",
            f"{sum(any(r.found for r in group) for group in groups)}/{len(groups)}",
            f"{_median_over(of, falsehoods, method):g}",
            f"{statistics.median(r.seconds for r in every):.3g}",
            str(sum(r.rejected for r in every)),
            f"{sum(r.seconds for r in every):.0f}",
        )
    console.print(summary)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budget", type=int, default=BUDGET, help="evaluations of a search (state, step, identity)")
    parser.add_argument("--path-budget", type=int, default=BUDGET_OF_PATHS, help="evaluations of a search of trajectories")
    parser.add_argument("--only", default="*", help="falsehoods whose name matches")
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="JSON lines: read, skipped, and added to")
    options = parser.parse_args(arguments)
    chosen = [i for i, f in enumerate(FALSEHOODS) if fnmatch(str(f), f"*{options.only}*")]
    if not chosen:
        parser.error(f"no falsehood matches {options.only}")
    budgets = {i: budget_of(FALSEHOODS[i], options.budget, options.path_budget) for i in chosen}
    runs = {r.key: r for r in read_runs(options.json)}
    wanted = {
        (str(FALSEHOODS[i]), method, seed, budgets[i]): (i, method, seed, budgets[i])
        for seed in range(options.seeds)
        for i in chosen
        for method in options.methods
    }
    tasks = [task for key, task in wanted.items() if key not in runs]
    console = Console(width=None if sys.stdout.isatty() else 240)
    for finished in track(run_all(tasks, options.jobs), "hunting", total=len(tasks), console=Console(stderr=True)):
        runs[finished.key] = finished
        if options.json is not None:
            with options.json.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(asdict(finished)) + "\n")
    ours = [r for key, r in runs.items() if key in wanted]
    print_tables(ours, [FALSEHOODS[i] for i in chosen], options.methods, console)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
