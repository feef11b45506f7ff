"""Groups on a line: what boxes certify against one step of the chain in mpmath, and against simulated runs."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import FLOAT64, exact, fraction, rational, working_precision
from dynamics.attention import softmax
from dynamics.enclosures.escapes import simulate_escapes
from dynamics.escapes import boxes, groups
from dynamics.escapes.boxes import Cell, NotOnALineError, line_of, upper_bound
from dynamics.escapes.counting import strays
from dynamics.escapes.groups import (
    NoExponentError,
    _negligible,
    bounded_mean,
    boxed_mean,
    chance_at_most,
    counted_mean,
    exponent_of_groups,
    first_stray,
    phase_of,
    shrinking_bound,
    sides_of,
)
from dynamics.escapes.proposals import bits_of, cells_of, proposal
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import TRIANGLE, lopsided, plane_pair
from tests.planting import LONG, asked_of, facts_above


def two_and_one(beta=4, gamma="1/8", eps="1/3", x=("1", "1", "-1")):
    """Two tokens near one vertex, and one at the other."""
    return AttentionChain.instance(
        v=[[1], [-1]], x=[[a] for a in x], group=[0, 0, 1], beta=beta, gamma=gamma, eps=eps
    )  # fmt: skip


def two_and_two(beta=4):
    """Two tokens at each vertex."""
    return AttentionChain.instance(
        v=[[1], [-1]], x=[[1], [1], [-1], [-1]], group=[0, 0, 1, 1], beta=beta, gamma="1/8", eps="1/3"
    )  # fmt: skip


def tilted():
    """Two pairs in the plane, on a line that does not meet the origin; the edges of the tubes are irrational."""
    return AttentionChain.instance(
        v=[[1, 0], [0, 1]], x=[[1, 0], ["9/10", "1/10"], [0, 1], [0, 1]], group=[0, 0, 1, 1], beta=3, gamma="1/3", eps="2/5"
    )


def number(value):
    return mpmath.mpf(int(value.p)) / int(value.q)


def exactly(value):
    """An exact ball as a number of mpmath."""
    mantissa, exponent = value.man_exp()
    return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))


def reached(chain, line, found, places):
    """One step from a point of the line in mpmath: chances, and the states whose boxes hold where it leads."""
    labels, beta, gamma = chain.group.tolist(), number(chain.beta.item()), chain.gamma.item()
    heights = [number(line.offset + s * line.square) for s in places]
    rows = [[mpmath.exp(beta * height * number(s)) for s in places] for height in heights]
    rows = [[w / mpmath.fsum(row) for w in row] for row in rows]
    ends = []
    for picks in product(range(len(places)), repeat=len(places)):
        after = [s + gamma * (places[j] - s) for s, j in zip(places, picks, strict=True)]
        holding = [
            [k for k, cell in enumerate(found.cells[label]) if cell.low <= s <= cell.high]
            for s, label in zip(after, labels, strict=True)
        ]
        states = [tuple(sorted(zip(labels, state, strict=True))) for state in product(*holding)]
        ends.append((mpmath.fprod(rows[i][j] for i, j in enumerate(picks)), states))
    return ends


CASES = {
    "wide": (two_and_one(), {0: 1, 1: 1}), "even": (two_and_one(), {0: 4, 1: 2}), "fine": (two_and_one(), {0: 10, 1: 1}),
    "spread": (two_and_one(x=("1", "7/8", "-1")), {0: 2, 1: 2}), "tilted": (tilted(), {0: 1, 1: 1}),
    "one cell": (two_and_two(), {0: 3, 1: 0}),
}  # fmt: skip


def fact_gains_hold_at_points(module):
    gains_hold(module, "wide", 6)
    gains_hold(module, "wide", 6, negligible=2.0)
    gains_hold(module, "even", 20)
    gains_hold(module, "one cell", 3)
    gains_hold(module, "fine", 30)


def gains_hold(module, name, points, draws=4, negligible=1e-3):
    """At points of boxes h - P h is between what is certified, whatever h is at places that several boxes hold."""
    chain, counts = CASES[name]
    labels, rng = chain.group.tolist(), np.random.default_rng(5)
    with working_precision(160), mpmath.workdps(60):
        line = module.line_of(chain)
        found = module.Boxes(chain, line, cells_of(chain, line, counts), arb(negligible))
        for number_of in rng.permutation(len(found.states))[:points]:
            state = found.states[number_of]
            ends = [found.cells[label][k] for label, k in zip(labels, state, strict=True)]
            # Corners and edges of boxes more often than their insides: there several boxes hold a place.
            shares = [fmpq(int(rng.choice([0, 1, 2, 4, 4])), 4) for _ in ends]
            after = reached(
                chain, line, found, [c.low + share * (c.high - c.low) for c, share in zip(ends, shares, strict=True)]
            )
            for _ in range(draws):
                # Any h, with many zeros or few: a bound that holds for smooth ones alone is seen.
                values = rng.integers(1, 10**6, len(found.states)) * (rng.random(len(found.states)) < rng.random())
                h = {one: arb(int(value)) for one, value in zip(found.states, values, strict=True)}
                known = {
                    tuple(sorted(zip(labels, one, strict=True))): int(value) for one, value in zip(h, values, strict=True)
                }
                here = int(values[number_of])
                low = module.least_gain(found.departure(state), state, h, arb(int(values.max())))
                high = module.greatest_gain(found.departure(state), state, h)
                least, most = (
                    mpmath.fsum(
                        chance * (choose(known[one] for one in states) if states else 0) for chance, states in after
                    )
                    for choose in (min, max)
                )
                assert exactly(low.mid()) <= here - least
                assert here - most <= exactly(high.mid())


def fact_chances_are_those_of_a_step(module):
    """At points that are cells the bounds of a chance agree, and all chances add up to 1."""
    chain = two_and_one()
    with working_precision(128):
        line = module.line_of(chain)
        found = module.Boxes(chain, line, cells_of(chain, line, {0: 2, 1: 2}), arb(0))
        start = found.departure(found.at(line.coordinates))
        assert len(start.terms) == 7  # three picks that may go elsewhere
        # exp(4) for each of two, exp(-4) for the third; and the other way about.
        stray, lone = 1 / (2 * arb(8).exp() + 1), 2 / (2 + arb(8).exp())
        leave = 1 - (1 - stray) ** 2 * (1 - lone)
        assert sum((term.low for term in start.terms), arb(0)) <= leave.upper()
        assert leave.lower() <= sum((term.high for term in start.terms), arb(0))
        assert all(term.high - term.low < term.high * arb(10) ** -20 for term in start.terms)
        everywhere = [found.departure(state) for state in found.states]
        assert all(term.low <= term.high for one in everywhere for term in one.terms)


def fact_chances_hold_at_points(module):
    """At corners of boxes the chances of picks with the same cells add up to what is between the bounds of their option."""
    for name in ("wide", "spread", "one cell"):
        chain, counts = CASES[name]
        labels, beta, rng = chain.group.tolist(), number(chain.beta.item()), np.random.default_rng(3)
        with working_precision(160), mpmath.workdps(60):
            line = module.line_of(chain)
            found = module.Boxes(chain, line, cells_of(chain, line, counts), arb(0))
            for state in [found.states[k] for k in rng.permutation(len(found.states))[:6]]:
                cells = [found.cells[label][k] for label, k in zip(labels, state, strict=True)]
                for i in range(len(state)):
                    keys = [
                        ((state[i],), True) if j == i else found._covered(labels[i], state[i], cells[i], cell)
                        for j, cell in enumerate(cells)
                    ]
                    bounds = {option[:2]: option[2:] for option in found._options(state, i)}
                    for ends in product(*({cell.low, cell.high} for cell in cells)):
                        height = number(line.offset + ends[i] * line.square)
                        row = [mpmath.exp(beta * height * number(s - ends[i])) for s in ends]
                        for key, (low, high) in bounds.items():
                            chance = mpmath.fsum(w for w, other in zip(row, keys, strict=True) if other == key)
                            assert exactly(low) <= chance / mpmath.fsum(row) <= exactly(high)


def fact_dropped_picks_have_no_more_than_the_chance_told(module):
    """Picks that are listed without a limit, and are not with one, have together at most the chance that is told."""
    for name in ("wide", "spread"):
        chain, counts = CASES[name]
        with working_precision(128):
            line = module.line_of(chain)
            cells = cells_of(chain, line, counts)
            whole, cut = (module.Boxes(chain, line, cells, arb(limit)) for limit in (0, 1e-2))
            lost = arb(0)
            for state in whole.states:
                every, few = whole.departure(state), cut.departure(state)
                kept = [(term.inside, term.low.mid(), term.high.mid()) for term in few.terms]
                dropped = [one for one in every.terms if (one.inside, one.low.mid(), one.high.mid()) not in kept]
                # What is kept is among what was listed: nothing is changed by the limit.
                assert len(dropped) == len(every.terms) - len(few.terms)
                assert sum((term.low for term in dropped), arb(0)).lower() <= few.dropped.upper()
                lost += few.dropped
            assert lost > 0


def fact_cells_must_hold_the_tubes(module):
    """Cells with a gap, or that end inside a tube, are refused; h counts nothing outside and nothing negative."""
    chain = two_and_one()
    with working_precision(128):
        line = module.line_of(chain)
        cells = cells_of(chain, line, {0: 3, 1: 2})
        last = cells[0][-1]
        kinds = {
            "gap": {0: [*cells[0][:1], *cells[0][2:]], 1: cells[1]},
            "cut": {0: cells[0][:-1], 1: cells[1]},
            "cut below": {0: cells[0], 1: cells[1][1:]},
            "to and fro": {0: [*cells[0], Cell(last.high, last.low), last], 1: cells[1]},
            "reversed": {0: [Cell(one.high, one.low) for one in cells[0]], 1: cells[1]},
        }
        for found in kinds.values():
            with pytest.raises(ValueError, match="the cells of group"):
                module.Boxes(chain, line, found, arb(0))
        found = module.Boxes(chain, line, cells, arb(10) ** -9)
        h = proposal(found, upwards=True)
        bound = module.upper_bound(found, h)
        assert bound.is_finite()
        start = found.at(line.coordinates)
        # A bound is the same for every multiple of h.
        assert module.upper_bound(found, {state: 2 * value for state, value in h.items()}).overlaps(bound)
        # Where h does not fall on the way out it bounds nothing.
        assert not module.upper_bound(found, dict.fromkeys(h, arb(10)) | {start: arb(1)}).is_finite()
        assert not any(module.upper_bound(found, h | {state: arb("nan")}).is_finite() for state in list(h)[:8])
        edge = max(cells[0][0].low, cells[0][0].high - fmpq(1, 100))
        longer = {
            0: [Cell(edge - 1, cells[0][0].low), *cells[0]],
            1: [*cells[1], Cell(cells[1][-1].high, cells[1][-1].high + 1)],
        }
        wide = module.Boxes(chain, line, longer, arb(10) ** -9)
        assert module.lower_bound(wide, dict.fromkeys(wide.states, arb(1))) == 0
        least = proposal(found, upwards=False)
        assert 0 < module.lower_bound(found, least) <= bound
        assert module.lower_bound(found, {state: -value for state, value in least.items()}) == 0
        assert module.lower_bound(found, least | {start: arb("inf")}) == 0
        assert not all(wide.is_inside(state) for state in wide.states)


def fact_what_reaches_beyond_a_tube_is_not_inside(module):
    """At one end of one group alone, by much or by little, in a cell of its own or in one that begins inside."""
    chain, far = two_and_one(), fmpq(1, 6)
    line = module.line_of(chain)
    for label, sign, more, apart in product((0, 1), (-1, 1), (fmpq(1), fmpq(1, 10**12)), (False, True)):
        cells = {one: [Cell(one - far, fmpq(one)), Cell(fmpq(one), one + far)] for one in (0, 1)}
        edge = label + sign * far
        own = sorted([edge if apart else fmpq(label), edge + sign * more])
        whole = cells[label] if apart else [cell for cell in cells[label] if edge not in (cell.low, cell.high)]
        cells[label] = sorted([*whole, Cell(*own)], key=lambda cell: cell.low)
        found = module.Boxes(chain, line, cells, arb(10) ** -9)
        beyond = cells[label].index(Cell(*own))
        for state in found.states:
            reaches = any(k == beyond for k, one in zip(state, found.labels, strict=True) if one == label)
            assert found.is_inside(state) is not reaches
        assert module.lower_bound(found, dict.fromkeys(found.states, arb(1))) == 0


def fact_bounds_are_on_their_side(module):
    """By hand, of three states with h = 4, 8 and 7/2: falls at least and rises at most, or the converse.

    What is dropped may lead where h is largest, or out; the mean is bounded by the worst of all states.
    """
    start, high, near = states = ((0,), (1,), (2,))
    h = dict(zip(states, map(arb, (4, 8, 3.5)), strict=True))

    def left(dropped, *terms):
        return module.BoxDeparture(
            tuple(module.Term(*map(arb, chances), inside, is_inside) for chances, inside, is_inside in terms), arb(dropped)
        )

    third, half = fmpq(1, 3), fmpq(1, 2)
    some = left(fmpq(1, 16), ((third, half), (), False), ((0.125, 0.25), (high,), True), ((0.125, third), (near,), True))
    with working_precision(20):
        least, most = module.least_gain(some, start, h, arb(8)), module.greatest_gain(some, start, h)
        assert 0 <= fmpq(-1, 4) + 4 * third - 1 + fmpq(1, 16) - least < 1e-4
        assert 0 <= most - (fmpq(1, 4) + 4 * half - half + third / 2) < 1e-4
        away = left(0, ((0.125, 0.25), (near,), False))
        assert module.least_gain(away, start, h, arb(8)) == 0.0625
        assert module.greatest_gain(away, start, h) == 1
        known = {
            start: left(0.25, ((1, 1), (), False)),
            high: left(0, ((0.5, 0.5), (), False)),
            near: left(0, ((1, 1), (), False)),
        }
        three = SimpleNamespace(
            states=states, departure=known.get, at=lambda _: start, line=SimpleNamespace(coordinates=())
        )
        three.is_inside = lambda _: True
        assert 0 <= module.upper_bound(three, h) - fmpq(4, 3) < 1e-4
        assert 0 <= fmpq(4, 5) - module.lower_bound(three, h) < 1e-4


def fact_tubes_are_around_all_of_a_group(module):
    """Tokens of one group at 0 and 1/16 of the way, where a unit of the line is 2 long."""
    chain = two_and_one(x=("1", "7/8", "-1"))
    line = module.line_of(chain)
    found = module.Boxes(chain, line, cells_of(chain, line, {0: 2, 1: 2}), arb(0))
    for place, away in (("0", "0"), ("1/32", "0"), ("1/16", "0"), ("-1/4", "1/2"), ("5/16", "1/2")):
        assert found._beyond(0, rational(place)) == rational(away) ** 2 - fmpq(1, 9)


test_boxes, test_bugs_in_boxes = asked_of(boxes, facts_above(globals(), "module"))


@pytest.mark.parametrize("name", ["spread", "tilted"])
def test_gains_hold_at_points_of_other_chains(name):
    gains_hold(boxes, name, points=5, draws=2)


# ---------------------------------------------------------------------------------------------------------------------
# Means


def simulated(chain, runs, seed=2):
    """T_2 of so many runs, in floats: the mean and its standard error."""
    rng = np.random.default_rng(seed)
    x0 = np.array([int(a.p) / int(a.q) for a in chain.x[:, 0]])
    labels = chain.group
    beta, gamma, eps = (int(a.item().p) / int(a.item().q) for a in (chain.beta, chain.gamma, chain.eps))
    low = np.array([x0[labels == label].min() for label in labels]) - eps
    high = np.array([x0[labels == label].max() for label in labels]) + eps
    x, times, inside, step = np.tile(x0, (runs, 1)), np.zeros(runs), np.arange(runs), 0
    while len(inside):
        chances = np.exp(beta * x[:, :, None] * x[:, None, :])
        cumulative = (chances / chances.sum(axis=-1, keepdims=True)).cumsum(axis=-1)
        picks = (cumulative < rng.random((*x.shape, 1))).sum(axis=-1).clip(max=len(x0) - 1)
        x, step = x + gamma * (np.take_along_axis(x, picks, axis=1) - x), step + 1
        out = ((x < low) | (x > high)).any(axis=1)
        times[inside[out]] = step
        inside, x = inside[~out], x[~out]
    return times.mean(), times.std() / np.sqrt(runs)


@pytest.mark.parametrize(("chain", "factor"), [(two_and_one(2), 3), (two_and_one(1, x=("1", "7/8", "-1")), 20)])
def test_simulated_means_are_between_the_bounds(chain, factor):
    # Not by the code that is tested: its own loop of steps.
    middle, error = simulated(chain, 4000 if LONG else 300)
    with working_precision(128):
        found = boxed_mean(chain, 200)
        outer = counted_mean(chain)
    assert float(found.low.mid()) <= middle + 6 * error
    assert middle - 6 * error <= float(found.high.mid())
    # Sound bounds may be of no use: these are near each other.
    assert found.high < factor * found.low
    assert outer.low < found.high
    assert found.low < outer.high


@pytest.mark.parametrize(("beta", "count"), [(100, 35), (1000, 60)] if LONG else [(100, 35)])
def test_pairs_are_bounded_from_above_at_low_temperatures(beta, count):
    """What differs by the chance of a stray pick is told apart, from e^200 to e^2000; the other pair is in one cell."""
    chain = two_and_two(beta)
    with working_precision(128):
        line, least = line_of(chain), counted_mean(chain).low
        found = boxes.Boxes(chain, line, cells_of(chain, line, {0: count, 1: 0}), _negligible(chain))
        with working_precision(bits_of(found)):
            assert least < upper_bound(found, proposal(found, True)) < 20 * least


def test_boxes_are_better_than_counts_and_more_of_them_better_than_few():
    with working_precision(128):
        few, more, counted = boxed_mean(two_and_one(), 100), boxed_mean(two_and_one(), 200), counted_mean(two_and_one())
        best = bounded_mean(two_and_one(), 100)
    assert counted.low < few.low <= more.high <= few.high < counted.high
    assert (best.low, best.high) == (few.low, few.high)


def test_what_no_boxes_are_made_for_is_said_so():
    triangle = AttentionChain.instance(
        v=TRIANGLE, x=[*TRIANGLE, TRIANGLE[0]], group=[0, 1, 2, 0], beta=1, gamma="1/8", eps="1/6"
    )
    crowd = AttentionChain.instance(
        v=[[1], [-1]], x=[[1]] * 3 + [[-1]] * 3, group=[0] * 3 + [1] * 3, beta=1, gamma="1/8", eps="1/6"
    )
    told = []
    with working_precision(96):
        with pytest.raises(NotOnALineError, match="line"):
            line_of(triangle)
        with pytest.raises(NotOnALineError, match="one point"):
            line_of(AttentionChain.instance(v=[[1], [-1]], x=[[1], [1]], group=[0, 1], beta=1, gamma="1/8", eps="1/6"))
        assert bounded_mean(triangle, 100, told.append).low >= 1
        bounded_mean(crowd, 100, told.append)
        bounded_mean(two_and_one(), 2, told.append)
        with pytest.raises(NoExponentError, match="two groups on a line"):
            exponent_of_groups(triangle)
    assert ["line" in told[0], "6" in told[1], "more than 2" in told[2]] == [True] * 3


# ---------------------------------------------------------------------------------------------------------------------
# The shrinking top


def phases_succeed_from_everywhere(module):
    """A phase is played from places inside the tubes: its picks are as likely as said, and the top falls as much."""
    rng = np.random.default_rng(1)
    for chain, size in (
        (two_and_one(9), 2),
        (two_and_one("1/4"), 2),
        (two_and_one(9), 1),
        (two_and_one(400, "1/3", "1/4"), 2),
    ):
        beta, gamma, eps = (int(a.item().p) / int(a.item().q) for a in (chain.beta, chain.gamma, chain.eps))
        with working_precision(96):
            side = next(side for side in module.sides_of(chain) if side.size == size)
            phase = module.phase_of(side)
        fall, chance = float(phase.fall), float(phase.chance.log())
        for top in (1.0, 1 - eps, rng.uniform(1 - eps, 1)):
            for lower in (top, top - 1e-9, 1 - eps, rng.uniform(1 - eps, top)):
                own = [min(lower, top)] * (size == 2) + [top]
                x = np.array(own + [-1.0 if rng.random() < 0.5 else -1 + eps] * (3 - size))
                # The first token strays; of two it goes back to the top, until the top comes to it.
                spent, steps, picks = 0.0, 0, [2, 1] if size == 2 else [1]
                while True:
                    # In logarithms: at beta = 400 the chances are below the range of floats.
                    scores = beta * x[:, None] * x[None, :]
                    rows = scores - np.logaddexp.reduce(scores, axis=1)[:, None]
                    spent, steps = spent + sum(rows[i, j] for i, j in enumerate(picks)), steps + 1
                    x[:size] += gamma * (x[picks] - x[:size])
                    if size == 1 or picks == [0, 0] or x[0] < 1 - eps:
                        break
                    picks = [0, 0] if x[1] - x[0] <= 1 / beta else [1, 1]
                assert x[0] < 1 - eps or fall <= top - max(x[:size]) + 1e-12
                assert steps <= phase.steps
                assert chance <= spent + 1e-9


def a_mean_is_not_above_what_all_runs_take(m):
    """A token that nearly always picks one of eight others needs eight such picks: they are made in fewer than 16 steps."""
    chain = AttentionChain.instance(
        v=[[1], [-1]], x=[[1], *[[-1]] * 8], group=[0, *[1] * 8], beta="1/100", gamma="1/8", eps="5/4", steps=16
    )
    # All leave before step 16: no bound from below may be larger.
    assert simulate_escapes(chain, 200, np.random.default_rng(0)) == (200, 200)
    assert m.counted_mean(chain).low == 8


test_counts, test_bugs_in_counts = asked_of(groups, [a_mean_is_not_above_what_all_runs_take], "counts")
test_phases, test_bugs_in_phases = asked_of(groups, [phases_succeed_from_everywhere], "phases")


def test_the_exponent_of_two_groups_is_that_of_one_pick():
    found = exponent_of_groups(two_and_one())
    assert found.low == found.high == 2
    spread = exponent_of_groups(two_and_one(x=("1", "7/8", "-1")))
    assert spread.low == fmpq(7, 8) * fmpq(15, 8)
    assert spread.high == 2
    with working_precision(128):
        # So cold that the exponent is nearly all of the logarithm.
        low, high = (counted_mean(two_and_one(600)).low, counted_mean(two_and_one(600)).high)
        assert abs(low.log() / 600 - 2) < arb("0.03")
        assert abs(high.log() / 600 - 2) < arb("0.03")
        # The tubes are too near to each other, or to the origin.
        assert not any(shrinking_bound(side).is_finite() for side in sides_of(two_and_one(eps="1")))
        assert phase_of(sides_of(two_and_one(eps="1"))[0]) is None
        with pytest.raises(NoExponentError, match="tubes apart"):
            exponent_of_groups(two_and_one(eps="1"))


@pytest.mark.parametrize("eps", ["1/3", "1/8", "1/32"])
@pytest.mark.parametrize("make", [two_and_one, tilted, lopsided, plane_pair])
def test_no_state_within_the_tubes_strays_more_often_than_is_counted(make, eps):
    """Every token at its first place, or at an end of its tube; so cold that eps costs more than picks are many.

    Of narrow tubes the first order in eps counts, of wide ones the second.
    """
    chain = make().replace(eps=exact(eps), beta=exact(4 / fraction(exact(eps).item())))
    first, labels = FLOAT64.convert(chain.x), chain.group
    ways = np.eye(first.shape[1])[0] if first.shape[1] == 1 else np.array([1.0, -1.0]) / np.sqrt(2)
    others, found = labels[:, None] != labels[None, :], dict.fromkeys(sorted(set(labels.tolist())), 0.0)
    # At the ends of tubes a token is nearest to the others: there it strays most.
    for ends in product((-1, 0, 1), repeat=len(first)):
        x = first + float(fraction(chain.eps.item())) * np.array(ends)[:, None] * ways
        picks = softmax(float(fraction(chain.beta.item())) * (x @ x.T.copy()))
        for label in found:
            found[label] = max(found[label], (picks * others)[labels == label].sum(axis=-1).max())
    for stray, most in zip(strays(chain), found.values(), strict=True):
        assert most <= float(stray.chance) * (1 + 1e-9)


def test_the_first_stray_bounds_the_chance_of_every_step():
    chain = two_and_one(3, x=("1", "7/8", "-1"))
    with working_precision(96):
        bound = float(first_stray(chain).mid())
        assert chance_at_most(chain, 2) <= first_stray(chain)
        assert chance_at_most(chain, 1) == 0
    # Before the first stray every token is in the hull of its own group.
    for a in np.linspace(7 / 8, 1, 5):
        for b in (7 / 8, a):
            x = np.array([a, b, -1.0])
            picks = np.exp(3 * x[:, None] * x[None, :])
            picks /= picks.sum(axis=1, keepdims=True)
            assert 1 - (1 - picks[0, 2]) * (1 - picks[1, 2]) * picks[2, 2] <= bound
