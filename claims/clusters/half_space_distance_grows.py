"""The distance of the tokens to a half-space that contains none of them never shrinks.

Proof of the lemma that hulls shrink (clusters H1, slides), V = I and s >= t. With H = {y: <l, y> <= c} the distance is
(min_i <l, z_i> - c)/|l|, and its right derivative is the least <l, z_i'> over the tokens that attain the minimum.
"""

import numpy as np

from claims.assumptions import identity_value
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator
from dynamics.attention import leaders
from dynamics.geometry import probing_directions
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Lemma', proof of Theorem 2, its proof",
    refs=("H1",),
    statement=(
        "Fix t > 0. Let H subset R^d be closed half-space not containing any z_i(t). Then "
        "alpha: s -> min_{i in [n]} dist(z_i(s), H) is increasing."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_value,),
    equivalent={
        "nearest_tokens_recede: share * rate => share": (
            "The entries of tokens that are not nearest become 1; those of the statement stay."
        ),
    },
)


@claim.state(">= 0")
def nearest_tokens_recede(f: RescaledFlow):
    """<l, z_i'> for each token i nearest to the half-space with normal l; other entries repeat the nearest ones' mean."""
    normals = probing_directions(f.z)
    nearest = leaders(-(normals @ f.z.swapaxes(-1, -2)))
    rate = f.rates(normals)
    share = indicator(nearest, f.z)
    mean = (share * rate).sum(axis=-1, keepdims=True) / share.sum(axis=-1, keepdims=True)
    return np.where(nearest, rate, mean)
