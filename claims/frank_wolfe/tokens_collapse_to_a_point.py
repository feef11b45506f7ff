"""At finite beta all tokens converge to one point of the initial hull, for every real beta and gamma in (0, 1].

Proposition `prop: origin` (frank_wolfe FW-13), and the abstract of the ICML version: every new token is a convex
combination with weights at least gamma e^{-2 |beta| R^2} / n, R = max |x_i|, so the hull shrinks and its diameter with
diam(t + 1) <= (1 - gamma e^{-2 |beta| R^2} / n) diam(t). Stated for beta > 0 and gamma < gamma_*: neither is needed.
"""

from claims.experiments import Reading
from claims.frank_wolfe.setting.escapes import perturbed_triangle_run
from claims.frank_wolfe.setting.softmax_steps import largest, opposite_tokens, positive_step_size, squared_sides
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, numbers
from dynamics.geometry import probing_directions
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="Proposition prop: origin, section 5; abstract of the ICML version",
    refs=("FW-13", "FW-16"),
    statement="For gamma in (0, gamma_*) every trajectory of SA_beta converges, all tokens to one x_* in conv{x_i^0}.",
    origin=Origin.REPORTED,
    system=SoftmaxStep,
    assumptions=(positive_step_size,),
    draw=opposite_tokens,
)


def kept(f: SoftmaxStep, cost):
    """1 - gamma e^{-cost |beta| R^2} / n, shape (...)."""
    R_squared = largest(numbers((f.x * f.x).sum(axis=-1)))
    return 1 - f.gamma * exp(-cost * abs(f.beta) * R_squared) / f.x.shape[-2]


@claim.step(">= 0")
def diameter_contracts(f: SoftmaxStep, *, cost=2):
    """(1 - gamma e^{-2 |beta| R^2} / n)^2 diam(t)^2 - |x_i^{t+1} - x_j^{t+1}|^2 for i < j."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    return (kept(f, cost) ** 2 * largest(before))[..., None] - squared_sides(f.step().x)


@claim.orbit(">= 0")
def diameter_contracts_in_three_steps(f: SoftmaxStep, *, cost=2):
    """(1 - gamma e^{-2 |beta| R^2} / n)^6 diam(0)^2 - |x_i^3 - x_j^3|^2 for i < j, R of the start."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    return (kept(f, cost) ** 6 * largest(before))[..., None] - squared_sides(f.step().step().step().x)


def _depths(f):
    """Directions l, and h - <l, x_i> for h = max_j <l, x_j>, shape (..., n, m)."""
    directions = probing_directions(f.x).swapaxes(-1, -2)
    heights = f.x @ directions
    return directions, largest(heights.swapaxes(-1, -2))[..., None, :] - heights


def _depths_after(f, share=1):
    """h - <l, x_i^{t+1}> as a sum of terms of one sign: (1 - gamma) of the token's own and gamma of the mean one."""
    own = _depths(f)[1]
    gamma = share * f.gamma[..., None, None]
    return (1 - gamma) * own + gamma * (f.attention() @ own)


@claim.step(">= 0")
def tokens_stay_in_hull(f: SoftmaxStep, *, share=1):
    """h - <l, x_i^{t+1}> for h = max_j <l, x_j^t> and probing directions l."""
    return _depths_after(f, share)


@claim.identity()
def depths_are_those_of_the_step(f: SoftmaxStep, *, share=1):
    """The same from the new tokens themselves, minus that sum."""
    directions, before = _depths(f)
    return before - (f.step().x - f.x) @ directions - _depths_after(f, share)


@claim.experiment()
def limits_of_a_triangle(steps):
    """The points to which the perturbed triangle collapses: farther from the origin for larger beta."""
    readings = []
    for beta, printed, most in ((6, ("-0.006", "-0.001"), 600), (8, ("-0.083", "-0.027"), 6000)):
        if most <= steps:
            *_, x = perturbed_triangle_run(beta, most)
            readings += [Reading(f"beta = {beta}: x_*, coordinate {k + 1}", float(x[0, k]), printed[k]) for k in range(2)]
    return readings
