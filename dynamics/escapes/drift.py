"""The drift itself: how many softmax steps until tokens have come together, without randomness.

Near a metastable state a step moves tokens by about e^{-beta Delta}: no loop of steps gets through, no float step is felt.
For tokens at the vertices of a regular simplex around 0 the state is one number, the radius, and section 11 of
docs/escapes.md counts steps from the least and greatest drift on each of many intervals. Other starts are followed from
section to section (`sections`). `steps_by_points` iterates any start, for short lifetimes.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import flint
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.escapes.departures import inner
from dynamics.escapes.histories import alone
from dynamics.escapes.sections import leaving
from dynamics.escapes.times import Enclosure
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep


class DriftTooLongError(UndecidedError):
    """More steps than may be followed."""

    precision_helps = False


MOST_COORDINATES = 12
"""Of all tokens together: the derivatives of the path grow with the square of their number."""


def drift_of(chain: AttentionChain) -> Enclosure | None:
    """How many softmax steps until a token is farther than eps from its start, for one token in each group.

    None where some group has more tokens; where tokens have more than MOST_COORDINATES, unless they start at a regular
    simplex around 0; and where it is not found, as for tubes that the drift never leaves.
    """
    x, eps = list(map(tuple, chain.x.tolist())), chain.eps.item()
    if not alone(chain):
        return None
    squares = {inner(a, a) for a in x}
    scores = {inner(a, b) for a, b in combinations(x, 2)}
    if len(squares) != 1 or len(scores) != 1 or any(sum(column) != 0 for column in zip(*x, strict=True)):
        start = SoftmaxStep(x=chain.x, beta=chain.beta, gamma=chain.gamma)
        return leaving(start, eps) if chain.x.size <= MOST_COORDINATES else None
    (square,) = squares
    if square <= eps * eps:
        return None
    n, radius = len(x), arb(square).sqrt()
    # radius - eps, whose sign would be lost to rounding where eps is nearly the radius.
    diameter = (square - eps * eps) / (radius + eps) * arb(fmpq(2 * n, n - 1)).sqrt()
    return simplex_steps(n, chain.beta.item(), chain.gamma.item(), radius, diameter)


def simplex_steps(
    n: int, beta: fmpq, gamma: fmpq, radius: fmpq | arb, diameter: fmpq | arb, intervals: int = 4000
) -> Enclosure:
    """How many steps until the diameter of a regular simplex of n tokens around 0 is below `diameter`, enclosed.

    It starts with the given radius. Raises ValueError for sizes that are not positive, and UndecidedError where it is not
    decided whether the diameter is below from the start: raise the precision.
    """
    if n < 2 or not (radius > 0 and diameter > 0 and beta > 0 and 0 < gamma <= 1):
        raise ValueError("needs n >= 2, beta > 0, 0 < gamma <= 1 and positive sizes")
    spread = arb(fmpq(2 * n, n - 1)).sqrt()  # the diameter in radii
    last = arb(diameter) / spread
    if last > radius:
        return Enclosure(arb(0), arb(0))
    if not last < radius:
        raise UndecidedError("is the radius below its end from the start?")
    rate = beta * fmpq(n, n - 1)

    def drift(r: arb, weighed: arb) -> arb:
        """r - r' = gamma r n w/(1 + (n - 1) w), of a radius r and with w = e^{-beta n r^2/(n - 1)} of the other one."""
        w = (-rate * weighed**2).exp()
        return gamma * r * n * w / (1 + (n - 1) * w)

    # Equal parts of beta r^2, along which the drift changes by equal factors.
    first_square, last_square = arb(radius) ** 2, last**2
    parts = [first_square + (last_square - first_square) * fmpq(k, intervals) for k in range(intervals + 1)]
    ends = [arb(radius), *(part.sqrt() for part in parts[1:-1]), last]
    low = high = greatest = arb(0)
    for upper, lower in pairwise(ends):
        # A step that begins farther out may cover this interval, too: it is as long as any drift so far at most. Of r and w
        # the one grows with the radius, the other falls: bounds take them at different ends.
        greatest = max(greatest, drift(upper, lower).upper())
        low += (upper - lower) / greatest
        high += (upper - lower) / drift(lower, upper).lower()
    if not high < MOST_COUNTED:
        # In each interval the number of steps exceeds its length over the least drift by one at most.
        return Enclosure((low - 1).lower(), (high + intervals).upper())
    most = int(float(high.mid())) + intervals + 1
    # A step doubles the width of r at most, so that few bits more last long: w is small where steps are many.
    with working_precision(flint.ctx.prec + 64):
        r = arb(radius)
        for step in range(most + 1):
            if r < last:
                return Enclosure(arb(step), arb(step))
            if not r >= last:
                raise UndecidedError(f"is the radius below its end after {step} steps?")
            r -= drift(r, r)
    raise DriftTooLongError(f"the radius is not below its end within {most} steps")


MOST_COUNTED = 20_000
"""Up to so many steps are taken one by one."""


MOST_IN_A_BLOCK = 64
"""Up to so many steps are taken between two looks at the diameter."""


def steps_by_points(start: SoftmaxStep, diameter: fmpq, most: int) -> int:
    """The first step at which the diameter is below `diameter`, decided at every step on the way.

    Points are iterated in balls, whose middles go on; one number bounds how far any token is from its true place. It grows
    by the radii of the balls, and at each step by the Lipschitz constant of the step, which is near 1 as long as tokens
    hardly see each other (section 11): balls that carried their own width would double it at every step. Diameter and
    constant are bounded for blocks of steps, by how far the greatest drift on a box brings a token.
    Raises TooLongError after `most` steps, and UndecidedError where the bound does not tell: raise the precision.
    """
    beta, gamma = start.beta.item(), start.gamma.item()
    x, error, step = [[arb(a) for a in row] for row in start.x.tolist()], arb(0), 0
    # All tokens stay in the first hull.
    largest = max(_norm(row).upper() for row in x)
    while step <= most:
        apart = [_norm([a - b for a, b in zip(p, q, strict=True)]) for p, q in combinations(x, 2)]
        widest = max((one.upper() for one in apart), default=arb(0))
        surely = max((one.lower() for one in apart), default=arb(0))
        if widest + 2 * error < diameter:
            return step
        if not surely - 2 * error >= diameter:
            raise UndecidedError(f"is the diameter below {diameter} after {step} steps?")
        seen = max(_drifts(x, beta)[1])
        # Twice the drift of a block is tried for how far tokens get, and confirmed on the box that this spans.
        count, way = MOST_IN_A_BLOCK, (2 * MOST_IN_A_BLOCK * gamma * seen * widest + 4 * error).upper()
        reach, most_seen = _nearby(seen, way, beta, widest, largest)
        if not (surely - 2 * way >= diameter and error + count * gamma * most_seen * reach <= way):
            # One step alone: the box need hold no more than both places now.
            count, way = 1, error
            reach, most_seen = _nearby(seen, way, beta, widest, largest)
        factor, before = 1 + 2 * gamma * most_seen * reach * beta * (reach + 2 * largest), error
        for _ in range(count):
            drifts, _ = _drifts(x, beta)
            following = [[a + gamma * b for a, b in zip(p, q, strict=True)] for p, q in zip(x, drifts, strict=True)]
            radius = max(_norm([entry.rad() for entry in row]).upper() for row in following)
            error = (error * factor + radius).upper()
            x = [[entry.mid() for entry in row] for row in following]
        # The middles, too, have stayed in the box.
        if count > 1 and not before + error + count * gamma * most_seen * reach <= way:
            raise UndecidedError(f"are the tokens where they seem to be after {step} steps?")
        step += count
    raise DriftTooLongError(f"the diameter is not below {diameter} within {most} steps")


def _drifts(x: list[list[arb]], beta: fmpq) -> tuple[list[list[arb]], list[arb]]:
    """sum_j a_ij (x_j - x_i) and an upper bound of sum_{j != i} a_ij for each token."""
    drifts, seen = [], []
    for i, own in enumerate(x):
        ways = [[b - a for a, b in zip(own, other, strict=True)] for j, other in enumerate(x) if j != i]
        weights = [(sum((a * b for a, b in zip(own, way, strict=True)), arb(0)) * beta).exp() for way in ways]
        others = sum(weights, arb(0))
        total = 1 + others
        sums = [sum((w * a for w, a in zip(weights, column, strict=True)), arb(0)) for column in zip(*ways, strict=True)]
        drifts.append([one / total for one in sums])
        seen.append((others / total).upper())
    return drifts, seen


def _nearby(seen: arb, way: arb, beta: fmpq, widest: arb, largest: arb) -> tuple[arb, arb]:
    """Upper bounds of the diameter and of sum_{j != i} a_ij, once tokens have moved by `way` at most."""
    reach = (widest + 2 * way).upper()
    # <x_i, x_j - x_i> changes by at most way (reach + 2 largest).
    return reach, (seen * (beta * way * (reach + 2 * largest)).exp()).upper()


def _norm(row: list[arb]) -> arb:
    return sum((a * a for a in row), arb(0)).sqrt()
