"""A tube of eps/(gamma D(K)) diameters is left by so many picks outside the group, whatever the temperature.

Theorem 5.4 (frank_wolfe FW-15) with a whole number of picks and a sharp exponent. A group leaves its tube only after
M = ceil(eps/(gamma D(K))) steps in which one of its tokens picks outside it (`tubes_widen_by_other_groups_only`), and while
no token has left, such a step has a chance of at most n^2 e^{-beta g}, g = c_0 - 4 R r - r^2, r = rho + eps
(`group_jumps_cost_the_gap`). There are C(t - 1, M) <= (e t/M)^M ways to choose these steps, so that for all t > 1

    P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta g)).

Nothing else is assumed: no temperature is too high, and the bound says nothing only where it exceeds 1. With c_0/2 for g it
holds in narrow tubes. As many picks do lead out where tokens stand at the ends of a segment and gamma is small.
"""

from claims.frank_wolfe.setting.lifetimes import chain_that_escapes_by_many_picks, picks_to_leave
from claims.frank_wolfe.setting.near_vertices import least_gap
from claims.frank_wolfe.setting.tubes import narrow_tube, own_cells, tokens_in_polytope
from claims.statement import Claim, Origin, Tail
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.4 (lem: metastab.1), corrected",
    refs=("FW-15",),
    statement="P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta (c_0 - 4 R r - r^2))), M = ceil(eps/(gamma D(K))).",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(own_cells, tokens_in_polytope, narrow_tube),
    draw=chain_that_escapes_by_many_picks,
)


def _tail(f, gap, cost, picks, waiting):
    """P[T_2 < t] <= exp(picks M (1 + waiting log(t/(picks M)) + 2 log n - cost beta gap))."""
    M = picks * picks_to_leave(f)
    t, n, one = int(f.steps.item()), len(f.x), 0 * f.beta.item() + 1
    entropy = 1 + waiting * log(numbers(one * t / M)).item() + 2 * log(numbers(one * n)).item()
    return Tail(f, M * (entropy - cost * f.beta.item() * gap))


@claim.probability()
def escape_before_t(f: AttentionChain, *, cost=1, picks=1, waiting=1):
    """P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta c_0/2))."""
    return _tail(f, f.c_0 / 2, cost, picks, waiting)


@claim.probability()
def escape_costs_the_gap(f: AttentionChain, *, cost=1, picks=1, waiting=1):
    """P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta (c_0 - 4 R r - r^2))), r = rho + eps."""
    return _tail(f, least_gap(f), cost, picks, waiting)
