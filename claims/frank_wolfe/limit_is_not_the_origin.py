"""The tokens do not meet at the origin, even if the first hull holds it: open for almost every start.

Question Q1 (frank_wolfe FW-5). True on the line. Where leaders are single and targets final after
finitely many steps the limit is sum u_a x_a^0 with sum u_a = 1, and 0 on a null set only; there are countably many such
choices. So what is open is whether targets can change for ever, which no instance that settles tells. Runs with ties are
left out. A start that does meet at 0, as opposite tokens do, should be alone: its tokens are moved outwards, each by
another share, which leaves 0 in the hull. Where all tokens are at 0 they cannot be.
"""

from flint import fmpq

from claims.frank_wolfe.setting.energies import squared_diameter
from claims.frank_wolfe.setting.limits import (
    definite_energy,
    has_ties,
    inner_scalar_step,
    limits_in_the_end,
    run_of_a_triangle,
)
from claims.frank_wolfe.setting.run_hypotheses import origin_in_hull
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q1",
    refs=("FW-5", "Q1"),
    statement="If B_* > 0 and gamma is constant, x_inf != 0 for a.e. start.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(definite_energy, inner_scalar_step, origin_in_hull),
    standing=Standing.OPEN,
    draw=run_of_a_triangle,
    equivalent={
        "distance_of_the_limit: (limits == 0).all(axis=-1).any => (limits == 0).all(axis=-1).all": (
            "All tokens have one limit, by `tokens_contract_to_one_cluster`."
        ),
        "distance_of_the_limit: (limits == 0).all => (limits == 0).any": (
            "The statement of another start, which is moved a little, where a coordinate of the limit is 0."
        ),
    },
)


@claim.orbit("> 0", exact_only=True)
def distance_of_the_limit(f: HardmaxStep, *, least=0):
    """|x_inf|^2 - 0 D(K^0)^2 for the limit of every token, of all moved outwards where it is 0; no ties, no rest at 0."""
    limits, states = limits_in_the_end(f)
    if (limits == 0).all(axis=-1).any():
        shares = exact([[fmpq(1, 4 * (k + 2))] for k in range(len(f.x))])
        limits, states = limits_in_the_end(f.replace(x=f.x * (1 + shares)))
    if has_ties(states) or not f.x.any():
        return exact([])
    return (limits * limits).sum(axis=-1) - least * squared_diameter(f.x)
