"""What is read from attention, beside the paper's pseudocode written out in loops, and bugs that must be noticed."""

from __future__ import annotations

import numpy as np
import pytest

from dynamics.transformers import measures
from tests.planting import bugs_of, facts_above, noticed, survivors

N = 4  # tokens of an input of the pretended classifier, before CLS


def signed_rows(seed=0):
    """Attention (samples, layers, heads, T, T) of both signs, causal; its sums are not small."""
    # Shifted, so that no sum is near 0: there the two readings of the score part.
    rows = np.random.default_rng(seed).normal(size=(3, 2, 2, 6, 6)) + 0.7
    return np.tril(rows)


def positive_rows(seed=0):
    rows = np.tril(np.random.default_rng(seed).random((3, 2, 2, 6, 6)) ** 4)
    return rows / rows.sum(axis=-1, keepdims=True)


def loops(rows, printed):
    """The score of E.1 for each layer and head: each position's own quotient, or the quotient of each sample's sums."""
    B, layers, heads, T, _ = rows.shape
    scores = np.zeros((layers, heads))
    for layer in range(layers):
        for head in range(heads):
            found = []
            for sample in range(B):
                bos, total = [], []
                for query in range(1, T - 2):  # without BOS, the last random token and the query token
                    bos.append(rows[sample, layer, head, query, 0])
                    total.append(sum(rows[sample, layer, head, query, key] for key in range(T)))
                found += [b / t for b, t in zip(bos, total, strict=True)] if printed else [sum(bos) / sum(total)]
            scores[layer, head] = sum(found) / len(found)
    return scores


def sink_scores_are_quotients_of_sums(module):
    for rows in (signed_rows(), positive_rows()):
        assert np.abs(module.sink_scores(rows) - loops(rows, printed=False)).max() < 1e-7


def printed_scores_are_means_of_quotients(module):
    for rows in (signed_rows(), positive_rows()):
        assert np.abs(module.printed_sink_scores(rows) - loops(rows, printed=True)).max() < 1e-6
    # Where weights sum to one, the two readings are one.
    rows = positive_rows(1)
    assert np.abs(module.printed_sink_scores(rows) - module.sink_scores(rows)).max() < 1e-7


def the_two_readings_part_where_a_sum_is_small(module):
    """A signed map: one position's weights nearly cancel. A quotient is then neither below 1 nor above 0."""
    # So few weights that both readings can be checked in the head.
    rows = np.zeros((1, 1, 1, 5, 5))
    rows[0, 0, 0, 1, :2] = 1.0, -0.99
    rows[0, 0, 0, 2, :3] = 1.0, 0.5, 0.5
    # 1 / 0.01 and 1 / 2; (1 + 1) / (0.01 + 2).
    assert abs(module.printed_sink_scores(rows)[0, 0] - 50.25) < 1e-3
    assert abs(module.sink_scores(rows)[0, 0] - 2 / 2.01) < 1e-6
    rows[0, 0, 0, 1, :2] = 1.0, -1.01
    assert module.printed_sink_scores(rows)[0, 0] < -40


def a_score_takes_no_position_but_the_random_ones(module):
    """BOS attends to itself; the last random token and the query may attend to whatever."""
    rows = positive_rows(2)
    changed = rows.copy()
    for position in (0, -1, -2):
        changed[..., position, :] = np.eye(6)[3]
    for score in (module.sink_scores, module.printed_sink_scores):
        assert np.abs(score(rows) - score(changed)).max() == 0
    # And one of the random positions does count: the score is not deaf to all of them.
    changed[0, 0, 0, 3] = np.eye(6)[0]
    assert module.sink_scores(changed)[0, 0] > module.sink_scores(rows)[0, 0]


def shares_are_of_absolute_values(module):
    found = module.attention_shares([[3.0, -1.0, 0.0], [0.0, 0.0, 0.0]])
    assert found.tolist() == [[0.75, 0.25, 0.0], [0.0, 0.0, 0.0]]


def largest_shares_are_those_of_cls(module):
    rows = signed_rows(3)
    found = module.largest_shares(rows)
    for layer, head in np.ndindex(2, 2):
        # Of absolute values: with signs the largest share could exceed 1.
        each = [max(abs(one) for one in row) / sum(abs(one) for one in row) for row in rows[:, layer, head, -1]]
        assert abs(found[layer, head] - sum(each) / 3) < 1e-12


def heads_are_compared_with_other_heads(module):
    """Half the sum of differences of shares, in the last layer, for each pair once."""
    rows = np.concatenate([positive_rows(4), positive_rows(5)], axis=2)[:, :, :3]
    found = module.head_distances(rows, slice(1, -2))
    expected = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        each = [
            sum(abs(rows[b, 1, one, query, key] - rows[b, 1, other, query, key]) for key in range(6)) / 2
            for b in range(3)
            for query in (1, 2, 3)
        ]
        expected.append(sum(each) / len(each))
    assert np.abs(np.array(found) - expected).max() < 1e-12
    # The ends of the scale: heads that attend to different tokens, and a head beside itself.
    apart = np.zeros((1, 1, 2, 3, 3))
    apart[0, 0, 0, :, 0] = apart[0, 0, 1, :, 1] = 1
    assert module.head_distances(apart, slice(-1, None)) == [1.0]
    assert module.head_distances(apart[:, :, [0, 0]], slice(-1, None)) == [0.0]


def orders_are_compared_by_pairs(module):
    assert module.kendall([1, 2, 3], [10, 20, 30]) == 1
    assert module.kendall([1, 2, 3], [3, 2, 1]) == -1
    assert abs(module.kendall([1, 2, 3, 4], [1, 2, 4, 3]) - 4 / 6) < 1e-15
    # A tie counts for neither order, yet is among the pairs divided by.
    assert module.kendall([1, 1, 2], [1, 2, 3]) == 2 / 3


def pretended(inputs):
    """Logits (B, n + 1, 3) and attention (B, 2, 1, n + 1, n + 1) of tokens with weights of their own.

    Layer 0 attends to the token t by (7 t mod 11) + 1, layer 1 by (5 t mod 11) + 1, CLS most of all. The label is that of
    the group of five of the token with the largest (3 t mod 13), at CLS alone: elsewhere it is the next one.
    """
    inputs = np.asarray(inputs)
    B, T = inputs.shape
    rows = np.zeros((B, 2, 1, T, T))
    rows[:, 0, 0] = ((7 * inputs % 11) + 1)[:, None]
    rows[:, 1, 0] = ((5 * inputs % 11) + 1)[:, None]
    # CLS itself must not count as the token that is attended to most.
    rows[..., -1] = 99
    rows[..., 0, :] = 0
    strongest = np.take_along_axis(inputs, (3 * inputs[:, :-1] % 13).argmax(axis=1)[:, None], axis=1)[:, 0]
    logits = np.zeros((B, T, 3))
    logits[np.arange(B), :, (strongest - 1) // 5] = [[0]] * B
    logits[np.arange(B), -1, (strongest - 1) // 5] = 1
    # Larger than at CLS: whoever reads the prediction elsewhere gets another label.
    logits[np.arange(B), 0, ((strongest - 1) // 5 + 1) % 3] = 2
    return logits, rows


def sets():
    """Inputs and labels, N tokens of a group of five and CLS, and all pairs of different labels."""
    rng = np.random.default_rng(6)
    labels = rng.integers(0, 3, 12)
    # Four of five, so that two inputs of a label may differ by a token.
    tokens = np.stack([rng.permutation(5)[:N] + 1 + 5 * label for label in labels])
    pairs = [(a, b) for a in range(12) for b in range(a) if labels[a] != labels[b]]
    return np.column_stack([tokens, np.zeros(12, int)]), labels, pairs


def flips_are_those_of_the_pseudocode(module):
    """E.3 in loops over layers, heads and pairs, both ways."""
    inputs, labels, pairs = sets()
    expected = np.zeros((2, 1), int)
    for layer, head in np.ndindex(2, 1):
        for a, b in pairs:
            for one, other in ((a, b), (b, a)):
                rank = {}
                for k in (one, other):
                    row = pretended(inputs[[k]])[1][0, layer, head, -1, :-1]
                    order = sorted(range(N), key=lambda place, row=row: -row[place])
                    rank[k] = [int(inputs[k][place]) for place in order]
                adversarial = [rank[other][0], *rank[one][1:], 0]
                prediction = pretended(np.array([adversarial]))[0][0, -1].argmax()
                expected[layer, head] += prediction == labels[other]
    found, tried = module.flips(pretended, inputs, labels, pairs)
    assert tried == 2 * len(pairs)
    assert found.tolist() == expected.tolist()
    # Neither no flips nor all, and not the same in both layers: otherwise much could go wrong unseen.
    assert expected.min() > 0
    assert expected.max() < tried
    assert len(set(expected.ravel().tolist())) == 2


def no_flips_where_logits_are_not_finite(module):
    """Neither of the inputs nor of what they become by a swap."""
    inputs, labels, pairs = sets()

    def broken(some):
        logits, rows = pretended(some)
        return np.full_like(logits, np.nan), rows

    def breaking(some):
        logits, rows = pretended(some)
        # An input that was swapped into holds tokens of two groups.
        mixed = len({(token - 1) // 5 for token in np.asarray(some)[0, :-1]}) > 1
        return np.full_like(logits, np.inf) if mixed else logits, rows

    assert module.flips(broken, inputs, labels, pairs) == (None, 2 * len(pairs))
    assert module.flips(breaking, inputs, labels, pairs) == (None, 2 * len(pairs))


FACTS = facts_above(globals(), "module")


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.__name__)
def test_measures(fact):
    fact(measures)


def test_every_planted_bug_is_noticed():
    assert survivors(bugs_of(measures), FACTS, noticed) == []
