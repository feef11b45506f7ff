"""Also in discrete time distances between tokens never shrink for Q^T K = V = I, however long the step.

Clusters M3 and L1: a step adds dt times a monotone map, <grad f(x) - grad f(y), x - y> >= 0.
"""

import numpy as np

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import positive_step, squared_norms
from claims.statement import Claim, Origin
from dynamics.tokens.discrete_attention import AttentionStep

CROSS = "(apart * rate).sum(axis=-1)"

claim = Claim(
    __name__,
    where="Remark 1.1 (r:discretetime), of Lemma l:distnondec",
    refs=("M3", "L1"),
    statement="If Q^T K = V = I and dt > 0 then |x_i^{k+1} - x_j^{k+1}| >= |x_i^k - x_j^k|.",
    origin=Origin.REPORTED,
    system=AttentionStep,
    assumptions=(identity_value, identity_key_query, positive_step),
    equivalent={
        f"squared_distance_gained: 2 * {CROSS} + squared_norms(rate) => 2 * {CROSS}": "<v, u> >= 0 alone, too.",
        "squared_distance_gained: (apart == 0).all => (apart == 0).any": "It leaves 0 >= 0 of more pairs.",
        **{
            f"squared_distance_gained: apart == 0 => {other}": "Of the pairs it leaves 0 >= 0, of others what is true, too."
            for other in ("apart != 0", "rate == 0")
        },
        **{
            f"squared_distance_gained: 2 * {CROSS} => {other} * {CROSS}": "<v, u> >= 0: any factor >= 0 will do."
            for other in ("21/10", "19/10")
        },
    },
)


@claim.step(">= 0")
def squared_distance_gained(f: AttentionStep):
    """|x_i + dt v_i - x_j - dt v_j|^2 - |x_i - x_j|^2 for every pair i < j, as 2 dt <v, u> + dt^2 |v|^2."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    moved = f.step().x - f.x
    apart, rate = f.x[..., i, :] - f.x[..., j, :], moved[..., i, :] - moved[..., j, :]
    # Tokens in one place stay together: exactly 0, where two balls would differ.
    together = (apart == 0).all(axis=-1)
    return np.where(together, 0 * squared_norms(apart), 2 * (apart * rate).sum(axis=-1) + squared_norms(rate))
