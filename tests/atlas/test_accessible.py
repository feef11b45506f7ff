"""What a page owes to readers who do not see it, or use no mouse: read from its text, without a browser."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from claims.atlas.places import address
from claims.stating.catalogue import catalogue
from tests.atlas.links import Page
from tests.planting import one_in

NAMED = ("aria-label", "aria-labelledby", "title")


def faults(text):
    page = Page(text)
    found = []
    if page.all("html")[0].given.get("lang") != "en":
        found.append("no language")
    if not page.all("title")[0].text.strip():
        found.append("no title")
    found += [f"{len(page.all(tag))} landmarks {tag}" for tag in ("main", "header", "footer") if len(page.all(tag)) != 1]
    links = page.all("a")
    if links[0].given.get("href") != "#content" or page.all("main")[0].given.get("id") != "content":
        found.append("the first link does not skip to the content")
    levels = [int(one.tag[1]) for one in page.elements if re.fullmatch("h[1-6]", one.tag)]
    if levels[:1] != [1] or levels.count(1) != 1:
        found.append("not one first heading")
    found += [f"a heading of level {b} after {a}" for a, b in pairwise(levels) if b > a + 1]
    found += [f"{one.tag} without a name" for one in page.all("nav", "form") if not named(one, own_text=False)]
    found += [f"{one.tag} without a name: {one.given}" for one in page.all("a", "button", "summary") if not named(one)]
    fields = [one for one in page.all("input", "select", "textarea") if not one.is_within("label")]
    found += [f"{one.tag} without a label: {one.given}" for one in fields if not named(one, own_text=False)]
    for one in page.all("svg"):
        if one.given.get("role") == "img" and not named(one, own_text=False):
            found.append("a picture without a name")
        if "role" not in one.given and "aria-hidden" not in one.given:
            found.append("a picture of no role")
    for one in page.elements:
        given = one.given
        if given.get("tabindex", "0") not in ("0", "-1"):
            found.append(f"an order of its own for the tab key: {given}")
        if given.get("role") in ("region", "application", "search") and not named(one, own_text=False):
            found.append(f"{given['role']} without a name")
        if one.tag == "th" and "scope" not in given:
            found.append(f"a head of a table for nothing: {one.text}")
        if "scroll" in given.get("class", "").split() and given.get("tabindex") != "0":
            found.append("what scrolls cannot be reached by the keyboard")
    return found


def named(element, own_text=True):
    """Whether an element has a name that is read out."""
    given = element.given
    return any(given.get(name, "").strip() for name in NAMED) or (own_text and element.text.strip() != "")


def test_every_page_keeps_the_rules(whole):
    of_claims = {address(claim) for claim in catalogue().values()}
    others = [name for name in whole if name.endswith(".html") and name not in of_claims]
    assert len(others) > 40
    of_theorems = [name for name in others if name.count("/") == 2]
    # Pages of one template have the same faults; those that are one of a kind are all read.
    alike = {*of_claims, *of_theorems}
    chosen = [*(name for name in others if name not in alike), *one_in(24, of_theorems), *one_in(48, sorted(of_claims))]
    told = {name: faults(whole[name]) for name in chosen}
    assert {name: found[:3] for name, found in told.items() if found} == {}


def test_pages_with_pictures_keep_the_rules(small):
    texts = {path.name: path.read_text(encoding="utf-8") for path in small.rglob("*.html")}
    assert sum(text.count("<svg") for text in texts.values()) > 20
    assert {name: found[:3] for name, text in texts.items() if (found := faults(text))} == {}


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ('<html lang="en">', "<html>", "no language"),
        ('<a class="skip" href="#content">', '<a class="skip" href="#other">', "does not skip"),
        ("<h2>", "<h4>", "a heading of level 4 after 1"),
        ('<nav aria-label="Site">', "<nav>", "nav without a name"),
        ('<main id="content">', '<main id="content"><main>', "2 landmarks main"),
        ("</main>", '<button type="button"></button></main>', "button without a name"),
        ("</main>", '<input type="text"></main>', "input without a label"),
        ("</main>", '<svg role="img"></svg></main>', "a picture without a name"),
        ("</main>", '<p tabindex="3">x</p></main>', "an order of its own"),
        ("</main>", "<table><tr><th>x</th></tr></table></main>", "a head of a table"),
    ],
)
def test_a_fault_is_noticed(whole, right, wrong, fault):
    text = whole["polarization/score_gaps_grow.html"]
    assert right in text
    assert any(fault in told for told in faults(text.replace(right, wrong, 1)))


# ---------------------------------------------------------------------------------------------------------------------
# Colours


def palettes(style):
    found = []
    for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL):
        found.append((found[0] if found else {}) | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", block)))
    return found


def luminance(color):
    """The relative luminance of WCAG 2."""
    digits = color[1:] if len(color) == 7 else "".join(2 * one for one in color[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_can_be_told_from_its_ground_in_every_scheme(whole):
    schemes = palettes(whole["assets/atlas.css"])
    # Light, dark, and print.
    assert len(schemes) == 3
    for colors in schemes:
        for name in ("text", "quiet", "link", "true", "false", "open", "empirical", "notyet"):
            for ground in ("page", "panel"):
                assert contrast(colors[name], colors[ground]) >= 4.5, (name, ground, colors[name], colors[ground])
        for name in (one for one in colors if re.fullmatch(r"[ct]\d", one)):  # lines and marks of pictures
            assert contrast(colors[name], colors["page"]) >= 3, (name, colors[name])
    # By definition: the measure itself is right.
    assert contrast("#000", "#fff") == pytest.approx(21)


def test_what_has_the_focus_is_seen(whole):
    style = whole["assets/atlas.css"]
    seen = re.search(r"([^}]*)\{\s*outline: 2px solid", style)[1]
    assert {f"{one}:focus-visible" for one in ("a", "button", "select", "input", "[tabindex]", "summary")} <= {
        one.strip() for one in seen.split(",")
    }
    assert not re.search(r"outline: *(0|none)", style)
