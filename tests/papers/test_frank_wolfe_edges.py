"""Instances at the edge of what claims of the Frank-Wolfe paper assume: each gets a verdict, within them and without."""

import numpy as np
import pytest

from claims.frank_wolfe.setting.run_hypotheses import holds_origin
from claims.stating.catalogue import catalogue
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from dynamics.arithmetic import exact
from dynamics.geometry import membership
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.schedules import ScheduledHardmax


def outcome(claim_id, name, f):
    """The verdict of one conclusion, and the names of the assumptions that the instance does not meet."""
    claim = catalogue()[f"frank_wolfe.{claim_id}"]
    conclusion = next(c for c in claim.conclusions if c.name == name)
    unmet = {a.name for a in claim.assumptions_of(conclusion) if not a.satisfies(f)}
    return check(conclusion, f).outcome, unmet


def chain(**fields):
    return AttentionChain.instance(**{"gamma": "1/2", "eps": 1, "steps": 2, **fields})


@pytest.mark.parametrize("x", [0, "1/8", 2, "17/8", 8, 9, 20, 100])
def test_gaussian_tail_is_bounded_at_every_distance(x):
    f = HardmaxStep.instance(x=[[x], [1]], B=[[1]])
    found = outcome("gaussian_vertices_own_their_cells", "tail_is_below_half_exponential", f)
    assert found == (Outcome.HOLDS, set())


@pytest.mark.parametrize(("x", "group"), [([[1], [-1]], [0, 1]), ([[1]], [0])])
def test_nothing_escapes_where_nothing_leads_out(x, group):
    f = chain(v=[[1], [-1]], x=x, group=group, beta=1, steps=len(group) if len(group) == 1 else 1)
    claim_id = "escape_exponent_is_the_cheapest_way_out"
    assert outcome(claim_id, "nothing_escapes", f) == (Outcome.HOLDS, set())
    assert outcome(claim_id, "cheapest_way_is_open", f)[1] == {"a_way_out"}


@pytest.mark.parametrize("eps", [1, 3])
def test_no_run_of_picks_leads_out_of_tubes_that_meet(eps):
    f = chain(v=[[1], [-1]], x=[[1], [-1]], group=[0, 1], beta=1, eps=eps)
    verdict, unmet = outcome("escape_happens_in_exponential_time", "escape_comes", f)
    assert (verdict, unmet) == (Outcome.UNDECIDED, {"time_for_a_run"})


def test_nothing_is_said_of_chains_with_too_many_picks():
    f = chain(v=[[1], [-1]], x=[[1], [-1], [0], [2], [3], [4]], group=[0] * 6, beta=1)
    claim = catalogue()["frank_wolfe.escape_exponent_is_the_cheapest_way_out"]
    assert not any(a.satisfies(f) for c in claim.conclusions for a in claim.assumptions_of(c))


@pytest.mark.parametrize("B", [[[-1, 0, 0], [0, -1, 0], [0, 0, -1]], [[-2, 1, 0], [1, -3, 1], [0, 1, -1]]])
def test_energies_decay_in_space(B):
    f = ScheduledHardmax.instance(x=[[1, 0, 0], [-1, 0, 0], [0, 1, 1], [0, -1, -1]], B=[B, B], gamma=[1, "2/3"])
    found = outcome("energy_decays_while_hull_holds_origin", "room_below_the_bound", f)
    assert found == (Outcome.HOLDS, set())


@pytest.mark.parametrize(
    ("v", "free", "beta"), [([[1], [3]], [2], 2**64), ([[0], [1]], ["1/2"], 10), ([[1], [3]], [2], "1/10")]
)
def test_first_phase_has_no_length_without_a_lead(v, free, beta):
    f = chain(v=v, x=[*v, free], group=[0, 1, 1], beta=beta)
    verdict, unmet = outcome("first_phase_has_the_printed_probability", "path_is_followed", f)
    assert verdict is Outcome.UNDECIDED
    assert "low_temperature" in unmet
    for name in ("path_ends_near_vertices", "path_is_likely", "nearest_clock_leaves_the_ratio"):
        verdict, unmet = outcome("first_phase_takes_the_farthest_token", name, f)
        assert verdict is Outcome.UNDECIDED
        assert "tokens_in_own_cells" in unmet


def test_first_phase_too_long_to_follow_is_undecided():
    f = chain(v=[[1], [-1]], x=[[1], [-1], ["1/10"]], group=[0, 1, 0], beta=10**10, gamma="1/100000")
    verdict, unmet = outcome("first_phase_takes_the_farthest_token", "path_ends_near_vertices", f)
    assert (verdict, unmet) == (Outcome.UNDECIDED, set())


def test_steps_of_zero_have_no_ratio():
    f = ScheduledHardmax.instance(x=[[1], [-1]], B=[[[1]], [[1]]], gamma=[0, "1/2"])
    claim = catalogue()["frank_wolfe.duality_gap_is_small_at_some_step"]
    assert {a.name for a in claim.assumptions if not a.satisfies(f)} == {
        "scores_scale_with_steps",
        "positive_steps_at_most_one",
    }


def test_one_dimension_has_one_rate():
    f = HardmaxStep.instance(x=[[1], [-1]], B=[[1]])
    assert "two_rates" in outcome("hull_may_grow_for_diagonal_values", "token_leaves_hull", f)[1]


def test_energies_of_other_eigenvalues_are_outside_the_question():
    claim_id = "energy_gap_contracts_under_any_energies"
    f = ScheduledHardmax.instance(x=[[1], [2]], B=[[[-1]], [[-100]]], gamma=["1/2", "1/2"])
    assert outcome(claim_id, "gap_contracts", f)[1] == {"equal_eigenvalues"}
    later = ScheduledHardmax.instance(x=[[3], [-1]], B=[[[-1]], [[-1]]], gamma=["1/2", "1/100"], t=1)
    assert outcome(claim_id, "gap_contracts", later) == (Outcome.HOLDS, set())


PLANE = ([[1, 0], [2, 0]], [[1, 0], [-2, 0]], [[0, 0]], [[1, 1]], [[1, 0], [0, 1], [-1, -1]], [[1, 0], [0, 1], [-1, 0]])
PLANE += ([[1, 0], [0, 1], [-1, 1]], [[1, 0], [1, 1], [-1, 1], [-2, 1]], [[3, -2], [3, -2]], [[1, 2], [-2, 1], [1, -3]])


@pytest.mark.parametrize("x", [*PLANE, [[1], [2]], [[-1], [2]], [[0], [2]], [[-1], [-3]]])
def test_signs_and_angles_tell_whether_a_hull_holds_the_origin(x):
    x = exact(x)
    assert holds_origin(x) == membership(0 * x[0], x).inside


def test_angles_and_exact_weights_agree_on_random_hulls():
    rng = np.random.default_rng(0)
    found = set()
    # Of a few small whole numbers, so that the origin often lies on an edge or at a vertex: the two ways treat these apart.
    for _ in range(60):
        x = exact(rng.integers(-3, 4, size=(rng.integers(1, 6), 2)))
        found.add(holds_origin(x))
        assert holds_origin(x) == membership(0 * x[0], x).inside
    assert found == {True, False}
