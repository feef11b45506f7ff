"""If neighbours are mutual, the truncated energy sum_{i, j} min(|z_i - z_j|_A^2, 2 delta) falls: false.

localmax LY-4. Its edges are pairs within 2 delta, not neighbours: of -4, -3, 3, 4 with delta = 20 each pair
attends to itself, all within are closer than that, and V gains 5. Equal norms make the two alike.
"""

from claims.localmax.setting.configurations import mutual_neighbours, with_mutual_neighbours
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.truncated_energy_falls_always import truncated_energy_falls
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-4", "OQ-9"),
    note=(
        "The edges of V are pairs within 2 delta, not neighbours: of -3, -2, 2, 3 with delta = 9 and gamma = 1/2 "
        "each outer pair moves together and the middle pair apart, and V grows from 144 to 145. For tokens of "
        "equal norms the two kinds of pairs are the same, for gap_i(z_j) = |z_i - z_j|_A^2 / 2."
    ),
    statement="If j in C_i <=> i in C_j then V(z') <= V(z) for V(z) = sum_{i, j} min(|z_i - z_j|_A^2, 2 delta).",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, positive_sensitivity, mutual_neighbours, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.equal_norms_make_hegselmann_krause",
    draw=with_mutual_neighbours,
)

claim.step(">= 0")(truncated_energy_falls)
