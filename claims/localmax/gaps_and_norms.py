"""The squared A-norm of a token changes by 2 gamma (self gap - mean gap of C_i) + gamma^2 |c_i - z_i|_A^2.

`limits_have_small_self_gaps`: Norms stay bounded, so the self gap e_i is in the long run at most delta on average, and at
most delta at the limit of a token that converges. This follows from the norm identity below.

`norm_gain_pays_for_the_gaps`: This is the norm identity of hardmax with the price of a tolerance, at most 2 gamma delta
a step. It holds for any symmetric A and any rule for neighbours (LM-5).

`neighbourhoods_are_power_balls`: Localmax is a Hegselmann-Krause rule whose radius depends on the token, with a bonus
for larger norms, the source of all asymmetry. It rests on 2 gap_i(z_j) = |z_i - z_j|_A^2 - (r_j - r_i) + 2 e_i.
"""

from claims.localmax.norms_grow_under_hardmax import squared_moves
from claims.localmax.setting.configurations import crowd_at_the_gap_or_any
from claims.localmax.setting.ends import limits, self_gaps
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    gaps_below_sensitivity,
    open_step_size,
    symmetric_matrix,
)
from claims.localmax.setting.starts import uneven_or_lattice
from claims.stating.statement import Section
from dynamics.arithmetic import at_most, numbers, peak
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, system=LocalmaxStep)

limits_have_small_self_gaps = section.claim(
    refs=("LM-5", "LM-9"),
    statement="The average over k < T of e_i^k + (gamma/2) |c_i - z_i|_A^2 is at most delta + R / (2 gamma T), "
    "R = max_i r_i^0; a token that converges has its limit in S_delta = {x in Kinf : max_y <Ax, y> - |x|_A^2 <= delta}.",
    assumptions=(additive_rule, definite_matrix, open_step_size),
    draw=uneven_or_lattice,
)


@limits_have_small_self_gaps.orbit(">= 0", exact_only=True)
def room_of_limits(f: LocalmaxStep, *, share=1):
    """delta minus the self gap of each limit."""
    return share * f.delta.item() - self_gaps(limits(f), f.A)


# Norms gain at least the self gaps less delta; as they stay below R, the gains cannot add up to more.
@limits_have_small_self_gaps.orbit(">= 0", exact_only=True)
def self_gaps_are_small_on_average(f: LocalmaxStep, *, T=8):
    """T delta + R / (2 gamma) - sum_k (e_i + (gamma/2) |c_i - z_i|_A^2) over T steps."""
    spent = sum(now_gaps(now) for now in orbit(f, T - 1))
    return T * f.delta.item() + peak(f.squared_norms()) / (2 * f.gamma.item()) - spent


def now_gaps(f: LocalmaxStep):
    """e_i + (gamma/2) |c_i - z_i|_A^2, shape (n,)."""
    move = f.replace(z=f.targets() - f.z).squared_norms()
    return numbers(self_gaps(f.z, f.A) + f.gamma.item() / 2 * move)


norm_gain_pays_for_the_gaps = section.claim(
    refs=("LM-5",),
    statement="r_i' - r_i = 2 gamma (e_i - gbar_i) + gamma^2 |c_i - z_i|_A^2 with 0 <= gbar_i <= delta.",
    assumptions=(definite_matrix, gaps_below_sensitivity, open_step_size),
    draw=crowd_at_the_gap_or_any,
)


def paid_self_gaps(f: LocalmaxStep):
    """e_i = h(z_i) - r_i, shape (..., n)."""
    return peak(f.scores())[..., 0] - f.squared_norms()


def heard_gaps(f: LocalmaxStep):
    """gbar_i, the mean of gap_i over C_i, shape (..., n)."""
    return (f.weights() * f.gaps()).sum(axis=-1)


# Any symmetric A and any rule: h and the mean gap are all that the rule has a part in.
@norm_gain_pays_for_the_gaps.identity(assuming=(symmetric_matrix,))
def norm_gain(f: LocalmaxStep, *, factor=2):
    """r_i' - r_i - 2 gamma (e_i - gbar_i) - gamma^2 |c_i - z_i|_A^2."""
    gain = f.step().squared_norms() - f.squared_norms()
    return gain - factor * f.gamma[..., None] * (paid_self_gaps(f) - heard_gaps(f)) - squared_moves(f)


# The one place where delta must bound the gaps: D2, D3 and D1self have other bounds.
@norm_gain_pays_for_the_gaps.state(">= 0", assuming=(gaps_below_sensitivity,))
def heard_gaps_are_below_sensitivity(f: LocalmaxStep, *, most=1):
    """delta - gbar_i."""
    return (most * f.delta)[..., None] - heard_gaps(f)


# At T = 6 the term R / (2 gamma T) still counts; as T grows the bound becomes that of the limits.
@norm_gain_pays_for_the_gaps.orbit(">= 0")
def self_gap_is_small_on_average(f: LocalmaxStep, *, most=1):
    """delta + R / (2 gamma T) minus the mean of e_i + gamma |c_i - z_i|_A^2 / 2 over T = 6 steps."""
    T = 6
    gamma, R = f.gamma[..., None], peak(f.squared_norms())
    spent = sum(paid_self_gaps(now) + squared_moves(now) / (2 * gamma) for now in orbit(f, T - 1))
    return most * (f.delta[..., None] + R / (2 * gamma * T)) - spent / T


neighbourhoods_are_power_balls = section.claim(
    refs=("LM-5", "OQ-9"),
    statement="j in C_i iff |z_i - z_j|_A^2 - (r_j - r_i) <= 2 (delta - e_i), for A symmetric.",
    assumptions=(symmetric_matrix, additive_rule),
)


# The power of a point to a ball: squared distance less a squared radius, here the lead in squared norm.
def power(f: LocalmaxStep):
    """|z_i - z_j|_A^2 - (r_j - r_i), shape (..., n, n)."""
    r = f.squared_norms()
    apart = f.replace(z=f.z[..., :, None, :] - f.z[..., None, :, :], A=f.A[..., None, :, :]).squared_norms()
    return apart - (r[..., None, :] - r[..., :, None])


# Symmetry only: |z_i - z_j|_A^2 splits into norms and twice one score.
@neighbourhoods_are_power_balls.identity(assuming=(symmetric_matrix,))
def twice_the_gap(f: LocalmaxStep, *, bonus=2):
    """2 gap_i(z_j) - (|z_i - z_j|_A^2 - (r_j - r_i)) - 2 e_i."""
    return 2 * f.gaps() - power(f) - bonus * paid_self_gaps(f)[..., :, None]


@neighbourhoods_are_power_balls.identity()
def neighbours_are_in_the_ball(f: LocalmaxStep, *, radius=2):
    """1 for every neighbour minus 1 for every token in the power ball."""
    ball = at_most(power(f), radius * (f.delta[..., None] - paid_self_gaps(f))[..., :, None])
    return (0 * f.scores() + 1) * (f.neighbours().astype(int) - ball.astype(int))
