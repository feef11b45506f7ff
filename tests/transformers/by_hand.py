"""The transformer of E.1 and E.3 once more: NumPy in float64, a reverse pass written by hand, AdamW from its paper.

It knows nothing of JAX and nothing of the model but how its parameters are called: ".blocks[0].query.weight" and so on.
A layer returns its value and `back`, which takes the slope at the value to the slope at the input and adds those of the
parameters to a dictionary.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
from scipy.special import erf


def affine(p, name, x):
    weight, bias = p[f"{name}.weight"], p[f"{name}.bias"]

    def back(dy, slopes):
        rows, out = x.reshape(-1, x.shape[-1]), dy.reshape(-1, dy.shape[-1])
        slopes[f"{name}.weight"] = slopes[f"{name}.weight"] + rows.T @ out
        slopes[f"{name}.bias"] = slopes[f"{name}.bias"] + out.sum(axis=0)
        return dy @ weight.T

    return x @ weight + bias, back


def layer_norm(p, name, x):
    """(x - mean) / sqrt(variance + 1e-5), then gain and shift; the variance divides by d."""
    # A model without layer norms has none of their parameters.
    if f"{name}.gain" not in p:
        return x, lambda dy, slopes: dy
    gain = p[f"{name}.gain"]
    root = np.sqrt(np.var(x, axis=-1, keepdims=True) + 1e-5)
    z = (x - np.mean(x, axis=-1, keepdims=True)) / root

    def back(dy, slopes):
        axes = tuple(range(x.ndim - 1))
        slopes[f"{name}.gain"] = slopes[f"{name}.gain"] + (dy * z).sum(axis=axes)
        slopes[f"{name}.shift"] = slopes[f"{name}.shift"] + dy.sum(axis=axes)
        # Mean and variance move with every entry: their parts are taken off.
        dz = dy * gain
        return (dz - dz.mean(axis=-1, keepdims=True) - z * (dz * z).mean(axis=-1, keepdims=True)) / root

    return z * gain + p[f"{name}.shift"], back


def perceptron(p, name, x):
    """Two layers with x Phi(x) between them."""
    hidden, back_first = affine(p, f"{name}.first", x)
    # The exact form of GELU, not the approximation by tanh.
    below = (1 + erf(hidden / math.sqrt(2))) / 2
    y, back_second = affine(p, f"{name}.second", hidden * below)

    def back(dy, slopes):
        density = np.exp(-(hidden**2) / 2) / math.sqrt(2 * math.pi)
        return back_first(back_second(dy, slopes) * (below + hidden * density), slopes)

    return y, back


def elu_and_one(z):
    # Of large z the exponential would overflow before it is left out.
    small = np.exp(np.minimum(z, 0))
    return np.where(z > 0, z + 1, small), np.where(z > 0, 1, small)


def similarity(p, name, setting, q, k):
    """The second column of table 1 (..., T, T), from queries and keys (..., T, d_h); softmax with its exp."""
    root = math.sqrt(q.shape[-1])
    kind = setting.attention
    if kind == "uniform":
        return np.ones((*q.shape[:-1], q.shape[-2])), lambda ds, slopes: (np.zeros_like(q), np.zeros_like(k))
    if kind == "elu*elu":
        (left, one), (right, other) = elu_and_one(q), elu_and_one(k)
        divisor = root if setting.scaled else 1.0

        def back(ds, slopes):
            return ds @ right / divisor * one, np.swapaxes(ds, -1, -2) @ left / divisor * other

        return left @ np.swapaxes(right, -1, -2) / divisor, back
    ends = []
    if kind == "mlp":
        (q, end), (k, other_end) = perceptron(p, f"{name}.feature", q), perceptron(p, f"{name}.feature", k)
        ends = [end, other_end]
    z = q @ np.swapaxes(k, -1, -2) / root
    if kind == "softmax":
        value = np.exp(z)
        slope = value
    elif kind == "sigmoid":
        value = 1 / (1 + np.exp(-z))
        slope = value * (1 - value)
    elif kind == "elu":
        value, slope = elu_and_one(z)
    else:
        assert kind in ("mlp", "linear")
        value, slope = z, np.ones_like(z)

    def back_scores(ds, slopes):
        dz = ds * slope / root
        dq, dk = dz @ k, np.swapaxes(dz, -1, -2) @ q
        return (ends[0](dq, slopes), ends[1](dk, slopes)) if ends else (dq, dk)

    return value, back_scores


def attention(p, name, setting, q, k):
    """Table 1: similarities over their normalisation, of the tokens that each token may attend to."""
    T = q.shape[-2]
    seen = np.array([[j <= i or not setting.causal for j in range(T)] for i in range(T)])
    value, back_similarity = similarity(p, name, setting, q, k)
    value = value * seen
    if not setting.normalised:
        return value, lambda dr, slopes: back_similarity(dr * seen, slopes)
    total = value.sum(axis=-1, keepdims=True)
    if setting.attention in ("mlp", "linear"):
        divisor, change = np.maximum(np.abs(total), 1), np.where(np.abs(total) > 1, np.sign(total), 0)
    else:
        divisor, change = total + (0 if setting.attention == "softmax" else 1e-9), np.ones_like(total)

    def back(dr, slopes):
        # Every similarity of a row is in its divisor.
        through_divisor = -(dr * value).sum(axis=-1, keepdims=True) / divisor**2 * change
        return back_similarity((dr / divisor + through_divisor) * seen, slopes)

    return value / divisor, back


def block(p, name, setting, x):
    """Attention and, if there is one, the perceptron, each read behind a layer norm and added."""
    B, T, d = x.shape
    heads = setting.heads
    y, back_norm = layer_norm(p, f"{name}.before", x)

    def split(z):
        return z.reshape(B, T, heads, d // heads).transpose(0, 2, 1, 3)

    def join(z):
        return z.transpose(0, 2, 1, 3).reshape(B, T, d)

    parts = [affine(p, f"{name}.{part}", y) for part in ("query", "key", "value")]
    q, k, v = (split(value) for value, _ in parts)
    rows, back_rows = attention(p, name, setting, q, k)
    out, back_out = affine(p, f"{name}.output", join(rows @ v))
    middle = x + out
    if setting.mlp:
        z, back_between = layer_norm(p, f"{name}.between", middle)
        more, back_mlp = perceptron(p, f"{name}.mlp", z)
        end = middle + more
    else:
        end = middle

    def back(dend, slopes):
        dmiddle = dend + (back_between(back_mlp(dend, slopes), slopes) if setting.mlp else 0)
        dmixed = split(back_out(dmiddle, slopes))
        # Kept beside those of parameters: tests ask what a weight of attention is worth.
        slopes[f"{name}.rows"] = dmixed @ np.swapaxes(v, -1, -2)
        dq, dk = back_rows(slopes[f"{name}.rows"], slopes)
        dv = np.swapaxes(rows, -1, -2) @ dmixed
        dy = sum(end(join(one), slopes) for (_, end), one in zip(parts, (dq, dk, dv), strict=True))
        return dmiddle + back_norm(dy, slopes)

    return end, rows, back


def transformer(p, setting, ids):
    """Logits (B, T, outputs), attention (B, layers, heads, T, T) and `back` from slopes at the logits to a dictionary.

    Besides the parameters it has the attention of each layer: ".blocks[0].rows".
    """
    B, T = ids.shape
    x = p[".tokens"][ids]
    width = x.shape[-1]
    if setting.positions == "add":
        x = x + p[".places"]
    if setting.positions == "concat":
        x = np.concatenate([x, np.broadcast_to(p[".places"], (B, T, p[".places"].shape[-1]))], axis=-1)
    seen, backs = [], []
    for layer in range(setting.layers):
        x, rows, back_block = block(p, f".blocks[{layer}]", setting, x)
        seen.append(rows)
        backs.append(back_block)
    x, back_after = layer_norm(p, ".after", x)
    logits, back_head = affine(p, ".head", x)

    def back(dlogits):
        slopes = defaultdict(float)
        dx = back_after(back_head(dlogits, slopes), slopes)
        for one in reversed(backs):
            dx = one(dx, slopes)
        slopes[".tokens"] = np.zeros_like(p[".tokens"])
        # A token that occurs twice gets both slopes; plain indexing would keep the last.
        np.add.at(slopes[".tokens"], ids, dx[..., :width])
        if setting.positions != "no":
            slopes[".places"] = dx[..., -p[".places"].shape[-1] :].sum(axis=0)
        return {name: np.zeros_like(value) for name, value in p.items()} | slopes

    return logits, np.stack(seen, axis=1), back


def loss_and_slopes(p, setting, ids, targets):
    """The mean loss of the samples, and its slopes: the last position, and lambda times the mean of the others."""
    logits, _, back = transformer(p, setting, ids)
    # Shifted by the largest, which changes no quotient.
    odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances = odds / odds.sum(axis=-1, keepdims=True)
    B, T, _ = logits.shape
    weights = np.zeros((B, T))
    weights[:, -1] = 1 / B
    if setting.task == "induction":
        weights[:, :-1] = setting.weight / (T - 1) / B
    else:
        targets = np.broadcast_to(targets[:, None], (B, T))
    hit = np.zeros_like(logits)
    for sample, position in np.ndindex(B, T):
        hit[sample, position, targets[sample, position]] = 1
    loss = -(weights * np.log((chances * hit).sum(axis=-1))).sum()
    return loss, back(weights[..., None] * (chances - hit))


class AdamW:
    """Decoupled weight decay (arXiv 1711.05101, algorithm 2) with PyTorch's constants: first the decay, then Adam."""

    def __init__(self, p, rate):
        self.p, self.rate, self.steps = dict(p), rate, 0
        self.mean = {name: np.zeros_like(value) for name, value in p.items()}
        self.square = {name: np.zeros_like(value) for name, value in p.items()}

    def step(self, slopes):
        self.steps += 1
        for name in self.p:
            g = slopes[name]
            self.mean[name] = 0.9 * self.mean[name] + (1 - 0.9) * g
            self.square[name] = 0.999 * self.square[name] + (1 - 0.999) * g**2
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.999**self.steps)
            # Decoupled: the decay is not part of the slope that Adam averages.
            decayed = self.p[name] * (1 - self.rate * 1e-2)
            self.p[name] = decayed - self.rate * mean / (np.sqrt(square) + 1e-8)
