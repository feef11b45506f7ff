"""One step, three ways: exact rationals, the float64 twin, and an implementation in `fractions.Fraction` written apart.

Over random rational systems, 10^4 in a long run, ties included: the two exact ones agree in every token, and the twin
differs in its neighbours only where it rounded a tie, or a gap too small for it. How often that was is printed.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dynamics.arithmetic import FLOAT64, fraction, rational
from dynamics.attention import leaders
from dynamics.tokens.hardmax import HardmaxStep, frank_wolfe_step
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.schedules import ScheduledHardmax, ScheduledLocalmax
from tests.planting import LONG

SYSTEMS = 2500 if LONG else 200
"""Of each of the four step maps."""

ROUNDING = Fraction(1, 10**12)
"""A gap below this part of the largest score is one that float64 may round away."""

KINDS = ("lattice", "thirds", "sevenths", "coincident", "collinear", "nearly tied", "zero token", "random")


# ---------------------------------------------------------------------------------------------------------------------
# Steps in fractions, written from the papers and not from the code


def dot(x, y):
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def times(matrix, x):
    return [dot(row, x) for row in matrix]


def score_table(tokens, matrix):
    return [[dot(times(matrix, x), y) for y in tokens] for x in tokens]


def moved(tokens, neighbours, weights, step):
    """Every token moved towards the weighted mean of its neighbours by the matrix `step`."""
    after = []
    for i, x in enumerate(tokens):
        total = sum(weights[i][j] for j in neighbours[i])
        mean = [sum(weights[i][j] * tokens[j][a] for j in neighbours[i]) / total for a in range(len(x))]
        after.append([a + b for a, b in zip(x, times(step, [m - a for m, a in zip(mean, x, strict=True)]), strict=True)])
    return after


def within(scores, delta):
    return [[j for j, score in enumerate(row) if max(row) - score <= delta] for row in scores]


def ones(n):
    return [[Fraction(1)] * n for _ in range(n)]


def scaled(gamma, d):
    return [[gamma if a == b else Fraction(0) for b in range(d)] for a in range(d)]


def in_fractions(system):
    """The neighbours, the scores and the tokens after one step of the system."""
    data = {name: as_fractions(array.tolist()) for name, array in system.arrays().items()}
    if isinstance(system, HardmaxStep):
        tokens, matrix, weights, step, delta = data["x"], data["B"], data["selection"], data["P"], 0
    elif isinstance(system, LocalmaxStep):
        tokens, matrix, delta = data["z"], data["A"], data["delta"]
        weights, step = ones(len(tokens)), scaled(data["gamma"], len(tokens[0]))
    elif isinstance(system, ScheduledHardmax):
        t = min(int(data["t"]), len(data["gamma"]) - 1)
        tokens, matrix, weights, delta = data["x"], data["B"][t], data["selection"], 0
        step = scaled(data["gamma"][t], len(tokens[0]))
    else:
        t = min(int(data["t"]), len(data["gamma"]) - 1)
        tokens, matrix, delta = data["z"], data["A"], data["delta"][t]
        weights, step = ones(len(tokens)), scaled(data["gamma"][t], len(tokens[0]))
    scores = score_table(tokens, matrix)
    neighbours = within(scores, delta)
    return neighbours, scores, moved(tokens, neighbours, weights, step)


def as_fractions(values):
    return [as_fractions(value) for value in values] if isinstance(values, list) else fraction(rational(values))


# ---------------------------------------------------------------------------------------------------------------------
# Random systems


def numerators(rng, *shape, size=3):
    return rng.integers(-size, size + 1, shape).astype(object)


def tokens_of(kind, rng, n, d):
    """Tokens as nested lists of exact numbers."""
    x = numerators(rng, n, d, size=1000 if kind == "random" else 3)
    if kind in ("thirds", "sevenths", "random"):
        x = x * Fraction(1, {"thirds": 3, "sevenths": 7, "random": 1024}[kind])
    elif kind == "coincident":
        x[-1] = x[0]
    elif kind == "collinear":
        x = numerators(rng, n, 1) * x[:1]
    elif kind == "nearly tied":
        # Beyond the 53 bits of a float: the twin has a tie where there is none.
        x[-1] = x[0] * (1 + Fraction(1, 2**60))
    elif kind == "zero token":
        x[0] = 0 * x[0]
    return x.tolist()


def drawn(system, rng, turn):
    # Kinds in turn, so that each of them comes as often: by chance ties would be too rare to count.
    n, d, kind = int(rng.integers(1, 5)), int(rng.integers(1, 3)), KINDS[turn % len(KINDS)]
    tokens, matrix = tokens_of(kind, rng, n, d), numerators(rng, d, d, size=2)
    # A third each: any matrix, the identity, and one that is positive definite, as the papers mostly assume.
    if turn % 3:
        matrix = np.eye(d, dtype=int) + (turn % 3 - 1) * matrix @ matrix.T
    gamma = [Fraction(int(p), 7) for p in rng.integers(1, 7, 3)]
    delta = [Fraction(int(p), q) for p, q in zip(rng.integers(0, 10, 3), (1, 3, 9), strict=True)]
    if system is HardmaxStep:
        step = numerators(rng, d, d) * Fraction(1, 7)
        return HardmaxStep.instance(x=tokens, B=matrix, P=step, selection=rng.integers(1, 4, (n, n)))
    if system is LocalmaxStep:
        return LocalmaxStep.instance(z=tokens, A=matrix, gamma=gamma[0], delta=delta[0])
    if system is ScheduledHardmax:
        # Of three entries the last stays: steps 3 and 4 are beyond the end.
        return ScheduledHardmax.instance(x=tokens, B=[matrix, -matrix, matrix.T], gamma=gamma, t=turn % 5)
    return ScheduledLocalmax.instance(z=tokens, A=matrix, gamma=gamma, delta=delta, t=turn % 5)


def neighbours_of(system):
    if isinstance(system, LocalmaxStep | ScheduledLocalmax):
        return np.asarray(system.neighbours())
    return leaders(system.scores())


def as_lists(mask):
    return [np.flatnonzero(row).tolist() for row in mask]


def rounded_away(system, mask, exact_mask, scores):
    """Whether the float64 twin errs only at gaps that vanish, or are too small for it, beside the threshold."""
    delta = getattr(system, "delta", None)
    if isinstance(system, ScheduledLocalmax):
        delta = system.sensitivity()
    threshold = Fraction(0) if delta is None else fraction(delta.item())
    for i, j in zip(*np.nonzero(mask != exact_mask), strict=True):
        size = max([abs(score) for score in scores[i]] + [threshold, Fraction(1, 10**30)])
        if abs(max(scores[i]) - scores[i][j] - threshold) > ROUNDING * size:
            return False
    return True


@pytest.mark.parametrize("system", [HardmaxStep, LocalmaxStep, ScheduledHardmax, ScheduledLocalmax])
def test_three_implementations_agree_but_for_ties_that_float64_rounds(system):
    rng = np.random.default_rng([17, len(system.__name__)])
    ties = rounded = 0
    for turn in range(SYSTEMS):
        instance = drawn(system, rng, turn)
        neighbours, scores, after = in_fractions(instance)
        exact_mask, following = neighbours_of(instance), instance.step()
        place = "x" if hasattr(instance, "x") else "z"
        assert as_lists(exact_mask) == neighbours
        assert as_fractions(getattr(following, place).tolist()) == after
        ties += any(len(row) > 1 for row in neighbours)
        twin = instance.to(FLOAT64)
        mask = neighbours_of(twin)
        if (mask == exact_mask).all():
            expected = FLOAT64.convert(getattr(following, place))
            size = 1 + np.abs(FLOAT64.convert(getattr(instance, place))).max()
            assert np.abs(getattr(twin.step(), place) - expected).max() <= 1e-12 * size
        else:
            rounded += 1
            assert rounded_away(instance, mask, exact_mask, scores)
    print(f"{system.__name__}: {SYSTEMS} systems, {ties} with several neighbours, float64 rounded a tie in {rounded}")
    assert ties > SYSTEMS // 4
    assert 0 < rounded < SYSTEMS // 4


def test_a_twin_that_errs_at_a_plain_gap_is_noticed():
    system = HardmaxStep.instance(x=[[1, 0], [0, 1], [-1, 0]])
    neighbours, scores, _ = in_fractions(system)
    wrong = leaders_mask(neighbours)
    wrong[0, 2] = True
    assert not rounded_away(system, wrong, leaders_mask(neighbours), scores)


def leaders_mask(neighbours):
    mask = np.zeros((len(neighbours), len(neighbours)), dtype=bool)
    for i, row in enumerate(neighbours):
        mask[i, row] = True
    return mask


def test_the_frank_wolfe_step_is_that_of_the_fractions():
    rng = np.random.default_rng(5)
    for turn in range(10 * len(KINDS)):
        B = numerators(rng, 2, 2)
        B, x = B + B.T, tokens_of(KINDS[turn % len(KINDS)], rng, 4, 2)
        system = HardmaxStep.instance(x=x, B=-B, P=[["2/7", 0], [0, "2/7"]])
        _, _, after = in_fractions(system)
        found = frank_wolfe_step(system.x, -system.B, np.asarray(system.P[0, 0]))
        assert as_fractions(found.tolist()) == after
