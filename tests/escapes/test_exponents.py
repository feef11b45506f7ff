"""Exponents in rationals against means at low temperatures; potentials; bounds by counting; planted bugs."""

from __future__ import annotations

import heapq
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import working_precision
from dynamics.enclosures.escapes import escape_probability
from dynamics.escapes import exponents, histories
from dynamics.escapes.counting import counted_bound, strays
from dynamics.escapes.departures import start_of
from dynamics.escapes.enclose import mean_escape
from dynamics.escapes.exponents import (
    TooFarError,
    cheapest_way,
    exponent_of_mean,
    is_out,
    is_potential,
    longest_wait,
    moves_from,
)
from dynamics.escapes.groups import bounded_mean
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.pick_sequences import cheapest_way_out
from tests.escapes.chains import lopsided, plane_pair, published, three_on_a_line, triangle
from tests.escapes.test_rare import pairs
from tests.planting import asked_of, facts_above

SINGLE = {"published": published(), "plane pair": plane_pair(), "triangle": triangle(), "lopsided": lopsided()}


def slope(chain, beta=400):
    """(log E T_2 at 2 beta less log E T_2 at beta)/beta."""
    with working_precision(128):
        # A difference of two logarithms: what grows slower than e^beta falls out.
        low, high = (mean_escape(chain.replace(beta=np.array(fmpq(b))), 6).mean.low.log() for b in (beta, 2 * beta))
    return float(((high - low) / beta).mid())


@pytest.mark.parametrize("name", SINGLE)
def test_the_exponent_of_the_mean_is_the_slope_in_the_cold(name):
    found = longest_wait(SINGLE[name])
    assert found.low == found.high
    assert exponent_of_mean(SINGLE[name]) == found
    assert abs(float(int(found.low.p) / int(found.low.q)) - slope(SINGLE[name])) < 0.02


def test_the_mean_of_the_published_chain_waits_for_one_pick():
    found = longest_wait(published())
    assert found.low == fmpq(17, 9) * fmpq(34, 9)
    way = cheapest_way(published())
    assert len(way.picks) == 3
    assert way.cost.low > 2 * found.low


@pytest.mark.parametrize("name", SINGLE)
def test_the_cheapest_way_costs_what_the_enumeration_says(name):
    chain = SINGLE[name]
    way = cheapest_way(chain)
    assert way.cost.low == way.cost.high
    steps = len(way.picks) + 1
    # What can be enumerated in a moment.
    if len(chain.x) == 2 and steps <= 5:
        assert cheapest_way_out(chain.replace(steps=np.array(steps))) == way.cost.low


@pytest.mark.parametrize("name", SINGLE)
def test_a_potential_that_is_a_little_too_high_is_refused(name):
    chain = SINGLE[name]
    way = cheapest_way(chain)
    assert is_potential(chain, way.potential, way.cost.low)
    assert not is_potential(chain, way.potential, way.cost.low * fmpq(1001, 1000))
    assert not is_potential(chain, {}, way.cost.low)
    # A potential is 0 outside at least; raised everywhere it is too high next to the edge.
    raised = {state: value + fmpq(1, 100) for state, value in way.potential.items()}
    assert not is_potential(chain, raised, way.cost.low)
    left = (start_of(chain)[1], *start_of(chain)[1:])
    assert is_out(left, chain)
    assert not is_potential(chain, way.potential | {left: way.cost.low}, way.cost.low), "it says something of the outside"


def test_a_cost_of_the_wrong_sign_is_noticed(monkeypatch):
    true = exponents.costs_at
    # Twice the costs: the slope of the mean knows nothing of it.
    monkeypatch.setattr(exponents, "costs_at", lambda x: [[2 * cost for cost in row] for row in true(x)])
    assert abs(float(longest_wait(published()).low) - slope(published())) > 1


def test_too_many_states_give_bounds():
    with pytest.raises(TooFarError):
        exponents._searched(published(), 5)
    way = cheapest_way(published(), most_states=5)
    assert way.cost.low < way.cost.high == cheapest_way(published()).cost.high
    found = longest_wait(lopsided(), most_states=1)
    exact = longest_wait(lopsided())
    assert found.low <= exact.low <= exact.high <= found.high


def test_the_way_of_one_token_counts_what_the_others_pay_for_staying():
    """The token at 19/10 scores the one at 2 higher, and neither ever leaves towards the other."""
    x = [["2"], ["19/10"], ["-1"]]
    chain = AttentionChain.instance(v=[[2], [1], [-1]], x=x, group=[0, 1, 2], beta=1, gamma="1/20", eps="1/4")
    way = cheapest_way(chain)
    state, paid = start_of(chain), fmpq(0)
    for step in way.picks:
        cost, state = next((cost, after) for picks, cost, after in moves_from(state, fmpq(1, 20)) if picks == step)
        paid += cost
    assert is_out(state, chain)
    assert len(way.picks) == 2
    assert way.cost.high == paid


def straight_ways(x, gamma, eps):
    """The costs and lengths of the ways of one token to one other that lead out, in fractions."""
    for i, j in permutations(range(len(x)), 2):
        here, paid = [list(row) for row in x], Fraction(0)
        for count in range(200):
            if sum((a - b) ** 2 for a, b in zip(here[i], x[i], strict=True)) > eps**2:
                yield paid, count, i, j
                break
            scores = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in here] for p in here]
            # The others pay for staying where they are, too.
            paid += sum(max(row) - row[j if k == i else k] for k, row in enumerate(scores))
            here[i] = [a + gamma * (b - a) for a, b in zip(here[i], here[j], strict=True)]


@pytest.mark.parametrize("turn", [k for k in range(13) if k != 6])  # in one both tokens are at one place
def test_the_straight_way_is_the_cheapest_of_all_of_them(turn):
    rng = np.random.default_rng([4, turn])
    x = [[Fraction(int(v), 2) for v in row] for row in rng.integers(-6, 7, size=(2 + turn % 3, 1 + turn % 2))]
    x = [row for k, row in enumerate(x) if row not in x[:k]]
    gamma, eps = Fraction(1, 3 + turn), Fraction(1 + turn % 4, 3)
    rows = [[str(v) for v in row] for row in x]
    chain = AttentionChain.instance(
        v=rows, x=rows, group=list(range(len(x))), beta=1, gamma=str(gamma), eps=str(eps)
    )  # fmt: skip
    found = list(straight_ways(x, gamma, eps))
    if not found:
        with pytest.raises(TooFarError):
            exponents._straight(chain)
        return
    way = exponents._straight(chain)
    least = min(paid for paid, *_ in found)
    assert way.cost.low == 0
    assert way.cost.high == fmpq(least.numerator, least.denominator)
    told = [(len(way.picks), pick.token, pick.picked) for (pick,) in way.picks[:1]]
    assert set(told) <= {tuple(one) for paid, *one in found if paid == least}


def test_tubes_that_hold_all_tokens_have_no_exponent():
    # The two tokens are 34/9 apart.
    with pytest.raises(TooFarError, match="the mean is infinite"):
        longest_wait(published().replace(eps=np.array(fmpq(34, 9))))
    # They may meet in the middle, and stay.
    with pytest.raises(TooFarError, match="all may meet"):
        longest_wait(published().replace(eps=np.array(fmpq(339, 90))))


def test_where_displacement_may_return_the_search_ends_and_bounds_from_above_by_runs():
    """The token in the middle goes to and fro: free moves without end, and a mean beyond what the search finds."""
    chain = three_on_a_line()
    assert exponents.moves_are_bounded(published())
    assert not exponents.moves_are_bounded(chain)
    # The search does not end: a run of picks that always leads out bounds the wait.
    found = longest_wait(chain, most_states=30)
    # 4 - 1 - (4/5)^m 6 > 1 from m = 5 on; at most 8 each for who picks and who is picked.
    assert found.high == 2 * 5 * 8
    assert 0 <= found.low < found.high


@pytest.mark.parametrize("eps", ["1", "1001/1000", "4/3", "2"])
def test_moves_are_not_bounded_where_two_tokens_may_meet_in_their_tubes(eps):
    """Two tokens no more than 2 eps apart come nearer to each other for ever, however far away the others are."""
    for width in (1, 2, 3, 5, 50):
        for others in ([[-width, 0]], [[width, 2], [-width, 2]], []):
            x = [[0, 1], [0, -1], *others]
            chain = AttentionChain.instance(v=x, x=x, group=range(len(x)), beta=1, gamma="1/4", eps=eps)
            assert not exponents.moves_are_bounded(chain)
            assert histories.pace(chain) is None


def test_a_state_may_return_exactly():
    """Its token in the middle picks 2 and -2: what it ends with is what it began with."""
    gamma = fmpq(1, 5)
    # The fixed point of a pick of 2 and then one of -2.
    middle = (gamma * -2 + (1 - gamma) * gamma * 2) / (1 - (1 - gamma) ** 2)
    start = ((fmpq(2),), (middle,), (fmpq(-2),))
    there = {after for picks, _, after in exponents.moves_from(start, gamma) if picks[1:2] == () or len(picks) == 1}
    back = {after for x in there for _, _, after in exponents.moves_from(x, gamma)}
    assert start in back


def test_six_tokens_have_bounds_without_a_search():
    x = np.eye(6, dtype=int).tolist()
    chain = AttentionChain.instance(v=x, x=x, group=list(range(6)), beta=1, gamma="1/30", eps="1/20")
    found = longest_wait(chain)
    assert found.low == found.high == 1


def the_first_pick_is_waited_for_where_each_token_stays_at_home(m):
    """The last one scores the first higher: it moves on at no cost, and beyond the search nothing is known."""
    # Each token scores itself highest, but for the last in the other cases: it drifts to the first for free.
    for last, low in (([0, 0, 0, 0, 1], 1), (["1/2", 0, 0, 0, 0], 0), (["9/10", 0, 0, 0, 0], 0)):
        x = [*np.eye(5, dtype=int).tolist()[:4], last]
        chain = AttentionChain.instance(v=x, x=x, group=list(range(5)), beta=1, gamma="1/30", eps="1/40")
        found = m.longest_wait(chain)
        assert found.low == low
        assert m.exponent_of_mean(chain) == found
    corners = np.array([*np.eye(4, dtype=int).tolist(), [fmpq(-1, 2)] * 4], dtype=object)
    for shift in (0, 3):  # where all are moved one token scores highest for all: differences are what they were
        x = [[str(a + shift * (k == 0)) for k, a in enumerate(row)] for row in corners]
        chain = AttentionChain.instance(v=x, x=x, group=range(5), beta=1, gamma="1/16", eps="1/7")
        assert m.moves_are_bounded(chain)
        found = m.longest_wait(chain)
        assert found.low < found.high
        told = m.exponent_of_mean(chain)
        assert (told.low == told.high == 1) if shift == 0 else told == found
        # Where tubes meet nothing is added to what the search finds.
        wide = m.exponent_of_mean(chain.replace(eps=chain.eps * 0 + fmpq(4, 5)))
        assert wide.low < wide.high


# ---------------------------------------------------------------------------------------------------------------------
# Against all states, in fractions


def in_fractions(array):
    return tuple(tuple(Fraction(int(a.p), int(a.q)) for a in row) for row in array.tolist())


def moves_of(x, gamma):
    """What one step costs and where it leads, by its picks, those that move nothing left out."""
    scores = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in x] for p in x]
    for picks in product(range(len(x)), repeat=len(x)):
        y = tuple(tuple(a + gamma * (b - a) for a, b in zip(x[i], x[j], strict=True)) for i, j in enumerate(picks))
        # What moves nothing costs time alone, of which an exponent knows nothing.
        if y != x:
            yield sum(max(scores[i]) - scores[i][j] for i, j in enumerate(picks)), y


@cache
def by_states(turn, most=40):
    """By Dijkstra's search over so many states: the largest E - W, W the least sum of cost - E on the way there.

    Then the least cost of a way out, None where it is not met; and whether these are all states.
    """
    chain = small_chain(turn)
    start, gamma, square = in_fractions(chain.x), Fraction(str(chain.gamma.item())), Fraction(str(chain.eps.item())) ** 2

    def is_outside(x):
        return any(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) > square for p, q in zip(x, start, strict=True))

    @cache
    def moves(x):
        return list(moves_of(x, gamma))

    def settled(price):
        heap, known = [(Fraction(0), start)], {}
        while heap and len(known) < most:
            spent, x = heapq.heappop(heap)
            if x in known:
                continue
            known[x] = spent
            least = min((cost for cost, _ in moves(x)), default=None)
            for cost, y in [] if is_outside(x) else moves(x):
                heapq.heappush(heap, (spent + price(cost, least), y))
        return known, not heap

    waits, are_all = settled(lambda cost, least: cost - least)
    wait = max(min(cost for cost, _ in moves(x)) - spent for x, spent in waits.items() if moves(x) and not is_outside(x))
    return wait, next((spent for x, spent in settled(lambda cost, _: cost)[0].items() if is_outside(x)), None), are_all


def small_chain(turn):
    """Two or three tokens whose tubes hold few moves; in the first two meet, in the second one pick leads to the edge."""
    if turn == 0:
        x, gamma, eps = [["1", "1/4"], ["1", "-1/4"], ["-1", "0"]], "1/2", "3/8"
    elif turn == 1:
        x, gamma, eps = [["2"], ["-2"]], "1/4", "1"
    else:
        rng = np.random.default_rng([7, turn])
        n, d = 2 + turn % 2, 1 + turn // 2 % 2
        places = rng.choice([*product(range(-8, 9), repeat=d)], n, replace=False)
        x = [[str(Fraction(int(a), 4)) for a in row] for row in places]
        gamma, eps = str(Fraction(1, 2 + turn % 3)), str(Fraction(int(rng.integers(2, 8)), 4))
    return AttentionChain.instance(v=x, x=x, group=range(len(x)), beta=1, gamma=gamma, eps=eps)


def costs_are_those_of_all_states(m):
    exact = bounded = 0
    for turn in range(24):
        chain, (wait, paid, are_all) = small_chain(turn), by_states(turn)
        try:
            found, way = m.longest_wait(chain, 15), m.cheapest_way(chain, 20)
        except m.TooFarError:
            continue
        assert Fraction(str(found.low)) <= wait
        # Only then the search over states has seen everything, and must agree from both sides.
        if m.moves_are_bounded(chain) and are_all:
            assert Fraction(str(found.low)) <= wait <= Fraction(str(found.high))
            bounded += 1
        if paid is not None:
            assert Fraction(str(way.cost.low)) <= paid <= Fraction(str(way.cost.high))
            exact += way.cost.low == way.cost.high
    assert exact > 5
    assert bounded > 2


def so_many_picks_lead_out_from_everywhere(m):
    for turn in range(1, 40):
        chain = small_chain(turn)
        x, kept, eps = in_fractions(chain.x), 1 - Fraction(str(chain.gamma.item())), float(Fraction(str(chain.eps.item())))
        far = max(float(sum((a - b) ** 2 for a, b in zip(p, q, strict=True))) ** 0.5 for p in x for q in x)
        # Tubes that meet: no run of picks leads out from everywhere.
        if far <= 2.001 * eps:
            continue
        least = next(k for k in range(999) if far - eps - float(kept) ** k * (far + 2 * eps) > eps)
        assert m._strays_from_anywhere(chain) == least


test_exponents, test_bugs_in_exponents = asked_of(exponents, facts_above(globals()))


# ---------------------------------------------------------------------------------------------------------------------
# Counts of picks, and groups


@pytest.mark.parametrize("chain", [published(1), triangle(3), pairs(), lopsided()])
@pytest.mark.parametrize("t", [2, 3, 4])
def test_a_count_of_picks_bounds_the_enumerated_chance(chain, t):
    if len(chain.x) > 2 and t > 3:
        return
    with working_precision(96):
        exact = escape_probability(chain.replace(steps=np.array(t)), arb(0), 200_000).escaped
        assert counted_bound(chain, t) >= exact.lower()
        # With fewer picks than that nobody gets out: until then the chance is exactly 0.
        least = min(stray.steps for stray in strays(chain))
        assert (exact > 0) <= (t > least)


def test_a_count_of_picks_is_that_of_its_formula():
    """Groups of several tokens at one place each: there the formula of section 7 is an equation for every pair."""
    rng = np.random.default_rng(5)
    for turn in range(12):
        d, sizes = 1 + turn % 2, [int(size) for size in rng.integers(1, 4, size=2 + turn % 3)]
        places = [[3 * label, int(rng.integers(-2, 3))][:d] for label in range(len(sizes))]
        label = [k for k, size in enumerate(sizes) for _ in range(size)]
        x = [places[k] for k in label]
        eps, gamma, beta = Fraction(1, 1 + turn), Fraction(1, 2 + turn % 4), 2 + turn % 3
        chain = AttentionChain.instance(v=places, x=x, group=label, beta=beta, gamma=str(gamma), eps=str(eps))
        for k, found in enumerate(strays(chain)):
            a, total = places[k], mpmath.mpf(0)
            for other, b in ((label[j], x[j]) for j in range(len(x)) if label[j] != k):
                apart, size = (mpmath.sqrt(sum(v * v for v in w)) for w in ([p - q for p, q in zip(a, b, strict=True)], a))
                square = sum(p * (p - q) for p, q in zip(a, b, strict=True))
                gap = square - (apart + 2 * size) * eps.numerator / eps.denominator - 2 * float(eps) ** 2
                total += sizes[k] * mpmath.exp(-beta * gap)
                assert other != k
            assert abs(float(found.chance.mid()) / min(float(total), 1) - 1) < 1e-9
            # One pick after another of the farthest token: no other leads out sooner.
            farthest = max(sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) for b in x)
            least = next(m for m in range(1, 999) if farthest * (1 - (1 - gamma) ** m) ** 2 > eps * eps)
            assert found.steps == least


def test_the_mean_of_groups_lies_between_its_bounds():
    """Against simulated runs: two tokens near one vertex, one at the other, warm enough to leave."""
    chain = pairs().replace(beta=np.array(fmpq(1)))
    with working_precision(96):
        ends = bounded_mean(chain, 100)
    rng, times = np.random.default_rng(8), []
    x0, labels = np.array([[1.0], [15 / 16], [-1.0]]), np.array([0, 0, 1])
    for _ in range(400):
        x, t = x0.copy(), 0
        while True:
            scores = np.exp(x @ x.T)
            # Slow and plain, so that it shares nothing with what is bounded.
            picks = [rng.choice(3, p=row / row.sum()) for row in scores]
            x, t = x + (x[picks] - x) / 8, t + 1
            beyond = np.where(labels == 0, np.maximum(15 / 16 - x[:, 0], x[:, 0] - 1), abs(x[:, 0] + 1))
            if (beyond > 1 / 3).any():
                break
        times.append(t)
    mean, error = np.mean(times), np.std(times) / 20
    assert float(ends.low.mid()) <= mean + 6 * error
    assert mean - 6 * error <= float(ends.high.mid())
    assert ends.low >= 1
    assert ends.high.is_finite()
