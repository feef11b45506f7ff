"""Hardmax runs with constant step and their limits: hypotheses and starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.run_hypotheses import exactly
from claims.frank_wolfe.setting.runs import one_at_a_time, positive
from claims.instances.tokens import draw_tokens
from claims.stating.assumptions import definite_key_query, size
from claims.stating.matrices import eye_like, is_positive_definite, is_positive_semidefinite
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, exact, indicator, transposed
from dynamics.attention import leaders
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import NotSettledError, Settled, settle
from dynamics.orbits.gathering import gathers_at_origin
from dynamics.tokens.hardmax import HardmaxStep

STEPS = 160
"""Steps after which a run that has not settled stays undecided."""


def to_the_end(f: HardmaxStep) -> Settled[HardmaxStep]:
    """The run with its limits. Raises NotSettledError where targets are not shown to be final."""
    return settle(f, STEPS)


def limits_in_the_end(f: HardmaxStep) -> tuple[Array, Sequence[HardmaxStep]]:
    """The limits (n, d), and the run until they are known, which is all of it unless the tokens only tend to 0.

    Raises NotSettledError where no limits are shown.
    """
    try:
        run = to_the_end(f)
    except NotSettledError:
        states = orbit(f, STEPS)
        if not gathers_at_origin(states):
            raise
        return 0 * f.x, states
    return run.final.limits, run.states


def has_ties(states: Sequence[HardmaxStep]) -> bool:
    """Whether different points lead one token at one of the states."""
    return any(bool((leaders(f.scores())[:, :, None] & _apart_from_target(f)[:, None, :]).any()) for f in states)


def _apart_from_target(f: HardmaxStep) -> Array:
    """Whether token i has leaders that are not its target, shape (n, 1)."""
    y = np.asarray(f.targets())
    led = leaders(f.scores())
    return np.array([[any(led[i, j] and (f.x[j] != y[i]).any() for j in range(len(y)))] for i in range(len(y))])


# ---------------------------------------------------------------------------------------------------------------------
# What is assumed


def _is_inner_scalar_step(f: Any) -> bool:
    gamma = f.P[0, 0]
    return bool((gamma * eye_like(f.P) == f.P).all()) and 0 < gamma < 1


def _inner_scalar_step(f: Any) -> Any:
    """gamma = (1 + 62 a)/64 for the first entry of P, a its distance from the next integer."""
    corner = abs(f.P[..., :1, :1])
    share = corner - indicator(corner >= 1, f.P) * corner
    return f.replace(P=(1 + 62 * share) / 64 * eye_like(f.P))


inner_scalar_step = Assumption(
    "inner_scalar_step",
    "P = gamma I, 0 < gamma < 1",
    satisfies=_is_inner_scalar_step,
    restrict=exactly(lambda f: f if _is_inner_scalar_step(f) else _inner_scalar_step(f)),
    violate=lambda f, draws: f.replace(P=f.P + draws.choice((1, 2)) * eye_like(f.P)),
)

definite_energy = Assumption(
    "definite_energy",
    "B_* = -B is symmetric positive definite",
    satisfies=lambda f: is_positive_definite(-f.B),
    restrict=lambda f: f.replace(B=-definite_key_query.restrict(f).B),
    violate=lambda f, draws: f.replace(B=-f.B),
)


def _is_repelling(f: Any) -> bool:
    return is_positive_semidefinite(-f.B) and bool((f.B != 0).any())


# B_* = 0 is left out: all scores tie, and tokens may go anywhere.
semidefinite_energy = Assumption(
    "semidefinite_energy",
    "B_* = -B is symmetric, >= 0 and not 0",
    satisfies=_is_repelling,
    restrict=exactly(lambda f: f if _is_repelling(f) else definite_energy.restrict(f)),
    violate=lambda f, draws: f.replace(B=-f.B),
)


def _without_ties(f: Any) -> Any:
    """All tokens translated until no two points lead any; all at one place where that is not enough."""
    # Different in all coordinates: a shift along a diagonal would keep the ties of tokens that mirror each other in it.
    shift = exact([[fmpq(1, 16 * (k + 1) ** 2) for k in range(f.x.shape[-1])]])
    moved = (f.replace(x=f.x + k * shift) for k in range(8))
    return next((g for g in moved if _has_single_leaders(g)), f.replace(x=f.x[:1] + 0 * f.x))


def _has_single_leaders(f: Any) -> bool | None:
    """None where no tie is met in the first steps and later ones are not known, as no state recurs."""
    try:
        return not has_ties(to_the_end(f).states)
    except (NotSettledError, ValueError):  # targets that are not shown to be final, or steps that are no averages
        *before, last = states = orbit(f, STEPS)
    if has_ties(states):
        return False
    return True if any(bool((last.x == now.x).all()) for now in before) else None


single_leaders = Assumption(
    "single_leaders",
    "the leaders of each token are at one point at every step",
    satisfies=_has_single_leaders,
    restrict=exactly(_without_ties),
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x[:1], -f.x[:1], 0 * f.x])[: len(f.x)]),
)

on_a_line = size("on_a_line", "d", most=1, violate=lambda f, draws: _into_a_triangle(f))


def _into_a_triangle(f: Any) -> Any:
    """Three tokens of the plane around the origin, of the size of the first one, with the same step."""
    gamma, size = f.P[0, 0], abs(f.x).max()
    eye = exact(np.eye(2, dtype=int))
    return HardmaxStep.instance(x=_triangle(size, fmpq(7, 8), fmpq(1, 1000)), B=eye * f.B[0, 0], P=gamma * eye)


def _triangle(size: fmpq, height: fmpq, behind: fmpq) -> Array:
    return exact([[1, 0], [fmpq(1, 2), height], [-behind, -behind]]) * size


# ---------------------------------------------------------------------------------------------------------------------
# Starts


@one_at_a_time
def run_of_constant_step(draws: Any) -> HardmaxStep:
    """Two to four tokens in one to three dimensions, any scores, and a simple step size."""
    n, d = draws.integer(2, 4), draws.choice((2, 1, 3))
    x, B = draw_tokens(draws, n, d), draws.dyadic(d, d, size=2)
    gamma = fmpq(*((1, 2), (1, 4), (3, 4), (1, 3), (1, 8))[draws.integer(0, 4)])
    return HardmaxStep.instance(x=x, B=B, P=gamma * exact(np.eye(d, dtype=int)))


# Two opposite tokens are the case in which the limit is 0.
@one_at_a_time
def run_of_a_triangle(draws: Any) -> HardmaxStep:
    """Two tokens a little less than their size apart, and one just behind the origin; two opposite ones; or any tokens."""
    kind = draws.choice(("triangle", "any", "triangle", "opposite"))
    if kind == "any":
        return run_of_constant_step(draws)
    height = fmpq(7, 8) + positive(draws).item() / 32
    eye = exact(np.eye(2, dtype=int))
    if kind == "opposite":
        return HardmaxStep.instance(x=exact([[1, 0], [-1, 0]]), B=-eye, P=height * eye)
    gamma = draws.choice((fmpq(1, 3), fmpq(3, 8)))
    x = _triangle(1 + positive(draws).item(), height, positive(draws).item() / 256)
    return HardmaxStep.instance(x=x, B=-eye, P=gamma * eye)


@one_at_a_time
def run_of_seen_and_unseen(draws: Any) -> HardmaxStep:
    """Tokens of the plane or of space, with scores that do not depend on the last coordinate.

    "pairs": each token of a pair follows the one that looks opposite to it; a fifth token is first tied between the pairs.
    """
    n, d, kind = draws.integer(2, 4), draws.choice((2, 3)), draws.choice(("any", "any", "any", "pairs"))
    x, G = draw_tokens(draws, n, d), draws.dyadic(d - 1, d - 1, size=2)
    seen = G @ transposed(G) + exact(np.eye(d - 1, dtype=int)) / 16
    if kind == "pairs":
        d, seen = 3, exact(np.eye(2, dtype=int))
        x = exact([[4, 0, 0], [-4, 0, 0], [0, 8, 4], [0, -8, 4], [2, 1, 0]]) * positive(draws).item()
    B = np.block([[-seen, exact(np.zeros((d - 1, 1), dtype=int))], [exact(np.zeros((1, d), dtype=int))]])
    # The pairs shrink by |1 - 2 gamma|, the fifth token by 1 - gamma.
    gamma = fmpq(3, 4) if kind == "pairs" else fmpq(*((1, 2), (1, 4), (3, 4))[draws.integer(0, 2)])
    return HardmaxStep.instance(x=x, B=B, P=gamma * exact(np.eye(d, dtype=int)))


# With edges at c (2 - gamma) and -c (2 - gamma) the fifth token goes from -c gamma to c gamma and back: -c gamma + gamma (c
# (2 - gamma) + c gamma) = c gamma. The ends of edges lead themselves and stay, as b |u|^2 is more than 2 a times the square
# of c (2 - gamma).
@one_at_a_time
def run_between_two_edges(draws: Any) -> HardmaxStep:
    """Two opposite edges of a tetrahedron, each attracting a token in the middle when it is near the other; or any run.

    B = diag(-a, b, b) with b |u|^2 > 2 a c^2 for edges c e_1 + [-u, u] and -c e_1 + [-w, w], u and w orthogonal, |u| = |w|.
    """
    if draws.choice(("two edges", "any")) == "any":
        return run_of_constant_step(draws)
    a, c, more = positive(draws, 3)
    gamma, u = positive(draws).item() * 31 / 32, draws.choice((fmpq(1), fmpq(2), fmpq(1, 2)))
    edge = c * (2 - gamma)  # scaled so that all coordinates are dyadic
    b = 2 * a * edge * edge / (u * u) + more
    x = exact([[edge, u, 0], [edge, -u, 0], [-edge, 0, u], [-edge, 0, -u], [-c * gamma, 0, 0]])
    return HardmaxStep.instance(x=x, B=np.diag(exact([-a, b, b])), P=gamma * exact(np.eye(3, dtype=int)))
