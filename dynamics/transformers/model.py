"""The transformer of the polarization paper's E.1 and E.3: pre-norm, GPT-2 like, with any attention map of Table 1.

Initialised as PyTorch does by default, biases everywhere. Needs the extra `transformers` (JAX, Equinox).
"""

from __future__ import annotations

import math
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from dynamics.transformers.settings import TINY, Setting


def similarities(attention: str, scaled: bool, q: Any, k: Any, mlp: Any) -> Any:
    """sim(phi(q_i), phi(k_j)) of Table 1 (..., T, T) from queries and keys (..., T, d_h); softmax without its exp."""
    root = math.sqrt(q.shape[-1])
    if attention == "uniform":
        return jnp.ones((*q.shape[:-1], k.shape[-2]), q.dtype)
    if attention == "elu*elu":
        product = (jax.nn.elu(q) + 1) @ jnp.swapaxes(jax.nn.elu(k) + 1, -1, -2)
        return product / root if scaled else product
    if attention == "mlp":
        q, k = mlp(q), mlp(k)
    scores = q @ jnp.swapaxes(k, -1, -2) / root
    if attention == "sigmoid":
        return jax.nn.sigmoid(scores)
    return jax.nn.elu(scores) + 1 if attention == "elu" else scores


def attention_rows(attention: str, normalised: bool, similar: Any, mask: Any) -> Any:
    """Attention (..., T, T): the similarities, 0 where the mask is, divided by what Table 1 says."""
    if attention == "softmax":
        # Masked before the exponential: what is not seen has no part in the sum either.
        return jax.nn.softmax(jnp.where(mask, similar, -jnp.inf), axis=-1)
    rows = jnp.where(mask, similar, 0)
    if not normalised:
        return rows
    sums = rows.sum(axis=-1, keepdims=True)
    # A sum of both signs may be near zero: Table 1 divides by its size where that is at least 1.
    if attention in ("mlp", "linear"):
        return rows / jnp.maximum(jnp.abs(sums), 1)
    return rows / (sums + TINY)


class Linear(eqx.Module):
    """x W + b with W (in, out), both uniform within 1 / sqrt(in)."""

    weight: Any
    bias: Any

    def __init__(self, size: int, outputs: int, key: Any) -> None:
        first, second = jax.random.split(key)
        # PyTorch's own: Kaiming's uniform with a = sqrt(5), which is a bound of 1 / sqrt(in) for weights and biases.
        most = 1 / math.sqrt(size)
        self.weight = jax.random.uniform(first, (size, outputs), minval=-most, maxval=most)
        self.bias = jax.random.uniform(second, (outputs,), minval=-most, maxval=most)

    def __call__(self, x: Any) -> Any:
        """Map (..., in) to (..., out)."""
        return x @ self.weight + self.bias


class TwoLayers(eqx.Module):
    """A perceptron with one hidden layer, four times as wide, and GELU."""

    first: Linear
    second: Linear

    def __init__(self, size: int, key: Any) -> None:
        one, two = jax.random.split(key)
        self.first, self.second = Linear(size, 4 * size, one), Linear(4 * size, size, two)

    def __call__(self, x: Any) -> Any:
        """Map (..., d) to (..., d)."""
        return self.second(jax.nn.gelu(self.first(x), approximate=False))


class Norm(eqx.Module):
    """Layer normalisation with gain and shift."""

    gain: Any
    shift: Any

    def __init__(self, size: int) -> None:
        self.gain, self.shift = jnp.ones(size), jnp.zeros(size)

    def __call__(self, x: Any) -> Any:
        """Map (..., d) to (..., d)."""
        centred = x - x.mean(axis=-1, keepdims=True)
        return centred / jnp.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * self.gain + self.shift


class Block(eqx.Module):
    """Attention and, if asked for, a perceptron, each added to what it reads."""

    setting: Setting = eqx.field(static=True)
    query: Linear
    key: Linear
    value: Linear
    output: Linear
    mlp: TwoLayers | None
    feature: TwoLayers | None
    before: Norm | None
    between: Norm | None

    def __init__(self, setting: Setting, key: Any) -> None:
        # Six keys whatever parts there are: leaving one out must not change how the others begin.
        keys, d = jax.random.split(key, 6), setting.width
        self.setting = setting
        self.query, self.key, self.value, self.output = (Linear(d, d, one) for one in keys[:4])
        self.mlp = TwoLayers(d, keys[4]) if setting.mlp else None
        self.feature = TwoLayers(d // setting.heads, keys[5]) if setting.attention == "mlp" else None
        self.before = Norm(d) if setting.layer_norm else None
        self.between = Norm(d) if setting.layer_norm and setting.mlp else None

    def __call__(self, x: Any, mask: Any, nudge: Any) -> tuple[Any, Any]:
        """What (T, d) becomes of x (T, d), and the attention (heads, T, T); `nudge` is added to the attention."""
        setting = self.setting
        y = x if self.before is None else self.before(x)
        q, k, v = (
            jnp.swapaxes(part(y).reshape(len(x), setting.heads, -1), 0, 1) for part in (self.query, self.key, self.value)
        )
        similar = similarities(setting.attention, setting.scaled, q, k, self.feature)
        rows = attention_rows(setting.attention, setting.normalised, similar, mask) + nudge
        x = x + self.output(jnp.swapaxes(rows @ v, 0, 1).reshape(x.shape))
        if self.mlp is not None:
            x = x + self.mlp(x if self.between is None else self.between(x))
        return x, rows


class Transformer(eqx.Module):
    """Token ids (T,) to logits (T, outputs) and attention (layers, heads, T, T)."""

    setting: Setting = eqx.field(static=True)
    tokens: Any
    places: Any
    blocks: list[Block]
    after: Norm | None
    head: Linear

    def __init__(self, setting: Setting, key: Any) -> None:
        keys, d = jax.random.split(key, setting.layers + 3), setting.width
        half = d // 2 if setting.positions == "concat" else d
        self.setting = setting
        self.tokens = jax.random.normal(keys[0], (setting.identities, half))
        self.places = None if setting.positions == "no" else jax.random.normal(keys[1], (setting.length, half))
        self.blocks = [Block(setting, one) for one in keys[3:]]
        self.after = Norm(d) if setting.layer_norm else None
        self.head = Linear(d, setting.outputs, keys[2])

    def __call__(self, ids: Any, nudge: Any = 0.0) -> tuple[Any, Any]:
        """`nudge` (layers, heads, T, T), or 0, is added to the attention: its gradient says what each weight is worth."""
        x, T = self.tokens[ids], len(ids)
        if self.setting.positions == "add":
            x = x + self.places
        elif self.setting.positions == "concat":
            x = jnp.concatenate([x, self.places], axis=-1)
        mask = jnp.tril(jnp.ones((T, T), bool)) if self.setting.causal else jnp.ones((T, T), bool)
        seen = []
        for layer, block in enumerate(self.blocks):
            x, rows = block(x, mask, nudge if isinstance(nudge, float) else nudge[layer])
            seen.append(rows)
        return self.head(x if self.after is None else self.after(x)), jnp.stack(seen)
