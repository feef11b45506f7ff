"""Under hardmax a token that attends only to itself stands still and attends only to itself ever after.

`leader_stays_leader`: Every token moves by the share gamma < 1 towards a point of the hull, on which z_i alone has the
largest score with A z_i. So the margin over token j shrinks at most by the factor 1 - gamma, for any A. The same holds
for points instead of tokens.

`leader_margin_shrinks_by_step`: For any A and any rule whose neighbours include the maximisers. So under the additive
rule a leader with a margin above delta / (1 - gamma)^k leads for at least k more steps.
"""

from claims.localmax.setting.configurations import leader_about_to_attend
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    hardmax,
    open_step_size,
    positive_sensitivity,
    step_size_below_one,
    where,
)
from claims.stating.statement import Origin, Section
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep, coincident

section = Section(__name__, refs=("HM-6", "LM-6"), system=LocalmaxStep)

leader_stays_leader = section.claim(
    where="hardmax 2407.01602, once a leader always a leader (recalled)",
    refs=("HM-6",),
    statement="If C_i(z^k) = {i} then z_i is fixed for ever and C_i = {i} for ever.",
    origin=Origin.REPORTED,
    assumptions=(hardmax, step_size_below_one),
)


# By points: tokens at one place that attend to one another alone stand still as a single leader does.
def leading(f: LocalmaxStep):
    """Whether token i attends only to its own point, shape (..., n); distinct tokens: whether C_i = {i}."""
    return (coincident(f.z) | ~f.neighbours()).all(axis=-1)


# Of any A: that it is the largest score with A z_i is all that a leader is.
def self_margins(f: LocalmaxStep):
    """<A z_i, z_i - z_j>, shape (..., n, n)."""
    return f.squared_norms()[..., :, None] - f.scores()


@leader_stays_leader.step("> 0")
def leaders_hear_only_themselves_again(f: LocalmaxStep):
    """1 minus the number of other points that a leader attends to after the step."""
    after = f.step()
    attended = ((after.neighbours() & ~coincident(after.z)) * (0 * f.scores() + 1)).sum(axis=-1)
    return where(leading(f), 1 - attended)


# Only over tokens that were elsewhere: copies have margin zero, before and after.
@leader_stays_leader.step("> 0")
def leaders_keep_a_margin(f: LocalmaxStep):
    """<A z_i', z_i' - z_j'> after the step, for every leader i and every token j that was elsewhere."""
    return where(leading(f)[..., None] & ~coincident(f.z), self_margins(f.step()))


@leader_stays_leader.orbit("== 0")
def leaders_stand_still(f: LocalmaxStep, *, share=1):
    """z_i^3 - z_i^0 for every leader i at the start."""
    return leading(f)[..., None] * (orbit(f, 3)[-1].z - share * f.z)


sensitive_leader_stays_leader = section.claim(
    where="hardmax 2407.01602, once a leader always a leader, for delta > 0",
    note=(
        "Of 0 and 2 with delta = 7/2 and gamma = 1/2 the second attends to itself alone; one step later the other "
        "has come to 1/2, at gap 3, and it attends to both. For every delta each of its margins shrinks at most by "
        "the factor 1 - gamma in a step, so that at delta = 0 it leads at all later times."
    ),
    statement="If delta > 0 and C_i(z^k) = {i} then C_i = {i} for ever.",
    origin=Origin.CARRIED_OVER,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.leader_margin_shrinks_by_step",
    draw=leader_about_to_attend,
)

sensitive_leader_stays_leader.step("> 0")(leaders_hear_only_themselves_again)

leader_margin_shrinks_by_step = section.claim(
    statement=(
        "If C_i = {i} then z_i' = z_i and <A z_i, z_i - z_j'> >= (1 - gamma) <A z_i, z_i - z_j>, for every delta >= 0."
    ),
    assumptions=(step_size_below_one,),
)


# z_j' = (1 - gamma) z_j + gamma c_j, and no c_j scores more with A z_i than z_i: the margin keeps 1 - gamma of itself.
@leader_margin_shrinks_by_step.step(">= 0")
def margins_contract_by_step_at_most(f: LocalmaxStep, *, keep=1):
    """<A z_i', z_i' - z_j'> - (1 - gamma) <A z_i, z_i - z_j> for every leader i and every token j."""
    kept = (keep - f.gamma)[..., None, None] * self_margins(f)
    return where(leading(f)[..., None], self_margins(f.step()) - kept)
