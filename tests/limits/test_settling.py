"""What settles, what cannot be settled, and what is said then."""

from __future__ import annotations

import pytest
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.limits import (
    NoLemmaError,
    SettlingStopped,
    UnsettledError,
    classes_trap,
    leader_trap,
    product_trap,
    settle,
    settling,
    symmetry_trap,
    threshold_trap,
)
from dynamics.limits.tokens import scalar_value
from dynamics.tokens.self_attention import RescaledFlow
from tests.limits.test_flow_limits import EDGES


def test_a_start_is_settled_and_says_how():
    found = settle(RescaledFlow.instance(z=[[1, 0], [2, 1], [2, -2], [2, 1]]))
    assert found.trap == "leader_trap"
    assert found.end.rank == 2
    assert found.end.leaders.tolist() == [found.end.leaders[0], 1, 2, 1]
    assert found.since <= 4


def test_the_middle_of_a_face_is_a_limit_where_symmetry_makes_it_one():
    end = settle(RescaledFlow.instance(z=[[1, 0], [2, 1], [2, -1]])).end
    assert (end.rank, end.number_of_limits, end.number_of_vertices) == (2, 3, 2)
    assert end.limits[0, 1].contains(0)
    assert end.limits[0, 0].overlaps(arb("1.99211667 +/- 1e-8"))


@pytest.mark.parametrize(
    ("z", "told"),
    [
        ([[1, 1], [1, -1], [1, 0]], (3, 3, 2)),
        ([[2, 1], [1, 2], ["3/2", "3/2"], ["3/2", "3/2"]], (3, 3, 2)),
        # Tokens in the middle of edges stay there by symmetry, and so do those inside.
        ([[a, b] for a in (-1, 1) for b in (-1, 0, 1)], (6, 6, 4)),
        ([[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)], (9, 9, 4)),
    ],
)
def test_symmetric_starts_are_settled_with_rows_in_the_middle_of_faces(z, told):
    end = settle(RescaledFlow.instance(z=z)).end
    assert (end.rank, end.number_of_limits, end.number_of_vertices) == told


@pytest.mark.parametrize(
    ("z", "B"),
    [
        ([[4, 4], [4, -4], [-4, 4], [-4, -4], [-4, -4]], [[1, 0], [0, 1]]),  # weights that are no product
        ([[4, 4], [4, -4], [-4, 4]], [[1, 0], [0, 1]]),
        ([[4, 4], [4, -4], [-4, 4], [-4, -4]], [[1, 0], ["1/64", 1]]),
    ],
)
def test_what_is_no_product_is_not_taken_for_one(z, B):
    start = RescaledFlow.instance(z=z, B=B)
    with pytest.raises(NoLemmaError, match="not a product"):
        product_trap(start, start)
    square = RescaledFlow.instance(z=[[a, b] for a in (4, -4) for b in (4, -4)])
    assert product_trap(square, square).rank == 4


def test_nothing_helps_where_no_lemma_is_about_the_flow():
    for V in ([[0, -1], [1, 0]], [[1, 1], [0, 1]], [[0, 0], [0, 0]]):
        with pytest.raises(NoLemmaError):
            settle(RescaledFlow.instance(z=[[1, 0], [0, 1]], V=V))


@pytest.mark.parametrize("place", [(i, j) for i in range(3) for j in range(3)])
def test_one_entry_of_its_own_makes_a_matrix_no_multiple_of_the_identity(place):
    """On the diagonal, above it or below: no lemma about V = lambda I is about such a flow."""
    z = [[2, 1, 0], [-1, 2, 1], [0, -2, 1]]
    plain = RescaledFlow.instance(z=z)
    assert scalar_value(plain) == 1
    V = plain.V.copy()
    # A single entry, anywhere: a test of the diagonal alone, or of symmetry, would pass eight of the nine.
    V[place] += fmpq(1, 8)
    other = RescaledFlow.instance(z=z, V=V.tolist())
    assert scalar_value(other) is None
    for trap in (leader_trap, symmetry_trap, product_trap, classes_trap, threshold_trap):
        with pytest.raises(NoLemmaError):
            trap(other, other)


def test_a_bounded_token_is_not_settled_and_time_is_said_to_help():
    start = RescaledFlow.instance(z=[["-0.5078212447827498268"], [1]])
    with pytest.raises(UnsettledError, match="may help") as told:
        settle(start, latest=fmpq(2))
    assert told.value.helps == settling.A_LATER_TIME
    assert told.value.reached == 2
    assert not told.value.precision_helps


NEAR_ZERO = RescaledFlow.instance(z=[["1/16", "1/8"], ["-1/8", "1/16"], ["1/4", "1/8"]])
"""Caught after some time, and so not without bits and seconds to get there."""


@pytest.mark.parametrize(
    ("few", "helps"), [({"most_bits": 32}, settling.MORE_BITS), ({"seconds": 0.0}, settling.MORE_SECONDS)]
)
def test_what_helps_where_little_is_allowed(few, helps):
    with pytest.raises(UnsettledError) as told:
        settle(NEAR_ZERO, **few)
    assert told.value.helps == helps


def test_ctrl_c_ends_it_and_tells_what_was_reached(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    # On the way to the next time, as a user would press it.
    monkeypatch.setattr(settling, "enclose_state", interrupted)
    with pytest.raises(SettlingStopped) as told:
        settle(NEAR_ZERO)
    assert told.value.reached > 0


def test_numbers_beyond_floats_end_it():
    with pytest.raises(UnsettledError, match="float64") as told:
        settle(RescaledFlow.instance(z=[["1e400", 1], [1, "1e400"], [1, 1], [1, 2]], B=[[0, 1], [1, 0]]))
    assert told.value.helps == settling.NOTHING


@pytest.mark.parametrize("value", [arb(0, 1), arb("nan"), arb("inf")], ids=str)
@pytest.mark.parametrize("name", ["leader_trap", "threshold_trap", "symmetry_trap", "classes_trap"])
def test_an_open_margin_catches_nothing(name, value):
    start = RescaledFlow.instance(z=[[3], [-3]])
    z = start.z.copy()
    # One coordinate that is open, endless or no number.
    z[0, 0] = value
    with pytest.raises(UndecidedError):
        getattr(EDGES[name][0], name)(start.replace(z=z), start)
