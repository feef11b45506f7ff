"""The cluster is at most gamma D(K^0) from an origin that the first hull holds: false in the plane.

Question Q2 (frank_wolfe FW-5), is |x_inf| <= C gamma D, with C = 1, which is right on the line. Tokens (1, 0), (1/2, 7/8)
and (-1/1000, -1/1000) with gamma = 1/3 all tend to (599/1800, 349/1800), at 1.14 gamma D. Targets are final after three
steps, so the limit is exact. Whether some other constant will do is open.
"""

from claims.frank_wolfe.setting.energies import squared_diameter
from claims.frank_wolfe.setting.limits import definite_energy, inner_scalar_step, limits_in_the_end, run_of_a_triangle
from claims.frank_wolfe.setting.run_hypotheses import origin_in_hull
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q2",
    refs=("FW-5", "Q2"),
    note=(
        "From (40, 0), (32, 40), (-1, -1) with B = -diag(1, 4) and gamma = 1/3 all tokens meet at a distance of "
        "19.4 from the origin, and gamma D(K^0) is 17.5. On a line the bound holds, even with min(gamma, 1 - "
        "gamma) for gamma."
    ),
    statement="If 0 in K^0, B_* > 0 and gamma is constant, |x_inf| <= gamma D(K^0).",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(definite_energy, inner_scalar_step, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line",
    draw=run_of_a_triangle,
)


@claim.orbit(">= 0", exact_only=True)
def room_of_the_limit(f: HardmaxStep, *, constant=1):
    """(gamma D(K^0))^2 - |x_inf|^2 for the limit of every token."""
    limits, _ = limits_in_the_end(f)
    return constant * squared_diameter(f.x) * f.P[0, 0] ** 2 - (limits * limits).sum(axis=-1)
