"""The shortest look at a conclusion: one instance that decides something, and now and then a planted falsehood.

It shows that everything still runs and that nothing is plainly wrong; it is no search.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from claims.certificates.published import certificate_of, name_of
from claims.instances.drawing import draw_instance, unmet
from claims.instances.draws import SeededDraws
from claims.instances.files import read_instance
from claims.stating.statement import Claim, Conclusion, Form, Relation, Standing, is_costly
from claims.stating.verdict import Outcome, Verdict
from claims.verifying.deciding import Effort, check, check_experiment
from claims.verifying.tallies import Tally, is_zero, seed_of
from dynamics.enclosures.remembered import remembered_enclosures
from dynamics.system import System

TRIES = 24  # instances until one is neither vacuous nor undecided
CHOICE = 8  # starts of a flow or a chain are drawn at a time: the smallest, which is the cheapest, is decided first
TENTH = 10  # of so many conclusions one is reversed, others at another seed: the falsehood must be refuted


class UnnoticedError(AssertionError):
    """A planted falsehood was not refuted: what decides is broken."""


def is_planted(claim: Claim, conclusion: Conclusion, seed: int) -> bool:
    """Whether it is the turn of this conclusion to be reversed."""
    return zlib.crc32(f"{claim.id}.{conclusion.name}".encode()) % TENTH == seed % TENTH


def verify_briefly(claim: Claim, conclusion: Conclusion, seed: int, effort: Effort) -> Tally:
    """The tally of the published counterexample to what is held false, else of the first instances up to a decided one.

    Raises UnnoticedError if the reversed inequality, where it is planted, holds at an instance of positive slack.
    """
    tally = Tally(conclusion.name, conclusion.form.value)
    if conclusion.form is Form.EXPERIMENT:
        tally.record({"experiment": claim.id, "steps": effort.steps}, check_experiment(conclusion, effort))
        return tally
    # What was found once is enough: drawn instances may take long to refute.
    known = _counterexample(claim, conclusion)
    if known is not None:
        tally.record(known, _decided(conclusion, known, effort))
        return tally
    with remembered_enclosures():
        for system, kinds in _cheap_first(claim, conclusion, seed):
            tally.kinds.update(kinds)
            if unmet(claim, conclusion, system):
                tally.instances += 1
                tally.vacuous += 1
                continue
            verdict = _decided(conclusion, system, effort)
            tally.record(system, verdict)
            if verdict.outcome is Outcome.UNDECIDED or verdict.known is None:
                continue
            # What is held false is looked at until it is refuted, where that costs little.
            if is_costly(conclusion) or claim.standing is not Standing.FALSE or verdict.outcome is Outcome.VIOLATED:
                if is_planted(claim, conclusion, seed):
                    _plant(claim, conclusion, system, verdict, effort)
                break
    return tally


def _cheap_first(claim: Claim, conclusion: Conclusion, seed: int) -> Iterator[tuple[System, list[str]]]:
    entropy, costly = seed_of(claim, conclusion, seed), is_costly(conclusion)
    several = CHOICE if costly else 1
    for first in range(0, TRIES, several):
        found = []
        for turn in range(first, first + several):
            draws = SeededDraws(np.random.default_rng([*entropy, turn]), costly, turn)
            found.append((draw_instance(claim, conclusion, draws), draws.chosen))
        # Few entries make short paths: the first verdict is what is waited for.
        yield from sorted(found, key=lambda one: sum(array.size for array in one[0].arrays().values()))


def _counterexample(claim: Claim, conclusion: Conclusion) -> System | None:
    data = certificate_of(name_of(claim.id, ())) if claim.standing is Standing.FALSE and claim.file is None else None
    if data is None or data["conclusion"]["name"] != conclusion.name:
        return None
    return read_instance(json.dumps(data["instance"]))[0]


def _decided(conclusion: Conclusion, system: System, effort: Effort) -> Verdict:
    if is_costly(conclusion):
        verdict = check(conclusion, system, replace(effort, trajectory_bits=64))
        if verdict.outcome is not Outcome.UNDECIDED:
            return verdict
    return check(conclusion, system, effort)


def _plant(claim: Claim, conclusion: Conclusion, system: System, verdict: Verdict, effort: Effort) -> None:
    # An identity has no opposite, a reading of a limit decides nothing, and what vanishes holds both ways.
    trapped = conclusion.form is Form.LIMIT and conclusion.trap is None
    if verdict.outcome is not Outcome.HOLDS or conclusion.relation is Relation.ZERO or trapped:
        return
    if verdict.slack is None or is_zero(verdict.slack):
        return
    if _decided(conclusion.reversed(), system, effort).outcome is Outcome.HOLDS:
        raise UnnoticedError(f"{claim.id}.{conclusion.name} reversed is not refuted at {json.dumps(system.to_json())}")
