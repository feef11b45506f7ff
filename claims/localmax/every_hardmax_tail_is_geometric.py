"""FALSE: under hardmax every token approaches its limit by exactly the factor 1 - gamma, from some step on.

hardmax HM-10 (not printed; checked there on lattice data) and its open question OQ-6, for limits that are no vertices. Of
(+-1,0,1), (+-1/2,1/4,1), (0,0,1/2) the last attends, at gamma = 1/2 and from the second step on, to the two in the middle,
which are on their way to the first two. It follows them at their own rate, and its distance is of the order k (1-gamma)^k.
Where its limit is a vertex a token attends only to the leader there in the end.
"""

from claims.localmax.setting.ends import has_certificates, tail_errors
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import mirrored_pair_on_the_move
from claims.statement import Claim, Origin, Standing
from dynamics.orbits.drifting_tails import drifting_tails
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-10", "OQ-6"),
    note=(
        "With gamma = 1/2 the last of (4, 0, 1), (-4, 0, 1), (2, 1, 1), (-2, 1, 1), (0, 0, 0) follows two tokens "
        "that are on their own way to (4, 0, 1) and (-4, 0, 1): its distance from its limit falls like k/2^k, by "
        "no constant factor. Where the limit is a vertex the factor is exactly 1 - gamma from some step on."
    ),
    statement="For each token there is k0 with z_i^k - s_i = (1-gamma)^{k-k0} (z_i^{k0} - s_i) for k >= k0.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.hardmax_tail_at_vertices_is_geometric",
    draw=mirrored_pair_on_the_move,
)


@claim.orbit("== 0", exact_only=True)
def tails(f: LocalmaxStep):
    """b where z_i^k - s_i = (1-gamma)^k (e + k b), else z_i^k - s_i - (1-gamma)^k (z_i^0 - s_i) at the end."""
    try:
        if has_certificates(f):
            return drifting_tails(f, 16).drift
    except NotSettledError:
        pass
    return tail_errors(f, lambda s, end: True)
