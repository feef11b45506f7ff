"""A sheet as LaTeX, Markdown or HTML. All three are written from the same prose, whose formulas are TeX between dollars."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape

from latex2mathml.converter import convert

from claims.atlas.sheets.sheet import Row, Sheet
from claims.atlas.sheets.typed import formulas
from claims.stating.defects import Consequence, Kind
from claims.stating.plain_text import visible
from claims.stating.statement import Claim, Origin, Standing

PARTS = {
    "A": ("Statements as printed", "The words are quoted from {}."),
    "B": (
        "At second hand: please check against your text",
        (
            "We know these statements from abstracts, talks and reports, mostly in other words than yours; where a "
            "report or our reconstruction of a definition is wrong, so is the row."
        ),
    ),
}
INTEREST = "What may interest you"

QUOTED = {
    "clusters": (
        "the slides of a talk on ",
        "the slides of a talk on the paper, whose Theorems 1, 2, 3 and 4 are its Theorems 2.1, 3.1, 4.2 and 5.2",
    ),
    "frank_wolfe": ("the abstract of ", "the abstract of version 1"),
}
"""Where the printed words of a paper are not from its text, what they are from: before its title, and alone."""

_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%",
    "#": r"\#", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "≥": r"$\ge$",
}  # fmt: skip

_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage{lmodern,amsmath,amssymb}
\usepackage[margin=1.4cm]{geometry}
\setlength{\parindent}{0pt}\setlength{\parskip}{2pt}\lineskiplimit1pt\lineskip2pt
\sloppy
\makeatletter\def\@listi{\leftmargin\leftmargini\parsep0pt\itemsep0pt\topsep0pt\partopsep0pt}\let\@listI\@listi\@beginparpenalty10000\makeatother
\newcommand{\row}[3]{\smallskip\textbf{#1}\quad\textbf{#2}\hfill\emph{#3}\par\nobreak}
"""


def latex(prose: str) -> str:
    """Prose as LaTeX."""
    return "".join(f"${part}$" if is_formula else _tex(part) for is_formula, part in formulas(prose))


def _tex(text: str) -> str:
    # TeX has an opening and a closing sign; an apostrophe within a word is neither.
    quoted = re.sub(r"(?<!\w)'([^']*)'(?!\w)", r"`\1'", visible(text))
    quoted = re.sub(r'"([^"]*)"', r"``\1''", quoted).replace("“", "``").replace("”", "''")
    # Sign by sign: what stands for a backslash has braces, which a second pass would escape again.
    return "".join(_TEX.get(sign, sign) for sign in quoted)


def html(prose: str) -> str:
    """Prose as HTML, with formulas in MathML."""
    return "".join(
        " ".join(map(_mathml, _between_relations(part))) if is_formula else escape(visible(part))
        for is_formula, part in formulas(prose)
    )


_RELATION = re.compile(r" (?=(?:=|<|>|\\le|\\ge|\\to|\\sim)(?![a-z]))")

SHORT = 60
"""Characters of a formula that a narrow page holds on one line."""


def _between_relations(formula: str) -> list[str]:
    """A long formula in parts, each after the first with its relation: browsers break no line within a formula."""
    if len(formula) <= SHORT:
        return [formula]
    found = [""]
    for part in _RELATION.split(formula):
        # Each part is converted alone: one that opens a group must also close it.
        whole = found[-1].count("{") == found[-1].count("}") and found[-1].count(r"\left") == found[-1].count(r"\right")
        if found[-1] and whole:
            found.append(part)
        else:
            found[-1] = f"{found[-1]} {part}".strip()
    return found


_FUNCTION = r"\\(?:log|exp|tanh|arccos)(?![a-z])"
_BAR, _SIGN = '<mo stretchy="false">&#x0007C;</mo>', "<mo>(&#x02212;|&#x0002B;)</mo>"
_SYMBOLS = re.compile("<mo>(&#x0221E;|&#x02202;)</mo>")
"""Infinity and the boundary, which the converter takes for operators."""
_OPENING = re.compile(rf"(<mo[^>]*>(?!&#x(?:00029|0005D|0007D|0007C|027E9);)[^<]*</mo>){_SIGN}")
"""A minus or plus that is a sign: it follows an operator which closes nothing."""
_EXTREME = re.compile("<mo>(max|min)</mo>")


def _mathml(formula: str) -> str:
    """A formula in MathML as browsers know it: without styles of letters and with the spaces of TeX."""
    # Of a bare letter the converter makes a style, which browsers do not show; of one in braces the character itself.
    braced = re.sub(r"\\(mathbb|mathcal) (\w)", r"\\\1{\2}", formula)
    # TeX puts a thin space on each side of a function, none before a bracket; in MathML its name is a letter like others.
    spaced = re.sub(rf"(?<=[\w}})]) ?({_FUNCTION})", r"\\,\1", braced)
    spaced = re.sub(rf"({_FUNCTION})(?! ?(?:\(|\\big|\\Big))", r"\1\\,", spaced)
    made: str = _SYMBOLS.sub(r"<mi>\1</mi>", convert(spaced).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', ""))
    # A bar is no operator between numbers: browsers would space it like one.
    made = made.replace(_BAR, _BAR.replace("<mo ", '<mo lspace="0" rspace="0" '))
    # The converter takes both relations for letters, and writes the ASCII tilde, which stands too high.
    made = made.replace("<mi>:</mi>", "<mo>:</mo>").replace("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>")
    made = _EXTREME.sub(r'<mo lspace="0" rspace="0.167em">\1</mo>', made)
    return _OPENING.sub(r'\1<mo form="prefix">\2</mo>', made)


# ---------------------------------------------------------------------------------------------------------------------
# What is said


def titled(sheet: Sheet) -> str:
    """The title of the paper, without what the suite checks along with it."""
    # Authors know their title; what stands in brackets behind it is the suite's own.
    return sheet.paper.title.partition(" (with ")[0]


def told_of(part: str, sheet: Sheet) -> tuple[str, str]:
    """The title of a part, and what is said of it."""
    title, told = PARTS[part]
    return title, told.format(QUOTED.get(sheet.paper.key, ("", "the text"))[1])


def cover(sheet: Sheet) -> list[str]:
    """The paragraphs before the rows: first of all what was checked, and what stands."""
    counts = sheet.standing
    printed, reported = sum(counts[Origin.PRINTED].values()), sum(counts[Origin.REPORTED].values())
    of = {standing: sum(counts[origin][standing] for origin in counts) for standing in Standing}
    rows = [row for part in sheet.parts.values() for row in part]
    lost = [f"{one.where} ({row.number})" for row in rows for one in row.defect.consequences if not one.survives]
    misprints = sum(row.defect.kind is Kind.MISPRINT for row in rows)
    title = f'"{titled(sheet)}" (arXiv {sheet.paper.arxiv})'
    checked = []
    # The title is told once, with what comes first.
    if printed:
        checked.append(f"{printed} statements quoted from {QUOTED.get(sheet.paper.key, ('', ''))[0]}{title}")
        checked += [f"{reported} known to us from reports of the paper"] if reported else []
    elif reported:
        checked.append(f"{reported} statements known from reports of {title}")
    others = sorted({one for place in sheet.stands for one in re.findall(r"\b\d{4}\.\d{5}\b", place)})
    sources = " and ".join(checked) + "".join(f" and of arXiv {one}, on which it builds" for one in others)
    text = (
        f"We have checked {sources}. Each was written as a small program and decided on many instances, in exact"
        " rationals or with certified error bounds."
    )
    # A letter to authors begins with what they may keep.
    stand = f"{of[Standing.TRUE]} of them stand: we found no violation"
    stand += (
        f", and for {sheet.proved} a computer proof covers all real inputs of some small size." if sheet.proved else "."
    )
    words = {
        Standing.OPEN: "undecided",
        Standing.EMPIRICAL: "about trained models and compared with experiments",
        Standing.NOT_YET: "not checked yet",
    }
    not_decided = [f"{of[standing]} {word}" for standing, word in words.items() if of[standing]]
    stand += f" ({', '.join(not_decided)}.)" if not_decided else ""
    if not rows:
        return [text, stand]
    false = (
        f" {of[Standing.FALSE]} do not hold as worded. They make up the {len(rows)} rows below"
        + (f", {misprints} of which are misprints" if misprints else "")
        + ", the gravest first in each part, each with a counterexample to check by hand and with what holds instead."
    )
    if lost:
        false += f" What rests on them survives, except for this, which needs a new form or argument: {', '.join(lost)}."
    else:
        false += " As far as we can see, everything else that rests on them survives."
    return [text, stand + false]


# An unnumbered place, such as "abstract", says little beside numbered ones, and the list is long enough.
_NUMBERED = re.compile(r"\b(Theorem|Lemma|Proposition|Property|Remark|Corollary|equations?|Figure|figure) ")


def standing_places(sheet: Sheet) -> str:
    """The places of the statements that stand, in the order of the paper: the numbered ones, where there are any."""
    places = "; ".join([place for place in sheet.stands if _NUMBERED.search(place)] or sheet.stands)
    return places.replace(">=", "≥")


def quoted(row: Row) -> str:
    """The quotation as it is shown."""
    # What is known from reports is told in words of others: marks would make a quotation of them.
    return f"“{row.defect.quotation}”" if row.claim.origin is Origin.PRINTED else row.defect.quotation


def how_checked(row: Row) -> str:
    """How a row was checked, and its correction."""
    by = "proved in Coq" if row.in_coq else "rechecked independently"
    told = [f"Counterexample {row.known}, {by}" if row.known else "Counterexample by the lines above"]
    if proved := sizes_proved(row.proved):
        told.append(f"correction proved by computer for all real inputs with {proved}")
    elif row.correction is not None:
        told.append("correction true in all cases decided, not proved")
    return "; ".join(told) + "."


_SIZES = re.compile(r"(?:starts and all t > 0, )?((?:[ndp] = \d+(?:, |$))+)")


def sizes_proved(proved: Iterable[str]) -> str:
    """The sizes in n, d and p of which something is proved, in TeX; "" where all proofs are of more special inputs."""
    found = sorted({match[1] for one in proved if (match := _SIZES.fullmatch(one.removesuffix(", rule = 0")))})
    return ", or ".join(f"${size}$" for size in found)


def consequence(one: Consequence) -> tuple[str, str]:
    """What becomes of a consequence, and the words on it."""
    return "Survives:" if one.survives else "Does not survive as stated:", f"{one.where}. {one.why}"


# ---------------------------------------------------------------------------------------------------------------------
# The three forms


def as_latex(sheet: Sheet) -> str:
    """The sheet as a LaTeX document."""
    lines = [_PREAMBLE, r"\begin{document}", rf"\section*{{\raggedright Remarks on {_tex(titled(sheet))}}}"]
    lines += [f"{latex(paragraph)}\n" for paragraph in cover(sheet)]
    if sheet.stands:
        lines.append(rf"{{\footnotesize \textbf{{What stands.}} {latex(standing_places(sheet))}.\par}}")
    for part, rows in sheet.parts.items():
        if rows:
            title, told = told_of(part, sheet)
            lines += [rf"\subsection*{{{part}. {_tex(title)}}}", rf"{{\small {_tex(told)}\par}}"]
        for row in rows:
            defect = row.defect
            lines += [
                rf"\row{{{row.number}}}{{{latex(row.where)}}}{{{_tex(defect.kind.value)}}}",
                rf"\begin{{quote}}\raggedright {latex(quoted(row))}\par {{\small {latex(defect.context)}}}\end{{quote}}",
                *([rf"\emph{{Reading.}} {latex(defect.reading)}\par"] if defect.reading else []),
                rf"\emph{{What is wrong.}} {latex(defect.wrong)}\begin{{enumerate}}",
                *(rf"\item {latex(line)}" for line in row.lines),
                r"\end{enumerate}",
                rf"\emph{{Correct.}} {latex(defect.correction)}",
                *(rf"\emph{{{fate}}} {latex(words)}" for fate, words in map(consequence, defect.consequences)),
                r"\par",
                rf"{{\footnotesize\raggedright {latex(how_checked(row))} \texttt{{{_tex(row.claim.id)}}}\par}}",
            ]
    if sheet.interest:
        lines += [rf"\subsection*{{{_tex(INTEREST)}}}", r"\begin{itemize}\small\raggedright"]
        lines += [rf"\item {latex(told)} \texttt{{{_tex(claim.id)}}}" for claim, told in sheet.interest]
        lines.append(r"\end{itemize}")
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def row_as_markdown(row: Row) -> list[str]:
    """The lines on one false sentence in Markdown."""
    return [
        f"### {row.number} {row.where} ({row.defect.kind})",
        "",
        f"> {quoted(row)}",
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
        *(f"*{fate}* {words}\n" for fate, words in map(consequence, row.defect.consequences)),
        f"{how_checked(row)} `{row.claim.id}`",
        "",
    ]


def as_markdown(sheet: Sheet) -> str:
    """The sheet in Markdown."""
    lines = [f"# Remarks on {titled(sheet)}", "", *(f"{paragraph}\n" for paragraph in cover(sheet))]
    if sheet.stands:
        lines += [f"**What stands.** {standing_places(sheet)}.", ""]
    for part, rows in sheet.parts.items():
        if rows:
            title, told = told_of(part, sheet)
            lines += [f"## {part}. {title}", "", told, ""]
        for row in rows:
            lines += row_as_markdown(row)
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
            title, told = told_of(part, sheet)
            lines += [f"<h3>{part}. {escape(title)}</h3>", f"<p>{escape(told)}</p>"]
        for row in rows:
            lines += [
                f'<article class="erratum" id="{row.number}" tabindex="0">',
                f"<h4>{row.number} {html(row.where)} <small>{escape(row.defect.kind)}</small></h4>",
                f"<blockquote><p>{html(quoted(row))}</p><p><small>{html(row.defect.context)}</small></p></blockquote>",
                *([f"<p><em>Reading.</em> {html(row.defect.reading)}</p>"] if row.defect.reading else []),
                f"<p><em>What is wrong.</em> {html(row.defect.wrong)}</p>",
                "<p><em>By hand.</em></p><ol>",
                *(f"<li>{html(line)}</li>" for line in row.lines),
                f"</ol><p><em>Correct.</em> {html(row.defect.correction)}</p>",
                *(f"<p><em>{fate}</em> {html(words)}</p>" for fate, words in map(consequence, row.defect.consequences)),
                f"<p><small>{html(how_checked(row))} {', '.join(_named(claim, link) for claim in row.claims)}</small></p>",
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
    # Style and all in one file: it is to be readable wherever it is sent.
    title = escape(f"Remarks on {titled(sheet)}")
    style = (
        "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 serif;color-scheme:light dark}"
        "blockquote{border-left:3px solid;margin-left:0;padding-left:1rem}h4 small{float:right;font-weight:normal}"
    )
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{style}</style></head>\n'
        f"<body><h1>{title}</h1>\n{as_html(sheet)}</body></html>\n"
    )
