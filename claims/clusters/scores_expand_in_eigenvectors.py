"""A score is the sum over all pairs of eigenvectors of their weights, each growing with the sum of both eigenvalues.

Corrected expansion of the slides (clusters Q4): w_ij = sum_{k,l} e^{(lambda_k + lambda_l) t} <Q phi_k, K phi_l>
phi_k^*(z_i) phi_l^*(z_j). In the eigenbasis <Q phi_k, K phi_l> is B_kl; the left side is computed through e^{tV}.
"""

from claims.clusters.rescaling_keeps_attention import unscaled
from claims.clusters.setting import diagonal_value, scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exp, numbers
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Split the sum', proof of Theorem 3, corrected",
    refs=("Q4",),
    statement="w_ij = sum_{k,l} e^{(lambda_k + lambda_l) t} <Q phi_k, K phi_l> phi_k^*(z_i) phi_l^*(z_j).",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(diagonal_value,),
)


def rates(f: RescaledFlow) -> Array:
    """lambda_k + lambda_l, shape (..., d, d)."""
    values = f.V.diagonal(axis1=-2, axis2=-1)
    return numbers(values[..., :, None] + values[..., None, :])


@claim.identity()
def score_less_expansion(f: RescaledFlow, *, times=1):
    """<x_i, B x_j> less the sum over all pairs, relative to e^{(lambda_k + lambda_l) t}: shape (..., n, n)."""
    return scores(unscaled(f).x, f.B) - scores(f.z, f.B * exp(times * rates(f) * f.t[..., None, None]))
