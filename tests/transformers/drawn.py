"""Models with parameters drawn by NumPy: JAX would compile its own draws for longer than a test trains."""

from __future__ import annotations

import numpy as np


def named(model):
    import jax

    leaves, _ = jax.tree_util.tree_flatten_with_path(model)
    return {jax.tree_util.keystr(path): np.asarray(leaf, np.float64) for path, leaf in leaves}


def drawn(setting, seed=0, spread=0.5, module=None):
    """A model of the setting; gains and shifts of layer norms are drawn as well, lest they be special."""
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    from dynamics.transformers import model

    rng = np.random.default_rng(seed)
    # The shapes alone: nothing is computed, and nothing compiled.
    shapes = eqx.filter_eval_shape((module or model).Transformer, setting, jax.random.key(0))

    def fill(leaf):
        return jnp.asarray(rng.normal(0, spread, leaf.shape)) if isinstance(leaf, jax.ShapeDtypeStruct) else leaf

    return jax.tree.map(fill, shapes)
