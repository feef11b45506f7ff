"""Projections of tokens to the eigenspace tend to the boundary of a polytope, or to 0.

Theorem 5.2 (clusters T4), with {0} as the paper has it. Lemma T4'' of docs/flow_limits.md: of a caught start |pi_F
z_i|_S^2 stays above a positive number, and int max_j <y_i, S(y_j - y_i)> dt is finite, so that pi_F z_i comes near to
supporting hyperplanes of K.
"""

from claims.assumptions import definite_key_query
from claims.clusters.setting.hypotheses_for_limits import slow_last_direction
from claims.clusters.setting.starts_with_rates import block_start
from claims.statement import Claim, Origin
from dynamics.limits import PolytopeEnd, polytope_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 5.2",
    refs=("T4", "5a", "5b"),
    statement=(
        "V = lambda on F, smaller in modulus on G, Q^T K > 0: there is a bounded convex polytope K in F such that "
        "dist(z_i, (bd K u {0}) x G) -> 0."
    ),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(slow_last_direction, definite_key_query),
    draw=block_start,
)


@claim.limit("> 0", times=settling_times(polytope_trap), trap=polytope_trap)
def squared_sizes_for_ever(end: PolytopeEnd, start: RescaledFlow, *, beyond=0):
    """What |pi_F z_i|_S^2 never falls below."""
    return end.squares - beyond


@claim.limit(">= 0", times=settling_times(polytope_trap), trap=polytope_trap)
def bound_on_the_way_to_the_boundary(end: PolytopeEnd, start: RescaledFlow, *, spent=0):
    """The bound on int max_j <y_i, S(y_j - y_i)> dt from the state on, of what is never negative."""
    return end.residual - spent
