"""Derivatives by series, central differences and a complex step, against each other and against loops over scalars."""

import operator
from dataclasses import dataclass
from typing import ClassVar

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from claims.instances.builders import draw_system
from claims.instances.draws import BatchDraws, SeededDraws
from claims.stating.statement import Conclusion, Form, Relation
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from dynamics.arithmetic import FLOAT64, MULTIPRECISION, exact, exp, log, numbers, sqrt, working_precision
from dynamics.choices import FUNCTIONS, Count, KinkError, LookError, decided_choices, guarded_numbers, plain
from dynamics.differentiation import directional_derivative, gradient, jacobian, time_derivative
from dynamics.moving import Moving
from dynamics.system import Flow, quantity
from dynamics.training.gradient_descent import LogisticDescent, PowerDescent
from dynamics.training.value_softmax import FullAlignedFlow, FullLinearFlow, FullLogisticFlow, FullSquareFlow, LogisticFlow
from dynamics.trusted.closed_forms import closed_forms

MODELS = (FullLogisticFlow, FullSquareFlow, FullLinearFlow, FullAlignedFlow)


def drawn(system, turn=0):
    return draw_system(system, SeededDraws(np.random.default_rng([11, turn]), False, turn))


def middle(value):
    if isinstance(value, arb):
        mantissa, exponent = value.mid().man_exp()
        return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))
    return mpmath.mpf(int(value.p)) / int(value.q)


@pytest.mark.parametrize("turn", range(7))
@pytest.mark.parametrize("model", MODELS)
def test_gradients_agree_in_the_three_arithmetics(model, turn):
    f = drawn(model, turn)
    for name in ("V", "a"):
        with working_precision(256):
            balls = gradient(model.loss, f, name)
            differences = gradient(model.loss, f.to(MULTIPRECISION), name)
            assert balls.shape == differences.shape == getattr(f, name).shape
            for ball, number in zip(balls.flat, differences.flat, strict=True):
                # Central differences at 77 digits: far fewer are lost than are left.
                assert abs(middle(ball) - number) < mpmath.mpf(10) ** -60 * max(1, abs(number))
        floats = gradient(model.loss, f.to(FLOAT64), name)
        for ball, number in zip(balls.flat, floats.flat, strict=True):
            assert abs(float(middle(ball)) - number) < 1e-9 * max(1, abs(number))


def scalar_loss(f, model):
    """The loss with plain Python loops and mpmath only, as a function of the entries of V and a."""
    d, p = f.V.shape
    target = [mpmath.mpf(int(x.p)) / int(x.q) for x in f.beta_star]

    def loss(*entries):
        V = [entries[i * p : (i + 1) * p] for i in range(d)]
        weights = [mpmath.exp(x) for x in entries[d * p :]]
        beta = [sum(V[i][j] * weights[j] for j in range(p)) / sum(weights) for i in range(d)]
        if model is FullSquareFlow:
            return sum((beta[i] - target[i]) ** 2 for i in range(d)) / 2
        m = sum(target[i] * beta[i] for i in range(d))
        return mpmath.log(1 + mpmath.exp(-m)) if model is FullLogisticFlow else -m

    return loss


@pytest.mark.parametrize("model", MODELS[:3])
def test_velocity_is_minus_the_gradient_to_sixty_digits(model):
    f = drawn(model)
    with working_precision(256):
        point = [middle(x) for x in [*f.V.flat, *f.a.flat]]
        velocity = [middle(x) for array in f.velocity() for x in array.flat]
    with mpmath.workdps(70):
        loss = scalar_loss(f, model)
        for k, expected in enumerate(velocity):
            order = tuple(int(i == k) for i in range(len(point)))
            assert abs(mpmath.diff(loss, tuple(point), order) + expected) < mpmath.mpf(10) ** -60


def test_known_derivatives():
    x = numbers(np.array([fmpq(1, 3), fmpq(2)], dtype=object))

    def formula(y):
        return exp(y) * log(y) + sqrt(y)

    with working_precision(128):
        # Both signs: a slope that loses its factor is seen in one of the two.
        slopes = directional_derivative(formula, [x], [numbers(np.array([fmpq(1), fmpq(-2)], dtype=object))])
        for slope, point, factor in zip(slopes, x, (1, -2), strict=True):
            t = arb(point)
            assert slope.overlaps(factor * (t.exp() * t.log() + t.exp() / t + 1 / (2 * t.sqrt())))
        assert all(value == 0 for value in jacobian(lambda y: x * x, x).flat)


# Slopes of both signs and no small numbers: a rule with a term left out, or a sign, is off by more than rounding.
POINT, DIRECTION = (fmpq(1, 3), fmpq(3, 4)), (fmpq(2), fmpq(-5, 7))
FIXED = (2, fmpq(-3, 2), Count(3))
OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)
RULES = [
    *OPERATIONS,
    *(lambda x, y, op=op, c=c: op(x, c) for op in OPERATIONS for c in FIXED),
    *(lambda x, y, op=op, c=c: op(c, x) for op in OPERATIONS for c in FIXED),
    *(lambda x, y, k=k: x**k * y for k in (0, 1, 2, 3, -1, -2, fmpq(1, 2), fmpq(-2, 3), Count(2))),
    lambda x, y: fmpq(3, 2) ** x,
    lambda x, y: (-x) * y,
    *(lambda x, y, name=name: getattr(x, name)() for name in FUNCTIONS),
    lambda x, y: x.max(y),
    lambda x, y: x.min(y),
    lambda x, y: x.max(fmpq(1, 5)),
    lambda x, y: x.min(fmpq(1, 5)),
    lambda x, y: abs(x - y),
    lambda x, y: abs(y - x),
    lambda x, y: (x, y)[x < y],
    lambda x, y: (x, y)[x >= y],
]


@pytest.mark.parametrize("makes", [lambda x: x, exp], ids=["rational", "exponential"])
def test_rules_in_closed_form_are_those_of_power_series(makes):
    """Each with its value: a factor beside it moves, too."""

    def formula(x, y):
        found = numbers(np.array([rule(x.item(), y.item()) for rule in RULES], dtype=object))
        return np.concatenate([found, found * y.item()])

    def slopes():
        return directional_derivative(formula, [makes(exact([x])) / 3 for x in POINT], [exact([e]) for e in DIRECTION])

    with working_precision(128):
        with guarded_numbers():
            truth = plain(slopes())
        with guarded_numbers(), decided_choices(), closed_forms():
            found = plain(slopes())
        for one, other in zip(found, truth, strict=True):
            assert arb(one).overlaps(arb(other))
            assert arb(one).rad() < 1e-30


def test_where_two_numbers_meet_a_derivative_holds_both_slopes():
    with guarded_numbers(), closed_forms():
        for e, f in ((1, 2), (2, 1), (-1, 1)):
            x, y = Moving(fmpq(1, 3), fmpq(e)), Moving(fmpq(1, 3), fmpq(f))
            # Either may be the larger one a moment later.
            for either in (x.max(y), x.min(y)):
                assert all(plain(either.slope).contains(slope) for slope in (e, f))
            assert all(plain(abs(x - y).slope).contains(slope) for slope in (e - f, f - e))
            for relation in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
                with pytest.raises(KinkError):
                    relation(x, y)
                for least, most in ((x, y + 1), (fmpq(0), x), (x, 1)):
                    assert relation(least, most) == relation(0, 1)
                    assert relation(most, least) == relation(1, 0)
                assert relation(x, x) == relation(0, 0)


def test_shapes_of_batches_and_vector_valued_formulas():
    batch = draw_system(FullLinearFlow, BatchDraws(np.random.default_rng(5), batch=4))
    size, d, p = batch.V.shape
    assert gradient(FullLinearFlow.loss, batch, "V").shape == (size, d, p)
    derivative = gradient(lambda f: f.beta, batch, "V")
    assert derivative.shape == (size, d, d, p)
    # beta = V s, so that the slope of its first entry along the first row of V is s.
    np.testing.assert_allclose(derivative[:, 0, 0], batch.s, atol=1e-15)


def test_time_derivative_follows_the_clock_and_the_state():
    f = drawn(LogisticFlow, 3)
    with working_precision(128):
        assert time_derivative(lambda g: g.tau, f).item() == 1
        assert (time_derivative(lambda g: g.K, f)).item() == 0
        rates = time_derivative(lambda g: g.u, f)
        assert all(arb(rate).overlaps(arb(expected)) for rate, expected in zip(rates, f.du_dtau(), strict=True))


def test_descent_is_gradient_descent_on_the_full_model():
    full = drawn(FullLogisticFlow, 2)
    rate = fmpq(3, 2)
    with working_precision(256):
        V = full.V - rate * gradient(FullLogisticFlow.loss, full, "V")
        a = full.a - rate * gradient(FullLogisticFlow.loss, full, "a")
        moved = full.replace(V=V, a=a)
        reduced = LogisticDescent.instance(u=full.u, a=full.a, K=full.K, rate=rate).step()
        for here, there in ((moved.u, reduced.u), (moved.a, reduced.a)):
            assert all((arb(x) - arb(y)).contains(0) for x, y in zip(here, there, strict=True))


@pytest.mark.parametrize("power", [1, 2, 3, 4])
def test_power_descent_steps_along_its_gradient(power):
    f = PowerDescent.instance(u=[1, "1/3", -2], a=["1/2", 1, 2], K=2, rate="1/4", k=power)
    with working_precision(256):
        slopes = gradient(PowerDescent.loss, f, "a")
        moved = f.a - f.rate * slopes
        assert all((arb(x) - arb(y)).contains(0) for x, y in zip(moved, f.step().a, strict=True))


def test_descents_name_what_is_wrong():
    with pytest.raises(ValueError, match="positive"):
        LogisticDescent.instance(u=[1], rate=0)
    with pytest.raises(ValueError, match="sum"):
        PowerDescent.instance(u=[1, 2], a=[1, -1], rate=1, k=1)


def test_three_large_steps_swap_two_losing_scores():
    f = LogisticDescent.instance(u=[-15, "-31/2", -16], a=[0, 0, 0], K=1, rate=10)
    with working_precision(128):
        a = f.step().step().step().a
        assert a[0] > a[2] > a[1]
        assert float((a[1] - a[2]).mid()) == pytest.approx(-0.4737359, abs=1e-6)


@dataclass(frozen=True, eq=False)
class Falling(Flow):
    """x' = -1."""

    moving: ClassVar[tuple[str, ...]] = ("x",)
    x: object = quantity(meaning="place")
    p: object = quantity(meaning="a parameter", default=1)

    def velocity(self):
        return (0 * self.x - 1,)


def place_by_derivative(now):
    """d/dp (p x) = x."""
    return directional_derivative(lambda p: p * now.x, [now.p], [0 * now.p + 1])


def test_a_derivative_is_refused_along_a_step_where_time_would_be_taken_for_its_variable():
    # On series in time and in p alike the coefficient is x - p: what is x - 99 > 0 was "violated".
    def slack(now, _):
        return 2 * place_by_derivative(now) - now.x - 99

    conclusion = Conclusion("slack", Form.TRAJECTORY, Relation.POSITIVE, slack, horizon=lambda start: fmpq(5, 8))
    start = Falling.instance(x=100)
    verdict = check(conclusion, start)
    assert verdict.outcome is Outcome.UNDECIDED
    assert place_by_derivative(start).item() == 100, "at a state there is no series but its own"


def test_a_derivative_within_another_one_is_refused():
    def slope_of_slope(x):
        return x * directional_derivative(lambda p: p * x, [exact([2])], [exact([1])])

    with pytest.raises(LookError, match="within another"):
        directional_derivative(slope_of_slope, [exact([3])], [exact([1])])
    assert directional_derivative(lambda x: x * x, [exact([3])], [exact([1])])[0] == 6, "the next one is not refused"
