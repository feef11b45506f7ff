"""A diagonalizable V has an orthonormal basis of eigenvectors: false unless V is normal.

Clusters Q1: so the paper chooses its basis before Lemma l:fj. Real eigenvalues and orthonormal eigenvectors make V
symmetric. "Normalised" is meant, and the lemma needs no more than a dual basis.
"""

from claims.clusters.setting import different_real_eigenvalues
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact, transposed
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="before Lemma l:fj, 'orthonormal'",
    refs=("Q1",),
    note=(
        "V = [[1, 1], [0, 2]] has the eigenvectors (1, 0) and (1, 1), which are not orthogonal: only a normal V "
        "has an orthonormal basis of them. The lemma needs no more than a dual basis, with which it holds."
    ),
    statement="If V has d different real eigenvalues then it has an orthonormal eigenbasis: V V^T = V^T V.",
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(different_real_eigenvalues,),
    standing=Standing.FALSE,
    corrected_by="clusters.coordinates_contract",
    defect=Defect(
        Kind.CASE,
        quotation=r"If $V$ has $d$ different real eigenvalues then it has an orthonormal eigenbasis.",
        context=r"Before Lemma l:fj.",
        wrong=r"Eigenvectors of a matrix that is not normal need not be orthogonal.",
        correction=(
            r"$V$ has an eigenbasis $\varphi_k$ with a dual basis $\varphi_k^*$, $\varphi_k^*(\varphi_l) = "
            r"\delta_{kl}$; the lemma needs no more."
        ),
        consequences=(
            Consequence("Lemma l:fj", survives=True, why="With the dual basis.", shown_by="clusters.coordinates_contract"),
        ),
    ),
)


@claim.identity()
def commutator(f: RescaledFlow):
    """V V^T - V^T V."""
    return f.V @ transposed(f.V) - transposed(f.V) @ f.V


@claim.by_hand(z=[[0, 0]], B=[[1, 0], [0, 1]], V=[[1, 1], [0, 2]])
def two_eigenvectors(f: RescaledFlow):
    """(1, 0) and (1, 1)."""
    first, second = exact([1, 0]), exact([1, 1])
    yield rf"Take $V = {tex(f.V)}$, with the eigenvalues $1$ and $2$."
    yield (
        rf"$V (1, 0)^\top = {tex(f.V @ first)}$ and $V (1, 1)^\top = {tex(f.V @ second)}$: up to factors these "
        rf"are all eigenvectors."
    )
    yield rf"$\langle (1, 0), (1, 1) \rangle = {tex(first @ second)} \neq 0$."
