"""Hardmax runs that gather at 0: what is shown of them is what they do, on both sides of each edge, by two formulas."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import exact
from dynamics.checker import orbits as checker_orbits
from dynamics.orbits import gathering
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import NotSettledError, settle
from dynamics.tokens.hardmax import HardmaxStep
from tests.checker.test_restated_steps import fractions
from tests.planting import LONG, asked_of

SEEN = 6


def run(x, gamma, B=None, selection=None, steps=SEEN):
    eye = np.eye(len(x[0]), dtype=int)
    more = {} if selection is None else {"selection": selection}
    B = -eye if B is None else B
    return orbit(
        HardmaxStep.instance(
            x=x, B=B, P=[[gamma if i == j else 0 for j in range(len(eye))] for i in eye.argmax(0)], **more
        ),
        steps,
    )


def by_suite(module):
    return module.gathers_at_origin


def by_checker(module):
    def gathers(states):
        f = states[0]
        x, B, selection = ([fractions(now.x) for now in states], fractions(f.B), fractions(f.selection))
        return module.gathers(x, B, fractions(f.P)[0][0], selection)

    return gathers


# Uneven shares among those that lead alike: their mean is not the middle.
LOPSIDED = [[1, 1, 1], [1, 3, 1], [2, 1, 1]]

KNOWN = [
    (run([[1, 0], [-1, 0]], "7/8"), True),
    (run([[1, 0], [-1, 0]], "7/8", selection=[[1, 2], [3, 4]]), True),  # a factor of -3/4
    (run([[1, 0], [-1, 0]], "7/8", B=[[1, 0], [0, 1]]), False),
    (run([[1], [-1], [0]], "3/4"), True),
    (run([[1], [-1], [0]], "3/4", selection=LOPSIDED, steps=0), False),
    (run([[1], [-1], [0]], "3/4", B=[[1]]), False),
    (run([[1], [-1], ["1/2"]], "1/3"), True),
    (run([[1], [-1], ["1/2"]], "1/3", B=[[1]]), False),
    (run([[1], [-1], ["1/8"]], "3/8"), False),
    (run([[1], [-1], ["1/2"]], "1/4"), True),
    (run([[1], ["-9/8"], ["1/2"]], "1/4"), False),
    (run([[1, 2], [-1, -2], [3, 0], [-3, 0]], "1/5"), True),
    (run([[1, 2], [-1, -2], [3, 0], [-3, 0]], "1/5", B=[[-1, 0], [0, 0]]), False),
    (run([[1, 2], [-1, -2], [3, 0], [-3, 0]], "1/5", B=[[-1, 1], [-1, -1]]), False),
    (run([[1, 2], [-1, -2], [3, 0], [-3, 1]], "1/5"), False),
    (run([[1, 2], [1, 2], [-1, -2]], "1/5"), True),
    (run([[1], [1], [-1], [0]], "3/4"), False),
    (run([[1, 0], [-1, 0], [0, 1], [0, -1], [0, 0]], "1/5"), True),
    (run([[0, 0], [0, 0]], "1/5"), True),
    (run([[3, 1]], "1/5"), False),
    (run([[1], [-3]], "1/2"), False),
]


def facts(gathers):
    for states, known in KNOWN:
        assert gathers(states) is known, states[0]
    for outside in (0, 1):
        with pytest.raises(ValueError, match=r"step|inside|\(0, 1\)"):
            gathers(run([[1], [-1]], outside, steps=2))


test_edges, test_bugs_at_edges = asked_of(gathering, [lambda m: facts(by_suite(m))])
test_edges_again, test_bugs_at_edges_again = asked_of(checker_orbits, [lambda m: facts(by_checker(m))], "gathering")


def drawn(count):
    rng = np.random.default_rng(8)
    for turn in range(count):
        n, d = int(rng.integers(1, 5)), 1 + turn % 2
        x = rng.integers(-2, 3, (n, d))
        # Mirrored starts have their mean at 0, which is what mostly gathers.
        x = np.concatenate([x, -x]) if turn % 3 == 0 else x
        M = rng.integers(-1, 2, (d, d))
        selection = rng.integers(1, 3, (len(x), len(x))) if turn % 4 == 1 else np.ones((len(x), len(x)), dtype=int)
        B = (-np.eye(d, dtype=int), -M @ M.T - np.eye(d, dtype=int), M, np.eye(d, dtype=int))[int(rng.integers(0, 4))]
        yield run(x.tolist(), ("1/2", "1/3", "7/8", "1/5")[turn % 4], B.tolist(), selection.tolist())


def test_what_gathers_does_in_a_long_run_and_never_settles_elsewhere():
    shown, count = 0, 160 if LONG else 50
    for states in drawn(count):
        gathers = by_suite(gathering)(states)
        # Two formulas of one fact: they may not differ anywhere, whether or not it gathers.
        assert by_checker(checker_orbits)(states) is gathers
        if not gathers:
            continue
        shown += 1
        size, late = abs(states[0].x).max(), orbit(states[-1], 80)[-1]
        # After 80 steps all of them are near 0, or it was said too soon.
        assert abs(late.x).max() <= size / 64
        try:
            limits = settle(states[0], 20).final.limits
        except NotSettledError:
            continue
        assert (limits == exact(np.zeros(limits.shape, dtype=int))).all()
    # A test that always says no would have passed so far.
    assert shown > count / 6


def test_ends_that_are_even_need_steps_of_at_most_a_third():
    """gamma = 3/8: a token between the ends goes beyond them, and the hull leaves 0 in the end."""
    limits = settle(run([[1], [-1], ["1/8"]], "3/8")[0], 40).final.limits
    assert limits[0, 0] != fmpq(0)
