"""The links, anchors and text of a page, read as a browser reads them."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "circle", "line", "rect"}


class Page(HTMLParser):
    """The elements of a page in their order: tag, attributes, text within, and the tags around; all links, all text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.text, self.open = [], [], []
        self.feed(text)
        for one in self.elements:
            one["text"] = "".join(one["text"])
        self.links = [one["given"][name] for one in self.elements for name in ("href", "src") if name in one["given"]]

    def handle_starttag(self, tag, attributes):
        found = {"tag": tag, "given": dict(attributes), "text": [], "around": [one["tag"] for one in self.open]}
        self.elements.append(found)
        if tag not in VOID:
            self.open.append(found)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        """Close the innermost element of this tag, and what HTML lets end with it."""
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place]["tag"] == tag:
                del self.open[place:]
                return

    def handle_data(self, data):
        self.text.append(data)
        for one in self.open:
            one["text"].append(data)

    def all(self, *tags):
        return [one for one in self.elements if one["tag"] in tags]


@cache
def page_of(text):
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
