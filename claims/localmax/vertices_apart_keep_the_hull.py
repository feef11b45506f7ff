"""If every vertex of the hull has its largest score with itself alone, a hardmax step leaves the hull as it is.

Each vertex token is then a leader and stands still, and the hull never grows, so it is constant. frank_wolfe has the
same for its hulls (HM-12).
"""

from claims.localmax.setting.configurations import is_vertex, vertices_apart, with_vertices_apart
from claims.localmax.setting.hypotheses import hardmax, open_step_size
from claims.stating.statement import Claim
from dynamics.arithmetic import peak
from dynamics.geometry import probing_directions
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-12",),
    statement="If <Av, v - w> > 0 for all distinct vertices v, w of K^0, one token at each, then K^k = K^0 for all k.",
    system=LocalmaxStep,
    assumptions=(vertices_apart, hardmax, open_step_size),
    draw=with_vertices_apart,
)


# Of tokens at vertices: no vertex may be lost, and none may be gained by a hull that never grows.
@claim.orbit("== 0", exact_only=True, argued="no other token comes to the vertex that one leaves")
def vertices_stand_still(f: LocalmaxStep, *, share=1):
    """z_i^3 - z_i^0 for every token i at a vertex: that and the hull never growing is K^3 = K^0."""
    stays = [i for i in range(len(f.z)) if is_vertex(i, f.z)]
    return orbit(f, 3)[-1].z[stays] - share * f.z[stays]


# The same from outside, by supports in probing directions.
@claim.orbit("== 0")
def supports_stay(f: LocalmaxStep, *, share=1):
    """max_i <u, z_i^3> - max_i <u, z_i^0> for probing directions u, after three steps."""
    u = probing_directions(f.z).swapaxes(-1, -2)
    before, after = (peak((now.z @ u).swapaxes(-1, -2)) for now in (f, orbit(f, 3)[-1]))
    return after - share * before
