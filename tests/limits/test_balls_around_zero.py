"""Sizes that may be 0: where a ball around 0 is all that is known, a lemma says what it can, and never NaN."""

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import exact, numbers, working_precision
from dynamics.limits import polytopes, remaining_motion, splittings
from dynamics.limits import tokens as moving_tokens
from dynamics.limits.traps import NotTrappedError
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.training.conditioned_regression import LinearisedGapFlow
from tests.planting import bugs_of, facts_above

# A square root of this ball, or a division by it, is NaN in plain ball arithmetic.
TINY = arb(0, arb(2) ** -60)


def places(*values):
    """Tokens on a line in balls."""
    z = np.array([[value] for value in values], dtype=object)
    return moving_tokens.Tokens(numbers(z), [1] * len(z), list(range(len(z))), exact([[1]]), arb(1), fmpq(1))


def in_balls(f, **moving):
    """The state with what moves in balls a little wider than the numbers given."""
    balls = {name: numbers(np.vectorize(lambda v: arb(v) + TINY, otypes=[object])(exact(x))) for name, x in moving.items()}
    return f.replace(**balls)


def diameters_hold_all_distances(m):
    for values in ([TINY, TINY], [1 + TINY, 1 + TINY, arb(1)], [arb(0, 1), arb(0, 1)], [arb(2), arb(2) + TINY, -1 + TINY]):
        tokens = places(*values)
        found = m.Tokens.diameter(tokens)
        ends = [end for value in values for end in (value.lower(), value.upper())]
        # By pairs of ends: the largest distance there may be, and the least that there must be.
        widest, least = (max(x - y for x in ends for y in ends), max(x.lower() - y.upper() for x in values for y in values))
        assert found.is_finite()
        assert found.upper() >= widest.lower()
        assert found.lower() <= max(least, arb(0))
    # One token has no other: exactly 0, and no ball around it.
    assert m.Tokens.diameter(places(arb(1))) == 0


def duals_hold_the_norm_of_the_covector(m):
    for covector in ([TINY, TINY], [arb(0), TINY], [3 + TINY, 4 + TINY]):
        split = m.Split(None, None, None, exact([[1, 0], [0, 1]]), fmpq(0), arb(1), arb(1))
        found = split.dual(numbers(np.array(covector, dtype=object)))
        assert found.is_finite()
        # 3 and 4 make 5; what may be 0 has a norm that may be 0.
        assert found.contains(5) if covector[0] > 1 else found.contains(0)
    assert m.Split(None, None, None, exact([[4]]), fmpq(0), arb(1), arb(1)).dual(exact([1])) == fmpq(1, 2)


def a_gap_near_zero_has_a_limit_near_zero(m):
    f = LinearisedGapFlow.instance(w=["1/2"], rate=[1], x=["1/4"])
    end = m.linearised_gap_limit(in_balls(f, gap=0, D=f.D))
    assert end.gap.contains(0)
    assert end.gap.rad() < 2.0**-50


FLAT = {"V": [[2, 0], [0, 1]], "B": [[1, 0], [0, 1]]}


def a_token_near_zero_is_not_caught_by_a_polytope(m):
    """A token that may rest at 0 in F: more bits do not help, and that is what is said."""
    start = SelfAttentionFlow.instance(x=[[9, 0], [-9, 0], [0, 1]], **FLAT)
    with pytest.raises(NotTrappedError):
        m.polytope_trap(in_balls(start, x=start.x))
    assert m.polytope_trap(SelfAttentionFlow.instance(x=[[9, 0], [-9, 0]], **FLAT)).dimension == 1


FACTS = facts_above(globals())


@pytest.mark.parametrize("module", [moving_tokens, splittings, remaining_motion, polytopes])
def test_what_may_be_zero(module):
    (bug,) = bugs_of(module, "around zero")
    with working_precision(96):
        for fact in bug.asked(FACTS):
            fact(module)
        assert bug.is_noticed(FACTS)
