"""Prose with formulas in TeX as a terminal shows it: in the plain notation in which statements are typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORDS = {
    r"\ge": ">=", r"\le": "<=", r"\neq": "!=", r"\to": "->", r"\in": "in", r"\notin": "not in", r"\cdot": "*",
    r"\times": "x", r"\infty": "infinity", r"\dots": "...", r"\ldots": "...", r"\top": "T", r"\partial": "bd",
    r"\|": "|", r"\varepsilon": "eps", r"\ell": "l", r"\odot": "*", r"\sim": "~", r"\prime": "'",
    r"\subset": "subset", r"\int": "int", r"\sum": "sum", r"\prod": "prod", r"\kappa": "kappa", r"\,": " ",
    r"\quad": " ", r"\ ": " ", r"\;": " ", r"\!": "",
}  # fmt: skip
"""What a command of TeX is typed as, where it is not its own name."""

OPENING = {r"\langle": "<", r"\{": "{", r"\lfloor": "floor(", r"\pm": "+-", r"\mp": "-+"}
"""The same, with no space after it."""

CLOSING = {r"\rangle": ">", r"\}": "}", r"\rfloor": ")"}
"""The same, with no space before it."""

DROPPED = r"\\(?:big|Big|bigl|bigr|left|right|mathbb|mathcal|mathrm|text|operatorname|displaystyle|limits)(?![A-Za-z])\s?"

# Braces within braces, once: a fraction of subscripts has them, and no line by hand goes deeper.
_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_ARGUMENT = rf"(?:{_GROUP}|(\\[A-Za-z]+|[A-Za-z0-9]))"
_FRACTION = re.compile(rf"\\[td]?frac\s*{_ARGUMENT}\s*{_ARGUMENT}")
_ROOT = re.compile(rf"\\sqrt\s*{_ARGUMENT}")
_DOT = re.compile(rf"\\dot(?![a-z])\s*{_ARGUMENT}((?:_\w|_{_GROUP})?)")
_MATRIX = re.compile(r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", re.DOTALL)
# What stands beside a slash without brackets: one number or name, not a product or a sum.
_SIMPLE = re.compile(r"\d+|sqrt\(\w+\)|-?\\?[A-Za-z]+(?:_\w)?|[A-Za-z]\(\w\)")


def formulas(prose: str) -> Iterator[tuple[bool, str]]:
    """The parts of prose: whether each is a formula, and its text. Raises ValueError where a dollar sign is left alone."""
    # Dollars come in pairs, so that every second part is a formula.
    parts = prose.split("$")
    if len(parts) % 2 == 0:
        raise ValueError(f"a dollar sign is left alone in {prose!r}")
    for place, part in enumerate(parts):
        if part:
            yield bool(place % 2), part


def typed(prose: str) -> str:
    r"""The prose with its formulas as statements are typed: `\tfrac{1}{32}` is 1/32, `\dot x \ge 0` is x' >= 0."""
    return "".join(_formula(part) if is_formula else part for is_formula, part in formulas(prose))


def _formula(text: str) -> str:
    text = re.sub(DROPPED, "", _MATRIX.sub(_rows, text))
    text = _ROOT.sub(lambda found: f"sqrt({found[1] or found[2]})", text)
    # What is put in is not searched again: of a fraction within a fraction the outer one is typed first.
    while (shorter := _FRACTION.sub(_quotient, text)) != text:
        text = shorter
    text = _DOT.sub(lambda found: f"{found[1] or found[2]}{found[3]}'", text)
    text = re.sub(r"\s*(\\(?:[A-Za-z]+|[^A-Za-z]))\s*", _word, text)
    # One letter needs no braces; of more, braces alone say where the script ends.
    text = re.sub(r"([_^])\{(\w|\*)\}", r"\1\2", text)
    return " ".join(text.split())


def _rows(found: re.Match[str]) -> str:
    """A matrix by its rows."""
    rows = (", ".join(entry.strip() for entry in row.split("&")) for row in found[1].split(r"\\"))
    return f"({', '.join(f'({row})' for row in rows)})"


def _quotient(found: re.Match[str]) -> str:
    top, bottom = found[1] or found[2], found[3] or found[4]
    above, below = (part if _SIMPLE.fullmatch(part.strip()) else f"({part})" for part in (top, bottom))
    return f"{above}/{below}"


def _word(found: re.Match[str]) -> str:
    """A command with the spaces around it, of which it keeps those that do not belong to a bracket or a sign."""
    command = found[1]
    before, after = found[0].split(command, 1)
    if command in OPENING:
        return before + OPENING[command]
    if command in CLOSING:
        return CLOSING[command] + after
    return before + WORDS.get(command, command[1:]) + after
