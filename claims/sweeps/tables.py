"""Writes the tables of docs/transformers.md from the record of trained runs; see `claims.sweeps.record`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from claims.catalogue import catalogue
from claims.experiments import Comparison, Count, Majority, Word
from claims.marked_tables import markdown
from claims.polarization.setting.transformers import (
    CLASSIFIER,
    KINDS,
    RATES,
    SINK,
    SIZES,
    TINY,
    count,
    every_map,
    flip_rate,
    learned,
    runs_of,
    sink_proportion,
    theory,
)
from claims.statement import Claim, Standing
from dynamics.transformers.settings import Setting

COMMAND = "python -m claims.sweeps.record --tables"


def words() -> dict[Claim, dict[str, list[Comparison | Majority]]]:
    """What the recorded runs say of every comparison of every empirical claim, by conclusion."""
    return {
        claim: {conclusion.name: conclusion.slack(0) for conclusion in claim.conclusions}
        for claim in catalogue().values()
        if claim.standing is Standing.EMPIRICAL
    }


def statements() -> str:
    """Every comparison that was run, with its counts and its word."""
    rows = []
    for claim, conclusions in words().items():
        for name, readings in conclusions.items():
            for reading in readings:
                if reading.word is not Word.NOT_RUN:
                    counts = (reading.more, reading.fewer) if isinstance(reading, Comparison) else (reading.count,)
                    cells = (
                        f"{claim.id.partition('.')[2]}.{name}",
                        reading.name,
                        *_two([_cell(one) for one in counts]),
                        f"**{reading.word}**",
                    )
                    rows.append(cells)
    return markdown(
        ["statement", "at", "runs in which it happens", "against", "word"], [[*map(_safe, row)] for row in rows]
    )


def flips() -> str:
    """Figure 6: runs in which at least half of the swaps flip the label, by map and learning rate."""
    return _by_map(CLASSIFIER, {f"rate {rate:g}": {"rate": rate} for rate in RATES}, flip_rate)


def sinks() -> str:
    """Figure 4: runs in which at least half of the heads are sinks, by map and width."""
    sizes = {width: {name: getattr(size, name) for name in _CHANGED} for width, size in SIZES.items()}
    return _by_map(TINY, sizes, sink_proportion)


_CHANGED = ("vocabulary", "tokens", "width", "heads", "batch", "rate", "samples", "evaluated")


def sinks_by_epoch() -> str:
    """The mean proportion of sink heads after each epoch, by width and map, over all runs, learned or not."""
    rows = []
    for width, size in SIZES.items():
        for setting in every_map(size):
            runs = runs_of(setting)
            scores = [
                [[score > SINK for score in heads if score is not None] for heads in run["epochs"]["sinks"]] for run in runs
            ]
            if scores:
                means = np.nanmean([[np.mean(heads) if heads else np.nan for heads in run] for run in scores], axis=0)
                trained = f"{sum(map(learned, runs))} of {len(runs)}"
                rows.append([width.removeprefix("width "), setting.map_name, *(f"{mean:.2f}" for mean in means), trained])
    titles = ["width", "map", *(str(epoch) for epoch in range(TINY.epochs + 1)), "learned"]
    return markdown(titles, [[*map(_safe, row)] for row in rows])


def theories() -> str:
    """What is read of u and s in softmax classifiers of one head: shares of labels, as means over runs."""
    shares: dict[str, Callable[[Any], Any]] = {
        "one-hot": lambda read: read["share"] > 0.9,
        "leader at the start wins": lambda read: read["winner"] == read["leader"],
        "first attended wins": lambda read: read["winner"] == read["attended"],
        "leader at the end wins": lambda read: read["winner"] == read["last_leader"],
        "tau(u(0), u)": lambda read: read["order_of_values"],
        "tau(u, s)": lambda read: read["order_of_attention"],
    }
    rows = []
    for kind, setting in KINDS.items():
        found = [count(setting, theory(share)) for share in shares.values()]
        if found[0].runs:
            rows.append([kind, str(found[0].runs), *(f"{one.mean:.2f}" for one in found)])
    return markdown(["softmax classifier", "runs", *shares], rows)


TABLES: dict[str, Callable[[], str]] = {
    "statements": statements,
    "flips": flips,
    "sinks": sinks,
    "sinks by epoch": sinks_by_epoch,
    "theory": theories,
}


def tables() -> dict[str, str]:
    """The tables by the name in their marks."""
    return {name: write() for name, write in TABLES.items()}


def _by_map(start: Setting, columns: dict[str, dict[str, Any]], happened: Callable[[dict[str, Any]], float | None]) -> str:
    def cells(setting: Setting) -> Iterator[str]:
        for change in columns.values():
            found = count(replace(setting, **change), happened)
            yield _cell(found) if found.runs + found.failed else ""

    rows = [[setting.map_name, *cells(setting)] for setting in every_map(start)]
    return markdown(["map", *columns], [[*map(_safe, row)] for row in rows])


def _cell(found: Count) -> str:
    """Hits of runs, the interval, the mean proportion, and runs that failed."""
    return found.text.replace(" failed to train", " failed")


def _two(cells: Sequence[str]) -> tuple[str, str]:
    return cells[0], cells[1] if len(cells) > 1 else ""


def _safe(text: str) -> str:
    return text.replace("elu*elu", "elu·elu")
