"""The token x among n - 1 others at -1/x moves away from 0 exactly if x^2 > W((n - 1)/e).

That omega_n cannot be smaller in the growth of tokens (clusters L2, N1), with V = Q^T K = 1 on the line: there
x_1 x_1' (e^{x^2} + (n - 1)/e) = x^2 e^{x^2} - (n - 1)/e.
"""

import numpy as np

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import omega, on_the_line
from claims.statement import Assumption, Claim, Origin
from dynamics.arithmetic import Array, exp, indicator, numbers
from dynamics.tokens.self_attention import SelfAttentionFlow

SMALLEST = 1 << 6


def _reciprocal(x: Array) -> Array:
    """(x, -1/x, ..., -1/x) with x > 0 from the first token, shape (..., n, 1), n > 1; of floats a power of two."""
    first = abs(x[..., :1, :]) + (1 / indicator(np.ones((), dtype=bool), x)) / SMALLEST
    if first.dtype != object:
        first = np.exp2(np.round(np.log2(first)))
    return np.asarray(np.concatenate([first, *[-1 / first] * max(1, x.shape[-2] - 1)], axis=-2))


def _is_reciprocal(x: Array) -> bool:
    return len(x) > 1 and x[0, 0] > 0 and bool((x[1:, 0] * x[0, 0] == -1).all())


others_at_minus_reciprocal = Assumption(
    "others_at_minus_reciprocal",
    "x_1 > 0 and x_i = -1/x_1 for i > 1, n > 1",
    satisfies=lambda f: _is_reciprocal(f.x),
    restrict=lambda f: f.replace(x=_reciprocal(f.x)),
    violate=lambda f, draws: f.replace(x=abs(f.x) / draws.choice((8, 2))),
)

claim = Claim(
    __name__,
    where="sharpness of the threshold in Lemma l:auxiliary",
    refs=("L2", "N1"),
    statement="For tokens x, -1/x, ..., -1/x the velocity of the first has the sign of x^2 - W((n - 1)/e).",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, others_at_minus_reciprocal),
    equivalent={
        "velocity_times_excess: >= 0 => > 0": (
            "Equality only where x^2 e^{x^2 + 1} = n - 1: for no rational x, as e^q is transcendental for "
            "rational q > 0 (Lindemann)."
        ),
    },
)


@claim.state(">= 0")
def velocity_times_excess(f: SelfAttentionFlow, *, threshold=1):
    """x_1' (x_1^2 - omega_n)."""
    return f.drift()[..., 0, 0] * (f.x[..., 0, 0] ** 2 - threshold * omega(f.x.shape[-2], f.x))


@claim.identity()
def velocity_less_formula(f: SelfAttentionFlow, *, others=1):
    """x_1 x_1' (e^{x^2} + (n - 1)/e) - x^2 e^{x^2} + (n - 1)/e."""
    x, v, n = f.x[..., 0, 0], f.drift()[..., 0, 0], f.x.shape[-2]
    own = exp(numbers(x**2))
    rest = (n - 1) * exp(-indicator(np.ones((), dtype=bool), f.x)) * others
    return x * v * (own + rest) - x**2 * own + rest
