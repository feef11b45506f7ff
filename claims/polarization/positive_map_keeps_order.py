"""Value projections and scores keep their order under a normalised map with f > 0 and f' > 0, not under all increasing f.

`increasing_map_keeps_order`: Lemma D.4 is false as printed where F = sum_j f(a_j) < 0 (E21(i)). Its proof assumes that
F "does not hit 0 in finite time", but not its sign. For F < 0 the largest value projection gets the smallest score at
once.

`positive_map_keeps_order`: With G an antiderivative of 1/f', Phi_ij = (G(a_i) - G(a_j))(u_i - u_j) has dPhi_ij/dtau =
(1/F) [(u_i - u_j)^2 + K (G_i - G_j)(f_i - f_j)] >= 0, since both f and G increase. (The paper's proof drops K, and G
diverges at 0 for f(x) = x^2.)
"""

import numpy as np

from claims.polarization.setting.maps import equal_scores, positive_map, positive_map_on_the_line
from claims.polarization.setting.scores import ASSUMPTION_3_1, ordered_values, two_scores
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.training.score_maps import AnyMapFlow, MinusDecayFlow

section = Section(__name__)

# -e^{-x} and not x - 1, the source's example: F is negative for all scores, so the assumption "F does not hit 0" is met.
increasing_map_keeps_order = section.claim(
    where="Lemma D.4, appendix D.2",
    refs=("C-D4", "E21", "E21(i)", "H8"),
    note=(
        "f(x) = -e^-x is increasing, but its sum over the scores is negative, which reverses the gradient: from "
        "u(0) = (1, 0) the score a_0 falls behind a_1, by 0.125 at time 1/4. If f > 0 and f' > 0 both orders hold."
    ),
    statement=(
        "consider a general monotonically increasing differentiable function f ... For the initialization given "
        "by the Assumption 3.1, the following no-crossing property holds for all time t >= 0, u_0(t) > u_1(t) > "
        "... > u_{p-1}(t), a_0(t) >= a_1(t) >= ... >= a_{p-1}(t)."
    ),
    origin=Origin.PRINTED,
    system=MinusDecayFlow,
    assumptions=ASSUMPTION_3_1,
    corrected_by="polarization.positive_map_keeps_order",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"consider a general monotonically increasing differentiable function $f$ $\dots$ Consider the gradient flow "
            r"dynamics given by the equation Eq. (30) over the logistic loss function $\ell(\beta)$. For the "
            r"initialization given by the Assumption 3.1, the following no-crossing property holds for all time $t \ge "
            r"0$, $u_0(t) > u_1(t) > u_2(t) \dots > u_{p-1}(t)$, $a_0(t) \ge a_1(t) \ge a_2(t) \dots \ge a_{p-1}(t)$."
        ),
        context=(
            r"Flow (30), (31): $\dot u = \gamma \|\beta_*\|^2 s_f$,"
            r" $\dot a = \gamma \frac{f'(a)}{\sum_j f(a_j)} \odot (u - \langle u, s_f \rangle 1)$,"
            r" $(s_f)_i = f(a_i) / \sum_j f(a_j)$, $\gamma > 0$. Assumption 3.1: $a(0) = 0$ and $u_0(0) > \dots > "
            r"u_{p-1}(0)$."
            r' The proof adds, of $F = \sum_j f(a_j)$: "We assume that it does not hit 0 in finite time". Section 3.2 '
            r'admits $f(x) = x$, "which does not enforce positivity".'
        ),
        wrong=r"The sign of $F = \sum_j f(a_j)$ is not assumed: where $F < 0$ the order of the scores is reversed at once.",
        correction=(
            r"If $f'$ is continuous, $f' > 0$ and $f > 0$, then both orders hold as long as the flow exists, by the same "
            r"proof. For $f > 0$ one may ask $f(0) > 0$ alone: then $F(0) = p f(0) > 0$, and $F$, which does not hit $0$, "
            r"stays positive."
        ),
        consequences=(
            Consequence(
                "the softmax, and the normalized sigmoid and elu + 1 of Table 1",
                why="All three are positive and increasing.",
            ),
            Consequence(
                'section 3.2, "an analogue of Theorem 3.2 can be established"',
                why=(
                    r"It can for such $f$. Of the examples there neither $f(x) = x$ nor $f(x) = x^2$ is covered: from "
                    r"$a(0) = 0$ both have $F = 0$."
                ),
            ),
        ),
    ),
)


# At once: a quarter of the time unit is enough, for the velocities have the wrong order from the start.
@increasing_map_keeps_order.trajectory(">= 0", horizon=lambda start: start.time_unit() / 4)
def scores_stay_ordered(now: MinusDecayFlow, start: MinusDecayFlow):
    """a_i - a_{i+1}."""
    return now.a[:-1] - now.a[1:]


@increasing_map_keeps_order.by_hand(by_argument=True, u=[1, 0], a=[0, 0], K=1)
def the_leader_falls_behind(f: MinusDecayFlow):
    """The velocity of the scores at the start."""
    centred = f.u - f.m
    yield (
        rf"Take $f(x) = -e^{{-x}}$, so $f(0) = -1$ and $f'(0) = 1$; $p = 2$, $\|\beta_*\| = 1$, $a(0) = "
        rf"{tex(f.a)}$, $u(0) = {tex(f.u)}$. At $t = 0$, $F = {tex(f.F)}$ and $s_f = {tex(f.s)}$."
    )
    yield (
        rf"$u - \langle u, s_f \rangle 1 = {tex(centred)}$, so (31) gives $\dot a(0) = \gamma \, "
        rf"{tex(centred / f.F)}$ with $\gamma > 0$."
    )
    yield r"$a_0(0) = a_1(0)$ and $\dot a_0(0) < 0 < \dot a_1(0)$: at once $a_0(t) < a_1(t)$."
    yield r"$F = -e^{-a_0} - e^{-a_1} < 0$ whatever the scores: $F$ never hits $0$, and the assumption of the proof is met."


# Equal scores in place of a(0) = 0: all that counts is that Phi starts at 0.
positive_map_keeps_order = section.claim(
    where="Lemma D.4, with f > 0 and f' > 0",
    refs=("C-D4", "C-nf-C1", "H8", "E21", "E21(iv)", "E21(v)"),
    statement="If f > 0 and f' > 0, a(0) = 0 and u_0(0) > ... > u_{p-1}(0), then both orders hold for all t > 0.",
    system=AnyMapFlow,
    assumptions=(two_scores, positive_map_on_the_line, equal_scores, ordered_values),
)


def _pairs(f):
    i, j = np.triu_indices(f.u.shape[-1], 1)
    return lambda values: (values[..., i], values[..., j])


# Gaps of f and of G by `rise` and `dwell`, which do not cancel where two scores nearly tie.
def _phi_rate(f):
    """dPhi_ij/dtau by the product rule; dG(a_i) = da_i / f'(a_i)."""
    at = _pairs(f)
    (u_i, u_j), (a_i, a_j), (dG_i, dG_j) = map(at, (f.u, f.a, f.da_dtau() / f.slopes))
    du_difference = (f.K / f.F)[..., None] * f.f.rise(a_i, a_j)
    return du_difference * f.f.dwell(a_i, a_j) + (u_i - u_j) * (dG_i - dG_j)


@positive_map_keeps_order.state(">= 0", assuming=(two_scores, positive_map))
def phi_rate(f: AnyMapFlow):
    """dPhi_ij/dtau for i < j, at any state with f > 0 and f' > 0."""
    return _phi_rate(f)


@positive_map_keeps_order.identity(assuming=(two_scores, positive_map))
def phi_rate_formula(f: AnyMapFlow, *, K_factor=1):
    """F dPhi_ij/dtau - (u_i - u_j)^2 - K (G_i - G_j)(f_i - f_j)."""
    (u_i, u_j), (a_i, a_j) = map(_pairs(f), (f.u, f.a))
    product = f.f.dwell(a_i, a_j) * f.f.rise(a_i, a_j)
    return f.F[..., None] * _phi_rate(f) - (u_i - u_j) ** 2 - K_factor * f.K[..., None] * product


@positive_map_keeps_order.trajectory("> 0", horizon=lambda start: 3 * start.time_unit())
def both_stay_ordered(now: AnyMapFlow, start: AnyMapFlow):
    """a_i - a_{i+1} and u_i - u_{i+1}."""
    return np.stack([now.a[:-1] - now.a[1:], now.u[:-1] - now.u[1:]])
