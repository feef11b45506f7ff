"""The convex hull of the tokens x themselves shrinks: false, it grows where V = I.

The lemma of the slides (clusters H1) is about z = e^{-tV} x; asked here of x. Two tokens at -1 and 1 run apart.
"""

from claims.assumptions import identity_value
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import peak
from dynamics.geometry import probing_directions
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Lemma', proof of Theorem 2, asked of x in place of z",
    refs=("H1",),
    note=(
        "Tokens at -1 and 1 with V = 1 run apart, and their hull grows. The hull of the rescaled tokens z = "
        "e^{-tV} x shrinks."
    ),
    statement="If V = I then conv{x_i(t_2)} subseteq conv{x_i(t_1)} for t_1 <= t_2.",
    origin=Origin.CARRIED_OVER,
    system=SelfAttentionFlow,
    assumptions=(identity_value,),
    standing=Standing.FALSE,
    corrected_by="clusters.hull_shrinks",
)


@claim.state(">= 0")
def edges_move_inward(f: SelfAttentionFlow, *, room=2):
    """room (<l, x_i> - min_j <l, x_j>) + <l, x_i'> for directions l."""
    normals = probing_directions(f.x)
    heights, rates = (normals @ points.swapaxes(-1, -2) for points in (f.x, f.drift()))
    return room * (heights + peak(-heights)) + rates
