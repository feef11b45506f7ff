"""Which settings are trained from which seeds, and the plan of a sweep: every task of its designs, each once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from claims.campaigns.independent import Independent
from claims.campaigns.ledger import LedgerError
from claims.polarization.setting.transformers import CLASSIFIER, NARROW, NORMALISED_POSITIVE, PAPER, RATES, TINY, every_map
from dynamics.transformers.settings import Setting

SEEDS = 20  # of seven against seven no difference is large enough for the exact test, and a few runs fail


class DesignError(ValueError):
    """There is no such design; the message says which there are."""


@dataclass(frozen=True)
class Design:
    """Runs that belong together: every setting from seeds 0, ..., `seeds` - 1, `together` of them trained at once."""

    name: str
    about: str
    settings: tuple[Setting, ...]
    seeds: int = SEEDS
    together: int = 10

    def specs(self, seeds: int | None = None) -> Iterator[dict[str, Any]]:
        """The tasks, plain data: a few seeds of one setting each. A last group that is cut short is another task."""
        last = self.seeds if seeds is None else seeds
        # The first seeds of all settings before the next ones: a sweep that is stopped early has something of each.
        for first in range(0, last, self.together):
            for setting in self.settings:
                yield {"setting": setting.as_data(), "seeds": list(range(first, min(first + self.together, last)))}


DESIGNS = {
    design.name: design
    for design in (
        Design(
            "figure-6",
            "one layer, one head: every map at every learning rate of table 3",
            tuple(replace(setting, rate=rate) for setting in every_map(CLASSIFIER) for rate in RATES),
            together=20,
        ),
        Design(
            "figure-21",
            "softmax classifiers with more heads and layers, with and without perceptron and layer normalisation",
            tuple(
                replace(CLASSIFIER, heads=heads, layers=layers, mlp=plain, layer_norm=plain)
                for plain in (True, False)
                for layers in (1, 2)
                for heads in (1, 2, 4)
            ),
            together=20,
        ),
        # At a quarter of the paper's width: every map from twenty seeds, for which the paper's own size is too costly.
        Design("figure-4-tiny", "two heads of width 16: every map", every_map(TINY), together=5),
        Design(
            "figure-14-tiny",
            "normalised positive maps without the auxiliary loss, lambda = 0",
            tuple(replace(setting, weight=0.0) for setting in NORMALISED_POSITIVE),
            together=5,
        ),
        Design(
            "figure-15-tiny",
            "normalised positive maps with other positions, and with the query token itself in place of a shifted one",
            tuple(
                replace(setting, **change)
                for change in ({"positions": "no"}, {"positions": "concat"}, {"shifted": False})
                for setting in NORMALISED_POSITIVE
            ),
            together=5,
        ),
        Design(
            "replacement-tiny",
            "normalised positive maps with tokens drawn uniformly at random, as the text says",
            tuple(replace(setting, replacement=True) for setting in NORMALISED_POSITIVE),
            together=5,
        ),
        Design("figure-4-width-64", "four heads of width 16: every map", every_map(NARROW), together=5),
        Design(
            "figure-4",
            "the paper's size: softmax, and sigmoid without normalisation",
            (PAPER, replace(PAPER, attention="sigmoid", normalised=False)),
            seeds=3,
            together=1,  # a task that is stopped is repeated whole, and one run of this size takes a quarter of an hour
        ),
    )
}


def design_of(name: str) -> Design:
    """The design of that name. Raises DesignError."""
    if name not in DESIGNS:
        raise DesignError(f"there is no design {name!r}: there are {', '.join(DESIGNS)}")
    return DESIGNS[name]


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
