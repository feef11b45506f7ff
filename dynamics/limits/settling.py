"""From an exact start to its limits: a time in float64, an enclosure to it, and a trap in balls that decides for ever.

Float64 only proposes the time. What settles is what a trap shows of the enclosed state; what does not is undecided, and
the error says what may help.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import Array, UndecidedError, elementwise, fraction, numbers, rational, working_precision
from dynamics.choices import guarded_numbers
from dynamics.enclosures.frames import best_frame, enclose_state
from dynamics.enclosures.remembered import once
from dynamics.enclosures.steps import LADDER, EnclosureError, short
from dynamics.integrate import followed
from dynamics.limits.hyperplanes import hyperplanes_trap
from dynamics.limits.leaders import leader_trap
from dynamics.limits.margins import NoLemmaError
from dynamics.limits.polytopes import polytope_trap
from dynamics.limits.products import product_trap
from dynamics.limits.repulsion import collapse_trap
from dynamics.limits.symmetry import symmetry_trap
from dynamics.limits.thresholds import threshold_trap
from dynamics.limits.tokens import TokenFlow, checked, scalar_value, tokens_of
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

End = TypeVar("End")
Trap = Callable[[TokenFlow, TokenFlow], End]

LATEST = fmpq(12)
"""The latest time at which traps are tried."""

DOUBTS = ((1e-6, 1e-9), (1e-12, 1e-13))
"""The uncertainty assumed for a proposed state, relative to its largest token, and the tolerance of the run in float64.

A margin that survives the first has room. The second is tried where nothing survives the first: tokens that gather at one
point differ by less than that, although their scores tell them apart.
"""

LATER = 3
"""The number of times tried if an enclosed state is not caught although the proposed one was."""

GRID = tuple(fmpq(k, 8) for k in range(1, 17)) + tuple(fmpq(k, 4) for k in range(9, 4 * int(LATEST) + 1))


class UnsettledError(UndecidedError):
    """No limit was decided. `helps` says what may help; `reached` is the last time at which a state was looked at."""

    precision_helps = False

    def __init__(self, reason: str, helps: str, reached: fmpq) -> None:
        super().__init__(f"{reason} (reached t = {short(reached)}; {helps} may help)" if helps != NOTHING else reason)
        self.helps = helps
        self.reached = reached


class SettlingStopped(KeyboardInterrupt):
    """Ctrl-C ended :func:`settle`; `reached` is the last time at which a state was looked at."""

    def __init__(self, reached: fmpq) -> None:
        super().__init__(f"stopped at t = {short(reached)}")
        self.reached = reached


A_LATER_TIME, MORE_BITS, MORE_SECONDS, NOTHING = "a later time", "more bits", "more seconds", "nothing"


@dataclass(frozen=True)
class Settled(Generic[End]):
    """What holds for ever from the time `since` on, and how it was decided."""

    start: TokenFlow
    since: fmpq
    state: TokenFlow
    """The enclosed state at that time."""
    trap: str
    """The name of the trap."""
    end: End
    bits: int
    seconds: float


def traps_of(start: TokenFlow) -> tuple[Trap[Any], ...]:
    """The traps whose lemmas may be about a flow, those that tell most first. Raises NoLemmaError for another system."""
    checked(start)
    value = scalar_value(start)
    if value is None:
        return hyperplanes_trap, polytope_trap
    if value < 0:
        return (collapse_trap,)
    if value == 0:
        raise NoLemmaError("V = 0: no rescaled token moves")
    if tokens_of(start).shape[1] == 1:
        return threshold_trap, leader_trap, symmetry_trap
    return leader_trap, symmetry_trap, product_trap


def settle(
    start: TokenFlow,
    traps: Sequence[Trap[Any]] | None = None,
    seconds: float = 60.0,
    latest: fmpq = LATEST,
    most_bits: int = 256,
) -> Settled[Any]:
    """The limits of a flow from an exact start, by one of the traps.

    Raises UnsettledError where none of them is shown to catch a state up to the time `latest` with `most_bits` within the
    budget of processor seconds, SettlingStopped on Ctrl-C, NoLemmaError where no lemma is about the flow.
    """
    wanted = tuple(traps_of(start) if traps is None else traps)
    begun = time.process_time()
    spent: Callable[[], float] = lambda: time.process_time() - begun  # noqa: E731
    reached = fmpq(0)
    reason, helps = "no trap caught a state", A_LATER_TIME
    try:
        # A start that is caught itself needs no trajectory.
        caught = _at_once(start, wanted, spent)
        if caught is not None:
            return caught
        proposals = 0
        for when, trap in _proposed(start, wanted, latest):
            reached = when
            if trap is None:
                continue
            proposals += 1
            left = seconds - spent()
            if left <= 0:
                raise UnsettledError("the budget is spent", MORE_SECONDS, reached)
            try:
                return _caught_at(start, when, trap, most_bits, left, spent)
            except EnclosureError as error:
                out_of_time = spent() >= seconds
                raise UnsettledError(str(error), MORE_SECONDS if out_of_time else MORE_BITS, reached) from None
            except UndecidedError as error:
                reason, helps = str(error), MORE_BITS if error.precision_helps else A_LATER_TIME
            if proposals == LATER:
                break  # each costs a trajectory
        if not proposals and reached < latest:
            reason, helps = f"float64 follows the flow no farther than t = {short(reached)}", NOTHING
    except KeyboardInterrupt:
        raise SettlingStopped(reached) from None
    except OverflowError as error:
        raise UnsettledError(f"a number is beyond float64: {error}", NOTHING, reached) from None
    raise UnsettledError(reason, helps, reached)


def _at_once(start: TokenFlow, traps: Sequence[Trap[Any]], spent: Callable[[], float]) -> Settled[Any] | None:
    """What a trap shows of the start itself, if one catches it. Raises NoLemmaError where all are about other flows."""
    foreign: NoLemmaError | None = None
    about = 0  # how many lemmas are about the flow, whether they catch or not
    for trap in traps:
        with working_precision(LADDER[0].bits):
            try:
                end = trap(start, start)
            except NoLemmaError as error:
                foreign = error
                continue
            except UndecidedError:
                about += 1
                continue
        return Settled(start, fmpq(0), start, trap.__name__, end, LADDER[0].bits, spent())
    if foreign is not None and not about:
        raise foreign
    return None


def _caught_at(
    start: TokenFlow, when: fmpq, trap: Trap[End], most_bits: int, seconds: float, spent: Callable[[], float]
) -> Settled[End]:
    """What the trap shows of the state enclosed at a time, on the first rung that tells.

    Raises EnclosureError where no rung reaches the time, else the error of the trap on the last.
    """
    failure: ArithmeticError = EnclosureError(f"no enclosure within {most_bits} bits")
    until = spent() + seconds
    frame = best_frame(start, when)
    # What the trap leaves open at one precision the next may tell; what it denies more bits deny, too.
    for rung in LADDER:
        if rung.bits > most_bits or spent() > until:
            continue
        with working_precision(rung.bits):
            try:
                state = enclose_state(frame, when, rung, seconds=until - spent())
                end = trap(state, start)
            except EnclosureError as error:
                failure = error
                continue
            except UndecidedError as error:
                failure = error
                if not error.precision_helps:
                    break  # the state is outside of the region, whatever its digits
                continue
        return Settled(start, when, state, trap.__name__, end, rung.bits, spent())
    raise failure


# ---------------------------------------------------------------------------------------------------------------------
# Proposals


def _proposed(start: TokenFlow, traps: Sequence[Trap[Any]], latest: fmpq) -> Iterator[tuple[fmpq, Trap[Any] | None]]:
    """Increasing times, each with the trap that catches the state of a float64 run with room to spare, or None.

    Where nothing is caught up to the latest time, the times are gone through again with less room.
    """
    for doubt, tolerance in DOUBTS:
        # With less doubt only if nothing was caught with more: a margin with room is also seen in the enclosed state.
        found = False
        for when, caught in _proposed_with(start, traps, latest, doubt, tolerance):
            found = found or caught is not None
            yield when, caught
        if found:
            return


def _proposed_with(
    start: TokenFlow, traps: Sequence[Trap[Any]], latest: fmpq, doubt: float, tolerance: float
) -> Iterator[tuple[fmpq, Trap[Any] | None]]:
    # The latest time itself is looked at, wherever the grid ends: a budget of time is used up.
    times = sorted({when for when in GRID if when <= latest} | {latest})
    # Guards off: these are proposals, whose choices decide nothing.
    for when, state in _states(_followed(start), times, doubt, tolerance):
        for trap in traps:
            try:
                with working_precision(LADDER[0].bits), guarded_numbers(on=False):
                    trap(state, start)
            except UndecidedError:
                continue
            yield when, trap
            break
        else:
            yield when, None


def _followed(start: TokenFlow) -> TokenFlow:
    """The start itself, or that of the tokens x where e^{-tV} would stretch some of their coordinates without bound."""
    if type(start) is RescaledFlow and scalar_value(start) is None and start.t.item() == 0:
        return SelfAttentionFlow(x=start.z, B=start.B, V=start.V)
    return start


def _states(start: TokenFlow, times: Sequence[fmpq], doubt: float, tolerance: float) -> Iterator[tuple[fmpq, TokenFlow]]:
    """The states of a float64 run, as balls that admit doubt, up to where the run fails.

    It goes no farther than is asked for: most starts are caught early, and the whole way may be long or leave float64.
    """
    path = followed(start, [float(fraction(when)) for when in times], tolerance)
    for when in times:
        try:
            with np.errstate(all="ignore"):
                state = next(path)
        except OverflowError:  # is an ArithmeticError, too, and says something else: the start itself leaves float64
            raise
        except ArithmeticError:
            return
        moved = {name: getattr(state, name) for name in state.moving}
        if not all(np.isfinite(array).all() for array in moved.values()):
            return
        # Relative to the largest token, as e^{-tV} may have made all of them small; a clock is known exactly.
        size = float(np.abs(tokens_of(state)).max())  # type: ignore[arg-type]
        doubted = {name: _doubted(array, doubt * size if array.ndim else 0.0) for name, array in moved.items()}
        yield when, start.replace(**doubted)


def _doubted(values: Array, radius: float) -> Array:
    return elementwise(lambda v: arb(arb(rational(v)), arb(rational(radius))), numbers(np.asarray(values, dtype=object)))


def _first_caught(start: TokenFlow, trap: Trap[Any], latest: fmpq) -> fmpq | None:
    """The first time at which float64 sees the trap catch; None where it does not, or is about other flows."""
    with guarded_numbers(on=False):
        try:
            with working_precision(LADDER[0].bits):
                trap(start, start)
        except NoLemmaError:
            return None
        except UndecidedError:
            pass
        try:
            return next((when for when, caught in _proposed(start, (trap,), latest) if caught), None)
        except (NoLemmaError, OverflowError):
            return None


SOON = fmpq(1, 8)
"""The time tried if none is proposed: it costs little."""


def settling_times(trap: Trap[Any], latest: fmpq = LATEST) -> Callable[[Any], Sequence[fmpq]]:
    """For `claim.limit(times=...)`: the first time at which float64 sees the trap catch, and two later by 1/2.

    What is caught stays caught, and later the limits are known better. A claim with `trap=leader_trap` writes
    `times=settling_times(leader_trap)`.
    """

    def times(start: Any) -> Sequence[fmpq]:
        # Float batches hold many starts, which have no first time in common.
        if tokens_of(start).dtype != object:
            return (fmpq(1, 2), fmpq(1), fmpq(2), fmpq(4))
        # Hypotheses and conclusions ask for the times of one start again and again.
        first = once(start, ("settling time", trap, latest), lambda: _first_caught(start, trap, latest))
        return (SOON,) if first is None else tuple(first + fmpq(k, 2) for k in range(3))

    return times
