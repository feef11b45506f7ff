"""Starts near equality: one token exceeds all others in score by about 1 + omega_n; antipodal atoms."""

from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are used
from flint import fmpq

from claims.instances.builders import draw_system
from claims.stating.statement import Draws
from dynamics.arithmetic import Array, exact, indicator
from dynamics.system import System
from dynamics.tokens.discrete_attention import RescaledAttentionStep
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts

# Rounded, omega_n is a rational: the start is exact, and 2^-12 off equality at most.
PLACES = 12
"""Bits of the rational that replaces omega_n."""

# After k such times e^t is about 2^k, so that z = x/2^k is a rational as well.
LOG_TWO = fmpq(2839, 1 << PLACES)
"""About the time in which tokens double at the rate 1."""


# All others have one score with the first token, 1 + omega_n behind its own: there the softmax mean misses the maximum by
# just omega_n.
def _line(draws: Any) -> tuple[Array, Array, Array]:
    """Tokens a, b, ..., b, or a alone, on the line, shape (..., n, 1), B and zeros (..., 1, 1).

    Either a (a - b) or b (a - b) is near 1 + omega_n.
    """
    n = draws.integer(1, 6)
    a = abs(draws.dyadic(1, 1, size=2)) + draws.dyadic(1, 1, size=1, bits=0) ** 2
    zero = 0 * a
    one = fmpq(1) if a.dtype == object else 1.0
    a = np.where(a == 0, zero + one, a)
    units = round((1 + scipy.special.lambertw((n - 1) / np.e).real) * 2**PLACES)
    ahead = one * units / 2**PLACES + draws.dyadic(1, 1, size=1) / draws.choice((1024, 64))
    # Either token a has its largest score with itself, or the others have theirs with it: near equality in either case.
    leader, other = (a, a - ahead / a) if draws.integer(0, 1) else (a + ahead / a, a)
    others = np.broadcast_to(other, (*a.shape[:-2], n - 1, 1))
    # Half the score where a hypothesis will add the transpose.
    score = one / draws.choice((1, 2))
    return np.concatenate([leader, others], axis=-2), zero + score, zero


def extremal_flow(draws: Any) -> SelfAttentionFlow:
    """The flow in x from such a start, B = 1 or 1/2."""
    x, score, zero = _line(draws)
    return SelfAttentionFlow(x=x, B=score, V=zero + 1)


# In a plane the second coordinate is one of its own: scores and rates of the first are as on the line.
def extremal_rescaled_flow(draws: Any) -> RescaledFlow:
    """The rescaled flow from such a start, on the line or in a plane: at time 0 with any rate V, or at a later time."""
    where = draws.choice(("on the line", "in a plane", "later"))
    z, score, zero = _line(draws)
    if where == "later":
        doubled = draws.integer(1, 4)
        t = doubled * LOG_TWO.p * (zero[..., 0, 0] + 1) / LOG_TWO.q
        return RescaledFlow(z=z / (1 << doubled), B=score, V=zero + 1, t=t)
    rate = abs(draws.dyadic(1, 1, size=2))
    if where == "on the line":
        return RescaledFlow(z=z, B=score, V=rate + zero, t=zero[..., 0, 0])
    first = np.array([[1, 0], [0, 0]])
    z = np.concatenate([z, draws.dyadic(z.shape[-2], 1, size=1)], axis=-1)
    B, V = (draws.dyadic(2, 2, size=1) * (1 - first) + corner * first for corner in (score, rate))
    return RescaledFlow(z=z, B=B, V=V, t=zero[..., 0, 0])


# Tokens scaled by (1 + dt)^k at the k-th step have in x the scores of the start; a short step stays near its tangent.
def extremal_step(draws: Any) -> RescaledAttentionStep:
    """A short step from such a start."""
    z, score, zero = _line(draws)
    short = (zero[..., 0, 0] + 1) / (1 << draws.choice((20, 6)))
    k = draws.integer(0, 16)
    return RescaledAttentionStep(z=z / (1 + short[..., None, None]) ** k, B=score, V=zero + 1, dt=short, k=0 * short + k)


def extremal_or_drowned(draws: Any) -> RescaledFlow:
    """Such a start, its first token alone, or one in the plane at time 0 where the rest of the scores outweighs products.

    Either one token exceeds all others, which are at (h, h): its remainder is -h^2 and theirs h^2. Or the scores are 1, -1
    or 0 times f_i f_j, because a second coordinate -f_j and B_12 = c cancel c f_i f_j.
    """
    kind = draws.choice(("extremal", "one ahead", "turned around", "alone"))
    if kind in ("extremal", "alone"):
        f = extremal_rescaled_flow(draws)
        return f if kind == "extremal" else f.replace(z=f.z[..., :1, :])
    if kind == "one ahead":
        h = 32 * (2 + abs(draws.dyadic(1, 1, size=2, bits=0)))
        behind, one, zero = 4 + abs(draws.dyadic(1, 1, size=2)), 0 * h + 1, 0 * h
        rows = [[3 * h - behind / h, -h], *[[h, h]] * draws.integer(2, 5)]
        scores = [[one, zero], [zero, one]]
        z, B = np.block(rows), np.block(scores)
    else:
        strength, turned = draws.choice((2, 1)), draws.choice((1, -1, 0))
        line, one, zero = _line(draws)
        z, one = np.concatenate([line, -line], axis=-1), zero + 1
        B = np.block([[strength * one, strength * one], [zero, turned * one]])
    first = np.array([[1, 0], [0, 0]])
    return RescaledFlow(z=z, B=B, V=one * first, t=zero[..., 0, 0])


# At rest L' = 0: the statement is not strict.
def any_or_resting_flow(draws: Draws) -> System:
    """Any start, or all tokens at 0, where nothing moves."""
    share, f = draws.choice((1, 1, 1, 0)), draw_system(SelfAttentionFlow, draws)
    return f.replace(x=share * f.arrays()["x"])


# Of equal prompts both sides are 0. Pairs of any size have |B| R^2 = 1: the exponent of C(R) stays what it is.
def prompts_near_the_bound(draws: Any) -> TwoPrompts:
    """Any two prompts, or on the line: a prompt and its translate under tiny scores; equal prompts; pairs of any size.

    The pairs have |B| R^2 = 1, and one of the two atoms at R and -R is moved a little.
    """
    kind = draws.choice(("any", "moved", "the same", "small or large"))
    f = draw_system(TwoPrompts, draws)
    assert isinstance(f, TwoPrompts)
    if kind == "any":
        return f
    if kind == "the same":
        return f.replace(y=f.x)
    x, B, V, p = f.x[..., :1], f.B[..., :1, :1], f.V[..., :1, :1], f.p[..., :1]
    if kind == "moved":
        # Under tiny scores all tokens weigh alike: the two fields differ by V times the translation, and the constant of
        # the bound is nearly |V|, so that it is nearly attained.
        return TwoPrompts(x=x, y=x + 1 + abs(p)[..., None, :], p=p, B=B / (1 << 16), V=V)
    one = 0 * B + 1
    size = one * (1 << draws.integer(0, 3)) / (1 << draws.integer(0, 3))
    pair = np.concatenate([size, -size], axis=-2)
    moved = np.concatenate([size - size / 64, -size], axis=-2)
    return TwoPrompts(x=pair, y=moved, p=size[..., 0], B=one / size**2, V=one)


# Half-way the distance to {0, e} is largest, e/2, and both sides of the inequality are of the order e^2/2.
def half_way_or_extremal(draws: Any) -> RescaledFlow:
    """Such a start, or on the line at a late time a token about half-way from 0 to the outer one of its side."""
    kind = draws.choice(("extremal", "half way"))
    if kind == "extremal":
        return extremal_rescaled_flow(draws)
    z, score, zero = _line(draws)
    end = abs(z[..., :1, :])
    middle = end / 2 + draws.dyadic(1, 1, size=1) / draws.choice((1024, 16))
    late = 4 + abs(draws.dyadic(size=2))
    return RescaledFlow(z=np.concatenate([end, middle], axis=-2), B=score, V=zero + 1, t=late)


# At p = 0 the two weights are equal, and the bound is attained; near it, nearly so.
def antipodal(draws: Any) -> TwoPrompts:
    """On the line: atoms at R and -R in equal number, and a point near 0."""
    f = draw_system(TwoPrompts, draws)
    assert isinstance(f, TwoPrompts)
    x, y = (np.concatenate([tokens[..., :1], -tokens[..., :1]], axis=-2) for tokens in (f.x[..., :1, :], f.y[..., :1, :]))
    near = f.p[..., :1] / draws.choice((1 << 12, 1 << 6, 1))
    return TwoPrompts(x=x, y=y, p=near, B=f.B[..., :1, :1], V=f.V[..., :1, :1])


def antipodal_or_any(draws: Any) -> System:
    """The same with B and V four times as large, or any start."""
    if draws.choice(("any", "antipodal")) == "any":
        return draw_system(TwoPrompts, draws)
    f = antipodal(draws)
    return f.replace(B=4 * f.B, V=4 * f.V)


# After a step of 2^14 a token is at the mean: nothing of its own place is left to hide a wrong factor.
def any_or_long_step(draws: Draws) -> System:
    """Any start, half of them with a step up to 2^14 times as long, which goes nearly all the way to the mean."""
    f = draw_system(RescaledAttentionStep, draws)
    long = draws.integer(0, 14) * draws.integer(0, 1)
    return f.replace(dt=f.arrays()["dt"] * (1 << long))


# The bound allows for remainders of twice their size: only where those of the leader and of the others have opposite signs
# is that needed.
def large_remainders_or_any(draws: Draws) -> System:
    """One token ahead in F and all others at one place, whose scores in G almost cancel its lead; or any start.

    Or such a start on the line, where there are no remainders. At (h, h) the others have the remainders h^2 and -h^2, and
    the score of (3 h - s/h, -h) is s below their own.
    """
    kind = draws.choice(("large remainders", "any", "on the line"))
    if kind == "any":
        return draw_system(RootedAttention, draws)
    if kind == "on the line":
        return RootedAttention.instance(z=_line(draws)[0])
    h, behind, others = 1 << draws.integer(4, 8), draws.integer(4, 12), draws.integer(2, 5)
    z = exact([[3 * h - fmpq(behind, h), -h], *[[h, h]] * others])
    return RootedAttention.instance(z=z, V=exact([[1, 0], [0, 0]]))


# Tokens in one place have no differences that move them, and with B_12 alone one pair of coordinates is the whole
# remainder.
def one_pair_or_any(draws: Draws) -> System:
    """Any start, or tokens at one point of a plane with B_12 the only entry of B: the bound is attained."""
    f = draw_system(RescaledFlow, draws)
    if draws.integer(0, 1):
        return f
    z, d = f.arrays()["z"], f.arrays()["V"].shape[-1]
    pair = np.arange(d * d).reshape(d, d) == 1
    return f.replace(z=z[..., :1, :] + 0 * z, B=f.arrays()["B"] * indicator(pair, z))


# A token at 0 scores 0 with all: they lead it together, and their sum is n times their mean.
def token_at_0_or_any(draws: Draws) -> System:
    """Any start, every second time translated so that the first token is at 0."""
    share, f = draws.choice((1, 0)), draw_system(RescaledFlow, draws)
    z = f.arrays()["z"]
    return f.replace(z=z - share * z[..., :1, :])
