"""The vocabulary of a claim: where it is printed, what it assumes, what it concludes, and what we believe about it."""

from __future__ import annotations

import difflib
import functools
import inspect
import json
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, Protocol, TypeVar

from flint import fmpq

from claims.stating.defects import ByHand, Defect
from dynamics.arithmetic import Array, fraction, rational
from dynamics.choices import SUITE
from dynamics.showing import as_table
from dynamics.system import System, guarded_formula


class Origin(StrEnum):
    """Where the words of a statement come from."""

    PRINTED = "printed"
    """The words are at hand and quoted."""
    REPORTED = "reported"
    """Known from an abstract, a talk or at second hand; restated."""
    CARRIED_OVER = "carried over"
    """Printed for another setting, transferred to this one."""
    OURS = "ours"
    """A question, a correction or a sharpening of this suite's authors."""


class Standing(StrEnum):
    """What the authors of this suite believe about a statement; the build fails unless the verdicts bear it out."""

    TRUE = "true"
    FALSE = "false"
    OPEN = "open"
    EMPIRICAL = "empirical"
    """About trained models: there is no proof and no counterexample, but what experiments show, at their size."""
    NOT_YET = "not yet"


def standing_word(standing: Standing, origin: Origin) -> str:
    """The standing in words: only a printed statement can be false as printed."""
    return "false as printed" if standing is Standing.FALSE and origin is Origin.PRINTED else standing.value


class Form(StrEnum):
    """What "checked" means for a conclusion."""

    IDENTITY = "identity"
    STATE = "state"
    STEP = "step"
    ORBIT = "orbit"
    TRAJECTORY = "trajectory"
    RATE = "rate"
    LIMIT = "limit"
    PROBABILITY = "probability"
    EXPERIMENT = "experiment"


AT_A_STATE = (Form.IDENTITY, Form.STATE, Form.STEP, Form.ORBIT)
"""Forms whose slack is a formula in one system and needs no time: for an orbit the formula iterates the start itself."""

ALONG_A_FLOW = (Form.TRAJECTORY, Form.RATE, Form.LIMIT)
"""Forms that are decided on an enclosure of a trajectory."""


class Relation(StrEnum):
    """How every entry of a slack must stand to zero; the values are what claims and certificates write."""

    NONNEGATIVE = ">= 0"
    POSITIVE = "> 0"
    ZERO = "== 0"

    @property
    def forbidden(self) -> tuple[int, ...]:
        """The signs that break it; None, an open sign, is not among them."""
        return {Relation.NONNEGATIVE: (-1,), Relation.POSITIVE: (-1, 0), Relation.ZERO: (-1, 1)}[self]

    def is_broken_between(self, lower: Any, upper: Any) -> bool:
        """Whether every number from `lower` to `upper`, two exact ones, breaks it; False where there is none."""
        # By the signs of both ends: between them lie all signs from the one to the other, and zero where they differ.
        least, most = ((end > 0) - (end < 0) for end in (lower, upper))
        return bool(lower <= upper) and all(sign in self.forbidden for sign in range(least, most + 1))


class ClaimError(ValueError):
    """A claim or an assumption is not well formed; the message says what to write."""


@dataclass(frozen=True)
class Paper:
    """A text whose statements are checked; one that is not on arXiv needs only a short name."""

    key: str
    arxiv: str = ""
    title: str = ""

    def __str__(self) -> str:
        title = self.title or self.key
        return f"{title}, arXiv {self.arxiv}" if self.arxiv else title


UNPUBLISHED = Paper("own", title="not from a paper")

PAPERS = {
    paper.key: paper
    for paper in (
        Paper("clusters", "2305.05465v6", "The emergence of clusters in self-attention dynamics"),
        Paper("frank_wolfe", "2508.09628v1", "Attention's forward pass and Frank-Wolfe"),
        Paper(
            "localmax",
            "2509.15958v1",
            "Localmax dynamics for attention in transformers and its asymptotic behavior (with hardmax, arXiv 2407.01602)",
        ),
        Paper("polarization", "2603.06248v1", "Gradient Flow Polarizes Softmax Outputs towards Low-Entropy Solutions"),
    )
}
"""The papers by key, which is the name of the folder with their claims: a claim of such a folder is of its paper."""


class Draws(Protocol):
    """A source of choices from which instances are built: Hypothesis, a seeded generator, or a float64 batch of it."""

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high]."""

    def choice(self, options: Sequence[Any]) -> Any:
        """One of the options; earlier ones are simpler."""

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        """Multiples of 2^-bits in [-size, size]."""


Satisfies = Callable[[Any], bool | None]
Restrict = Callable[[Any], Any]
Violate = Callable[[Any, Draws], Any]


def _in_float64(system: Any) -> bool:
    return isinstance(system, System) and any(array.dtype.kind == "f" for array in system.arrays().values())


def _as_it_is(system: Any) -> Any:
    return system


def _undecided(system: Any) -> bool:
    raise NotImplementedError


@dataclass(frozen=True)
class Assumption:
    """A named hypothesis.

    `satisfies` decides it on an exact instance; None, neither met nor broken, where balls do not decide. `restrict` turns
    any system into one that satisfies it, by construction and in any arithmetic, leaving earlier assumptions intact.
    `violate` turns a system that satisfies it into one that does not, for dropping it. `label` is the paper's name for the
    hypothesis.
    """

    name: str
    statement: str
    satisfies: Satisfies = _undecided
    restrict: Restrict = _as_it_is
    violate: Violate | None = None
    label: str = ""

    def __post_init__(self) -> None:
        if self.satisfies is _undecided:
            raise ClaimError(
                f"assumption {self.name} has no satisfies: "
                f"write satisfies=lambda f: ..., True on an exact system that meets it"
            )
        for name in ("satisfies", "restrict", "violate"):
            value = getattr(self, name)
            if not callable(value) and not (name == "violate" and value is None):
                raise ClaimError(f"assumption {self.name}: {name} must be a function of the system, not {value!r}")
            # "restrict is what it is by default" is asked by identity, which a guard around it would end.
            if value not in (None, _as_it_is):
                object.__setattr__(self, name, guarded_formula(value))

    def is_broken(self, system: Any) -> bool:
        """Whether the exact instance certainly violates it."""
        # None is open, and open is not broken: what is dropped has to be broken for certain.
        answer = self.satisfies(system)
        return answer is not None and not answer

    @property
    def is_imposed(self) -> bool:
        """Whether it says how to meet it: a restriction of its own."""
        return self.restrict is not _as_it_is


Member = TypeVar("Member", bound=StrEnum)


def _member(kind: type[Member], value: Any, what: str) -> Member:
    """The member of an enumeration that a text stands for. Raises ClaimError, with the nearest, for no member."""
    if value in tuple(kind):
        return kind(value)
    near = difflib.get_close_matches(str(value), kind, n=1)
    hint = f": did you mean {str(near[0])!r}?" if near else ""
    raise ClaimError(f"{what} is one of {', '.join(kind)}, not {value!r}{hint}")


@dataclass(frozen=True)
class Conclusion:
    """One invariant: `slack` maps a system to signed margins that must stand in `relation`, in any arithmetic.

    The slack of a trajectory is a function of (now, start), that of a limit of what its `trap` shows and the start, or of
    the states at `times` and the start where it has no trap; that of a probability claim returns a :class:`Tail`, that of
    an experiment maps the steps to spend to :class:`Reading` or :class:`Frequency`.
    `horizon` and `times` give whole numbers or fmpq, and are read as fmpq.
    Keyword-only parameters of the function are the constants of the statement. `assuming` replaces the claim's
    assumptions, for a step of the proof that holds at more states; `exact_only` marks a slack that only rationals
    can evaluate. `argued` tells how the statement is refuted where that is not plain from a negative slack. `form` and
    `relation` may be given as what claims write for them. Raises ClaimError for a form or a relation that is none, for
    what does not suit the form, and for "== 0" along trajectories.
    """

    name: str
    form: Form
    relation: Relation
    slack: Callable[..., Any]
    horizon: Callable[[Any], fmpq] | None = None
    assuming: tuple[Assumption, ...] | None = None
    exact_only: bool = False
    times: Callable[[Any], Sequence[fmpq]] | None = None
    trap: Callable[..., Any] | None = None
    argued: str = ""

    def __post_init__(self) -> None:
        # Frozen, and read all the same: texts that claims write become members once, here.
        object.__setattr__(self, "form", _member(Form, self.form, f"{self.name}: a form"))
        object.__setattr__(self, "relation", _member(Relation, self.relation, f"{self.name}: a relation"))
        asked = (
            ("horizon", self.horizon, self.form in (Form.TRAJECTORY, Form.RATE), "fmpq(1)"),
            ("times", self.times, self.form is Form.LIMIT, "[1, 2, 4]"),
        )
        for kind, given, needed, example in asked:
            if (needed or given is not None) and not takes(given, 1):
                raise ClaimError(f"{self.name}: {kind} must be a function of the start: write {kind}=lambda f: {example}")
        if not callable(self.slack):
            raise ClaimError(f"{self.name}: the slack must be a function, not {self.slack!r}")
        if self.trap is not None and not callable(self.trap):
            raise ClaimError(f"{self.name}: trap must be a function of the state that returns what holds for ever after it")
        if self.assuming is not None:
            _check_assumptions(self.assuming, f"{self.name}: assuming")
        if self.form in (Form.TRAJECTORY, Form.RATE) and self.relation is Relation.ZERO:
            raise ClaimError(f"{self.name}: a trajectory is asked for an inequality; state an identity of the rates")
        for name in ("slack", "horizon", "times"):
            # An experiment computes in floats, on purpose: guards would refuse them.
            if getattr(self, name) is not None and self.form is not Form.EXPERIMENT:
                object.__setattr__(self, name, guarded_formula(getattr(self, name), gives_numbers=name == "slack"))
        for name in ("horizon", "times"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _exact_moments(getattr(self, name), f"{name} of {self.name}"))
        # The lemmas of dynamics are written for flint's balls; a trap of a user's own is a formula like any other.
        if self.trap is not None and not getattr(self.trap, "__module__", "").startswith(SUITE):
            object.__setattr__(self, "trap", guarded_formula(self.trap))

    def shown(self, state: Any, start: Any) -> Any:
        """What the trap shows about a later state; it may use exact ties and symmetries of the start."""
        assert self.trap is not None
        return self.trap(state, start) if len(inspect.signature(self.trap).parameters) == 2 else self.trap(state)

    @property
    def meaning(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.slack) or "").split("\n")[0]

    @property
    def constants(self) -> dict[str, Any]:
        """The named constants of the statement with their printed values."""
        parameters = inspect.signature(self.slack).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}

    def sharpened(self, **constants: Any) -> Conclusion:
        """The same conclusion with other constants. Raises ValueError for a constant it does not have."""
        unknown = set(constants) - set(self.constants)
        if unknown:
            raise ValueError(f"{self.name} has no constant {', '.join(sorted(unknown))}: it has {self.constants}")
        slack = self.slack
        # No rational multiplies a float: batches get the constants as floats.
        floats = {name: float(fraction(value)) if isinstance(value, fmpq) else value for name, value in constants.items()}

        def with_constants(*systems: Any) -> Any:
            return slack(*systems, **(floats if _in_float64(systems[-1]) else constants))

        return replace(self, slack=with_constants)

    def reversed(self) -> Conclusion:
        """The opposite inequality: what a sign error would claim."""
        slack = self.slack
        return replace(self, slack=lambda *systems: -slack(*systems))


def is_costly(conclusion: Conclusion) -> bool:
    """Whether one verdict takes a trajectory or a chain, so that instances are kept small."""
    return conclusion.form in (*ALONG_A_FLOW, Form.PROBABILITY)


@dataclass(frozen=True)
class Tail:
    """The statement P[T_2 < t] <= exp(log_bound) about an attention chain; log_bound is a ball."""

    chain: Any
    log_bound: Any
    reverse: bool = False

    # What a sign error would claim of a chance: `Conclusion.reversed` negates whatever a slack returns.
    def __neg__(self) -> Tail:
        return replace(self, reverse=not self.reverse)


WRITTEN = {
    Form.IDENTITY: "identity()",
    Form.STATE: 'state(">= 0")',
    Form.STEP: 'step(">= 0")',
    Form.ORBIT: 'orbit(">= 0")',
    Form.TRAJECTORY: 'trajectory(">= 0", horizon=lambda f: fmpq(1))',
    Form.RATE: 'rate(">= 0", horizon=lambda f: fmpq(1))',
    Form.LIMIT: 'limit(">= 0", times=lambda f: [1, 2, 4])',
    Form.PROBABILITY: "probability()",
    Form.EXPERIMENT: "experiment()",
}
"""How a conclusion of each form is declared, after `@claim.`: every message that says what to write takes it from here."""


SYSTEMS_OF = {
    **dict.fromkeys((*AT_A_STATE, Form.PROBABILITY), ("the system",)),
    **dict.fromkeys((Form.TRAJECTORY, Form.RATE), ("the system now", "the system at the start")),
    Form.LIMIT: ("the limit that a trap shows, or the list of states", "the start"),
    Form.EXPERIMENT: ("the steps to spend",),
}
"""The positional arguments of a conclusion's function; its other arguments are constants."""


def _check_function(form: Form, slack: Callable[..., Any]) -> None:
    """Raise ClaimError unless the function takes what its form gives it, and constants that are exact numbers."""
    several = inspect.isgeneratorfunction(slack) or inspect.iscoroutinefunction(slack)
    if not callable(slack) or not hasattr(slack, "__name__") or several:
        raise ClaimError(f"@claim.{WRITTEN[form]} must stand above a function, def name(...), not {slack!r:.80}")
    name, parameters = slack.__name__, inspect.signature(slack).parameters.values()
    given = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    wanted = SYSTEMS_OF[form]
    # A *systems takes any number, as functions that another one made do.
    if len(given) != len(wanted) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        extra = " (constants follow a *: def name(f, *, factor=2))" if len(given) > len(wanted) else ""
        raise ClaimError(
            f"{name} takes {', '.join(p.name for p in given) or 'nothing'}: "
            f"the function of a {form} takes {len(wanted)}, {' and '.join(wanted)}{extra}"
        )
    for p in parameters:
        if p.kind is not p.KEYWORD_ONLY:
            continue
        if p.default is p.empty:
            raise ClaimError(f"{name}: the constant {p.name} has no value: write {p.name}=1")
        if isinstance(p.default, bool) or not isinstance(p.default, int | fmpq):
            raise ClaimError(f"{name}: the constant {p.name} = {p.default!r} is no exact number: write 2 or fmpq(1, 3)")


def takes(function: Any, *many: int) -> bool:
    """Whether it can be called with one of these numbers of arguments."""
    if not callable(function):
        return False
    for count in many:
        try:
            # Bound and not counted: defaults and * make functions of several numbers of arguments.
            inspect.signature(function).bind(*range(count))
        except (TypeError, ValueError):
            continue
        return True
    return False


def _exact_moments(function: Callable[[Any], Any], what: str) -> Callable[[Any], Any]:
    """The horizon or the times of a conclusion, read as fmpq. They raise ClaimError for what is no exact number."""
    # A conclusion that is replaced, as for other constants, brings the function that was wrapped for it before.
    if getattr(function, "gives_moments", None) is function:
        return function

    def moment(given: Any) -> fmpq:
        # True is 1 to Python, and 0.5 a float that may not be the number that is meant.
        if isinstance(given, bool) or not isinstance(given, int | fmpq):
            raise ClaimError(f"{what} must give exact positive numbers, fmpq(1, 2), not {given!r:.80}")
        return rational(given)

    @functools.wraps(function)
    def moments(start: Any) -> Any:
        given = function(start)
        if what.startswith("horizon"):
            return moment(given)
        if not isinstance(given, Sequence) or not given or isinstance(given, str):
            raise ClaimError(f"{what} must give a list of exact positive numbers, [1, 2, 4], not {given!r:.80}")
        return [moment(one) for one in given]

    moments.gives_moments = moments  # type: ignore[attr-defined]
    return moments


def _check_assumptions(given: Any, what: str) -> None:
    """Raise ClaimError unless this is a tuple of assumptions with different names."""
    if not isinstance(given, tuple) or not all(isinstance(assumption, Assumption) for assumption in given):
        raise ClaimError(f"{what} must be a tuple of Assumption, (identity_value,) for one, not {given!r}")
    names = [assumption.name for assumption in given]
    if len(set(names)) < len(names):
        raise ClaimError(f"{what}: two assumptions have the same name, {max(names, key=names.count)}")


UNSTATED: Any = None
"""A paper or a standing that a claim does not give: which one it has depends on where it stands."""


@dataclass(eq=False)
class Claim:
    """A statement: its source, the system it is about, what it assumes and what it concludes.

    `name` tells it from the others of its module, and is that of its variable in a `section`, which they share; one that is
    alone has the module's name. `statement` quotes the words where the origin is PRINTED, and restates them elsewhere.
    `file` and `source` are the name and the text of a user's own claim file; the suite's own have none. A claim that names
    its correction is false unless it says otherwise, another is held true; but in a user's own file it is open: nobody
    vouches for it yet. `equivalent` proves, by the names that `claims mutate` gives them, of changes of the statement that
    they are true, too. `defect` is what the authors of a false statement are told of it, or the id of the claim whose
    defect tells it, where one sentence is several claims.
    """

    module: str
    _: KW_ONLY
    statement: str
    system: type[System]
    name: str = ""
    section: Section | None = None
    origin: Origin = Origin.OURS
    paper: Paper = UNSTATED
    where: str = ""
    refs: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    standing: Standing = UNSTATED
    corrected_by: str | None = None
    note: str = ""
    defect: Defect | str | None = None
    draw: Callable[[Draws], System] | None = None
    equivalent: dict[str, str] = field(default_factory=dict)
    conclusions: list[Conclusion] = field(default_factory=list)
    file: str | None = None
    source: str | None = None
    hand: ByHand | None = None
    declared: list[Conclusion] = field(default_factory=list, init=False, repr=False)
    """The conclusions that decorators declared."""
    idle: list[Form] = field(default_factory=list, init=False, repr=False)
    """The decorators asked for that stand above no function yet."""
    is_read: bool = field(default=False, init=False, repr=False)
    """Whether a user's own file was read to its end: nothing of its claim changes any more."""
    made: ClassVar[Counter[str]] = Counter()
    """Claims made so far, by module."""

    def __post_init__(self) -> None:
        # Counted before anything can fail: a file that makes two claims and keeps one is found out by this number.
        Claim.made[self.module] += 1
        if (self.section or self.name) and "@" in self.module:
            raise ClaimError(
                f"{self.id}: a claim in a file of its own has the file's name: write claim = Claim(__name__, ...)"
            )
        if self.paper is UNSTATED:
            self.paper = PAPERS.get(self.id.partition(".")[0], UNPUBLISHED)
        if not isinstance(self.paper, Paper):
            raise ClaimError(f"{self.id}: paper must be a Paper: write paper=Paper({str(self.paper)!r}), or leave it out")
        system: Any = self.system
        if not (isinstance(system, type) and issubclass(system, System)):
            raise ClaimError(f"{self.id}: system must be a class derived from System, Flow or StepMap, not {self.system!r}")
        try:
            # Asked again, for methods may have been put into the class after it was made.
            system.is_as_shown()
        except TypeError as error:
            raise ClaimError(f"{self.id}: {error}") from None
        if not isinstance(self.refs, tuple):
            raise ClaimError(f"{self.id}: refs must be a tuple of texts: write refs=({str(self.refs)!r},)")
        if not isinstance(self.origin, Origin):
            raise ClaimError(f"{self.id}: origin must be one of {', '.join(f'Origin.{o.name}' for o in Origin)}")
        if self.standing is UNSTATED:
            uncorrected = Standing.OPEN if "@" in self.module else Standing.TRUE
            self.standing = Standing.FALSE if self.corrected_by else uncorrected
        if not isinstance(self.standing, Standing):
            raise ClaimError(f"{self.id}: standing must be one of {', '.join(f'Standing.{s.name}' for s in Standing)}")
        if self.draw is not None and not callable(self.draw):
            raise ClaimError(f"{self.id}: draw must be a function of the draws that returns a {self.system.__name__}")
        if isinstance(self.defect, Defect):
            self.defect = self.defect.shown_by(self.corrected_by or "")
        _check_assumptions(self.assumptions, f"{self.id}: assumptions")
        if not all(isinstance(proof, str) and proof.strip() for proof in self.equivalent.values()):
            raise ClaimError(f"{self.id}: equivalent must give a proof, in words, for the name of each mutant")

    def __setattr__(self, name: str, value: Any) -> None:
        """Raises ClaimError where a formula changes the claim that is being decided."""
        if self.__dict__.get("is_read"):
            raise ClaimError(f"{self.id}: {name} is changed after the file was read")
        super().__setattr__(name, value)

    @property
    def id(self) -> str:
        """paper.name; for a user's own file its stem, which "@" and a digest follow in the module's name."""
        if self.section and not self.name:
            # Not known when it is made: the module assigns it afterwards, and decorators are the first to ask.
            named = (name for name, one in vars(sys.modules[self.module]).items() if one is self)
            self.__dict__["name"] = next(named, "")
        # Modules of users' files are named stem@digest: the id is the stem.
        home = self.module.removeprefix("claims.").partition("@")[0]
        return f"{home.rpartition('.')[0]}.{self.name}" if self.name and "." in home else home

    @property
    def standing_word(self) -> str:
        """The standing as it is told: "false as printed" only of printed words."""
        return standing_word(self.standing, self.origin)

    def by_hand(self, *, by_argument: bool = False, beside: str = "", **instance: Any) -> Callable[[Any], Any]:
        """Declare how a reader refutes it with pencil and paper, at an instance with these arrays.

        The function maps the exact instance to three or four sentences; None where no array is given. `by_argument` is for
        lines that argue with a limit or a bound, `beside` a sentence on the published certificate where that is of another
        instance than the one that the lines name.
        """

        def register(lines: Callable[[Any], Iterable[str]]) -> Callable[[Any], Iterable[str]]:
            self.hand = ByHand(instance, lines, by_argument, beside)
            return lines

        return register

    @property
    def named(self) -> str:
        """The arguments that select this claim on the command line."""
        return self.id if self.file is None else f"--file {shlex.quote(self.file)}"

    def _repr_html_(self) -> str:
        """The statement and what is believed about it, for a notebook."""
        rows: list[tuple[str, object]] = [
            ("where", f"{self.paper}: {self.where}" if self.where else self.paper),
            ("statement", self.statement),
            ("standing", f"{self.standing_word} ({self.origin})"),
            ("what is wrong", self.note),
            ("corrected by", self.corrected_by),
        ]
        rows += [(f"assumes {one.name}", one.statement) for one in self.assumptions]
        rows += [(f"concludes {one.name}", f"{one.meaning} ({one.form}, {one.relation})") for one in self.conclusions]
        return as_table(self.id, ((name, value) for name, value in rows if value))

    def assumptions_of(self, conclusion: Conclusion) -> tuple[Assumption, ...]:
        """What the conclusion assumes: the claim's assumptions unless it names its own."""
        return self.assumptions if conclusion.assuming is None else conclusion.assuming

    def every_assumption(self) -> list[Assumption]:
        """The claim's assumptions, then those that only some of its conclusions make."""
        own = [*self.assumptions, *(one for conclusion in self.conclusions for one in self.assumptions_of(conclusion))]
        # By name: where a conclusion repeats one of the claim it is the same hypothesis.
        return list({assumption.name: assumption for assumption in own}.values())

    def _conclude(self, form: Form, relation: Any, named: str | None = None, **details: Any) -> Callable[[Any], Any]:
        """The decorator that declares a conclusion: it registers a function or raises, and never says nothing."""
        written = f"write @claim.{WRITTEN[form]} above the function"
        own = self.id  # by now the claim of a section is assigned to its variable: it learns its name here
        bare = [given for given in (relation, details.get("assuming")) if callable(given)]
        if bare or not isinstance(relation, str):
            raise ClaimError(f"{own}: @claim.{form} is no decorator by itself: {written}")
        # Turned round silently it would be right; but who reads the slack has to see which sign is the violation.
        if relation.strip().startswith("<"):
            turned = relation.strip().replace("<", ">")
            raise ClaimError(f"{own}: a slack is a margin: return its negative, and write {turned!r} for {relation!r}")
        stated = _member(Relation, relation, f"{own}: a relation")
        # Noted until a function comes: a decorator that stands above nothing would else be a conclusion that nobody misses.
        self.idle.append(form)

        def register(slack: Callable[..., Any]) -> Callable[..., Any]:
            _check_function(form, slack)
            name, home = named or slack.__name__, str(getattr(slack, "__module__", ""))
            # A user's file could otherwise add a conclusion to a claim of the suite, which then is not what was published.
            if "@" in home and home != self.module:
                text = f"{name} is declared of {own}, which is not this file's claim"
                raise ClaimError(f"{text}: write claim = Claim(__name__, ...), and {written}")
            if name in (other.name for other in self.conclusions):
                raise ClaimError(f"{own} has two conclusions named {name}")
            self.conclusions.append(Conclusion(name, form, stated, slack, **details))
            self.declared.append(self.conclusions[-1])
            if form in self.idle:
                self.idle.remove(form)
            return slack

        return register

    def lacks(self) -> str:
        """What is missing among the conclusions, in words that say what to write; empty where each one is there."""
        if self.idle:
            return f"a decorator stands above no function: write @claim.{WRITTEN[self.idle[0]]} and def name(...) below it"
        if not self.conclusions and self.standing is not Standing.NOT_YET:
            return f"no conclusions: write @claim.{WRITTEN[Form.STATE]} above a function that gives the slack"
        # By identity: what was declared and taken out again, or replaced by another of its name, is not decided.
        lost = [one.name for one in self.declared if not any(one is other for other in self.conclusions)]
        return f"{lost[0]} was declared and is no longer among claim.conclusions: leave it there" if lost else ""

    def identity(self, assuming: tuple[Assumption, ...] | None = None, *, name: str | None = None) -> Callable[[Any], Any]:
        """Declare that slack(system) is zero. The conclusion has the function's name unless another is given."""
        return self._conclude(Form.IDENTITY, Relation.ZERO, name, assuming=assuming)

    def state(
        self,
        relation: str | None = None,
        assuming: tuple[Assumption, ...] | None = None,
        exact_only: bool = False,
        *,
        name: str | None = None,
        argued: str = "",
    ) -> Callable[[Any], Any]:
        """Declare an inequality slack(system) at every state. Raises ClaimError without a relation, as all of these do."""
        return self._conclude(Form.STATE, relation, name, assuming=assuming, exact_only=exact_only, argued=argued)

    def step(
        self, relation: str | None = None, exact_only: bool = False, *, name: str | None = None, argued: str = ""
    ) -> Callable[[Any], Any]:
        """Declare an inequality slack(system) about one step of a map."""
        return self._conclude(Form.STEP, relation, name, exact_only=exact_only, argued=argued)

    def orbit(
        self, relation: str | None = None, exact_only: bool = False, *, name: str | None = None, argued: str = ""
    ) -> Callable[[Any], Any]:
        """Declare a relation slack(start) about many steps of a map, or about its limit."""
        return self._conclude(Form.ORBIT, relation, name, exact_only=exact_only, argued=argued)

    def trajectory(
        self, relation: str | None = None, horizon: Callable[[Any], fmpq | int] | None = None, *, name: str | None = None
    ) -> Callable[[Any], Any]:
        """Declare an inequality slack(now, start) for every time in (0, horizon(start)].

        Raises ClaimError for "== 0": an identity along trajectories is an identity of rates, or two inequalities.
        """
        return self._conclude(Form.TRAJECTORY, relation, name, horizon=horizon)

    def rate(
        self, relation: str | None = None, horizon: Callable[[Any], fmpq | int] | None = None, *, name: str | None = None
    ) -> Callable[[Any], Any]:
        """Declare the explicit finite-time bound behind a limit: slack(now, start) for every time in (0, horizon].

        Raises ClaimError for "== 0".
        """
        return self._conclude(Form.RATE, relation, name, horizon=horizon)

    def limit(
        self,
        relation: str | None = None,
        times: Callable[[Any], Sequence[fmpq | int]] | None = None,
        trap: Callable[..., Any] | None = None,
        *,
        name: str | None = None,
    ) -> Callable[[Any], Any]:
        """Declare what holds in the limit t -> infinity.

        `trap(state)`, or `trap(state, start)` for one that asks for the exact start, shows, in balls, that the state lies
        in a region which the flow cannot leave, and returns what holds for ever after: the limit that `slack(limit, start)`
        is about. It raises UndecidedError for a state that it does not catch; then the next of `times` is tried. Only so is
        a limit decided.

        Without a trap the slack is `slack(states, start)`, one state for each of `times`: evidence, shown as numerical and
        never a violation, since finitely many times tell nothing of a limit. A bound at finite times is a :meth:`rate`.
        """
        return self._conclude(Form.LIMIT, relation, name, times=times, trap=trap)

    def experiment(self, *given: Any, name: str | None = None) -> Callable[[Any], Any]:
        """Declare a run in the authors' own setting: the function maps the steps to spend to its readings.

        Each is a :class:`Reading` of one number, a :class:`Frequency` in many runs, or what many runs say of a printed
        comparison: :class:`Comparison`, :class:`Majority`. Those that need more steps than given are left out. Floats:
        evidence, never a verdict. Raises ClaimError for anything `given`: it takes nothing.
        """
        return self._conclude(Form.EXPERIMENT, None if given else Relation.NONNEGATIVE, name)

    def probability(self, *given: Any, name: str | None = None) -> Callable[[Any], Any]:
        """Declare a bound on a chance: the function returns a :class:`Tail`. Raises ClaimError for anything `given`."""
        return self._conclude(Form.PROBABILITY, None if given else Relation.NONNEGATIVE, name)


class Section:
    """A theorem, a lemma or a question: what its statements, which stand in one module, have in common.

    `shared` are arguments of :class:`Claim` that hold for each statement which does not give its own.
    """

    def __init__(self, module: str, **shared: Any) -> None:
        self.module, self.shared = module, shared

    def claim(self, **own: Any) -> Claim:
        """One of the statements, the claim with the id paper.name if it is assigned to `name`.

        Raises ClaimError as :class:`Claim` does.
        """
        return Claim(self.module, section=self, **(self.shared | own))


def instance_text(instance: dict[str, Any]) -> str:
    """An instance as one writes it on a command line."""
    return json.dumps(instance, separators=(",", ":"))


def replay_command(named: str, instance: dict[str, Any]) -> str:
    """The command that decides what is `named` on an instance again."""
    return f"claims verify {named} --instance {shlex.quote(instance_text(instance))}"


def judged_by_runs(claims: Sequence[Claim]) -> str:
    """What judges claims that say nothing of single instances, and which command tells it; "" where one of them does."""
    # A single conclusion that is decided on instances is enough to go on.
    if not claims or any(one.form is not Form.EXPERIMENT for claim in claims for one in claim.conclusions):
        return ""
    alone = claims[0] if len(claims) == 1 else None
    who = alone.id if alone else f"each of the {len(claims)} chosen claims"
    if not all(claim.conclusions for claim in claims):
        return f"{who} has no conclusion yet that could be decided" if alone else ""
    runs = "recorded training runs" if all(one.standing is Standing.EMPIRICAL for one in claims) else "experiments"
    return (
        f"{who} is judged by {runs}, not on instances: `claims verify {alone.named if alone else 'ID'}` tells what they say"
    )
