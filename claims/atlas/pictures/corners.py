"""A corner in many dimensions: what a token loses of its scores there, and the lengths that its bound is stated in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from flint import arb

from claims.atlas.pictures.scenes import Axis, Dot, Level, Picture, Region, Scene, Shape
from claims.atlas.pictures.subject import Subject, as_float, nothing_to_show, numeral
from dynamics.arithmetic import numbers, rational, working_precision
from dynamics.tokens.attention_chain import AttentionChain

BITS = 128

Row = tuple[str, arb, str]  # a name, a length, and the style of its bar
MOST = 4  # different distances that are drawn, the largest: of a simplex there are two


def gaps_at_a_corner(subject: Subject) -> Iterator[Picture]:
    """The rate at which the share of other groups falls, beside what is stated of it, in units of scores."""
    chain = _chain(subject)
    with working_precision(BITS):
        c_0, D, r, beta = (arb(numbers(one).item()) for one in (chain.c_0, chain.diameter, chain.rho, chain.beta))
        slacks = numbers(subject.conclusion.slack(chain))
        token = min(range(len(slacks)), key=lambda i: as_float(slacks[i]))
        worst = arb(slacks[token])
        # The claim bounds log(share) by log(n) - beta c_0 / 2; over -beta both are rates at which shares fall.
        needed = c_0 / 2 - arb(len(chain.x)).log() / beta
        rate = needed + worst / beta
        rows: list[Row] = [
            ("c_0, at the vertices", c_0, "bar"),
            ("c_0 - 4 D r - 2 r^2, as printed", c_0 - 4 * D * r - 2 * r * r, "bar"),
            (f"true, of token {token + 1}: -log(share)/beta", rate, "forbidden bar"),
        ]
    if not (worst < 0 and rate < needed and rows[1][1] > needed):
        raise nothing_to_show(subject, "has no share of other groups beyond the printed bound")
    edge = as_float(needed)
    shapes = [
        Region([(0.0, 0.0), (edge, 0.0), (edge, -len(rows) - 0.6), (0.0, -len(rows) - 0.6)], "forbidden", told="too slow"),
        *_bars(rows),
        Level(edge, True, "violated"),
        Dot((as_float(rate), -len(rows) - 0.15), "mark", told=f"less than {numeral(needed)}"),
        Dot((edge, -0.35), "tip", label="printed: at least this"),
    ]
    alt = (
        f"Bars in units of scores: the share of other groups falls at the rate {numeral(rate)}, short of the printed "
        f"{numeral(needed)}, though the printed hypothesis leaves {numeral(rows[1][1])}."
    )
    caption = f"Shaded: slower than printed. The share is off by {numeral(-worst)} in its logarithm"
    frame = Scene(shapes, Axis("gap of scores"), Axis("", rows=len(rows)), caption=caption)
    yield Picture("What a token at the corner keeps of its gap", alt, subject.source, (frame,), _note(chain))


def lengths_of_a_corner(subject: Subject) -> Iterator[Picture]:
    """The distances of the vertices, each as often as it occurs, beside the norm that enters the scores."""
    chain = _chain(subject)
    scores = chain.v @ chain.v.T
    squares = scores.diagonal()[:, None] + scores.diagonal()[None, :] - 2 * scores
    counts = Counter(map(rational, squares[np.triu_indices(len(squares), 1)]))
    with working_precision(BITS):
        rows: list[Row] = [
            (f"{count} distances |v_i - v_j|", arb(square).sqrt(), "bar")
            for square, count in sorted(counts.items())[-MOST:]
        ]
        R, r = arb(chain.R.item()), arb(chain.rho.item())
        rows += [("R = |v_i|, of every vertex", R, "forbidden bar"), ("r, how far a token is from its vertex", r, "bar")]
    if not rows[-3][1] < R:
        raise nothing_to_show(subject, "is a polytope whose diameter exceeds its norms")
    d = chain.v.shape[-1]
    alt = (
        f"Bars of lengths: the {len(chain.v)} vertices in R^{d} have distances up to {numeral(rows[-3][1])}, but norms of "
        f"{numeral(R)}, which the printed bound does not see."
    )
    frame = Scene(_bars(rows), Axis("length"), Axis("", rows=len(rows)), caption="All distances of the vertices, and R")
    yield Picture(f"The simplex in R^{d}, by its lengths", alt, subject.source, (frame,), _note(chain))


def _chain(subject: Subject) -> AttentionChain:
    assert isinstance(subject.system, AttentionChain)
    return subject.system


def _note(chain: AttentionChain) -> str:
    kappa, d = chain.v.shape
    return f"{kappa} vertices in R^{d}, {len(chain.x)} tokens, beta = {rational(chain.beta.item())}."


def _bars(rows: Sequence[Row]) -> list[Shape]:
    """A bar for each row, with its name and its number over it."""
    shapes: list[Shape] = []
    for k, (name, value, style) in enumerate(rows, 1):
        high, color = as_float(value), None if style.startswith("forbidden") else 0
        bar = [(0.0, -k - 0.35), (high, -k - 0.35), (high, -k + 0.05), (0.0, -k + 0.05)]
        text = f"{name}: {numeral(value)}"
        shapes += [Region(bar, style, color, text), Dot((0.0, -k + 0.1), "tip", label=text)]
    return shapes
