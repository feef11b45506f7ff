"""Boxes: what they prove, what they leave open, and trees that are tampered with or found by unsound arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from pathlib import Path as File

import pytest
from flint import arb, fmpq

from claims.proving import box_check, boxes, on_boxes
from claims.proving.attempts import attempted
from claims.proving.box_check import CheckedTree, TreeError
from claims.proving.boxes import BranchAndBound, NoBoxError, Problem, problems_of
from claims.proving.exploring import Leaf, PathEnd, Size
from claims.proving.on_boxes import rechecked
from claims.proving.proof import Part, ProofStatus
from claims.proving.symbols import Condition, Run, inside, normal
from claims.targets.target import Target
from dynamics.arithmetic import Array
from dynamics.system import System, quantity
from tests.calling import refused, run
from tests.planting import bugs_in
from tests.proving.solver_processes import solvers_or_skip, target_in

LINE = {"n": 2, "d": 1}
SPEED = Target("clusters.drift_of_a_positive_token", "speed_less_second_bound")
NEGATIVE = frozenset({-1})
UNIT = (fmpq(-1), fmpq(1))
FAR = float("inf")


def problem(formula, *relations, names=("x", "y")) -> Problem:
    """That the formula is nowhere negative where relations, formulas and their signs, hold."""
    path = Run(names, lambda condition: False)
    x = path.symbols((len(names),), 0)
    path.conditions.clear()
    given = []
    for relation, signs in relations:
        terms, turned = normal(inside(relation(*x)).top)
        given.append(Condition(terms, frozenset(-s if turned else s for s in signs)))
    terms, turned = normal(inside(formula(*x)).product)
    broken = Condition(terms, frozenset({1}) if turned else NEGATIVE)
    leaf = Leaf("", PathEnd.DECIDED, (), tuple(given), (broken,), True, exponents=tuple(path.exponents))
    (found,) = problems_of(leaf, names)
    return found


def shown(one: Problem, bounds=UNIT) -> int:
    """The boxes of a tree that is found and confirmed."""
    box = dict.fromkeys(one.free, bounds)
    return rechecked(one, box, BranchAndBound(one, FAR).tree(box))


TRUE = [
    (lambda x, y: 3 - x * y + x**3,),
    (lambda x, y: (x.exp() + y.exp()) ** 2 - 4 * (x + y - 1),),
    # Zero where x = y, to the first, second and fourth order; and at two places at once.
    (lambda x, y: x.exp() - y.exp(), (lambda x, y: x - y, {0, 1})),
    (lambda x, y: (x - y).exp() - 1 - x + y,),
    (lambda x, y: (x - y) * (x.exp() - y.exp()) * (x * y + 2),),
    (lambda x, y: (x * x).exp() * (y * y).exp() - (2 * x * y).exp(),),
    (lambda x, y: (y * x).exp() - 1 - y * x - y * (x.exp() - 1 - x), (lambda x, y: y - 1, {0})),
    (lambda x, y: x * (y.exp() - 1), (lambda x, y: x, {1}), (lambda x, y: y, {0, 1})),
    (lambda x, y: x.exp() - 1 - x - x * x / 2, (lambda x, y: x, {0, 1})),
]


@pytest.mark.parametrize("told", TRUE)
def test_what_is_true_is_shown(told):
    assert shown(problem(*told)) >= 1


FALSE = [
    (lambda x, y: 1 - x * y - x,),
    (lambda x, y: x.exp() - y.exp(),),
    (lambda x, y: x.exp() - 1 - x - x * x / 2,),
    (lambda x, y: x.exp() - y.exp(), (lambda x, y: x - y, {-1, 0})),
    (lambda x, y: x * (y.exp() - 1), (lambda x, y: x, {0, 1})),
    (lambda x, y: (x - y).exp() - 1 - (x - y) - (x - y) ** 2 / 1000000 - x / 1000000000,),
    # Two terms that are no difference of two exponentials, and powers of one, whichever exponential comes first.
    (lambda x, y: y - (x - 2).exp(),),
    (lambda x, y: x.exp() - 2 * y.exp(), (lambda x, y: x - y, {0, 1})),
    (lambda x, y: x * y.exp() - y * x.exp(), (lambda x, y: y - x, {0, 1})),
    (lambda x, y: -((x.exp() - y.exp()) ** 2),),
    (lambda x, y: -((y.exp() - x.exp()) ** 2),),
    (lambda x, y: -((x.exp() - y.exp()) ** 3), (lambda x, y: x - y, {0, 1})),
    (lambda x, y: -((y.exp() - x.exp()) ** 3), (lambda x, y: y - x, {0, 1})),
]


@pytest.mark.parametrize("told", FALSE)
def test_what_is_false_is_not_shown(told, monkeypatch):
    monkeypatch.setattr(boxes, "MOST_BOXES", 300)  # more would show no more of what is false
    with pytest.raises(NoBoxError):
        shown(problem(*told))


@pytest.mark.parametrize("told", FALSE)
@pytest.mark.parametrize("end", [["sign"], ["condition", 0]])
def test_a_tree_that_only_says_so_is_not_confirmed(told, end):
    one = problem(*told)
    if end == ["condition", 0] and not one.conditions:
        return
    with pytest.raises(TreeError):
        CheckedTree(one.to_json(dict.fromkeys(one.free, UNIT))).check([[*end, whole(one)]])


def whole(one: Problem) -> dict[str, list[str]]:
    return {str(v): ["-1", "1"] for v in one.free}


def test_equations_are_put_in():
    one = problem(lambda x, y: x.exp() * y - x - 1, (lambda x, y: y - 1, {0}))
    assert one.free == [0]
    assert shown(one) >= 1


NO_EXPONENTIALS = [
    (lambda x, y: (1 + x * x).sqrt() - 1,),
    (lambda x, y: (x / (1 + y * y)).exp() + 1,),
    # Beside an exponential a root is none: sqrt(y) e^x - 1 has not the sign of x.
    (lambda x, y: y.sqrt() * x.exp() - 1, (lambda x, y: x, {0, 1})),
    (lambda x, y: y.log() * x.exp() - 1, (lambda x, y: x, {0, 1})),
]


@pytest.mark.parametrize("told", NO_EXPONENTIALS)
def test_what_is_no_exponential_of_a_polynomial_is_said(told):
    with pytest.raises(NoBoxError, match="roots, logarithms, or exponentials of quotients"):
        problem(*told)


# Conditions on x - y, on y - x and on others that look alike: only the first two tell the signs of x - y, and x its own.
RELATED = [lambda x, y: x - y, lambda x, y: y - x, lambda x, y: x - y + 1, lambda x, y: y - x + 1, lambda x, y: x + y]
RELATED += [lambda x, y: x, lambda x, y: -y, lambda x, y: x * x - y, lambda x, y: x - 2 * y, lambda x, y: x - y * y]
SPANS = [(fmpq(low), fmpq(high)) for low, high in combinations_with_replacement((-1, 0, 1), 2)]


def placed(span):
    return [span[0] + (span[1] - span[0]) * fmpq(k, 4) for k in range(5)]


@pytest.mark.parametrize("relation", RELATED)
def test_signs_of_a_difference_are_those_of_all_points(relation):
    """In boxes that are apart, meet at an end or in one point, or overlap, where one relation or none is known."""
    ring = Run(("x", "y"), lambda condition: False).ring
    x, y, *_ = ring.gens()
    for signs, first, second in product(([-1, 0, 1], [1], [0, 1], [0]), SPANS, SPANS):
        points = [(a, b) for a, b in product(placed(first), placed(second)) if cmp(relation(a, b)) in signs]
        one = Problem(ring, 2, [], [(relation(x, y), frozenset(signs))], [], frozenset(), [0, 1])
        box = {0: first, 1: second}
        for found in (BranchAndBound(one, FAR), CheckedTree(one.to_json(box))):
            there = (
                {v: tuple(map(Fraction, map(str, ends))) for v, ends in box.items()}
                if isinstance(found, CheckedTree)
                else box
            )
            assert {cmp(a - b) for a, b in points} <= set(found._signs_of_difference(there, 0, 1))
            assert {cmp(a) for a, _ in points} <= set(found._signs_of_difference(there, 0, None))


VANISHING = [
    lambda x, y: (x - y).exp() - 1 - 2 * (x - y),
    lambda x, y: x.exp() - y.exp() - 2 * (x - y),
    lambda x, y: (x.exp() - 1 - 2 * x) * (x - y),
    lambda x, y: y * x.exp() - y.exp() + 1,
    lambda x, y: (y * x).exp() - 1 - y * x - y * (x.exp() - 1 - x),
    lambda x, y: x * y.exp() - y * x.exp(),
    # These vanish for x = y / 2, or for another power of an exponential, and not for x = y.
    lambda x, y: (2 * x).exp() - y.exp() + y - x,
    lambda x, y: (3 * y).exp() * (-x).exp() - x.exp() + y - x,
]
# Intervals that lie apart, touch and overlap: some of the formulas vanish once more, where x and y differ by about 1.
PLACES = [(-2, -1), (-1, 0), (0, 0), (0, 1), ("1/2", "3/4"), ("7/8", "9/8"), ("9/8", "3/2"), (1, 2)]


@pytest.mark.parametrize("formula", VANISHING)
def test_signs_of_a_product_are_those_of_all_points(formula):
    """Of what vanishes with a difference, and once more elsewhere: in boxes at both zeros, and between them."""
    one = problem(formula)
    search = BranchAndBound(one, FAR)
    for first, second in product(PLACES, PLACES):
        exact = {v: tuple(map(Fraction, ends)) for v, ends in enumerate((first, second)) if v in one.free}
        box = {v: tuple(fmpq(end.numerator, end.denominator) for end in ends) for v, ends in exact.items()}
        checked = CheckedTree(one.to_json(box))
        signs = search._product(box, search._values(box)), checked._product(exact, checked._values(exact))
        for point in product(*(placed(ends) for ends in box.values())):
            values = search._values({v: (c, c) for v, c in zip(box, point, strict=True)})
            there = [boxes._sign(factor.at(values)) for factor, _ in search.factors]
            if None not in there:
                sign = prod(s**power for s, (_, power) in zip(there, search.factors, strict=True))
                assert all(sign in found for found in signs), (first, second, point)


def powers_are_held_and_no_more(module):
    """Of balls below, above and around 0, and at it: the ends of x^k over the ball, for every k."""
    for low, high in combinations_with_replacement((fmpq(k, 2) for k in range(-4, 5)), 2):
        for k in range(8):
            found = module._power(arb((low + high) / 2, (high - low) / 2), k)
            ends = [low**k, high**k, *([fmpq(0)] if k and low <= 0 <= high else [])]
            assert all(found.contains(arb(end)) for end in ends), (low, high, k)
            room = (1 + max(map(abs, ends))) / 2**20
            assert arb((min(ends) + max(ends)) / 2, (max(ends) - min(ends)) / 2 + room).contains(found)


def test_powers_of_balls():
    powers_are_held_and_no_more(boxes)


@bugs_in(boxes)
def test_a_bug_planted_in_boxes_is_noticed(bug):
    assert bug.is_noticed([powers_are_held_and_no_more])


def cmp(value):
    return (value > 0) - (value < 0)


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs: what the search finds is decided again


WIDE = (lambda x, y: 1 + x * y - (x * x + y * y) / 2 - (x * y * x * y).exp() / 1000,)


def test_intervals_that_are_rounded_inwards_are_noticed(monkeypatch):
    one = problem(*WIDE)
    values = BranchAndBound._values
    monkeypatch.setattr(
        BranchAndBound, "_values", lambda self, box: {v: arb(b.mid()) for v, b in values(self, box).items()}
    )
    with pytest.raises(NoBoxError, match="do not confirm"):
        shown(one)


def test_a_half_that_is_left_out_is_noticed(monkeypatch):
    one = problem(*TRUE[0])
    box = dict.fromkeys(one.free, UNIT)
    monkeypatch.setattr(
        BranchAndBound, "_product", lambda self, box, values: frozenset({1}) if box[0][0] < 0 else frozenset({-1})
    )
    with pytest.raises(NoBoxError):
        BranchAndBound(problem(*WIDE), FAR).tree(box)
    monkeypatch.undo()
    assert CheckedTree(one.to_json(box)).check([["sign", whole(one)]]) == 1  # so that it is the nodes that are wrong below
    lower = ["sign", whole(one) | {"0": ["-1", "0"]}]
    for nodes in ([["halves", 0], lower], [], [["sign", whole(one)]] * 2):
        with pytest.raises(TreeError):
            CheckedTree(one.to_json(box)).check(nodes)


@pytest.mark.parametrize("order", [1, 2])
def test_a_zero_of_the_wrong_order_is_noticed(monkeypatch, order):
    """As if e^(x - y) - 1 - (x - y) vanished to another order."""
    one = problem(lambda x, y: x.exp() - y.exp() - (x - y) * y.exp() * (1 + x) if order == 2 else x.exp() - y.exp())
    wrong = boxes._Function.vanishing.func
    monkeypatch.setattr(
        boxes._Function, "vanishing", property(lambda self: [(v, w, 2, slope) for v, w, _, slope in wrong(self)])
    )
    with pytest.raises(NoBoxError):
        shown(one)


def test_a_tree_is_confirmed_only_for_its_own_problem():
    one, other = problem(*TRUE[3]), problem(*FALSE[2])
    tree = BranchAndBound(one, FAR).tree(dict.fromkeys(one.free, UNIT))
    assert CheckedTree(one.to_json(dict.fromkeys(one.free, UNIT))).check(tree) >= 1
    with pytest.raises(TreeError):
        CheckedTree(other.to_json(dict.fromkeys(one.free, UNIT))).check(tree)


def test_the_check_shares_nothing_with_the_search():
    text = File(box_check.__file__).read_text(encoding="utf-8")
    assert "flint" not in text
    assert "import boxes" not in text
    assert "claims" not in "".join(line for line in text.splitlines() if line.startswith(("from", "import")))


# ---------------------------------------------------------------------------------------------------------------------
# Claims


@pytest.fixture
def solvers():
    solvers_or_skip()


def test_a_box_that_is_none_is_said(solvers):
    assert "has no z" in attempted(SPEED, LINE, 60, 5, {"z": UNIT}).reason
    assert "the box does not say where" in attempted(SPEED, LINE, 60, 5, {"V": UNIT}).reason
    assert attempted(SPEED, LINE, 0.0, 5, {"": UNIT}).word is ProofStatus.UNKNOWN


@dataclass(frozen=True, eq=False)
class Namesakes(System):
    x: Array = quantity("n", "d", meaning="numbers")
    x_0: Array = quantity("n", "d", meaning="numbers whose array has the name of a row")


def test_a_number_has_the_bounds_of_its_own_array():
    size = Size.of(Namesakes, {"n": 2, "d": 2})
    bounds = {"x": UNIT, "x_0": (fmpq(0), fmpq(0))}
    about = on_boxes.AboutBox(None, size, on_boxes.outline_of(bounds))
    assert [about.bounds_of(name) for name in size.names] == [UNIT] * 4 + [bounds["x_0"]] * 4
    about = on_boxes.AboutBox(None, size, on_boxes.outline_of(bounds | {"x_0_1": bounds["x_0"]}))
    assert about.bounds_of("x_0_1") == bounds["x_0"]


def test_a_box_without_an_instance_proves_nothing(solvers, monkeypatch):
    monkeypatch.setattr(on_boxes, "admitted_sample", lambda *given: [])
    made = attempted(SPEED, LINE, 60, 5, {"": UNIT})
    assert (made.word, "no input in the box" in made.reason) == (ProofStatus.UNKNOWN, True)


@pytest.mark.parametrize(("known", "compared"), [(False, 0), (False, 1), (True, 0), (True, 1)])
def test_a_second_check_asks_for_an_instance_in_the_box_and_for_something_to_compare(monkeypatch, known, compared):
    monkeypatch.setattr(on_boxes.AboutBox, "has_instance", lambda _: known)
    variant = SPEED.resolve()
    part = Part({}, [Leaf("", PathEnd.DECIDED, (), (), compared=compared)])
    size = Size.of(variant.claim.system, LINE)
    proof = on_boxes.AboutBox(variant, size, {"box": {"": ["-1", "1"]}}, [part])
    assert proof.is_inhabited() is (known and bool(compared))


COMPARED_BEYOND = '''
"""One number, compared where it is large."""
from dataclasses import dataclass
from claims.stating.statement import Claim
from dynamics.arithmetic import Array
from dynamics.system import System, quantity

@dataclass(frozen=True, eq=False)
class One(System):
    x: Array = quantity("n", meaning="numbers", alias="tokens")

claim = Claim(__name__, statement="none", system=One, draw=lambda draws: One(x=draws.dyadic(1)))

@claim.state(">= 0", exact_only=True)
def square(f):
    """Its square beyond 5."""
    return (f.x * f.x)[f.x > 5]
'''


@pytest.mark.parametrize(("most", "word"), [(5, ProofStatus.UNKNOWN), (9, ProofStatus.PROVED)])
def test_a_box_in_which_nothing_is_compared_proves_nothing(solvers, most, word):
    target = target_in(COMPARED_BEYOND, "compared_beyond.py", "square")
    assert attempted(target, {"n": 1}, 30, 5, {"": (fmpq(0), fmpq(most))}).word is word


def test_the_command_takes_boxes(solvers):
    message = run(
        "prove", SPEED.claim, "--only", SPEED.conclusion, "--size", "n=2,d=1", "--box=-1..1", "--jobs", "1"
    ).stdout
    assert "numbers in [-1, 1]" in " ".join(message.split())
    for text in ("x", "x=1", "x=1..0", "x=a..b", "1x=0..1"):
        assert refused("prove", SPEED.claim, "--box", text)
