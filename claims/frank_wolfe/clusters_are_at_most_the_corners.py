"""The limit has no more clusters than K^0 has vertices: false.

Question Q5 (frank_wolfe FW-8): the number of final clusters. They are the vertices of the last hull, and that is all: a
vertex of K^0 that leaves may bare several tokens that were behind it, and these own their cells once they are far enough
from one another. A triangle has two tokens near one vertex, which goes to another vertex, and four clusters in the end. n
is attained where all tokens own their cells, and d = 1 allows two.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.limits import has_ties, inner_scalar_step, to_the_end
from claims.frank_wolfe.setting.questions import run_in_a_triangle
from claims.frank_wolfe.setting.runs import where_unmet
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q5",
    refs=("Q5", "FW-8"),
    note=(
        "With B = I and gamma = 1/3 the vertex (10, 17) of the triangle with (36, -29), (-63, 60) goes to the "
        "third vertex, but the two tokens behind it, (14, 8) and (10, 12), stay apart from all others: four "
        "limits of three vertices. What is true is that every token tends to one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, the limits of the tokens are at most as many as K^0 has vertices.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_in_a_triangle,
)


@claim.orbit(">= 0", exact_only=True)
def corners_left(f: HardmaxStep):
    """The number of vertices of K^0 minus that of different limits; nothing is said of runs with ties."""
    run = to_the_end(f)
    if has_ties(run.states):
        return exact([])
    places = {tuple(point) for point in f.x[vertices(f.x)]}
    return exact([len(places) - len({tuple(point) for point in run.final.limits})])
