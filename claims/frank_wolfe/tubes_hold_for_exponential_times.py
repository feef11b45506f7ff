"""Tokens near the vertices stay in their tubes for times of order e^{beta c_0/2}.

The remark after Theorem 5.4 and the abstract, "for times that grow exponentially in the inverse temperature" (frank_wolfe
FW-15, FW-16). No token leaves its tube before one of them picks outside its group, and a step of n tokens has such a pick
with chance at most n^2 e^{-beta c_0/2} by `group_jumps_are_rare`: P[T_2 < t] <= n^2 t e^{-beta c_0/2}. "Up to" is read as
up to a small multiple of e^{beta c_0/2}/n^2: at t = e^{beta c_0/2} itself this bound is n^2 and says nothing, nor does
that of Theorem 5.4, whose exponent is above 0 there. A narrow tube implies c_0 > 0. With c_0 - 4 R r - r^2, r = rho + eps,
for c_0/2 (`group_jumps_cost_the_gap`) the rate is sharp: where one pick leads out of a thin tube no larger one will do.
"""

from claims.frank_wolfe.setting.near_vertices import chain_that_escapes_by_one_pick, least_gap
from claims.frank_wolfe.setting.polytopes import chain_near_vertices
from claims.frank_wolfe.setting.tubes import narrow_tube
from claims.statement import Claim, Origin, Tail
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="remark after Theorem 5.4 (lem: metastab.1)",
    refs=("FW-15", "FW-16"),
    statement="P[T_2 >= t] is close to 1 up to t ~ e^{beta c_0/2}.",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(narrow_tube,),
    draw=lambda draws: draws.choice((chain_that_escapes_by_one_pick, chain_near_vertices))(draws),
)


def _tail(f, cost):
    """P[T_2 < t] <= n^2 t e^{-cost}."""
    n, t = len(f.x), int(f.steps.item())
    return Tail(f, log(numbers(0 * f.beta.item() + n * n * t)).item() - cost)


@claim.probability()
def escape_before_t(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= n^2 t e^{-beta c_0/2}."""
    return _tail(f, cost * f.beta.item() * f.c_0 / 2)


@claim.probability()
def escape_costs_the_gap(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= n^2 t e^{-beta (c_0 - 4 R r - r^2)}, r = rho + eps."""
    return _tail(f, cost * f.beta.item() * least_gap(f))
