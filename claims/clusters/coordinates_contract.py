"""Along a left eigenvector of V with lambda >= 0 the least coordinate never falls and the largest never grows.

`coordinates_contract`: The lemma in the proof of Theorem 3 on the slides (`l:fj`). The rate of a coordinate is lambda times
a mean of differences, so neither a diagonalizable V nor Q^T K > 0 is needed.

`values_have_an_orthonormal_eigenbasis`: The basis that the paper fixes before Lemma `l:fj`. For real eigenvalues it exists
only if V is symmetric. "Normalised" seems to be meant, and the lemma needs no more than a dual basis.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import different_real_eigenvalues, first_coordinate_is_eigen, nonnegative_eigenvalue
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exact, peak, transposed
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, refs=("Q1",), system=RescaledFlow)

# phi is the first coordinate, in a basis that begins with it; `setting` says why nothing is lost.
coordinates_contract = section.claim(
    where="slide 'Proof of Theorem 3', its lemma",
    statement=(
        "Let k in [d] s.t. lambda_k >= 0. Then a_k: t -> min_{j in [n]} phi_k^*(z_j(t)) is increasing, and "
        "b_k: t -> max_{j in [n]} phi_k^*(z_j(t)) is decreasing."
    ),
    origin=Origin.PRINTED,
    assumptions=(first_coordinate_is_eigen, nonnegative_eigenvalue),
)


def slopes(f: RescaledFlow) -> Array:
    """phi(z_i)' for the first coordinate, shape (..., n)."""
    axis = np.eye(f.z.shape[-1], dtype=int)[:1] + 0 * f.V[..., :1, :]
    return f.rates(axis)[..., 0, :]


@coordinates_contract.state(">= 0")
def least_rises(f: RescaledFlow, *, room=2):
    """room lambda (phi(z_i) - min_j phi(z_j)) + phi(z_i)': the printed rate at the minimum; holds for every room >= 1."""
    lead = f.z[..., 0]
    return room * f.V[..., :1, 0] * (lead + peak(-lead)) + slopes(f)


@coordinates_contract.state(">= 0")
def largest_falls(f: RescaledFlow, *, room=2):
    """room lambda (max_j phi(z_j) - phi(z_i)) - phi(z_i)'."""
    lead = f.z[..., 0]
    return room * f.V[..., :1, 0] * (peak(lead) - lead) - slopes(f)


# If all start at one value, or lambda = 0, no coordinate moves: both sides are equal, and balls do not tell.
@coordinates_contract.trajectory(">= 0", horizon=lambda start: fmpq(1, 2))
def coordinates_stay_between(now: RescaledFlow, start: RescaledFlow):
    """phi(z_i(t)) - min_j phi(z_j(0)) and max_j phi(z_j(0)) - phi(z_i(t)), if tokens differ there and lambda > 0."""
    first, after = start.z[..., 0], now.z[..., 0]
    if (first == first[:1]).all() or start.V[0, 0] == 0:
        return first[:0]
    return np.concatenate([after + peak(-first), peak(first) - after])


values_have_an_orthonormal_eigenbasis = section.claim(
    where="before Lemma l:fj, 'orthonormal'",
    note=(
        "The eigenvectors (1, 0) and (1, 1) of V = [[1, 1], [0, 2]] are not orthogonal: only a normal V has an orthonormal "
        "eigenbasis. The lemma needs no more than a dual basis."
    ),
    statement="If V has d different real eigenvalues then it has an orthonormal eigenbasis: V V^T = V^T V.",
    origin=Origin.REPORTED,
    assumptions=(different_real_eigenvalues,),
    corrected_by="clusters.coordinates_contract",
    defect=Defect(
        Kind.MISPRINT,
        quotation=r"Let $\varphi_1, \dots, \varphi_d$ be an orthonormal eigenbasis of $V$.",
        context=(
            r"Before Lemma l:fj, for diagonalizable $V$. We checked whether a $V$ with $d$ different real eigenvalues "
            r"has such a basis."
        ),
        wrong=r"“Normalized” seems to be meant: eigenvectors of a matrix that is not normal need not be orthogonal.",
        correction=(
            r"$V$ has an eigenbasis $\varphi_k$ with a dual basis $\varphi_k^*$, $\varphi_k^*(\varphi_\ell) = "
            r"\delta_{k \ell}$; no more is needed."
        ),
        consequences=(Consequence("Lemma l:fj", why="With the dual basis."),),
    ),
)


# An orthonormal eigenbasis of real vectors asks for V = V^T. To be normal is less, so what is not normal fails in every
# reading.
@values_have_an_orthonormal_eigenbasis.identity()
def commutator(f: RescaledFlow):
    """V V^T - V^T V."""
    return f.V @ transposed(f.V) - transposed(f.V) @ f.V


@values_have_an_orthonormal_eigenbasis.by_hand(z=[[0, 0]], B=[[1, 0], [0, 1]], V=[[1, 1], [0, 2]])
def two_eigenvectors(f: RescaledFlow):
    """(1, 0) and (1, 1)."""
    first, second = exact([1, 0]), exact([1, 1])
    yield rf"Take $V = {tex(f.V)}$, with the eigenvalues $1$ and $2$."
    yield (
        rf"$V (1, 0)^\top = {tex(f.V @ first)}$ and $V (1, 1)^\top = {tex(f.V @ second)}$: up to factors these "
        rf"are all eigenvectors."
    )
    yield rf"$\langle (1, 0), (1, 1) \rangle = {tex(first @ second)} \neq 0$."
