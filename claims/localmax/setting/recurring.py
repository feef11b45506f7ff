"""Localmax tokens with intermittent sensitivity: schedules that recur, and schedules with ever longer gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims.localmax.setting.ends import margins
from claims.localmax.setting.starts import STEP_SIZES, lattice_start, token_that_nears_the_edge
from claims.stating.matrices import is_positive_definite
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, numbers
from dynamics.orbits.periodic_ends import PeriodicEnd, periodic_end
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep
from dynamics.tokens.periodic_schedules import PeriodicLocalmax

# An offset shrinks by a factor in each period, so that after these many the boxes are small enough, if they ever are.
TURNS = 24
"""Periods in which a turn must be shown to repeat at all later times."""


def end_of(f: PeriodicLocalmax) -> PeriodicEnd:
    """The turn that repeats at all later times. Raises UndecidedError where none is shown."""
    return periodic_end(f, TURNS)


# An entry 0 among positive ones is what OQ-4 asks about; equal entries are the constant case, by the same certificate.
def recurring_start(draws: Draws) -> PeriodicLocalmax:
    """A lattice start under two or three sensitivities in turn, one of them zero or as large as another.

    Or a token that nears the edge of what is attended to, under one sensitivity.
    """
    T = draws.integer(2, 3)
    if draws.integer(0, 5):
        f, delta = lattice_start(draws), [fmpq(draws.integer(0, 12), draws.integer(1, 2)) for _ in range(T)]
        delta[draws.integer(0, T - 1)] = draws.choice((fmpq(0), fmpq(1), delta[0]))
    else:
        f = token_that_nears_the_edge(draws)
        delta = [f.delta.item()] * T
    gamma = exact([draws.choice(STEP_SIZES) for _ in range(T)])
    return PeriodicLocalmax(z=f.z, A=f.A, gamma=gamma, delta=exact(delta), t=np.array(0))


# The schedule recurs, so its gaps are bounded: limsup > 0 says that one entry is positive.
recurring_sensitivity = Assumption(
    "recurring_sensitivity",
    "limsup delta_k > 0, the schedule recurs",
    satisfies=lambda f: bool(max(f.delta) > 0),
    restrict=lambda f: f if max(f.delta) > 0 else f.replace(delta=f.delta + 1),
    violate=lambda f, draws: f.replace(delta=0 * f.delta),
)

no_sensitivity = Assumption(
    "no_sensitivity",
    "delta_k = 0",
    satisfies=lambda f: bool((f.delta == 0).all()),
    restrict=lambda f: f.replace(delta=0 * f.delta),
    violate=lambda f, draws: f.replace(delta=0 * f.delta + draws.integer(1, 12)),
)


# At every phase: a token that goes round has a limit point at the vertex and is no token of it.
def tend_to(f: PeriodicLocalmax, corner: Array, limits: Array) -> set[int]:
    """The tokens whose limits (p, n, d) are the corner (d,) at every phase."""
    return {int(i) for i in np.flatnonzero((limits == corner).all(axis=(0, 2)))}


# ---------------------------------------------------------------------------------------------------------------------
# Ever longer gaps


# On a line all gaps are products of three numbers, so that the induction over visits is a handful of inequalities.
@dataclass(frozen=True)
class Visit:
    """Tokens p > z > 0 > -W on a line, A = a, about to take a step with delta, between steps with delta = 0.

    p attends to z and not -W, z attends to both, and -W attends only to itself. With D = p + W, x = p - z and g = a p D -
    delta > 0 the step moves p to p - gamma x / 2 and takes z back to the distance gamma D / 3 + x (1 - 7 gamma / 6) or so.
    Then z comes nearer by 1 - gamma in each step without sensitivity, until g stays positive in another step with delta.
    """

    f: LocalmaxStep

    @property
    def places(self) -> tuple[fmpq, fmpq, fmpq]:
        """p, z and W."""
        p, z, low = self.f.z[:, 0]
        return p, z, -low

    @property
    def room(self) -> fmpq:
        """g = a p (p + W) - delta: how far p is from attending to -W."""
        p, _, W = self.places
        return self.f.A[0, 0] * p * (p + W) - self.f.delta.item()

    @property
    def kept(self) -> fmpq:
        """p - z now minus p - z after the step with delta: below zero where z is thrown back."""
        (p, z, _), (after, behind, _) = self.places, Visit(self.f.step()).places
        return (p - z) - (after - behind)

    @property
    def retreat(self) -> fmpq:
        """gamma (q + W) / 3 with q <= lim p: how far from p the token z is after each step with delta, at the least."""
        return self.f.gamma.item() * (self._last + self.places[2]) / 3

    @property
    def _last(self) -> fmpq:
        """q = p - g/(a W), no more than the limit v of p, with a v (v + W) = delta, for the slope there is above a W."""
        return self.places[0] - self.room / (self.f.A[0, 0] * self.places[2])

    def margins(self) -> Array:
        """Positive if and only if this visit is as described, and so all later ones are, shape (12,).

        At a visit g/(a D) <= x, for z to attend to -W, and x < 2 g/(a gamma (p + W)), for g to stay positive; the ratio of
        the largest x that does to the least one is 4/(3 gamma) or more for p <= W, more than 1/(1 - gamma) for gamma < 4/7.
        So one of the distances (1 - gamma)^T x_0 will do. p and g only fall, g to 0, so that the bounds q and X are good
        for all visits, and p - gamma x/2 at g >= 0 is no less than v.
        """
        (p, z, W), g, q = self.places, self.room, self._last
        a, gamma, delta = self.f.A[0, 0], self.f.gamma.item(), self.f.delta.item()
        most = 2 * g / (a * gamma * W)
        return margins(
            [
                a,
                gamma,
                4 - 7 * gamma,
                g,
                p - z,
                z,
                delta - a * z * (p + W),
                self._room_after(),
                W - p,
                a * W * (W + q - most) - delta,
                (3 - 2 * gamma) * (q - most) + gamma * (q - W),
                min(delta - a * p * most, self.retreat - g / (a * (q + W))),
            ]
        )

    def _room_after(self) -> fmpq:
        p, z, W = self.places
        after = p - self.f.gamma.item() * (p - z) / 2
        return self.f.A[0, 0] * after * (after + W) - self.f.delta.item()

    def next(self) -> Visit:
        """The next visit: after one step with delta, and as many without as g, if positive, needs to stay so in another."""
        delta, now = self.f.delta, Visit(self.f.step())
        while now._room_after() <= 0 < now.room:
            now = Visit(now.f.replace(delta=0 * delta).step().replace(delta=delta))
        return now


# Only a visit that is certain to repeat refutes "constant in the end"; a single return would say nothing.
def is_visit(f: LocalmaxStep) -> bool:
    """Whether a token comes near a vertex and leaves it infinitely often, with delta at ever rarer steps."""
    if f.z.shape != (3, 1) or f.which != ADDITIVE or not 0 < f.gamma.item() < 1 or not is_positive_definite(f.A):
        return False
    return f.z[2, 0] < 0 < f.z[0, 0] and bool((Visit(f).margins() > 0).all())


# x is 1/16 or 1/8 above the least at which z still attends to -W, where p, at g > 0, does not.
def visiting_start(draws: Draws) -> LocalmaxStep:
    """p a little above v, z a little below, delta = a v (v + W): what :class:`Visit` describes; or another x."""
    v = draws.integer(2, 4)
    W, a = v + draws.integer(1, 2), draws.integer(1, 2)
    gamma = draws.choice((fmpq(1, 2), fmpq(1, 3), fmpq(1, 4)))
    delta = fmpq(a * v * (v + W))
    p = v + fmpq(1, 1 << draws.integer(8, 12))
    least = (a * p * (p + W) - delta) / (a * (p + W))
    x = least * (1 + fmpq(draws.integer(1, 2), 16))
    return LocalmaxStep.instance(z=[[p], [p - x], [-W]], A=[[a]], gamma=gamma, delta=delta)


# With half of delta nothing is thrown back, and the sets are constant: the statement holds there, as most random starts.
def visit_or_calm(draws: Draws) -> LocalmaxStep:
    """A visit, or the same tokens with half the sensitivity, under which z does not attend to -W and comes nearer."""
    f = visiting_start(draws)
    return f if draws.choice(("visit", "calm")) == "visit" else f.replace(delta=f.delta / 2)


def _on_both_sides(f: LocalmaxStep) -> bool:
    return f.z.shape == (3, 1) and f.which == ADDITIVE and bool(f.z[2, 0] < 0 < f.z[1, 0] < f.z[0, 0])


# Only the shape: whether it is a visit, and for how long, is what the statement is about.
two_against_one = Assumption(
    "two_against_one",
    "tokens p > z > 0 > -W on a line, neighbours by gap_i(z_j) <= delta",
    satisfies=_on_both_sides,
    restrict=lambda f: f if _on_both_sides(f) else _another_visit(f),
    violate=lambda f, draws: f.replace(z=-f.z),
)


def _another_visit(f: LocalmaxStep) -> LocalmaxStep:
    """v = 2, W = 3, a = 1 and the step size 1/3, p a little nearer to v the larger delta was."""
    p = 2 + 1 / (256 + f.delta.item())
    x = (p * (p + 3) - 10) / (p + 3) * fmpq(9, 8)
    return LocalmaxStep.instance(z=[[p], [p - x], [-3]], gamma="1/3", delta=10)


def _not_a_visit(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """z so far from p that p is thrown back too far, -W nearer than p, or delta so large that p attends to it."""
    kind, z = draws.choice(("far", "near", "heard")), f.z.copy()
    if kind == "heard":
        return f.replace(delta=2 * f.delta)
    z[1 if kind == "far" else 2, 0] = z[0, 0] / 2 * (1 if kind == "far" else -1)
    return f.replace(z=numbers(z))


# 4/7 is where the interval of good distances, of ratio 4/(3 gamma), no longer contains one of x_0 (1 - gamma)^T.
a_visit = Assumption(
    "a_visit",
    "p > z > 0 > -W on a line, W > p, A > 0, 0 < gamma < 4/7, neighbours by gap_i(z_j) <= delta, and the margins of a "
    "visit: g > 0 stays positive in this step, z attends to -W, which attends only to itself, and g is small",
    satisfies=is_visit,
    restrict=lambda f: f if is_visit(f) else _another_visit(f),
    violate=_not_a_visit,
)
