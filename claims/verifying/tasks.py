"""Conclusions verified by several processes, and whether a claim's standing is borne out."""

from __future__ import annotations

import shlex
import time
import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from claims.stating.statement import Claim, Form, Origin, Standing, standing_word
from claims.targets.target import Target
from claims.verifying.deciding import Effort
from claims.verifying.processes import ENDED, workers
from claims.verifying.smoke import verify_briefly
from claims.verifying.tallies import Tally, verify_conclusion, why_not_borne_out

BRIEFLY = 0  # a number of examples that asks for the shortest look, `verify_briefly`


@dataclass
class Report:
    """A claim's tallies, and whether they bear its standing out."""

    claim: str
    refs: tuple[str, ...]
    origin: Origin
    standing: Standing
    tallies: list[Tally]
    seconds: float
    unfinished: int = 0  # conclusions that were not decided because the run was stopped
    file: str | None = None  # the file of a user's own claim

    @property
    def named(self) -> str:
        """The arguments that select the claim on the command line."""
        return self.claim if self.file is None else f"--file {shlex.quote(self.file)}"

    @property
    def standing_word(self) -> str:
        """The standing in words."""
        return standing_word(self.standing, self.origin)

    @property
    def borne_out(self) -> bool | None:
        """True and open claims need every conclusion met and none violated, false ones a violation; None for not yet.

        None, too, where the run was stopped before it could tell. An empirical claim is believed to be nothing but what
        its experiments show: there is nothing to bear out. A user's own, of which instances are decided, is no exception.
        Nothing is borne out by balls that mpmath objects to.
        """
        if any(tally.objection for tally in self.tallies):
            return False
        violated = sum(tally.violated for tally in self.tallies)
        if any(tally.error for tally in self.tallies):
            return False
        decides = self.file is not None and any(tally.form != Form.EXPERIMENT for tally in self.tallies)
        later = self.standing in (Standing.NOT_YET, Standing.EMPIRICAL) and not decides
        if later or (self.unfinished and not violated):
            return None
        return not self.why

    @property
    def why(self) -> str:
        """Why the standing is not borne out, in words."""
        return why_not_borne_out(self.standing, self.tallies)

    @property
    def is_news(self) -> bool:
        """Whether an open claim was refuted: a violation was decided."""
        return self.standing is Standing.OPEN and any(tally.violated for tally in self.tallies)


def run_task(target: Target, examples: int, seed: int, effort: Effort) -> tuple[Tally, float]:
    """The tally of a target and the seconds of processor time it took. Raises what its formulas raise."""
    variant = target.resolve()
    began = time.process_time()
    if examples == BRIEFLY:
        return verify_briefly(variant.claim, variant.conclusion, seed, effort), time.process_time() - began
    tally = verify_conclusion(variant.claim, variant.conclusion, examples, seed, effort, variant.without)
    return tally, time.process_time() - began


def run_whatever_happens(target: Target, examples: int, seed: int, effort: Effort) -> tuple[Tally, float]:
    """The same, with an exception as the result of its conclusion: those of the others are kept."""
    began, form = time.process_time(), target.resolve().conclusion.form.value
    try:
        return run_task(target, examples, seed, effort)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 -- a formula may raise anything, and exit
        notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__}: {error} (line {where.lineno} of {PurePath(where.filename).name}{notes})"
        return Tally(target.conclusion, form, target.dropped, error=text), time.process_time() - began


def _lost(target: Target, *_: object) -> tuple[Tally, float]:
    return Tally(target.conclusion, target.resolve().conclusion.form.value, target.dropped, error=ENDED), 0.0


def run_tasks(
    targets: Sequence[Target], examples: int, seed: int, effort: Effort, jobs: int
) -> Iterator[tuple[Target, Tally, float]]:
    """Verify the targets in `jobs` processes; yields each as it finishes. The tallies do not depend on `jobs`."""
    with workers(jobs) as pool:
        units = [(target, examples, seed, effort) for target in targets]
        for (target, *_), (tally, seconds) in pool.results(run_whatever_happens, units, _lost):
            # Nobody vouches for the formulas of a user's file: what they say must not rest on memory or on a few alike
            # starts.
            if target.source is not None and not target.dropped:
                variant = target.resolve()
                doubted = examples != BRIEFLY and tally.too_little(variant.claim, variant.conclusion)
                tally.error = tally.error or doubted or tally.changed(variant.claim, effort)
            yield target, tally, seconds


def verify(claims: list[Claim], examples: int, seed: int, effort: Effort, jobs: int) -> Generator[Report | str]:
    """Verify claims in `jobs` processes; yields the name of each finished conclusion, and a report for each claim.

    The tallies depend on the seed and the number of examples only, not on `jobs`. At a KeyboardInterrupt reports of what
    is decided of the other claims are yielded before it is raised again.
    """
    targets = [Target.of(claim, conclusion) for claim in claims for conclusion in claim.conclusions]
    done: dict[str, dict[str, tuple[Tally, float]]] = {claim.id: {} for claim in claims}
    by_id = {claim.id: claim for claim in claims}
    asked = {claim.id: len(claim.conclusions) for claim in claims}
    for claim in claims:
        if not claim.conclusions:
            yield Report(claim.id, claim.refs, claim.origin, claim.standing, [], 0.0, file=claim.file)
    try:
        for target, tally, seconds in run_tasks(targets, examples, seed, effort, jobs):
            done[target.claim][target.conclusion] = tally, seconds
            yield f"{target.claim}: {target.conclusion}"
            claim = by_id[target.claim]
            if len(done[claim.id]) == asked[claim.id]:  # as it was before its formulas ran
                yield _report(claim, done[claim.id])
    except KeyboardInterrupt:
        yield from (_report(claim, done[claim.id]) for claim in claims if 0 < len(done[claim.id]) < len(claim.conclusions))
        raise


def _report(claim: Claim, done: dict[str, tuple[Tally, float]]) -> Report:
    places = {conclusion.name: place for place, conclusion in enumerate(claim.conclusions)}
    ordered = [done[name] for name in sorted(done, key=lambda name: places.get(name, len(places)))]
    tallies, spent = [tally for tally, _ in ordered], sum(seconds for _, seconds in ordered)
    unfinished = max(0, len(claim.conclusions) - len(ordered))
    return Report(claim.id, claim.refs, claim.origin, claim.standing, tallies, spent, unfinished, claim.file)
