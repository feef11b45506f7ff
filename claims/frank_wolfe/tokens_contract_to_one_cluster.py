"""For B_* > 0 and a constant step all tokens contract linearly to a single cluster, in general not at the origin.

`tokens_contract_to_the_origin`: The abstract of version 1, for the hardmax step with B = -B_*, here B_* > 0, and constant
gamma. A cluster at the origin needs 0 in K^t for all t, because hulls only shrink. For tokens 1 and 2 this fails from the
start; so 0 in K^0 is assumed here, as in Theorem 3.1. Under the theorem's steps 2/(t+2) the rate is not linear either
(`line_limit_under_open_loop_steps`).

`tokens_contract_to_one_cluster`: What is true: by `energy_gap_contracts` the gap decays like (1-g+g^2)^t, and |x - p|^2 <=
2 (J(x) - J(p)) for p of least energy, so the diameter in the norm of B_* is at most sqrt(8 e_t). For B_* > 0 this is one
cluster, a point of every K^t.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import energy_gap, run
from claims.frank_wolfe.setting.run_hypotheses import (
    constant_step,
    convex_energies,
    one_energy,
    origin_in_hull,
    strictly_convex_energies,
)
from claims.frank_wolfe.setting.runs import run_past_the_origin
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.geometry import hull_excess, squared_distances
from dynamics.orbits.exact import orbit
from dynamics.tokens.schedules import ScheduledHardmax

section = Section(__name__, system=ScheduledHardmax)

# Each hypothesis that is added makes the abstract's sentence more likely: it fails all the same.
tokens_contract_to_the_origin = section.claim(
    where="abstract of version 1",
    refs=("FW-5", "FW-16"),
    note=(
        "From tokens 1 and -2 with B = -1 and gamma = 1/2 both are at -1/2 after one step and stay there: the hull has left"
        " the origin, and hulls only shrink. The tokens do contract linearly to one point, but not to the origin."
    ),
    statement=(
        "When the key-query matrix is negative semidefinite, the method linearly contracts all tokens to a single cluster "
        "at the origin."
    ),
    origin=Origin.PRINTED,
    assumptions=(strictly_convex_energies, one_energy, constant_step, origin_in_hull),
    corrected_by="frank_wolfe.tokens_contract_to_one_cluster",
    draw=run_past_the_origin,
    defect=Defect(
        Kind.THEOREM,
        quotation=(
            r"When the key-query matrix is negative semidefinite, the method linearly contracts all tokens to a "
            r"single cluster at the origin."
        ),
        context=(
            r"The method is $x_i^{t+1} = x_i^t + \gamma^t (y - x_i^t)$ with $y \in \mathrm{argmax}_{y \in K^t} "
            r"\langle B x_i^t, y \rangle$, $K^t = \mathrm{conv}\{x_j^t\}$. To be on the safe side we take $0 "
            r"\in K^0$ and a constant $\gamma \in (0, 1)$, so that a linear rate is possible."
        ),
        reading=(
            r"The abstract of the ICML version, as we know it from a report, no longer says this; it has $O(1/t)$ for "
            r"the energy instead, as Theorem 3.1 below."
        ),
        wrong=r"The hull $K^t$ may leave the origin; hulls only shrink, so the cluster then lies elsewhere.",
        correction=r"For $B < 0$ and a constant $\gamma \in (0, 1)$ all tokens contract linearly to one point of $K^0$.",
        consequences=(
            Consequence(
                "linear contraction to a single cluster",
                why=(
                    r"Each step multiplies $\max_i J(x_i^t) - \min_{K^t} J$ by at most $1 - \gamma + \gamma^2$, where "
                    r"$J(x) = -\tfrac12 \langle B x, x \rangle$."
                ),
            ),
        ),
    ),
)


# In the counterexamples the hull leaves the origin within three steps.
# The distance of the origin from the hull, not the tokens' limit, which no finite number of steps shows.
@tokens_contract_to_the_origin.orbit(">= 0", exact_only=True, argued="hulls only shrink, so the origin stays outside")
def hulls_hold_the_origin(f: ScheduledHardmax):
    """0 where K^t holds the origin, minus its distance from a hyperplane that cuts it off, at the first steps."""
    origin = 0 * f.x[:1]
    return np.concatenate([hull_excess(now.x, origin) for now in orbit(f, 4)])


@tokens_contract_to_the_origin.by_hand(x=[[1], [-2]], B=[[[-1]]], gamma=["1/2"])
def one_step(f: ScheduledHardmax):
    """Both tokens meet at -1/2."""
    (after,) = orbit(f, 2)[1:2]
    yield (
        rf"Take $d = 1$, $B = -1$, $\gamma = {tex(f.gamma[0])}$, tokens ${tex(f.x[0, 0])}$ and "
        rf"${tex(f.x[1, 0])}$; $0 \in K^0 = [-2, 1]$."
    )
    yield r"The token $1$ maximizes $-y$, so $y = -2$; the token $-2$ maximizes $2y$, so $y = 1$. Neither is a tie."
    yield (
        rf"After one step: $1 + \tfrac12 (-2 - 1) = {tex(after.x[0, 0])}$ and $-2 + \tfrac12 (1 + 2) = "
        rf"{tex(after.x[1, 0])}$."
    )
    yield rf"Both tokens are at ${tex(after.x[0, 0])} \neq 0$ and stay there."


tokens_contract_to_one_cluster = section.claim(
    where="abstract of version 1, corrected",
    refs=("FW-5",),
    statement=(
        "If B_* >= 0 and gamma^t = g in (0,1): |x_i^t - x_j^t|_{B_*}^2 <= 8 (1-g+g^2)^t e_0. For B_* > 0 they contract "
        "linearly to one point."
    ),
    assumptions=(convex_energies, one_energy, constant_step),
)


# 8 e_0: |x - p|^2 <= 2 (J(x) - J(p)) for both tokens, and (a + b)^2 <= 4 max(a, b)^2.
@tokens_contract_to_one_cluster.orbit(">= 0", exact_only=True)
def distances_contract(f: ScheduledHardmax, *, constant=8):
    """8 (1-g+g^2)^t e_0 - |x_i^t - x_j^t|_{B_*}^2 for every step and pair of tokens."""
    g, first = f.gamma[0], energy_gap(f)
    bounds = [constant * (1 - g + g * g) ** t * first for t in range(len(f.gamma) + 1)]
    apart = [squared_distances(now.x, now.x, -f.key_query()) for now in run(f)]
    return np.stack([bound - squares for bound, squares in zip(bounds, apart, strict=True)])
