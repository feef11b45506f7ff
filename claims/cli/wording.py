"""Instances, slacks, verdicts and violations in words."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from claims.certificates.published import certificate_of, name_of
from claims.stating.experiments import Word
from claims.stating.plain_text import one_line
from claims.stating.statement import Claim, Form, instance_text, replay_command
from dynamics.decimals import shortened

if TYPE_CHECKING:
    from claims.verifying.tallies import Tally  # who only shows a claim decides nothing

LONGEST_REPLAY = 600
"""Instances of up to this many characters are printed for pasting; longer ones are in the JSON file."""

BORNE_OUT = {True: ("borne out", "green"), False: ("NOT BORNE OUT", "bold red"), None: ("nothing to check", "dim")}


WORDS = {
    Word.BORNE_OUT: "green",
    Word.CONTRADICTED: "red",
    Word.ELSEWHERE: "red",
    Word.NOT_CARRIED: "red",
    Word.BY_THRESHOLD: "yellow",
    Word.NOT_TOLD: "yellow",
    Word.NO_ROOM: "yellow",
    Word.TOO_FEW: "yellow",
    Word.NOT_RECORDED: "dim",
}
"""Styles for what experiments on trained models say of a printed comparison."""


def assigned(instance: dict[str, Any]) -> str:
    """An instance on one line, array by array."""
    parts = (f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in instance.items() if key != "system")
    return " ".join(parts).replace('"', "")


def compact(instance: dict[str, Any], longest: int) -> str:
    """An instance on one line of at most `longest` characters."""
    text = assigned(instance)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def brief(slack: str | None, *, at_most: bool = False) -> str:
    """A slack to four digits that it certainly has, or is `at_most` in size; short rationals as they are."""
    # Of a rational no digit may be dropped: cut off it would be another number.
    if slack is None or len(slack) <= 9 or "/" in slack:
        return slack or ""
    return shortened(slack, 4, at_most=at_most)


def brief_of(tally: Tally, *, violated_first: bool = False) -> str:
    """The slack that a table shows of a tally: the tightest or that of the violation, whichever there is."""
    # The tightest slack of an identity is a bound of what its sides may differ by: rounded down it would promise more.
    both = (tally.tightest, tally.violation)
    shown = next((one for one in (both[::-1] if violated_first else both) if one), {"slack": None})
    return brief(shown["slack"], at_most=tally.form == Form.IDENTITY and shown is tally.tightest)


def how_decided(tally: Tally) -> str:
    """The number of verdicts for each way in which they are known."""
    return ", ".join(f"{count} {known}" for known, count in sorted(tally.decided_by.items()))


def verdict_text(tally: Tally) -> Text:
    """The counts of each outcome, coloured; of an experiment on trained models, of each word."""
    if tally.readings:
        words = Counter(reading["word"] for reading in tally.readings)
        return Text(", ").join(Text(f"{words[word]} {word}", WORDS[word]) for word in Word if words[word])
    parts = [
        (tally.violated, "VIOLATED", "red"),
        (tally.holds, "survived", "green"),
        (tally.undecided, "UNDECIDED", "yellow"),
        (tally.vacuous, "vacuous", "dim"),
    ]
    text = Text("failed", "bold red") if tally.error else Text()
    for count, word, style in parts:
        if count:
            text.append(f"{', ' if text else ''}{word} {count}", style)
    return text


def print_violation(console: Console, claim: Claim, name: str, violation: dict[str, Any]) -> None:
    """The slack of a violating instance, and a command that replays it."""
    how = ", ".join(filter(None, (violation["known"], violation["reason"])))
    console.print(Text(f"  {name} = {violation['slack']}, {one_line(how)}"))
    print_replay(console, claim.named, violation["instance"])


def published_violation(claim: Claim) -> tuple[str, dict[str, Any]] | None:
    """The conclusion that the published counterexample of a claim violates, and the violation; None where there is none."""
    # A file of one's own may have the name of a claim of the suite, of which something else is published.
    found = certificate_of(name_of(claim.id, ())) if claim.source is None else None
    if found is None:
        return None
    violation = found["violation"]
    reason = ", ".join([*(f"at time {time}" for time in violation["times"]), "the published counterexample"])
    slack, known = brief(violation["slack"]["lower"]), violation["known"]
    return found["conclusion"]["name"], {"slack": slack, "known": known, "reason": reason, "instance": found["instance"]}


def print_objection(console: Console, claim: Claim, name: str, objection: dict[str, Any]) -> None:
    """Where mpmath finds a number outside of its ball: one of the two is wrong."""
    console.print(Text(f"MPMATH OBJECTS: {claim.id}.{name}: {one_line(objection['told'])}", "bold red"), soft_wrap=True)
    print_replay(console, claim.named, objection["instance"])


def print_replay(
    console: Console,
    named: str,
    instance: dict[str, Any],
    if_long: str = "an instance of {} characters: run with --json FILE to keep it",
) -> None:
    """A command that decides what is `named` on the instance again, where anything is; of a long one, where it is kept."""
    text = instance_text(instance)
    # Shells and screens bear no line of any length; what is too long to be pasted is no help on the screen.
    if len(text) > LONGEST_REPLAY:
        text = if_long.format(len(text))
    elif named:
        text = replay_command(named, instance)
    if text:
        console.print(Text(f"    {text}"), soft_wrap=True)
