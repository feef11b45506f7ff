"""Starts at which a margin once read the wrong time, or none: each gets the verdict that its claim says it has."""

import pytest

from claims.instances.drawing import unmet
from claims.stating.catalogue import catalogue
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from dynamics.training.gradient_descent import PowerDescent

SLOW_DECAY = {"K": "1/1048576", "decay": "1/1024"}

DECIDED = [
    ("normalised_relu_becomes_one_hot", "last_score_reaches_zero", {"u": [2, 0], "a": [152, 152]}),
    ("normalised_relu_becomes_one_hot", "last_score_reaches_zero", {"u": ["1/4096", 0], "a": [20, 20]}),
    ("normalised_relu_becomes_one_hot", "last_score_reaches_zero", {"u": [1, "1/4096", 0], "a": [20, 20, 20]}),
    ("three_halves_map_becomes_one_hot", "last_score_reaches_zero", {"u": [2, 0], "a": ["21/2", "21/2"]}),
    ("near_ties_delay_polarisation", "polarises_not_before", {"u": [1, 0, 0], "K": 2**34}),
    ("near_ties_delay_polarisation", "polarises_from_then_on", {"u": [1, 0, 0], "K": 2**34}),
    ("one_hot_bound_in_time", "inverse_ratio_outruns_bound", {"gaps": [999], "logs": [0], "offset": 1000, "K": 10**5}),
    ("weight_decay_restores_one_hot", "gamma_stays_above_zero", {"u": [0, 0], "a": [4, 0], "decay": 1000}),
    ("weight_decay_restores_one_hot", "inverse_ratios_grow_like_time", {"u": [0, 0], "a": [4, 0], "decay": 10**5}),
    ("weight_decay_restores_one_hot", "scores_become_one_hot", {"u": [0] * 5, "a": [4, 3, 2, 1, 0], **SLOW_DECAY}),
]

EXCLUDED = [
    ("near_ties_delay_polarisation", "near_tie", {"u": [1], "a": [0]}),
    ("second_token_keeps_causal_rows", "held_by_second_token", {"u": [1], "A": [[0]], "visible": [[1]]}),
    ("second_token_keeps_causal_rows", "tied_first_values", {"u": [1], "A": [[0]], "visible": [[1]]}),
    ("weight_decay_restores_one_hot", "ordered_scores", {"u": [0] * 5, "a": [4, 0, 0, 0, 0], **SLOW_DECAY}),
]


@pytest.mark.parametrize(("name", "conclusion", "data"), DECIDED)
def test_start_is_decided(name, conclusion, data):
    claim = catalogue()[f"polarization.{name}"]
    chosen = next(other for other in claim.conclusions if other.name == conclusion)
    start = claim.system.instance(**data)
    assert unmet(claim, chosen, start) == []
    assert check(chosen, start).outcome is Outcome.HOLDS


@pytest.mark.parametrize(("name", "assumption", "data"), EXCLUDED)
def test_start_is_outside_the_hypotheses(name, assumption, data):
    claim = catalogue()[f"polarization.{name}"]
    start = claim.system.instance(**data)
    assert any(assumption in [a.name for a in unmet(claim, conclusion, start)] for conclusion in claim.conclusions)


def test_power_beyond_what_is_written_out_is_refused():
    with pytest.raises(ValueError, match="from 1 to 1024"):
        PowerDescent.instance(u=[1, 0], a=[1, 1], rate=1, k=10**12)
