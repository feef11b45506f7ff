"""Square loss: gamma(t) <= exp(-|s(0)|^2 t), better than exp(-t/p).

Appendix C.1 (polarization C-reg2), with |s(0)|^2 in place of 1/p: gamma' = -(|s|^2 + |J(s) u|^2 / K) gamma, and |s|^2 grows
at every state ordered alike in u and a, because the scores grow in majorisation order (S3). So the rate
of log gamma, -1/p or below at the start, stays below -|s(0)|^2.
"""

from flint import fmpq

from claims.polarization.setting.scores import comonotone, ordered_scores, two_scores, zero_values
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    where="appendix C.1, sharpened",
    refs=("C-reg2", "S3", "T4"),
    statement="1 - m/K <= exp(-|s(0)|^2 t) <= exp(-t/p).",
    origin=Origin.OURS,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
)


@claim.state(">= 0", assuming=(two_scores, comonotone))
def spread_rate(f: SquareLossFlow):
    """d|s|^2/dtau / 2, at every state ordered alike in u and a."""
    return (f.s * f.ds_dtau()).sum(axis=-1)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def gamma_decay_rate(now: SquareLossFlow, start: SquareLossFlow, *, rate=1):
    """-(log gamma)' - 1/p, which is |s|^2 + |J(s) u|^2 / K - 1/p."""
    return now.dm_dtau() / now.K - rate / fmpq(len(now.a))


@claim.identity(assuming=())
def gamma_rate_formula(f: SquareLossFlow, *, rate=1):
    """-K (log gamma)' - K |s|^2 - |J(s) u|^2."""
    s, da = f.s, f.da_dtau()
    return f.dm_dtau() - rate * f.K * (s * s).sum(axis=-1) - (da * da).sum(axis=-1)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def spread_grows(now: SquareLossFlow, start: SquareLossFlow):
    """d|s|^2/dtau / 2 at every t > 0: integrated, with the formula above, -(log gamma)' > |s(0)|^2."""
    return (now.s * now.ds_dtau()).sum(axis=-1)
