"""For B > 0 the cells of the vertices of a polytope are convex, cover it, and have disjoint interiors.

Lemma `lem: cells`, parts (i), (iii) and (ii).

`cells_are_convex`: The cell of v_i is where a maximum of linear functions of x vanishes: the amount by which the score of
v_i falls short of the largest one. True for every matrix B.

`cells_cover_the_polytope`: A linear form on K attains its maximum at a vertex. True for every matrix B.

`cells_have_disjoint_interiors`: On C_i and C_j both <Bx, v_i - v_j> = <x, B^T (v_i - v_j)> = 0: a hyperplane, since B^T
(v_i - v_j) != 0. Nothing else of B > 0 is used.

`cells_have_disjoint_interiors_for_semidefinite_scores`: The lemma says B > 0, the abstract "positive semidefinite". If
B(v_i - v_j) = 0 then C_i = C_j.

`cells_have_disjoint_relative_interiors`: For K of lower dimension part (ii) says nothing; this form does. Were <Bx, v_i -
v_j> = 0 on all of K, then at v_i and v_j, and <B(v_i - v_j), v_i - v_j> = 0. Here B > 0 is needed: for B = [[0, 1], [1, 0]]
both cells of the segment [-1, 1] x {0} are the whole segment.

`tied_cells_are_adjacent`: Hypothesis (2) of Theorem 4.2 speaks of adjacent cells only; that this is enough is ours. The
vertices of largest score at x are those of a face of K, and its edges connect them. True for every B.
"""

from itertools import combinations

import numpy as np
import scipy

from claims.frank_wolfe.setting.cells import (
    blind_along_an_edge,
    corners,
    definite_or_any,
    definite_or_blind,
    definite_or_isotropic,
    held,
    polytope,
    polytope_with_ties,
    some_scores,
)
from claims.stating.assumptions import semidefinite_scores
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact, peak
from dynamics.polytopes import dimension, edges
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("FW-7",), system=HardmaxStep)

cells_are_convex = section.claim(
    where="Lemma lem: cells (i), section 4.1",
    statement="For B > 0 and a polytope K every cell C_i = {x in K: <Bx, v_i> = max over y in K of <Bx, y>} is convex.",
    origin=Origin.REPORTED,
    assumptions=(definite_or_any,),
)


def _lag(scores):
    """How far each score (..., k) is below the largest one; zero at the tokens whose cell this is."""
    return peak(scores) - scores


# Midpoints of tokens are enough: a continuous function that is convex at midpoints is convex.
@cells_are_convex.state(">= 0")
def lag_is_convex(f: HardmaxStep):
    """(lag_i(x) + lag_i(y))/2 - lag_i((x + y)/2) for tokens x, y and every token, each vertex among them, as v_i."""
    i, j = np.triu_indices(f.x.shape[-2])
    x, y = f.scores()[..., i, :], f.scores()[..., j, :]
    return (_lag(x) + _lag(y)) / 2 - _lag((x + y) / 2)


cells_cover_the_polytope = section.claim(
    where="Lemma lem: cells (iii), section 4.1",
    statement="For B > 0 and a polytope K the cells of the vertices cover K.",
    origin=Origin.REPORTED,
    assumptions=(definite_or_any,),
    draw=polytope,
)


@cells_cover_the_polytope.state(">= 0", exact_only=True)
def cells_around_each_token(f: HardmaxStep, *, least=1):
    """The number of vertices v_i with <Bx, v_i - y> >= 0 for every token y, less one, for each token x."""
    return exact(held(f).sum(axis=-1)) - least


cells_have_disjoint_interiors = section.claim(
    where="Lemma lem: cells (ii), section 4.1",
    statement="For B > 0 and a polytope K, int(C_i and C_j) is empty for i != j.",
    origin=Origin.REPORTED,
    assumptions=(definite_or_blind,),
    draw=polytope,
)


# Tokens in both cells are what an instance knows of the intersection: if they span R^d, its interior is not empty.
@cells_have_disjoint_interiors.state(">= 0", exact_only=True)
def tokens_in_two_cells_are_flat(f: HardmaxStep, *, codimension=1):
    """d - 1 - dim(tokens in C_i and C_j) for each pair of vertices: below zero when they span a set with an interior."""
    d = f.x.shape[-1]
    return exact([d - codimension - dimension(f.x[C_i & C_j]) for C_i, C_j in combinations(held(f).T, 2)])


# The abstract says "positive semidefinite" where the lemma says B > 0. B = 0 is left out, for which all cells are K.
cells_have_disjoint_interiors_for_semidefinite_scores = section.claim(
    where="Lemma lem: cells (ii), for semidefinite B",
    refs=("FW-7", "FW-16"),
    note=(
        "For B = diag(0, 1) the vertices (0, 1) and (1, 1) of the triangle with (0, 0) have the same cell, the whole "
        "triangle, because B vanishes on their difference. For B > 0 the interiors of different cells are disjoint."
    ),
    statement="For positive semidefinite B, not zero, the cells of a polytope have disjoint interiors.",
    origin=Origin.CARRIED_OVER,
    assumptions=(semidefinite_scores, some_scores),
    corrected_by="frank_wolfe.cells_have_disjoint_interiors",
    draw=blind_along_an_edge,
)

cells_have_disjoint_interiors_for_semidefinite_scores.state(">= 0", exact_only=True)(tokens_in_two_cells_are_flat)

# Broken by indefinite scores: part (ii) as printed needs invertible ones only, this form needs B > 0.
cells_have_disjoint_relative_interiors = section.claim(
    where="Lemma lem: cells (ii), relative to the affine hull of K",
    statement="For B > 0 and a polytope K, the intersection of C_i and C_j has lower dimension than K for i != j.",
    assumptions=(definite_or_isotropic,),
    draw=polytope_with_ties,
)


@cells_have_disjoint_relative_interiors.state(">= 0", exact_only=True)
def codimension_of_common_tokens(f: HardmaxStep, *, codimension=1):
    """dim K - 1 - dim(tokens in C_i and C_j) for each pair of vertices; no tokens have dimension -1."""
    D = dimension(f.x) - codimension
    return exact([D - dimension(f.x[C_i & C_j]) for C_i, C_j in combinations(held(f).T, 2)])


tied_cells_are_adjacent = section.claim(
    where="hypothesis (2) of Theorem 4.2 (thm: exp.fast.polytope)",
    refs=("FW-8",),
    statement="A point that lies in two cells lies in two cells whose vertices are joined by an edge of K.",
    draw=polytope_with_ties,
)


@tied_cells_are_adjacent.state("== 0", exact_only=True)
def parts_of_tied_vertices(f: HardmaxStep, *, one=1):
    """In how many parts the edges of K join the vertices that lead at a token, less one. Where more than one leads."""
    v = corners(f)
    joined = np.zeros((len(v), len(v)), dtype=bool)
    for i, j in edges(v) if len(v) > 1 else ():
        joined[i, j] = True
    parts = scipy.sparse.csgraph.connected_components
    tied = [np.flatnonzero(row) for row in held(f)]
    return exact([int(parts(joined[np.ix_(led, led)])[0]) - one for led in tied if len(led) > 1])
