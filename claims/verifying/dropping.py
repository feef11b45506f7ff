"""Drop assumptions: decide a conclusion on instances that satisfy all its other assumptions."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from claims.stating.catalogue import catalogue
from claims.stating.statement import Claim, Conclusion, Form, Origin, Standing, judged_by_runs, standing_word
from claims.targets.target import Target
from claims.verifying.deciding import Effort
from claims.verifying.tallies import Tally
from claims.verifying.tasks import run_tasks

EACH = "each"  # in place of names: every assumption of every conclusion, one at a time


class DropError(LookupError):
    """No chosen claim assumes what was to be dropped; the message says which claims do, or suggests the nearest name."""


class DropFinding(StrEnum):
    """What a search without some assumptions found."""

    NEEDED = "needed"
    NOT_NEEDED = "not needed"
    VIOLATED = "violated"
    SURVIVED = "survived"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"
    FAILED = "failed"
    NOT_BUILT = "not built"
    UNBREAKABLE = "no way to break it"


@dataclass
class Drop:
    """One conclusion without `tally.dropped`; `unbreakable` names those dropped that cannot be violated by construction."""

    claim: str
    refs: tuple[str, ...]
    origin: Origin
    standing: Standing
    tally: Tally
    unbreakable: tuple[str, ...]
    seconds: float

    @property
    def standing_word(self) -> str:
        """The standing in words."""
        return standing_word(self.standing, self.origin)

    @property
    def finding(self) -> DropFinding:
        """Only claims held true get NEEDED or NOT_NEEDED: the others may fail within their hypotheses as well."""
        tally, true = self.tally, self.standing is Standing.TRUE
        if self.unbreakable:
            return DropFinding.UNBREAKABLE
        if tally.error:
            return DropFinding.FAILED
        if tally.violated:
            return DropFinding.NEEDED if true else DropFinding.VIOLATED
        if tally.holds:
            return DropFinding.NOT_NEEDED if true else DropFinding.SURVIVED
        if tally.undecided:
            return DropFinding.UNDECIDED
        return DropFinding.VACUOUS if tally.instances else DropFinding.NOT_BUILT


def checked_conclusions(claim: Claim) -> list[Conclusion]:
    """The conclusions that are checked on instances: all but experiments."""
    return [conclusion for conclusion in claim.conclusions if conclusion.form is not Form.EXPERIMENT]


def targets_without(claims: Sequence[Claim], names: Sequence[str]) -> list[Target]:
    """What is to be decided: each conclusion without all its named assumptions; for EACH, without one at a time.

    Raises DropError for a name that is no assumption, or that nothing chosen assumes.
    """
    if EACH in names:
        if set(names) != {EACH}:
            raise DropError(f"{EACH!r} drops every assumption, one at a time: it takes no other name beside it")
    else:
        for name in names:
            _find(name, claims)
    targets = []
    for claim in claims:
        for conclusion in checked_conclusions(claim):
            assumed = [assumption.name for assumption in claim.assumptions_of(conclusion)]
            if EACH in names:
                targets += [Target.of(claim, conclusion, (name,)) for name in assumed]
            elif together := tuple(name for name in assumed if name in names):
                targets.append(Target.of(claim, conclusion, together))
    if not targets:
        raise DropError(judged_by_runs(claims) or "the chosen claims assume nothing that could be dropped")
    return targets


def _find(name: str, claims: Sequence[Claim]) -> None:
    # Of the whole catalogue: a name may be right, and of other claims.
    every = list(dict.fromkeys([*catalogue().values(), *claims]))
    assuming = [claim.id for claim in every if name in _assumed(claim)]
    if not assuming:
        known = sorted({other for claim in every for other in _assumed(claim)} | {EACH})
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        hint = f": did you mean {near[0]}?" if near else f": there are {', '.join(known)}"
        raise DropError(f"no claim assumes {name!r}{hint}")
    if not {claim.id for claim in claims} & set(assuming):
        more = f" and {len(assuming) - 5} more" if len(assuming) > 5 else ""
        raise DropError(f"none of the chosen claims assumes {name}: these do: {', '.join(assuming[:5])}{more}")


def _assumed(claim: Claim) -> set[str]:
    return {a.name for conclusion in checked_conclusions(claim) for a in claim.assumptions_of(conclusion)}


def drop(targets: Sequence[Target], examples: int, seed: int, effort: Effort, jobs: int) -> Iterator[tuple[int, Drop]]:
    """Verify the targets in `jobs` processes; each with its position as it ends. `jobs` changes nothing that is found."""
    possible = []
    for position, target in enumerate(targets):
        variant = target.resolve()
        claim, conclusion = variant.claim, variant.conclusion
        unbreakable = tuple(assumption.name for assumption in variant.without if assumption.violate is None)
        # It takes no process to say so.
        if unbreakable:
            tally = Tally(conclusion.name, conclusion.form.value, target.dropped)
            yield position, Drop(claim.id, claim.refs, claim.origin, claim.standing, tally, unbreakable, 0.0)
        else:
            possible.append(target)
    position_of = {target: position for position, target in enumerate(targets)}
    for target, tally, seconds in run_tasks(possible, examples, seed, effort, jobs):
        claim = target.resolve().claim
        yield position_of[target], Drop(claim.id, claim.refs, claim.origin, claim.standing, tally, (), seconds)
