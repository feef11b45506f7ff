"""A token at x_i >= 0 on the line attends to all but the last token by e^{-c x_i} at most.

Slides, proof of Theorem 1 (clusters L3): c is the least distance of neighbours, which never falls. The chain is printed
under x_i -> infinity, for large times; its second step needs x_i >= 0, of this token alone.
"""

from typing import Any

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line, ordered_tokens
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exp, peak
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'WLOG particles are ordered', proof of Theorem 1",
    refs=("L3",),
    statement=(
        "Suppose lim_{t -> infinity} x_i(t) = infinity. For any j != n, P_{ij}(t) = ... <= e^{-x_i(t)(x_n(t) - x_j(t))} "
        "<= e^{-c x_i(t)}."
    ),
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, ordered_tokens),
    equivalent={
        "others_below_their_distance: last = 1 => 19/20": (
            "A factor e^{(1 - last) x_i (-x_n)} of P_ij e^{x_i (x_n - x_j)} = P_in: above 1 only if x_i < 0 < "
            "x_n, and then P_in <= e^{x_i (x_n - x_i)}."
        ),
        "others_below_their_distance: last = 1 => 999/1000": (
            "A factor e^{(1 - last) x_i (-x_n)} of P_ij e^{x_i (x_n - x_j)} = P_in: above 1 only if x_i < 0 < "
            "x_n, and then P_in <= e^{x_i (x_n - x_i)}."
        ),
    },
)


def least_gap(x: Array) -> Array:
    """c = min_i (x_{i+1} - x_i) of ordered numbers (..., n), shape (..., 1); 0 for one number."""
    return -peak(x[..., :-1] - x[..., 1:]) if x.shape[-1] > 1 else 0 * x


def below_gap(at: Array, x: Array, gap: Any) -> Array:
    """at_i (x_n - x_j) - c at_i for j != n, shape (..., n, n - 1)."""
    return at[..., :, None] * (x[..., None, -1:] - x[..., None, :-1] - gap * least_gap(x)[..., None])


@claim.state(">= 0")
def others_below_their_distance(f: SelfAttentionFlow, *, last=1):
    """1 - P_ij e^{x_i (x_n - x_j)} for j != n, for every i."""
    x, P = f.x[..., 0], f.attention()
    apart = last * x[..., None, -1:] - x[..., None, :-1]
    return 1 - P[..., :-1] * exp(x[..., :, None] * apart)


@claim.state(">= 0")
def distance_below_gap(f: SelfAttentionFlow, *, gap=1):
    """x_i (x_n - x_j) - c x_i for j != n, and 0 where x_i < 0."""
    x = f.x[..., 0]
    return below_gap((x + abs(x)) / 2, x, gap)


@claim.state(">= 0")
def last_takes_the_rest(f: SelfAttentionFlow):
    """(n - 1) e^{-c x_i} - (1 - P_in), with 1 - P_in as the sum of the other weights."""
    x, n = f.x[..., 0], f.x.shape[-2]
    return (n - 1) * exp(-x * least_gap(x)) - f.attention()[..., :-1].sum(axis=-1)
