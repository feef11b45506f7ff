"""Of up to three tokens only the shortest may change its target, and once.

Question Q5 (frank_wolfe FW-8) for n <= 3. Targets are longer: the longest token is its own, and the second has it or itself
for a target: both stay. The third may go after the second while that goes after the first; what it turns to then, the
first or itself, is its own target and stays. Where places tie for the lead a target is an average of tokens and none of
them: that is left out, as is a token at 0, of which all others are leaders.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.limits import inner_scalar_step
from claims.frank_wolfe.setting.questions import at_most_three_tokens, run_of_three, single_targets, targets_of
from claims.frank_wolfe.setting.runs import where_unmet
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q5",
    refs=("Q5", "FW-8"),
    statement=(
        "If n <= 3, B > 0, gamma is constant and leaders are single, one token at most changes its target, and only once."
    ),
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(definite_key_query), inner_scalar_step, at_most_three_tokens, single_targets),
    draw=run_of_three,
)


@claim.orbit(">= 0", exact_only=True)
def changes_left(f: HardmaxStep, *, most=1):
    """1 minus the changes of all tokens together; of a tie, where targets are no tokens, nothing."""
    lists = targets_of(f)
    return exact([] if lists is None else [most - sum(len(taken) - 1 for taken in lists)])
