"""Claims under pytest and Hypothesis: a claim held true must survive, a claim held false must be refuted.

A test file of one's own needs two lines beside my_claim.py::

    from claims.property_tests import property_test

    test_my_claim = property_test("my_claim.py")
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from claims.instances.drawing import draw_instance, instances, is_costly, unmet
from claims.instances.draws import SeededDraws
from claims.instances.files import read_instance
from claims.statement import Claim, Conclusion, Form, Standing
from claims.verdict import Outcome
from claims.verifying.deciding import Effort, check
from claims.verifying.tallies import Tally
from claims.verifying.trial import read_own
from dynamics.system import System

COSTLY_SHARE = 8
"""A trajectory conclusion gets one example for this many of a state conclusion."""

LONGER = 20
"""A statement held false is searched with this many times the examples."""

BRIEFLY, TRIED_BRIEFLY = Effort(trajectory_bits=64), 6
"""A violation along a flow mostly shows at the lowest precision: so many starts are tried there before any is at more."""

SEED = 11
"""Of the starts that are taken in turn."""

WITHOUT_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""Only the existence of a violation matters here: making it small is the work of a hunt."""


def effort_for(conclusion: Conclusion) -> settings:
    """The loaded Hypothesis profile, without deadlines and health checks: a verdict may take long."""
    examples = settings().max_examples
    return settings(
        max_examples=max(3, examples // COSTLY_SHARE) if is_costly(conclusion) else examples,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def replay(claim: Claim, system: System) -> str:
    """The command that decides the claim on this instance again."""
    return f"claims verify {claim.named} --instance '{json.dumps(system.to_json(), separators=(',', ':'))}'"


def assert_survives(claim: Claim, conclusion: Conclusion, tally: Tally | None = None) -> None:
    """Raise AssertionError, with the command that replays it, at a shrunk instance that violates the conclusion."""

    @effort_for(conclusion)
    @given(data=st.data())
    def survive(data: Any) -> None:
        system = data.draw(instances(claim, conclusion))
        missing = unmet(claim, conclusion, system)
        assert not missing, f"the construction missed {[assumption.name for assumption in missing]}"
        verdict = check(conclusion, system)
        if tally is not None:
            tally.record(system, verdict)
        again = replay(claim, system)
        note(again)
        assert verdict.outcome is not Outcome.VIOLATED, f"{conclusion.name} = {verdict.slack} {verdict.reason}\n{again}"

    survive()


class Refuted(Exception):  # noqa: N818 -- what is looked for, no error
    """Raised by the first certified violation."""


def is_refuted(claim: Claim, conclusion: Conclusion, tally: Tally | None = None) -> bool:
    """Whether a start in turn, or else one that Hypothesis finds, is a certified violation within the assumptions."""
    examples = LONGER * settings().max_examples

    def violated(system: System, effort: Effort) -> bool:
        verdict = check(conclusion, system, effort)
        if tally is not None and (verdict.outcome is not Outcome.UNDECIDED or effort is not BRIEFLY):
            tally.record(system, verdict)
        return verdict.outcome is Outcome.VIOLATED and not unmet(claim, conclusion, system)

    # Every kind of start comes early; Hypothesis may stay long with what is simple, and decides what it found once more.
    costly = is_costly(conclusion)
    brief = [(turn, BRIEFLY) for turn in range(TRIED_BRIEFLY * costly)]
    for turn, effort in [*brief, *((turn, Effort()) for turn in range(examples))]:
        draws = SeededDraws(np.random.default_rng([SEED, turn]), costly, turn)
        if violated(draw_instance(claim, conclusion, draws), effort):
            return True

    @settings(effort_for(conclusion), max_examples=examples, phases=WITHOUT_SHRINKING)
    @given(data=st.data())
    def search(data: Any) -> None:
        if violated(data.draw(instances(claim, conclusion)), Effort()):
            raise Refuted

    try:
        search()
    except Refuted:
        return True
    return False


def assert_refuted(claim: Claim, tally: Tally | None = None) -> None:
    """Raise AssertionError unless one of the conclusions of a claim held false is refuted."""
    searched = [conclusion for conclusion in claim.conclusions if conclusion.form is not Form.EXPERIMENT]
    assert any(is_refuted(claim, conclusion, tally) for conclusion in searched), f"no violation of {claim.id} was found"


def violations(claim: Claim, conclusion: Conclusion, known: Sequence[str]) -> list[str]:
    """Commands for those of the instances, JSON text or files, that satisfy the assumptions and violate the conclusion."""
    found = []
    for system in (system for source in known for system in read_instance(source, [claim.system])):
        if type(system) is not claim.system or unmet(claim, conclusion, system):
            continue
        verdict = check(conclusion, system)
        if verdict.outcome is Outcome.VIOLATED:
            found.append(f"{conclusion.name} = {verdict.slack} {verdict.reason}\n{replay(claim, system)}")
    return found


def property_test(file: Path | str, known: Sequence[str] = ()) -> Callable[..., None]:
    """A pytest test of the claim in a file: one case for each conclusion, or one that refutes a claim held false.

    Instances in `known`, JSON text or files, are decided before Hypothesis looks for others. A relative path is looked for
    beside the file that calls. Raises OwnFileError where the file cannot be used.
    """
    caller = sys._getframe(1).f_globals.get("__file__")  # noqa: SLF001 -- where the test stands
    folder = Path() if caller is None else Path(caller).parent
    claim = read_own(folder / file)
    searched = [conclusion for conclusion in claim.conclusions if conclusion.form is not Form.EXPERIMENT]
    sources = [source if source.lstrip().startswith("{") else str(folder / source) for source in known]
    if claim.standing is Standing.FALSE:

        def test_is_refuted() -> None:
            if not any(violations(claim, conclusion, sources) for conclusion in searched):
                assert_refuted(claim)

        return test_is_refuted

    @pytest.mark.parametrize("conclusion", searched, ids=[conclusion.name for conclusion in searched])
    def test_survives(conclusion: Conclusion) -> None:
        found = violations(claim, conclusion, sources)
        assert not found, found[0]
        assert_survives(claim, conclusion)

    return test_survives
