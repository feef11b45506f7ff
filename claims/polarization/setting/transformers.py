"""The trained transformers of section 4 and appendix E: their settings, and what the recorded runs say of them.

docs/transformers.md says how statements are tested, and when that was fixed. A run is the unit; of the induction task those
with an accuracy of 95% or less "are discarded" in the paper: here they are counted as failed.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from claims.stating.experiments import RecordError, Sample
from dynamics.strict_reading import UnreadableError, read_json
from dynamics.transformers.libraries import missing
from dynamics.transformers.settings import MAPS, POSITIVE, Setting, SettingError

FORMAT, VERSION = "attention-claims trained runs", 1

RATES = (1e-2, 1e-3, 1e-4)
"""Learning rates of tables 2 and 3."""


# Asked of Setting itself, which refuses what Table 1 does not have: no second list of the variants.
def every_map(setting: Setting) -> tuple[Setting, ...]:
    """The setting with every attention map of Table 1, with normalisation and without, and with uniform attention."""
    found = []
    for attention in MAPS:
        for normalised in (True, False):
            try:
                found.append(replace(setting, attention=attention, normalised=normalised))
            except SettingError:
                continue  # softmax and uniform attention have no variant without normalisation
    return tuple(found)


CLASSIFIER = Setting("classification", vocabulary=41, layers=1, heads=1, positions="no", samples=10_000)
"""Table 3 in bold: figure 6. Ten tokens of a group of ten are drawn: there are four different inputs."""

KINDS = {"with perceptron and norm": CLASSIFIER, "attention only": replace(CLASSIFIER, mlp=False, layer_norm=False)}
"""The classifier of table 3, and the one that comes closest to the value-softmax model."""

TINY = Setting("induction", vocabulary=20, tokens=6, width=32, heads=2, batch=128, rate=5e-3, samples=12_800, evaluated=500)
"""The induction task of figure 4 at a size that trains in seconds: 1000 steps."""

NARROW = replace(TINY, width=64, heads=4, rate=3e-3)
"""The same task at half the paper's width, with the paper's four heads: 1000 steps."""

PAPER = Setting("induction", heads=4)
"""Figure 4 at the paper's size, with 4 heads and the middle learning rate: 3910 steps."""

NORMALISED_POSITIVE = tuple(replace(TINY, attention=attention) for attention in POSITIVE)

SIGNED = tuple(
    replace(TINY, attention=attention, normalised=normalised)
    for attention in ("mlp", "linear")
    for normalised in (True, False)
)
"""Maps whose attention can be negative: "non-positive variants (mlp, linear)"."""

SIZES = {"width 32": TINY, "width 64": NARROW, "width 128": PAPER}
"""The induction task at three sizes, by their width."""

ENOUGH = 0.95
"""Accuracy that a run of the induction task must exceed."""

SINK = 0.9
"""A head is a sink head if its sink score exceeds this."""

HALF = Fraction(1, 2)
"""Ours: the paper prints no proportion that is a majority."""

Read = Callable[[dict[str, Any]], Fraction | None]
"""What is read of a run, a number in [0, 1]; None of a run that failed."""


@cache
# Read once in a process: one claim asks for many settings, and there is one record for all of them.
def _tasks() -> list[tuple[Setting, dict[str, Any]]]:
    """The tasks of the record, each with its setting."""
    file = files("claims") / "evidence" / "transformers.json"
    try:
        tasks = tasks_of(read_json(file.read_text(encoding="utf-8"))) if file.is_file() else []
        return [(Setting.from_data(task["setting"]), task) for task in tasks]
    except (UnreadableError, SettingError) as error:
        raise RecordError(f"{file}: {error}") from None


@cache
def recorded() -> dict[Setting, list[dict[str, Any]]]:
    """The recorded runs of each setting, one for each seed. Raises RecordError."""
    found: dict[Setting, dict[int, dict[str, Any]]] = {}
    for setting, task in _tasks():
        found.setdefault(setting, {}).update({run["seed"]: run for run in task["runs"]})
    return {setting: [runs[seed] for seed in sorted(runs)] for setting, runs in found.items()}


def runs_of(setting: Setting) -> list[dict[str, Any]]:
    """The recorded runs of one setting, none if it was not run. Raises RecordError."""
    return recorded().get(setting, [])


def trained_with(settings: Collection[Setting]) -> list[str]:
    """The libraries that the recorded runs of these settings were trained with. Raises RecordError."""
    return sorted({task.get("with", "unknown libraries") for setting, task in _tasks() if setting in settings})


def tasks_of(data: Any) -> list[dict[str, Any]]:
    """The tasks of a record: each a setting, seeds trained together, and their runs. Raises RecordError."""
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise RecordError(f"not a record of trained runs in version {VERSION}")
    tasks = data.get("tasks")
    if not isinstance(tasks, list) or not all(
        isinstance(task, dict) and isinstance(task.get("setting"), dict) and "runs" in task for task in tasks
    ):
        raise RecordError("its tasks are not a list of settings with runs")
    for task in tasks:
        measures = SINKS if task["setting"].get("task") == "induction" else FLIPS
        if not isinstance(task["runs"], list) or not all(_is_run(run, measures) for run in task["runs"]):
            raise RecordError(f"a run has not its seed, its epochs with {', '.join(measures)}, and its end")
    return tasks


SINKS, FLIPS = ("accuracy", "loss", "sinks", "printed_sinks"), ("accuracy", "loss", "largest")
"""What every run of a task has after each epoch."""


def _is_run(run: Any, measures: Collection[str]) -> bool:
    whole = isinstance(run, dict) and isinstance(run.get("seed"), int) and isinstance(run.get("end"), dict)
    return whole and isinstance(run.get("epochs"), dict) and all(run["epochs"].get(name) for name in measures)


def sample(setting: Setting, read: Read) -> Sample:
    """The values read from the recorded runs of a setting."""
    return replace(sampled(runs_of(setting), read), printed=is_printed(setting), of=setting)


def sampled(runs: Sequence[dict[str, Any]], read: Read) -> Sample:
    """The values read from these runs, and how many runs have none."""
    found = [read(run) for run in runs]
    values = tuple(value for value in found if value is not None)
    return Sample(values, len(found) - len(values))


# Uniform attention is a control of ours, in none of the tables.
def is_printed(setting: Setting) -> bool:
    """Whether table 2 or 3 has this setting: it may differ from the ones in bold where the table says so."""
    start = CLASSIFIER if setting.task == "classification" else PAPER
    heads, rate = setting.heads in TABLED_HEADS[setting.task], setting.rate in RATES
    others = {name: getattr(start, name) for name in TABLED[setting.task]}
    in_table_1 = setting.attention != "uniform"
    return heads and rate and in_table_1 and replace(setting, heads=start.heads, rate=start.rate, **others) == start


TABLED_HEADS = {"induction": (1, 2, 4, 8), "classification": (1, 2, 4)}

TABLED = {
    "induction": ("attention", "normalised", "positions", "shifted", "weight"),
    "classification": ("attention", "normalised", "layers", "mlp", "layer_norm"),
}
"""What tables 2 and 3 have in all variants that are trained here."""


def _part(of: Collection[bool]) -> Fraction:
    return Fraction(sum(map(bool, of)), len(of))


# A run that failed gives None and not 0: no sinks because nothing was learnt would speak for the maps that fail.
def sink_proportion(run: dict[str, Any], score: str = "sinks") -> Fraction | None:
    """The proportion of sink heads in the last layer; None of a run that did not learn the task.

    The score is the plotted one, a quotient of sums, or, as "printed_sinks", the mean of quotients that E.1 prints.
    """
    sinks = run["epochs"][score][-1]
    return _part([one > SINK for one in sinks]) if learned(run) and None not in sinks else None


def printed_sink_proportion(run: dict[str, Any]) -> Fraction | None:
    """The same by the printed score."""
    return sink_proportion(run, "printed_sinks")


def learned(run: dict[str, Any]) -> bool:
    """Whether a run of the induction task is one that the paper does not discard."""
    loss, accuracy = run["epochs"]["loss"][-1], run["epochs"]["accuracy"][-1]
    return loss is not None and accuracy > ENOUGH


# The head that flips most: the text speaks of any one token that determines the label, by whichever head.
def flip_rate(run: dict[str, Any]) -> Fraction | None:
    """The largest flip rate over heads and layers; None of a run that overflowed or did not learn to classify."""
    flips = run["end"]["flips"]
    if flips is None or not learned(run):
        return None
    return Fraction(int(np.max(flips)), int(run["end"]["swaps"]))


def no_sinks(run: dict[str, Any]) -> Fraction | None:
    """The proportion of heads of the last layer that are no sinks."""
    sinks = sink_proportion(run)
    return None if sinks is None else 1 - sinks


# The two heads that differ most: "all heads duplicate each other" is said of every pair.
def overlap_at_query(run: dict[str, Any]) -> Fraction | None:
    """What the rows of any two heads have in common where the induction is asked for: 1 less their total variation."""
    return 1 - Fraction(max(run["end"]["distances_at_query"])) if learned(run) else None


def theory(agrees: Callable[[Any], Any]) -> Read:
    """The proportion of labels for which something read from a trained classifier of one layer agrees with the theory."""

    def read(run: dict[str, Any]) -> Fraction | None:
        found = run["end"].get("theory")
        return _part(agrees({key: np.asarray(value) for key, value in found.items()})) if found else None

    return read


# Other seeds than the recorded ones: an answer that the record cannot have been chosen for.
def trained_now(setting: Setting, seeds: Sequence[int], steps: int) -> list[dict[str, Any]] | None:
    """Runs from seeds that are not in the record, trained now; None where they take more than `steps`.

    A step of training is counted as 500. Raises ModuleNotFoundError, which says what to install.
    """
    if len(seeds) * setting.epochs * -(-setting.samples // setting.batch) * COST > steps:
        return None
    if lacking := missing():
        raise ModuleNotFoundError(lacking)
    from dynamics.transformers.runs import runs  # noqa: PLC0415 -- an extra

    return runs(setting, seeds)


COST = 500
"""Steps of other experiments that one step of training stands for: they take about as long."""
