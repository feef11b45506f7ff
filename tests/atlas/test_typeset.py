"""Statements are typeset without loss: what is shown differs from what is typed in signs and scripts alone."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.atlas.typeset import BIG, GREEK, SIGNS, angles, pieces, typeset
from claims.catalogue import catalogue


def every_text():
    """All words of the suite that a page typesets."""
    for claim in catalogue().values():
        yield from (claim.statement, claim.note)
        yield from (assumption.statement for assumption in claim.assumptions)
        yield from (conclusion.meaning for conclusion in claim.conclusions)


def untypeset(html):
    """What was typed, as far as signs go: scripts without braces, Greek in letters."""
    text = re.sub(r"</?(i|sub|sup)>", "", html)
    back = {sign: word for word, sign in (GREEK | SIGNS | BIG).items() if word != "eps"}
    back |= {"−": "-", "⟨": "<", "⟩": ">", "′": "'", "∞": "infinity", "x̄": "xbar"}
    for sign, word in back.items():
        text = text.replace(sign, word)
    return unescape(text)


def flat(text):
    """What was typed without the marks of scripts."""
    return re.sub(r"[_^{}]", "", text).replace("eps", "epsilon").replace("epsilonilon", "epsilon")


def test_no_character_of_the_suite_is_lost_or_changed():
    count = 0
    for text in every_text():
        assert "".join(piece.typed for piece in pieces(text)) == text
        assert flat(untypeset(typeset(text))) == flat(text)
        count += "<sub>" in typeset(text)
    assert count > 500, "the check of scripts would say nothing"


@given(st.text(alphabet="xyBa<>=_^{}()|, -'*+/.12&\"\u03b1") | st.text())
def test_no_text_is_lost_and_none_is_markup(text):
    found = pieces(text)
    assert "".join(piece.typed for piece in found) == text
    html = "".join(piece.html for piece in found)
    assert not re.search(r"<(?!/?(i|sub|sup)>)", html)
    assert re.sub(r"&(amp|lt|gt|quot|#x27);", "", html).count("&") == 0
    for tag in ("i", "sub", "sup"):
        assert html.count(f"<{tag}>") == html.count(f"</{tag}>")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("x_i^{k+1}", "<i>x</i><sub><i>i</i></sub><sup><i>k</i>+1</sup>"),
        ("<x_i, B x_j> >= 0", "⟨<i>x</i><sub><i>i</i></sub>, <i>B</i> <i>x</i><sub><i>j</i></sub>⟩ ≥ 0"),
        ("0 < t < T", "0 &lt; <i>t</i> &lt; <i>T</i>"),
        ("a<b, c>d", "a&lt;<i>b</i>, <i>c</i>&gt;<i>d</i>"),
        ("sum_j P_ij", "∑<sub><i>j</i></sub> <i>P</i><sub><i>ij</i></sub>"),
        ("lambda_max", "λ<sub>max</sub>"),
        ("the key_query matrix of my_claim.py", "the key_query matrix of my_claim.py"),
        ("e^-2t", "<i>e</i>^−2<i>t</i>"),
        ("v_sigma(i)", "<i>v</i>_σ(<i>i</i>)"),
        ("x_{i", "<i>x</i>_{<i>i</i>"),
        ("t -> +infinity", "<i>t</i> → +∞"),
        ("tends to minus infinity", "tends to minus infinity"),
        ("a token", "a token"),
    ],
)
def test_notation_is_shown_as_it_is_meant_and_doubtful_notation_as_it_is_typed(typed, shown):
    assert typeset(typed) == shown


def test_brackets_are_told_from_comparisons():
    assert set(angles("<x, y> < 1").values()) == {"⟨", "⟩"}
    assert angles("<x, y> < 1").keys() == {0, 5}
    assert angles("<x> and <x, y, z>") == {}
    assert angles("p > z > 0 and 0 < g, h > 1") == {}
