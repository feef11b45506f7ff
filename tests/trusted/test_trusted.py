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
from tests.planting import bugs_of, one_in, planted, shown_false, survivors
from tests.trusted import facts_of_closed_forms, facts_of_lines, facts_of_series, facts_of_steps
from tests.trusted.facts_of_attention import SHARPER
from tests.trusted.facts_of_chains import CHAIN, LINKS
from tests.trusted.test_whole_trajectories import Clock
from tests.trusted.truth import FACTS, precision, q

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
    with in_place_of(copy):
        over = planted(chain)
    return types.SimpleNamespace(**vars(over), joined=copy)


def fails(facts, module):
    with precision(64):
        return shown_false(facts, module)


@pytest.mark.parametrize(
    ("module", "made", "facts"),
    [
        (trusted, planted, FACTS),
        (joined, chain_with_bug, LINKS),
        (attention, planted, SHARPER),
        (closed_forms, planted, facts_of_closed_forms.FACTS),
        (straight_line, planted, facts_of_lines.FACTS),
    ],
    ids=["taylor", "trajectory", "attention", "closed forms", "straight lines"],
)
def test_every_planted_bug_is_caught(module, made, facts):
    assert survivors(one_in(16, bugs_of(module)), facts, fails, made) == []
