"""Tokens near the vertices stay in their tubes for times of order e^{beta c_0/2}.

The remark after Theorem 5.4 and the abstract, "for times that grow exponentially in the inverse temperature" (frank_wolfe
FW-15, FW-16). No token leaves its tube before one of them picks outside its group, and a step of n tokens has such a pick
with chance at most n^2 e^{-beta c_0/2} by `group_jumps_are_rare`: P[T_2 < t] <= n^2 t e^{-beta c_0/2}. "Up to" is read as
up to a small multiple of e^{beta c_0/2}/n^2: at t = e^{beta c_0/2} itself this bound is n^2 and says nothing, nor does the
printed one, whose exponent is above 0 there. A narrow tube implies c_0 > 0.
"""

from claims.assumptions import narrow_tube
from claims.frank_wolfe.polytopes import chain_near_vertices
from claims.statement import FRANK_WOLFE, Claim, Origin, Tail
from dynamics.arithmetic import log, numbers
from dynamics.attention_chain import AttentionChain

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="remark after Theorem 5.4; abstract",
    refs=("FW-15", "FW-16"),
    statement="Tokens remain within a small neighborhood for times that grow exponentially: up to t ~ e^{beta c_0/2}.",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(narrow_tube,),
    draw=chain_near_vertices,
)


@claim.probability()
def escape_before_t(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= n^2 t e^{-beta c_0/2}."""
    n, t = len(f.x), int(f.steps.item())
    return Tail(f, log(numbers(0 * f.beta.item() + n * n * t)).item() - cost * f.beta.item() * f.c_0 / 2)
