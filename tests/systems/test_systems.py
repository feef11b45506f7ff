"""Every system: one formula in every arithmetic, exact steps against plain Python fractions, instances read strictly."""

from __future__ import annotations

import json
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.stating.statement import Claim, ClaimError
from dynamics.arithmetic import (
    EXACT,
    FLOAT64,
    MULTIPRECISION,
    exact,
    exp,
    fraction,
    matrix_exponential,
    rational,
    sign,
    working_precision,
)
from dynamics.attention import softmax
from dynamics.system import Flow, StepMap
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import RULES, LocalmaxStep
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.frozen_values import FrozenValuesFlow
from dynamics.training.linear_network import LinearNetworkFlow
from dynamics.training.value_softmax import FullClockFlow, FullLogisticFlow, FullSquareFlow, LogisticFlow, SquareLossFlow
from tests.systems.test_value_softmax import all_zero, zero_to

BITS = 200
few = settings(derandomize=True, deadline=None, max_examples=25)


def draw(rng, *shape, size=3, denominators=(1, 2, 3, 5)):
    """Nested lists of small random rationals: small enough that ties happen."""
    if not shape:
        return Fraction(int(rng.integers(-size, size + 1)), int(rng.choice(denominators)))
    return [draw(rng, *shape[1:], size=size, denominators=denominators) for _ in range(shape[0])]


def chain(rng):
    # Vertices far apart beside offsets of a tenth: each token is nearest to its own.
    v = [[3, 0], [0, 3], [-3, -3]]
    group = [0, 1, 2, 0]
    x = [[c + Fraction(int(rng.integers(-9, 10)), 90) for c in v[label]] for label in group]
    return AttentionChain.instance(v=v, x=x, group=group, beta="7/5", gamma="1/3", eps="1/10", steps=3)


SYSTEMS = {
    "SelfAttentionFlow": lambda rng: SelfAttentionFlow.instance(x=draw(rng, 4, 2), B=draw(rng, 2, 2), V=draw(rng, 2, 2)),
    "SelfAttentionFlow, B = V = I": lambda rng: SelfAttentionFlow.instance(x=draw(rng, 3, 3)),
    "RescaledFlow": lambda rng: RescaledFlow.instance(z=draw(rng, 4, 2), B=draw(rng, 2, 2), V=draw(rng, 2, 2), t="2/3"),
    "RescaledFlow, V = I": lambda rng: RescaledFlow.instance(z=draw(rng, 3, 2), t="3/4"),
    "HardmaxStep": lambda rng: HardmaxStep.instance(x=draw(rng, 4, 2), B=draw(rng, 2, 2), P=draw(rng, 2, 2)),
    "LocalmaxStep": lambda rng: LocalmaxStep.instance(z=draw(rng, 4, 2), A=draw(rng, 2, 2), gamma="1/3", delta="7/11"),
    "SoftmaxStep": lambda rng: SoftmaxStep.instance(x=draw(rng, 4, 2), beta="7/5", gamma="1/3"),
    "AttentionChain": chain,
    "LogisticFlow": lambda rng: LogisticFlow.instance(u=draw(rng, 4), a=draw(rng, 4), K="5/7", t=1, tau="1/2"),
    "SquareLossFlow": lambda rng: SquareLossFlow.instance(u=draw(rng, 4), a=draw(rng, 4), K="5/7"),
    "FullLogisticFlow": lambda rng: FullLogisticFlow.instance(V=draw(rng, 3, 4), a=draw(rng, 4), beta_star=[1, "-1/2", 2]),
    "FullSquareFlow": lambda rng: FullSquareFlow.instance(V=draw(rng, 3, 4), a=draw(rng, 4), beta_star=[1, "-1/2", 2]),
    "FullClockFlow": lambda rng: FullClockFlow.instance(V=draw(rng, 3, 4), a=draw(rng, 4), beta_star=[1, "-1/2", 2]),
    "LinearNetworkFlow": lambda rng: LinearNetworkFlow.instance(V=draw(rng, 2, 3), a=draw(rng, 3), beta_star=[1, "-1/2"]),
    "FrozenValuesFlow": lambda rng: FrozenValuesFlow.instance(u=draw(rng, 4), a=draw(rng, 4), t=1),
}
systems = pytest.mark.parametrize("name", SYSTEMS)


def made(name, count):
    rng = np.random.default_rng(list(SYSTEMS).index(name))
    return [SYSTEMS[name](rng) for _ in range(count)]


FORMULAS = (
    "attention", "drift", "scores", "targets", "s", "m", "gamma", "du_dtau", "da_dtau", "ds_dtau", "dm_dtau", "beta", "u",
    "K", "residual", "R", "rho", "diameter", "c_0",
)  # fmt: skip


def outputs(system):
    """Everything a system computes from its arrays, by name."""
    found = {}
    if isinstance(system, Flow):
        found |= {f"velocity of {name}": v for name, v in zip(system.moving, system.velocity(), strict=True)}
    if isinstance(system, StepMap):
        fields = system.fields()
        found |= {f"next {key}": array for key, array in system.step().arrays().items() if not fields[key].integer}
    for name in FORMULAS:
        value = getattr(system, name, None)
        if value is not None:
            found[name] = value() if callable(value) else value
    if isinstance(system, RescaledFlow):
        found["rates"] = system.rates(system.B)
    return found


def exactly(number):
    """The rational that an mpmath number is."""
    negative, man, exponent, _ = mpmath.mpf(number)._mpf_
    size = fmpq(int(man)) * fmpq(2) ** int(exponent)
    return -size if negative else size


def stacked(members, shared=()):
    """A float64 batch of instances of one shape; arrays named in `shared` are given once."""
    kind, fields = type(members[0]), members[0].fields()
    floats = [member.to(FLOAT64).arrays() for member in members]
    return kind(**{
        name: floats[0][name] if name in shared or fields[name].integer else np.stack([array[name] for array in floats])
        for name in fields
    })  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
# One formula, every arithmetic


@systems
def test_the_same_instance_agrees_in_float64_mpmath_and_balls(name):
    for instance in made(name, 4):
        with working_precision(BITS):
            balls, numbers = outputs(instance.to(EXACT)), outputs(instance.to(MULTIPRECISION))
        doubles = outputs(instance.to(FLOAT64))
        assert balls.keys() == numbers.keys() == doubles.keys()
        assert balls
        with working_precision(1000):
            for key, array in balls.items():
                assert np.shape(array) == np.shape(numbers[key]) == np.shape(doubles[key]), key
                enclosed = [arb(ball) for ball in np.asarray(array).flat]
                scale = max(1e-3, *(abs(float(ball.mid())) for ball in enclosed))
                rows = zip(enclosed, np.asarray(numbers[key]).flat, np.asarray(doubles[key]).flat, strict=True)
                for ball, number, double in rows:
                    assert isinstance(number, mpmath.mpf), key
                    assert ball.rad() < arb("1e-50") * arb(scale), key
                    assert (ball + arb(0, "1e-40")).contains(arb(exactly(number))), key
                    assert double == pytest.approx(float(ball.mid()), rel=1e-9, abs=1e-9 * scale), key


BATCHED = [name for name in SYSTEMS if name != "AttentionChain"]


@pytest.mark.parametrize("name", BATCHED)
def test_a_float64_batch_equals_its_members_one_by_one(name):
    members = made(name, 7)
    together = outputs(stacked(members))
    for k, member in enumerate(members):
        for key, alone in outputs(member.to(FLOAT64)).items():
            assert np.array_equal(np.asarray(together[key])[k], np.asarray(alone)), key


@pytest.mark.parametrize("name", BATCHED)
def test_a_batch_of_starts_shares_its_parameters(name):
    members = made(name, 5)
    state = next(iter(members[0].fields()))
    shared = [field for field in members[0].fields() if field != state]
    first = members[0].arrays()
    members = [member.replace(**{field: first[field] for field in shared}) for member in members]
    together = outputs(stacked(members, shared))
    for k, member in enumerate(members):
        for key, alone in outputs(member.to(FLOAT64)).items():
            if np.ndim(together[key]) > np.ndim(alone):
                np.testing.assert_allclose(np.asarray(together[key])[k], np.asarray(alone), rtol=1e-12, atol=1e-12)
            else:  # it does not depend on the state
                assert np.array_equal(together[key], alone), key


# ---------------------------------------------------------------------------------------------------------------------
# Steps: tests/checker compares them, and the fields of flows, with loops over plain fractions and intervals


@pytest.mark.parametrize("rule", range(len(RULES)))
def test_localmax_batches_have_the_neighbours_of_their_members_under_every_rule(rule):
    rng = np.random.default_rng(5)
    # Small integers: float64 is exact until the means, so it sees every tie.
    members = [
        LocalmaxStep.instance(z=rng.integers(-2, 3, (5, 2)), A=rng.integers(-1, 2, (2, 2)), delta=k % 3, rule=rule)
        for k in range(40)
    ]
    batch = stacked(members)
    attended, after = batch.neighbours(), batch.step().z
    for k, member in enumerate(members):
        assert np.array_equal(attended[k], member.neighbours())
        np.testing.assert_allclose(after[k], FLOAT64.convert(member.step().z), rtol=1e-14, atol=1e-14)


def test_a_tie_that_float64_breaks_is_decided_exactly():
    # <B x_0, x_j> is the sum of the coordinates of x_j: 1/10 + 2/10 = 3/10, but not in binary.
    instance = HardmaxStep.instance(x=[[1, -1], ["1/10", "2/10"], ["3/10", 0]], B=[[1, 0], [1, 0]])
    scores = instance.scores()[0]
    assert scores[1] == scores[2]
    assert instance.targets()[0].tolist() == [fmpq(1, 5), fmpq(1, 10)]
    doubles = instance.to(FLOAT64)
    assert doubles.scores()[0, 1] != doubles.scores()[0, 2]
    assert doubles.targets()[0].tolist() == [0.1, 0.2]


# ---------------------------------------------------------------------------------------------------------------------
# Softmax, and the flows' relations


@given(st.lists(st.fractions(min_value=-400, max_value=400, max_denominator=1000), min_size=1, max_size=6))
@few
def test_softmax_rows_are_positive_and_sum_to_one(scores):
    row = exact(scores)
    with working_precision(BITS):
        weights = [arb(weight) for weight in softmax(row)]
        assert all(sign(weight) == 1 for weight in weights)
        total = sum(weights, arb(0))
        assert total.contains(1)
        assert total.rad() < arb("1e-55")
        numbers = softmax(MULTIPRECISION.convert(row))
        assert all(weight > 0 for weight in numbers)
        assert abs(sum(numbers) - 1) < mpmath.mpf(2) ** (4 - BITS)
    doubles = softmax(FLOAT64.convert(row))
    assert (doubles >= 0).all()
    assert doubles.sum() == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_softmax_of_equal_scores_is_exactly_uniform(n):
    weights = softmax(exact(["5/3"] * n))
    assert weights.tolist() == [fmpq(1, n)] * n
    assert all(isinstance(weight, fmpq) for weight in weights)


@given(st.lists(st.fractions(max_denominator=50, min_value=-20, max_value=20), min_size=2, max_size=5))
@few
def test_softmax_encloses_the_quotient_of_exponentials(scores):
    with working_precision(128):
        weights = softmax(exact(scores))
    with working_precision(400):
        powers = [arb(exp(exact([score]))[0]) for score in scores]
        assert all(arb(w).overlaps(power / sum(powers, arb(0))) for w, power in zip(weights, powers, strict=True))


def test_rescaled_flow_is_the_self_attention_flow_seen_through_the_exponential_of_minus_t_v():
    rng = np.random.default_rng(6)
    with working_precision(256):
        for _ in range(10):
            d = int(rng.integers(1, 4))
            flow = RescaledFlow.instance(z=draw(rng, 3, d), B=draw(rng, d, d), V=draw(rng, d, d), t=abs(draw(rng)))
            forth, back = (matrix_exponential(flow.V, time).swapaxes(-1, -2) for time in (flow.t, -flow.t))
            x = flow.z @ forth
            plain = SelfAttentionFlow.instance(x=draw(rng, 3, d), B=flow.B, V=flow.V).replace(x=x)
            expected = (plain.velocity()[0] - x @ flow.V.swapaxes(-1, -2)) @ back
            velocity, clock = flow.velocity()
            assert clock.item() == 1
            assert all_zero(velocity - expected, 40)
            attentions = zip(flow.attention().flat, plain.attention().flat, strict=True)
            assert all(zero_to(arb(p) - arb(q), 40) for p, q in attentions)


def test_rates_are_the_velocity_seen_by_covectors():
    rng = np.random.default_rng(7)
    with working_precision(256):
        for _ in range(10):
            flow = RescaledFlow.instance(z=draw(rng, 4, 2), B=draw(rng, 2, 2), V=draw(rng, 2, 2), t="1/2")
            covectors = exact(draw(rng, 5, 2))
            difference = flow.rates(covectors) - covectors @ flow.drift().swapaxes(-1, -2)
            assert difference.shape == (5, 4)
            assert all_zero(difference, 60)


def test_softmax_step_is_the_mean_of_the_chains_picks():
    rng = np.random.default_rng(8)
    with working_precision(256):
        for _ in range(5):
            picks = chain(rng)
            gamma, a = picks.gamma.item(), picks.attention()
            after = SoftmaxStep.instance(x=picks.x, beta=picks.beta, gamma=gamma).step().x
            for i, token in enumerate(picks.x):
                targets = [(1 - gamma) * token + gamma * other for other in picks.x]
                expected = sum((a[i, j] * target for j, target in enumerate(targets)), 0 * token)
                assert all_zero(after[i] - expected, 60)


def test_coincident_tokens_move_together_exactly():
    flow = SelfAttentionFlow.instance(x=[["1/3", 2], ["-1/7", 1], ["1/3", 2]])
    after = SoftmaxStep.instance(x=flow.x, beta=5).step().x
    with working_precision(64):
        velocity = flow.velocity()[0]
        assert all_zero(velocity[0] - velocity[2], 15)
        assert all_zero(after[0] - after[2], 13)
    for step in (HardmaxStep.instance(x=flow.x).step().x, LocalmaxStep.instance(z=flow.x, delta=1).step().z):
        assert step[0].tolist() == step[2].tolist()


# ---------------------------------------------------------------------------------------------------------------------
# Attention chain: its constants


def test_chain_constants_are_those_of_the_definitions():
    instance = AttentionChain.instance(
        v=[[2, 0], [0, 1], [-1, -1]], x=[[2, 0], ["1/2", 1], [-1, -1], ["17/10", "4/10"]], group=[0, 1, 2, 0],
        beta=1, gamma="1/2", eps="1/10",
    )  # fmt: skip
    assert instance.c_0 == 1  # <v_1, v_1> - <v_1, v_0> = 1 is the least difference
    assert instance.R.item() == 2
    assert isinstance(instance.diameter.item(), arb)
    assert zero_to(instance.diameter.item() ** 2 - 10, 12)
    assert instance.rho.item() == fmpq(1, 2)
    assert [array.shape for array in (instance.R, instance.diameter, instance.rho)] == [()] * 3


# ---------------------------------------------------------------------------------------------------------------------
# Instances


CHAIN = {"v": [[1, 0], [0, 1]], "x": [[1, 0], [0, 1], [1, 0]], "group": [0, 1, 0], "beta": 3, "gamma": "1/2", "eps": "1/9"}


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (SoftmaxStep, {"x": [[1]], "temperature": 2}, r"SoftmaxStep has no 'temperature': it takes x, beta, gamma"),
        (HardmaxStep, {"B": [[1]]}, r"HardmaxStep needs x \(tokens\), which is missing"),
        (FullSquareFlow, {"V": [[1]]}, r"FullSquareFlow needs beta_star \(target direction\), which is missing"),
        (AttentionChain, {"v": CHAIN["v"], "x": CHAIN["x"], "group": [0, 1, 0]}, r"AttentionChain needs beta .*missing"),
        (HardmaxStep, {"x": [1, 2]}, r"HardmaxStep: x \(tokens\) must be \(n, d\), not of shape \(2,\)"),
        (HardmaxStep, {"x": 5}, r"HardmaxStep: x \(tokens\) must be \(n, d\), not of shape \(\)"),
        (HardmaxStep, {"x": []}, r"HardmaxStep: x \(tokens\) must be \(n, d\), not of shape \(0,\)"),
        (HardmaxStep, {"x": [[], []]}, r"HardmaxStep: x \(tokens\) must be \(n, d\), not of shape \(2, 0\)"),
        (HardmaxStep, {"x": [[1, 2], [3]]}, r"HardmaxStep: x \(tokens\)"),
        (HardmaxStep, {"x": [[1, 2]], "B": [[1]]}, r"HardmaxStep: B \(key-query .* \(d, d\) with d = 2, not 1"),
        (HardmaxStep, {"x": [[1, 2]], "B": [[1, 2]]}, r"HardmaxStep: B .* must be \(d, d\) with d = 2, not 1"),
        (LogisticFlow, {"u": [1, 2], "a": [1, 2, 3]}, r"LogisticFlow: a \(scores\) must be \(p\) with p = 2, not 3"),
        (LocalmaxStep, {"z": [[1]], "delta": [1]}, r"LocalmaxStep: delta \(sensitivity\) must be a single number, not"),
        (SelfAttentionFlow, {"x": [[1, float("nan")]]}, r"SelfAttentionFlow: x \(tokens\): nan is not a finite number"),
        (SelfAttentionFlow, {"x": np.array([[1, np.inf]])}, r"SelfAttentionFlow: x \(tokens\): inf is not a finite number"),
        (SelfAttentionFlow, {"x": [[1, "two"]]}, r"SelfAttentionFlow: x \(tokens\): 'two' is not a finite number"),
        (SelfAttentionFlow, {"x": [[1, True]]}, r"SelfAttentionFlow: x \(tokens\): True is not a number"),
        (RescaledFlow, {"z": [[1]], "t": None}, r"RescaledFlow: t \(time\): None is not a finite number"),
        (SoftmaxStep, {"x": [[1]], "tokens": [[1]]}, r"SoftmaxStep: x is given twice"),
        (HardmaxStep, {"tokens": [[1]], "B": [[1]], "key_query": [[1]]}, r"HardmaxStep: B is given twice"),
        (AttentionChain, CHAIN | {"group": [0, "1/2", 0]}, r"AttentionChain: group \(index .*\) must be integer"),
        (AttentionChain, CHAIN | {"group": [0, 10**30, 0]}, r"AttentionChain: group \(index .*\)"),
        (AttentionChain, CHAIN | {"steps": 1.5}, r"AttentionChain: steps .* must be integer"),
        (AttentionChain, CHAIN | {"group": [0, 2, 0]}, r"AttentionChain: group must name vertices 0\.\.1"),
        (AttentionChain, CHAIN | {"group": [0, -1, 0]}, r"AttentionChain: group must name vertices 0\.\.1"),
        (AttentionChain, CHAIN | {"v": [[1, 0], ["2/2", 0]]}, r"AttentionChain: two of the vertices v coincide"),
        (AttentionChain, CHAIN | {"beta": 0}, r"AttentionChain: needs beta > 0"),
        (AttentionChain, CHAIN | {"gamma": 1}, r"AttentionChain: needs 0 < gamma < 1"),
        (AttentionChain, CHAIN | {"eps": -1}, r"AttentionChain: needs eps > 0"),
        (AttentionChain, CHAIN | {"steps": 0}, r"AttentionChain: needs steps >= 1"),
        (LocalmaxStep, {"z": [[1]], "delta": "-1/3"}, r"LocalmaxStep: delta must be at least 0, not -1/3"),
        (LocalmaxStep, {"z": [[1]], "rule": 6}, r"LocalmaxStep: there are rules 0 to 5, not 6"),
        (LogisticFlow, {"u": [1], "K": 0}, r"LogisticFlow: K = .* must be positive, not 0"),
        (SquareLossFlow, {"u": [1], "K": "-2/3"}, r"SquareLossFlow: K = .* must be positive, not -2/3"),
        (FullLogisticFlow, {"V": [[1], [2]], "beta_star": [0, 0]}, r"FullLogisticFlow: beta_star must not be zero"),
        (HardmaxStep, {"x": [[1], [2]], "selection": [[1, 0], [1, 1]]}, r"HardmaxStep: selection must be positive"),
        (HardmaxStep, {"x": [[1], [2]], "selection": [[1, 1], [-1, 1]]}, r"HardmaxStep: selection must be positive"),
    ],
)
def test_an_instance_that_makes_no_sense_is_refused_in_one_sentence_that_names_the_field(kind, values, message):
    with pytest.raises(ValueError, match=f"^{message}") as caught:
        kind.instance(**values)
    assert "\n" not in str(caught.value)


def test_defaults_take_the_shapes_of_what_is_given():
    step = HardmaxStep.instance(tokens=[[1, 2], [3, 4], [5, 6]])
    assert step.B.tolist() == exact(np.eye(2, dtype=int)).tolist()
    assert step.P.tolist() == [[fmpq(1, 2), 0], [0, fmpq(1, 2)]]
    assert step.selection.tolist() == [[1] * 3] * 3
    flow = FullLogisticFlow.instance(value=[[1, 2, 3]], target=[2])
    assert flow.a.tolist() == [0, 0, 0]
    assert SoftmaxStep.instance(x=[[1]]).beta.item() == 1
    assert chain(np.random.default_rng(0)).group.dtype.kind == "i"


@systems
def test_instances_survive_json_exactly(name):
    for instance in made(name, 3):
        data = json.loads(json.dumps(instance.to_json()))
        assert data.pop("system") == type(instance).__name__
        again = type(instance).instance(**data)
        for field, array in instance.arrays().items():
            other = getattr(again, field)
            assert (other.shape, other.dtype, other.tolist()) == (array.shape, array.dtype, array.tolist())


def test_json_holds_integers_and_quotients_only():
    data = SoftmaxStep.instance(x=[[0.1, "-3/4"], [-2, 10**30]]).to_json()
    assert data["x"] == [["3602879701896397/36028797018963968", "-3/4"], [-2, 10**30]]
    assert data["beta"] == 1
    assert data["gamma"] == "1/2"


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(finite, finite), min_size=1, max_size=5), finite)
@few
def test_a_row_of_a_float_batch_is_the_exact_dyadic(values, beta):
    batch = SoftmaxStep(x=np.array(values)[:, None, :], beta=np.array([beta] * len(values)), gamma=np.array(0.1))
    for k, pair in enumerate(values):
        row = batch.row(k)
        assert [fraction(entry) for entry in row.x[0]] == [Fraction(value) for value in pair]
        assert fraction(row.beta.item()) == Fraction(beta)
        assert row.gamma.item() == rational(0.1)


def test_a_row_of_a_batch_that_holds_no_numbers_is_refused():
    batch = SoftmaxStep(x=np.array([[[1.0]], [[np.nan]]]), beta=np.array(1.0), gamma=np.array(0.5))
    assert batch.row(0).x.item() == 1
    with pytest.raises(ValueError, match=r"SoftmaxStep: x \(tokens\): nan is not a finite number"):
        batch.row(1)


class Swapped:
    """Stands before a model in the order of bases."""

    def step(self):
        return self


REPLACING = {
    "step": ((LocalmaxStep,), {"step": Swapped.step}),
    "step, by another base": ((Swapped, LocalmaxStep), {}),
    "velocity": ((LogisticFlow,), {"velocity": lambda self: self.motion()}),
    "neighbours": ((LocalmaxStep,), {"neighbours": lambda self: self.z == self.z}),
    "moving": ((LogisticFlow,), {"moving": ("u",)}),
    "m": ((LogisticFlow,), {"m": property(lambda self: self.K)}),
    "replace": ((LocalmaxStep,), {"replace": lambda self, **changes: self}),
    "gamma": ((LocalmaxStep,), {"gamma": property(lambda self: self.delta)}),
    "__getattribute__": ((LocalmaxStep,), {"__getattribute__": object.__getattribute__}),
}


@pytest.mark.parametrize("name", REPLACING)
def test_what_is_derived_from_a_model_elsewhere_replaces_nothing(name):
    bases, members = REPLACING[name]
    with pytest.raises(TypeError, match=rf"Own replaces {name.partition(',')[0]} of \w+, of which much is shown"):
        type("Own", bases, members)


def test_what_is_derived_may_add_and_define_what_is_left_open():
    class Shown(LocalmaxStep):
        def spread(self):
            return self.z.max() - self.z.min()

    class Turned(StepMap):
        def step(self):
            return self

        def kept(self):
            return self.step()

    class Again(Turned):
        def step(self):
            return Turned.step(self)

    for one in (Shown, Turned, Again):
        one.is_as_shown()
    Shown.step = Swapped.step
    with pytest.raises(TypeError, match="Shown replaces step"):
        Shown.is_as_shown()
    with pytest.raises(ClaimError, match="Shown replaces step"):
        Claim("late", statement="It rests.", system=Shown)


def test_replace_changes_only_what_is_named():
    instance = SoftmaxStep.instance(x=[[1, 2]], beta=3)
    other = instance.replace(beta=exact(4))
    assert other.beta.item() == 4
    assert other.x is instance.x or other.x.tolist() == instance.x.tolist()
    assert instance.beta.item() == 3
