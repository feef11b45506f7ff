"""The hypotheses of the claims on cells: met by construction, decided exactly, and broken one at a time."""

import numpy as np
import pytest

from claims.frank_wolfe.setting.cells import (
    equal_norm_vertices,
    own_vertex_cells,
    polytope,
    polytope_with_ties,
    tokens_in_one_cell,
    tokens_with,
)
from claims.instances.draws import BatchDraws, SeededDraws
from claims.stating.assumptions import definite_key_query, semidefinite_scores
from dynamics.arithmetic import exact
from dynamics.polytopes import vertices
from tests.planting import LONG

HYPOTHESES = [
    (definite_key_query, own_vertex_cells),
    (definite_key_query, own_vertex_cells, tokens_in_one_cell),
    (definite_key_query, equal_norm_vertices),
    (definite_key_query, equal_norm_vertices, tokens_in_one_cell),
    (semidefinite_scores,),
]


def restricted(f, assumptions):
    for assumption in assumptions:
        f = assumption.restrict(f)
    return f


@pytest.mark.parametrize("assumptions", HYPOTHESES, ids=lambda chosen: " ".join(a.name for a in chosen))
@pytest.mark.parametrize("draw", [polytope, polytope_with_ties])
def test_hypotheses_are_met_and_broken_one_at_a_time(draw, assumptions):
    broken = dict.fromkeys(assumptions, 0)
    for turn in range(40 if LONG else 20):
        draws = SeededDraws(np.random.default_rng([3, turn]), turn=turn)
        f = restricted(draw(draws), assumptions)
        assert all(assumption.satisfies(f) for assumption in assumptions)
        if len(vertices(f.x)) < 2:
            continue
        for assumption in assumptions:
            g = assumption.violate(f, draws)
            missed = [other for other in assumptions if not other.satisfies(g)]
            broken[assumption] += missed == [assumption]
    assert all(count >= 5 for assumption, count in broken.items() if assumption is not definite_key_query), broken


@pytest.mark.parametrize("assumptions", HYPOTHESES, ids=lambda chosen: " ".join(a.name for a in chosen))
def test_hypotheses_restrict_float64_batches_as_they_do_single_instances(assumptions):
    for turn in range(12):
        batch = BatchDraws(np.random.default_rng([4, turn]), turn=turn, batch=3)
        drawn = polytope(batch)
        together = restricted(drawn, assumptions)
        for k in range(3):
            alone = restricted(drawn.row(k), assumptions).arrays()
            for name, array in together.row(k).arrays().items():
                assert np.allclose(np.array(array, float), np.array(alone[name], float), rtol=1e-6, atol=1e-9)


def test_vertices_above_an_ellipsoid_may_lose_their_cells():
    one = exact([[1]])
    assert not own_vertex_cells.satisfies(tokens_with(exact([[1], [2]]), one))
    assert own_vertex_cells.satisfies(tokens_with(exact([[-1], [2]]), one))
    assert own_vertex_cells.satisfies(tokens_with(exact([[-1], [2], ["1/2"]]), one))
    assert own_vertex_cells.satisfies(tokens_with(exact([[3]]), one))
    tied = exact([[1, 0], [1, 1], [-1, -1]])
    assert not own_vertex_cells.satisfies(tokens_with(tied, exact([[1, 0], [0, 1]])))


def test_a_token_is_in_one_cell_when_all_that_lead_it_coincide():
    one = exact([[1]])
    for inner, alone in ((0, False), ("1/3", True), ("-1/3", True)):
        assert tokens_in_one_cell.satisfies(tokens_with(exact([[-1], [1], [1], [inner]]), one)) == alone
