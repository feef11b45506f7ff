"""The work of a sweep: trains the seeds of one setting. Needs the extra `transformers`."""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from dynamics.transformers.settings import Setting

PACKAGES = ("jax", "equinox", "optax")

WORK = "claims.sweeps.training:train"


def missing() -> str:
    """What to install before anything can be trained; empty if nothing is missing."""
    absent = [name for name in PACKAGES if find_spec(name) is None]
    return f"{absent[0]} is not installed: pip install 'attention-claims[transformers]'" if absent else ""


def train(spec: dict[str, Any]) -> dict[str, Any]:
    """The runs of a setting from some seeds, and what they were trained with."""
    import jax  # noqa: PLC0415 -- an extra

    from dynamics.transformers.runs import runs  # noqa: PLC0415

    libraries = ", ".join(f"{name} {version(name)}" for name in (*PACKAGES, "numpy"))
    return {
        "runs": runs(Setting.from_data(spec["setting"]), spec["seeds"]),
        "with": f"{libraries}, {jax.default_backend()}",
    }


train.longest = 14_400.0  # type: ignore[attr-defined]
"""Seconds: a run at the paper's size takes a quarter of an hour on one core."""
