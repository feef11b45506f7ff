"""The plan of a sweep: every task of its designs, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from claims.campaigns.independent import Independent
from claims.campaigns.ledger import LedgerError
from claims.sweeps.designs import design_of


def sweep(names: Sequence[str], seeds: int | None = None) -> Independent:
    """All tasks of some designs; `seeds` in place of the number that each design asks for. Raises DesignError."""

    def fits(spec: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
        # A worker of another version might answer another task: its runs would count as seeds that nobody trained.
        return [run["seed"] for run in result["runs"]] == spec["seeds"]

    return Independent([spec for name in names for spec in design_of(name).specs(seeds)], fits)


def sweep_of_ledger(settings: Mapping[str, Any]) -> Independent:
    """The sweep that a ledger was begun with. Raises LedgerError, DesignError."""
    if "designs" not in settings:
        raise LedgerError("the ledger is of another campaign than a sweep")
    return sweep(settings["designs"], settings["seeds"])
