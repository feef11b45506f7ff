"""The value-softmax flows: gradients of the losses, identities of the reduced flow, first integrals, a reference table.

Letters in parentheses, M2 (a)-(h), are labels of identities of the model: docs/statements.md.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.integrate
from flint import arb, arb_series, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamics.arithmetic import FLOAT64, MULTIPRECISION, exact, exp, numbers, sign, working_precision
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, LogisticFlow, ReducedFlow, SquareLossFlow
from tests.planting import facts_above

few = settings(derandomize=True, deadline=None, max_examples=20)
BITS = 300  # 90 digits: identities are asked to hold to 60


def draw(rng, *shape):
    if not shape:
        return Fraction(int(rng.integers(-30, 31)), int(rng.integers(1, 12)))
    return [draw(rng, *shape[1:]) for _ in range(shape[0])]


small = st.fractions(min_value=-4, max_value=4, max_denominator=20)


@st.composite
def states(draw, kind=ReducedFlow, min_p=1, max_p=5):
    """Any rational state of a reduced flow."""
    p = draw(st.integers(min_p, max_p))
    u, a = (draw(st.lists(small, min_size=p, max_size=p)) for _ in range(2))
    return kind.instance(u=u, a=a, K=draw(st.fractions(min_value=Fraction(1, 20), max_value=9, max_denominator=20)))


def zero_to(ball, digits=60):
    """Whether a ball contains zero and is narrower than that many digits."""
    value = arb(ball.item() if isinstance(ball, np.ndarray) else ball)
    return value.contains(0) and value.rad() < arb(10) ** -digits


def all_zero(array, digits=60):
    return all(zero_to(entry, digits) for entry in np.asarray(array).flat)


# ---------------------------------------------------------------------------------------------------------------------
# The losses: test_score_maps.py compares their gradients with the full flows


def logistic_loss(beta_star, beta):
    return mpmath.log(1 + mpmath.exp(-sum(b * c for b, c in zip(beta_star, beta, strict=True))))


def square_loss(beta_star, beta):
    return sum((b - c) ** 2 for b, c in zip(beta_star, beta, strict=True)) / 2


@pytest.mark.parametrize(("kind", "loss"), [(FullLogisticFlow, logistic_loss), (FullSquareFlow, square_loss)])
@pytest.mark.parametrize("c", ["1/3", "-2", "1"])
def test_gamma_is_minus_the_derivative_of_the_loss_along_beta_star(kind, loss, c):
    """At beta = c beta_*, where m = c K: -dL/dm = -(dL/dc) / K."""
    start = kind.instance(V=[[1], ["1/2"]], beta_star=[1, "1/2"])
    with working_precision(450):
        system = start.replace(V=exact(c) * start.V).to(MULTIPRECISION)
        # The error of the difference is of order h^2, below the 60 digits asked for, that of rounding 1e-135 / h.
        h, c_0 = mpmath.mpf(10) ** -32, system.V[0, 0]
        up, down = (loss(system.beta_star, [step * entry for entry in system.beta_star]) for step in (c_0 + h, c_0 - h))
        assert abs(system.gamma.item() + (up - down) / (2 * h) / system.K.item()) < mpmath.mpf(10) ** -60


# ---------------------------------------------------------------------------------------------------------------------
# The reduced flows are their projections


def full(kind, rng, aligned):
    p, d = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    beta_star = [entry or Fraction(1) for entry in draw(rng, d)]
    c = draw(rng, p)
    V = [[b * entry for entry in c] for b in beta_star] if aligned else draw(rng, d, p)
    V = [[entry / 30 for entry in row] for row in V]
    return kind.instance(V=V, a=[entry / 9 for entry in draw(rng, p)], beta_star=[b / 9 for b in beta_star])


@pytest.mark.parametrize(("kind", "aligned"), [(FullLogisticFlow, False), (FullLogisticFlow, True), (FullSquareFlow, True)])
def test_reduced_flow_is_the_projection_of_the_full_flow(kind, aligned):
    rng = np.random.default_rng(11)
    with working_precision(BITS):
        for _ in range(10):
            flow = full(kind, rng, aligned)
            reduced = flow.reduced()
            dV, da = flow.velocity()
            du = (dV * flow.beta_star[:, None]).sum(axis=0)
            assert all_zero(du - reduced.gamma * reduced.du_dtau())
            assert all_zero(da - reduced.gamma * reduced.da_dtau())
            assert reduced.u.tolist() == flow.u.tolist()
            assert reduced.K.item() == flow.K.item()
            for name in ("s", "m", "gamma"):
                assert all_zero(getattr(reduced, name) - getattr(flow, name))
            assert all_zero((dV * dV).sum() * flow.K.item() - ((du * du).sum()))  # V moves along beta_* only


def test_square_loss_outside_the_span_of_beta_star_is_not_the_reduced_flow():
    # The second row of V is across beta_*: the square loss feels it, the logistic loss does not.
    flow = FullSquareFlow.instance(V=[[0, 0], [1, 0]], a=[0, 0], beta_star=[1, 0])
    difference = flow.velocity()[1] - flow.reduced().gamma * flow.reduced().da_dtau()
    assert sign(difference[0]) == -1


# ---------------------------------------------------------------------------------------------------------------------
# Identities of the reduced flow (M2): derivatives by power series along the field, formulas by hand


def along(state):
    """The state as power series u + u' e, a + a' e: the linear coefficient of a formula is its derivative in tau."""

    def line(values, slopes):
        array = np.empty(len(values), dtype=object)
        array[:] = [arb_series([value, slope], 2) for value, slope in zip(values, slopes, strict=True)]
        return numbers(array)

    return state.replace(u=line(state.u, state.du_dtau()), a=line(state.a, state.da_dtau()))


def derivative(array):
    """The linear coefficients of an array of power series."""
    slopes = [series[1] if isinstance(series, arb_series) else fmpq(0) for series in np.asarray(array).flat]
    return exact_or_balls(slopes).reshape(np.shape(array))


def exact_or_balls(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return numbers(array)


def sums_of_values_grow_by_k_and_sums_of_scores_stay(flow):
    """M2 (a), (b)."""
    assert zero_to(flow.du_dtau().sum() - flow.K.item())
    assert zero_to(flow.da_dtau().sum().item())


def m_grows_at_the_rate_lambda(flow):
    """M2 (c): dm/dtau = K |s|^2 + sum s_i^2 (u_i - m)^2."""
    s, m = flow.s, flow.m
    rate = flow.K * (s * s).sum() + (s * s * (flow.u - m) * (flow.u - m)).sum()
    assert zero_to((flow.dm_dtau() - rate).item())
    assert zero_to((derivative(along(flow).m) - rate).item())
    assert sign(arb(rate.item())) == 1


def gaps_of_values_grow_by_the_gaps_of_weights(flow):
    """M2 (d): d(u_i - u_j)/dtau = K (s_i - s_j)."""
    moving, s = along(flow), flow.s
    assert all_zero(derivative(moving.u[:, None] - moving.u) - flow.K * (s[:, None] - s))


def gaps_of_inverse_exponentials_grow_by_the_gaps_of_values(flow):
    """M2 (e): d(y_j - y_i)/dtau = (u_i - u_j) / A with y = exp(-a), A = sum exp(a)."""
    y = exp(-along(flow).a)
    assert all_zero(derivative(y - y[:, None]) - (flow.u[:, None] - flow.u) / exp(flow.a).sum())


def score_ratios_follow_their_closed_equation(flow):
    """M2 (f): dq_j/dtau = -(q_j / Q) (q_j w_j + (1 - q_j) D) with q_j = s_j / s_0, w_j = u_0 - u_j, D = u_0 - m."""
    q = exp(flow.a - flow.a[0])
    w, D = flow.u[0] - flow.u, flow.u[0] - flow.m
    moving = along(flow).s
    assert all_zero(derivative(moving / moving[:1]) + q / q.sum() * (q * w + (1 - q) * D))
    assert all_zero(D - flow.s[0] * (q * w).sum())


def weights_follow_a_replicator_equation_with_fitness_s_times_u_minus_m(flow):
    """M2 (h): ds_i/dtau = s_i (f_i - sum_k s_k f_k), f_i = s_i (u_i - m)."""
    s = flow.s
    fitness = s * (flow.u - flow.m)
    replicator = s * (fitness - (s * fitness).sum())
    assert all_zero(flow.ds_dtau() - replicator)
    assert all_zero(derivative(along(flow).s) - replicator)


@pytest.mark.parametrize("identity", facts_above(globals(), "flow"))
@given(flow=states())
@few
def test_identities_of_the_reduced_flow(identity, flow):
    with working_precision(BITS):
        identity(flow)


@given(states(LogisticFlow))
@few
def test_logistic_velocity_is_the_reduced_field_in_the_clock_tau(flow):
    """dt/dtau = 1 / gamma and dtau/dtau = 1."""
    with working_precision(BITS):
        du, da, dt, dtau = flow.velocity()
        assert all_zero(du - flow.du_dtau())
        assert all_zero(da - flow.da_dtau())
        assert zero_to((dt * flow.gamma - 1).item())
        assert dtau.item() == 1


@given(states(SquareLossFlow))
@few
def test_square_loss_velocity_is_the_reduced_field_times_gamma_in_the_clock_t(flow):
    """dtau/dt = gamma, and gamma' = -gamma lambda / K."""
    with working_precision(BITS):
        du, da, dt, dtau = flow.velocity()
        assert all_zero(du - flow.gamma * flow.du_dtau())
        assert all_zero(da - flow.gamma * flow.da_dtau())
        assert dt.item() == 1
        assert zero_to((dtau - flow.gamma).item())
        assert zero_to((derivative(along(flow).gamma) + flow.dm_dtau() / flow.K).item())


# ---------------------------------------------------------------------------------------------------------------------
# Oracles


@given(states(min_p=2, max_p=2))
@few
def test_with_two_scores_the_energy_is_conserved(flow):
    """Oracle C: E = (u_0 - u_1)^2 / 2 - K cosh(a_0 - a_1)."""
    with working_precision(BITS):
        moving = along(flow)
        w, b = moving.u[0] - moving.u[1], moving.a[0] - moving.a[1]
        energy = numbers(w * w / 2 - flow.K.item() * (b.exp() + (-b).exp()) / 2)
        assert zero_to(derivative(energy).item())
        u, a = flow.u, flow.a
        du, da = flow.du_dtau(), flow.da_dtau()
        # Once more without power series: a slip in `along` would be the same for each identity.
        by_hand = (u[0] - u[1]) * (du[0] - du[1]) - flow.K.item() * arb(a[0] - a[1]).sinh() * (da[0] - da[1])
        assert zero_to(by_hand)


@given(
    st.fractions(min_value=Fraction(1, 5), max_value=3, max_denominator=9),
    st.fractions(min_value=-3, max_value=3, max_denominator=9),
    st.fractions(min_value=0, max_value=20, max_denominator=9),
)
@few
def test_the_closed_form_for_two_scores_solves_the_flow(root_k, c, tau):
    """Oracle A: a(0) = 0, u(0) = (c + sqrt K, c - sqrt K) give a = +-asinh(x), x = sqrt(K) tau / 2."""
    with working_precision(BITS + 300):
        root = arb(fmpq(root_k.numerator, root_k.denominator))
        K, shift = root * root, arb(fmpq(c.numerator, c.denominator))
        time = arb_series([fmpq(tau.numerator, tau.denominator), 1], 2)
        x = root * time / 2
        away = (1 + x * x).sqrt()
        score = (x + away).log()  # asinh x
        u = exact_or_balls([shift + K * time / 2 + root * away, shift + K * time / 2 - root * away])
        a = exact_or_balls([score, -score])
        t = numbers(time + shift.exp() * ((K * time).exp() - 1) / K)
        flow = LogisticFlow.instance(u=[0, 0], K=root_k * root_k).replace(
            u=exact_or_balls([series[0] for series in u]), a=exact_or_balls([series[0] for series in a])
        )
        du, da, dt, _ = flow.velocity()
        assert all_zero(du - derivative(u))
        assert all_zero(da - derivative(a))
        assert all_zero(dt - derivative(t))
        assert zero_to((flow.m - (shift + K * fmpq(tau.numerator, tau.denominator))).item())


def solved(flow, names, times, tolerance=1e-13):
    """The float64 flow from an exact start, only the arrays named, at the given times of its own clock."""
    start = flow.to(FLOAT64)
    p = len(start.u)

    def field(_, y):
        return np.concatenate(start.replace(u=y[:p], a=y[p:]).velocity()[: len(names)])

    solution = scipy.integrate.solve_ivp(
        field, (0, times[-1]), np.concatenate([start.u, start.a]), method="DOP853", t_eval=times, rtol=tolerance,
        atol=tolerance / 10,
    )  # fmt: skip
    assert solution.success
    return [start.replace(u=y[:p], a=y[p:]) for y in solution.y.T]


REFERENCE = {
    1: {
        "u": ["1.393112013027335484407069", "0.3251862787190860352957392", "-0.7182982917464215197028083"],
        "a": ["0.3539638633123291298596956", "-0.03742349536560106493263998", "-0.3165403679467280649270556"],
        "s": ["0.4571284738603133838158553", "0.309072883225526197916913", "0.2337986429141604182672316"],
        "m": ["0.5694002633628693538263032"],
    },
    10: {
        "u": ["9.040984228272702681305771", "1.152733666599468329890667", "-0.1937178948721710111964375"],
        "s": ["0.9808455529565127422207848", "0.01146029200827288955735566", "0.007694155035214368221859571"],
        "m": ["8.879529343562004834727505"],
    },
    100: {
        "u": ["98.89403592497734231022406", "1.236793247341097905745725", "-0.1308291723184402159697887"],
        "s": ["0.9998621064700171985387002", "7.28204631072739930390819e-5", "6.507306687552746826076729e-5"],
        "m": ["98.88048062767096098247838"],
    },
}
"""polarization.md, section 8: p = 3, K = 1, a(0) = 0, u(0) = (1, 0, -1), by tau.

There s_1 at tau = 100 reads 7.28204630672...e-5: a slip in the ninth digit, with which s does not sum to one.
"""


def test_float64_trajectories_meet_the_reference_table():
    flow = LogisticFlow.instance(u=[1, 0, -1])
    for state, rows in zip(solved(flow, ("u", "a"), list(REFERENCE)), REFERENCE.values(), strict=True):
        for name, expected in rows.items():
            found = np.atleast_1d(getattr(state, name))
            np.testing.assert_allclose(found, [float(entry) for entry in expected], rtol=1e-8)


def test_the_reference_table_is_consistent_to_its_digits():
    """sum u = tau (M2 (a)), sum a = 0 (M2 (b)), sum s = 1, m = <s, u>, and s_i / s_j = exp(a_i - a_j)."""
    with working_precision(120):
        for tau, rows in REFERENCE.items():
            u, s = ([mpmath.mpf(entry) for entry in rows[name]] for name in ("u", "s"))
            assert abs(sum(u) - tau) < mpmath.mpf(10) ** -21
            assert abs(sum(s) - 1) < mpmath.mpf(10) ** -23
            assert abs(sum(x * y for x, y in zip(u, s, strict=True)) - mpmath.mpf(rows["m"][0])) < mpmath.mpf(10) ** -20
        a, s = ([mpmath.mpf(entry) for entry in REFERENCE[1][name]] for name in ("a", "s"))
        assert abs(sum(a)) < mpmath.mpf(10) ** -23
        assert abs(s[1] / s[0] - mpmath.exp(a[1] - a[0])) < mpmath.mpf(10) ** -22


@pytest.mark.parametrize("K", ["1", "4"])
@pytest.mark.parametrize("p", [2, 5])
def test_square_loss_multiplies_every_small_score_gap_by_cosh_of_the_root_of_k(K, p):
    """Oracle D, to three digits: u(0) = 0 and nearly uniform scores."""
    pattern = exact(np.arange(p) ** 2) / 10**5
    flow = SquareLossFlow.instance(u=[0] * p, a=pattern, K=K)
    end = solved(flow, ("u", "a"), [40.0 * p])[0]
    assert abs(float(end.gamma.item())) < 1e-9
    gains = (end.a[1:] - end.a[0]) / FLOAT64.convert(pattern)[1:]
    np.testing.assert_allclose(gains, np.cosh(np.sqrt(float(K))), rtol=5e-4)
