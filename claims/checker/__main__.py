"""Decide certificates again, in numbers that share no code with flint: `python -m claims.checker FILE...`.

A file says which format it has: a counterexample, or the enclosure of a trajectory.
With `--published [PATTERN]...` it checks the suite's own certificates: all, or those whose claim matches a pattern; with
`--out DIR` it writes each of them to a file.

It is a process of its own. It replaces flint by :mod:`dynamics.checker.flint_stand_in` before anything else is imported,
and refuses to import flint itself and every module that decided the certificate in the first place. So the claims, the
assumptions and the instance are the same, and what is computed from them is computed again by fractions and by mpmath's
intervals alone. Exit code 0 when every file is CONFIRMED, 1 when one is NOT CONFIRMED, 2 when one cannot be read, 3 when
something CANNOT be DECIDEd and the rest is confirmed.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from claims.certificates.format import FORMAT, MOST_DIGITS, MalformedError, as_text, check_structure, read_data
from claims.certificates.published import published
from claims.stating.patterns import UnmatchedError
from claims.stating.plain_text import one_line
from dynamics.checker.flint_stand_in import stand_in_for_flint
from dynamics.checker.trajectory_format import FORMAT as TRAJECTORY
from dynamics.checker.trajectory_format import CertificateError
from dynamics.strict_reading import UnreadableError, read_text, shown

REFUSED = (
    "flint",
    "claims.verifying",
    "claims.hunting",
    "claims.campaigns",
    "claims.mutating",
    "claims.proving",
    "claims.cli",
    "dynamics.enclosures",
    "dynamics.trusted",
    "dynamics.orbits",
    "dynamics.limits",
)
"""Packages, with all their modules, that a check cannot import. What the last two decide, the checker decides itself."""

LONGEST = 400
"""Characters printed of a file's name, of what a certificate is about, and of a reason."""

MOST_SAID = 4000
"""Characters of an error message: what it quotes of the command line may be of any length."""


class Refusal(MetaPathFinder):
    """Refuses the import of flint and of the code that decided."""

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> None:  # noqa: ARG002
        """None for a module that may be imported. Raises ImportError for one that may not."""
        if is_refused(fullname):
            raise ImportError(f"{fullname} has no part in a second check", name=fullname)


def is_refused(name: str) -> bool:
    """Whether the module is flint, or decides certificates, or lies below one that does."""
    return any(name == root or name.startswith(f"{root}.") for root in REFUSED)


def forbid_deciding_code() -> None:
    """Keep flint and the deciding code out of this process. Raises RuntimeError if some of it is already imported."""
    # The stand-ins have no file; what has one is the suite's own, and may have been used.
    present = [name for name, module in sys.modules.items() if is_refused(name) and getattr(module, "__file__", None)]
    if present:
        raise RuntimeError(f"{present[0]} is imported already: a second check needs a process of its own")
    stand_in_for_flint()
    if any(isinstance(finder, Refusal) for finder in sys.meta_path):
        return
    # Before anything of the checker imports a model, which would import what it rests on.
    sys.meta_path.insert(0, Refusal())
    from dynamics.checker.stand_ins import stand_in  # noqa: PLC0415 -- only on the numbers that stand in for flint

    stand_in()
    from dynamics.checker.models import restate  # noqa: PLC0415 -- it imports the models, which import what stands in

    restate()


def check_file(path: Path, run_source: bool) -> dict[str, Any]:
    """The finding on one file: `file`, `verdict`, `reason` and, where it could be read, what it is `about`."""
    return _finding(str(path), path, run_source)


def _finding(name: str, source: Path | dict[str, Any], run_source: bool) -> dict[str, Any]:
    finding: dict[str, Any] = {"file": name, "about": None}
    try:
        data = read_data(read_text(source)) if isinstance(source, Path) else source
        said = data.get("format") if isinstance(data, dict) else None
        # A file without a format is told what is missing by the structure of counterexamples.
        if said not in (FORMAT, TRAJECTORY, None):
            known = f"{json.dumps(FORMAT)} or {json.dumps(TRAJECTORY)}"
            return finding | {"verdict": "MALFORMED", "reason": f"format must be {known}, not {shown(said)}"}
        if said == TRAJECTORY:
            return finding | _check_trajectory(data)
        # What a finding is about is quoted from the file, so it must be well-formed first.
        check_structure(data)
        finding["about"] = _about(data)
        return finding | _check_counterexample(data, run_source)
    except (MalformedError, CertificateError) as error:
        return finding | {"verdict": "MALFORMED", "reason": str(error)}
    except UnreadableError as error:
        return finding | {"verdict": "MALFORMED", "reason": f"this {error}"}
    except OSError as error:
        return finding | {"verdict": "MALFORMED", "reason": f"cannot be read: {error.strerror}"}


def _check_counterexample(data: dict[str, Any], run_source: bool) -> dict[str, Any]:
    from claims.checker.recheck import check_certificate  # noqa: PLC0415 -- only after flint is kept out
    from claims.checker.sharing import Shared  # noqa: PLC0415

    # One for each file: a finding tells what it rests on itself.
    shared = Shared()
    verdict, reason = check_certificate(data, run_source, shared)
    return {"verdict": verdict.value, "reason": reason, "shared": shared.to_json()}


def _check_trajectory(data: dict[str, Any]) -> dict[str, Any]:
    """Nothing is shared but the reader of the format: the flow and its enclosure are the checker's own."""
    from dynamics.checker.trajectories import check_trajectory  # noqa: PLC0415 -- only after flint is kept out

    answer = check_trajectory(data)
    where = "" if answer.step is None else f"step {answer.step}: "
    system = _name(data["instance"]["system"])
    return {"about": f"the trajectory of {system}", "verdict": answer.verdict.value, "reason": where + answer.reason}


def _about(data: dict[str, Any]) -> str:
    """What is refuted, with what was dropped and changed: otherwise a verdict would be read as one on the paper."""
    dropped = ", ".join(_name(assumption["name"]) for assumption in data["assumptions"]["dropped"])
    constants = {name: one["value"] for name, one in data["constants"].items() if one["value"] != one["printed"]}
    changed = ", ".join(f"{_name(name)} = {_name(value)}" for name, value in constants.items())
    parts = (
        f"{_name(data['claim']['id'])}.{_name(data['conclusion']['name'])}",
        dropped and f"without {dropped}",
        changed and f"with {changed}",
    )
    return " ".join(filter(None, parts))


def _name(text: str) -> str:
    """A name or a number unchanged; anything else, which might look like output of the checker, in quotation marks."""
    # Text of a file must not look like a verdict of ours.
    return text if re.fullmatch(r"[\w.@/-]{1,100}", text, re.ASCII) else shown(text)


def exit_code(verdicts: Sequence[str]) -> int:
    """0 when all are confirmed; else 1 for one that is not, 2 for one that is malformed, 3 for one that is open."""
    # A lie is worse than a broken file, and that worse than a question left open.
    for verdict, code in (("NOT CONFIRMED", 1), ("MALFORMED", 2), ("CANNOT DECIDE", 3)):
        if verdict in verdicts:
            return code
    return 0


def unwritable(path: Path) -> str:
    """Why a file cannot be written to this path; empty if it can."""
    if path.is_dir():
        return "it is a folder"
    if not path.parent.is_dir():
        return "its folder does not exist"
    place = path if path.exists() else path.parent
    return "" if os.access(place, os.W_OK) else "permission denied"


def as_line(finding: dict[str, Any]) -> str:
    """A finding on one line, which no text in the file can break or extend."""
    parts = (finding["file"], finding["about"], finding["reason"])
    shared = f" (shared: {one_line(finding['shared']['summary'], LONGEST)})" if "shared" in finding else ""
    return f"{finding['verdict']}  {': '.join(one_line(part, LONGEST) for part in parts if part)}{shared}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files named on the command line, or those that are published; returns the exit code."""
    parser = argparse.ArgumentParser(prog="claims check", description="Re-decide certificates.")
    parser.add_argument("named", nargs="*", metavar="FILE", help="a certificate; with --published a pattern")
    parser.add_argument(
        "--published", action="store_true", help="check what the suite publishes: all, or the claims that match a PATTERN"
    )
    parser.add_argument(
        "--run-source", action="store_true", help="run the claim's own source where a certificate carries one: it is code"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings to this file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the chosen of --published here, each to a file")
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal of few characters is no reason to fail
    if not (options.named or options.published):
        return _refused("name certificates, or say --published for those of the suite")
    # Now, and not after minutes of checking.
    if options.json and (reason := unwritable(options.json)):
        return _refused(f"{options.json} cannot be written: {reason}")
    if options.out and not options.published:
        return _refused("--out writes certificates of the suite: say --published, too")
    try:
        chosen = published(options.named) if options.published else None
        if options.out:
            _write(chosen or {}, options.out)
    except MalformedError as error:
        return _refused(f"what is published is damaged: {error}")
    except OSError as error:
        return _refused(f"{options.out} cannot be written: {error.strerror or 'it failed'}")
    except UnmatchedError as error:
        hint = f": did you mean {error.near}?" if error.near else ""
        return _refused(f"no published certificate is of a claim that matches {error.pattern!r}{hint}")
    if chosen is not None and not chosen:
        return _refused("this installation holds no published certificates")
    forbid_deciding_code()
    sys.set_int_max_str_digits(2 * MOST_DIGITS)
    findings = []
    sources = [(name, Path(name)) for name in options.named] if chosen is None else chosen.items()
    for name, source in sources:
        finding = _finding(name, source, options.run_source)
        findings.append(finding)
        # Each at once: the next may take minutes.
        print(as_line(finding), flush=True)  # noqa: T201 -- its output
    if options.json:
        try:
            options.json.write_text(json.dumps(findings, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            return _refused(f"{options.json} cannot be written: {error.strerror or 'it failed'}")
    return exit_code([finding["verdict"] for finding in findings])


def _write(certificates: Mapping[str, dict[str, Any]], folder: Path) -> None:
    for name, data in certificates.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_text(data), encoding="utf-8")


def _refused(reason: str) -> int:
    print(f"error: {one_line(reason, MOST_SAID)}", file=sys.stderr)  # noqa: T201 -- its output
    return 2


if __name__ == "__main__":
    sys.exit(main())
