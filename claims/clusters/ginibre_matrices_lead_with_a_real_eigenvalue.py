"""One in seven real Gaussian matrices has a real and positive eigenvalue of largest modulus.

The condition on V of Theorem 4.2 for random matrices (clusters, numerical section): "about 14%" at d = 128. An
experiment in float64, seeded.
"""

import numpy as np

from claims.experiments import Frequency
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

DIMENSION, MOST, SHARE = 128, 1000, 16

claim = Claim(
    __name__,
    where="section 11, on good triples",
    refs=("D4.1",),
    statement="About 14% of real Ginibre matrices with d = 128 have a real positive eigenvalue of largest modulus.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
)


@claim.experiment()
def matrices_that_lead_with_a_positive_eigenvalue(steps):
    """The part of seeded matrices whose eigenvalue of largest modulus is real and positive."""
    runs = max(1, min(steps // SHARE, MOST))
    rng, hits = np.random.default_rng(128), 0
    for _ in range(runs):
        eigenvalues = np.linalg.eigvals(rng.standard_normal((DIMENSION, DIMENSION)))
        leading = eigenvalues[np.argmax(abs(eigenvalues))]
        hits += bool(leading.imag == 0 and leading.real > 0)
    return [Frequency(f"d = {DIMENSION}", hits, runs, "0.14")]
