"""Every token tends to a token that owns its cell, and its targets change finitely often.

Question Q5 (frank_wolfe FW-8), settled for runs in which single points lead. As <Bx, x> grows by more than
gamma^2 |y - x|_B^2 in a step, |y - x| tends to 0. So an accumulation point of the tokens has each of them lead itself over
the last hull, which makes it the point of least norm of a face: there are finitely many, and as steps tend to 0 the tokens
converge. Of those with one limit w the longest has a target among them, no shorter than itself: itself. So it is w, and
stays. By the unique lead of w, those near it have it for target. How often targets change before that is open.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.limits import has_ties, inner_scalar_step, run_of_constant_step, to_the_end
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import exact
from dynamics.hardmax import HardmaxStep

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="not printed (question Q5)",
    refs=("FW-8", "Q5"),
    printed="If B > 0, gamma is constant and leaders are single, every token tends to one that owns its cell.",
    system=HardmaxStep,
    assumptions=(definite_key_query, inner_scalar_step),
    draw=run_of_constant_step,
)


@claim.orbit("> 0", exact_only=True)
def lead_of_the_limits(f: HardmaxStep):
    """<B w_i, w_i - w_j> for limits w_j != w_i, and 1 for w_j = w_i; nothing is said of runs with ties."""
    run = to_the_end(f)
    if has_ties(run.states):
        return exact([])
    w = run.final.limits
    leads = [f.B @ here @ (here - there) if (here != there).any() else 1 for here in w for there in w]
    return exact([lead.item() if hasattr(lead, "item") else lead for lead in leads])
