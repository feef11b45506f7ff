"""Starts of flows: few tokens of moderate size, whose limits are soon decided, some tied, mirrored, at 0 or on a circle."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, indicator, transposed
from dynamics.limits import TiedEnd, TokensEnd
from dynamics.tokens.multi_head import MultiHeadStep
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_starts import TwoStarts


# Bounded away from 0: limits that differ by such numbers are told apart early.
def _units(draws: Any, *shape: int) -> Array:
    """From 1 to 2, in sixteenths."""
    drawn = abs(draws.dyadic(*shape, size=1))
    return np.asarray(drawn + indicator(np.ones(shape, dtype=bool), drawn))


def _placed(entries: Array, pattern: Any) -> Array:
    """Entries (..., 1, 1) times a pattern of whole numbers, shape (..., *pattern)."""
    return np.asarray(entries * np.array(pattern))


def _one(like: Array) -> Array:
    """1 in the arithmetic and for each member of a batch of matrices (..., n, d), shape (..., 1, 1)."""
    return np.asarray(0 * like[..., :1, :1] + indicator(np.ones((1, 1), dtype=bool), like))


def _eye(like: Array, d: int) -> Array:
    """The identity (..., d, d) for such a batch."""
    return _placed(_one(like), np.eye(d, dtype=int))


def _at_once(z: Array, B: Array, V: Array) -> RescaledFlow:
    """The rescaled flow at time 0."""
    return RescaledFlow(z=z, B=B, V=V, t=0 * z[..., 0, 0])


# The order matters: the kinds are taken in turn, and a claim that ties refute reverses it.
TIES = (
    "any",
    "two coincide",
    "mirrored, one on the mirror",
    "on a face, one in its middle",
    "corners and midpoints",
    "opposite pairs, one at 0",
)


# Half of the tokens are mirrored ones: six in all at most, for enclosures of more take long.
def tokens_with_ties(draws: Any, d: int, kinds: Sequence[str]) -> Array:
    """Two to six tokens of one of the kinds, shape (..., n, d)."""
    kind = draws.choice(kinds)
    n = draws.integer(2, 5)
    x = draws.dyadic(n, d, size=2)
    if kind == "two coincide":
        x[..., -1, :] = x[..., 0, :]
    elif kind == "mirrored, one on the mirror":
        half = x[..., : n // 2, :]
        mirror = half.copy()
        mirror[..., -1] = -mirror[..., -1]
        middle = x[..., -1:, :].copy()
        middle[..., -1] = 0 * middle[..., -1]
        x = np.concatenate([middle, half, mirror], axis=-2)
    elif kind in ("on a face, one in its middle", "corners and midpoints"):
        ends = x[..., : 1 if kind == "on a face, one in its middle" else 2, :]
        height = np.concatenate([0 * ends[..., :1, :-1], 1 + abs(x[..., :1, -1:])], axis=-1)
        middle = ends - ends * indicator(np.arange(d) == d - 1, x)
        x = np.concatenate([middle, middle + height, middle - height], axis=-2)
    elif kind == "opposite pairs, one at 0":
        half = x[..., : n // 2, :]
        x = np.concatenate([0 * half[..., :1, :], half, -half], axis=-2)
    return np.asarray(x)


# M leaves out the last axis, along which the tokens are mirrored: else the mirror would be no symmetry of the scores.
def _matrices(draws: Any, d: int) -> tuple[Array, Array]:
    """B symmetric and positive definite, for half of the draws the identity, with the mirror as a symmetry; and I."""
    M = draws.dyadic(d, d, size=1, bits=1)
    scale = draws.integer(0, 1)
    last = indicator(np.arange(d) == d - 1, M)
    M = M * (1 - last) * (1 - last[:, None])
    return np.asarray(_eye(M, d) + scale * (M @ transposed(M))), _eye(M, d)


def rescaled_start(draws: Any, kinds: Sequence[str] = TIES) -> RescaledFlow:
    """Tokens of one of the kinds in the plane or in space, with V = I and B > 0."""
    d = draws.integer(2, 3)
    z = tokens_with_ties(draws, d, kinds)
    return _at_once(z, *_matrices(draws, d))


# The mirrored pair is 64 out and 2 apart: its scores differ by a part in two thousand.
def nearly_alike_or_rescaled(draws: Any) -> RescaledFlow:
    """The same; or one token alone, a polytope with one vertex; or two mirrored ones far out, with Q^T K = I.

    The two score hardly more with themselves than with each other.
    """
    kind = draws.choice(("nearly alike", "one alone", *TIES[::-1]))
    if kind != "nearly alike":
        d = draws.integer(2, 3)
        z = draws.dyadic(1, d, size=2) if kind == "one alone" else tokens_with_ties(draws, d, (kind,))
        return _at_once(z, *_matrices(draws, d))
    height = 1 + abs(draws.dyadic(1, 1, size=1)) / 16
    far, eye = 64 + 0 * height, _eye(height, 2)
    return _at_once(np.block([[far, height], [far, -height]]), eye, eye)


def start_with_a_token_at_0(draws: Any) -> RescaledFlow:
    """As `rescaled_start`, but opposite pairs with a token at 0 come first."""
    return rescaled_start(draws, TIES[::-1])


# Of a start without symmetries no token is known to rest, but all tokens at 0 do.
def at_rest(end: TokensEnd, start: RescaledFlow) -> Array:
    """Which tokens rest at 0 at all times, between others or with all of them, shape (n,)."""
    if isinstance(end, TiedEnd):
        return np.asarray((end.frozen == 1) & (start.z == 0).all(axis=-1))
    return np.array([bool((start.z == 0).all())] * len(start.z))


def untied_start(draws: Any) -> RescaledFlow:
    """As `rescaled_start`, in the plane and without symmetries; two tokens may coincide. Exact ties have no leader."""
    return _at_once(tokens_with_ties(draws, 2, TIES[:2]), *_matrices(draws, 2))


# With I added, (s, s) scores (2 + c^2) s^2 with itself and 5/2 s^2 with (0, 5/2 s): it leads itself, and yet its plain
# product with the other, 5/2 s^2, exceeds its own, 2 s^2. Random starts seldom do this.
def steep_start(draws: Any) -> RescaledFlow:
    """Two or three tokens in the plane, V = I, Q^T K = c e_1 e_1^T with c = 2, 1 or 3; the identity is added later."""
    kind, c = draws.choice(("outdone", "any")), draws.choice((2, 1, 3))
    if kind == "outdone":
        z = _placed(_units(draws, 1, 1), [[2, 2], [0, 5]]) / 2
    else:
        z = draws.dyadic(draws.integer(2, 3), 2, size=2, bits=1)
    return _at_once(z, _placed(c * _one(z), [[1, 0], [0, 0]]), _eye(z, 2))


def any_scores_start(draws: Any) -> RescaledFlow:
    """Tokens in the plane with V = I and any B."""
    z, B = draws.dyadic(draws.integer(2, 5), 2, size=2), draws.dyadic(2, 2, size=1, bits=2)
    return _at_once(z, B, _eye(z, 2))


def line_start(draws: Any) -> SelfAttentionFlow:
    """Two to six tokens on a line with Q^T K = V = 1."""
    x = draws.dyadic(draws.integer(2, 6), 1, size=2, bits=6)
    return SelfAttentionFlow(x=x, B=_one(x), V=_one(x))


def rescaled_line_start(draws: Any) -> RescaledFlow:
    """The same start of the rescaled flow, at time 0."""
    f = line_start(draws)
    return _at_once(f.x, f.B, f.V)


# The second token is the same in both starts: Lemma E asks for a path of starts along the first alone.
def bracket(draws: Any) -> TwoStarts:
    """Two tokens on a line: the second at 1 or beyond; the first at most -1 in one start, in [-1/4, 0) in the other."""
    second = 1 + abs(draws.dyadic(1, 1, size=1, bits=3))
    low, high = (abs(draws.dyadic(1, 1, size=1, bits=4)) for _ in range(2))
    one = _one(second)
    both = [np.concatenate([first, second], axis=-2) for first in (-one - low, -(one + high) / 8)]
    return TwoStarts(x=both[0], y=both[1], B=one, V=one)


# The trap of Lemma E waits until the first tokens are past their thresholds on different sides. The nearer a start is to
# the curve between the two sides, the later that is.
def times_of_brackets(start: TwoStarts) -> list[fmpq]:
    """1/2, 1, 2 and 3: when to look for first tokens that run off to different sides."""
    return [fmpq(k, 2) for k in (1, 2, 4, 6)]


# ---------------------------------------------------------------------------------------------------------------------
# A leading direction or eigenspace of V, a token at 0 on a line, a circle


# B need be neither symmetric nor definite: Theorem 4.2 asks for B_11 > 0 alone.
def leading_start(draws: Any, kinds: Sequence[str] = ("any", "any", "opposite pairs, one at 0")) -> RescaledFlow:
    """Two to five tokens in up to three dimensions, V_11 = 1 and the rest of V smaller, any B with B_11 = 1.

    Every third time two opposite pairs and a token at 0, which rests there.
    """
    d = draws.integer(1, 3)
    z = draws.dyadic(draws.integer(2, 5), d, size=2)
    if draws.choice(kinds) != "any":
        half = z[..., :2, :]
        z = np.concatenate([0 * half[..., :1, :], half, -half], axis=-2)
    # Entries of at most 1/8: the other rows sum to less than V_11 = 1, as `leading_direction` asks.
    V = draws.dyadic(d, d, size=1, bits=2) / 8
    B = draws.dyadic(d, d, size=1, bits=2) / 4
    first = indicator(np.arange(d) == 0, V)
    corner = first[:, None] * first
    rest = (1 - first)[:, None] * (1 - first)
    return _at_once(z, B * (1 - corner) + corner, V * rest + corner)


def leading_definite_start(draws: Any) -> RescaledFlow:
    """The same with B = I + M M^T for a small M."""
    f = leading_start(draws)
    eye = _eye(f.B, f.B.shape[-1])
    M = (f.B - eye) / 2
    return f.replace(B=eye + M @ transposed(M))


# B_11 = 1 - 2 = -1, the rest as before.
def repelling_start(draws: Any) -> RescaledFlow:
    """The same with B_11 = -1."""
    f = leading_start(draws, ("any",))
    first = indicator(np.arange(f.B.shape[-1]) == 0, f.B)
    return f.replace(B=f.B - 2 * first[:, None] * first)


# Moved by 2 along the first axis, by more than any coordinate: all tokens are on one side of 0, and the limit is not 0.
def one_sided_start(draws: Any) -> RescaledFlow:
    """Two to five tokens in the plane on one side of 0, V = I and B = -I or near it."""
    z = draws.dyadic(draws.integer(2, 5), 2, size=1)
    z = z + 2 * indicator(np.arange(2) == 0, z)
    M = draws.dyadic(2, 2, size=1, bits=1) / 4
    return _at_once(z, -_eye(z, 2) - M @ transposed(M), _eye(z, 2))


# 1/2 apart or more, so that the symmetric starts are caught at an early time.
def line_start_with_a_token_at_0(draws: Any) -> RescaledFlow:
    """Opposite pairs on a line, at least 1/2 apart, with a token at 0; or any tokens. V = Q^T K = 1, t = 0."""
    kind = draws.choice(("opposite pairs and 0", "any"))
    half = draws.dyadic(draws.integer(1, 2), 1, size=2, bits=3)
    one = _one(half)
    half = np.where(half == 0, half + one, half)
    pairs = np.cumsum(abs(half) + one / 2, axis=-2)
    z = half if kind == "any" else np.concatenate([pairs, 0 * half[..., :1, :], -pairs], axis=-2)
    return _at_once(z, one, one)


def pairs_and_0_or_any(draws: Any) -> SelfAttentionFlow:
    """The same start of the flow of x, or two to six tokens on a line."""
    kind = draws.choice(("any on a line", "pairs and 0 on a line"))
    if kind == "any on a line":
        return line_start(draws)
    f = line_start_with_a_token_at_0(draws)
    return SelfAttentionFlow(x=f.z, B=f.B, V=f.V)


# The slow rate is between -1/2 and 1/2, so that |mu| < 1 is met by all.
def block_start(draws: Any) -> RescaledFlow:
    """Tokens in two or three dimensions; V = 1 but for the last axis, where it is smaller; B = I or near it."""
    d = draws.integer(2, 3)
    z = draws.dyadic(draws.integer(2, 5), d, size=2)
    last = indicator(np.arange(d) == d - 1, z)
    corner = last[:, None] * last
    eye = _eye(z, d)
    slow = draws.dyadic(1, 1, size=1, bits=2) / 2
    M = draws.dyadic(d, d, size=1, bits=1) / 4
    return _at_once(z, eye + M @ transposed(M), eye + (slow - 1) * corner)


# For a small s the limits are (1, c) and (1, -c) with c of the order e^{-1/(2 s^2)}: from s = 1/2 on balls tell them apart.
def pair_start(draws: Any) -> RescaledFlow:
    """(1, s) and (1, -s) with s from 1/2 to 3/2, V = B = I, t = 0."""
    s = _units(draws, 1, 1)
    s = s - _one(s) / 2
    one, eye = _one(s), _eye(s, 2)
    return _at_once(np.block([[one, s], [one, -s]]), eye, eye)


# Rounded to whole numbers; radius 6, where each corner has its largest score with itself by far and hardly moves.
HEPTAGON = ((6, 0), (4, 5), (-1, 6), (-5, 3), (-5, -3), (-1, -6), (4, -5))


def circle_start(draws: Any) -> RescaledFlow:
    """Seven tokens near a circle of radius 6, or the first four of them, each moved a little; V = B = I."""
    corners = np.array(HEPTAGON)[: draws.choice((7, 4))]
    # At most 1/4, where every corner is more than 2 away from the line through its neighbours: all stay vertices.
    move = draws.dyadic(len(corners), 2, size=1, bits=3) / 4
    return _at_once(move + corners * _one(move), _eye(move, 2), _eye(move, 2))


# V = -I and Q^T K = I are those of the printed theorem; a hypothesis makes other scores of it.
def collapsing_start(draws: Any) -> SelfAttentionFlow:
    """Two to five tokens in up to three dimensions, V = -I and Q^T K = I."""
    d = draws.integer(1, 3)
    x = draws.dyadic(draws.integer(2, 5), d, size=2)
    return SelfAttentionFlow(x=x, B=_eye(x, d), V=-_eye(x, d))


# Second coordinates 0, 1/4, 1/2, ...: they never move, so that tokens have as many limits.
def kernel_start(draws: Any) -> RescaledFlow:
    """Four to six tokens in the plane with different second coordinates, V = diag(1, 0), Q^T K = I."""
    z = draws.dyadic(draws.integer(4, 6), 2, size=2)
    heights = np.arange(z.shape[-2])[:, None] * _one(z)
    z = np.concatenate([z[..., :1], heights / 4], axis=-1)
    return _at_once(z, _eye(z, 2), _placed(_one(z), [[1, 0], [0, 0]]))


def mirrored_start(draws: Any) -> SelfAttentionFlow:
    """u and -u on a line, V = -1, Q^T K = 1 or -1."""
    u = abs(draws.dyadic(1, 1, size=2))
    unit = _one(u)
    u = np.where(u == 0, unit, u)
    return SelfAttentionFlow(x=np.concatenate([u, -u], axis=-2), B=unit * draws.choice((1, -1)), V=-unit)


# Q^T K = 1, so that the sign of V alone decides whether z runs off.
def rescaled_mirrored_start(draws: Any) -> RescaledFlow:
    """u and -u on a line, V = 1 or -1, Q^T K = 1, t = 0."""
    f = mirrored_start(draws)
    sign = draws.choice((1, -1))
    return _at_once(f.x, -f.V, -sign * f.V)


# ---------------------------------------------------------------------------------------------------------------------
# For what the paper leaves open: different rates, larger moduli, perceptrons, several heads, turning values


# V has two different rates, a + b > a: a double one would be another question.
def corners_start(draws: Any) -> RescaledFlow:
    """The corners of a rectangle around 0, V = diag(a + b, a), Q^T K = diag(c, c'), all positive, t = 0."""
    u, v, a, b, c, other = (_units(draws, 1, 1) for _ in range(6))
    signs = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    z = _placed(u, signs * [1, 0]) + _placed(v, signs * [0, 1])
    V = _placed(a, np.eye(2, dtype=int)) + _placed(b, [[1, 0], [0, 0]])
    B = _placed(c, [[1, 0], [0, 0]]) + _placed(other, [[0, 0], [0, 1]])
    return _at_once(z, B, V)


def different_rates_start(draws: Any) -> RescaledFlow:
    """Three or four tokens in the plane, V = diag(2, 1), Q^T K = I, t = 0."""
    z = draws.dyadic(draws.integer(3, 4), 2, size=2)
    return _at_once(z, _eye(z, 2), _placed(_one(z), [[2, 0], [0, 1]]))


# A token prefers its mirror image to all others only if no other one is nearly opposite to it.
DIRECTIONS = np.array([[7, 0], [0, 7], [5, 5], [5, -5]])
"""Four directions of nearly one length, any two of them far from opposite."""


# The heights f are about -3/8, -1/8, 1/8, 3/8: small beside |y| = 7, so that y decides all scores.
def mirrored_pairs_start(draws: Any) -> RescaledFlow:
    """Four pairs (f, y), (f, -y), y from DIRECTIONS, V = diag(1, -mu, -mu), mu >= 1, Q^T K = diag(1, -1, -1), t = 0."""
    move = draws.dyadic(4, 1, size=1, bits=3) / 32
    one = _one(move)
    f = move + np.array([[-3], [-1], [1], [3]]) * one / 8
    rows = [np.concatenate([f, sign * DIRECTIONS * one], axis=-1) for sign in (1, -1)]
    V = _placed(one, np.diag([1, 0, 0])) - _placed(_units(draws, 1, 1), np.diag([0, 1, 1]))
    return _at_once(np.concatenate(rows, axis=-2), _placed(one, np.diag([1, -1, -1])), V)


# Lemma S asks for s > 3c/2 and a large enough r; from s = 5c/2 on every r >= 1 is large enough.
def triangle_start(draws: Any) -> SelfAttentionFlow:
    """(r, 0), (0, r), (-r, -r), r from 1 to 2, V = -I, Q^T K = [[c, -c/2 - s], [-c/2 + s, c]] with s from 5c/2 on."""
    r, c, more = (_units(draws, 1, 1) for _ in range(3))
    s = c * (3 + 2 * more) / 2
    B = _placed(c / 2, [[2, -1], [-1, 2]]) + _placed(s, [[0, -1], [1, 0]])
    return SelfAttentionFlow(x=_placed(r, [[1, 0], [0, 1], [-1, -1]]), B=B, V=-_eye(c, 2))


# At least 1 apart and at most -1: the sums that Lemma P asks for are small there.
def perceptron_line_start(draws: Any) -> PerceptronFlow:
    """Two to six distinct tokens below 0 on a line, V = W = Q^T K = 1, t = 0."""
    steps = _units(draws, draws.integer(2, 6), 1)
    z = -np.cumsum(steps, axis=-2)
    one = _one(z)
    return PerceptronFlow(z=z, B=one, V=one, W=one, t=0 * z[..., 0, 0])


def perceptron_start(draws: Any) -> PerceptronFlow:
    """One to four tokens in up to three dimensions, of size 1, at a time up to 3; any matrices of size 1."""
    d = draws.integer(1, 3)
    z = draws.dyadic(draws.integer(1, 4), d, size=1)
    B, V, W = (draws.dyadic(d, d, size=1) for _ in range(3))
    return PerceptronFlow(z=z, B=B, V=V, W=W, t=abs(draws.dyadic(size=draws.choice((1, 3)))))


# From +-1 on the rows of P differ: means of equal rows would make the bound 0 >= 0.
def pair_far_apart(draws: Any) -> SelfAttentionFlow:
    """Two tokens on a line, from 1 to 3 on either side of 0, or any one to four in up to three dimensions."""
    far = draws.choice(("far apart", "any")) == "far apart"
    d = 1 if far else draws.integer(1, 3)
    x = draws.dyadic(2 if far else draws.integer(1, 4), d, size=2)
    B = draws.dyadic(d, d, size=1)
    if far:
        x, B = np.array([[1], [-1]]) * (abs(x) + _one(x)), _one(x)
    return SelfAttentionFlow(x=np.asarray(x), B=B, V=0 * B)


# A step of 1/4 to 1/2 times V from 1 to 2 moves a token visibly, and a few steps pass the threshold.
def heads_start(draws: Any) -> MultiHeadStep:
    """Two to five tokens on a line, one to three heads with positive scores and values, a step size from 1/4 to 1/2."""
    n, h = draws.integer(2, 5), draws.integer(1, 3)
    x, B, V = draws.dyadic(n, 1, size=2, bits=5), _units(draws, h, 1, 1), _units(draws, h, 1, 1)
    return MultiHeadStep(x=x, B=B, V=V, dt=_units(draws, 1, 1)[..., 0, 0] / 4)


def turning_start(draws: Any) -> SelfAttentionFlow:
    """Two or three tokens in the plane, V = I + omega J with omega from 1/2 to 1 of either sign, Q^T K = I."""
    x = draws.dyadic(draws.integer(2, 3), 2, size=2)
    omega = _units(draws, 1, 1) * draws.choice((1, -1)) / 2
    return SelfAttentionFlow(x=x, B=_eye(x, 2), V=_eye(x, 2) + _placed(omega, [[0, -1], [1, 0]]))


# All in one place for one draw in three: nothing moves, and both sides are 0.
def rescaled_turning_start(draws: Any) -> RescaledFlow:
    """The rescaled flow from the same tokens, apart or all in one place, any Q^T K of size 1, at a time up to 1."""
    f, B = turning_start(draws), draws.dyadic(2, 2, size=1)
    z = f.x[..., :1, :] + draws.choice((1, 1, 0)) * (f.x - f.x[..., :1, :])
    return RescaledFlow(z=z, B=B, V=f.V, t=abs(draws.dyadic(size=1)))


# mu >= 1 = lambda: the modulus of the negative rate is the larger one, as the question has it.
def negative_rate_start(draws: Any) -> SelfAttentionFlow:
    """Two to four tokens in the plane, V = diag(1, -mu) with mu from 1 to 2, Q^T K = I."""
    x, mu = draws.dyadic(draws.integer(2, 4), 2, size=2), _units(draws, 1, 1)
    V = _placed(_one(mu), [[1, 0], [0, 0]]) - _placed(mu, [[0, 0], [0, 1]])
    return SelfAttentionFlow(x=x, B=_eye(x, 2), V=V)


def beyond_the_curve_start(draws: Any) -> SelfAttentionFlow:
    """Two tokens on a line, the first at -513/1000 or below, the second from 1/4 to 4; V = Q^T K = 1."""
    # Half of them within 1/64 of the curve, where the first token takes longest to run off.
    first = draws.dyadic(1, 1, size=1, bits=10) / draws.choice((64, 1))
    one = _one(first)
    second = (one + abs(draws.dyadic(1, 1, size=15))) / 4
    x = np.concatenate([-one * 513 / 1000 - abs(first), second], axis=-2)
    return SelfAttentionFlow(x=x, B=one, V=one)


# The scores on F are not symmetric: else Lemma T4'' decides, and the question is for the others.
def skew_block_start(draws: Any) -> RescaledFlow:
    """Two or three tokens in space, V = diag(1, 1, 1/2), any Q^T K of size 1, t = 0."""
    z = draws.dyadic(draws.integer(2, 3), 3, size=2)
    return _at_once(z, _eye(z, 3) + draws.dyadic(3, 3, size=1, bits=2) / 2, _placed(_one(z), np.diag([2, 2, 1])) / 2)
