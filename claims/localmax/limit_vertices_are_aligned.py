"""Every vertex v of the limit hull has the largest score with itself: <Av, v> = max over Kinf of <Av, y>.

`limit_vertices_are_aligned`: A token near v was near v one step before, and so was all that it attended to, its
maximiser among them. This holds for any A and any sensitivities (LM-4).

`limit_vertices_are_aligned_at_every_phase`: If the parameters recur, a token may have several limit points. The hull of
those of one phase is Kinf at every phase, and the same argument applies.

`negative_scores_give_consensus`: By LM-4 two vertices v, w of Kinf satisfy <A(v - w), v - w> >= 0. No symmetry is
needed, and no condition on the step size but 0 < gamma < 1: at gamma = 1 and A = -1 the tokens 1 and -1 swap places in
each step.
"""

from claims.localmax.setting.end_hypotheses import negative_matrix, open_step_sizes
from claims.localmax.setting.ends import after_schedule, limit_phases, limits, margins, self_gaps
from claims.localmax.setting.hypotheses import additive_rule, open_step_size
from claims.localmax.setting.recurring import end_of, recurring_start
from claims.localmax.setting.starts import lattice_start, scheduled_start
from claims.stating.statement import Section
from dynamics.polytopes import vertices
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.schedules import ScheduledLocalmax

section = Section(__name__, refs=("LM-4",), assumptions=(open_step_sizes,))

limit_vertices_are_aligned = section.claim(
    where="the abstract's maximal alignment set",
    statement="For any A, any delta_k >= 0 and gamma_k in a compact part of (0,1): <Av, v> = max_{y in Kinf} <Av, y> "
    "for each vertex v of Kinf.",
    system=ScheduledLocalmax,
    draw=scheduled_start,
)


# Vertices alone: for delta > 0 other limits may score better with others than with themselves.
@limit_vertices_are_aligned.orbit("== 0", exact_only=True)
def self_gaps_of_vertices(f: ScheduledLocalmax, *, share=1):
    """max_l <Av, s_l> - <Av, v> for the vertices v among the limits s_l."""
    end = limits(after_schedule(f))
    return self_gaps(end, f.A, share)[vertices(end)]


limit_vertices_are_aligned_at_every_phase = section.claim(
    where="abstract, maximal alignment set, for parameters that recur",
    statement="For any A and delta_k >= 0, gamma_k in (0,1) that recur: <Av, v> = max_{y in Kinf} <Av, y> for each "
    "vertex v of Kinf, the hull of the limit points at any phase.",
    system=PeriodicLocalmax,
    draw=recurring_start,
)


@limit_vertices_are_aligned_at_every_phase.orbit("== 0", exact_only=True, name="self_gaps_of_vertices")
def self_gaps_of_vertices_at_every_phase(f: PeriodicLocalmax, *, share=1):
    """max_l <Av, s_l> - <Av, v> for the vertices v among the limit points s_l of each phase."""
    phases = end_of(f).limits
    return margins([gap for s in phases for gap in self_gaps(s, f.A, share)[vertices(s)]])


# Common vertices against all of them: equal numbers say that every phase has the same ones.
@limit_vertices_are_aligned_at_every_phase.orbit("== 0", exact_only=True)
def phases_have_one_hull(f: PeriodicLocalmax, *, share=1):
    """Vertices of the hull of all phases together minus those that one phase and the first have in common."""
    hulls = [{tuple(v) for v in s[vertices(s)]} for s in end_of(f).limits]
    return margins([len(hull | hulls[0]) - share * len(hull & hulls[0]) for hull in hulls])


negative_scores_give_consensus = section.claim(
    where="the negative definite regime of frank_wolfe 2508.09628",
    refs=("LM-4", "HM-7"),
    statement="A + A^T negative definite => consensus, for every step size in (0, 1).",
    system=LocalmaxStep,
    assumptions=(additive_rule, negative_matrix, open_step_size),
    draw=lattice_start,
)


# Against the first token at the first phase: one place for all tokens, at all late times.
@negative_scores_give_consensus.orbit("== 0", exact_only=True)
def limits_differ(f: LocalmaxStep):
    """s_i - s_1 for all limit points of all tokens."""
    phases = limit_phases(f)
    return phases - phases[0, 0]
