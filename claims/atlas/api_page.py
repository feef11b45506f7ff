"""Writes docs/api.md: what a claim file, or a test of one's own, may use, with import lines.

python -m claims.atlas.api_page docs/api.md
"""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path
from typing import Any

from claims.instances.builders import buildable
from claims.instances.matrices import MATRICES
from claims.instances.tokens import TOKEN_STARTS
from claims.stating.statement import Assumption, Claim
from dynamics.system import System

VOCABULARY = {
    "claims.stating.statement": ("Claim", "Assumption", "Paper", "Origin", "Standing", "Relation", "Tail"),
    "claims.testing.property_tests": ("property_test", "suite_test"),
    "claims.testing.strategies": None,
    "claims.stating.matrices": None,
    "dynamics.arithmetic": None,
    "dynamics.system": ("System", "Flow", "StepMap", "quantity"),
    "dynamics.limits.contraction": ("contraction", "contraction_to", "contracted", "Rest"),
    "dynamics.limits.hulls": ("hulls",),
    "dynamics.limits.sandwich": ("sandwich", "Confined"),
}
"""Modules, with the names that are meant for claim files; None for all of their own that are public functions."""

FORMS = ("identity", "state", "step", "orbit", "trajectory", "rate", "limit", "probability")


INTRODUCTION = (
    "Written from the docstrings by `python -m claims.atlas.api_page docs/api.md`; a test compares. "
    "`claims new my_claim.py --form FORM --system NAME` writes a file to begin with, "
    "[own_claims.md](own_claims.md) follows one to its end."
)


def page() -> str:
    """The whole page."""
    parts = [
        "# What a claim file may use",
        INTRODUCTION,
        "## Forms of a conclusion",
        _table(
            "decorator",
            [(f"`@claim.{form}{_signature(getattr(Claim, form))}`", _line(getattr(Claim, form))) for form in FORMS],
        ),
    ]
    assumed = vars(importlib.import_module("claims.stating.assumptions")).items()
    for name, chosen in VOCABULARY.items():
        module = importlib.import_module(name)
        public = [key for key, one in vars(module).items() if inspect.isfunction(one) and one.__module__ == name]
        names = chosen or getattr(module, "__all__", None) or [one for one in public if not one.startswith("_")]
        rows = [(f"`{one}{_signature(getattr(module, one))}`", _line(getattr(module, one))) for one in names]
        parts += [f"## {name}", f"    from {name} import {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}"]
        parts += [_table("name", rows)]
    parts += [
        f"Kinds of tokens: {', '.join(TOKEN_STARTS)}. Kinds of matrices: {', '.join(MATRICES)}.",
        "## claims.stating.assumptions",
        "    from claims.stating.assumptions import identity_value, definite_key_query",
        _table("assumption", [(f"`{name}`", one.statement) for name, one in assumed if isinstance(one, Assumption)]),
        "## Systems",
        "Instances of these are drawn without a `draw` of the claim's own, and by `st.from_type`.",
        _table("import", [(f"`from {kind.__module__} import {kind.__name__}`", _arrays(kind)) for kind in buildable()]),
    ]
    return "\n\n".join(parts) + "\n"


def _signature(one: Any) -> str:
    # A class is told by its docstring; its arguments are named where it is made.
    if inspect.isclass(one):
        return ""
    names = [
        f"{'*' if p.kind is p.VAR_POSITIONAL else '**' if p.kind is p.VAR_KEYWORD else ''}{name}"
        + ("" if p.default is p.empty or p.default is None else f"={p.default!r}")
        for name, p in inspect.signature(one).parameters.items()
        if name != "self"
    ]
    return f"({', '.join(names)})"


def _line(one: Any) -> str:
    """The first sentence or line of a docstring."""
    return (inspect.getdoc(one) or "").split("\n\n")[0].replace("\n", " ")


def _arrays(kind: type[System]) -> str:
    told = (f"`{name}` ({', '.join(field.axes)})" if field.axes else f"`{name}`" for name, field in kind.fields().items())
    return f"{_line(kind)} {'; '.join(told)}"


def _table(head: str, rows: list[tuple[str, str]]) -> str:
    lines = [f"| {head} | |", "|---|---|"]
    return "\n".join(
        [*lines, *(f"| {left.replace('|', chr(92) + '|')} | {right.replace('|', chr(92) + '|')} |" for left, right in rows)]
    )


def main() -> None:
    """Write the page to the file that is named."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m claims.atlas.api_page docs/api.md")
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
