"""The checker's own zeros of exponentials: against Fractions, with bugs planted, and in certificates from end to end."""

from __future__ import annotations

import operator
import random
from fractions import Fraction

import pytest
from mpmath import iv

from claims.targets.target import Target
from dynamics.checker import closed_forms
from dynamics.checker.flint_stand_in import arb, fmpq
from dynamics.checker.intervals import interval_precision
from tests.checker.genuine import certified, put_to_check
from tests.planting import asked_of, facts_above

OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)


def e(m, p, q=1):
    return m.quotient({Fraction(p, q): Fraction(1)}, m.ONE)


def at(number, X):
    """The number with X in place of e^{1/6}."""
    if not hasattr(number, "top"):
        return Fraction(number)
    top, bottom = (sum(c * X ** int(6 * q) for q, c in part.items()) for part in (number.top, number.bottom))
    return top / bottom


def random_quotients_are_those_of_fractions(m):
    rng, zeros = random.Random(3), 0
    for _ in range(60):
        # e^{1/6} obeys no equation with rational coefficients; this number obeys none that could come up here.
        X = Fraction(rng.randrange(2, 9), 7) + Fraction(1, 10007)
        found = [m.quotient({Fraction(rng.randrange(-9, 9), 6): Fraction(rng.randrange(1, 5), 3)}, m.ONE) for _ in range(3)]
        values = [at(one, X) for one in found]
        for _ in range(5):
            i, j, operation = rng.randrange(len(found)), rng.randrange(len(found)), rng.choice(OPERATIONS)
            if operation is operator.truediv and values[j] == 0:
                # A zero that does not look like one: it was a sum of exponentials.
                with pytest.raises(ZeroDivisionError):
                    operation(found[i] + e(m, 1) - e(m, 1), found[j])
                continue
            # Of two plain numbers flint's arithmetic alone would be asked.
            if not any(hasattr(found[k], "top") for k in (i, j)):
                continue
            made = operation(found[i], found[j])
            # Of too many terms: an interval says nothing of equality.
            if isinstance(made, arb):
                continue
            found.append(made)
            values.append(operation(values[i], values[j]))
            assert at(made, X) == values[-1]
            assert (made == 0) == (values[-1] == 0)
            assert isinstance(made, fmpq) or made != 0
            zeros += values[-1] == 0
    # Otherwise no zero was tried to be recognised.
    assert zeros > 3


def identities_and_near_misses(m):
    a, b = e(m, 1, 2), e(m, 1, 3)
    pairs = (((a + b) * (a + b), a * a + 2 * a * b + b * b), (1 / (a + 1) + 1 / (b + 1), (a + b + 2) / ((a + 1) * (b + 1))))
    for one, other in pairs:
        assert isinstance(one - other, fmpq)
        assert one == other
        assert one <= other
        # Smaller than the first intervals are wide: only more bits tell.
        for miss in (fmpq(1, 10**60), e(m, -300), e(m, -200) / (a + b)):
            assert (one + miss) > other
            assert (one - miss) < other
            assert one + miss != other
    assert abs(b - a) - (a - b) == 0
    assert (1 / (a + 1)) * (1 / (b + 1)) == 1 / ((a + 1) * (b + 1))
    assert (a - b) ** 2 / (a - b) == a - b
    assert (a / b) ** -2 == e(m, -1, 3)
    assert (a + b) / (2 * a + 2 * b) == fmpq(1, 2)


def intervals_hold_the_number(m):
    a, b = e(m, 1, 2), e(m, -5, 3)
    with interval_precision(200):
        x, y = iv.exp(iv.mpf(1) / 2), iv.exp(-iv.mpf(5) / 3)
        truths = (3 * x - y) / (x + 2 * y), -(x / (x + y)), x * y - 2
        for value, truth in zip(((3 * a - b) / (a + 2 * b), -(a / (a + b)), a * b - 2), truths, strict=True):
            assert value.plain.overlaps(arb.of(truth))
            assert value.settled().overlaps(arb.of(truth))
        for base in (2, fmpq(1, 3), arb(5)):
            assert (base**a).overlaps((arb(base).log() * arb.of(x)).exp())
    near = Fraction(16487212707001281468, 10**19)  # of e^{1/2}, which it is below by less than 1e-19
    assert (a - fmpq(near)).settled() > 0
    # Asked with few bits, a comparison takes the bits it needs.
    with interval_precision(20):
        assert (a - fmpq(near)).settled() > 0
        assert a > fmpq(near)
    assert (a + arb(1)) > fmpq(264, 100)
    assert (arb(1) - a) < fmpq(-64, 100)
    assert (arb(2) / a) > fmpq(12, 10)


def many_terms_are_an_interval(m):
    # Squared five times: its terms would be hundreds.
    power = e(m, 1, 7) + e(m, 1, 11) + 1
    for _ in range(5):
        power = power * power if hasattr(power, "top") else power
    assert isinstance(power, arb)


test_closed_forms, test_bugs_in_closed_forms = asked_of(closed_forms, facts_above(globals()))


SOURCE = '''
from claims.stating.statement import Claim
from dynamics.arithmetic import exp
from dynamics.attention import softmax
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(__name__, statement="Made up.", system=SelfAttentionFlow)


@claim.state("> 0")
def zero(f: SelfAttentionFlow):
    """An exact zero of exponentials."""
    return (exp(f.x[:1, 0] / 2) * exp(f.x[:1, 0] / 2) - exp(f.x[:1, 0])) / (1 + exp(f.x[:1, 0]))


@claim.state(">= 0")
def tie(f: SelfAttentionFlow):
    """A tie of exponentials decides the formula."""
    shares = softmax(f.x[0])
    return shares[:1] * 0 - (1 if shares.sum() == 1 else -1)


@claim.state("> 0")
def near(f: SelfAttentionFlow):
    """Above zero by less than balls of a few bits see."""
    return exp(f.x[:1, 0] / 2) ** 2 - exp(f.x[:1, 0]) - exp(f.x[:1, 0] * 0 - 300)
'''


def test_certificates_that_rest_on_zeros_of_exponentials_are_confirmed(tmp_path):
    files = {}
    for name in ("zero", "tie", "near"):
        target = Target("made_up", name, file="made_up.py", source=SOURCE)
        files[name] = certified(target, {"x": [["1/3", 1], [2, 3]]})
    found = put_to_check(tmp_path, files, "--run-source")
    for name in ("zero", "tie", "near"):
        assert found[name]["verdict"] == "CONFIRMED", found[name]
    assert files["zero"]["violation"]["known"] == "exact"
    assert files["zero"]["violation"]["slack"] == {"lower": "0", "upper": "0"}
