"""The independent checker's arithmetic and its two integrators: facts on values, and the bugs that none may survive.

A *fact* is about a world w: fresh copies of the modules, one of which may hold a bug. It is checked at arguments where the
term that one might forget dominates. A bug that merely crashes a fact does not count as caught by it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from mpmath import iv

import dynamics.checker.flint_stand_in
import dynamics.checker.flows
import dynamics.checker.integrator
import dynamics.checker.intervals
import dynamics.checker.recording
import dynamics.checker.trajectories
from tests.checker import facts_of_integrators, facts_of_intervals, facts_of_placed_intervals, facts_of_the_stand_in
from tests.checker.bugs import BUGS, NAMED
from tests.checker.worlds import FACTS, source_of, world
from tests.planting import one_in


def failed(check: Callable[[Any], None], w: Any) -> bool:
    """Whether a fact is found false; a crash of another kind is none."""
    cap, bits = dynamics.checker.flint_stand_in.ctx.cap, iv.prec
    try:
        check(w)
    except AssertionError:
        return True
    except Exception:  # noqa: BLE001 -- whatever a bug does
        return False
    finally:
        iv.prec = bits
        dynamics.checker.flint_stand_in.ctx.cap = cap
    return False


def test_every_bug_has_its_place():
    """Those too that are planted in a long run only."""
    assert [name for name, where, old, _ in BUGS if source_of(where).count(old) != 1] == []


BATTERIES = (facts_of_intervals, facts_of_integrators, facts_of_placed_intervals, facts_of_the_stand_in)
"""Each has added its facts to FACTS."""


@pytest.mark.parametrize("check", FACTS, ids=lambda check: check.__name__)
def test_facts(check):
    check(world())


def test_every_planted_bug_is_caught(capsys):
    sound, costs = world(), {}
    for check in FACTS:
        begin = time.process_time()
        assert not failed(check, sound)
        costs[check] = time.process_time() - begin
    facts, caught = sorted(FACTS, key=costs.__getitem__), {}
    planted = [*BUGS[:NAMED], *one_in(64, BUGS[NAMED:])]
    for name, *bug in planted:
        broken = world(*bug)
        caught[name] = next((check.__name__ for check in facts if failed(check, broken)), None)
        # Neighbours in the list are often caught by the same fact: it is tried first.
        facts.sort(key=lambda check, by=caught[name]: check.__name__ != by)
    assert len(caught) == len(planted)
    with capsys.disabled():
        found = len(planted) - list(caught.values()).count(None)
        print(f"\nindependent checker: planted bugs: {found} of {len(planted)} caught")
    assert [name for name, by in caught.items() if by is None] == []
