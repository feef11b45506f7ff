"""One conclusion about a state, at one size, for every real input in a box: what solvers leave open is decided on boxes.

Only numbers that the hypotheses do not fix by equations are bounded; of those that are tied to each other some stand for
all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from flint import fmpq

from claims.campaigns.deadlines import within
from claims.proving.agreement import DisagreeingRunError, admitted_sample, cross_check, is_compared
from claims.proving.box_check import CheckedTree, TreeError
from claims.proving.boxes import Box, BranchAndBound, NoBoxError, Problem, Tree, problems_of
from claims.proving.exploring import AGAIN_SHARE, Leaf, NoProofError, PathEnd, Size, asking, explore, is_complete
from claims.proving.proof import SPARE_SECONDS, Attempt, Part, ProofStatus, attempting, run_anew
from claims.proving.solvers import Solver
from claims.stating.statement import AT_A_STATE
from claims.targets.target import Target, Variant
from dynamics.system import System

SOLVER_SECONDS = 1.0  # what Z3 may take for a path first: where it decides it, it does so at once

Bounds = tuple[fmpq, fmpq]


def attempt_on_box(target: Target, values: Mapping[str, int], bounds: Mapping[str, Bounds], budget: float) -> Attempt:
    """Try to prove a target for the numbers of a box, within `budget` seconds. Raises TargetError and NoSolverError.

    `bounds` are those of entries, x_0_0, and arrays, x, by name; "" is for all others.
    """
    with (
        attempting(target, values, budget, "boxes") as (made, deadline),
        Solver("z3") as z3,
        within(budget + SPARE_SECONDS),
    ):
        try:
            _prove(made, target.resolve(), bounds, z3, deadline)
        except NoBoxError as error:
            made.word, made.reason = ProofStatus.UNKNOWN, str(error)
    return made


def box_text(size: Size, bounds: Mapping[str, Bounds]) -> str:
    """A box of a size in words. Raises NoProofError where it bounds what is not there."""
    unknown = [name for name in bounds if name and name not in (*size.system.fields(), *size.names)]
    if unknown:
        raise NoProofError(f"{size.system.__name__} has no {unknown[0]}")
    known = [f"{name or 'numbers'} in [{low}, {high}]" for name, (low, high) in bounds.items()]
    return ", ".join([str(size), *known])


def _prove(made: Attempt, variant: Variant, bounds: Mapping[str, Bounds], z3: Solver, deadline: float) -> None:
    if variant.conclusion.form not in AT_A_STATE:
        raise NoProofError(f"the slack of a {variant.conclusion.form} is no formula in one state")
    began = time.monotonic()
    size = Size.of(variant.claim.system, made.size)
    made.told = box_text(size, bounds)
    made.outline = {"box": {name: [str(low), str(high)] for name, (low, high) in bounds.items()}}
    leaves, solved, ends = [], 0, 0
    found: dict[str, list[dict[str, Any]]] = {}
    bounded: set[str] = set()
    for leaf in explore(variant, size, asking(z3), deadline):
        leaves.append(leaf)
        made.cut += leaf.kind is PathEnd.CUT
        made.paths += leaf.kind in (PathEnd.DECIDED, PathEnd.VOID)
        for text in leaf.systems:
            left = min(SOLVER_SECONDS, max(deadline - time.monotonic(), 0.1))
            if z3.decide(text, left).word == "unsat":
                solved += 1
                continue
            found[leaf.answers] = []
            for problem, box in problems_on(leaf, size, bounds):
                tree = BranchAndBound(problem, deadline).tree(box)
                ends += rechecked(problem, box, tree)
                bounded |= {size.names[v] for v in box}
                found[leaf.answers].append({"problem": problem.to_json(box), "tree": tree})
    if not is_complete([leaf.answers for leaf in leaves]):
        raise DisagreeingRunError("a path was lost")
    # A box may have no instance, or none with anything to compare: what is shown of all of them says nothing then.
    if not any(leaf.compared for leaf in leaves) or not is_box_inhabited(variant, size, bounds, bounded):
        made.reason = "no input in the box is known that meets the hypotheses"
        return
    agreed = cross_check(variant, size, leaves, moved=into(size, bounds, bounded))
    run_anew(made, leaves, AGAIN_SHARE * (time.monotonic() - began))
    made.word, made.decided, made.reason = ProofStatus.PROVED, {"z3": solved, "boxes": ends}, f"{agreed} instances agree"
    made.parts = [Part({}, leaves, found)]


def problems_on(leaf: Leaf, size: Size, bounds: Mapping[str, Bounds]) -> list[tuple[Problem, Box]]:
    """What a path leaves, and on which boxes it is to be shown. Raises NoBoxError."""
    return [
        (problem, {v: _bounds_of(size.names[v], size, bounds) for v in problem.free})
        for problem in problems_of(leaf, size.names)
    ]


def rechecked(problem: Problem, box: Box, tree: Tree) -> int:
    """The number of ends of a tree that mpmath's intervals confirm. Raises NoBoxError."""
    try:
        return CheckedTree(problem.to_json(box)).check(tree)
    except TreeError as error:
        raise NoBoxError(f"mpmath's intervals do not confirm the tree: {error}") from None


def _owner(name: str, size: Size) -> str:
    # Not from the name: an array may be called x_0.
    return next(array for array, one in size.owned if one == name)


def _bounds_of(name: str, size: Size, bounds: Mapping[str, Bounds]) -> Bounds:
    owner = _owner(name, size)
    found = bounds.get(name, bounds.get(owner, bounds.get("")))
    if found is None:
        raise NoBoxError(f"the box does not say where {owner} lies")
    return found


def is_box_inhabited(variant: Variant, size: Size, bounds: Mapping[str, Bounds], bounded: set[str]) -> bool:
    """Whether an instance of a sample, moved into the box, meets the hypotheses: what the box names lies in it, too."""
    named = _named(size, bounds)
    every = set(size.names) if "" in bounds else named
    # The fewest numbers moved first: what a hypothesis ties to others is broken where one of them is moved alone.
    for one, moved in product(admitted_sample(variant, size), (bounded, bounded | named, bounded | every)):
        point = _moved(one, size, bounds, moved)
        try:
            if point is not None:
                instance = size.instance(point)
                if variant.admits(instance) and is_compared(variant, instance):
                    return True
        except (ArithmeticError, ValueError):
            continue
    return False


def into(size: Size, bounds: Mapping[str, Bounds], bounded: set[str]) -> Callable[[System], System]:
    """What moves an instance into the box: its bounded numbers and, where they lie outside, all that the box names."""

    def moved(instance: System) -> System:
        point = _moved(instance, size, bounds, bounded) or _moved(instance, size, bounds, bounded | _named(size, bounds))
        assert point is not None  # what is named has been moved
        return size.filled(point)

    return moved


def _named(size: Size, bounds: Mapping[str, Bounds]) -> set[str]:
    return {name for name in size.names if name in bounds or _owner(name, size) in bounds}


def _moved(instance: System, size: Size, bounds: Mapping[str, Bounds], moved: set[str]) -> dict[str, fmpq] | None:
    """The numbers of an instance, some of them moved into the box; None where others that it names lie outside."""
    point = dict(zip(size.names, size.point(instance), strict=True))
    # Scaled alike, so that ties stay ties and signs stay as they are where the box is symmetric.
    scale = max((abs(point[name]) for name in moved), default=fmpq(0))
    for name in moved:
        low, high = _bounds_of(name, size, bounds)
        near = point[name] / scale if scale else point[name]
        point[name] = min(max((low + high) / 2 + near * (high - low) / 2, low), high)
    ends = {name: _bounds_of(name, size, bounds) for name in _named(size, bounds)}
    return point if all(low <= point[name] <= high for name, (low, high) in ends.items()) else None
