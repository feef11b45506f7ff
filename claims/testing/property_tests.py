"""Claims under pytest and Hypothesis: every conclusion is an ordinary test with `@given`.

A test file of one's own needs two lines beside my_claim.py::

    from claims.testing.property_tests import property_test

    test_my_claim = property_test("my_claim.py")

or, of the suite's own statements, `test_order = suite_test("polarization.*")`. The plugin of this package
(`claims.pytest_plugin`) collects one test for each conclusion. A conclusion held true must survive, one held false must
be refuted, and what `claims verify` calls not borne out fails, as where nothing was decided. Counterexamples and tight
instances that are known run first, as explicit examples.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from flint import arb
from hypothesis import HealthCheck, Phase, event, example, given, note, settings, target
from hypothesis import strategies as st
from hypothesis.internal.observability import observability_enabled

from claims.certificates.necessity import entries_by_claim
from claims.certificates.published import certificate_of, name_of
from claims.hunting.simplify import simplify
from claims.hunting.terms import in_terms
from claims.instances.drawing import draw_instance, unmet
from claims.instances.draws import SeededDraws
from claims.instances.files import read_instance
from claims.instances.hypothesis_draws import drawn_instances
from claims.stating import statement
from claims.stating.catalogue import matching
from claims.stating.statement import AT_A_STATE, Claim, Conclusion, Form, Standing, is_costly, judged_by_runs
from claims.stating.verdict import Outcome, Verdict
from claims.targets.target import Variant
from claims.verifying.deciding import Effort, check
from claims.verifying.smoke import verify_briefly
from claims.verifying.tallies import LEAST, Tally, slack_text, verify_conclusion, why_not_borne_out
from claims.verifying.trial import read_own
from dynamics.arithmetic import FLOAT64
from dynamics.choices import height
from dynamics.system import System

COSTLY_SHARE = 8
"""A trajectory conclusion gets one example for this many of a state conclusion."""

LEAST_COSTLY = 2
"""It gets so many at least, beside those that are known."""

LONGER = 20
"""A statement held false is searched with this many times the examples."""

LONGER_IF_OPEN = 4
"""An open statement of a user's own is searched with this many times the examples."""

STEERED = 10
"""Of fewer examples Hypothesis steers none by what it was told of the others."""

WITHOUT_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""Where a decision is costly, or only the existence of a violation matters, making it small is the work of a hunt."""

SUPPRESSED = (
    # The assumptions are imposed in exact arithmetic, which takes as long as its numbers are; a draw rejects nothing.
    HealthCheck.too_slow,
)
"""Health checks that are beside the point, each with its reason."""


MOST_NUMBERS = 64
"""Of a state whose slack is set beside the size of its terms for Hypothesis's `target`."""

BRIEFLY = Effort(trajectory_bits=64, branches=2_000)
"""A violation along a flow mostly shows at the lowest precision, of a chance in few branches. What is decided is."""

SHRINKING = 5.0
"""Seconds for which a costly violation is made smaller, as a hunt does: Hypothesis would decide every try."""

# Fixed: what refutes a statement today refutes it in every later run, on any machine.
SEED, TURNS = 11, 160
"""Of the starts that are taken in turn, so that every kind comes."""


class Refuted(Exception):  # noqa: N818 -- what is looked for, no error
    """Raised by the first certified violation of what is held false."""


def replay(claim: Claim, system: System) -> str:
    """The command that decides the claim on this instance again."""
    return statement.replay_command(claim.named, system.to_json())


def _text(system: System) -> str:
    return statement.instance_text(system.to_json())


# ---------------------------------------------------------------------------------------------------------------------
# One test


@dataclass(eq=False)
class ConclusionTest:
    """The test of one conclusion, or of all conclusions of a claim held false where it is not known which one fails.

    `function` is made by `@given`; `refuting` says that it must raise Refuted. `known` are instances decided first: they
    must refute what is held false, and what is held true must hold on those within its hypotheses, where a user's own have
    to lie; there are none of several conclusions. `tally` counts the verdicts since the last call of `begin`. What they
    amount to is known when all examples are through: :meth:`run` judges it.
    """

    claim: Claim
    conclusions: tuple[Conclusion, ...]
    refuting: bool = False
    known: Sequence[System] = ()
    tally: Tally = field(init=False)
    function: Callable[..., None] = field(init=False)
    is_run: bool = field(init=False, default=False)
    _is_steered: bool = field(init=False)

    def __post_init__(self) -> None:
        self.begin()
        self.function = self._test()

    @property
    def name(self) -> str:
        """The conclusion, or `refuted` where one of several must be."""
        return self.conclusions[0].name if len(self.conclusions) == 1 else "refuted"

    @property
    def is_costly(self) -> bool:
        """Whether one verdict takes a trajectory or a chain."""
        return any(map(is_costly, self.conclusions))

    def begin(self) -> None:
        """Forget what was counted."""
        self.tally = Tally(self.name, self.conclusions[0].form.value)
        self._told: dict[tuple[str, str], str] = {}

    def _test(self) -> Callable[..., None]:
        claim, conclusions = self.claim, self.conclusions

        @given(system=self._instances(conclusions[0]))
        def of_one(system: System) -> None:
            self.look(conclusions[0], system)

        names = st.sampled_from([conclusion.name for conclusion in conclusions])

        @given(name=names, data=st.data())
        def of_several(name: str, data: st.DataObject) -> None:
            (conclusion,) = (one for one in conclusions if one.name == name)
            self.look(conclusion, data.draw(self._instances(conclusion)))

        effort = self._effort()
        self._is_steered = effort.max_examples >= STEERED
        test = effort(of_one if len(conclusions) == 1 else of_several)
        # Reversed: of decorators the last that is applied runs first.
        for system in reversed(self.known):
            test = example(system=system)(test)
        test.__name__ = test.__qualname__ = f"test_{self.name}"
        test.__doc__ = f"{claim.id}: {claim.statement}"
        # On the function, which is all that pytest hands on: the plugin finds its way back by it.
        test.of_claim = self  # type: ignore[attr-defined]
        return test

    def _instances(self, conclusion: Conclusion) -> st.SearchStrategy[System]:
        """What is drawn. Hypothesis may stay long with what is simple, so a refutation is sought at starts in turn, too."""
        drawn = drawn_instances(self.claim, conclusion)
        if not self.refuting:
            return drawn
        return st.integers(0, TURNS - 1).map(lambda turn: start_in_turn(self.claim, conclusion, turn)) | drawn

    def _effort(self) -> settings:
        """The examples that the standing asks for, of the loaded profile without a deadline: a verdict may take long."""
        loaded = settings()
        # Whatever the profile says, some are drawn: without any a test would say nothing.
        examples, phases = max(LEAST, loaded.max_examples), loaded.phases
        if is_costly(self.conclusions[0]):
            examples = max(LEAST_COSTLY, examples // COSTLY_SHARE)
            phases = tuple(phase for phase in phases if phase in WITHOUT_SHRINKING)
        if self.refuting:
            # Few starts may refute what is false, and one is enough: it need not be small.
            examples, phases = LONGER * loaded.max_examples, WITHOUT_SHRINKING
        elif self.claim.standing is Standing.OPEN and self.claim.file is not None:
            examples *= LONGER_IF_OPEN
        return settings(
            max_examples=examples,
            deadline=None,
            print_blob=True,
            suppress_health_check={*loaded.suppress_health_check, *SUPPRESSED},
            phases=phases if Phase.generate in phases else (*phases, Phase.generate),
        )

    def run(self, function: Callable[[], object] | None = None) -> None:
        """Run the test, by `function` if that is given, and judge what all its examples say together.

        Raises what an example raises, and AssertionError, with the tally, where the standing is not borne out.
        """
        self.begin()
        self.is_run = True
        try:
            (function or self.function)()
        except Refuted:
            if not (self.refuting and self.tally.violated):
                raise
            why = self._silence_of_several()
        else:
            why = self._why_not()
        if not why and len(self.conclusions) == 1:
            why = self._too_little() or self.tally.changed(self.claim, Effort())
        if why:
            raise AssertionError(f"{self.claim.id} is held to be {self.claim.standing_word}, not borne out: {why}")

    def _too_little(self) -> str:
        """Why the examples are too few or too much alike, or say too little, in words; empty where they do not.

        Hypothesis stays long with what is simple: how often a slack has no entry, and what a draw of one's own never makes,
        is asked of instances from a seed.
        """
        claim, (conclusion,) = self.claim, self.conclusions
        asks = self.tally.empty or (claim.draw is not None and not self.is_costly)
        # The suite's own draws are tested elsewhere; a false statement has its counterexample; and few slacks are ever
        # empty.
        if claim.file is None or claim.standing is Standing.FALSE or not asks:
            return self.tally.too_little(claim, conclusion)
        look = verify_conclusion(claim, conclusion, LEAST, SEED, Effort())
        if look.violation is not None:
            told = statement.replay_command(claim.named, look.violation["instance"])
            return f"{conclusion.name} = {look.violation['slack']}\n{told}"
        return look.too_little(claim, conclusion) or why_not_borne_out(Standing.TRUE, [look])

    def _silence_of_several(self) -> str:
        """Which of several conclusions, one of which was refuted, says nothing; empty where each was decided somewhere."""
        if len(self.conclusions) == 1:
            return ""
        looks = (verify_briefly(self.claim, conclusion, SEED, Effort()) for conclusion in self.conclusions)
        return "; ".join(filter(None, (look.silence() for look in looks)))

    def _why_not(self) -> str:
        """Why the examples do not bear the standing out, by the rule of `claims verify`; empty where they do.

        Where no example was decided, as may be of the two of a costly conclusion, its shortest look decides.
        """
        if self.refuting:
            if not self.is_refuted_in_turn():
                return f"no violation of {self.claim.id} was found; {self.tally.counts()}"
            return self._silence_of_several()
        # Of a costly conclusion two examples are drawn: where both stay open its cheapest instance is asked.
        if self.tally.silence():
            self.tally.add(verify_briefly(self.claim, self.conclusions[0], SEED, Effort()))
        if self.claim.standing is Standing.FALSE:
            return self.tally.silence()
        return why_not_borne_out(Standing.TRUE, [self.tally])

    def is_refuted_in_turn(self) -> bool:
        """Whether one of the starts in turn refutes it, for what Hypothesis did not find: few starts may."""
        for conclusion in self.conclusions:
            # Seeded, kind by kind: what few starts refute Hypothesis may miss, which stays near what is simple.
            for turn in range(TURNS):
                system = start_in_turn(self.claim, conclusion, turn)
                verdict = check(conclusion, system)
                self.tally.record(system, verdict)
                if verdict.outcome is Outcome.VIOLATED and not unmet(self.claim, conclusion, system):
                    return True
        return False

    def look(self, conclusion: Conclusion, system: System) -> None:
        """Decide one instance, say what was drawn, and fail as the standing of the claim demands.

        A formula that asks pytest to skip a test or to end, or Hypothesis to forget an instance, fails: it decides nothing.
        """
        try:
            self._look(conclusion, system)
        # All else, BaseException too: pytest.skip, SystemExit and Hypothesis's own would end the test as no failure.
        except (Refuted, AssertionError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise AssertionError(
                f"{conclusion.name} raises {type(error).__name__}: {error}\n{replay(self.claim, system)}"
            ) from error

    def _look(self, conclusion: Conclusion, system: System) -> None:
        claim = self.claim
        # By identity: Hypothesis may draw an equal instance, which is then judged as drawn.
        given_first = any(system is one for one in self.known)
        if self.refuting and (again := self._told.get((conclusion.name, _text(system)))):
            raise Refuted(again)  # Hypothesis asks twice
        missing = [assumption.name for assumption in unmet(claim, conclusion, system)]
        if missing and given_first and not self.refuting and claim.file is None:
            event("given, outside the hypotheses")
            return
        told = "a known instance lies outside the hypotheses and decides nothing"
        if not given_first:
            told = "no counterexample, but what was drawn and led into the hypotheses by `restrict` is outside of them"
        assert not missing or self.refuting, f"{told}: it misses {', '.join(missing)}\n{replay(claim, system)}"
        # Most violations show at 64 bits, at a fraction of the cost; what does not is decided as anywhere.
        verdict = check(conclusion, system, BRIEFLY) if self.refuting and is_costly(conclusion) else None
        if verdict is None or verdict.outcome is Outcome.UNDECIDED:
            verdict = check(conclusion, system)
        self.tally.record(system, verdict)
        _say(conclusion, system, verdict, self._is_steered)
        violated = verdict.outcome is Outcome.VIOLATED and not missing
        told = f"{conclusion.name} = {verdict.slack} {verdict.reason}".rstrip() + f"\n{replay(claim, system)}"
        fails = violated and not self.refuting and claim.standing is not Standing.FALSE
        if fails and is_costly(conclusion):
            told = self._made_small(conclusion, system, told)
        note(told.partition("\n")[2])
        if not self.refuting:
            assert not fails, told
        elif not given_first and violated:
            # Hypothesis runs a failing example once more, and calls it flaky unless it fails with the same words.
            self._told[conclusion.name, _text(system)] = told
            raise Refuted(told)
        elif given_first:
            assert violated, f"a known counterexample refutes no more: {missing or ''} {told}"

    def _made_small(self, conclusion: Conclusion, system: System, told: str) -> str:
        """What is told of a violation nearby with shorter numbers; Hypothesis, which asks twice, is told the same."""
        asked = conclusion.name, _text(system)
        if asked not in self._told:
            self._told[asked] = told
            with suppress(ValueError):  # decided before, but not so again
                small = simplify(Variant(self.claim, conclusion, ()), system, Effort(), SHRINKING)
                slack = f"{conclusion.name} = {small.verdict.slack} {small.verdict.reason}".rstrip()
                self._told[asked] = f"{slack}\n{replay(self.claim, small.system)}"
        return self._told[asked]


def start_in_turn(claim: Claim, conclusion: Conclusion, turn: int) -> System:
    """An instance from a seeded generator, which takes the kinds of start in turn."""
    draws = SeededDraws(np.random.default_rng([SEED, turn]), is_costly(conclusion), turn)
    return draw_instance(claim, conclusion, draws)


def _say(conclusion: Conclusion, system: System, verdict: Verdict, is_steered: bool) -> None:
    """Tell Hypothesis what was drawn, how it was decided, and, where that steers it, how near to a violation it came."""
    event("form", payload=conclusion.form.value)
    fields = system.fields()
    shapes = ((fields[name].axes, array.shape) for name, array in system.arrays().items())
    sizes = {axis: length for axes, shape in shapes for axis, length in zip(axes, shape, strict=True)}
    event("size", payload=" ".join(f"{name} = {size}" for name, size in sizes.items()))
    event("verdict", payload="vacuous" if verdict.known is None and verdict.outcome is Outcome.HOLDS else verdict.outcome)
    event("decided", payload="no" if verdict.known is None else verdict.known.value)
    relative = relative_slack(conclusion, system, verdict) if is_steered or observability_enabled() else None
    if relative is not None:
        target(-relative, label="slack beside the size of its terms, below zero")
    if observability_enabled():
        event("instance", payload=_text(system))
        event("slack", payload=slack_text(conclusion.form, verdict) or "")


def relative_slack(conclusion: Conclusion, system: System, verdict: Verdict) -> float | None:
    """A float64 slack from -1 to 1 that steers the search and decides nothing; None where there is none.

    At a state of at most 64 numbers it is the least slack beside the size of its terms, whatever the unit; elsewhere the
    decided slack, bent into that range: at large states the terms take longer than the verdict. For an identity it is minus
    the largest defect.
    """
    sign = -1.0 if conclusion.form is Form.IDENTITY else 1.0
    # Of large states the terms cost more than the verdict itself.
    few = sum(array.size for array in system.arrays().values()) <= MOST_NUMBERS
    if few and conclusion.form in AT_A_STATE and not conclusion.exact_only:
        fields, single = system.fields(), system.to(FLOAT64)
        # A batch of one: terms are told apart in float64 batches alone.
        arrays = {
            name: array if fields[name].integer else np.asarray(array)[None] for name, array in single.arrays().items()
        }
        try:
            found = in_terms(conclusion, single.replace(**arrays))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            found = None
        if found is not None:
            with np.errstate(all="ignore"):
                shares = np.where(found[1] > 0, found[0] / found[1], 0.0)
            shares = -abs(shares) if sign < 0 else shares
            if np.isfinite(shares).any():
                return float(np.nanmin(shares))
    if verdict.slack is None:
        return None
    value = float(arb(height(verdict.slack)).mid())
    if not np.isfinite(value):
        return None
    # Bounded, so that targets of different conclusions are of one scale; monotone, so that nearer stays nearer.
    bent = value / (1 + abs(value))
    return -abs(bent) if sign < 0 else bent


# ---------------------------------------------------------------------------------------------------------------------
# Known instances


@cache
def _published(claim_id: str) -> tuple[str, System] | None:
    """The refuted conclusion of a claim with its published counterexample."""
    data = certificate_of(name_of(claim_id, ()))
    if data is None:
        return None
    return str(data["conclusion"]["name"]), read_instance(json.dumps(data["instance"]))[0]


def decided_before_draws(claim: Claim, conclusion: Conclusion) -> list[System]:
    """What is decided of a conclusion of the suite held true before anything is drawn.

    Of a correction the counterexamples to what it corrects, and the tightest instance that a hunt met.
    """
    if claim.file is not None:
        return []
    found = [_published(other) for other in _corrections().get(claim.id, ())]
    systems = [system for _, system in (one for one in found if one is not None) if type(system) is claim.system]
    entries = [entry for entry in entries_by_claim().get(claim.id, ()) if entry["conclusion"] == conclusion.name]
    tightest = [entry["tightest"]["instance"] for entry in entries if "tightest" in entry and not entry.get("dropped")]
    return [*systems, *(read_instance(json.dumps(one), [claim.system])[0] for one in tightest)]


@cache
def _corrections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for claim in matching(()):
        if claim.corrected_by is not None:
            found.setdefault(claim.corrected_by, []).append(claim.id)
    return found


def _refutes(claim: Claim, conclusion: Conclusion, system: System) -> bool:
    """Whether an instance satisfies the assumptions and violates the conclusion."""
    return not unmet(claim, conclusion, system) and check(conclusion, system).outcome is Outcome.VIOLATED


# ---------------------------------------------------------------------------------------------------------------------
# Tests of a file, and of the suite


def all_tests_of(claim: Claim, known: Sequence[System] = ()) -> list[ConclusionTest]:
    """A test for each conclusion that is decided on instances. Of a claim held false at least one must refute.

    It is the one that its published counterexample or a `known` instance violates, else any of them.
    """
    decided = [conclusion for conclusion in claim.conclusions if conclusion.form is not Form.EXPERIMENT]
    if claim.standing is not Standing.FALSE:
        within = {one.name: [system for system in known if not unmet(claim, one, system)] for one in decided}
        # What lies outside the hypotheses of all of them is put to each, and fails.
        # Dropped in silence a known instance outside the hypotheses would look decided.
        lost = [system for system in known if not any(system in found for found in within.values())]
        return [
            ConclusionTest(claim, (one,), False, [*within[one.name], *lost, *decided_before_draws(claim, one)])
            for one in decided
        ]
    published = _published(claim.id)
    broken = {one.name: [system for system in known if _refutes(claim, one, system)] for one in decided}
    if published is not None:
        broken[published[0]].append(published[1])
    # A known instance that violates nothing is put to the first conclusion, which then fails.
    idle = [system for system in known if not any(system in found for found in broken.values())]
    refuted = [one for one in decided if broken[one.name]]
    # Nothing tells which of several fails: one test that any of them may satisfy, so that none is blamed wrongly.
    if not refuted and not idle and len(decided) > 1:
        return [ConclusionTest(claim, tuple(decided), True)]
    refuted = refuted or decided[:1]
    broken[refuted[0].name] += idle
    return [ConclusionTest(claim, (one,), one in refuted, broken[one.name]) for one in decided]


class ClaimTests:
    """The tests of some claims, in place of a test function: the plugin of this package collects one for each conclusion.

    What `@reproduce_failure` and `@seed` say of it is said of each.
    """

    collects_claims = True
    made: ClassVar[list[ClaimTests]] = []
    """All of them: the plugin asks which ones nobody runs."""

    def __init__(self, find: Callable[[Sequence[str], Sequence[str]], list[ConclusionTest]], where: str = "") -> None:
        self._find, self.where, self.is_in_hand = find, where, False
        self._taken: list[ConclusionTest] = []
        self.made.append(self)

    @property
    def is_idle(self) -> bool:
        """Whether pytest does not run them, nor a call, nor has who took them run all of them."""
        return not self.is_in_hand and not (self._taken and all(test.is_run for test in self._taken))

    def tests(self, patterns: Sequence[str] = (), files: Sequence[str] = ()) -> list[ConclusionTest]:
        """The tests, those of `patterns` and of claim `files` alone if there are any."""
        found = self._find(patterns, files)
        # What was handed out has to be run by whoever took it, or the session fails.
        self._taken += found
        for test in found:
            for name in HANDED_ON:
                if hasattr(self, name):
                    setattr(test.function, name, getattr(self, name))
        return found

    def __call__(self) -> None:
        """Run every test, without pytest. Raises what the first that fails raises."""
        found, self.is_in_hand = self.tests(), True
        assert found, "there is nothing to test"
        for test in found:
            test.run()


# Private names of Hypothesis: a release that renames them makes @seed say nothing, which tests of the plugin notice.
HANDED_ON = ("_hypothesis_internal_use_reproduce_failure", "_hypothesis_internal_use_seed")
"""What Hypothesis's decorators write on a test."""


def property_test(file: Path | str, known: Sequence[str] = ()) -> ClaimTests:
    """The tests of the claim in a file, one for each conclusion.

    Instances in `known`, JSON text or files, are decided before Hypothesis looks for others. A relative path is looked for
    beside the file that calls. The test fails where a known instance lies outside the hypotheses. Raises OwnFileError where
    the file cannot be used, InstanceError for a `known` that cannot, ValueError for one of another system and for a claim
    of experiments alone.
    """
    asked = sys._getframe(1)  # noqa: SLF001 -- where the test stands
    caller = asked.f_globals.get("__file__")
    folder = Path() if caller is None else Path(caller).parent
    claim = read_own(folder / file)
    _refuse_experiments([claim])
    # JSON text begins with a brace, and no path that anyone writes does.
    sources = [source if source.lstrip().startswith("{") else str(folder / source) for source in known]
    systems = []
    for source in sources:
        found = read_instance(source, [claim.system])
        own = [one for one in found if type(one) is claim.system]
        if not own:
            kinds = ", ".join(type(one).__name__ for one in found)
            raise ValueError(
                f"a known instance is a {kinds}, and {claim.id} is about {claim.system.__name__}: {source:.200}"
            )
        systems += own
    where = f"{asked.f_code.co_filename}:{asked.f_lineno}"
    return ClaimTests(lambda patterns, files: all_tests_of(claim, systems), where)


def suite_test(*patterns: str) -> ClaimTests:
    """The tests of the suite's claims that match: ids, globs, papers or references; all without patterns.

    Of these pytest's --claims chooses again; --claim-file names others. Raises UnknownClaimError for a pattern that matches
    nothing, ValueError where nothing but experiments matches.
    """
    _refuse_experiments(matching(patterns))

    def find(chosen: Sequence[str], files: Sequence[str]) -> list[ConclusionTest]:
        own = [read_own(file) for file in files]
        # --claims chooses among these, and adds nothing to them; a file that is named on the command line belongs to them.
        here = {claim.id for claim in matching(patterns)} | {claim.id for claim in own}
        return [test for claim in matching(chosen, own) if claim.id in here for test in all_tests_of(claim)]

    asked = sys._getframe(1)  # noqa: SLF001 -- where the test stands
    return ClaimTests(find, f"{asked.f_code.co_filename}:{asked.f_lineno}")


def _refuse_experiments(claims: Sequence[Claim]) -> None:
    """Raise ValueError for claims that leave nothing to test: a file without a test would seem to pass."""
    if nothing := judged_by_runs(claims):
        raise ValueError(nothing)
