"""Mutation of claims: what is changed, what is noticed, what is not, and what is asked for."""

from __future__ import annotations

import ast
import inspect
import json
import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from textwrap import dedent

import mpmath
import numpy as np
import pytest
from flint import arb, arb_series, fmpq

from claims.cli.mutate import score_of
from claims.hunting.rounds import instance_of
from claims.instances.builders import draw_system
from claims.mutating.equivalents import derivation_of, equivalents, table_of
from claims.mutating.ratio import Ratio
from claims.mutating.rewriting import difference, mutants_of
from claims.mutating.trial import Fate, _above, _room, changed, proof_of, run_mutants
from claims.stating.catalogue import catalogue
from claims.stating.statement import PAPERS, Form, Standing, Tail
from claims.stating.verdict import Outcome
from claims.targets.target import Variant
from claims.targets.user_claims import claim_in
from claims.verifying.deciding import Effort, check
from claims.verifying.processes import Workers
from claims.verifying.tallies import KnownInstances, verify_conclusion
from dynamics.arithmetic import exact
from dynamics.tokens.self_attention import SelfAttentionFlow
from tests import calling
from tests.planting import LONG, todays_share

run = partial(calling.run, "mutate")

HEAD = """
    import numpy as np
    from flint import fmpq
    from claims.stating.assumptions import identity_key_query, identity_value
    from claims.stating.statement import Claim, Standing
    from dynamics.tokens.self_attention import SelfAttentionFlow

    claim = Claim(
        __name__,
        statement="none",
        system=SelfAttentionFlow,
        assumptions=(identity_value, identity_key_query),
        {extra}
    )
"""

NORMS = """
    def squares(x):
        return (x * x).sum(axis=-1)

    @claim.state(">= 0")
    def parallelogram(f: SelfAttentionFlow, *, factor=2):
        '''2 |x_i|^2 + 2 |x_0|^2 - |x_i + x_0|^2, which is |x_i - x_0|^2.'''
        first = f.x[..., :1, :]
        return factor * squares(f.x) + 2 * squares(first) - squares(f.x + first)
"""

CANNOT_FAIL = """
    @claim.state(">= 0")
    def never_negative(f: SelfAttentionFlow):
        '''A sum of squares.'''
        return (f.x * f.x).sum(axis=-1) + 3 * (f.x * f.x).sum(axis=-1) + 1
"""

FALSE_NORMS = """
    @claim.state(">= 0")
    def norms_are_small(f: SelfAttentionFlow):
        '''4 - |x_i|^2, which fails for long tokens.'''
        return 4 - (f.x * f.x).sum(axis=-1)
"""

SETTINGS = (8, 40, 0, 60.0)
"""Examples, starts, seed and seconds."""


def text(*parts, extra=""):
    return dedent(HEAD.format(extra=extra)) + "".join(dedent(part) for part in parts)


def claim_of(*parts, extra="", name="changed_norms"):
    return claim_in(text(*parts, extra=extra), f"{name}.py")


def fates_of(claim, *only, settings=SETTINGS):
    mutants = [mutant for mutant in mutants_of(claim) if not only or any(one in mutant.name for one in only)]
    found = {mutant.name: result for mutant, result in run_mutants(claim, mutants, settings, Workers())}
    assert set(found) == {mutant.name for mutant in mutants}
    return found


# ---------------------------------------------------------------------------------------------------------------------
# What becomes of mutants


def test_mutants_of_a_sharp_claim_are_killed_by_decided_violations():
    claim = claim_of(NORMS)
    fates = fates_of(claim)
    expected = {
        "parallelogram: the opposite sign",
        "parallelogram: >= 0 => > 0",
        "parallelogram: factor = 2 => 19/10",
        "parallelogram: factor = 2 => 999/500",
        "parallelogram: 2 * squares(first) => 19/10 * squares(first)",
        "parallelogram: 2 * squares(first) => 999/500 * squares(first)",
        "parallelogram: factor * squares(f.x) + 2 * squares(first) => factor * squares(f.x)",
        "parallelogram: f.x[..., :1, :] => f.x[..., 1:2, :]",
    }
    for name in expected - {"parallelogram: f.x[..., :1, :] => f.x[..., 1:2, :]"}:
        assert fates[name].fate is Fate.KILLED, name
    mutants = {mutant.name: mutant for mutant in mutants_of(claim)}
    assert expected <= set(mutants)
    original = claim.conclusions[0]
    # Anew, from the numbers alone: what kills a mutant must tell it from the statement, not refute both.
    for name, result in fates.items():
        if result.fate is Fate.KILLED:
            system = instance_of(Variant(claim, original, ()), result.instance)
            assert check(changed(claim, mutants[name]), system).outcome is Outcome.VIOLATED
            assert check(original, system).outcome is Outcome.HOLDS


def test_a_slack_that_cannot_fail_has_survivors():
    fates = fates_of(claim_of(CANNOT_FAIL, name="cannot_fail"))
    survivors = {name for name, result in fates.items() if result.fate is Fate.SURVIVED}
    assert "never_negative: 3 * (f.x * f.x).sum(axis=-1) => 57/20 * (f.x * f.x).sum(axis=-1)" in survivors
    assert "never_negative: >= 0 => > 0" in survivors
    assert fates["never_negative: the opposite sign"].fate is Fate.KILLED
    assert score_of([{"fate": result.fate} for result in fates.values()]) < 50


def test_a_slack_that_is_always_zero_is_noticed_by_falsehoods_about_it():
    body = """
    @claim.state(">= 0")
    def distances(f: SelfAttentionFlow):
        '''|x_i - x_0|^2.'''
        first, own = f.x[..., :1, :], f.x
        return ((own - first) ** 2).sum(axis=-1)

    @claim.state(">= 0")
    def always_zero(f: SelfAttentionFlow):
        '''0.'''
        first, own = f.x[..., :1, :], f.x
        return ((own - own) ** 2).sum(axis=-1)

    @claim.identity()
    def drift_is_the_mean(f: SelfAttentionFlow, *, share=1):
        '''The drift less the softmax average of the tokens.'''
        mean, drift = softmax(f.x @ f.x.swapaxes(-1, -2)) @ f.x, f.drift()
        return drift - share * mean
    """
    noticed = {
        "distances: own - first => first - first": "its opposite",
        "drift_is_the_mean: drift - share * mean => mean - share * mean": "without identity_value",
        "drift_is_the_mean: share * mean => share * drift": "without identity_value",
    }
    claim = claim_of("from dynamics.attention import softmax\n", body, name="distances")
    fates = fates_of(claim, *noticed, "always_zero: the opposite sign", settings=(8, 0, 0, 60.0))
    for name, falsehood in noticed.items():
        lost = fates[name]
        assert (lost.fate, lost.by, lost.reason) == (Fate.KILLED, "falsehood", f"{falsehood} survives, too")
    assert fates["always_zero: the opposite sign"].fate is Fate.SURVIVED  # it could not fail before, either


def test_a_false_statement_is_refuted_too_or_its_standing_is_lost():
    claim = claim_of(FALSE_NORMS, extra="standing=Standing.FALSE", name="false_norms")
    fates = fates_of(claim)
    moved = fates["norms_are_small: 4 - (f.x * f.x).sum(axis=-1) => 21/5 - (f.x * f.x).sum(axis=-1)"]
    assert moved.fate is Fate.REFUTED_TOO
    lost = fates["norms_are_small: 4 - (f.x * f.x).sum(axis=-1) => 4 + (f.x * f.x).sum(axis=-1)"]
    assert (lost.fate, lost.reason) == (Fate.KILLED, "no violation any more")
    assert all(result.fate in (Fate.KILLED, Fate.REFUTED_TOO, Fate.NO_STATEMENT) for result in fates.values())


def test_a_false_statement_is_searched_longer_where_it_took_longer():
    body = """
    @claim.state(">= 0", exact_only=True)
    def turns_are_few(f: SelfAttentionFlow, *, third=3):
        '''8 less the number of the instance.'''
        return 2 ** third - f.x[:, 0]
    """
    # By the number of the instance: which one refutes is known, and no search can come before it.
    draw = "draw=lambda draws: SelfAttentionFlow.instance(x=[[draws.turn]], B=[[1]], V=[[1]])"
    late = claim_of(body, extra=f"standing=Standing.FALSE, {draw}", name="late")
    tally = verify_conclusion(late, late.conclusions[0], 4, 0, Effort(bits=256))
    assert tally.first_violation > 4
    fates = fates_of(late, "third = 3 => 4", settings=(4, 0, 0, 60.0))
    assert [one.fate for one in fates.values()] == [Fate.REFUTED_TOO]


ROOM = """
    @claim.state(">= 0")
    def norms_are_positive(f: SelfAttentionFlow, *, most=0):
        '''|x_i|^2 and a part of 10^4 - |x_i|^2, which holds where it is drawn, until a search scales tokens.'''
        square = (f.x * f.x).sum(axis=-1)
        return square + most * (10000 - square) * square
"""

FIRST_ENTRIES = """
    @claim.state(">= 0", exact_only=True)
    def first_entries(f: SelfAttentionFlow):
        '''The first entries that are not negative: fewer of them say less.'''
        entries = f.x[..., 0]
        return entries[entries >= 0]
"""

MASKED = """
    @claim.state(">= 0", exact_only=True)
    def squares(f: SelfAttentionFlow):
        '''|x_i|^2 where it is not negative.'''
        square = (f.x * f.x).sum(axis=-1)
        return square[~(square < 0)]
"""

BOTH = """
    @claim.state(">= 0")
    def squares_of_both(f: SelfAttentionFlow):
        '''|x_i|^2.'''
        return np.stack([f.x, f.x], axis=0)[0].sum(axis=-1) ** 2
"""

SLOW = """
    @claim.state(">= 0")
    def slow(f: SelfAttentionFlow, *, wait=0):
        '''|x_i|^2.'''
        while wait:
            pass
        return (f.x * f.x).sum(axis=-1)
"""

SECOND = "np.stack([f.x, f.x], axis=0)[0] => np.stack([f.x, f.x], axis=0)[1]"
BECOMES = {
    "moved the harmless way": (NORMS, "factor = 2 => 21/10", SETTINGS, Fate.WEAKER, "slack above the original's"),
    "moved a little": (NORMS, "factor = 2 => 1001/500", SETTINGS, Fate.WEAKER, "slack above the original's"),
    "missed by what is drawn": (ROOM, "most = 0 => 1", (8, 0, 0, 60.0), Fate.WEAKER, "slack above the original's"),
    "found by the search": (ROOM, "most = 0 => 1", (8, 4000, 0, 60.0), Fate.KILLED, "VIOLATED"),
    "about fewer tokens": (FIRST_ENTRIES, "entries >= 0 => entries > 0", (24, 40, 0, 60.0), Fate.WEAKER, ""),
    "says nothing": (MASKED, "~(square < 0) => square < 0", SETTINGS, Fate.KILLED, "not borne out: vacuous"),
    "the same": (BOTH, SECOND, SETTINGS, Fate.SURVIVED, "the same slack on 8 instances"),
    "out of range": (
        *(BOTH.replace("f.x, f.x", "f.x"), SECOND.replace("f.x, f.x", "f.x")),
        *(SETTINGS, Fate.NO_STATEMENT, "IndexError"),
    ),
    "takes too long": (SLOW, "wait = 0 => 1", (4, 0, 0, 0.5), Fate.NOT_DECIDED, "not finished in 0.5 s"),
}
"""By case: the claim, its mutant, examples, starts, seed and seconds, and what becomes of it."""


@pytest.mark.parametrize("case", BECOMES)
def test_what_becomes_of_a_mutant(case):
    body, name, settings, fate, reason = BECOMES[case]
    began = time.process_time()
    (result,) = fates_of(claim_of(body, name=f"becomes_{len(body)}"), name, settings=settings).values()
    assert (result.fate, reason in result.reason) == (fate, True)
    # A mutant that does not end takes its limit; each of its examples would otherwise take one of its own.
    assert fate is not Fate.NOT_DECIDED or time.process_time() - began < 20
    assert (result.by == "hunt") is (case == "found by the search")


def test_of_different_numbers_of_slacks_the_least_are_compared():
    for new, old, found in (([1, 2], [2], [-1]), ([], [2], [1]), ([2], [], [-1]), ([], [], [])):
        assert _above(exact(new), exact(old)).tolist() == found


def test_a_bound_of_a_chance_from_below_claims_less_where_it_is_lower():
    lower, higher = Tail(None, arb(-2)), Tail(None, arb(-1))
    assert _room(higher, lower) > 0 > _room(lower, higher)
    assert _room(-higher, -lower) < 0 < _room(-lower, -higher)


def test_a_constant_that_scales_the_whole_slack_is_not_moved():
    body = """
    @claim.state(">= 0")
    def scaled(f: SelfAttentionFlow, *, orientation=1, factor=2):
        '''|x_i|^2 + 2 |x_i|^2.'''
        top, bottom = f.x[..., 0], f.x[..., :1, 0]
        square = (f.x * f.x).sum(axis=-1) * indicator(top == top, top) + 0 * top
        if not len(f.x):
            return top[:0]
        return np.asarray(orientation * (square + factor * square))
    """
    scaled = claim_of("from dynamics.arithmetic import indicator\n", body, name="scaled")
    names = [mutant.name for mutant in mutants_of(scaled)]
    assert [name for name in names if "orientation = " in name] == ["scaled: orientation = 1 => 0"]
    assert "scaled: factor = 2 => 21/10" in names
    assert not [name for name in names if any(part in name for part in ("0 * top", "top[:0]", ", bottom)"))]


def test_0_is_no_term_and_a_power_of_a_named_constant_is_moved_and_not_dropped():
    claim = claim_of(
        """
        @claim.state(">= 0")
        def scaled(f: SelfAttentionFlow, *, none=0, factor=2, n=3):
            x = (f.x[..., 0] * f.x[..., 0] + 0) + (0 + f.x[..., 1] ** 2)
            return factor**2 * x + factor**n * x + x - none
        """
    )
    names = {mutant.name.removeprefix("scaled: ") for mutant in mutants_of(claim)}
    first, second = "f.x[..., 0] * f.x[..., 0]", "f.x[..., 1] ** 2"
    assert {f"{first} + 0 => 0", f"0 + {second} => 0 - {second}"} <= names
    assert not {f"{first} + 0 => {first} - 0", f"{first} + 0 => {first}", f"0 + {second} => {second}"} & names
    whole = "factor ** 2 * x + factor ** n * x + x - none"
    assert not {f"{whole} => {whole.replace(' - ', ' + ')}", "factor ** 2 * x => x", f"{whole} => {whole[:-7]}"} & names
    assert {
        "none = 0 => 1",
        "none = 0 => -1",
        "factor = 2 => 19/10",
        "factor ** n * x => x",
        "factor ** 2 * x => factor ** 2",
    } <= names


def test_instances_are_drawn_once_for_all_mutants_and_are_the_same():
    drawn = []

    def counted(draws):
        drawn.append(draws.turn)
        return draw_system(SelfAttentionFlow, draws)

    claim = replace(claim_of(NORMS, name="drawn_once"), draw=counted, file=None)
    conclusion, known, tallies = claim.conclusions[0], KnownInstances(), []
    for source in (None, known, known, known):
        before = len(drawn)
        tallies.append((verify_conclusion(claim, conclusion, 8, 0, Effort(bits=256), known=source), len(drawn) - before))
    (alone, often), (first, too), (again, never), (_, still) = tallies
    assert (often, too, never, still) == (often, often, 0, 0)
    assert alone.tightest == first.tightest == again.tightest
    assert alone.kinds == first.kinds == again.kinds
    other = replace(claim, assumptions=())
    verify_conclusion(other, conclusion, 8, 0, Effort(bits=256), known=known)
    # Kept for one set of hypotheses: reused for another they might lie outside of it.
    assert len(drawn) > 2.5 * often, "with other assumptions these are other instances"


def test_a_horizon_of_the_statement_is_changed_and_a_plain_number_is_not():
    body = """
    from claims.polarization.setting.scores import zero_scores
    from dynamics.training.value_softmax import LogisticFlow

    claim = Claim(__name__, statement="none", system=LogisticFlow, assumptions=(zero_scores,))

    @claim.rate(">= 0", horizon=lambda start: {horizon})
    def clock_is_small(now, start):
        '''13/50 - tau.'''
        return fmpq(13, 50) - (now.tau - start.tau)
    """
    plain = claim_in(text().partition("claim = ")[0] + dedent(body.format(horizon="fmpq(1, 4)")), "plain_horizon.py")
    assert not [mutant for mutant in mutants_of(plain) if mutant.kind == "horizon"]
    units = claim_in(text().partition("claim = ")[0] + dedent(body.format(horizon="start.time_unit() / 4")), "units.py")
    assert not [mutant for mutant in mutants_of(units) if mutant.kind == "horizon"]
    own = "fmpq(1, 4) + 0 * start.K.item() * 1"
    stated = claim_in(text().partition("claim = ")[0] + dedent(body.format(horizon=own)), "stated_horizon.py")
    fates = fates_of(stated, "in the horizon: fmpq(1, 4)")
    moved = {name.rpartition(" => ")[2].split(" +")[0]: result.fate for name, result in fates.items() if " 0 " in name}
    assert moved["21/80"] is Fate.KILLED
    assert moved["19/80"] is Fate.WEAKER


def test_a_change_of_what_two_conclusions_use_is_noticed_where_one_of_them_notices():
    one = """
    def thrice(x):
        return x + 2 * x

    @claim.state(">= 0")
    def norms_are_not_negative(f: SelfAttentionFlow):
        '''3 |x_i|^2.'''
        return thrice((f.x * f.x).sum(axis=-1))
    """
    other = """
    @claim.identity()
    def coordinates(f: SelfAttentionFlow, *, factor=3):
        '''3 x_i, and a number three times.'''
        return thrice(f.x) - factor * f.x
    """
    name = "norms_are_not_negative, in thrice: 2 * x => 19/10 * x"
    assert fates_of(claim_of(one, name="one_conclusion"), name)[name].fate is Fate.SURVIVED
    found = fates_of(claim_of(one, other, name="two_conclusions"), name)[name]
    assert (found.fate, found.reason) == (Fate.KILLED, "coordinates: VIOLATED")


def test_a_reading_of_a_limit_is_evidence_and_left_out():
    body = """
    from dynamics.training.value_softmax import LogisticFlow
    {imported}

    claim = Claim(__name__, statement="none", system=LogisticFlow)

    @claim.limit(">= 0", times=lambda start: [fmpq(1)]{trap})
    def leader_gains(limit, start, *, part=2):
        '''Nothing that is meant.'''
        return part - 3 * start.K
    """
    head = text().partition("claim = ")[0]
    reading = claim_in(head + dedent(body.format(imported="", trap="")), "a_reading.py")
    assert mutants_of(reading) == []
    imported = "from dynamics.limits.traps import leader_trap"
    decided = claim_in(head + dedent(body.format(imported=imported, trap=", trap=leader_trap")), "a_limit.py")
    assert {"term's sign", "sign"} <= {mutant.kind for mutant in mutants_of(decided)}


# ---------------------------------------------------------------------------------------------------------------------
# Names and texts


def test_names_are_unique_and_stay_when_other_lines_come():
    claim = claim_of(NORMS, CANNOT_FAIL, name="named")
    names = [mutant.name for mutant in mutants_of(claim)]
    assert len(set(names)) == len(names)
    longer = text("\nOTHER = 1\n", NORMS, "\ndef unused():\n    return 5 + 6\n", CANNOT_FAIL)
    assert [mutant.name for mutant in mutants_of(claim_in(longer, "named_too.py"))] == names


def test_every_kind_of_change_is_made():
    body = """
    from dynamics.arithmetic import exact, peak
    LIMIT = 3

    @claim.state(">= 0", exact_only=True)
    def everything(f: SelfAttentionFlow, *, order=2):
        '''No statement.'''
        i, j = np.triu_indices(f.x.shape[-2], 1)
        x = f.x[..., 0, :] if f.x.shape[-1] > 1 and f.x.shape[-2] > 1 else f.x[..., -1, :]
        rest = f.x[..., 1:, :] - f.x[..., :-1, :]
        far = (f.x[..., i, :] - f.x[..., j, :]).min(axis=-1)
        mask = ~(f.x > 0).any()
        return max(x.sum() ** order, peak(x)) + exact(2) + LIMIT + far.sum() + rest.sum() + mask
    """
    names = {mutant.name.partition(": ")[2] for mutant in mutants_of(claim_of(body, name="everything"))}
    for part in (
        "order = 2 => 3",
        "order = 2 => 1",
        "f.x[..., 0, :] => f.x[..., 1, :]",
        "f.x[..., -1, :] => f.x[..., -2, :]",
        "f.x[..., 1:, :] => f.x[..., :-1, :]",
        "f.x[..., :-1, :] => f.x[..., 1:, :]",
        "f.x[..., i, :] => f.x[..., j, :]",
        "(f.x[..., i, :] - f.x[..., j, :]).min => (f.x[..., i, :] - f.x[..., j, :]).max",
        "(f.x > 0).any => (f.x > 0).all",
        "f.x > 0 => f.x >= 0",
        "~(f.x > 0).any() => (f.x > 0).any()",
        "f.x.shape[-1] > 1 and f.x.shape[-2] > 1 => f.x.shape[-1] > 1 or f.x.shape[-2] > 1",
        "max(x.sum() ** order, peak(x)) => min(x.sum() ** order, peak(x))",
        "peak(x) => -peak(-x)",
        "3 => 63/20",
        "3 => 2997/1000",
        "exact(2) => exact(21/10)",
        ">= 0 => > 0",
        "the opposite sign",
    ):
        assert part in names, part


def test_a_better_value_of_a_constant_proves_the_mutants_up_to_it_and_no_others():
    claim = catalogue()["clusters.hull_shrinks"]
    name = "edges_move_inward: room = 2 => "
    proved = {mutant.name for mutant in mutants_of(claim) if mutant.name.startswith(name) and proof_of(claim, mutant)}
    assert proved == {f"{name}19/10", f"{name}999/500"}
    assert derivation_of(claim, f"{name}1") == derivation_of(claim, f"{name}19/10") is not None
    assert derivation_of(claim, f"{name}9/10") is derivation_of(claim, "edges_move_inward: >= 0 => > 0") is None
    assert derivation_of(catalogue()["localmax.limits_have_small_self_gaps"], "room_of_limits: share = 1 => 19/20") is None


def test_every_mutant_of_the_suite_is_a_module_of_another_text_and_every_proof_has_its_mutant():
    count = 0
    proved = {name for paper in PAPERS for name in table_of(paper)}
    assert proved <= set(catalogue())
    # All of those with proofs are looked at: an edit of a claim may leave a proof without its mutant.
    chosen = {claim.id for claim in todays_share(12, catalogue().values())} | proved
    for claim in map(catalogue().__getitem__, sorted(chosen)):
        mutants = mutants_of(claim)
        names = [mutant.name for mutant in mutants]
        assert len(set(names)) == len(names)
        assert set(equivalents(claim)) <= set(names), claim.id
        if claim.standing not in (Standing.NOT_YET, Standing.EMPIRICAL):
            readings = [one.form is Form.LIMIT and one.trap is None for one in claim.conclusions]
            left_out = [x or one.form is Form.EXPERIMENT for x, one in zip(readings, claim.conclusions, strict=True)]
            checked = {index for index, is_evidence in enumerate(left_out) if not is_evidence}
            for index in checked - {mutant.index for mutant in mutants}:
                assert only_calls_another(claim.conclusions[index]), claim.id
        for mutant in mutants[:: max(1, len(mutants) // (4 if LONG else 2))]:
            ast.parse(mutant.text)
            assert difference(claim, mutant)
            count += 1
        for mutant in mutants[:1]:
            assert changed(claim, mutant).name == claim.conclusions[mutant.index].name
    assert count > len(chosen)


def only_calls_another(conclusion):
    """Whether the function of an identity is one call of a function that stands elsewhere: there is nothing to change."""
    (function,) = ast.parse(dedent(inspect.getsource(conclusion.slack))).body
    (_, last) = function.body
    return conclusion.relation == "== 0" and all(
        isinstance(part, ast.Call | ast.Name | ast.Attribute | ast.Load | ast.Lambda | ast.arguments | ast.arg)
        for part in ast.walk(last.value)
    )


def test_the_claim_is_left_as_it_is():
    claim = claim_of(NORMS)
    before = [(one.slack, one.relation) for one in claim.conclusions]
    fates_of(claim, "sign")
    assert [(one.slack, one.relation) for one in claim.conclusions] == before


def kinds_of_number():
    with mpmath.workprec(200):
        yield float, 1.5, 0.0
        yield fmpq, fmpq(3, 2), 0
        yield arb, arb(1.5), 0
        yield mpmath.mpf, mpmath.mpf(1.5), mpmath.mpf(10) ** -50
        yield np.ndarray, np.array([1.5, 1.5]), 1e-15
        yield np.ndarray, np.array([fmpq(3, 2), arb(1.5)], dtype=object), 0


@pytest.mark.parametrize(("kind", "x", "error"), list(kinds_of_number()))
def test_a_ratio_computes_with_every_number(kind, x, error):
    third, half = Ratio(1, 3), Fraction(3, 2)
    with mpmath.workprec(200):
        cases = [
            (third * x, half / 3),
            (x * third, half / 3),
            (third + x, half + Fraction(1, 3)),
            (x + third, half + Fraction(1, 3)),
            (third - x, Fraction(1, 3) - half),
            (x - third, half - Fraction(1, 3)),
            (third / x, Fraction(1, 3) / half),
            (x / third, half * 3),
            (-third * x, -half / 3),
        ]
        for found, exact in cases:
            assert isinstance(found, kind)
            for value in np.asarray(found, dtype=object).flat:
                assert _is(value, exact, error), (value, exact)


def _is(value, exact, error):
    if isinstance(value, arb):
        return value.overlaps(arb(fmpq(exact.numerator, exact.denominator))) and value.rad() < 1e-10
    if isinstance(value, fmpq):
        return value == fmpq(exact.numerator, exact.denominator)
    return abs(value - (mpmath.mpf(exact.numerator) / exact.denominator)) <= float(error) + 1e-15


def test_a_ratio_of_whole_numbers_is_a_rational():
    assert 2 * Ratio(21, 20) == fmpq(21, 10)
    assert Ratio(21, 20) - 1 == fmpq(1, 20)
    assert (np.arange(3) * Ratio(1, 2)).tolist() == [0, fmpq(1, 2), 1]
    assert Ratio(1, 2) * Ratio(1, 3) == fmpq(1, 6)
    assert 2**2 * Ratio(3, 2) ** 2 == 9
    assert (Ratio(1, 2) * arb_series([0, 2]))[1] == 1


# ---------------------------------------------------------------------------------------------------------------------
# The command


@pytest.fixture
def file(tmp_path):
    def written(*parts, extra="", name="my_norms"):
        path = tmp_path / f"{name}.py"
        path.write_text(text(*parts, extra=extra))
        return path

    return written


KEPT = (
    '{"profile": "smoke", "budget": 20, "limit": 60.0, "seed": 0, '
    '"claims": [{"id": "my_norms", "paper": "own", "standing": "true", "text": "", "mutants": [MUTANT]}]}'
)
"""A file of fates for OPTIONS."""

OPTIONS = ("--profile", "smoke", "--budget", 20, "--jobs", 1)


def test_survivors_are_shown_and_the_exit_code_is_1_below_the_score(file, tmp_path):
    path = file(CANNOT_FAIL)
    out = tmp_path / "fates.json"
    output = run("--file", path, *OPTIONS, "--json", out, code=1).stdout
    assert "never_negative: >= 0 => > 0" in output
    assert "survived" in output
    report = json.loads(out.read_text())
    assert set(report) == {"profile", "budget", "limit", "seed", "versions", "papers", "claims"}
    (entry,) = report["claims"]
    assert set(entry) == {"id", "paper", "standing", "text", "mutants"}
    summary = report["papers"]["own"]
    assert summary["mutants"] == len(entry["mutants"]) == sum(summary[fate.value] for fate in Fate)
    assert summary["score"] < 50
    run("--file", path, *OPTIONS, "--least", 0)


def test_the_fates_do_not_depend_on_the_number_of_processes(file, tmp_path):
    path, found = file(NORMS), []
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}.json"
        settings = ("--profile", "smoke", "--budget", 20, "--jobs", jobs, "--least", 0)
        run("--file", path, "--only", "squares", *settings, "--json", out)
        (entry,) = json.loads(out.read_text())["claims"]
        # All but the seconds: which process took a mutant, and after what, must not show.
        found.append([{**mutant, "seconds": 0} for mutant in entry["mutants"]])
    assert found[0] == found[1]
    assert len(found[0]) > 10


def test_mutants_are_listed_and_a_sample_is_chosen_by_the_seed(file):
    path = file(NORMS, CANNOT_FAIL)
    every, one, again, other = (
        run("--file", path, "--list", *options).stdout.splitlines()
        for options in ([], ["--sample", 3], ["--sample", 3], ["--sample", 3, "--seed", 1])
    )
    assert "my_norms [constant] parallelogram: factor = 2 => 21/10" in every
    assert len(one) == 6
    assert one == again != other
    assert set(one) | set(other) < set(every)


ABOVE_THREE = """
    @claim.state(">= 0")
    def above_three(f: SelfAttentionFlow, *, most=2):
        '''3 - most.'''
        return 0 * f.x + 3 - most
"""

DISTANCES = """
    @claim.state(">= 0")
    def distances(f: SelfAttentionFlow):
        '''|x_i - x_0|^2.'''
        first, own = f.x[..., :1, :], f.x
        return ((own - first) ** 2).sum(axis=-1)
"""

MOVED, PROVED_TO = "parallelogram: factor = 2 => 19/10", "above_three: most = 2 => 21/10"
TRIVIAL = "distances: own - first => first - first"
NO_MUTANT = "no mutant has this name: did you mean 'parallelogram: factor = 2 => 19/10'?"
PROOFS = {
    "replayed by its name": (NORMS, {}, [MOVED], 0, ["sharpened(factor=fmpq(19, 10))", "1 killed; score 100.0%"]),
    "a survivor": (
        *(CANNOT_FAIL, {"never_negative: >= 0 => > 0": "the slack is at least 1"}),
        *([">= 0 => > 0"], 0, ["1 equivalent; nothing to notice"]),
    ),
    "a smaller change the same way": (ABOVE_THREE, {PROVED_TO: "21/10 <= 3"}, ["1001/500"], 0, ["1 equivalent"]),
    "a smaller change the other way": (ABOVE_THREE, {PROVED_TO: "21/10 <= 3"}, ["999/500"], 0, ["1 weaker"]),
    "noticed as trivial only, without a proof": (DISTANCES, {}, [TRIVIAL], 0, ["1 killed"]),
    "noticed as trivial only": (DISTANCES, {TRIVIAL: "0 >= 0"}, [TRIVIAL], 0, ["1 equivalent; nothing to notice"]),
    "noticed": (NORMS, {MOVED: "too small to matter"}, ["19/10"], 1, ["DECLARED EQUIVALENT, BUT NOTICED"]),
    "no such mutant": (NORMS, {"parallelogram: factor = 2 => 19/11": "no such change"}, [], 2, [NO_MUTANT]),
    "empty": (NORMS, {MOVED: " "}, [], 2, ["must give a proof"]),
}
"""By case: a claim, proofs that mutants of it are equivalent, mutants that are chosen, the exit code, and what is said."""


@pytest.mark.parametrize("case", PROOFS)
def test_a_proof_stands_for_what_survives_and_not_for_what_is_noticed(file, case):
    body, proofs, only, code, said = PROOFS[case]
    chosen = [text for one in only for text in ("--only", one)]
    result = run("--file", file(body, extra=f"equivalent={proofs!r}"), *chosen, *OPTIONS, code=code)
    assert all(text in (result.stderr if code == 2 else result.stdout) for text in said)
    assert code != 2 or len(result.stderr.strip().splitlines()) == 1


def test_unchanged_claims_keep_what_a_file_says(file, tmp_path):
    path, out = file(NORMS), tmp_path / "fates.json"
    options = ("--file", path, "--only", "the opposite sign", *OPTIONS, "--json", out, "--keep")
    run(*options)
    report = json.loads(out.read_text())
    # A reason that no run gives: what says it afterwards was not tried again.
    report["claims"][0]["mutants"][0]["reason"] = "kept"
    out.write_text(json.dumps(report))
    run(*options)
    assert json.loads(out.read_text())["claims"][0]["mutants"][0]["reason"] == "kept"
    run("--file", path, "--only", "factor = 2 =>", *OPTIONS, "--json", out, "--keep", "--least", 0)
    mutants = json.loads(out.read_text())["claims"][0]["mutants"]
    assert [mutant["reason"] for mutant in mutants if mutant["kind"] == "sign"] == ["kept"]
    assert len(mutants) == 6
    path.write_text(path.read_text() + "\n# another text\n")
    run(*options)
    assert json.loads(out.read_text())["claims"][0]["mutants"][0]["reason"] == "VIOLATED"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "holds no fates"),
        ("[]", "holds no fates"),
        ("[" * 3000, "holds no fates"),
        ('{"profile": "ci"}', "holds no fates"),
        (KEPT.replace("MUTANT", "{}"), "holds no fates"),
        (KEPT.replace("MUTANT", '{"name": 1, "reason": "", "fate": "killed", "declared": null}'), "holds no fates"),
        (KEPT.replace("MUTANT", '{"name": "", "reason": "", "fate": "lost", "declared": null}'), "holds no fates"),
        (KEPT.replace('"seed": 0', '"seed": 7').replace("MUTANT", ""), "with other settings"),
    ],
)
def test_a_file_that_holds_no_fates_is_refused(file, tmp_path, content, told):
    out = tmp_path / "fates.json"
    out.write_text(content)
    result = run("--file", file(NORMS), *OPTIONS, "--json", out, "--keep", code=2)
    assert told in result.stderr
    assert out.read_text() == content


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["norms_fall_by", "--profile", "fast"], "unknown profile 'fast'"),
        (["norms_fall_by", "--only", "no such mutant"], "no mutant of the chosen claims"),
        (["norms_fall_by", "--keep"], "give --json FILE"),
        (["norms_fall_by", "--json", "/nonexistent/x.json"], "its folder does not exist"),
        (["no_such_claim"], "no claim matches"),
    ],
)
def test_bad_usage_is_one_sentence(arguments, told):
    result = run(*arguments, code=2)
    assert told in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
