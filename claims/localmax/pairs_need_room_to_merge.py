"""Along A (z_i - z_j) a step brings two tokens closer than by the factor 1 - gamma by at most 2 gamma delta.

localmax LM-10. (z_i - z_j, c_i - c_j)_A >= -(mean gap over C_i) - (mean gap over C_j) >= -2 delta, because
c_j scores no more with z_i than h(z_i). So for A symmetric positive semidefinite, tokens with |z_i - z_j|_A^2 >
2 alpha delta, alpha = gamma / (1 - gamma), do not merge in this step; nearer ones may. The inequality holds for any A.
"""

import numpy as np

from claims.localmax.configurations import about_to_merge
from claims.localmax.hypotheses import gaps_below_sensitivity, step_size_below_one, where
from claims.statement import LOCALMAX, Claim, Origin
from dynamics.arithmetic import at_most, transposed
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    refs=("LM-10",),
    statement="(z_i - z_j, c_i - c_j)_A >= -2 delta, so if |z_i - z_j|_A^2 > 2 alpha delta then z_i' != z_j'.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(gaps_below_sensitivity, step_size_below_one),
    draw=about_to_merge,
)


def scored_with_difference(f: LocalmaxStep, points):
    """<A (z_i - z_j), p_i - p_j> for every pair i < j, shape (..., n (n-1) / 2)."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    scored = (f.z[..., i, :] - f.z[..., j, :]) @ transposed(f.A)
    return (scored * (points[..., i, :] - points[..., j, :])).sum(axis=-1)


@claim.state(">= 0", assuming=(gaps_below_sensitivity,))
def averages_are_almost_monotone(f: LocalmaxStep, *, most=2):
    """<A (z_i - z_j), c_i - c_j> + 2 delta for every pair."""
    return scored_with_difference(f, f.targets()) + (most * f.delta)[..., None]


@claim.step(">= 0")
def pairs_contract_by_step_and_sensitivity(f: LocalmaxStep, *, most=2):
    """<A (z_i - z_j), z_i' - z_j'> - (1 - gamma) <A (z_i - z_j), z_i - z_j> + 2 gamma delta for every pair."""
    before, after = (scored_with_difference(f, points) for points in (f.z, f.step().z))
    return after - (1 - f.gamma)[..., None] * before + (most * f.gamma * f.delta)[..., None]


@claim.step("> 0")
def pairs_with_room_stay_apart(f: LocalmaxStep, *, room=2):
    """|z_i' - z_j'|_1 for every pair with <A (z_i - z_j), z_i - z_j> > 2 alpha delta, alpha = gamma / (1 - gamma)."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    apart = (1 - f.gamma)[..., None] * scored_with_difference(f, f.z)
    after = f.step().z
    far = ~at_most(apart, (room * f.gamma * f.delta)[..., None])
    return where(far, abs(after[..., i, :] - after[..., j, :]).sum(axis=-1))
