"""What a search and a simplification propose: the same as ever, and what it is by its description."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from claims.hunting import moves
from claims.hunting.mutations import differing_members, mutants
from claims.hunting.origins import SCALES, Around, Plan
from claims.hunting.terms import Terms, in_terms
from claims.instances.builders import draw_system
from claims.instances.draws import PlannedDraws
from claims.stating.statement import Conclusion, Form
from dynamics.arithmetic import Column
from dynamics.integrate import in_float64
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow
from tests.hunting.flows import logistic

SYSTEMS = (
    SelfAttentionFlow.instance(x=[["3/7", -2], [5, "22/7"]], B=[[1, "1/3"], [0, 2]]),
    LocalmaxStep.instance(z=[["1/9"], ["1/9"], [-1]], delta="3/8", gamma="1/3"),
    LogisticFlow.instance(u=["17/5", 0], a=["1234567/1024", "-1/30000"]),
)

PROPOSED = {
    "array_ladders": "243 6d4bb70f",
    "entry_ladders": "298 61db4883",
    "fewer_ladders": "453 b10ee427",
    "joint_ladders": "1104 ce9858bd",
    "level_ladders": "14 4116c8c2",
    "pair_ladders": "222 86d55890",
    "size_ladders": "28 bdf89469",
    "slice_ladders": "184 1c4d6d5c",
    "small_ladders": "1080 82a55b8e",
    "striking_ladders": "208 60218c9d",
    "whole_ladders": "205 1694bf4e",
}
"""How many instances each kind of ladder proposes, and the digest of all of them in their order.

A hunt is repeated by its seed: where this changes, every reduction may end elsewhere, which has to be meant.
"""


def told(texts):
    texts = list(texts)
    return f"{len(texts)} {hashlib.sha256(chr(10).join(texts).encode()).hexdigest()[:8]}"


def test_every_kind_of_ladder_is_told():
    assert {name for name in dir(moves) if name.endswith("_ladders")} == PROPOSED.keys()


@pytest.mark.parametrize("kind", PROPOSED)
def test_ladders_propose_what_they_proposed(kind):
    systems = SYSTEMS[2:] if kind == "joint_ladders" else SYSTEMS
    ladders = ((system, ladder) for system in systems for ladder in getattr(moves, kind)(system))
    assert told(json.dumps(one.to_json()) for system, ladder in ladders for one in ladder(system)) == PROPOSED[kind]


def test_numbers_and_small_instances_are_what_they_were():
    values = [Fraction(p, q) for p, q in ((12345, 4096), (-1, 7), (22, 7), (3**40, 2**50), (-5, 1), (1, 10**320))]
    others = (Fraction(1, 3), 2)
    assert told(str(one) for value in values for one in moves.simpler_numbers(value, others)) == "280 b559ed23"
    assert told(str(one) for value in values for one in moves.simpler_numbers(value, integer=True)) == "89 ceaaeb81"
    tiny = (moves.tiny_instances(system, np.random.default_rng(1), 40) for system in SYSTEMS)
    assert told(json.dumps(one.to_json()) for few in tiny for one in few) == "106 b5336b1a"


@pytest.mark.parametrize(("which", "made"), [(0, "732 6b5ae760"), (1, "367 2652b410"), (2, "427 a6f0844c")])
def test_mutants_are_what_they_were_and_those_that_differ_are_told(which, made):
    batch = mutants(in_float64(SYSTEMS[which]), np.random.default_rng(2), 60)
    arrays = [np.asarray(array, dtype=float) for array in batch.arrays().values()]
    assert told(f"{value:.6g}" for array in arrays for value in array.flat) == made
    fields = batch.fields()
    own = [array for name, array in batch.arrays().items() if array.ndim > len(fields[name].axes)]
    differing = [k for k in range(60) if any((array[k + 1] != array[0]).any() for array in own)]
    assert differing_members(batch).tolist() == differing


def test_plainness_is_of_characters_then_of_size_then_of_sign():
    numbers = [Fraction(text) for text in ("0", "1", "2", "-1", "-2", "10", "1/2", "-10", "-1/2", "1/10", "10/3")]
    assert sorted(numbers, key=moves.plainness) == sorted(numbers, key=lambda x: (len(str(x)), abs(x), x < 0))
    assert moves.plainness(3) == (1, 3, False)


FREE = SimpleNamespace(kept=(), claim=SimpleNamespace(draw=None, system=LogisticFlow))


def test_the_surroundings_of_an_instance_are_relative_to_its_entries():
    """Positive arrays by powers of two; others by their entries, by the largest where an entry is zero; zeros stay."""
    start = in_float64(LogisticFlow.instance(u=["4", 1, "1/2"], a=[2, 0, -3]))
    around, rows = Around(FREE, start), np.array([[0.5, -1.0, 0.25, 0.5, -0.25, 1.0, 1.5], [0.0] * 7])
    assert around.moved == ("u", "a", "K")
    assert around.dimension == 7
    batch = around.systems(rows)
    assert batch.u.tolist() == [[4 * 2.0, 1 / 4, 0.5 * 2**0.5], [4.0, 1.0, 0.5]]
    assert batch.a.tolist() == [[2 + 2 * 0.5 * 2, 2 * -0.25 * 3, -3 - 2 * 3.0], [2.0, 0.0, -3.0]]
    assert batch.K.tolist() == [8.0, 1.0]
    assert batch.t.tolist() == [0.0, 0.0]


def test_a_plan_scales_its_arrays_by_powers_of_two():
    draws = PlannedDraws(np.random.default_rng(4), turn=5, batch=3)
    drawn = draw_system(LogisticFlow, draws)
    rows = draws.numbers_drawn()
    plain = Plan(FREE, draws, (), rows.shape[1])
    scaled = Plan(FREE, draws, ("u",), rows.shape[1])
    assert (plain.dimension, scaled.dimension) == (rows.shape[1], rows.shape[1] + 1)
    scales = np.array([0.5, -1.0, 0.0])
    larger = scaled.systems(np.concatenate([rows, scales[:, None]], axis=1))
    for name, array in plain.systems(rows).arrays().items():
        assert (array == getattr(drawn, name)).all()
        factor = 2.0 ** (SCALES * scales) if name == "u" else np.ones(3)
        assert (getattr(larger, name) == (array.T * factor).T).all()


def test_terms_are_those_of_the_last_sum_in_every_operation():
    def term(value, size=None, is_sum=False):
        return Terms(np.array([float(value)]), None if size is None else np.array([float(size)]), is_sum)

    def of(one):
        return one.values[0], one.size[0]

    x, y, z = term(3), term(-2), term(5)
    total, difference = x + y, z - x
    for found, value, size in (
        (total, 1, 5),
        (total + z, 6, 10),
        (z - total, 4, 10),
        (5 - total, 4, 10),
        (total - z, -4, 10),
        (1 + total, 2, 6),
        (total * z + x, 8, 8),
        (-total, -1, 5),
        (-total + z, 4, 10),
        (abs(y), 2, 2),
        (abs(-total), 1, 5),
        (abs(-total) + z, 6, 10),
        (x * y, -6, 6),
        (total * z, 5, 25),
        (z * total, 5, 25),
        (2 * total, 2, 10),
        *((one, 3, 7) for one in (Column([2.0]) + total, total + Column([2.0]))),
        (Column([2.0]) - total, 1, 7),
        (Column([2.0]) * total, 2, 10),
        (Column([2.0]) / total, 2, 2),
        (total * difference, 2, 8),
        (difference * total, 2, 8),
        (total * term(4, 4), 4, 20),
        (total / z, 0.2, 1),
        (total / -z, -0.2, 1),
        (z / total, 5, 5),
        (6 / x, 2, 2),
        (total**2, 1, 25),
        (x**2, 9, 9),
        (y.exp(), np.exp(-2.0), np.exp(-2.0)),
        (x.log(), np.log(3.0), np.log(3.0)),
        (term(1.5).log(), np.log(1.5), 1),
        (total.log1p(), np.log1p(1.0), 1),
        (term(9).log1p(), np.log1p(9.0), np.log1p(9.0)),
        (term(4, 9).sqrt(), 2, 3),
    ):
        assert of(found) == (value, size)


def test_members_that_part_ways_have_the_terms_of_their_own_way():
    """None where there is no value; none for all where nobody has one, or where there are too many ways."""

    def slack(f):
        x, y = f.u
        if x > y:
            return np.array([x - y], dtype=object)
        if x < -9:
            raise ZeroDivisionError
        return np.array([x + y + 1, y - x], dtype=object)

    pairs = [(2, 1), (1, 2), (-10, 3), (5, -1), (0, 0), (-10, 4)]
    slacks, sizes = in_terms(Conclusion("slack", Form.STATE, ">= 0", slack), logistic(pairs))
    for row, of_row, (x, y) in zip(slacks, sizes, pairs, strict=True):
        own = [x - y] if x > y else [] if x < -9 else [x + y + 1, y - x]
        terms = [abs(x) + abs(y)] if x > y else [] if x < -9 else [abs(x) + abs(y) + 1, abs(x) + abs(y)]
        rest = [np.nan] * (2 - len(own))
        assert np.array_equal(row, own + rest, equal_nan=True)
        assert np.array_equal(of_row, terms + rest, equal_nan=True)
    assert in_terms(Conclusion("none", Form.STATE, ">= 0", lambda _: 1 / 0), logistic(pairs)) is None
    for ways, many in ((12, False), (40, True)):
        parting = Conclusion(
            "parting", Form.STATE, ">= 0", lambda f, ways=ways: f.u[1] * sum(f.u[0] > k for k in range(ways))
        )
        found = in_terms(parting, logistic([(k + 0.5, 1) for k in range(-1, ways)]))
        assert (found is None) is many
        if found is not None:
            assert found[0][:, 0].tolist() == list(range(ways + 1))
