"""In discrete time z^k = R^{-k} x^k, with R = I + dt V, follows steps of differences under the same attention.

Clusters M3, Remarks 1.1 and 3.4 (`r:discreterescaling`): the matrix of the step is dt R^{-1} V. Where dt V has the
eigenvalue -1 there is no R^{-1}.
"""

from claims.clusters.setting import invertible_growth, positive_step
from claims.statement import Claim, Origin
from dynamics.arithmetic import inverse, transposed
from dynamics.tokens.discrete_attention import RescaledAttentionStep

claim = Claim(
    __name__,
    where="Remark 3.4 (r:discreterescaling)",
    refs=("M3",),
    statement=(
        "If R = I + dt V is invertible then z^k = R^{-k} x^k follows "
        "z_i^{k+1} = z_i^k + dt sum_j P_ij(R^k z^k) R^{-1} V (z_j^k - z_i^k)."
    ),
    origin=Origin.REPORTED,
    system=RescaledAttentionStep,
    assumptions=(positive_step, invertible_growth),
)


@claim.identity()
def rescaled_step_less_step_rescaled(f: RescaledAttentionStep, *, share=1):
    """R^{k+1} z^{k+1} - x^{k+1}."""
    return share * f.step().unscaled().x - f.unscaled().step().x


@claim.identity()
def step_less_rescaled_back(f: RescaledAttentionStep, *, share=1):
    """z^{k+1} - R^{-(k+1)} x^{k+1}."""
    back, x = transposed(inverse(f.growth())), f.unscaled().step().x
    for _ in range(int(f.k) + 1):
        x = x @ back
    return share * f.step().z - x
