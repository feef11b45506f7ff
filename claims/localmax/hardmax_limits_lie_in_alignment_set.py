"""Under hardmax every token converges to a point s with |s|_A^2 = max over Kinf of <As, y>.

hardmax HM-7 (i) (recalled), which is also what is true of HM-8. Norms grow by twice gamma times the self gap, so self gaps
tend to zero, and only finitely many points have none: in the relative interior of a face F of K one at most, the projection
of the origin, for <As, .> is constant on F. Where neighbours are final limits have none for any A. Nonzero tokens
are needed for "in the boundary" alone, the boundary in R^d: a segment in the plane is all boundary. Distinct tokens are not
needed.
"""

from claims.localmax.setting.end_hypotheses import nonzero_tokens
from claims.localmax.setting.ends import limits, margins, self_gaps
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_start
from claims.statement import Claim, Origin
from dynamics.polytopes import dimension, smallest_face
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, main theorem (i) (recalled)",
    refs=("HM-7", "HM-8"),
    statement="If A is symmetric positive definite, alpha > 0 and the tokens are distinct and nonzero, then every token "
    "converges to a point of a finite set S in the boundary of K = Kinf, S = {x in K : |x|_A^2 = max_{y in K} <Ax, y>}.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens, nonzero_tokens),
    draw=hardmax_start,
    equivalent={
        "limits_lie_in_the_boundary: end.shape[1] => end.shape[0]": (
            "n points have a hull of a dimension below n: the sum is above 0 at any place."
        ),
    },
)


@claim.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: LocalmaxStep, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(limits(f), f.A, share)


@claim.orbit("> 0", exact_only=True)
def limits_lie_in_the_boundary(f: LocalmaxStep):
    """Limits outside the smallest face of K that holds s_i, and the dimensions that K lacks: both 0 in the interior."""
    end = limits(f)
    lacking = end.shape[1] - dimension(end)
    return margins([len(end) - len(smallest_face(s, end)) + lacking for s in end])


@claim.orbit("== 0", exact_only=True)
def faces_have_one_limit(f: LocalmaxStep, *, share=1):
    """s_i - s_j, s_j the first limit inside the same face of K, the smallest that holds s_i: S is finite, as faces are."""
    end = limits(f)
    faces = [tuple(smallest_face(s, end)) for s in end]
    places = [{tuple(end[k]) for k in face} for face in faces]
    return margins([entry for s, place in zip(end, places, strict=True) for entry in share * s - end[places.index(place)]])
