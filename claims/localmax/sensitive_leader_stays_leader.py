"""With a sensitivity delta > 0, a token that attends only to itself attends only to itself ever after: false.

hardmax HM-6 carried over to localmax (LM-6, warning 2). Tokens within the tolerance are not attended to yet but come
closer: of the tokens 1, 1/2 with delta = 1/10 the first leads for three steps, then attends to the second.
"""

from claims.localmax.leader_stays_leader import leaders_hear_only_themselves_again
from claims.localmax.setting.configurations import leader_about_to_attend
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, once a leader always a leader, for delta > 0",
    refs=("HM-6", "LM-6"),
    note=(
        "Of 0 and 2 with delta = 7/2 and gamma = 1/2 the second attends to itself alone; one step later the other "
        "has come to 1/2, at gap 3, and it attends to both. What is true for every delta is that each of its "
        "margins keeps at least the part 1 - gamma in a step, so that at delta = 0 it leads for ever."
    ),
    statement="If delta > 0 and C_i(z^k) = {i} then C_i = {i} for ever.",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.leader_margin_shrinks_by_step",
    draw=leader_about_to_attend,
)


claim.step("> 0")(leaders_hear_only_themselves_again)
