"""Merges brackets into those of the package: `python -m claims.sharpening.record DIR...`, of ledgers of `claims sharpen`.

An entry is stored without its certificate, which a command makes again. Of one whose formulas have changed since what its
instance decides today is kept; the rest needs another search. `--again N` decides the refuted values of N entries once
more, and fails where one is not refuted. `--page docs/hunting.md` writes the table of constants that can be better, with
what is derived by hand (`improved.toml`).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from claims.campaigns.ledger import Ledger, LedgerError
from claims.certificates.constants import BRACKETS, ConstantStatus, Key, constant_key
from claims.certificates.current import is_current, statement_digest
from claims.certificates.marked_tables import markdown, with_tables
from claims.certificates.provenance import versions_in_use, write_whole
from claims.certificates.published import EVIDENCE
from claims.certificates.tables import Entry
from claims.hunting.rounds import EFFORT, instance_of, is_counterexample
from claims.sharpening.brackets import SHARP, STRONGER, OneInstance, rank_of_bracket
from claims.sharpening.forcing import Constant
from claims.sharpening.plan import named_constants
from claims.stating.catalogue import catalogue
from claims.stating.derived import Stands, derivations
from claims.stating.statement import Standing
from claims.stating.verdict import Verdict
from claims.targets.target import Target
from claims.verifying.deciding import check
from claims.verifying.tallies import slack_text
from dynamics.arithmetic import rational

TABLE = "constants that can be better"
COMMAND = "python -m claims.sharpening.record --page docs/hunting.md"


def entry_of(bracket: Mapping[str, Any]) -> Entry:
    """A bracket as it is stored; its `text` is the digest of the formulas that were searched."""
    return {name: value for name, value in bracket.items() if name not in ("certificate", "no_certificate")}


def merged_brackets(known: Iterable[Entry], folders: Iterable[Path]) -> dict[Key, Entry]:
    """Entries and those of ledgers; of two current ones of a constant the narrower, of today's constants only.

    Of an entry of other formulas its refuted side is kept, where it is refuted today. Of a ledger what was searched as
    `claims sharpen` does by itself: the values printed, at every size, to the usual width.

    Raises LedgerError.
    """
    there = {(target.claim, target.conclusion, name) for target, name in named_constants(list(catalogue().values()))}
    today = ((one, one if is_current(one) else decided_today(one)) for one in known if constant_key(one) in there)
    found = {constant_key(one): entry for one, entry in today if entry is not None}
    for folder in folders:
        with Ledger(folder, reading=True) as ledger:
            for record in ledger.entries():
                spec, target = record.spec, record.spec.get("target", {})
                # Words of another width or size mean something else, and would be kept as if they were the usual ones.
                if spec.get("width") != SHARP or target.get("sharpened") or "source" in target or "size" in spec:
                    continue
                # Without its text it is not known what was searched.
                if constant_key(record.result) not in there or "text" not in record.result:
                    continue
                new = entry_of(record.result)
                old = found.get(constant_key(new))
                if is_current(new):
                    found[constant_key(new)] = new if old is None else of_two(old, new)
    return found


def of_two(old: Entry, new: Entry) -> Entry:
    """The narrower of two brackets, with the better value that is proved beside one of them, if it is within."""
    kept, other = (new, old) if rank_of_bracket(new) <= rank_of_bracket(old) else (old, new)
    if kept["word"] != ConstantStatus.UNKNOWN.value or "proved" not in other or "refuted" not in kept:
        return kept
    proved, value, refuted = (rational(one) for one in (other["proved"]["value"], kept["value"], kept["refuted"]))
    # Beyond the refuted value the proof was of a small size, where more holds than everywhere.
    if not min(value, refuted) < proved < max(value, refuted):
        return kept
    return kept | {"word": ConstantStatus.IMPROVABLE.value, "proved": other["proved"]}


def improvable() -> str:
    """The constants of true statements of which a better value is proved at small sizes or derived for every size."""
    rows, whys = [], []
    for key, entry in sorted(BRACKETS.stored.items()):
        claim, conclusion, constant = key
        by_hand = derivations().get(key)
        if not is_current(entry) or (by_hand is None and entry["word"] != ConstantStatus.IMPROVABLE.value):
            continue
        if catalogue()[claim].standing is not Standing.TRUE:  # a better constant of a false statement helps nobody
            continue
        proved, statement = entry.get("proved"), f"`{claim}.{conclusion}`"
        small = f"{proved['value']} for {'; '.join(proved['for_all'])}" if proved else "-"
        derived, stands = (by_hand.better or "none", by_hand.stands.value) if by_hand else ("-", "-")
        rows.append((statement, constant, entry["value"], small, derived, stands, entry.get("refuted", "-")))
        if by_hand is not None:
            whys.append(f"- {statement}, {constant}{f' = {by_hand.better}' if by_hand.better else ''}: {by_hand.why}")
    header = ("statement", "constant", "stated", "proved at small sizes", "derived for every size", "stands in", "refuted")
    found = [row[5] for row in rows if row[4] not in ("none", "-")]
    counts = ", ".join(f"{found.count(one.value)} stand in the {one.value}" for one in Stands)
    counted = f"Of {len(rows)} constants {len(found)} have a better value at every size: {counts}."
    return markdown(header, rows) + f"\n{counted}\n\n" + "\n".join(whys) + "\n"


def refutation(entry: Mapping[str, Any]) -> Verdict | None:
    """What is decided today of the refuted value of an entry at its instance; None where that refutes it no more."""
    refuted = ((entry["constant"], entry["refuted"]),)
    variant = Target(entry["claim"], entry["conclusion"], sharpened=refuted).resolve()
    system = instance_of(variant, entry["instance"])
    # Admitted first: hypotheses may have changed since, and outside of them nothing is refuted.
    verdict = check(variant.conclusion, system, EFFORT) if variant.admits(system) else None
    return verdict if verdict is not None and is_counterexample(verdict) else None


# What one instance shows of a bracket. Where the room closes, what is refuted at other sizes and which better value is
# proved was found with others, which are not stored: to decide the instance takes half a second, to search again minutes.
OF_THE_INSTANCE = (
    *("claim", "conclusion", "constant", "value", "stronger", "whole", "sides"),
    *("refuted", "room", "size", "instance", "evaluations"),
)


def decided_today(entry: Entry) -> Entry | None:
    """The refuted side of an entry of other formulas than today's; None where its instance decides otherwise today."""
    target = Target(entry["claim"], entry["conclusion"])
    variant, name = target.resolve(), entry["constant"]
    # A room is a part of the value in the statement: of another value it would be another one.
    if "refuted" not in entry or rational(entry["value"]) != rational(variant.printed.constants[name]):
        return None
    way = next(way for way, word in STRONGER.items() if word == entry["stronger"])
    there = OneInstance(target, variant, Constant(name, rational(entry["value"]), way, "whole" in entry))
    try:
        verdict = refutation(entry)
        system = instance_of(variant, entry["instance"])
    except (ArithmeticError, LookupError, TypeError, ValueError):  # another model, or no value there
        return None
    if verdict is None:
        return None
    kept = {one: entry[one] for one in OF_THE_INSTANCE if one in entry} | {"text": statement_digest(target)}
    kept["slack"] = slack_text(variant.printed.form, verdict)
    if (forced := there.forced(system)) is not None:
        kept["forced"] = str(forced)
    match ConstantStatus(entry["word"]):
        case ConstantStatus.REFUTED:
            is_false = variant.claim.standing is Standing.FALSE
            return kept | {"word": ConstantStatus.REFUTED.value} | ({"held_false": True} if is_false else {})
        case ConstantStatus.SHARP | ConstantStatus.IN_THE_LIMIT:
            kept |= {"word": ConstantStatus.SHARP.value, "attained": there.attains(system)}
        case _:
            kept["word"] = ConstantStatus.UNKNOWN.value
    return kept | {"by_size": {entry["size"]: entry["refuted"]}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Merge ledgers into the package's brackets, or decide some of these again."""
    parser = argparse.ArgumentParser(prog="python -m claims.sharpening.record", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="folders of `claims sharpen`")
    parser.add_argument("--again", type=int, metavar="N", help="decide the refuted values of N entries again")
    parser.add_argument("--seed", type=int, default=0, help="which N")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table of constants that can be better")
    given = parser.parse_args(arguments)
    if given.page is not None:
        if given.folders:
            parser.error("--page takes no folder: merge the folders first")
        text = given.page.read_text(encoding="utf-8")
        write_whole(given.page, with_tables(given.page.name, text, {TABLE: improvable()}, COMMAND))
        return 0
    if given.again is not None:
        if given.again < 1 or given.folders:
            parser.error("--again takes a number of entries, 1 or more, and no folder")
        refuted = [entry for entry in BRACKETS.stored.values() if "refuted" in entry and is_current(entry)]
        chosen = random.Random(given.seed).sample(refuted, min(given.again, len(refuted)))  # noqa: S311 -- a sample
        wrong = [constant_key(entry) for entry in chosen if refutation(entry) is None]
        names = "".join(f"{'.'.join(key)}\n" for key in wrong)
        sys.stdout.write(f"{len(chosen) - len(wrong)} of {len(chosen)} refuted again\n{names}")
        return int(bool(wrong))
    stale = [key for key, entry in BRACKETS.stored.items() if not is_current(entry)]
    try:
        table = merged_brackets(BRACKETS.stored.values(), given.folders)
    except LedgerError as error:
        parser.error(str(error))
    BRACKETS.save(Path(str(EVIDENCE / BRACKETS.name)), table, versions_in_use())
    bounded = sum("refuted" in entry for entry in table.values())
    sys.stdout.write(f"{len(table)} constants, {bounded} with a refuted value\n")
    if stale:
        left = [key for key in stale if key in table]
        told = f"{len(stale)} entries are of other formulas; {len(left)} are kept as far as their instance decides:"
        sys.stdout.write("\n".join([told, *map(".".join, left), ""]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
