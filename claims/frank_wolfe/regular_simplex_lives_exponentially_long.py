"""A regular simplex of tokens around 0 keeps half its size for t >= (e^b - e^{b/4}) / (2 n gamma b) steps, b = beta Delta.

Question Q7 (frank_wolfe FW-13) where symmetry answers it; Delta = n/(n - 1) |x|^2 is the gap of the scores.
The simplex shrinks to itself by the factor 1 - n gamma e/(1 + (n - 1) e), e = e^{-b}, so e^b falls by at most 2 n gamma b
a step; and the order e^b / b is right. The lifetimes sampled are those of a triangle a little off, for which they change
by no more than a percent.
"""

from claims.assumptions import step_size_at_most_one
from claims.experiments import Reading
from claims.frank_wolfe.setting.escapes import perturbed_triangle_run, regular_simplex, regular_tokens
from claims.frank_wolfe.setting.softmax_steps import nonnegative_beta, squared_sides
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, numbers
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="section 5",
    refs=("FW-13", "Q7"),
    statement="A regular simplex keeps half its size for (e^b - e^{b/4}) / (2 n gamma b) steps of SA_beta, b = beta Delta.",
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(nonnegative_beta, step_size_at_most_one, regular_tokens),
    draw=regular_simplex,
    equivalent={
        "depth_falls_slowly, in _depth: n - 1 => n - 999/1000": (
            "c b for b with c < 1: e^{c db} - 1 >= c db >= -2 n gamma c b e^{-b}, and e^{-b} <= e^{-cb}."
        ),
        "depth_falls_slowly, in _depth: n - 1 => n - 19/20": (
            "c b for b with c < 1: e^{c db} - 1 >= c db >= -2 n gamma c b e^{-b}, and e^{-b} <= e^{-cb}."
        ),
    },
)


def _depth(f):
    """b = beta n/(n - 1) |x_i|^2 of each token."""
    n = len(f.x)
    return f.beta * numbers((f.x * f.x).sum(axis=-1)) * n / (n - 1)


@claim.step(">= 0")
def depth_falls_slowly(f: SoftmaxStep, *, speed=2):
    """e^{b(t+1) - b(t)} - 1 + 2 n gamma b(t) e^{-b(t)} for each token."""
    before = _depth(f)
    return exp(_depth(f.step()) - before) - 1 + speed * len(f.x) * f.gamma * before * exp(-before)


@claim.step("== 0")
def simplex_shrinks_to_itself(f: SoftmaxStep, *, share=1):
    """x_i^{t+1} - (1 - n gamma e/(1 + (n - 1) e)) x_i, e = e^{-b}."""
    n, e = len(f.x), exp(-_depth(f))
    factor = 1 - share * n * f.gamma * e / (1 + (n - 1) * e)
    return f.step().x - factor[:, None] * f.x


@claim.experiment()
def lifetimes_of_a_triangle(steps):
    """Steps of the perturbed triangle at gamma = 1/2 until its diameter is below 1/2."""
    readings = []
    for beta, printed, most in ((6, "350", 400), (8, "4984", 6000)):
        if most <= steps:
            sizes = (squared_sides(x).max() for x in perturbed_triangle_run(beta, most))
            life = next(step for step, size in enumerate(sizes) if size < 0.25)
            readings.append(Reading(f"beta = {beta}: steps", float(life), printed))
    return readings
