"""Four points of the plane, or eight of space, make an angle that is not acute.

What hypothesis (i) of Theorem 5.2 (frank_wolfe FW-14) allows. By Danzer and Gruenbaum fewer than 2^d points
of R^d, d >= 2, have all their angles acute: in the plane acute triangles meet it, and segments, of which it asks
nothing, but no quadrangle, pentagon or heptagon does.
"""

from itertools import combinations

import numpy as np

from claims.frank_wolfe.setting.softmax_steps import largest, too_many_to_be_acute, two_to_the_d_tokens
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="hypothesis (i) of Theorem 5.2 (eq: hypothesis.polytope)",
    refs=("FW-14",),
    statement="Of 2^d points of R^d, d >= 2, some three make an angle of at least pi/2.",
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(too_many_to_be_acute,),
    draw=two_to_the_d_tokens,
)


@claim.state(">= 0")
def widest_angle(f: SoftmaxStep):
    """The largest -<x_j - x_i, x_k - x_i> of three tokens."""
    products = []
    for i in range(f.x.shape[-2]):
        edges = f.x - f.x[..., i : i + 1, :]
        others = [j for j in range(f.x.shape[-2]) if j != i]
        products += [-(edges[..., j, :] * edges[..., k, :]).sum(axis=-1) for j, k in combinations(others, 2)]
    return largest(numbers(np.stack(products, axis=-1)))
