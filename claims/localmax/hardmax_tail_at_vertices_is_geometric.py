"""Under hardmax a token whose limit is a vertex approaches it by exactly the factor 1 - gamma, from some step on.

hardmax HM-10 (not printed; proved for vertices). In the end a token near a vertex attends only to the leader that stands
there.
"""

from claims.localmax.setting.ends import has_certificates, tail_errors
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_or_moving_pair
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array
from dynamics.orbits.drifting_tails import drifting_tails
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.polytopes import smallest_face
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-10", "OQ-6"),
    statement="For each token whose limit s_i is a vertex there is k0 with z_i^k - s_i = (1-gamma)^{k-k0} (z_i^{k0} - s_i) "
    "for k >= k0.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens),
    draw=hardmax_or_moving_pair,
)


def is_vertex(s: Array, end: Array) -> bool:
    """Whether a limit (d,) is a vertex of the hull of all limits (n, d): no other is on its smallest face."""
    return all((y == s).all() for y in end[smallest_face(s, end)])


@claim.orbit("== 0", exact_only=True)
def tails_at_vertices(f: LocalmaxStep, *, share=1):
    """z_i^k - s_i - (1-gamma)^k (z_i^0 - s_i), k up to 3, once neighbours are final, where s_i is a vertex.

    b where all tails are (1-gamma)^k (e + k b).
    """
    try:
        return tail_errors(f, is_vertex, share)
    except NotSettledError:
        if not has_certificates(f):
            raise
        tails = drifting_tails(f, 16)
        return tails.drift[[is_vertex(s, tails.limits) for s in tails.limits]]
