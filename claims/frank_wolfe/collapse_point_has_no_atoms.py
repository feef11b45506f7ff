"""The point to which the random chain collapses has a law without atoms, unless gamma = 1/2 or 1.

Question Q8 (frank_wolfe FW-13) answered, for any number of tokens that are not all at one place, gamma in (0, 1).

- *Tokens that are not all at one place never all meet*, for gamma other than 1/2: after a step x_i' = (1 - gamma) x_i +
  gamma x_pi(i), with pi the picks. If all are y, then w = x - y has w_pi(i) = -((1 - gamma)/gamma) w_i; round a cycle of pi
  it is multiplied by a number of modulus other than 1, so that it is 0 there, and then everywhere.
- *Two ends are both likely.* With p = e^{-|beta| R D}/n all tokens pick x_i k times in a row with a chance of p^{nk} at
  least, or x_j, |x_i - x_j| = D. For (1 - gamma)^k < 1/2 all are then nearer to x_i than to x_j, or the reverse, for ever.
- So P[x_* = a | x^t] <= 1 - p^{nk} at all times and for all a, with p of the start: hulls only shrink. It tends to 1 where
  x_* = a (Levy). Hence that has no chance.

For gamma = 1/2 the same holds of runs in which the tokens do not all meet; where they do, as two tokens do halfway
(`two_tokens_meet_after_half_steps`), the law has atoms. The picks need not be independent for the first part.
"""

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.softmax_steps import (
    few_tokens_and_other_steps,
    largest,
    not_all_at_one_place,
    step_other_than_half,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exact, exp, numbers, sqrt
from dynamics.attention import softmax
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="open question on SA_P, answered",
    refs=("Q8", "FW-13", "FW-M8"),
    statement="For gamma in (0, 1) other than 1/2 the collapse point of SA_P has no atoms.",
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(not_all_at_one_place, step_other_than_half),
    draw=few_tokens_and_other_steps,
)


@claim.step("> 0", exact_only=True)
def tokens_never_all_meet(f: SoftmaxStep):
    """For each place that x_1 may go to, the largest over i of the least |x_i' - x_1'|^2 after any picks of x_i."""
    after = f.x[:, None] + f.gamma * (f.x[None] - f.x[:, None])
    return exact([max(_nearest(moves, meeting) for moves in after) for meeting in after[0]])


def _nearest(moves: Array, place: Array) -> fmpq:
    return min(((moves - place) ** 2).sum(axis=-1))


@claim.step(">= 0", exact_only=True)
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
