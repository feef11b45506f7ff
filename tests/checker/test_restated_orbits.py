"""The checker's own orbits: the suite's findings, found again; and every planted bug is caught by one of these facts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from claims.instances.draws import SeededDraws
from claims.localmax.setting import recurring, starts
from dynamics import findings
from dynamics.arithmetic import exact
from dynamics.checker import orbits as checker_orbits
from dynamics.checker import steps as checker_steps
from dynamics.orbits.boxed import lasting_turn
from dynamics.orbits.cycles import limit_points, recurrence
from dynamics.orbits.drifting_tails import drifting_tails
from dynamics.orbits.final_neighbours import NotSettledError, settle
from dynamics.orbits.periodic_ends import periodic_end
from dynamics.orbits.vanishing_sensitivity import harmonic_limits
from dynamics.tokens.averaging import Averaging
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax
from tests.checker.test_restated_steps import fractions
from tests.orbits.test_final_neighbours import systems
from tests.orbits.test_gathering import KNOWN, by_checker
from tests.planting import LONG, bugs_in, finds_wrong, one_in

STEPS = 12
"""Steps in which an end is looked for."""

DRAWN = 90 if LONG else 54


def averages(own, state):
    now = state if isinstance(state, Averaging) else state.averaging()
    return own.Averages(*map(fractions, (now.z, now.A, now.gamma, now.delta, now.W)))


def phase(own, state):
    return averages(own, state.phase())


def onwards(state):
    while True:
        yield state
        state = state.step()


def told(function, *given):
    """What the suite tells of an orbit; None where it does not know."""
    with findings.listening() as found:
        try:
            function(*given)
        except NotSettledError:
            return None
    return found[-1]


def ended(ending):
    return {
        "since": ending.since,
        "neighbours": ending.attended,
        "closed": ending.classes,
        "limits": findings.plain(ending.limits),
        "rates": findings.plain(ending.rates),
    }


def ours(own, function, *given):
    try:
        return function(*given)
    except own.OpenError:
        return None


def apart(theirs, found, form):
    """Whether one knows what the other does not, or something else."""
    if theirs is None or found is None:
        return (theirs is None) != (found is None)
    return any(theirs[name] != value for name, value in form(found).items())


def drawn(start, seed, count):
    for turn in range(count):
        yield start(SeededDraws(np.random.default_rng(seed + turn), small=True, turn=turn))


# ---------------------------------------------------------------------------------------------------------------------


def wrong_ends(own):
    """Orbits of which the checker does not find the end that the suite tells: step, neighbours, classes, limits, rates."""
    # Lattice starts have ties, mirrored pairs cancel, the last two are decided at the very edge.
    pool = [*systems(1, DRAWN), *drawn(starts.lattice_start, 5, DRAWN // 3), *drawn(starts.mirrored_pair, 0, 4)]
    pool += [*drawn(starts.third_at_the_brink, 0, 6), *drawn(starts.between_uneven_vertices, 0, 6)]
    for system in pool:
        theirs = told(settle, system, STEPS)
        found = ours(own, own.settled, onwards(system), STEPS, lambda f: averages(own, f))
        if apart(theirs, found, lambda pair: ended(pair[1])):
            yield system.to_json(), theirs


def wrong_cycles(own):
    """The same of cycles of neighbours, of schedules that recur, and of exact recurrence."""
    for system in (*drawn(starts.cycling_start, 0, 3), *drawn(starts.lattice_start, 90, 3)):
        found = ours(own, own.limit_cycle, onwards(system), 10, 3, lambda f: averages(own, f))
        theirs = told(limit_points, system, 10, 3)
        # A cycle of one phase is an end, which is compared with `wrong_ends`.
        if len(theirs["limits"] if theirs else "") != 1 and apart(theirs, found, ended):
            yield system.to_json()
    for system in drawn(recurring.recurring_start, 0, 12):
        found = ours(own, own.periodic_turn, onwards(system), 8, system.period, 2, lambda f: phase(own, f))
        if apart(told(periodic_end, system, 8, 2), found, lambda pair: ended(pair[1])):
            yield system.to_json()
    for system in drawn(starts.lattice_start, 40, 8):
        start = system.replace(gamma=exact(1))
        found = ours(own, own.recurrence, onwards(start), 6, lambda f: f.z.tolist())
        if apart(told(recurrence, start, 6), found, lambda pair: {"since": pair[0], "period": len(pair[1])}):
            yield start.to_json()


def wrong_rules(own):
    """The same of turns under the other rules for neighbours, and under a sensitivity c / (k + 1)."""
    for turn, system in enumerate(
        (*drawn(starts.lattice_start, 60, 20 if LONG else 7), *drawn(starts.cycling_start, 0, 2))
    ):
        # The other rules: 0 is the one of all that is above.
        f = system.replace(rule=np.array(1 + turn % 5))

        def under_rule(now):
            return own.Averages(*map(fractions, (now.z, now.A, now.gamma, now.delta, now.weights())))

        found = ours(own, own.boxed_turn, onwards(f), 8, 3, f.which, under_rule)
        if apart(told(lasting_turn, f, 8, 3), found, lambda pair: ended(pair[1])):
            yield f.to_json()
        g = HarmonicLocalmax(z=system.z, A=system.A, gamma=system.gamma, c=system.delta, k=np.array(turn % 3))
        found = ours(own, own.harmonic_end, onwards(g), 12, turn % 3, lambda now: averages(own, now.now()))
        if apart(told(harmonic_limits, g, 12), found, ended):
            yield g.to_json()


def wrong_drifts(own):
    """The same of offsets that shrink like k (1 - gamma)^k."""
    pool = [*drawn(starts.mirrored_pair_on_the_move, 0, 8), *drawn(starts.hardmax_start, 3, 10)]
    for system in pool:
        try:
            theirs = told(drifting_tails, system, 4)
        except ValueError:
            continue
        now = system
        for _ in range(4):
            now = now.step()
        found = own.drifting(averages(own, now), 4)

        def form(drift):
            parts = {name: findings.plain(getattr(drift, name)) for name in ("limits", "offsets", "drift")}
            return parts | {"since": drift.since, "neighbours": drift.attended}

        if apart(theirs, found, form):
            yield system.to_json()


def linear_motion(now, steps):
    """z, M z, M^2 z, ... with the matrix M of the step."""
    found, M = [now.z], checker_orbits.step_matrix(now)
    for _ in range(steps):
        found.append(checker_orbits.product(M, found[-1]))
    return found


def wrong_rates(own):
    """0/1 averages of three tokens, offsets in {-1, 0, 1}: rates, of a step and of a turn, that do not last."""
    masks = [[int(c) for c in f"{k:03b}"] for k in range(1, 8)]
    rows = [[Fraction(c, sum(mask)) for c in mask] for mask in masks]
    gamma, one = Fraction(1, 3), [[Fraction(1)]]
    for turn, index in enumerate(one_in(4, np.ndindex(7, 7, 7))):
        W = [rows[k] for k in index]
        other = [rows[(k + turn) % 7] for k in index]
        for place, entries in enumerate(np.ndindex(3, 3, 3)):
            # A third of the offsets for each matrix, another third for the next.
            if (turn + place) % 3:
                continue
            e = [[Fraction(entry - 1)] for entry in entries]
            now, then = (own.Averages(e, one, gamma, gamma, weights) for weights in (W, other))
            product = checker_orbits.turns([now, then])[0]
            for rates, M in (
                (own.step_rates(now, e), checker_orbits.step_matrix(now)),
                (own.turn_rates(product, e), product),
            ):
                if all(rate is None for rate in rates):
                    continue
                offsets = e
                for k in range(1, 3):
                    offsets = checker_orbits.product(M, offsets)
                    for rate, offset, first in zip(rates, offsets, e, strict=True):
                        if rate is not None and offset != [rate**k * value for value in first]:
                            yield W, entries


def wrong_positives(own):
    """Small terms of every sign with a large one before them: what is said to stay positive and does not."""
    small = (-1, 0, 1)
    for keep, *terms in product((Fraction(1, 2), Fraction(4, 5)), (0, 1, 20), (0, 1, 20), small, small, small, small):
        if own.stays_positive(list(map(Fraction, terms)), keep):
            a_0, a_1, b_1, a_2, b_2, c_2 = terms
            for k in (0, 1, 2, 3, 5, 9, 30):
                t = keep**k
                if a_0 + t * (a_1 + k * b_1) + t * t * (a_2 + k * b_2 + k * k * c_2) <= 0:
                    yield keep, terms


def wrong_futures(own, count=150 if LONG else 60, steps=12):
    """Random averages and thresholds that are met at a step or in the limit: predictions that fail at one of the steps."""
    rng = np.random.default_rng(9)
    for turn in range(count):
        n, d = 3, 1 + turn % 2
        weights = rng.integers(0, 3, (n, n)) * rng.integers(0, 2, (n, n))
        # Everybody hears somebody: a row of zeros is no average.
        weights[weights.sum(axis=1) == 0, rng.integers(n)] = 1
        W = [[Fraction(int(value), int(sum(row))) for value in row] for row in weights]
        z, A = (fractions(exact(rng.integers(-4, 5, shape))) for shape in ((n, d), (d, d)))
        gamma = Fraction(*((1, 2), (1, 3), (3, 4))[turn % 3])
        states = linear_motion(own.Averages(z, A, gamma, gamma, W), steps)
        limits = checker_orbits.limits_of(W, z)
        offsets = [checker_steps.minus(p, s) for p, s in zip(z, limits, strict=True)]
        for i, l, j in ((int(a), int(b), int(c)) for a, b, c in rng.integers(n, size=(3, 3))):
            values = [
                checker_steps.inner(checker_steps.image(A, x[i]), checker_steps.minus(x[l], x[j]))
                for x in (*states, limits)
            ]
            # Thresholds that are met exactly at a step, or only in the limit: there > and >= part.
            for delta in {values[0], values[1], values[2], values[-1], (values[0] + values[-1]) / 2}:
                now = own.Averages(z, A, gamma, delta, W)
                future = own.Future(now, limits, checker_orbits.step_rates(now, offsets))
                if future.at_most_zero(i, l, j) and any(value > delta for value in values[:-1]):
                    yield turn, "at most", delta
                if future.above_zero(i, l, j) and any(value <= delta for value in values[:-1]):
                    yield turn, "above", delta


def wrong_boxes(own, count=120 if LONG else 60, steps=5):
    """Scores that leave their boxes, and neighbours under any rule that are not what boxes said for certain."""
    rng = np.random.default_rng(6)
    for turn in range(count):
        n, d, rule = 3, 1 + turn % 2, turn % 6
        weights = rng.integers(0, 3, (n, n)) * rng.integers(0, 2, (n, n))
        weights[weights.sum(axis=1) == 0, rng.integers(n)] = 1
        W = [[Fraction(int(value), int(sum(row))) for value in row] for row in weights]
        z, A = (fractions(exact(rng.integers(-3, 4, shape))) for shape in ((n, d), (d, d)))
        now = own.Averages(z, A, Fraction(1, 2), Fraction(0), W)
        limits = checker_orbits.limits_of(W, z)
        box = own.Box(now, limits, lambda l, j: l == j)
        states = [*linear_motion(now, steps), limits]
        gaps = [checker_steps.shortfalls(checker_steps.table(state, A)) for state in states]
        i, j = (int(k) for k in rng.integers(n, size=2))
        low, high = box.gap(i, j)
        if any(not low <= gap[i][j] <= high for gap in gaps):
            yield turn, "gap"
        scores = [checker_steps.table(state, A)[i][j] for state in states]
        if any(not box.score(i, j)[0] <= score <= box.score(i, j)[1] for score in scores):
            yield turn, "score"
        # At the ends of a box, where certain ends and open begins.
        for delta in {high, low, gaps[0][i][j], gaps[-1][i][j], Fraction(int(rng.integers(0, 4)), 2)}:
            if delta < 0:
                continue
            attended = [checker_steps.localmax_heard(state, A, delta, rule)[i][j] for state in states]
            near, far = own.certain(box, delta, rule, i, j)
            if (near and not all(attended)) or (far and any(attended)):
                yield turn, rule, delta


def wrong_falls(own, steps=12):
    """Neighbours that are said to be final under a sensitivity that falls like 1 / (k + 1), and are not."""
    rows = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(1, 2)] * 2]
    one, third = [Fraction(1), Fraction(0), Fraction(0)], [Fraction(1, 3)] * 3
    # A token that rests between two, at a gap that does not shrink.
    starts = [
        ([[Fraction(3)], [Fraction(-2)], [Fraction(1, 2)]], [[Fraction(1)]], [one, [*one[1:2], *one[:1], *one[2:]], third])
    ]
    for p, q, a, first, second in one_in(4, np.ndindex(7, 7, 3, 3, 3)):
        starts.append(([[Fraction(p - 3)], [Fraction(q - 3)]], [[Fraction((1, -1, 2)[a])]], [rows[first], rows[second]]))
    for turn, (z, A, W) in enumerate(starts):
        gamma, k = Fraction(*((1, 4), (1, 2), (3, 4))[turn // 9 % 3]), turn // 27 % 2
        motion = linear_motion(own.Averages(z, A, gamma, gamma, W), steps)
        gaps = [checker_steps.shortfalls(checker_steps.table(state, A)) for state in motion]
        for delta in {value for row in gaps[0] for value in row} | {value for row in gaps[1] for value in row}:
            if own.harmonic(own.Averages(z, A, gamma, delta, W), k) is None:
                continue
            for m, table in enumerate(gaps):
                now = delta * (k + 1) / (k + 1 + m)
                if [[gap <= now for gap in row] for row in table] != [[weight != 0 for weight in row] for row in W]:
                    yield z, W, delta, m


def wrong_tails(own):
    """Tails (1 - gamma)^k (e + k b) that tokens do not have, and coefficients that do not add up to their scores."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        n, d = 3, int(rng.integers(1, 3))
        z, A, *parts = (fractions(exact(rng.integers(-3, 4, shape))) for shape in ((n, d), (d, d), *[(n, d)] * 3))
        weights = rng.integers(1, 4, (n, n))
        W = [[Fraction(int(value), int(sum(row))) for value in row] for row in weights]
        now = own.Averages(z, A, Fraction(1, 3), Fraction(1000), W)
        found = own.drifting(now)
        for k, state in enumerate(linear_motion(now, 3) if found else ()):
            keep = Fraction(2, 3) ** k
            pairs = zip(state, found.limits, found.offsets, found.drift, strict=True)
            if any(p != [s + keep * (e + k * b) for s, e, b in zip(*row, strict=True)] for p, *row in pairs):
                yield W, k
        terms, t, k = own.drift_terms(now, tuple(parts), 0, 1, 2), Fraction(1, 5), 3
        points = [[s + t * (e + k * b) for s, e, b in zip(*row, strict=True)] for row in zip(*parts, strict=True)]
        score = checker_steps.inner(checker_steps.image(A, points[0]), checker_steps.minus(points[1], points[2]))
        powers = (1, t, t * k, t * t, t * t * k, t * t * k * k)
        if sum(c * power for c, power in zip(terms, powers, strict=True)) != score - now.delta:
            yield parts


def wrong_unions(own):
    """Tokens at one place that are said to stay together, and part: under hardmax whose weights choose among leaders."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, d = int(rng.integers(3, 6)), int(rng.integers(1, 3))
        x = rng.integers(-1, 2, (n, d))
        # Two at one place from the start: only such can be said to stay together.
        x[1] = x[0]
        z, B = fractions(exact(x)), fractions(exact(rng.integers(-1, 2, (d, d))))
        selection = fractions(exact(rng.integers(1, 3, (n, n))))
        now = own.Averages(z, B, Fraction(1, 2), Fraction(0), checker_steps.hardmax_weights(z, B, selection))
        after = own.product(own.step_matrix(now), z)
        # In the next phase others may be chosen among the leaders.
        selection = fractions(exact(rng.integers(1, 3, (n, n))))
        later = own.Averages(after, B, Fraction(1, 2), Fraction(0), checker_steps.hardmax_weights(after, B, selection))
        last = own.product(own.step_matrix(later), after)
        for l in range(n):
            for j in range(n):
                if own.together(now, [now], l, j) and after[l] != after[j]:
                    yield x.tolist()
                if own.together(now, [now, later], l, j) and last[l] != last[j]:
                    yield x.tolist()


def wrong_signs(own):
    """Polynomials whose sign on (0, 1], or along the powers of a number, is not what was said to be certain."""
    grid = [Fraction(k, 24) for k in range(1, 25)]
    cases = [(a, b, c) for a in range(-2, 3) for b in range(-5, 6) for c in range(-2, 7)]
    for a, b, c in cases:
        values = [a + b * t + c * t * t for t in grid]
        exactly = [Fraction(v) for v in (a, b, c)]
        if own.positive_on_unit_interval(exactly) and not all(value > 0 for value in values):
            yield "positive", a, b, c
        never_below = own.positive_on_unit_interval(exactly, strictly=False)
        if never_below and not all(value >= 0 for value in values):
            yield "nonnegative", a, b, c
        # Below the parabola's least value on the grid by more than the grid may hide, both must be certain.
        if all(value > Fraction(1, 8) for value in values) and a > 0 and not own.positive_on_unit_interval(exactly):
            yield "not seen", a, b, c
        # Where no coefficient is positive the answer is plain, and it may not be left open.
        if never_below != (a > 0 or (a, b, c) == (0, 0, 0)) and a <= 0 and b <= 0 and c <= 0:
            yield "of one sign", a, b, c
    for m in (1, 2):
        for q in (Fraction(1, 2), Fraction(9, 10), Fraction(1, 100)):
            if own.highest(m, q) != max(Fraction(k) ** m * q**k for k in range(60)):
                yield m, q


def wrong_limits(own):
    """Limits of averages that many steps do not lead to."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        n = int(rng.integers(1, 6))
        weights = rng.integers(0, 3, (n, n)) * rng.integers(0, 2, (n, n))
        weights[weights.sum(axis=1) == 0, 0] = 1
        W, z = weights / weights.sum(axis=1, keepdims=True), rng.integers(-5, 6, (n, 2))
        after = np.linalg.matrix_power((np.eye(n) + W) / 2, 4000) @ z
        rows = [[Fraction(int(value), int(sum(row))) for value in row] for row in weights]
        found = own.limits_of(rows, fractions(exact(z)))
        if not np.allclose(np.array(found, dtype=float), after, atol=1e-9):
            yield weights.tolist()
        for members in own.closed_classes(rows):
            if any(found[i] != found[members[0]] for i in members) or rows[members[0]][members[0]] == 2:
                yield members


def wrong_gatherings(own):
    """Hardmax runs of which it is known, on both sides of each edge, whether they gather at 0."""
    for states, known in KNOWN:
        if by_checker(own)(states) is not known:
            yield states[0].to_json()


PARTS = {
    "gatherings": wrong_gatherings,
    "limits": wrong_limits,
    "signs": wrong_signs,
    "unions": wrong_unions,
    "tails": wrong_tails,
    "futures": wrong_futures,
    "boxes": wrong_boxes,
    "falls": wrong_falls,
    "rates": wrong_rates,
    "positives": wrong_positives,
    "drifts": wrong_drifts,
    "rules": wrong_rules,
    "cycles": wrong_cycles,
    "ends": wrong_ends,
}
"""What can be wrong, what is found out soonest first."""


@pytest.mark.parametrize("part", PARTS)
def test_what_becomes_of_orbits_is_found_again(part):
    assert next(iter(PARTS[part](checker_orbits)), None) is None


def test_the_findings_are_not_vacuous():
    """Ends of every kind are met: at once and later, with and without rates, cycles, recurring steps, drifts."""
    ends = [told(settle, system, STEPS) for system in systems(1, DRAWN)]
    known = [end for end in ends if end is not None]
    assert len(known) > 4 * DRAWN / 9
    assert any(end["since"] > 2 for end in known)
    assert any(None in end["rates"][0] for end in known)
    assert any(len(members) > 1 for end in known for members in end["closed"][0])
    assert any(told(limit_points, system, 10, 3)["limits"][1:] for system in drawn(starts.cycling_start, 0, 3))
    assert any(told(drifting_tails, system, 4) for system in drawn(starts.mirrored_pair_on_the_move, 0, 8))


def test_a_step_size_of_one_is_refused():
    now = checker_orbits.Averages([[Fraction(1)]], [[Fraction(1)]], Fraction(1), Fraction(0), [[Fraction(1)]])
    for decide in (checker_orbits.final, lambda n: checker_orbits.repeated([n])):
        with pytest.raises(ValueError, match="step size"):
            decide(now)
    assert checker_orbits.drifting(now) is None


@bugs_in(checker_orbits, share=20)
def test_a_planted_bug_is_caught(bug):
    # A bug that only a late part finds out names it: the parts before take a second.
    assert finds_wrong(bug.asked(PARTS.values()), bug.planted())
