"""Square loss: value projections and scores keep their order, and gaps grow.

Section 3.2 and appendix C.1 (polarization C-reg1): from V(0) = 0 and s_0(0) > ... > s_{p-1}(0), for all t > 0. It needs
gamma > 0 throughout, which holds because gamma' = -(|s|^2 + |J(s) u|^2 / K) gamma (not said in the paper).
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_scores, two_scores, zero_values
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    where="section 3.2, regression; appendix C.1",
    refs=("C-reg1",),
    statement=(
        "Using the same techniques as in the logistic-loss case, we can derive an analogue of Theorem 3.2 for the"
        " regression dynamics."
    ),
    origin=Origin.PRINTED,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
)


@claim.trajectory("> 0", horizon=lambda start: fmpq(3))
def values_stay_ordered(now: SquareLossFlow, start: SquareLossFlow):
    """u_i - u_{i+1}."""
    return now.u[:-1] - now.u[1:]


@claim.trajectory("> 0", horizon=lambda start: fmpq(3))
def scores_stay_ordered(now: SquareLossFlow, start: SquareLossFlow):
    """a_i - a_{i+1}."""
    return now.a[:-1] - now.a[1:]


@claim.trajectory("> 0", horizon=lambda start: fmpq(3))
def gaps_grow(now: SquareLossFlow, start: SquareLossFlow):
    """(u_i - u_{i+1})' = gamma K (s_i - s_{i+1})."""
    rate = now.gamma[..., None] * now.du_dtau()
    return rate[:-1] - rate[1:]


@claim.trajectory("> 0", horizon=lambda start: fmpq(10))
def gamma_stays_positive(now: SquareLossFlow, start: SquareLossFlow, *, most=1):
    """gamma = 1 - m/K."""
    return 1 - most * now.m / now.K


@claim.identity(assuming=())
def gamma_rate(f: SquareLossFlow, *, share=1):
    """K gamma' + (K |s|^2 + |J(s) u|^2) gamma, at any state: gamma never changes sign."""
    du, da, _, _ = f.velocity()
    s, pulled = f.s, f.da_dtau()
    ds = s * (da - (s * da).sum(axis=-1, keepdims=True))
    falling = -(ds * f.u + s * du).sum(axis=-1)
    return falling + share * (f.K * (s * s).sum(axis=-1) + (pulled * pulled).sum(axis=-1)) * f.gamma
