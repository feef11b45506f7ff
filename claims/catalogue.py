"""Finds the suite's claims, in the order of each paper's table of contents."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache

from claims.patterns import UnmatchedError, matched
from claims.statement import Claim

PAPERS = ("clusters", "frank_wolfe", "localmax", "polarization")


class UnknownClaimError(LookupError):
    """No claim matches a pattern; the message suggests the nearest."""


@cache
def catalogue() -> dict[str, Claim]:
    """Every claim of the suite by id: paper by paper, in the order of the paper."""
    found: dict[str, Claim] = {}
    for paper in PAPERS:
        package = importlib.import_module(f"claims.{paper}")
        for name in package.CONTENTS:
            claim: Claim = importlib.import_module(f"claims.{paper}.{name}").claim
            found[claim.id] = claim
    for claim in found.values():
        if claim.corrected_by and claim.corrected_by not in found:
            raise LookupError(f"{claim.id} is corrected by {claim.corrected_by}, which does not exist")
    return found


def claims_by_id(own: Sequence[Claim] = ()) -> dict[str, Claim]:
    """The suite's claims and a user's own, by id. Raises UnknownClaimError if two of them share an id."""
    found = dict(catalogue())
    for claim in own:
        if claim.id in found:
            raise UnknownClaimError(f"two claims have the id {claim.id}: rename {claim.file or claim.module}")
        found[claim.id] = claim
    return found


def matching(patterns: Sequence[str], own: Sequence[Claim] = ()) -> list[Claim]:
    """The claims whose id, paper, or reference in the papers' files matches one of the patterns.

    A pattern is an id, a shell glob, or a plain word that must be a part of the id. For no pattern: a user's own claims
    where there are any, else all. Raises UnknownClaimError for a pattern that matches nothing.
    """
    claims = claims_by_id(own)
    if own and not patterns:
        return list(own)
    try:
        return [claims[name] for name in matched(patterns, {name: claim.refs for name, claim in claims.items()})]
    except UnmatchedError as error:
        hint = f": did you mean {error.near}?" if error.near else "; `claims list` shows them"
        raise UnknownClaimError(f"no claim matches {error.pattern!r}{hint}") from None
