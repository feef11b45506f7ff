"""Row-wise and tied attention: velocities are gradients of the losses, the rows' clock, masks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, arb_series, ctx

from claims.instances.files import read_instance
from dynamics.arithmetic import FLOAT64, exact, numbers, working_precision
from dynamics.training.row_attention import EqualRowsFlow, FullRowAttentionFlow, RowAttentionFlow, visible_softmax
from dynamics.training.tied_attention import TiedFlow, TransposedTiedFlow
from tests.systems.test_value_softmax import all_zero, zero_to

BITS = 300


# Sevenths: none but whole numbers are floats, so that a float on the way shows.
def draw(rng, *shape):
    return exact(
        np.array([Fraction(int(n), 7) for n in rng.integers(-9, 10, size=shape).flat], dtype=object).reshape(shape)
    )


def causal(T):
    return np.tril(np.ones((T, T), dtype=int))


def logistic(m):
    return (1 + (-m).exp()).log()


def softmax(scores):
    """By the definition, sharing nothing with the code under test."""
    powers = [score.exp() for score in scores]
    total = sum(powers[1:], powers[0])
    return [power / total for power in powers]


def dot(x, y):
    products = [a * b for a, b in zip(x, y, strict=True)]
    return sum(products[1:], products[0])


def row_loss(f, V, A):
    """(1/T) sum_i log(1 + e^{-<beta_*, beta[i]>}) over series."""
    T, total = len(A), None
    for i in range(T):
        seen = [j for j in range(T) if f.visible[i, j]]
        S = softmax([A[i, j] for j in seen])
        m = dot(S, [dot(V[j], f.beta_star) for j in seen])
        total = logistic(m) if total is None else total + logistic(m)
    return total / T


def tied_loss(f, U, a):
    s = softmax([dot(row, a) for row in U])
    columns = U if isinstance(f, TransposedTiedFlow) else U.T
    return logistic(dot(s, [dot(column, f.beta_star) for column in columns]))


def partial(f, loss, name, index):
    """The exact partial derivative of the loss in one coordinate: the linear coefficient of a series of length 2."""
    arrays = []
    for other in f.moving:
        value = np.empty(getattr(f, other).shape, dtype=object)
        for place in np.ndindex(value.shape):
            moves = int(other == name and place == index)
            # Every entry is a series, so that all operations are those of series; one of them moves.
            value[place] = arb_series([arb(getattr(f, other)[place]), moves], 2)
        arrays.append(value)
    return loss(f, *arrays)[1]


def row_instance(rng, T, d, visible):
    return FullRowAttentionFlow.instance(
        V=draw(rng, T, d), A=draw(rng, T, T), beta_star=[1, *draw(rng, d - 1)], visible=visible
    )


def tied_instance(kind, rng, D):
    return kind.instance(U=draw(rng, D, D), a=draw(rng, D), beta_star=[1, *draw(rng, D - 1)])


SYSTEMS = [
    pytest.param(row_instance(np.random.default_rng(0), 3, 2, np.ones((3, 3))), row_loss, id="rows"),
    pytest.param(row_instance(np.random.default_rng(1), 3, 4, causal(3)), row_loss, id="causal rows"),
    pytest.param(tied_instance(TiedFlow, np.random.default_rng(2), 3), tied_loss, id="tied"),
    pytest.param(tied_instance(TransposedTiedFlow, np.random.default_rng(3), 3), tied_loss, id="tied, transposed"),
]


@pytest.mark.parametrize(("f", "loss"), SYSTEMS)
def test_velocity_is_minus_the_gradient_of_the_loss(f, loss):
    cap = ctx.cap
    ctx.cap = 2
    try:
        with working_precision(BITS):
            # The tied flows run in the clock int gamma dt.
            speed = f.gamma if isinstance(f, TiedFlow) else 1
            for name, velocity in zip(f.moving, f.velocity(), strict=True):
                for index in np.ndindex(velocity.shape):
                    assert zero_to(numbers(speed * velocity)[index] + partial(f, loss, name, index)), (name, index)
                assert any(arb(entry).abs_lower() > 1e-3 for entry in velocity.flat)  # the comparison is not of zeros
    finally:
        ctx.cap = cap


@pytest.mark.parametrize("visible", [np.ones((3, 3)), causal(3)], ids=["full", "causal"])
def test_row_flow_is_the_projection_of_the_full_flow_in_the_mean_clock(visible):
    full = row_instance(np.random.default_rng(4), 3, 2, visible)
    rows = RowAttentionFlow.instance(u=full.u, A=full.A, K=full.K, visible=full.visible)
    with working_precision(BITS):
        dV, dA = full.velocity()
        # The rows' clock runs with the mean of all slopes.
        mean = full.gamma.sum() / 3
        du, dA_rows, one = rows.velocity()
        assert one.item() == 1
        assert all_zero(mean * du - (dV * full.beta_star).sum(axis=-1))
        assert all_zero(mean * dA_rows - dA)
        assert all_zero(du - rows.du_dtau())
        assert all_zero(dA_rows - rows.dA_dtau())


def test_equal_rows_are_the_row_flow_with_one_row():
    one = EqualRowsFlow.instance(u=[2, "1/3", -1], a=["1/2", 0, "-1/4"], K=3)
    rows = RowAttentionFlow.instance(u=one.u, A=[one.a] * 3, K=3)
    with working_precision(BITS):
        du, dA, _ = rows.velocity()
        assert all_zero(du - one.velocity()[0])
        assert all_zero(dA - one.velocity()[1])


def test_hidden_scores_have_no_weight_however_large():
    A = exact([[0, 1000, 0], [0, 0, -1000], [0, 0, 0]])
    S = visible_softmax(A, causal(3))
    assert S[0].tolist() == [1, 0, 0]
    assert S[1].tolist() == exact(["1/2", "1/2", 0]).tolist()
    floats = visible_softmax(FLOAT64.convert(A), causal(3))
    # exp(1000) is no float: a hidden score must not be exponentiated.
    assert floats[0].tolist() == [1, 0, 0]
    batch = visible_softmax(np.zeros((4, 3, 3)), causal(3))
    assert batch.shape == (4, 3, 3)
    assert np.allclose(batch.sum(axis=-1), 1)


def test_printed_counterexamples_can_be_replayed():
    (flow,) = read_instance(
        '{"system": "RowAttentionFlow", "u": [-8, 0, -8], "visible": [[1, 0, 0], [1, 1, 0], [1, 1, 1]]}'
    )
    assert isinstance(flow, RowAttentionFlow)
    assert (flow.A == 0).all()
    assert (flow.visible == causal(3)).all()


@pytest.mark.parametrize(
    ("wrong", "message"), [({"visible": [[1, 0], [1, 0]]}, "own token"), ({"visible": [[1, 2], [1, 1]]}, "visible holds 1")]
)
def test_masks_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        RowAttentionFlow.instance(u=[1, 0], **wrong)
