"""Verify claims: draw instances, decide every conclusion on each, and compare the verdicts with the standings."""

from __future__ import annotations

import itertools
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.instances.drawing import (
    draw_as_it_is,
    draw_elsewhere,
    draw_freely,
    draw_instance,
    imposed_again,
    unmet,
    violate_where_met,
)
from claims.instances.draws import BatchDraws, SeededDraws
from claims.instances.files import read_instance
from claims.stating.statement import AT_A_STATE, Assumption, Claim, Conclusion, Form, Relation, Standing, is_costly
from claims.stating.verdict import Outcome, Verdict
from claims.targets.user_claims import claim_in
from claims.verifying.anew import NoAnswerError, ask
from claims.verifying.deciding import Effort, check, check_experiment, second_opinion
from dynamics.arithmetic import Array
from dynamics.decimals import certain, size_at_most
from dynamics.enclosures.remembered import remembered_enclosures
from dynamics.integrate import in_float64, is_batch, members
from dynamics.system import System

PROFILES = {"smoke": 8, "ci": 96, "nightly": 1600}
"""Instances of a state or step conclusion; trajectories get a sixteenth and chains a quarter of that."""

EXPERIMENT_STEPS = {"smoke": 2_000, "ci": 1_000_000, "nightly": 10_000_000}  # steps an experiment may take
GENERAL = 4  # of so many instances of a claim's own draw one more is general: it is not only about those
BATCH = 256
PATIENCE = 16
"""A statement believed false is searched this many times longer before its standing is called not borne out.

So is an open one of a user's own file, a quarter as long where a verdict is costly: nobody vouches for it. An orbit of
exact states may be a long one, to its limit: it gets no more.
"""

ENOUGH = 24  # violations of a statement held false after which none is decided any more: they would show the same
MOST_TURNS = 1 << 20  # of any search: none is as long
AGAIN = 3  # instances decided again by a text executed anew: what formulas keep shows in the first few
LEAST = 4  # different instances at least, of a user's own claim that admits as many: one start alone shows little
HANDFUL = 24  # instances after the first violation without an assumption, to show a small one; a quarter if costly


@dataclass
class Tally:
    """What was found about one conclusion over many instances. Plain data: it is sent between processes.

    `dropped` names the assumptions that every instance breaks, breaking no others; `missed` counts, by reason, the
    instances put aside because they did not. `error` is what ended the search before its end, in words: nothing of this
    conclusion is known then.
    """

    name: str
    form: str
    dropped: tuple[str, ...] = ()
    screened: int = 0
    instances: int = 0
    holds: int = 0
    violated: int = 0
    undecided: int = 0
    vacuous: int = 0
    empty: int = 0
    touched: int = 0
    decided_by: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    tightest: dict[str, Any] | None = None
    violation: dict[str, Any] | None = None
    first_violation: int | None = None
    missed: Counter[str] = field(default_factory=Counter)
    agreement: float | None = None
    error: str = ""
    objection: dict[str, Any] | None = None
    """Where mpmath finds a number outside of its ball: what it says, and the instance."""
    readings: list[dict[str, str]] = field(default_factory=list)
    """What an experiment on trained models says of each comparison."""
    _slack: Any = None
    _different: set[str] = field(default_factory=set)
    _first: list[tuple[dict[str, Any], str]] = field(default_factory=list)
    _smallest: list[tuple[dict[str, Any], str]] = field(default_factory=list)

    def record(self, system: System | dict[str, Any], verdict: Verdict) -> bool:
        """Count one verdict, keep the smallest violation and the tightest instance; True if this is the tightest."""
        self.instances += 1
        self.readings.extend(verdict.readings)
        if verdict.outcome is Outcome.UNDECIDED:
            self.undecided += 1
            self.reasons[verdict.reason] += 1
            return False
        if verdict.known is None:
            self.vacuous += 1
            self.empty += 1
            return False
        # No more than are asked for: instances may be large, and are sent between processes.
        if isinstance(system, System) and len(self._different) < LEAST:
            self._different.add(json.dumps(system.to_json()))
        self.decided_by[verdict.known] += 1
        if isinstance(system, System) and len(self._first) < AGAIN:
            self._first.append((system.to_json(), _in_words(self.form, verdict)))
        if verdict.outcome is Outcome.VIOLATED:
            self.violated += 1
            self.first_violation = self.first_violation or self.instances
            found = self._told(system, verdict)
            if self.violation is None or _as_read(found) < _as_read(self.violation):
                self.violation = found
                self._smallest = [(found["instance"], _in_words(self.form, verdict))] if isinstance(system, System) else []
            return False
        self.holds += 1
        slack = verdict.slack
        if slack is None:
            return False
        self.touched += is_zero(slack)
        identity = self.form == Form.IDENTITY
        # The end of a ball that is told of it, so that what is kept as the tightest reads as the tightest.
        end = slack if not isinstance(slack, arb) else abs(slack).upper() if identity else slack.lower()
        # Slacks that vanish exactly count as touches only: the tightest of the others says how much room is left.
        if self.tightest is not None and not (
            abs(end) > abs(self._slack) if identity else end > 0 and (self._slack <= 0 or end < self._slack)
        ):
            return False
        self.tightest, self._slack = self._told(system, verdict), end
        return True

    def _told(self, system: System | dict[str, Any], verdict: Verdict) -> dict[str, Any]:
        return {
            "slack": slack_text(self.form, verdict),
            "instance": system if isinstance(system, dict) else system.to_json(),
            "known": verdict.known.value if verdict.known else None,
            "reason": verdict.reason,
        }

    @property
    def decided(self) -> int:
        """The instances with a verdict: neither undecided nor vacuous."""
        return self.holds + self.violated

    def silence(self) -> str:
        """Why nothing is known of the conclusion, in words; empty where an instance was decided, which takes only one."""
        if self.error:
            return f"{self.name}: {self.error}"
        if self.decided:
            return ""
        why = "".join(f"; {reason}" for reason, _ in self.reasons.most_common(1))
        return f"{self.name}: nothing was decided: {self.counts()}{why}"

    def counts(self) -> str:
        """What became of the instances, in words."""
        told = {"violated": self.violated, "hold": self.holds, "UNDECIDED": self.undecided, "vacuous": self.vacuous}
        return f"{self.instances} instances, {', '.join(f'{count} {word}' for word, count in told.items())}"

    def add(self, other: Tally) -> None:
        """Count what another search found about the same conclusion."""
        for name in ("instances", "holds", "violated", "undecided", "vacuous", "empty", "touched"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self._different |= other._different
        for name in ("decided_by", "kinds", "reasons"):
            getattr(self, name).update(getattr(other, name))
        self.tightest, self.violation = self.tightest or other.tightest, self.violation or other.violation

    def summary(self) -> dict[str, Any]:
        """The counts and the tightest slack, as plain data for a report of one line."""
        return {
            "conclusion": self.name,
            "instances": self.instances,
            "violated": self.violated,
            "undecided": self.undecided,
            "vacuous": self.vacuous,
            "decided_by": self.decided_by,
            "slack": (self.violation or self.tightest or {"slack": None})["slack"],
        }

    def __getstate__(self) -> dict[str, Any]:
        # A ball cannot be pickled, and between processes nothing is compared with it any more.
        return self.__dict__ | {"_slack": None}

    def too_little(self, claim: Claim, conclusion: Conclusion) -> str:
        """Why the instances decided of a user's own claim are too few or too much alike; empty where they are not.

        Those of which the slack says nothing are not to be more than the others. And where the hypotheses lead no other
        instance to the same few, there are to be LEAST different ones.
        """
        if claim.file is None or self.violated or claim.standing is Standing.FALSE:
            return ""
        if self.empty > max(LEAST, self.decided):
            text = "what they lack belongs into a hypothesis that says how to meet it, by restrict"
            return f"the slack has no entry at {self.empty} instances, and some at {self.decided} only: {text}"
        if claim.draw is None or len(self._different) >= min(LEAST, self.decided):
            return ""
        rngs = (np.random.default_rng([LEAST, turn]) for turn in range(BATCH))
        if any(draw_elsewhere(claim, conclusion, SeededDraws(rng, is_costly(conclusion))) is not None for rng in rngs):
            return ""  # others were decided, too: the hypotheses lead them to the same few
        text = "let draw make others, or have a hypothesis lead others to these, by restrict"
        return f"{self.decided} instances were decided, of which {len(self._different)} differ: {text}"

    def changed(self, claim: Claim, effort: Effort) -> str:
        """Which instance a user's own claim decides otherwise when its text is executed anew; empty where none does.

        The first ones and the smallest violation are decided again, the last first, in a process that has run no claim
        file: what a formula keeps between instances, anywhere, or takes from chance or a clock, may have made a verdict
        that is none.
        """
        if claim.source is None or claim.file is None or self.form not in AT_A_STATE:
            return ""
        asked = [*self._first, *self._smallest][::-1]
        try:
            anew = ask(said_anew, claim.source, claim.file, self.name, [instance for instance, _ in asked], effort)
        except NoAnswerError as error:
            return str(error)
        for (instance, told), again in zip(asked, anew, strict=True):
            if again != told:
                what = "a slack must depend on the numbers alone, not on memory, chance or identity"
                return f"{told}, and {again} when asked anew: {what}; at {json.dumps(instance)}"
        return ""


def said_anew(source: str, file: str, name: str, instances: Sequence[Any], effort: Effort) -> list[str]:
    """What a conclusion of a file's text is decided to be on instances, in words."""
    claim = claim_in(source, file)
    (conclusion,) = (one for one in claim.conclusions if one.name == name)
    systems = [read_instance(json.dumps(one), [claim.system])[0] for one in instances]
    return [_in_words(conclusion.form.value, check(conclusion, system, effort)) for system in systems]


def why_not_borne_out(standing: Standing, tallies: Sequence[Tally]) -> str:
    """Why the tallies of a claim do not bear its standing out, in words; empty where they do.

    Every conclusion needs an instance that was decided: one that is undecided or vacuous everywhere says nothing. Then a
    claim held false needs a violation, and any other has none. This alone decides it: for `claims verify`, for its shortest
    look and for pytest.
    """
    if not tallies:
        return "it has no conclusion"
    if silent := [told for tally in tallies if (told := tally.silence())]:
        return "; ".join(silent)
    violated = [tally.name for tally in tallies if tally.violated]
    if standing is Standing.FALSE:
        return "" if violated else f"no violation in {sum(tally.instances for tally in tallies)} instances"
    return f"violated: {', '.join(violated)}" if violated else ""


def _in_words(form: str, verdict: Verdict) -> str:
    return f"{verdict.outcome} {slack_text(form, verdict)}"


def is_zero(slack: Any) -> bool:
    """Whether the slack is exactly zero: the bound is attained."""
    return bool(slack.is_zero() if isinstance(slack, arb) else slack == 0)


def slack_text(form: Form | str, verdict: Verdict) -> str | None:
    """The slack of a verdict on a conclusion: an exact rational when it is short, else six digits.

    They tell it no farther from zero than it is; of an identity that holds, whose slack is a defect, no nearer.
    """
    slack = verdict.slack
    if slack is None:
        return None
    if isinstance(slack, fmpq) and len(str(slack)) <= 12:
        return str(slack)
    at_most = form == Form.IDENTITY and verdict.outcome is Outcome.HOLDS
    return (size_at_most if at_most else certain)(slack, 6)


def _as_read(found: dict[str, Any]) -> int:
    """The length of an instance with a space after each entry: of two equally long ones, the one with fewer is smaller."""
    return len(str(found["instance"]))


def examples_of(conclusion: Conclusion, examples: int) -> int:
    """The number of instances of a conclusion when a state conclusion gets `examples`."""
    share = {Form.TRAJECTORY: 16, Form.RATE: 16, Form.LIMIT: 24, Form.PROBABILITY: 4}.get(conclusion.form, 1)
    return max(4, examples // share)


def seed_of(claim: Claim, conclusion: Conclusion, seed: int, dropped: Sequence[str] = ()) -> list[int]:
    """The random seed of one conclusion's instances, whatever the number of processes and the chosen claims."""
    # Python's own hash of a text is another one in every process.
    without = [zlib.crc32(",".join(dropped).encode())] if dropped else []
    return [seed, zlib.crc32(f"{claim.id}.{conclusion.name}".encode()), *without]


def dropped_from(claim: Claim, conclusion: Conclusion, names: Sequence[str]) -> tuple[Assumption, ...]:
    """Those assumptions of the conclusion that have one of the names."""
    return tuple(assumption for assumption in claim.assumptions_of(conclusion) if assumption.name in names)


def verify_conclusion(
    claim: Claim,
    conclusion: Conclusion,
    examples: int,
    seed: int,
    effort: Effort,
    without: Sequence[Assumption] = (),
    first: bool = False,
    known: KnownInstances | None = None,
) -> Tally:
    """Decide one conclusion on instances drawn one by one and on the tightest of float64 batches.

    Every instance breaks exactly the assumptions in `without`, and satisfies all others. With `first` the first
    violation ends it, and mpmath is not asked. What is in `known` is not drawn again.
    """
    tally = Tally(conclusion.name, conclusion.form.value, tuple(assumption.name for assumption in without))
    if conclusion.form is Form.EXPERIMENT:
        tally.record({"experiment": claim.id, "steps": effort.steps}, check_experiment(conclusion, effort))
        return tally
    entropy = seed_of(claim, conclusion, seed, tally.dropped)
    goal = examples_of(conclusion, examples)
    tightest: System | None = None
    # What float64 batches propose depends on the slack: it belongs to one conclusion.
    drawn = _drawn if known is None or without or _is_batched(claim, conclusion) else known.drawn
    with remembered_enclosures():
        for system, kinds, broken in drawn(claim, conclusion, entropy, goal, tally, without):
            if tally.instances >= _enough(claim, conclusion, goal, tally) or (first and tally.violated):
                break
            if without and (missed := _why_missed(system, broken, without)):
                tally.missed[missed] += 1
                continue
            # Before it is decided whether it counts: kinds that are never within the hypotheses are to be seen, too.
            tally.kinds.update(kinds)
            if broken and not without:
                tally.instances += 1
                tally.vacuous += 1
                continue
            try:
                verdict = decide(conclusion, system, effort, outside=bool(without))
            except Exception as error:
                # Without the instance nobody could see it again.
                error.add_note(f"while deciding {claim.id}.{conclusion.name} on {json.dumps(system.to_json())}")
                raise
            if tally.record(system, verdict):
                tightest = system
    # One opinion for a conclusion is enough to see that a formula means the same to both, and the tightest tells most.
    if tightest is not None and not first and (opinion := second_opinion(conclusion, tightest)) is not None:
        tally.agreement = opinion.digits
        if opinion.objection:
            tally.objection = {"told": opinion.objection, "instance": tightest.to_json()}
    return tally


def decide(conclusion: Conclusion, system: System, effort: Effort, outside: bool) -> Verdict:
    """The verdict on one instance, which may lie `outside` the hypotheses: UNDECIDED if the formula is undefined there."""
    try:
        return check(conclusion, system, effort)
    except (ArithmeticError, LookupError, StopIteration, ValueError) as error:
        if not outside:
            raise
        return Verdict(
            Outcome.UNDECIDED, None, None, f"the slack has no value outside the hypotheses: {error or type(error).__name__}"
        )


def _why_missed(system: System, unmet: Sequence[Assumption], without: Sequence[Assumption]) -> str:
    """Why an instance does not break exactly those in `without`; empty if it does. An open assumption is not broken."""
    kept = [assumption.name for assumption in without if assumption not in unmet]
    undecided = [assumption.name for assumption in unmet if not assumption.is_broken(system)]
    others = [assumption.name for assumption in unmet if assumption not in without]
    if kept:
        return f"satisfy {', '.join(kept)}"
    if undecided:
        return f"leave {', '.join(undecided)} open"
    return f"break {', '.join(others)} too" if others else ""


def _enough(claim: Claim, conclusion: Conclusion, goal: int, tally: Tally) -> int:
    if tally.dropped:
        share = 4 if is_costly(conclusion) else 1
        if tally.undecided >= 2 * goal // share and not tally.holds + tally.violated:
            return 0  # a slack that vanishes wherever the assumption is broken stays open however long one looks
        most = goal * PATIENCE // share
        return most if tally.first_violation is None else min(most, tally.first_violation + HANDFUL // share)
    if tally.violated:
        return tally.instances if claim.standing is Standing.FALSE and tally.violated >= ENOUGH else goal
    if claim.standing is Standing.OPEN and claim.file is not None:
        is_long = conclusion.form is Form.ORBIT and conclusion.exact_only
        return goal if is_long else goal * PATIENCE // (4 if is_costly(conclusion) else 1)
    return goal * PATIENCE if claim.standing is Standing.FALSE else goal


Drawn = tuple[System, list[str], list[Assumption]]
"""An instance, the kinds of start it came from, and what it does not satisfy."""


def _drawn(
    claim: Claim, conclusion: Conclusion, entropy: list[int], goal: int, tally: Tally, without: Sequence[Assumption]
) -> Iterator[Drawn]:
    for system, kinds in _instances(claim, conclusion, entropy, goal, tally, without):
        yield system, kinds, unmet(claim, conclusion, system)


class KnownInstances:
    """Instances drawn for one conclusion and used again for others of the same name.

    Only where they do not depend on the slack, as proposals of float64 batches do. Those of the last conclusion are kept.
    """

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()
        self._found: list[Drawn] = []
        self._more: Iterator[Drawn] = iter(())

    def drawn(
        self, claim: Claim, conclusion: Conclusion, entropy: list[int], _: int, tally: Tally, without: Sequence[Assumption]
    ) -> Iterator[Drawn]:
        """Yield from `_drawn` without end: the caller stops when there are enough."""
        key = (entropy, is_costly(conclusion), claim.system, claim.draw, *claim.assumptions_of(conclusion))
        if key != self._key:
            self._key, self._found = key, []
            self._more = _drawn(claim, conclusion, entropy, MOST_TURNS, tally, without)
        for index in itertools.count():
            if index == len(self._found):
                try:
                    self._found.append(next(self._more))
                except BaseException:
                    self._key = ()  # a generator that was broken off yields no more
                    raise
            yield self._found[index]


def _is_batched(claim: Claim, conclusion: Conclusion) -> bool:
    # Of a draw of a user's own it is tried: it may well be written for batches.
    return not (is_costly(conclusion) or conclusion.exact_only or (claim.draw and claim.file is None))


def _instances(
    claim: Claim, conclusion: Conclusion, entropy: list[int], goal: int, tally: Tally, without: Sequence[Assumption] = ()
) -> Iterator[tuple[System, list[str]]]:
    # With `without`, two kinds of instance alternate: one built to satisfy everything, after which those in `without` are
    # violated, and one on which they are never imposed, and violated only if they still hold: each reaches starts that the
    # other does not. In a batch they are not imposed, and violated in the rows that it proposes.
    small = is_costly(conclusion)
    batched = _is_batched(claim, conclusion)
    elsewhere = claim.draw is not None and not without and not (small and claim.file is None)
    for turn in range(goal * PATIENCE):
        # Each kind of instance has chances of its own, by the last number: one more kind moves none of the others.
        draws = SeededDraws(np.random.default_rng([*entropy, turn]), small, turn)
        yield draw_instance(claim, conclusion, draws, without), draws.chosen
        if elsewhere and turn % GENERAL == 1:
            draws = SeededDraws(np.random.default_rng([*entropy, turn, 3]), small, turn)
            if (general := draw_elsewhere(claim, conclusion, draws)) is not None:
                yield general, [*draws.chosen, "general"]
        if not without and turn % GENERAL == 3:
            draws = SeededDraws(np.random.default_rng([*entropy, turn, 4]), small, turn)
            if (as_it_is := draw_as_it_is(claim, conclusion, draws)) is not None:
                yield as_it_is, [*draws.chosen, "as drawn"]
        if without:
            draws = SeededDraws(np.random.default_rng([*entropy, turn, 2]), small, turn)
            system = draw_freely(claim, conclusion, draws, without)
            yield violate_where_met(claim, system, draws, without), draws.chosen
        if batched and turn % 24 == 5:
            batch = BatchDraws(np.random.default_rng([*entropy, turn, 1]), small, turn, batch=BATCH)
            systems = _batch_of(claim, conclusion, batch, without)
            if systems is None:
                batched = False
                continue
            slack = _screened(conclusion, systems, outside=bool(without))
            if slack.size == 0:
                continue
            tally.screened += BATCH
            for index in _most_promising(slack, conclusion.relation):
                # Rounding breaks equalities: imposed on the rationals that the floats are, they are exact again.
                row = imposed_again(claim, conclusion, systems.row(index), without)
                row = violate_where_met(claim, row, draws, without)
                yield row, [*batch.chosen, "proposed by float64"]


def _batch_of(claim: Claim, conclusion: Conclusion, draws: BatchDraws, without: Sequence[Assumption]) -> System | None:
    try:
        with np.errstate(all="ignore"):  # what overflows is no proposal
            systems = draw_freely(claim, conclusion, draws, without)
    except Exception:
        if claim.draw is None:
            raise
        return None
    if not is_batch(systems) or members(systems) != draws.batch:
        return None
    # A draw of one's own may leave some arrays exact, which compute with no floats.
    return in_float64(systems) if claim.draw else systems


def _screened(conclusion: Conclusion, systems: System, outside: bool) -> Array:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(conclusion.slack(systems)).reshape(BATCH, -1)
    except (ArithmeticError, IndexError, ValueError):
        if not outside:
            raise
        return np.empty((BATCH, 0))


def _most_promising(slack: Array, relation: Relation) -> list[int]:
    value = -abs(slack).max(axis=1) if relation is Relation.ZERO else slack.min(axis=1)
    return [int(index) for index in np.argsort(np.where(np.isnan(value), np.inf, value))[:2]]
