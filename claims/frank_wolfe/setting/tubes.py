"""Tokens near the vertices of a polytope: cells, tubes and polytopes of the attention chain."""

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from claims.stating.assumptions import certainly_at_most, with_entries
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import distinct, working_precision
from dynamics.geometry import gram, membership


# <v_j - v_i, v_k - v_i> > 0 for all j, k: cosines and square roots are not needed.
def _all_acute(f: Any) -> bool:
    scores = gram(f.v)
    scale = fmpq_mat(scores.tolist()).numer_denom()[1]
    whole = [int((entry * scale).p) for entry in scores.flat]
    small = max(map(abs, whole)) < 2**60  # sums of four stay within 64 bits: the same integers, faster
    scores = np.array(whole, dtype=np.int64 if small else object).reshape(scores.shape)
    for i in range(len(scores)):
        angles = scores - scores[i][:, None] - scores[i][None, :] + scores[i, i]
        others = np.arange(len(scores)) != i
        if not (angles[others][:, others] > 0).all():
            return False
    return True


acute_vertices = Assumption(
    "acute_vertices", "every angle of K at a vertex is acute", satisfies=_all_acute, label="hypothesis.polytope"
)


def _off_centre(f: Any, draws: Draws) -> Any:
    """K and the tokens translated a little along the first vertex, and the tokens moved a little towards their vertices.

    The translation reduces c_0, and with it every distance measured by c_0.
    """
    shift = f.v[0] / draws.choice((1024, 4096))
    own = f.v[f.group]
    return f.replace(v=f.v + shift, x=own + shift + (f.x - own) * fmpq(255, 256))


equal_norms = Assumption(
    "equal_norms",
    "|v_1| = ... = |v_kappa|",
    satisfies=lambda f: len(distinct((f.v * f.v).sum(axis=-1))) == 1,
    violate=_off_centre,
    label="hypothesis.voronoi",
)

# c_0 is the best there is, min_i min_l <v_i, v_i - v_l>: a larger one makes every bound stronger.
own_cells = Assumption(
    "own_cells", "<v_i, v_i> >= <v_i, v_l> + c_0 with c_0 > 0", satisfies=lambda f: f.c_0 > 0, label="bound.max"
)


def _halfway(f: Any, draws: Draws) -> Any:
    """The first token halfway from its vertex to another one."""
    own = int(f.group[0])
    return with_entries(f, "x", 0, (f.v[own] + f.v[(own + 1) % len(f.v)]) / 2)


def _beyond_its_vertex(f: Any, draws: Draws) -> Any:
    """The first token a little farther out than its vertex: outside K, since no other vertex is as far out."""
    vertex = f.v[int(f.group[0])]
    return with_entries(f, "x", 0, vertex * (1 + f.c_0 / (draws.choice((64, 512)) * (f.v * f.v).sum(axis=-1).max())))


# rho, R and D(K) are roots, and balls in general: the comparison may stay open where a tube is just wide enough.
def tube_radius_allowed(f: Any, size: Any, width: Any) -> bool | None:
    """Whether 4 size r + 2 r^2 <= c_0 / 2 for r = rho + width; None where 256 bits do not tell."""
    with working_precision(256):
        r = f.rho.item() + width
        return certainly_at_most(4 * size * r + 2 * r * r, f.c_0 / 2)


tokens_near_vertices = Assumption(
    "tokens_near_vertices",
    "every token is within r of its vertex, 4 R r + 2 r^2 <= c_0 / 2",
    satisfies=lambda f: tube_radius_allowed(f, f.R.item(), 0),
    violate=_halfway,
)

tokens_near_vertices_by_diameter = Assumption(
    "tokens_near_vertices_by_diameter",
    "every token is within r of its vertex, 4 D(K) r + 2 r^2 <= c_0 / 2",
    satisfies=lambda f: tube_radius_allowed(f, f.diameter.item(), 0),
    violate=_halfway,
)


# eps and gamma grow together: the condition on eps/gamma stays met.
def _wide_tube(f: Any, draws: Draws) -> Any:
    factor = draws.choice((4, 2))
    f = f.replace(eps=f.eps * factor, gamma=f.gamma * factor)
    while tube_radius_allowed(f, f.R.item(), f.eps.item()):
        f = f.replace(eps=2 * f.eps, gamma=2 * f.gamma)
    return f


narrow_tube = Assumption(
    "narrow_tube",
    "4 R r + 2 r^2 <= c_0 / 2 for r = rho + eps, rho the start's distance from the vertices (this makes eps_* explicit)",
    satisfies=lambda f: tube_radius_allowed(f, f.R.item(), f.eps.item()),
    violate=_wide_tube,
)

# eps/gamma in units of D(K) is the number of picks that lead out: two or more.
small_step = Assumption(
    "small_step",
    "eps / gamma >= 2 D(K)",
    satisfies=lambda f: certainly_at_most(2 * f.diameter.item(), f.eps.item() / f.gamma.item()),
    violate=lambda f, draws: f.replace(gamma=4 * f.gamma),
)


def _in_hull(f: Any) -> bool:
    return all(membership(token, f.v).inside for token in f.x)


tokens_in_polytope = Assumption("tokens_in_polytope", "x_i in K", satisfies=_in_hull, violate=_beyond_its_vertex)
