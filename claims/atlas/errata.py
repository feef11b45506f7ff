"""The errata of a paper, ready to be sent to its authors: statement, smallest counterexample, correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from claims.certificates.published import certificate_of, name_of
from claims.plain_text import visible
from claims.statement import Claim, Origin, Standing

MOST_ENTRIES = 8
"""Longer lists are shown by their first entries and their length."""


@dataclass(frozen=True)
class Erratum:
    """A false statement with its smallest counterexample and what is true instead."""

    claim: Claim
    certificate: dict[str, Any] | None
    correction: Claim | None

    @property
    def where(self) -> str:
        """Where it is printed, or what it is about."""
        return self.claim.where or ", ".join(self.claim.refs)

    @property
    def counterexample(self) -> str:
        """The instance as one writes it, without the arrays that are left out by default."""
        if self.certificate is None:
            return f"claims verify {self.claim.id}"
        instance = self.certificate["instance"]
        return ", ".join(f"{name} = {written(value)}" for name, value in spoken(self.claim, instance).items())

    @property
    def slack(self) -> str:
        """What is violated there, and by how much."""
        if self.certificate is None:
            return ""
        violation, conclusion = self.certificate["violation"], self.certificate["conclusion"]
        lower, upper = violation["slack"]["lower"], violation["slack"]["upper"]
        value = lower if lower == upper else f"between {lower} and {upper}"
        when = "".join(f" at time {time}" for time in violation["times"])
        return f"{conclusion['name']} must be {conclusion['relation']}; it is {value}{when} ({violation['known']})"


def errata(claims: Sequence[Claim], known: dict[str, Claim]) -> list[Erratum]:
    """The false statements among the claims: printed ones first, ours last."""
    false = [claim for claim in claims if claim.standing is Standing.FALSE]
    ordered = sorted(false, key=lambda claim: list(Origin).index(claim.origin))
    return [
        Erratum(
            claim,
            None if claim.source is not None else certificate_of(name_of(claim.id, ())),
            known.get(claim.corrected_by or ""),
        )
        for claim in ordered
    ]


def spoken(claim: Claim, instance: dict[str, Any]) -> dict[str, Any]:
    """The arrays of an instance, without its system and without those that are what they are by default."""
    given = {name: value for name, value in instance.items() if name != "system"}
    if instance.get("system") != claim.system.__name__:
        return given
    for name, declared in claim.system.fields().items():
        others = {other: value for other, value in given.items() if other != name}
        if name in given and declared.default is not None and _means(claim, others, instance):
            given = others
    return given


def _means(claim: Claim, given: dict[str, Any], instance: dict[str, Any]) -> bool:
    """Whether what is given means the instance."""
    try:
        return claim.system.instance(**given).to_json() == instance
    except ValueError:
        return False  # the default does not go with the rest


def written(value: Any) -> str:
    """Numbers and nested lists as people write them."""
    if not isinstance(value, list):
        return str(value)
    if len(value) == 1:
        return written(value[0])  # tokens on a line, a matrix of one entry
    shown = [written(entry) for entry in value[:MOST_ENTRIES]]
    more = f", ... ({len(value)} entries)" if len(value) > MOST_ENTRIES else ""
    return f"({', '.join(shown)}{more})"


def as_markdown(title: str, rows: Sequence[Erratum]) -> str:
    """The table in Markdown."""
    lines = [
        f"# Errata: {title}",
        "",
        "| statement | standing | counterexample | decided | correct instead |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        correct = f"{row.correction.statement} (`{row.correction.id}`)" if row.correction else ""
        cells = (
            f"{row.where}: {row.claim.statement}" + (f" -- {row.claim.note}" if row.claim.note else ""),
            f"{row.claim.standing_word} ({row.claim.origin})",
            row.counterexample,
            row.slack,
            correct,
        )
        lines.append("| " + " | ".join(_cell(text) for text in cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    escaped = (
        visible(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "\\<").replace("*", "\\*").replace("_", "\\_")
    )
    return " ".join(escaped.split())


_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%",
    "$": r"\$", "#": r"\#", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip


def as_latex(title: str, rows: Sequence[Erratum]) -> str:
    """The table as a LaTeX document, statements as they are typed."""
    head = [
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage[margin=2cm,landscape]{geometry}",
        r"\usepackage{longtable}",
        r"\begin{document}",
        rf"\section*{{Errata: {_tex(title)}}}",
        r"\begin{longtable}{p{0.36\linewidth}p{0.28\linewidth}p{0.28\linewidth}}",
        r"\textbf{statement} & \textbf{counterexample} & \textbf{correct instead} \\ \hline \endhead",
    ]
    for row in rows:
        statement = rf"\textbf{{{_tex(row.where)}}} ({_tex(row.claim.standing_word)}): {_tex(row.claim.statement)}"
        if row.claim.note:
            statement += rf" \emph{{{_tex(row.claim.note)}}}"
        example = _tex(row.counterexample) + (rf"; {_tex(row.slack)}" if row.slack else "")
        correct = _tex(row.correction.statement) if row.correction else ""
        head.append(rf"{statement} & \raggedright {example} & {correct} \\ \hline")
    return "\n".join([*head, r"\end{longtable}", r"\end{document}"]) + "\n"


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in visible(text))
