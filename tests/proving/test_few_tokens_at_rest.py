"""How a step of three or four tokens may end at rest that did not begin there: docs/final_neighbours.md."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from flint import fmpq

from dynamics.tokens.localmax import LocalmaxStep
from tests.planting import LONG, one_in
from tests.proving.solver_processes import solvers_or_skip

solvers_or_skip()

import z3  # noqa: E402 -- skipped without it

from tests.proving.attention_patterns import (  # noqa: E402 -- as above
    Attention,
    Pattern,
    has_no_negative_eigenvalue,
    places,
    renamed,
)

SOME = 10007
"""One in so many patterns of four tokens is decided by default. Prime to the 15 sets that each token may attend to: a
multiple of 15 would take the same set of the last token every time."""

THREE: list[Pattern] = [((0,), (1,), (2,)), ((0,), (1,), (0, 1, 2)), ((0,), (1, 2), (1, 2)), ((0, 1, 2),) * 3]

FOUR: list[Pattern] = [
    ((0,), (1,), (2,), (3,)),
    ((0,), (1,), (2,), (0, 1, 3)),
    ((0,), (1,), (2,), (0, 1, 2, 3)),
    ((0,), (1,), (2, 3), (2, 3)),
    ((0,), (1,), (0, 2, 3), (1, 2, 3)),
    ((0,), (1,), (0, 2, 3), (0, 1, 2, 3)),
    ((0,), (1,), (0, 1, 2, 3), (0, 1, 2, 3)),
    ((0,), (1, 2), (1, 2), (0, 1, 2, 3)),
    ((0,), (1, 2, 3), (1, 2, 3), (1, 2, 3)),
    ((0, 1), (0, 1), (2, 3), (2, 3)),
    ((0, 1, 2, 3),) * 4,
]

LEFT: dict[Pattern, list[Pattern]] = {
    FOUR[5]: [((0,), (1,), (0, 3), (0, 1, 2, 3))],
    FOUR[6]: [((0,), (1,), (0, 1, 3), (0, 1, 2, 3)), ((0,), (1,), (0, 1, 2, 3), (0, 1, 2))],
}
"""From these patterns a step of four tokens may end at rest: the first one does, the others are one but for names."""

RESTING_IN_THE_PLANE = LocalmaxStep.instance(z=[[-8, 8], [5, 12], [-5, 8], [-3, 10]], gamma="4/5", delta="71/5")
"""The last two tokens step to rest: claims/localmax/no_planar_step_ends_at_rest.py."""

RESTING_IN_SPACE = LocalmaxStep.instance(
    z=[["-1", "5", "1"], ["5", "0", "-1"], ["2", "2", "-3"], ["2", "2", "3"], ["2", "17/8", "0"]], delta="5/3"
)
"""The last token steps onto the mean of all and rests there: claims/localmax/no_step_ends_at_rest.py."""


@pytest.fixture(scope="module")
def three() -> Attention:
    return Attention(3)


@pytest.fixture(scope="module")
def four() -> Attention:
    return Attention(4)


def neighbours(f: LocalmaxStep) -> Pattern:
    return tuple(tuple(j for j, near in enumerate(row) if near) for row in f.neighbours())


def values(f: LocalmaxStep, attention: Attention) -> dict[str, fmpq]:
    """What the unknowns are of this step, in units of delta."""
    s = f.gamma.item() / (1 - f.gamma.item())
    scores = f.scores() / f.delta.item()
    found = {"s": s, "q": s * s}
    for i, j, power in product(attention.tokens, attention.tokens, range(3)):
        found[attention.product(i, j, power)] = s**power * scores[i, j]
    return found


def solves(f: LocalmaxStep, attention: Attention, conditions: list[str]) -> bool:
    """Whether a step, as it is, solves a system."""
    known = [(z3.Real(name), z3.Q(int(x.p), int(x.q))) for name, x in values(f, attention).items()]
    asked = z3.parse_smt2_string(attention.always + attention.asserted(conditions))
    return all(z3.is_true(z3.simplify(z3.substitute(condition, *known))) for condition in asked)


def attention_of(attention: Attention, pattern: Pattern, f: LocalmaxStep | None = None) -> list[str]:
    """Who attends to whom before the step, or after it if the step is given."""
    at = {j: [attention.unit[j]] if f is None else attention.moved(j, neighbours(f)[j]) for j in attention.tokens}
    return [condition for i in attention.tokens for condition in attention.attending(i, pattern[i], at)]


# ---------------------------------------------------------------------------------------------------------------------
# What is decided


@pytest.mark.parametrize("after", THREE)
def test_no_step_of_three_tokens_ends_at_rest(after, three):
    assert three.starts(after) == []


@pytest.mark.parametrize("after", FOUR)
def test_few_patterns_of_four_tokens_may_end_at_rest(after, four):
    left = LEFT.get(after, [])
    if LONG:
        assert four.starts(after) == left
    for before in one_in(SOME, product(four.sets, repeat=4)):
        assert before in left or any(four.is_excluded(before[:k], after) for k in (2, 3, 4)), before


@pytest.mark.skipif(not LONG, reason="every night: the same patterns of one token more")
def test_no_step_of_five_tokens_brings_all_together():
    five = Attention(5)
    for first in reversed(five.sets):
        assert five.starts(((0, 1, 2, 3, 4),) * 5, (first,)) == []


def test_on_a_line_four_tokens_do_not_rest_so():
    """One coordinate for each token of the pattern that is left, with gamma = 4/5. The other one lets two tokens meet."""
    ((after, (before,)), _) = LEFT.items()
    u, v, w = z3.Reals("u v w")

    def asked(u, v, w):
        ends = [u, v, (4 * u + v) / 5, (3 * u + 2 * v) / 5]
        for pattern, z in ((before, [u, v, 2 * u + v - 2 * w, w]), (after, ends)):
            for i, who in enumerate(pattern):
                scores = [z[i] * x for x in z]
                for j in range(4):
                    if j in who:
                        yield from (scores[k] - scores[j] <= 1 for k in range(4))
                    else:
                        yield z3.Or([scores[k] - scores[j] > 1 for k in who])

    solver = z3.Tactic("qfnra-nlsat").solver()
    solver.add(*asked(u, v, w))
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("ends", [THREE, FOUR])
def test_so_rest_few_tokens(ends):
    """Up to names. At rest tokens attend to themselves."""
    attention = Attention(len(ends[0]))
    own = [[who for who in attention.sets if i in who] for i in attention.tokens]
    names = list(permutations(attention.tokens))
    found = {min(renamed(pattern, one) for one in names) for pattern in product(*own)}
    assert {pattern for pattern in found if attention.rests(pattern)} == {
        min(renamed(pattern, one) for one in names) for pattern in ends
    }


@pytest.mark.parametrize("after", [*THREE, *FOUR])
def test_a_step_that_keeps_all_neighbours_ends_at_rest_only_where_it_began(after):
    assert has_no_negative_eigenvalue(after)
    assert not has_no_negative_eigenvalue(((1,), (0,)))


# ---------------------------------------------------------------------------------------------------------------------
# What excludes too much would exclude these


@pytest.mark.parametrize("after", [*THREE, *FOUR])
def test_rest_solves_its_system(after):
    attention = Attention(len(after))
    known = places(after)
    system = attention.system([(who, who, who in known) for who in after])
    assert not attention.has_no_solution(system, 20)


@pytest.mark.parametrize("f", [RESTING_IN_THE_PLANE, RESTING_IN_SPACE])
def test_a_step_to_rest_solves_its_system(f):
    before, after = neighbours(f), neighbours(f.step())
    attention, known = Attention(len(after)), places(after)
    assert before != after
    assert (f.step().step().z == f.step().z).all()
    system = list(attention.system([(*who, who[1] in known) for who in zip(before, after, strict=True)]))
    assert solves(f, attention, system)
    assert not solves(f.replace(z=f.z * 2), attention, system)
    assert not any(attention.is_excluded(before[:k], after) for k in range(2, len(after) + 1))


def test_what_four_tokens_rest_from_in_the_plane_is_left():
    before, after = neighbours(RESTING_IN_THE_PLANE), neighbours(RESTING_IN_THE_PLANE.step())
    assert LEFT[after] == [before]


def test_what_is_asked_of_scores_is_so_of_the_neighbours_of_the_model_alone(three):
    """Each token is asked for itself: patterns that are wrong about one token are enough."""
    draws = random.Random(0)
    for _ in range(3):
        z = [[draws.randint(-2, 2) for _ in range(2)] for _ in range(3)]
        f = LocalmaxStep.instance(z=z, gamma=("1/2", "1/3")[draws.randint(0, 1)], delta=draws.randint(1, 4))
        for right, moving in ((neighbours(f), None), (neighbours(f.step()), f)):
            for i, who in product(range(3), three.sets):
                pattern = (*right[:i], who, *right[i + 1 :])
                assert solves(f, three, attention_of(three, pattern, moving)) == (pattern == right), pattern


def test_cuts_hold_of_steps(three):
    """Squares that a solution makes negative are not negative of tokens."""
    solver = z3.SolverFor("QF_LRA")
    solver.from_string(three.always + three.asserted(["(< q (* 2.0 s))", "(> g1_0_1 (+ 1.0 g1_0_0))", "(> g0_0_2 9.0)"]))
    assert solver.check() == z3.sat
    cuts = list(three.cuts(solver.model()))
    assert len(cuts) >= 2
    for gamma in ("1/3", "1/2", "9/10"):
        f = LocalmaxStep.instance(z=[["3", "1"], ["-1", "2"], ["0", "-5"]], gamma=gamma, delta=2)
        assert solves(f, three, cuts)


def test_no_pattern_is_left_out(monkeypatch, three):
    monkeypatch.setattr(Attention, "are_excluded", lambda *given: False)
    after = THREE[1]
    assert sorted([*three.starts(after), after]) == sorted(product(three.sets, repeat=3))


def test_names_alone_are_forgotten(four):
    before, after = ((0, 1), (1,), (0, 2), (0, 1, 2, 3)), FOUR[1]
    key = four.nameless((0, 1, 3), before, after)
    for one in permutations(range(4)):
        some = tuple(one[i] for i in (0, 1, 3))
        assert four.nameless(some, renamed(before, one), renamed(after, one)) == key
    assert four.nameless((0, 1, 2), before, after) != key
    assert four.nameless((0, 1, 3), before, FOUR[2]) != key
