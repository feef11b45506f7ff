"""The hull of the projections on F shrinks if V is lambda I on F with lambda > 0, whatever V is on G.

Clusters 5a, for Theorem 5.2: (pi_F z_i)' = lambda sum_j P_ij (pi_F z_j - pi_F z_i). The hull of the tokens themselves need
not shrink.
"""

import numpy as np

from claims.clusters.setting import block_value
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, peak, transposed
from dynamics.geometry import probing_directions
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
    where="proof of Theorem 5.2, the projected hull",
    refs=("5a",),
    statement="If V = lambda I on F, lambda > 0, and VG subset G, then pi_F conv{z_i(t)} is nonincreasing.",
    origin=Origin.REPORTED,
    system=RootedAttention,
    assumptions=(block_value,),
)


def directions_in_F(f: RootedAttention) -> Array:
    """Directions in the first k coordinates, shape (..., m, d)."""
    inside = probing_directions(f.z[..., : int(f.k)])
    outside = np.zeros_like(f.z[..., :1, int(f.k) :])
    return np.concatenate([inside, outside + 0 * inside[..., :1]], axis=-1)


@claim.state(">= 0")
def edges_move_inward(f: RootedAttention, *, room=2):
    """room lambda (<l, z_i> - min_j <l, z_j>) + <l, z_i'> for directions l in F; holds for every room >= 1."""
    normals = directions_in_F(f)
    heights = normals @ transposed(f.z)
    return room * f.V[..., :1, :1] * (heights + peak(-heights)) + f.flow().rates(normals)
