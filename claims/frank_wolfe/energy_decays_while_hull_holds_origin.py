"""The energy of the tokens decays like 1/t as long as the hull holds the origin.

Theorem 3.1 (frank_wolfe FW-5) with 0 in K^t for all t in place of 0 in K^0, which is what its proof uses. There is much
room: the energy then contracts in every step (`energy_contracts_while_hull_holds_origin`), and decays like t^{-4}.
"""

from claims.frank_wolfe.energy_decays_like_inverse_time import room_below_the_bound
from claims.frank_wolfe.setting.run_hypotheses import (
    convex_energies,
    energies_never_grow,
    open_loop_steps,
    origin_in_every_hull,
    while_origin_is_held,
)
from claims.frank_wolfe.setting.runs import run_about_the_origin
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 3.1 (thm: fw.cluster), corrected",
    refs=("FW-5",),
    statement="If 0 in K^t for all t and gamma^t = 2/(t+2): J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0) D(K^0)^2.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(*map(while_origin_is_held, (convex_energies, energies_never_grow, open_loop_steps)), origin_in_every_hull),
    draw=run_about_the_origin,
    equivalent={
        "room_below_the_bound: constant = 2 => 19/10": (
            "(t+1) J <= 0.56 lambda D^2: J <= lambda D^2/2 at first, and contracts by (t^2+4)/(t+2)^2, t >= 1 "
            "(`energy_contracts_while_hull_holds_origin`)."
        ),
        "room_below_the_bound: t + 1 => t + 21/20": (
            "(t+1) J <= 0.56 lambda D^2: J <= lambda D^2/2 at first, and contracts by (t^2+4)/(t+2)^2, t >= 1 "
            "(`energy_contracts_while_hull_holds_origin`)."
        ),
    },
)

claim.orbit(">= 0")(room_below_the_bound)
