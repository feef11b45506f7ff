"""A token of n changes its target at most n - 1 times: false, for five tokens or more.

Question Q5 (frank_wolfe FW-8), as it would be if no target were taken twice. With B = I and gamma = 1/8 the third of
(15,50), (0,41), (-19,18), (12,49), (50,40) changes it five times. With smaller steps a token of five does so six times and
one of six eleven times. No bound in terms of n alone is known to us.
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
        "With B = I and gamma = 1/8 the third of the five tokens (15, 50), (0, 41), (-19, 18), (12, 49), (50, 40)"
        " changes its target five times. No bound in n alone is known; what is true is that every token tends to "
        "one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, every token changes its target at most n - 1 times.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_of_a_crowd,
)


@claim.orbit(">= 0", exact_only=True)
def changes_left(f: HardmaxStep):
    """n - 1 minus the changes of each token; nothing is said of runs with ties."""
    lists = targets_of(f)
    return exact([] if lists is None else [len(f.x) - len(taken) for taken in lists])
