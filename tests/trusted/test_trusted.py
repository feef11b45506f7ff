"""The trusted step: every operation on its own, whole trajectories against the truth, and the bugs it must not survive.

A *fact* below is a soundness statement about a module, checked at arguments where the term that one might forget
dominates. The module as it stands satisfies all of them; each planted bug must break at least one. A planted bug that
merely crashes a fact does not count as caught by it.
"""

from __future__ import annotations

import types

import flint
import pytest

import dynamics.enclosures.steps as chain
import dynamics.trusted.taylor as trusted
import dynamics.trusted.trajectory as joined
from claims.mutating.planting import in_place_of
from dynamics.enclosures.steps import enclose
from dynamics.trusted import attention, closed_forms, straight_line
from tests.planting import bugs_of, facts_above, one_in, planted, shown_false, survivors
from tests.trusted import (
    facts_of_attention,
    facts_of_chains,
    facts_of_closed_forms,
    facts_of_lines,
    facts_of_series,
    facts_of_steps,
)
from tests.trusted.facts_of_chains import CHAIN
from tests.trusted.test_whole_trajectories import Clock
from tests.trusted.truth import precision, q


def chain_with_bug(module, *replacements):
    """A copy of dynamics.enclosures.steps over a copy of dynamics.trusted.trajectory with a bug."""
    copy = planted(module, *replacements)
    # The chain imports what it joins steps by: its copy must find the one with the bug.
    with in_place_of(copy):
        over = planted(chain)
    return types.SimpleNamespace(**vars(over), joined=copy)


# The module, what facts are asked of, how a copy with a bug is made, and the facts.
ROOMS = {
    "taylor": (trusted, trusted, planted, facts_above(vars(facts_of_series)) + facts_above(vars(facts_of_steps))),
    "trajectory": (joined, CHAIN, chain_with_bug, facts_above(vars(facts_of_chains), "c")),
    "attention": (attention, attention, planted, facts_above(vars(facts_of_attention), "a")),
    "closed forms": (closed_forms, closed_forms, planted, facts_above(vars(facts_of_closed_forms))),
    "straight lines": (straight_line, straight_line, planted, facts_above(vars(facts_of_lines))),
}


@pytest.mark.parametrize(
    ("asked", "check"),
    [pytest.param(asked, check, id=check.__name__) for _, asked, _, facts in ROOMS.values() for check in facts],
)
def test_fact(asked, check):
    check(asked)


def test_precision_and_series_length_are_restored():
    with precision(77, cap=13):
        # Of each way in: a trajectory, a decision, an end, and an error.
        trajectory = enclose(Clock.instance(), q(1))
        trajectory.decide(lambda now: now.x, strict=True)
        trajectory.end()
        with pytest.raises(ValueError, match="horizon"):
            enclose(Clock.instance(), q(0))
        assert (flint.ctx.prec, flint.ctx.cap) == (77, 13)


def fails(facts, module):
    with precision(64):
        return shown_false(facts, module)


@pytest.mark.parametrize("room", ROOMS)
def test_every_planted_bug_is_caught(room):
    module, _, made, facts = ROOMS[room]
    assert survivors(one_in(16, bugs_of(module)), facts, fails, made) == []
