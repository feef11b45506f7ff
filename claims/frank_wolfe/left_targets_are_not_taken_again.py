"""A token never comes back to a target that it left for another: false, for four tokens or more.

Question Q5 (frank_wolfe FW-8). Targets are farther out, but they move, and a token between two that go after a third may
turn from one to the other and back. With B = I and gamma = 1/6 the third of (9,14), (9,0), (6,-4), (11,2) goes after the
fourth, the second, the fourth again and at last the first. Among three tokens it is true
(`three_tokens_change_one_target`), and so it is in the limit.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.limits import inner_scalar_step
from claims.frank_wolfe.setting.questions import run_of_a_crowd, targets_of
from claims.frank_wolfe.setting.runs import where_unmet
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q5",
    refs=("Q5", "FW-8"),
    note=(
        "With B = I and gamma = 1/6 the third of (9, 14), (9, 0), (6, -4), (11, 2) goes after the fourth, then "
        "the second, then the fourth again: targets move, and a token may turn from one to the other and back. "
        "Among three tokens it is true; in the end every token tends to one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, a token that changes its target never has the old one for a target again.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_of_a_crowd,
)


@claim.orbit(">= 0", exact_only=True)
def targets_taken_again(f: HardmaxStep):
    """Minus the number of times at which a token takes a target that it had before; nothing is said of runs with ties."""
    lists = targets_of(f)
    return exact([] if lists is None else [len(set(taken)) - len(taken) for taken in lists])
