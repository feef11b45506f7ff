"""Instances as people write them: without what is left out by default, tokens on a line as numbers."""

from __future__ import annotations

from typing import Any

from claims.stating.statement import Claim

MOST_ENTRIES = 8  # longer lists are shown by their first entries and their length: the certificate has them whole


def spoken(claim: Claim, instance: dict[str, Any]) -> dict[str, Any]:
    """The arrays of an instance, without its system and without those that are what they are by default."""
    given = {name: value for name, value in instance.items() if name != "system"}
    if instance.get("system") != claim.system.__name__:
        return given
    for name, declared in claim.system.fields().items():
        others = {other: value for other, value in given.items() if other != name}
        if name not in given or declared.default is None:
            continue
        # Not by comparing with the default alone: it may be made from the others, which are left out one by one.
        try:
            is_default = claim.system.instance(**others).to_json() == instance
        except ValueError:
            is_default = False  # the default does not go with the rest
        given = others if is_default else given
    return given


def number_text(value: Any) -> str:
    """Numbers and nested lists as people write them."""
    if not isinstance(value, list):
        return str(value)
    if len(value) == 1:
        return number_text(value[0])  # tokens on a line, a matrix of one entry
    shown = [number_text(entry) for entry in value[:MOST_ENTRIES]]
    more = f", ... ({len(value)} entries)" if len(value) > MOST_ENTRIES else ""
    return f"({', '.join(shown)}{more})"
