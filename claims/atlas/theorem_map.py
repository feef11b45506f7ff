"""The map of a paper: every numbered statement with the steps of its proof, coloured by standing, and corrections."""

from __future__ import annotations

from collections.abc import Sequence

from claims.atlas.places import page_name, place_of, slug
from claims.atlas.relations import Relations
from claims.atlas.typeset import escaped
from claims.statement import Claim, Standing

COLORS = {standing: standing.value.replace(" ", "") for standing in Standing}
"""The class of the style sheet for each standing."""

ROW, GAP, LEFT, RIGHT, ACROSS = 30, 17, 250, 560, 15
"""Of a row, between dots; where steps begin, where statements begin; dots in a line."""

NAMED = 34
"""Characters of the name of a row."""


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
    arcs = [_arc(where[one], where[other], "uses") for one in where for other in related[one].uses if other in where]
    by_id = {claim.id: claim for claim in claims}
    arcs += [
        _arc(where[one], where[other], "corrects") for one in where if (other := by_id[one].corrected_by or "") in where
    ]
    dots = [_dot(by_id[name], *at) for name, at in where.items()]
    width = RIGHT + GAP * ACROSS + 20
    columns = ((LEFT, "steps of proofs"), (RIGHT, "statements and variants"))
    heads = "".join(f'<text class="key" x="{x}" y="14">{name}</text>' for x, name in columns)
    return (
        f'<svg class="map" viewBox="0 0 {width} {y:.0f}" width="{width}" role="group" aria-label="Map of the paper">'
        f"{heads}{''.join(parts)}{''.join(arcs)}{''.join(dots)}</svg>"
    )


def _arc(start: tuple[float, float], end: tuple[float, float], kind: str) -> str:
    (x0, y0), (x1, y1) = start, end
    bend = 10 + 0.12 * abs(y1 - y0)
    middle = f"{(x0 + x1) / 2 + bend:.0f} {(y0 + y1) / 2 - bend:.0f}"
    return f'<path class="arc {kind}" d="M{x0:.0f} {y0:.0f}Q{middle} {x1:.0f} {y1:.0f}"/>'


def _dot(claim: Claim, x: float, y: float) -> str:
    name = claim.id.split(".")[-1]
    told = escaped(f"{name} ({claim.standing_word}): {claim.statement}")
    return (
        f'<a href="{escaped(page_name(claim))}"><circle class="{COLORS[claim.standing]}" cx="{x:.0f}" cy="{y:.0f}" r="6.5">'
        f"<title>{told}</title></circle></a>"
    )
