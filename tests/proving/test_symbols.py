"""The sixth arithmetic: what symbols compute, what they refuse, and that every fork is followed both ways."""

from __future__ import annotations

import operator
import random
from fractions import Fraction
from itertools import combinations, product
from math import prod

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from claims.proving import exploring
from claims.proving.exploring import Leaf, PathEnd, is_complete, sign_at
from claims.proving.symbols import AUXILIARY, CannotRunError, Condition, Cut, Run, Symbol, inside, value_at
from claims.proving.systems import smt_formula, system
from claims.stating.statement import Conclusion, Form, Relation
from dynamics.arithmetic import (
    at_most,
    below_any_summit,
    below_peak,
    determinant,
    exp,
    inverse,
    larger,
    numbers,
    peak,
    rational,
    sign,
)
from dynamics.attention import leaders, softmax
from dynamics.differentiation import jacobian
from tests.planting import bugs_in


def walk(point: list[fmpq]) -> Run:
    """A path on which comparisons are answered as they are at a point."""
    return Run([f"v{k}" for k in range(len(point))], lambda condition: sign_at(condition, point) in condition.signs)


def at(*values: int) -> tuple[Run, np.ndarray, list[fmpq]]:
    point = [fmpq(value) for value in values]
    path = walk(point)
    return path, numbers(path.symbols((len(point),), 0)), point


POINTS = [(0, 0, 0), (1, 2, 3), (-2, 5, 5), (3, -1, 2), (-1, -1, 4)]  # zeros, and ties at the top and below it


@pytest.mark.parametrize("values", POINTS)
def test_what_the_interface_gives_on_symbols_is_what_it_gives_on_rationals(values):
    _, x, point = at(*values)
    plain = numbers(np.array(point, dtype=object))
    symbolic = [peak(x), below_peak(x), larger(x[0], x[1]), abs(x), x @ x, x**3, x[0] - 7 * x[2] / 2 + fmpq(1, 3)]
    rational = [
        peak(plain),
        below_peak(plain),
        larger(plain[0], plain[1]),
        abs(plain),
        plain @ plain,
        plain**3,
        plain[0] - 7 * plain[2] / 2 + fmpq(1, 3),
    ]
    for one, other in zip(symbolic, rational, strict=True):
        values_there = [value_at(entry, point) if isinstance(entry, Symbol) else entry for entry in numbers(one).flat]
        assert values_there == list(numbers(other).flat)
    assert (leaders(x) == leaders(plain)).all()
    assert (at_most(x, x[0]) == at_most(plain, plain[0])).all()
    assert [sign(entry) for entry in x] == [sign(entry) for entry in plain]
    assert list(np.argsort(x)) == list(np.argsort(plain))


def test_determinant_and_inverse_of_a_symbolic_matrix():
    path, x, point = at(2, 1, 5, 3)
    A, plain = x.reshape(2, 2), np.array(point, dtype=object).reshape(2, 2)
    assert value_at(determinant(A), point) == determinant(plain) == 1
    assert [value_at(entry, point) for entry in inverse(A).flat] == list(inverse(plain).flat)
    product = A @ inverse(A)
    assert all(inside(product[i, j]).top == int(i == j) for i in range(2) for j in range(2)), "by polynomial normal form"
    assert len(path.conditions) == 1, "the determinant was compared with zero once"


def test_a_comparison_is_asked_once_and_remembered_with_either_sign():
    asked = []
    path = Run(["a", "b"], lambda condition: bool(asked.append(condition)) or True)
    a, b = path.symbols((2,), 0)
    assert a < b
    assert not b < a
    assert b > a
    assert 3 * a <= 3 * b
    assert a != b
    assert (b - a) / 2 > 0
    assert len(asked) == len(path.conditions) == 1
    assert not a < a  # noqa: PLR0124
    assert a == a  # noqa: PLR0124 -- of itself
    assert len(asked) == 1


def test_a_no_leaves_what_a_yes_excludes():
    path = Run(["a"], lambda condition: False)
    (a,) = path.symbols((1,), 0)
    assert not a < 0
    assert not a == 0  # noqa: SIM201 -- the comparison that is meant
    assert a > 0
    assert [smt_formula(condition, path.variables) for condition in path.conditions] == ["(>= a 0)", "(> a 0)"]


def test_a_root_is_defined_by_its_square_and_a_negative_number_has_none():
    path, x, _ = at(4, 5)
    r = np.sqrt(x)[0]
    told = system(path.variables, path.conditions, ())
    assert "(assert (>= aux0 0))" in told
    assert "(= (+ v0 (* (- 1) aux0 aux0)) 0)" in told
    assert inside(x[0].sqrt() - r).top == 0
    with pytest.raises(ValueError, match="negative"):
        (x[0] - x[1]).sqrt()


def test_a_complaint_is_passed_on():
    path, _, _ = at(1)
    with pytest.raises(ValueError, match="no data"), path.complaining():
        raise ValueError("no data")
    assert path.refusal is None


@pytest.mark.parametrize("value", [-1, 0, 2])
def test_a_logarithm_is_that_of_a_positive_number(value):
    path, x, _ = at(value, 1)
    for number in (x[0], x[0] * x[1], x[0] ** 3):
        if value > 0:
            assert isinstance(number.log(), Symbol)
        else:
            with pytest.raises(ValueError, match="log"):
                number.log()
    assert path.refusal is None


def test_exponentials_are_free_positive_symbols_that_multiply():
    path, x, _ = at(1, 2, 3)
    e = exp(x)
    assert inside((x[0] + x[1]).exp() - e[0] * e[1]).top == 0
    assert inside((x[0] - x[1]).exp() * e[1] - e[0]).top == 0
    assert inside(exp(numbers(0 * x[0])).item()).top == 1
    weights = softmax(numbers(x))
    assert inside(weights.sum().item()).top == 1
    assert inside(weights.sum().item()).whole
    shifted = softmax(numbers(x + 5 * x[0]))
    assert all(inside(one - other).top == 0 for one, other in zip(weights, shifted, strict=True))
    assert below_any_summit(numbers(x))[0] == 0
    # What is known of the exponentials is true of them.
    names = {name: mpmath.exp(k + 1) for k, name in enumerate(path.variables[3:])}
    values = [1, 2, 3, *names.values()]
    for condition in path.conditions:
        total = sum(c * mpmath.fprod(v**p for v, p in zip(values, e, strict=False)) for c, e in condition.terms)
        near = abs(total) < mpmath.mpf(10) ** -9
        assert near or int(mpmath.sign(total)) in condition.signs


FOREIGN = [
    (lambda a: a + 0.1, "float"),
    (lambda a: a * arb(1), "arb"),
    (lambda a: a**0.5, "power"),
    (float, "float"),
    (hash, "hash"),
    (rational, "float"),
    (lambda a: 2**a, "exponent"),
    (lambda a: a.lambertw(), "lambertw"),
    (lambda a: fmpq(a.p, a.q), "its p"),
]


@pytest.mark.parametrize(("use", "told"), FOREIGN)
def test_what_no_symbol_can_answer_is_refused_even_if_the_formula_goes_on(use, told):
    path, x, _ = at(1)
    with pytest.raises(CannotRunError, match=told):
        use(x[0])
    assert told in (path.refusal or "")


def test_a_formula_that_catches_the_end_of_its_run_is_refused():
    def decide(condition):
        raise Cut

    path = Run(["a"], decide)
    with pytest.raises(Cut):
        bool(path.symbols((1,), 0)[0] > 0)
    assert "was ended" in (path.refusal or "")


@pytest.mark.parametrize("other", [0.5, np.float64(0.5), Fraction(1, 2), arb(1)])
def test_what_no_rational_computes_with_is_refused(other):
    """Two rationals are never equal to a float, and raise an error that a formula might catch where they meet one."""
    path, x, _ = at(3)
    for use in (lambda: x[0] * other, lambda: other - x[0], lambda: x[0] == other, lambda: x[0] ** fmpq(2)):
        with pytest.raises(CannotRunError):
            use()
    assert path.refusal


def test_roots_run_out():
    _, x, _ = at(*range(1, AUXILIARY + 2))
    with pytest.raises(CannotRunError, match="more than"):
        np.sqrt(x)


def test_the_leaves_of_a_tree_are_complete_or_not():
    assert is_complete([""])
    assert is_complete(["T", "FT", "FF"])
    assert not is_complete([])
    assert not is_complete(["T"])
    assert not is_complete(["T", "FT"])
    assert not is_complete(["T", "F", "FT", "FF"])
    assert not is_complete(["T", "T", "F"])


def leaves_leave_open_what_may_break(module):
    """Constants, x and -x in any order, with some signs of x known: a leaf has a solution where an entry breaks."""
    entries = [lambda x, c=c: x * 0 + c for c in (-1, 0, 1)] + [lambda x: x, lambda x: -x]
    known = [frozenset(signs) for size in (1, 2, 3) for signs in combinations((-1, 0, 1), size)]
    for relation, signs, row in product(Relation, known, [one for size in (1, 2) for one in product(entries, repeat=size)]):
        path = Run(["x"], lambda condition: True)
        (x,) = path.symbols((1,), 0)
        path.define(inside(x).top, signs)
        values = np.array([entry(x) for entry in row], dtype=object)
        leaf = module._leaf(Conclusion("any", Form.STATE, relation, lambda f: f), path, "", PathEnd.DECIDED, values, "")
        for at in signs:
            breaks = any(sign(entry(fmpq(at))) in relation.forbidden for entry in row)
            there = [sign_at(one, [fmpq(at)]) in one.signs for one in leaf.violations]
            assert (leaf.open and (not there or any(there))) == breaks, (relation, signs, leaf)


def test_leaves_leave_open_what_may_break():
    leaves_leave_open_what_may_break(exploring)


@bugs_in(exploring)
def test_a_bug_planted_in_leaves_is_noticed(bug):
    assert bug.is_noticed([leaves_leave_open_what_may_break])


def test_a_system_says_every_relation_as_solvers_read_it():
    terms = ((2, (1, 1)), (-3, (0, 0)))
    texts = {
        frozenset({-1}): "(< (+ (* 2 x y) (- 3)) 0)",
        frozenset({0}): "(= (+ (* 2 x y) (- 3)) 0)",
        frozenset({1}): "(> (+ (* 2 x y) (- 3)) 0)",
        frozenset({-1, 0}): "(<= (+ (* 2 x y) (- 3)) 0)",
        frozenset({0, 1}): "(>= (+ (* 2 x y) (- 3)) 0)",
        frozenset({-1, 1}): "(distinct (+ (* 2 x y) (- 3)) 0)",
        frozenset({-1, 0, 1}): "true",
        frozenset(): "false",
    }
    for signs, text in texts.items():
        assert smt_formula(Condition(terms, signs), ["x", "y"]) == text


def read(text: str):
    """The commands of an SMT-LIB text, as nested lists."""
    stack = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word)
    (commands,) = stack
    return commands


def meant(term, values):
    """What a term is where its variables have these values."""
    if isinstance(term, str):
        return {"true": True, "false": False}.get(
            term, values[term] if term in values else Fraction(term) if term[-1:].isdigit() else None
        )
    word, *given = term
    parts = [meant(one, values) for one in given]
    if word == "-":
        (part,) = parts
        return -part
    if word in ("+", "*"):
        return sum(parts) if word == "+" else prod(parts)
    if word == "or":
        return any(parts)
    one, other = parts
    return {
        "<": one < other,
        "<=": one <= other,
        "=": one == other,
        ">=": one >= other,
        ">": one > other,
        "distinct": one != other,
    }[word]


SMALL = [((2, (1, 1)), (-3, (0, 0))), ((1, (1, 0)),), ((-1, (0, 2)), (1, (1, 0)), (4, (0, 0))), ((-2, (3, 1)),)]
SOME_SIGNS = [frozenset(signs) for k in range(4) for signs in combinations((-1, 0, 1), k)]


def test_a_system_is_true_where_its_conditions_and_one_violation_are():
    """At the points of a grid, for no violation, one, and more; and its parts, one for each, are true where it is."""
    rng, grid = random.Random(4), [(Fraction(a, 2), Fraction(b, 2)) for a in range(-4, 5, 2) for b in range(-4, 5, 2)]
    names, true = ("x", "y"), 0
    for turn in range(60):
        drawn = [Condition(rng.choice(SMALL), rng.choice(SOME_SIGNS)) for _ in range(turn % 3 + turn % 4)]
        conditions, violations = tuple(drawn[: turn % 3]), tuple(drawn[turn % 3 :])
        leaf = Leaf("", PathEnd.DECIDED, names, conditions, violations, open=True)
        (text,) = leaf.systems
        assert len(leaf.parts) == max(1, len(violations))
        for point in grid:
            held = [sign(fmpq(0) + value_of(one, point)) in one.signs for one in drawn]
            wanted = all(held[: turn % 3]) and (not violations or any(held[turn % 3 :]))
            values = dict(zip(names, point, strict=True))
            found = [all(meant(one[1], values) for one in read(told) if one[0] == "assert") for told in (text, *leaf.parts)]
            assert found[0] is any(found[1:]) is wanted
            true += wanted
        assert Leaf("", PathEnd.DECIDED, names, conditions, violations).systems == []
    assert true > 100


def value_of(one: Condition, point: tuple[Fraction, ...]) -> fmpq:
    total = sum(c * prod(x**power for x, power in zip(point, powers, strict=True)) for c, powers in one.terms)
    return fmpq(total.numerator, total.denominator)


RELATIONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


@pytest.mark.parametrize("seed", range(4))
def test_quotients_and_their_comparisons_are_those_of_rationals(seed):
    """Of expressions made at random of three numbers, some of them zero or equal: all that is known is true there."""
    rng = random.Random(seed)
    point = [fmpq(rng.randint(-2, 2)), fmpq(rng.randint(-3, 3), 2), fmpq(rng.randint(1, 3))]
    path = walk(point)
    found = [*zip(path.symbols((3,), 0), point, strict=True), (fmpq(2, 3), fmpq(2, 3))]
    for _ in range(40):
        (a, x), (b, y) = rng.choice(found), rng.choice(found)
        operation = rng.choice(
            (operator.add, operator.sub, operator.mul, operator.truediv, lambda p, q: abs(p) - q, lambda p, _: p**2)
        )
        if operation is operator.truediv and y == 0:
            with pytest.raises(ZeroDivisionError):
                operation(a, b)
            continue
        made, value = operation(a, b), operation(x, y)
        if isinstance(made, Symbol):
            assert value_at(made, point) == value
            assert [relation(made, b) for relation in RELATIONS] == [relation(value, y) for relation in RELATIONS]
            assert [relation(a, made) for relation in RELATIONS] == [relation(x, value) for relation in RELATIONS]
            assert not isinstance(made, Symbol) or sign(made) == sign(value)
        if len(str(value)) < 12 and (not isinstance(made, Symbol) or len(inside(made).top.to_dict()) < 8):
            found.append((made, value))
    assert all(sign_at(condition, point) in condition.signs for condition in path.conditions)


SQUARES = [lambda x: x[0], lambda x: 4 * x[0], lambda x: 4 / x[0], lambda x: x[0] / x[1], lambda x: x[1] / x[0]]
SQUARES += [lambda x: x[0] * x[1], lambda x: (1 + x[0] * x[0]) / 3, lambda x: 2 / (x[0] + x[1]), lambda x: 9 * x[0] / x[1]]
OF_ALL = [*SQUARES, lambda x: -x[0], lambda x: 2 - x[0] * x[1], lambda x: -2 * x[0] / x[1], lambda x: x[1] - 1 / x[0]]


@pytest.mark.parametrize(("name", "formulas"), [("sqrt", SQUARES), ("log", SQUARES), ("exp", OF_ALL)])
@pytest.mark.parametrize("values", [(2, 3), (-2, -3), (1, 1), (3, -1), (-1, 4)])
def test_what_is_known_of_functions_is_true_of_their_values(name, formulas, values):
    """Of several quotients on one path, with denominators of either sign: in balls around the values of the new symbols."""
    path, x, point = at(*values)
    there = list(map(arb, point))
    for one in formulas:
        number = one(point)
        if name != "exp" and number <= 0:
            continue
        made = getattr(one(x), name)()
        there += [getattr(arb(value_of.at(point)), meaning)() for meaning, value_of in path.meanings[len(there) - 2 :]]
        assert arb(value_at(made, there)).overlaps(getattr(arb(number), name)()), number
    assert path.refusal is None
    for one in path.conditions:
        terms = [prod((v**k for v, k in zip(there, powers, strict=False) if k), start=arb(c)) for c, powers in one.terms]
        total = sum(terms, arb(0))
        possible = {-1: not total >= 0, 0: total.contains(0), 1: not total <= 0}
        assert any(possible[sign] for sign in one.signs), one


# ---------------------------------------------------------------------------------------------------------------------
# Derivatives


@pytest.mark.parametrize(
    "formula",
    [
        lambda x: x[:1] * x[1:2] - x[2:] / (1 + x[:1] * x[:1]),
        lambda x: (x[:1] - 3) ** 3 + 2 / x[1:2] ** 2 - x[2:] ** 0,
        lambda x: -(+x[:1]) + (5 - x[1:2]) * 7 / 2,
    ],
)
def test_a_derivative_on_symbols_is_that_of_balls(formula):
    path, x, point = at(2, 3, -1)
    there = [value_at(entry, point) if isinstance(entry, Symbol) else entry for entry in jacobian(formula, x).flat]
    balls = jacobian(formula, numbers(np.array([arb(value) for value in point], dtype=object)))
    assert all(ball.overlaps(arb(value)) for ball, value in zip(balls.flat, there, strict=True))
    assert any(there)
    assert all(condition.signs in ({-1, 1}, {1}) for condition in path.conditions), "only divisors are compared"


def test_derivatives_of_exponentials_and_roots_are_known_by_their_equations():
    path = Run(["v0", "v1"], lambda condition: condition.signs in ({1}, {-1, 1}))
    x = numbers(path.symbols((2,), 0))
    slope, _ = jacobian(lambda z: exp(z[0] * z[1]), x).flat
    assert inside(slope - x[1] * exp(x[0] * x[1]).item()).top == 0
    (root,) = jacobian(lambda z: np.array([z[0].sqrt()], dtype=object), x[:1]).flat
    assert inside(root * 2 * x[0].sqrt() - 1).top == 0
    (logarithm,) = jacobian(lambda z: np.array([z[0].log()], dtype=object), x[:1]).flat
    assert inside(logarithm * x[0] - 1).top == 0
    assert path.refusal is None


@pytest.mark.parametrize("mix", [operator.add, operator.sub, operator.mul, operator.truediv])
def test_a_derivative_on_symbols_takes_no_slopes_of_another_one(mix):
    path, x, _ = at(2, 3)
    with pytest.raises(CannotRunError, match="within a derivative"):
        jacobian(lambda y: jacobian(lambda z: mix(y[0], z), x[1:]).reshape(1), x[:1])
    assert path.refusal


@pytest.mark.parametrize(
    "formula",
    [
        abs,
        peak,
        lambda z: z if z[0] == 0 else -z,
        lambda z: z ** fmpq(1, 2),
        lambda z: z[0].atan(),
    ],
)
def test_a_formula_that_compares_has_no_derivative(formula):
    path, x, _ = at(2, 3)
    with pytest.raises(CannotRunError, match="to be differentiated"):
        jacobian(formula, x)
    assert path.refusal
