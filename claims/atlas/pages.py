"""The pages of the atlas as texts by file name: an index, a page for each paper, a page for each claim."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from claims.atlas.citing import citation_of, citation_of_place, lines_of_claim
from claims.atlas.drawing import Drawn
from claims.atlas.evidence import Certificate, Evidence
from claims.atlas.front import FEW, counts_of, errata_of, filters_of, gravest, row_of_statement, search_data
from claims.atlas.kept import Told, silent
from claims.atlas.pictures.brackets import bracket_picture
from claims.atlas.pictures.comparisons import compared
from claims.atlas.places import address, folder, page_name, place_of, slug, theorem_page
from claims.atlas.relations import Relations, relations, source_of
from claims.atlas.reliability import RESTS_ON, figures, sentences_of
from claims.atlas.spoken import number_text, spoken
from claims.atlas.svg import figure
from claims.atlas.theorem_map import theorem_map
from claims.atlas.typeset import typeset
from claims.catalogue import kind_of, precedence
from claims.coverage import THEIRS, Stated, coverage
from claims.experiments import COMPARISONS, LEVEL, MEANT, SHOWN, Word
from claims.hunting.necessity import NOT_CERTIFIED
from claims.notation import marks_in, symbols_in, symbols_of
from claims.plain_text import visible
from claims.sharpening.constants import bracket_in_words, brackets_of
from claims.sheets.sheet import lines_of, sheet_of
from claims.sheets.writing import as_html, as_latex, as_markdown, html
from claims.statement import PAPERS, Assumption, Claim, Conclusion, Origin, Paper, Standing
from dynamics.decimals import outward

ASSETS = ("atlas.css", "atlas.js")

ORIGIN_TOLD = {
    Origin.PRINTED: "Quoted: the words are at hand.",
    Origin.REPORTED: "Restated: known from an abstract, a talk or at second hand, the words are not quoted.",
    Origin.CARRIED_OVER: "Restated: printed for another setting and carried over to this one.",
    Origin.OURS: "Ours: a question, a correction or a sharpening of this suite's authors.",
}
NOTHING_BREAKS, NOTHING_BREAKS_OWN = "this suite has no way to break it", "no violate= breaks it"
OF_ONES_OWN = "A claim of one's own, in a file: nobody else vouches for it."

LONGEST_COMMAND = 600
"""Instances of up to so many characters are part of a command; longer ones are replayed from their file."""


LONGEST_PLACE = 120
"""Characters of an instance that is told in a line."""

LONGEST_SIZE = 12
"""Characters of an exact number that is told as it is."""

LONGEST_NUMBER = 90
"""Longer numbers are shown in part; they stand whole in the certificate."""


@dataclass(frozen=True)
class Atlas:
    """All that pages are made of. `checked` says how many certificates were confirmed, and when; "" if none was checked."""

    claims: Mapping[str, Claim]
    evidence: Mapping[str, Evidence]
    pictures: Mapping[str, Sequence[Drawn]]
    every: Mapping[str, Claim]
    """All claims that there are, which a chosen one may name."""
    checked: str = ""
    revision: str = ""
    """What the address of a module of the suite begins with; "" where none is known."""


def pages(atlas: Atlas, told: Told = silent) -> dict[str, str]:
    """Every file of the site by its name."""
    environment = Environment(
        loader=PackageLoader("claims.atlas"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["typeset"] = lambda text: Markup(_typeset(text))  # noqa: S704 -- typeset escapes
    environment.filters["marked"] = lambda text, claim: Markup(_marked(text, claim.paper.key))  # noqa: S704 -- the same
    environment.filters["visible"] = _visible_lines
    environment.filters["breakable"] = lambda text: Markup(escape(visible(text)).replace("_", Markup("_<wbr>")))  # noqa: S704
    environment.filters |= {"slug": slug, "folder": folder, "page": page_name}
    environment.filters["shortened"] = _shortened
    site = _Site(atlas, environment)
    found = {f"assets/{name}": (files("claims.atlas") / "templates" / name).read_text(encoding="utf-8") for name in ASSETS}
    found |= dict(site.index())
    found["reliability.html"] = site.reliability()
    for paper in site.papers:
        found |= dict(site.paper(paper))
    for number, claim in enumerate(atlas.claims.values(), 1):
        found |= dict(site.claim(claim))
        told("writing pages", number, len(atlas.claims))
    return found


@cache
def _typeset(text: str) -> str:
    """A statement stands on several pages."""
    return typeset(visible(text))


@cache
def _marked(text: str, paper: str) -> str:
    """A text about a paper, in which its symbols can be pointed at."""
    shown = visible(text)
    return typeset(shown, marks_in(shown, paper))


def _shortened(text: str) -> str:
    """A number as it is, or where it is long how it begins and ends."""
    return text if len(text) <= LONGEST_NUMBER else f"{text[: LONGEST_NUMBER // 2]}…{text[-8:]} ({len(text)} characters)"


def _visible_lines(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def _is_numbered(members: Sequence[Claim]) -> bool:
    """Whether claims grouped by their place are about a numbered statement."""
    return bool(place_of(members[0].where).statement)


class _Site:
    def __init__(self, atlas: Atlas, environment: Environment) -> None:
        self.atlas, self.environment = atlas, environment
        self.claims = list(atlas.claims.values())
        self.papers = list({claim.paper.key: claim.paper for claim in self.claims}.values())
        self.related = relations(atlas.claims)
        self.today = dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
        self.sheets = {paper.key: sheet_of(paper) for paper in self.papers if paper.key in PAPERS}

    def render(self, template: str, root: str, **values: Any) -> str:
        found = self.environment.get_template(template)
        anchors = self.anchors
        return found.render(
            root=root, today=self.today, papers=self.papers, checked=self.atlas.checked, anchors=anchors, **values
        )

    @cached_property
    def anchors(self) -> dict[str, dict[str, str]]:
        """Where on the page of a paper each of its symbols is told."""
        return {
            paper.key: {symbol: f"symbol-{k}" for k, symbol in enumerate(symbols_of(paper.key))} for paper in self.papers
        }

    # -----------------------------------------------------------------------------------------------------------------
    # The index

    def index(self) -> Iterator[tuple[str, str]]:
        errata = errata_of(self.papers, self.sheets)
        rows = [
            row_of_statement(
                claim,
                self.atlas.evidence[claim.id],
                self.atlas.pictures[claim.id],
                self._words(claim),
                errata.get(claim.id, ""),
                _typeset,
            )
            for claim in self.claims
        ]
        yield "assets/search.js", search_data(rows)
        yield (
            "index.html",
            self.render(
                "index.html",
                "",
                groups={paper: [row for row in rows if row.claim.paper.key == paper.key] for paper in self.papers},
                filters=filters_of(rows),
                standings=list(dict.fromkeys(row.search["standing"] for row in rows)),
                sections={
                    paper.key: list(
                        dict.fromkeys(place_of(row.claim.where).section for row in rows if row.claim.paper.key == paper.key)
                    )
                    for paper in self.papers
                },
                counts=counts_of(self.papers, self.claims),
                gravest=gravest(self.papers, self.sheets, self.atlas.claims),
                sheets=self.sheets,
                is_open=len(rows) <= FEW,
            ),
        )

    def _words(self, claim: Claim) -> str:
        """How many comparisons of an empirical claim are borne out; "" of others."""
        if claim.standing is not Standing.EMPIRICAL or claim.source is not None:
            return ""
        rows = [one.word for _, readings in compared(claim) for one in readings]
        run = [word for word in rows if word is not Word.NOT_RECORDED]
        borne = sum(word is Word.BORNE_OUT for word in run)
        return f"{borne} of {len(run)} comparisons borne out" if run else "not recorded" if rows else ""

    def reliability(self) -> str:
        known = figures()
        return self.render("reliability.html", "", rests=RESTS_ON, said=sentences_of(known), audits=known.audits)

    # -----------------------------------------------------------------------------------------------------------------
    # Papers

    def paper(self, paper: Paper) -> Iterator[tuple[str, str]]:
        own = [claim for claim in self.claims if claim.paper.key == paper.key]
        groups: dict[str, list[Claim]] = {}
        for claim in own:
            place = place_of(claim.where)
            groups.setdefault(place.statement or place.section, []).append(claim)
        sheet = self.sheets.get(paper.key)
        if sheet is not None:
            yield f"{folder(paper)}/errata.md", as_markdown(sheet)
            yield f"{folder(paper)}/errata.tex", as_latex(sheet)
        numbered = {name: f"{slug(name)}/index.html" for name, members in groups.items() if _is_numbered(members)}
        map_ = Markup(theorem_map(own, self.related))  # noqa: S704 -- our own SVG, escaped there
        yield (
            f"{folder(paper)}/index.html",
            self.render(
                "paper.html",
                "../",
                paper=paper,
                groups=groups,
                map=map_,
                stated=(stated := self._stated(paper, numbered)),
                covered=sum(bool(one.claims) for one, _, _ in stated),
                theirs=THEIRS,
                sheet=sheet and Markup(as_html(sheet, self._address)),  # noqa: S704 -- escaped there
                refuted=sum(claim.standing is Standing.FALSE for claim in own),
                own=own,
                proved=[(claim, self._proved(claim)) for claim in own if self.atlas.evidence[claim.id].proved],
                notation=symbols_of(paper.key),
                numbered=numbered,
            ),
        )
        for name, members in groups.items():
            if _is_numbered(members):
                yield theorem_page(paper, name), self._theorem(paper, name, members)

    def _stated(self, paper: Paper, numbered: Mapping[str, str]) -> list[tuple[Stated, str, list[Claim]]]:
        """What a paper of the suite states, where its page is, and the claims that have pages: of its own words first."""
        if paper.key not in PAPERS:
            return []
        found = []
        for one in coverage(paper.key):
            present = [claim for claim in one.claims if claim.id in self.atlas.claims]
            ordered = sorted(present, key=lambda claim: claim.origin not in THEIRS)
            found.append((one, numbered.get(place_of(one.printed).statement, ""), ordered))
        return found

    def _proved(self, claim: Claim) -> list[tuple[Conclusion, list[str]]]:
        """The conclusions of a claim of which something is proved, and for which sizes."""
        sizes: dict[str, list[str]] = {}
        for one in self.atlas.evidence[claim.id].proved:
            sizes.setdefault(one.conclusion, []).append(one.for_all)
        return [(one, sorted(sizes[one.name])) for one in claim.conclusions if one.name in sizes]

    def _theorem(self, paper: Paper, name: str, members: Sequence[Claim]) -> str:
        """The page of a numbered statement: its own words before ours, the false ones first."""
        ordered = sorted(members, key=precedence)
        stated = [(claim, self.atlas.evidence[claim.id]) for claim in members]
        address_, told = theorem_page(paper, name), dict[str, str]()
        entries = []
        for claim in ordered:
            entries.append(self._entry(claim) | {"symbols": {s: m for s, m in symbols_in(claim).items() if s not in told}})
            told |= symbols_in(claim)
        return self.render(
            "theorem.html",
            "../../",
            paper=paper,
            name=name,
            summary=_summary(ordered),
            entries=entries,
            errata=errata_of([paper], self.sheets),
            cited=citation_of_place(name, paper, stated, address_, self.today[:4]),
        )

    def _entry(self, claim: Claim) -> dict[str, Any]:
        """What the page of a numbered statement shows of a claim about it."""
        pictures = [one for one in self.atlas.pictures[claim.id] if not one.dropped]
        corrected = claim.corrected_by if claim.corrected_by in self.atlas.every else None
        return {
            "claim": claim,
            "told": ORIGIN_TOLD[claim.origin],
            "by_hand": self._by_hand(claim),
            "beside": self._beside(claim),
            "pictures": pictures[:1] if claim.standing is Standing.FALSE else [],
            "more": len(pictures),
            "correction": self._link(corrected, "../../") if corrected else None,
            "proved": self.atlas.evidence[claim.id].proved_sizes,
            "refutation": self._counterexample(claim, self.atlas.evidence[claim.id].refutation),
        }

    def _by_hand(self, claim: Claim) -> list[Markup]:
        return [Markup(html(line)) for line in lines_of(claim)] if claim.hand else []  # noqa: S704 -- escaped there

    def _beside(self, claim: Claim) -> Markup:
        return Markup(html(claim.hand.beside if claim.hand else ""))  # noqa: S704 -- escaped there

    def _address(self, claim: Claim, root: str = "../") -> str:
        """Where the page of a claim is, from a page of a paper; "" where it has none in this atlas."""
        return f"{root}{address(claim)}" if claim.id in self.atlas.claims else ""

    def _link(self, name: str, root: str = "../") -> dict[str, Any]:
        """A claim and where its page is; no address for one that is not in this atlas."""
        claim = self.atlas.every[name]
        return {"claim": claim, "href": self._address(claim, root)}

    # -----------------------------------------------------------------------------------------------------------------
    # Claims

    def claim(self, claim: Claim) -> Iterator[tuple[str, str]]:
        evidence, related = self.atlas.evidence[claim.id], self.related[claim.id]
        for certificate in evidence.certificates:
            yield f"certificates/{certificate.name}", certificate.text
        order = [one.id for one in self.claims if one.paper.key == claim.paper.key]
        at = order.index(claim.id)
        pictures = self.atlas.pictures[claim.id]
        text = self.render(
            "claim.html",
            "../",
            claim=claim,
            place=place_of(claim.where),
            told=ORIGIN_TOLD[claim.origin] if claim.source is None else OF_ONES_OWN,
            symbols=symbols_in(claim),
            longest=LONGEST_COMMAND,
            by_hand=self._by_hand(claim),
            beside=self._beside(claim),
            theorem=theorem_page(claim.paper, place_of(claim.where).statement).split("/", 1)[1]
            if place_of(claim.where).statement
            else "",
            passages=lines_of_claim(claim),
            revision=self.atlas.revision if claim.source is None else "",
            cited=citation_of(claim, evidence, address(claim), self.today[:4]),
            is_quoted=claim.origin is Origin.PRINTED,
            is_false=claim.standing is Standing.FALSE,
            kind=kind_of(claim),
            correction=self._link(claim.corrected_by)
            if claim.corrected_by and claim.corrected_by in self.atlas.every
            else None,
            assumptions=[self._chip(claim, one, evidence) for one in claim.every_assumption()],
            matrix=self._matrix(claim, evidence),
            pictures=[one for one in pictures if not one.dropped],
            refutation=self._counterexample(claim, evidence.refutation),
            without=[
                (self._counterexample(claim, one), [picture for picture in pictures if picture.source.file == one.name])
                for one in evidence.certificates
                if one.dropped
            ],
            evidence=evidence,
            experiments=self._experiments(claim, evidence),
            brackets=self._brackets(claim),
            words=MEANT,
            level=f"{100 * LEVEL:g}",
            questions=COMPARISONS,
            shown=f"{100 * SHOWN:g}",
            related=self._related(related),
            code=_visible_lines(source_of(claim)),
            file=f"{claim.module.replace('.', '/')}.py" if claim.source is None else Path(claim.file or claim.id).name,
            before=self._link(order[at - 1]) if at else None,
            after=self._link(order[at + 1]) if at + 1 < len(order) else None,
        )
        yield address(claim), text

    def _brackets(self, claim: Claim) -> dict[str, list[tuple[str, str, str, Markup]]]:
        """By conclusion what is known of each constant: its name and value, in words, and as a picture."""
        found: dict[str, list[tuple[str, str, str, Markup]]] = {}
        known = brackets_of(claim.id) if claim.source is None else {}
        for k, ((conclusion, name), entry) in enumerate(known.items()):
            picture = bracket_picture(entry)
            drawn = Markup(figure(picture, f"constant-{k}")) if picture else Markup("")  # noqa: S704 -- written by svg
            found.setdefault(conclusion, []).append((name, entry["value"], bracket_in_words(entry), drawn))
        return found

    def _experiments(self, claim: Claim, evidence: Evidence) -> list[tuple[Conclusion, list[dict[str, Any]], str]]:
        """Of an empirical claim each experiment with its comparisons, from the record, and what a run adds to them."""
        if claim.standing is not Standing.EMPIRICAL or claim.source is not None:
            return []
        told = {tally["name"]: tally.get("readings", ()) for tally in (evidence.report or {}).get("conclusions", ())}
        found = []
        for conclusion, readings in compared(claim):
            rows: list[dict[str, Any]] = [
                {
                    "name": one.name,
                    "word": one.word.value,
                    "samples": one.samples,
                    "effect": one.effect,
                    "p": outward(one.p, 1, 2) if one.effect else "",
                }
                for one in readings
            ]
            of_a_run = told.get(conclusion.name, ()) if not readings else ()
            rows += [{**one, "samples": {}} for one in of_a_run]
            note = "Trained in the run that gave the verdicts." if of_a_run else ""
            note = note if rows else f"Not in the record: trained while you wait by claims verify {claim.id}."
            found.append((conclusion, rows, note))
        return found

    def _related(self, related: Relations) -> list[tuple[str, list[dict[str, Any]]]]:
        parts = (
            ("corrects", related.corrects),
            ("takes a formula from", related.uses),
            ("its formula is taken by", related.used_by),
            ("same label", related.same_label),
        )
        return [(name, [self._link(one) for one in ids]) for name, ids in parts if ids]

    def _chip(self, claim: Claim, assumption: Assumption, evidence: Evidence) -> dict[str, Any]:
        """An assumption with what is known of its necessity, conclusion by conclusion."""
        found = [entry for entry in evidence.entries if entry.get("dropped") == [assumption.name]]
        needed = [entry for entry in found if entry.get("counterexample")]
        starts = sum(entry["starts"] for entry in found if "open" not in entry)
        true = claim.standing is Standing.TRUE
        if needed:
            word, state = ("needed" if true else "violated without it"), "needed"
        elif any(entry.get("open") == NOT_CERTIFIED for entry in found):
            word, state = f"without it {NOT_CERTIFIED}", "unknown"
        elif starts:
            word, state = f"not seen needed in {starts} starts", "unneeded"
        elif assumption.violate is None:
            word, state = NOTHING_BREAKS if claim.source is None else NOTHING_BREAKS_OWN, "fixed"
        elif found:
            word, state = f"hunted without it: {' or '.join(sorted({entry['open'] for entry in found}))}", "unknown"
        else:
            word, state = "not hunted without it", "unknown"
        smallest = min(needed, key=lambda entry: len(json.dumps(entry["counterexample"]["instance"])), default=None)
        return {
            "assumption": assumption,
            "word": word,
            "state": state,
            "shown": None if smallest is None else _short(claim, smallest["counterexample"]["instance"]),
            "conclusion": None if smallest is None else smallest["conclusion"],
            "slack": None if smallest is None else smallest["counterexample"]["slack"],
            "anchor": next(
                (f"without-{slug(one.name)}" for one in evidence.certificates if one.dropped == (assumption.name,)), ""
            ),
        }

    def _matrix(self, claim: Claim, evidence: Evidence) -> list[tuple[Assumption, list[dict[str, str]]]]:
        """Assumption by conclusion: a counterexample without it, how many starts gave none, or why nothing was decided."""
        by_key = {(tuple(entry.get("dropped", ())), entry["conclusion"]): entry for entry in evidence.entries}
        rows = []
        for assumption in claim.every_assumption():
            cells = []
            for conclusion in claim.conclusions:
                entry = by_key.get(((assumption.name,), conclusion.name))
                if assumption not in claim.assumptions_of(conclusion):
                    cells.append({"state": "none", "word": "not assumed"})
                elif entry is None:
                    cells.append({"state": "unknown", "word": "not hunted"})
                elif entry.get("counterexample"):
                    cells.append({"state": "needed", "word": "counterexample"})
                elif "open" in entry:
                    cells.append({"state": "unknown", "word": entry["open"]})
                else:
                    cells.append({"state": "unneeded", "word": f"none in {entry['starts']}"})
            rows.append((assumption, cells))
        return rows if any(cell["state"] in ("needed", "unneeded") for _, cells in rows for cell in cells) else []

    def _counterexample(self, claim: Claim, certificate: Certificate | None) -> dict[str, Any] | None:
        if certificate is None:
            return None
        data, violation = certificate.data, certificate.data["violation"]
        text = json.dumps(data["instance"], separators=(",", ":"))
        file = f"certificates/{certificate.name}"
        replay = f"'{text}'" if len(text) <= LONGEST_COMMAND else file
        lower, upper = violation["slack"]["lower"], violation["slack"]["upper"]
        return {
            "certificate": certificate,
            "anchor": f"without-{slug(certificate.name)}" if certificate.dropped else "counterexample",
            "file": f"../{file}",
            "instance": (instance := _short(claim, data["instance"])),
            "at": instance if sum(len(name) + len(value) for name, value in instance) <= LONGEST_PLACE else [],
            "slack": lower if lower == upper else f"between {lower} and {upper}",
            "size": _size(lower, upper),
            "commands": [
                f"claims check {file}",
                f"claims check --published {claim.id}",
                f"claims verify {claim.named} --instance {replay}",
                data["command"],
            ],
        }


def _size(lower: str, upper: str) -> str:
    """A number by its enclosure, in few digits: rounded outward where it is not short."""
    if lower == upper and len(lower) <= LONGEST_SIZE:
        return lower
    return f"between {outward(lower, -1, 4)} and {outward(upper, 1, 4)}"


def _summary(claims: Sequence[Claim]) -> str:
    """How many claims about a numbered statement are about the paper's own words, and how they stand."""
    theirs = [claim for claim in claims if claim.origin in THEIRS]
    words = [claim.standing_word for claim in theirs]
    told = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
    others = len(claims) - len(theirs)
    beyond = f"{others} carried over from elsewhere or of ours" if others else ""
    return f"Of the paper's own words about it: {told or 'none'}{'; ' if beyond else ''}{beyond}."


def _short(claim: Claim, instance: dict[str, Any]) -> list[tuple[str, str]]:
    """The arrays of an instance that are not what they are by default, as people write them."""
    return [(name, number_text(value)) for name, value in spoken(claim, instance).items()]
