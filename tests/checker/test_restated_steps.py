"""The checker's own steps: the suite's, on random exact instances, number by number."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import exact, exp, fraction, numbers
from dynamics.attention import attention, softmax
from dynamics.checker import steps as checker_steps
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.hardmax import HardmaxStep, frank_wolfe_step
from dynamics.tokens.localmax import RULES, LocalmaxStep
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax
from dynamics.tokens.schedules import ScheduledHardmax, ScheduledLocalmax
from dynamics.training.gradient_descent import LogisticDescent, PowerDescent
from tests.planting import bugs_in, finds_wrong

COUNT = 40


def fractions(array):
    """Nested lists of Fractions, a single one for a 0-d array."""
    values = np.asarray(array).tolist() if np.asarray(array).shape else np.asarray(array).item()

    def turned(value):
        return [turned(entry) for entry in value] if isinstance(value, list) else fraction(fmpq(value))

    return turned(values)


def drawn(seed, count=COUNT):
    """Tokens on a lattice, some of them at one place, with any matrices: ties are frequent."""
    rng = np.random.default_rng(seed)
    for turn in range(count):
        n, d = int(rng.integers(1, 6)), int(rng.integers(1, 4))
        x = rng.integers(-2, 3, (n, d))
        if turn % 3 == 0:
            # Two at one place: leaders come in pairs, and means count both.
            x[-1] = x[0]
        yield rng, turn, exact(x) / int(rng.integers(1, 4)), n, d


def matrix(rng, *shape):
    return exact(rng.integers(-2, 3, shape)) / int(rng.integers(1, 3))


def step_size(rng):
    # From -1/3 to 4/3: also none, all of the way, and beyond.
    return fmpq(int(rng.integers(-1, 5)), 3)


# ---------------------------------------------------------------------------------------------------------------------


def localmax_instances(seed):
    for rng, turn, z, _, d in drawn(seed, 2 * COUNT):
        delta = fmpq(int(rng.integers(0, 7)), 2)
        rule = turn % len(RULES)
        yield LocalmaxStep.instance(z=z, A=matrix(rng, d, d), gamma=step_size(rng), delta=delta, rule=rule)


def wrong_localmax(own=checker_steps):
    """Where the checker's localmax is not the suite's: neighbours, weights, averages or steps, under each of the rules."""
    for f in localmax_instances(1):
        z, A, gamma, delta, rule = map(fractions, (f.z, f.A, f.gamma, f.delta, f.rule))
        same = (
            own.localmax_heard(z, A, delta, int(rule)) == f.neighbours().tolist()
            and own.localmax_weights(z, A, delta, int(rule)) == fractions(f.weights())
            and own.localmax_targets(z, A, delta, int(rule)) == fractions(f.targets())
            and own.localmax_step(z, A, gamma, delta, int(rule)) == fractions(f.step().z)
            and own.shortfalls(own.table(z, A)) == fractions(f.gaps())
        )
        if not same:
            yield f.to_json()


def wrong_hardmax(own=checker_steps):
    """The same of hardmax with weights of leaders and a matrix for a step size, and of Frank-Wolfe."""
    for rng, _, x, n, d in drawn(2):
        selection = exact(rng.integers(1, 4, (n, n)))
        f = HardmaxStep.instance(x=x, B=matrix(rng, d, d), P=matrix(rng, d, d), selection=selection)
        tokens, B, P, weights = map(fractions, (f.x, f.B, f.P, f.selection))
        gamma = step_size(rng)
        same = (
            own.hardmax_targets(tokens, B, weights) == fractions(f.targets())
            and own.hardmax_step(tokens, B, P, weights) == fractions(f.step().x)
            and own.frank_wolfe_step(tokens, B, fraction(gamma)) == fractions(frank_wolfe_step(f.x, f.B, exact(gamma)))
        )
        scalar = f.replace(P=exact([[fmpq(1, 3) * (a == b) for b in range(d)] for a in range(d)]))
        if not same or own.hardmax_weights(tokens, B, weights) != fractions(scalar.averaging().W):
            yield f.to_json()


def wrong_schedules(own=checker_steps):
    """The same of schedules that end and stay, and of those that come back, a few steps beyond their end."""
    for rng, _, x, n, d in drawn(3, 20):
        T = int(rng.integers(1, 4))
        B, gamma, delta = matrix(rng, T, d, d), exact([step_size(rng) for _ in range(T)]), exact(rng.integers(0, 3, T))
        ones = [[Fraction(1)] * n for _ in range(n)]
        hard = ScheduledHardmax.instance(x=x, B=B, gamma=gamma)
        general = PreconditionedHardmax.instance(x=x, B=B, P=matrix(rng, T, d, d))
        lasting = ScheduledLocalmax.instance(z=x, A=B[0], gamma=gamma, delta=delta)
        periodic = PeriodicLocalmax.instance(z=x, A=B[0], gamma=gamma, delta=delta)
        first, second, third, fourth = (fractions(x),) * 4
        A, gammas, deltas, Bs, Ps = map(fractions, (B[0], gamma, delta, B, general.P))
        # Beyond the end of the schedule, where one of them stays and the other comes back.
        for t in range(T + 3):
            rate = own.lasting(gammas, t)
            P = [[rate if a == b else Fraction(0) for b in range(d)] for a in range(d)]
            first = own.hardmax_step(first, own.lasting(Bs, t), P, ones)
            second = own.hardmax_step(second, own.lasting(Bs, t), own.lasting(Ps, t), ones)
            third = own.localmax_step(third, A, own.lasting(gammas, t), own.lasting(deltas, t), 0)
            fourth = own.localmax_step(fourth, A, own.recurring(gammas, t), own.recurring(deltas, t), 0)
            hard, general, lasting, periodic = (f.step() for f in (hard, general, lasting, periodic))
            found = tuple(map(fractions, (hard.x, general.x, lasting.z, periodic.z)))
            if found != (first, second, third, fourth):
                yield hard.to_json(), t


def wrong_softmax(own=checker_steps):
    """The same of softmax steps and of gradient descent, whose balls must meet: what is exact must be the same."""

    def exponential(x):
        return exp(numbers(x)).item()

    def differ(ours, theirs):
        pairs = zip(np.array(ours, dtype=object).flat, np.asarray(theirs).flat, strict=True)
        return any(
            not (a == b if isinstance(b, fmpq) and isinstance(a, fmpq) else arb(a).overlaps(arb(b))) for a, b in pairs
        )

    for rng, _, x, n, _ in drawn(4, 30):
        f = SoftmaxStep.instance(x=x, beta=fmpq(int(rng.integers(-2, 3))), gamma=step_size(rng))
        rows = f.x.tolist()
        scores = [[f.beta.item() * own.inner(p, q) for q in rows] for p in rows]
        weights = [own.softmax(row, i, exponential) for i, row in enumerate(scores)]
        if differ(weights, softmax(exact(scores))) or differ(own.softmax_step(rows, f.gamma.item(), weights), f.step().x):
            yield f.to_json()
        if differ([own.attention(q, rows, 0, exponential) for q in rows], attention(f.x, f.x)):
            yield f.to_json()
        u, a, K, rate = x[:, 0], exact(rng.integers(1, 4, n)), fmpq(2), fmpq(1, 3)
        k = int(rng.integers(1, 4))
        for g in (
            LogisticDescent.instance(u=u, a=a, K=K, rate=rate),
            PowerDescent.instance(u=u, a=a, K=K, rate=rate, k=k),
        ):
            s, slopes = own.power_shares(a.tolist(), k) if isinstance(g, PowerDescent) else (g.s.tolist(),) * 2
            moved = own.descended(u.tolist(), a.tolist(), s, slopes, K, rate, exponential)
            if differ(moved[0], g.step().u) or differ(moved[1], g.step().a):
                yield g.to_json()


PARTS = {"localmax": wrong_localmax, "hardmax": wrong_hardmax, "schedules": wrong_schedules, "softmax": wrong_softmax}


@pytest.mark.parametrize("part", PARTS)
def test_the_steps_are_those_of_the_suite(part):
    assert next(iter(PARTS[part]()), None) is None


@bugs_in(checker_steps, share=10)
def test_a_planted_bug_is_caught(bug):
    assert finds_wrong(PARTS.values(), bug.planted())
