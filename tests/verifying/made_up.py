"""Systems on which decisions are tried, and arrays of numbers and balls as a slack gives them."""

from __future__ import annotations

import numpy as np
from flint import arb

from claims.stating.verdict import Outcome
from dynamics.arithmetic import numbers
from dynamics.choices import Ball
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow

HOLDS, VIOLATED, UNDECIDED = Outcome.HOLDS, Outcome.VIOLATED, Outcome.UNDECIDED
FLOW = SelfAttentionFlow.instance(x=[[1, 0], ["1/3", 2]])
LOGISTIC = LogisticFlow.instance(u=[1, 0])
CHAIN = AttentionChain.instance(v=[[1], [-1]], x=[[1], [-1]], group=[0, 1], beta=1, gamma="1/8", eps="1/8", steps=5)


def array(*entries):
    made = np.empty(len(entries), dtype=object)
    made[:] = entries
    return numbers(made)


def balls(*pairs):
    """Guarded ones, by their middles and radii."""
    return array(*(Ball(arb(*pair)) for pair in pairs))
