"""The rules by which something holds along a flow for ever: what each asks, and what follows. docs/proofs.md proves them.

A proof is an outline: names, and which rule is used of them in which order. What has to be shown is not part of it but
written here from the outline, for the search as for the check.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import fmpq

from claims.proving.entries import Entries
from claims.proving.exploring import NoProofError
from claims.proving.moments import Ask, Entry, Given, Moments, in_a_row
from claims.proving.symbols import Symbol, inside
from claims.stating.statement import Relation
from dynamics.arithmetic import Array, numbers
from dynamics.differentiation import directional_derivative

AT_LEAST, POSITIVE, NOTHING = frozenset({0, 1}), frozenset({1}), frozenset({0})

STAYS, KNOWN, LEFT, GROWS, NEVER_FALLS = "stays inside", "known", "left at once", "grows", "never falls"
"""The rules for what follows of a region."""

ENTRIES = "entries"  # how the name of the rule ends that a slack has so many of them


@dataclass
class KnownRegion:
    """What is known of every trajectory of a size, and by which rules.

    `kept` are positive for all t, being factors of their own rates. `inside` are affine entries that stay >= 0: the region.
    `inferred` are (rule, entry, relation), in this order; those found to be > 0 are known to the ones after them.
    """

    moments: Moments
    kept: list[Entry] = field(default_factory=list)
    inside: list[Entry] = field(default_factory=list)
    inferred: list[tuple[str, Entry, Relation]] = field(default_factory=list)

    @property
    def positive(self) -> list[Entry]:
        """The entries known to be > 0 for all t > 0."""
        return [*self.kept, *(entry for _, entry, relation in self.inferred if relation is Relation.POSITIVE)]

    @property
    def known(self) -> tuple[Given, ...]:
        """All that is known for t > 0."""
        # What is positive is not said twice: a solver has one condition less on each path.
        positive = self.positive
        weak = ((entry, AT_LEAST) for entry in self.inside if entry not in positive)
        return (*weak, *((entry, POSITIVE) for entry in positive))

    def shows(self, entry: Entry, relation: Relation) -> bool:
        """Whether the entry is known to stand in the relation for all t > 0."""
        # That an entry is > 0 says that it is >= 0. Of what is inside a rule says it: an outline names all that it uses.
        found = {one for _, entered, one in self.inferred if entered == entry}
        return entry in self.kept or Relation.POSITIVE in found or relation in found

    def to_keep(self, entry: Entry) -> tuple[Ask, ...]:
        """For an entry that is a factor of its own rate to be positive for all t."""
        factor = Ask("multiple", entry, lambda now, start: _remainder(entry, now, start), Relation.ZERO)
        return factor, begins(entry, Relation.POSITIVE)

    def to_close(self, entry: Entry, region: Sequence[Entry]) -> tuple[Ask, ...]:
        """For an entry of a region, that no trajectory leaves the region through its face."""
        # On the face alone, and within all the others: beyond it nothing has to hold, as nothing gets there.
        others = tuple((one, AT_LEAST) for one in region if one != entry)
        given = (*others, *((one, POSITIVE) for one in self.kept), (entry, NOTHING))
        face = Ask("face", entry, entry.rate, Relation.NONNEGATIVE, given)
        return begins(entry, Relation.NONNEGATIVE), self._affine(entry), face

    def to_infer(self, rule: str, entry: Entry, relation: Relation) -> tuple[Ask, ...]:
        """For an entry to be > 0 or >= 0 for all t > 0 by a rule. Raises NoProofError where the rule does not say so."""
        if relation is Relation.ZERO:
            raise NoProofError("an identity along a trajectory is inferred by no rule")
        inside, first = entry in self.inside, begins(entry, relation)
        if rule == STAYS and inside:
            return (first,) if relation is Relation.POSITIVE else ()
        if rule == KNOWN:
            return (Ask(rule, entry, entry.at, relation, self.known),)
        if rule == NEVER_FALLS:
            return first, _slope_at_start(entry), Ask(rule, entry, entry.rate, Relation.NONNEGATIVE, self.known)
        if rule == GROWS and relation is Relation.POSITIVE:
            weakly = begins(entry, Relation.NONNEGATIVE)
            return weakly, _slope_at_start(entry), Ask(rule, entry, entry.rate, relation, self.known)
        if rule == LEFT and relation is Relation.POSITIVE:
            # At a zero the entry rises: it is reached from below alone, and what is inside is not below.
            others = tuple(one for one in self.known if one[0] != entry)
            falls = Ask(rule, entry, entry.rate, relation, (*others, (entry, NOTHING)))
            return (falls,) if inside else (first, _slope_at_start(entry), _slope(entry, others), falls)
        raise NoProofError(f"{rule!r} does not say that {entry.name!r} is {relation}")

    def to_count(self, entry: Entry, number: int) -> Ask:
        """For a slack, an entry of all its numbers, to have this many of them for all t > 0."""

        def excess(now: Any, start: Any) -> Any:
            return numbers(np.array([fmpq(len(in_a_row(entry.formula(now, start))) - number)], dtype=object))

        return Ask(f"{number} {ENTRIES}", entry, excess, Relation.ZERO, self.known)

    def _affine(self, entry: Entry) -> Ask:
        """For an entry to be an affine function of what moves, the same one at every state."""

        def nothing(now: Any, start: Any) -> Any:
            if not self.moments.is_affine(entry.at(now, start)):
                raise NoProofError(f"{entry.name} is not affine")
            return 0 * entry.rate(now, start)

        return Ask("affine", entry, nothing, Relation.ZERO)


def to_be_smooth() -> Ask:
    """For the field to have a value and a derivative at every state."""
    return Ask("smooth", FIELD, _slopes_of_field, Relation.ZERO)


def _slopes_of_field(now: Any, _: Any) -> Any:
    arrays = [getattr(now, name) for name in now.moving]

    def field_at(*moved: Array) -> Array:
        there = now.replace(**dict(zip(now.moving, moved, strict=True)))
        return numbers(np.concatenate([in_a_row(array) for array in there.velocity()]))

    return 0 * in_a_row(directional_derivative(field_at, arrays, arrays))


FIELD = Entry("field", _slopes_of_field)


def begins(entry: Entry, relation: Relation) -> Ask:
    """For an entry to stand in the relation at every start."""
    return Ask("start", entry, lambda _, start: entry.at(start, start), relation)


def _slope(entry: Entry, given: tuple[Given, ...]) -> Ask:
    # For an entry to have a derivative wherever all that is given holds: without one it could jump.
    return Ask("slope", entry, lambda now, start: 0 * entry.rate(now, start), Relation.ZERO, given)


def _slope_at_start(entry: Entry) -> Ask:
    # And at the start, where what is known for t > 0 need not hold: without one it could jump at once.
    return Ask("slope at start", entry, lambda _, start: 0 * entry.rate(start, start), Relation.ZERO)


def _remainder(entry: Entry, now: Any, start: Any) -> Any:
    """0 where the entry's rate is a multiple of it, by a factor that is continuous wherever both have values; else 1."""
    value, rate = entry.at(now, start), entry.rate(now, start)
    if not isinstance(value, Symbol) or not isinstance(rate, Symbol) or inside(value).top.is_constant():
        return fmpq(1)
    p, r = inside(value).top, inside(rate).top
    if r == 0:
        return fmpq(0)
    # (p/q)' = (r/s) = c p/q with c = (r/p) q / s: p must divide r.
    return fmpq(0) if r.gcd(p).total_degree() == p.total_degree() else fmpq(1)


def outline(region: KnownRegion, entries: Entries) -> dict[str, Any]:
    """A proof as plain data: which numbers are spoken of, and which rule is used of each."""
    return {
        "counts": dict(entries.counts),
        "kept": [entry.name for entry in region.kept],
        "inside": [entry.name for entry in region.inside],
        "inferred": [[rule, entry.name, relation.value] for rule, entry, relation in region.inferred],
    }


def needed(told: dict[str, Any], entries: Entries, moments: Moments) -> list[Ask]:
    """All that is to be shown for the proof of an outline, each once.

    `entries` that are not counted yet are counted here. Raises NoProofError for an outline that does not end at the
    conclusion, or that is none.
    """
    try:
        return list(dict.fromkeys(_needed(told, entries, moments)))
    except NoProofError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NoProofError(f"no outline of a proof: {error}") from None


def _needed(told: dict[str, Any], entries: Entries, moments: Moments) -> Iterable[Ask]:
    if set(told) != {"counts", "kept", "inside", "inferred"}:
        raise NoProofError("an outline has counts, kept, inside and inferred")
    # Each part of the outline may lean on those before it, and on nothing else.
    for name, number in told["counts"].items():
        if name not in entries.counts:
            entries.count(name, number)
    conclusion, region = entries.conclusion, KnownRegion(moments)
    if not entries.own:
        raise NoProofError(f"the outline does not count the entries of {conclusion.name}")
    yield to_be_smooth()
    for name in told["kept"]:
        yield from region.to_keep(entries[name])
        region.kept.append(entries[name])
    region.inside = [entries[name] for name in told["inside"]]
    for entry in region.inside:
        yield from region.to_close(entry, region.inside)
    for rule, name, relation in told["inferred"]:
        yield from region.to_infer(rule, entries[name], Relation(relation))
        region.inferred.append((rule, entries[name], Relation(relation)))
    for entry in entries.own:
        if not region.shows(entry, conclusion.relation):
            raise NoProofError(f"{entry.name} is not inferred to be {conclusion.relation}")
    yield region.to_count(Entry(conclusion.name, conclusion.slack), len(entries.own))
