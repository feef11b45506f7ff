"""The squared A-norm of a token changes by 2 gamma (self gap - mean gap attended to) + gamma^2 |c_i - z_i|_A^2.

localmax LM-5: hardmax HM-3 with what a tolerance costs, at most 2 gamma delta a step. The identity holds for
any symmetric A and any rule for neighbours. Summed over T steps: the mean self gap is at most delta + R / (2 gamma T), R
the largest squared norm at the start, so a token that converges ends where its self gap is at most delta.
"""

from claims.localmax.norms_grow_under_hardmax import squared_moves
from claims.localmax.setting.configurations import crowd_at_the_gap_or_any
from claims.localmax.setting.hypotheses import definite_matrix, gaps_below_sensitivity, open_step_size, symmetric_matrix
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-5",),
    statement="r_i' - r_i = 2 gamma (e_i - gbar_i) + gamma^2 |c_i - z_i|_A^2 with 0 <= gbar_i <= delta.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(definite_matrix, gaps_below_sensitivity, open_step_size),
    draw=crowd_at_the_gap_or_any,
)


def self_gaps(f: LocalmaxStep):
    """e_i = h(z_i) - r_i, shape (..., n)."""
    return peak(f.scores())[..., 0] - f.squared_norms()


def heard_gaps(f: LocalmaxStep):
    """gbar_i, the mean of gap_i over C_i, shape (..., n)."""
    return (f.weights() * f.gaps()).sum(axis=-1)


@claim.identity(assuming=(symmetric_matrix,))
def norm_gain(f: LocalmaxStep, *, factor=2):
    """r_i' - r_i - 2 gamma (e_i - gbar_i) - gamma^2 |c_i - z_i|_A^2."""
    gain = f.step().squared_norms() - f.squared_norms()
    return gain - factor * f.gamma[..., None] * (self_gaps(f) - heard_gaps(f)) - squared_moves(f)


@claim.state(">= 0", assuming=(gaps_below_sensitivity,))
def heard_gaps_are_below_sensitivity(f: LocalmaxStep, *, most=1):
    """delta - gbar_i."""
    return (most * f.delta)[..., None] - heard_gaps(f)


@claim.orbit(">= 0")
def self_gap_is_small_on_average(f: LocalmaxStep, *, most=1):
    """delta + R / (2 gamma T) minus the mean of e_i + gamma |c_i - z_i|_A^2 / 2 over T = 6 steps."""
    T = 6
    gamma, R = f.gamma[..., None], peak(f.squared_norms())
    spent = sum(self_gaps(now) + squared_moves(now) / (2 * gamma) for now in orbit(f, T - 1))
    return most * (f.delta[..., None] + R / (2 * gamma * T)) - spent / T
