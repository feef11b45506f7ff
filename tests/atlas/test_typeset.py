"""Statements are typeset without loss: what is shown differs from what is typed in signs and scripts alone."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.atlas.typeset import BIG, GREEK, SIGNS, angles, pieces, typeset
from claims.stating.catalogue import catalogue
from tests.planting import LONG, one_in

TAG = r"</?(?:i|sub|sup|span|math|mrow|mi|mn|mo|mtext|msub|msup|msubsup)(?: [a-z]+=\"[a-z0-9]+\")*>"
"""All the markup that typesetting writes."""

SHARE = 1 if LONG else 4  # one in so many texts is looked at; the pages of all of them are made in every run


def every_text():
    for claim in catalogue().values():
        yield from (claim.statement, claim.note)
        yield from (assumption.statement for assumption in claim.assumptions)
        yield from (conclusion.meaning for conclusion in claim.conclusions)


def untypeset(html):
    """What was typed, as far as signs go: scripts without braces, Greek in letters."""
    # The pattern is of what may be written: other markup would be left over and seen.
    text = re.sub(TAG, "", html).replace("\u00a0", " ")
    # Two words have one letter: `eps` and `epsilon`.
    back = {sign: word for word, sign in (GREEK | SIGNS | BIG).items() if word != "eps"}
    back |= {"−": "-", "⟨": "<", "⟩": ">", "′": "'", "∞": "infinity", "x̄": "xbar"}
    for sign, word in back.items():
        text = text.replace(sign, word)
    return unescape(text)


def flat(text):
    """What was typed without the marks of scripts."""
    return re.sub(r"[_^{}]", "", text).replace("eps", "epsilon").replace("epsilonilon", "epsilon")


def test_no_character_of_the_suite_is_lost_or_changed():
    count = formulas = 0
    for text in one_in(SHARE, every_text()):
        html = typeset(text)
        assert "".join(piece.typed for piece in pieces(text)) == text
        assert flat(untypeset(html)) == flat(text)
        assert_well_formed(html)
        count += "<msub" in html
        formulas += html.count("<math>")
    assert count > 500 // SHARE, "the check of scripts would say nothing"
    assert formulas > 5000 // SHARE


class Nested(HTMLParser):
    """How many elements stand in each element, and what was never closed, or closed by another."""

    def __init__(self, text):
        super().__init__()
        self.open, self.closed = [], []
        self.feed(text)

    def handle_starttag(self, tag, _attributes):
        if self.open:
            self.open[-1][1] += 1
        self.open.append([tag, 0])

    def handle_endtag(self, tag):
        assert self.open[-1][0] == tag
        self.closed.append(tuple(self.open.pop()))


def formula(inside):
    return f"<math>{inside}</math>"


def mi(letters):
    return "".join(f'<mi mathvariant="normal">{letter}</mi>' for letter in letters)


def bare(sign):
    return f'<mo stretchy="false" lspace="0" rspace="0">{sign}</mo>'


AX = f'<span class="held">{formula(mi("x"))},</span> {formula(f"<mrow>{mi(chr(121))}{bare(chr(0x27E9))}</mrow>")} of A'
CLOSE = 'lspace="0" rspace="0"'
IJ = f"<mrow>{mi('ij')}</mrow>"
MINUS_B = f'<mo form="prefix">−</mo>{mi("b")}'


@given(st.text(alphabet="xyBa<>=_^{}()|, -'*+/.12&\"\u03b1") | st.text())
def test_no_text_is_lost_none_is_markup_and_formulas_are_well_formed(text):
    found = pieces(text)
    assert "".join(piece.typed for piece in found) == text
    html = "".join(piece.html for piece in found)
    # Of the pieces that are text; formulas are looked at below, as a whole.
    assert not re.search(r"<(?!/?(i|sub|sup)>)", html)
    assert re.sub(r"&(amp|lt|gt|quot|#x27);", "", html).count("&") == 0
    for tag in ("i", "sub", "sup"):
        assert html.count(f"<{tag}>") == html.count(f"</{tag}>")
    assert_well_formed(typeset(text))


def assert_well_formed(html):
    """Every element is closed by itself, and scripts have a base and themselves."""
    assert "<" not in re.sub(TAG, "", html)
    read = Nested(html)
    assert read.open == []
    for element, parts in (("msub", 2), ("msup", 2), ("msubsup", 3), ("math", 1)):
        assert all(count == parts for name, count in read.closed if name == element), html


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("x_i^{k+1}", formula(f"<msubsup>{mi('x')}{mi('i')}<mrow>{mi('k')}<mo {CLOSE}>+</mo><mn>1</mn></mrow></msubsup>")),
        ("x^k_i", formula(f"<msub><msup>{mi('x')}{mi('k')}</msup>{mi('i')}</msub>")),
        (
            "<x_i, B x_j> >= 0",
            '<span class="held">'
            + formula(f"<mrow>{bare('⟨')}<msub>{mi('x')}{mi('i')}</msub></mrow>")
            + f",</span> {formula(mi('B'))} "
            + formula(f"<mrow><msub>{mi('x')}{mi('j')}</msub>{bare('⟩')}</mrow>")
            + " ≥ 0",
        ),
        ("0 < t < T", f"0 &lt; {formula(mi('t'))} &lt; {formula(mi('T'))}"),
        ("a<b, c>d", f"a&lt;<i>b</i>, {formula(f'<mrow>{mi(chr(99))}<mo>&gt;</mo>{mi(chr(100))}</mrow>')}"),
        ("sum_j P_ij", f"{formula(f'<msub><mo>∑</mo>{mi(chr(106))}</msub>')} {formula(f'<msub>{mi(chr(80))}{IJ}</msub>')}"),
        ("lambda_max", formula(f"<msub>{mi('λ')}<mi>max</mi></msub>")),
        ("the key_query matrix of my_claim.py", "the key_query matrix of my_claim.py"),
        ("v_sigma(i)", "<i>v</i>_σ(<i>i</i>)"),
        ("x_{i", "<i>x</i>_{<i>i</i>"),
        ("t -> +infinity", f"{formula(mi('t'))} → +∞"),
        ("tends to minus infinity", "tends to minus infinity"),
        ("a token", "a token"),
        ("for a.e. start", "for a.e. start"),
        ("a 2-cycle at -1/2", "a 2-cycle at −1/2"),
        (
            "(1-g)^t.",
            '<span class="held">'
            + formula(f"<mrow>{bare('(')}<mn>1</mn><mo>−</mo>{mi('g')}<msup>{bare(')')}{mi('t')}</msup></mrow>")
            + ".</span>",
        ),
        ("the k-th x-axis", "the <i>k</i>-th <i>x</i>-axis"),
        ("dx/dt", formula(f"<mrow><mrow>{mi('dx')}</mrow><mo {CLOSE}>/</mo><mrow>{mi('dt')}</mrow></mrow>")),
        ("<A x, y> of A", f"{formula(f'<mrow>{bare(chr(0x27E8))}{mi(chr(65))}</mrow>')} {AX}"),
        ("the model's u", f"the model&#x27;s {formula(mi('u'))}"),
        ("x-p", formula(f"<mrow>{mi('x')}<mo>−</mo>{mi('p')}</mrow>")),
        ("-x", formula(f'<mrow><mo form="prefix">−</mo>{mi("x")}</mrow>')),
        ("e^{-b cost}", formula(f"<msup>{mi('e')}<mrow>{MINUS_B}<mtext>\u00a0</mtext><mtext>cost</mtext></mrow></msup>")),
    ],
)
def test_notation_is_shown_as_it_is_meant_and_doubtful_notation_as_it_is_typed(typed, shown):
    assert typeset(typed) == shown


def test_brackets_are_told_from_comparisons():
    assert set(angles("<x, y> < 1").values()) == {"⟨", "⟩"}
    assert angles("<x, y> < 1").keys() == {0, 5}
    assert angles("<x> and <x, y, z>") == {}
    assert angles("p > z > 0 and 0 < g, h > 1") == {}
