"""The convex hull of the rescaled tokens shrinks.

Proof of Theorem 2 on the slides (clusters H1, `p:noninc`). Each z_i' points from z_i to a convex combination of the
tokens, so no token at the edge of a half-space moves out of it. Only the rows of P being stochastic is used: Q^T K > 0,
which the setup assumes, plays no part.
"""

from flint import fmpq

from claims.assumptions import identity_value
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak
from dynamics.geometry import probing_directions
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Lemma', proof of Theorem 2",
    refs=("H1",),
    statement=(
        "Setup: V = I_d, Q^T K > 0; working with z_i(t). Lemma t -> conv{z_i(t)}_{i in [n]} is decreasing: "
        "conv{z_i(t_2)}_{i in [n]} subseteq conv{z_i(t_1)}_{i in [n]} if t_1 <= t_2."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_value,),
    equivalent={
        "support_never_grows: before[..., :1] => before[..., 1:2]": (
            "All entries equal the second exactly if they equal the first; for one token either is true."
        ),
        "support_never_grows: >= 0 => > 0": (
            "Attention is positive: where a token is lower, the highest ones move in at once, and t > 0."
        ),
        "support_never_grows: before != before[..., :1] => before == before[..., :1]": (
            "In directions in which all tokens are equally high they stay so: both sides are equal."
        ),
        "support_never_grows: peak(before) - after => peak(before) - before": "max_j <l, z_j(0)> >= <l, z_i(0)>: vacuous.",
    }
    | {
        f"edges_move_inward: room = 2 => {room}": "z_i' is a mean of differences z_j - z_i: it holds for every room >= 1."
        for room in ("19/10", "999/500")
    },
)


@claim.state(">= 0")
def edges_move_inward(f: RescaledFlow, *, room=2):
    """room (<l, z_i> - min_j <l, z_j>) + <l, z_i'> for facet normals and other directions l, shape (..., m, n).

    At the tokens where <l, .> is least this is the printed monotonicity; at the others it says that z_i + z_i'/room has
    not crossed the hull's edge. It holds for every room >= 1.
    """
    normals = probing_directions(f.z)
    heights = normals @ f.z.swapaxes(-1, -2)
    return room * (heights + peak(-heights)) + f.rates(normals)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(1, 2))
def support_never_grows(now: RescaledFlow, start: RescaledFlow):
    """max_j <l, z_j(0)> - <l, z_i(t)> in every direction l in which the tokens start spread out."""
    normals = probing_directions(start.z)
    before, after = (normals @ z.swapaxes(-1, -2) for z in (start.z, now.z))
    spread = (before != before[..., :1]).any(axis=-1)
    return (peak(before) - after)[spread]
