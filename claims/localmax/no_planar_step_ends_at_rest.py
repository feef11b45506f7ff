"""In the plane and on the line no trajectory with delta > 0 reaches a fixed point in finite time: false.

localmax OQ-3, with LM-14. With delta = 71/5 and gamma = 4/5 the tokens (-8,8) and (5,12) attend only to themselves. (-5,8)
attends to the first one and to (-3,10), which attends to all. These two step onto (-27/5,44/5) and (-14/5,48/5), between
the first two, where they rest: the one attends to the first token and the two, the other one to all. The step does not tell
w and 2 u + v - 2 w apart, whatever w is, so another gamma does not do it: (1 - gamma) I + gamma W is singular at 4/5. Of up
to three tokens it is true in any dimension: docs/tokens_on_a_line.md.
"""

from claims.localmax.no_hardmax_step_ends_at_rest import next_step_moves_too
from claims.localmax.setting.configurations import about_to_rest_in_the_plane
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, planar, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-3", "LM-14"),
    note=(
        "With delta = 71/5 and gamma = 4/5 the tokens (-5, 8) and (-3, 10) between (-8, 8) and (5, 12) step to"
        " (-27/5, 44/5) and (-14/5, 48/5), where they rest. Of at most three tokens, and under hardmax, no step ends at"
        " rest unless it began there."
    ),
    statement=(
        "If d <= 2, A is positive definite, 0 < gamma < 1, delta > 0, a token attends to those within delta of its best "
        "score, to itself only if it is one of them, and z^{k+1} is a fixed point, so is z^k."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(planar, additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.no_step_of_three_tokens_ends_at_rest",
    draw=about_to_rest_in_the_plane,
)

claim.step("> 0")(next_step_moves_too)
