"""If neighbours are mutual, sum_i sum_{j in C_i} |z_i - z_j|^2 falls along a step, for that same graph of neighbours.

localmax LY-2. With Delta_i = z_i' - z_i it falls by (4/gamma - 4) sum_i |C_i| |Delta_i|^2 at least, and by
4 sum_i |Delta_i|^2 more if everyone is a neighbour of itself; sum_i |C_i| z_i is conserved. The graph's Laplacian L has
L z = -(1/gamma) D Delta with D the degrees, and L <= 2 D. The next step may have another graph, with more energy.
"""

import numpy as np

from claims.localmax.setting.configurations import mutual_neighbours, with_mutual_neighbours
from claims.localmax.setting.hypotheses import averages_over_indices, open_step_size
from claims.statement import Claim, Origin
from dynamics.geometry import squared_distances
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-2",),
    statement=(
        "If j in C_i <=> i in C_j then E(z) - E(z') >= (4/gamma - 4) sum_i |C_i| |Delta_i|^2, sum_i |C_i| z_i is kept."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(averages_over_indices, mutual_neighbours, open_step_size),
    draw=with_mutual_neighbours,
)


def graph_energy(f: LocalmaxStep, graph):
    """sum_{i, j} |z_i - z_j|^2 over the edges of the graph, a mask (..., n, n)."""
    return (squared_distances(f.z, f.z) * graph).sum(axis=(-2, -1))


def guaranteed_fall(moves, attended, gamma):
    """(4/gamma - 4) sum_i |C_i| moves_i, and 4 sum_i moves_i more if everyone attends to itself."""
    own = np.diagonal(attended, axis1=-2, axis2=-1).all(axis=-1)
    return (4 / gamma - 4) * (attended.sum(axis=-1) * moves).sum(axis=-1) + 4 * own * moves.sum(axis=-1)


@claim.step(">= 0")
def energy_falls(f: LocalmaxStep, *, share=1):
    """E(z) - E(z') - (4/gamma - 4) sum_i |C_i| |Delta_i|^2, less 4 sum_i |Delta_i|^2 if every i is in C_i."""
    attended, after = f.neighbours(), f.step()
    moves = ((after.z - f.z) ** 2).sum(axis=-1)
    return graph_energy(f, attended) - graph_energy(after, attended) - share * guaranteed_fall(moves, attended, f.gamma)


@claim.identity()
def weighted_mean_is_kept(f: LocalmaxStep, *, share=1):
    """sum_i |C_i| (z_i' - z_i)."""
    return (f.neighbours().sum(axis=-1)[..., None] * (f.step().z - share * f.z)).sum(axis=-2)
