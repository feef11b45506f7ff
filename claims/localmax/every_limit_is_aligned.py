"""For delta > 0 limits need not lie in the maximal alignment set, nor be a fixed point of the step.

`every_limit_is_aligned`: False. The abstract itself says that the alignment set no longer describes the limits. A token
that attends to several vertices at all late times tends to their mean, for open sets of starts (LM-9).

`localmax_limit_is_an_equilibrium`: False. The step is discontinuous: at the limit of a token another token may have a
gap of exactly delta (LM-9).
"""

from claims.localmax.setting.ends import limits, self_gaps
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    distinct_tokens,
    open_step_size,
    positive_sensitivity,
)
from claims.localmax.setting.starts import between_uneven_vertices, third_at_the_brink
from claims.stating.statement import Section
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, refs=("LM-9",), system=LocalmaxStep)

every_limit_is_aligned = section.claim(
    where="abstract, structure of the limits: the statement it denies",
    note=(
        "Of 2, -3, 0 with delta = 3 and gamma = 1/2 the last always attends to all three and tends to -1/2, which scores "
        "3/2 with -3 and 1/4 with itself. What is true is that a limit has a gap of at most delta to the best score."
    ),
    statement="Every limit s of a token satisfies |s|_A^2 = max_{y in Kinf} <As, y>.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.limits_have_small_self_gaps",
    draw=between_uneven_vertices,
)


# The limits are exact rationals once neighbours are final, so "== 0" is refuted by a number, not by a late state.
@every_limit_is_aligned.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: LocalmaxStep):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(limits(f), f.A)


localmax_limit_is_an_equilibrium = section.claim(
    note=(
        "Of (0, 2), (0, 0), (2, 0) with delta = 2 and gamma = 1/2 the second tends to (1, 1), where its gap is "
        "exactly delta and the others begin to attend to it: a step from the limit moves (0, 2) to (1/4, 7/4). "
        "What is true is that a limit has a gap of at most delta to the best score."
    ),
    statement="If all tokens converge, their limits are a fixed point.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    corrected_by="localmax.limits_have_small_self_gaps",
    draw=third_at_the_brink,
)


# All tokens at their limits at once: the gap of exactly delta opens only there.
@localmax_limit_is_an_equilibrium.orbit("== 0", exact_only=True)
def step_of_the_limit(f: LocalmaxStep):
    """How far a step moves the limits."""
    end = f.replace(z=limits(f))
    return end.step().z - end.z
