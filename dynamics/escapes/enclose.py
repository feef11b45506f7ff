"""The escape time of a chain within a budget: exactly where the histories can be followed, by boxes where they cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import flint
import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.escapes.departures import inner, minus
from dynamics.escapes.histories import Histories, TooManyHistoriesError, follow
from dynamics.escapes.merged import merged_mean
from dynamics.escapes.times import Enclosure, EscapeLaw, OpenMeanError, at_most_before, mean
from dynamics.geometry import squared_distance_to_hull
from dynamics.tokens.attention_chain import AttentionChain

WHOLE_STATES = 2000
"""Of so many states at most nothing is cut."""

MOST_WHOLE_TOKENS = 3
"""With more tokens a state has too many moves for that: nothing is followed without a cut at first."""

CUTS = (0.0, 1e-4, 1e-7, 1e-10, 1e-14, 0.0)
"""What is negligible, from pass to pass; the first is for small graphs."""

SPARE_DIGITS = 6
"""What is negligible has so many digits more than are asked for: cut states are many, and a mean from there may be long."""

BOXES = ((2e-1, 1e-7), (5e-2, 1e-7), (2e-2, 1e-8))
"""Sides of boxes of two tokens in units of the longest pick, and what is negligible."""

ALL_ORDERS_BOX = (10.0, 1e-7)
"""The same for more tokens, of which boxes tell little: where nothing else bounds the law."""

CLASSES = (3e-6, 1e-8)
"""What is negligible where states are merged that the same picks lead to in any order."""

BOUNDING_STATES = 5000
"""Histories of so many states at most bound the law beside a mean of merged states: more of them tell little more."""

GROWTH = 40
"""So many times the states of a pass may come at the smallest cut: where they are allowed passes between are left out."""

BOX_BITS = 64


class NoWayOutError(ValueError):
    """No sequence of picks leads out of the tubes: T_2 is infinite."""


class WithinBudgetError(UndecidedError):
    """Nothing could be certified within the budget; the message says what would be needed."""

    precision_helps = False


@dataclass(frozen=True)
class Escape:
    """The mean of T_2 and histories that tell of its law; the mean may be known better from merged states."""

    mean: Enclosure
    histories: Histories


def longest_pick(chain: AttentionChain) -> arb:
    """gamma times the largest distance of two tokens at the start: no pick moves a token farther."""
    x = list(map(tuple, chain.x.tolist()))
    squares = [inner(minus(a, b), minus(a, b)) for a in x for b in x]
    return arb(max(squares)).sqrt() * chain.gamma.item()


def has_a_way_out(chain: AttentionChain) -> bool:
    """Whether some picks lead out of the tubes, in time: some token starts outside the tube of another group.

    A token that picks it again and again comes as near to it as one likes while it stays. If there is none, the first hull
    is within every tube, and holds all tokens for ever.
    """
    square = chain.eps.item() ** 2
    hulls = [chain.x[chain.group == label] for label in set(chain.group.tolist())]
    return any((np.asarray(squared_distance_to_hull(chain.x, hull)) > square).any() for hull in hulls)


def mean_escape(
    chain: AttentionChain, digits: float = 10, most_states: int = 60000, told: Callable[[str], None] = lambda _: None
) -> Escape:
    """E T_2 to so many digits, or to as many as the budget of states allows; one token per tube.

    Raises NoWayOutError where the mean is infinite, NotAloneError where two tokens share a tube, and WithinBudgetError
    where not even an upper bound is found.
    """
    if not has_a_way_out(chain):
        raise NoWayOutError(
            "no picks lead out of the tubes: all tokens stay within eps of every start, the mean is infinite"
        )
    best: Escape | None = None
    for found in _attempts(chain, digits, most_states, told):
        if best is None or found.mean.digits > best.mean.digits:
            best = found
        if best.mean.digits >= digits:
            break
    if best is None:
        raise WithinBudgetError(f"more than {most_states} states are reached: allow more states")
    return best


def _attempts(chain: AttentionChain, digits: float, most_states: int, told: Callable[[str], None]) -> Iterator[Escape]:
    # Whole histories first, where they may be few: nothing is lost to a cut. Then coarse cuts before fine ones, which cost
    # more; what merges states comes last, as it loses digits that no budget brings back.
    best, known = 0.0, None
    is_first = len(chain.x) <= MOST_WHOLE_TOKENS
    aim = 10.0 ** -(digits + SPARE_DIGITS)
    cuts = [*(cut for cut in CUTS[not is_first : -1] if cut > aim or cut == 0), aim, 0.0]
    skipped: list[float] = []
    while cuts:
        limit = WHOLE_STATES if is_first else most_states
        try:
            histories = follow(chain, cuts.pop(0), limit)
            found = Escape(mean(histories), histories)
        except (TooManyHistoriesError, OpenMeanError) as error:
            if isinstance(error, TooManyHistoriesError) and not is_first:
                told(str(error))
                cuts, skipped = skipped, []
            continue
        finally:
            is_first = False
        told(f"{len(histories.nodes)} states: {max(found.mean.digits, 0):.1f} digits")
        best = max(best, found.mean.digits)
        if known is None or len(histories.nodes) <= BOUNDING_STATES:
            known = histories
        yield found
        if histories.whole:
            return
        skipped = []
        # Passes between are for chains that need them: where the finest cut is expected to fit, it is tried at once.
        if len(cuts) > 2 and len(histories.nodes) * GROWTH < most_states:
            cuts, skipped = cuts[-2:], cuts[:-2]
    if best >= 2:
        return
    if len(chain.x) > 2:
        yield from _merged(chain, most_states, known, told)
        return
    side = float(longest_pick(chain).mid())
    for cell, cut in BOXES:
        try:
            with working_precision(max(BOX_BITS, flint.ctx.prec // 2)):
                histories = follow(chain, cut, 2 * most_states, cell=cell * side)
                found = Escape(mean(histories), histories)
        except (TooManyHistoriesError, OpenMeanError) as error:
            told(str(error))
            return
        told(f"{len(histories.nodes)} boxes: {max(found.mean.digits, 0):.1f} digits")
        yield found


def _merged(
    chain: AttentionChain, most_states: int, known: Histories | None, told: Callable[[str], None]
) -> Iterator[Escape]:
    """Means from merged states, with the histories that are known, or some of boxes."""
    for cut in CLASSES:
        try:
            with working_precision(max(BOX_BITS, flint.ctx.prec // 2)):
                found, count = merged_mean(chain, cut, most_states)
                if known is None:
                    wide, little = ALL_ORDERS_BOX
                    known = follow(chain, little, 2 * most_states, cell=wide * float(longest_pick(chain).mid()))
        except (TooManyHistoriesError, OpenMeanError) as error:
            told(str(error))
            if isinstance(error, TooManyHistoriesError):
                return
            continue
        told(f"{count} classes of states: {max(found.digits, 0):.1f} digits")
        yield Escape(found, known)


LAW_STATES = 600
"""Of so many states at most the law after many steps is integrated."""


def chance_before(chain: AttentionChain, t: int, most_states: int = 20000) -> Enclosure:
    """P[T_2 < t] for a chain of one token per tube.

    Raises NotAloneError where two tokens share a tube and WithinBudgetError beyond the budget.
    """
    if t <= 1 or not has_a_way_out(chain):
        return Enclosure(arb(0), arb(0))
    best: Enclosure | None = None
    for number, cut in enumerate(CUTS):
        if number == 0 and len(chain.x) > MOST_WHOLE_TOKENS:
            continue
        try:
            histories = follow(chain, cut, most_states if number else WHOLE_STATES)
        except TooManyHistoriesError:
            if number:
                break
            continue
        size = len(histories.nodes)
        if best is not None and size > LAW_STATES and t * size > 2_000_000:
            break
        found = EscapeLaw(histories).before(t)
        best = found if best is None else Enclosure(max(best.low, found.low), min(best.high, found.high))
        if histories.whole or best.digits > 6:
            return best
    boxed = _boxed_bound(chain, t, most_states) if best is None or not best.digits > 0 else arb(1)
    if best is None:
        best = Enclosure(arb(0), arb(1))
    return Enclosure(best.low, min(best.high, boxed))


def _boxed_bound(chain: AttentionChain, t: int, most_states: int) -> arb:
    side, best = float(longest_pick(chain).mid()), arb(1)
    for cell, cut in ((2e-1, 1e-9), (5e-2, 1e-9)) if len(chain.x) == 2 else ((10.0, 1e-8),):
        try:
            best = min(best, at_most_before(follow(chain, cut, most_states, cell=cell * side), t))
        except TooManyHistoriesError:
            break
    return best


LATEST = arb(2) ** 8192
"""No quantile beyond is looked for."""


def guess_of_quantile(found: Escape, q: fmpq) -> int:
    """The quantile of an exponential law with this mean: where to begin to look. Raises WithinBudgetError beyond bounds."""
    guess = ((found.mean.low + found.mean.high) / 2 * -(1 - arb(q)).log()).mid()
    if not guess.is_finite():
        return 1
    if not guess < LATEST:
        raise WithinBudgetError("the quantile has more than 8192 bits")
    mantissa, exponent = (int(part) for part in guess.man_exp())
    return mantissa << exponent if exponent >= 0 else mantissa >> -exponent
