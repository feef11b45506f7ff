"""Training loops: many seeds of one setting at once, compiled, with PyTorch's AdamW and no schedule.

Seeded by NumPy (data) and JAX (initial weights): bit for bit the same on one machine with one version of JAX for the same
seeds trained together; elsewhere the same in law only, since sums may be ordered otherwise. Needs the extra `transformers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from dynamics.transformers.model import Transformer
from dynamics.transformers.settings import Setting
from dynamics.transformers.tasks import one_of_each_label, samples

WEIGHT_DECAY = 1e-2  # PyTorch's default for AdamW, which the paper does not change

# Streams of random numbers of one seed, apart from each other: else more samples would change what is evaluated.
TRAINED, EVALUATED, SHUFFLED = range(3)


def cross_entropy(logits: Any, targets: Any) -> Any:
    """-log of the probability of each target (...,) under logits (..., outputs)."""
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1)[..., 0]


def loss_of_logits(setting: Setting, logits: Any, targets: Any) -> Any:
    """The loss of one sample: of the last position, and `weight` times the mean of the others in the induction task."""
    if setting.task == "classification":
        return cross_entropy(logits[-1], targets)
    each = cross_entropy(logits, targets)
    return each[-1] + setting.weight * each[:-1].mean()


def mean_loss(model: Transformer, inputs: Any, targets: Any, weights: Any) -> Any:
    """The weighted mean of the losses of samples (B, T); a sample of weight 0 is none."""
    logits, _ = jax.vmap(model)(inputs)
    each = jax.vmap(lambda *one: loss_of_logits(model.setting, *one))(logits, targets)
    return (weights * each).sum() / weights.sum()


def optimiser() -> Any:
    """AdamW but for the rate, by which its updates are multiplied."""
    # The rate is an argument of the compiled step: with it here each rate would be compiled anew, for seconds.
    return optax.chain(optax.scale_by_adam(b1=0.9, b2=0.999, eps=1e-8), optax.add_decayed_weights(WEIGHT_DECAY))


def trained_step(model: Transformer, memory: Any, rate: Any, batch: tuple[Any, Any, Any]) -> tuple[Transformer, Any, Any]:
    """One step of AdamW: the model, the optimiser's memory and the loss before."""
    loss, slope = eqx.filter_value_and_grad(mean_loss)(model, *batch)
    change, memory = optimiser().update(slope, memory, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, jax.tree.map(lambda one: -rate * one, change)), memory, loss


@dataclass(frozen=True)
class Data:
    """What one seed trains on, (number, T) and (number,) or (number, T), and is evaluated on; weights of 0 fill batches."""

    inputs: Any
    targets: Any
    test_inputs: Any
    test_targets: Any


def data_of(setting: Setting, seed: int) -> Data:
    """The samples of one seed."""
    trained = samples(setting, setting.samples, np.random.default_rng([seed, TRAINED]))
    tested = samples(setting, setting.evaluated, np.random.default_rng([seed, EVALUATED]))
    return Data(*trained, *tested)


def batches(setting: Setting, data: Data, seed: int, epoch: int) -> tuple[Any, Any, Any]:
    """Inputs (steps, B, T), targets and weights (steps, B) of one epoch: all samples in random order, the last batch short.

    Where :attr:`Setting.is_exact`, a batch is one input of each label, with the numbers of its samples as weights.
    """
    order = np.random.default_rng([seed, SHUFFLED, epoch]).permutation(setting.samples)
    steps = -(-setting.samples // setting.batch)
    if setting.is_exact:
        parts = np.array_split(data.targets[order], range(setting.batch, setting.samples, setting.batch))
        weights = np.array([np.bincount(part, minlength=setting.labels) for part in parts], np.float32)
        inputs = np.broadcast_to(one_of_each_label(setting), (steps, setting.labels, setting.length))
        return inputs, np.broadcast_to(np.arange(setting.labels), (steps, setting.labels)), weights
    # Batches of one size for a compiled loop: the last one is filled with a sample of weight 0.
    places = np.zeros((steps, setting.batch), np.int64)
    places.flat[: len(order)] = order
    filled = (np.arange(places.size) < len(order)).astype(np.float32).reshape(places.shape)
    return data.inputs[places], data.targets[places], filled


@lru_cache(maxsize=4)
def _compiled(setting: Setting) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Functions that train an epoch and look at samples, for many seeds of a setting :func:`_as_compiled`."""

    def epoch(weights: Any, memory: Any, rate: Any, given: Any) -> Any:
        def step(state: Any, batch: Any) -> Any:
            model, memory, loss = trained_step(eqx.combine(state[0], fixed), state[1], rate, batch)
            return (eqx.filter(model, eqx.is_array), memory), loss

        return jax.lax.scan(step, (weights, memory), given)

    def look(weights: Any, inputs: Any) -> Any:
        return jax.vmap(eqx.combine(weights, fixed))(inputs)

    fixed = _fixed(setting)
    # Weights and memory are given away: without that there would be two copies of each model during a step.
    return jax.jit(jax.vmap(epoch), donate_argnums=(0, 1)), jax.jit(jax.vmap(look))


@lru_cache(maxsize=4)
def _fixed(setting: Setting) -> Transformer:
    """What all models of a setting share, the arrays left out."""
    return eqx.partition(untrained(setting, 0), eqx.is_array)[1]


@dataclass
class Trained:
    """The models of several seeds after some epochs. `losses` are of the epoch's steps, (seeds, steps)."""

    setting: Setting
    seeds: Sequence[int]
    epoch: int
    weights: Any
    losses: Any
    data: Sequence[Data]

    def look(self, inputs: Any) -> tuple[Any, Any]:
        """Logits (seeds, B, T, outputs) and attention (seeds, B, layers, heads, T, T) at inputs (seeds, B, T)."""
        _, look = _compiled(_as_compiled(self.setting))
        logits, rows = look(self.weights, jnp.asarray(inputs, jnp.int32))
        return np.asarray(logits), np.asarray(rows)

    def model(self, index: int) -> Transformer:
        """The model of one seed."""
        return eqx.combine(jax.tree.map(lambda one: one[index], self.weights), _fixed(_as_compiled(self.setting)))


def _as_compiled(setting: Setting) -> Setting:
    # Neither the model nor a step of it depends on these: settings that differ in them alone share what is compiled.
    return replace(setting, rate=0.0, epochs=1)


def untrained(setting: Setting, seed: int) -> Transformer:
    """The model of a seed before training."""
    return Transformer(setting, jax.random.key(seed))


def trained(setting: Setting, seeds: Sequence[int]) -> Iterator[Trained]:
    """The models before training, and after each epoch; each is gone once the next is asked for."""
    epoch, _ = _compiled(_as_compiled(setting))
    data = [data_of(setting, seed) for seed in seeds]
    begun = [eqx.filter(untrained(_as_compiled(setting), seed), eqx.is_array) for seed in seeds]
    weights = jax.tree.map(lambda *each: jnp.stack(each), *begun)
    memory = jax.vmap(optimiser().init)(weights)
    rates = jnp.full(len(seeds), setting.rate, jnp.float32)
    yield Trained(setting, seeds, 0, weights, np.zeros((len(seeds), 0)), data)
    for number in range(1, setting.epochs + 1):
        each = [batches(setting, own, seed, number) for own, seed in zip(data, seeds, strict=True)]
        given = tuple(jnp.asarray(np.stack(parts)) for parts in zip(*each, strict=True))
        (weights, memory), losses = epoch(weights, memory, rates, given)
        yield Trained(setting, seeds, number, weights, np.asarray(losses), data)
