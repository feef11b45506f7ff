"""Parts of the certificates of orbits against all small cases: averages, what recurs, and what is certain in boxes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import FLOAT64, exact, numbers
from dynamics.orbits import boxed, cycles, final_neighbours
from dynamics.tokens.localmax import RELATIVE, RULES, WEIGHTED, LocalmaxStep
from tests.orbits.test_lasting_neighbours import HALF, some, stochastic
from tests.planting import bugs_in


def a_multiple_is_found_where_there_is_one(m):
    vectors = [exact(list(v)) for v in product((-2, 0, 1), repeat=2)]
    for average, offset in product(vectors, repeat=2):
        factors = [fmpq(k, 2) for k in range(-4, 5)]
        fitting = [factor for factor in factors if (average == factor * offset).all()]
        expected = fmpq(0) if len(fitting) > 1 else next(iter(fitting), None)
        assert m.multiple(average, offset) == expected


def averages_end_where_many_of_them_lead(m):
    """All ways of three tokens to attend, and some of four: the limits, and who is in a closed class with whom."""
    random = np.random.default_rng(72)
    masks = [np.array(rows) for rows in product([row for row in product((0, 1), repeat=3) if any(row)], repeat=3)]
    masks += [np.maximum(random.integers(0, 3, (4, 4)) > 1, np.eye(4)[random.permutation(4)]) for _ in range(40)]
    for mask in masks:
        n, W = len(mask), stochastic(mask.astype(int))
        # Lazy steps converge whatever the period, to what the averages tend to.
        late = np.linalg.matrix_power((np.eye(n) + FLOAT64.convert(W)) / 2, 1 << 14)
        assert np.allclose(FLOAT64.convert(m.limits_of(W, exact(np.eye(n, dtype=int)))), late)
        met = {tuple(np.flatnonzero(late[i] > 1e-9).tolist()) for i in range(n) if late[i, i] > 1e-9}
        assert sorted(tuple(sorted(members)) for members in m.closed_classes(W)) == sorted(met)


@dataclass(frozen=True)
class Counting:
    """Two arrays of numbers, of which each step changes the one at a place: none of its states ever comes back."""

    numbers: tuple[int, ...]
    place: int

    def arrays(self):
        return {"x": exact(list(self.numbers[:2])), "y": exact([list(self.numbers[2:])])}

    def step(self):
        return replace(self, numbers=tuple(value + (k == self.place) for k, value in enumerate(self.numbers)))


def every_number_of_a_state_has_to_recur(m):
    for place in range(4):
        with pytest.raises(final_neighbours.NotSettledError):
            m.recurrence(Counting((0, 1, 2, 3), place), 6)
    # Nothing changes: at rest from the start.
    assert len(m.recurrence(Counting((0, 1, 2, 3), 9), 6)) == 1


def nothing_is_certain_a_little_beyond_the_corners(m):
    """Two tokens in boxes of unequal sides: sensitivities next to the edges that are met at some corner."""
    for turn, rule in product(range(6), range(len(RULES))):
        A, z = some((23, turn), 2, 2), some((24, turn), 2, 2, size=2)
        low, high = -abs(some((25, turn), 2)) / 4, abs(some((26, turn), 2)) / 2
        corners = [numbers(z + np.where(np.reshape(which, (2, 2)), high, low)) for which in product((0, 1), repeat=4)]
        f = LocalmaxStep(z=z, A=A, gamma=exact(HALF), delta=exact(0), rule=np.array(rule))
        edges = []
        for g in (f.replace(z=corner) for corner in corners):
            # What a sensitivity is multiplied by under each rule.
            units = {
                RELATIVE: FLOAT64.convert(g.scores()).max(axis=-1),
                WEIGHTED: np.sqrt(np.maximum(FLOAT64.convert(g.squared_norms()), 0)),
            }.get(f.which, np.ones(2))
            edges.append([FLOAT64.convert(g.gaps())[i, 1 - i] / max(units[i], 1e-9) for i in range(2)])
        for edge, share in product({*np.min(edges, axis=0), *np.max(edges, axis=0)}, (1023, 1025)):
            # A shade below and above the edge: there certain ends and open begins.
            if 0 < edge < 1e6:
                g = f.replace(delta=exact(fmpq(int(edge * 2**30), 2**30) * fmpq(share, 1024)))
                near, far = m._certain(g, z, low, high, np.eye(2, dtype=bool))
                for corner in corners:
                    attended = g.replace(z=corner).neighbours()
                    assert not (near & ~attended).any()
                    assert not (far & attended).any()


FACTS = (
    (final_neighbours, a_multiple_is_found_where_there_is_one),
    (final_neighbours, averages_end_where_many_of_them_lead),
    (cycles, every_number_of_a_state_has_to_recur),
    (boxed, nothing_is_certain_a_little_beyond_the_corners),
)


@pytest.mark.parametrize(("module", "fact"), FACTS)
def test_parts_of_orbits(module, fact):
    fact(module)


@bugs_in(final_neighbours, cycles, boxed, part="small cases")
def test_a_bug_planted_in_orbits_is_noticed(bug):
    assert bug.is_noticed(fact for _, fact in FACTS)
