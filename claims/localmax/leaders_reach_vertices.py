"""Under hardmax the tokens that attend only to themselves are eventually at the vertices of Kinf, one at each.

hardmax HM-7 (ii) (recalled). In the end tokens near a vertex attend only to one another, and the longest of them only to
itself. Distinct tokens are needed: of 1, 1, -1 only the last leads, and Kinf = [-1, 1].
"""

from claims.localmax.setting.ends import corners, leaders_of, margins, settled
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_start
from claims.statement import Claim, Origin
from dynamics.polytopes import distinct
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, main theorem (ii) (recalled)",
    refs=("HM-7",),
    statement="The set L of leaders is nonempty; every leader reaches a vertex of K in finitely many layers, different "
    "leaders different vertices, and every vertex is reached by a leader: K has |L| vertices.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens),
    draw=hardmax_start,
    equivalent={
        "leaders_are_the_vertices: len(corner) => len(places)": (
            "It follows from the statement: the first entry then says what the last one does, that no two "
            "leaders share a place."
        ),
        "leaders_are_the_vertices: corner - places => places - places": (
            "It follows from the statement, of which it leaves out one entry."
        ),
    },
)


@claim.orbit("> 0", exact_only=True)
def some_token_leads(f: LocalmaxStep):
    """The number of leaders."""
    return margins([len(leaders_of(settled(f)))])


@claim.orbit("== 0", exact_only=True)
def leaders_are_the_vertices(f: LocalmaxStep):
    """Vertices minus leaders; vertices at which no leader stands; leaders that stand where another one does."""
    end = settled(f)
    led = end.states[-1].z[leaders_of(end)]
    places, corner = {tuple(z) for z in led}, {tuple(v) for v in corners(end.final.limits)}
    return margins([len(corner) - len(led), len(corner - places), len(led) - len(distinct(led))])
