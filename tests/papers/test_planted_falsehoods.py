"""Every check is itself checked: for each conclusion, false variants that the same code path must refute."""

import tomllib
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.stating.catalogue import catalogue
from claims.stating.statement import Form, Standing, is_costly
from claims.stating.verdict import Outcome
from claims.testing.property_tests import BRIEFLY
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import rational
from tests.planting import one_in

PLANTED = {
    f"{file.stem}.{claim}": table
    for file in sorted((Path(__file__).parents[1] / "planted").glob("*.toml"))
    for claim, table in tomllib.loads(file.read_text(encoding="utf-8")).items()
}
"""By claim and conclusion: the constants of each falsehood, or the assumption that it is `without`."""

TURNS = {False: 400, True: 60}
"""After so many starts a falsehood has survived, by whether a start costs a trajectory."""

TRIED_BRIEFLY = 6
"""So many starts along a flow are tried at the lowest precision before any is at more: a violation shows there mostly."""

KNOWN = {
    "localmax.limit_vertices_are_packed.vertices_are_apart without additive_rule": 37,
    "localmax.flat_limits_are_projections.scores_vary_on_the_face without hardmax": 139,
    "localmax.limits_have_small_self_gaps.self_gaps_are_small_on_average without additive_rule": 104,
    "localmax.hardmax_limits_lie_in_alignment_set.self_gaps_of_limits without hardmax": 139,
    "localmax.recurring_steps_give_alignment.self_gaps_of_limits without no_sensitivity": 64,
    "frank_wolfe.escape_takes_as_many_picks_as_diameters.escape_costs_the_gap with waiting = 0": 10,
    "frank_wolfe.equal_norms_give_own_cells.own_score_leads without equal_norm_vertices": 83,
    "frank_wolfe.limits_own_their_cells.limits_are_tokens_at_rest without definite_key_query": 93,
    "polarization.only_leading_value_diverges.other_values_stay_bounded with most = 1/2": 21,
}
"""Starts known to refute what few refute, tried before all others: where another draw has made one stale, the rest tell."""


def conclusion_of(claim_id, name):
    claim = catalogue()[claim_id]
    return claim, next(conclusion for conclusion in claim.conclusions if conclusion.name == name)


def planted():
    """Every falsehood: reversed inequalities of all true claims, sharpened constants, dropped assumptions."""
    for claim in catalogue().values():
        for conclusion in claim.conclusions:
            if conclusion.form is Form.EXPERIMENT:
                continue  # test_claims changes each of its readings
            # An identity has no reverse: its falsehoods are constants and hypotheses, in the tables.
            if claim.standing is Standing.TRUE and conclusion.relation != "== 0" and not attained(conclusion):
                yield f"{claim.id}.{conclusion.name} reversed", claim, conclusion, conclusion.reversed(), ()
    for claim_id, table in PLANTED.items():
        for name, falsehoods in table.items():
            claim, conclusion = conclusion_of(claim_id, name)
            for changed in falsehoods:
                dropped = changed.get("without")
                without = tuple(a for a in claim.assumptions_of(conclusion) if a.name == dropped)
                assert dropped is None or without, f"{claim_id}.{name} does not assume {dropped}"
                constants = {} if dropped else {key: v if type(v) is int else rational(v) for key, v in changed.items()}
                label = f"without {dropped}" if dropped else f"with {', '.join(f'{k} = {v}' for k, v in constants.items())}"
                variant = conclusion.sharpened(**constants) if constants else conclusion
                yield f"{claim_id}.{name} {label}", claim, conclusion, variant, without


def is_refuted(variant, system, effort):
    """A reading of a limit refutes nothing: there it is enough that the reading is no evidence any more."""
    verdict = check(variant, system, effort)
    if variant.form is Form.LIMIT and variant.trap is None:
        return verdict.outcome is Outcome.UNDECIDED and verdict.reason.endswith("decides no limit")
    return verdict.outcome is Outcome.VIOLATED


def attained(conclusion):
    """Hull membership has slack exactly zero inside: its reversal is no falsehood, it is only refuted by dropping."""
    return conclusion.name == "new_tokens_stay_in_hull"


EVERY = sorted(planted(), key=lambda case: len(case[4]))
OF_ONE = groupby(sorted(EVERY, key=lambda case: (case[1].id, case[2].name)), key=lambda case: (case[1].id, case[2].name))
CHEAP = [case for _, cases in OF_ONE for case in one_in(6, cases) if not is_costly(case[2])]
"""Of one conclusion every sixth, its first in any case, without which its check may have become one that cannot fail."""

TRIED = [*CHEAP, *one_in(6, [case for case in EVERY if is_costly(case[2])])]
FALSEHOODS = sorted(TRIED, key=lambda case: case[1].id)  # those of one claim share their starts


def tries(label, costly):
    """Turns and efforts, those first that most often refute and cost least."""
    if label in KNOWN:
        yield KNOWN[label], Effort()
    yield from ((turn, BRIEFLY) for turn in range(TRIED_BRIEFLY * costly))
    yield from ((turn, Effort()) for turn in range(TURNS[costly]))


@pytest.mark.parametrize(
    ("label", "claim", "original", "variant", "without"), FALSEHOODS, ids=[case[0] for case in FALSEHOODS]
)
def test_planted_falsehood_is_refuted(label, claim, original, variant, without):
    for turn, effort in tries(label, is_costly(original)):
        draws = SeededDraws(np.random.default_rng([7, turn]), is_costly(original), turn)
        system = draw_instance(claim, original, draws, without)
        if any(assumption.satisfies(system) for assumption in without):
            continue  # one dimension may leave no room: every 1 x 1 matrix is symmetric
        if is_refuted(variant, system, effort):
            return
    pytest.fail("the planted falsehood survived")


def test_every_conclusion_has_a_planted_falsehood():
    # Of all, whichever are tried: a conclusion that none was written for is to fail at once and not at night.
    covered = {(claim.id, original.name) for _, claim, original, _, _ in EVERY}
    for claim in catalogue().values():
        for conclusion in claim.conclusions:
            known = claim.standing is Standing.FALSE or conclusion.form is Form.EXPERIMENT
            assert known or (claim.id, conclusion.name) in covered
    assert {*KNOWN} <= {label for label, *_ in EVERY}
    print(f"planted falsehoods: {len(EVERY)}, of which {len(FALSEHOODS)} tried")
