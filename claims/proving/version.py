"""Which prover it was: a digest of the code that a proof rests on, and the versions of the solvers."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from claims.proving.solver_process import SOLVERS

HERE = Path(__file__).parent
NUMBERS = HERE.parents[1] / "dynamics"

# What only proposes, and is checked by what a proof rests on: which branches are impossible, and why.
PROPOSING = ("branches", "cores", "sums", "witnesses")

PROVER = (
    *(HERE / f"{name}.py" for name in ("agreement", "box_check", "boxes", "entries", "ever", "exploring", "moments")),
    *(HERE / f"{name}.py" for name in ("on_boxes", "proof", "reasons", "renamings", "rules", "solver_process")),
    *(HERE / f"{name}.py" for name in ("solvers", "sum_check", "symbols", "systems")),
    *(NUMBERS / f"{name}.py" for name in ("arithmetic", "choices", "differentiation", "system")),
)
"""What a proof rests on beside the claim and its model, which entries of the table tell apart by themselves."""


@cache
def code(files: Iterable[Path] = PROVER) -> str:
    """A digest of the prover's own text."""
    found = hashlib.sha256()
    for file in files:
        text = file.read_bytes().replace(b"\r\n", b"\n")  # a checkout on Windows is no other prover
        found.update(f"{file.name} {len(text)}\n".encode() + text)
    return found.hexdigest()[:16]


@cache
def solver_versions() -> dict[str, str]:
    """The versions of the solvers that are installed."""
    found = {}
    for name, backend in SOLVERS.items():
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(backend.package)
    return found


def prover() -> dict[str, str]:
    """Today's prover: its code and its solvers."""
    return {"code": code(), **solver_versions()}


def otherwise(noted: Mapping[str, str] | None) -> str:
    """What tells a prover from today's, "" where nothing does; of a solver that is not installed nothing is said.

    None is a prover of before this was noted.
    """
    if noted is None or noted.get("code") != code():
        return "by an earlier prover"
    others = [
        f"{name} {noted.get(name, 'of another version')}"
        for name, now in solver_versions().items()
        if noted.get(name) != now
    ]
    return f"by {' and '.join(others)}" if others else ""
