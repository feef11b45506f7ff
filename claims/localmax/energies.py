"""If neighbours are mutual, the energy of the neighbour graph falls in a step; the other natural energies may grow.

`energy_falls_along_its_graph`: The energy is taken over the same graph before and after the step. With Delta_i = z_i' -
z_i it falls by at least (4/gamma - 4) sum_i |C_i| |Delta_i|^2, and by 4 sum_i |Delta_i|^2 more if every token is its
own neighbour. For the graph Laplacian L and the degrees D, L z = -(1/gamma) D Delta and L <= 2 D (LY-2). The next step
may have another graph, with more energy.

`equal_norms_make_hegselmann_krause`: If all A-norms are equal, neighbours are mutual, and the truncated energy sum_{i,
j} min(|z_i - z_j|_A^2, 2 delta) falls by at least the amount of LY-2. The step leaves the sphere, so this is a fact
about one step (LY-3).
"""

import numpy as np

from claims.localmax.norms_grow_under_hardmax import squared_moves
from claims.localmax.setting.configurations import (
    equal_token_norms,
    mutual_neighbours,
    on_a_sphere,
    one_sided_or_any,
    with_mutual_neighbours,
)
from claims.localmax.setting.hypotheses import (
    additive_rule,
    averages_over_indices,
    definite_matrix,
    open_step_size,
    positive_sensitivity,
    sensitivity_is_a_gap,
)
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import peak
from dynamics.geometry import squared_distances
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, system=LocalmaxStep)

energy_falls_along_its_graph = section.claim(
    refs=("LY-2",),
    statement=(
        "If j in C_i <=> i in C_j then E(z) - E(z') >= (4/gamma - 4) sum_i |C_i| |Delta_i|^2, sum_i |C_i| z_i is kept."
    ),
    assumptions=(averages_over_indices, mutual_neighbours, open_step_size),
    draw=with_mutual_neighbours,
)


def graph_energy(f: LocalmaxStep, graph):
    """sum_{i, j} |z_i - z_j|^2 over the edges of the graph, a mask (..., n, n)."""
    return (squared_distances(f.z, f.z) * graph).sum(axis=(-2, -1))


# L <= 2 D, and L <= 2 (D - I) where every token has an edge to itself, which counts in D and not in L.
def guaranteed_fall(moves, attended, gamma):
    """(4/gamma - 4) sum_i |C_i| moves_i, and 4 sum_i moves_i more if every token attends to itself."""
    own = np.diagonal(attended, axis1=-2, axis2=-1).all(axis=-1)
    return (4 / gamma - 4) * (attended.sum(axis=-1) * moves).sum(axis=-1) + 4 * own * moves.sum(axis=-1)


# The graph before the step on both sides: as long as it stays, the step is a gradient step of the energy.
@energy_falls_along_its_graph.step(">= 0")
def energy_falls(f: LocalmaxStep, *, share=1):
    """E(z) - E(z') - (4/gamma - 4) sum_i |C_i| |Delta_i|^2, less 4 sum_i |Delta_i|^2 if every i is in C_i."""
    attended, after = f.neighbours(), f.step()
    moves = ((after.z - f.z) ** 2).sum(axis=-1)
    return graph_energy(f, attended) - graph_energy(after, attended) - share * guaranteed_fall(moves, attended, f.gamma)


# Degrees as weights: |C_i| (z_i' - z_i) = gamma sum_j (z_j - z_i), which is antisymmetric where neighbours are mutual.
@energy_falls_along_its_graph.identity()
def weighted_mean_is_kept(f: LocalmaxStep, *, share=1):
    """sum_i |C_i| (z_i' - z_i)."""
    return (f.neighbours().sum(axis=-1)[..., None] * (f.step().z - share * f.z)).sum(axis=-2)


equal_norms_make_hegselmann_krause = section.claim(
    refs=("LY-3",),
    statement=(
        "If all |z_i|_A are equal then gap_i(z_j) = |z_i - z_j|_A^2 / 2: Hegselmann-Krause with radius sqrt(2 delta)."
    ),
    assumptions=(definite_matrix, equal_token_norms, sensitivity_is_a_gap, averages_over_indices, open_step_size),
    draw=on_a_sphere,
)


# In the norm of A, in which gaps on a sphere are half squared distances; the other energies use plain distances.
def pairwise_norms(f: LocalmaxStep):
    """|z_i - z_j|_A^2, shape (..., n, n)."""
    return f.replace(z=f.z[..., :, None, :] - f.z[..., None, :, :], A=f.A[..., None, :, :]).squared_norms()


def truncated_energy(f: LocalmaxStep):
    """V = sum_{i, j} min(|z_i - z_j|_A^2, 2 delta), shape (...)."""
    apart = pairwise_norms(f)
    # A minimum as minus the peak of the negatives, for `peak` encloses where a comparison of balls would fail.
    return -peak(np.stack([-apart, 0 * apart - 2 * f.delta[..., None, None]], axis=-1))[..., 0].sum(axis=(-2, -1))


# No rule and no delta: an identity of scores between tokens of one norm.
@equal_norms_make_hegselmann_krause.identity(assuming=(definite_matrix, equal_token_norms))
def gap_is_half_a_square(f: LocalmaxStep, *, factor=2):
    """2 gap_i(z_j) - |z_i - z_j|_A^2."""
    return factor * f.gaps() - pairwise_norms(f)


@equal_norms_make_hegselmann_krause.step(">= 0")
def truncated_energy_falls(f: LocalmaxStep, *, share=1):
    """V(z) - V(z') - (4/gamma - 4) sum_i |C_i| |Delta_i|_A^2 - 4 sum_i |Delta_i|_A^2."""
    fall = guaranteed_fall(squared_moves(f), f.neighbours(), f.gamma)
    return truncated_energy(f) - truncated_energy(f.step()) - share * fall


truncated_energy_falls_always = section.claim(
    refs=("LY-4",),
    note=(
        "Attention is one-sided: of 4, 1, 0 with delta = 1 and gamma = 1/2 the second leaves the third behind, "
        "and V grows from 10 to 12. For tokens of equal norms gap_i(z_j) = |z_i - z_j|_A^2 / 2, and the step is "
        "that of Hegselmann and Krause, whose energy this is."
    ),
    statement="V(z') <= V(z) for V(z) = sum_{i, j} min(|z_i - z_j|_A^2, 2 delta).",
    origin=Origin.CARRIED_OVER,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.equal_norms_make_hegselmann_krause",
    draw=one_sided_or_any,
)


# The change alone, without the guaranteed fall: a counterexample to "never grows" refutes more.
@truncated_energy_falls_always.step(">= 0", name="truncated_energy_falls")
def truncated_energy_change(f: LocalmaxStep):
    """V(z) - V(z')."""
    return truncated_energy(f) - truncated_energy(f.step())


truncated_energy_falls_with_mutual_neighbours = section.claim(
    refs=("LY-4", "OQ-9"),
    note=(
        "The edges of V are pairs within 2 delta, not neighbours: of -3, -2, 2, 3 with delta = 9 and gamma = 1/2 "
        "each outer pair moves together and the middle pair apart, and V grows from 144 to 145. For tokens of "
        "equal norms the two kinds of pairs are the same, for gap_i(z_j) = |z_i - z_j|_A^2 / 2."
    ),
    statement="If j in C_i <=> i in C_j then V(z') <= V(z) for V(z) = sum_{i, j} min(|z_i - z_j|_A^2, 2 delta).",
    origin=Origin.CARRIED_OVER,
    assumptions=(additive_rule, definite_matrix, positive_sensitivity, mutual_neighbours, open_step_size),
    corrected_by="localmax.equal_norms_make_hegselmann_krause",
    draw=with_mutual_neighbours,
)

truncated_energy_falls_with_mutual_neighbours.step(">= 0", name="truncated_energy_falls")(truncated_energy_change)

energy_falls_with_its_own_graph = section.claim(
    refs=("LY-4",),
    note=(
        "Of -1, 0, 1 with delta = 3/2 and gamma = 3/4 the outer two do not attend to each other at first; after a step all "
        "attend to all, and the sum has grown from 4 to 75/16. Over the pairs that are neighbours before the step it falls."
    ),
    statement="If j in C_i <=> i in C_j then sum_i sum_{j in C_i} |z_i - z_j|^2 with the C_i of the moment never grows.",
    assumptions=(additive_rule, definite_matrix, positive_sensitivity, mutual_neighbours, open_step_size),
    corrected_by="localmax.energy_falls_along_its_graph",
    draw=with_mutual_neighbours,
)


@energy_falls_with_its_own_graph.step(">= 0", name="energy_falls")
def energy_change_with_its_own_graph(f: LocalmaxStep):
    """E(z) with the neighbours at z minus E(z') with those at z'."""
    after = f.step()
    return graph_energy(f, f.neighbours()) - graph_energy(after, after.neighbours())


plain_energy_falls = section.claim(
    refs=("LY-4",),
    note=(
        "Of -1, 1, 2 with gamma = 1/2 the second attends to the third and leaves the first behind: the sum grows from 28 to"
        " 31 in a step. Where neighbours are mutual, the sum over the pairs that are neighbours before the step falls."
    ),
    statement="sum_{i, j} |z_i - z_j|^2 never grows.",
    assumptions=(additive_rule, definite_matrix, open_step_size),
    corrected_by="localmax.energy_falls_along_its_graph",
    draw=one_sided_or_any,
)


# Over all pairs: tokens that move together leave others behind, and those distances are counted, too.
@plain_energy_falls.step(">= 0", name="plain_energy_falls")
def plain_energy_change(f: LocalmaxStep):
    """sum_{i, j} |z_i - z_j|^2 before minus after the step."""
    before, after = (squared_distances(g.z, g.z).sum(axis=(-2, -1)) for g in (f, f.step()))
    return before - after
