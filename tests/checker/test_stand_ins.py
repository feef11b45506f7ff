"""Under the suite's names the checker's process says what the suite does: each function, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict

import pytest

from dynamics.arithmetic import UndecidedError, exact
from dynamics.checker import stand_ins
from dynamics.checker.stand_ins import LIMITS, MODULES
from tests.checker.said_by_both import said

FAILED = ("ValueError", "NotSettledError", "UndecidedError")


@pytest.fixture(scope="module")
def theirs():
    return json.loads(json.dumps(said()))


@pytest.fixture(scope="module")
def ours(theirs):
    stated = [finding for _, _, heard in theirs for finding in heard if finding["kind"] == "separation"]
    command = [sys.executable, "-m", "tests.checker.said_by_both"]
    return json.loads(subprocess.run(command, input=json.dumps(stated), check=True, capture_output=True, text=True).stdout)


def is_same(mine: object, other: object) -> bool:
    """Whether all is equal, and each float lies between the ends of an interval, but for its own rounding."""
    if isinstance(mine, list) and isinstance(other, list) and len(mine) == len(other):
        if all(isinstance(one, float) for one in (*mine, *other)) and mine:
            # A float of the suite against both ends of the checker's interval, which must be narrow as well.
            return mine[0] - 1e-15 <= other[0] <= mine[-1] + 1e-15 and mine[-1] - mine[0] < 1e-12
        return all(map(is_same, mine, other))
    return mine == other


def test_each_says_what_the_suites_does(ours, theirs):
    assert len(ours) == len(theirs)
    assert [(mine, other) for mine, other in zip(ours, theirs, strict=True) if not is_same(mine, other)] == []


def test_each_is_asked_and_most_answer(theirs):
    answers = defaultdict(list)
    for name, value, _ in theirs:
        answers[name].append(value not in FAILED)
    # The invariant regions have tables of their own, in which both statements of each lemma are compared.
    elsewhere = (LIMITS, "dynamics.limits.contraction", "dynamics.limits.hulls", "dynamics.limits.sandwich")
    functions = {thing.__name__ for name, content in MODULES.items() if name not in elsewhere for thing in content}
    assert {name for name in functions if name[0].islower()} == set(answers)
    assert [name for name, known in answers.items() if sum(known) < 3] == []


@pytest.mark.parametrize(
    ("point", "direction", "gap"),
    [(2, -1, 1), (2, -2, None), (2, "-1/2", None), (2, 1, None), (2, 0, None), (1, -1, None), (0, -1, None), (0, 1, None)],
)
def test_only_a_direction_of_length_one_that_separates_is_taken(monkeypatch, point, direction, gap):
    """Of a point beside the interval from -3 to 1, at its end, and inside."""
    points = [[-3], [1]]
    stated = {"kind": "separation", "point": [point], "points": points, "direction": [direction]}
    monkeypatch.setattr(stand_ins, "STATED", [stated])
    outside = stand_ins.Membership(False, exact([point]), exact(points))
    if gap is None:
        with pytest.raises(UndecidedError):
            outside.gap  # noqa: B018 -- a property that refuses
    else:
        assert outside.gap == gap
        assert outside.witness.item() == direction
