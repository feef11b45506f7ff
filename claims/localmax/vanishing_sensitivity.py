"""If the sensitivity vanishes, every token converges to a point of the maximal alignment set of its own limit hull.

So the description of the hardmax limits is recovered (LM-8), not the limits themselves. A must be positive definite;
tokens may coincide or be zero.

`harmonic_sensitivity_gives_alignment`: Here delta_k is positive at every step. Tokens near a vertex attend to one
another at all late times, because their gaps fall faster than delta_k. Limits are read once the neighbours are shown to
be final (:mod:`dynamics.tokens.vanishing_sensitivity`).

`recurring_steps_give_alignment`: Here delta_k = 0, and the step sizes recur in a compact part of (0, 1]. Norms grow in
each step by at least 2 gamma_k e_i, so that self gaps tend to zero; S is finite.

`vanishing_sensitivity_gives_alignment`: Checked for sensitivities that are zero from some step on. Kinf depends on the
whole sequence.

`vanishing_sensitivity_recovers_hardmax_limits`: False if "recovering the limiting behavior of hardmax" means the same
limits: early steps with delta > 0 are not undone.
"""

import numpy as np

from claims.localmax.setting.end_hypotheses import open_step_sizes, positive_step_sizes, vanishing_sensitivity
from claims.localmax.setting.ends import after_schedule, limits, margins, self_gaps
from claims.localmax.setting.hypotheses import definite_matrix, open_step_size
from claims.localmax.setting.recurring import end_of, no_sensitivity, recurring_start
from claims.localmax.setting.starts import lattice_start, scheduled_start
from claims.stating.statement import Assumption, Draws, Origin, Section
from dynamics.arithmetic import numbers
from dynamics.orbits.vanishing_sensitivity import harmonic_limits
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.schedules import ScheduledLocalmax
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax

section = Section(__name__, refs=("LM-8",), where="abstract, vanishing sensitivity (reconstructed)")

MOST_STEPS = 240


# c / (k + 1) is not summable: the statement asks for delta_k -> 0 alone, not for a finite total.
def harmonic_start(draws: Draws) -> HarmonicLocalmax:
    """A lattice start whose sensitivity falls like 1/k from a whole number on."""
    f = lattice_start(draws)
    return HarmonicLocalmax(z=f.z, A=f.A, gamma=f.gamma, c=numbers(f.delta + draws.integer(0, 2)), k=np.array(0))


positive_first_sensitivity = Assumption(
    "positive_first_sensitivity",
    "c > 0",
    satisfies=lambda f: f.c.item() > 0,
    restrict=lambda f: f if f.c.item() > 0 else f.replace(c=f.c + 1),
    violate=lambda f, draws: f.replace(c=0 * f.c),
)

harmonic_sensitivity_gives_alignment = section.claim(
    statement="A symmetric positive definite, delta_k = c / (k + 1) > 0: every token converges to a point of S = "
    "{x in Kinf : |x|_A^2 = max_{Kinf} <Ax, y>}.",
    origin=Origin.REPORTED,
    system=HarmonicLocalmax,
    assumptions=(definite_matrix, open_step_size, positive_first_sensitivity),
    draw=harmonic_start,
)


@harmonic_sensitivity_gives_alignment.orbit("== 0", exact_only=True, name="self_gaps_of_limits")
def self_gaps_under_harmonic_sensitivity(f: HarmonicLocalmax, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(harmonic_limits(f, MOST_STEPS), f.A, share)


recurring_steps_give_alignment = section.claim(
    statement="A symmetric positive definite, delta_k = 0, gamma_k recurs: every token converges to a point of S = "
    "{x in Kinf : |x|_A^2 = max_{Kinf} <Ax, y>}.",
    origin=Origin.REPORTED,
    system=PeriodicLocalmax,
    assumptions=(definite_matrix, open_step_sizes, no_sensitivity),
    draw=recurring_start,
)


# No token may differ between phases: with delta = 0 and A definite all of them converge.
@recurring_steps_give_alignment.orbit("== 0", exact_only=True, name="self_gaps_of_limits")
def self_gaps_under_recurring_steps(f: PeriodicLocalmax, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i at the first phase, and how many differ from those at another."""
    limits = end_of(f).limits
    gaps = self_gaps(limits[0], f.A, share)
    return margins([*gaps, *((s != limits[0]).any(axis=-1).sum() for s in limits[1:])])


vanishing_sensitivity_gives_alignment = section.claim(
    statement="A symmetric positive definite, delta_k -> 0: every token converges to a point of S = {x in Kinf : |x|_A^2 = "
    "max_{Kinf} <Ax, y>}.",
    origin=Origin.REPORTED,
    system=ScheduledLocalmax,
    assumptions=(definite_matrix, positive_step_sizes, vanishing_sensitivity),
    draw=scheduled_start,
)


@vanishing_sensitivity_gives_alignment.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: ScheduledLocalmax, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(limits(after_schedule(f)), f.A, share)


vanishing_sensitivity_recovers_hardmax_limits = section.claim(
    where="abstract, vanishing sensitivity, read literally",
    note=(
        "Of 1 and 1/2 with gamma = 1/2, and delta = 1 at the first step alone, both attend to both in that step and are at "
        "7/8 and 5/8 after it; hardmax then takes both to 7/8, but from the start to 1. What is recovered is where limits "
        "lie: in S = {x in Kinf : |x|_A^2 = max_{Kinf} <Ax, y>}, for their own Kinf."
    ),
    statement="If delta_k -> 0, every token tends to its hardmax limit.",
    system=ScheduledLocalmax,
    assumptions=(definite_matrix, open_step_sizes, vanishing_sensitivity),
    corrected_by="localmax.vanishing_sensitivity_gives_alignment",
    draw=scheduled_start,
)


@vanishing_sensitivity_recovers_hardmax_limits.orbit("== 0", exact_only=True)
def distance_of_limits(f: ScheduledLocalmax):
    """The limit minus that of the same start with the sensitivity zero at every step."""
    return limits(after_schedule(f)) - limits(after_schedule(f.replace(delta=0 * f.delta)))
