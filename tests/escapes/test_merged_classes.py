"""Classes of merged states against all states of small chains: each is in its class, and so is its mean; planted bugs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import exp, prod
from operator import mul

import numpy as np
import pytest
from flint import arb, arb_mat, fmpq

from dynamics.escapes import merged
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import published, triangle
from tests.planting import asked_of, facts_above


def on_a_line(x, beta, eps):
    return AttentionChain.instance(v=x, x=x, group=[0, 1], beta=beta, gamma="1/7", eps=eps)


# The order of picks decides who is in its tube: classes meet the edge. With 0.05 negligible moves of all kinds are cut.
CHAINS = [
    (on_a_line([["1"], ["-1/2"]], 1, "51/100"), 0.0),
    (on_a_line([["1"], ["-1/2"]], 1, "51/100"), 0.05),
    (on_a_line([["1"], ["-1"]], 1, "69/100"), 0.05),
]
THREE = (triangle(1, eps="1/4", gamma="1/7"), 1e-2)


class States:
    """The states of a chain and E T_2 from them, written on its own: places are fractions, chances floats."""

    def __init__(self, chain):
        self.gamma, self.eps, self.beta = (Fraction(str(a.item())) for a in (chain.gamma, chain.eps, chain.beta))
        self.start = tuple(tuple(Fraction(str(a)) for a in place) for place in chain.x.tolist())
        self.tokens = range(len(self.start))
        own = tuple(self.tokens)
        self.moves = [targets for targets in product(own, repeat=len(own)) if targets != own]
        # Not the decorator: the states of one chain are dropped with it.
        self.mean = cache(self._mean)

    def after(self, x, targets):
        """The state after a move, None outside."""
        y = tuple(tuple(a + self.gamma * (b - a) for a, b in zip(x[i], x[j], strict=True)) for i, j in enumerate(targets))
        # In fractions: the edge belongs to the tube.
        return y if all(self._square(p, q) <= self.eps**2 for p, q in zip(y, self.start, strict=True)) else None

    def _square(self, x, y):
        return sum((a - b) ** 2 for a, b in zip(x, y, strict=True))

    def scores(self, x):
        return {
            (i, j): self.beta * sum(a * (b - a) for a, b in zip(x[i], x[j], strict=True))
            for i, j in product(self.tokens, repeat=2)
            if i != j
        }

    def weights(self, scores):
        return {t: prod(exp(scores[i, j]) for i, j in enumerate(t) if i != j) for t in self.moves}

    def _mean(self, x):
        weights = self.weights(self.scores(x))
        after = {t: self.after(x, t) for t in self.moves}
        later = sum(weight * self.mean(after[t]) for t, weight in weights.items() if after[t])
        return 1 + (1 + later) / sum(weights.values())


def holds(boxes, values):
    return all(box.contains(fmpq(a.numerator, a.denominator)) for box, a in zip(boxes, values, strict=True))


def states_are_in_their_classes(module, chain, negligible):
    """Returns how many classes had several states, how many moves met an edge, and how many classes lost some."""
    states, law = States(chain), module._Merging(chain, negligible, None)
    start, found, several, unsure, cut = law.start(), [], 0, 0, 0
    # Which states each class stands for, followed move by move beside it.
    members = {id(start): {states.start}}
    layers = [{} for _ in states.tokens] + [{None: start}]
    while any(layers := layers[1:]):
        layers.append({})
        for one in layers[0].values():
            law.spread(one, layers)
            found.append(one)
            listed = [targets for targets, _ in law._departure(one).moves]
            own = members.setdefault(id(one), set())
            for x in own:
                assert holds(one.places, sum(x, ()))
                assert holds(one.scores, states.scores(x).values())
                for targets, after in zip(listed, one.after, strict=True):
                    y = states.after(x, targets)
                    # A state inside may not be lost, and one outside not be said to be surely inside.
                    assert y is None or after is not None
                    assert y is not None or after is None or not after[1]
                    if y is not None:
                        members.setdefault(id(after[0]), set()).add(y)
                        unsure += not after[1]
            weights = states.weights({s: float(a.mid()) for s, a in zip(law._pairs, one.scores, strict=True)})
            # What a class cuts must be counted in it, as a share of all that may move.
            lost = sum(weights[t] for t in states.moves if t not in listed and any(states.after(x, t) for x in own))
            assert lost <= float(one.lost.upper()) * sum(weights.values()) * (1 + 1e-9)
            several, cut = several + (len(own) > 1), cut + (lost > 0)
    for one in reversed(found):
        one.mean = law.mean_from(one)
        for x in members[id(one)]:
            scores = [[arb(fmpq(a.numerator, a.denominator))] for a in states.scores(x).values()]
            ends, value = one.mean.at(arb_mat(scores)), states.mean(x)
            assert float(ends.lower()) * (1 - 1e-9) <= value <= float(ends.upper()) * (1 + 1e-9)
    return several, unsure, cut


@pytest.mark.parametrize(("chain", "negligible"), [*CHAINS, THREE])
def test_states_are_in_their_classes(chain, negligible):
    several, unsure, cut = states_are_in_their_classes(merged, chain, negligible)
    assert several > 5
    assert unsure > 5
    assert (cut > 3) == (negligible > 0)


def on_a_line_after_the_moves(module):
    """Two tokens after whose moves E T_2 is on a line in the scores, or 0, and it is not known which."""
    law, far = module._Merging(published(), 0.0, None), 0.3
    lines = [module._Linear(column(2, 1), arb(value), column(2, 2)) for value in (0, 4, 2)]
    # Waits tell where they are long, and what is not known where they are short.
    for surely, score in ((True, -3), (False, 3)):
        one = law.start()
        one.scores = [arb(score, far), arb(score, far)]
        moves = [targets for targets, _ in law._departure(one).moves]
        one.after = [(module._Class((), [], [], mean=line), surely) for line in lines]
        mean = law.mean_from(one)
        # At corners, edges and the middle of the box of scores.
        for x, y in product((score - far, score, score + far), repeat=2):
            scores = column(x, y)
            weights = [exp(x * (i != 0) + y * (j != 1)) for i, j in moves]
            after = [float(line.at(law._move(t).of_scores * scores)) for line, t in zip(lines, moves, strict=True)]
            later = sum(map(mul, weights, after))
            for value in (later, later if surely else 0.0):
                assert mean.at(scores).overlaps(arb(1 + (1 + value) / sum(weights), 1e-9))


def column(*values):
    return arb_mat([[arb(a)] for a in values])


def no_move_grows_by_more(module):
    """What is taken for how much the weight of any move may grow."""
    law = module._Merging(triangle(), 0.0, None)
    growths = [arb(1 + p) for p in (3, 0, 1, 4, 2, 5)]
    most = law._most(growths)
    for targets in product(range(3), repeat=3):
        assert module._product(growths, law._move(targets).picks) <= most


def longer_from_a_box(module):
    """The longest mean from a box is not less than from places in it."""
    law = module._Merging(triangle(), 0.0, None)
    law._longest = None
    places = [float(arb(a)) for place in law._x for a in place]
    box = law._longest_from(module._Class((), [arb(a, 0.04) for a in places], []))
    rng = np.random.default_rng(0)
    for _ in range(8):
        inside = [arb(a + 0.04 * float(sign)) for a, sign in zip(places, rng.choice([-1, 1], len(places)), strict=True)]
        assert law._longest_from(module._Class((), inside, [])) < box


def all_states(module):
    for chain, negligible in CHAINS:
        states_are_in_their_classes(module, chain, negligible)


test_classes, test_bugs_in_classes = asked_of(merged, facts_above(globals(), "module"), "classes")
