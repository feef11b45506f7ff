"""Typesets the plain notation of statements, `x_i^{k+1} >= <B x_i, x_j>`, as HTML with scripts, Greek and signs.

Statements are typed in ASCII. Nothing is interpreted beyond what the notation says for certain, and nothing is lost: every
piece keeps the characters it was typed with, and their sequence is the text. What is ambiguous stays as it was typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from claims.plain_text import visible

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

SIGNS = {"<=>": "⇔", "+-": "±", "->": "→", "=>": "⇒", "<=": "≤", ">=": "≥", "!=": "≠", "...": "…"}

BIG = {"sum": "∑", "prod": "∏", "int": "∫"}
"""Signs of words that carry a script."""

CARRIERS = {"max", "min", "lim", "limsup", "liminf", "sup", "inf", "log", "argmax", "argmin", "dist", "conv", "gap", "xbar"}
"""Words, beside single letters and Greek ones, that a script may follow."""

SOLE = "aAI"
"""Letters that are words as well: italic only where a script, a prime or a bracket follows."""

WORDS = {"If", "In", "As", "At", "An", "On", "To", "Is", "It", "No", "So", "By", "Of", "Or", "We", "Do", "Be", "SA"}
WORDS |= {word.lower() for word in WORDS}
"""Short words; other pairs of letters that begin with a capital, Bx and QK, are products."""

_PART = re.compile(r"<=>|\+-|->|=>|<=|>=|!=|\.\.\.|[A-Za-z]+|[0-9]+|\s+|.", re.DOTALL)
_NAME = re.compile(r"[A-Za-z]{2,}(?:_[A-Za-z]{2,})+|[A-Za-z]+(?:_[A-Za-z0-9]+){2,}|[\w.]+\.(?:py|json|md)\b")
_LOW = re.compile(r"[A-Za-z0-9]+|[*+](?![A-Za-z0-9])")
_HIGH = re.compile(r"-?(?:[0-9]+|[A-Za-z]+)(?![A-Za-z0-9])|\*")


@dataclass(frozen=True)
class Piece:
    """A part of a text: how it was typed, and how it is shown."""

    typed: str
    html: str


def shown(text: str) -> str:
    """Text as HTML or SVG, as it is: it can be no markup, and hides nothing."""
    return escape(visible(text))


def typeset(text: str) -> str:
    """The text as HTML; every character that means something to HTML is escaped."""
    return "".join(piece.html for piece in pieces(text))


def pieces(text: str, script: bool = False) -> list[Piece]:
    """The text in parts, of which the typed ones are the text again. Within a `script` short words are variables."""
    found: list[Piece] = []
    brackets, place = angles(text), 0
    while place < len(text):
        piece = _piece(text, place, found[-1].typed if found else "", brackets, script)
        found.append(piece)
        place += len(piece.typed)
    return found


def angles(text: str) -> dict[int, str]:
    """The places of `<` and `>` that are brackets of an inner product, with what is shown there.

    A bracket opens where a word could begin, has no space inside its ends and a comma at its own depth.
    """
    found: dict[int, str] = {}
    for place, sign in enumerate(text):
        opens = (
            sign == "<" and text[place + 1 : place + 2].strip(" =<>-,") and (place == 0 or text[place - 1] in " (|[{-+/")
        )
        end = _closing(text, place) if opens else None
        if end is not None:
            found |= {place: "⟨", end: "⟩"}
    return found


def _closing(text: str, start: int) -> int | None:
    """The place of the `>` that closes the bracket at `start`, if there is one for certain."""
    depth, commas = 0, 0
    for place in range(start + 1, len(text)):
        sign = text[place]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign == "," and depth == 0:
            commas += 1
        elif sign == "<" or (sign == ">" and text[place - 1] in " -="):
            return None
        elif sign == ">" and depth == 0:
            return place if commas == 1 and text[place + 1 : place + 2] != "=" else None
        if depth < 0:
            return None
    return None


def _piece(text: str, place: int, before: str, brackets: dict[int, str], script: bool) -> Piece:
    """The part of the text that begins at a place, after the part that was typed `before`."""
    if place in brackets:
        return Piece(text[place], brackets[place])
    if text[place] in "_^" and before and (_carries(before) or (text[place] == "^" and before.isalpha())):
        inner = _script(text, place)
        if inner is not None:
            typed, content = inner
            tag = "sub" if text[place] == "_" else "sup"
            inside = "".join(piece.html for piece in pieces(content, script=True))
            return Piece(typed, f"<{tag}>{inside}</{tag}>")
    name = _NAME.match(text, place)
    if name and not before[-1:].isalnum() and name[0].split("_")[0] not in CARRIERS | set(GREEK) | set(BIG):
        return Piece(name[0], escape(name[0]))
    match = _PART.match(text, place)
    assert match is not None
    part = match[0]
    after = text[place + len(part) : place + len(part) + 1]
    if part in SIGNS:
        return Piece(part, SIGNS[part])
    if part in BIG and after == "_":
        return Piece(part, BIG[part])
    if part == "infinity" and (script or re.search(r"(->|[-+=(])\s*$", text[:place])):
        return Piece(part, "∞")
    if part in GREEK:
        return Piece(part, GREEK[part])
    if part[:1] == "d" and part[1:] in GREEK:
        return Piece(part, f"<i>d</i>{GREEK[part[1:]]}")
    if part == "xbar":
        return Piece(part, "<i>x̄</i>")
    if part == "'" and _is_variable(before):
        return Piece(part, "′")
    if part == "-" and (script or ((after.isalnum() or after in " (|<{") and not before[-1:].isalpha())):
        return Piece(part, "−")
    if part.isalpha() and _is_italic(part, after, script):
        return Piece(part, f"<i>{part}</i>")
    return Piece(part, escape(part))


def _is_italic(part: str, after: str, script: bool) -> bool:
    if len(part) == 1:
        return part not in SOLE or script or (after != "" and after in "_^'(")
    if len(part) == 2 and part not in WORDS:
        return script or part[0].isupper()
    return False


def _is_variable(typed: str) -> bool:
    return (len(typed) == 1 and (typed.isalpha() or typed in ")'")) or typed in GREEK or typed[:1] in "_^"


def _carries(typed: str) -> bool:
    """Whether a script may follow what was typed before it."""
    if typed.isalpha():
        return len(typed) <= 2 or typed in GREEK or typed in CARRIERS or typed in BIG
    return typed[-1:] in ")]}|'>*" or typed[:1] in "_^" or typed.isdigit()


def _script(text: str, place: int) -> tuple[str, str] | None:
    """What is typed from `_` or `^` on, and what stands in the script; None where its end is not certain."""
    if text[place + 1 : place + 2] == "{":
        depth = 0
        for end in range(place + 1, len(text)):
            depth += (text[end] == "{") - (text[end] == "}")
            if depth == 0:
                return text[place : end + 1], text[place + 2 : end]
        return None
    match = (_LOW if text[place] == "_" else _HIGH).match(text, place + 1)
    if match is None or (match[0] in GREEK and text[match.end() : match.end() + 1] == "("):
        return None  # v_sigma(i): the script may go on
    return text[place : match.end()], match[0]
