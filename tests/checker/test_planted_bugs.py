"""The independent checker's arithmetic and its two integrators: facts on values, and the bugs that none may survive.

A *fact* is about a world w: fresh copies of the modules, one of which may hold a bug. It is checked at arguments where the
term that one might forget dominates. A bug that merely crashes a fact does not count as caught by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from mpmath import iv

from dynamics.checker import flint_stand_in, intervals, trajectories
from tests.checker import facts_of_integrators, facts_of_intervals, facts_of_placed_intervals, facts_of_the_stand_in
from tests.checker.worlds import FACTS, ORDER, world
from tests.planting import bugs_of, one_in, shown_false, survivors


def fails(facts: Iterable[Callable[[Any], None]], w: Any) -> bool:
    """Whether a fact is found false, each at the checker's usual precision."""
    cap, bits = flint_stand_in.ctx.cap, iv.prec
    try:
        return shown_false(facts, w)
    finally:
        iv.prec = bits
        flint_stand_in.ctx.cap = cap


BATTERIES = (facts_of_intervals, facts_of_integrators, facts_of_placed_intervals, facts_of_the_stand_in)
"""Each has added its facts to FACTS."""


@pytest.mark.parametrize("check", FACTS, ids=lambda check: check.__name__)
def test_facts(check):
    check(world())


def test_every_planted_bug_is_caught():
    """Those that no test had noticed once are planted in every run."""
    always = [bug for module in (intervals, trajectories) for bug in bugs_of(module, "always")]
    others = [bug for module in ORDER.values() for bug in bugs_of(module)]
    assert survivors([*always, *one_in(64, others)], FACTS, fails, world) == []
