"""A hardmax step brings two tokens closer by no more than the factor 1 - gamma, so distinct tokens stay distinct.

hardmax HM-4 ("distinct tokens stay distinct", recalled; the bound is not printed). The average of maximisers is monotone,
(z_i - z_j, c_i - c_j)_A >= 0; without normalisation, x_i' = x_i + alpha c_i, no distance shrinks at all. With a negative
direction of A two tokens may change places or meet.
"""

import numpy as np

from claims.localmax.setting.configurations import about_to_merge
from claims.localmax.setting.hypotheses import (
    definite_matrix,
    hardmax,
    neighbours_by_score,
    semidefinite_matrix,
    step_size_below_one,
    where,
)
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep, coincident

ALONE = "<A z_i, c_i> >= <A z_i, z_i> >= 0: so the same holds of each token alone."

claim = Claim(
    __name__,
    where="hardmax 2407.01602, distinct tokens stay distinct (recalled); the bound is ours",
    refs=("HM-4",),
    statement="For A symmetric positive semidefinite |z_i' - z_j'|_A >= (1 - gamma) |z_i - z_j|_A.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(definite_matrix, hardmax, neighbours_by_score, step_size_below_one),
    draw=about_to_merge,
    equivalent={
        "pairs_contract_by_step_at_most, in pair_distances: f.z[..., i, :] - f.z[..., j, :] => f.z[..., i, :]": ALONE,
        "pairs_contract_by_step_at_most, in pair_distances: f.z[..., i, :] - f.z[..., j, :] => -f.z[..., j, :]": ALONE,
        "unnormalised_pairs_never_shrink, in pair_distances: f.z[..., i, :] - f.z[..., j, :] => f.z[..., i, :]": ALONE,
        "unnormalised_pairs_never_shrink, in pair_distances: f.z[..., i, :] - f.z[..., j, :] => -f.z[..., j, :]": ALONE,
        "unnormalised_pairs_never_shrink: 1 - f.gamma => 21/20 - f.gamma": (
            "It holds for every alpha >= 0: <A (x_i - x_j), c_i - c_j> >= 0."
        ),
        "unnormalised_pairs_never_shrink: 1 - f.gamma => 1": "It holds for every alpha >= 0, and so for alpha = gamma.",
        "unnormalised_pairs_never_shrink: alpha[..., None, None] * f.targets() => f.targets()": (
            "It holds for every alpha >= 0, and so for alpha = 1."
        ),
        "unnormalised_pairs_never_shrink: f.gamma / (1 - f.gamma) => f.gamma": (
            "It holds for every alpha >= 0, and so for alpha = gamma."
        ),
    },
)


def pair_distances(f: LocalmaxStep):
    """|z_i - z_j|_A^2 for every pair i < j, shape (..., n (n-1) / 2)."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    return f.replace(z=f.z[..., i, :] - f.z[..., j, :]).squared_norms()


@claim.state(">= 0", assuming=(semidefinite_matrix, hardmax, neighbours_by_score, step_size_below_one))
def pairs_contract_by_step_at_most(f: LocalmaxStep, *, keep=1):
    """|z_i' - z_j'|_A^2 - (1 - gamma)^2 |z_i - z_j|_A^2 for every pair."""
    return pair_distances(f.step()) - ((keep - f.gamma) ** 2)[..., None] * pair_distances(f)


@claim.state(">= 0", assuming=(semidefinite_matrix, hardmax, neighbours_by_score, step_size_below_one))
def unnormalised_pairs_never_shrink(f: LocalmaxStep, *, least=1):
    """|x_i + alpha c_i - x_j - alpha c_j|_A^2 - |x_i - x_j|_A^2 for every pair, alpha = gamma / (1 - gamma)."""
    alpha = f.gamma / (1 - f.gamma)
    moved = f.replace(z=f.z + alpha[..., None, None] * f.targets())
    return pair_distances(moved) - least * pair_distances(f)


@claim.step("> 0")
def no_pair_merges(f: LocalmaxStep):
    """|z_i' - z_j'|_1 for every pair of distinct tokens."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    after = f.step().z
    return where(~coincident(f.z)[..., i, j], abs(after[..., i, :] - after[..., j, :]).sum(axis=-1))
