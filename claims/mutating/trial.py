"""Tests mutants in the ordinary way: verification, or else the hunt's search, has to notice that a statement changed."""

from __future__ import annotations

import hashlib
import linecache
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.hunting.rounds import instance_of, searched
from claims.mutating.equivalents import derivation_of, equivalents
from claims.mutating.planting import module_of
from claims.mutating.ratio import Ratio
from claims.mutating.rewriting import Mutant, module_text, mutants_of, variable_of
from claims.stating.statement import Claim, Conclusion, Form, Relation, Standing, Tail, is_costly
from claims.stating.verdict import Known, Outcome
from claims.targets.target import Target, Variant
from claims.verifying.deciding import Effort, lowest_entry
from claims.verifying.processes import Workers
from claims.verifying.tallies import (
    PATIENCE,
    KnownInstances,
    Tally,
    decide,
    dropped_from,
    examples_of,
    slack_text,
    verify_conclusion,
)
from claims.verifying.tasks import run_task
from dynamics.arithmetic import Array


class Fate(StrEnum):
    """The result of testing a mutant."""

    KILLED = "killed"  # it was noticed, as the word for its conclusion changed
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"  # it survived, and a proof next to the claim shows that nothing can notice it
    WEAKER = "weaker"  # it survived, with a slack of at least the original's on every instance: it claims no more
    REFUTED_TOO = "refuted, too"  # a change of a false statement that is still false
    NO_STATEMENT = "no statement"  # it cannot be evaluated: shapes that do not fit, an index out of range
    NOT_DECIDED = "not decided"


# Mutants that were noticed or should have been: others tell nothing of the suite.
COUNTED = (Fate.KILLED, Fate.SURVIVED, Fate.NOT_DECIDED)


class TrialStatus(StrEnum):
    """The outcome of verifying a conclusion, in one word."""

    VIOLATED = "violated"
    SURVIVED = "survived"
    EVIDENCE = "survived, numerically"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"


def word_of(tally: Tally) -> TrialStatus:
    """The word of a tally: a violation outweighs everything, what was decided outweighs what was not."""
    if tally.violated:
        return TrialStatus.VIOLATED
    if tally.holds:
        return TrialStatus.EVIDENCE if set(tally.decided_by) == {Known.NUMERICAL.value} else TrialStatus.SURVIVED
    return TrialStatus.UNDECIDED if tally.undecided else TrialStatus.VACUOUS


EFFORT = Effort(bits=1 << 12, halvings=6)  # for one decision on a mutant, of which there are thousands

# For comparing two slacks: if they are equal, no precision decides.
COARSE = Effort(bits=1 << 9, trajectory_bits=64, halvings=4)


KNOWN = KnownInstances()  # the mutants of a conclusion are tried on the same instances: they are drawn once


@dataclass(frozen=True)
class Falsehood:
    """The opposite of a conclusion, one with a constant larger by 1, or one without an assumption."""

    constant: str | None = None
    without: str | None = None

    def __str__(self) -> str:
        return f"{self.constant} + 1" if self.constant else f"without {self.without}" if self.without else "its opposite"

    def is_refuted(self, claim: Claim, conclusion: Conclusion, examples: int, seed: int) -> bool | None:
        """Whether verification refutes the falsehood about the conclusion; None where it has no value."""
        if self.constant is not None:
            conclusion = conclusion.sharpened(**{self.constant: conclusion.constants[self.constant] + 1})
        elif self.without is None:
            conclusion = conclusion.reversed()
        without = dropped_from(claim, conclusion, (self.without,)) if self.without else ()
        claim = _as_true(claim)
        try:
            found = verify_conclusion(claim, conclusion, examples, seed, EFFORT, without, first=True, known=KNOWN)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None
        return found.violated > 0


def falsehoods(claim: Claim, conclusion: Conclusion) -> Iterator[Falsehood]:
    """The falsehoods about a conclusion, the surest first: an identity has no opposite, and evidence no violation."""
    if conclusion.form is Form.LIMIT and conclusion.trap is None:
        return
    if conclusion.relation is not Relation.ZERO:
        yield Falsehood()
    yield from (Falsehood(constant=name) for name in conclusion.constants)
    if not is_costly(conclusion):
        yield from (Falsehood(without=a.name) for a in claim.assumptions_of(conclusion) if a.violate is not None)


@cache
def _is_refuted_unchanged(target: Target, falsehood: Falsehood, examples: int, seed: int) -> bool:
    # A falsehood that the unchanged conclusion survives says nothing of a mutant that survives it, too.
    unchanged = target.resolve()
    return bool(falsehood.is_refuted(unchanged.claim, unchanged.conclusion, examples, seed))


@dataclass(frozen=True)
class Baseline:
    """What the unchanged conclusion does in the same run: the instances that its slack was smallest on are tried first."""

    word: TrialStatus
    instances: tuple[dict[str, Any], ...]
    first_violation: int = 0


@dataclass(frozen=True)
class Trial:
    """The input of a worker: plain data. `target` names the unchanged conclusion; `starts` is the budget of the search.

    `others` are trials of other conclusions of the claim that the same change of its text changes, too.
    """

    target: Target
    mutant: Mutant
    baseline: Baseline
    proof: str | None
    examples: int
    starts: int
    seed: int
    seconds: float
    others: tuple[Trial, ...] = ()


@dataclass(frozen=True)
class Result:
    """The fate of a mutant and how it is known: `by` is "verify", "falsehood" or "hunt", `reason` one clause."""

    fate: Fate
    by: str = ""
    reason: str = ""
    instance: dict[str, Any] | None = None
    slack: str | None = None
    seconds: float = 0.0


# ---------------------------------------------------------------------------------------------------------------------
# The changed conclusion


def changed(claim: Claim, mutant: Mutant) -> Conclusion:
    """The conclusion that a mutant's text defines; claim, assumptions and draw stay those of the unchanged module."""
    original = claim.conclusions[mutant.index]
    # A name of its own: classes and pickles of two mutants must not be taken for each other's.
    digest = hashlib.sha256(mutant.text.encode()).hexdigest()[:12]
    file = f"{mutant.module} with {mutant.name}"
    # So that tracebacks, and who inspects the function, find the changed text.
    linecache.cache[file] = (len(mutant.text), None, mutant.text.splitlines(keepends=True), file)
    module = module_of(mutant.text, f"{mutant.module}.{digest}", file, Ratio=Ratio, fmpq=fmpq)
    if mutant.module != claim.module:
        return replace(original, slack=vars(module)[original.slack.__name__])
    found: Conclusion = vars(module)[variable_of(claim)].conclusions[mutant.index]
    return replace(original, slack=found.slack, relation=found.relation, horizon=found.horizon, times=found.times)


# ---------------------------------------------------------------------------------------------------------------------
# One mutant


def run_trial(trial: Trial) -> Result:
    """Put one mutant to verification and to the search. What is found depends on the seed only, unless time runs out."""
    began = time.process_time()
    try:
        with within(trial.seconds, time.process_time), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # numbers that overflow in a mutant are no news
            result = _tried(trial)
    except OutOfTimeError:
        result = Result(Fate.NOT_DECIDED, reason=f"not finished in {trial.seconds:g} s")
    if result.fate in (Fate.SURVIVED, Fate.NOT_DECIDED):
        for other in trial.others:
            elsewhere = run_trial(other)
            if elsewhere.fate is Fate.KILLED:
                where = other.mutant.name.partition(",")[0].partition(":")[0]
                result = replace(elsewhere, reason=f"{where}: {elsewhere.reason}")
                break
    if trial.proof is not None:
        # That a falsehood about it survives says that it is trivial: so it is true, as its proof says.
        if result.fate is Fate.KILLED and result.by != "falsehood":
            result = replace(result, by=f"{result.by}, though declared equivalent")
        elif result.fate in (Fate.KILLED, Fate.SURVIVED, Fate.NOT_DECIDED):
            result = replace(result, fate=Fate.EQUIVALENT, by="", reason=trial.proof)
    return replace(result, seconds=round(time.process_time() - began, 3))


def _tried(trial: Trial) -> Result:
    unchanged = trial.target.resolve()
    claim, original = unchanged.claim, unchanged.conclusion
    try:
        conclusion = changed(claim, trial.mutant)
        return _noticed(trial, claim, original, conclusion)
    except Exception as error:  # noqa: BLE001 -- whatever a changed formula raises
        # Where the unchanged text does not run, either, nothing is learnt of the mutant: that is an error of this module.
        changed(claim, replace(trial.mutant, text=module_text(claim, trial.mutant.module)))
        return Result(Fate.NO_STATEMENT, reason=f"{type(error).__name__}: {error}".split("\n")[0][:200])


def _noticed(trial: Trial, claim: Claim, original: Conclusion, conclusion: Conclusion) -> Result:
    before = trial.baseline.word
    tried, examples = _as_true(claim), trial.examples
    if before in (TrialStatus.UNDECIDED, TrialStatus.VACUOUS):
        return Result(Fate.NOT_DECIDED, reason=f"the unchanged conclusion: {before}")
    weakened = (Relation.POSITIVE, Relation.NONNEGATIVE)
    if before is not TrialStatus.VIOLATED and (original.relation, conclusion.relation) == weakened:
        return Result(Fate.WEAKER, reason="a strict inequality says more")
    for data in trial.baseline.instances:
        verdict = decide(conclusion, instance_of(Variant(claim, conclusion, ()), data), EFFORT, outside=False)
        if verdict.outcome is Outcome.VIOLATED:
            return _violated(before, "verify", data, slack_text(conclusion.form, verdict))
    if before is TrialStatus.VIOLATED:
        # So many times longer than the unchanged conclusion took: where nothing is found then, its standing is lost.
        took = trial.baseline.first_violation
        examples = max(examples, -(-examples * PATIENCE * took // examples_of(original, examples)))
    tally = verify_conclusion(tried, conclusion, examples, trial.seed, EFFORT, first=True, known=KNOWN)
    if tally.violation is not None:
        return _violated(before, "verify", tally.violation["instance"], tally.violation["slack"])
    after = word_of(tally)
    # As much as verification needs to say that a standing is not borne out.
    if after in (TrialStatus.VACUOUS, TrialStatus.UNDECIDED):
        why = "".join(f", {reason}" for reason, _ in tally.reasons.most_common(1))
        return Result(Fate.KILLED, "verify", f"not borne out: {after}{why}")
    if before is TrialStatus.VIOLATED:
        return _hunted(trial, claim, conclusion) or Result(Fate.KILLED, "verify", "no violation any more")
    difference = _difference(trial, original, conclusion)
    remark = "" if difference is None else _beside(trial, tried, difference)
    if remark.startswith(ABOVE):
        return Result(Fate.WEAKER, reason=remark)
    for falsehood in falsehoods(claim, conclusion):
        if (
            _is_refuted_unchanged(trial.target, falsehood, min(trial.examples, 8), trial.seed)
            and falsehood.is_refuted(claim, conclusion, min(trial.examples, 24), trial.seed) is False
        ):
            return Result(Fate.KILLED, "falsehood", f"{falsehood} survives, too")
    try:
        return _hunted(trial, claim, conclusion) or Result(Fate.SURVIVED, reason=remark)
    except Exception as error:  # noqa: BLE001 -- verification had no trouble: it is a statement
        return Result(Fate.SURVIVED, reason=f"the search raised {type(error).__name__}: {error}")


def _violated(before: TrialStatus, by: str, instance: dict[str, Any], slack: str | None) -> Result:
    fate = Fate.REFUTED_TOO if before is TrialStatus.VIOLATED else Fate.KILLED
    return Result(fate, by, "VIOLATED", instance, slack)


def _hunted(trial: Trial, claim: Claim, conclusion: Conclusion) -> Result | None:
    """What the hunt's search finds within its budget; costly conclusions get the share of it that they get of examples."""
    if not trial.starts or (conclusion.form is Form.LIMIT and conclusion.trap is None):
        return None
    entropy = [trial.seed, zlib.crc32(f"{claim.id}.{trial.mutant.name}".encode())]
    # Instances that refute the unchanged statement mostly refute the changed one, too: the search is to find its own.
    known = [data for data in trial.baseline.instances if trial.baseline.word is not TrialStatus.VIOLATED]
    found = searched(Variant(claim, conclusion, ()), entropy, examples_of(conclusion, trial.starts), known)
    if not found["violations"]:
        return None
    violation = found["violations"][0]
    return _violated(trial.baseline.word, "hunt", violation["instance"], violation["slack"])


def _difference(trial: Trial, original: Conclusion, conclusion: Conclusion) -> Conclusion | None:
    """The statement that the changed slack is never below the original, or the changed horizon not beyond it."""
    if original.form is Form.IDENTITY or original.relation != conclusion.relation:
        return None
    if trial.mutant.kind == "horizon" and conclusion.horizon is not None and original.horizon is not None:
        new, old = conclusion.horizon, original.horizon
        less = replace(original, slack=lambda f: np.asarray([old(f) - new(f)], dtype=object), relation=Relation.NONNEGATIVE)
        return replace(less, form=Form.STATE, exact_only=True, horizon=None)
    if original.form is Form.PROBABILITY:
        room = lambda f: _room(conclusion.slack(f), original.slack(f))  # noqa: E731
        return replace(original, slack=room, form=Form.STATE, exact_only=True)
    if original.exact_only:
        above = lambda *f: _above(conclusion.slack(*f), original.slack(*f))  # noqa: E731
        return replace(original, slack=above, relation=Relation.NONNEGATIVE)
    return replace(original, slack=lambda *f: conclusion.slack(*f) - original.slack(*f), relation=Relation.NONNEGATIVE)


def _room(new: Tail, old: Tail) -> Any:
    # A bound from below claims less where it is lower.
    return old.log_bound - new.log_bound if old.reverse else new.log_bound - old.log_bound


def _above(new: Any, old: Any) -> Array:
    """The new slacks less the old ones; of different numbers of them, as masks select them, the least are compared."""
    new, old = np.asarray(new, dtype=object), np.asarray(old, dtype=object)
    if new.shape == old.shape:
        return np.asarray(new - old)
    if old.size == 0 or new.size == 0:  # nothing is said: that is the least one can claim
        return np.array([fmpq(-1 if old.size == 0 else 1)], dtype=object)
    return np.array([lowest_entry(new) - lowest_entry(old)], dtype=object)


ABOVE = "slack above the original's"


def _beside(trial: Trial, claim: Claim, difference: Conclusion) -> str:
    """How the changed slack compares with the original on the ordinary path; "" where it is below it somewhere."""

    def tally_of(conclusion: Conclusion) -> Tally:
        return verify_conclusion(claim, conclusion, min(trial.examples, 24), trial.seed, COARSE, first=True, known=KNOWN)

    # A remark is worth less than the fate: a quarter of the search is spent on it.
    less = replace(trial, starts=trial.starts // 4)
    try:
        never_below, never_above = tally_of(difference), tally_of(difference.reversed())
        if not never_below.violated and never_above.violated and not _hunted(less, claim, difference):
            return f"{ABOVE}, never below it on {never_below.holds} instances"
        if not never_below.violated and not never_above.violated and never_below.holds:
            return f"the same slack on {never_below.holds} instances"
    except Exception:  # noqa: BLE001 -- slacks of different shapes have no difference
        return ""
    return ""


def _as_true(claim: Claim) -> Claim:
    # A search for what is held false would go on sixteen times longer.
    return replace(claim, standing=Standing.TRUE, corrected_by=None)


# ---------------------------------------------------------------------------------------------------------------------
# Many of them


def baseline_of(target: Target, examples: int, seed: int) -> Baseline:
    """What verification says of the unchanged conclusion."""
    tally, _ = run_task(target, examples, seed, EFFORT)
    found = (tally.violation, tally.tightest)
    instances = tuple(one["instance"] for one in found if one and "system" in one["instance"])
    return Baseline(word_of(tally), instances, tally.first_violation or 0)


def chains(mutants: Sequence[Mutant]) -> list[list[Mutant]]:
    """The mutants, each after the one whose constant is moved farther the same way."""
    found: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        found.setdefault(mutant.farther or mutant.name, []).append(mutant)
    return list(found.values())


def run_chain(trials: Sequence[Trial]) -> list[Result]:
    """The fates of mutants that move one constant the same way, the farthest first.

    Where the farthest is not noticed, the others are not tried: between two values of a constant that both hold lies one
    that holds, for every slack that is affine in its constant.
    """
    results = [run_trial(trials[0])]
    first = results[0]
    for trial in trials[1:]:
        if first.fate in (Fate.KILLED, Fate.REFUTED_TOO, Fate.NO_STATEMENT):
            results.append(run_trial(trial))
        else:
            fate = Fate.EQUIVALENT if trial.proof is not None and first.fate is Fate.SURVIVED else first.fate
            results.append(Result(fate, first.by, f"as with {trials[0].mutant.name.rpartition(' => ')[2]}: {first.reason}"))
    return results


def proof_of(claim: Claim, mutant: Mutant) -> str | None:
    """The proof that a mutant is equivalent: its own, that of the one moved farther, or a better value's."""
    proofs = equivalents(claim)
    return proofs.get(mutant.name) or proofs.get(mutant.farther or "") or derivation_of(claim, mutant.name)


def run_mutants(
    claim: Claim, mutants: Sequence[Mutant], settings: tuple[int, int, int, float], pool: Workers
) -> Iterator[tuple[Mutant, Result]]:
    """Put mutants of one claim to the test, in the pool's processes; yields each with its fate as it is known.

    `settings` are the examples of verification, the starts of the search, the seed and the seconds a mutant may take.
    """
    examples, starts, seed, seconds = settings
    same: dict[str, list[Mutant]] = {}
    for mutant in mutants_of(claim) if mutants else ():
        # What two conclusions use is changed for both: it is enough that one of them notices.
        same.setdefault(mutant.text, []).append(mutant)
    elsewhere = {mutant: [one for one in same.get(mutant.text, ()) if one.index != mutant.index] for mutant in mutants}
    indices = {one.index for mutant in mutants for one in (mutant, *elsewhere[mutant])}
    positions = {Target.of(claim, claim.conclusions[index]): index for index in indices}
    found = pool.results(baseline_of, [(target, examples, seed) for target in positions])
    known = {positions[target]: baseline for (target, *_), baseline in found}

    def trial_of(mutant: Mutant, proof: str | None, others: tuple[Trial, ...]) -> Trial:
        target = Target.of(claim, claim.conclusions[mutant.index])
        return Trial(target, mutant, known[mutant.index], proof, examples, starts, seed, seconds, others)

    def trial(mutant: Mutant) -> Trial:
        others = tuple(trial_of(one, None, ()) for one in elsewhere[mutant])
        return trial_of(mutant, proof_of(claim, mutant), others)

    units = [([trial(mutant) for mutant in chain],) for chain in chains(mutants)]
    for (trials,), fates in pool.results(run_chain, units):
        yield from zip([trial.mutant for trial in trials], fates, strict=True)
