"""Typesets the plain notation of statements, `x_i^{k+1} >= <B x_i, x_j>`, as HTML and MathML with scripts, Greek and signs.

Statements are typed in ASCII. Nothing is interpreted beyond what the notation says for certain, and nothing is lost: every
piece keeps the characters it was typed with, and their sequence is the text. What is ambiguous stays as it was typed.
What stands between two spaces is one formula or none: browsers break no line within a formula.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby

from claims.notation import Mark
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
_SHORT = re.compile(r"a\.e\.|i\.e\.|e\.g\.")
_NUMBER = re.compile(r"[0-9]+\.[0-9]+")
_NAME = re.compile(r"[A-Za-z]{2,}(?:_[A-Za-z]{2,})+|[A-Za-z]+(?:_[A-Za-z0-9]+){2,}|[\w.]+\.(?:py|json|md)\b")
_LOW = re.compile(r"[A-Za-z0-9]+|[*+](?![A-Za-z0-9])")
_HIGH = re.compile(r"-?(?:[0-9]+|[A-Za-z]+)(?![A-Za-z0-9])|\*")


OPENING = "([{⟨|/+−=≤≥<>,→"
"""After one of these a minus is a sign."""

NO_BREAK = "\u00a0"

CLOSE = 'lspace="0" rspace="0"'
"""Of signs in scripts: no more room around them than is typed."""

BARE = f'stretchy="false" {CLOSE}'
"""Of brackets and bars: as large as the letters."""


@dataclass(frozen=True)
class Piece:
    """A part of a text: how it was typed, how it is shown among words, and how in a formula.

    `math` is empty where it is no part of a formula: words and spaces. `tells` whether it makes its surroundings one, and
    `script` is the element of a script, whose content `math` is then. `mark` is the number of the paper's symbol that it
    belongs to.
    """

    typed: str
    html: str
    math: str = ""
    tells: bool = False
    script: str = ""
    mark: int | None = None


def _letters(letters: str) -> str:
    """Variables, as one element."""
    found = "".join(f'<mi mathvariant="normal">{letter}</mi>' for letter in letters)
    return found if len(letters) == 1 else f"<mrow>{found}</mrow>"


def escaped(text: str) -> str:
    """Text as HTML or SVG, as it is: it can be no markup, and hides nothing."""
    return escape(visible(text))


def typeset(text: str, marks: Sequence[Mark] = ()) -> str:
    """The text as HTML with formulas as MathML; every character that means something to HTML is escaped.

    Symbols at `marks` are elements of the class `sym`, whose `data-symbol` is the number of the symbol.
    """
    found, shown_parts = pieces(text, marks=marks), list[str]()
    for is_space, group in groupby(found, key=lambda piece: piece.typed.isspace()):
        chunk = list(group)
        shown_parts += [piece.html for piece in chunk] if is_space else _between_spaces(chunk)
    return "".join(shown_parts)


PUNCTUATION = {".", ",", ";", ":", "!", "?", '"'}
"""Beside a formula, not in it."""


def _between_spaces(chunk: Sequence[Piece]) -> list[str]:
    """One formula, held together with the punctuation beside it, or words."""
    first, last = 0, len(chunk)
    while first < last and chunk[first].typed in PUNCTUATION:
        first += 1
    while first < last and chunk[last - 1].typed in PUNCTUATION:
        last -= 1
    inner = chunk[first:last]
    if not any(piece.tells for piece in inner) or not all(piece.math for piece in inner):
        return _marked([(piece.html, piece.mark) for piece in chunk], "span")
    before, after = ("".join(piece.html for piece in part) for part in (chunk[:first], chunk[last:]))
    formula = f"<math>{_row(inner)}</math>"
    return [f'<span class="held">{before}{formula}{after}</span>' if before or after else formula]


def _marked(parts: Sequence[tuple[str, int | None]], element: str) -> list[str]:
    """Parts of HTML, those that belong to one symbol within one element that says to which."""
    found = []
    for mark, group in groupby(parts, key=lambda part: part[1]):
        inside = "".join(part for part, _ in group)
        found.append(inside if mark is None else f'<{element} class="sym" data-symbol="{mark}">{inside}</{element}>')
    return found


def _row(row: Sequence[Piece]) -> str:
    """Pieces of a formula as one element, scripts put to what they stand behind."""
    found: list[str] = []
    marks: list[int | None] = []
    for place, piece in enumerate(row):
        if not piece.script or not found:
            found.append(_signed(row, place))
            marks.append(piece.mark)
        elif piece.script == "msup" and place > 1 and row[place - 1].script == "msub":
            found[-1] = f"<msubsup>{found[-1].removeprefix('<msub>').removesuffix('</msub>')}{piece.math}</msubsup>"
        else:
            found[-1] = f"<{piece.script}>{found[-1]}{piece.math}</{piece.script}>"
    whole = _marked(list(zip(found, marks, strict=True)), "mrow")
    return whole[0] if len(found) == 1 else f"<mrow>{''.join(whole)}</mrow>"


def _signed(row: Sequence[Piece], place: int) -> str:
    """A piece of a formula; a minus is a sign at the beginning and after a bracket or an operator."""
    piece = row[place]
    if piece.html == "−" and (place == 0 or row[place - 1].html in OPENING):
        return '<mo form="prefix">−</mo>'
    return piece.math


def pieces(text: str, script: bool = False, marks: Sequence[Mark] = ()) -> list[Piece]:
    """The text in parts, of which the typed ones are the text again. Within a `script` short words are variables."""
    found: list[Piece] = []
    brackets, place = angles(text), 0
    while place < len(text):
        piece = _piece(text, place, found[-1].typed if found else "", brackets, script, marks)
        mark = next((one.number for one in marks if one.start <= place < one.end), None)
        found.append(piece if mark is None else replace(piece, mark=mark))
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


def _piece(text: str, place: int, before: str, brackets: dict[int, str], script: bool, marks: Sequence[Mark]) -> Piece:
    """The part of the text that begins at a place, after the part that was typed `before`."""
    if place in brackets:
        return Piece(text[place], brackets[place], f"<mo {BARE}>{brackets[place]}</mo>")
    if text[place] in "_^" and before and (_carries(before) or (text[place] == "^" and before.isalpha())):
        inner = _script(text, place)
        if inner is not None:
            typed, content = inner
            tag = "sub" if text[place] == "_" else "sup"
            first = place + typed.index(content)
            inner_marks = [Mark(one.start - first, one.end - first, one.number) for one in marks if one.start >= first]
            parts = pieces(content, script=True, marks=inner_marks)
            inside = "".join(piece.html for piece in parts)
            row = _row([piece if piece.math else _as_text(piece) for piece in parts]).replace("<mo>", f"<mo {CLOSE}>")
            return Piece(typed, f"<{tag}>{inside}</{tag}>", row, tells=True, script=f"m{tag}")
    short = _SHORT.match(text, place)
    if short and not before[-1:].isalnum():
        return Piece(short[0], short[0])
    name = _NAME.match(text, place)
    if name and not before[-1:].isalnum() and name[0].split("_")[0] not in CARRIERS | set(GREEK) | set(BIG):
        return Piece(name[0], escape(name[0]))
    match = _NUMBER.match(text, place) or _PART.match(text, place)
    assert match is not None
    return _part(text, place, match[0], before, script)


def _part(text: str, place: int, part: str, before: str, script: bool) -> Piece:
    """A word, a number or a sign."""
    after = text[place + len(part) : place + len(part) + 1]
    if part in SIGNS:
        return Piece(part, SIGNS[part], f"<mo>{SIGNS[part]}</mo>")
    if part in BIG and after == "_":
        return Piece(part, BIG[part], f"<mo>{BIG[part]}</mo>", tells=True)
    if part == "infinity" and (script or re.search(r"(->|[-+=(])\s*$", text[:place])):
        return Piece(part, "∞", "<mn>∞</mn>")
    if part in GREEK:
        return Piece(part, GREEK[part], _letters(GREEK[part]), tells=True)
    if part[:1] == "d" and part[1:] in GREEK:
        return Piece(part, f"<i>d</i>{GREEK[part[1:]]}", _letters(f"d{GREEK[part[1:]]}"), tells=True)
    if len(part) == 2 and part[0] == "d" and part not in WORDS and "/" in (after, before[-1:]):
        return Piece(part, f"<i>{part}</i>", _letters(part), tells=True)  # du/dt
    if part == "xbar":
        return Piece(part, "<i>x̄</i>", '<mi mathvariant="normal">x̄</mi>', tells=True)
    if part == "'" and _is_variable(before):
        return Piece(part, "′", f'<mo form="postfix" {CLOSE}>′</mo>')
    if part == "-" and _is_minus(text, place, before, script):
        return Piece(part, "−", "<mo>−</mo>")
    if part == "s" and before == "'":
        return Piece(part, part)  # the model's
    if part.isalpha() and (_is_italic(part, after, script) or (part == "A" and before in ("<", "|"))):
        return Piece(part, f"<i>{part}</i>", _letters(part), tells=True)
    return Piece(part, escape(part), _plain(part, after))


def _plain(part: str, after: str) -> str:
    """What is shown as it was typed, in a formula: numbers, signs and the names of functions; nothing for words."""
    if part[0].isdigit():
        return f"<mn>{part}</mn>"
    if part.isalpha():
        return f"<mi>{part}</mi>" if part in CARRIERS or (after != "" and after in "(_") else ""
    if part in "()[]{}|":
        return f"<mo {BARE}>{part}</mo>"
    if part == "/":
        return f"<mo {CLOSE}>/</mo>"
    return f"<mo>{escape(part)}</mo>" if part in "+-=<>*,:;!" else ""


def _as_text(piece: Piece) -> Piece:
    """Words and spaces within a script."""
    return Piece(piece.typed, piece.html, f"<mtext>{escape(piece.typed).replace(' ', NO_BREAK)}</mtext>")


def _is_minus(text: str, place: int, before: str, script: bool) -> bool:
    """Whether a hyphen is a minus: in a script, or before what begins a term, but in no word as "2-cycle" or "k-th" are."""
    rest = text[place + 1 :]
    found = re.match(r"[A-Za-z]*", rest)
    assert found is not None
    word = found[0]
    is_term = rest[:1] != "" and (rest[0].isdigit() or rest[0] in "(|<{" or len(word) == 1 or word in CARRIERS | set(GREEK))
    if before.isalpha():
        return is_term and (script or len(before) == 1)
    if before[-1:].isdigit() and len(word) > 2:
        return is_term
    return script or is_term or (rest[:1] != "" and (rest[0].isalnum() or rest[0] == " "))


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
