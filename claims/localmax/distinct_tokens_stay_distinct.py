"""Under hardmax distinct tokens stay distinct; under localmax two tokens may merge in one step.

`hardmax_keeps_tokens_apart`: The average of maximisers is monotone, (z_i - z_j, c_i - c_j)_A >= 0, so a step shrinks a
distance at most by the factor 1 - gamma. The un-normalised step x_i' = x_i + alpha c_i shrinks no distance at all. If A
has a negative direction, two tokens may change places or meet.

`distinct_tokens_stay_distinct`: False for delta > 0: a neighbour of one token alone may pull it back by just the
distance between the two. Merging takes equalities, so it happens on a null set of starts; on a line it never happens.

`sensitive_pairs_contract_by_step_at_most`: False for delta > 0, because the average over C_i is no longer monotone in
z_i.

`pairs_need_room_to_merge`: phi = <A (z_i - z_j), .> exceeds D = h(z_i) - h(z_j) on C_i without C_j, is below it on C_j
without C_i, and lies within delta of it on both. The mean over C_i, compared with that over C_j, is least if C_i
consists of its best token and k tokens with phi = D - delta, all in C_j, and C_j has n - k - 1 more with phi = D. This
gives kappa = max_k k/(k+1) - k/n, where n counts the tokens that i or j attends to. The inequality holds for any A. For
A symmetric positive semidefinite, tokens with |z_i - z_j|_A^2 > alpha kappa delta, alpha = gamma / (1 - gamma), do not
merge in this step; nearer ones may.
"""

import numpy as np
from flint import fmpq

from claims.localmax.setting.configurations import about_to_merge, nearly_swapped
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    gaps_below_sensitivity,
    hardmax,
    neighbours_by_score,
    open_step_size,
    positive_sensitivity,
    semidefinite_matrix,
    step_size_below_one,
    where,
)
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import at_most, exact, fraction, numbers, transposed
from dynamics.tokens.localmax import LocalmaxStep, coincident

section = Section(__name__, system=LocalmaxStep, draw=about_to_merge)

hardmax_keeps_tokens_apart = section.claim(
    where="hardmax 2407.01602, distinct tokens stay distinct (recalled, the bound is ours)",
    refs=("HM-4",),
    statement="For A symmetric positive semidefinite |z_i' - z_j'|_A >= (1 - gamma) |z_i - z_j|_A.",
    origin=Origin.REPORTED,
    assumptions=(definite_matrix, hardmax, neighbours_by_score, step_size_below_one),
)


def pair_distances(f: LocalmaxStep):
    """|z_i - z_j|_A^2 for every pair i < j, shape (..., n (n-1) / 2)."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    return f.replace(z=f.z[..., i, :] - f.z[..., j, :]).squared_norms()


# Semidefinite suffices for distances; that distinct tokens stay distinct needs |.|_A to be a norm.
@hardmax_keeps_tokens_apart.state(">= 0", assuming=(semidefinite_matrix, hardmax, neighbours_by_score, step_size_below_one))
def pairs_contract_by_step_at_most(f: LocalmaxStep, *, keep=1):
    """|z_i' - z_j'|_A^2 - (1 - gamma)^2 |z_i - z_j|_A^2 for every pair."""
    return pair_distances(f.step()) - ((keep - f.gamma) ** 2)[..., None] * pair_distances(f)


# x + alpha c is z' / (1 - gamma): the same averages, as C_i does not change when all tokens are scaled.
@hardmax_keeps_tokens_apart.state(">= 0", assuming=(semidefinite_matrix, hardmax, neighbours_by_score, step_size_below_one))
def unnormalised_pairs_never_shrink(f: LocalmaxStep, *, least=1):
    """|x_i + alpha c_i - x_j - alpha c_j|_A^2 - |x_i - x_j|_A^2 for every pair, alpha = gamma / (1 - gamma)."""
    alpha = f.gamma / (1 - f.gamma)
    moved = f.replace(z=f.z + alpha[..., None, None] * f.targets())
    return pair_distances(moved) - least * pair_distances(f)


# In the sum norm of the coordinates: it is zero only if all agree, and needs no root.
@hardmax_keeps_tokens_apart.step("> 0")
def no_pair_merges(f: LocalmaxStep):
    """|z_i' - z_j'|_1 for every pair of distinct tokens."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    after = f.step().z
    return where(~coincident(f.z)[..., i, j], abs(after[..., i, :] - after[..., j, :]).sum(axis=-1))


# Merging takes equalities, which no random start meets, nor a search from one: hence about_to_merge.
distinct_tokens_stay_distinct = section.claim(
    where="hardmax 2407.01602, distinct tokens stay distinct, for delta > 0",
    refs=("LM-10", "HM-4", "OQ-3"),
    note=(
        "With delta = 27 and gamma = 1/2 the token (7, 1) attends to (-7, 150) and (7, 34), while (8, 1) attends "
        "to (-3, 92) as well: both step to (7/2, 93/2). Pairs that have enough room, |z_i - z_j|_A^2 > alpha "
        "kappa delta with alpha = gamma/(1 - gamma) and a kappa below 1, stay distinct."
    ),
    statement="If A is symmetric positive definite, 0 < gamma < 1 and delta > 0, then z_i != z_j implies z_i' != z_j'.",
    origin=Origin.CARRIED_OVER,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.pairs_need_room_to_merge",
)

distinct_tokens_stay_distinct.step("> 0")(no_pair_merges)

sensitive_pairs_contract_by_step_at_most = section.claim(
    where="hardmax 2407.01602, pairwise distances, for delta > 0",
    refs=("LM-10", "HM-4"),
    note=(
        "With delta = 52 and gamma = 1/2 the second of (13, 1), (16, 1) attends to one token more than the first:"
        " their distance falls from 3 to 1.11, below 3/2. Along A (z_i - z_j) a step brings them closer than that"
        " by at most gamma kappa delta, with a kappa below 1."
    ),
    statement="If A is symmetric positive definite and delta > 0, |z_i' - z_j'|_A >= (1 - gamma) |z_i - z_j|_A.",
    origin=Origin.CARRIED_OVER,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.pairs_need_room_to_merge",
)

sensitive_pairs_contract_by_step_at_most.step(">= 0")(pairs_contract_by_step_at_most)

pairs_need_room_to_merge = section.claim(
    refs=("LM-10",),
    statement="(z_i - z_j, c_i - c_j)_A >= -kappa delta, so if |z_i - z_j|_A^2 > alpha kappa delta then z_i' != z_j'; "
    "kappa = max_k k/(k+1) - k/n, n = |C_i united with C_j|.",
    assumptions=(gaps_below_sensitivity, step_size_below_one),
    draw=nearly_swapped,
)


# By n of each pair, from a table: the largest k/(k+1) - k/n is at k near sqrt(n) - 1, and a formula would have the root.
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


# Any A: the proof compares values of one linear form on C_i and C_j, and asks nothing of the form.
@pairs_need_room_to_merge.state(">= 0", assuming=(gaps_below_sensitivity,))
def averages_are_almost_monotone(f: LocalmaxStep, *, most=1):
    """<A (z_i - z_j), c_i - c_j> + kappa delta for every pair."""
    return scored_with_difference(f, f.targets()) + most * kappa(f) * f.delta[..., None]


@pairs_need_room_to_merge.step(">= 0")
def pairs_contract_by_step_and_sensitivity(f: LocalmaxStep, *, most=1):
    """<A (z_i - z_j), z_i' - z_j'> - (1 - gamma) <A (z_i - z_j), z_i - z_j> + gamma kappa delta for every pair."""
    before, after = (scored_with_difference(f, points) for points in (f.z, f.step().z))
    return after - (1 - f.gamma)[..., None] * before + most * kappa(f) * (f.gamma * f.delta)[..., None]


# Along A (z_i - z_j): where that component stays positive the tokens are not at one place.
@pairs_need_room_to_merge.step("> 0")
def pairs_with_room_stay_apart(f: LocalmaxStep, *, room=1):
    """<A (z_i - z_j), z_i' - z_j'> for every pair with <A (z_i - z_j), z_i - z_j> > alpha kappa delta."""
    apart = (1 - f.gamma)[..., None] * scored_with_difference(f, f.z)
    far = ~at_most(apart, room * kappa(f) * (f.gamma * f.delta)[..., None])
    return where(far, scored_with_difference(f, f.step().z))
