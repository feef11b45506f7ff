"""At finite beta all tokens converge to one point of the initial hull, for every real beta and gamma in (0, 1].

`tokens_collapse_to_the_origin`: The abstract of version 1. Hulls shrink, so the limit is 0 only if 0 is in every K^t. For
tokens 1 and 2 it never is; so 0 in K^0 is assumed here. The hull leaves it all the same: a token next to the origin has
almost equal scores and moves towards the mean.

`tokens_collapse_to_a_point`: Proposition `prop: origin`, and the abstract of the ICML version, stated for beta > 0 and
gamma < gamma_*; neither is needed. Every new token is a convex combination with weights at least gamma e^{-2 |beta| R^2} /
n, R = max |x_i|, so diam(t + 1) <= (1 - gamma e^{-2 |beta| R^2} / n) diam(t).

`diameter_contracts_at_dobrushin_rate`: A sharper rate, whatever the number of tokens, by Dobrushin's coefficient. The log
ratio of rows i and k of the softmax is beta <x_i - x_k, .> up to a constant and ranges over at most |beta| D^2, so the rows
share at least 2 / (1 + e^{|beta| D^2 / 2}) of their mass: at least e^{-|beta| D^2 / 2}, and D <= 2 R.

`diameter_contracts_by_shared_mass`: The rate with the shared mass itself, which no function of beta >= 0, gamma and D
improves.
Let p and q be positive weights with log(p/q) in [m, m + L], and P and Q those of the tokens where p > q. P - Q is largest
where p/q takes its two end values alone: P = e^{m + L} Q and 1 - P = e^m (1 - Q), so that Q = (1 - e^m) / (e^{m + L} - e^m)
and P - Q = (e^{m + L} - 1) (1 - e^m) / (e^{m + L} - e^m). That is largest at m = -L/2, where it is tanh(L/4). With L =
|beta| D^2 the rows share 1 - tanh(L/4) = 2 / (1 + e^{L/2}), and |x_i' - x_k'| <= (1 - gamma) D + gamma tanh(L/4) D. For
beta >= 0 two tokens x, -x have equality: rows differ by tanh(beta |x|^2), and D = 2 |x|. For beta < 0 more is true:
a_ij / a_kj falls in <x_i - x_k, x_j>, so the two means part against x_i - x_k, and squares add, |x_i' - x_k'|^2 <= ((1 -
gamma)^2 + gamma^2 tanh^2(L/4)) D^2.

`softmax_steps_pass_three_phases`: The abstract on one line, for the tokens 1, -1 and one s in between, c_0 = 2: they gather
in a few steps, stay for e^{beta c_0/2}, and soon after meet, off the origin. T_1 is the first step at which the third is
within 1/8 of the first, T_2 that at which one of the first two is more than 1/4 from its start, T_3 that at which all are
within 1/100 of each other. All three are counted exactly, in balls at every step. For s = gamma = 1/2:

    beta   T_1    T_2    T_3    place
       4     3     75     93    0.568263582587
       5     3    428    459    0.662086548239
       6     3   2575   2646    0.727224974458

The single token at -1 sees two near 1, leaves first, and all meet near 1.
"""

from flint import fmpq

from claims.frank_wolfe.setting.escapes import (
    cold_steps,
    perturbed_triangle_run,
    phases_on_the_line,
    place_on_the_line,
    three_on_a_line,
    two_ends_and_one_between,
)
from claims.frank_wolfe.setting.softmax_steps import (
    largest,
    nonnegative_beta,
    opposite_tokens,
    origin_in_hull,
    positive_step_size,
    squared_sides,
)
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.experiments import Reading
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, log, numbers, sqrt
from dynamics.geometry import probing_directions
from dynamics.tokens.attention_chain import SoftmaxStep

section = Section(__name__, system=SoftmaxStep)

# beta >= 0 and any gamma: the abstract says nothing of either that would exclude a start.
tokens_collapse_to_the_origin = section.claim(
    where="abstract of version 1",
    refs=("FW-13", "FW-16"),
    note=(
        "From tokens 0 and 1 with beta = 1 and gamma = 1/2 the token 0 weighs both equally and moves to 1/4: the hull has "
        "left the origin, and hulls only shrink. All tokens do tend to one point of the initial hull, but it need not be "
        "the origin."
    ),
    statement="... before ultimately collapsing to the origin.",
    origin=Origin.PRINTED,
    assumptions=(nonnegative_beta, step_size_at_most_one, origin_in_hull),
    corrected_by="frank_wolfe.tokens_collapse_to_a_point",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"$\dots$ remain within a small neighborhood for times that grow exponentially in the inverse "
            r"temperature $\beta$, before ultimately collapsing to the origin."
        ),
        context=(
            r"Of “interior tokens”, where “we model self-attention dynamics as a Markov chain”: $x_i$ moves to $(1 - "
            r"\gamma) x_i + \gamma x_J$, $P(J = j) = a_{ij} = e^{\beta \langle x_i, x_j \rangle} / \sum_k e^{\beta "
            r"\langle x_i, x_k \rangle}$, on average to $(1 - \gamma) x_i + \gamma \sum_j a_{ij} x_j$. We take $0 \in "
            r"K^0$ for granted, since otherwise nothing can tend to $0$."
        ),
        reading=(
            r"Both the chain and its average step are meant. The abstract of the ICML version, as we know it from a "
            r"report, has some point of the initial hull instead."
        ),
        wrong=(
            r"The tokens collapse to a point of $K^0$ which is not $0$ in general: of the average step it is $0$ for "
            r"symmetric starts, of the chain hardly ever."
        ),
        correction=(
            r"By the average step all tokens tend to one point of $\mathrm{conv}\{x_i^0\}$, for every $\beta \ge 0$ and "
            r"$\gamma \in (0, 1]$."
        ),
        consequences=(
            Consequence(
                "the proposition on collapse (prop: origin)",
                why=r"As we know it from a report, it says: to some point of the initial hull.",
            ),
        ),
    ),
)


@tokens_collapse_to_the_origin.state(">= 0", argued="hulls only shrink, so no limit is 0")
def origin_stays_in_hull(f: SoftmaxStep):
    """max_j <l, x_j^1> for probing directions l: nonnegative while the limit can be 0."""
    return largest(probing_directions(f.x) @ f.step().x.swapaxes(-1, -2))


@tokens_collapse_to_the_origin.by_hand(x=[[0], [1]], beta=1, gamma="1/2")
def one_step(f: SoftmaxStep):
    """The hull leaves the origin."""
    after = f.step().x
    yield (
        rf"The average step: take $d = 1$, $\beta = 1$, $\gamma = {tex(f.gamma)}$, tokens ${tex(f.x[0, 0])}$ and "
        rf"${tex(f.x[1, 0])}$."
    )
    yield (
        rf"The token $0$ has scores $0, 0$, so both weights are $\tfrac12$: it moves to $\tfrac12 \cdot 0 + "
        rf"\tfrac12 \cdot \tfrac12 = {tex(after[0, 0])}$."
    )
    yield (
        rf"The token $1$ moves to $\tfrac12 + \tfrac12 \cdot \frac{{e}}{{1 + e}} = {tex(after[1, 0])}$: all are at "
        rf"${tex(after[0, 0])}$ or more, and hulls only shrink. No limit is $0$."
    )
    yield (
        r"The chain with independent picks, $\gamma = \tfrac12$, from $1$ and $-1$: unless both first move in the same "
        r"step, which has the probability $\frac{1}{1 + 2 e^{2 \beta}}$, one moves to $0$ before the other leaves $\pm "
        r"1$. It then picks the other with probability $\tfrac12$ in every step, and when it does, the hull leaves $0$ "
        r"for good."
    )


tokens_collapse_to_a_point = section.claim(
    where="Proposition prop: origin, section 5; abstract of the ICML version",
    refs=("FW-13", "FW-16"),
    statement="For gamma in (0, gamma_*) every trajectory of SA_beta converges, all tokens to one x_* in conv{x_i^0}.",
    origin=Origin.REPORTED,
    assumptions=(positive_step_size,),
    draw=opposite_tokens,
)


# Every weight is at least e^{-2 |beta| R^2}/n. That rows share n times as much is left to the sharper rates below.
def kept(f: SoftmaxStep, cost):
    """1 - gamma e^{-cost |beta| R^2} / n, shape (...)."""
    R_squared = largest(numbers((f.x * f.x).sum(axis=-1)))
    return 1 - f.gamma * exp(-cost * abs(f.beta) * R_squared) / f.x.shape[-2]


@tokens_collapse_to_a_point.step(">= 0")
def diameter_contracts(f: SoftmaxStep, *, cost=2):
    """(1 - gamma e^{-2 |beta| R^2} / n)^2 diam(t)^2 - |x_i^{t+1} - x_j^{t+1}|^2 for i < j."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    return (kept(f, cost) ** 2 * largest(before))[..., None] - squared_sides(f.step().x)


# R is that of the start: hulls shrink, so later ones are no larger.
@tokens_collapse_to_a_point.orbit(">= 0")
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


@tokens_collapse_to_a_point.step(">= 0")
def tokens_stay_in_hull(f: SoftmaxStep, *, share=1):
    """h - <l, x_i^{t+1}> for h = max_j <l, x_j^t> and probing directions l."""
    return _depths_after(f, share)


# What was written as a sum of terms of one sign has to be the step: a sign alone would not tell.
@tokens_collapse_to_a_point.identity()
def depths_are_those_of_the_step(f: SoftmaxStep, *, share=1):
    """The same from the new tokens themselves, minus that sum."""
    directions, before = _depths(f)
    return before - (f.step().x - f.x) @ directions - _depths_after(f, share)


# A symmetric triangle would collapse at its centre, 0; the perturbation decides where it goes.
@tokens_collapse_to_a_point.experiment()
def limits_of_a_triangle(steps):
    """The points to which the perturbed triangle collapses: farther from the origin for larger beta."""
    readings = []
    for beta, printed, most in ((6, ("-0.006", "-0.001"), 600), (8, ("-0.083", "-0.027"), 6000)):
        if most <= steps:
            *_, x = perturbed_triangle_run(beta, most)
            readings += [Reading(f"beta = {beta}: x_*, coordinate {k + 1}", float(x[0, k]), printed[k]) for k in range(2)]
    return readings


diameter_contracts_at_dobrushin_rate = section.claim(
    where="sharpens Proposition prop: origin",
    refs=("FW-13",),
    statement="diam(t+1) <= (1 - gamma e^{-|beta| R D}) diam(t), even with D^2/2 in place of R D.",
    assumptions=(step_size_at_most_one,),
    draw=opposite_tokens,
)


@diameter_contracts_at_dobrushin_rate.step(">= 0", name="diameter_contracts")
def diameter_contracts_at_the_coefficient(f: SoftmaxStep, *, cost=1):
    """(1 - gamma e^{-|beta| R D})^2 D^2 - |x_i^{t+1} - x_j^{t+1}|^2 for i < j."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    R_D = sqrt(largest(before) * largest(numbers((f.x * f.x).sum(axis=-1))))
    kept = 1 - f.gamma * exp(-cost * abs(f.beta) * R_D)
    return (kept**2 * largest(before))[..., None] - squared_sides(f.step().x)


@diameter_contracts_at_dobrushin_rate.step(">= 0")
def diameter_contracts_by_itself(f: SoftmaxStep, *, cost=1):
    """(1 - gamma e^{-|beta| D^2 / 2})^2 D^2 - |x_i^{t+1} - x_j^{t+1}|^2 for i < j."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    kept = 1 - f.gamma * exp(-cost * abs(f.beta) * largest(before) / 2)
    return (kept**2 * largest(before))[..., None] - squared_sides(f.step().x)


# tanh(L/4) as in Birkhoff's theorem on positive matrices, here for two rows at a time.
diameter_contracts_by_shared_mass = section.claim(
    where="sharpens Proposition prop: origin",
    refs=("FW-13",),
    statement="diam(t+1) <= (1 - 2 gamma / (1 + e^{|beta| D^2/2})) diam(t); equality from x, -x for beta >= 0.",
    assumptions=(step_size_at_most_one,),
    draw=opposite_tokens,
)


@diameter_contracts_by_shared_mass.step(">= 0")
def diameter_contracts_as_rows_share(f: SoftmaxStep, *, share=2):
    """(1 - 2 gamma / (1 + e^{|beta| D^2/2}))^2 D^2 - |x_i^{t+1} - x_j^{t+1}|^2 for i < j."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    left = 1 - share * f.gamma / (1 + exp(abs(f.beta) * largest(before) / 2))
    return (left**2 * largest(before))[..., None] - squared_sides(f.step().x)


softmax_steps_pass_three_phases = section.claim(
    where="abstract and section 5, on one line",
    refs=("FW-13", "FW-14", "FW-15", "FW-16"),
    statement="From 1, -1, s: T_1 <= 7 steps, T_2 > e^{beta c_0/2}, T_3 < 3/2 T_2 at 4 <= beta <= 5, gamma in {1/2, 1/4}.",
    assumptions=(two_ends_and_one_between, cold_steps),
    draw=three_on_a_line,
)


@softmax_steps_pass_three_phases.orbit(">= 0", exact_only=True)
def first_phase_is_short(f: SoftmaxStep, *, steps=7):
    """7 - T_1."""
    return numbers(f.beta * 0 + steps - phases_on_the_line(f).gathered)


# c_0 = 2, so that e^{beta c_0/2} = e^beta, and a logarithm of T_2 is compared with beta.
@softmax_steps_pass_three_phases.orbit("> 0", exact_only=True)
def second_phase_is_exponentially_long(f: SoftmaxStep, *, cost=1):
    """log T_2 - beta c_0/2, c_0 = 2."""
    return log(numbers(f.beta * 0 + phases_on_the_line(f).left)) - cost * f.beta


@softmax_steps_pass_three_phases.orbit("> 0", exact_only=True)
def collapse_follows_soon(f: SoftmaxStep, *, halves=3):
    """3/2 T_2 - T_3."""
    found = phases_on_the_line(f)
    return numbers(f.beta * 0 + fmpq(halves) / 2 * found.left - found.met)


# s = 3/8, beta = 4 and gamma = 1/4 attain both constants: T_1 = 7 there, and the place is 0.46232...
@softmax_steps_pass_three_phases.orbit("> 0", exact_only=True)
def collapse_is_off_the_origin(f: SoftmaxStep, *, least=462):
    """x_1 - 0.462 at T_3: all tokens are on the side of 1, and their limit."""
    return place_on_the_line(f) - fmpq(least) / 1000
