"""Vertices of equal norm own their cells.

Frank_wolfe FW-11 with FW-8: <Bv_i, v_i - v_j> = |v_i - v_j|_B^2 / 2 > 0 where J(v_i) = J(v_j) and B > 0. So
Theorem 4.2 applies to every polytope inscribed in an ellipsoid around 0.
"""

import numpy as np

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.cells import corners, equal_norm_vertices, gaps, polytope
from claims.statement import Claim, Origin
from dynamics.geometry import squared_distances
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Proposition 4.5 gives hypothesis (1) of Theorem 4.2",
    refs=("FW-11", "FW-8"),
    statement="If B > 0 and J(v_i) = c for all i, then <Bv_i, v_i> > <Bv_i, v_j> for i != j.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(definite_key_query, equal_norm_vertices),
    draw=polytope,
)


@claim.state("> 0", exact_only=True)
def own_score_leads(f: HardmaxStep):
    """<Bv_i, v_i - v_j> for vertices i != j."""
    own = np.arange(len(corners(f)))
    return gaps(f, corners(f))[own, own]


@claim.identity(assuming=(definite_key_query,))
def lead_of_any_token(f: HardmaxStep, *, share=1):
    """<By_i, y_i - y_j> - |y_i - y_j|_B^2 / 2 - J(y_i) + J(y_j) for tokens y_i and y_j."""
    scores, J = f.scores(), squared_distances(0 * f.x[..., :1, :], f.x, f.B)[..., 0, :] / 2
    leads = np.diagonal(scores, axis1=-2, axis2=-1)[..., :, None] - scores
    return leads - share * squared_distances(f.x, f.x, f.B) / 2 - J[..., :, None] + J[..., None, :]
