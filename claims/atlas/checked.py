"""What the independent checker says of the published certificates: in this build, in an earlier one, or in the record.

The record is data of the package: `python -m claims.atlas.checked` asks again about the certificates of which it holds no
answer, `--all` about all of them. An answer counts only for the certificate and the formulas that were checked. It is told
with its day and version, and with whether the checker's code has changed since.
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any

from claims.atlas.kept import CHECKING, Kept, Told, code_digest, digest_of, key_of, silent
from claims.certificates.current import statement_digest
from claims.certificates.format import as_text, hypotheses, statement
from claims.certificates.provenance import __version__, write_whole
from claims.certificates.published import EVIDENCE, published
from claims.targets.target import Target, TargetError
from claims.verifying.report import FindingsError

NAME = "checked.json"

CONFIRMED = "CONFIRMED"

# Some certificates take a hundred times as long as others: small parts keep every process busy to the end.
PARTS_A_JOB = 4

Answers = dict[str, dict[str, str]]  # by the names of certificates "verdict", "reason", and "when" in words


def answers_on(names: Iterable[str], jobs: int, kept: Kept, told: Told = silent) -> Answers:
    """An answer on each of these published certificates: of the record or kept by an earlier build, else asked for now.

    Raises FindingsError where the checker does not answer.
    """
    found, unknown, keys = Answers(), list[str](), dict[str, str]()
    for name in names:
        basis = basis_of(published()[name])
        keys[name] = key_of("answer", CHECKING, basis)
        # A build that is to use nothing of earlier ones asks of every certificate, whatever is recorded.
        recalled = (_recorded(name, basis) if kept.folder else None) or kept.recall(keys[name])
        if recalled is None:
            unknown.append(name)
        else:
            found[name] = recalled
    day = f"on {dt.datetime.now(dt.UTC):%Y-%m-%d}"
    for name, answer in ask_checker(unknown, jobs, told):
        kept.keep(keys[name], answer | {"when": f"{day}, in an earlier build, by the current checker"})
        found[name] = answer | {"when": f"{day}, in this build"}
    return {name: found[name] for name in keys}


def summary(answers: Mapping[str, Mapping[str, str]]) -> str:
    """When certificates were checked, and how many are confirmed, in a sentence; "" where none was."""
    if not answers:
        return ""
    confirmed = sum(one["verdict"] == CONFIRMED for one in answers.values())
    days = Counter(one["when"] for one in answers.values()).most_common()
    text = "; ".join(f"{number} {when}" if len(days) > 1 else when for when, number in days)
    return f"{confirmed} of {len(answers)} CONFIRMED by the independent checker: {text}"


def basis_of(data: dict[str, Any]) -> str:
    """A digest of a certificate and of what it is compared with: current statement, hypotheses, formulas, model."""
    dropped = tuple(one["name"] for one in data["assumptions"]["dropped"])
    target = Target(data["claim"]["id"], data["conclusion"]["name"], dropped)
    try:
        variant = target.resolve()
        today = [
            statement(variant.claim, variant.printed),
            hypotheses(variant.claim, variant.printed, dropped),
            statement_digest(target),
        ]
    except TargetError as error:
        today = [str(error)]  # the claim is gone: the checker will say so, and its answer stays while it is gone
    return digest_of([data["digest"], today])


def _recorded(name: str, basis: str) -> dict[str, str] | None:
    """The answer of the record; None where it has none on this certificate with these formulas."""
    one = recorded_answers().get(name)
    if one is None or one["of"] != basis[:SHORT]:
        return None
    since = "" if one["code"] == code_digest(*CHECKING)[:SHORT] else "; the checker's code has changed since"
    when = f"on {one['day']}, recorded with version {one['version']}{since}"
    return {"verdict": one["verdict"], "reason": one["reason"], "when": when}


SHORT = 24  # digits of the digests in the record: 96 bits are enough against accidents


@cache
def recorded_answers() -> dict[str, dict[str, str]]:
    """The recorded answers by the names of certificates; none where there is no record."""
    file = EVIDENCE / NAME
    read: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return read


def recorded_text(answers: Mapping[str, Mapping[str, str]], before: Mapping[str, dict[str, str]]) -> str:
    """The record with new answers, and with those from before that still hold: a line for each certificate."""
    day, code = f"{dt.datetime.now(dt.UTC):%Y-%m-%d}", code_digest(*CHECKING)[:SHORT]
    rows = {}
    for name, data in published().items():
        # In the order of what is published, without what is published no more.
        if name in answers:
            verdict = answers[name]["verdict"]
            reason = "" if verdict == CONFIRMED else answers[name]["reason"]
            told = {"verdict": verdict, "reason": reason, "day": day, "version": __version__, "code": code}
            rows[name] = {"of": basis_of(data)[:SHORT]} | told
        elif name in before:
            rows[name] = before[name]
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()) + "\n}\n"


# ---------------------------------------------------------------------------------------------------------------------
# The checker, asked in processes of its own


def ask_checker(names: Sequence[str], jobs: int, told: Told = silent) -> Iterator[tuple[str, dict[str, str]]]:
    """What `claims check` says of these published certificates, by name. Raises FindingsError where it says nothing."""
    number = PARTS_A_JOB * jobs
    parts = [part for k in range(number) if (part := names[k::number])]
    running, heard = list[subprocess.Popen[str]](), itertools.count(1)

    def answered() -> None:
        told("asking the checker", next(heard), len(names))

    with ThreadPoolExecutor(jobs) as pool:
        try:
            for asked in as_completed([pool.submit(_ask, part, running, answered) for part in parts]):
                yield from asked.result().items()
        except BaseException:
            # Who stops the build does not wait for the checkers, and leaves none behind.
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()
            raise


def _ask(
    names: Sequence[str], running: list[subprocess.Popen[str]], answered: Callable[[], None]
) -> dict[str, dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        findings, errors = Path(folder) / "findings.json", Path(folder) / "errors"
        files = [str(Path(folder) / f"{place}.json") for place in range(len(names))]
        for file, name in zip(files, names, strict=True):
            Path(file).write_text(as_text(published()[name]), encoding="utf-8")
        # A process of its own: the checker refuses to run where modules that decided anything are imported.
        command = [sys.executable, "-m", "claims.checker", "--json", str(findings), "--", *files]
        with (
            errors.open("w", encoding="utf-8") as said,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as process,  # noqa: S603 -- ourselves
        ):
            running.append(process)
            assert process.stdout is not None
            for _ in process.stdout:  # a line for each certificate
                answered()
        if not findings.exists():
            raise FindingsError(f"the checker did not answer: {errors.read_text(encoding='utf-8').strip()[-200:]}")
        answers = json.loads(findings.read_text(encoding="utf-8"))
    return {name: {"verdict": one["verdict"], "reason": one["reason"]} for name, one in zip(names, answers, strict=True)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the record: with answers to what it does not answer yet, or with `--all` to everything."""
    parser = argparse.ArgumentParser(prog="python -m claims.atlas.checked", description="Record what the checker says.")
    parser.add_argument("--all", action="store_true", help="ask about every certificate, not those without an answer alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args(arguments)
    names = [name for name, data in published().items() if options.all or _recorded(name, basis_of(data)) is None]
    answers = dict(ask_checker(names, options.jobs, lambda what, done, number: print(f"{what}: {done} of {number}")))  # noqa: T201 -- its output
    write_whole(Path(str(EVIDENCE)) / NAME, recorded_text(answers, recorded_answers()))


if __name__ == "__main__":
    main()
