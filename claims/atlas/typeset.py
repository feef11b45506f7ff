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
from itertools import groupby, takewhile

from claims.stating.notation import Mark
from claims.stating.plain_text import visible

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

SIGNS = {"<=>": "⇔", "+-": "±", "->": "→", "=>": "⇒", "<=": "≤", ">=": "≥", "!=": "≠", "...": "…"}

BIG = {"sum": "∑", "prod": "∏", "int": "∫"}  # signs only before a script: "the sum of" and "an int" are words

# Words, beside single letters and Greek ones, that a script may follow: after any other "_" is a part of a name.
CARRIERS = {"max", "min", "lim", "limsup", "liminf", "sup", "inf", "log", "argmax", "argmin", "dist", "conv", "gap", "xbar"}

SYMBOLS = CARRIERS | {*GREEK, *BIG}

SOLE = "aAI"  # letters that are words as well: italic only where a script, a prime or a bracket follows

# Short words; other pairs of letters that begin with a capital, Bx and QK, are products.
WORDS = {"If", "In", "As", "At", "An", "On", "To", "Is", "It", "No", "So", "By", "Of", "Or", "We", "Do", "Be", "SA"}
WORDS |= {word.lower() for word in WORDS}

# The longest signs first, or "<=>" would be read as "<=" and ">".
_PART = re.compile(r"<=>|\+-|->|=>|<=|>=|!=|\.\.\.|[A-Za-z]+|[0-9]+|\s+|.", re.DOTALL)
_SHORT = re.compile(r"a\.e\.|i\.e\.|e\.g\.")
_NUMBER = re.compile(r"[0-9]+\.[0-9]+")
_NAME = re.compile(r"[A-Za-z]{2,}(?:_[A-Za-z]{2,})+|[A-Za-z]+(?:_[A-Za-z0-9]+){2,}|[\w.]+\.(?:py|json|md)\b")
_LOW = re.compile(r"[A-Za-z0-9]+|[*+](?![A-Za-z0-9])")
_HIGH = re.compile(r"-?(?:[0-9]+|[A-Za-z]+)(?![A-Za-z0-9])|\*")

OPENING = "([{⟨|/+−=≤≥<>,→"  # after one of these a minus is a sign, not a difference
PUNCTUATION = {".", ",", ";", ":", "!", "?", '"'}  # beside a formula, not in it: a reader would hear "x comma"
NO_BREAK = "\u00a0"

CLOSE = 'lspace="0" rspace="0"'  # of signs in scripts: browsers would put the room of a full-sized formula around them
BARE = f'stretchy="false" {CLOSE}'  # of brackets and bars: else they grow as high as what stands between them


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
    # Upright to MathML, italic by the style sheet: MathML's own italics are other characters, which its text fonts lack.
    found = "".join(f'<mi mathvariant="normal">{letter}</mi>' for letter in letters)
    return found if len(letters) == 1 else f"<mrow>{found}</mrow>"


def escaped(text: str) -> str:
    """Text as HTML or SVG, as it is: it can be no markup, and hides nothing."""
    return escape(visible(text))


def typeset(text: str, marks: Sequence[Mark] = ()) -> str:
    """The text as HTML with formulas as MathML; every character that means something to HTML is escaped.

    Symbols at `marks` are elements of the class `sym`, whose `data-symbol` is the number of the symbol.
    """
    shown = list[str]()
    for is_space, group in groupby(pieces(text, marks=marks), key=lambda piece: piece.typed.isspace()):
        chunk = list(group)
        first, last = 0, len(chunk)
        while first < last and chunk[first].typed in PUNCTUATION:
            first += 1
        while first < last and chunk[last - 1].typed in PUNCTUATION:
            last -= 1
        inner = chunk[first:last]
        if is_space:
            shown += [piece.html for piece in chunk]
        elif any(piece.tells for piece in inner) and all(piece.math for piece in inner):
            before, after = ("".join(piece.html for piece in part) for part in (chunk[:first], chunk[last:]))
            formula = f"<math>{_row(inner)}</math>"
            # Held together: a line must not begin with the full stop after a formula.
            shown.append(f'<span class="held">{before}{formula}{after}</span>' if before or after else formula)
        else:
            shown += _marked([(piece.html, piece.mark) for piece in chunk], "span")
    return "".join(shown)


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
            # A minus is a sign at the beginning and after a bracket or an operator: else there is room on both its sides.
            is_sign = piece.html == "−" and (place == 0 or row[place - 1].html in OPENING)
            found.append('<mo form="prefix">−</mo>' if is_sign else piece.math)
            marks.append(piece.mark)
        elif piece.script == "msup" and place > 1 and row[place - 1].script == "msub":
            found[-1] = f"<msubsup>{found[-1].removeprefix('<msub>').removesuffix('</msub>')}{piece.math}</msubsup>"
        else:
            found[-1] = f"<{piece.script}>{found[-1]}{piece.math}</{piece.script}>"
    whole = _marked(list(zip(found, marks, strict=True)), "mrow")
    # A script takes exactly one element as its base, and one as itself.
    return whole[0] if len(found) == 1 else f"<mrow>{''.join(whole)}</mrow>"


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

    A bracket opens where a word could begin, has no space inside its ends and one comma at its own depth.
    """
    found: dict[int, str] = {}
    for start, opening in enumerate(text):
        if (
            opening != "<"
            or not text[start + 1 : start + 2].strip(" =<>-,")
            or (start and text[start - 1] not in " (|[{-+/")
        ):
            continue
        depth, commas = 0, 0
        for place in range(start + 1, len(text)):
            sign = text[place]
            depth += (sign in "([{") - (sign in ")]}")
            commas += sign == "," and depth == 0
            # A second "<", an arrow or a comparison: then the first "<" is one, too, as in "0 < g, h > 1".
            if depth < 0 or sign == "<" or (sign == ">" and text[place - 1] in " -="):
                break
            if sign == ">" and depth == 0:
                if commas == 1 and text[place + 1 : place + 2] != "=":
                    found |= {start: "⟨", place: "⟩"}
                break
    return found


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
    # Names of claims and files are left as they are: key_query is no key with an index, but lambda_max is.
    name = _NAME.match(text, place)
    if name and not before[-1:].isalnum() and name[0].split("_")[0] not in SYMBOLS:
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
    # "tends to minus infinity" is a word; after an arrow or a sign it is the symbol.
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
    if part == "'" and (
        before in GREEK or before[:1] in "_^" or (len(before) == 1 and (before.isalpha() or before in ")'"))
    ):
        return Piece(part, "′", f'<mo form="postfix" {CLOSE}>′</mo>')
    if part == "-" and _is_minus(text, place, before, script):
        return Piece(part, "−", "<mo>−</mo>")
    if part == "s" and before == "'":
        return Piece(part, part)  # the model's
    if len(part) == 1:
        is_italic = (
            part not in SOLE or script or (after != "" and after in "_^'(") or (part == "A" and before in ("<", "|"))
        )
    else:
        is_italic = len(part) == 2 and part not in WORDS and (script or part[0].isupper())
    if part.isalpha() and is_italic:
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
    word = "".join(takewhile(lambda letter: letter.isascii() and letter.isalpha(), rest))
    is_term = rest[:1] != "" and (rest[0].isdigit() or rest[0] in "(|<{" or len(word) == 1 or word in CARRIERS | set(GREEK))
    if before.isalpha():
        return is_term and (script or len(before) == 1)
    if before[-1:].isdigit() and len(word) > 2:
        return is_term
    return script or is_term or (rest[:1] != "" and (rest[0].isalnum() or rest[0] == " "))


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
