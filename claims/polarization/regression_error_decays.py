"""Square loss: |beta - beta_*|^2 decays at least at rate 1/p; indeed 2/p.

Appendix C.1 (polarization C-reg2, E11), from Lemma D.2: with r = beta_* - beta, dbeta/dt = (|s|^2 I + V J(s)^2 V^T) r
and |s|^2 >= 1/p. At any state of the full model. The loss (20), printed without the 1/2 of (8), runs twice as fast: 4/p.
The constant 2/p is attained at uniform scores and V^T r proportional to 1.
"""

from claims.statement import Claim, Origin
from dynamics.training.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    where="appendix C.1",
    refs=("C-reg2", "C-D2", "C-ds", "E11", "T2"),
    statement="d|beta - beta_*|^2/dt <= -(1/p) |beta - beta_*|^2. Hence the loss converges to zero exponentially fast",
    origin=Origin.PRINTED,
    system=FullSquareFlow,
)


def _error_rate(f):
    """-d|beta - beta_*|^2/dt by the product rule, and |beta - beta_*|^2."""
    (dV, da), s, r = f.velocity(), f.s, f.residual()
    ds = s * (da - (s * da).sum(axis=-1, keepdims=True))
    dbeta = (dV * s[..., None, :] + f.V * ds[..., None, :]).sum(axis=-1)
    return 2 * (r * dbeta).sum(axis=-1), (r * r).sum(axis=-1)


@claim.state(">= 0")
def error_decay_rate(f: FullSquareFlow, *, rate=2):
    """-d|beta - beta_*|^2/dt - 2 |beta - beta_*|^2 / p: twice what is printed, and attained."""
    decay, error = _error_rate(f)
    return decay - rate * error / f.a.shape[-1]


@claim.state(">= 0")
def error_decay_rate_of_whole_square(f: FullSquareFlow, *, rate=4, speed=2):
    """-d|beta - beta_*|^2/dt - 4 |beta - beta_*|^2 / p for the gradient flow of |beta - beta_*|^2, twice as fast."""
    decay, error = _error_rate(f)
    return speed * decay - rate * error / f.a.shape[-1]
