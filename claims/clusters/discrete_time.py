"""Euler steps of any length inherit the monotonicity of the flow, except where it rests on an indefinite form.

Remarks 1.1 and 3.4 say without proof that the arguments adapt to x^{k+1} = x^k + dt sum_j P_ij V x_j^k.

`discrete_coordinates_contract`: The step goes dt lambda/(1 + dt lambda) < 1 of the way to a mean. For -1 < dt lambda < 0 it
goes away from the mean; for dt lambda = -1 there is no rescaled step.

`discrete_distances_grow`: For Q^T K = V = I the step adds dt times a monotone map: <grad f(x) - grad f(y), x - y> >= 0.

`discrete_hull_shrinks`: For V = I the step goes dt/(1 + dt) of the way to a mean of the tokens.

`discrete_rescaling`: z^k = R^{-k} x^k with R = I + dt V moves by differences under the same attention, with the matrix dt
R^{-1} V. R is invertible unless dt V has the eigenvalue -1.

`discrete_norms_almost_grow`: <z, Bz> is convex for B >= 0, so a step gains at least what its tangent does. The scores are
(1 + dt)^{2k} <z_i, B z_j>.

`discrete_forms_almost_grow`: In continuous time this holds for every symmetric B. A long step in a direction in which B is
negative loses the square of its length.
"""

from typing import Any

import numpy as np

from claims.clusters.setting.hypotheses import diagonal_value, invertible_growth, nonnegative_rates, positive_step
from claims.clusters.setting.notation import form, head_starts, omega, scores, squared_norms
from claims.clusters.setting.starts import any_or_long_step, extremal_step
from claims.stating.assumptions import identity_key_query, identity_value, semidefinite_scores, symmetric_key_query
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, indicator, inverse, peak, transposed
from dynamics.geometry import probing_directions
from dynamics.tokens.discrete_attention import AttentionStep, RescaledAttentionStep

section = Section(__name__, system=RescaledAttentionStep)

# V is diagonal, and not only diagonalizable: in an eigenbasis it is, and the statement measures no length.
discrete_coordinates_contract = section.claim(
    where="Remark 3.4 (r:discreterescaling), of Lemma l:fj",
    refs=("M3", "Q1"),
    statement="If V = diag(lambda_k) >= 0 and dt > 0 then min_j phi_k(z_j^{m+1}) >= min_j phi_k(z_j^m), and max <=.",
    origin=Origin.REPORTED,
    assumptions=(diagonal_value, nonnegative_rates, positive_step),
    draw=any_or_long_step,
)


# With r = 1 + dt lambda a step goes 1 - 1/r of the way to a mean of the coordinates, which is not below the least: the
# slack is not negative as long as 1 - keep/(2 r) >= 1 - 1/r.
@discrete_coordinates_contract.step(">= 0")
def room_above_the_least(f: RescaledAttentionStep, *, keep=1):
    """phi_k(z_i') - min_j phi_k(z_j) less its part keep/2/(1 + dt lambda_k) before the step, shape (..., d, n).

    At the tokens with the least phi_k this is the statement, at the others it holds for every keep <= 2.
    """
    before, axes, part = _before(f, keep)
    return (before + peak(-before)) * part + f.moves(axes)


@discrete_coordinates_contract.step(">= 0")
def room_below_the_largest(f: RescaledAttentionStep, *, keep=1):
    """The same for max_j phi_k(z_j) - phi_k(z_i')."""
    before, axes, part = _before(f, keep)
    return (peak(before) - before) * part - f.moves(axes)


def _before(f: RescaledAttentionStep, keep: Any) -> tuple[Array, Array, Array]:
    """The coordinates (..., d, n), the axes, and 1 - keep/2/(1 + dt lambda_k)."""
    rates = 1 + f.dt[..., None] * f.V.diagonal(axis1=-2, axis2=-1)
    return transposed(f.z), indicator(np.eye(f.V.shape[-1], dtype=bool), f.V), 1 - keep / (2 * rates[..., None])


discrete_distances_grow = section.claim(
    where="Remark 1.1 (r:discretetime), of Lemma l:distnondec",
    refs=("M3", "L1"),
    statement="If Q^T K = V = I and dt > 0 then |x_i^{k+1} - x_j^{k+1}| >= |x_i^k - x_j^k|.",
    origin=Origin.REPORTED,
    system=AttentionStep,
    assumptions=(identity_value, identity_key_query, positive_step),
)


# Not as a difference of two squares: after a short step these agree in all but their last digits.
@discrete_distances_grow.step(">= 0")
def squared_distance_gained(f: AttentionStep):
    """|x_i + dt v_i - x_j - dt v_j|^2 - |x_i - x_j|^2 for every pair i < j, as 2 dt <v, u> + dt^2 |v|^2."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    moved = f.step().x - f.x
    apart, rate = f.x[..., i, :] - f.x[..., j, :], moved[..., i, :] - moved[..., j, :]
    # Tokens in one place stay together: exactly 0, where two balls would differ.
    together = (apart == 0).all(axis=-1)
    return np.where(together, 0 * squared_norms(apart), 2 * (apart * rate).sum(axis=-1) + squared_norms(rate))


discrete_hull_shrinks = section.claim(
    where="Remark 3.4 (r:discreterescaling), of the lemma that hulls shrink",
    refs=("M3", "H1"),
    statement="If V = I and dt > 0 then conv{z_i^{k+1}} subseteq conv{z_i^k}.",
    origin=Origin.REPORTED,
    assumptions=(identity_value, positive_step),
    draw=any_or_long_step,
)


@discrete_hull_shrinks.step(">= 0")
def supports_contract(f: RescaledAttentionStep, *, keep=1):
    """(h - <u, z_i>) (1 - keep/2/(1 + dt)) - <u, z_i' - z_i> in directions u, h the largest <u, z_j>.

    That is more than the statement, and holds for every keep <= 2. Where uV is not u, or dt is not positive, it is the
    statement itself, h - <u, z_i'>.
    """
    normals = probing_directions(f.z)
    heights = normals @ transposed(f.z)
    dt = f.dt[..., None, None]
    own = (normals @ f.V == normals).all(axis=-1)[..., None] & (dt > 0)
    part = 1 - indicator(own, f.z) * keep / (2 * (1 + dt))
    return (peak(heights) - heights) * part - f.moves(normals)


discrete_rescaling = section.claim(
    where="Remark 3.4 (r:discreterescaling)",
    refs=("M3",),
    statement=(
        "If R = I + dt V is invertible then z^k = R^{-k} x^k follows "
        "z_i^{k+1} = z_i^k + dt sum_j P_ij(R^k z^k) R^{-1} V (z_j^k - z_i^k)."
    ),
    origin=Origin.REPORTED,
    assumptions=(positive_step, invertible_growth),
)


@discrete_rescaling.identity()
def rescaled_step_less_step_rescaled(f: RescaledAttentionStep, *, share=1):
    """R^{k+1} z^{k+1} - x^{k+1}."""
    return share * f.step().unscaled().x - f.unscaled().step().x


# Here the power of R^{-1} is taken by itself, step by step, and not by the step of the system, which divides by R once.
@discrete_rescaling.identity()
def step_less_rescaled_back(f: RescaledAttentionStep, *, share=1):
    """z^{k+1} - R^{-(k+1)} x^{k+1}."""
    back, x = transposed(inverse(f.growth())), f.unscaled().step().x
    for _ in range(int(f.k) + 1):
        x = x @ back
    return share * f.step().z - x


# Short steps, for what convexity gives away is of second order in dt: for them the bound is nearly attained.
discrete_norms_almost_grow = section.claim(
    where="Remark 3.4 (r:discreterescaling), of the proof of Theorem 3.1, sharpened",
    refs=("M3", "G2"),
    statement=(
        "If V = I, Q^T K >= 0 and dt > 0 then |A z_i^{k+1}|^2 - |A z_i^k|^2 >= "
        "2 eta (max_j <A z_i, A(z_j - z_i)> - omega_n (1 + dt)^{-2k}), eta = dt/(1 + dt)."
    ),
    assumptions=(identity_value, semidefinite_scores, positive_step),
    draw=extremal_step,
)


@discrete_norms_almost_grow.step(">= 0")
def gain_less_head_start(f: RescaledAttentionStep, *, gap=1):
    """<z_i', Bz_i'> - <z_i, Bz_i> - 2 eta (max_j <z_i, B(z_j - z_i)> - omega_n (1 + dt)^{-2k})."""
    after, eta = f.step().z, f.dt / (1 + f.dt)
    scale = 1 + 0 * eta
    for _ in range(int(f.k)):
        scale = scale / (1 + f.dt) ** 2
    gained = form(after, f.B, after) - form(f.z, f.B, f.z)
    allowance = gap * omega(f.z.shape[-2], f.z) * scale
    return gained - 2 * eta[..., None] * (head_starts(scores(f.z, f.B)) - allowance[..., None])


# Of the hypotheses B >= 0 alone is weakened. Long steps refute it: what is lost is <d, Bd> for the step d.
discrete_forms_almost_grow = section.claim(
    where="Remark 3.4 (r:discreterescaling), of (G2) for symmetric B",
    refs=("M3", "G2"),
    note=(
        "A long step loses the square of its length where B < 0: for tokens 1 and -1, B = -1 and dt = 8 each gains 0.68, "
        "less than the bound 3.06. For B >= 0 the bound holds."
    ),
    statement=(
        "If V = I, B = B^T and dt > 0 then <z_i, Bz_i> gains 2 eta (max_j <z_i, B(z_j - z_i)> - omega_n (1 + dt)^{-2k}) "
        "or more in a step."
    ),
    origin=Origin.CARRIED_OVER,
    assumptions=(identity_value, symmetric_key_query, positive_step),
    corrected_by="clusters.discrete_norms_almost_grow",
)

discrete_forms_almost_grow.step(">= 0")(gain_less_head_start)
