"""The law of the escape time: against linear algebra in mpmath, simulated runs, and itself by another way; planted bugs."""

from __future__ import annotations

import types
from dataclasses import replace
from functools import cache
from itertools import product
from unittest import mock

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.enclosures.escapes import escape_probability, simulate_escapes
from dynamics.escapes import enclose, histories, times
from dynamics.escapes.counting import counted_bound
from dynamics.escapes.enclose import chance_before, has_a_way_out, mean_escape
from dynamics.escapes.histories import Node, NotAloneError, TooManyHistoriesError, follow
from dynamics.escapes.times import EscapeLaw, OpenMeanError, at_most_before, escape_moments, mean, variance
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import (
    CHAINS,
    chance_by_steps,
    lopsided,
    moments_by_linear_algebra,
    plane_pair,
    published,
    triangle,
    visits,
)
from tests.planting import asked_of, facts_above

FINITE = [name for name in CHAINS if name != "three on a line"]
BITS = 256
UNEVEN = AttentionChain.instance(v=[["-3/4"], [3]], x=[["-3/4"], [3]], group=[0, 1], beta=4, gamma="1/6", eps="9/8")


def holds(ends, value, digits=30):
    """Whether the enclosure holds the value of mpmath, and is as narrow as so many digits."""
    with working_precision(400):
        # A ball around the digits that are printed: they are rounded themselves.
        near = arb(mpmath.nstr(value, 50)) * (1 + arb(0, "1e-45"))
        narrow = (ends.high - ends.low) <= abs(near) * arb(10) ** -digits
        return bool(narrow) and not near < ends.low and not near > ends.high


@cache
def by_linear_algebra(name):
    chain = CHAINS[name]
    return *moments_by_linear_algebra(chain), chance_by_steps(chain, 6), chance_by_steps(chain, 21)


def meet(one, other):
    """Whether two enclosures have a number in common, as those of one number do."""
    return bool(one.low <= other.high and other.low <= one.high)


def agrees(name, m=times, histories=histories):
    """Mean and variance agree with linear algebra to 30 digits, two chances, too."""
    with working_precision(BITS):
        followed = histories.follow(CHAINS[name])
        law = m.EscapeLaw(followed)
        found = [m.mean(followed), m.variance(followed), law.before(6), law.before(21)]
    assert all(holds(ends, value) for ends, value in zip(found, by_linear_algebra(name), strict=True))


@pytest.mark.parametrize("name", FINITE)
def test_moments_and_chances_agree_with_linear_algebra(name):
    agrees(name)


def test_a_chain_whose_positions_return_is_followed_until_little_is_left():
    chain = CHAINS["three on a line"]
    with pytest.raises(TooManyHistoriesError, match="more than 500 states"):
        follow(chain, most_states=500)
    with working_precision(128):
        cut = follow(chain, 1e-3)
        with pytest.raises(OpenMeanError, match="not known how long"):
            mean(cut)
        ends = EscapeLaw(cut).before(12)
        exact = escape_probability(chain.replace(steps=np.array(3)), arb(0)).escaped
        three = EscapeLaw(cut).before(3)
    assert 0 < ends.low <= ends.high <= 1
    assert three.low <= exact
    assert exact <= three.high


@pytest.mark.parametrize("t", [10**5, 10**12, 10**25])
@pytest.mark.parametrize("beta", [4, 8, 16])
def test_the_law_at_any_time_is_the_same_by_powers_and_by_an_integral(beta, t):
    with working_precision(BITS):
        law = EscapeLaw(follow(published(beta)))
        squared = law.before(t)
    # The path of the integral loses as many bits as t has.
    with working_precision(BITS + t.bit_length()):
        around = law._late._around(t - 1)
    assert squared.digits > 30
    assert squared.low <= around.upper()
    assert around.lower() <= squared.high
    assert around.rel_accuracy_bits() > 40


@pytest.mark.parametrize("steps", [1, 2, 5, 9, 33, 100])
def test_the_end_of_the_path_of_an_integral_is_part_of_its_error_after_few_steps_too(steps):
    """After few steps the path ends where the integrand is not small yet: what is left out has to cover the truth."""
    # A slow state, a fast one and one of a half: no term of the sum is negligible after few steps.
    nodes = [
        Node(arb("0.5"), arb("0.5"), [(1, arb("0.5"))], out=arb("0.5")),
        Node(1 - arb(2) ** -10, arb(2) ** -10, [(2, arb("0.25"))], out=arb("0.75")),
        Node(arb("0.25"), arb("0.75"), [], out=arb(1)),
    ]
    with working_precision(128):
        graph = times._Graph(nodes, 100_000)
        added, around = graph._added(steps), graph._around(steps)
    assert around.overlaps(added)
    assert around.contains(added.mid())
    # Sound at any time; of use only where the integrand falls before the path ends.
    assert steps < 33 or around.rad() < arb("0.05")


def test_published_means_are_known_to_ten_digits():
    for beta, told in ((4, "1.3197262828e12"), (8, "3.1054373709e24"), (16, "1.9213434461e49")):
        with working_precision(128):
            found = mean_escape(published(beta))
            assert found.mean.digits > 10
            assert abs(found.mean.low / arb(told) - 1) < arb("1e-9")


@pytest.mark.parametrize("name", ["plane pair", "lopsided", "triangle"])
def test_simulated_runs_agree_where_escapes_are_frequent(name):
    chain, runs = CHAINS[name], 100_000 if name == "lopsided" else 20_000
    t = 12
    with working_precision(128):
        chance = float(EscapeLaw(follow(chain)).before(t).low.mid())
    assert chance > 1e-3
    count, possible = simulate_escapes(chain.replace(steps=np.array(t)), runs, np.random.default_rng(5))
    assert count == possible
    # Six standard errors: the seed is fixed, and chance does not fail the test.
    assert abs(count - runs * chance) <= 6 * np.sqrt(runs * chance * (1 - chance))


@pytest.mark.parametrize("cut", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("make", [published, triangle, lopsided])
def test_what_is_cut_is_returned(make, cut):
    """The enclosures of cut histories hold what whole ones give."""
    chain = make()
    with working_precision(128):
        whole, short = follow(chain), follow(chain, cut)
        for exact, found in zip(*((mean(one), variance(one), *escape_moments(one)) for one in (whole, short)), strict=True):
            assert meet(found, exact)
        for t in (2, 3, 7, 100, 10**6):
            exact, found = EscapeLaw(whole).before(t), EscapeLaw(short).before(t)
            assert meet(found, exact)
            assert counted_bound(chain, t) >= exact.low


def two_at_one_place():
    """Two tokens of different groups that start at one place, between their vertices; a third is alone."""
    return AttentionChain.instance(
        v=[[1], [2], [-1]], x=[[1], [1], [-1]], group=[0, 1, 2], beta=1, gamma="1/4", eps="1/2"
    )  # fmt: skip


def meeting():
    """Two tokens that a pick takes to one place: nothing moves there any more."""
    return AttentionChain.instance(v=[[1], [-1]], x=[[1], [-1]], group=[0, 1], beta=1, gamma="1/2", eps=1)


@pytest.mark.parametrize(("make", "cut", "width"), [(two_at_one_place, "1e-6", 1e-4), (meeting, "1e-4", 1e-2)])
def test_tokens_may_start_at_one_place_and_may_meet(make, cut, width):
    chain = make()
    with working_precision(BITS):
        law = EscapeLaw(follow(chain, float(cut)))
        found = {t: law.before(t) for t in (3, 4)}
    for t, ends in found.items():
        with working_precision(BITS):
            exact = escape_probability(chain.replace(steps=np.array(t)), arb(0)).escaped
            assert not ends.low > exact
            assert not exact > ends.high
            assert ends.high - ends.low < width


@pytest.mark.parametrize("cut", [0.0, 1e-3])
@pytest.mark.parametrize("name", CHAINS)
def test_chances_of_what_leaves_a_state_sum_to_one(name, cut):
    """Of three on a line some picks of one token lead out and others do not."""
    if not (cut == 0 and name == "three on a line"):
        for node in follow(CHAINS[name], cut).nodes:
            total = sum((chance for _, chance in node.edges), node.out + node.dropped)
            assert node.is_cut or abs(total - 1) < 1e-12
            assert abs(node.stay + node.leave - 1) < 1e-12


@pytest.mark.parametrize("make", [published, triangle])
def test_states_that_a_symmetry_takes_to_each_other_are_one(monkeypatch, make):
    with working_precision(128):
        few = follow(make())
        monkeypatch.setattr(histories, "score_symmetries", lambda _: [])
        all_of_them = follow(make())
        # Halved, but for states that are their own mirror images.
        assert len(few.nodes) < 0.7 * len(all_of_them.nodes)
        assert mean(few).ball.overlaps(mean(all_of_them).ball)
        assert mean(few).digits > 30
    assert histories.score_symmetries(tuple(map(tuple, CHAINS["plane pair"].x.tolist()))) == []


@pytest.mark.parametrize("cell", [1e-3, 2e-2, 1.0])
@pytest.mark.parametrize("make", [published, triangle])
def test_boxes_hold_what_points_give(monkeypatch, make, cell):
    monkeypatch.setattr(histories, "score_symmetries", lambda _: [])  # boxes know none
    chain = make(beta=2)
    with working_precision(96):
        whole, boxed = follow(chain), follow(chain, 1e-6, cell=cell)
        exact, found = mean(whole), mean(boxed)
        assert meet(found, exact)
        for t in (3, 10, 1000, 10**6):
            assert at_most_before(boxed, t) >= EscapeLaw(whole).before(t).low
        # Boxes put states together; with tiny cells there is nothing to put together, and cuts add some.
        assert len(boxed.nodes) <= len(whole.nodes) + 1 or cell < 1e-2
        with pytest.raises(UndecidedError, match="no single law"):
            EscapeLaw(boxed)


@pytest.mark.parametrize("make", [lopsided, triangle])
def test_what_is_cut_may_leave_as_early_as_it_can(make):
    """A move that is not followed is the first of those that lead out: where little is followed that tells most."""
    chain, above = make(), 1 + arb(10) ** -30
    exact = {t: arb(mpmath.nstr(chance_by_steps(chain, t), 40)) for t in (3, 6)}
    for cut in (0.9, 0.1):
        cut_off = follow(chain, cut)
        assert not cut_off.whole
        for t, chance in exact.items():
            within = EscapeLaw(cut_off).before(t)
            assert within.low <= chance * above
            assert chance <= within.high * above
            assert chance <= at_most_before(cut_off, t) * above


@pytest.mark.parametrize("make", [lopsided, plane_pair])
def test_wherever_something_is_cut_law_and_moments_are_between_their_bounds(make):
    """One state, or one of its moves, is not followed: as few moves lead out of there as in truth, or fewer."""
    with working_precision(128):
        whole = follow(make())
        known, law, moves = (mean(whole), variance(whole), *escape_moments(whole)), EscapeLaw(whole), list[int]()
        for node in reversed(whole.nodes):
            after = [moves[len(whole.nodes) - 1 - child] for child, _ in node.edges]
            moves.append(1 if not node.out.is_zero() else 1 + min(after))
        least = moves[::-1]
        for index, node in enumerate(whole.nodes[1:12], 1):
            # Cut off there, or one of its moves: both must return what is lost.
            cuts = [Node(arb(0), arb(1), is_cut=True, needed=lambda few=least[index]: few)]
            for k, (_, chance) in enumerate(node.edges):
                kept = [*node.edges[:k], *node.edges[k + 1 :]]
                cuts.append(replace(node, edges=kept, dropped=chance, needed=lambda few=least[index]: few))
            for one in cuts:
                cut_off = replace(whole, nodes=[*whole.nodes[:index], one, *whole.nodes[index + 1 :]])
                within = EscapeLaw(cut_off)
                for true, around in zip(known, (mean(cut_off), variance(cut_off), *escape_moments(cut_off)), strict=True):
                    assert meet(around, true)
                assert at_most_before(cut_off, 1) == within.before(1).high == 0
                for t in (2, 3, 4, 7):
                    exact = law.before(t)
                    assert 0 <= within.before(t).low <= within.before(t).high <= 1
                    assert meet(within.before(t), exact)
                    assert exact.low <= at_most_before(cut_off, t)


@pytest.mark.parametrize("leave", [fmpq(1), fmpq(1, 2), fmpq(1, 7), fmpq(1, 1000)])
def test_what_is_cut_may_wait_as_long_as_the_longest_mean(leave):
    """A geometric time of that mean: its second moment is 2/q^2 - 1/q. Cut at once, later, or a lost move."""
    first, rest, leave = arb(1) / 3, arb(1) / 5, arb(leave)
    # The truth: what is cut waits a geometric time, with the longest mean that is told.
    later = Node(1 - leave, leave, [], out=arb(1))
    cut = Node(arb(0), arb(1), is_cut=True, needed=lambda: 1)
    start = Node(1 - first, first, [(1, 1 - rest)], out=rest)
    lost = replace(start, edges=[], dropped=1 - rest)
    pace = types.SimpleNamespace(longest_mean=1 / leave)
    with working_precision(128):
        for whole, parts in (([later], [[cut]]), ([start, later], [[start, cut], [lost, later]])):
            true = escape_moments(types.SimpleNamespace(nodes=whole, pace=None, whole=True, boxes=()))
            for nodes in parts:
                found = escape_moments(types.SimpleNamespace(nodes=nodes, pace=pace, whole=False, boxes=()))
                for exact, around in zip(true, found, strict=True):
                    assert meet(around, exact)


def test_pace_bounds_every_state():
    for make in (published, triangle, lopsided):
        chain = make()
        with working_precision(128):
            whole = follow(chain)
            pace = histories.pace(chain)
            assert pace is not None
            for node in whole.nodes:
                # What is known of all states before any is followed, against the states themselves.
                assert pace.slowest <= node.leave.upper()
                assert node.leave.lower() <= pace.fastest
            assert EscapeLaw(whole)._late._depth <= pace.moves


def test_pace_bounds_every_state_from_every_state_on():
    """One token near its tube's edge may go hardly farther, another at its start as far as its tube is wide."""
    below, above = 1 - arb(10) ** -12, 1 + arb(10) ** -12
    for chain in (UNEVEN, lopsided(), plane_pair()):
        for state, true in visits(chain).items():
            places = [[arb(fmpq(a.numerator, a.denominator)) for a in place] for place in state]
            bounds = histories.pace(chain, places)
            assert bounds is not None
            mean_now, slowest, fastest = (arb(mpmath.nstr(one, 30)) for one in (true.mean, true.slowest, true.fastest))
            assert bounds.slowest * below <= slowest
            assert fastest <= bounds.fastest * above
            assert true.most <= bounds.moves
            assert mean_now <= bounds.longest_mean * above


def test_a_box_needs_no_more_moves_than_any_state_in_it():
    """Boxes around any two states: of one at its start, where many moves are needed, and of one at the edge."""
    for chain in (UNEVEN, lopsided(), plane_pair(), published()):
        known, origin = visits(chain), tuple(map(tuple, chain.x.tolist()))
        for one, other in product(list(known)[::2], repeat=2):
            ends = [[[arb(fmpq(a.numerator, a.denominator)) for a in place] for place in state] for state in (one, other)]
            box = tuple(tuple(map(arb.union, *places)) for places in zip(*ends, strict=True))
            assert histories._needed(box, origin, chain) <= min(known[one].least, known[other].least)


def test_quantiles_are_crossed_where_they_say():
    with working_precision(192):
        law = EscapeLaw(follow(published(4)))
        for q in (fmpq(1, 100), fmpq(1, 2), fmpq(999, 1000)):
            ends = law.quantile(q, 10**12, 1e-9)
            low, high = (int(end.unique_fmpz()) for end in (ends.low, ends.high))
            assert 0 < low <= high <= low * (1 + 1e-8)
            assert law.before(low).high < arb(q)
            assert law.before(high + 1).low >= arb(q)


# ---------------------------------------------------------------------------------------------------------------------
# What comes of enclosures whose members are known


PLACED = [times.Enclosure(arb(low), arb(high)) for low, high in ((0, 0), (1, 1), (1, 3), (2, 5), (0, 4))]


def members(ends):
    return ends.low, (ends.low + ends.high) / 2, ends.high


def is_around(found, values, room=2.0**-40):
    """Whether the ends hold all values and are the least and the largest of them, but for rounding."""
    least, most, low, high = min(values, key=float), max(values, key=float), found.low.lower(), found.high.upper()
    return bool(low <= least and most <= high and least - low < room and high - most < room)


def a_variance_is_that_of_all_moments_that_are_held(m):
    for once, twice in product(PLACED, repeat=2):
        with mock.patch.object(m, "escape_moments", lambda _, given=(once, twice): given):
            assert is_around(m.variance(None), [t - o * o for o in members(once) for t in members(twice)])


def averages_are_those_of_all_members(m):
    """One edge leads to a node, one may lead to another or out, the rest out: the value outside is 0."""
    sure, unsure, out = fmpq(1, 2), fmpq(1, 4), fmpq(1, 8)
    for ends in product(PLACED, repeat=2):
        node = Node(arb(0), arb(1), [(0, arb(sure))], [(1, arb(unsure))], arb(out), 1 - arb(sure + unsure + out))
        # Averages are linear in what is not known: their least and largest values are at ends.
        values = [sure * a + unsure * b * away for a in members(ends[0]) for b in members(ends[1]) for away in (0, 1)]
        for average in (m._average, m._centred):
            assert is_around(average(node, lambda k, ends=ends: ends[k]), values), (average, ends)
        off = arb(0, fmpq(1, 16))  # chances that are known to 1/16, of which the sum is 1
        wide = Node(arb(0), arb(1), [(0, sure + off)], [(1, unsure + off)], out + off, 1 - arb(sure + unsure + out) + off)
        turns = [a * fmpq(1, 16) for a in (-1, 0, 1)]
        values = [
            (sure + p) * a + (unsure + q) * b * away
            for p, q in product(turns, repeat=2)
            for a in members(ends[0])
            for b in members(ends[1])
            for away in (0, 1)
        ]
        for average in (m._average, m._centred):
            assert is_around(average(wide, lambda k, ends=ends: ends[k]), values, 8), (average, ends)


def the_largest_average_is_above_all(m):
    third = fmpq(1, 3)
    for values, off in product(product((arb(0), arb(1), arb(3, 1)), repeat=3), (fmpq(0), fmpq(1, 16))):
        found = m._largest_average([(value, arb(third, off)) for value in values])
        # Chances that are shifted without changing their sum: one grows where another falls.
        turns = ((0, 0, 0), (1, -1, 0), (0, 1, -1), (-1, 0, 1), (1, 0, -1), (-1, 1, 0), (0, -1, 1))
        most = max(
            (sum(v.upper() * arb(third + off * t) for v, t in zip(values, turn, strict=True)) for turn in turns), key=float
        )
        assert most - arb(2) ** -30 < found < most + arb(2) ** -20 + 8 * off


def law_between(m, rate, width):
    """A law within a width of 1 - (1 - rate)^t, and the least t at which the one edge or the other is q."""

    def before(t, side=0):
        return 1 - (1 - arb(rate)) ** (t - 1) + side * arb(width)

    def quantile(q, side):
        low, high = 0, 1 << 60
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if before(middle + 1, side) >= arb(q) else (middle, high)
        return high

    # A law without a chain: of quantiles only its values count.
    law = object.__new__(m.EscapeLaw)
    law.before = lambda t: m.Enclosure(before(t, -1).max(arb(0)).lower(), before(t, 1).min(arb(1)).upper())
    return law, quantile


def quantiles_are_those_of_all_laws_that_are_held(m):
    with working_precision(128):
        for power, width in product((2, 5, 11), (fmpq(0), fmpq(1, 1000), fmpq(1, 10))):
            law, quantile = law_between(m, fmpq(1, 10**power), width)
            for q in (fmpq(1, 20), fmpq(1, 2), fmpq(5, 6)):
                earliest, latest = quantile(q, 1), quantile(q, -1)
                for near, accuracy in product((1, 10 ** (power + 2)), (0.1, 1e-3, 1e-9)):
                    ends = law.quantile(q, near, accuracy)
                    low, high = (int(end.unique_fmpz()) for end in (ends.low, ends.high))
                    assert low <= earliest <= latest <= high
                    # Not only held, but as near as was asked for, or the next whole number.
                    assert high <= latest * (1 + 2 * accuracy) + 1
                    assert low >= earliest * (1 - 2 * accuracy) - 1


def chances_within_some_steps_are_at_most_these(m):
    """Of one node left with a known chance, at each time that may matter: never below the chance, nor far above it."""
    for leave, steps in product((fmpq(1, 2), fmpq(1, 50), fmpq(1, 5000)), (1, 2, 10, 1000)):
        node = Node(1 - arb(leave), arb(leave), out=arb(1))
        exact = 1 - (1 - arb(leave)) ** steps
        found = m.at_most_before(types.SimpleNamespace(nodes=[node], pace=None, whole=True), steps + 1)
        assert exact <= found <= 1
        assert found < 3 * exact or found == 1


def a_state_is_left_within_some_steps(m):
    """Within none not at all; by addition and by squaring as often as by the law itself. What is never left is said so."""
    with working_precision(256):
        # By addition, and with no addition allowed by squaring.
        for most in (m.MOST_ADDED, 0):
            graph = m._Graph([Node(arb(3) / 4, arb(1) / 4, out=arb(1))], 0)
            with mock.patch.object(m, "MOST_ADDED", most):
                for steps in range(-2, 40):
                    found = graph.within(steps)
                    assert found.contains(1 - fmpq(3, 4) ** max(steps, 0))
                    assert found.rad() < arb(2) ** -200
    with pytest.raises(m.TooStiffError):
        law_between(m, 0, 0)[0].quantile(fmpq(1, 2), 1)


test_laws, test_bugs_in_laws = asked_of(times, facts_above(globals()))


def test_two_tokens_in_one_tube_are_refused():
    chain = AttentionChain.instance(v=[[1], [-1]], x=[[1], [1], [-1]], group=[0, 0, 1], beta=1, gamma="1/4", eps="1/4")
    with pytest.raises(NotAloneError, match="share a group"):
        follow(chain)


def test_there_is_no_way_out_of_tubes_that_hold_the_first_hull():
    chain = published().replace(eps=np.array(fmpq(34, 9)))
    assert not has_a_way_out(chain)
    assert has_a_way_out(published())
    with working_precision(64):
        assert chance_before(chain, 10**6).high == 0


ONE_PICK = AttentionChain.instance(v=[[1], [-1]], x=[[1], ["-1/2"]], group=[0, 1], beta="1/2", gamma="1/2", eps="1/3")
"""One pick leads out."""


def the_first_steps_count(module):
    """From the start on, where nothing can have happened yet: as by enumeration."""
    for chain, t in product((ONE_PICK, lopsided(), plane_pair()), range(1, 6)):
        found, truth = module.chance_before(chain, t), escape_probability(chain.replace(steps=np.array(t)), arb(0)).escaped
        # Before the first step nobody has left.
        assert truth.is_zero() == (t == 1) or chain is not ONE_PICK
        assert found.low <= truth.upper()
        assert found.high >= truth.lower()
        assert found.high - found.low <= truth.upper() * 1e-9
        # What boxes say alone, where nothing else is known of the law.
        assert truth.lower() <= module._boxed_bound(chain, t, 2000) <= 1


test_enclosing, test_bugs_in_enclosing = asked_of(enclose, [the_first_steps_count], around=lambda: working_precision(128))


# ---------------------------------------------------------------------------------------------------------------------
# Histories and their law, together


def moments_of_a_law_agree(times):
    agrees("published", m=times)


def moments_of_histories_agree(histories):
    agrees("published", histories=histories)
    agrees("plane pair", histories=histories)
    with working_precision(128):
        assert mean(histories.follow(CHAINS["published"], 1e-2)).high >= mean(follow(CHAINS["published"])).low


test_histories, test_bugs_in_histories = asked_of(histories, [moments_of_histories_agree], "moments", share=4)
test_moments, test_bugs_in_moments = asked_of(times, [moments_of_a_law_agree], "moments", share=2)
