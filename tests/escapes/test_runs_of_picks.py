"""The wait for a run of picks that leads out of a tube, against runs that are played in rationals; planted bugs."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import working_precision
from dynamics.escapes import groups
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import TRIANGLE, exact, inner
from tests.planting import asked_of, facts_above

ON_A_LINE = {
    "two and one": (["1", "1", "-1"], [0, 0, 1]),
    "wide and one": (["1", "5/8", "-1"], [0, 0, 1]),
    "wide and wide": (["1", "3/4", "-1/2", "-1"], [0, 0, 1, 1]),
    "one between two": (["2", "1/4", "-3"], [0, 1, 2]),
    "a wide group between two": (["2", "1/4", "0", "-3"], [0, 1, 1, 2]),
}
TUBES = ["1/100", "1/10", "1/5", "1/4"]
STEPS = ["1/2", "1/8", "3/11", "1/40"]


def chain_of(name, eps, gamma, beta=2):
    places, labels = ON_A_LINE[name]
    vertices = [[k] for k in range(len(set(labels)))]
    return AttentionChain.instance(v=vertices, x=[[a] for a in places], group=labels, beta=beta, gamma=gamma, eps=eps)


def picks_needed(chain, own, other):
    """Picks in a row that lead out from where it takes most of them; None where they never do.

    First of a token that stays between all first tokens, as every token does, and then anywhere in its tube; the picked
    token stays where it is nearest.
    """
    start, _, gamma, eps = exact(chain)
    labels, places = chain.group.tolist(), [x for (x,) in start]
    of = {label: [x for x, one in zip(places, labels, strict=True) if one == label] for label in (own, other)}
    sign = 1 if min(of[other]) > max(of[own]) else -1
    near, top, bottom = (
        sign * x
        for x in (
            (min(of[other]) - eps, max(of[own]) + eps, min(of[own]) - eps)
            if sign > 0
            else (max(of[other]) + eps, min(of[own]) - eps, max(of[own]) + eps)
        )
    )
    # The other's tube does not lie beyond the own one: picks of it need not lead out.
    if not near > top:
        return None
    found = []
    # From where every token may stand after a step, and from anywhere in the tube: what is counted lies between.
    for lowest in (max(bottom, min(sign * x for x in places)), bottom):
        x, count = lowest, 0
        while not x > top:
            x, count = x + gamma * (near - x), count + 1
        found.append(count)
    return found


def dearest(chain):
    """max <x, z - y> over tokens: as a pick of y weighs e^{beta <x, y>}, none has a chance below e^{-beta cost} / n."""
    start, *_ = exact(chain)
    return max(inner(x, z) - inner(x, y) for x, y, z in product(start, repeat=3))


def wait(chain, count):
    """m / p^m for m picks in a row of a chance p each."""
    cost, n = dearest(chain), len(chain.x)
    p = (-chain.beta.item() * fmpq(cost.numerator, cost.denominator) * arb(1)).exp() / n
    return count / p**count


def is_right(module, chain, own, other):
    """Whether the wait is not shorter than that for the run played, and not longer than from anywhere in the tube."""
    counts, found = picks_needed(chain, own, other), module._run(chain, own, other)
    if counts is None or found is None:
        return counts is None and found is None
    least, most = counts
    return bool(wait(chain, least).lower() <= found <= wait(chain, most) * (1 + arb(2) ** -60))


def fact_runs_on_a_line_lead_out(module):
    with working_precision(128):
        for name, eps, gamma in product(ON_A_LINE, TUBES, STEPS):
            chain = chain_of(name, eps, gamma)
            for own, other in permutations(sorted(set(chain.group.tolist())), 2):
                assert is_right(module, chain, own, other), (name, eps, gamma, own, other)


GAPS = [Fraction(1, 10**3), Fraction(1, 10**15), Fraction(1, 10**40)]


def fact_edges_of_tubes_are_sharp(module):
    """Tubes that nearly touch, or touch: no run is known; and picks that lead as near to the edge as 1e-40."""
    with working_precision(256):
        for gap in GAPS:
            for eps, is_known in ((1 - gap, True), (Fraction(1), False), (1 + gap, False)):
                chain = chain_of("two and one", fmpq(eps.numerator, eps.denominator), "1/2")
                assert (module._run(chain, 0, 1) is not None) is is_known
                assert is_right(module, chain, 0, 1)
        # From -eps (or 0 without it) three picks of 1 - eps lead to (1 - eps) (1 - kept^3) - eps kept^3: eps at that edge.
        # (3/4)^3: what is left of the start after three picks of 1/4.
        kept = Fraction(27, 64)
        for edge in ((1 - kept) / (2 - kept + kept), (1 - kept) / 2):
            for gap in (*GAPS, Fraction(0), *(-one for one in GAPS)):
                eps = edge + gap
                start = {"x": [[0], [1]], "group": [0, 1]}
                chain = AttentionChain.instance(
                    v=[[0], [1]], **start, beta=1, gamma="1/4", eps=fmpq(eps.numerator, eps.denominator)
                )
                assert is_right(module, chain, 0, 1), (edge, gap)


def fact_runs_in_the_plane_lead_out(module):
    """From the edge of a tube, the picked token at the edge of its own: no run that is played is longer than is counted."""
    rng = np.random.default_rng(4)
    for eps, gamma in product((1 / 6, 3 / 10), (1 / 8, 1 / 3)):
        chain = AttentionChain.instance(
            v=TRIANGLE, x=TRIANGLE, group=[0, 1, 2], beta=1, gamma=fmpq(*gamma.as_integer_ratio()),
            eps=fmpq(*eps.as_integer_ratio()),
        )  # fmt: skip
        (a, b), longest = np.array([[1, 0], [-1 / 2, 7 / 8]]), 0
        away = (b - a) / np.linalg.norm(b - a)
        # The first from the far side straight across, which takes most picks; the others from anywhere at the edges.
        for k in range(200):
            x = a - eps * (away if k == 0 else unit(rng))
            y, count = b - eps * (away if k == 0 else unit(rng)), 0
            # A little more, as floats may be on either side of the edge.
            while np.linalg.norm(x - a) <= eps * (1 + 1e-9):
                x, count = x + gamma * (y - x), count + 1
            longest = max(longest, count)
        with working_precision(128):
            found = module._run(chain, 0, 1)
            assert wait(chain, longest).lower() <= found <= wait(chain, longest + 1).upper()


def unit(rng):
    direction = rng.normal(size=2)
    return direction / np.linalg.norm(direction)


test_runs, test_bugs_in_runs = asked_of(groups, facts_above(globals(), "module"), "runs")
