"""If neighbours are mutual, sum_i sum_{j in C_i} |z_i - z_j|^2 falls, each time over the present neighbours: false.

localmax LY-4. The graph may gain edges: of -1, 0, 1 with delta = 3/2 and gamma = 3/4 the outer two do not attend to
each other at first, then all attend to all.
"""

from claims.localmax.energy_falls_along_its_graph import graph_energy
from claims.localmax.setting.configurations import mutual_neighbours, with_mutual_neighbours
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-4",),
    note=(
        "Of -1, 0, 1 with delta = 3/2 and gamma = 3/4 the outer two do not attend to each other at first; after a "
        "step all attend to all, and the sum has grown from 4 to 75/16. Over the pairs that are neighbours before"
        " the step it falls."
    ),
    statement="If j in C_i <=> i in C_j then sum_i sum_{j in C_i} |z_i - z_j|^2 with the C_i of the moment never grows.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, positive_sensitivity, mutual_neighbours, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.energy_falls_along_its_graph",
    draw=with_mutual_neighbours,
)


@claim.step(">= 0")
def energy_falls(f: LocalmaxStep):
    """E(z) with the neighbours at z minus E(z') with those at z'."""
    after = f.step()
    return graph_energy(f, f.neighbours()) - graph_energy(after, after.neighbours())
