"""What docs/final_neighbours.md proves of four tokens on a line: the steps of it, and that it needs its hypotheses."""

from __future__ import annotations

import random
from itertools import pairwise

from flint import fmpq, fmpq_poly

from dynamics.arithmetic import exact
from dynamics.tokens.localmax import LocalmaxStep

OF_THE_DOCS = fmpq_poly([-1, 12, -44, 57, -13, 1])


def between(draws, low, high):
    """A rational strictly between two others."""
    return low + (high - low) * fmpq(draws.randint(1, 63), 64)


def four(draws):
    """Tokens -V < x < y < 1 at which the ends attend to themselves alone, y to neither of the lower two, and x to -V."""
    while True:
        y = between(draws, fmpq(0), fmpq(1))
        delta = between(draws, fmpq(0), 1 - y)
        V = between(draws, fmpq(0), fmpq(2))
        least, most = -V + delta / V, min(1 - delta / y, delta / (1 + V))
        # The conditions are met by construction, but for this one.
        if least < most:
            z = [[1], [y], [between(draws, least, most)], [-V]]
            return LocalmaxStep.instance(z=z, delta=delta, gamma=between(draws, fmpq(0), fmpq(1)))


def is_apart(f):
    """Whether the second token attends neither to the third nor to the last."""
    return not f.neighbours()[1, 2:].any()


def test_a_token_that_does_not_attend_to_the_one_below_does_not_in_the_next_step():
    draws = random.Random(0)
    for _ in range(24):
        f = four(draws)
        assert is_apart(f)
        assert f.step().z[1, 0] > f.z[1, 0]
        assert is_apart(f.step()), f.to_json()


def test_it_may_where_the_lower_end_attends_to_others():
    # With a lower end that hears others the lemma fails.
    z = [[1], ["9/20"], ["-9/40"], ["-23/100"]]
    f = LocalmaxStep.instance(z=z, delta="549/1000", gamma="255/256")
    assert f.neighbours()[0].tolist() == [True, False, False, False]
    assert f.neighbours()[3].tolist() != [False, False, False, True]
    assert is_apart(f)
    assert not is_apart(f.step())


def test_the_lemma_holds_near_its_worst_place_and_not_much_more():
    y, V, delta, x = fmpq(1, 2), fmpq(3, 8), fmpq(31, 64), fmpq(0)
    assert 0 < delta < min(1 - y, V * (1 + V), y * (1 - x))
    # The lemma says 8; 9 is false already here.
    assert 8 * delta < (1 + y) * (3 + V - x - y) < 9 * delta


def test_the_polynomial_of_the_lemma_has_the_factors_and_the_root_of_the_docs():
    y = fmpq_poly([0, 1])
    h, double = 1 - 6 * y + 8 * y**2 - y**3, y + y**2
    assert double**2 * (1 - y) + h * double - h**2 == (1 - y) * OF_THE_DOCS
    real = [root.real for root, _ in OF_THE_DOCS.complex_roots() if root.imag == 0]
    assert len(real) == 1
    # 3 - 2 sqrt(2) is the lower root of y^2 - 6 y + 1.
    assert real[0] < fmpq(16, 100)
    assert fmpq(16, 100) ** 2 - 6 * fmpq(16, 100) + 1 > 0
    assert OF_THE_DOCS(fmpq(16, 100)) > 0


def test_two_tokens_between_two_ends_move_in_one_direction_in_the_end():
    """By targets that rise with the place of a token and with the sum of both."""
    draws = random.Random(1)
    seen = set()
    for _ in range(12):
        f = four(draws).replace(z=exact([[1], [between(draws, fmpq(0), fmpq(1))], [0], [-1]]))
        signs = []
        for _ in range(12):
            after = f.step()
            f, moved = after, [(a > b) - (a < b) for a, b in zip(after.z[1:3, 0], f.z[1:3, 0], strict=True)]
            signs.append(tuple(moved))
        seen.add(signs[-1])
        assert all(not (a[0] * b[0] < 0 and a[1] * b[1] < 0) for a, b in pairwise(signs)), f.to_json()
    assert len(seen) > 1
