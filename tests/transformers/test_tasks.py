"""The samples of E.1 and E.3, counted where they are few; bugs planted in their drawing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dynamics.transformers import tasks
from dynamics.transformers.settings import Setting
from tests.planting import bugs_of, facts_above, noticed, survivors

INDUCTION = Setting("induction", vocabulary=9, tokens=5)
CLASSIFICATION = Setting("classification", vocabulary=13, labels=3, tokens=3, positions="no")


def rng(seed=0):
    return np.random.default_rng(seed)


def samples_of_induction(module):
    """BOS, k tokens, t'_i; each position is to predict the next token, the last one t_{i+1}, or t'_k after t_k."""
    for shifted, replacement in product((True, False), repeat=2):
        setting = replace(INDUCTION, shifted=shifted, replacement=replacement)
        inputs, targets = module.samples(setting, 400, rng())
        assert inputs.shape == targets.shape == (400, setting.length) == (400, 7)
        asked = Counter()
        for given, wanted in zip(inputs.tolist(), targets.tolist(), strict=True):
            bos, *tokens, query = given
            assert bos == 0
            assert set(tokens) <= set(range(1, 9))
            assert wanted[:-1] == [*tokens, query]
            shift = 8 if shifted else 0
            # Several where tokens repeat: any of them may be the one asked for.
            places = [i for i, token in enumerate(tokens) if token + shift == query]
            assert places
            assert wanted[-1] in [[*tokens, query][i + 1] for i in places]
            if not replacement:
                assert len(set(tokens)) == 5
                asked[places[0]] += 1
            assert max(given) < setting.identities == (17 if shifted else 9)
        if replacement:
            assert sum(len(set(row[1:6])) < 5 for row in inputs.tolist()) > 200
        else:
            assert set(asked) == set(range(5)), "a place is never asked for"
            assert min(asked.values()) > 50
        assert set(inputs[:, 1:-1].ravel().tolist()) == set(range(1, 9))


def samples_of_a_classification(module):
    """Tokens of one group, CLS at the end; labels and tokens equally often."""
    for replacement in (True, False):
        setting = replace(CLASSIFICATION, replacement=replacement)
        inputs, labels = module.samples(setting, 400, rng(1))
        assert inputs.shape == (400, setting.length) == (400, 4)
        assert (inputs[:, -1] == 0).all()
        assert ((inputs[:, :-1] - 1) // 4 == labels[:, None]).all()
        repeats = [len(set(row[:-1])) < 3 for row in inputs.tolist()]
        assert sum(repeats) > 100 if replacement else not any(repeats)
        assert min(Counter(labels.tolist()).values()) > 90
        assert len(set(inputs[:, :-1].ravel().tolist())) == 12
        assert min(Counter(inputs[:, 0].tolist()).values()) > 10


def draws_are_uniform(module):
    """Every ordered choice of two among three comes as often as any other."""
    inputs, _ = module.induction(replace(INDUCTION, vocabulary=4, tokens=2), 3000, rng(2))
    counts = Counter(map(tuple, inputs[:, 1:3].tolist()))
    assert len(counts) == 6
    # 100 is nearly five standard deviations: a seed that is changed does not fail by chance.
    assert all(abs(count - 500) < 100 for count in counts.values())


def exact_inputs_are_all_there_are(module):
    setting = replace(CLASSIFICATION, tokens=4)
    assert setting.is_exact
    every = module.one_of_each_label(setting)
    assert every.tolist() == [[1, 2, 3, 4, 0], [5, 6, 7, 8, 0], [9, 10, 11, 12, 0]]
    inputs, labels = module.samples(setting, 50, rng(3))
    for given, label in zip(inputs, labels, strict=True):
        # Equal as sets: the one input of each label stands for all orders of its tokens.
        assert sorted(given) == sorted(every[label])
    assert len({tuple(given) for given in inputs.tolist()}) > 20, "the order of tokens is not random"


FACTS = facts_above(globals(), "module")


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.__name__)
def test_tasks(fact):
    fact(tasks)


def test_every_planted_bug_is_noticed():
    assert survivors(bugs_of(tasks), FACTS, noticed) == []
