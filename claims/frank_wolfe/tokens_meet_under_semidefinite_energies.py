"""All tokens meet, also along the kernel of the energy: open for almost every start.

Question Q4 (frank_wolfe FW-5), for B_* >= 0, not 0. By `tokens_contract_to_one_cluster` they meet as B_*
sees them. Where leaders are single and targets final, a class of tokens that attend to each other meets in all
directions; two classes would have limits sum u_a x_a^0 with different u, which B_* sees apart but on a null set. So what
is open is, as for `limit_is_not_the_origin`, whether targets can change for ever. Runs with ties are left out.
"""

from claims.frank_wolfe.setting.limits import (
    has_ties,
    inner_scalar_step,
    run_of_seen_and_unseen,
    semidefinite_energy,
    to_the_end,
)
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.geometry import squared_distances
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q4",
    refs=("FW-5", "Q4"),
    statement="If B_* >= 0 is not 0 and gamma is constant, all tokens meet for a.e. start.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(semidefinite_energy, inner_scalar_step),
    standing=Standing.OPEN,
    draw=run_of_seen_and_unseen,
)


@claim.orbit(">= 0", exact_only=True)
def limits_are_one(f: HardmaxStep):
    """-|x_i - x_j|^2 for the limits of all pairs; nothing is said of runs with ties."""
    run = to_the_end(f)
    limits = run.final.limits
    return exact([]) if has_ties(run.states) else -squared_distances(limits, limits)
