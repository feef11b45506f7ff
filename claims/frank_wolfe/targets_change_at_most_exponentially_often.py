"""A token of n changes its target at most 2^(n-2) - 1 times: open.

Question Q5 (frank_wolfe FW-8), conjectured here. Right for n <= 3 (`three_tokens_change_one_target`). Found by climbing, at
small steps in up to four dimensions: 3 changes for n = 4, 6 for n = 5, 11 for n = 6. What is known for all n is that
changes end (`limits_own_their_cells`).
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.limits import inner_scalar_step
from claims.frank_wolfe.setting.questions import run_of_a_crowd, single_targets, targets_of
from claims.frank_wolfe.setting.runs import where_unmet
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q5",
    refs=("Q5", "FW-8"),
    statement=(
        "If B > 0, gamma is constant and leaders are single, a token of n > 1 changes its target at most 2^(n-2) - 1 times."
    ),
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(definite_key_query), inner_scalar_step, single_targets),
    standing=Standing.OPEN,
    draw=run_of_a_crowd,
)


@claim.orbit(">= 0", exact_only=True)
def changes_left(f: HardmaxStep, *, factor=1):
    """2^(n-2) - 1 minus the changes of each token, for n > 1; of a tie, where targets are no tokens, nothing."""
    lists = targets_of(f)
    if lists is None or len(f.x) == 1:
        return exact([])
    return exact([factor * (2 ** (len(f.x) - 2) - 1) - (len(taken) - 1) for taken in lists])
