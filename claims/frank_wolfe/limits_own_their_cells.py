"""Every token tends to a token that owns its cell, and its targets change finitely often.

Question Q5 (frank_wolfe FW-8), settled for runs in which single points lead. As <Bx, x> grows by more than
gamma^2 |y - x|_B^2 in a step, |y - x| tends to 0. So an accumulation point of the tokens has each of them lead itself over
the last hull, which makes it the point of least norm of a face: there are finitely many, and as steps tend to 0 the tokens
converge. Of those with one limit w the longest has a target among them, no shorter than itself: itself. So it is w, and
stays. By the unique lead of w, those near it have it for target. How often targets change before that is open.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.limits import inner_scalar_step, run_of_constant_step, single_leaders, to_the_end
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.geometry import squared_distances
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q5",
    refs=("FW-8", "Q5"),
    statement="If B > 0, gamma is constant and leaders are single, every token tends to one that owns its cell.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(definite_key_query, inner_scalar_step, single_leaders),
    draw=run_of_constant_step,
    equivalent={
        "lead_of_the_limits: here - there => here": (
            "A limit w_i that leads another one is not 0, and B > 0: <B w_i, w_i> > 0."
        ),
        "limits_are_tokens_at_rest: (end.targets() == end.x).all => (end.targets() == end.x).any": (
            "More tokens to be near to: the nearest is still at the distance 0."
        ),
    },
)


@claim.orbit("> 0", exact_only=True)
def lead_of_the_limits(f: HardmaxStep):
    """<B w_i, w_i - w_j> for limits w_j != w_i, and 1 for w_j = w_i."""
    w = to_the_end(f).final.limits
    leads = [f.B @ here @ (here - there) if (here != there).any() else 1 for here in w for there in w]
    return exact([lead.item() if hasattr(lead, "item") else lead for lead in leads])


@claim.orbit("== 0", exact_only=True)
def limits_are_tokens_at_rest(f: HardmaxStep, *, share=1):
    """|w_i - x_j|^2 for each limit w_i and the nearest token x_j that is its own target in the end, or 1 without any."""
    run = to_the_end(f)
    end = run.states[-1]
    resting = end.x[(end.targets() == end.x).all(axis=-1)]
    if not len(resting):
        return exact([1])
    return exact(squared_distances(share * run.final.limits, resting).min(axis=-1))
