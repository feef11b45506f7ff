"""The three phases of softmax steps against a loop of float steps; planted bugs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.escapes import phases as room
from dynamics.escapes.phases import TooLongError
from dynamics.tokens.attention_chain import SoftmaxStep
from tests.planting import asked_of, bugs_in

STARTS = {
    "a line": ([[1], [-1], ["1/2"]], [0, 1, 0], 5),
    "two each": ([[1], [-1], ["1/2"], ["-3/4"]], [0, 1, 0, 1], 4),
    "a triangle": ([[1, 0], ["-1/2", "7/8"], ["-1/2", "-7/8"], ["1/2", "1/16"]], [0, 1, 2, 0], 6),
}


def by_loop(name):
    x, leaders, beta = STARTS[name]
    x = np.array([[float(fmpq(*map(int, str(a).split("/")))) for a in row] for row in x])
    first, times = x.copy(), [None, None, None]
    for step in range(3000):
        size = np.linalg.norm(x - x[leaders], axis=-1).max()
        gone = np.linalg.norm(x - first, axis=-1)[sorted(set(leaders))].max()
        apart = np.linalg.norm(x[:, None] - x[None], axis=-1).max()
        for k, happened in enumerate((size <= 0.125, gone > 0.25, apart <= 0.01)):
            times[k] = step if happened and times[k] is None else times[k]
        if times[2] is not None:
            return (*times, x[0])
        weights = np.exp(beta * x @ x.T)
        x = x / 2 + (weights / weights.sum(axis=-1, keepdims=True)) @ x / 2
    raise AssertionError


def phases_are_those_of_the_loop(m, name="a line"):
    x, leaders, beta = STARTS[name]
    start = SoftmaxStep.instance(x=x, beta=beta, gamma="1/2")
    # As many steps as all of them need: the precision is twice as many bits.
    found = m.phases(start, leaders, fmpq(1, 8), fmpq(1, 4), fmpq(1, 100), 700)
    *steps, place = by_loop(name)
    assert [found.gathered, found.left, found.met] == steps == sorted(steps)
    assert np.allclose([float(a.mid()) for a in found.place], place, atol=1e-6)


@pytest.mark.parametrize("name", STARTS)
def test_phases_are_those_of_the_loop(name):
    phases_are_those_of_the_loop(room, name)


def test_what_takes_too_long_or_has_no_phases_is_said():
    x = [[1], [-1], ["1/2"]]
    for beta, eps, most, told in (
        (5, fmpq(1, 4), 40, "not all phases end within 40 steps"),
        (1, fmpq(1, 4), 3000, "others have not gathered"),
        (1, fmpq(3), 3000, "no token has left"),
    ):
        with pytest.raises(TooLongError, match=told):
            room.phases(SoftmaxStep.instance(x=x, beta=beta, gamma="1/2"), [0, 1, 0], fmpq(1, 8), eps, fmpq(1, 100), most)
    with pytest.raises(UndecidedError, match="is a distance above"):
        room._exceeds([room.arb(1, 1)], [room.arb(0)], fmpq(1, 2))


PATH = [["0", "1", "3/4"], ["0", "1", "7/8"], ["5/16", "1", "7/8"], ["7/16", "1/2", "9/16"], ["1/2", "1/2", "17/32"]]
"""Tokens that gather after a step, leave after two, stand in a row with 1/16 between neighbours after three, and meet."""


def phases_are_read_off_any_path(m):
    """In every order of the tokens, the last of which goes to the second one."""
    # Each token first, in the middle and last: a maximum over some of them would be another time.
    for order in permutations(range(3)):
        path = [[[m.arb(fmpq(*map(int, row[k].split("/"))))] for k in order] for row in PATH]
        leaders = [order.index((0, 1, 1)[k]) for k in order]
        m._stepped = lambda x, i, *_, path=path: path[1 + [str(row) for row in path].index(str(x))][i]
        start = SoftmaxStep.instance(x=[[PATH[0][k]] for k in order], beta=1, gamma="1/2")
        found = m.phases(start, leaders, fmpq(1, 8), fmpq(1, 4), fmpq(1, 10), 10)
        assert (found.gathered, found.left, found.met) == (1, 2, 4), order
        assert found.place[0].overlaps(path[4][0][0])


test_paths, test_bugs_on_paths = asked_of(room, [phases_are_read_off_any_path])


@bugs_in(room, part="steps")
def test_bugs_in_steps(bug):
    assert bug.is_noticed([phases_are_those_of_the_loop])
