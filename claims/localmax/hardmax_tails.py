"""Under hardmax a token with a vertex for its limit approaches it, from some step on, by the factor 1 - gamma exactly.

`every_hardmax_tail_is_geometric`: False for limits that are no vertices (HM-10, OQ-6): a token that follows a moving
pair, itself on its way to two vertices, approaches its limit like k (1 - gamma)^k.

`hardmax_tail_at_vertices_is_geometric`: From some step on, a token near a vertex attends only to the leader that stands
there.
"""

from claims.localmax.setting.ends import drifts, tail_errors
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_or_moving_pair, mirrored_pair_on_the_move
from claims.stating.statement import Section
from dynamics.arithmetic import Array
from dynamics.orbits.drifting_tails import drifting_tails
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.polytopes import smallest_face
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep

section = Section(
    __name__,
    refs=("HM-10", "OQ-6"),
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens),
)

every_hardmax_tail_is_geometric = section.claim(
    note=(
        "With gamma = 1/2 the last of (4, 0, 1), (-4, 0, 1), (2, 1, 1), (-2, 1, 1), (0, 0, 0) follows two tokens "
        "that are on their own way to (4, 0, 1) and (-4, 0, 1): its distance from its limit falls like k/2^k, by "
        "no constant factor. Where the limit is a vertex the factor is exactly 1 - gamma from some step on."
    ),
    statement="For each token there is k0 with z_i^k - s_i = (1-gamma)^{k-k0} (z_i^{k0} - s_i) for k >= k0.",
    corrected_by="localmax.hardmax_tail_at_vertices_is_geometric",
    draw=mirrored_pair_on_the_move,
)


# A token that follows a moving pair has two equal factors in its motion, hence k (1 - gamma)^k.
@every_hardmax_tail_is_geometric.orbit("== 0", exact_only=True)
def tails(f: LocalmaxStep):
    """b where z_i^k - s_i = (1-gamma)^k (e + k b), else z_i^k - s_i - (1-gamma)^k (z_i^0 - s_i) at the end."""
    return drifts(f)


hardmax_tail_at_vertices_is_geometric = section.claim(
    statement="For each token whose limit s_i is a vertex there is k0 with z_i^k - s_i = (1-gamma)^{k-k0} (z_i^{k0} - s_i) "
    "for k >= k0.",
    draw=hardmax_or_moving_pair,
)


def is_vertex(s: Array, end: Array) -> bool:
    """Whether a limit (d,) is a vertex of the hull of all limits (n, d): no other is on its smallest face."""
    return all((y == s).all() for y in end[smallest_face(s, end)])


# Where other tokens drift, neighbours are certified in another way, and the b of tokens at vertices must be zero.
@hardmax_tail_at_vertices_is_geometric.orbit("== 0", exact_only=True, argued="a later k0 has to be excluded, too")
def tails_at_vertices(f: LocalmaxStep, *, share=1):
    """z_i^k - s_i - (1-gamma)^k (z_i^0 - s_i), k up to 3, once neighbours are final, where s_i is a vertex.

    b where all tails are (1-gamma)^k (e + k b).
    """
    try:
        return tail_errors(f, is_vertex, share)
    except NotSettledError:
        if f.which != ADDITIVE:
            raise
        tails = drifting_tails(f, 16)
        return tails.drift[[is_vertex(s, tails.limits) for s in tails.limits]]
