"""Trained transformers: attention patterns, proportions, scores over epochs, winners; drawn from recorded runs alone.

What was not run is not drawn. Positions are means, medians and counts in floats: no word depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import quantiles
from typing import Any

import numpy as np

from claims.atlas.pictures.comparisons import LEGEND, frame_of, interval_pictures, row_of
from claims.atlas.pictures.scenes import Axis, Level, Path, Picture, Region, Scene, Shape, Source
from claims.polarization.setting import transformers as record
from claims.polarization.setting.transformers import (
    CLASSIFIER,
    KINDS,
    NORMALISED_POSITIVE,
    RATES,
    SINK,
    SIZES,
    Read,
    every_map,
    flip_rate,
    learned,
    runs_of,
    sample,
    sink_proportion,
)
from claims.stating.experiments import Sample
from claims.stating.statement import Claim, Standing
from dynamics.transformers.settings import MAPS, Setting

Run = dict[str, Any]
Found = Iterator[tuple[str, Picture]]

FAINT = 0.02  # smaller parts of the largest entry of a pattern are left white: most cells are, and each costs a polygon
SAID = 0.1  # larger ones say their number when they are pointed at
LOWEST, HIGHEST = -0.25, 1.25  # scores of maps of both signs may be anything: what is beyond is drawn at the edge
FEW = 4  # lines, up to which each has a band: more bands would cover each other
LONGEST = 14  # letters of a name that stands at the end of a line


def trained_pictures(claim: Claim) -> list[tuple[str, Picture]]:
    """The pictures of an empirical claim, each with the conclusion it belongs to, "" for all; none of what was not run.

    Raises claims.stating.experiments.RecordError.
    """
    if claim.standing is not Standing.EMPIRICAL or claim.source is not None:
        return []
    found = [picture for paint in PAINTERS.get(claim.id, ()) for picture in paint()]

    def source(samples: Sequence[Sample]) -> Source:
        return _told({one.of: (one.tried, one.failed) for one in samples})

    return [*found, *interval_pictures(claim, source)]


# ---------------------------------------------------------------------------------------------------------------------
# The recorded runs


def _source_of(settings: Sequence[Setting], keeps: Callable[[Run], Any]) -> Source:
    """How many recorded runs of these settings there are, how many failed, and what they were trained with."""
    failed = {setting: sum(not keeps(run) for run in runs_of(setting)) for setting in settings}
    return _told({setting: (len(runs_of(setting)), lost) for setting, lost in failed.items()})


def _told(runs: dict[Setting, tuple[int, int]]) -> Source:
    """The source of a picture: of each setting how many runs there are, and how many of them failed."""
    run = [setting for setting, (every, _) in runs.items() if every]
    every, failed = (sum(numbers[k] for numbers in runs.values()) for k in (0, 1))
    plural = "s" if len(run) > 1 else ""
    text = f"{every} recorded runs of {len(run)} setting{plural}, {failed or 'none'} of them failed to train"
    return Source(f"{text} ({'; '.join(record.trained_with(run))})")


# ---------------------------------------------------------------------------------------------------------------------
# Attention patterns, as in figure 1


def patterns() -> Found:
    """Heads of the second layer on one sample of seed 0: softmax, and sigmoid and linear without normalisation."""
    for width, size in reversed(SIZES.items()):  # of the largest size that was run: it is nearest to the paper's
        samples = [(kind, run) for kind in _of_figure_1(size) for run in runs_of(kind) if run["end"].get("sample")]
        if not runs_of(size) or not samples:
            continue
        for setting, run in samples:
            sample, scores = run["end"]["sample"], run["epochs"]["sinks"][-1]
            heads = np.array(sample["attention"], dtype=np.float64)  # None becomes NaN
            # n' is the symbol that asks for n; its number is that of n beyond the vocabulary.
            names = [
                "BOS" if not one else str(one) if one < setting.vocabulary else f"{one - setting.vocabulary + 1}'"
                for one in sample["input"]
            ]
            largest = float(np.nanmax(np.abs(heads), initial=0.0)) or 1.0
            frames, told = list[Scene](), list[str]()
            for k, (head, score) in enumerate(zip(heads, scores, strict=True), 1):
                shown = "none" if score is None else f"{score:.2f}"
                caption = f"Head {k} of {len(heads)}, sink score {shown}. Full colour: {largest:.2g}"
                axes = ("token attended to", "token that attends")
                frames.append(_heat(head, largest, names, axes, caption, f"{setting.map_name} head {k}"))
                share = float(np.nanmean(head[1:-2, 0]))
                told.append(
                    f"head {k}: {share:.2g} of the attention to BOS on average over the random tokens, "
                    f"sink score {shown} over all samples"
                )
            kept = "" if learned(run) else " This run did not learn the task."
            note = (
                f"One sample of the run from seed 0, at {width}: rows attend to columns; n' is the symbol that asks for n."
                f"{' Negative attention has another colour.' if bool((heads < 0).any()) else ''}{kept}"
            )
            source = Source(f"one recorded run, seed 0 ({'; '.join(record.trained_with([setting]))})")
            alt = f"{setting.map_name} at {width}: {'; '.join(told)}."
            yield "", Picture(f"Attention of the second layer: {setting.map_name}", alt, source, tuple(frames), note)
        return


def _of_figure_1(size: Setting) -> list[Setting]:
    return [size, *(replace(size, attention=one, normalised=False) for one in ("sigmoid", "linear"))]


def _heat(
    values: Any, largest: float, names: Sequence[str], axes: tuple[str, str], caption: str, what: str, unit: str = ""
) -> Scene:
    """Cells (rows, columns) as dark as their numbers are large, the first row on top; negative ones in another colour."""
    rows, columns = values.shape
    shapes: list[Shape] = [
        Region([(0.5, -0.5), (columns + 0.5, -0.5), (columns + 0.5, -rows - 0.5), (0.5, -rows - 0.5)], "outline")
    ]
    for i, j in np.argwhere(np.abs(np.nan_to_num(values)) > FAINT * largest).tolist():
        value, x, y = float(values[i, j]), j + 1.0, -i - 1.0
        text = f"{what}: {names[i]} to {names[j]}, {value:.3g}{unit}" if abs(value) > SAID * largest else ""
        corners = [(x + a, y + b) for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
        shapes.append(Region(corners, "shade", 0 if value > 0 else 1, text, min(1.0, abs(value) / largest)))
    x_axis, y_axis = axes
    return Scene(shapes, Axis(x_axis, names=tuple(names)), Axis(y_axis, rows=rows, names=tuple(names)), caption=caption)


# ---------------------------------------------------------------------------------------------------------------------
# Proportions with their intervals, as in figures 4 and 6


SIDES = (("normalised", 0), ("without normalisation", 1))  # the two variants of an attention map, and their colours


def _proportions(pages: Sequence[tuple[str, Sequence[Setting]]], read: Read, title: str, what: str) -> Found:
    """For every map the proportions of its runs, their mean and its interval."""
    run = [(name, [one for one in settings if runs_of(one)]) for name, settings in pages]
    run = [(name, settings) for name, settings in run if settings]
    if not run:
        return
    run_maps = {one.attention for _, settings in run for one in settings}
    maps = tuple(attention for attention in MAPS if attention in run_maps)
    told, frames = list[str](), list[Scene]()
    for name, settings in run:
        shapes: list[Shape] = [frame_of(len(maps))]
        for row, attention in enumerate(maps, 1):
            variants = [one for one in settings if one.attention == attention]
            samples = [sample(one, read) for one in variants]
            colors = [0 if one.normalised else 1 for one in variants]
            shapes += row_of(-float(row), "", list(zip(samples, colors, strict=True)))
            told += [f"{one.map_name}, {name}: {found.text}" for one, found in zip(variants, samples, strict=True)]
        axis = Axis("", rows=len(maps), names=maps)
        frames.append(Scene(shapes, Axis("proportion"), axis, caption=name, keys=SIDES))
    source = _source_of([one for _, settings in run for one in settings], lambda run: read(run) is not None)
    # What was not run is said: a page that is missing might be taken for one without anything to see.
    missing = [name for name, _ in pages if name not in {name for name, _ in run}]
    note = f"The proportion of {what}. {LEGEND}." + (f" Not recorded: {', '.join(missing)}." if missing else "")
    yield "", Picture(title, "; ".join(told) + ".", source, tuple(frames), note)


def sink_proportions() -> Found:
    """Sink heads for every map at every width."""
    pages = [(width, every_map(size)) for width, size in SIZES.items()]
    return _proportions(pages, sink_proportion, "Sink heads by attention map", "sink heads")


def flip_proportions() -> Found:
    """Flips for every map at every learning rate."""
    pages = [(name, every_map(setting)) for name, setting in _classifiers().items()]
    return _proportions(pages, flip_rate, "Flips by attention map", "swaps that flip the label")


def _classifiers() -> dict[str, Setting]:
    """The classifier at every learning rate, first at the one that table 3 has in bold."""
    rates = sorted(RATES, key=lambda rate: rate != CLASSIFIER.rate)
    return {f"learning rate {rate:g}": replace(CLASSIFIER, rate=rate) for rate in rates}


# ---------------------------------------------------------------------------------------------------------------------
# Over epochs


@dataclass(frozen=True)
class _Line:
    """One setting of a picture over epochs: what it is called, and its colour."""

    name: str
    setting: Setting
    color: int

    @property
    def label(self) -> str:
        """What stands at its end: its name, if it is short."""
        return self.name if len(self.name) <= LONGEST else self.setting.attention


def _over_epochs(
    title: str,
    axis: str,
    pages: Sequence[tuple[str, Sequence[_Line]]],
    read: Callable[[Run], Sequence[float] | None],
    level: Level,
    note: str,
) -> Found:
    """Medians over runs, epoch by epoch; with few lines the middle half of the runs as a band."""
    frames, told, used, beyond = list[Scene](), list[str](), list[Setting](), False
    for name, lines in pages:
        found = [(line, [one for run in runs_of(line.setting) if (one := read(run)) is not None]) for line in lines]
        found = [(line, curves) for line, curves in found if curves]
        shapes: list[Shape] = [level]
        for line, curves in found:
            columns = [sorted(column) for column in zip(*curves, strict=True)]
            # `quantiles` asks for two values at least; of one run all three are its own.
            parts = [quantiles(column if len(column) > 1 else column * 2, n=4, method="inclusive") for column in columns]
            low, middle, high = zip(*parts, strict=True)
            beyond = beyond or min(low) < LOWEST or max(high) > HIGHEST
            if len(found) <= FEW:
                band = [*enumerate(map(_cut, high)), *reversed(list(enumerate(map(_cut, low))))]
                shapes.append(Region([(float(x), y) for x, y in band], "band", line.color))
            points = [(float(epoch), _cut(value)) for epoch, value in enumerate(middle)]
            said = f"{line.name}: median of {len(curves)} runs, {middle[-1]:.2f} in the end"
            shapes.append(Path(points, "line", line.color, said, label=line.label))
            told.append(
                f"{name}, {line.name}: {', '.join(f'{value:.2f}' for value in middle)} (median of {len(curves)} runs)"
            )
            used.append(line.setting)
        if found:
            caption = f"{name}. Medians over the runs" + (", bands: the middle half" if len(found) <= FEW else "")
            frames.append(Scene(shapes, Axis("epoch", whole=True), Axis(axis), caption=caption))
    if frames:
        note += " What is beyond the frame is drawn at its edge." if beyond else ""
        source = _source_of(used, lambda run: read(run) is not None)
        yield "", Picture(title, f"{axis}, epoch by epoch. {'; '.join(told)}.", source, tuple(frames), note)


def _cut(value: float) -> float:
    return min(max(value, LOWEST), HIGHEST)


def _scores(pages: Sequence[tuple[str, Sequence[_Line]]], note: str) -> Found:
    def read(run: Run) -> list[float] | None:
        """The mean over heads after each epoch; None of a run that did not learn the task, or overflowed."""
        scores = run["epochs"]["sinks"]
        if not learned(run) or any(None in heads for heads in scores):
            return None
        return [float(np.mean(heads)) for heads in scores]

    return _over_epochs("Sink score over epochs", "sink score", pages, read, Level(SINK, label="a sink"), note)


def scores_of_every_map() -> Found:
    """The sink score of every map at every width."""
    return _scores(_by_variant(SIZES), "The mean over the heads of the second layer.")


def _by_variant(settings: Mapping[str, Setting]) -> list[tuple[str, list[_Line]]]:
    """Of each setting a page with the normalised maps, and one with those without normalisation."""
    # Twelve on one page could not be told apart. Uniform attention is grey: the seventh colour is nearly the third.
    colors = dict(zip(MAPS, (0, 1, 2, 3, 4, 5, 7), strict=True))
    return [
        (
            f"{name}, {variant}",
            [_Line(one.map_name, one, colors[one.attention]) for one in every_map(setting) if one.normalised is normalised],
        )
        for name, setting in settings.items()
        for variant, normalised in (("normalised", True), ("without normalisation", False))
    ]


def scores_of_figure_1() -> Found:
    """The sink scores of softmax, and of sigmoid and linear without normalisation, at every width."""
    pages = [
        (width, [_Line(one.map_name, one, k) for k, one in enumerate(_of_figure_1(size))]) for width, size in SIZES.items()
    ]
    return _scores(pages, "The mean over the heads of the second layer; sigmoid and linear are without normalisation.")


def scores_against(*changes: tuple[str, dict[str, Any]]) -> Callable[[], Found]:
    """The sink scores of the normalised positive maps: as they are in figure 4, and with changes."""

    def paint() -> Found:
        told = [("as in figure 4", dict[str, Any]()), *changes]
        pages = [
            (one.map_name, [_Line(name, replace(one, **change), k) for k, (name, change) in enumerate(told)])
            for one in NORMALISED_POSITIVE
        ]
        # Where the first change was not run there is nothing to compare, whatever the baseline has.
        run = [(name, lines) for name, lines in pages if all(runs_of(line.setting) for line in lines[1:2])]
        return _scores(run, "The mean over the heads of the second layer, at width 32.")

    return paint


def flips_over_epochs() -> Found:
    """Flips of every map at every learning rate."""

    def read(run: Run) -> list[float] | None:
        flips = run["epochs"].get("flips", [None])
        if not learned(run) or None in flips:
            return None
        # Of several heads the one that flips most, as `flip_rate` reads the last epoch.
        return [float(np.max(one)) / int(run["end"]["swaps"]) for one in flips]

    note = "The part of all swaps of one token that turn the label."
    return _over_epochs("Flips over epochs", "flips", _by_variant(_classifiers()), read, Level(0.5, label="half"), note)


# ---------------------------------------------------------------------------------------------------------------------
# Winners against the theory's leaders

LEADERS = (("leader", "largest value at the start"), ("last_leader", "largest value at the end"))


def winners() -> Found:
    """Which token wins, and which one the theory says: counts over labels and runs."""
    size = CLASSIFIER.length
    names = [*map(str, range(1, size)), "CLS"]
    tables, told, used = list[tuple[str, str, Any]](), list[str](), list[Setting]()
    for kind, setting in KINDS.items():
        read = [theory for run in runs_of(setting) if (theory := run["end"].get("theory"))]
        for key, words in LEADERS if read else ():
            table = np.zeros((size, size))
            for one in read:
                np.add.at(table, (one["winner"], one[key]), 1)
            agree, every = int(np.trace(table)), int(table.sum())
            caption = f"{kind}: in {agree} of {every} the token of the {words} wins; at random about {every / size:.0f}"
            tables.append((caption, words, table))
            told.append(f"{caption} ({len(read)} runs)")
            used.append(setting)
    if not tables:
        return
    largest = max(float(table.max()) for _, _, table in tables)  # one scale: frames are compared by how dark they are
    frames = []
    for caption, _, table in tables:
        scene = _heat(table, largest, names, ("token of the largest value", "token that wins"), caption, "won", " times")
        diagonal = Path([(0.5, -0.5), (size + 0.5, -size - 0.5)], "edge")
        frames.append(replace(scene, shapes=[*scene.shapes, diagonal]))
    note = "Each label of each run counts once. On the dashed line the winner is the leader, as theorems 3.2 and 3.3 say."
    source = _source_of(used, lambda run: run["end"].get("theory"))
    yield (
        "leader_at_the_start_wins",
        Picture("The winner against the theory's leader", "; ".join(told) + ".", source, tuple(frames), note),
    )


# What is drawn of an empirical claim besides its comparisons.
PAINTERS: dict[str, tuple[Callable[[], Found], ...]] = {
    "polarization.attention_sink_emerges_for_softmax_only": (patterns, scores_of_figure_1),
    "polarization.softmax_heads_become_sinks": (sink_proportions, scores_of_every_map),
    "polarization.one_token_flips_the_label": (flip_proportions, flips_over_epochs),
    "polarization.toy_leader_wins_in_transformers": (winners,),
    "polarization.heads_duplicate_without_auxiliary_loss": (scores_against(("lambda = 0", {"weight": 0.0})),),
    "polarization.shifted_queries_give_fewer_sinks": (scores_against(("t_i' = t_i", {"shifted": False})),),
    "polarization.no_positions_give_more_sinks": (
        scores_against(("no positions", {"positions": "no"}), ("concatenated", {"positions": "concat"})),
    ),
}
