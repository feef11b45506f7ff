"""The three phases of softmax steps, each with its exact last step: tokens gather, stay apart, and meet.

No randomness: x_i <- x_i + gamma sum_j a_ij (x_j - x_i) in balls, from exact points, at a precision at which no comparison
is open. Fellows are seen with large weights, so that balls may double in width at a step: as many bits as steps, and more.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.tokens.attention_chain import SoftmaxStep

SPARE_BITS = 128


class TooLongError(UndecidedError):
    """Some phase has not ended within the steps allowed."""

    precision_helps = False


@dataclass(frozen=True)
class Phases:
    """The first steps at which all tokens are near those they gather at, at which one has left, and at which all have met.

    `place` is where the first token is in the end, (d,) balls.
    """

    gathered: int
    left: int
    met: int
    place: tuple[arb, ...]


def phases(start: SoftmaxStep, leaders: list[int], near: fmpq, eps: fmpq, together: fmpq, most: int = 3000) -> Phases:
    """The phases of tokens of which the i-th goes to the token `leaders[i]`, which is its own leader, and stays there.

    Gathered: all within `near` of their leaders, none of which is farther than eps from its start; left: some leader is;
    met: all are within `together` of each other. Raises TooLongError where not all of this happens in `most` steps.
    """
    beta, gamma = start.beta.item(), start.gamma.item()
    gathered: int | None = None
    left: int | None = None
    with working_precision(SPARE_BITS + 2 * most):
        first = [[arb(a) for a in row] for row in start.x.tolist()]
        x, own = first, sorted(set(leaders))
        for step in range(most + 1):
            # Leaders are asked first: one that leaves in the step in which the others gather has not been gathered at.
            if left is None and any(_exceeds(x[i], first[i], eps) for i in own):
                if gathered is None:
                    raise TooLongError(f"a token has left after {step} steps, and others have not gathered")
                left = step
            if gathered is None and not any(_exceeds(place, x[i], near) for place, i in zip(x, leaders, strict=True)):
                gathered = step
            if not any(_exceeds(p, q, together) for k, p in enumerate(x) for q in x[:k]):
                if gathered is None or left is None:
                    raise TooLongError(f"all have met after {step} steps, and no token has left its leader's tube before")
                return Phases(gathered, left, step, tuple(x[0]))
            x = [_stepped(x, i, beta, gamma) for i in range(len(x))]
    raise TooLongError(f"not all phases end within {most} steps")


def _exceeds(p: list[arb], q: list[arb], size: fmpq) -> bool:
    """Whether |p - q| > size. Raises UndecidedError where the balls do not tell."""
    ways = [a - b for a, b in zip(p, q, strict=True)]
    beyond = sum((way * way for way in ways), arb(0)) - size * size
    if not (beyond > 0 or beyond <= 0):
        raise UndecidedError(f"is a distance above {size}? balls: {beyond}")
    return bool(beyond > 0)


def _stepped(x: list[list[arb]], i: int, beta: fmpq, gamma: fmpq) -> list[arb]:
    """Token i after a step, by its differences from the others: near ones add little to its width."""
    ways = [[b - a for a, b in zip(x[i], other, strict=True)] for other in x]
    weights = [(beta * sum((a * b for a, b in zip(x[i], way, strict=True)), arb(0))).exp() for way in ways]
    total = sum(weights, arb(0))
    return [
        a + gamma * sum((w * way[k] for w, way in zip(weights, ways, strict=True)), arb(0)) / total
        for k, a in enumerate(x[i])
    ]
