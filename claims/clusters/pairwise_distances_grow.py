"""Distances between tokens never shrink.

Proof of Theorem 1 on the slides (clusters L1, `l:distnondec`), set up for QK = V = 1: Q^T K = V = I where d > 1. Each
token climbs the gradient of the convex function y -> log sum_k exp <y, x_k>, so <x_i' - x_j', x_i - x_j> >= 0. It equals
KL(P_i|P_j) + KL(P_j|P_i).
"""

import numpy as np
from flint import fmpq

from claims.assumptions import identity_key_query, identity_value
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Lemma (any d >= 1)', proof of Theorem 1",
    refs=("L1",),
    statement="Setup: d = 1, QK = V = 1. Lemma (any d >= 1) t -> ||x_i(t) - x_j(t)|| is increasing for any i, j in [n].",
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(identity_value, identity_key_query),
    equivalent={
        (
            "distances_never_fall_below_start, in _pairs_apart: (start.x[i] != start.x[j]).any => (start.x[i] != "
            "start.x[j]).all"
        ): "The statement of fewer pairs: of those apart in every coordinate.",
    },
)


@claim.state(">= 0")
def separation_rate(f: SelfAttentionFlow):
    """<x_i' - x_j', x_i - x_j> for every pair i < j."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift()
    return ((v[..., i, :] - v[..., j, :]) * (f.x[..., i, :] - f.x[..., j, :])).sum(axis=-1)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(1))
def distances_never_fall_below_start(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """|x_i(t) - x_j(t)|^2 - |x_i(0) - x_j(0)|^2 for the pairs that start apart."""
    return _squared_distances(now, start) - _squared_distances(start, start)


@claim.trajectory("> 0", horizon=lambda start: fmpq(1))
def distances_grow_at_every_time(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """<x_i' - x_j', x_i - x_j> at every time, strictly, for the pairs that start apart; the others stay together."""
    i, j = _pairs_apart(start)
    v = now.drift()
    return ((v[i] - v[j]) * (now.x[i] - now.x[j])).sum(axis=-1)


def _pairs_apart(start: SelfAttentionFlow):
    i, j = np.triu_indices(len(start.x), 1)
    apart = (start.x[i] != start.x[j]).any(axis=-1)
    return i[apart], j[apart]


def _squared_distances(f: SelfAttentionFlow, start: SelfAttentionFlow):
    i, j = _pairs_apart(start)
    return ((f.x[i] - f.x[j]) ** 2).sum(axis=-1)
