"""FALSE: a set of tokens that attend only to one another at one step need not do so at the next.

localmax LM-6, first warning. Of 10, 9, 5 at delta = 35 the first two attend to each other, the third attends to all;
one step later all attend to all. Blocks that are separated with room to spare never mix.
"""

from claims.localmax.setting.ends import margins, quiescent_sets
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import near_the_edge
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, quiescent sets read as invariant",
    refs=("LM-6",),
    note=(
        "Of 4 and 5 with delta = 3 and gamma = 1/2 the second attends to itself alone, at gap 5 from the other; "
        "one step later the other is at 9/2, at gap 5/2, and it attends to both. Blocks that are separated with "
        "room to spare never mix."
    ),
    statement="If C_i(z^k) = Q for every i in Q, then C_i(z^{k+1}) = Q for every i in Q.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.separated_blocks_never_mix",
    draw=near_the_edge,
)


@claim.step("> 0", exact_only=True)
def outsiders_stay_unheard(f: LocalmaxStep):
    """gap_i(z_j) - delta after the step, for i in a quiescent set and j outside it."""
    gaps = f.step().gaps()
    return margins(
        [gaps[i, j] - f.delta.item() for Q in quiescent_sets(f) for i in Q for j in range(len(gaps)) if j not in Q]
    )
