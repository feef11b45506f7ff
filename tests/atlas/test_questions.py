"""The six questions of an author: answered from the front page in two steps, narrow and wide, and by one command."""

from __future__ import annotations

import pytest

from tests.atlas.test_browser import ARGUMENTS, CHROMIUM
from tests.calling import run
from tests.planting import one_in

sync = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install '.[browser]'")

NAME = "frank_wolfe.escape_takes_exponentially_long"
QUESTIONS = (
    ("What is wrong with Theorem 5.4?", "#found .wrong", "One pick moves a token by up to", None),
    ("Which of my theorems were checked?", "#answer a[href*=frank_wolfe]", "Theorem 5.4", "#coverage"),
    ("A picture of Theorem 5.4", "#found a", "Drawn from", "#pictures"),
    ("Text for an erratum on Theorem 5.4", "#found a", "does not survive|Survives|What is wrong", "#B3"),
    ("How can I check Theorem 5.4 by hand?", "#found a", "Take", "#by-hand"),
    ("What is proved for all inputs?", "#found a", "proved for all", "#conclusions"),
)
COMMANDS = (
    (["show", "What is wrong with Theorem 5.4?"], "what is wrong: One pick moves a token"),
    (["list", "--coverage", "frank_wolfe"], "Theorem 5.4"),
    (["plot", "a picture of Theorem 5.4", "--out", "{folder}/picture.svg"], "The chance to escape, against its bound"),
    (["errata", "frank_wolfe", "Theorem 5.4"], "*What is wrong.* One pick moves"),
    (["show", NAME], "check it by hand: 1. Take d = 1, v = +-2, so D(K) = 4"),
    (["list", "--proved", "frank_wolfe"], "PROVED for all"),
)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: install one, or set CHROMIUM to its path")
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_the_front_page_leads_to_the_answer(small, width, scheme):
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme).new_page()
        for question, answer, told, part in QUESTIONS if width < 400 else one_in(3, QUESTIONS):
            page.goto(f"{small.as_uri()}/index.html")
            page.fill("#search", question)
            found = page.locator(answer).first
            assert found.is_visible(), question
            if part is not None:
                found.click()
                found = page.locator(part).first
                found.wait_for(state="visible")  # the page is another one, and may still be loading
            text = " ".join(found.inner_text().split())
            assert any(word in text for word in told.split("|")), (question, text[:300])
        page.emulate_media(media="print")
        page.goto(f"{small.as_uri()}/frank_wolfe/theorem-5.4/index.html")
        assert len(page.pdf()) > 10_000
        browser.close()


@pytest.mark.parametrize(
    ("command", "told"), COMMANDS, ids=lambda part: " ".join(part[:2]) if isinstance(part, list) else ""
)
def test_one_command_answers(command, told, tmp_path):
    said = run(*(word.format(folder=tmp_path) for word in command)).stdout
    assert told in " ".join(said.split())
