"""The energy of the tokens decays like 1/t: false, since only the first hull is assumed to contain the origin.

Theorem 3.1 (frank_wolfe FW-5): B_*^t >= 0 never grows, gamma^t = 2/(t+2) and 0 in K^0 give
J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0) D(K^0)^2. The proof needs 0 in K^t for every t. But tokens on an axis and
one just behind the origin change places in the first step, and the hull has left the origin by the third. On the line
it stops at about D/3: tokens 1 and -1/1000 violate the bound from t = 35 on. In the plane it may stop at about D/2:
(1, 0), (-1/100, 1) and (-1/1000, 0) violate it at t = 16, with B_* = I.
"""

from itertools import pairwise

import numpy as np

from claims.defects import Consequence, Defect, Kind, tex
from claims.frank_wolfe.setting.energies import energy, largest_eigenvalue, run, squared_diameter
from claims.frank_wolfe.setting.run_hypotheses import convex_energies, energies_never_grow, open_loop_steps, origin_in_hull
from claims.frank_wolfe.setting.runs import run_past_the_origin
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 3.1 (thm: fw.cluster)",
    refs=("FW-5",),
    note=(
        "From tokens 4 and -1/512 with B = -1 the hull leaves the origin after two steps, and the energy stops "
        "above zero while the bound goes on to fall: it is exceeded at t = 35. The bound holds where every hull "
        "K^t holds the origin, not only the first."
    ),
    statement=(
        "If 0 in K^0 and gamma^t = 2/(t+2): J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0) D(K^0)^2 for all t and i."
    ),
    origin=Origin.REPORTED,
    system=ScheduledHardmax,
    assumptions=(convex_energies, energies_never_grow, open_loop_steps, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.energy_decays_while_hull_holds_origin",
    draw=run_past_the_origin,
    defect=Defect(
        Kind.THEOREM,
        quotation=(
            r"If $0 \in K^0$ and $\gamma^t = \frac{2}{t+2}$: $J^t(x_i^{t+1}) \le \frac{2}{t+1} "
            r"\lambda_{\max}(B_*^0) D(K^0)^2$ for all $t$ and $i$."
        ),
        context=(
            r"$B^t = -B_*^t$, $B_*^t \ge 0$ and nonincreasing, $J^t(x) = \frac12 \langle B_*^t x, x \rangle$, $D$ "
            r"the diameter, $x_i^{t+1} = x_i^t + \gamma^t (y - x_i^t)$, $y \in \mathrm{argmin}_{y \in K^t} "
            r"\langle B_*^t x_i^t, y \rangle$."
        ),
        wrong=(
            r"The proof needs $0 \in K^t$ for every $t$; the hull moves off the origin, and then every energy "
            r"stays above a positive number."
        ),
        correction=(
            r"The bound holds if $0 \in K^t$ for all $t$. Without that, for a constant $B_*$ the gap $\max_i "
            r"J(x_i^t) - \min_{K^t} J$ is $O(t^{-2})$."
        ),
        consequences=(
            Consequence(
                r"$J(x_i^t) \to 0$",
                survives=False,
                why=r"In the example all energies are $\frac{1}{18}$ or more for ever.",
                shown_by="frank_wolfe.energy_gap_decays_like_inverse_square",
            ),
        ),
        reading=r"Both the bound and its limit $J(x_i^t) \to 0$ fail.",
    ),
)


@claim.orbit(">= 0")
def room_below_the_bound(f: ScheduledHardmax, *, constant=2):
    """2 lambda_max(B_*^0) D(K^0)^2 - (t+1) J^t(x_i^{t+1}) for every step t and token i."""
    bound = constant * largest_eigenvalue(-f.B[..., 0, :, :]) * squared_diameter(f.x)
    steps = enumerate(pairwise(run(f)))
    return np.stack([bound[..., None] - (t + 1) * energy(after.x, -now.key_query()) for t, (now, after) in steps], axis=-1)


@claim.by_hand(by_argument=True, x=[[3], [-1]], B=[[[-1]], [[-1]]], gamma=[1, "2/3"])
def two_steps(f: ScheduledHardmax):
    """3, -1 goes to -1, 3 and then to 5/3, 1/3."""
    first, second = run(f)[1:3]
    yield (
        rf"Take $d = 1$, $B_* = 1$, tokens ${tex(f.x[0, 0])}$ and ${tex(f.x[1, 0])}$; $0 \in K^0 = [-1, 3]$, "
        rf"$D(K^0) = 4$, $\gamma^0 = 1$, $\gamma^1 = {tex(f.gamma[1])}$."
    )
    yield (
        rf"A token $x > 0$ follows the least token, one $x < 0$ the greatest: ${tex([*f.x[:, 0]])} \to "
        rf"{tex([*first.x[:, 0]])} \to {tex([*second.x[:, 0]])}$."
    )
    yield (
        r"Now both tokens are positive and follow $\tfrac13$: no token is ever below $\tfrac13$ again, so $J \ge "
        r"\tfrac12 \cdot \tfrac19 = \tfrac{1}{18}$ for ever."
    )
    yield (
        r"The bound is $\frac{2}{t+1} \cdot 1 \cdot 16 = \frac{32}{t+1}$, which is below $\tfrac{1}{18}$ for $t "
        r"\ge 576$."
    )
