"""One conclusion, at one size, for every real input: proved, refuted by an instance, or left open with the reason."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar

from flint import fmpq

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.hunting.rounds import certified
from claims.hunting.simplify import simplify
from claims.proving.agreement import (
    DisagreeingRunError,
    admitted_sample,
    cross_check,
    is_compared,
    noting,
    refuse_unnoticed,
)
from claims.proving.boxes import NoBoxError
from claims.proving.branches import Branches
from claims.proving.exploring import (
    AGAIN_SHARE,
    BRANCH_SECONDS,
    BudgetSpentError,
    Leaf,
    NoProofError,
    PathEnd,
    Question,
    Shape,
    Size,
    explore,
    is_complete,
    path_at,
    run_again,
)
from claims.proving.reasons import Reason, Reasons
from claims.proving.renamings import renamings
from claims.proving.solvers import Answer, NoSolverError, Solver, each_solver
from claims.proving.systems import system
from claims.stating.statement import AT_A_STATE, Form
from claims.stating.verdict import Outcome, Verdict
from claims.targets.target import Target, TargetError, Variant
from claims.verifying.anew import NoAnswerError, ask, start
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import rational
from dynamics.system import System

EFFORT = Effort(bits=1 << 12)
SPARE_SECONDS = 3.0  # beyond the budget, which is looked at between two questions, before an attempt is interrupted
SIMPLIFY_SECONDS = 10.0
# Paths on which a solver is asked for an input: where the first have none, exponentials are in the way.
INHABITED_TRIALS = 24
CONFIRM_SECONDS = 2.0  # at least, for the other solvers to confirm a proof: to start takes a moment

# Largest denominators of the rationals tried in place of an irrational number of a model: simple ones first, for an
# instance that can be read; the last is near enough wherever there is some room around the number.
DENOMINATORS = (1, 2, 4, 8, 60, 1 << 12)


class ContradictionError(ArithmeticError):
    """One solver says that a system has a solution, and another that it has none."""


class ProofStatus(StrEnum):
    """What became of an attempt."""

    PROVED = "PROVED"
    VIOLATED = "VIOLATED"
    UNKNOWN = "unknown"
    VACUOUS = "vacuous"
    IMPOSSIBLE = "cannot run"


@dataclass(frozen=True)
class Part:
    """A question of a proof, told in plain data, with all leaves of its paths.

    `trees` are the boxes that decide a leaf, by its answers, where solvers do not: one tree for each of its problems.
    `reasons` say why a leaf's system has no solution where no solver was asked.
    """

    shows: dict[str, Any]
    leaves: list[Leaf]
    trees: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    reasons: dict[str, Reason] = field(default_factory=dict)


@dataclass
class Attempt:
    """What was found of a target at a size, and how. `instance` is that of a violation.

    `out_of_time` says that more time may decide it. `parts` are those of a proof, and `outline`, plain data, is what ties
    them together: nothing for the paths of a statement about a state, the box that bounds them, or the rules by which
    something holds for ever.
    """

    target: Target
    size: dict[str, int]
    told: str = ""
    word: ProofStatus = ProofStatus.UNKNOWN
    reason: str = ""
    paths: int = 0
    cut: int = 0
    decided: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    parts: list[Part] = field(default_factory=list)
    outline: dict[str, Any] = field(default_factory=dict)
    out_of_time: bool = False
    slack: str | None = None
    instance: dict[str, Any] | None = None
    certificate: dict[str, Any] | None = None

    def count(self, leaf: Leaf) -> None:
        """One path more."""
        self.cut += leaf.kind is PathEnd.CUT
        self.paths += leaf.kind in (PathEnd.DECIDED, PathEnd.VOID)

    @property
    def how(self) -> str:
        """The paths and what decided them."""
        counts = ", ".join(f"{name} {count}" for name, count in self.decided.items() if count)
        paths = f"{self.paths} path{'s' if self.paths != 1 else ''}, {self.cut} cut"
        return paths + (f"; {counts}" if counts else "")

    @property
    def text(self) -> str:
        """The verdict in words."""
        if self.word is ProofStatus.PROVED:
            return f"PROVED for all {self.told}"
        return f"{self.word} at {self.told}" if self.told else str(self.word)

    def refute(self, system: System, verdict: Verdict, how: str) -> None:
        """Turn this into a violation by an instance, with its certificate where there is one."""
        self.word, self.instance, self.slack = ProofStatus.VIOLATED, system.to_json(), str(verdict.slack)
        self.reason, self.out_of_time = f"{how}, decided {verdict.known}", False
        try:
            self.certificate = certified(self.target, system, verdict, 0)
        except ValueError as error:
            self.reason += f"; no certificate: {error}"

    def to_json(self) -> dict[str, Any]:
        """Plain data, the paths themselves left out."""
        data: dict[str, Any] = {
            "target": self.target.to_json(),
            "size": self.size,
            "for_all": self.told,
            "verdict": self.word.value,
            "reason": self.reason,
            "paths": self.paths,
            "cut": self.cut,
            "decided": self.decided,
            "seconds": round(self.seconds, 2),
        }
        if self.instance is not None:
            data |= {"slack": self.slack, "instance": self.instance, "certificate": self.certificate}
        return data


@contextmanager
def attempting(target: Target, values: Mapping[str, int], budget: float, parts: str) -> Iterator[tuple[Attempt, float]]:
    """An attempt and its deadline, `budget` seconds from now. What ends it inside is its word; other errors pass.

    A formula that asks nothing looks at no deadline: `within(budget + SPARE_SECONDS)` ends it.

    `parts` are what there may be too many of: paths, steps, boxes.
    """
    made = Attempt(target, dict(values))
    began = time.monotonic()
    if target.source is not None:
        start()  # it takes a second, and is asked at the end
    try:
        yield made, began + budget
    except NoProofError as error:
        made.word, made.reason = ProofStatus.IMPOSSIBLE, str(error)
    except (BudgetSpentError, OutOfTimeError):
        made.out_of_time = True  # tried again with more of it, where others leave some
        made.word, made.reason = ProofStatus.UNKNOWN, made.reason or f"more {parts} than {budget:.3g} s allow"
    except NoBoxError as error:
        made.word, made.reason = ProofStatus.UNKNOWN, str(error)
    except DisagreeingRunError as error:
        made.word, made.reason = ProofStatus.UNKNOWN, f"symbols and rationals disagree: {error}"
    except (ContradictionError, TargetError, NoSolverError):
        raise
    except Exception as error:  # noqa: BLE001 -- whatever one formula fails with, the others are tried
        made.word, made.reason = ProofStatus.IMPOSSIBLE, f"{type(error).__name__}: {error}"
    made.seconds = time.monotonic() - began


class Solving:
    """What solvers decide in one attempt, `limit` seconds at most for one system: the systems, and who decided them."""

    def __init__(self, solvers: Sequence[Solver], deadline: float, limit: float) -> None:
        self.solvers, self.z3, self.deadline, self.limit = solvers, solvers[0], deadline, limit
        self.began = time.monotonic()
        self.known: dict[str, str] = {}
        self.decided: dict[str, int] = {}

    def count(self, name: str) -> None:
        """One system more that a solver, or a reason in place of one, decides."""
        self.decided[name] = self.decided.get(name, 0) + 1

    def time_left(self) -> float:
        """What a solver may take now. Raises BudgetSpentError."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise BudgetSpentError
        return min(self.limit, left)

    def until(self) -> float:
        """When nobody is asked for more than a proof needs: after as long as all else took, and a little while at least."""
        now = time.monotonic()
        return min(self.deadline, now + max(now - self.began, CONFIRM_SECONDS))

    def decide(self, text: str) -> Answer:
        """What the first solver says, or where it gives up that a later one finds no solution. Raises BudgetSpentError."""
        if text in self.known:
            return Answer("unsat")
        said = []
        for solver in self.solvers:
            said.append(solver.decide(text, self.time_left()))
            if said[-1].word == "unsat":
                self.known[text] = solver.name
                self.count(solver.name)
                return said[-1]
            # A solution is not overruled by a solver that is asked after it; only the first has its numbers.
            if said[-1].word == "sat":
                break
        return said[0]

    def known_of(self, parts: Sequence[Part]) -> dict[str, str]:
        """Who decided the systems of these parts: others were decided on the way, and no proof rests on them."""
        texts = (text for part in parts for leaf in part.leaves for text in (*leaf.systems, *leaf.parts))
        return {text: self.known[text] for text in texts if text in self.known}

    def confirm(self, made: Attempt, known: Mapping[str, str], end: float) -> dict[str, int]:
        """Ask later solvers what earlier ones decided, until `end`: the counts. Raises ContradictionError."""
        confirmed: Counter[str] = Counter()
        names = [solver.name for solver in self.solvers]
        # The shortest first: of the time that is left most are confirmed so.
        for text, by in sorted(known.items(), key=lambda one: len(one[0])):
            for solver in self.solvers[names.index(by) + 1 :]:
                left = end - time.monotonic()
                if left > 0:
                    answer = solver.decide(text, min(self.limit, left))
                    if answer.word == "sat":
                        raise ContradictionError(f"{made.target}: {solver.name} finds a solution where {by} finds none")
                    confirmed[f"{solver.name} confirms"] += answer.word == "unsat"
        return dict(+confirmed)


@dataclass
class AboutStates:
    """What a proof is of, here of all states of a size: what it has to show, and what ties that to real inputs.

    Who finds a proof and who checks it again ask for the same here. `outline` is that of the attempt, `parts` are what is
    shown, one for each of the questions.
    """

    variant: Variant
    size: Size
    outline: dict[str, Any] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)

    FORMS: ClassVar[tuple[Form, ...]] = AT_A_STATE
    REFUSAL: ClassVar[str] = "the slack of a {} is no formula in one state"
    COUNTED: ClassVar[str] = "paths"

    @property
    def told(self) -> str:
        """What is proved, in words."""
        return str(self.size)

    def questions(self) -> list[tuple[dict[str, Any], Question, Shape]]:
        """What each part is to show, told and asked."""
        return [({}, self.variant, self.size)]

    def search(self, made: Attempt, solving: Solving) -> bool:
        """Find the parts. Where one is open, or there is a violation, the attempt says so."""
        reasons = Reasons(renamings(self.size.places))
        branches = Branches(self.variant, self.size, solving.z3, reasons)
        self.parts = [part := Part({}, [])]
        left_open: list[str] = []
        made.decided = solving.decided
        for leaf in explore(self.variant, self.size, branches.possible, solving.deadline):
            part.leaves.append(leaf)
            made.count(leaf)
            for text in leaf.systems:
                # Before any solver: sums and renamings take a moment, and need nobody's word.
                reason = reasons.of(leaf.names, leaf.conditions, leaf.violations)
                if reason is not None:
                    part.reasons[leaf.answers] = reason
                    solving.count(reason["by"])
                    continue
                answer = solving.decide(text)
                if answer.word == "unknown":  # one violation at a time is often within reach where all are not
                    for one in leaf.parts:
                        text, answer = one, answer if one == text else solving.decide(one)  # noqa: PLW2901 -- what is open
                        if answer.word != "unsat":
                            break
                if answer.word == "unsat":
                    reasons.learn(leaf.answers, leaf.conditions, leaf.violations)
                elif answer.word == "unknown":
                    left_open.append(answer.reason or "no solver decides it")
                elif told := self._refuted(made, leaf, text, answer, solving):
                    left_open.append(told)
                else:
                    return False
        if left_open:
            made.reason = f"{len(left_open)} systems open: {left_open[0]}"
        return not left_open

    def _refuted(self, made: Attempt, leaf: Leaf, text: str, answer: Answer, solving: Solving) -> str:
        """Turn a model into an instance, decided as ever, and the attempt into a violation; or why it is none."""
        instance = instance_near(self.variant, self.size, solving.z3, text, answer, solving.time_left)
        told = leaf.reason or (
            "exponentials are known in part" if leaf.inexact else "no rational instance was found near it"
        )
        try:
            verdict = None if instance is None else check(self.variant.conclusion, instance, EFFORT)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:  # where the formula has no value
            verdict, told = None, f"{type(error).__name__}: {error}"
        if instance is None or verdict is None or verdict.outcome is not Outcome.VIOLATED:
            return f"a model that is no counterexample: {told}"
        seconds = min(SIMPLIFY_SECONDS, max(solving.deadline - time.monotonic(), 1.0))
        small = simplify(self.variant, instance, EFFORT, seconds)
        made.refute(small.system, small.verdict, f"a model of path {made.paths}")
        return ""

    def agreed(self, z3: Solver, end: float) -> tuple[str, list[list[str]]]:
        """How much of what is computed the ordinary way agrees, in words, and the numbers of instances beyond a sample.

        Raises DisagreeingRunError.
        """
        (part,), points = self.parts, list[list[str]]()
        more = noting(points_on(self.size, part.leaves, z3, end), points)
        return f"{cross_check(self.variant, self.size, part.leaves, more=more)} instances agree", points

    def is_inhabited(self, z3: Solver, time_left: Callable[[], float]) -> bool:
        """Whether a real input is known that meets the hypotheses and gives the formula something to compare.

        A solution where exponentials are known in part need not be an input: an instance must come of it.
        """
        for instance in admitted_sample(self.variant, self.size):
            found = path_at(self.variant, self.size, self.size.point(instance))
            if is_compared(self.variant, instance) if found is None else found.kind is PathEnd.DECIDED and found.values:
                return True
        for leaf in islice((leaf for leaf in self.parts[0].leaves if leaf.compared), INHABITED_TRIALS):
            text = system(leaf.names, leaf.conditions, ())
            answer = z3.decide(text, time_left())
            if answer.word == "sat":
                near = instance_near(self.variant, self.size, z3, text, answer, time_left) if leaf.inexact else None
                if not leaf.inexact or (near is not None and is_compared(self.variant, near)):
                    return True
        return False

    def without_input(self) -> tuple[ProofStatus, str]:
        """What is said where none is known."""
        leaves = self.parts[0].leaves
        if any(leaf.compared for leaf in leaves):
            return ProofStatus.UNKNOWN, "no solver finds an input that meets the hypotheses"
        if any(leaf.kind is PathEnd.DECIDED for leaf in leaves):
            return ProofStatus.VACUOUS, "there is nothing to compare at this size"
        return ProofStatus.VACUOUS, "no input of this size meets the hypotheses"


def attempt(
    target: Target,
    values: Mapping[str, int],
    budget: float,
    limit: float,
    kind: type[AboutStates] = AboutStates,
    outline: dict[str, Any] | None = None,
) -> Attempt:
    """Try to prove a target at a size within `budget` seconds, at most `limit` for one system.

    Raises ContradictionError where two solvers contradict each other, TargetError, and NoSolverError.
    """
    with (
        attempting(target, values, budget, kind.COUNTED) as (made, deadline),
        each_solver(Solver) as solvers,
        within(budget + SPARE_SECONDS),
    ):
        variant = target.resolve()
        if variant.conclusion.form not in kind.FORMS:
            raise NoProofError(kind.REFUSAL.format(variant.conclusion.form))
        subject = kind(variant, Size.of(variant.claim.system, made.size), outline or {})
        made.told = subject.told
        solving = Solving(solvers, deadline, limit)
        if subject.search(made, solving):
            _conclude(made, subject, solving)
    return made


def _conclude(made: Attempt, subject: AboutStates, solving: Solving) -> None:
    """A proof of what solvers decide, if it agrees with real inputs and speaks of one."""
    made.parts, made.outline = subject.parts, subject.outline
    if not all(is_complete([leaf.answers for leaf in part.leaves]) for part in made.parts):
        raise DisagreeingRunError("a path was lost")
    # What is said to be vacuous is compared, too.
    made.reason, points = subject.agreed(solving.z3, solving.until())
    run_anew(made, subject, AGAIN_SHARE * (time.monotonic() - solving.began), points)
    if not subject.is_inhabited(solving.z3, solving.time_left):
        made.word, made.reason = subject.without_input()
        return
    made.decided |= solving.confirm(made, solving.known_of(made.parts), solving.until())
    made.word = ProofStatus.PROVED


def run_anew(made: Attempt, subject: AboutStates, seconds: float, points: Sequence[Sequence[str]]) -> None:
    """Walk the paths of a user's own claim again, the last first, in a process that has run no claim file.

    Raises NoProofError where they end otherwise: something was kept, in the file or elsewhere, or chance decides.
    """
    if made.target.source is None:
        return
    try:
        ask(walk_again, type(subject), made.target, made.size, made.outline, made.parts, seconds, points)
    except NoAnswerError as error:
        raise NoProofError(str(error)) from None


def walk_again(
    kind: type[AboutStates],
    target: Target,
    size: Mapping[str, int],
    outline: dict[str, Any],
    parts: Sequence[Part],
    seconds: float,
    points: Sequence[Sequence[str]],
) -> None:
    """Run a claim's text along all paths for so long, and look at some instances for what no number notices.

    Raises NoProofError where a path ends otherwise, and DisagreeingRunError.
    """
    variant = target.resolve()
    questions = kind(variant, Size.of(variant.claim.system, size), outline).questions()
    # The last first: what the first paths make true of later ones is not yet true.
    for (_, asked, shape), part in zip(reversed(questions), reversed(parts), strict=True):
        run_again(asked, shape, part.leaves[::-1], seconds / len(parts), {})
    refuse_unnoticed(target, size, points)


def points_on(shape: Any, leaves: Iterable[Leaf], z3: Solver, end: float) -> Callable[[Collection[str]], Iterator[Any]]:
    """Instances on those paths of a proof that no instance of a sample met, as many as are found until `end`.

    A formula that goes another way with rationals than with symbols, where few are, goes it there.
    """

    def time_left() -> float:
        return max(0.01, min(BRANCH_SECONDS, end - time.monotonic()))

    def further(met: Collection[str]) -> Iterator[Any]:
        for leaf in leaves:
            if leaf.kind not in (PathEnd.DECIDED, PathEnd.EXCLUDED) or leaf.answers in met or time.monotonic() > end:
                continue
            text = system(leaf.names, leaf.conditions, ())
            answer = z3.decide(text, time_left())
            point = _rational_model(shape, z3, text, answer, time_left) if answer.word == "sat" else None
            if point is not None:
                yield shape.filled(point)

    return further


def instance_near(
    variant: Variant, size: Size, z3: Solver, text: str, answer: Answer, time_left: Callable[[], float]
) -> System | None:
    """An exact instance within the hypotheses from a model: irrational numbers are replaced by rationals near them."""
    try:
        point = _rational_model(size, z3, text, answer, time_left)
        instance = None if point is None else size.instance(point)
        return instance if instance is not None and variant.admits(instance) else None
    except (ArithmeticError, ValueError):  # a hypothesis that balls leave open, for one
        return None


def _rational_model(
    size: Shape, z3: Solver, text: str, answer: Answer, time_left: Callable[[], float]
) -> dict[str, fmpq] | None:
    """The numbers of a model, or rationals near it that solve the system, too; None where none are found."""
    model = answer.model or {}
    for name in size.names:
        value, exact = model.get(name, ("0", True))
        if exact:
            continue
        near = Fraction(value)
        for most in DENOMINATORS:
            number = near.limit_denominator(most)
            p = str(number.numerator) if number >= 0 else f"(- {-number.numerator})"
            equation = f"(assert (= (* {number.denominator} {name}) {p}))\n(check-sat)"
            told = text.replace("(check-sat)", equation)
            found = z3.decide(told, time_left())
            if found.word == "sat":  # and what is put in stays: the next number is sought beside it
                text, model = told, found.model or {}
                break
        else:
            return None
    try:
        return {name: rational(model.get(name, ("0", True))[0]) for name in size.names}
    except ValueError:  # beyond the digits that are read
        return None
