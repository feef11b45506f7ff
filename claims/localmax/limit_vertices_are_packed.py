"""Any two vertices v, w of the limit hull satisfy <A(v - w), v - w> >= 2 delta, which bounds their number.

`limit_vertices_are_packed`: At late times neither vertex attends to the other: <Av, v - w> >= delta and <Aw, w - v> >=
delta. If A is symmetric positive semidefinite, they are at least sqrt(2 delta) apart in its norm (LM-7).

`small_diameter_gives_consensus`: The largest <A(x - y), x - y> over the hull is attained at tokens, and hulls shrink;
so the limit hull cannot have two vertices.

`more_sensitivity_means_fewer_clusters`: False (LM-15): a token that attends to both ends under the larger delta stays
in the middle, where neither end attends to it, and does not draw them together.
"""

from claims.localmax.setting.end_hypotheses import monotone_matrix, small_diameter
from claims.localmax.setting.ends import corners, limits, margins
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import ends_and_middle, lattice_or_pair, uneven_or_lattice
from claims.stating.statement import Section
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.paired_localmax import TwoSensitivities

section = Section(__name__, system=LocalmaxStep)

limit_vertices_are_packed = section.claim(
    refs=("LM-7", "LM-15"),
    statement="delta constant, any A: different vertices v, w of Kinf satisfy <A(v-w), v-w> >= 2 delta.",
    assumptions=(additive_rule, open_step_size, positive_sensitivity),
    draw=uneven_or_lattice,
)


# The sum of two margins of delta each; A need not be symmetric, as only <A(v - w), v - w> is left.
@limit_vertices_are_packed.orbit(">= 0", exact_only=True)
def vertices_are_apart(f: LocalmaxStep, *, factor=2):
    """<A(v-w), v-w> - 2 delta for any two vertices v, w of Kinf."""
    v = corners(limits(f))
    pairs = [v[i] - v[j] for i in range(len(v)) for j in range(i)]
    return margins([(f.A @ pair) @ pair - factor * f.delta.item() for pair in pairs])


small_diameter_gives_consensus = section.claim(
    refs=("LM-7",),
    statement=(
        "delta constant, A + A^T positive semidefinite: if max_{i,j} <A(z_i - z_j), z_i - z_j> < 2 delta at some time, all "
        "tokens tend to one point."
    ),
    assumptions=(additive_rule, monotone_matrix, open_step_size, small_diameter),
    draw=lattice_or_pair,
)


@small_diameter_gives_consensus.orbit("== 0", exact_only=True)
def limits_differ(f: LocalmaxStep):
    """s_i - s_1 for the limits."""
    end = limits(f)
    return end - end[0]


more_sensitivity_means_fewer_clusters = section.claim(
    refs=("LM-15",),
    note=(
        "From 6, -5, 2, 0 with gamma = 1/2 all tokens meet at delta = 20; at delta = 22 the token 2 attends to -5"
        " as well, stays in the middle, and the limits are 6, -5, 1/2, with two vertices instead of one. What is true is"
        " that vertices v, w satisfy <A(v - w), v - w> >= 2 delta, so that a bound on their number falls."
    ),
    statement="The number of vertices of Kinf is nonincreasing in delta.",
    system=TwoSensitivities,
    assumptions=(definite_matrix, open_step_size),
    corrected_by="localmax.limit_vertices_are_packed",
    draw=ends_and_middle,
)


# The same tokens under two sensitivities, each followed to its own limit.
@more_sensitivity_means_fewer_clusters.orbit(">= 0", exact_only=True)
def vertices_lost(f: TwoSensitivities):
    """Vertices of Kinf under the smaller sensitivity minus those under the larger one."""
    less, more = (len(corners(limits(f.under(delta)))) for delta in (f.delta, f.larger))
    return margins([less - more])
