"""Starts that decide their own limits: what the lemmas say for ever is what long runs do, and planted bugs are noticed."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import UndecidedError, exact, fraction
from dynamics.integrate import integrate
from dynamics.limits import NoLemmaError, hyperplanes, polytopes, repulsion, starts
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from tests.planting import asked_of


def box(*sides, B=None, V=None):
    signs = np.array(np.meshgrid(*[[1, -1]] * len(sides))).reshape(len(sides), -1).T
    rows = [[int(s) * fmpq(u) for s, u in zip(row, sides, strict=True)] for row in signs]
    eye = np.eye(len(sides), dtype=int)
    return RescaledFlow.instance(z=rows, B=eye if B is None else B, V=eye if V is None else V)


def line(z, B=1, V=1, W=1, t=0):
    return PerceptronFlow.instance(z=[[value] for value in z], B=[[B]], V=[[V]], W=[[W]], t=t)


def pairs(f, y, B=1, c=1, mu=1, lam=1, t=0):
    rows = [[h, *(s * v for v in w)] for h, w in zip(f, y, strict=True) for s in (1, -1)]
    B, V = ([[(own if k == 0 else -size) * (j == k) for j in range(len(rows[0]))] for k in range(len(rows[0]))]
            for own, size in ((c, B), (lam, mu)))  # fmt: skip
    return RescaledFlow.instance(z=rows, B=B, V=V, t=t)


def triangle(r, s, c=1, v=-1):
    B = [[c, -fmpq(c) / 2 - s], [-fmpq(c) / 2 + s, c]]
    return SelfAttentionFlow.instance(x=[[r, 0], [0, r], [-r, -r]], B=B, V=[[v, 0], [0, v]])


def caught(trap, start):
    """What a trap shows of a start, None where it does not catch."""
    try:
        return trap(start, start)
    except UndecidedError:
        return None


def places(values, apart):
    """How many numbers or points there are, those that are near counted once."""
    kept = []
    for value in np.asarray(values, dtype=float).reshape(len(values), -1):
        if all(np.abs(value - other).max() > apart for other in kept):
            kept.append(value)
    return len(kept)


def late(start, when):
    (state,) = integrate(start, [when], 1e-10)
    return state


@pytest.mark.parametrize("start", [box(1, "1/2", V=[[2, 0], [0, 1]]), box("1/4", 2, B=[[3, 0], [0, 1]]), box(1)])
def test_corners_keep_to_themselves(start):
    end = starts.corners_trap(start, start)
    assert places(late(start, 2.0).z, 1e-3) == end.number_of_limits == len(start.z)


FOUR = line([-1, -2, -3, -4])


@pytest.mark.parametrize("start", [FOUR, line([-1, "-3/2", -3], B=2, V="1/2"), line(["-5/4", -2, -3], t="1/4")])
def test_tokens_below_0_stay_under_a_perceptron(start):
    end = starts.frozen_trap(start, start)
    z = late(start, 3.0).z
    order = np.argsort(start.z[:, 0].astype(float))
    assert np.array_equal(z[order[1:], 0], start.z[order[1:], 0].astype(float))
    assert places(z, 1e-3) == end.number_of_limits == len(start.z)
    first, second = start.z[order[:2], 0]
    assert float(first) <= z[order[0], 0] < float(first + second) / 2


STAR = ((7, 0), (0, 7), (5, 5), (5, -5))


@pytest.mark.parametrize("start", [pairs(("-3/8", "-1/8", "1/8", "3/8"), STAR), pairs((0, 1, 2, "5/2"), STAR, B=2, mu=2)])
def test_pairs_keep_their_heights(start):
    end = starts.pairs_trap(start, start)
    z = late(start, 1.0).z
    assert places(z[:, :1], 0.05) == end.number_of_limits == 4
    assert np.abs(z[:, 0] - start.z[:, 0].astype(float)).max() < 0.05


@pytest.mark.parametrize("start", [triangle(1, 3), triangle(2, -2), triangle(fmpq(1, 2), 12, c=2, v="-1/2")])
def test_a_triangle_turns_and_grows(start):
    assert starts.triangle_trap(start, start).runs_off
    lengths = [np.abs(state.x).max() for state in integrate(start, [0.5, 4.0], 1e-9)]
    assert lengths[1] > 1.5 * lengths[0] > 0


def test_a_small_triangle_shrinks_and_is_not_caught():
    start = triangle(fmpq(1, 8), 3)
    assert caught(starts.triangle_trap, start) is None
    x = late(start, 20.0).x[0].astype(float)
    assert x @ x - x[0] * x[1] < 0.9 / 64


@pytest.mark.parametrize(
    ("trap", "start"),
    [
        (starts.corners_trap, box(1, 0)),
        (starts.corners_trap, box(1, 1, V=[[1, 0], [1, 1]])),
        (starts.corners_trap, triangle(1, 3)),
        (starts.frozen_trap, line([-1, 1])),
        (starts.frozen_trap, line([-1, -1, -2])),
        (starts.frozen_trap, box(1)),
        (starts.pairs_trap, pairs((0, 1), ((3, 0), (0, 3)), t=1)),
        (starts.pairs_trap, pairs((0, 1), ((9, 0), (0, 9)), mu=fmpq(1, 2))),
        (starts.pairs_trap, pairs((0, 1), ((9, 0), (0, 0)))),
        (starts.pairs_trap, FOUR),
        (starts.triangle_trap, triangle(3, fmpq(3, 2))),
        (starts.triangle_trap, triangle(3, 3, v=1)),
        (starts.triangle_trap, SelfAttentionFlow.instance(x=[[1, 0], [0, 1], [-1, 0]], V=[[-1, 0], [0, -1]])),
        (starts.triangle_trap, FOUR),
    ],
)
def test_other_starts_are_no_matter_of_the_lemma(trap, start):
    with pytest.raises((NoLemmaError, UndecidedError)):
        trap(start, start)


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs: states on both sides of each edge, found by hand from the lemmas


PAIRED = pairs((-1, 0, fmpq(1, 64)), ((5, 0, 0), (0, 5, 0), (0, 0, 5)), B=fmpq(1, 2))

EDGES = (
    ("corners_trap", box(1, 2), 4),
    ("corners_trap", box(1, 2, V=[[1, 0], [0, -1]]), None),
    ("corners_trap", box(1, 2, B=[[1, 0], [0, -1]]), None),
    ("frozen_trap", FOUR, 4),
    ("frozen_trap", line([-2, -1]), 2),
    ("frozen_trap", line([-2, -1], W=3), None),  # the least one goes too far
    ("frozen_trap", line([-2, -1], W=2), 2),
    ("frozen_trap", line([-2, "-19/10", "-1/10", "-1/5", "-3/10"], W="1/1000"), None),  # the second one goes, too
    ("frozen_trap", line([-2, "-19/10", "-1/10", "-1/5", "-3/10"], W="1/1000", t=1), 5),
    ("frozen_trap", line([-2, "-19/10", "-1/10", "-1/5", "-3/10"], W="1/1000", B=3), 5),
    ("frozen_trap", line(["-9/8", -1]), None),
    ("pairs_trap", pairs((0, 1), ((3, 0), (0, 3)), c=4), None),  # heights count for more
    ("pairs_trap", pairs((0, 1), ((3, 0), (0, 3)), c=fmpq(1, 2)), 2),
    ("pairs_trap", pairs((8, 9), ((3, 0), (0, 3)), c=fmpq(1, 2)), None),
    # Two of the three pairs may meet, or not: "at least two limits" is no number of limits.
    ("pairs_trap", pairs((-1, 0, fmpq(1, 4096)), ((5, 0, 0), (0, 5, 0), (0, 0, 5)), B=fmpq(1, 2)), None),
    ("pairs_trap", PAIRED, 3),
    ("pairs_trap", pairs((-1, 0, 0), ((5, 0, 0), (0, 5, 0), (0, 0, 5)), B=fmpq(1, 2)), None),
    ("pairs_trap", pairs((0, 0), ((2, 0), (0, 2)), B=1), None),
    ("pairs_trap", pairs((0, 0), ((3, 0), (0, 3)), B=1), 1),
    ("triangle_trap", triangle(1, fmpq(9, 4)), True),
    ("triangle_trap", triangle(1, 2), None),
    ("triangle_trap", triangle(2, 2), True),
    ("triangle_trap", triangle(1, 3, c=2), None),
    ("triangle_trap", triangle(1, fmpq(5, 4), c=fmpq(1, 2)), None),
)


def opposite(start):
    """The start with all tokens turned to the other side of 0, which no lemma of self-attention sees."""
    name = "x" if isinstance(start, SelfAttentionFlow) else "z"
    return start.replace(**{name: -getattr(start, name)})


def edges(module):
    for name, start, known in EDGES:
        for one in (start,) if name == "frozen_trap" else (start, opposite(start)):
            end = caught(getattr(module, name), one)
            said = None if end is None else end.runs_off if name == "triangle_trap" else end.number_of_limits
            assert said == known, (name, one)


def foreign(module):
    # With one token twice, left out, or moved a little a start is another one.
    for name, start in (("corners_trap", EDGES[0][1]), ("pairs_trap", PAIRED), ("triangle_trap", triangle(1, fmpq(9, 4)))):
        field = "x" if name == "triangle_trap" else "z"
        tokens, trap = getattr(start, field), getattr(module, name)
        assert caught(trap, start) is not None
        for k in range(len(tokens)):
            moved = tokens.copy()
            moved[k, 0] += fmpq(1, 64)
            for others in (np.concatenate([tokens, tokens[k : k + 1]]), np.delete(tokens, k, axis=0), moved):
                assert caught(trap, start.replace(**{field: others})) is None, (name, k)
    for start in (pairs((0, 1), ((9, 0), (0, 9)), mu=fmpq(1, 2)), pairs((0, 1), ((9, 0), (0, 9)), t=1)):
        assert caught(module.pairs_trap, start) is None


test_starts, test_bugs_in_starts = asked_of(starts, [edges, foreign])


# ---------------------------------------------------------------------------------------------------------------------
# Mirrored tokens that repel (Lemma N)


def mirrored(c, *half, middle=(), V=((1, 0), (0, "1/2"))):
    rows = [*half, *([str(-fmpq(value)) for value in row] for row in half), *middle]
    return RescaledFlow.instance(z=rows, B=[[c, "1/4"], ["1/8", 1]], V=V)


REPELLED = (
    (mirrored(-1, [1, "1/2"]), 1),
    (mirrored(-1, [1, "1/2"], ["1/4", 1], middle=[[0, 0]]), 1),
    (mirrored(-2, [1, 3], [2, -1], V=((1, 0), (0, "-3/4"))), 1),
    (mirrored(-1, [1, 2], ["1/8", 1]).replace(z=exact([[1, 2], ["1/8", 1], [-1, -2], ["-1/8", 2]])), None),
    # Far out on both sides, and no mirror images of each other.
    (mirrored(-1, [4, 0]).replace(z=exact([[4, 0], [-3, 0]])), None),
    (mirrored(6, [2, "1/8"]), 2),
    (mirrored(6, [2, "1/8"], middle=[[0, 0]]), 3),
    (mirrored(-1, [1, "1/2"], V=((1, 0), (0, 1))), None),
    (mirrored(-1, [1, "1/2"], V=((-1, 0), (0, 0))), None),
)


def repelled(module):
    for start, known in REPELLED:
        end = caught(module.hyperplanes_trap, start)
        assert (None if end is None else end.count) == known, start.to_json()
        if known == 1:
            assert set(end.sides.tolist()) == set(end.classes.tolist()) == {0}
            assert all(height == 0 for height in end.heights)


def test_mirrored_tokens_that_repel_tend_to_0():
    for start, known in REPELLED:
        if known == 1:
            heights = [np.abs(state.z[:, 0]).max() for state in integrate(start, [1.0, 5.0], 1e-9)]
            assert heights[1] < heights[0] / 8


test_mirrored_tokens, test_bugs_about_mirrored_tokens = asked_of(hyperplanes, [repelled])


def repelling(z, B=((-1, 0), (0, -1)), V=1):
    return RescaledFlow.instance(z=z, B=B, V=[[V, 0], [0, V]])


CROSS = [[1, 0], [-1, 0], [0, 2], [0, -2]]

GATHERED = (
    (repelling(CROSS), 1),
    (repelling([*CROSS, [0, 0]], B=((-2, 1), (1, -1)), V="1/2"), 1),
    (repelling([[1, 2], [1, 2], [-1, -2]]), None),
    (repelling(CROSS, B=((-1, 0), (0, 1))), None),
    (repelling(CROSS, B=((-1, 1), (-1, -1))), None),
    (repelling(CROSS, V=-1), None),
    (repelling([[9, 0], [10, 1]]), 1),  # by Lemma B2
)


def gathered(module):
    for start, known in GATHERED:
        end = caught(module.gathering_trap, start)
        found = None if end is None or end.number_of_limits > 1 else 1
        assert found == known, start.to_json()


def test_mirrored_tokens_gather_where_scores_repel():
    for start, _ in GATHERED[:2]:
        assert np.abs(late(start, 4.0 / float(fraction(start.V[0, 0]))).z).max() < 0.3


test_gathering, test_bugs_about_gathering = asked_of(repulsion, [gathered])


# ---------------------------------------------------------------------------------------------------------------------
# Tokens that rest at 0 between mirrored ones, beside a polytope (Lemma T4'')


def beside_a_plane(z):
    return RescaledFlow.instance(z=z, B=np.eye(3, dtype=int), V=[[1, 0, 0], [0, 1, 0], [0, 0, "1/4"]])


MIDDLE = (
    (beside_a_plane([[4, 1, 0], [-4, -1, 0], [0, 0, 0]]), 2),
    (beside_a_plane([[4, 1, 0], [-4, -1, 0], [0, 0, 0], [0, 0, 0]]), 2),
    (beside_a_plane([[4, 1, 0], [-4, -1, 0], [0, 0, 1], [0, 0, -1]]), None),
    (beside_a_plane([[4, 1, 0], [-4, 1, 0], [0, 0, 0]]), None),
    (beside_a_plane([[4, 1, 0], [-4, 1, 0]]), 2),
    (beside_a_plane([[0, 0, 0]]), 0),
    (beside_a_plane([["1/8", "1/3", 1]]), 1),
)


def in_the_middle(module):
    for start, known in MIDDLE:
        end = caught(module.polytope_trap, start)
        assert (None if end is None else len(end.squares)) == known, start.to_json()
        if known:
            assert all(value > 0 for value in end.squares)
            assert (start.z.shape[0] == 1) == all(value == 0 for value in end.residual)


test_the_middle, test_bugs_about_the_middle = asked_of(polytopes, [in_the_middle])
