"""The links, anchors and text of a page, read as a browser reads them."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
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
    anchors, links = {}, {}
    for name, text in texts.items():
        if name.endswith(".html"):
            # Not by parsing, which takes seconds for all pages: no text of a page has such a quotation mark unescaped.
            names = re.findall(r'\sid="([^"]*)"', text)
            assert len(set(names)) == len(names), f"two elements of {name} have one name"
            anchors[name] = {unescape(one) for one in names}
            links[name] = {unescape(one) for one in re.findall(r'\s(?:href|src)="([^"]*)"', text)} - {"data:,"}
    found = []
    for name, own in links.items():
        for link in sorted(own):
            file, _, anchor = link.partition("#")
            target = normpath(join(dirname(name), unquote(file))) if file else name
            if target not in texts or (anchor and target in anchors and unquote(anchor) not in anchors[target]):
                found.append(f"{name}: {link}")
    return found
