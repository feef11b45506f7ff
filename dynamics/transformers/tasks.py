"""The data of the two tasks, and what is known about it before any training."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.transformers.settings import Setting

BOS = CLS = 0  # both tasks give their special token the first id

Integers = NDArray[np.int64]


def induction(setting: Setting, number: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Inputs and targets (number, k + 2) of E.1: BOS, t_1, ..., t_k, t'_i; each position is to predict the next token.

    The last target is t_{i+1}; for i = k it is t'_k itself, as in the authors' code: the text does not say.
    """
    k = setting.tokens
    if setting.replacement:
        tokens = rng.integers(1, setting.vocabulary, (number, k))
    else:
        # The order of independent numbers is a uniform permutation, of which the first k are k different tokens.
        tokens = rng.random((number, setting.vocabulary - 1)).argsort(axis=1)[:, :k] + 1
    i = rng.integers(0, k, number)
    query = tokens[np.arange(number), i] + (setting.vocabulary - 1 if setting.shifted else 0)
    inputs = np.column_stack([np.full(number, BOS), tokens, query])
    last = inputs[np.arange(number), i + 2]
    return inputs, np.column_stack([inputs[:, 1:], last])


def classification(setting: Setting, number: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Inputs (number, n + 1) and labels (number,) of E.3: n tokens of the label's group, then CLS."""
    labels = rng.integers(0, setting.labels, number)
    n, group = setting.tokens, setting.group
    if setting.replacement:
        within = rng.integers(0, group, (number, n))
    else:
        within = rng.random((number, group)).argsort(axis=1)[:, :n]
    return np.column_stack([within + 1 + group * labels[:, None], np.full(number, CLS)]), labels


def samples(setting: Setting, number: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Inputs and targets of the setting's task."""
    return (induction if setting.task == "induction" else classification)(setting, number, rng)


def one_of_each_label(setting: Setting) -> Integers:
    """The inputs (labels, n + 1) where :attr:`Setting.is_exact`: there are no others, but for the order of their tokens."""
    # Where tokens may differ a batch of these would be another training than the paper's.
    assert setting.is_exact
    tokens = 1 + np.arange(setting.labels * setting.group).reshape(setting.labels, setting.group)
    return np.column_stack([tokens, np.full(setting.labels, CLS)])
