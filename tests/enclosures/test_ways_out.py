"""Ways out of the tubes, the law of the chain and its simulation: facts that bugs in a single line break."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb

from dynamics.arithmetic import exact, fraction, working_precision
from dynamics.enclosures import escapes as rare_events
from dynamics.tokens import float_runs, pick_sequences
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from tests.planting import asked_of, facts_above, noticed, planted

# ---------------------------------------------------------------------------------------------------------------------
# Chains on a line: the hull of a group is the interval between its ends


def chain(x, group, steps, gamma="1/2", eps="3/2", beta=1):
    """Tokens on a line, in up to three groups."""
    tokens = [[c] for c in x]
    return AttentionChain.instance(v=[[1], [-1], [2]], x=tokens, group=group, beta=beta, gamma=gamma, eps=eps, steps=steps)


LINES = [
    # Two of the picks that lead out fall in one step, and a token on the edge of its tube is not out of it.
    chain([-2, "3/2", -1], [0, 1, 0], 3, gamma="1/3"),
    # At the edge after one step, outside after two.
    chain([-3, "-1/2", 1], [0, 0, 1], 2, gamma="2/3", eps=1),
    chain([-3, "-1/2", 1], [0, 0, 1], 3, gamma="2/3", eps=1),
    chain(["-3/2", "3/2"], [0, 1], 3, gamma="2/3", eps=2),
    chain([-2, -4], [0, 1], 2, gamma="1/3"),
    chain([2, 1], [0, 1], 1, gamma="3/4", eps="1/8"),
    chain([2, 1], [0, 1], 2, gamma="3/4", eps="1/8"),
]


MEETING = chain([1, -1, 3], [0, 1, 0], 4, eps="11/4")
"""Places are reached on several ways of different costs, and left from there."""


def on_a_line(f):
    return [fraction(row[0]) for row in f.x], f.group.tolist(), *(fraction(v.item()) for v in (f.gamma, f.eps))


def outside(f):
    """Whether token i is outside its tube at y."""
    x, group, _, eps = on_a_line(f)
    ends = {label: [c for c, other in zip(x, group, strict=True) if other == label] for label in group}
    return lambda i, y: max(min(ends[group[i]]) - y, y - max(ends[group[i]])) > eps


def cheapest(f):
    """The least cost of any sequence of picks that leads out, none of them left out but those dearer than one that does."""
    x, _, gamma, _ = on_a_line(f)
    is_out, best = outside(f), None

    def follow(places, spent, left):
        nonlocal best
        # Costs are not negative: what is as dear already is not followed.
        if left == 0 or (best is not None and spent >= best):
            return
        costs = [[max(p * q for q in places) - p * q for q in places] for p in places]
        for picks in product(range(len(x)), repeat=len(x)):
            cost = spent + sum(costs[i][j] for i, j in enumerate(picks))
            after = [(1 - gamma) * p + gamma * places[j] for p, j in zip(places, picks, strict=True)]
            if not any(is_out(i, y) for i, y in enumerate(after)):
                follow(after, cost, left - 1)
            elif best is None or cost < best:
                best = cost

    follow(x, Fraction(0), int(f.steps.item()) - 1)
    return best


def the_cheapest_way_out_is_that_of_all_sequences(m):
    for f, least in zip(LINES, LEAST, strict=True):
        found = m.cheapest_way_out(f)
        assert (None if found is None else fraction(found)) == least


LEAST = [cheapest(f) for f in LINES]


def ways_that_meet_go_on_from_the_cheapest(m):
    assert m.cheapest_way_out(MEETING) == 2


def the_way_out_never_gets_dearer_with_time(m):
    f = LINES[0]
    found = [m.cheapest_way_out(f.replace(steps=np.array(t))) for t in (1, 2, 3)]
    assert found[0] is None
    assert found[2] <= found[1] if found[1] is not None else found[2] is not None


def what_is_cut_counts_as_much_as_it_may(m):
    """Everything is cut: a chance is anything up to 1, a mean anything up to the largest value."""
    f = SoftmaxStep.instance(x=[[1], [-1]], beta=3, gamma="1/2")
    # No pick has a chance of 2.
    nothing = m.law_after(f, 2, 2)
    assert nothing.masses == {}
    assert all(nothing.chance(lambda x: True).contains(value) for value in (0, 1))
    assert all(nothing.mean(lambda x: 0, 5).contains(value) for value in (0, 5))
    assert not nothing.mean(lambda x: 0, 5).contains(6)
    whole, part = (m.law_after(f, 3, least) for least in (0, arb("0.05")))
    for most in (1, 7):
        assert part.mean(lambda x, most=most: most * (x[0, 0] > 0), most).contains(
            whole.mean(lambda x, most=most: most * (x[0, 0] > 0), most)
        )


def chances_of_all_that_may_happen_sum_to_one(m):
    for f in (*LINES[:3], SoftmaxStep.instance(x=[[1, 2], [0, -1]], beta="2/3", gamma="1/4")):
        with working_precision(128):
            law = m.law_after(f, 2)
            total = sum(law.masses.values(), law.cut)
            assert total.contains(1)
            assert total.rad() < arb("1e-30")
            assert all(mass > 0 for mass in law.masses.values())


def the_law_is_that_of_all_sequences(m):
    """Against all n^n picks of each step, one after the other in float64; tokens above one another and not."""
    for x in ([2, 2, -1], [-1, 2, 2], [1, 0, -1]):
        f = SoftmaxStep.instance(x=[[value] for value in x], beta="1/2", gamma="1/4")
        expected = {tuple(map(float, x)): 1.0}
        for _ in range(2):
            following = {}
            for places, mass in expected.items():
                weights = np.exp(0.5 * np.outer(places, places))
                weights /= weights.sum(axis=1, keepdims=True)
                for picks in product(range(3), repeat=3):
                    after = tuple(p + (places[j] - p) / 4 for p, j in zip(places, picks, strict=True))
                    chance = mass * np.prod([weights[i, j] for i, j in enumerate(picks)])
                    following[after] = following.get(after, 0) + chance
            expected = following
        law = m.law_after(f, 2)
        assert law.cut == 0
        found = {tuple(float(fraction(value)) for value in y[:, 0]): float(mass) for y, mass in law.outcomes()}
        assert found == pytest.approx(expected, rel=1e-9)


def what_is_followed_stays_within_its_room(m):
    f = LINES[0]
    for most in (26, 27, 28):
        if most < 27:
            with pytest.raises(m.TooManyStatesError):
                m.law_after(f, 1, most_branches=most)
        else:
            assert len(m.law_after(f, 1, most_branches=most).masses) <= 27


def the_likeliest_are_kept_and_the_others_counted(m):
    f = SoftmaxStep.instance(x=[[1], [-1], ["1/2"]], beta=1, gamma="1/2")
    whole = m.law_after(f, 1)
    for many in (1, 4, 26, 27):
        law = m.law_after(f, 1, likeliest=many)
        assert len(law.masses) == many
        assert sum(law.masses.values(), law.cut).contains(1)
        assert (law.cut == 0) == (many == 27)
        assert all(law.masses[state].overlaps(whole.masses[state]) for state in law.masses)
    best = max(whole.masses.values(), key=lambda mass: mass.mid())
    assert next(iter(m.law_after(f, 1, likeliest=1).masses.values())).overlaps(best)


PICKS = facts_above(globals())
test_sequences_of_picks, test_bugs_in_sequences_of_picks = asked_of(pick_sequences, PICKS)


# ---------------------------------------------------------------------------------------------------------------------
# Simulation


def runs_on_the_edge_count_for_both_sides(m):
    """A pick moves (1, 0) by 3/10 of (-2, 8/3), by exactly 1; at the other token's distance float64 is sure."""
    v = [[1, 0], [-1, "8/3"]]
    f = AttentionChain.instance(v=v, x=v, group=[0, 1], beta="1/8", gamma="3/10", eps=1, steps=2)
    surely, possibly = m.simulate_escapes(f, 400, np.random.default_rng(1))
    assert surely == 0
    assert possibly > 100
    for eps, sure in (("9999/10000", True), ("10001/10000", False)):
        surely, possibly = m.simulate_escapes(f.replace(eps=exact(eps)), 400, np.random.default_rng(1))
        assert surely == possibly
        assert (surely > 100) == sure


def a_token_alone_knows_its_own_tube(m):
    """The second token's tube is met at its first pick, the first token's never: groups are not mixed up."""
    f = chain([10, 1], [0, 1], 2, eps=8, gamma="9/10", beta="1/100")
    surely, possibly = m.simulate_escapes(f, 300, np.random.default_rng(2))
    assert 0 < surely == possibly < 300
    truth = m.escape_probability(f, arb(0)).escaped
    assert abs(surely - 300 * float(truth.mid())) < 60


def likely_places_are_kept_with_all_their_chances(m):
    places, masses = np.array([[0.0, 0], [0, 1], [0, 0]]), np.log([0.3, 0.5, 0.3])
    [[place], [mass]] = m._merged(places, masses, 1)
    assert place.tolist() == [0, 0]
    assert np.exp(mass) == pytest.approx(0.6)


def picks_of_tokens_above_one_another_are_moves(m):
    """Tokens that agree in one coordinate are not at one place."""
    f = AttentionChain.instance(
        v=[[1, 0], [1, 2]], x=[[1, 0], [1, 2], [0, 2]], group=[0, 1, 1], beta=1, gamma="1/2", eps="1/2", steps=3
    )
    truth = m.escape_probability(f, arb(0), most_movers=1).escaped
    assert m.log_chance_alone(f, 4000) == pytest.approx(float(truth.log().mid()), rel=1e-9)


def straight_picks_are_one_history_of_all(m):
    """Two picks of the token of the other group, just in time; the fellow, the token that is picked and the rest stay."""
    x = [[2], ["3/2"], [-2], [-2]]
    for steps, escapes in ((2, False), (3, True), (6, True)):
        f = AttentionChain.instance(
            v=[[2], [-2]], x=x, group=[0, 0, 1, 1], beta="1/4", gamma="1/8", eps="4/5", steps=steps
        )  # fmt: skip
        found, chances = m.chance_of_straight_picks(f), []
        for mover, target in ((0, -2), (1, -2), (2, 2), (2, 1.5)):
            places, chance = [2, 1.5, -2, -2], 1
            for _ in range(2):
                weights = np.exp(np.outer(places, places) / 4)
                for token, place in enumerate(places):
                    picked = target if token == mover else place
                    chance *= weights[token, np.array(places) == picked].sum() / weights[token].sum()
                places[mover] += (target - places[mover]) / 8
            low, high = (1.5, 2) if mover < 2 else (-2, -2)
            chances.append(chance if max(low - places[mover], places[mover] - high) > 0.8 else 0)
        assert float(found) == pytest.approx(max(chances) * escapes, rel=1e-9)
        assert steps > 3 or found <= m.escape_probability(f, arb(0)).escaped
        for bits in range(8, 24):
            with working_precision(bits):
                few = m.chance_of_straight_picks(f)
            with working_precision(200):
                assert few <= m.chance_of_straight_picks(f)


RUNS = facts_above(globals(), but=PICKS)
test_simulated_runs, test_bugs_in_the_simulation = asked_of(rare_events, RUNS)


def test_tokens_of_the_other_groups_are_noticed(monkeypatch):
    right, wrong = "x[..., chain.group == label, :]", "x[..., chain.group != label, :]"
    monkeypatch.setattr(rare_events, "beyond_tubes", planted(float_runs, right, wrong).beyond_tubes)
    assert noticed(RUNS, rare_events)


def test_least_costs_are_of_all_kinds():
    assert None in LEAST
    assert len({least for least in LEAST if least is not None}) >= 4
    assert cheapest(MEETING) == 2
