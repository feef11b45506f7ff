"""The chance that tokens escape, against a bound: enumerated, by the law of T_2, by a count of picks, or by runs.

A bound is compared with an enclosure of the chance, and undecided is not true. Runs in float64 are *statistical*: what
rounding may change in them enters the test.
"""

from __future__ import annotations

import zlib
from itertools import count
from typing import Any

import numpy as np
from flint import arb

from claims.stating.statement import Conclusion, Tail
from claims.stating.verdict import Known, Outcome, Verdict, Witness
from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.decimals import interval_text, outward
from dynamics.enclosures.escapes import (
    EscapeProbability,
    TooManyStatesError,
    binomial_tail,
    chance_of_straight_picks,
    escape_probability,
    picks_of_chain,
    simulate_escapes,
)
from dynamics.escapes.counting import counted_bound
from dynamics.escapes.enclose import chance_before
from dynamics.escapes.histories import alone
from dynamics.escapes.rare import forced_escapes, interval
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.float_runs import rounding
from dynamics.tokens.pick_sequences import Picks

CHAIN_BITS = 128  # to enumerate a chance: thousands of sums lose a dozen bits of them
TOTAL_ERROR = arb(2) ** -40
"""The probability that any statistical verdict of a run is wrong, over all claims and instances: below 1e-12."""

MOST_TESTS, MOST_PROCESSES = 1 << 16, 1 << 8
"""Statistical tests of a process at most, and processes of a run, among which the total error is divided."""

SIMULATION_ERROR = TOTAL_ERROR / (MOST_TESTS * MOST_PROCESSES)
"""The probability that one statistical verdict is wrong, split among the looks of its sequential test."""

_tests = count(1)

FORCED_RUNS = 4000
MOST_FORCED = 400_000_000  # products of steps, pairs of coordinates and runs with forced picks at most

# By factors of four: at most four times as many runs are made as would have told, and the error is shared by seven looks.
LOOKS = tuple(256 * 4**k for k in range(7))

USUAL_RUNS, MOST_SIMULATED = 65536, 400_000_000
"""Runs at a time; beyond them a test goes on only within such a product of steps, pairs of coordinates and runs."""


def check_tail(conclusion: Conclusion, system: Any, branches: int) -> Verdict:
    """Decide a conclusion about a chance, of at most `branches` combinations of picks where they are enumerated."""
    with working_precision(CHAIN_BITS):
        try:
            tail: Tail = conclusion.slack(system)
        except UndecidedError as error:
            return Verdict(Outcome.UNDECIDED, None, None, str(error))
        bound = arb(tail.log_bound).exp()
        verdict = _decide_tail(tail, bound, branches)
    if not tail.reverse or verdict.outcome is Outcome.UNDECIDED or verdict.known is None:
        return verdict
    other = Outcome.HOLDS if verdict.outcome is Outcome.VIOLATED else Outcome.VIOLATED
    return Verdict(other, verdict.known, None if verdict.slack is None else -verdict.slack, verdict.reason)


def _decide_tail(tail: Tail, bound: arb, branches: int) -> Verdict:
    """The verdict on P[T_2 < t] <= bound; of a reverse statement, which a tie satisfies, on P[T_2 < t] < bound."""
    if not tail.reverse and bound >= 1:
        return Verdict(Outcome.HOLDS, None, None, "the bound is at least 1")
    # One token escaping alone is a cheap lower bound, often enough for a violation.
    picks = picks_of_chain(tail.chain)
    single = _escapes(tail.chain, picks, bound * arb(2) ** -24, branches, most_movers=1)
    if single is None:
        low, reason = chance_of_straight_picks(tail.chain, picks), "one token that picks the same one again and again"
    else:
        low, reason = single.escaped, "one token alone, enumerated"
    verdict = _compared(tail, bound, low, arb(1), reason)
    # Then a pass per number of picks outside the group, each of chance about e^{-beta c_0}: rare escapes need few branches.
    least = (-arb(tail.chain.beta.item() * tail.chain.c_0)).exp()
    for number in range(1, int(tail.chain.steps.item()) * len(tail.chain.x) + 2):
        if verdict is not None:
            return verdict
        negligible = least**number * arb(2) ** -6
        found = _escapes(tail.chain, picks, negligible, branches)
        if found is None:
            # The law of T_2 is known where each token is alone in its tube; a count of picks only bounds; runs may err.
            most = counted_bound(tail.chain, int(tail.chain.steps.item()))
            return (
                _decide_by_law(tail, bound, branches)
                or _compared(tail, bound, arb(0), most, "by a count of the picks that are needed")
                or _simulate(tail, bound, f"more than {branches} combinations of picks")
            )
        verdict = _compared(tail, bound, found.escaped, found.escaped + found.cut, "enumerated")
        if found.cut.is_zero():
            break
    too_close = Verdict(Outcome.UNDECIDED, None, None, "bound and probability are too close to tell")
    return verdict or _decide_by_law(tail, bound, branches) or too_close


def _compared(tail: Tail, bound: arb, low: arb, high: arb, reason: str) -> Verdict | None:
    # Of a violation log bound - log P is between log bound and what `low` says, as P is at most 1.
    if low > bound:
        excess = bound.log() - low.log()
        witness = Witness((), arb(tail.log_bound).union(excess), CHAIN_BITS)
        return Verdict(Outcome.VIOLATED, Known.CERTIFIED, excess, reason, witness)
    if high < bound or (high <= bound and not tail.reverse):
        slack = bound.log() - high.log() if high > 0 else None
        return Verdict(Outcome.HOLDS, Known.CERTIFIED, slack, reason)
    return None


def _decide_by_law(tail: Tail, bound: arb, branches: int) -> Verdict | None:
    if not alone(tail.chain):
        return None
    try:
        law = chance_before(tail.chain, int(tail.chain.steps.item()), branches // 2)
    except UndecidedError:
        return None
    return _compared(tail, bound, law.low, law.high, "by the law of T_2")


def _escapes(
    chain: AttentionChain, picks: Picks, negligible: arb, branches: int, most_movers: int | None = None
) -> EscapeProbability | None:
    try:
        return escape_probability(chain, negligible, branches, most_movers, picks)
    except TooManyStatesError:
        return None


def _sample_forced(tail: Tail, bound: arb, reason: str, rng: np.random.Generator) -> Verdict:
    # Rare escapes hardly ever happen in plain runs: picks outside the groups are forced, and weighed by how likely they
    # were.
    steps, size = int(tail.chain.steps.item()), tail.chain.x.size * len(tail.chain.x)
    if steps * size * FORCED_RUNS > MOST_FORCED:
        return Verdict(Outcome.UNDECIDED, None, None, f"{reason}, and {outward(bound, 1, 3)} is too rare to simulate")
    try:
        found = forced_escapes(tail.chain, FORCED_RUNS, rng)
    except UndecidedError as error:
        return Verdict(Outcome.UNDECIDED, None, None, f"{reason}; {error}")
    low, high = interval(found, float(SIMULATION_ERROR))
    label, level = f"{FORCED_RUNS} runs with forced picks, total error below 1e-12", bound.log()
    if np.isfinite(low) and level < low:
        return Verdict(Outcome.VIOLATED, Known.STATISTICAL, level - arb(low), label)
    if level > high:
        return Verdict(Outcome.HOLDS, Known.STATISTICAL, level - arb(high), label)
    log_p, log_bound = interval_text(low, high), interval_text(level, level)
    text = f"log P from {log_p} by {FORCED_RUNS} runs with forced picks, log bound from {log_bound}"
    return Verdict(Outcome.UNDECIDED, None, None, f"{reason}; {text}")


def _simulate(tail: Tail, bound: arb, reason: str) -> Verdict:
    # Exact binomial tails in balls, the error spent over the looks; nothing is told any more where the process has spent
    # its share of the total error.
    if not bound < 1:
        text = f"the bound {outward(bound, 1, 3)} is not certainly below 1"
        return Verdict(Outcome.UNDECIDED, None, None, f"{reason}, and {text}")
    if next(_tests) > MOST_TESTS:
        spent = f"{MOST_TESTS} statistical tests of this process have spent its share of the error"
        return Verdict(Outcome.UNDECIDED, None, None, f"{reason}, and {spent}")
    # Of the chain alone: the same instance has the same runs whenever it is decided.
    rng = np.random.default_rng(zlib.crc32(str(tail.chain.to_json()).encode()))
    if bound < arb(2) ** -14:
        return _sample_forced(tail, bound, reason, rng)
    try:
        off = rounding(tail.chain, int(tail.chain.steps.item()) - 1)
    except UndecidedError as error:
        return Verdict(Outcome.UNDECIDED, None, None, f"{reason}; {error}")
    # If P <= bound a run in float64 counts as escaped with a chance of at most `most`; if P >= bound, of at least `least`.
    most = (bound * arb(off.ratio).exp() + off.chance).upper()
    least = (bound * (-arb(off.ratio)).exp() - off.chance).lower()
    runs = surely = possibly = 0
    cost = int(tail.chain.steps.item()) * tail.chain.x.size * len(tail.chain.x)
    for look, goal in enumerate(LOOKS):
        if goal > USUAL_RUNS and cost * goal > MOST_SIMULATED:
            break
        while runs < goal:
            more = min(goal - runs, USUAL_RUNS)
            found = simulate_escapes(tail.chain, more, rng)
            runs, surely, possibly = runs + more, surely + found[0], possibly + found[1]
        allowed = SIMULATION_ERROR / 2 ** (look + 2)
        label = f"{surely} escapes in {runs} runs, total error below 1e-12"
        if most < 1 and binomial_tail(surely, runs, most) < allowed:
            return Verdict(Outcome.VIOLATED, Known.STATISTICAL, bound.log() - (arb(surely) / runs).log(), label)
        if least > 0 and 1 - binomial_tail(possibly + 1, runs, least) < allowed:
            slack = bound.log() - (arb(possibly) / runs).log() if possibly else None
            return Verdict(Outcome.HOLDS, Known.STATISTICAL, slack, label)
    return Verdict(Outcome.UNDECIDED, None, None, f"{surely} to {possibly} escapes in {runs} runs do not tell")
