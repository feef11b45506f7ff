"""The units of work of a hunt: a round searches and decides, a reduction makes what was found small and certifies it.

Both are pure functions of plain data, named by that data: every run of one gives the same result, but where that data gives
it a number of seconds.
"""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.certificates.format import writing_cost
from claims.certificates.writing import certificate
from claims.hunting.search import NO_VALUE, SPARE_SECONDS, search
from claims.hunting.simplify import simplest_near, simplify
from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.stating.statement import ALONG_A_FLOW, AT_A_STATE, is_costly
from claims.stating.verdict import Outcome, Verdict, is_certain
from claims.targets.target import Target, Variant
from claims.verifying.deciding import Effort
from claims.verifying.enclosing import NoEnclosureError, enclosure
from claims.verifying.tallies import decide, slack_text
from claims.verifying.witness import witnessed
from dynamics.arithmetic import numbers
from dynamics.system import System

EFFORT = Effort(bits=1 << 12)  # for a decision of a reduction, which is to be what a certificate says

# A candidate whose sign stays open is dropped in favour of another start.
QUICK = Effort(bits=1 << 12, trajectory_bits=64, halvings=2)

DOUBTFUL = 6  # candidates decided although they may be rounding errors of float64: where that is cheap, balls tell
TIGHTEST = {False: 3, True: 1}  # tries for one that is decided, cheap and costly: it tells how near the search came
KEPT = 8  # tight instances that a round passes on: rounds to come start from each of them
PROBES = 16  # instances built to see what a search meets, or why it met no slack: enough to meet most kinds of start

Spec = dict[str, Any]


def work(spec: Spec) -> dict[str, Any]:
    """The result of a unit of work: :func:`round_spec` or :func:`reduction_spec` say what it is given."""
    target = Target.from_json(spec["target"])
    if spec["kind"] == "reduction":
        return _reduction(target, spec)
    # Of the target's text, not of Python's own hash of it, which is another one in every process.
    entropy = [spec["seed"], zlib.crc32(str(target).encode()), spec["generation"], spec["shard"]]
    return searched(target.resolve(), entropy, spec["starts"], spec["known"], spec.get("seconds", math.inf))


def round_spec(
    target: Target,
    seed: int,
    generation: int,
    shard: int,
    starts: int,
    known: Sequence[dict[str, Any]],
    seconds: float | None = None,
) -> Spec:
    """A search of about `starts` starts, or of so many seconds; `known` are tight instances, plain data, to start from."""
    timed = {} if seconds is None else {"seconds": seconds}
    asked = {"seed": seed, "generation": generation, "shard": shard, "starts": starts, "known": list(known)}
    return timed | {"kind": "round", "target": target.to_json()} | asked


def reduction_spec(target: Target, instance: dict[str, Any], seed: int, seconds: float | None = None) -> Spec:
    """The reduction of a counterexample, in so many seconds; `seed` is that of the hunt, for the certificate."""
    timed = {} if seconds is None else {"seconds": seconds}
    return timed | {"kind": "reduction", "target": target.to_json(), "instance": instance, "seed": seed}


def instance_of(variant: Variant, data: dict[str, Any]) -> System:
    """The exact instance that `System.to_json` wrote."""
    return variant.claim.system.instance(**{name: value for name, value in data.items() if name != "system"})


def searched(
    variant: Variant, entropy: list[int], starts: int, known: Sequence[dict[str, Any]], seconds: float = math.inf
) -> dict[str, Any]:
    """What a search of about `starts` starts found and decided, as plain data; `known` are instances to start from.

    Where nothing was decided of what it found, a few instances are drawn and decided as `claims verify` does: they alone
    tell whether a conclusion that was hunted in vain survived.
    """
    counted = {"certified": 0, "rejected": 0, "undecided": 0, "decided": 0}
    violations: list[dict[str, Any]] = []
    deadline = time.monotonic() + seconds

    def confirm(system: System) -> bool:
        near, verdict = _decided(variant, system)
        counted["decided"] += verdict.known is not None
        if is_counterexample(verdict):
            counted["certified"] += 1
            violations.append({"slack": slack_text(variant.printed.form, verdict), "instance": near.to_json()})
            return True
        counted["rejected" if verdict.outcome is Outcome.HOLDS else "undecided"] += 1
        return False

    found = search(variant, entropy, starts, [instance_of(variant, data) for data in known], confirm, seconds)
    # What was being decided when the time was over has stayed open.
    counted["undecided"] += found.cut
    costly, idle = is_costly(variant.conclusion), None
    tightest: dict[str, Any] | None = None
    try:
        with within(deadline + SPARE_SECONDS - time.monotonic()):
            if not violations and not costly:
                # Float64 saw no clear violation: of those it could not tell from rounding some are decided, too.
                for system in found.candidates[:DOUBTFUL]:
                    if time.monotonic() > deadline or confirm(system):
                        break
            met = found.tight or found.candidates or any(counted.values())
            # When the time is over one decision is enough: it tells that the conclusion was decided at all. Drawn
            # instances have the spare second for it.
            looked = found.tight[: TIGHTEST[costly]] if time.monotonic() < deadline or not counted["decided"] else []
            for system in (one.instance for one in looked):
                verdict = verdict_on(variant, system)
                if verdict.outcome is Outcome.HOLDS and verdict.known is not None and verdict.slack is not None:
                    slack = slack_text(variant.printed.form, verdict)
                    tightest = {"slack": slack, "known": verdict.known.value, "instance": system.to_json()}
                    counted["decided"] += 1
                    break
            for system in probed_instances(variant, entropy):
                if counted["decided"]:
                    break
                confirm(system)
            idle = None if met else _why_idle(variant, entropy)
    except OutOfTimeError:
        counted["undecided"] += not found.cut
    return {
        "starts": found.starts,
        "evaluations": found.evaluations,
        "proposed": found.proposed,
        "best_slack": min((float(one.slack) for one in found.tight), default=None),
        "outside": dict(found.outside),
        "idle": idle,
        **counted,
        "violations": sorted(violations, key=writing_cost),
        "tight": [
            {"slack": float(one.slack), "normalised": float(one.normalised), "instance": one.instance.to_json()}
            for one in found.tight[:KEPT]
        ],
        "tightest": tightest,
    }


def probed_instances(variant: Variant, entropy: Sequence[int]) -> Iterator[System]:
    """A few instances of a variant, drawn as `claims verify` does: the same each time."""
    for turn in range(PROBES):
        draws = SeededDraws(np.random.default_rng([*entropy, turn]), is_costly(variant.conclusion), turn)
        try:
            system = draw_instance(variant.claim, variant.conclusion, draws, variant.without)
            admitted = variant.admits(system)
        except NO_VALUE:
            continue
        if admitted:
            yield system


def _why_idle(variant: Variant, entropy: Sequence[int]) -> str | None:
    built = False
    for system in probed_instances(variant, entropy):
        built = True
        if variant.conclusion.form not in AT_A_STATE:
            return None
        try:
            if numbers(variant.conclusion.slack(system)).size:
                return None
        except NO_VALUE:
            continue
    if built:
        return "nothing to compare"
    names = ", ".join(assumption.name for assumption in variant.without)
    return f"no start breaks {names} alone" if names else "no start could be built"


def _decided(variant: Variant, system: System) -> tuple[System, Verdict]:
    """A candidate with its verdict, replaced by a nearby one with short numbers if that is a counterexample as well."""
    if is_costly(variant.conclusion):
        near = simplest_near(variant, system)
        verdict = verdict_on(variant, near)
        if near is system or is_counterexample(verdict):
            return near, verdict
    return system, verdict_on(variant, system)


def verdict_on(variant: Variant, system: System) -> Verdict:
    """What is decided of the hunted conclusion at an instance."""
    return decide(variant.conclusion, system, QUICK, outside=True)


def is_counterexample(verdict: Verdict) -> bool:
    """Whether a violation was decided, in rationals or balls."""
    return verdict.outcome is Outcome.VIOLATED and is_certain(verdict)  # a statistical verdict can err


def _reduction(target: Target, spec: Spec) -> dict[str, Any]:
    variant = target.resolve()
    given = instance_of(variant, spec["instance"])
    # Trials are limited, and clocks differ: only a hunt with a budget of time asks one.
    seconds = spec.get("seconds", math.inf)
    deadline = time.monotonic() + seconds
    small = simplify(variant, given, EFFORT, seconds)
    verdict = witnessed(variant.conclusion, small.system, small.verdict, EFFORT, small.horizon, deadline)
    found = certificate(target, small.system, verdict, spec["seed"])
    return {"trials": small.trials, "certificate": found} | _enclosed(target, variant, verdict, deadline)


def certified(target: Target, system: System, verdict: Verdict, seed: int) -> dict[str, Any]:
    """The certificate of a verdict, after preparing its witness. Raises ValueError if there can be none."""
    return certificate(target, system, witnessed(target.resolve().conclusion, system, verdict, EFFORT), seed)


def _enclosed(target: Target, variant: Variant, verdict: Verdict, deadline: float) -> dict[str, Any]:
    if variant.conclusion.form not in ALONG_A_FLOW:
        return {}
    changed = str(target).removeprefix(f"{target.claim}.{target.conclusion}").strip()
    try:
        with within(max(deadline - time.monotonic(), SPARE_SECONDS)):
            return {"enclosure": enclosure(target.claim, target.conclusion, verdict, changed)}
    except NoEnclosureError as error:
        return {"no_enclosure": str(error)}
    except OutOfTimeError:
        return {"no_enclosure": "the time was over: a hunt with a larger --budget writes it"}
