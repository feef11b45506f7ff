"""Runs of the scheduled hardmax step as Frank-Wolfe runs, with their starts.

J^t(x) = <B_*^t x, x>/2 with B_*^t = -B^t is the energy, K^t the hull of the tokens at step t. A claim follows a run for as
many steps as its schedule lists.
"""

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.cells import own_vertex_cells, tokens_in_one_cell
from claims.frank_wolfe.setting.energies import S, length
from claims.frank_wolfe.setting.run_hypotheses import exactly, one_matrix, strictly_concave_energies
from claims.instances.draws import BatchDraws
from claims.instances.tokens import draw_tokens
from claims.stating.matrices import eye_like, squared, turning
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, transposed
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.schedules import ScheduledHardmax

# ---------------------------------------------------------------------------------------------------------------------
# Starts


# What follows from comparisons, such as who is a vertex, would differ among the members of a batch.
def one_at_a_time(draw: Callable[[Any], S]) -> Callable[[Any], S]:
    """A draw of exact instances only: raises ValueError for draws of a batch."""

    @functools.wraps(draw)
    def from_exact(draws: Any) -> S:
        if isinstance(draws, BatchDraws):
            raise ValueError(f"{draw.__name__} makes one exact instance at a time")  # noqa: TRY004 -- no value, rather
        return draw(draws)

    return from_exact


def scheduled(x: Array, B: Array, gamma: Array) -> ScheduledHardmax:
    """The exact instance with tokens (n, d), matrices (T, d, d) or one (d, d), and steps (T,); ties are averaged."""
    T, d = len(gamma), x.shape[-1]
    return ScheduledHardmax.instance(x=x, B=np.broadcast_to(B, (T, d, d)), gamma=gamma)


def positive(draws: Any, *shape: int) -> Array:
    """Multiples of 1/16 in (0, 1]."""
    return np.asarray((abs(draws.dyadic(*shape, size=1)) * 15 + 1) / 16)


# At gamma = 1/2 both ends of a line meet at once, off 0.
@one_at_a_time
def run_past_the_origin(draws: Any) -> ScheduledHardmax:
    """One token on each axis of a line, or near the axes of a plane, and one just behind the origin, for 40 steps.

    The last one draws the others through the origin and is itself drawn away from it: the hull leaves the origin, and an
    end that is then far from it stays there.
    """
    d = draws.choice((2, 1))
    far = 1 + positive(draws, d) * draws.choice((0, 1))
    near = positive(draws, d) / draws.choice((64, 4, 1024))
    corners = far[:, None] * np.eye(d, dtype=int)
    if d == 2:
        corners[1, 0] = -8 * near[0]  # at a little more than a right angle
    x = np.concatenate([corners, -near[None, :]])
    B = -exact(np.eye(d, dtype=int)) if draws.choice(("identity", "free")) == "identity" else draws.dyadic(d, d, size=2)
    return scheduled(x, B, np.array([draws.choice((fmpq(1, 2), fmpq(1, 8)))] * 40))


@one_at_a_time
def run_about_the_origin(draws: Any) -> ScheduledHardmax:
    """Any tokens on the line, in the plane or in space, symmetric about the origin or not, for 8 steps."""
    n, d = draws.integer(1, 3), draws.choice((2, 1, 3))
    half = draw_tokens(draws, n, d)
    kind = draws.choice(("symmetric", "any", "one behind"))
    others = -half if kind == "symmetric" else draw_tokens(draws, n, d) if kind == "any" else -half[:1] / 16
    return scheduled(np.concatenate([half, others]), draws.dyadic(8, d, d, size=2), positive(draws, 8) * 31 / 32)


# ---------------------------------------------------------------------------------------------------------------------
# Cells along a run


# P = 1/2 is any step inside (0, 1): cells ask for the scores alone.
def first_step(f: Any) -> HardmaxStep:
    """The tokens and the matrix of the step that comes next, half of the way."""
    B = f.key_query()
    return HardmaxStep(x=f.x, B=B, P=eye_like(B) / 2, selection=f.selection)


def where_unmet(assumption: Assumption) -> Assumption:
    """The same assumption, which leaves exact instances unchanged where they meet it."""
    return replace(assumption, restrict=exactly(lambda f: f if assumption.satisfies(f) else assumption.restrict(f)))


# Hypotheses (1) and (2) of Theorem 4.2 are about the first tokens. What becomes of them later is the theorem's conclusion.
def at_the_start(assumption: Assumption) -> Assumption:
    """The same assumption, made of the first step of a run."""
    violate = assumption.violate
    assert violate is not None

    def moved(f: Any, g: Any) -> Any:
        return f.replace(x=g.x, selection=g.selection)

    return replace(
        assumption,
        statement=f"{assumption.statement}, at the first step",
        satisfies=lambda f: assumption.satisfies(first_step(f)),
        restrict=lambda f: moved(f, where_unmet(assumption).restrict(first_step(f))),
        violate=lambda f, draws: moved(f, violate(first_step(f), draws)),
    )


own_cells_at_the_start = at_the_start(own_vertex_cells)
one_cell_at_the_start = at_the_start(tokens_in_one_cell)


@one_at_a_time
def run_of_any_length(draws: Any) -> ScheduledHardmax:
    """Up to five tokens on the line, with one to six steps."""
    x, T = draw_tokens(draws, draws.integer(1, 5), 1), draws.choice((6, 4, 6, 3, 2, 1))
    return scheduled(x, draws.dyadic(1, 1, size=2), positive(draws, T))


@one_at_a_time
def run_of_several(draws: Any) -> ScheduledHardmax:
    """Three to five tokens in one to three dimensions for 6 steps of any size."""
    n, d = draws.integer(3, 5), draws.choice((2, 3, 2, 1))
    return scheduled(draw_tokens(draws, n, d), draws.dyadic(d, d, size=2), positive(draws, 6) * 31 / 32)


@one_at_a_time
def run_of_either_sign(draws: Any) -> ScheduledHardmax:
    """Runs under semidefinite matrices, all of one sign."""
    f: Any = run_of_several(draws)
    return f.replace(B=draws.choice((-1, 1)) * squared(f.B))


@one_at_a_time
def run_of_small_steps(draws: Any) -> ScheduledHardmax:
    """The same, all steps shortened by a common power of 2."""
    f: Any = run_of_several(draws)
    return f.replace(gamma=f.gamma / 2 ** draws.integer(0, 13))


# The theorem is claimed for any B: a matrix that is neither symmetric nor definite, but changes no target, is as good.
def run_with_own_cells(draws: Any) -> ScheduledHardmax:
    """A run that satisfies (1) and (2) of Theorem 4.2 under a matrix that need be neither symmetric nor definite.

    (1) and (2) hold under a definite matrix with a margin; a multiple of any matrix within this margin is added.
    """
    f: Any = run_of_several(draws)
    for assumption in (strictly_concave_energies, one_matrix, own_cells_at_the_start, one_cell_at_the_start):
        f = assumption.restrict(f)
    most = _within_margins(f, draws.dyadic(*f.B.shape[-2:], size=2))
    start = scheduled(f.x, f.B[0] + most * draws.choice((fmpq(1, 2), 0, fmpq(7, 8))), f.gamma)
    return start.replace(t=start.t + draws.choice((0, 2)))  # some start within their schedule


def _within_margins(f: Any, other: Array) -> Array:
    """The largest multiple of `other` that may be added to the scores: any smaller one changes no target."""
    margins, changes = (_margins(f, B) for B in (f.B[0], other))
    room = min((gain / -change for gain, change in zip(margins, changes, strict=True) if change < 0), default=fmpq(8))
    return np.asarray(other * room)


# B > 0 includes symmetry: a skew part breaks it while all targets stay.
def _turned(f: Any, draws: Draws) -> Any:
    """With a skew matrix added that changes no target."""
    return f.replace(B=f.B + _within_margins(f, turning(f.B[0])) / 2)


definite_scores_of_these_cells = replace(strictly_concave_energies, name="definite_scores_of_these_cells", violate=_turned)


def _margins(f: Any, B: Array) -> Array:
    """<B x_i, y_i - x_j> for the targets y_i of the tokens and all x_j != y_i."""
    y = f.targets()
    scores = ((f.x @ transposed(B))[:, None, :] * (y[:, None, :] - f.x[None, :, :])).sum(axis=-1)
    return np.asarray(scores[(y[:, None, :] != f.x[None, :, :]).any(axis=-1)])


def run_with_definite_scores(draws: Any) -> ScheduledHardmax:
    """Any tokens and one matrix, with steps halved from the first on, or any steps."""
    f: Any = run_of_several(draws)
    halved = np.array([f.gamma[0] / 2**t for t in range(length(f))])
    return scheduled(f.x, f.B[0], f.gamma if draws.choice(("halving", "any")) == "any" else halved)


def step_with_own_cells(draws: Any) -> HardmaxStep:
    """The first step of :func:`run_with_own_cells`."""
    return first_step(run_with_own_cells(draws))


# Gaps along the way are quadratic in s = e^{-t}: least inside of (0, 1) and not at an end.
def step_with_waning_gaps(draws: Any) -> HardmaxStep:
    """The same; or a square with a token near each of three corners: two gaps first fall and then grow on the way there."""
    if draws.choice(("waning", "own cells")) == "own cells":
        return step_with_own_cells(draws)
    corners = exact([[16, 0], [0, 16], [-16, 0], [0, -16]])
    inner = exact([[13, -3], [-13, 3], [-5, draws.integer(-8, -6)]])
    x = np.concatenate([corners, inner]) * positive(draws) / 16
    return HardmaxStep.instance(x=x)


def scalar_step_with_own_cells(draws: Any) -> HardmaxStep:
    """The same with any step size."""
    f: Any = step_with_own_cells(draws)
    return f.replace(P=positive(draws, 1)[0] / 2 ** draws.integer(0, 13) * eye_like(f.P))


@one_at_a_time
def run_on_a_kite(draws: Any) -> ScheduledHardmax:
    """Two far corners left and right of the origin, one below, one at the upper right, and a token above the origin.

    The upper right corner may or may not own its cell; if not, it moves to the right one.
    """
    a, b, c, e, g = positive(draws, 5)
    x = exact([[4 * a, 0], [-4 * a, 0], [0, -b], [c, e], [0, e * g]])
    kind = draws.choice(("unit scores", "any scores"))
    B = exact(np.eye(2, dtype=int)) if kind == "unit scores" else draws.dyadic(2, 2, size=2)
    return scheduled(x, B, np.array([draws.choice((fmpq(1, 2), fmpq(1, 4), fmpq(7, 8)))] * 6))


def _kite_with_a_turning_corner(f: Any, draws: Draws) -> HardmaxStep:
    """A kite whose upper right corner moves to the right one, and a token above the origin follows."""
    e, g = positive(draws, 2)
    x = exact([[4, 0], [-4, 0], [0, -1], [(1 + e) / 2, e], [0, e * g]])
    return HardmaxStep.instance(x=x, P=f.P[0, 0] * np.eye(2, dtype=int))


own_cells_or_a_kite = where_unmet(replace(own_vertex_cells, violate=_kite_with_a_turning_corner))


# 45/32 stands for the root of 2, at which J(y) - J(p) is 1, as J(x) - J(p) is up to 1/R^2.
@one_at_a_time
def run_far_from_the_origin(draws: Any) -> ScheduledHardmax:
    """Two steps of three tokens: p of least energy far out, one behind it, and one beside it, the target of the second."""
    R = fmpq(draws.choice((8, 32, 2, 128)))
    behind, beside = exact([R + 1 / R, -1 / R**2]), exact([R + 1 / R**4, fmpq(45, 32)])
    x = np.stack([exact([R, 0]), behind, beside]) * (1 + positive(draws))
    gamma = draws.choice((fmpq(1, 10), fmpq(1, 50)))
    return scheduled(x, -exact(np.eye(2, dtype=int)), exact([gamma] * 2))


# Two tokens at one vertex tie by index and not by place; just inside of it one wins by as little as one likes.
def step_with_shared_vertices(draws: Any) -> HardmaxStep:
    """The same; mostly with a second token at the first vertex or, far out, just inside it, which makes leads narrow."""
    f: Any = step_with_own_cells(draws)
    if draws.choice(("shared vertex", "any")) == "any":
        return first_step(run_with_own_cells(draws))
    inside = draws.integer(0, 1)
    vertex, mean = f.x[vertices(f.x)][:1], f.x.sum(axis=0) / len(f.x)
    x = np.concatenate([f.x, vertex + (mean - vertex) * fmpq(inside, 1 << 12)])
    return HardmaxStep.instance(x=x * (1 + 63 * inside), B=f.B, P=f.P)


# Quarter turns exchange the two eigenvalues: what the last energy hardly saw, the next one sees most.
@one_at_a_time
def run_of_turning_energies(draws: Any) -> ScheduledHardmax:
    """Tokens of the plane under energies with two eigenvalues, whose axes turn by a quarter or by a drawn angle."""
    x = draw_tokens(draws, draws.integer(2, 4), 2)
    low, high, t = positive(draws).item() / 16, 1 + positive(draws).item(), positive(draws).item()
    turned = exact([[1 - t * t, -2 * t], [2 * t, 1 - t * t]]) / (1 + t * t)
    turn = exact([[0, -1], [1, 0]]) if draws.choice(("quarter turns", "any turns")) == "quarter turns" else turned
    energies = [np.diag(exact([low, high]))]
    for _ in range(3):
        energies.append(turn @ energies[-1] @ turn.T)
    return scheduled(x, -np.stack(energies), positive(draws, 4) * 31 / 32)
