"""How a state is left in one step, against the list of all combinations of picks."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
from flint import arb, fmpq

from dynamics.escapes import departures
from tests.planting import asked_of, facts_above

STAY, OUT = "stay", "out"


def some_picks(turn):
    """One to three tokens, each with weights of its targets and of what leads out, whole sixteenths, none among them."""
    random = np.random.default_rng([61, turn])
    for _ in range(1 + turn % 3):
        # None among them: a token that cannot move must not spoil the product.
        targets = random.permutation(4)[: int(random.integers(0, 3))].tolist()
        yield {j: fmpq(int(random.integers(1, 40)), 16) for j in targets}, fmpq(int(random.integers(0, 3)), 8)


def combinations(picks):
    """The weights of all ways to pick, in units of that in which all stay."""
    ways = [[(STAY, fmpq(1)), *targets.items(), (OUT, out)] for targets, out in picks]
    return [([what for what, _ in way], prod((weight for _, weight in way), start=fmpq(1))) for way in product(*ways)]


def one_step(m, turn, is_dropped=None):
    """What is left of a state of a turn, with all the ways of leaving it: the moves, and the weight of going out."""
    picks = list(some_picks(turn))
    own = [10 + i for i in range(len(picks))]
    given = [m.picks_of({j: arb(w) for j, w in targets.items()}, arb(out) if out else m.NOTHING) for targets, out in picks]
    ways = combinations(picks)
    moves = {
        tuple(i if what == STAY else what for i, what in zip(own, way, strict=True)): weight
        for way, weight in ways
        # If one token goes out, the step is out, wherever the others go.
        if OUT not in way and set(way) != {STAY}
    }
    out = sum((weight for way, weight in ways if OUT in way), fmpq(0))
    return m.departure(given, own, is_dropped), moves, out


def is_number(ball, value):
    return ball.overlaps(arb(value)) and ball.rad() <= 1e-12 * (1 + abs(arb(value)))


def departures_are_those_of_all_combinations(m):
    for turn in range(60):
        found, moves, out = one_step(m, turn)
        leaving = sum(moves.values(), out)
        assert is_number(found.stay, 1 / (1 + leaving))
        assert is_number(found.leave, leaving / (1 + leaving))
        assert found.dropped == 0
        told = dict(found.moves)
        # No move is told twice, with a part of its chance each.
        assert len(told) == len(found.moves)
        assert set(told) == set(moves)
        if leaving > 0:
            assert is_number(found.out, out / leaving)
            assert all(is_number(told[move], weight / leaving) for move, weight in moves.items())
        else:
            assert found.out == 0


def what_is_dropped_is_returned(m):
    """Of moves below a chance nothing is lost, and none above it is dropped."""
    dropped = 0
    for turn, share in product(range(60), (1e-3, 0.05, 0.3, 2.0)):
        found, moves, out = one_step(m, turn, lambda chance, share=share: chance < share)
        leaving = sum(moves.values(), out)
        if not moves:
            continue
        told = dict(found.moves)
        assert all(is_number(chance, moves[move] / leaving) for move, chance in told.items())
        missing = [weight / leaving for move, weight in moves.items() if move not in told]
        assert is_number(found.dropped, sum(missing, fmpq(0)))
        # Both ways: what is missing was below the share, and at the least share most are there.
        assert all(arb(chance) < share for chance in missing)
        dropped += len(missing)
        assert share > 1e-3 or len(told) > len(moves) / 2
        assert share < 1 or not told
    # Else nothing was dropped and nothing shown.
    assert dropped > 60


def places_move_by_gamma(m):
    x = ((fmpq(1), fmpq(-2)), (fmpq(5), fmpq(1, 2)))
    assert m.moved(x, 0, 1, fmpq(1, 4)) == (fmpq(2), fmpq(-11, 8))
    assert m.moved(x, 1, 0, fmpq(1, 4)) == (fmpq(4), fmpq(-1, 8))
    assert m.moved(x, 0, 1, fmpq(0)) == m.moved(x, 0, 0, fmpq(1, 2)) == x[0]
    assert m.minus(*x) == (fmpq(-4), fmpq(-5, 2))
    assert m.inner(*x) == 4
    assert (m.middle(fmpq(-3, 2)), m.middle(arb(0.25, 1))) == (-1.5, 0.25)


test_departures, test_bugs_in_departures = asked_of(departures, facts_above(globals()))
