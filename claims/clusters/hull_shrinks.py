"""The convex hull of the rescaled tokens shrinks for V = I.

`half_space_distance_grows`: The proof of the lemma on the slides. For H = {y: <l, y> <= c} the distance is (min_i <l, z_i>
- c)/|l|; its right derivative is the least <l, z_i'>/|l| over the tokens that attain the minimum.

`hull_shrinks`: The lemma in the proof of Theorem 2 on the slides (`p:noninc`). Each z_i' points from z_i to a convex
combination of the tokens. Only the rows of P being stochastic is used; Q^T K > 0, which the slides assume, is not needed.

`rescaled_tokens_stay_in_the_first_hull`: The corollary: every norm of a rescaled token is at most the largest initial one.

`hull_of_unscaled_tokens_shrinks`: The lemma is about z = e^{-tV} x. For x itself it is false.
"""

from typing import Any

import numpy as np
from flint import fmpq

from claims.clusters.setting.notation import squared_norms
from claims.stating.assumptions import identity_value
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, indicator, peak, transposed
from dynamics.attention import leaders
from dynamics.geometry import probing_directions
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__, refs=("H1",), system=RescaledFlow, assumptions=(identity_value,))

half_space_distance_grows = section.claim(
    where="slide 'Lemma', proof of Theorem 2, its proof",
    statement=(
        "Fix t > 0. Let H subset R^d be closed half-space not containing any z_i(t). Then "
        "alpha: s -> min_{i in [n]} dist(z_i(s), H) is increasing."
    ),
    origin=Origin.PRINTED,
)


# Other entries are not left out but repeat what is asked anyway: in a batch all members have one shape, and their lowest
# tokens differ in number.
def rates_of_the_lowest(heights: Array, rates: Array) -> Array:
    """The rates of the tokens of least height, shape (..., m, n); other entries repeat the mean of these."""
    lowest = leaders(-heights)
    share = indicator(lowest, heights)
    mean = (share * rates).sum(axis=-1, keepdims=True) / share.sum(axis=-1, keepdims=True)
    return np.where(lowest, rates, mean)


@half_space_distance_grows.state(">= 0")
def nearest_tokens_recede(f: RescaledFlow):
    """<l, z_i'> for each token i nearest to the half-space with normal l; other entries repeat the nearest ones' mean."""
    normals = probing_directions(f.z)
    return rates_of_the_lowest(normals @ transposed(f.z), f.rates(normals))


# Q^T K > 0 is not assumed: of P only its rows count.
hull_shrinks = section.claim(
    where="slide 'Lemma', proof of Theorem 2",
    statement=(
        "Setup: V = I_d, Q^T K > 0; working with z_i(t). Lemma t -> conv{z_i(t)}_{i in [n]} is decreasing: "
        "conv{z_i(t_2)}_{i in [n]} subseteq conv{z_i(t_1)}_{i in [n]} if t_1 <= t_2."
    ),
    origin=Origin.PRINTED,
)


def inward_rates(f: Any, normals: Array, rates: Array, pace: Any, room: Any) -> Array:
    """room pace (<l, z_i> - min_j <l, z_j>) + <l, z_i'> in directions l with lV = pace l, shape (..., m, n).

    In other directions a token inside may move outward faster than any room allows, and no hull grows: there <l, z_i'>
    for the tokens where <l, .> is least, which is all that is printed.
    """
    heights = normals @ transposed(f.z)
    inward = room * pace * (heights + peak(-heights)) + rates
    own = (normals @ f.V == pace * normals).all(axis=-1)[..., None]
    return np.where(own, inward, rates_of_the_lowest(heights, rates))


@hull_shrinks.state(">= 0")
def edges_move_inward(f: RescaledFlow, *, room=2):
    """room (<l, z_i> - min_j <l, z_j>) + <l, z_i'> for facet normals and other directions l, shape (..., m, n).

    At the tokens where <l, .> is least this is the printed monotonicity; at the others it says that z_i + z_i'/room has
    not crossed the hull's edge. It holds for every room >= 1. Where lV is not l, the least are asked alone.
    """
    normals = probing_directions(f.z)
    return inward_rates(f, normals, f.rates(normals), 1, room)


# In other directions all tokens keep one height: both sides are equal then, and balls do not tell.
@hull_shrinks.trajectory(">= 0", horizon=lambda start: fmpq(1, 2))
def support_never_grows(now: RescaledFlow, start: RescaledFlow):
    """max_j <l, z_j(0)> - <l, z_i(t)> in every direction l in which the tokens start spread out."""
    normals = probing_directions(start.z)
    before, after = (normals @ z.swapaxes(-1, -2) for z in (start.z, now.z))
    spread = (before != before[..., :1]).any(axis=-1)
    return (peak(before) - after)[spread]


rescaled_tokens_stay_in_the_first_hull = section.claim(
    where="Corollary c:theziunifbdd",
    refs=("H2",),
    statement="If V = I then z_i(t) in conv{z_j(0)}, so that |z_i(t)| <= max_j |z_j(0)|.",
    origin=Origin.REPORTED,
)


# If all tokens start in one place none of them moves, and nothing is left to decide.
@rescaled_tokens_stay_in_the_first_hull.trajectory(">= 0", horizon=lambda start: fmpq(1, 2))
def first_longest_less_size(now: RescaledFlow, start: RescaledFlow):
    """|z_j(0)|^2 - |z_i(t)|^2 for the longest first tokens j, if not all tokens start in one place."""
    first, after = squared_norms(start.z), squared_norms(now.z)
    if (start.z == start.z[:1]).all():
        return first[:0]
    longest = max(first)
    return np.asarray([longest - size for size in after])


hull_of_unscaled_tokens_shrinks = section.claim(
    where="slide 'Lemma', proof of Theorem 2, asked of x in place of z",
    note=(
        "For V = 1 the tokens -1 and 1 move apart, and their hull grows. The hull of the rescaled tokens z = e^{-tV} x "
        "shrinks."
    ),
    statement="If V = I then conv{x_i(t_2)} subseteq conv{x_i(t_1)} for t_1 <= t_2.",
    origin=Origin.CARRIED_OVER,
    system=SelfAttentionFlow,
    corrected_by="clusters.hull_shrinks",
)


@hull_of_unscaled_tokens_shrinks.state(">= 0", name="edges_move_inward")
def edges_of_unscaled_tokens_move_inward(f: SelfAttentionFlow):
    """<l, x_i'> for the tokens where <l, .> is least, in directions l; other entries repeat the mean of these."""
    normals = probing_directions(f.x)
    return rates_of_the_lowest(*(normals @ transposed(points) for points in (f.x, f.drift())))
