"""Where all tokens have the same A-norm, localmax is the Hegselmann-Krause step of radius sqrt(2 delta).

localmax LY-3: then gap_i(z_j) = |z_i - z_j|_A^2 / 2, neighbours are mutual, and the truncated energy
sum_{i, j} min(|z_i - z_j|_A^2, 2 delta) falls by what LY-2 promises. The step leaves the sphere, so this is a fact about
one step.
"""

import numpy as np

from claims.localmax.energy_falls_along_its_graph import guaranteed_fall
from claims.localmax.norms_grow_under_hardmax import squared_moves
from claims.localmax.setting.configurations import equal_token_norms, on_a_sphere
from claims.localmax.setting.hypotheses import averages_over_indices, definite_matrix, open_step_size, sensitivity_is_a_gap
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-3",),
    statement=(
        "If all |z_i|_A are equal then gap_i(z_j) = |z_i - z_j|_A^2 / 2: Hegselmann-Krause with radius sqrt(2 delta)."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(definite_matrix, equal_token_norms, sensitivity_is_a_gap, averages_over_indices, open_step_size),
    draw=on_a_sphere,
)


def pairwise_norms(f: LocalmaxStep):
    """|z_i - z_j|_A^2, shape (..., n, n)."""
    return f.replace(z=f.z[..., :, None, :] - f.z[..., None, :, :], A=f.A[..., None, :, :]).squared_norms()


def truncated_energy(f: LocalmaxStep):
    """V = sum_{i, j} min(|z_i - z_j|_A^2, 2 delta), shape (...)."""
    apart = pairwise_norms(f)
    return -peak(np.stack([-apart, 0 * apart - 2 * f.delta[..., None, None]], axis=-1))[..., 0].sum(axis=(-2, -1))


@claim.identity(assuming=(definite_matrix, equal_token_norms))
def gap_is_half_a_square(f: LocalmaxStep, *, factor=2):
    """2 gap_i(z_j) - |z_i - z_j|_A^2."""
    return factor * f.gaps() - pairwise_norms(f)


@claim.step(">= 0")
def truncated_energy_falls(f: LocalmaxStep, *, share=1):
    """V(z) - V(z') - (4/gamma - 4) sum_i |C_i| |Delta_i|_A^2 - 4 sum_i |Delta_i|_A^2."""
    fall = guaranteed_fall(squared_moves(f), f.neighbours(), f.gamma)
    return truncated_energy(f) - truncated_energy(f.step()) - share * fall
