"""The main theorem of hardmax holds: tokens converge to a finite set, and leaders reach the vertices of the limit hull.

`flat_limits_are_projections`: A limit s in the relative interior of a face F maximises <As, .> over F, so <As, .> is
constant there and s is the projection of the origin (HM-7 (iii)).

`hardmax_limits_lie_in_alignment_set`: Norms grow by at least 2 gamma e_i in a step, so self gaps tend to zero. Only
finitely many points have none, at most one in the relative interior of each face (HM-7 (i)). Distinct tokens are not
needed; nonzero tokens are needed only for "in the boundary". That is the boundary in R^d: a segment in the plane is all
boundary. Where neighbours are final, limits have no self gap for any A.

`leaders_reach_vertices`: At late times tokens near a vertex attend only to one another, and the longest of them only to
itself (HM-7 (ii)). Distinct tokens are needed: of 1, 1, -1 only the last leads, and Kinf = [-1, 1].
"""

from claims.localmax.setting.end_hypotheses import negative_matrix, nonzero_tokens
from claims.localmax.setting.ends import corners, leaders_of, limits, margins, self_gaps, settled
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_start, lattice_start
from claims.stating.statement import Origin, Section
from dynamics.polytopes import dimension, distinct, smallest_face
from dynamics.tokens.localmax import LocalmaxStep

# A third of the starts are mirrored pairs: there limits are no vertices, and (i) and (iii) say something.
section = Section(__name__, refs=("HM-7",), system=LocalmaxStep, draw=hardmax_start, origin=Origin.REPORTED)

flat_limits_are_projections = section.claim(
    where="hardmax 2407.01602, main theorem (iii) (recalled)",
    statement="A point of S that is no vertex is the A-orthogonal projection of the origin onto a face of K.",
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size),
)


# <As, .> constant on the face, of which s is a point: s is then orthogonal to the face in the sense of A.
@flat_limits_are_projections.orbit("== 0", exact_only=True)
def scores_vary_on_the_face(f: LocalmaxStep, *, share=1):
    """<As, y> - |s|_A^2 for the limits y in the smallest face of K that holds the limit s, for every s."""
    end = limits(f)
    return margins([y @ f.A @ s - share * (s @ f.A @ s) for s in end for y in end[smallest_face(s, end)]])


hardmax_limits_lie_in_alignment_set = section.claim(
    where="hardmax 2407.01602, main theorem (i) (recalled)",
    refs=("HM-7", "HM-8"),
    statement="If A is symmetric positive definite, alpha > 0 and the tokens are distinct and nonzero, then every token "
    "converges to a point of a finite set S in the boundary of K = Kinf, S = {x in K : |x|_A^2 = max_{y in K} <Ax, y>}.",
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens, nonzero_tokens),
)


# Norms gain 2 gamma e_i in a step and stay bounded, so e_i -> 0; here it is decided at the limit itself.
@hardmax_limits_lie_in_alignment_set.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: LocalmaxStep, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(limits(f), f.A, share)


# The topological boundary: where K lacks a dimension all of it is boundary, hence the count of those.
@hardmax_limits_lie_in_alignment_set.orbit("> 0", exact_only=True)
def limits_lie_in_the_boundary(f: LocalmaxStep):
    """Limits outside the smallest face of K that holds s_i, and the dimensions that K lacks: both 0 in the interior."""
    end = limits(f)
    lacking = end.shape[1] - dimension(end)
    return margins([len(end) - len(smallest_face(s, end)) + lacking for s in end])


# That S is finite cannot be seen on one orbit; that no face holds two of its limits can.
@hardmax_limits_lie_in_alignment_set.orbit("== 0", exact_only=True)
def faces_have_one_limit(f: LocalmaxStep, *, share=1):
    """s_i - s_j, s_j the first limit inside the same face of K, the smallest that holds s_i: S is finite, as faces are."""
    end = limits(f)
    faces = [tuple(smallest_face(s, end)) for s in end]
    places = [{tuple(end[k]) for k in face} for face in faces]
    return margins([entry for s, place in zip(end, places, strict=True) for entry in share * s - end[places.index(place)]])


leaders_reach_vertices = section.claim(
    where="hardmax 2407.01602, main theorem (ii) (recalled)",
    statement="The set L of leaders is nonempty; every leader reaches a vertex of K in finitely many layers, different "
    "leaders different vertices, and every vertex is reached by a leader: K has |L| vertices.",
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens),
)


# Leaders at the end: they may appear late, and lead at all times after.
@leaders_reach_vertices.orbit("> 0", exact_only=True)
def some_token_leads(f: LocalmaxStep):
    """The number of leaders."""
    return margins([len(leaders_of(settled(f)))])


@leaders_reach_vertices.orbit("== 0", exact_only=True)
def leaders_are_the_vertices(f: LocalmaxStep):
    """Vertices minus leaders; vertices at which no leader stands; leaders that stand where another one does."""
    end = settled(f)
    led = end.states[-1].z[leaders_of(end)]
    places, corner = {tuple(z) for z in led}, {tuple(v) for v in corners(end.final.limits)}
    return margins([len(corner) - len(led), len(corner - places), len(led) - len(distinct(led))])


negative_scores_lead_to_the_origin = section.claim(
    where="frank_wolfe 2508.09628, negative definite regime, as read for hardmax",
    note=(
        "One token at 1 with A = -1 attends to itself and stays at 1. All tokens do meet at one point, which need"
        " not be the origin."
    ),
    statement="A negative definite: all tokens cluster at the origin.",
    origin=Origin.CARRIED_OVER,
    assumptions=(additive_rule, negative_matrix, hardmax, open_step_size),
    corrected_by="localmax.negative_scores_give_consensus",
    draw=lattice_start,
)


@negative_scores_lead_to_the_origin.orbit("== 0", exact_only=True)
def distance_to_the_origin(f: LocalmaxStep):
    """The limits."""
    return limits(f)
