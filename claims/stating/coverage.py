"""Which statements of a paper have claims here, and why the others have none."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claims.stating.catalogue import catalogue
from claims.stating.statement import Claim, Origin, Standing

THEIRS = (Origin.PRINTED, Origin.REPORTED)
"""Statements of the paper itself; others carry it over to another setting, sharpen or correct it, or ask beyond it."""


@dataclass(frozen=True)
class Stated:
    """What a paper states at one place, in its own words for it: the claims about it, or else why there is none."""

    printed: str
    claims: tuple[Claim, ...]
    reason: str

    @property
    def is_false(self) -> bool:
        """Whether a claim about the paper's own words is false."""
        return any(claim.standing is Standing.FALSE and claim.origin in THEIRS for claim in self.claims)

    @property
    def verdict(self) -> str:
        """The standings of the claims about the paper's own words, and the number of others; or why there is no claim."""
        if self.reason:
            return f"no claim: {self.reason}"
        words = [claim.standing_word for claim in self.claims if claim.origin in THEIRS]
        told = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
        ours = len(self.claims) - len(words)
        return ", ".join([*told, f"{ours} of ours"] if ours else told)


@cache
def coverage(paper: str) -> tuple[Stated, ...]:
    """What a paper states, in its own order: statements, equations with a claim, figures, experiments.

    Raises LookupError for a label that no claim of the paper carries.
    """
    own = [claim for claim in catalogue().values() if claim.paper.key == paper]
    table = tomllib.loads((Path(__file__).parents[1] / paper / "coverage.toml").read_text(encoding="utf-8"))
    return tuple(_stated(printed, found, own) for printed, found in table.items())


def _stated(printed: str, found: str | list[str], own: list[Claim]) -> Stated:
    labels = [] if isinstance(found, str) else found
    # A label that was renamed would leave its place without claims, and nobody would see it.
    if unknown := set(labels) - {label for claim in own for label in claim.refs}:
        raise LookupError(f"{printed}: no claim is labelled {', '.join(sorted(unknown))}")
    claims = tuple(claim for claim in own if not set(labels).isdisjoint(claim.refs))
    return Stated(printed, claims, found if isinstance(found, str) else "")
