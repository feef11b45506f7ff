"""Claim files that cheat, or err as if they did: none is proved. And what a symbol answers, door by door."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import sys
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from claims.proving import ever, proof, recheck
from claims.proving.attempts import attempted
from claims.proving.exploring import MOST_NUMBERS, Leaf, NoProofError, PathEnd, Size, follow_answers, run_again
from claims.proving.proof import ProofStatus, attempt
from claims.proving.solvers import Answer
from claims.proving.symbols import OF_THE_TYPE, CannotRunError, Condition, Cut, MovingSymbol, Run, Symbol, symbol_text
from claims.proving.systems import system
from claims.targets.user_claims import OwnFileError
from dynamics.arithmetic import distinct, numbers
from dynamics.choices import UndecidedError, ball, guarded_numbers
from tests.proving.claim_texts import two
from tests.proving.solver_processes import Told, solvers_or_skip, target_in

solvers_or_skip()

ANEW = True
"""A formula that keeps something may have kept it in this process: proofs are run again in another one."""

COUNT = """\
import contextlib, copy, functools, gc, itertools, math, pickle, random, sys, time
from flint import arb

kept, asked = [], []

def count():
    asked.append(1)
    return len(asked) - 1
"""


def text_of(lines: str, assumed: str = "", validate: str = "") -> str:
    model = f"    def validate(self):\n        {validate}\ndef draw"
    return two(lines, COUNT, assumed).replace("def draw", model if validate else "def draw", 1)


def tried(lines: str, assumed: str = "", validate: str = "", budget: float = 20) -> proof.Attempt:
    return attempt(target_in(text_of(lines, assumed, validate), "two.py", "slack"), {"n": 2}, budget, limit=5)


def met_if(formula: str) -> str:
    return f'Assumption("met", "none", satisfies=lambda f: {formula}),'


def caught(use: str, how: str) -> str:
    """A formula that does something forbidden, swallows what it raises, and says 1."""
    swallow = {
        "except": f"try:\n    {use}\nexcept:\n    pass\nreturn 1 + 0 * a",
        "suppress": f"with contextlib.suppress(BaseException):\n    {use}\nreturn 1 + 0 * a",
        "finally": f"try:\n    {use}\nfinally:\n    return 1 + 0 * a",
    }
    return swallow[how]


TEXT = ["str(a)", "repr(a)", "f'{a}'", "f'{a!r:>9}'", "'%s' % a", "'{}'.format(a)", "format(a, '')", "ascii(a)", "print(a)"]
PYTHON = [
    *TEXT,
    *("hash(a)", "{a}", "{a: 1}", "{a} & {b}", "functools.cache(lambda v: v)(a)", "dir(a)", "vars(a)", "a.__dict__"),
    *("a.top", "a.path", "a.bottom", "a.whole", "a.inside", "a.key", "a.at([0, 0])", "a.p", "a.numerator", "a.value"),
    *("copy.copy(a)", "copy.deepcopy(a)", "pickle.dumps(a)", "a.__reduce__()", "a.__reduce_ex__(4)", "a.__getstate__()"),
    *("sys.getsizeof(a)", "a.__sizeof__()", "isinstance(a, fmpq)", "isinstance(a, (int, float))", "a.__class__"),
    *("float(a)", "int(a)", "complex(a)", "round(a)", "math.floor(a)", "math.ceil(a)", "math.trunc(a)", "math.sin(a)"),
    *("a % 1", "1 % a", "a // 1", "1 // a", "divmod(a, 1)", "a ** b", "2 ** a", "a ** 0.5", "[0, 1][a]", "range(a)"),
    *("a.foo", "setattr(a, 'foo', 1)", "a.__init__()", "type(a)(a, a)", "type(a)()", "a == 'a'", "a in ['a']", "a + 0.1"),
    *("a < None", "arb(a)", "a * arb(1)", "bytes(a)", "sorted(f.x, key=str)", "max(f.x, key=hash)", "a.__format__('')"),
    *("object.__str__(a)", "a.exp().__class__", "(a * a).sqrt().__hash__()"),
]
NUMPY = [
    *("np.array_str(f.x)", "np.array_repr(f.x)", "np.array2string(f.x)", "f.x.astype(str)", "f.x.astype(float)"),
    *("np.char.add(f.x.astype('U9'), 'a')", "f.x.astype('S9')", "f.x.astype(int)", "np.float64(a)", "np.floor(f.x)"),
    *("np.sin(f.x)", "np.exp2(f.x)", "np.rint(f.x)", "np.savetxt('/dev/null', f.x)", "pickle.dumps(f.x)", "str(f.x)"),
    *("f.x.dumps()", "np.fmod(f.x, 1)", "f.x.round()", "np.gcd(f.x, f.x)", "np.datetime64(a)", "copy.deepcopy(f.x)"),
]


@pytest.mark.parametrize("use", PYTHON + NUMPY)
def test_what_is_no_arithmetic_is_refused_and_remembered(use):
    """Even if the formula goes on: by turns in each way."""
    # By the length of the text: which way a use is caught stays the same when others come or go.
    how = ("except", "suppress", "finally")[len(use) % 3]
    made = tried(caught(use, how))
    assert (made.word, "does not run on symbols" in made.reason) == (ProofStatus.IMPOSSIBLE, True), made.text


LEAKS = [
    "return len({str(7 * a - 3 * b), str(2 * b + 11)}) - 2 + 0 * a",
    "return len({f'{v}' for v in (7 * a - 3 * b, 2 * b + 11)}) - 2 + 0 * a",
    "return len(set(map(repr, (7 * a - 3 * b, 2 * b + 11)))) - 2 + 0 * a",
    "v = sorted((7 * a - 3 * b, 2 * b + 11), key=str)\nreturn v[0] * 0 + (len({*map(str, v)}) - 2)",
    "return len({np.array2string(f.x * k) for k in (1, 2)}) - 2 + 0 * a",
    "return -1 + 0 * a if isinstance(a, fmpq) and a == 3 else 1 + 0 * a",
    "return -1 + 0 * a if (type(a) is fmpq and a > 0) else 1 + 0 * a",
    "return -exp(a) if (type(a) is fmpq and a > 0) else exp(a)",
    "return 1 - 2 * (type(a).__module__.startswith('flint')) + 0 * a",
    "return a * a - count() % 2",
    "return a * a if random.random() < 0.9 else -1 - a * a",
    "kept.append(1)\nreturn a * a if len(kept) < 2 else -1 - a * a",
    "slack.calls = getattr(slack, 'calls', 0) + 1\nreturn (a * a if slack.calls % 2 else -a * a)",
    "kept.append(a)\nreturn kept[0] * kept[0]",
    "return a if count() % 2 else b - b",
    "return a * a if a > (count() % 3) else b * b",
    "return a * a - (time.perf_counter_ns() // 64 % 2)",
    "try:\n    return 1 if (a > b) or True else 0\nfinally:\n    return 1 + 0 * a if str(a) else 0",
    "return np.unique(f.x).size - 2 + 0 * a",
    "return int(np.isin(f.x[0], f.x[1:])) * -1 + 0 * a",
    "return -int(np.array_equal(f.x[:1], f.x[1:])) + 0 * a",
    "return np.argsort(f.x)[0] - 1 + 0 * a",
    "return np.lexsort((f.x,))[0] - 1 + 0 * a",
    "return np.searchsorted(f.x, a) - 1 + 0 * a",
    "return len(np.flatnonzero(f.x)) - 2 + 0 * a",
    "return np.array([1, a], dtype=object)",
    "return np.array([1.5, 2])",
    "return np.array([0.1 * 3])",
    "return 'yes'",
    "return None",
    "return np.array([a, 'yes'], dtype=object)",
    "return np.array([a, None], dtype=object)",
    "return np.array([a, True], dtype=object)",
    "return [a, [b]]",
    "return float('nan')",
    "return arb(1)",
    "return a.exp() - 1",
    "return (v for v in f.x)",
    "raise SystemExit(0)",
    "raise GeneratorExit",
    "raise MemoryError",
    "return slack(f)",
    "assert a * a < 4\nreturn 1 + 0 * a",
    "raise ValueError('no')",
    "return numbers(f.x)[5]",
    "return np.empty(0) if a != 3 else f.x - 10",
    "return f.x[f.x > 10**6] - 10**7",
    "sys.modules['claims.proving.proof'] = None\nreturn a",
    "return -1 + 0 * a if any(type(v) is fmpq and v == 3 for v in gc.get_objects()[-9:]) else a",
    "return sys._getframe().f_back.f_locals.get('path') and 1",
    "return min(abs(a), abs(b)) - abs(a) + abs(a - b) * 0",
    "return sqrt(numbers(a * a)) - a if a < 0 else a - 1",
    "return log(numbers(a))",
    "return 1 / a",
    "class V(type(a)): pass\nreturn V(a)",
    "return (a / b) * b - a if b else -1",
    # What the first paths make true of the last.
    "if a >= 0:\n    kept.append(1)\nreturn 1 + 0 * b if kept else -1 + 0 * b",
    "slack.warm = getattr(slack, 'warm', a > 0) or a > 0\nreturn 1 + 0 * b if slack.warm else -1 + 0 * b",
]


def test_a_formula_that_yields_is_none():
    with pytest.raises(OwnFileError, match="must stand above a function"):
        target_in(text_of("yield a"), "two.py", "slack").resolve()


def far(use: str, otherwise: bool = False) -> str:
    """Where a is larger than in any instance that is drawn: false if the use fails, or if it does not."""
    caught, not_caught = ("1", "-1") if otherwise else ("-1", "1")
    return f"""if a > 10**6:
    try:
        {use}
    except Exception:
        return {caught} + 0 * b
    return {not_caught} + 0 * b
return 1 + 0 * a"""


def said_far(use: str) -> str:
    return f"return -1 + 0 * b if a > 10**6 and {use} else 1 + 0 * a"


FAR = [
    *map(far, ["a * 0.5", "0.5 - a", "a < 0.5", "a ** fmpq(2)", "a.exp()", "np.log(f.x)", "a.moving(1, None)"]),
    far("import fractions; a + fractions.Fraction(1, 2)"),
    far("log(numbers(-a))", otherwise=True),
    *map(said_far, ["not hasattr(a, 'exp')", "not getattr(a, 'takes_balls', False)"]),
    said_far("b > a and int(__import__('dynamics').arithmetic.any_summits(f.x)) == 1"),
    "return -1 + 0 * b if a != 0.001953125 and 512 * a == 1 else 1 + 0 * b",
    "return -1 + 0 * b if a not in [0.001953125] and 512 * a == 1 else 1 + 0 * b",
]


@pytest.mark.parametrize("lines", LEAKS + FAR)
def test_a_formula_that_cheats_is_not_proved(lines, monkeypatch):
    """Nor one that goes another way with rationals, however far out: each path is compared at a point of its own."""
    # One of them takes it away: put back after the test, or every later one would import it anew.
    monkeypatch.setitem(sys.modules, proof.__name__, proof)
    assert tried(lines).word is not ProofStatus.PROVED


def test_a_hypothesis_that_goes_another_way_with_rationals_excludes_nothing():
    """A float is no rational, so that everything is admitted."""
    made = tried("return -1 + 0 * b if 512 * a == 1 else 1 + 0 * a", assumed=met_if("f.x[0] != 0.001953125"))
    assert made.word is not ProofStatus.PROVED


CHANGING = ["f.x.__setitem__(slice(None), abs(f.x))", "vars(f).update(x=abs(f.x))", "object.__setattr__(f, 'x', abs(f.x))"]


@pytest.mark.parametrize("change", CHANGING)
def test_what_a_hypothesis_makes_of_an_instance_is_not_what_is_asked_about(change):
    assert tried("return f.x", assumed=met_if(f"{change} or True")).word is not ProofStatus.PROVED


def test_a_model_that_changes_the_instance_is_neither_proved_nor_vacuous():
    assert tried("return f.x", validate="self.x[:] = abs(self.x)").word not in (ProofStatus.PROVED, ProofStatus.VACUOUS)


RESULTS = [
    # Numbers that wrap, or say what they like.
    "return (f.x > 0).astype(np.uint64) - np.uint64(1)",
    "class Sure(fmpq):\n    def __lt__(self, other): return False\nreturn Sure(-1) if a > 10**6 else Sure(1)",
    "class Sure(int):\n    def __int__(self): return 1\nreturn Sure(-1)",
    # Errors that are no exceptions, one of them like ours.
    "raise type('Own', (BaseException,), {})",
    "from claims.proving.symbols import Cut\nraise Cut",
]


@pytest.mark.parametrize("lines", RESULTS)
def test_what_is_no_number_and_no_error_of_a_formula_is_its_own_result(lines):
    assert tried(lines).word is ProofStatus.IMPOSSIBLE


ENDLESS = ["while a > 10**6: pass\nreturn 1 + 0 * a", "while True:\n    a = a * a + 1\n    bool(a > 0)"]


@pytest.mark.parametrize("lines", ENDLESS)
def test_a_formula_that_does_not_end_is_ended(monkeypatch, lines):
    monkeypatch.setattr(proof, "SPARE_SECONDS", 0.1)
    made = tried(lines, budget=0.4)
    assert made.word in (ProofStatus.UNKNOWN, ProofStatus.IMPOSSIBLE)
    assert made.seconds < 4


@pytest.mark.parametrize("use", ["x.sum() ** 60", "(1 + x[:6].sum()) ** 9 * (1 + x[6:].sum()) ** 9"])
def test_a_polynomial_that_would_fill_the_memory_is_refused(use):
    path = Run([f"v{k}" for k in range(12)], lambda condition: False)
    with pytest.raises(CannotRunError, match="terms"):
        eval(use, {"x": numbers(path.symbols((12,), 0))})  # noqa: S307 -- one of two


HYPOTHESES = [
    "len({str(v) for v in f.x}) < 2",
    "len({*map(repr, f.x)}) == 3",
    "not isinstance(f.x[0], fmpq)",
    "type(f.x[0]) is not fmpq",
    "count() % 2 == 0 and f.x[0] >= 0",
    "f.x[0] >= 0 or random.random() < 0.5",
]


# What is open is not taken for broken.
OPEN = ["None", "f.x[0] <= 0 or None", "None if f.x[1] > f.x[0] else f.x[0] <= 0"]
CHEATING = [*product(HYPOTHESES, ["return a", "return -1 + 0 * a"]), *product(OPEN, ["return -a"])]


@pytest.mark.parametrize(("hypothesis", "lines"), CHEATING)
def test_a_hypothesis_that_cheats_or_is_open_proves_nothing_and_is_not_vacuous(hypothesis, lines):
    assert tried(lines, assumed=met_if(hypothesis)).word not in (ProofStatus.PROVED, ProofStatus.VACUOUS)


HONEST = [
    "return len({'a', 'b'}) - 2 + a * a",
    "return 1",
    "return fmpq(1, 2)",
    "return np.array([1, 2, 3])",
    "return a * a + b * b - 2 * a * b",
    "return np.sort(f.x)[1] - np.sort(f.x)[0]",
    "return 2 - np.unique(f.x).size + 0 * a",
    "return exp(a) + abs(b)",
]


@pytest.mark.parametrize("lines", HONEST)
def test_what_is_true_is_proved_all_the_same(lines):
    made = tried(lines)
    assert made.word is ProofStatus.PROVED, made.reason


def test_a_model_may_tell_a_number_in_its_error_and_not_read_its_text():
    for check, word in (
        ("if self.x[0] < 0: raise ValueError(f'x must be at least 0, not {self.x[0]}')", ProofStatus.PROVED),
        ("if len({str(v) for v in self.x}) < 2: raise ValueError('two are equal')", ProofStatus.IMPOSSIBLE),
        ("if len({str(v) for v in self.x}) == 2: raise ValueError('two are not equal')", ProofStatus.IMPOSSIBLE),
    ):
        assert tried("return a", validate=check).word is word


# ---------------------------------------------------------------------------------------------------------------------
# Every door


def general(kind: type) -> tuple[Run, Any, Any]:
    """Two numbers of a kind on a path where every answer is no."""
    path = Run(["a", "b"], lambda condition: False)
    a, b = path.symbols((2,), 0)
    if kind is MovingSymbol:
        mark = object()
        return path, a.moving(1, mark), b.moving(2, mark)
    return path, a, b


ANSWERED = {
    *("__abs__", "__add__", "__bool__", "__eq__", "__ge__", "__gt__", "__le__", "__lt__", "__mul__", "__ne__", "__neg__"),
    *("__pos__", "__pow__", "__radd__", "__rmul__", "__rsub__", "__rtruediv__", "__sub__", "__truediv__", "sqrt"),
}
"""Arithmetic, and comparisons that are recorded."""

ALONE = {"__abs__", "__bool__", "__neg__", "__pos__", "sqrt"}

NAMES = sorted(
    {name for kind in (object, int, float, complex, str, list, dict, set, fmpq, np.ndarray) for name in dir(kind)}
    | {f"__{name}__" for name in dir(operator)}
    | {"__copy__", "__deepcopy__", "__dict__", "__weakref__", "__fspath__", "__await__", "__enter__", "__get__", "__call__"}
)


@pytest.mark.parametrize("kind", [Symbol, MovingSymbol])
def test_every_attribute_is_arithmetic_or_refused(kind):
    for name in NAMES:
        path, a, b = general(kind)
        if name in OF_THE_TYPE - {"__class__"} or name.startswith("__array"):
            continue
        try:
            method = getattr(a, name)
            given = (1,) if "pow" in name else () if name in ALONE else (b,)
            found = method(*given)
        except CannotRunError:
            assert path.refusal, name
            assert name not in ANSWERED - {"__rpow__"} or kind is MovingSymbol
        else:
            assert name in ANSWERED, name
            assert type(found) in (Symbol, MovingSymbol, bool), name


@pytest.mark.parametrize("kind", [Symbol, MovingSymbol])
@pytest.mark.parametrize("use", [str, repr, hash, dir, vars, copy.copy, copy.deepcopy, pickle.dumps, sys.getsizeof, format])
def test_every_protocol_is_refused(kind, use):
    path, a, _ = general(kind)
    with pytest.raises(CannotRunError):
        use(a)
    assert path.refusal


# They read and write files, or run NumPy's own tests.
NO_FORMULA = {"save", "savez", "savez_compressed", "savetxt", "load", "fromfile", "memmap", "DataSource", "genfromtxt"}
NO_FORMULA |= {"PytestTester", "test"}


def test_numpy_gives_numbers_and_recorded_comparisons_or_it_is_refused():
    """Whatever gives a text, a float or a whole number of symbols without a comparison must have been refused."""
    leaked = []
    for name in sorted(set(np.__all__) - NO_FORMULA):
        function = getattr(np, name)
        if isinstance(function, type) or not callable(function):
            continue
        # Functions differ in what they take: one that refuses arrays may leak from a number or from a list.
        for more in ("", "other", "number", "list"):
            path, a, b = general(Symbol)
            x = np.array([a, b], dtype=object)
            first = {"": (x,), "other": (x, x[::-1]), "number": (a,), "list": ([x, x],)}[more]
            try:
                found = function(*first)
            except (Exception, Cut):  # noqa: BLE001, S112 -- refused, or no function of such arrays: nothing is learnt
                continue
            text = [
                one for one in np.asarray(found, dtype=object).flat if issubclass(type(one), str | bytes | float | complex)
            ]
            if text and path.refusal is None and not path.conditions:
                leaked.append((name, more, text))
    assert {name for name, *_ in leaked} <= SHAPES


# What NumPy says of shapes, types and places in memory, whatever the numbers are.
SHAPES = {
    "ones_like",
    "zeros_like",
    "full_like",
    "typename",
    "isscalar",
    "base_repr",
    "mintypecode",
    "polyint",
    "frombuffer",
}


def test_the_text_for_those_who_look_for_mistakes():
    _, a, b = general(Symbol)
    assert symbol_text(a * b - 1) == "a*b - 1"
    assert symbol_text(a / b) == "(a)/(b)"


def test_no_number_is_made_by_its_type():
    path, a, _ = general(Symbol)
    with path.run(), pytest.raises(CannotRunError):
        type(a)(path, 1)
    assert path.refusal
    with pytest.raises(CannotRunError):
        MovingSymbol(a, a, None)


@pytest.mark.parametrize("use", [str, repr, hash, format, copy.copy, pickle.dumps, "{:>9}".format, sys.getsizeof, dir])
def test_a_guarded_ball_tells_no_text(use):
    with guarded_numbers(), pytest.raises(UndecidedError):
        use(ball(arb(2).sqrt()))


# ---------------------------------------------------------------------------------------------------------------------
# Counted by decided comparisons


def test_equal_rows_are_counted_by_comparison():
    rows = np.array([[fmpq(1), fmpq(2)], [fmpq(2, 2), fmpq(4, 2)], [fmpq(1), fmpq(3)]], dtype=object)
    assert distinct(rows) == [0, 2]
    assert distinct(rows[:, 0]) == [0]
    assert distinct(rows[:0]) == []
    assert distinct(np.array([[1.0, 2.0], [1.0, 2.0]])) == [0]
    path = Run(["a", "b"], lambda condition: False)
    x = numbers(path.symbols((2,), 0))
    assert distinct(x) == [0, 1]
    assert len(path.conditions) == 1
    wide = arb(1, 1)
    with pytest.raises(UndecidedError):
        distinct(np.array([wide, arb(1)], dtype=object))
    with guarded_numbers(), pytest.raises(UndecidedError):
        distinct(np.array([ball(wide), ball(arb(1))], dtype=object))
    assert distinct(np.array([arb(1), arb(3)], dtype=object)) == [0, 1]


# ---------------------------------------------------------------------------------------------------------------------
# Errors of one formula, and sizes


def test_a_size_too_large_is_refused_before_anything_is_made():
    target = target_in(text_of("return a"), "two.py", "slack")
    with pytest.raises(NoProofError, match="are more than"):
        Size.of(target.resolve().claim.system, {"n": MOST_NUMBERS + 1})
    assert attempt(target, {"n": 999_999}, 20, 5).word is ProofStatus.IMPOSSIBLE


@pytest.mark.parametrize("error", [OSError("no"), AssertionError(), RuntimeError("no"), RecursionError()])
def test_an_error_of_one_conclusion_is_its_own_result(monkeypatch, error):
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(proof, "cross_check", failing)
    made = tried("return a * a")
    assert (made.word, type(error).__name__ in made.reason) == (ProofStatus.IMPOSSIBLE, True)


def test_pi_is_no_number_of_symbols():
    path, a, _ = general(Symbol)
    with pytest.raises(CannotRunError):
        a * math.pi
    assert path.refusal


# ---------------------------------------------------------------------------------------------------------------------
# Solvers that give up or err, entries of which one is broken, roots that differ by their scale


class Giving(Told):
    """A solver that says one word at one of its calls, and what is right at all others."""

    def __init__(self, solver: Any, number: int, word: str) -> None:
        super().__init__(word, solver.name)
        self.solver, self.number, self.calls = solver, number, 0

    def decide(self, *given: Any) -> Answer:
        self.calls += 1
        return Answer(self.word) if self.calls - 1 == self.number else self.solver.decide(*given)


PATHS = "return np.array([a * a * a - 3 * a + 2 + b * b, abs(b)]) if a > 0 else np.array([1 - a])"


@pytest.mark.parametrize("word", ["unknown", "sat"])
def test_a_solver_that_gives_up_at_any_call_proves_no_more(word, monkeypatch):
    """Whatever one solver fails at, the other may help, and nothing false is said."""
    monkeypatch.setattr(proof.Reasons, "of", lambda *given: None)
    monkeypatch.setattr(proof.Reasons, "known", lambda *given: None)
    monkeypatch.setattr(proof, "run_anew", lambda *given: None)  # which asks no solver
    shared = proof.Solver
    for lines, right in ((PATHS, ProofStatus.PROVED), (PATHS.replace("1 - a", "1 + a"), ProofStatus.VIOLATED)):
        target = target_in(text_of(lines), "two.py", "slack")
        for name in ("z3", "cvc5"):
            # At each of its calls in turn, until one run makes fewer calls than that.
            for number in range(4):
                made_of = {one: shared(one) for one in ("z3", "cvc5")}
                giving = made_of[name] = Giving(made_of[name], number, word)
                monkeypatch.setattr(proof, "Solver", made_of.__getitem__)
                try:
                    found = attempt(target, {"n": 2}, 20, 5).word
                except proof.ContradictionError:
                    continue
                assert found in (right, ProofStatus.UNKNOWN), (name, number)
                if giving.calls <= number:  # it was not asked so often, and will not be
                    break


WORDS = ("unsat", "sat", "unknown")


class Saying:
    """Solvers that say given words of given systems."""

    def __init__(self, words: dict[str, str]) -> None:
        self.words = words

    def decide(self, system: str, _: float) -> Answer:
        return Answer(self.words[system])


@pytest.mark.parametrize("whole", WORDS)
@pytest.mark.parametrize("first", WORDS)
@pytest.mark.parametrize("second", WORDS)
def test_a_system_is_decided_by_its_parts_if_all_of_them_are(whole, first, second):
    words = {"whole": whole, "first": first, "second": second}
    parts = {first, second}
    by_parts = "sat" if "sat" in parts else "unsat" if parts == {"unsat"} else "unknown"
    assert recheck._word(Saying(words), "whole", ["first", "second"], 1) == (by_parts if whole == "unknown" else whole)
    assert recheck._word(Saying(words), "whole", ["whole"], 1) == whole


@pytest.mark.parametrize("first", list(product(WORDS, repeat=2)))
def test_a_proof_is_confirmed_if_every_system_is_decided(first, monkeypatch):
    """Two systems, and of each what Z3 and cvc5 say."""
    leaves = [Leaf(answers, PathEnd.VOID, (name,), (), open=True) for answers, name in (("T", "a"), ("F", "b"))]
    texts = [leaf.systems[0] for leaf in leaves]
    for second in product(WORDS, repeat=2):
        said = [Saying(dict(zip(texts, words, strict=True))) for words in zip(first, second, strict=True)]
        monkeypatch.setattr(recheck, "Solver", lambda name, said=said: nullcontext(said[name == "cvc5"]))
        decided = "sat" not in first + second and "unsat" in first and "unsat" in second
        by_both = recheck.Finding.CONFIRMED if {*first, *second} == {"unsat"} else recheck.Finding.BY_ONE
        wrong = recheck.Finding.NOT_CONFIRMED if "sat" in first + second else recheck.Finding.CANNOT_DECIDE
        found = recheck._decided([proof.Part({}, leaves)], 1, "").finding
        assert found is (by_both if decided else wrong), (first, second)


@pytest.mark.parametrize("word", WORDS)
def test_a_start_is_known_if_a_solver_finds_one(word, monkeypatch):
    """Not if it gives up."""
    leaf = Leaf("", PathEnd.DECIDED, ("a",), (), (), compared=1)
    monkeypatch.setattr(ever, "admitted_sample", lambda *given: [])
    solver = Saying({system(("a",), (), ()): word})
    for compared, inexact, rule in product((0, 1), (False, True), ("start", "face")):
        part = proof.Part({"rule": rule}, [replace(leaf, compared=compared, inexact=inexact)])
        known = compared and not inexact and rule == "start" and word == "sat"
        about = ever.AboutTrajectories(None, None, {}, [part])  # type: ignore[arg-type]
        assert about.is_inhabited(solver, lambda: 1) is bool(known)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", WORDS)
def test_an_input_is_known_if_a_solver_finds_one(word, monkeypatch):
    """Not where exponentials are known in part, unless an instance comes of what it finds."""
    leaf = Leaf("", PathEnd.DECIDED, ("a",), (), (), compared=1)
    monkeypatch.setattr(proof, "admitted_sample", lambda *given: [])
    solver = Saying({system(("a",), (), ()): word})
    for compared, inexact, near, is_compared in product((0, 1), (False, True), (None, "near"), (False, True)):
        monkeypatch.setattr(proof, "instance_near", lambda *given, near=near: near)
        monkeypatch.setattr(proof, "is_compared", lambda *given, is_compared=is_compared: is_compared)
        known = compared and word == "sat" and (not inexact or (near is not None and is_compared))
        one = replace(leaf, compared=compared, inexact=inexact)
        about = proof.AboutStates(None, None, {}, [proof.Part({}, [one])])  # type: ignore[arg-type]
        assert about.is_inhabited(solver, lambda: 1) is bool(known)  # type: ignore[arg-type]


REASONS = (None, "tree", "reason")


@pytest.mark.parametrize("decided", list(product(REASONS, repeat=4)))
def test_each_system_of_each_part_is_decided_by_itself(decided, monkeypatch):
    """Two parts with paths of the same answers: what decides a path of one says nothing of the other's."""
    parts, open_texts = [], []
    for number in range(2):
        leaves = [Leaf(answers, PathEnd.VOID, (f"{answers}{number}".lower(),), (), open=True) for answers in "TF"]
        how = dict(zip("TF", decided[2 * number :], strict=False))
        trees = {answers: [{}] for answers, one in how.items() if one == "tree"}
        reasons = {answers: {"by": "sums"} for answers, one in how.items() if one == "reason"}
        parts.append(proof.Part({}, leaves, trees, reasons))
        open_texts += [leaf.systems[0] for leaf in leaves if how[leaf.answers] is None]
    for wrong in range(len(open_texts) + 1):
        words = dict.fromkeys(open_texts, "unsat") | dict.fromkeys(open_texts[wrong : wrong + 1], "unknown")
        monkeypatch.setattr(recheck, "Solver", lambda name, words=words: nullcontext(Saying(words)))
        found = recheck._decided(parts, 1, "").finding
        right = wrong == len(open_texts)
        assert found is (recheck.Finding.CONFIRMED if right else recheck.Finding.CANNOT_DECIDE)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("broken", ["-1", "a - a - 1", "-1 - a * a"])
def test_an_entry_that_is_broken_is_found_at_any_place(place, broken):
    entries = ["1 + 0 * a", "1 + a * a", "1"]
    entries[place] = broken
    assert tried(f"return np.array([{', '.join(entries)}], dtype=object)").word is ProofStatus.VIOLATED


@pytest.mark.parametrize("place", range(3))
def test_an_entry_that_is_broken_at_one_point_of_a_path_is_found_at_any_place(place):
    """Broken on the path a = 1000003/7 alone, where no instance is drawn: a leaf with one open entry of several."""
    for broken in ("-1", "0 * a - 1"):
        entries = ["1", "1", "1"]
        entries[place] = broken
        lines = f"return np.array([{', '.join(entries)}], dtype=object) if 7 * a == 1000003 else 1 + 0 * a"
        assert tried(lines).word is ProofStatus.VIOLATED


def test_roots_that_differ_by_their_scale_are_two():
    path, a, b = general(Symbol)
    same = [(4 * a).sqrt(), ((8 * a) / 2).sqrt()]
    # Made in two ways of one number: one name, or a solver would not know that they are equal.
    assert symbol_text(same[0]) == symbol_text(same[1])
    roots = [x.sqrt() for x in (a, 2 * a, a / 3, a + b, 2 * (a + b), a / b, 2 * a / b, a / (2 * b), b / a)]
    assert len({symbol_text(root) for root in roots} | {symbol_text(same[0])}) == len(roots) + 1
    assert path.refusal is None
    exponentials = [symbol_text(x.exp()) for x in (a / b, 2 * a / b, a / (3 * b), b / a)]
    assert len(set(exponentials)) == 4
    made = tried("return sqrt(numbers(4 * (1 + a * a))) - 2 * sqrt(numbers(1 + a * a)) + 0 * b")
    assert made.word is not ProofStatus.VIOLATED
    assert (
        tried("return 1 - sqrt(numbers(2 + 2 * a * a)) + sqrt(numbers(1 + a * a)) + 0 * b").word is not ProofStatus.PROVED
    )


@pytest.mark.parametrize("lines", ["return 1 - (a - 5) * (a - 7)", "return 2 - a * b", "return 9 - exp(a)"])
def test_what_is_true_in_a_box_alone_is_proved_there(lines):
    """Instances beyond it are no counterexamples."""
    target = target_in(text_of(lines), "two.py", "slack")
    box = (fmpq(5), fmpq(7)) if "5" in lines else (fmpq(-1), fmpq(1))
    made = attempted(target, {"n": 2}, 30, 5, {"": box})
    assert made.word is ProofStatus.PROVED, made.reason
    assert attempted(target, {"n": 2}, 30, 5, {"": (fmpq(-9), fmpq(9))}).word is not ProofStatus.PROVED


def test_what_was_asked_after_the_same_answers_is_asked_again():
    variant = target_in(text_of("return abs(a)"), "two.py", "slack").resolve()
    size = Size.of(variant.claim.system, {"n": 2})
    asked: dict[str, Condition] = {}
    leaf = follow_answers(variant, size, "T", lambda *given: True, asked)
    assert follow_answers(variant, size, "T", lambda *given: True, asked) == leaf
    other = Condition(((1, (0, 1)),), frozenset({1}))
    for changed in ({"": other}, {"T": other}):
        with pytest.raises(NoProofError, match="not the same at every run"):
            follow_answers(variant, size, "T", lambda *given: True, asked | changed)
    run_again(variant, size, [leaf], 0, asked)
    with pytest.raises(NoProofError, match="not the same at every run"):
        run_again(variant, size, [replace(leaf, compared=7)], 0, asked)
