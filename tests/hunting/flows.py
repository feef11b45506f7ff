"""Float64 batches of the flow on which steps of a search are tried."""

from __future__ import annotations

import numpy as np

from dynamics.training.value_softmax import LogisticFlow


def logistic(u, a=None, K=None):
    """The flow from these values, of shape (batch, p), with scores and lengths of 0 and 1 unless they are given."""
    u = np.asarray(u, dtype=float)
    none = np.zeros(len(u))
    return LogisticFlow(u=u, a=0 * u if a is None else a, K=1 + none if K is None else K, t=none, tau=none)
