"""On the line a token at a > 0 moves with speed at least a - n/a and a/n - n e^{-a^2}/a.

The ingredients of Lemma `l:auxiliary` (clusters L2), V = Q^T K = 1. Both hold for every token; x_i x_i' >= x_i^2 - omega_n
is sharper than the first.
"""

import numpy as np

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, numbers
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemma l:auxiliary, its proof",
    refs=("L2",),
    statement="If d = V = Q^T K = 1 and x_i = a > 0, then x_i' >= a - n/a and x_i' >= a/n - n e^{-a^2}/a.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query),
    equivalent={
        "speed_less_first_bound: share = 1 => 19/20": (
            "x_i x_i' >= x_i^2 - omega_n (`softmax_mean_misses_the_maximum_by_omega`) and omega_n <= (n - 1)/e < 19 n/20."
        ),
        "speed_less_first_bound: share = 1 => 999/1000": (
            "x_i x_i' >= x_i^2 - omega_n (`softmax_mean_misses_the_maximum_by_omega`) and omega_n <= (n - 1)/e < 19 n/20."
        ),
        "speed_less_first_bound: x ** 2 => x ** 1": (
            "x_i x_i' >= x_i^2 - omega_n, x^2 - x >= -1/4, and omega_n + 1/4 <= (n - 1)/e + 1/4 < n."
        ),
        "speed_less_second_bound: x ** 2 => x ** 1": (
            "n x_i x_i' >= n x^2 - n omega_n, omega_n <= (n - 1)/e. For x < 0 this and n^2 e^{-x} >= n^2 are enough. For "
            "0 <= x <= 1 n^2/e + n x^2 - x >= n^2/e - 1/(4n) > n omega_n; for x > 1 the statement, as x < x^2."
        ),
    },
)


@claim.state(">= 0")
def speed_less_first_bound(f: SelfAttentionFlow, *, share=1):
    """x_i x_i' - x_i^2 + n, which is the statement times |x_i|, for either sign of x_i."""
    x, v = f.x[..., 0], f.drift()[..., 0]
    return x * v - x**2 + share * f.x.shape[-2]


@claim.state(">= 0")
def speed_less_second_bound(f: SelfAttentionFlow, *, part=1):
    """n x_i x_i' - x_i^2 + n^2 e^{-x_i^2}, in the same way, times n."""
    x, v, n = f.x[..., 0], f.drift()[..., 0], f.x.shape[-2]
    square = x**2
    return np.asarray(n * x * v - part * square + n**2 * exp(numbers(-square)))
