"""Escapes and lifetimes: chains that have a way out, and regular simplices."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.softmax_steps import dyadic, squared_sides
from claims.stating.assumptions import with_entries
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, distinct, exact, numbers
from dynamics.attention import softmax
from dynamics.choices import ball, guarded_numbers
from dynamics.escapes.phases import Phases, phases
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from dynamics.tokens.pick_sequences import TooManyStatesError, cheapest_way_out


# beta in units of 1/cost: the chance to leave is then e^{-depth} or so, whatever the shape.
def chain_with_a_way_out(draws: Any) -> AttentionChain:
    """Two or three tokens, one to three steps, and tubes that can be left within them; K plays no part.

    Mostly so cold that the probability to leave is well below one.
    """
    jumps, n, d = draws.choice((1, 2, 3)), draws.choice((2, 3)), draws.choice((1, 2))
    jumps = jumps if n == 2 else 1  # three tokens have 27 moves a step
    apart = (2, 2, 0)[draws.integer(0, 2)]
    x = dyadic(draws, n, d, size=1, bits=2)
    x[0, 0] = x[0, 0] - apart
    x[1, 0] = x[0, 0] + fmpq(1, 4) + abs(x[1, 0]) + 2 * apart
    for i in range(2, n):  # all different
        x[i, 0] = x[i - 1, 0] + fmpq(1, 4) + abs(x[i, 0])
    first_axis = np.eye(d, dtype=int)[:1]
    v, group = exact(np.concatenate([first_axis, -first_axis])), [0, *([1] * (n - 1))]
    if n == 3 and draws.integer(0, 1):  # each corner its own group: six ways out of equal cost
        v = x = exact(np.eye(3, dtype=int)) * (1 + abs(x[0, 0]))
        group = [0, 1, 2]
    gamma = (fmpq(1, 2), fmpq(1, 4), fmpq(3, 4))[draws.integer(0, 2)]
    # The first token leaves for the second in `jumps` steps if nothing else moves.
    eps = abs(x[1, 0] - x[0, 0]) * (1 - (1 - gamma) ** jumps) * fmpq(15, 16)
    chain = AttentionChain.instance(v=v, x=x, group=group, beta=1, gamma=gamma, eps=eps, steps=jumps + 1)
    cost = cheapest_way_out(chain)
    depth = n * jumps * (1 + fmpq((1, 8, 32, 1000, 200_000)[draws.integer(0, 4)], 4))
    return chain.replace(beta=numbers(depth / cost)) if cost else chain


def _leads_out(f: Any) -> bool | None:
    """Whether some picks lead out before t, None where there are too many."""
    try:
        return cheapest_way_out(f, 4096) is not None
    except TooManyStatesError:
        return None


def _wide_tubes(f: Any) -> Any:
    """Tubes that no picks lead out of before t; on a line as wide as a token can move until then."""
    most = max(abs(f.x[:, None] - f.x[None]).sum(axis=-1).flat) * (1 - (1 - f.gamma.item()) ** (int(f.steps.item()) - 1))
    return f.replace(eps=numbers(most if most > 0 else fmpq(1)))


a_way_out = Assumption(
    "a_way_out",
    "some picks, 4096 combinations at most, lead out of the tubes before t",
    satisfies=lambda f: _leads_out(f) is True,
    violate=lambda f, draws: _wide_tubes(f),
)

no_way_out = Assumption(
    "no_way_out",
    "no picks, 4096 combinations at most, lead out of the tubes before t",
    satisfies=lambda f: _leads_out(f) is False,
    restrict=_wide_tubes,
    violate=lambda f, draws: f.replace(eps=f.eps / draws.choice((2, 4))),
)


# Rows of a Hadamard matrix without their common 1 have the products -1 with each other: 2^k points of one norm, at one
# distance, around 0.
def regular_simplex(draws: Any) -> SoftmaxStep:
    """A regular simplex around 0 as tokens: a segment, a tetrahedron, or eight points of R^7; any size, any step."""
    signs = [[1], [-1]]
    for _ in range(draws.choice((0, 1, 2))):  # rows of a Hadamard matrix without its first column
        full = np.array([[1, *row] for row in signs])
        signs = np.block([[full, full], [full, -full]])[:, 1:].tolist()
    size = abs(dyadic(draws, size=2, bits=3)) + fmpq(1, 8)
    beta = draws.choice((1, 8, fmpq(1, 8), 64, 0)) * (abs(dyadic(draws, size=1, bits=2)) + fmpq(1, 4))
    gamma = draws.choice((fmpq(1, 2), fmpq(1), fmpq(1, 8)))
    return SoftmaxStep.instance(x=exact(signs) * size, beta=beta, gamma=gamma)


def _is_regular(f: Any) -> bool:
    centred = bool((f.x.sum(axis=0) == 0).all() and (f.x != 0).any())
    return len(f.x) > 1 and centred and len(distinct(squared_sides(f.x).ravel())) == 1


def perturbed_triangle_run(beta: float, steps: int) -> Iterator[Array]:
    """SA_beta at gamma = 1/2 in float64 from an equilateral triangle of circumradius 1, two coordinates a little off.

    Yields the tokens (3, 2) at the start and after each of so many steps.
    """
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    x[0, 0] += 1e-3
    x[1, 1] += 5e-4
    yield x
    for _ in range(steps):
        x = (x + softmax(beta * (x @ x.T)) @ x) / 2
        yield x


regular_tokens = Assumption(
    "regular_tokens",
    "the tokens are the vertices of a regular simplex around 0",
    satisfies=_is_regular,
    violate=lambda f, draws: with_entries(f, "x", 0, f.x[0] * (1 + fmpq(1, draws.choice((1, 2, 4))))),
)


# ---------------------------------------------------------------------------------------------------------------------
# Three phases on a line


def phases_on_the_line(f: SoftmaxStep) -> Phases:
    """When the third token is near the first, when one of the first two has left its start, and when all have met."""
    return _phases_of(f.x[2, 0], f.beta.item(), f.gamma.item())


# Four conclusions ask for the same run, hundreds of steps in balls.
@cache
def _phases_of(s: fmpq, beta: fmpq, gamma: fmpq) -> Phases:
    start = SoftmaxStep.instance(x=[[1], [-1], [s]], beta=beta, gamma=gamma)
    with guarded_numbers(on=False):
        return phases(start, [0, 1, 0], fmpq(1, 8), fmpq(1, 4), fmpq(1, 100), 1500)


def place_on_the_line(f: SoftmaxStep) -> Array:
    """Where the first token is when all have met, shape ()."""
    return numbers(ball(phases_on_the_line(f).place[0]))


def three_on_a_line(draws: Any) -> SoftmaxStep:
    """Tokens 1, -1 and one in between, beta from 4 to 5, gamma one half or a quarter; often where they meet latest."""
    s, beta = fmpq(draws.integer(6, 12), 16), 4 + fmpq(draws.integer(0, 4), 4)
    if draws.choice(("latest", "any")) == "latest":
        s, beta = fmpq(3, 8), fmpq(4)
    return SoftmaxStep.instance(x=[[1], [-1], [s]], beta=beta, gamma=fmpq(1, 2 ** draws.integer(1, 2)))


def _is_between(f: Any) -> bool:
    ends = f.x.shape == (3, 1) and f.x[0, 0] == 1 and f.x[1, 0] == -1
    return bool(ends and fmpq(3, 8) <= f.x[2, 0] <= fmpq(3, 4))


two_ends_and_one_between = Assumption(
    "two_ends_and_one_between",
    "x = (1, -1, s) on a line with 3/8 <= s <= 3/4",
    satisfies=_is_between,
    restrict=lambda f: f if _is_between(f) else f.replace(x=exact([[1], [-1], ["1/2"]])),
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x[:2], -f.x[2:]])),
)


def _is_cold(f: Any) -> bool:
    return bool(4 <= f.beta.item() <= 5 and f.gamma.item() in (fmpq(1, 2), fmpq(1, 4)))


# At beta = 4 the second phase takes 75 steps, at 5 some 400, at 6 some 2500: more than an example can follow.
cold_steps = Assumption(
    "cold_steps",
    "4 <= beta <= 5 and gamma in {1/2, 1/4}",
    satisfies=_is_cold,
    restrict=lambda f: f if _is_cold(f) else f.replace(beta=0 * f.beta + 4, gamma=0 * f.gamma + fmpq(1, 2)),
    violate=lambda f, draws: f.replace(beta=f.beta * fmpq(3, 4), gamma=0 * f.gamma + fmpq(1, 2)),
)
