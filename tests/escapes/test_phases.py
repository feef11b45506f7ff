"""The three phases of softmax steps against a loop of float steps; planted bugs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.escapes import phases as room
from dynamics.escapes.phases import TooLongError, phases
from dynamics.tokens.attention_chain import SoftmaxStep
from tests.planting import bugs_in, planted

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


def exactly(name, most=700):
    x, leaders, beta = STARTS[name]
    start = SoftmaxStep.instance(x=x, beta=beta, gamma="1/2")
    return phases(start, leaders, fmpq(1, 8), fmpq(1, 4), fmpq(1, 100), most)


def agrees(name):
    found, (gathered, left, met, place) = exactly(name), by_loop(name)
    where = [float(a.mid()) for a in found.place]
    return (found.gathered, found.left, found.met) == (gathered, left, met) and np.allclose(where, place, atol=1e-6)


@pytest.mark.parametrize("name", STARTS)
def test_phases_are_those_of_the_loop(name):
    assert agrees(name)
    assert exactly(name).gathered < exactly(name).left < exactly(name).met


def test_what_takes_too_long_or_has_no_phases_is_said():
    with pytest.raises(TooLongError, match="not all phases end within 40 steps"):
        exactly("a line", 40)
    warm = SoftmaxStep.instance(x=[[1], [-1], ["1/2"]], beta=1, gamma="1/2")
    with pytest.raises(TooLongError, match="others have not gathered"):
        phases(warm, [0, 1, 0], fmpq(1, 8), fmpq(1, 4), fmpq(1, 100))
    with pytest.raises(TooLongError, match="no token has left"):
        phases(warm, [0, 1, 0], fmpq(1, 8), fmpq(3), fmpq(1, 100))
    edge = SoftmaxStep.instance(x=[[1], [-1]], beta=1, gamma="1/2")
    with pytest.raises(UndecidedError, match="is a distance above"):
        room._exceeds([room.arb(1, 1)], [room.arb(0)], edge.gamma.item())


PATH = [["0", "1", "3/4"], ["0", "1", "7/8"], ["5/16", "1", "7/8"], ["7/16", "1/2", "9/16"], ["1/2", "1/2", "17/32"]]
"""Tokens that gather after a step, leave after two, stand in a row with 1/16 between neighbours after three, and meet."""


def phases_are_read_off_any_path(m):
    """In every order of the tokens, the last of which goes to the second one."""
    for order in permutations(range(3)):
        path = [[[m.arb(fmpq(*map(int, row[k].split("/"))))] for k in order] for row in PATH]
        leaders = [order.index((0, 1, 1)[k]) for k in order]
        m._stepped = lambda x, i, *_, path=path: path[1 + [str(row) for row in path].index(str(x))][i]
        start = SoftmaxStep.instance(x=[[PATH[0][k]] for k in order], beta=1, gamma="1/2")
        found = m.phases(start, leaders, fmpq(1, 8), fmpq(1, 4), fmpq(1, 10), 10)
        assert (found.gathered, found.left, found.met) == (1, 2, 4), order
        assert found.place[0].overlaps(path[4][0][0])


def test_phases_are_read_off_any_path():
    phases_are_read_off_any_path(planted(room))


@bugs_in(room)
def test_a_bug_planted_in_phases_is_noticed(bug):
    assert bug.is_noticed([phases_are_read_off_any_path])


def a_step_too_short(monkeypatch):
    true = room._stepped
    monkeypatch.setattr(room, "_stepped", lambda x, i, beta, gamma: true(x, i, beta, gamma * fmpq(999, 1000)))


def colder(monkeypatch):
    true = room._stepped
    monkeypatch.setattr(room, "_stepped", lambda x, i, beta, gamma: true(x, i, beta * fmpq(1001, 1000), gamma))


def wider(monkeypatch):
    true = room._exceeds
    monkeypatch.setattr(room, "_exceeds", lambda p, q, size: true(p, q, size * fmpq(5, 4)))


@pytest.mark.parametrize("bug", [a_step_too_short, colder, wider])
def test_planted_bugs_are_noticed(monkeypatch, bug):
    bug(monkeypatch)
    assert not agrees("a line")
