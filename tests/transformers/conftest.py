"""The modules of the transformers, asked for by the tests that need them: JAX is not imported when tests are collected."""

from __future__ import annotations

import importlib

import pytest

PACKAGES = ("jax", "equinox", "optax")


def asked_for(name):
    """A module of the room, or a test that is skipped by the name of the extra."""
    for package in PACKAGES:
        pytest.importorskip(package, reason=f"{package} is not installed: pip install '.[transformers]'")
    return importlib.import_module(f"dynamics.transformers.{name}")


@pytest.fixture(scope="session")
def model():
    return asked_for("model")


@pytest.fixture(scope="session")
def training():
    return asked_for("training")


@pytest.fixture(scope="session")
def runs():
    return asked_for("runs")


@pytest.fixture
def double(model):
    """Float64, and compilation that is quick rather than its result: JAX knows both for a whole process only."""
    import jax

    names = ("jax_enable_x64", "jax_disable_most_optimizations")
    for name in names:
        jax.config.update(name, True)
    yield
    for name in names:
        jax.config.update(name, False)
