"""Proofs for all inputs of a size as theorems: which have a proof by signs that the kernel accepted; a search for more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims.certificates.current import is_current
from claims.certificates.published import published
from claims.formal.answers import TheoremStatus, Told, put_to_coq, short_reason, stated, theorem_digest, write_record
from claims.formal.asking import CoqError
from claims.formal.compiling import TOGETHER, compile_library
from claims.formal.signs import NotFound, search_proof
from claims.formal.sizes import Proof, Statement, statement_at_size, theorem_at_size
from claims.formal.theorems import ERRORS, NotStated, Theorem, why_not_recorded
from claims.proving.accepted import kernel_record
from claims.proving.table import PROOFS, PROVED
from claims.stating.catalogue import matching
from claims.stating.patterns import UnmatchedError
from claims.targets.target import Target


@dataclass(frozen=True)
class ProvedAtSize:
    """What the table of proofs says is proved for all inputs of a size, which is told in words, too."""

    target: Target
    size: Mapping[str, int]
    for_all: str

    @property
    def name(self) -> str:
        """Its name among the answers."""
        return f"{self.target.claim.replace('.', '/', 1)}.{self.target.conclusion} for all {self.for_all}"


def proved(patterns: Sequence[str] = ()) -> list[ProvedAtSize]:
    """What is proved of today's formulas, of claims that match a pattern. Raises UnknownClaimError."""
    chosen = {claim.id for claim in matching(patterns)}
    return [
        ProvedAtSize(Target(claim, conclusion), one["size"], one["for_all"])
        for (claim, conclusion), entry in sorted(PROOFS.stored.items())
        if claim in chosen and is_current(entry)
        for one in entry["tried"]
        if one["verdict"] == PROVED
    ]


def select(patterns: Sequence[str] = ()) -> dict[str, Told]:
    """The answers about published certificates and proofs for sizes whose claim matches a pattern, without Coq.

    Raises UnknownClaimError for a pattern that matches nothing, MalformedError.
    """
    found = of_sizes(proved(patterns))
    try:  # a claim may have proofs and no certificate
        return stated(published(patterns)) | found
    except UnmatchedError:
        return found


def of_sizes(proofs: Sequence[ProvedAtSize]) -> dict[str, Told]:
    """Each proof as a theorem, where a tree is recorded; or why it is none."""
    known = kernel_record()["sizes"]
    found = {}
    for one in proofs:
        entry = known.get(one.name, {"open": "no proof by signs was tried yet"})
        at = _statement(one)
        if isinstance(at, str) or "tree" not in entry:
            found[one.name] = Told(TheoremStatus.NOT_STATED, at if isinstance(at, str) else entry["open"])
        else:
            found[one.name] = Told(
                TheoremStatus.STATED, theorem=theorem_at_size(at, Proof(entry["tree"], entry["exponents"]))
            )
    return found


def _statement(one: ProvedAtSize) -> Statement | str:
    try:
        return statement_at_size(one.target, one.size)
    except NotStated as error:
        return str(error)
    except (ArithmeticError, *ERRORS) as error:
        return why_not_recorded(error)


def record_sizes(folder: Path, seconds: float) -> None:
    """Search for proofs of what has none and was not tried as it is now; write down those that the kernel accepts."""
    compile_library(folder / "library", with_asking=True)
    found: dict[str, tuple[dict[str, Any], Theorem]] = {}
    for one in proved():
        entry = kernel_record()["sizes"].get(one.name, {})
        about = {"claim": one.target.claim, "conclusion": one.target.conclusion, "for_all": one.for_all}
        at = _statement(one)
        if isinstance(at, str):
            _keep({one.name: {**about, "open": at}})
            continue
        made = theorem_at_size(at, Proof(entry["tree"], entry["exponents"])) if "tree" in entry else None
        # Of this very statement it is a theorem, or was searched for in vain: in vain again, within the same time.
        if entry.get("statement") == at.digest and (made is None or entry.get("file") == theorem_digest(made)):
            continue
        # Of the same statement the tree is still right where only the text around it is another.
        if made is None or entry.get("statement") != at.digest:
            try:
                proof = search_proof(at, folder / "library", seconds)
            except (NotFound, CoqError) as error:
                _keep({one.name: {**about, "statement": at.digest, "open": f"no proof by signs: {error!s:.160}"}})
                continue
            made = theorem_at_size(at, proof)
            entry = {"tree": proof.tree, "exponents": list(proof.exponents)}
        kept = {"tree": entry["tree"], "exponents": entry["exponents"]}
        found[one.name] = {**about, "statement": at.digest, **kept}, made
        if len(found) == TOGETHER:
            _ask_the_kernel(found, folder)
            found = {}
    _ask_the_kernel(found, folder)
    # What the table of proofs says no more is no theorem to be listed, though it is true.
    names = {one.name for one in proved()}
    write_record(sizes={name: entry for name, entry in kernel_record()["sizes"].items() if name in names})


def _ask_the_kernel(found: Mapping[str, tuple[dict[str, Any], Theorem]], folder: Path) -> None:
    said = put_to_coq({name: Told(TheoremStatus.STATED, theorem=made) for name, (_, made) in found.items()}, folder)
    for name, (entry, made) in found.items():
        if said[name].word is TheoremStatus.PROVED:
            _keep({name: {**entry, "file": theorem_digest(made)}})
        else:
            about = {key: entry[key] for key in ("claim", "conclusion", "for_all", "statement")}
            _keep({name: {**about, "open": said[name].reason}})


def _keep(more: dict[str, Any]) -> None:
    known = kernel_record()["sizes"]
    if known | more != known:  # after each: a run may be ended at any time
        write_record(sizes=known | more)


def size_counts() -> list[str]:
    """A table of what is proved for a size and of these proofs as theorems, by paper, with what the others lack."""
    known = kernel_record()["sizes"]
    entries_of = {one.name: known.get(one.name, {"open": "no proof by signs was tried yet"}) for one in proved()}
    lines = ["| paper | proved for a size | theorems |", "|---|---|---|"]
    for paper in dict.fromkeys(name.partition("/")[0] for name in entries_of):
        of_paper = [entry for name, entry in entries_of.items() if name.startswith(f"{paper}/")]
        lines.append(f"| *{paper}* | {len(of_paper)} | {sum('file' in entry for entry in of_paper)} |")
    many = sum("file" in entry for entry in entries_of.values())
    lines += ["", f"{many} of {len(entries_of)}. What the others lack:", "", "| proofs | what is missing |", "|---|---|"]
    reasons = Counter(short_reason(entry["open"]) for entry in entries_of.values() if "file" not in entry)
    return lines + [f"| {number} | {reason} |" for reason, number in reasons.most_common()]
