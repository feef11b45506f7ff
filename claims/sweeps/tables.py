"""Writes the tables of docs/transformers.md from the record of trained runs; see `claims.sweeps.record`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from typing import Any

import numpy as np

from claims.certificates.marked_tables import markdown
from claims.polarization.setting.transformers import (
    CLASSIFIER,
    KINDS,
    NORMALISED_POSITIVE,
    RATES,
    SINK,
    SIZES,
    TINY,
    Read,
    every_map,
    flip_rate,
    learned,
    overlap_at_query,
    runs_of,
    sample,
    sink_proportion,
)
from claims.stating.catalogue import catalogue
from claims.stating.experiments import COMPARISONS, LEVEL, SHOWN, Comparison, Majority, Word
from claims.stating.statement import Claim, Standing
from dynamics.decimals import outward
from dynamics.transformers.settings import Setting

COMMAND = "python -m claims.sweeps.record --tables"


def words() -> dict[Claim, dict[str, list[Comparison | Majority]]]:
    """What the recorded runs say of every comparison of every empirical claim, by conclusion."""
    return {
        claim: {conclusion.name: conclusion.slack(0) for conclusion in claim.conclusions}
        for claim in catalogue().values()
        if claim.standing is Standing.EMPIRICAL
    }


def told_by_holm_alone(readings: Sequence[Comparison | Majority]) -> list[Comparison | Majority]:
    """What Holm's refinement would tell apart besides: the k-th least of m p-values has the level over m + 1 - k."""
    found = sorted((one for one in readings if one.effect), key=lambda one: one.p)
    # Holm stops at the first that is not told apart: none after it is, however small its p-value.
    told = takewhile(lambda pair: pair[1].p * (COMPARISONS - pair[0]) <= LEVEL, enumerate(found))
    return [one for _, one in told if one.p * COMPARISONS > LEVEL]


def meanings() -> str:
    """The level, how many answers depend on it, and every word with what it means."""
    by_conclusion = {name: found for conclusions in words().values() for name, found in conclusions.items()}
    readings = [one for found in by_conclusion.values() for one in found]
    more = told_by_holm_alone(readings)
    names = [_safe(f"{name} ({one.name})") for name, found in by_conclusion.items() for one in found if one in more]

    # A level is a convention: who holds with another is told how much depends on it.
    def others(questions: int) -> int:
        return sum(replace(one, among=questions).word is not one.word for one in readings)

    text = (
        f"Level: {100 * LEVEL:g} % for all {COMPARISONS} questions together, {100 * LEVEL / COMPARISONS:.2g} % for each, "
        f"two-sided. At {100 * LEVEL / 5:g} % together {others(5 * COMPARISONS)} of the answers would be others, at "
        f"{100 * LEVEL:g} % for each {others(1)}. Holm's refinement would tell {len(names) or 'none'} more apart"
        f"{': ' if names else ''}{', '.join(names)}. Intervals: {100 * SHOWN:g} % each.\n\n"
    )
    return text + markdown(["word", "what it says"], [[f"**{word}**", word.meaning] for word in Word])


def in_short() -> str:
    """What the paper prints, and how many questions have which answer."""
    parts = []
    for claim, conclusions in words().items():
        parts.append(f'**{claim.id.partition(".")[2]}**, {claim.where} ({claim.origin}): "{claim.statement}"\n\n')
        for conclusion in claim.conclusions:
            if readings := conclusions[conclusion.name]:
                counts = Counter(reading.word for reading in readings)
                answer = ", ".join(f"{counts[word]} {word}" for word in Word if counts[word])
                found = [one.difference for one in readings if isinstance(one, Comparison) and one.effect]
                span = f"; differences from {min(found):+.2f} to {max(found):+.2f}" if found else ""
                parts.append(f"- {_safe(conclusion.meaning)} {answer[0].upper()}{answer[1:]}{span}.\n")
        parts.append("\n")
    return "".join(parts).rstrip("\n") + "\n"


def statements() -> str:
    """Every question of which something was recorded, with its samples, effect and word."""
    rows = []
    for claim, conclusions in words().items():
        for name, readings in conclusions.items():
            # What was not recorded has no samples, and is counted in the table of answers.
            for reading in readings:
                if reading.word is not Word.NOT_RECORDED:
                    samples = [one.text.replace(" failed to train", " failed") for one in reading.samples.values()]
                    p = outward(reading.p, 1, 2) if reading.effect else ""
                    of = f"{claim.id.partition('.')[2]}.{name}"
                    rows.append([of, reading.name, *(*samples, "")[:2], reading.effect, p, f"**{reading.word}**"])
    titles = ["statement", "at", "mean of the changed runs", "of the baseline", "difference, or median", "p", "word"]
    return markdown(titles, [[*map(_safe, row)] for row in rows])


def overlaps() -> str:
    """What the rows of heads have in common without the auxiliary loss: quartiles over runs, and the word by threshold."""
    rows = []
    for one in NORMALISED_POSITIVE:
        found = sample(replace(one, weight=0.0), overlap_at_query)
        if found.runs:
            parts = np.quantile([float(value) for value in found.values], [0, 0.25, 0.5, 0.75, 1])
            told = [Majority("", found, Fraction(threshold)).word for threshold in THRESHOLDS]
            rows.append([one.map_name, *(f"{part:.2f}" for part in parts), *told])
    titles = ["map", "least", "quartile", "median", "quartile", "most", *(f"at {one}" for one in THRESHOLDS)]
    return markdown(titles, [[*map(_safe, row)] for row in rows])


# How alike heads might have to be to be called duplicates: the paper says no number, and the claim's own is one of these.
THRESHOLDS = ("0.5", "0.6", "0.7", "0.8", "0.9", "0.95")


def _flips() -> str:
    """Figure 6: the proportion of swaps that flip the label, by map and learning rate."""
    return _by_map({f"rate {rate:g}": replace(CLASSIFIER, rate=rate) for rate in RATES}, flip_rate)


def sinks() -> str:
    """Figure 4: the proportion of sink heads, by map and width."""
    return _by_map(SIZES, sink_proportion)


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
                # A run without a defined head at some epoch counts at the others.
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
        # A mean over runs of means over labels: the run is the unit, since its labels share their weights.
        reads = [read for run in runs_of(setting) if (read := run["end"].get("theory"))]
        found = [{key: np.asarray(value) for key, value in read.items()} for read in reads]
        if found:
            means = [np.mean([np.mean(share(read)) for read in found]) for share in shares.values()]
            rows.append([kind, str(len(found)), *(f"{mean:.2f}" for mean in means)])
    return markdown(["softmax classifier", "runs", *shares], rows)


TABLES: dict[str, Callable[[], str]] = {
    "meanings": meanings,
    "in short": in_short,
    "statements": statements,
    "overlaps": overlaps,
    "flips": _flips,
    "sinks": sinks,
    "sinks by epoch": sinks_by_epoch,
    "theory": theories,
}


def tables() -> dict[str, str]:
    """The tables by the name in their marks."""
    return {name: write() for name, write in TABLES.items()}


def _by_map(columns: Mapping[str, Setting], read: Read) -> str:
    """A row for each map, a column for each setting, which are of one task."""
    rows: dict[str, list[str]] = {}
    for column in columns.values():
        for setting in every_map(column):
            found = sample(setting, read)
            text = found.text.replace(" failed to train", " failed") if found.tried else ""
            rows.setdefault(setting.map_name, [setting.map_name]).append(text)
    return markdown(["map", *columns], [[*map(_safe, row)] for row in rows.values()])


def _safe(text: str) -> str:
    # Markdown would set what stands between two stars in italics.
    return text.replace("elu*elu", "elu·elu")
