"""The weights grow in majorisation order: s_0 + ... + s_k never falls, so entropy falls and |s|^2 and max s rise.

This is the exact sense in which scores move to low entropy (S3). With f_i = s_i (u_i - m), ds_i/dtau = sum_l s_i s_l
(f_i - f_l). At a state ordered alike in u and a, either the tail has f <= 0 while the mean fitness of the head is
positive, or f is larger on the head.
"""

import numpy as np

from claims.polarization.setting.scores import ASSUMPTION_3_1, comonotone, two_scores
from claims.stating.statement import Claim
from dynamics.arithmetic import exp, exp_difference, numbers
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="section 3.1 (entropy of the scores), made exact",
    refs=("S3", "M2(h)"),
    statement="d/dtau sum_{i<=k} s_i >= 0 for every k, wherever s and u are ordered alike.",
    system=LogisticFlow,
    assumptions=ASSUMPTION_3_1,
)


# Antisymmetric: what l loses to i, i gains, so that partial sums are flows from the tail to the head alone.
def _flows(f):
    """s_i s_l (f_i - f_l): what flows from l to i, shape (..., p, p); it sums over l to ds_i/dtau."""
    s = f.s
    fitness = f.da_dtau()
    return s[..., :, None] * s[..., None, :] * (fitness[..., :, None] - fitness[..., None, :])


# By the flow between head and tail: summed over the head, the ds_i would cancel where it barely grows.
def _growth_of_partial_sums(f):
    """d/dtau sum_{i<=k} s_i for k < p - 1, as the flow from the tail to the head."""
    flows, p = _flows(f), f.a.shape[-1]
    if p == 1:
        return f.a[..., :0]
    sums = [numbers(flows[..., : k + 1, k + 1 :].sum(axis=(-2, -1))) for k in range(p - 1)]
    return np.concatenate([total[..., None] for total in sums], axis=-1)


@claim.state(">= 0", assuming=(two_scores, comonotone))
def partial_sums_grow(f: LogisticFlow):
    """d/dtau sum_{i<=k} s_i for k < p - 1, at every state ordered alike in u and a; k = 0 is max s."""
    return _growth_of_partial_sums(f)


# -H and |s|^2 change by the flow from l to i times a_i - a_l, and e^{a_i} - e^{a_l}: each term has the sign of the flow
# where a decreases with the index.
def _falls_and_growth(f):
    """-dH/dtau and (A/2) d|s|^2/dtau, H the Shannon entropy, A = sum_k e^{a_k}: sums over i < l of the flow from l to i."""
    i, j = np.triu_indices(f.a.shape[-1], 1)
    flows, a = _flows(f)[..., i, j], f.a
    drops = (a[..., i] - a[..., j], exp_difference(a[..., i], a[..., j]))
    return np.concatenate([numbers((flows * drop).sum(axis=-1))[..., None] for drop in drops], axis=-1)


@claim.state(">= 0", assuming=(two_scores, comonotone))
def entropy_falls_and_length_grows(f: LogisticFlow):
    """-dH/dtau and (A/2) d|s|^2/dtau."""
    return _falls_and_growth(f)


@claim.identity(assuming=())
def falls_add_up(f: LogisticFlow, *, share=1):
    """The same less sum_i a_i ds_i/dtau and sum_i e^{a_i} ds_i/dtau."""
    ds = f.ds_dtau()
    sums = [numbers((weight * ds).sum(axis=-1))[..., None] for weight in (f.a, exp(f.a))]
    return _falls_and_growth(f) - share * np.concatenate(sums, axis=-1)


@claim.identity(assuming=())
def flows_add_up(f: LogisticFlow, *, share=1):
    """sum_l s_i s_l (f_i - f_l) - ds_i/dtau."""
    return _flows(f).sum(axis=-1) - share * f.ds_dtau()


@claim.trajectory("> 0", horizon=lambda start: 3)
def partial_sums_grow_in_time(now: LogisticFlow, start: LogisticFlow):
    """d/dtau sum_{i<=k} s_i at every time of a trajectory that satisfies the paper's assumption 3.1."""
    return _growth_of_partial_sums(now)
