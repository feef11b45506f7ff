"""Put the runs of sweeps among those that claims are judged by: `python -m claims.sweeps.record DIR... --tables`.

`--tables` writes the tables of docs/transformers.md anew, after that. `--again N` trains N recorded tasks again, and fails
where what claims read of the runs is told apart from what they read before.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

from claims.campaigns.ledger import Ledger, LedgerError, task_key
from claims.certificates.marked_tables import with_tables
from claims.certificates.provenance import write_whole
from claims.polarization.setting.transformers import FORMAT, VERSION, flip_rate, sampled, sink_proportion, tasks_of
from claims.stating.experiments import LEVEL, permutation_tails, two_sided
from claims.sweeps.designs import DESIGNS
from claims.sweeps.tables import COMMAND, tables
from claims.sweeps.training import train
from dynamics.strict_reading import read_json
from dynamics.transformers.libraries import missing
from dynamics.transformers.settings import Setting

PAGE = Path(__file__).parents[2] / "docs" / "transformers.md"

RECORD = Path(str(files("claims") / "evidence" / "transformers.json"))


def _spec_of(task: dict[str, Any]) -> dict[str, Any]:
    return {"setting": task["setting"], "seeds": [run["seed"] for run in task["runs"]]}


def _folded(known: Iterable[dict[str, Any]], folders: Iterable[Path]) -> list[dict[str, Any]]:
    """The tasks of a record and of ledgers, later ones in place of earlier ones, those of no design left out.

    Raises LedgerError.
    """
    found = {task_key(_spec_of(task)): task for task in known}
    for folder in folders:
        with Ledger(folder, reading=True) as ledger:
            for entry in ledger.entries():
                if "setting" in entry.spec:
                    task = {"setting": entry.spec["setting"], "seconds": round(entry.seconds, 1), **entry.result}
                    found[task_key(_spec_of(task))] = task
    # In the order of the designs: then the same runs give the same file, whatever ledger they come from.
    order = [task_key(spec) for design in DESIGNS.values() for spec in design.specs()]
    return [found[key] for key in dict.fromkeys(order) if key in found]


def _as_text(tasks: Iterable[dict[str, Any]]) -> str:
    lines = ",\n".join(json.dumps(task, separators=(",", ":"), allow_nan=False) for task in tasks)
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "tasks": [\n{lines}\n]}}\n'


def main(arguments: Sequence[str] | None = None) -> None:
    """Fold sweeps into the record of the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="a folder that `claims sweep` wrote")
    parser.add_argument("--tables", action="store_true", help="write the tables of docs/transformers.md anew, last")
    parser.add_argument(
        "--again", type=int, default=0, metavar="N", help="train N recorded tasks again, the cheapest first"
    )
    given = parser.parse_args(arguments)
    if not (given.folders or given.tables or given.again):
        parser.error("nothing to do: name a folder that `claims sweep` wrote, or --tables, or --again N")
    if given.again and missing():
        parser.error(f"nothing can be trained here: {missing()}")
    if given.folders:
        known = _known()
        try:
            tasks = _folded(known, given.folders)
        except LedgerError as error:
            parser.error(str(error))
        write_whole(RECORD, _as_text(tasks))
        runs = sum(len(task["runs"]) for task in tasks)
        print(f"{runs} runs in {len(tasks)} tasks, {len(tasks) - len(known)} of them new")  # noqa: T201 -- what it is for
    if given.tables:
        text = PAGE.read_text(encoding="utf-8")
        write_whole(PAGE, with_tables(PAGE.name, text, tables(), COMMAND))
    # All of them before the answer: a list and not the first that differs, so that each is told.
    if given.again and any([*map(_is_another, sorted(_known(), key=lambda task: task["seconds"])[: given.again])]):
        raise SystemExit(1)


def _known() -> list[dict[str, Any]]:
    return tasks_of(read_json(RECORD.read_text(encoding="utf-8"))) if RECORD.is_file() else []


def _is_another(task: dict[str, Any]) -> bool:
    """Train a task again: whether its runs are told apart from the recorded ones; says whether they are the same."""
    before, after = task["runs"], train(_spec_of(task))["runs"]
    samples = [sampled(runs, _read) for runs in (before, after)]
    changed = sum(_read(one) != _read(other) for one, other in zip(before, after, strict=True))
    text = "bit for bit the same" if before == after else f"not bit for bit; {changed} of {len(after)} read otherwise"
    print(f"{Setting.from_data(task['setting']).map_name}, {task['setting']['task']}: {text}")  # noqa: T201
    # Another machine orders sums otherwise, and training spreads that: what must agree is what claims are judged by.
    return bool(two_sided(permutation_tails(samples[0].values, samples[1].values)) <= LEVEL)


def _read(run: dict[str, Any]) -> Fraction | None:
    """What claims read of a run; None if it failed."""
    return flip_rate(run) if "flips" in run["end"] else sink_proportion(run)


if __name__ == "__main__":
    main()
