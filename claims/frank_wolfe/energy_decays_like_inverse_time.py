"""With steps 2/(t+2) the energy above its least value on the hull decays like t^{-2}; the energy itself need not.

Theorem 3.1: if B_*^t >= 0 never grows, gamma^t = 2/(t+2) and 0 in K^0, then J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0)
D(K^0)^2. It is false; its proof uses 0 in K^t for every t.

`energy_decays_like_inverse_time`: Tokens on the axes and one just behind the origin change places in the first step, and by
the third the hull has left the origin. On the line it stops at a distance of about D/3, and the bound is violated from t =
35 on; in the plane at up to about D/2: (1, 0), (-1/100, 1) and (-1/1000, 0) with B_* = I violate it at t = 16.

`energy_tends_to_zero`: The limit of Theorem 3.1, and "O(1/t) on the quadratic energy" in the abstract of the ICML version,
if J itself is meant. For constant B_* the energy of a token is at least min_{K^t} J, which never decreases because hulls
shrink. So finitely many steps decide.

`energy_contracts_while_hull_holds_origin`: `energy_gap_contracts_in_one_step` with p = 0, where J = 0: J(x') <= (1 - gamma)
J(x) + gamma^2 J(y) - gamma (1 - gamma) J(x). The energy may change in any way.

`energy_decays_while_hull_holds_origin`: Theorem 3.1 with 0 in K^t for all t. There is much room.

`energy_decays_like_inverse_fourth_power`: The same with the rate that it has. J <= lambda_max D^2/2 in K^0, since 0 is in
it, and step s multiplies the largest energy by at most (1 - gamma)^2 + gamma^2 = (s^2 + 4) / (s + 2)^2, as
`energy_contracts_while_hull_holds_origin` says. Multiplied for s = 0, ..., t that is 4 prod_{s=1}^t (1 + 4/s^2) / ((t+1)
(t+2))^2, and prod_{s >= 1} (1 + 4/s^2) = sinh(2 pi) / (2 pi). So ((t+1) (t+2))^2 J^t(x_i^{t+1}) <= (sinh(2 pi) / pi)
lambda_max D^2, and sinh(2 pi) / pi = 85.2258... At t = 0 a token at 0 and one at the distance D have equality. From
t = 1 on 4/5 of the product are enough, 68.19 in place of 85.23: with j = 2 J/lambda_max, c = <B_* x, y>/lambda_max <= 0 and
gamma = 2/3, |x - y| <= D says j(x) + j(y) - 2c <= D^2, so 9 j(x') = j(x) + 4 j(y) + 4c <= D^2 + 3 j(y) + 6c <= 4 D^2, 4 in
place of 5. The tokens 1 and -eps attain that as eps tends to 0.

`energy_gap_contracts`: Without any hypothesis on the origin: `energy_gap_contracts_in_one_step` with p of least energy, and
min_{K^t} J never decreases. An energy that changes, but never grows, adds <(B_*^t - B_*^{t+1}) p, p>/2, with p of least
energy at step t + 1.

`energy_gap_contracts_by_one_minus_the_step`: Question Q3, settled: the factor 1 - gamma + gamma^2 is the best for every
gamma. Let p = (R, 0) be the point of least energy, x = (R + 1/R, -a) and y = (R + b, sqrt 2), with a and b so small that p
keeps p and x has y as target. Then J(x) - J(p) and J(y) - J(p) are near 1, p stays, and x' keeps (1 - gamma) + gamma^2 as R
tends to infinity.

`energy_gap_contracts_in_one_step`: J(x') = (1-g) J(x) + g J(y) - (g(1-g)/2) |x - y|^2 in the form of B_*, and |x - y|^2 = 2
J(x) + 2 J(y) - 2 <B_* x, y> >= 2 (J(y) - J(p)) + |x - p|^2, because y minimises <B_* x, .>. B_* >= 0 is not used.

`energy_gap_decays_like_inverse_square`: The rate that Theorem 3.1 and the ICML abstract miss. The factors 1 - g + g^2 =
(s^2+2s+4)/(s+2)^2 of `energy_gap_contracts` multiply to at most 21.21/t^2: t^2 times their product increases to 21.2041.
The order is sharp on the line (`line_limit_under_open_loop_steps`).

`hulls_leave_the_origin`: How typical the counterexample is: for Gaussian tokens with 0 in K^0, B_* = M M^T + I/10 with
Gaussian M, and gamma^t = 2/(t+2), the hull left 0 in every run, 60 in each setting. Measured in float64, 30 steps a run.
"""

from itertools import pairwise

import numpy as np
import scipy
from flint import fmpq

from claims.frank_wolfe.setting.energies import energy, energy_gap, largest_eigenvalue, least_on_hull, run, squared_diameter
from claims.frank_wolfe.setting.run_hypotheses import (
    constant_small_step,
    convex_energies,
    energies_never_grow,
    one_energy,
    open_loop_steps,
    origin_in_every_hull,
    origin_in_hull,
    steps_at_most_a_tenth,
    steps_at_most_one,
    symmetric_energies,
    while_origin_is_held,
)
from claims.frank_wolfe.setting.runs import run_about_the_origin, run_far_from_the_origin, run_past_the_origin
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.experiments import Frequency, Reading
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exact
from dynamics.geometry import squared_distances
from dynamics.orbits.exact import orbit
from dynamics.tokens.hardmax import frank_wolfe_step
from dynamics.tokens.schedules import ScheduledHardmax

section = Section(__name__, refs=("FW-5",), system=ScheduledHardmax)

energy_decays_like_inverse_time = section.claim(
    where="Theorem 3.1 (thm: fw.cluster)",
    note=(
        "From tokens 14 and -1 with B = -1 the hull leaves the origin after two steps; every energy is 8 or more from "
        "then on, while the bound tends to 0, and one exceeds it at t = 55. The bound holds if every hull K^t contains the "
        "origin, not only the first."
    ),
    statement=(
        "If 0 in K^0 and gamma^t = 2/(t+2): J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0) D(K^0)^2 for all t and i."
    ),
    origin=Origin.REPORTED,
    assumptions=(convex_energies, energies_never_grow, open_loop_steps, origin_in_hull),
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
                why=r"In the example all energies are $8$ or more from the second step on.",
                survives=False,
                shown_by="frank_wolfe.energy_gap_decays_like_inverse_square",
            ),
        ),
        reading=(
            r"The limit $J(x_i^t) \to 0$ is meant as well, and so is “$O(1/t)$ on the quadratic energy”, reported from "
            r"the abstract of the ICML version, if this is $J$ and not its gap to $\min_{K^t} J$. It makes no "
            r"difference whether $t$ starts at $0$ or at $1$, where $\gamma^1 < 1$."
        ),
    ),
)


@energy_decays_like_inverse_time.orbit(">= 0")
def room_below_the_bound(f: ScheduledHardmax, *, constant=2):
    """2 lambda_max(B_*^0) D(K^0)^2 - (t+1) J^t(x_i^{t+1}) for every step t and token i."""
    bound = constant * largest_eigenvalue(-f.B[..., 0, :, :]) * squared_diameter(f.x)
    steps = enumerate(pairwise(run(f)))
    return np.stack([bound[..., None] - (t + 1) * energy(after.x, -now.key_query()) for t, (now, after) in steps], axis=-1)


# 450/(t + 1) < 8 from t = 56 on; the token farther out exceeds the bound one step before.
UNTIL_ABOVE = 56
"""After so many the energy is above the bound for the first time."""


@energy_decays_like_inverse_time.by_hand(
    by_argument=True, x=[[14], [-1]], B=[[[-1]]] * UNTIL_ABOVE, gamma=[f"2/{t + 2}" for t in range(UNTIL_ABOVE)]
)
def two_steps(f: ScheduledHardmax):
    """14, -1 goes to -1, 14 and then to 9, 4."""
    first, second = run(f)[1:3]
    yield (
        rf"Take $d = 1$, $B_* = 1$, tokens ${tex(f.x[0, 0])}$ and ${tex(f.x[1, 0])}$; $0 \in K^0 = [-1, 14]$, "
        rf"$D(K^0) = 15$, $\gamma^0 = 1$, $\gamma^1 = {tex(f.gamma[1])}$."
    )
    yield (
        rf"A token $x > 0$ follows the least token, one $x < 0$ the greatest: ${tex([*f.x[:, 0]])} \to "
        rf"{tex([*first.x[:, 0]])} \to {tex([*second.x[:, 0]])}$."
    )
    yield (
        r"Now both tokens are positive and follow $4$: no token is ever below $4$ again, so $J \ge \tfrac12 \cdot 16 = 8$ "
        r"from then on. From $(14, -1)$ at $t = 1$ the next step leads to $(4, 9)$ at once."
    )
    yield r"The bound is $\frac{2}{t+1} \cdot 1 \cdot 225 = \frac{450}{t+1}$, which is below $8$ for $t \ge 56$."


energy_tends_to_zero = section.claim(
    where="Theorem 3.1 (thm: fw.cluster), its limit",
    note=(
        "From tokens 1 and -3 with B = -1 the hull is [-5/3, -1/3] after two steps, and hulls only shrink: the energy of "
        "every token stays at least 1/18. What tends to zero, like 1/t^2, is the gap to the least energy on the hull."
    ),
    statement="If 0 in K^0, B_* >= 0 is constant and gamma^t = 2/(t+2), then J(x_i^t) -> 0 for all i.",
    origin=Origin.REPORTED,
    assumptions=(convex_energies, one_energy, open_loop_steps, origin_in_hull),
    corrected_by="frank_wolfe.energy_gap_decays_like_inverse_square",
    draw=run_past_the_origin,
    defect="frank_wolfe.energy_decays_like_inverse_time",
)


# In the counterexamples the hull leaves the origin within three steps.
@energy_tends_to_zero.orbit(">= 0", exact_only=True, argued="hulls only shrink, so min_{K^t} J never falls again")
def hulls_keep_the_origin_level(f: ScheduledHardmax):
    """-min_{K^t} J at the first steps: once this is negative, every token keeps that much energy for ever."""
    return np.array([-least_on_hull(now.x, -now.key_query())[0] for now in orbit(f, 4)])


# The hypotheses are broken only while the hull holds the origin: else the last of them would be broken as well.
energy_contracts_while_hull_holds_origin = section.claim(
    where="Theorem 3.1, sharper",
    statement="If 0 in K^t: max_i J^t(x_i^{t+1}) <= ((1 - gamma)^2 + gamma^2) max_i J^t(x_i^t) for gamma in [0,1].",
    assumptions=(*map(while_origin_is_held, (convex_energies, steps_at_most_one)), origin_in_every_hull),
    draw=run_about_the_origin,
)


# J(0) = 0 is the least energy there can be, so p = 0 turns the gap into the energy itself.
@energy_contracts_while_hull_holds_origin.orbit(">= 0")
def largest_energy_contracts(f: ScheduledHardmax, *, factor=1):
    """((1 - gamma)^2 + gamma^2) max_j J^t(x_j^t) - J^t(x_i^{t+1}) for every step t and token i."""
    slacks = []
    for now, after in pairwise(run(f)):
        gamma, B_star = now.step_size().item(), -now.key_query()
        most = max(energy(now.x, B_star))
        slacks.append(factor * ((1 - gamma) ** 2 + gamma * gamma) * most - energy(after.x, B_star))
    return np.stack(slacks)


energy_decays_while_hull_holds_origin = section.claim(
    where="Theorem 3.1 (thm: fw.cluster), corrected",
    statement="If 0 in K^t for all t and gamma^t = 2/(t+2): J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0) D(K^0)^2.",
    assumptions=(*map(while_origin_is_held, (convex_energies, energies_never_grow, open_loop_steps)), origin_in_every_hull),
    draw=run_about_the_origin,
)

energy_decays_while_hull_holds_origin.orbit(">= 0")(room_below_the_bound)

energy_decays_like_inverse_fourth_power = section.claim(
    where="sharpens Theorem 3.1 (thm: fw.cluster), corrected",
    statement=(
        "If 0 in K^t for all t and gamma^t = 2/(t+2): J^t(x_i^{t+1}) <= (lambda_max(B_*^0) D(K^0)^2 / 2) prod_{s=0}^t "
        "(s^2 + 4)/(s + 2)^2, which is at most 85.23 lambda_max D^2 / ((t+1)(t+2))^2."
    ),
    assumptions=(*map(while_origin_is_held, (convex_energies, energies_never_grow, open_loop_steps)), origin_in_every_hull),
    draw=run_about_the_origin,
)


@energy_decays_like_inverse_fourth_power.orbit(">= 0")
def room_below_the_product(f: ScheduledHardmax, *, factor=1):
    """lambda_max D^2 / 2 prod_{s=0}^t (s^2 + 4)/(s + 2)^2 - J^t(x_i^{t+1}) for every step t and token i."""
    bound = factor * largest_eigenvalue(-f.B[..., 0, :, :]) * squared_diameter(f.x) / 2
    slacks = []
    for t, (now, after) in enumerate(pairwise(run(f))):
        bound = bound * fmpq(t * t + 4) / (t + 2) ** 2
        slacks.append(bound[..., None] - energy(after.x, -now.key_query()))
    return np.stack(slacks, axis=-1)


energy_gap_contracts = section.claim(
    where="Theorem 3.1, what is true of it",
    refs=("FW-5", "Q3"),
    statement=(
        "e_t = max_i J^t(x_i^t) - min_{K^t} J^t: e_{t+1} <= (1-g+g^2) e_t + <(B_*^t - B_*^{t+1}) p, p>/2, g = gamma^t."
    ),
    assumptions=(convex_energies, energies_never_grow, steps_at_most_one),
)


@energy_gap_contracts.orbit(">= 0", exact_only=True)
def gap_contracts(f: ScheduledHardmax, *, factor=1):
    """(1-g+g^2) e_t + <(B_*^t - B_*^{t+1}) p, p>/2 - e_{t+1} for every step."""
    slacks = []
    for now, after in pairwise(run(f)):
        g, p = now.step_size().item(), least_on_hull(after.x, -after.key_query())[1]
        lost = energy(p, after.key_query() - now.key_query()).item()
        slacks.append(factor * (1 - g + g * g) * energy_gap(now) + lost - energy_gap(after))
    return np.array(slacks)


energy_gap_contracts_by_one_minus_the_step = section.claim(
    where="question Q3",
    refs=("FW-5", "Q3"),
    note=(
        "For tokens (480, 1), (488, 0), (480, 84) with B = -I and gamma = 1/16 the gap e_1 exceeds (1 - gamma) e_0 by "
        "3321/2048: the step adds a term of order gamma^2. The factor 1 - gamma + gamma^2 holds, and is the best for every "
        "gamma."
    ),
    statement="e_{t+1} <= (1 - gamma) e_t for e_t = max_i J(x_i^t) - min_{K^t} J and constant gamma <= 1/10.",
    assumptions=(convex_energies, one_energy, constant_small_step, steps_at_most_a_tenth),
    corrected_by="frank_wolfe.energy_gap_contracts",
    draw=run_far_from_the_origin,
)


@energy_gap_contracts_by_one_minus_the_step.orbit(">= 0", exact_only=True, name="gap_contracts")
def gap_contracts_by_one_minus_the_step(f: ScheduledHardmax):
    """(1 - gamma) e_t - e_{t+1} for every step."""
    gaps = [energy_gap(state) for state in run(f)]
    return exact([(1 - f.gamma[0]) * before - after for before, after in pairwise(gaps)])


energy_gap_contracts_in_one_step = section.claim(
    where="Theorem 3.1, what is true of it",
    statement="J(x')-J(p) <= (1-g)(J(x)-J(p)) + g^2 (J(y)-J(p)) - (g(1-g)/2) |x-p|_{B_*}^2 for every p in K, g in [0,1].",
    assumptions=(symmetric_energies, steps_at_most_one),
)


# Affine in p, for J(p) - |p - x|^2/2 = <B_* x, p> - J(x). So it holds on all of K if it holds at the tokens.
def margin(f: ScheduledHardmax, points: Array, share: int) -> Array:
    """The right side less the left one, for each token and each point (..., m, d), shape (..., n, m)."""
    B_star = -f.key_query()
    g = f.step_size()[..., None, None]
    here, target, after = (energy(x, B_star)[..., :, None] for x in (f.x, f.targets(), f.step().x))
    there = energy(points, B_star)[..., None, :]
    apart = squared_distances(f.x, points, B_star)
    return (1 - g) * (here - there) + g * g * (target - there) - share * g * (1 - g) / 2 * apart - (after - there)


@energy_gap_contracts_in_one_step.step(">= 0")
def gap_to_tokens(f: ScheduledHardmax, *, share=1):
    """The margin for p among the tokens and half-way between them and the first."""
    return margin(f, np.concatenate([f.x, (f.x + f.x[..., :1, :]) / 2], axis=-2), share)


@energy_gap_contracts_in_one_step.step(">= 0", exact_only=True)
def gap_to_least_energy(f: ScheduledHardmax, *, share=1):
    """The margin for p a point of least energy in K."""
    return margin(f, least_on_hull(f.x, -f.key_query())[1][None, :], share)


CONSTANT = fmpq(2121, 100)

energy_gap_decays_like_inverse_square = section.claim(
    where="Theorem 3.1 and ICML abstract, corrected",
    statement="If gamma^t = 2/(t+2): max_i J(x_i^t) - min_{K^t} J <= 21.21 e_0/t^2.",
    assumptions=(convex_energies, one_energy, open_loop_steps),
)


@energy_gap_decays_like_inverse_square.orbit(">= 0", exact_only=True)
def gap_decays(f: ScheduledHardmax, *, constant=CONSTANT):
    """21.21 e_0 - t^2 e_t for t = 1, 2, ..."""
    first, *gaps = map(energy_gap, run(f))
    return np.array([constant * first - t * t * gap for t, gap in enumerate(gaps, 1)])


SETTINGS = ((2, 6), (3, 12), (5, 30))

RUNS, STEPS = 60, 30

hulls_leave_the_origin = section.claim(
    where="measured for Theorem 3.1",
    statement="For Gaussian tokens with 0 in K^0 and gamma^t = 2/(t+2), 0 leaves the hull in every run.",
)


# Nonnegative least squares: the residual is 0 exactly if the origin is a convex combination.
def holds_origin(x: Array) -> bool:
    """Whether convex weights average the tokens (n, d) to 0, in float64."""
    equations = np.vstack([x.T, np.ones(len(x))])
    return float(scipy.optimize.nnls(equations, np.append(np.zeros(x.shape[1]), 1.0))[1]) < 1e-9


def keeps_origin(rng: np.random.Generator, n: int, d: int) -> bool:
    """Whether one run from a start whose hull holds the origin keeps it."""
    x, M = rng.normal(size=(n, d)), rng.normal(size=(d, d))
    while not holds_origin(x):
        x = rng.normal(size=(n, d))
    B_star = M @ M.T + np.eye(d) / 10
    for t in range(STEPS):
        if not holds_origin(x):
            return False
        x = frank_wolfe_step(x, B_star, np.array(2 / (t + 2)))
    return True


@hulls_leave_the_origin.experiment()
def runs_that_leave_the_origin(steps: int):
    """The part of 60 runs that leave the origin, with its confidence interval, in as many settings as the steps allow."""
    rng = np.random.default_rng(2508_09628)
    readings: list[Reading | Frequency] = []
    for d, n in SETTINGS[: steps // (RUNS * STEPS)]:
        left = RUNS - sum(keeps_origin(rng, n, d) for _ in range(RUNS))
        readings.append(Reading(f"d = {d}, n = {n}", left / RUNS, "1.000"))
        readings.append(Frequency(f"d = {d}, n = {n}, as a frequency", left, RUNS, "1.000", RUNS))
    return readings
