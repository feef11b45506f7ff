"""The links, anchors and text of a page, read as a browser reads them."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote


class Page(HTMLParser):
    """What a page links to, loads, and names; its visible text and its elements."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.links, self.anchors, self.text, self.elements = [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        """Keep addresses and names."""
        given = dict(attributes)
        self.elements.append((tag, given))
        if "id" in given:
            assert given["id"] not in self.anchors, f"two elements are called {given['id']}"
            self.anchors.add(given["id"])
        self.links += [given[name] for name in ("href", "src") if name in given]

    def handle_data(self, data):
        """Keep the text."""
        self.text.append(data)


@cache
def page_of(text):
    """The page of a text that several tests read."""
    return Page(text)


def dead_links(texts):
    """Links between the pages, by name, that lead nowhere; addresses outside of the site count as dead."""
    parsed = {name: page_of(text) for name, text in texts.items() if name.endswith(".html")}
    found = []
    for name, page in parsed.items():
        for link in page.links:
            if link == "data:,":
                continue
            file, _, anchor = link.partition("#")
            target = normpath(join(dirname(name), unquote(file))) if file else name
            if target not in texts or (anchor and target in parsed and unquote(anchor) not in parsed[target].anchors):
                found.append(f"{name}: {link}")
    return found
