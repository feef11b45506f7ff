"""The work of a sweep: trains the seeds of one setting. Needs the extra `transformers`."""

from __future__ import annotations

from typing import Any

from dynamics.transformers.libraries import versions
from dynamics.transformers.settings import Setting

WORK = "claims.sweeps.training:train"


def train(spec: dict[str, Any]) -> dict[str, Any]:
    """The runs of a setting from some seeds, and what they were trained with."""
    import jax  # noqa: PLC0415 -- an extra

    from dynamics.transformers.runs import runs  # noqa: PLC0415

    return {
        "runs": runs(Setting.from_data(spec["setting"]), spec["seeds"]),
        "with": f"{versions()}, {jax.default_backend()}",
    }


# Seconds: a run at the paper's size takes a quarter of an hour on one core, and cores of others may be slower.
train.longest = 14_400.0  # type: ignore[attr-defined]
