"""The drift itself: how many softmax steps until tokens have come together, without randomness.

Near a metastable state a step moves tokens by about e^{-beta Delta}: no loop of steps gets through, no float step is felt.
For tokens at the vertices of a regular simplex around 0 the state is one number, the radius, and section 11 of
docs/escapes.md counts steps from the least and greatest drift on each of many intervals. `steps_by_points` iterates any
start, for short lifetimes.
"""

from __future__ import annotations

from itertools import pairwise

import flint
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.escapes.times import Enclosure
from dynamics.tokens.attention_chain import SoftmaxStep


class TooLongError(UndecidedError):
    """More steps than may be followed."""

    precision_helps = False


def simplex_steps(n: int, beta: fmpq, gamma: fmpq, radius: fmpq, diameter: fmpq, intervals: int = 4000) -> Enclosure:
    """How many steps until the diameter of a regular simplex of n tokens around 0 is below `diameter`, enclosed.

    It starts with the given radius. Raises ValueError for sizes that are not positive.
    """
    if n < 2 or not (radius > 0 and diameter > 0 and beta > 0 and 0 < gamma <= 1):
        raise ValueError("needs n >= 2, beta > 0, 0 < gamma <= 1 and positive sizes")
    spread = arb(fmpq(2 * n, n - 1)).sqrt()  # the diameter in radii
    last = arb(diameter) / spread
    if not last < radius:
        return Enclosure(arb(0), arb(0))
    # Equal parts of beta r^2, along which the drift changes by equal factors.
    first_square, last_square = arb(radius) ** 2, last**2
    parts = [first_square + (last_square - first_square) * fmpq(k, intervals) for k in range(intervals + 1)]
    ends = [parts[0].sqrt(), *(part.sqrt() for part in parts[1:])]
    low = high = greatest = arb(0)
    for upper, lower in pairwise(ends):
        least, most = _drift(n, beta, gamma, lower, upper)
        # A step that begins farther out may cover this interval, too: it is as long as any drift so far at most.
        greatest = max(greatest, most)
        low += (upper - lower) / greatest
        high += (upper - lower) / least
    # In each interval the number of steps exceeds its length over the least drift by one at most.
    found = Enclosure((low - 1).lower(), (high + intervals).upper())
    return _counted(n, beta, gamma, radius, last, int(float(high.mid())) + intervals + 1) if high < MOST_COUNTED else found


MOST_COUNTED = 20_000
"""Up to so many steps are taken one by one."""


def _counted(n: int, beta: fmpq, gamma: fmpq, radius: fmpq, last: arb, most: int) -> Enclosure:
    """The number of steps, by taking them; the radius is doubled in width at a step at most."""
    with working_precision(flint.ctx.prec + 64):
        r = arb(radius)
        for step in range(most + 1):
            if r < last:
                return Enclosure(arb(step), arb(step))
            if not r >= last:
                raise UndecidedError(f"is the radius below its end after {step} steps?")
            weight = (-beta * fmpq(n, n - 1) * r**2).exp()
            r -= gamma * r * n * weight / (1 + (n - 1) * weight)
    raise TooLongError(f"the radius is not below its end within {most} steps")


def _drift(n: int, beta: fmpq, gamma: fmpq, lower: arb, upper: arb) -> tuple[arb, arb]:
    """Bounds of r - r' for radii in [lower, upper]: r' = r (1 - gamma n w/(1 + (n - 1) w)), w = e^{-beta n r^2/(n - 1)}."""
    rate = beta * fmpq(n, n - 1)
    small, large = (-rate * upper**2).exp(), (-rate * lower**2).exp()
    least = gamma * lower * n * small / (1 + (n - 1) * small)
    greatest = gamma * upper * n * large / (1 + (n - 1) * large)
    return least.lower(), greatest.upper()


def steps_by_points(start: SoftmaxStep, diameter: fmpq, most: int) -> int:
    """The first step at which the diameter is below `diameter`, decided at every step on the way.

    Points are iterated in balls, whose middles go on; one number bounds how far any token is from its true place. It grows
    by the radii of the balls, and at each step by the Lipschitz constant of the step, which is near 1 as long as tokens
    hardly see each other (section 11): balls that carried their own width would double it at every step.
    Raises TooLongError after `most` steps, and UndecidedError where the bound does not tell: raise the precision.
    """
    beta, gamma, kept = start.beta.item(), start.gamma.item(), 1 - start.gamma.item()
    x = [[arb(a) for a in row] for row in start.x.tolist()]
    n, error = len(x), arb(0)
    # All tokens stay in the first hull.
    largest = max(_norm(row).upper() for row in x)
    for step in range(most + 1):
        apart = [[_norm([a - b for a, b in zip(p, q, strict=True)]) for q in x] for p in x]
        widest = max(entry.upper() for row in apart for entry in row)
        surely = max(entry.lower() for row in apart for entry in row)
        if widest + 2 * error < diameter:
            return step
        if not surely - 2 * error >= diameter:
            raise UndecidedError(f"is the diameter below {diameter} after {step} steps?")
        # A score difference changes by at most `shake` where tokens change by `error`.
        shake = (beta * error * 2 * (widest + 2 * error + 2 * largest)).upper()
        grown, following = arb(0), []
        for i in range(n):
            gaps = [sum((a * (b - c) for a, b, c in zip(x[i], x[j], x[i], strict=True)), arb(0)) * beta for j in range(n)]
            weights = [gap.exp() for gap in gaps]
            total = sum(weights, arb(0))
            seen = (sum((w for j, w in enumerate(weights) if j != i), arb(0)) / total * shake.exp()).upper()
            following.append(
                [
                    kept * a + gamma * sum((w * y[k] for w, y in zip(weights, x, strict=True)), arb(0)) / total
                    for k, a in enumerate(x[i])
                ]
            )
            grown = max(grown, seen)
        reach = widest + 2 * error
        factor = 1 + gamma * grown * reach * 2 * beta * (reach + 2 * largest)
        radius = max(_norm([entry.rad() for entry in row]).upper() for row in following)
        error = (error * factor + radius).upper()
        x = [[entry.mid() for entry in row] for row in following]
    raise TooLongError(f"the diameter is not below {diameter} within {most} steps")


def _norm(row: list[arb]) -> arb:
    return sum((a * a for a in row), arb(0)).sqrt()
