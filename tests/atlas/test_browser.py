"""The small atlas in a real browser, from disk: filters, search, stepping, turning, no error, no request to anywhere."""

from __future__ import annotations

import os
import shutil
from itertools import product
from pathlib import Path

import pytest

from tests.planting import LONG, one_in

sync = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install '.[browser]'")

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: install one, or set CHROMIUM to its path")

# One page of every kind.
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

AXE = Path(os.environ.get("AXE") or Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser():
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def blank(browser):
    """Gives an empty page, in a window as asked for. It is the same one each time: a new one takes a process of its own."""
    # By what cannot be changed of a page once it is there: touch, or no scripts.
    kept = {}

    def empty_page(width, height, color_scheme, **options):
        kind = repr(sorted(options.items()))
        if kind not in kept:
            kept[kind] = browser.new_context(**options).new_page()
        page = kept[kind]
        page.goto("about:blank")
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="screen", color_scheme=color_scheme)
        page.mouse.move(0, 0)
        return page

    return empty_page


@pytest.fixture
def visit(blank, small):
    """Opens a page of the atlas; at the end nothing was said on the console, and nothing was asked of elsewhere."""
    listening, said, asked = [], [], []

    def open_page(name, width=1280, height=900, color_scheme="light", **options):
        page = blank(width, height, color_scheme, **options)
        for event, told in (
            ("console", lambda message: said.append(message.text)),
            ("pageerror", lambda error: said.append(str(error))),
            ("request", lambda request: asked.append(request.url)),
        ):
            page.on(event, told)
            # The page is used again by the next test, which must not hear for this one.
            listening.append((page, event, told))
        page.goto(f"{small.as_uri()}/{name}")
        return page

    yield open_page
    for page, event, told in listening:
        page.remove_listener(event, told)
    assert said == []
    assert asked
    assert [url for url in asked if not url.startswith((f"{small.as_uri()}/", "data:,"))] == []


def shown(page):
    return page.eval_on_selector_all(
        "ul.claims li", "rows => rows.filter(row => row.offsetParent !== null).map(row => row.id)"
    )


def standings(page):
    """Of the statements that are found, in their order, standing and origin."""
    return page.eval_on_selector_all(
        "#found li", "rows => rows.map(row => [SEARCH[row.id].standing, SEARCH[row.id].origin])"
    )


def test_search_and_filters_show_what_fits_and_say_how_many(visit):
    page = visit("index.html")
    everything = shown(page)
    assert len(everything) == 13
    page.fill("#search", "Theorem 5.4")
    assert shown(page) == ["frank_wolfe.escape_takes_exponentially_long"]
    assert page.inner_text("#count") == "1 of 13 statements"
    page.fill("#search", "2-cycle")
    assert shown(page) == ["localmax.every_token_converges"]
    page.fill("#search", "oscillate pull")  # words of its explanation alone
    assert shown(page) == ["localmax.every_token_converges"]
    page.fill("#search", "no such words")
    assert shown(page) == []
    page.click("#again")
    page.wait_for_function("document.getElementById('nothing').hidden")
    assert shown(page) == everything
    page.click("summary:has-text('filters')")
    page.select_option("[data-filter=paper]", "polarization")
    page.select_option("[data-filter=standing]", "false as printed")
    assert shown(page) == ["polarization.score_gaps_grow"]
    page.select_option("[data-filter=standing]", "empirical")
    assert shown(page) == ["polarization.one_token_flips_the_label"]
    page.click("button[type=reset]")
    page.wait_for_function("document.getElementById('found').hidden")
    page.select_option("[data-filter=form]", "orbit")
    assert "localmax.every_token_converges" in shown(page)
    assert "polarization.score_gaps_grow" not in shown(page)


def test_a_question_is_understood_as_it_is_typed_and_kept_in_the_address(visit):
    page = visit("index.html")
    for question in (
        "What is wrong with Theorem 5.4?",
        "a counterexample to theorem 5.4",
        "is theorem 5.4 of frank_wolfe false",
        "5.4",
    ):
        page.fill("#search", "no such words")
        assert shown(page) == []
        page.fill("#search", question)
        assert shown(page) == ["frank_wolfe.escape_takes_exponentially_long"], question
    # Which asks for no part of the page: it leads to its beginning.
    assert page.locator("#found a").first.get_attribute("href").endswith("escape_takes_exponentially_long.html")
    address = page.evaluate("location.href")
    page.fill("#search", "what is proved for all inputs of 5.4")
    assert shown(page) == []  # of this statement nothing is proved
    page = visit(f"index.html{address[address.index('#') :]}")
    assert shown(page) == ["frank_wolfe.escape_takes_exponentially_long"]


def test_false_statements_come_first_and_the_papers_own_words_before_ours(visit):
    page = visit("index.html")
    everything = shown(page)
    page.fill("#search", "token")
    told = standings(page)
    places = ["printed", "reported", "carried over", "ours"]
    assert told == sorted(told, key=lambda row: (not row[0].startswith("false"), places.index(row[1])))
    assert len({row[0] for row in told}) > 1
    page.fill("#search", "what is false?")
    assert {standing.split()[0] for standing, _ in standings(page)} == {"false"}
    page.fill("#search", "")
    assert shown(page) == everything


def test_an_orbit_is_stepped_with_buttons(visit):
    page = visit("localmax/every_token_converges.html")
    figure = page.locator("figure.picture[data-frames]:has(.stepper)").first
    captions = figure.locator(".captions li").all_text_contents()
    on, back = figure.locator("[data-step='1']"), figure.locator("[data-step='-1']")
    frames = figure.locator("svg .frame")

    def visible():
        seen = frames.evaluate_all("frames => frames.map(frame => getComputedStyle(frame).display !== 'none')")
        return [k for k, one in enumerate(seen) if one]

    assert visible() == [0]
    assert back.is_disabled()
    for k in range(1, len(captions)):
        on.click()
        assert visible() == [k]
        assert figure.locator(".stepper .frame-caption").inner_text() == captions[k]
    assert on.is_disabled()
    assert captions[-1].startswith("The limit along steps")
    back.click()
    assert visible() == [len(captions) - 2]
    slider = figure.locator("input[type=range]")
    assert slider.input_value() == str(len(captions) - 2)
    slider.fill("3")
    assert visible() == [3]
    assert figure.locator("svg .ground").is_visible(), "the whole way is always seen"


def test_a_scene_in_space_is_turned_by_keys_and_by_dragging(visit):
    page = visit("frank_wolfe/cells_are_voronoi_cells.html")
    canvas = page.locator(".canvas[role=application]").first

    def places():
        return (
            canvas.locator("svg .frame")
            .first.locator("circle.token")
            .evaluate_all("dots => dots.map(dot => dot.getAttribute('cx'))")
        )

    before = places()
    canvas.focus()
    page.keyboard.press("ArrowRight")
    turned = places()
    assert turned != before
    page.keyboard.press("ArrowLeft")
    # No picture may turn by more or less than a key does, in either direction.
    assert places() == before, "there and back: the page and its script see alike"
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 120)
    page.mouse.up()
    assert places() not in (before, turned)


@pytest.mark.parametrize(("width", "scheme"), one_in(2, [(390, "light"), (390, "dark"), (1280, "dark"), (1280, "light")]))
def test_no_page_is_wider_than_the_window(visit, small, width, scheme):
    page = visit("index.html", width, color_scheme=scheme)
    for path in small.rglob("*.html") if LONG else {small / name.partition("#")[0] for name in PAGES}:
        page.goto(path.as_uri())
        # What is folded away may be wide, too.
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        wide, seen = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide <= seen, path.name
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, light[4:-1].split(","))) > 380) == (scheme == "light")


def test_hostile_words_do_nothing(visit):
    page = visit("own/hostile_words.html")
    assert page.title().startswith("hostile_words")
    assert page.locator("blockquote script").count() == 0
    assert visit("index.html").title() != "taken"


def test_a_link_to_a_folded_part_opens_it_and_a_command_is_copied(visit):
    page = visit("polarization/score_gaps_grow.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("button.copy").first.click()
    page.wait_for_function("['copied', 'selected'].includes(document.querySelector('button.copy').textContent)")
    part = page.locator("details.without").first
    assert part.get_attribute("open") is None
    name = part.get_attribute("id")
    page.evaluate(f"location.hash = {name!r}")
    page.wait_for_function(f"document.getElementById({name!r}).open")


def test_a_symbol_tells_what_it_means_when_pointed_at_tapped_or_focused(visit):
    page = visit("frank_wolfe/theorem-5.4/index.html")
    tip, symbol = page.locator(".tip"), page.locator("blockquote .sym").first
    assert not tip.is_visible()
    symbol.hover()
    assert tip.is_visible()
    assert "the first step after which a token is outside the tube" in tip.inner_text()
    tip.hover()
    # Longer than it takes to go once the pointer has left the symbol.
    page.wait_for_timeout(400)
    assert tip.is_visible(), "what is told can be read with the pointer on it"
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    page.mouse.move(0, 0)
    # Links come before the first symbol; how many, the page decides.
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('sym')"):
            break
    assert "the first step after which" in tip.inner_text()
    told = page.evaluate("document.activeElement.getAttribute('aria-describedby')")
    assert "the first step after which" in page.locator(f"#{told}").inner_text()
    page.keyboard.press("Tab")
    assert "the width of the tubes" in tip.inner_text()
    page = visit("frank_wolfe/theorem-5.4/index.html", has_touch=True, width=390)
    page.locator("blockquote .sym").first.tap()
    assert page.locator(".tip").is_visible()
    page.emulate_media(media="print")
    assert not page.locator(".tip").is_visible()
    assert page.locator("dl.symbols").first.is_visible()


def test_without_scripts_everything_is_there(visit):
    page = visit("index.html", java_script_enabled=False)
    assert page.locator("ul.claims li").count() == 13
    page = visit("localmax/every_token_converges.html", java_script_enabled=False)
    assert page.locator("figure.picture svg .frame").first.is_visible()


def test_printed_pages_keep_pictures_and_drop_buttons(visit):
    page = visit("localmax/every_token_converges.html")
    page.emulate_media(media="print")
    assert page.locator("figure.picture svg").first.is_visible()
    assert not page.locator(".stepper button").first.is_visible()
    assert page.locator(".captions").first.is_visible()
    page = visit("frank_wolfe/theorem-5.4/index.html")
    page.emulate_media(media="print")
    assert len(page.pdf()) > 10_000


# The six questions of an author, with where the answer is and what it says, and the part of a page that has it.
QUESTIONS = (
    ("What is wrong with Theorem 5.4?", "#found .wrong", "One pick moves a token by up to", None),
    ("Which of my theorems were checked?", "#answer a[href*=frank_wolfe]", "Theorem 5.4", "#coverage"),
    ("A picture of Theorem 5.4", "#found a", "Drawn from", "#pictures"),
    ("Text for an erratum on Theorem 5.4", "#found a", "does not survive|Survives|What is wrong", "#B3"),
    ("How can I check Theorem 5.4 by hand?", "#found a", "Take", "#by-hand"),
    ("What is proved for all inputs?", "#found a", "proved for all", "#conclusions"),
)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_the_front_page_leads_to_the_answer(visit, width, scheme):
    for question, answer, told, part in QUESTIONS if width < 400 else one_in(3, QUESTIONS):
        page = visit("index.html", width, 844, scheme)
        page.fill("#search", question)
        found = page.locator(answer).first
        assert found.is_visible(), question
        if part is not None:
            assert part == "#coverage" or found.get_attribute("href").endswith(part), question
            found.click()
            found = page.locator(part).first
            found.wait_for(state="visible")  # the page is another one, and may still be loading
        text = " ".join(found.inner_text().split())
        assert any(word in text for word in told.split("|")), (question, text[:300])


def serious(page):
    """The serious and critical faults of a page that axe-core finds: the rule, and the first place of each."""
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        (one["id"], len(one["nodes"]), one["nodes"][0]["html"][:160], one["nodes"][0]["any"][:1])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core: npm install --no-save axe-core, or set AXE to axe.min.js")
@pytest.mark.parametrize(("width", "scheme"), list(product((390, 1280), ("light", "dark"))))
def test_no_page_has_a_serious_fault(blank, small, width, scheme):
    page, faults = blank(width, 844, scheme), {}
    for name in PAGES:
        page.goto(f"{small.as_uri()}/{name}")
        if found := serious(page):
            faults[name] = found
    # A check that finds nothing anywhere is none.
    page.goto("data:text/html,<html><body><img src='data:,'><p style='color:%23eee'>pale</p></body></html>")
    assert {name for name, *_ in serious(page)} >= {"image-alt", "color-contrast"}
    assert faults == {}
