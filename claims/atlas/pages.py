"""The pages of the atlas as texts by file name: an index, a page for each paper, a page for each claim."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
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
from claims.atlas.kept import Told, silent
from claims.atlas.pictures.brackets import bracket_picture
from claims.atlas.pictures.comparisons import compared
from claims.atlas.places import address, folder, page_name, place_of, slug, theorem_page
from claims.atlas.relations import relations, source_of, theorem_map
from claims.atlas.reliability import RESTS_ON, figures, sentences_of
from claims.atlas.sheets.sheet import lines_of, sheet_of
from claims.atlas.sheets.writing import as_html, as_latex, as_markdown, html
from claims.atlas.spoken import number_text, spoken
from claims.atlas.svg import figure
from claims.atlas.typeset import typeset
from claims.certificates.constants import bracket_in_words, brackets_of
from claims.certificates.necessity import NOT_CERTIFIED
from claims.stating.catalogue import explanation, kind_of, precedence
from claims.stating.coverage import THEIRS, coverage
from claims.stating.defects import Kind
from claims.stating.experiments import COMPARISONS, LEVEL, SHOWN, Word
from claims.stating.notation import marks_in, symbols_in, symbols_of
from claims.stating.plain_text import visible
from claims.stating.statement import PAPERS, Assumption, Claim, Conclusion, Origin, Paper, Standing
from dynamics.decimals import outward

ASSETS = ("atlas.css", "atlas.js")

ORIGIN_TOLD = {
    Origin.PRINTED: "Quoted: the words are at hand.",
    Origin.REPORTED: "Restated: known from an abstract, a talk or at second hand, the words are not quoted.",
    Origin.CARRIED_OVER: "Restated: printed for another setting and carried over to this one.",
    Origin.OURS: "Ours: a question, a correction or a sharpening of this suite's authors.",
}
OF_ONES_OWN = "A claim of one's own, in a file: nobody else vouches for it."

GRAVEST = 2  # false statements of each paper that the summary names: it is to stand on one screen
FEW = 60  # so many claims are shown unfolded: of a chosen few one wants to see the list, not to search it
LONGEST_COMMAND = 600  # characters of an instance within a command; a longer one is replayed from its file
LONGEST_PLACE = 120  # characters of an instance that is told within a line
LONGEST_SIZE = 12  # characters of an exact number that is told as it is; of others four digits are more than one reads
LONGEST_NUMBER = 90  # longer numbers are shown in part: they stand whole in the certificate


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
    site = _Site(atlas)
    found = {f"assets/{name}": (files("claims.atlas") / "templates" / name).read_text(encoding="utf-8") for name in ASSETS}
    found |= dict(site.index())
    known = figures()
    found["reliability.html"] = site.render(
        "reliability.html", "", rests=RESTS_ON, said=sentences_of(known), audits=known.audits
    )
    for paper in site.papers:
        found |= dict(site.paper(paper))
    for number, claim in enumerate(atlas.claims.values(), 1):
        found |= dict(site.claim(claim))
        told("writing pages", number, len(atlas.claims))
    return found


# Once in a process: to compile the templates takes longer than to fill them for a few claims.
@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("claims.atlas"),
        autoescape=True,
        undefined=StrictUndefined,  # a value that is missing is an error of ours, not an empty place on a page
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "typeset": lambda text: Markup(_typeset(text)),  # noqa: S704 -- typeset escapes
        "marked": lambda text, claim: Markup(_marked(text, claim.paper.key)),  # noqa: S704 -- the same
        "visible": _visible_lines,
        "breakable": lambda text: Markup(escape(visible(text)).replace("_", Markup("_<wbr>"))),  # noqa: S704 -- escaped
        "shortened": lambda text: (
            text if len(text) <= LONGEST_NUMBER else f"{text[: LONGEST_NUMBER // 2]}…{text[-8:]} ({len(text)} characters)"
        ),
        "slug": slug,
        "folder": folder,
        "page": page_name,
    }
    return environment


# Each text stands on several pages: of its paper, of its theorem, of claims that it corrects, and in the search.
@cache
def _typeset(text: str) -> str:
    return typeset(visible(text))


@cache
def _marked(text: str, paper: str) -> str:
    """A text about a paper, in which its symbols can be pointed at."""
    shown = visible(text)
    return typeset(shown, marks_in(shown, paper))


def _visible_lines(text: str) -> str:
    # Line by line: `visible` takes a line break for a character that hides something.
    return "\n".join(map(visible, text.split("\n")))


class _Site:
    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.claims = list(atlas.claims.values())
        self.papers = list({claim.paper.key: claim.paper for claim in self.claims}.values())
        self.related = relations(atlas.claims)
        self.today = dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
        self.shown = dict[tuple[str, str], dict[str, Any]]()  # counterexamples, which pages of theorems show again
        self.sheets = {paper.key: sheet_of(paper) for paper in self.papers if paper.key in PAPERS}

    def render(self, template: str, root: str, **values: Any) -> str:
        shared = {"papers": self.papers, "checked": self.atlas.checked, "anchors": self.anchors}
        return _environment().get_template(template).render(root=root, today=self.today, **shared, **values)

    @cached_property
    def anchors(self) -> dict[str, dict[str, str]]:
        """Where on the page of a paper each of its symbols is told."""
        return {
            paper.key: {symbol: f"symbol-{k}" for k, symbol in enumerate(symbols_of(paper.key))} for paper in self.papers
        }

    # -----------------------------------------------------------------------------------------------------------------
    # The index

    @cached_property
    def errata(self) -> dict[str, str]:
        """Where on its paper's page the row of a claim in the sheet for the authors is, by the claim's id."""
        return {
            claim.id: f"{folder(paper)}/index.html#{row.number}"
            for paper in self.papers
            if paper.key in self.sheets
            for part in self.sheets[paper.key].parts.values()
            for row in part
            for claim in row.claims
        }

    def index(self) -> Iterator[tuple[str, str]]:
        rows = [self._row(claim) for claim in self.claims]
        # As a script: a page on disk may load scripts, and no JSON.
        known = {visible(row["claim"].id): row["search"] for row in rows}
        text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
        yield "assets/search.js", f'"use strict";\nconst SEARCH = {text};\n'
        filters = {name: set[str]() for name in ("origin", "form", "how-decided", "proved-sizes")}
        for row in rows:
            for name, values in filters.items():
                values.update([row["search"][name]] if isinstance(row["search"][name], str) else row["search"][name])
        by_paper = {paper: [row for row in rows if row["claim"].paper.key == paper.key] for paper in self.papers}
        sections, counts, gravest = {}, list[dict[str, Any]](), list[dict[str, str]]()
        for paper, listed in by_paper.items():
            own = [row["claim"] for row in listed]
            sections[paper.key] = list(dict.fromkeys(place_of(claim.where).section for claim in own))
            false = [claim for claim in own if claim.standing is Standing.FALSE]
            counts.append(
                {
                    "paper": paper,
                    "all": len(own),
                    "standing": Counter(claim.standing_word for claim in own),
                    "printed": sum(claim.origin is Origin.PRINTED for claim in own),
                    "false": len(false),
                    "false_printed": sum(claim.origin is Origin.PRINTED for claim in false),
                }
            )
            parts = self.sheets[paper.key].parts.values() if paper.key in self.sheets else ()
            errata = [one for part in parts for one in part if one.claim.id in self.atlas.claims]
            # A false theorem first; then what is printed before what is known at second hand.
            for one in sorted(errata, key=lambda one: one.defect.kind is not Kind.THEOREM)[:GRAVEST]:
                statement = place_of(one.claim.where).statement
                href = theorem_page(paper, statement) if statement else address(one.claim)
                # Without the label of its source: who looks at the front page reads the paper, not its LaTeX.
                where = re.sub(r" \((?:thm|lem|prop)[^)]*\)", "", one.where)
                gravest.append({"paper": paper.key, "where": where, "kind": one.defect.kind.value, "href": href})
        yield (
            "index.html",
            self.render(
                "index.html",
                "",
                groups=by_paper,
                filters={name: sorted(values) for name, values in filters.items()},
                standings=list(dict.fromkeys(row["search"]["standing"] for row in rows)),
                sections=sections,
                counts=counts,
                gravest=gravest,
                sheets=self.sheets,
                is_open=len(rows) <= FEW,
            ),
        )

    def _row(self, claim: Claim) -> dict[str, Any]:
        """A claim as the front page lists it; `search` is what its search knows of it, as plain data."""
        evidence, pictures = self.atlas.evidence[claim.id], self.atlas.pictures[claim.id]
        words = ""
        if _is_judged_by_runs(claim):
            told = [one.word for _, readings in compared(claim) for one in readings]
            run = [word for word in told if word is not Word.NOT_RECORDED]
            borne = sum(word is Word.BORNE_OUT for word in run)
            words = f"{borne} of {len(run)} comparisons borne out" if run else "not recorded" if told else ""
        shown = [picture.note for picture in pictures if not picture.dropped]
        proved = (one.text for one in evidence.proved)
        texts = (claim.id, *claim.refs, claim.where, claim.statement, claim.note, *shown, *proved)
        search = {
            "paper": visible(claim.paper.key),
            "section": visible(f"{claim.paper.key}: {place_of(claim.where).section}"),
            "standing": claim.standing_word,
            "origin": claim.origin.value,
            "where": visible(claim.where.lower()),
            "form": list(dict.fromkeys(one.form.value for one in claim.conclusions)),
            "how-decided": evidence.decided_by,
            "proved-sizes": evidence.proved_sizes,
            # Apart from what the statement says of itself: words that only its explanation has find it last.
            "search": visible(" ".join(texts).lower()),
            "explanation": visible(" ".join(explanation(claim).lower().split())),
            "statement": _typeset(claim.statement),
            "note": _typeset(claim.note) if claim.standing is Standing.FALSE else "",
            "erratum": self.errata.get(claim.id, ""),
            "pictures": len(pictures),
            "hand": claim.hand is not None,
            "severity": precedence(claim)[-1],
        }
        return {"claim": claim, "href": address(claim), "words": words, "search": search}

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
        # A group without a statement is a section: it stands on the paper's page alone.
        theorems = {name: members for name, members in groups.items() if place_of(members[0].where).statement}
        numbered = {name: f"{slug(name)}/index.html" for name in theorems}
        stated = []
        for one in coverage(paper.key) if paper.key in PAPERS else ():
            present = [claim for claim in one.claims if claim.id in self.atlas.claims]
            # About the paper's own words first; which of ours comes first says nothing.
            ordered = sorted(present, key=lambda claim: claim.origin not in THEIRS)
            stated.append((one, numbered.get(place_of(one.printed).statement, ""), ordered))
        proved: list[tuple[Claim, list[tuple[Conclusion, list[str]]]]] = []
        for claim in own:
            sizes: dict[str, list[str]] = {}
            for proof in self.atlas.evidence[claim.id].proved:
                sizes.setdefault(proof.conclusion, []).append(proof.for_all)
            if sizes:
                proved.append((claim, [(one, sorted(sizes[one.name])) for one in claim.conclusions if one.name in sizes]))
        yield (
            f"{folder(paper)}/index.html",
            self.render(
                "paper.html",
                "../",
                paper=paper,
                groups=groups,
                map=Markup(theorem_map(own, self.related)),  # noqa: S704 -- our own SVG, escaped there
                stated=stated,
                covered=sum(bool(one.claims) for one, _, _ in stated),
                theirs=THEIRS,
                sheet=sheet and Markup(as_html(sheet, self._address)),  # noqa: S704 -- escaped there
                refuted=sum(claim.standing is Standing.FALSE for claim in own),
                own=own,
                proved=proved,
                notation=symbols_of(paper.key),
                numbered=numbered,
            ),
        )
        for name, members in theorems.items():
            told, entries = dict[str, str](), []
            ordered = sorted(members, key=precedence)
            for claim in ordered:
                pictures = [one for one in self.atlas.pictures[claim.id] if not one.dropped]
                entry = self._told(claim, "../../")
                # A symbol is told where it first stands on the page.
                entry["symbols"] = {name: meaning for name, meaning in entry["symbols"].items() if name not in told}
                told |= entry["symbols"]
                entry["pictures"] = pictures[:1] if claim.standing is Standing.FALSE else []
                entry |= {"more": len(pictures), "proved": self.atlas.evidence[claim.id].proved_sizes}
                entries.append(entry)
            at = theorem_page(paper, name)
            of_members = [(claim, self.atlas.evidence[claim.id]) for claim in members]
            text = self.render(
                "theorem.html",
                "../../",
                paper=paper,
                name=name,
                summary=_summary(ordered),
                entries=entries,
                errata=self.errata,
                cited=citation_of_place(name, paper, of_members, at, self.today[:4]),
            )
            yield at, text

    def _told(self, claim: Claim, root: str = "../") -> dict[str, Any]:
        """What both the page of a claim and that of its theorem say of it."""
        corrected = claim.corrected_by if claim.corrected_by in self.atlas.every else None
        beside = claim.hand.beside if claim.hand else ""
        return {
            "claim": claim,
            "told": ORIGIN_TOLD[claim.origin] if claim.source is None else OF_ONES_OWN,
            "symbols": symbols_in(claim),
            "by_hand": [Markup(html(line)) for line in lines_of(claim)] if claim.hand else [],  # noqa: S704 -- escaped there
            "beside": Markup(html(beside)),  # noqa: S704 -- escaped there
            "correction": self._link(corrected, root) if corrected else None,
            "refutation": self._counterexample(claim, self.atlas.evidence[claim.id].refutation),
        }

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
        at, place = order.index(claim.id), place_of(claim.where)
        pictures = self.atlas.pictures[claim.id]
        relations = (
            ("corrects", related.corrects),
            ("takes a formula from", related.uses),
            ("its formula is taken by", related.used_by),
            ("same label", related.same_label),
        )
        text = self.render(
            "claim.html",
            "../",
            **self._told(claim),
            place=place,
            longest=LONGEST_COMMAND,
            theorem=theorem_page(claim.paper, place.statement).split("/", 1)[1] if place.statement else "",
            passages=lines_of_claim(claim),
            revision=self.atlas.revision if claim.source is None else "",
            cited=citation_of(claim, evidence, address(claim), self.today[:4]),
            is_quoted=claim.origin is Origin.PRINTED,
            is_false=claim.standing is Standing.FALSE,
            kind=kind_of(claim),
            assumptions=[_chip(claim, one, evidence) for one in claim.every_assumption()],
            matrix=_matrix(claim, evidence),
            pictures=[one for one in pictures if not one.dropped],
            without=[
                (self._counterexample(claim, one), [picture for picture in pictures if picture.source.file == one.name])
                for one in evidence.certificates
                if one.dropped
            ],
            evidence=evidence,
            experiments=_experiments(claim, evidence),
            brackets=_brackets(claim),
            words={word: word.meaning for word in Word},
            level=f"{100 * LEVEL:g}",
            questions=COMPARISONS,
            shown=f"{100 * SHOWN:g}",
            related=[(name, [self._link(one) for one in ids]) for name, ids in relations if ids],
            code=_visible_lines(source_of(claim)),
            file=f"{claim.module.replace('.', '/')}.py" if claim.source is None else Path(claim.file or claim.id).name,
            before=self._link(order[at - 1]) if at else None,
            after=self._link(order[at + 1]) if at + 1 < len(order) else None,
        )
        yield address(claim), text

    def _counterexample(self, claim: Claim, certificate: Certificate | None) -> dict[str, Any] | None:
        if certificate is None:
            return None
        key = claim.id, certificate.name  # a user's certificate may have the name of a published one
        if key in self.shown:
            return self.shown[key]
        data, violation = certificate.data, certificate.data["violation"]
        text = json.dumps(data["instance"], separators=(",", ":"))
        file = f"certificates/{certificate.name}"
        replay = f"'{text}'" if len(text) <= LONGEST_COMMAND else file
        lower, upper = violation["slack"]["lower"], violation["slack"]["upper"]
        is_short = lower == upper and len(lower) <= LONGEST_SIZE
        instance = _short(claim, data["instance"])
        self.shown[key] = {
            "certificate": certificate,
            "anchor": f"without-{slug(certificate.name)}" if certificate.dropped else "counterexample",
            "file": f"../{file}",
            "instance": instance,
            "at": instance if sum(len(name) + len(value) for name, value in instance) <= LONGEST_PLACE else [],
            "slack": lower if lower == upper else f"between {lower} and {upper}",
            # Rounded outward: what is told in few digits must enclose what is certified.
            "size": lower if is_short else f"between {outward(lower, -1, 4)} and {outward(upper, 1, 4)}",
            "commands": [
                f"claims check {file}",
                f"claims check --published {claim.id}",
                f"claims verify {claim.named} --instance {replay}",
                data["command"],
            ],
        }
        return self.shown[key]


def _is_judged_by_runs(claim: Claim) -> bool:
    """Whether the record of trained runs says something of it: of a user's own claim it knows nothing."""
    return claim.standing is Standing.EMPIRICAL and claim.source is None


def _brackets(claim: Claim) -> dict[str, list[tuple[str, str, str, Markup]]]:
    """By conclusion what is known of each constant: its name and value, in words, and as a picture."""
    found: dict[str, list[tuple[str, str, str, Markup]]] = {}
    known = brackets_of(claim.id) if claim.source is None else {}
    for k, ((conclusion, name), entry) in enumerate(known.items()):
        picture = bracket_picture(entry)
        drawn = Markup(figure(picture, f"constant-{k}")) if picture else Markup("")  # noqa: S704 -- written by svg
        found.setdefault(conclusion, []).append((name, entry["value"], bracket_in_words(entry), drawn))
    return found


def _experiments(claim: Claim, evidence: Evidence) -> list[tuple[Conclusion, list[dict[str, Any]], str]]:
    """Of an empirical claim each experiment with its comparisons, from the record, and what a run adds to them."""
    if not _is_judged_by_runs(claim):
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
        # The record goes before the run that gave the verdicts: its runs are many, and the same for every reader.
        of_a_run = told.get(conclusion.name, ()) if not readings else ()
        rows += [{**one, "samples": {}} for one in of_a_run]
        note = "Trained in the run that gave the verdicts." if of_a_run else ""
        note = note if rows else f"Not in the record: trained while you wait by claims verify {claim.id}."
        found.append((conclusion, rows, note))
    return found


def _chip(claim: Claim, assumption: Assumption, evidence: Evidence) -> dict[str, Any]:
    """An assumption with what is known of its necessity, all conclusions together."""
    found = [entry for entry in evidence.entries if entry.get("dropped") == [assumption.name]]
    needed = [entry for entry in found if entry.get("counterexample")]
    starts = sum(entry["starts"] for entry in found if "open" not in entry)
    if needed:
        # A false statement fails with the assumption as well: then it is not what its truth needs.
        word, state = ("needed" if claim.standing is Standing.TRUE else "violated without it"), "needed"
    elif any(entry.get("open") == NOT_CERTIFIED for entry in found):
        word, state = f"without it {NOT_CERTIFIED}", "unknown"
    elif starts:
        word, state = f"not seen needed in {starts} starts", "unneeded"
    elif assumption.violate is None:
        word, state = "this suite has no way to break it" if claim.source is None else "no violate= breaks it", "fixed"
    elif found:
        word, state = f"hunted without it: {' or '.join(sorted({entry['open'] for entry in found}))}", "unknown"
    else:
        word, state = "not hunted without it", "unknown"
    smallest = min(needed, key=lambda entry: len(json.dumps(entry["counterexample"]["instance"])), default=None)
    without = (one for one in evidence.certificates if one.dropped == (assumption.name,))
    return {
        "assumption": assumption,
        "word": word,
        "state": state,
        "shown": smallest and _short(claim, smallest["counterexample"]["instance"]),
        "conclusion": smallest and smallest["conclusion"],
        "slack": smallest and smallest["counterexample"]["slack"],
        "anchor": next((f"without-{slug(one.name)}" for one in without), ""),
    }


def _matrix(claim: Claim, evidence: Evidence) -> list[tuple[Assumption, list[dict[str, str]]]]:
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
    # A table in which nothing was found would only repeat the chips above it.
    return rows if any(cell["state"] in ("needed", "unneeded") for _, cells in rows for cell in cells) else []


def _summary(claims: Sequence[Claim]) -> str:
    """How many claims about a numbered statement are about the paper's own words, and how they stand."""
    theirs = [claim for claim in claims if claim.origin in THEIRS]
    words = [claim.standing_word for claim in theirs]
    text = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
    others = len(claims) - len(theirs)
    beyond = f"{others} carried over from elsewhere or of ours" if others else ""
    return f"Of the paper's own words about it: {text or 'none'}{'; ' if beyond else ''}{beyond}."


def _short(claim: Claim, instance: dict[str, Any]) -> list[tuple[str, str]]:
    """The arrays of an instance that are not what they are by default, as people write them."""
    return [(name, number_text(value)) for name, value in spoken(claim, instance).items()]
