"""FALSE for delta > 0: limits of tokens need not lie in the maximal alignment set.

localmax LM-9 (abstract: non-vertex limits; reconstructed). A token that attends to some of the vertices for ever tends to
their mean, on open sets of starts: of (2,3), (6,0), (0,1), (2,5) at delta = 8 the first and the third tend to (4,5/2).
"""

from claims.localmax.setting.ends import limits, self_gaps
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import between_uneven_vertices
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, structure of the limits: the statement it denies",
    refs=("LM-9",),
    note=(
        "Of 2, -3, 0 with delta = 3 and gamma = 1/2 the last attends to all three for ever and tends to -1/2, "
        "which scores 3/2 with -3 and 1/4 with itself. What is true is that a limit has a gap of at most delta to"
        " the best score."
    ),
    statement="Every limit s of a token satisfies |s|_A^2 = max_{y in Kinf} <As, y>.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.limits_have_small_self_gaps",
    draw=between_uneven_vertices,
)


@claim.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: LocalmaxStep):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(limits(f), f.A)
