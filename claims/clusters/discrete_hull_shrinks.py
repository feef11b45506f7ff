"""In discrete time the hull of the rescaled tokens shrinks at every step, however long.

With V = I the step goes dt/(1 + dt) of the way to an average (clusters M3, H1): "the arguments adapt" for every dt > 0.
"""

from claims.assumptions import identity_value
from claims.clusters.setting import positive_step
from claims.clusters.setting.starts import any_or_long_step
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak, transposed
from dynamics.geometry import probing_directions
from dynamics.tokens.discrete_attention import RescaledAttentionStep

claim = Claim(
    __name__,
    where="Remark 3.4 (r:discreterescaling), of the lemma that hulls shrink",
    refs=("M3", "H1"),
    statement="If V = I and dt > 0 then conv{z_i^{k+1}} subseteq conv{z_i^k}.",
    origin=Origin.REPORTED,
    system=RescaledAttentionStep,
    assumptions=(identity_value, positive_step),
    draw=any_or_long_step,
)


@claim.step(">= 0")
def supports_contract(f: RescaledAttentionStep, *, keep=1):
    """(h - <u, z_i>) (1 - keep/2/(1 + dt)) - <u, z_i' - z_i> in directions u, h the largest <u, z_j>.

    At the tokens where <u, .> is largest this is the statement, at the others it holds for every keep <= 2.
    """
    normals = probing_directions(f.z)
    heights = normals @ transposed(f.z)
    part = 1 - keep / (2 * (1 + f.dt[..., None, None]))
    return (peak(heights) - heights) * part - f.moves(normals)
