"""Claims about the ends of localmax under rules that they do not speak of: excluded, and decided without an error."""

from itertools import product

import numpy as np
import pytest

from claims.localmax.setting.end_hypotheses import separated_blocks
from claims.stating.catalogue import catalogue
from claims.stating.statement import Form
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from dynamics.tokens.localmax import LocalmaxStep
from tests.planting import one_in

HALF = ["1/2"]
STARTS = {
    "a token that hears itself too": {"z": [[1], HALF], "rule": 4},
    "a mean of points": {"z": [[1], [1], ["-3/2"], [0]], "rule": 5},
    "a pair at the edge": {"z": [[1], [-1]], "delta": 2, "rule": 3},
    "a small pair, by its norms": {"z": [HALF, ["-1/2"]], "delta": "9/10", "rule": 2},
    "a small pair, by its scores": {"z": [HALF, ["-1/2"]], "delta": 1, "rule": 1},
}
FAILS = [
    ("limit_vertices_are_packed", "a small pair, by its norms"),
    ("line_limits_straddle_zero", "a small pair, by its norms"),
    ("large_sensitivity_averages_all", "a pair at the edge"),
    ("small_diameter_gives_consensus", "a small pair, by its scores"),
    ("two_tokens_freeze_or_meet", "a pair at the edge"),
    ("extreme_points_survive_alone", "a pair at the edge"),
]
ENDS = [
    claim
    for claim in catalogue().values()
    if claim.system is LocalmaxStep and "additive_rule" in [assumption.name for assumption in claim.assumptions]
]


# Each claim at a start or two, each start under every third claim.
@pytest.mark.parametrize(("start", "claim"), one_in(3, product(STARTS, ENDS)), ids=lambda one: getattr(one, "id", one))
def test_another_rule_is_excluded_and_ends_in_a_verdict(start, claim):
    f = LocalmaxStep.instance(**STARTS[start])
    met = {assumption.name: assumption.satisfies(f) for assumption in claim.assumptions}
    assert not met["additive_rule"]
    for conclusion in claim.conclusions:
        # With another number of tokens the slack of two has no meaning at all: no verdict is asked of it.
        if conclusion.form is Form.ORBIT and met.get("two_tokens", True):
            assert check(conclusion, f).outcome in Outcome


@pytest.mark.parametrize(("name", "start"), FAILS)
def test_only_the_rule_excludes_what_would_be_false(name, start):
    f, claim = LocalmaxStep.instance(**STARTS[start]), catalogue()[f"localmax.{name}"]
    verdicts = [
        check(conclusion, f).outcome
        for conclusion in claim.conclusions
        if [a.name for a in claim.assumptions_of(conclusion) if not a.satisfies(f)] == ["additive_rule"]
    ]
    assert Outcome.VIOLATED in verdicts


def test_blocks_are_those_of_the_additive_rule():
    """The words name no rule: that nobody hears the largest gap of its block under the strict one is nothing to them."""
    f = separated_blocks.restrict(LocalmaxStep.instance(z=[[1], [-1], [2], [0]], rule=3))
    assert separated_blocks.satisfies(f)
    assert (f.neighbours() != f.replace(rule=np.array(0)).neighbours()).any()
