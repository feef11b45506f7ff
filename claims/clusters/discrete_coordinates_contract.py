"""In discrete time coordinates along eigenvectors with lambda >= 0 contract at every step, however long.

Clusters M3 and Q1: the step goes dt lambda/(1 + dt lambda) < 1 of the way to an average. With lambda < 0 it goes away from
it, and if dt lambda = -1 there is no step.
"""

from typing import Any

import numpy as np

from claims.clusters.setting import diagonal_value, nonnegative_rates, positive_step
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, indicator, peak, transposed
from dynamics.tokens.discrete_attention import RescaledAttentionStep

claim = Claim(
    __name__,
    where="Remark 3.4 (r:discreterescaling), of Lemma l:fj",
    refs=("M3", "Q1"),
    statement="If V = diag(lambda_k) >= 0 and dt > 0 then min_j phi_k(z_j^{m+1}) >= min_j phi_k(z_j^m), and max <=.",
    origin=Origin.REPORTED,
    system=RescaledAttentionStep,
    assumptions=(diagonal_value, nonnegative_rates, positive_step),
    equivalent={
        (
            "room_above_the_least, in _before: 1 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1) => 19/20 + "
            "f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1)"
        ): (
            "At the tokens with the least or largest phi_k it is not felt; at the others 2 (q + r) >= 1 + r for "
            "q >= 1/2, r >= 0."
        ),
        (
            "room_above_the_least, in _before: 1 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1) => "
            "999/1000 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1)"
        ): (
            "At the tokens with the least or largest phi_k it is not felt; at the others 2 (q + r) >= 1 + r for "
            "q >= 1/2, r >= 0."
        ),
        (
            "room_below_the_largest, in _before: 1 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1) => 19/20 "
            "+ f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1)"
        ): (
            "At the tokens with the least or largest phi_k it is not felt; at the others 2 (q + r) >= 1 + r for "
            "q >= 1/2, r >= 0."
        ),
        (
            "room_below_the_largest, in _before: 1 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1) => "
            "999/1000 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1)"
        ): (
            "At the tokens with the least or largest phi_k it is not felt; at the others 2 (q + r) >= 1 + r for "
            "q >= 1/2, r >= 0."
        ),
    },
)


@claim.step(">= 0")
def room_above_the_least(f: RescaledAttentionStep, *, keep=1):
    """phi_k(z_i') - min_j phi_k(z_j) less its part keep/2/(1 + dt lambda_k) before the step, shape (..., d, n).

    At the tokens with the least phi_k this is the statement, at the others it holds for every keep <= 2.
    """
    before, axes, part = _before(f, keep)
    return (before + peak(-before)) * part + f.moves(axes)


@claim.step(">= 0")
def room_below_the_largest(f: RescaledAttentionStep, *, keep=1):
    """The same for max_j phi_k(z_j) - phi_k(z_i')."""
    before, axes, part = _before(f, keep)
    return (peak(before) - before) * part - f.moves(axes)


def _before(f: RescaledAttentionStep, keep: Any) -> tuple[Array, Array, Array]:
    """The coordinates (..., d, n), the axes, and 1 - keep/2/(1 + dt lambda_k)."""
    rates = 1 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1)
    return transposed(f.z), indicator(np.eye(f.V.shape[-1], dtype=bool), f.V), 1 - keep / (2 * rates[..., None])
