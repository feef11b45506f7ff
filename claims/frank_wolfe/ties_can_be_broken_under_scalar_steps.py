"""For P = gamma I the leader set is a single point for almost every start as soon as B is not zero.

Sharper than Lemma `lem:singleLeader` (frank_wolfe FW-1), which asks for invertible B. Along fixed choices
x_i^t = sum_a u_a x_a^0 and x_j^t - x_k^t = sum_a w_a x_a^0 with numbers u, w, sum u = 1 and sum w = 0, and a tie is the
zero of the quadratic form with blocks u_a w_b B + w_a u_b B^T. As u and w != 0 are independent this form is not zero
for B != 0. Its squared norm is 2 |u|^2 |w|^2 |B|^2 + 2 <u, w>^2 tr(B B) >= 2 (|u|^2 |w|^2 - <u, w>^2) |B|^2.
"""

import numpy as np

from claims.frank_wolfe.setting.preconditioned import nonzero_key_query, run_of, share_matrix, two_that_meet_halfway
from claims.frank_wolfe.setting.steps import scalar_step
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator, numbers, transposed
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem:singleLeader, sharper",
    refs=("FW-1", "Q13"),
    statement="If P = gamma I and B != 0, then for a.e. start the leader set of every token at every time is one point.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(scalar_step, nonzero_key_query),
    draw=two_that_meet_halfway,
)


def shares_of_the_start(f):
    """L^t with x^t = L^t x^0, each (..., n, n), at steps 0 to 5."""
    L = eye = indicator(np.eye(f.x.shape[-2], dtype=bool), f.x)
    gamma, found = f.P[..., :1, :1], []
    for now in run_of(f):
        found.append(L)
        L = ((1 - gamma) * eye + gamma * share_matrix(now)) @ L
    return found


@claim.orbit("> 0")
def ties_are_no_identities(f: HardmaxStep):
    """The squared norm of the form of <B x_i, x_j - x_k>, or 1 where j and k have merged, for all i, j, k on the orbit."""
    slacks = []
    for L in shares_of_the_start(f):
        u, w = L[..., :, None, None, :], (L[..., :, None, :] - L[..., None, :, :])[..., None, :, :, :]
        across, both = (u * w).sum(axis=-1), (u * u).sum(axis=-1) * (w * w).sum(axis=-1)
        size, turned = (f.B * f.B).sum(axis=(-2, -1)), (f.B * transposed(f.B)).sum(axis=(-2, -1))
        size, turned = (numbers(part)[..., None, None, None] for part in (size, turned))
        form = 2 * both * size + 2 * across * across * turned
        slacks.append(form + indicator((w == 0).all(axis=-1), f.x))
    return np.stack(slacks, axis=-1)


@claim.orbit("== 0")
def tokens_are_their_shares(f: HardmaxStep, *, share=1):
    """x^t - L^t x^0 at every step."""
    return np.stack([now.x - share * (L @ f.x) for now, L in zip(run_of(f), shares_of_the_start(f), strict=True)], axis=-1)
