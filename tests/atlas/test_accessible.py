"""axe-core finds no serious fault on pages of every kind, narrow and wide, light and dark."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.atlas.test_browser import ARGUMENTS, CHROMIUM

sync = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install '.[browser]'")

ROOT = Path(__file__).parents[2]
AXE = Path(os.environ.get("AXE") or ROOT / "node_modules" / "axe-core" / "axe.min.js")

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: install one, or set CHROMIUM to its path"),
    pytest.mark.skipif(not AXE.is_file(), reason="no axe-core: npm install --no-save axe-core, or set AXE to axe.min.js"),
]

PAGES = (
    "index.html",
    "index.html#search=theorem",
    "reliability.html",
    "polarization/index.html",
    "polarization/theorem-3.2/index.html",
    "polarization/score_gaps_grow.html",
    "polarization/one_token_flips_the_label.html",
    "localmax/every_token_converges.html",
)


def serious(page):
    """The serious and critical faults of a page: the rule, and the first place of each."""
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        (one["id"], len(one["nodes"]), one["nodes"][0]["html"][:160], one["nodes"][0]["any"][:1])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_has_a_serious_fault(small, scheme, width):
    faults = {}
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
        page = context.new_page()
        for name in PAGES:
            page.goto(f"{small.as_uri()}/{name}")
            if found := serious(page):
                faults[name] = found
        # A check that finds nothing anywhere is none.
        page.goto("data:text/html,<html><body><img src='data:,'><p style='color:%23eee'>pale</p></body></html>")
        assert {name for name, *_ in serious(page)} >= {"image-alt", "color-contrast"}
        browser.close()
    assert faults == {}
