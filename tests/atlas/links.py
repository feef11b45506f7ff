"""The elements, links, anchors and text of a page, read as a browser reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "circle", "line", "rect"}


@dataclass(eq=False)
class Element:
    """An element of a page: its tag, its attributes, and the element around it."""

    page: Page
    tag: str
    given: dict[str, str | None]
    around: Element | None
    # Where its text begins and ends among all text of the page: most elements are never asked for theirs.
    begin: int
    end: int | None = None

    @property
    def text(self):
        return "".join(self.page.text[self.begin : self.end])

    def is_within(self, tag):
        return self.around is not None and (self.around.tag == tag or self.around.is_within(tag))


class Page(HTMLParser):
    """The elements of a page in their order, and all of its text, in pieces."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.text, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        begin, around = len(self.text), self.open[-1] if self.open else None
        found = Element(self, tag, dict(attributes), around, begin, begin if tag in VOID else None)
        self.elements.append(found)
        if tag not in VOID:
            self.open.append(found)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        """Close the innermost element of this tag, and what HTML lets end with it."""
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place].tag == tag:
                for one in self.open[place:]:
                    one.end = len(self.text)
                del self.open[place:]
                return

    def handle_data(self, data):
        self.text.append(data)

    def all(self, *tags):
        return [one for one in self.elements if one.tag in tags]


# To parse all pages takes seconds. Patterns find links and words, too, as no text of a page has a bracket or a quotation
# mark unescaped: on the page of hostile words both are compared.


@cache
def links_of(text):
    """The addresses that a page names."""
    return {unescape(one) for one in re.findall(r'\s(?:href|src)="([^"]*)"', text)}


@cache
def words_of(text):
    """What is read on a page, its words one space apart."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split())


def dead_links(texts):
    """Links between the pages, by name, that lead nowhere; addresses outside of the site count as dead."""
    pages = {name: text for name, text in texts.items() if name.endswith(".html")}
    anchors = {}
    for name, text in pages.items():
        names = re.findall(r'\sid="([^"]*)"', text)
        assert len(set(names)) == len(names), f"two elements of {name} have one name"
        anchors[name] = {unescape(one) for one in names}
    found = []
    for name, text in pages.items():
        for link in sorted(links_of(text) - {"data:,"}):
            file, _, anchor = link.partition("#")
            target = normpath(join(dirname(name), unquote(file))) if file else name
            if target not in texts or (anchor and target in anchors and unquote(anchor) not in anchors[target]):
                found.append(f"{name}: {link}")
    return found
