"""With V frozen the scores also become one-hot, and faster: q_j <= 1 / (1 + (u_0 - u_j) t / (p (1 + e^{u_0}))).

Against section 3.1 (polarization C-joint, E10). Only a is trained: d(1/q_j)/dtau >= (u_0 - u_j) / p as in Theorem
3.3(b), and gamma stays above 1 / (1 + e^{u_0}) because m < u_0. The rate 1/t beats the 1/log^2 t of joint training;
indeed s_j tau -> 1 / (p (u_0 - u_j)). A monotone function of a linear form on the simplex is optimised at a vertex;
what joint training adds is that the sparse output is chosen although dense ones reach zero loss.
"""

from flint import fmpq

from claims.polarization import score_ratios_decay
from claims.polarization.setting.scores import leader_dominates, leading_value, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.frozen_values import FrozenValuesFlow

claim = Claim(
    __name__,
    where="section 3.1, on joint training, corrected",
    refs=("C-joint", "E10"),
    statement="If only a is trained, q_j <= 1 / (1 + (u_0 - u_j) t / (p (1 + e^{u_0}))) for j != 0.",
    origin=Origin.OURS,
    system=FrozenValuesFlow,
    assumptions=(two_scores, zero_scores, leading_value),
)


@claim.state(">= 0", assuming=(two_scores, leader_dominates))
def inverse_ratio_rate(f: FrozenValuesFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j), at every state where index 0 leads."""
    return score_ratios_decay.inverse_ratio_rate(f, rate=rate)


@claim.rate("> 0", horizon=lambda start: fmpq(8))
def inverse_ratio_outgrows_time(now: FrozenValuesFlow, start: FrozenValuesFlow, *, rate=1):
    """p (1 + e^{u_0}) (1/q_j - 1) - (u_0 - u_j) t."""
    grown = len(now.a) * (1 + exp(now.u[:1])) * (exp(now.a[:1] - now.a[1:]) - 1)
    return grown - rate * (now.u[:1] - now.u[1:]) * (now.t - start.t)
