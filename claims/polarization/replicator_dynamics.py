"""Section 3.1: weights follow replicator dynamics (polarization C-rep).

`weights_follow_exact_replicator`: ds_i/dtau = s_i (f_i - sum_k s_k f_k), f_i = s_i (u_i - m): the replicator equation,
but not with fitness u_i.

The paper's intuition, "amplified relative to those below average" (polarization C-rep, E5): if u_i > m > u_j then s_i
/ s_j increases. Made exact (M2(h)): scores rise exactly where u_i is above its mean m. That s_i itself increases when
u_i > m is another statement, and false.

`above_average_values_gain_weight`: If u_i > m then s_i increases: false, also where u and a are ordered alike, as along
Theorem 3.2.

The "replicator intuition" asked of one weight alone (polarization C-rep, E5): the text says that coordinates with
above-average u_i "are amplified relative to those below average", which is true (`weights_follow_exact_replicator`). The
fitness is s_i (u_i - m), not u_i: a second-best token may lose weight to the leader while u_1 is above the mean. At the
state u = (4, 3, 0), a = (1, 0, 0) one has u_1 - m = .0597 and ds_1/dtau = -.0444; from u(0) = (4, 3, 0), a(0) = 0 it comes
to the same.

`values_follow_replicator`: u' is u - <u, s> 1 up to positive factors: false, since u' = gamma K s has positive entries
only.

The "intuition from replicator dynamics" for the value projections (polarization C-rep, E5). The paper omits "scaling
factors and normalization terms": what is true of its words is `weights_follow_exact_replicator`, and of u the gaps,
`gaps_grow`. A projection below the mean m still grows.
"""

import numpy as np

from claims.polarization.setting.scores import comonotone, two_scores
from claims.statement import Origin, Section, Standing
from dynamics.arithmetic import at_most, indicator
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, refs=("C-rep", "E5"), system=LogisticFlow, assumptions=(two_scores,))

weights_follow_exact_replicator = section.claim(
    "weights_follow_exact_replicator",
    where="section 3.1, intuition from replicator dynamics",
    refs=("C-rep", "M2(h)", "E5"),
    statement=(
        'coordinates with above-average "fitness" (larger u_i) are amplified relative to those below average, '
        "polarizing the mass towards the best-performing coordinates."
    ),
    origin=Origin.PRINTED,
)


def above_average(f):
    """u_i - m as sum_k s_k (u_i - u_k): exactly zero where all u are equal."""
    return ((f.u[..., :, None] - f.u[..., None, :]) * f.s[..., None, :]).sum(axis=-1)


@weights_follow_exact_replicator.identity()
def replicator_equation(f: LogisticFlow, *, strength=1):
    """ds_i/dtau along the flow minus s_i (f_i - sum_k s_k f_k)."""
    s = f.s
    fitness = s * (f.u - f.m[..., None])
    average = (s * fitness).sum(axis=-1, keepdims=True)
    return time_derivative(lambda g: g.s, f) - strength * s * (fitness - average)


@weights_follow_exact_replicator.state(">= 0")
def scores_rise_above_average(f: LogisticFlow):
    """a_i' (u_i - m): a' is u - <u, s> 1 up to the positive factors s_i."""
    return f.da_dtau() * above_average(f)


@weights_follow_exact_replicator.state(">= 0")
def ratios_of_pairs_grow(f: LogisticFlow):
    """(log s_i / s_j)' = a_i' - a_j' wherever u_i > m > u_j, else 0."""
    i, j = np.nonzero(~np.eye(f.u.shape[-1], dtype=bool))
    above = above_average(f)
    apart = ~at_most(above[..., i], 0 * above[..., i]) & ~at_most(-above[..., j], 0 * above[..., j])
    da = f.da_dtau()
    return indicator(apart, f.u) * (da[..., i] - da[..., j])


above_average_values_gain_weight = section.claim(
    "above_average_values_gain_weight",
    where="section 3.1, replicator intuition, of one weight alone",
    note=(
        "At u = (4, 3, 0), a = (1, 0, 0) the value u_1 = 3 is above the mean 2.94, and s_1 falls: the fitness of "
        "a weight is s_i (u_i - m), and the leader's is so large that it pulls s_1 down. With this fitness the "
        "replicator equation is exact."
    ),
    statement="u_i > m implies that s_i increases.",
    assumptions=(two_scores, comonotone),
    standing=Standing.FALSE,
    corrected_by="polarization.weights_follow_exact_replicator",
)


@above_average_values_gain_weight.state(">= 0")
def weight_rate_at_comonotone_states(f: LogisticFlow):
    """ds_i/dtau where u_i > m, else 0, at states ordered alike in u and a."""
    above = above_average(f)
    return indicator(~at_most(above, 0 * above), f.u) * f.ds_dtau()


values_follow_replicator = section.claim(
    "values_follow_replicator",
    where="section 3.1, replicator dynamics, u' ~ u - <u, s> 1 read up to positive factors",
    note=(
        "All u_i grow, also those below the mean: at u = (1, 0), a = 0 the second has u_1' = K/2 > 0 and u_1 - "
        "<u, s> = -1/2. It is the weights that follow a replicator equation, with the fitness s_i (u_i - m)."
    ),
    statement="u_i' has the sign of u_i - <u, s>.",
    standing=Standing.FALSE,
    corrected_by="polarization.weights_follow_exact_replicator",
)


@values_follow_replicator.state(">= 0")
def values_rise_above_average_only(f: LogisticFlow):
    """u_i' (u_i - m): both have the sign of u_i - m if the statement holds up to any positive factors."""
    return f.du_dtau() * above_average(f)
