"""The trusted step: every operation on its own, whole trajectories against the truth, and the bugs it must not survive.

A *fact* below is a soundness statement about a module, checked at arguments where the term that one might forget
dominates. The module as it stands satisfies all of them; each planted bug must break at least one. A planted bug that
merely crashes a fact does not count as caught by it.
"""

from __future__ import annotations

import inspect
import time
import types

import flint
import pytest

import dynamics.enclosures.steps as chain
import dynamics.trusted.taylor as trusted
import dynamics.trusted.trajectory as joined
from dynamics.enclosures.steps import enclose
from dynamics.trusted import attention, closed_forms, straight_line
from tests.planting import in_place_of, one_in, planted, replaced
from tests.trusted import facts_of_closed_forms, facts_of_lines, facts_of_series, facts_of_steps
from tests.trusted.bugs import PLANTED, PLANTED_IN_ATTENTION, PLANTED_IN_THE_CHAIN
from tests.trusted.bugs_in_closed_forms import PLANTED as PLANTED_IN_CLOSED_FORMS
from tests.trusted.facts_of_attention import SHARPER
from tests.trusted.facts_of_chains import CHAIN, LINKS
from tests.trusted.test_whole_trajectories import Clock
from tests.trusted.truth import FACTS, battery, failures, precision, q

BATTERIES = (facts_of_series, facts_of_steps)
"""Each has added its facts to FACTS."""


@pytest.mark.parametrize("check", FACTS, ids=lambda check: check.__name__)
def test_trusted(check):
    check(trusted)


@pytest.mark.parametrize("check", LINKS, ids=lambda check: check.__name__)
def test_chain(check):
    check(CHAIN)


def test_precision_and_series_length_are_restored():
    with precision(77, cap=13):
        trajectory = enclose(Clock.instance(), q(1))
        trajectory.decide(lambda now: now.x, strict=True)
        trajectory.end()
        with pytest.raises(ValueError, match="horizon"):
            enclose(Clock.instance(), q(0))
        assert (flint.ctx.prec, flint.ctx.cap) == (77, 13)


@pytest.mark.parametrize("check", facts_of_closed_forms.FACTS, ids=lambda check: check.__name__)
def test_closed_forms(check):
    check(closed_forms)


@pytest.mark.parametrize("check", SHARPER, ids=lambda check: check.__name__)
def test_attention_bounds(check):
    check(attention)


@pytest.mark.parametrize("check", facts_of_lines.FACTS, ids=lambda check: check.__name__)
def test_straight_lines(check):
    check(straight_line)


def chain_with_bug(module, *replacements):
    """A copy of dynamics.enclosures.steps over a copy of dynamics.trusted.trajectory with a bug."""
    copy = planted(module, *replacements)
    with in_place_of(module, copy):
        over = planted(chain)
    return types.SimpleNamespace(**vars(over), joined=copy)


@pytest.mark.parametrize(
    ("module", "make", "bugs", "facts"),
    [
        (trusted, planted, PLANTED, FACTS),
        (joined, chain_with_bug, PLANTED_IN_THE_CHAIN, LINKS),
        (attention, planted, PLANTED_IN_ATTENTION, SHARPER),
        (closed_forms, planted, PLANTED_IN_CLOSED_FORMS, facts_of_closed_forms.FACTS),
        (straight_line, planted, facts_of_lines.BUGS, facts_of_lines.FACTS),
    ],
    ids=["taylor", "trajectory", "attention", "closed forms", "straight lines"],
)
def test_every_planted_bug_is_caught(module, make, bugs, facts, capsys):
    sound, costs = make(module), {}
    for check in facts:
        begin = time.process_time()
        assert battery(sound, [check]) == []
        costs[check] = time.process_time() - begin
    facts, caught = sorted(facts, key=costs.get), {}
    for _, *replacements in bugs:  # those too that are planted in a long run only
        replaced(inspect.getsource(module), module.__name__, *replacements)
    bugs = one_in(16, bugs)
    for name, *replacements in bugs:
        # Neighbours in the list are often caught by the same fact: it is tried first.
        caught[name] = next(failures(make(module, *replacements), facts), None)
        facts.sort(key=lambda check, by=caught[name]: check.__name__ != by)
    assert len(caught) == len(bugs)
    with capsys.disabled():
        print(f"\n{module.__name__}: planted bugs: {len(bugs) - list(caught.values()).count(None)} of {len(bugs)} caught")
    assert [name for name, by in caught.items() if by is None] == []
