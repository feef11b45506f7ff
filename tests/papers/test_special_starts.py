"""Special starts of every statement about limits that is held true: none violates it, and a kind is decided or listed.

A kind that a claim has no start of is shut out by a hypothesis, which words it; a kind whose starts are never decided
stands in UNDECIDED, and one of which nothing is said in VOID, with the reason.
"""

from __future__ import annotations

from collections import Counter

import pytest

from claims.catalogue import catalogue
from claims.verdict import Outcome
from claims.verifying.deciding import Effort, check
from tests.papers.special_starts import about_limits, kinds_of, starts_of
from tests.planting import LONG, one_in

MANY, MOST = (3 if LONG else 1), 12
"""Starts of each kind that are to be decided, and after how many in all none is tried any more."""

SHARES = {"clusters": 40, "frank_wolfe": 5, "localmax": 5, "polarization": 12}
"""One in so many cells of a paper is tried, by what a start costs; in a long run every one."""

UNDECIDED: dict[tuple[str, str], str] = {}

VOID: dict[tuple[str, str], str] = {}


def cells(paper):
    """A claim about limits, its conclusion and a kind of start, for each."""
    for claim in catalogue().values():
        if claim.id.startswith(f"{paper}."):
            yield from ((claim, one, kind) for one in about_limits(claim) for kind in kinds_of(claim.system))


CHOSEN = [cell for paper, share in SHARES.items() for cell in one_in(share, cells(paper))]


def outcomes(claim, conclusion, kind):
    """What becomes of the starts of a kind, counted."""
    found = Counter()
    for start in starts_of(claim, conclusion, kinds_of(claim.system)[kind], MOST):
        verdict = check(conclusion, start, Effort())
        assert verdict.outcome is not Outcome.VIOLATED, start.to_json()
        found["nothing" if verdict.reason == "nothing to compare" else verdict.outcome] += 1
        if found[Outcome.HOLDS] >= MANY or found[Outcome.UNDECIDED] > MANY + 1:
            break
    return found


@pytest.mark.parametrize(
    ("claim", "conclusion", "kind"), CHOSEN, ids=lambda one: getattr(one, "id", getattr(one, "name", one))
)
def test_special_starts_are_decided_or_listed(claim, conclusion, kind):
    found = outcomes(claim, conclusion, kind)
    cell = (f"{claim.id}.{conclusion.name}", kind)
    listed = UNDECIDED.get(cell) or VOID.get(cell)
    if found and not found[Outcome.HOLDS]:
        assert listed, f"{dict(found)}: decide such starts, or say in the hypotheses or here what is left out"
    if listed and LONG:
        assert not found[Outcome.HOLDS], "is decided now: strike it off the list"


def test_what_is_listed_is_a_kind_of_start():
    known = {(f"{claim.id}.{one.name}", kind) for paper in SHARES for claim, one, kind in cells(paper)}
    assert set(UNDECIDED) | set(VOID) <= known
    assert not set(UNDECIDED) & set(VOID)
