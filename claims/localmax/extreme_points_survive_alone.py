"""A vertex of the hull is a vertex of the next hull exactly if the tokens at it attend to no other point.

For any A, any delta and 0 < gamma < 1, a token steps to a vertex v only from v, and only if it attends to v alone; then
it stays. Under the additive rule this means <Av, v - z_j> > delta for every other token: if <Av, v - z_j> <= delta,
then v attends to z_j, or to a maximiser that scores more than v. The first part holds for every rule whose neighbours
include the maximisers (LM-3).
"""

from claims.localmax.leader_stays_leader import leading, self_margins
from claims.localmax.setting.configurations import is_vertex, leader_about_to_attend
from claims.localmax.setting.hypotheses import additive_rule, open_step_size
from claims.stating.statement import Claim
from dynamics.arithmetic import at_most
from dynamics.geometry import hull_excess
from dynamics.tokens.localmax import LocalmaxStep, coincident

claim = Claim(
    __name__,
    refs=("LM-3",),
    statement="Under D1 a vertex v of K^k belongs to K^{k+1} iff <Av, v - z_j> > delta for every token z_j other than v; "
    "then all tokens at v stay.",
    system=LocalmaxStep,
    assumptions=(open_step_size,),
    draw=leader_about_to_attend,
)


# An identity of indicators, so that both directions of "iff" are asked at once.
@claim.identity(assuming=(additive_rule, open_step_size))
def lonely_means_a_margin(f: LocalmaxStep, *, sensitivity=1):
    """1 for every token that attends to its own point alone, minus 1 for every one with all margins above delta."""
    near = at_most(self_margins(f), sensitivity * f.delta[..., None, None])
    alone = (coincident(f.z) | ~near).all(axis=-1)
    return (0 * f.z[..., 0] + 1) * (leading(f).astype(int) - alone.astype(int))


# For every rule whose neighbours include the maximisers: only the margin is a matter of the additive one.
@claim.identity()
def lonely_tokens_stay(f: LocalmaxStep, *, share=1):
    """z_i' - z_i for every token that attends to its own point alone: then a vertex there is one of the next hull."""
    return leading(f)[..., None] * (f.step().z - share * f.z)


# A certified linear program: a plane that cuts the vertex off shows that it is outside of the next hull.
@claim.step("> 0", exact_only=True)
def other_vertices_are_left(f: LocalmaxStep):
    """How far the next hull is from each vertex whose tokens attend to another point: a linear program, certified."""
    alone = leading(f)
    lost = [i for i in range(len(f.z)) if not alone[i] and is_vertex(i, f.z)]
    return -hull_excess(f.step().z, f.z[lost])
