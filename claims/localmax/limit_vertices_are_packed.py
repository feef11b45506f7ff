"""How many vertices a limit may have (localmax LM-7, LM-15).

`limit_vertices_are_packed`: Any two vertices v, w of the limiting polytope satisfy <A(v - w), v - w> >= 2 delta, for any
A.

localmax LM-7 (i). Eventually neither vertex attends to the other: <Av, v - w> >= delta and <Aw, w - v> >= delta.
Where A is symmetric positive semidefinite they are so at least sqrt(2 delta) apart in its norm, which bounds their number.

`small_diameter_gives_consensus`: Tokens that are all within sqrt(2 delta) of each other tend to one point.

localmax LM-7 (ii). The largest <A(x-y), x-y> over the hull is attained at tokens, and hulls shrink; two
vertices of the limiting polytope would be at least sqrt(2 delta) apart.

`more_sensitivity_means_fewer_clusters`: FALSE: a larger sensitivity may leave more vertices.

localmax LM-15; standing found here. Of -6, 5, -2, 0 at gamma = 1/2 all meet at delta = 21. At delta = 23 the
token -2 attends to 5 as well: it stays in the middle, where neither end attends to it, and Kinf is [-6, 5]. True is that
vertices are sqrt(2 delta) apart, so that a bound on their number falls.
"""

from claims.localmax.setting.end_hypotheses import monotone_matrix, small_diameter
from claims.localmax.setting.ends import corners, limits, margins
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import ends_and_middle, lattice_or_pair, uneven_or_lattice
from claims.statement import Section, Standing
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.paired_localmax import TwoSensitivities

section = Section(__name__, system=LocalmaxStep)

limit_vertices_are_packed = section.claim(
    "limit_vertices_are_packed",
    refs=("LM-7", "LM-15"),
    statement="delta constant, any A: different vertices v, w of Kinf satisfy <A(v-w), v-w> >= 2 delta.",
    assumptions=(additive_rule, open_step_size, positive_sensitivity),
    draw=uneven_or_lattice,
)


@limit_vertices_are_packed.orbit(">= 0", exact_only=True)
def vertices_are_apart(f: LocalmaxStep, *, factor=2):
    """<A(v-w), v-w> - 2 delta for any two vertices v, w of Kinf."""
    v = corners(limits(f))
    pairs = [v[i] - v[j] for i in range(len(v)) for j in range(i)]
    return margins([(f.A @ pair) @ pair - factor * f.delta.item() for pair in pairs])


small_diameter_gives_consensus = section.claim(
    "small_diameter_gives_consensus",
    refs=("LM-7",),
    statement=(
        "delta constant, A + A^T positive semidefinite: if max_{i,j} <A(z_i - z_j), z_i - z_j> < 2 delta at "
        "some time, "
        "all tokens tend to one point."
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
    "more_sensitivity_means_fewer_clusters",
    refs=("LM-15",),
    note=(
        "From 6, -5, 2, 0 with gamma = 1/2 all tokens meet at delta = 20; at delta = 22 the token 2 attends to -5"
        " as well, stays in the middle, and the limits are 6, -5, 1/2, with two vertices for one. What is true is"
        " that vertices v, w satisfy <A(v - w), v - w> >= 2 delta, so that a bound on their number falls."
    ),
    statement="The number of vertices of Kinf is nonincreasing in delta.",
    system=TwoSensitivities,
    assumptions=(definite_matrix, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.limit_vertices_are_packed",
    draw=ends_and_middle,
)


@more_sensitivity_means_fewer_clusters.orbit(">= 0", exact_only=True)
def vertices_lost(f: TwoSensitivities):
    """Vertices of Kinf under the smaller sensitivity minus those under the larger one."""
    less, more = (len(corners(limits(f.under(delta)))) for delta in (f.delta, f.larger))
    return margins([less - more])
