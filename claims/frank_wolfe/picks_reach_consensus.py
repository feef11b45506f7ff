"""The random chain SA_P moves by the softmax step on average, and reaches consensus at a random point.

Section 5: token i picks J with probability a_iJ and moves to (1 - gamma) x_i + gamma x_J.

`picks_average_to_the_softmax_step`: What each token picks is enumerated, token by token.

`picks_reach_consensus`: Every a_ij is at least e^{-|beta| R D} / n. So with probability at least p all tokens pick a given
one, and the diameter falls by the factor 1 - gamma; no pick increases it. Any of the n tokens may be the one they pick, so
p may be replaced by n p.

`regular_simplex_lives_exponentially_long`: Question Q7 where symmetry answers it; Delta = n/(n - 1) |x|^2 is the gap of the
scores. The simplex shrinks to itself by the factor 1 - n gamma e/(1 + (n - 1) e), e = e^{-b}, so e^b falls by at most 2 n
gamma b a step. The order e^b / b is right. The sampled lifetimes are those of a slightly perturbed triangle, which changes
them by at most one percent.

`two_tokens_meet_after_half_steps`: The part of question Q8, on the law of the collapse point, that finitely many steps
decide. A step multiplies the difference of two tokens by 1, 1 - gamma or 1 - 2 gamma. For gamma = 1/2 they meet halfway at
once with probability a_12 a_21, an atom of the law.

`collapse_point_has_no_atoms`: Q8 answered, for any number of tokens that are not all at one place, gamma in (0, 1), not
1/2.

- *Such tokens never all meet.* After a step x_i' = (1 - gamma) x_i + gamma x_pi(i), with pi the picks. If all are y, then w
  = x - y satisfies w_pi(i) = -((1 - gamma)/gamma) w_i. Round a cycle of pi it is multiplied by a number of modulus other
  than 1, so it is 0 there, and then everywhere.
- *Two limits are both likely.* With p = e^{-|beta| R D}/n all tokens pick x_i k times in a row with a chance of at least
  p^{nk}, or x_j, |x_i - x_j| = D. For (1 - gamma)^k < 1/2 all are then nearer to x_i than to x_j, or the reverse, at all
  later times.
- So P[x_* = a | x^t] <= 1 - p^{nk} for all t and a, with p of the start: hulls only shrink. It tends to 1 where x_* = a
  (Levy). Hence that event has probability 0.

For gamma = 1/2 the same holds of runs in which the tokens do not all meet. The first part does not need independent picks.
"""

from contextlib import suppress

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.escapes import perturbed_triangle_run, regular_simplex, regular_tokens
from claims.frank_wolfe.setting.softmax_steps import (
    few_tokens,
    few_tokens_and_other_steps,
    largest,
    nonnegative_beta,
    not_all_at_one_place,
    one_to_three_tokens,
    positive_step_size,
    squared_sides,
    step_other_than_half,
    two_tokens,
)
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.experiments import Frequency, Reading
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, UndecidedError, exact, exp, numbers, sqrt
from dynamics.attention import softmax
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.pick_sequences import Picks, TooManyStatesError, law_after

section = Section(__name__, system=SoftmaxStep)

picks_average_to_the_softmax_step = section.claim(
    where="SA_P, section 5 (eq: softmax.process)",
    refs=("FW-M8", "FW-16"),
    statement="E[x^{t+1} | x^t] is the step of SA_beta.",
    origin=Origin.REPORTED,
    draw=few_tokens,
)


# Token by token, as means need no joint law of the picks.
@picks_average_to_the_softmax_step.step("== 0", exact_only=True)
def mean_pick_minus_softmax_step(f: SoftmaxStep, *, share=1):
    """E[x_i^{t+1}] - x_i^t, summed over the picks of token i, minus the step of SA_beta, token by token."""
    return numbers(Picks(f.beta, f.gamma.item()).means(f.x)) - f.x - share * (f.step().x - f.x)


# Independent picks are assumed: "all pick one token" has a chance only under a joint law.
picks_reach_consensus = section.claim(
    where="SA_P, section 5",
    refs=("FW-13", "FW-M8"),
    statement=(
        "With independent picks E diam(t) <= (1 - p gamma)^t diam(0), p = (e^{-|beta| R D}/n)^n; even with n p for p."
    ),
    assumptions=(positive_step_size,),
    draw=one_to_three_tokens,
)


def _room(f, steps, choices, cost):
    """(1 - choices p gamma)^t - E diam(t) / diam(0), the chain enumerated; nothing where all tokens are at one place.

    Of more than three tokens only the likeliest picks of the first step are followed: the diameter is not larger after any
    others, nor later. Raises TooManyStatesError where that leaves the sign open.
    """
    n = len(f.x)
    if bool((f.x == f.x[0]).all()):
        return exact([])
    first = largest(squared_sides(f.x))
    RD = sqrt(largest(numbers((f.x * f.x).sum(axis=-1))) * first)
    p = (exp(-cost * abs(f.beta) * RD) / n).item() ** n
    # Squares are divided before the root is taken: diameters that are all the same remain exact.
    few = n <= MOST_ENUMERATED
    law = law_after(f, steps if few else 1, likeliest=None if few else LIKELIEST)
    mean = law.mean(lambda x: sqrt(largest(squared_sides(x)) / first).item(), 1)
    room = (1 - choices * p * f.gamma.item()) ** steps - mean
    if not (few or _is_positive(room)):
        raise TooManyStatesError(f"the likeliest {LIKELIEST} picks of {n} tokens do not tell")
    return numbers(room)


def _is_positive(room):
    with suppress(UndecidedError):
        return bool(room > 0)
    return False


MOST_ENUMERATED, LIKELIEST = 3, 500


@picks_reach_consensus.step(">= 0", exact_only=True)
def expected_diameter_contracts(f: SoftmaxStep, *, steps=2, cost=1):
    """(1 - p gamma)^t - E diam(t) / diam(0)."""
    return _room(f, steps, 1, cost)


@picks_reach_consensus.step(">= 0", exact_only=True)
def expected_diameter_contracts_by_any_choice(f: SoftmaxStep, *, steps=1, cost=1):
    """(1 - n p gamma)^t - E diam(t) / diam(0)."""
    return _room(f, steps, len(f.x), cost)


MOST, ENOUGH = 20_000, 200


# 200 steps at gamma = 1/2: at beta = 1 the three have long met.
@picks_reach_consensus.experiment()
def limits_are_random(steps):
    """How often the triangle of circumradius 1 collapses within 0.45 of the origin at beta = 1, gamma = 1/2: half of it."""
    runs, rng = min(steps, MOST), np.random.default_rng(0)
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    x = np.broadcast_to(np.stack([np.cos(angles), np.sin(angles)], axis=-1), (runs, 3, 2))
    for _ in range(ENOUGH):
        cumulative = softmax(x @ x.swapaxes(-1, -2)).cumsum(axis=-1)
        picks = (cumulative < rng.random((runs, 3, 1))).sum(axis=-1).clip(max=2)
        x = (x + np.take_along_axis(x, picks[..., None], axis=-2)) / 2
    hits = int((np.linalg.norm(x[:, 0], axis=-1) <= 0.45).sum())
    return [Frequency("|x_*| <= 0.45", hits, runs, "0.50", printed_runs=3000)]


regular_simplex_lives_exponentially_long = section.claim(
    where="section 5",
    refs=("FW-13", "Q7"),
    statement="A regular simplex keeps half its size for (e^b - e^{b/4}) / (2 n gamma b) steps of SA_beta, b = beta Delta.",
    assumptions=(nonnegative_beta, step_size_at_most_one, regular_tokens),
    draw=regular_simplex,
)


def _depth(f):
    """b = beta n/(n - 1) |x_i|^2 of each token."""
    n = len(f.x)
    return f.beta * numbers((f.x * f.x).sum(axis=-1)) * n / (n - 1)


# e^b falls by at most 2 n gamma b a step. Half the size is a quarter of b, so that from e^b to e^{b/4} it takes the steps
# of the statement.
@regular_simplex_lives_exponentially_long.step(">= 0")
def depth_falls_slowly(f: SoftmaxStep, *, speed=2):
    """e^{b(t+1) - b(t)} - 1 + 2 n gamma b(t) e^{-b(t)} for each token."""
    before = _depth(f)
    return exp(_depth(f.step()) - before) - 1 + speed * len(f.x) * f.gamma * before * exp(-before)


@regular_simplex_lives_exponentially_long.step("== 0")
def simplex_shrinks_to_itself(f: SoftmaxStep, *, share=1):
    """x_i^{t+1} - (1 - n gamma e/(1 + (n - 1) e)) x_i, e = e^{-b}."""
    n, e = len(f.x), exp(-_depth(f))
    factor = 1 - share * n * f.gamma * e / (1 + (n - 1) * e)
    return f.step().x - factor[:, None] * f.x


@regular_simplex_lives_exponentially_long.experiment()
def lifetimes_of_a_triangle(steps):
    """Steps of the perturbed triangle at gamma = 1/2 until its diameter is below 1/2."""
    readings = []
    for beta, printed, most in ((6, "350", 400), (8, "4984", 6000)):
        if most <= steps:
            sizes = (squared_sides(x).max() for x in perturbed_triangle_run(beta, most))
            life = next(step for step, size in enumerate(sizes) if size < 0.25)
            readings.append(Reading(f"beta = {beta}: steps", float(life), printed))
    return readings


two_tokens_meet_after_half_steps = section.claim(
    where="SA_P, section 5",
    refs=("FW-13", "Q8"),
    statement="Two tokens of SA_P come as near as min(1, |1 - gamma|, |1 - 2 gamma|)^t |x_1 - x_2| in t steps, no nearer.",
    assumptions=(two_tokens,),
    draw=few_tokens,
)


# The least over all outcomes with a positive chance, whatever the chance is: atoms of the law are what is asked.
@two_tokens_meet_after_half_steps.step("== 0", exact_only=True)
def least_distance_after_steps(f: SoftmaxStep, *, steps=2, half=2):
    """The least |x_1 - x_2|^2 after t steps minus min(1, |1 - gamma|, |1 - 2 gamma|)^{2t} times that before."""
    gamma = f.gamma.item()
    factor = min(1 + 0 * gamma, abs(1 - gamma), abs(1 - half * gamma))
    least = min(min(squared_sides(x)) for x, _ in law_after(f, steps).outcomes())
    return numbers(least - factor ** (2 * steps) * min(squared_sides(f.x)))


@two_tokens_meet_after_half_steps.step("== 0", exact_only=True)
def chance_to_meet_halfway(f: SoftmaxStep, *, share=1):
    """P(x_1 = x_2 after a step of gamma = 1/2), less a_12 a_21: of different tokens."""
    if (f.x[0] == f.x[1]).all():
        return f.x[:0]
    half = f.replace(gamma=0 * f.gamma + 1 / (2 + 0 * f.gamma))
    met = law_after(half, 1).chance(lambda x: (x[0] == x[1]).all())
    a = f.attention()
    return numbers(met - share * a[0, 1] * a[1, 0])


collapse_point_has_no_atoms = section.claim(
    where="open question on SA_P, answered",
    refs=("Q8", "FW-13", "FW-M8"),
    statement="For gamma in (0, 1) other than 1/2 the collapse point of SA_P has no atoms.",
    assumptions=(not_all_at_one_place, step_other_than_half),
    draw=few_tokens_and_other_steps,
)


# Any picks, not likely ones: that some token always misses the meeting place is a fact about finitely many points.
@collapse_point_has_no_atoms.step("> 0", exact_only=True)
def tokens_never_all_meet(f: SoftmaxStep):
    """For each place that x_1 may go to, the largest over i of the least |x_i' - x_1'|^2 after any picks of x_i."""
    after = f.x[:, None] + f.gamma * (f.x[None] - f.x[:, None])
    return exact([max(_nearest(moves, meeting) for moves in after) for meeting in after[0]])


def _nearest(moves: Array, place: Array) -> fmpq:
    return min(((moves - place) ** 2).sum(axis=-1))


@collapse_point_has_no_atoms.step(">= 0", exact_only=True)
def two_ends_are_both_likely(f: SoftmaxStep, *, cost=1):
    """P(all tokens pick x_i k times) - p^{nk}, or -1 if not all end nearer to x_i than to x_j: both ends of a diameter."""
    n, kept = len(f.x), 1 - f.gamma.item()
    sides = ((f.x[:, None] - f.x[None]) ** 2).sum(axis=-1)
    i, j = divmod(int(np.argmax([[value == max(sides.flat) for value in row] for row in sides])), n)
    steps = next(k for k in range(1, MOST_STEPS) if kept**k < fmpq(1, 2))
    RD = sqrt(largest(numbers((f.x * f.x).sum(axis=-1))) * sides[i, j])
    p = exp(-cost * abs(f.beta) * RD) / n
    return numbers(np.stack([_all_picked(f, one, other, steps) - p ** (n * steps) for one, other in ((i, j), (j, i))]))


def _all_picked(f: SoftmaxStep, one: int, other: int, steps: int) -> Array:
    """The chance that all tokens pick the same one so many times, -1 if one of them does not end on its side of the middle.

    That one stays where it is, and each of the others moves towards it.
    """
    x, chance = f.x, 1 + 0 * f.beta
    for _ in range(steps):
        at_the_place = (x == x[one]).all(axis=-1)
        chance = chance * softmax(f.beta * (x @ x.T))[:, at_the_place].sum(axis=-1).prod()
        x = x + f.gamma * (x[one] - x)
    here, there = (((x - f.x[end]) ** 2).sum(axis=-1) for end in (one, other))
    return chance if bool((here < there).all()) else 0 * chance - 1


MOST_STEPS = 1000
