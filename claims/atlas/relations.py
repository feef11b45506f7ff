"""Which claim has to do with which: corrections, formulas taken from another claim, a label shared; the map of a paper."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claims.atlas.places import page_name, place_of, slug
from claims.atlas.typeset import escaped
from claims.stating.formulas import parts
from claims.stating.statement import Claim, Standing


@dataclass(frozen=True)
class Relations:
    """Ids of claims that have to do with one claim."""

    corrects: Sequence[str] = ()
    uses: Sequence[str] = ()
    used_by: Sequence[str] = ()
    same_label: Sequence[str] = ()


def source_of(claim: Claim) -> str:
    """The text of the module, or file, that states the claim."""
    return claim.source if claim.source is not None else inspect.getsource(sys.modules[claim.module])


def relations(claims: Mapping[str, Claim]) -> dict[str, Relations]:
    """The relations among these claims, by id."""
    stated_by: dict[Callable[..., Any], str] = {}
    for name, claim in claims.items():
        for conclusion in claim.conclusions:
            # The first that states a formula is the one that others take it from: claims are in the paper's order.
            stated_by.setdefault(inspect.unwrap(conclusion.slack), name)
    used = {}
    for name, claim in claims.items():
        functions = (one for conclusion in claim.conclusions for one in parts(conclusion.slack))
        used[name] = list(dict.fromkeys(stated_by[one] for one in functions if stated_by.get(one, name) != name))
    by_label: dict[tuple[str, str], list[str]] = {}
    for name, claim in claims.items():
        for label in claim.refs:
            by_label.setdefault((claim.paper.key, label), []).append(name)
    found = {}
    for name, claim in claims.items():
        alike = dict.fromkeys(other for label in claim.refs for other in by_label[claim.paper.key, label] if other != name)
        found[name] = Relations(
            corrects=[other for other, one in claims.items() if one.corrected_by == name],
            uses=used[name],
            used_by=[other for other, ones in used.items() if name in ones],
            same_label=list(alike),
        )
    return found


# ---------------------------------------------------------------------------------------------------------------------
# The map of a paper: every numbered statement with the steps of its proof, coloured by standing, and corrections

COLORS = {standing: standing.value.replace(" ", "") for standing in Standing}  # classes of the style sheet

ROW, GAP = 30, 17  # heights of a row, and between the centres of dots, whose radius is 6.5
LEFT, RIGHT, ACROSS = 250, 560, 15  # where steps and where statements begin; dots in a line, so that steps end before RIGHT
NAMED = 34  # characters of the name of a row: more would run into the steps


def theorem_map(claims: Sequence[Claim], related: dict[str, Relations]) -> str:
    """The map as one <svg>: each row a statement, left the steps that it rests on, right its claims.

    Solid arcs join a claim to the one whose formula it takes, dashed ones a false claim to its correction.
    """
    rows: dict[str, tuple[list[Claim], list[Claim]]] = {}
    for claim in claims:
        place = place_of(claim.where)
        steps, own = rows.setdefault(place.statement or place.section, ([], []))
        (steps if place.is_proof_step else own).append(claim)
    parts: list[str] = []
    where: dict[str, tuple[float, float]] = {}
    y = 34.0
    for name, (steps, own) in rows.items():
        lines = max(1, -(-len(steps) // ACROSS), -(-len(own) // ACROSS))
        short = name if len(name) <= NAMED else name[: NAMED - 1] + "…"
        parts.append(f'<a href="#{slug(name)}"><text class="row" x="8" y="{y + 4:.0f}">{escaped(short)}</text></a>')
        for start, group in ((LEFT, steps), (RIGHT, own)):
            for k, claim in enumerate(group):
                where[claim.id] = (start + GAP * (k % ACROSS), y + GAP * (k // ACROSS))
        if steps and own:
            end = LEFT + GAP * min(len(steps), ACROSS)
            parts.append(f'<path class="rests" d="M{end} {y:.0f}H{RIGHT - 12}"/>')
            parts.append(f'<path class="rests head" d="M{RIGHT - 12} {y - 4:.0f}l6 4l-6 4z"/>')
        y += ROW + GAP * (lines - 1)
    by_id = {claim.id: claim for claim in claims}
    joined = [(one, other, "uses") for one in where for other in related[one].uses]
    joined += [(one, by_id[one].corrected_by or "", "corrects") for one in where]
    arcs = []
    for one, other, kind in joined:
        if other in where:
            (x0, y0), (x1, y1) = where[one], where[other]
            # The farther the more bent: arcs between dots of one column would lie on each other.
            bend = 10 + 0.12 * abs(y1 - y0)
            middle = f"{(x0 + x1) / 2 + bend:.0f} {(y0 + y1) / 2 - bend:.0f}"
            arcs.append(f'<path class="arc {kind}" d="M{x0:.0f} {y0:.0f}Q{middle} {x1:.0f} {y1:.0f}"/>')
    dots = []
    for name, (x, y) in where.items():
        claim = by_id[name]
        told = escaped(f"{name.split('.')[-1]} ({claim.standing_word}): {claim.statement}")
        circle = (
            f'<circle class="{COLORS[claim.standing]}" cx="{x:.0f}" cy="{y:.0f}" r="6.5"><title>{told}</title></circle>'
        )
        dots.append(f'<a href="{escaped(page_name(claim))}">{circle}</a>')
    width = RIGHT + GAP * ACROSS + 20
    columns = ((LEFT, "steps of proofs"), (RIGHT, "statements and variants"))
    heads = "".join(f'<text class="key" x="{x}" y="14">{name}</text>' for x, name in columns)
    return (
        f'<svg class="map" viewBox="0 0 {width} {y:.0f}" width="{width}" role="group" aria-label="Map of the paper">'
        f"{heads}{''.join(parts)}{''.join(arcs)}{''.join(dots)}</svg>"
    )
