"""Under the suite's names the checker's process says what the suite does: each function, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict

import pytest

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
    functions = {thing.__name__ for name, content in MODULES.items() if name != LIMITS for thing in content}
    assert {name for name in functions if name[0].islower()} == set(answers)
    assert [name for name, known in answers.items() if sum(known) < 3] == []
