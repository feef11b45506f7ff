"""A vertex lies in its own cell and no other iff in its own score it beats its neighbours.

Remark `prop: polytope.condition`, with H(v) = {x: <Bv, x - v> = 0}: v_i in C_i iff its neighbours and 0 lie strictly on one
side of H(v_i).

`neighbours_and_origin_tell_own_cells`: "v_i in C_i" is not strict, while the sides are. Nothing is said here of a vertex at
0, which has no H. "Either side" adds nothing: <Bv, 0 - v> < 0 fixes the side.

`neighbours_tell_own_cells`: The repaired remark. <Bv, .> is linear, and a vertex that beats all its neighbours beats the
cone they span from it, which contains K. Neither B > 0 nor v != 0 is needed.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import corners, gaps, polytope, polytope_with_a_tied_neighbour
from claims.stating.assumptions import definite_key_query, identity_key_query
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact
from dynamics.polytopes import edge_gaps
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("FW-10",), system=HardmaxStep)

neighbours_and_origin_tell_own_cells = section.claim(
    where="Remark prop: polytope.condition, section 4.1",
    note=(
        "For tokens (1, 0), (1, 1), (-1, -1) with B = I the first lies in its own cell, but its neighbour (1, 1) lies on "
        "the hyperplane H(v), not strictly on one side of it. With strict inequalities on both "
        "sides it is true: v_i is in C_i and in no other cell if and only if <Bv_i, w - v_i> < 0 for every neighbour w."
    ),
    statement=(
        "v_i in C_i iff its neighbours and 0 lie strictly on one side of H(v_i); for B = I iff the angles are acute."
    ),
    origin=Origin.REPORTED,
    assumptions=(definite_key_query,),
    corrected_by="frank_wolfe.neighbours_tell_own_cells",
    draw=polytope_with_a_tied_neighbour,
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"$v_i \in C_i$ iff its neighbours and $0$ lie strictly on one side of $H(v_i)$; for $B = I$ iff the "
            r"angles at $v_i$ between its neighbours and $0$ are acute."
        ),
        context=(
            r"$C_i = \{x \in K : \langle B x, v_i \rangle = \max_{y \in K} \langle B x, y \rangle\}$, $B > 0$, "
            r"$H(v) = \{x : \langle B v, x - v \rangle = 0\}$."
        ),
        wrong=r"$C_i$ is defined by $\ge$, the condition by $>$: a neighbour may lie on $H(v_i)$ itself.",
        correction=(
            r"$v_i$ lies in $C_i$ and in no other cell iff $\langle B v_i, w - v_i \rangle < 0$ for every neighbour $w$."
        ),
        consequences=(Consequence("Theorem 4.2", why=r"Its hypothesis asks for the strict form."),),
    ),
)


def _in_own_cell(f):
    """The vertices (k, d), and which of them are not 0 and lie in their own cells."""
    v = corners(f)
    return v, (gaps(f, v)[np.arange(len(v)), np.arange(len(v))] >= 0).all(axis=-1) & (v != 0).any(axis=-1)


# Both sides are tried, as the remark has it; 0 is among the points, so that only one of them can do.
@neighbours_and_origin_tell_own_cells.state("> 0", exact_only=True)
def own_cell_gives_strict_side(f: HardmaxStep):
    """max(min_w <Bv, v - w>, min_w <Bv, w - v>), w = 0 and the neighbours of v, for each v != 0 in its own cell."""
    v, own = _in_own_cell(f)
    norms = (v @ f.B.T * v).sum(axis=-1)
    sides = [[norms[i], *edge_gaps(v, i, f.B)] for i in np.flatnonzero(own).tolist()]
    return exact([max(min(side), -max(side)) for side in sides])


# For B = I: <w - v, 0 - v> = <v, v - w>, the same gap.
@neighbours_and_origin_tell_own_cells.state("> 0", assuming=(identity_key_query,), exact_only=True)
def own_cell_gives_acute_angles(f: HardmaxStep):
    """<w - v, 0 - v> for the neighbours w of each vertex v != 0 in its own cell, B = I."""
    v, own = _in_own_cell(f)
    return exact([gap for i in np.flatnonzero(own).tolist() for gap in edge_gaps(v, i, f.B)])


@neighbours_and_origin_tell_own_cells.by_hand(x=[[1, 0], [1, 1], [-1, -1]], B=[[1, 0], [0, 1]])
def a_neighbour_on_the_hyperplane(f: HardmaxStep):
    """Scores of the vertex (1, 0)."""
    v = f.x[0]
    scores = f.x @ v
    yield (
        rf"Take $B = I$ and the triangle ${tex([*f.x[0]])}$, ${tex([*f.x[1]])}$, ${tex([*f.x[2]])}$, and its "
        rf"vertex $v = {tex([*v])}$."
    )
    yield (
        rf"The scores $\langle v, w \rangle$ of the three vertices are ${tex(scores)}$: the greatest is $\langle "
        rf"v, v \rangle$, so $v$ lies in its own cell."
    )
    yield (
        rf"But $\langle v, (1, 1) - v \rangle = {tex(scores[1] - scores[0])}$: the neighbour $(1, 1)$ lies on "
        rf"$H(v)$, and the angle there is a right one."
    )


# Nothing is assumed of B: that a local maximum on the edges of a polytope is a global one holds for every linear form.
neighbours_tell_own_cells = section.claim(
    where="Remark prop: polytope.condition, section 4.1, with strict inequalities on both sides",
    statement="v_i is in C_i and in no other cell iff <Bv_i, w - v_i> < 0 for every neighbour w of v_i.",
    draw=polytope,
)


def _both(f):
    """For each vertex its gaps to the neighbours, and to all other vertices."""
    v = corners(f)
    to_all = gaps(f, v)
    return [(edge_gaps(v, i, f.B), to_all[i, i]) for i in range(len(v))]


@neighbours_tell_own_cells.state("> 0", exact_only=True)
def who_beats_neighbours_beats_all(f: HardmaxStep):
    """<Bv, v - v_j> for all other vertices v_j, at each vertex v with <Bv, v - w> > 0 for its neighbours w."""
    return exact(np.concatenate([[], *(to_all for near, to_all in _both(f) if (near > 0).all())]))


@neighbours_tell_own_cells.state("> 0", exact_only=True)
def who_beats_all_beats_neighbours(f: HardmaxStep):
    """<Bv, v - w> for the neighbours w of each vertex v that is in no other cell."""
    return exact(np.concatenate([[], *(near for near, to_all in _both(f) if (to_all > 0).all())]))
