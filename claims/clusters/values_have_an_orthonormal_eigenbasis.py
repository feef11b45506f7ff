"""A diagonalizable V has an orthonormal basis of eigenvectors: false unless V is normal.

Clusters Q1: so the paper chooses its basis before Lemma l:fj. Real eigenvalues and orthonormal eigenvectors make V
symmetric. "Normalised" is meant, and the lemma needs no more than a dual basis.
"""

from claims.clusters.setting import different_real_eigenvalues
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import transposed
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
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
)


@claim.identity()
def commutator(f: RescaledFlow):
    """V V^T - V^T V."""
    return f.V @ transposed(f.V) - transposed(f.V) @ f.V
