"""In discrete time <z_i, Bz_i> almost grows for every symmetric B: false, B >= 0 is needed.

In continuous time symmetry is enough (clusters G2, M3). A step that is long in a direction in which B is negative loses
the square of its length.
"""

from claims.assumptions import identity_value, symmetric_key_query
from claims.clusters.discrete_norms_almost_grow import gain_less_head_start
from claims.clusters.setting import positive_step
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.discrete_attention import RescaledAttentionStep

claim = Claim(
    __name__,
    where="Remark 3.4 (r:discreterescaling), of (G2) for symmetric B",
    refs=("M3", "G2"),
    note=(
        "A long step loses the square of its length where B < 0: of tokens 1 and -1 with B = -1 and dt = 8 each "
        "gains 0.68, and the bound is 3.06. For B >= 0 the bound holds."
    ),
    statement=(
        "If V = I, B = B^T and dt > 0 then <z_i, Bz_i> gains 2 eta (max_j <z_i, B(z_j - z_i)> - omega_n (1 + dt)^{-2k}) "
        "or more in a step."
    ),
    origin=Origin.CARRIED_OVER,
    system=RescaledAttentionStep,
    assumptions=(identity_value, symmetric_key_query, positive_step),
    standing=Standing.FALSE,
    corrected_by="clusters.discrete_norms_almost_grow",
)

claim.step(">= 0")(gain_less_head_start)
