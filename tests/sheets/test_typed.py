"""Lines to be checked by hand are typed at a terminal as statements are: nothing of TeX is left, and nothing is lost."""

from __future__ import annotations

import re

import pytest

from claims.atlas.sheets.sheet import lines_of
from claims.atlas.sheets.typed import typed
from claims.stating.catalogue import catalogue
from claims.stating.defects import Defect

CLAIMS = [claim for claim in catalogue().values() if claim.hand]


def prose_of(claim):
    """All prose of a claim that `claims show` prints."""
    yield from lines_of(claim)
    yield claim.hand.beside
    if isinstance(claim.defect, Defect):
        yield from (one.where for one in claim.defect.consequences)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_no_tex_is_left_and_no_number_is_lost(claim):
    for prose in prose_of(claim):
        told = typed(prose)
        assert not re.search(r"[\\$&]", told), told
        # "\\tfrac12" is two numbers in TeX, which a reader of the text is to see as two.
        assert re.findall(r"\d+", told) == re.findall(r"\d+", re.sub(r"(?<=frac)(\d)(\d)", r"\1 \2", prose))


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        (r"Take $\gamma \le \tfrac{1}{32}$.", "Take gamma <= 1/32."),
        (r"$|x|^2 = 2 < 3 = \langle x, y \rangle$", "|x|^2 = 2 < 3 = <x, y>"),
        (r"$\dot x_1 = -\frac{a + b}{2} \dots$", "x_1' = -(a + b)/2 ..."),
        (r"$T_1 = \lfloor \log(\tau / m) \rfloor$", "T_1 = floor(log(tau / m))"),
        (r"$V = \begin{pmatrix} 1 & 0 \\ 0 & \tfrac12 \end{pmatrix}$", "V = ((1, 0), (0, 1/2))"),
        (r"$v = \pm 2$, $\sqrt 2 \in \mathbb R$", "v = +-2, sqrt(2) in R"),
        (r"$e^{-2 \beta}$ and $x^{t}$", "e^{-2 beta} and x^t"),
        (r"$\mathcal K = \{0, 1\}$", "K = {0, 1}"),
    ],
)
def test_formulas_are_typed_as_in_statements(prose, told):
    assert typed(prose) == told


def test_a_lone_dollar_sign_is_an_error():
    with pytest.raises(ValueError, match="left alone"):
        typed("costs $5")
