"""Along A (z_i - z_j) a step brings two tokens closer than by the factor 1 - gamma by at most gamma kappa delta, kappa < 1.

localmax LM-10, with its 2 delta made sharp. phi = <A (z_i - z_j), .> exceeds D = h(z_i) - h(z_j) on C_i without C_j, is
below it on C_j without C_i, and within delta of it on both. So the mean over C_i is least, against that over C_j, where C_i
is the best of i and k tokens at phi = D - delta, all in C_j, and C_j has n - k - 1 more at D: kappa = max_k k/(k+1) - k/n
with n the number of tokens that i or j attends to. For A symmetric positive semidefinite tokens with |z_i - z_j|_A^2 >
alpha kappa delta, alpha = gamma / (1 - gamma), do not merge in this step; nearer ones may. The inequality holds for any A.
"""

import numpy as np
from flint import fmpq

from claims.localmax.setting.configurations import nearly_swapped
from claims.localmax.setting.hypotheses import gaps_below_sensitivity, step_size_below_one, where
from claims.statement import Claim, Origin
from dynamics.arithmetic import at_most, exact, fraction, numbers, transposed
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-10",),
    statement="(z_i - z_j, c_i - c_j)_A >= -kappa delta, so if |z_i - z_j|_A^2 > alpha kappa delta then z_i' != "
    "z_j'; kappa = "
    "max_k k/(k+1) - k/n, n = |C_i united with C_j|.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(gaps_below_sensitivity, step_size_below_one),
    draw=nearly_swapped,
)


def kappa(f: LocalmaxStep):
    """max_k k/(k+1) - k/n for every pair i < j, n the size of C_i united with C_j, shape (..., n (n-1) / 2)."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    near = f.neighbours()
    sizes = (near[..., i, :] | near[..., j, :]).sum(axis=-1)
    table = [max(fmpq(k, k + 1) - fmpq(k, max(n, 1)) for k in range(max(n, 1))) for n in range(f.z.shape[-2] + 1)]
    return numbers(exact(table)[sizes] if f.z.dtype == object else np.array([float(fraction(x)) for x in table])[sizes])


def scored_with_difference(f: LocalmaxStep, points):
    """<A (z_i - z_j), p_i - p_j> for every pair i < j, shape (..., n (n-1) / 2)."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    scored = (f.z[..., i, :] - f.z[..., j, :]) @ transposed(f.A)
    return (scored * (points[..., i, :] - points[..., j, :])).sum(axis=-1)


@claim.state(">= 0", assuming=(gaps_below_sensitivity,))
def averages_are_almost_monotone(f: LocalmaxStep, *, most=1):
    """<A (z_i - z_j), c_i - c_j> + kappa delta for every pair."""
    return scored_with_difference(f, f.targets()) + most * kappa(f) * f.delta[..., None]


@claim.step(">= 0")
def pairs_contract_by_step_and_sensitivity(f: LocalmaxStep, *, most=1):
    """<A (z_i - z_j), z_i' - z_j'> - (1 - gamma) <A (z_i - z_j), z_i - z_j> + gamma kappa delta for every pair."""
    before, after = (scored_with_difference(f, points) for points in (f.z, f.step().z))
    return after - (1 - f.gamma)[..., None] * before + most * kappa(f) * (f.gamma * f.delta)[..., None]


@claim.step("> 0")
def pairs_with_room_stay_apart(f: LocalmaxStep, *, room=1):
    """<A (z_i - z_j), z_i' - z_j'> for every pair with <A (z_i - z_j), z_i - z_j> > alpha kappa delta."""
    apart = (1 - f.gamma)[..., None] * scored_with_difference(f, f.z)
    far = ~at_most(apart, room * kappa(f) * (f.gamma * f.delta)[..., None])
    return where(far, scored_with_difference(f, f.step().z))
