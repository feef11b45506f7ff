"""A localmax step commutes with permutations, changes of basis and scalings, and keeps coincident tokens together.

`permutation_commutes_with_step`: Tokens have no role but their place. Checked for an exchange and a cycle, which
generate all permutations.

`change_of_basis_commutes_with_step`: Scores do not change, and averages are linear. So a symmetric positive definite A
may be taken to be the identity. L = 2 (I + N)(I + M) has the first row and the first column of A for N and M, whose
squares are zero.

`scaling_commutes_with_step`: Scores are quadratic in the tokens. The relative rule (D2) leaves delta as it is, the
norm-weighted one (D3) takes the factor |c|. The sign of c does not matter; here c = -3.

`neighbourhoods_grow_with_sensitivity`: Every rule compares a gap with a tolerance that grows with delta. The exception
is D2 where h(z_i) < 0: there a token attends to maximisers only, for every delta. The number of clusters need not be
monotone in delta, because trajectories part.

`coincident_tokens_move_together`: They have the same scores, hence neighbours at the same points and the same averages.
In averages over indices they count twice. Under D1self they do not: of 1, 1, 3 at delta = 0 each of the first two
attends to the third and to itself, not to its copy.
"""

import numpy as np

from claims.localmax.setting.hypotheses import averages_over_indices, averages_over_points, coincident_pair
from claims.stating.statement import Section
from dynamics.arithmetic import indicator, numbers, transposed
from dynamics.tokens.localmax import RELATIVE, WEIGHTED, LocalmaxStep

section = Section(__name__, system=LocalmaxStep)

permutation_commutes_with_step = section.claim(
    refs=("SYM-1",),
    statement="The step of (z_s(1), ..., z_s(n)) is (z_s(1)', ..., z_s(n)') for every permutation s.",
)


@permutation_commutes_with_step.identity()
def permuted_step(f: LocalmaxStep, *, shift=1):
    """The step of permuted tokens minus the permuted step, for an exchange and a cycle."""
    after, order = f.step().z, np.arange(f.z.shape[-2])
    exchange = np.r_[order[:2][::-1], order[2:]]
    permuted, expected = ((exchange, np.roll(order, 1)), (exchange, np.roll(order, shift)))
    pairs = zip(permuted, expected, strict=True)
    return np.stack([f.replace(z=f.z[..., s, :]).step().z - after[..., t, :] for s, t in pairs], axis=-3)


change_of_basis_commutes_with_step = section.claim(
    refs=("SYM-2",),
    statement="z -> Lz, A -> L^{-T} A L^{-1} commutes with the step, here for L = 2 (I+N)(I+M), N^2 = M^2 = 0.",
)


# Made of entries of A, so that every instance has its own L; the inverse is exact, for N^2 = M^2 = 0.
def basis(f: LocalmaxStep):
    """An invertible matrix L made of entries of A, and its inverse."""
    d = f.A.shape[-1]
    eye = indicator(np.eye(d, dtype=bool), f.A)
    first, corner = np.arange(d) == 0, np.eye(d, dtype=bool) & (np.arange(d) == 0)
    N, M = f.A * (first[:, None] & ~corner), f.A * (first[None, :] & ~corner)
    return 2 * (eye + N) @ (eye + M), (eye - M) @ (eye - N) / 2


@change_of_basis_commutes_with_step.identity()
def step_in_another_basis(f: LocalmaxStep, *, scale=1):
    """The step of Lz under L^-T A L^-1 minus L times the step of z."""
    L, inverse = basis(f)
    changed = f.replace(z=f.z @ transposed(L), A=scale * transposed(inverse) @ f.A @ inverse)
    return changed.step().z - f.step().z @ transposed(L)


scaling_commutes_with_step = section.claim(
    refs=("SYM-3",),
    statement="z -> c z, delta -> c^2 delta commutes with the step (D2: delta unchanged, D3: |c| delta).",
)

# Scores scale with c^2, h with it, the norm with c: delta has what is left.
POWERS = {RELATIVE: 0, WEIGHTED: 1}


# c = -3: one number for sign and size, as both are claimed.
@scaling_commutes_with_step.identity()
def scaled_step(f: LocalmaxStep, *, most=2):
    """The step of -3 z minus -3 times the step of z."""
    scaled = f.replace(z=-3 * f.z, delta=3 ** POWERS.get(f.which, most) * f.delta)
    return scaled.step().z + 3 * f.step().z


neighbourhoods_grow_with_sensitivity = section.claim(
    refs=("SYM-4",),
    statement="C_i^delta(z) is contained in C_i^epsilon(z) for delta <= epsilon.",
)


@neighbourhoods_grow_with_sensitivity.step(">= 0")
def neighbours_are_kept(f: LocalmaxStep, *, growth=1):
    """1 for every neighbour at delta + growth minus 1 for every one at delta."""
    more = f.replace(delta=f.delta + growth).neighbours()
    return (0 * f.scores() + 1) * (more.astype(int) - f.neighbours().astype(int))


coincident_tokens_move_together = section.claim(
    refs=("SYM-5",),
    statement="If z_i = z_j then z_i' = z_j'.",
    assumptions=(coincident_pair,),
)


@coincident_tokens_move_together.identity()
def pair_moves_together(f: LocalmaxStep, *, share=1):
    """z_1' - z_2'."""
    after = f.step().z
    return after[..., 0, :] - share * after[..., 1, :]


copies_change_nothing = section.claim(
    refs=("SYM-5", "HM-8"),
    note=(
        "Means are taken over indices, so that coincident tokens weigh twice: of 0 and 1 with gamma = 1/2 the "
        "first steps to 1/4, and with a second token at 0 only to 1/6. Where means are taken over distinct "
        "points, copies change nothing."
    ),
    statement="If z_{n+1} = z_1 is added, z_1', ..., z_n' stay what they are.",
    assumptions=(averages_over_indices,),
    corrected_by="localmax.copies_change_no_mean_of_points",
)


# `share` is there to be planted with: the identity has no other constant.
@copies_change_nothing.identity()
def others_step_the_same(f: LocalmaxStep, *, share=1):
    """z_i' with a further copy of the first token minus share times z_i' without."""
    more = f.replace(z=numbers(np.concatenate([f.z, f.z[..., :1, :]], axis=-2)))
    return more.step().z[..., :-1, :] - share * f.step().z


copies_change_no_mean_of_points = section.claim(
    refs=("SYM-5", "HM-8"),
    statement="If c_i is the mean over distinct points and z_{n+1} = z_1 is added, z_1', ..., z_n' stay what they are.",
    assumptions=(averages_over_points,),
)

copies_change_no_mean_of_points.identity()(others_step_the_same)
