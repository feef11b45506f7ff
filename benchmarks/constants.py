"""Our bracket of a constant against bisection by repeated hunts: evaluations until a value within 1 % is refuted.

Both look at the same constants, sharp ones of the suite's true statements, with the same instances, slacks and decisions.

*ours*       :class:`claims.sharpening.forcing.Forcing`, one search for the instance that leaves the least room;
*bisection*  :func:`claims.hunting.search.search` at the middle of the bracket (by the logarithm of its room, from 1 to
             1/10 000), each with a fourth of the evaluations that are left, until the value refuted is stronger by
             1 % at most.

    python benchmarks/constants.py --starts 2000

prints the evaluations of each, and the room of the value that is refuted in the end.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from flint import fmpq
from measuring import print_table, seconds

from claims.certificates.constants import BRACKETS, ConstantStatus
from claims.hunting.rounds import QUICK, is_counterexample
from claims.hunting.search import search
from claims.sharpening.forcing import Constant, Forcing, constants_of, rounded_up
from claims.targets.target import Target
from claims.verifying.deciding import check
from dynamics.arithmetic import fraction, rational

ENOUGH = 0.01  # the room at which both stop
LEAST_ROOM = 1e-4  # of the strongest value that bisection tries: below, it would spend most of its evaluations on nothing
HEAD = ("evaluations", "room", "CPU-s")


def chosen(many: int, seed: int) -> list[tuple[Target, Constant]]:
    """Constants that the package knows to be sharp, at random."""
    sharp = [one for one in BRACKETS.stored.values() if one["word"] in (ConstantStatus.SHARP, ConstantStatus.IN_THE_LIMIT)]
    order = np.random.default_rng(seed).permutation(len(sharp))[:many]
    found = []
    for k in order:
        target = Target(sharp[k]["claim"], sharp[k]["conclusion"])
        way = 1 if sharp[k]["stronger"] == "larger" else -1
        found += [(target, one) for one in constants_of(target, sharp[k]["constant"], [0]) if one.way == way]
    return found


def ours(target: Target, constant: Constant, starts: int, seed: int) -> Iterator[tuple[int, float]]:
    """The evaluations so far, and the least room that is decided, each time that it falls."""
    run = Forcing(target, constant, [seed], starts, (), math.inf)
    least = math.inf
    # The budget doubles: then the cost of an answer is known to a factor of two, not only that of the whole.
    for halvings in range(9, -1, -1):
        run.budget = max(1, starts >> halvings)
        run.run()
        nears = sorted((near for kept in run.nears.values() for near in kept), key=lambda near: near.room)
        for near in nears[:4]:
            # A little more room than float64 says: at exactly that the instance would be on the edge.
            room = rounded_up(max(near.room * 1.01, 1e-9))
            system = run.exact_of(near)
            if system is not None and float(fraction(room)) < least and refutes(target, constant, room, system):
                least = float(fraction(room))
                break
        yield run.found.evaluations, least
        if least <= ENOUGH:
            return


def bisection(target: Target, constant: Constant, starts: int, seed: int) -> Iterator[tuple[int, float]]:
    """The same of hunts for one value after the other."""
    low, high, used, turn = math.log(LEAST_ROOM), math.log(1.0), 0, 0
    least = math.inf
    while used < starts and least > ENOUGH * (1 + 1e-9):  # the first middle is 1 % itself, but for rounding
        middle = (low + high) / 2
        room = rounded_up(math.exp(middle))
        variant = constant.in_target(target, room).resolve()
        found = search(variant, [seed, turn], max(starts // 8, (starts - used) // 4), ())
        used, turn = used + found.evaluations, turn + 1
        if any(refutes(target, constant, room, system) for system in found.candidates):
            high, least = middle, min(least, math.exp(middle))
        else:
            low = middle
        if high - low < ENOUGH:
            low, high = math.log(LEAST_ROOM), math.log(min(least, 1.0))  # a search that found nothing proves nothing
        yield used, least


def refutes(target: Target, constant: Constant, room: fmpq, system: object) -> bool:
    """Whether the exact instance refutes the value at this room."""
    return is_counterexample(check(constant.in_target(target, rational(room)).resolve().conclusion, system, QUICK))


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=2000)
    parser.add_argument("--constants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rows = []
    with np.errstate(all="ignore"):
        for target, constant in chosen(given.constants, given.seed):
            cells: list[object] = [f"{target}, {constant.name}"]
            for method in (ours, bisection):
                taken, found = seconds(partial(list, method(target, constant, given.starts, given.seed)))
                cells += [*found[-1], taken]
            rows.append(cells)
    print_table(("constant", *(f"{name}: {what}" for name in ("ours", "bisection") for what in HEAD)), rows)


if __name__ == "__main__":
    main()
