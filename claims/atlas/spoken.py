"""Instances as people write them: without what is left out by default, tokens on a line as numbers."""

from __future__ import annotations

from typing import Any

from claims.statement import Claim

MOST_ENTRIES = 8
"""Longer lists are shown by their first entries and their length."""


def spoken(claim: Claim, instance: dict[str, Any]) -> dict[str, Any]:
    """The arrays of an instance, without its system and without those that are what they are by default."""
    given = {name: value for name, value in instance.items() if name != "system"}
    if instance.get("system") != claim.system.__name__:
        return given
    for name, declared in claim.system.fields().items():
        others = {other: value for other, value in given.items() if other != name}
        if name in given and declared.default is not None and _means(claim, others, instance):
            given = others
    return given


def _means(claim: Claim, given: dict[str, Any], instance: dict[str, Any]) -> bool:
    """Whether what is given means the instance."""
    try:
        return claim.system.instance(**given).to_json() == instance
    except ValueError:
        return False  # the default does not go with the rest


def number_text(value: Any) -> str:
    """Numbers and nested lists as people write them."""
    if not isinstance(value, list):
        return str(value)
    if len(value) == 1:
        return number_text(value[0])  # tokens on a line, a matrix of one entry
    shown = [number_text(entry) for entry in value[:MOST_ENTRIES]]
    more = f", ... ({len(value)} entries)" if len(value) > MOST_ENTRIES else ""
    return f"({', '.join(shown)}{more})"
