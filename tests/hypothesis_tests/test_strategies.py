"""The public strategies: every draw is what they promise, bad arguments are refused, shrinking ends on a blackboard."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.vendor.pretty import pretty

from claims.instances.builders import buildable
from claims.instances.hypothesis_draws import plain_dyadic
from claims.instances.matrices import MATRICES
from claims.instances.tokens import TOKEN_STARTS
from claims.stating.matrices import is_invertible, is_positive_definite, is_positive_semidefinite, is_symmetric
from claims.testing import strategies
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.self_attention import SelfAttentionFlow
from tests.hypothesis_tests.by_hand import test_tokens_stay_in_their_box  # noqa: F401 -- the example of the docs

QUICK = settings(max_examples=200, database=None)


def drawn(strategy, count):
    """What the strategy draws."""
    found = []

    @settings(max_examples=count, database=None, phases=[Phase.generate])
    @given(strategy)
    def draw(value):
        found.append(value)

    draw()
    return found


def is_normal(A):
    return bool((A @ A.T == A.T @ A).all())


def is_orthogonal(A):
    return bool((np.eye(len(A), dtype=int) == A @ A.T).all())


def has_one_positive_leading_eigenvalue(A):
    """Real roots of the characteristic polynomial, of which the largest is alone the largest in size."""
    # In float64, with room of 1e-3: the leading one is drawn a quarter above the size of the others at least.
    roots = np.linalg.eigvals(np.array([[float(x.p) / float(x.q) for x in row] for row in A.tolist()]))
    leader = roots[np.argmax(roots.real)]
    others = np.delete(roots, np.argmax(roots.real))
    return bool(leader.real > 0 and (abs(roots.imag) < 1e-6).all() and (abs(others) < leader.real - 1e-3).all())


HOLDS = {
    "any": lambda A: True,
    "symmetric": is_symmetric,
    "skew": lambda A: bool((A == -A.T).all()),
    "semidefinite": is_positive_semidefinite,
    "definite": is_positive_definite,
    "invertible": is_invertible,
    "orthogonal": is_orthogonal,
    "normal": is_normal,
    "one positive leading eigenvalue": has_one_positive_leading_eigenvalue,
}


@pytest.mark.parametrize("kind", MATRICES)
@given(data=st.data())
@settings(max_examples=8)
def test_a_matrix_is_what_it_is_called(kind, data):
    A = data.draw(strategies.matrices((1, 3), kind))
    assert all(isinstance(entry, fmpq) for entry in A.flat)
    assert HOLDS[kind](A)


@pytest.mark.parametrize("kind", ["symmetric", "skew", "semidefinite", "definite", "orthogonal"])
def test_another_matrix_would_be_noticed(kind):
    assert not all(HOLDS[kind](A) for A in drawn(strategies.matrices(2), 20))


def test_normal_matrices_are_not_only_symmetric():
    assert not all(map(is_symmetric, drawn(strategies.matrices(2, "normal"), 20)))
    assert is_normal(fmpq_array([[0, 1], [-1, 0]]))
    assert not is_normal(fmpq_array([[0, 1], [0, 0]]))


def fmpq_array(rows):
    return np.array([[fmpq(entry) for entry in row] for row in rows], dtype=object)


@given(x=strategies.tokens(n=(2, 4), d=2, kind="ties"), s=strategies.scores(4, kind="descending"), g=strategies.gaps(3))
def test_tokens_scores_and_gaps_are_of_their_kind(x, s, g):
    assert 2 <= len(x) <= 4
    assert (x[0] == x[-1]).all()
    assert (s[:-1] > s[1:]).all()
    assert (g > 0).all()


@given(gamma=strategies.fractions(), p=strategies.positive(2, 2), row=strategies.schedules(strategies.fractions(), 5))
def test_fractions_lie_in_the_open_interval_and_positive_numbers_are_positive(gamma, p, row):
    assert 0 < gamma.item() < 1
    assert (p > 0).all()
    assert row.shape == (5,)


@given(strategies.schedules(strategies.fractions(), 4, kind="two alternate"))
def test_two_entries_alternate(row):
    assert (row[:2] == row[2:]).all()


@pytest.mark.parametrize("system", buildable(), ids=lambda system: system.__name__)
def test_every_system_has_a_type_strategy(system):
    (found,) = drawn(st.from_type(system), 1)
    assert type(found) is system
    assert pretty(found).startswith(f"{system.__name__}.instance(")
    assert type(found).instance(**{k: v for k, v in found.to_json().items() if k != "system"}).to_json() == found.to_json()


@given(st.builds(SelfAttentionFlow, x=strategies.tokens(3, 2), B=strategies.matrices(2), V=strategies.matrices(2)).map(
    lambda f: f.replace(x=2 * f.x)
))  # fmt: skip
@settings(max_examples=5)
def test_builds_and_map_compose(f):
    assert f.drift().shape == (3, 2)


def test_given_arrays_replace_those_of_a_system():
    (f,) = drawn(strategies.systems(SelfAttentionFlow, V=strategies.matrices(1, "orthogonal")), 1)
    assert is_orthogonal(f.V)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: strategies.tokens(n=0), "n = 0: give a number from 1 on"),
        (lambda: strategies.tokens(n=(3, 2)), r"\(2, 5\) for one"),
        (lambda: strategies.tokens(kind="tie"), "there are 'random', 'lattice', 'ties'"),
        (lambda: strategies.matrices(2, "positive"), "there are 'any', 'symmetric'"),
        (lambda: strategies.coordinates(2, size=0), "size starts at 1"),
        (lambda: strategies.schedules(strategies.fractions(), 0), "steps = 0"),
        (lambda: strategies.systems(int), "no instances are known for int"),
        (lambda: strategies.systems(SelfAttentionFlow, W=strategies.matrices(2)), "has no 'W': it has x, B, V"),
        (lambda: strategies.instances("clusters.nothing"), "no claim 'clusters.nothing'"),
        (lambda: strategies.instances("localmax.hull_shrinks", "nothing"), "there are 'new_tokens_stay_in_hull'"),
    ],
)
def test_bad_arguments_are_refused_with_what_to_write(call, told):
    with pytest.raises(InvalidArgument, match=told):
        call()


def test_numbers_are_all_there_once_and_the_plainest_come_first():
    for size, bits in ((1, 0), (2, 3), (3, 2)):
        drawn = [plain_dyadic(index, size) for index in range((2 * size << bits) + 1)]
        assert sorted(drawn) == [fmpq(unit, 1 << bits) for unit in range(-size << bits, (size << bits) + 1)]
        assert [x.q for x in drawn] == sorted(x.q for x in drawn)


@pytest.mark.parametrize(
    ("strategy", "condition", "shrunk"),
    [
        (strategies.tokens(), lambda x: (x * x).sum() > 1, [[2]]),
        (strategies.matrices(2, "normal"), lambda A: A[0, 1] != A[1, 0], [[0, 1], [-1, 0]]),
        (strategies.scores(2, kind="random"), lambda s: s[0] > s[1], [0, -1]),
        (strategies.fractions(), lambda g: g.item() > fmpq(1, 2), fmpq(3, 4)),
    ],
)
def test_what_fails_shrinks_to_numbers_of_a_blackboard(strategy, condition, shrunk):
    assert find(strategy, condition, settings=QUICK).tolist() == shrunk


def test_the_kinds_of_tokens_are_those_of_the_suite():
    for kind in TOKEN_STARTS:
        assert drawn(strategies.tokens(n=4, d=2, kind=kind), 1)[0].shape == (4, 2)


def test_an_instance_is_printed_as_what_builds_it_unless_it_is_huge():
    assert pretty(LocalmaxStep.instance(z=[[1], ["1/2"]])).startswith("LocalmaxStep.instance(z=[[1], ['1/2']], A=[[1]], ")
    assert pretty(LocalmaxStep.instance(z=[[1]] * 400)) == "LocalmaxStep.instance(with 404 entries)"
