"""One run, from its setting and seed to the numbers that are kept of it: plain data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from dynamics.transformers import measures
from dynamics.transformers.model import Transformer
from dynamics.transformers.settings import Setting
from dynamics.transformers.tasks import one_of_each_label
from dynamics.transformers.training import SHUFFLED, Trained, loss_of_logits, trained

PAIRS = 500  # pairs of samples whose tokens are swapped, as in the authors' code


def runs(setting: Setting, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """What is kept of each seed's run: `epochs` has a list for each measure, before training and after each epoch.

    `end` has what is measured once, after the last, with the last layer's attention to one sample from seed 0. What is not
    finite is None.
    """
    kept: list[dict[str, Any]] = [{"seed": seed, "epochs": {}, "end": {}} for seed in seeds]
    for now in trained(setting, seeds):
        logits, rows, targets = _tested(now)
        # The last position alone: of an induction sample the others ask for random tokens.
        labels = targets[:, :, -1] if setting.task == "induction" else targets
        right = (logits[:, :, -1].argmax(axis=-1) == labels).mean(axis=1)
        for k, (run, losses) in enumerate(zip(kept, np.asarray(now.losses), strict=True)):
            found: dict[str, Any] = {"accuracy": _number(right[k])}
            if setting.task == "induction":
                found["sinks"] = _numbers(measures.sink_scores(rows[k])[-1])
                found["printed_sinks"] = _numbers(measures.printed_sink_scores(rows[k])[-1])
            else:
                found["largest"] = [_numbers(row) for row in measures.largest_shares(rows[k])]
                if setting.is_exact:  # else each epoch would look at a thousand pairs, for a number of the end alone
                    found["flips"] = _flips(now, k)[0]
            if losses.size:  # before training there are none
                found["loss"] = _number(losses.mean())
            for name, value in found.items():
                run["epochs"].setdefault(name, []).append(value)
        if now.epoch == 0:
            before = _values_and_attention(now)
    after = _values_and_attention(now)
    for k, run in enumerate(kept):
        run["end"] = _end_of_induction(now, rows[k], k) if setting.task == "induction" else _end_of_classification(now, k)
        if setting.task == "classification" and before is not None and after is not None:
            run["end"]["theory"] = _theory(*before[k], *after[k])
    return kept


def _end_of_classification(now: Trained, index: int) -> dict[str, Any]:
    flips, swaps = _flips(now, index)
    return {"flips": flips, "swaps": swaps}


def _end_of_induction(now: Trained, rows: Any, index: int) -> dict[str, Any]:
    end: dict[str, Any] = {}
    if now.setting.heads > 1:
        end["distances_at_query"] = _numbers(measures.head_distances(rows, slice(-1, None)))
        end["distances_at_random"] = _numbers(measures.head_distances(rows, slice(1, -2)))
    if now.seeds[index] == 0:  # one pattern is enough for a picture, and a record of all would be ten times as long
        pattern = [[*map(_numbers, head)] for head in np.asarray(rows[0, -1], np.float64)]
        end["sample"] = {"input": now.data[index].test_inputs[0].tolist(), "attention": pattern}
    return end


def _tested(now: Trained) -> tuple[Any, Any, Any]:
    """Logits, attention and targets of every seed's own samples; where :attr:`Setting.is_exact`, of one for each label."""
    inputs, targets = zip(*(_samples(now, k) for k in range(len(now.seeds))), strict=True)
    return *now.look(np.stack(inputs)), np.stack(targets)


def _samples(now: Trained, index: int) -> tuple[Any, Any]:
    if now.setting.is_exact:
        return one_of_each_label(now.setting), np.arange(now.setting.labels)
    return now.data[index].test_inputs, now.data[index].test_targets


def _flips(now: Trained, index: int) -> tuple[list[list[int]] | None, int]:
    """Swaps of each layer and head that turn the label, and how many were tried; None of a model that is not finite."""
    inputs, labels = _samples(now, index)

    # The compiled function takes inputs of all seeds: each looks at the same ones, and the others' answers are dropped.
    def look(some: Any) -> tuple[Any, Any]:
        logits, rows = now.look(np.broadcast_to(some, (len(now.seeds), *np.shape(some))))
        return logits[index], rows[index]

    hits, swaps = measures.flips(look, inputs, labels, _pairs(now, index, labels))
    return None if hits is None else hits.tolist(), swaps


def _pairs(now: Trained, index: int, labels: Any) -> Any:
    """Pairs of samples of different labels: all where there is one sample for each label, else at random."""
    if now.setting.is_exact:
        return np.array(list(combinations(range(len(labels)), 2)))
    rng = np.random.default_rng([now.seeds[index], SHUFFLED, 0])
    by_label = [np.flatnonzero(labels == label) for label in range(now.setting.labels)]
    # Labels first, then a sample of each: two samples at random would often have one label.
    two = [rng.permutation(now.setting.labels)[:2] for _ in range(PAIRS)]
    return np.array([[rng.choice(by_label[a]), rng.choice(by_label[b])] for a, b in two])


@eqx.filter_jit
def worths(model: Transformer, inputs: Any, targets: Any) -> tuple[Any, Any]:
    """What attention to each token is worth, u, and the attention s of CLS, (B, heads, T), in a model of one layer.

    -dL/ds_j for the loss L of one sample: in the value-softmax model of section 3 it is gamma u_j, and u the values.
    """

    def loss(nudge: Any, ids: Any, target: Any) -> Any:
        logits, rows = model(ids, nudge)
        return loss_of_logits(model.setting, logits, target), rows

    setting, T = model.setting, model.setting.length
    nothing = jnp.zeros((setting.layers, setting.heads, T, T))
    slopes, rows = jax.vmap(jax.grad(loss, has_aux=True), in_axes=(None, 0, 0))(nothing, inputs, targets)
    return -slopes[:, 0, :, -1], rows[:, 0, :, -1]


def _values_and_attention(now: Trained) -> list[tuple[Any, Any]] | None:
    """u and s of each seed, each label and head; None where the inputs are not one for each label, or layers are more."""
    if not now.setting.is_exact or now.setting.layers > 1:
        return None
    inputs, labels = one_of_each_label(now.setting), np.arange(now.setting.labels)
    each = (worths(now.model(k), jnp.asarray(inputs), jnp.asarray(labels)) for k in range(len(now.seeds)))
    return [(np.asarray(u), np.asarray(s)) for u, s in each]


def _theory(u_0: Any, s_0: Any, u: Any, s: Any) -> dict[str, Any] | None:
    """What Theorem 3.2 and its relatives say, asked of each label and head: the order of values, their leader, one-hot."""
    if not (np.isfinite(u).all() and np.isfinite(s).all()):
        return None
    u_0, s_0, u, s = (one.reshape(-1, one.shape[-1]) for one in (u_0, s_0, u, s))
    return {
        "leader": u_0.argmax(axis=-1).tolist(),
        "attended": s_0.argmax(axis=-1).tolist(),
        "winner": s.argmax(axis=-1).tolist(),
        "last_leader": u.argmax(axis=-1).tolist(),
        "share": _numbers(measures.attention_shares(s).max(axis=-1)),
        "order_of_values": [_number(measures.kendall(*two)) for two in zip(u_0, u, strict=True)],
        "order_of_attention": [_number(measures.kendall(*two)) for two in zip(u, s, strict=True)],
    }


def _number(value: Any) -> float | None:
    # Five digits: float32 has seven, and sums in another order, on another machine, keep fewer.
    return round(float(value), 5) if np.isfinite(value) else None


def _numbers(values: Any) -> list[float | None]:
    return [_number(value) for value in values]
