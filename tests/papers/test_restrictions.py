"""Restrictions lead into their hypotheses from where a search or a violation goes, not only from what is drawn."""

from collections import Counter

import numpy as np
import pytest

from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.stating.catalogue import catalogue
from claims.verifying.trial import nudged
from tests.planting import LONG

LEAST = 0.9
"""The least share of moved instances that are led back: a few leave what the system itself asks of its numbers."""

TURNS = 3 if LONG else 2


def drawn(claim, conclusion, turn, without=()):
    return draw_instance(claim, conclusion, SeededDraws(np.random.default_rng([turn, 7]), True, turn), without)


def occasions(paper):
    """Each set of hypotheses of the paper, with a claim and a conclusion that is stated under it."""
    found = {}
    for claim in catalogue().values():
        if claim.paper.key == paper:
            for conclusion in claim.conclusions:
                assumed = claim.assumptions_of(conclusion)
                found.setdefault((claim.system, claim.draw, tuple(one.name for one in assumed)), (claim, conclusion))
    return found.values()


@pytest.mark.parametrize("paper", ["clusters", "frank_wolfe", "localmax", "polarization"])
def test_a_restriction_leads_back_from_where_it_is_violated(paper):
    asked, led = Counter(), Counter()
    for claim, conclusion in occasions(paper):
        for assumption in claim.assumptions_of(conclusion):
            # Claims share hypotheses: after a few occasions another one tells nothing new of the same restriction.
            if assumption.violate is None or not assumption.is_imposed or asked[assumption.name] > TURNS:
                continue
            for turn in range(TURNS):
                broken = drawn(claim, conclusion, turn, [assumption])
                asked[assumption.name] += 1
                led[assumption.name] += bool(assumption.satisfies(assumption.restrict(broken)))
    assert asked
    assert not {name: (led[name], tries) for name, tries in asked.items() if led[name] < LEAST * tries}


@pytest.mark.parametrize("paper", ["clusters", "frank_wolfe", "localmax", "polarization"])
def test_restrictions_lead_back_together_from_where_a_search_goes(paper):
    asked, led = Counter(), Counter()
    for claim, conclusion in occasions(paper):
        assumed = claim.assumptions_of(conclusion)
        for turn in range(TURNS):
            system = nudged(drawn(claim, conclusion, turn))
            # What is not imposed has no way back: where it is missed no search goes on.
            if all(one.satisfies(system) for one in assumed if not one.is_imposed):
                for one in assumed:
                    system = one.restrict(system)
                # After all of them, not after each: a later restriction may undo what an earlier one has done.
                for one in assumed:
                    asked[one.name] += 1
                    led[one.name] += bool(one.satisfies(system))
    assert asked
    assert not {name: (led[name], tries) for name, tries in asked.items() if led[name] < LEAST * tries}
