"""What rounding may change in runs of the chain: bounds against exact runs with the same picks, at the edges of float64."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from claims.stating.statement import Conclusion, Form, Tail
from claims.stating.verdict import Outcome
from claims.verifying.chances import check_tail
from dynamics.arithmetic import FLOAT64, fraction, transposed, working_precision
from dynamics.enclosures.escapes import escape_probability
from dynamics.escapes.rare import forced_escapes, interval
from dynamics.geometry import squared_distance_to_hull
from dynamics.tokens import float_runs
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.float_runs import BeyondFloatsError
from tests.planting import asked_of, facts_above


def chain(x, group, **changes):
    values = {"v": [[1] * len(x[0]), [-1] * len(x[0])], "beta": 3, "gamma": "1/3", "eps": "1/4", "steps": 4}
    return AttentionChain.instance(**values | {"x": x, "group": group} | changes)


FLAT = [["1/3", "1/7"], ["100000001/300000000", "1/7"], ["1/3", "100000001/700000000"], ["-2/3", "1/9"]]
CHAINS = {
    "line": chain([["1/3"], ["-5/7"]], [0, 1]),
    "cold": chain([["1/3"], ["-5/7"]], [0, 1], beta=10**12),
    "near ties": chain([["1/3"], ["333333333333/1000000000000"], ["-1/3"]], [0, 0, 1], beta=10**9),
    "small": chain([["1/30000000000"], ["-1/70000000000"]], [0, 1], eps="1/70000000000"),
    "flat hull": chain(FLAT, [0, 0, 0, 1], eps="1/3"),
}
STEPS = 40


def exact_run(f, picks):
    """The tokens after each step as fractions."""
    x = [[fraction(a) for a in row] for row in f.x.tolist()]
    gamma, found = fraction(f.gamma.item()), []
    for row in picks:
        x = [[a + gamma * (b - a) for a, b in zip(x[i], x[j], strict=True)] for i, j in enumerate(row)]
        found.append(x)
    return found


def runs_with_the_same_picks_stay_as_near_as_is_said(m):
    """And the bounds are not much too large: within a factor of 10^4 of what is seen."""
    for f in CHAINS.values():
        bound, rng = m.rounding(f, STEPS), np.random.default_rng(1)
        x, beta, gamma = m.floats_of(f)
        picks = rng.integers(len(x), size=(STEPS, len(x)))
        off = {"place": 0.0, "score": 0.0, "edge": 0.0}
        size = fraction(f.eps.item()) ** 2 + max(sum(fraction(a) ** 2 for a in row) for row in f.x.tolist())
        for row, truth in zip(picks, exact_run(f, picks), strict=True):
            x = x + gamma * (x[row] - x)
            error = [
                [float(Fraction(a) - b) for a, b in zip(p, q, strict=True)] for p, q in zip(x.tolist(), truth, strict=True)
            ]
            off["place"] = max(off["place"], float(np.sqrt((np.array(error) ** 2).sum(axis=-1)).max()))
            for i, scores in enumerate((beta * (x @ transposed(x))).tolist()):
                true = [fraction(f.beta.item()) * sum(a * b for a, b in zip(truth[i], q, strict=True)) for q in truth]
                off["score"] = max(off["score"], *(abs(float(Fraction(a) - b)) for a, b in zip(scores, true, strict=True)))
            rows = np.array([[fmpq(a.numerator, a.denominator) for a in q] for q in truth], dtype=object)
            true_edge = max(
                fraction(value) - fraction(f.eps.item()) ** 2
                for label in set(f.group.tolist())
                for value in squared_distance_to_hull(rows[f.group == label], f.x[f.group == label])
            )
            off["edge"] = max(off["edge"], abs(float(Fraction(float(m.beyond_tubes(f, x))) - true_edge / size)))
        for name, seen in off.items():
            assert seen <= getattr(bound, name)
            assert name == "edge" or seen >= getattr(bound, name) / 10**4


def chances_of_draws_are_those_of_softmax(m):
    """On the whole grid of some uniform numbers; what is never to be drawn is not."""

    class Grid:
        def random(self, shape):
            return (np.arange(shape[0], dtype=float)[:, None] / shape[0]).reshape(shape)

    count = 1 << 12
    for scores in (
        [0.0, 1.0, -2.0],
        [-np.inf, 0.0, 3.0],
        [3.0, 0.0, -np.inf],
        [-800.0, -801.0, -np.inf],
        [1e300, 0.0, 1e300],
    ):
        found = np.bincount(m.drawn(np.tile(scores, (count, 1)), Grid()), minlength=3) / count
        weights = [mpmath.exp(mpmath.mpf(a) - max(scores)) for a in scores]
        assert np.allclose(found, [float(w / sum(weights)) for w in weights], atol=2 / count)
        assert all(share == 0 for share, score in zip(found, scores, strict=True) if score == -np.inf)


def sums_of_exponentials_keep_their_digits(m):
    for scores in ([-800.0, -801.0], [0.0, -745.0], [-np.inf, -1e5], [5.0, 5.0], [700.0, 710.0]):
        with mpmath.workdps(50):
            truth = float(mpmath.log(sum(mpmath.exp(mpmath.mpf(a)) for a in scores)))
        assert float(m.log_sum(np.array(scores))) == pytest.approx(truth, rel=1e-14)
    assert float(m.log_sum(np.array([-np.inf, -np.inf]))) == -np.inf


def what_is_beyond_floats_is_refused(m):
    two = [["1/3"], ["-5/7"]]
    for changes in (
        {"beta": 10**400}, {"beta": fmpq(1, 10**400)}, {"gamma": fmpq(1, 10**400)}, {"eps": fmpq(10) ** 400},
    ):  # fmt: skip
        with pytest.raises(m.BeyondFloatsError):
            m.floats_of(chain(two, [0, 1], **changes))
    for x in ([[fmpq(1, 10**300)], [fmpq(-1, 10**300)]], [[10**200], [-(10**200)]], [[10**400], [0]]):
        with pytest.raises(m.BeyondFloatsError):
            m.floats_of(chain(x, [0, 1], eps=fmpq(1, 10**300)))
    with pytest.raises(m.BeyondFloatsError):
        m.rounding(chain([[10**50], [-(10**50)]], [0, 1], beta=fmpq(10) ** 300), 3)


def chances_are_right_but_for_what_is_said(m):
    """Of a step: ratio and chance are no less than what scores and a row of sums may be off by, and grow with steps."""
    f = CHAINS["line"]
    one, many = m.rounding(f, 1), m.rounding(f, 100)
    assert 4 * one.score <= one.ratio <= 4 * one.score + 1e-13
    assert 4 * m.UNIT <= one.chance <= 100 * m.UNIT
    assert 99 <= many.chance / one.chance <= 101
    assert many.ratio > 100 * one.ratio


test_float_runs, test_bugs_in_float_runs = asked_of(float_runs, facts_above(globals()))


# ---------------------------------------------------------------------------------------------------------------------
# Statistics at the edges of float64


def stragglers(beta, count=3, steps=2):
    """Tokens nearly at 1 and at -1: one pick of the other group leads out, and has a chance of about e^{-2 beta}."""
    near = [[fmpq(10**9 + k, 10**9)] for k in range(count)]
    x = [*near, *([-a] for (a,) in near)]
    return chain(x, [0] * count + [1] * count, beta=beta, gamma="1/4", steps=steps)


def chance_of_a_stray(f):
    """P[T_2 < 2] where any stray leads out: 1 - prod (1 - l_i)."""
    picks = f.replace(beta=f.beta * arb(1)).attention()
    others = f.group[:, None] != f.group[None, :]
    kept = arb(1)
    for row, other in zip(picks, others, strict=True):
        kept *= 1 - sum((chance for chance, far in zip(row, other, strict=True) if far), arb(0))
    return 1 - kept


@pytest.mark.parametrize("beta", ["1/1000000", "371.2", "10000"])
def test_forced_runs_hold_the_chance_however_small(beta):
    """At beta = 371.2 single chances are subnormal, at 10000 far below; at 18 a token stays but for 2^-52."""
    f = stragglers(beta)
    found = forced_escapes(f, 2000, np.random.default_rng(0))
    with working_precision(60000):
        truth = float(chance_of_a_stray(f).log())
    low, high = interval(found, 1e-9)
    assert low <= truth <= high
    assert low > truth - 3
    assert found.log_error < 1e-6


def test_a_true_bound_below_the_range_of_floats_is_not_violated():
    f = stragglers("371.2")
    with working_precision(3000):
        truth = chance_of_a_stray(f).log()
        for factor, outcomes in ((1 + arb("1e-9"), {Outcome.UNDECIDED, Outcome.HOLDS}), (arb("0.01"), {Outcome.VIOLATED})):
            tail = Tail(f, (truth + factor.log()).mid())
            assert (
                check_tail(Conclusion("made_up", Form.PROBABILITY, ">= 0", lambda f, t=tail: t), f, 100).outcome in outcomes
            )


def test_what_rounding_may_change_widens_an_interval():
    exactly = forced_escapes(stragglers(3), 1000, np.random.default_rng(0))
    off = type(exactly)(exactly.low, exactly.high, exactly.log_scale, exactly.log_error + 1, exactly.chance + 0.01)
    (low, high), (lower, higher) = interval(exactly, 1e-9), interval(off, 1e-9)
    assert lower <= low - 1
    assert higher >= high + 1
    cold = forced_escapes(stragglers(10**18), 10, np.random.default_rng(0))
    assert interval(cold, 1e-9)[0] == -np.inf or interval(cold, 1e-9)[1] - interval(cold, 1e-9)[0] > 1


def test_floats_of_a_chain_are_those_nearest():
    x, beta, gamma = float_runs.floats_of(CHAINS["line"])
    assert x.tolist() == FLOAT64.convert(CHAINS["line"].x).tolist()
    assert (beta, gamma) == (3.0, 1 / 3)


def test_forced_runs_say_what_no_float_can():
    with pytest.raises(BeyondFloatsError):
        forced_escapes(stragglers(10**400), 10, np.random.default_rng(0))


def test_simulation_and_enumeration_agree_where_chances_are_near_one():
    """At beta = 1/10^9 all picks are alike; of two tokens each strays with a half."""
    f = chain([[1], [-1]], [0, 1], beta=fmpq(1, 10**9), gamma="1/2", steps=2)
    assert abs(float(escape_probability(f, arb(0)).escaped) - 0.75) < 1e-6
