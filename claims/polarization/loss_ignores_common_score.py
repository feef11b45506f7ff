"""The loss does not see a common shift of the scores, so its gradient in a sums to zero and sum_i a_i never moves.

Lemma D.1 (polarization C-D1a, C-D1b, M2(b)): L(V, a + c 1) = L(V, a), hence <grad_a L, 1> = 0.
"""

from claims.statement import Claim, Origin
from dynamics.differentiation import gradient
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    where="Lemma D.1",
    refs=("C-D1a", "C-D1b", "M2(b)"),
    statement=(
        "For any c in R, we have, L(V, a) = L(V, a + c 1) ... <grad_a L(V, a), 1> = 0 ... sum_i da_i/dt = 0 ==> "
        "sum_i a_i(t) = sum_i a_i(0), for all t >= 0."
    ),
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
    equivalent={
        "shifted_loss: stretch * f.a + f.K[..., None] => stretch * f.a": ("L(V, a) = L(V, a) is true, and says nothing."),
    },
)


@claim.identity()
def shifted_loss(f: FullLogisticFlow, *, stretch=1):
    """L(V, stretch a + c 1) - L(V, a) for c = K, which is any positive number."""
    return f.replace(a=stretch * f.a + f.K[..., None]).loss() - f.loss()


@claim.identity()
def gradient_sum(f: FullLogisticFlow, *, weight=1):
    """sum_i dL/da_i, the first one taken `weight` times."""
    slopes = gradient(FullLogisticFlow.loss, f, "a")
    return slopes.sum(axis=-1) + (weight - 1) * slopes[..., 0]


@claim.identity()
def score_sum_rate(f: FullLogisticFlow, *, weight=1):
    """d(sum_i a_i)/dt."""
    _, da = f.velocity()
    return da.sum(axis=-1) + (weight - 1) * da[..., 0]
