"""Limits of tokens as a trap shows them, in the vocabulary of the limits of orbits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dynamics.arithmetic import Array
from dynamics.choices import UndecidedError


@dataclass(frozen=True)
class TokensEnd:
    """The limit of every token and of every row of attention, for ever from the state on.

    The limits are of the rescaled tokens z = e^{-tV} x in the flow's own time; of a state of the flow of x, which knows no
    time, of e^{-(t-T)V} x(t).
    """

    limits: Array
    """Balls, shape (n, d)."""
    leaders: Array
    """For each token the one whose limit it has, itself for a leader, shape (n,); -1 where it has no leader's limit."""
    classes: Array
    """A number for each token, the same for tokens with the same limit, shape (n,)."""
    attention: Array
    """The limit P* of attention, exact rationals, shape (n, n)."""
    rank: int
    """The rank of P*."""
    vertices: Array
    """One token for each vertex of the limit of the hulls: the vertex is its limit; shape (m,)."""
    count: int | None
    """How many different limits there are; None where balls do not tell two of them apart."""

    @property
    def number_of_limits(self) -> int:
        """How many different limits there are. Raises UndecidedError where balls do not tell."""
        if self.count is None:
            raise UndecidedError("two limits are not told apart")
        return self.count

    @property
    def number_of_vertices(self) -> int:
        """How many vertices the limit of the hulls has."""
        return len(self.vertices)


@dataclass(frozen=True)
class LedEnd(TokensEnd):
    """Every token follows a leader (Lemma B2): rates and margins, in tau = lambda (t - T)."""

    in_class: Any
    """Y: for every follower the score margin of its leader in its class is at least Y e^{tau/2}; None without followers."""
    between: Any
    """M: score margins over other classes are at least M e^{3 tau/2}; None where there is one class."""
    in_weight: Any
    """N_Y: a row keeps off its leader at most N_Y exp(-Y e^{tau/2}) + N_M exp(-M e^{3 tau/2})."""
    between_weight: Any
    """N_M."""
    moved: Any
    """No leader moves farther than this from the state on."""
    offsets: Array
    """Balls around lim e^tau (z_leader - z_k), shape (n, d)."""
    least_margin: Any
    """<z_l*, B (z_l* - z_m*)> is at least this for different leaders l, m; None for one class."""


@dataclass(frozen=True)
class ThresholdEnd(TokensEnd):
    """Each token runs off to one side (Lemma A', d = 1)."""

    sides: Array
    """1 for a token that tends to +infinity, -1 to -infinity, shape (n,)."""
    gap: Any
    """Scaled gaps g: a row keeps off its end at most (n - 1) exp(-g r_i), r_i^2 = a_i + b_i (e^{2 tau} - 1)."""
    squares: Array
    """a_i, balls (n,)."""
    gains: Array
    """b_i, balls (n,)."""


@dataclass(frozen=True)
class TiedEnd(TokensEnd):
    """Symmetric starts: a token may end in the middle of leaders, or rest in the middle of all (Lemma D)."""

    frozen: Array
    """1 for a token that rests for ever, at 0 or at the point of their affine hull that symmetry fixes, shape (n,)."""
    between: Any
    """M: every margin is at least M e^{tau/2}; None where nothing is compared, and of a product."""
