"""Limits of flows: what a trap shows of a start comes true along certified runs, and planted bugs say what does not.

Starts are scaled to the edge of each trap and below it. Those below are not caught; a trap with a bug catches some of them,
or promises too much of those that it may catch. What it says is put to enclosures of later states, in balls: float64 is
asked nothing here.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from flint import arb, fmpq, fmpq_mat

from dynamics.arithmetic import UndecidedError, exact, working_precision
from dynamics.enclosures.steps import EnclosureError, Rung, enclose_at
from dynamics.limits import (
    between,
    classes,
    hyperplanes,
    leaders,
    polytopes,
    products,
    repulsion,
    splittings,
    symmetry,
    thresholds,
)
from dynamics.limits.margins import greatest, least
from dynamics.limits.tokens import as_balls
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_starts import TwoStarts
from tests.checker.test_restated_token_traps import agree, first_statement, said_again
from tests.planting import bugs_in, one_in

RUNG = Rung(64, 32, 1e-15)


def rng(*seed):
    return np.random.default_rng([14, *seed])


def rationals(generator, *shape, size=2, bits=4):
    return [
        [fmpq(int(k), 1 << bits) for k in row] for row in generator.integers(-(size << bits), (size << bits) + 1, shape)
    ]


def scaled(tokens, factor):
    return [[entry * factor for entry in row] for row in tokens]


def is_caught(trap, start):
    with suppress(UndecidedError), working_precision(96):
        trap(start, start)
        return True
    return False


def around_the_edge(make, trap, shares):
    """Starts make(s) for s near the least scale at which the trap catches, times each share."""
    low, high = fmpq(1, 64), fmpq(16)
    if is_caught(trap, make(low)):
        yield make(fmpq(1))
        return
    if not is_caught(trap, make(high)):
        return
    while high / low > fmpq(33, 32):
        middle = (low + high) / 2 if high / low <= 2 else 2 * low
        low, high = (low, middle) if is_caught(trap, make(middle)) else (middle, high)
    for share in shares:
        yield make(high * share)


def holds(slack, what):
    """Fail where a number that must not be negative certainly is."""
    assert not slack < 0, what


def dot(x, y):
    return sum((a * b for a, b in zip(x, y, strict=True)), arb(0))


def length(x):
    return dot(x, x).sqrt()


# ---------------------------------------------------------------------------------------------------------------------
# Leaders

TIMES = (fmpq(1, 2), fmpq(1), fmpq(2))
SHARES = (fmpq(17, 16), fmpq(3, 4))


def leader_starts():
    kinds = ["identity", "any", "positive", "ties", "many at one place"]
    for seed in range(12):
        generator, kind = rng(1, seed), kinds[seed % 5]
        n = int(generator.integers(3, 5))
        z, B = rationals(generator, n, 2), [[1, 0], [0, 1]]
        if kind == "any":
            B = rationals(generator, 2, 2, size=1)
        if kind == "positive":
            B = [[2, fmpq(1, 2)], [fmpq(1, 2), 1]]
        if kind == "ties":
            z = [*z, z[0]]
        if kind == "many at one place":
            z = [*z, *[z[-1]] * 4]
        yield lambda s, z=z, B=B: RescaledFlow.instance(z=scaled(z, s), B=B)
    # A follower in front of its leader, which later falls behind; one near the wall between two leaders.
    yield lambda s: RescaledFlow.instance(z=scaled([[1, 0], [fmpq(9, 8), 2], [fmpq(9, 8), fmpq(-7, 4)]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[1, 0], [fmpq(1, 2), -2], [fmpq(1, 2), fmpq(9, 20)]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[2, 0], [0, 2], [fmpq(9, 8), 1]], s))


def scores_of(f):
    z = as_balls(f.z)
    return (2 * as_balls(f.t).item()).exp() * (z @ f.B @ z.T)


def led(end, start, runs):
    n = len(start.z)
    place = [[(a == b).all() for b in start.z].index(True) for a in start.z]
    leader = [place[l] for l in end.leaders]
    assert end.rank == len(set(leader)) == len(end.vertices) == end.count
    for time, f in runs:
        tau, s, z = arb(time), scores_of(f), as_balls(f.z)
        for k in range(n):
            for i in range(n):
                if place[i] == leader[k]:
                    continue
                margin = s[k, leader[k]] - s[k, i]
                if leader[i] == leader[k]:
                    holds(margin - end.in_class * (tau / 2).exp(), "Y grows")
                else:
                    holds(margin - end.between * (3 * tau / 2).exp(), "M grows")
            lost = arb(0)
            if end.in_class is not None:
                lost += end.in_weight * (-end.in_class * (tau / 2).exp()).exp()
            if end.between is not None:
                lost += end.between_weight * (-end.between * (3 * tau / 2).exp()).exp()
            own = [j for j in range(n) if place[j] == leader[k]]
            holds(lost - (1 - sum((f.attention()[k, j] for j in own), arb(0))), "rows")
            assert all(end.attention[k, j] == (fmpq(1, len(own)) if j in own else 0) for j in range(n))
            l = leader[k]
            holds(end.moved - length(z[l] - as_balls(start.z)[l]), "leaders rest")
            gone = end.moved + (-tau).exp() * (greatest(abs(v) for v in end.offsets[k]) * 2 + 1)
            holds(gone * 2 - length(z[k] - as_balls(end.limits)[k]), "limits")
    time, f = runs[-1]
    z = as_balls(f.z)
    final = leaders.leader_trap(f, start)
    for k in range(n):
        assert all(a.overlaps(b) for a, b in zip(end.limits[k], final.limits[k], strict=True)), "limits"
        grown = arb(time).exp() * as_balls(final.offsets)[k]
        assert all(a.overlaps(b) for a, b in zip(end.offsets[k], grown, strict=True)), "offsets"
    for a in set(leader):
        for b in set(leader) - {a}:
            holds(dot(z[a] @ start.B, z[a] - z[b]) - end.least_margin, "vertices")


# ---------------------------------------------------------------------------------------------------------------------
# Thresholds


def line(tokens, B=1, V=1):
    return RescaledFlow.instance(z=[[x] for x in tokens], B=[[B]], V=[[V]])


def line_starts():
    for seed in range(10):
        generator = rng(2, seed)
        x = sorted({fmpq(int(k), 16) for k in generator.integers(-32, 33, int(generator.integers(2, 6)))} - {fmpq(0)})
        yield lambda s, x=x, seed=seed: line([s * one for one in x], *((1, 1), (2, 1), (1, 2))[seed % 3])
    # One token beyond the threshold, many on the other side; all on one side; several at one place.
    yield lambda s: line([s, *[-1 / s + fmpq(k, 64) for k in range(4)]])
    yield lambda s: line([s * fmpq(3, 4), s, -s / 8, -s / 8, -s / 8])
    yield lambda s: line([s, s, -s])
    yield lambda s: line([-s, s])
    yield lambda s: line([-s / 2, -s])


def run_off(end, start, runs):
    n, z_0 = len(start.z), as_balls(start.z)[:, 0]
    for time, f in runs:
        rate = start.V[0, 0]
        z, tau = as_balls(f.z)[:, 0], arb(time) * rate
        x = z * tau.exp() * arb(start.B[0, 0]).sqrt()
        for i in range(n):
            holds(end.sides[i] * x[i], "sides")
            r = (end.squares[i] + end.gains[i] * ((2 * tau).exp() - 1)).sqrt()
            holds(abs(x[i]) - r, "|x_i| >= r_i")
            own = [j for j in range(n) if start.z[j] == start.z[end.leaders[i]]]
            missing = 1 - sum((f.attention()[i, j] for j in own), arb(0))
            if end.gap is not None:
                holds((n - 1) * (-end.gap * r).exp() - missing, "rows")
            e = end.leaders[i]
            low, high = (arb(end.limits[e, 0]).lower(), arb(end.limits[e, 0]).upper())
            holds((z[e] - low) if end.sides[i] > 0 else (high - z[e]), "the last token moves no farther")
            assert all(end.attention[i, j] == (fmpq(1, len(own)) if j in own else 0) for j in range(n))
    assert end.rank == end.count == len(set(end.sides.tolist()))
    final = thresholds.threshold_trap(runs[-1][1], start)
    for i in range(n):
        assert arb(end.limits[i, 0]).overlaps(arb(final.limits[i, 0])), "limits"
    assert all(a == b for a, b in zip(end.sides, final.sides, strict=True))
    assert all(abs(z_0[i]) > 0 for i in range(n))


# ---------------------------------------------------------------------------------------------------------------------
# Splittings of V

V_KINDS = (
    [[1, 0], [0, fmpq(1, 2)]],
    [[1, fmpq(1, 4)], [0, fmpq(-3, 4)]],
    [[1, 0], [0, 0]],
)


def split_starts(sign):
    for seed in range(9):
        generator = rng(3, seed)
        z = rationals(generator, int(generator.integers(2, 4)), 2, size=2)
        if sign < 0:
            z = [[abs(row[0]) + fmpq(1, 2), row[1]] for row in z]
        B = [[sign, fmpq(1, 2)], [fmpq(-1, 4), 1]] if seed % 2 else [[sign, 0], [0, 1]]
        # Only the coordinate of the eigenvector grows: what is beside it may carry tokens over.
        yield lambda s, z=z, B=B, V=V_KINDS[seed % 3]: RescaledFlow.instance(
            z=[[s * row[0], row[1]] for row in z], V=V, B=B
        )


def on_hyperplanes(end, start, runs):
    n = len(start.z)
    for _, f in runs:
        z = as_balls(f.z)
        heights = [dot(end.covector, z[i]) for i in range(n)]
        for i in range(n):
            holds(end.sides[i] * heights[i], "sides")
        for side in set(end.sides.tolist()):
            own = [side * heights[i] for i in range(n) if end.sides[i] == side]
            limit = arb(side * end.heights[end.sides.tolist().index(side)])
            if start.B[0, 0] > 0:
                holds(greatest(own) - limit.lower(), "the largest does not fall below")
            else:
                holds(limit.upper() - least(own), "the least does not rise above")
    final = hyperplanes.hyperplanes_trap(runs[-1][1], start)
    assert end.count == final.count == len(set(end.classes.tolist()))
    # The norm on G is another then, and so is the scale of phi.
    scale = next(a / b for a, b in zip(final.covector, end.covector, strict=True) if b != 0)
    for i in range(n):
        assert arb(end.heights[i] * scale).overlaps(arb(final.heights[i])), "heights"


def polytope_starts():
    for seed in range(9):
        generator = rng(4, seed)
        z = rationals(generator, 3, 3, size=2)
        B = [[2, fmpq(1, 2), fmpq(1, 4)], [fmpq(1, 2), 1, 0], [fmpq(-1, 2), fmpq(1, 4), 1]]
        if seed % 3 == 0:
            B = [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
        V = [[1, 0, fmpq(seed, 8)], [0, 1, 0], [0, 0, fmpq(seed % 4 - 2, 4)]]
        yield lambda s, z=z, B=B, V=V: RescaledFlow.instance(z=[[s * a, s * b, c] for a, b, c in z], V=V, B=B)


def in_a_polytope(end, start, runs):
    parts = splittings.splitting(start.V, start.B)
    S, L = parts.N[: parts.size, : parts.size], parts.L
    for _, f in runs:
        y = (as_balls(f.z) @ as_balls(L).T)[:, : parts.size]
        for i, row in enumerate(y):
            holds(dot(row @ S, row) - end.squares[i], "no token comes near 0")
    assert end.dimension == 2


# ---------------------------------------------------------------------------------------------------------------------
# Ties, classes, collapse, starts between


def tied_starts():
    yield lambda s: RescaledFlow.instance(z=scaled([[1, 0], [2, 1], [2, -1]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[1, 0], [2, 1], [2, -1], [1, 0]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[-1, 0], [0, 0], [1, 0]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[0, 0], [2, 1], [-2, -1], [1, 1], [-1, -1]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[1, 1], [1, -1], [fmpq(1, 2), 0], [-1, 0]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[1, 1], [1, -1], [1, 0]], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[1, 1], [1, -1], [1, 0], [1, 0]], s), B=[[1, 0], [0, 2]])


def grids():
    line = [[-1], [0], [1]]
    yield lambda s: RescaledFlow.instance(z=scaled([a + b for a in line for b in line], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[a, *b] for b in [[1], [-1], *line] for a in (2, -1)], s))
    yield lambda s: RescaledFlow.instance(z=scaled([[a, b, 1] for a, b in ([1, 0], [2, 1], [2, -1])] * 2, s))


def tied(end, start, runs):
    n = len(start.z)
    place = [[(a == b).all() for b in start.z].index(True) for a in start.z]
    for time, f in runs:
        P, z, tau = f.attention(), as_balls(f.z), arb(time)
        least = None if end.between is None else end.between * (tau / 2).exp()
        for k in range(n):
            outside = sum((P[k, j] for j in range(n) if end.attention[k, j] == 0), arb(0))
            if least is not None:
                holds(n * (-least).exp() - outside, "rows")
            away = greatest(abs(a - b) for a, b in zip(z[k], end.limits[k], strict=True))
            before = greatest(abs(a - b) for a, b in zip(as_balls(start.z)[k], end.limits[k], strict=True))
            holds((-tau).exp() * (before + fmpq(1, 4)) + fmpq(1, 4) - away, "limits")
            if end.frozen[k]:
                assert all(a.contains(b) for a, b in zip(z[k], start.z[k], strict=True)), "frozen"
            if end.leaders[k] >= 0:
                assert all(a.overlaps(b) for a, b in zip(end.limits[k], end.limits[end.leaders[k]], strict=True)), "leaders"
    assert end.rank == fmpq_mat(end.attention.tolist()).rank()
    assert end.count == len(set(end.classes.tolist()))
    assert len({place[v] for v in end.vertices}) == len(end.vertices)
    assert all(sum(row) == 1 for row in end.attention)


def unmixed(end, start, runs):
    n = len(start.z)
    for _, f in runs:
        z = as_balls(f.z)
        P = f.attention()
        for k in range(n):
            for a in range(z.shape[1]):
                hull = end.hulls[k, a]
                holds(z[k, a] - hull.lower(), "classes")
                holds(hull.upper() - z[k, a], "classes")
            other = sum((P[k, j] for j in range(n) if end.classes[j] != end.classes[k]), arb(0))
            holds(end.leak * 4 - other, "leak")


def class_starts():
    for seed in range(16):
        generator = rng(5, seed)
        centres = rationals(generator, 2, 2, size=2)
        z = [
            [c + e / 16 for c, e in zip(centres[k % 2], row, strict=True)]
            for k, row in enumerate(rationals(generator, 4, 2))
        ]
        B = [[1, 0], [0, 1]] if seed % 2 else rationals(generator, 2, 2, size=1)
        yield lambda s, z=z, B=B: RescaledFlow.instance(z=scaled(z, s), B=B)


def collapsing_starts():
    for seed in range(4):
        generator = rng(6, seed)
        z = rationals(generator, 3, 2, size=2)
        z = z if seed else [z[0]] * 3
        yield SelfAttentionFlow.instance(x=z, V=[[-1, 0], [0, -1]], B=[[2, fmpq(1, 2)], [fmpq(1, 2), 1]])
    yield SelfAttentionFlow.instance(x=[[1], [-1]], V=[[-1]])
    yield SelfAttentionFlow.instance(x=[[3], [-3], [1]], V=[[-2]])
    # Not of the kind that collapses: repulsion along one direction, or scores that are not symmetric.
    yield SelfAttentionFlow.instance(x=[[1, 2], [0, -1]], V=[[-1, 0], [0, -1]], B=[[1, 0], [0, -1]])
    yield SelfAttentionFlow.instance(x=[[3, 0], [-1, 2], [-2, -2]], V=[[-1, 0], [0, -1]], B=[[1, -3], [3, 1]])
    yield SelfAttentionFlow.instance(x=[[1], [-1]], V=[[1]])


def collapsed(end, start, runs):
    n = len(start.x)
    size = lambda f: 2 * sum((dot(x @ start.B, x) for x in as_balls(f.x)), arb(0))  # noqa: E731
    for time, f in runs:
        o, o_0, s = size(f), end.size, arb(time) * end.pace
        assert arb(o_0).overlaps(size(start))
        if end.differences == 0:
            holds(arb(o_0) * (-2 * s).exp() * (1 + arb(2) ** -60) - o, "all together")
        else:
            holds(1 / o - o.log() - (1 / o_0 - o_0.log() + s / (end.differences * n)), "collapse")
    assert end.rank == 1
    assert all(entry == fmpq(1, n) for entry in end.attention.flat)


def bracketed_starts():
    for low, high, second in ((-1, "-1/4", 1), ("-3/5", "-2/5", 1), (-2, "-1/8", 2), ("-3/4", "-1/2", "5/4")):
        yield TwoStarts.instance(x=[[low], [second]], y=[[high], [second]])
    yield TwoStarts.instance(x=[[-1], [1]], y=[[-2], [1]])  # to one side both
    yield TwoStarts.instance(x=[[-1], [1]], y=[["1/4"], [2]])  # two second tokens
    yield TwoStarts.instance(x=[[-1], ["3/4"]], y=[["1/4"], ["3/4"]])  # a small one
    yield TwoStarts.instance(x=[["-1"], [1]], y=[["1/2"], [1]], B=[["5/4"]])


def parted(end, start, runs):
    _, f = runs[-1]
    assert f.x[0, 0] < 0 < f.y[0, 0]
    assert start.x[1, 0] == start.y[1, 0] >= 1
    assert start.B[0, 0] == start.V[0, 0] == 1
    assert end.doubly_exponential == -1


EDGES = {
    "leader_trap": (leaders, leader_starts, TIMES, led, 8),
    "threshold_trap": (thresholds, line_starts, TIMES, run_off, 10),
    "hyperplanes_trap": (hyperplanes, lambda: split_starts(1), TIMES, on_hyperplanes, 3),
    "hyperplanes_trap below": (hyperplanes, lambda: split_starts(-1), TIMES, on_hyperplanes, 2),
    "polytope_trap": (polytopes, polytope_starts, TIMES, in_a_polytope, 5),
    "symmetry_trap": (symmetry, tied_starts, TIMES[:2], tied, 4),
    "product_trap": (products, grids, TIMES[:2], tied, 3),
    "classes_trap": (classes, class_starts, TIMES[:2], unmixed, 3),
    "collapse_trap": (repulsion, collapsing_starts, (fmpq(1), fmpq(4)), collapsed, 6),
    "between_trap": (between, bracketed_starts, (fmpq(3, 2), fmpq(2)), parted, 4),
}
"""The module of a trap, its starts, the times they are followed to, what is compared there, and how many it catches."""


@cache
def starts_of(name):
    """The starts of an attack, each with its certified later states."""
    module, make, times, *_ = EDGES[name]
    trap, found = getattr(module, name.partition(" ")[0]), []
    for one in make():
        # These two lemmas are about every state of theirs, or about pairs of states: no scale leads to an edge.
        for start in [one] if name in ("collapse_trap", "between_trap") else around_the_edge(one, trap, SHARES):
            with suppress(EnclosureError):
                trajectory = enclose_at(start, times[-1], RUNG)
                found.append((start, [(time, trajectory.at(time)) for time in times]))
    return found


def ends_as_it_says(name, module=None):
    """A trap catches as many starts as are known to be caught, and what it says of each is borne out by later states."""
    own, *_, compare, least = EDGES[name]
    lemma, count = getattr(module or own, name.partition(" ")[0]), 0
    for start, runs in starts_of(name):
        with working_precision(RUNG.bits):
            try:
                end = lemma(runs[0][1] if name == "between_trap" else start, start)
            except UndecidedError:
                continue
            count += 1
            compare(end, start, runs)
    assert count >= least


def put_to_both(name, module):
    """Fail where later states or the checker's statement say otherwise; at edges the checker's own tests ask the lemmas."""
    ends_as_it_says(name, module)
    lemma = name.partition(" ")[0]
    for state, start, found in said_again(lemma):
        end = first_statement(lemma, state, start, module)
        assert (end is None) is (found is None), "caught, or not"
        if end is not None:
            agree(found, end)


@pytest.mark.parametrize("name", one_in(6, reversed(EDGES)))
def test_what_a_trap_catches_ends_as_it_says(name):
    ends_as_it_says(name)


@pytest.mark.parametrize("name", ["leader_trap", "threshold_trap", "symmetry_trap", "product_trap"])
def test_the_flow_of_x_ends_as_the_rescaled_one_does(name):
    """A state x = e^{tV} z of the one flow and z of the other: who leads whom is the same, and limits are e^{tV} times."""
    module, starts, *_ = EDGES[name]
    trap, caught_of = getattr(module, name), []
    for make, scale, t in product(starts(), (1, 4), (fmpq(1, 4), fmpq(1))):
        start = make(fmpq(scale))
        data, grown = {"B": start.B, "V": start.V}, (arb(t) * start.V[0, 0]).exp()
        with working_precision(96):
            ends = []
            for state, begun in (
                (start.replace(t=exact(t)), start),
                (SelfAttentionFlow(x=as_balls(start.z) * grown, **data), SelfAttentionFlow(x=start.z, **data)),
            ):
                with suppress(UndecidedError):
                    ends.append(trap(state, begun))
            assert len(ends) != 1, "caught in one of the flows alone"
            for one, other in pairwise(ends):
                caught_of.append(one)
                assert all((a * grown).overlaps(b) for a, b in zip(one.limits.flat, other.limits.flat, strict=True)), (
                    "limits"
                )
                for what in ("leaders", "classes", "attention", "rank", "vertices", "count", "sides", "frozen"):
                    if hasattr(one, what):
                        assert np.array_equal(getattr(one, what), getattr(other, what)), what
    assert len(caught_of) >= 4


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs


@bugs_in(
    products, leaders, thresholds, hyperplanes, polytopes, symmetry, classes, repulsion, between, part="edges", share=48
)
def test_a_planted_bug_is_caught(bug):
    ends_as_it_says(bug.fact)  # asked of every trap here: its starts are at hand
    with pytest.raises(AssertionError):
        put_to_both(bug.fact, bug.planted())
