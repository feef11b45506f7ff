"""A sheet as LaTeX, Markdown or HTML. All three are written from the same prose, whose formulas are TeX between dollars."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

from latex2mathml.converter import convert

from claims.defects import Consequence
from claims.plain_text import visible
from claims.sheets.sheet import Row, Sheet
from claims.statement import Claim, Origin, Standing

PARTS = {
    "A": ("Statements as printed", "The words are quoted from the text."),
    "B": ("At second hand: please check against your text", "Known from reports; where a report is wrong, so is the row."),
}
INTEREST = "What may interest you"

_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%",
    "#": r"\#", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip

_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage{lmodern,amsmath,amssymb}
\usepackage[margin=2.2cm]{geometry}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}
\sloppy
\newcommand{\close}{\setlength{\itemsep}{0pt}\setlength{\parsep}{0pt}\setlength{\topsep}{0pt}}
\newcommand{\row}[3]{\medskip\textbf{#1}\quad\textbf{#2}\hfill\emph{#3}\par}
"""


def formulas(prose: str) -> Iterator[tuple[bool, str]]:
    """The parts of prose: whether each is a formula, and its text. Raises ValueError where a dollar sign is left alone."""
    parts = prose.split("$")
    if len(parts) % 2 == 0:
        raise ValueError(f"a dollar sign is left alone in {prose!r}")
    for place, part in enumerate(parts):
        if part:
            yield bool(place % 2), part


def latex(prose: str) -> str:
    """Prose as LaTeX."""
    return "".join(f"${part}$" if is_formula else _tex(part) for is_formula, part in formulas(prose))


def _tex(text: str) -> str:
    quoted = re.sub(r'"([^"]*)"', r"``\1''", visible(text)).replace("“", "``").replace("”", "''")
    return "".join(_TEX.get(sign, sign) for sign in quoted)


def html(prose: str) -> str:
    """Prose as HTML, with formulas in MathML."""
    return "".join(_mathml(part) if is_formula else escape(visible(part)) for is_formula, part in formulas(prose))


def _mathml(formula: str) -> str:
    made: str = convert(formula)
    return made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


def markdown(prose: str) -> str:
    """Prose as Markdown, whose formulas GitHub and others show."""
    return prose


# ---------------------------------------------------------------------------------------------------------------------
# What is said


def cover(sheet: Sheet) -> list[str]:
    """The paragraphs before the rows: first of all what was checked, and what stands."""
    counts = sheet.standing
    printed, reported = sum(counts[Origin.PRINTED].values()), sum(counts[Origin.REPORTED].values())
    of = {standing: sum(counts[origin][standing] for origin in counts) for standing in Standing}
    rows = [row for part in sheet.parts.values() for row in part]
    lost = [one for row in rows for one in row.defect.consequences if not one.survives]
    title = f'"{sheet.paper.title}" (arXiv {sheet.paper.arxiv})'
    checked = " and ".join(
        part
        for part in (
            f"{printed} statements that we quote from the text" if printed else "",
            f"{reported} that we know from reports of it" if reported else "",
        )
        if part
    )
    told = (
        f"We have checked {checked} of {title}. Each is a small program that is decided on many exact instances, in"
        " rational or ball arithmetic, never by a tolerance."
    )
    stand = (
        f"{_number(of[Standing.TRUE])} of them stand: no violation was found"
        + (f", and {sheet.proved} of these are proved for all real inputs of small sizes" if sheet.proved else "")
        + "."
    )
    others = [
        f"{_number(of[standing]).lower()} {word}"
        for standing, word in (
            (Standing.OPEN, "we could not decide"),
            (Standing.EMPIRICAL, "are about trained models and were compared with runs"),
            (Standing.NOT_YET, "are not checked yet"),
        )
        if of[standing]
    ]
    rest = f" Of the others {', '.join(others)}." if others else ""
    false = (
        f" {_number(of[Standing.FALSE])} do not hold as they are worded; {len(rows)} rows below tell of them, the gravest"
        " first, each with a counterexample to be checked with pencil and paper and with what holds instead."
    )
    if lost:
        places = ", ".join(one.where for one in lost)
        false += f" Statements that rest on them and need a new form or a new argument: {places}."
    elif rows:
        false += " No later statement that rests on them falls."
    return [told, stand + rest + (false if rows else "")]


def _number(count: int) -> str:
    words = ("None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
    return words[count] if count < len(words) else str(count)


_NUMBERED = re.compile(r"\b(Theorem|Lemma|Proposition|Property|Remark|Corollary|equations?|Figure|figure) ")


def standing_places(sheet: Sheet) -> str:
    """The numbered places of the statements that stand, in the order of the paper."""
    return "; ".join(place for place in sheet.stands if _NUMBERED.search(place))


def checked(row: Row) -> str:
    """How a row was checked, and its correction."""
    how = {"exact": "in exact rationals", "certified": "in ball arithmetic, with certified error bounds"}
    known = " and ".join(how.get(word, word) for word in row.known.split(" and ")) if row.known else ""
    told = f"The counterexample that we publish was decided {known}, and again by an independent program." if known else ""
    if row.proved:
        told += f" The correction is proved for all real inputs with {', or '.join(row.proved)}."
    elif row.correction is not None:
        told += " The correction was decided on many instances without a violation; it is not proved here."
    return told.strip()


def consequence(one: Consequence) -> str:
    """One consequence as a sentence."""
    return f"{one.where}: {'survives' if one.survives else 'does not survive as stated'}. {one.why}"


# ---------------------------------------------------------------------------------------------------------------------
# The three forms


def as_latex(sheet: Sheet) -> str:
    """The sheet as a LaTeX document."""
    lines = [_PREAMBLE, r"\begin{document}", rf"\section*{{Remarks on {_tex(str(sheet.paper))}}}"]
    lines += [f"{latex(paragraph)}\n" for paragraph in cover(sheet)]
    if sheet.stands:
        lines.append(rf"{{\small \textbf{{What stands.}} {latex(standing_places(sheet))}.\par}}")
    for part, rows in sheet.parts.items():
        if rows:
            title, told = PARTS[part]
            lines += [rf"\section*{{{part}. {_tex(title)}}}", rf"{{\small {_tex(told)}\par}}"]
        for row in rows:
            lines += [
                rf"\row{{{row.number}}}{{{latex(row.claim.where)}}}{{{_tex(row.defect.kind.value)}}}",
                r"\begin{quote}"
                + latex(f"“{row.defect.quotation}”")
                + r"\par {\small "
                + latex(row.defect.context)
                + r"}\end{quote}",
                *([rf"\emph{{Reading.}} {latex(row.defect.reading)}\par"] if row.defect.reading else []),
                rf"\emph{{What is wrong.}} {latex(row.defect.wrong)}\par",
                r"\emph{By hand.}\begin{enumerate}\close",
                *(rf"\item {latex(line)}" for line in row.lines),
                r"\end{enumerate}",
                rf"\emph{{Correct.}} {latex(row.defect.correction)}\par",
                *(rf"\emph{{Then:}} {latex(consequence(one))}\par" for one in row.defect.consequences),
                rf"{{\footnotesize {latex(checked(row))} \texttt{{{_tex(row.claim.id)}}}\par}}",
            ]
    if sheet.interest:
        lines += [rf"\section*{{{_tex(INTEREST)}}}", r"\begin{itemize}\close"]
        lines += [rf"\item {latex(told)} \texttt{{{_tex(claim.id)}}}" for claim, told in sheet.interest]
        lines.append(r"\end{itemize}")
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def as_markdown(sheet: Sheet) -> str:
    """The sheet in Markdown."""
    lines = [f"# Remarks on {sheet.paper}", "", *(f"{markdown(paragraph)}\n" for paragraph in cover(sheet))]
    if sheet.stands:
        lines += [f"**What stands.** {standing_places(sheet)}.", ""]
    for part, rows in sheet.parts.items():
        if rows:
            lines += [f"## {part}. {PARTS[part][0]}", "", PARTS[part][1], ""]
        for row in rows:
            lines += [
                f"### {row.number} {row.claim.where} ({row.defect.kind})",
                "",
                f"> {row.defect.quotation}",
                ">",
                f"> {row.defect.context}",
                "",
                *([f"*Reading.* {row.defect.reading}", ""] if row.defect.reading else []),
                f"*What is wrong.* {row.defect.wrong}",
                "",
                "*By hand.*",
                "",
                *(f"{place}. {line}" for place, line in enumerate(row.lines, 1)),
                "",
                f"*Correct.* {row.defect.correction}",
                "",
                *(f"*Then:* {consequence(one)}\n" for one in row.defect.consequences),
                f"{checked(row)} `{row.claim.id}`",
                "",
            ]
    if sheet.interest:
        lines += [f"## {INTEREST}", "", *(f"- {told} `{claim.id}`" for claim, told in sheet.interest), ""]
    return "\n".join(lines)


Link = Callable[[Claim], str]
"""The address of a claim's page, "" where it has none."""


def as_html(sheet: Sheet, link: Link = lambda claim: "") -> str:
    """The sheet as a part of an HTML page; `link` says where the page of a claim is."""
    lines = [f"<p>{html(paragraph)}</p>" for paragraph in cover(sheet)]
    if sheet.stands:
        lines.append(f"<details><summary>What stands</summary><p>{html(standing_places(sheet))}.</p></details>")
    for part, rows in sheet.parts.items():
        if rows:
            lines += [f"<h3>{part}. {escape(PARTS[part][0])}</h3>", f"<p>{escape(PARTS[part][1])}</p>"]
        for row in rows:
            lines += [
                f'<article class="erratum" id="{row.number}">',
                f"<h4>{row.number} {html(row.claim.where)} <small>{escape(row.defect.kind)}</small></h4>",
                f"<blockquote><p>{html(row.defect.quotation)}</p><p><small>{html(row.defect.context)}</small></p></blockquote>",
                *([f"<p><em>Reading.</em> {html(row.defect.reading)}</p>"] if row.defect.reading else []),
                f"<p><em>What is wrong.</em> {html(row.defect.wrong)}</p>",
                "<p><em>By hand.</em></p><ol>",
                *(f"<li>{html(line)}</li>" for line in row.lines),
                f"</ol><p><em>Correct.</em> {html(row.defect.correction)}</p>",
                *(f"<p><em>Then:</em> {html(consequence(one))}</p>" for one in row.defect.consequences),
                f"<p><small>{html(checked(row))} {', '.join(_named(claim, link) for claim in row.claims)}</small></p>",
                "</article>",
            ]
    if sheet.interest:
        told = "".join(f"<li>{html(told)} {_named(claim, link)}</li>" for claim, told in sheet.interest)
        lines.append(f"<h3>{escape(INTEREST)}</h3><ul>{told}</ul>")
    return "\n".join(lines) + "\n"


def _named(claim: Claim, link: Link) -> str:
    address, name = link(claim), f"<code>{escape(claim.id)}</code>"
    return f'<a href="{escape(address)}">{name}</a>' if address else name


def as_page(sheet: Sheet) -> str:
    """The sheet as an HTML page of its own."""
    title = escape(f"Remarks on {sheet.paper}")
    style = (
        "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 serif;color-scheme:light dark}"
        "blockquote{border-left:3px solid;margin-left:0;padding-left:1rem}h4 small{float:right;font-weight:normal}"
    )
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{style}</style></head>\n'
        f"<body><h1>{title}</h1>\n{as_html(sheet)}</body></html>\n"
    )
