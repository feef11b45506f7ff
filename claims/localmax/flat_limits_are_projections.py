"""Under hardmax a limit that is no vertex is the A-orthogonal projection of the origin onto a face of Kinf.

hardmax HM-7 (iii) (recalled). A limit s in the relative interior of a face F maximises <As, .> over F, so <As, .> is
constant there.
"""

from claims.localmax.setting.ends import limits, margins
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_start
from claims.statement import Claim, Origin
from dynamics.polytopes import smallest_face
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, main theorem (iii) (recalled)",
    refs=("HM-7",),
    statement="A point of S that is no vertex is the A-orthogonal projection of the origin onto a face of K.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size),
    draw=hardmax_start,
)


@claim.orbit("== 0", exact_only=True)
def scores_vary_on_the_face(f: LocalmaxStep):
    """The largest minus the smallest <As, y> over the smallest face of K that holds the limit s, for every s."""
    end = limits(f)
    faces = [(end[smallest_face(s, end)] @ (f.A @ s)) for s in end]
    return margins([max(scores) - min(scores) for scores in faces])
