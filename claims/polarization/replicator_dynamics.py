"""The weights follow the replicator equation exactly, but with the fitness s_i (u_i - m), not u_i.

`weights_follow_exact_replicator`: ds_i/dtau = s_i (f_i - sum_k s_k f_k) with f_i = s_i (u_i - m). The paper's
intuition, "amplified relative to those below average", is true of pairs: if u_i > m > u_j then s_i / s_j increases. The
scores a_i rise exactly where u_i is above the mean m.

`above_average_values_gain_weight`: False for one weight alone, also where u and a are ordered alike (E5): a second-best
token may lose weight to the leader while u_1 is above the mean. The paper does not claim it of one weight.

`values_follow_replicator`: False: u' = gamma K s has positive entries only, so a projection below the mean grows as
well (E5). The paper omits "scaling factors and normalization terms"; of u the gaps obey such a rule (`gaps_grow`).
"""

import numpy as np

from claims.polarization.setting.scores import comonotone, two_scores
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import at_most, indicator
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, refs=("C-rep", "E5"), system=LogisticFlow, assumptions=(two_scores,))

weights_follow_exact_replicator = section.claim(
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


# Zero where the condition fails; where balls cannot tell, the comparison raises and the state stays undecided.
@weights_follow_exact_replicator.state(">= 0")
def ratios_of_pairs_grow(f: LogisticFlow):
    """(log s_i / s_j)' = a_i' - a_j' wherever u_i > m > u_j, else 0."""
    i, j = np.nonzero(~np.eye(f.u.shape[-1], dtype=bool))
    above = above_average(f)
    apart = ~at_most(above[..., i], 0 * above[..., i]) & ~at_most(-above[..., j], 0 * above[..., j])
    da = f.da_dtau()
    return indicator(apart, f.u) * (da[..., i] - da[..., j])


# Ordered states too, since without an order a large fitness elsewhere would be an easy way out.
above_average_values_gain_weight = section.claim(
    where="section 3.1, replicator intuition, of one weight alone",
    note=(
        "At u = (4, 3, 0), a = (1, 0, 0) the value u_1 = 3 is above the mean 2.94, and s_1 falls: the fitness of "
        "a weight is s_i (u_i - m), and the leader's is so large that it pulls s_1 down. With this fitness the "
        "replicator equation is exact."
    ),
    statement="u_i > m implies that s_i increases.",
    assumptions=(two_scores, comonotone),
    corrected_by="polarization.weights_follow_exact_replicator",
)


@above_average_values_gain_weight.state(">= 0")
def weight_rate_at_comonotone_states(f: LogisticFlow):
    """ds_i/dtau where u_i > m, else 0, at states ordered alike in u and a."""
    above = above_average(f)
    return indicator(~at_most(above, 0 * above), f.u) * f.ds_dtau()


values_follow_replicator = section.claim(
    where="section 3.1, replicator dynamics, u' ~ u - <u, s> 1 read up to positive factors",
    note=(
        "All u_i grow, also those below the mean: at u = (1, 0), a = 0 one has du_1/dtau = K/2 > 0 and u_1 - "
        "<u, s> = -1/2. It is the weights that follow a replicator equation, with the fitness s_i (u_i - m)."
    ),
    statement="u_i' has the sign of u_i - <u, s>.",
    corrected_by="polarization.weights_follow_exact_replicator",
)


# The product with u_i - m: a sign that differs shows for any positive factors that the prose may have left out.
@values_follow_replicator.state(">= 0")
def values_rise_above_average_only(f: LogisticFlow):
    """u_i' (u_i - m): both have the sign of u_i - m if the statement holds up to any positive factors."""
    return f.du_dtau() * above_average(f)
