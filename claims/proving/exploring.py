"""Every path that a formula can take on symbols of one size, depth first, and what each of them leaves to be decided."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from flint import fmpq

from claims.campaigns.deadlines import OutOfTimeError
from claims.proving.solvers import Solver
from claims.proving.symbols import AUXILIARY, CannotRunError, Condition, Cut, Run, Symbol, Terms, inside, normal, value_at
from claims.proving.systems import system
from claims.stating.statement import Assumption, Conclusion
from dynamics.arithmetic import Array, exp, log, numbers, sign, sqrt, working_precision
from dynamics.choices import EXACT, UndecidedError, decided_choices, guarded_numbers
from dynamics.system import System

BRANCH_SECONDS = 0.4  # what Z3 may take for a branch: one that may be impossible is followed at little cost
MOST_NUMBERS = 2000  # of an array: polynomials in as many variables are beyond any solver, and a size may be mistyped

# How much of the time for its paths is spent to run a formula again, to see that it is the same, and how often at least:
# chance that decides one run in a few is seen then.
AGAIN_SHARE, AGAIN = 0.1, 4

LOOK_BITS = 1 << 10  # to which roots and exponentials at an instance are looked at: what is open then is equal, or nearly

CHANGING = "the formula is not the same at every run: it keeps something between runs, or chance decides"


class NoProofError(ValueError):
    """The formula cannot run on symbols of this size; the message says why."""


class BudgetSpentError(Exception):
    """The budget is spent."""


class PathEnd(StrEnum):
    """How a path ends."""

    CUT = "cut"  # its conditions contradict each other: to be shown
    EXCLUDED = "excluded"  # a hypothesis does not hold: the claim does not speak of it
    DECIDED = "decided"  # the slack has a value: that no entry breaks the relation is to be shown
    VOID = "void"  # the formula has no value there: that the path is impossible is to be shown


@dataclass(frozen=True)
class Leaf:
    """The end of a path: the answers that lead to it, T and F, and what contradicts the claim there.

    `conditions` hold on the path and each of `violations` breaks the claim. A leaf with nothing open needs no solver: an
    excluded one, and one whose slacks are known to be in order from their normal form or from an answer on the path.
    `compared` counts the entries of the slack; `exponents` are the polynomials whose exponentials the auxiliary variables
    are, None where they are something else.
    """

    answers: str
    kind: PathEnd
    names: tuple[str, ...]
    conditions: tuple[Condition, ...]
    violations: tuple[Condition, ...] = ()
    open: bool = False
    reason: str = ""
    inexact: bool = False
    compared: int = 0
    exponents: tuple[Terms | None, ...] = ()

    @classmethod
    def cut(cls, path: Run, answers: str, last: Condition) -> Self:
        """The end of a path at an answer that contradicts those before it."""
        names, conditions, known = tuple(path.variables), (*path.conditions, last), tuple(path.exponents)
        return cls(answers, PathEnd.CUT, names, conditions, (), True, "", path.inexact, 0, known)

    @property
    def systems(self) -> list[str]:
        """The systems to be shown unsatisfiable: one with all violations, none where nothing is open."""
        return [system(self.names, self.conditions, self.violations)] if self.open else []

    @property
    def parts(self) -> list[str]:
        """The same, one system for each violation."""
        if len(self.violations) < 2:
            return self.systems
        return [system(self.names, self.conditions, [violation]) for violation in self.violations]


class Question(Protocol):
    """Hypotheses and a slack: a claim's variant, for one."""

    @property
    def kept(self) -> tuple[Assumption, ...]:
        """The hypotheses."""

    @property
    def conclusion(self) -> Conclusion:
        """The slack and its relation."""


class Shape(Protocol):
    """What is asked about, of one size: its numbers, and how it is made of symbols."""

    @property
    def names(self) -> list[str]:
        """The variables."""

    def symbolic(self, path: Run) -> Any:
        """The general one, with a `validate`."""


@dataclass(frozen=True)
class Size:
    """The lengths of a system's axes, and its labels and counts, which are given and not proved for all."""

    system: type[System]
    axes: Mapping[str, int]
    given: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, kind: type[System], values: Mapping[str, int]) -> Size:
        """The size that a user names. Raises NoProofError for what the system does not have, or is not told."""
        fields = kind.fields()
        known = dict.fromkeys(axis for one in fields.values() for axis in one.axes)
        for name in values:
            if name not in known and not (name in fields and fields[name].integer):
                there = ", ".join([*known, *(name for name, one in fields.items() if one.integer)])
                raise NoProofError(f"{kind.__name__} has no size {name}: it has {there}")
        axes = {axis: values[axis] for axis in known if axis in values}
        missing = [axis for axis in known if axis not in axes]
        if missing:
            raise NoProofError(f"{kind.__name__} has the sizes {', '.join(known)}: say how large {missing[0]} is")
        empty = [axis for axis, length in axes.items() if length < 1]
        if empty:
            raise NoProofError(f"{kind.__name__}: {empty[0]} must be at least 1")
        # Before anything of this size is made.
        for name, one in fields.items():
            count = math.prod(axes[axis] for axis in one.axes)
            if count > MOST_NUMBERS:
                raise NoProofError(f"{kind.__name__}: {count} numbers {name} are more than {MOST_NUMBERS}")
        given = {name: value for name, value in values.items() if name in fields}
        for name, one in fields.items():
            if one.integer and name not in given and one.default is None:
                text = f"is a whole number: say which, --size {name}=2"
                if one.axes:
                    text = f"are whole numbers: --size {name}=1 makes each of them 1; others are what the formula computes"
                raise NoProofError(f"{kind.__name__}: {name} ({one.meaning}) {text}")
        size = cls(kind, axes, given)
        # Solvers would take two numbers of one name for one number.
        variables = [*size.names, *(f"aux{k}" for k in range(AUXILIARY))]
        if len(set(variables)) < len(variables):
            twice = next(name for name in variables if variables.count(name) > 1)
            raise NoProofError(f"{kind.__name__} has two numbers named {twice}: rename a field")
        if odd := [name for name in variables if not name.isascii()]:
            raise NoProofError(f"{kind.__name__} has a number named {odd[0]}: solvers read ASCII, rename the field")
        return size

    def __str__(self) -> str:
        fixed = {}
        for name, one in self.system.fields().items():
            if one.integer:
                values = set(map(int, self._whole(name).flat))
                fixed[name] = str(*values) if len(values) == 1 else "as by default"
        return ", ".join(f"{name} = {value}" for name, value in (*self.axes.items(), *fixed.items()))

    @cached_property
    def names(self) -> list[str]:
        """The variables, one for each number of an instance."""
        return [f"{array}{''.join(f'_{k}' for k in place)}" for array, _, place in self.places]

    @cached_property
    def owners(self) -> dict[str, str]:
        """The array of each variable: its name does not tell, as an array may be called x_0."""
        return {name: array for name, (array, _, _) in zip(self.names, self.places, strict=True)}

    @property
    def places(self) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
        """The array, its axes, and the place there of each variable."""
        return [
            (array, tuple(one.axes), place)
            for array, one in self.system.fields().items()
            if not one.integer
            for place in np.ndindex(*self._shape(array))
        ]

    def _shape(self, name: str) -> tuple[int, ...]:
        return tuple(self.axes[axis] for axis in self.system.fields()[name].axes)

    def _whole(self, name: str) -> Array:
        one = self.system.fields()[name]
        value = self.given[name] if name in self.given else one.default(dict(self.axes))  # type: ignore[misc]
        return np.broadcast_to(np.array(value, dtype=int), self._shape(name))

    def symbolic(self, path: Run) -> System:
        """The general system of this size."""
        arrays: dict[str, Array] = {}
        first = 0
        for name, one in self.system.fields().items():
            if one.integer:
                arrays[name] = self._whole(name) if one.label else self._whole(name).astype(object)
            else:
                arrays[name] = numbers(path.symbols(self._shape(name), first))
                first += math.prod(self._shape(name))
        return self.system(**arrays)

    def instance(self, values: Mapping[str, fmpq]) -> System:
        """The exact instance with these numbers, 0 where there is none. Raises ValueError where they make no sense."""
        return self.system.instance(**self.filled(values).arrays())

    def filled(self, values: Mapping[str, fmpq]) -> System:
        """The same, whether or not the numbers make sense."""
        whole = {name: self._whole(name) for name, one in self.system.fields().items() if one.integer}
        given = iter([values.get(name, fmpq(0)) for name in self.names])
        arrays = {}
        for name in self.system.fields():  # whose order is that of the names
            if name not in whole:
                arrays[name] = np.empty(self._shape(name), dtype=object)
                for place in np.ndindex(*arrays[name].shape):
                    arrays[name][place] = next(given)
        return self.system(**{name: numbers(array) for name, array in (whole | arrays).items()})

    def fits(self, instance: System) -> bool:
        """Whether an exact instance is of this size."""
        arrays = instance.arrays()
        return all(
            arrays[name].shape == self._shape(name) and (not one.integer or bool((arrays[name] == self._whole(name)).all()))
            for name, one in self.system.fields().items()
        )

    def point(self, instance: System) -> list[fmpq]:
        """The numbers of an exact instance, in the order of `names`."""
        fields = self.system.fields()
        return [value for name, array in instance.arrays().items() if not fields[name].integer for value in array.flat]


SMALL = ({"n": 2, "d": 1}, {"n": 3, "d": 1}, {"n": 2, "d": 2})


def size_of(text: str) -> dict[str, int]:
    """The numbers of "n=3,d=2". Raises ValueError."""
    found = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if not name.strip().isidentifier() or not value.strip().isdecimal() or len(value) > 6:
            raise ValueError(f"{text!r} is no size: write n=3,d=2")
        found[name.strip()] = int(value)
    return found


def sizes_of(
    kind: type[System], named: Sequence[dict[str, int]], drawn: Mapping[str, int] | None = None
) -> list[dict[str, int]]:
    """The sizes named, else small ones: two or three tokens on a line, two in the plane. Axes not named are 2.

    Of a claim with a draw of its own the axes that it has `drawn` stand for these: a formula may be of that size only.
    """
    axes = drawn or dict.fromkeys((axis for one in kind.fields().values() for axis in one.axes), 2)
    chosen = named or (SMALL if drawn is None and {"n", "d"} <= set(axes) else ({},))
    return [{**axes, **size} for size in chosen]


Asked = MutableMapping[str, Condition]  # what is asked after some answers


def follow_answers(
    variant: Question,
    size: Shape,
    answers: str,
    beyond: Callable[[Run, Condition, str], bool],
    asked: Asked | None = None,
) -> Leaf:
    """Run hypotheses and formula along the answers; `beyond` is asked where they end. Raises NoProofError.

    `beyond` sees the path, the condition that a yes would add, and the answers so far; it may raise Cut. What other runs
    asked after the same answers must be `asked` again.
    """
    so_far = ""
    asked = {} if asked is None else asked
    given = iter(answers)
    path: Run

    def decide(condition: Condition) -> bool:
        nonlocal so_far
        # A formula that is a function of its instance asks the same after the same answers, in every run.
        if asked.setdefault(so_far, condition) != condition:
            path.refuse(CHANGING)
        letter = next(given, "")
        answer = letter == "T" if letter else beyond(path, condition, so_far)
        so_far += "T" if answer else "F"
        return answer

    path = Run(size.names, decide)
    kind, values, reason = _run(variant, size, path)
    if next(given, "") or so_far in asked:
        raise NoProofError(CHANGING)
    return _leaf(variant.conclusion, path, so_far, kind, values, reason)


def run_again(variant: Question, size: Shape, leaves: Sequence[Leaf], seconds: float, asked: Asked) -> None:
    """Run the formula again along paths that it took, for so long: a few times in any case. Raises NoProofError."""

    def beyond(path: Run, *_: object) -> bool:
        path.refuse(CHANGING)

    end = time.monotonic() + seconds
    taken = [leaf for leaf in leaves if leaf.kind is not PathEnd.CUT]
    # Spread over the tree: neighbours have most in common.
    stride = max(1, math.isqrt(len(taken)))
    spread = [leaf for first in range(stride) for leaf in taken[first::stride]]
    for done, leaf in enumerate(spread * (1 + AGAIN)):
        if done >= AGAIN and (done >= len(spread) or time.monotonic() > end):
            return
        if follow_answers(variant, size, leaf.answers, beyond, asked) != leaf:
            raise NoProofError(CHANGING)


def _run(variant: Question, size: Shape, path: Run) -> tuple[PathEnd, Array | None, str]:
    # A refusal counts, whatever the formula made of its error.
    outcome: tuple[PathEnd, Array | None, str] | None = None
    failure = ""
    try:
        # Balls of constants are guarded, as ever: flint's own are compared unnoticed, and their overlap is a no.
        with path.run(), guarded_numbers():
            outcome = _outcome(variant, lambda: size.symbolic(path), path)
    except CannotRunError as error:
        failure = str(error)
    except (KeyboardInterrupt, OutOfTimeError):
        raise
    except BaseException as error:  # on symbols it may fail in any way
        if error is path.ended:  # ours, which says that the run was to end here; the formula may raise one like it
            raise
        failure = f"{type(error).__name__}: {error}"
    if path.refusal or outcome is None:
        raise NoProofError(f"the formula does not run on symbols: {path.refusal or failure}")
    return outcome


def _outcome(variant: Question, general: Callable[[], Any], path: Run) -> tuple[PathEnd, Array | None, str]:
    # Each formula gets a general instance of its own: what one of them changes there, no other sees.
    with decided_choices():
        try:
            with path.complaining():
                general().validate()
        except ValueError as error:
            if "read-only" in str(error):  # what NumPy says where an array of the instance is written to
                path.refuse("validate changes the instance")
            return PathEnd.EXCLUDED, None, str(error)
        for assumption in variant.kept:
            answer = assumption.satisfies(general())
            if answer is None:
                path.refuse(f"{assumption.name} is neither met nor broken")
            if not answer:
                return PathEnd.EXCLUDED, None, assumption.name
    try:
        with decided_choices():
            values = numbers(variant.conclusion.slack(general()))
            return (PathEnd.VOID, None, path.pole) if path.pole else (PathEnd.DECIDED, values, "")
    except CannotRunError:
        raise
    except (UndecidedError, ZeroDivisionError, ValueError) as error:
        return PathEnd.VOID, None, f"{type(error).__name__}: {error}"


def _leaf(conclusion: Conclusion, path: Run, answers: str, kind: PathEnd, values: Array | None, reason: str) -> Leaf:
    names, conditions = tuple(path.variables), tuple(path.conditions)
    known = tuple(path.exponents)
    if values is None:
        return Leaf(answers, kind, names, conditions, (), kind is PathEnd.VOID, reason, path.inexact, 0, known)
    forbidden = frozenset(conclusion.relation.forbidden)
    violations: dict[Condition, None] = {}
    broken = False
    for value in values.flat:
        entry = value if isinstance(value, Symbol) else path.constant(_exact(value))
        polynomial = inside(entry).product
        if polynomial.is_constant():
            sign = 0 if polynomial == 0 else 1 if polynomial.leading_coefficient() > 0 else -1
            broken |= sign in forbidden
            continue
        # Of entries that are the same but for a factor one condition is left, where the path does not know it already.
        terms, turned = normal(polynomial)
        signs = path.known(terms) & (frozenset(-s for s in forbidden) if turned else forbidden)
        if signs:
            violations[Condition(terms, signs)] = None
    # Where one entry is broken for certain, the path itself must be impossible.
    left = () if broken else tuple(violations)
    return Leaf(answers, kind, names, conditions, left, broken or bool(left), reason, path.inexact, values.size, known)


def _exact(value: Any) -> fmpq:
    if type(value) is fmpq:
        return value
    if type(value) in EXACT:
        return fmpq(int(value))
    raise NoProofError(f"the formula does not run on symbols: it gives a {type(value).__name__}, which is no exact number")


Possible = Callable[[Run, tuple[Condition, Condition], float], list[bool]]
"""Which of two conditions may hold beside those of a path, as far as that is found in so many seconds: one at least."""


def branch(path: Run, condition: Condition) -> str:
    """The system of a branch: it is possible where this has a solution."""
    return system(path.variables, [*path.conditions, condition], ())


def asking(solver: Solver) -> Possible:
    """What Z3 says of branches."""

    def possible(path: Run, asked: tuple[Condition, Condition], seconds: float) -> list[bool]:
        first, second = (branch(path, one) for one in asked)
        if solver.decide(first, min(BRANCH_SECONDS, seconds)).word == "unsat":
            return [False, True]  # as the path itself is possible, or was not seen to be impossible
        return [True, solver.decide(second, min(BRANCH_SECONDS, seconds)).word != "unsat"]

    return possible


def explore(variant: Question, size: Shape, possible: Possible, deadline: float) -> Iterator[Leaf]:
    """Every leaf, depth first: impossible branches are cut. Raises NoProofError, and BudgetSpentError at the deadline."""
    # Answers are all that is kept of a path that waits: a formula cannot be stopped and taken up again.
    waiting = [""]
    cut: list[Leaf] = []
    asked: dict[str, Condition] = {}
    began, leaves = time.monotonic(), list[Leaf]()

    def beyond(path: Run, condition: Condition, so_far: str) -> bool:
        left = deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        both = (condition, path.otherwise(condition))
        found = possible(path, both, left)
        for letter, one, may in zip("TF", both, found, strict=True):
            if not may:
                cut.append(Leaf.cut(path, so_far + letter, one))
        if all(found):
            waiting.append(so_far + "F")
        return found[0]

    while waiting:
        try:
            leaf = follow_answers(variant, size, waiting.pop(), beyond, asked)
        except OutOfTimeError:
            raise BudgetSpentError from None
        yield from cut
        cut.clear()
        leaves.append(leaf)
        yield leaf
    # After all paths: what earlier ones left behind would show now.
    run_again(variant, size, leaves, AGAIN_SHARE * (time.monotonic() - began), asked)


@dataclass(frozen=True)
class Traced:
    """The path of one exact instance, where it ends, and the slack there: rationals, and balls where these come up."""

    leaf: Leaf
    values: list[Any]
    has_balls: bool

    @property
    def kind(self) -> PathEnd:
        """How the path ends."""
        return self.leaf.kind


def path_at(variant: Question, size: Shape, point: Sequence[fmpq]) -> Traced | None:
    """The path on which the numbers of an exact instance lie; None where balls of roots and exponentials leave it open."""
    answers = ""
    there: list[Any] = list(point)

    def decide(condition: Condition) -> bool:
        nonlocal answers
        _know(path, there)
        sign = sign_at(condition, there)
        if sign is None:
            raise Cut
        answer = sign in condition.signs
        answers += "T" if answer else "F"
        return answer

    path = Run(size.names, decide)
    with working_precision(LOOK_BITS):
        try:
            kind, values, reason = _run(variant, size, path)
        except Cut:
            return None
        _know(path, there)
        leaf = _leaf(variant.conclusion, path, answers, kind, values, reason)
        entries = [] if values is None else list(values.flat)
        found = [value_at(one, there) if isinstance(one, Symbol) else _exact(one) for one in entries]
    return Traced(leaf, found, bool(path.auxiliary))


def _know(path: Run, there: list[Any]) -> None:
    """Add what the roots, exponentials and logarithms of a path are, up to today, at a point of all its variables."""
    with guarded_numbers(False):
        for meaning, of in path.meanings[len(there) - len(path.names) :]:
            there.append(MEANINGS[meaning](numbers(of.at(there))).item())


MEANINGS = {"sqrt": sqrt, "exp": exp, "log": log}


def is_complete(answers: list[str]) -> bool:
    """Whether these are the leaves of a binary tree, each once: every fork is followed both ways."""
    leaves = set(answers)
    # A path is shorter than its tree has leaves: of one that is not, the prefixes could fill the memory.
    if len(leaves) != len(answers) or not leaves or max(map(len, leaves)) >= len(leaves):
        return False
    inner = {one[:k] for one in leaves for k in range(len(one))}
    return not (inner & leaves) and all(
        node + letter in inner or node + letter in leaves for node in inner for letter in "TF"
    )


def sign_at(condition: Condition, point: Sequence[Any]) -> int | None:
    """The sign of a condition's polynomial at a point; None where balls leave it open."""
    total: Any = fmpq(0)
    for coefficient, exponents in condition.terms:
        term: Any = fmpq(coefficient)
        for value, power in zip(point, exponents, strict=False):
            if power:
                term = term * value**power
        total = total + term
    return sign(total)
