"""One conclusion about a state, at one size, for every real input in a box: what solvers leave open is decided on boxes.

Only numbers that the hypotheses do not fix by equations are bounded; of those that are tied to each other some stand for
all.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import Any

from flint import fmpq

from claims.proving.agreement import admitted_sample, cross_check, is_compared
from claims.proving.box_check import CheckedTree, TreeError
from claims.proving.boxes import Box, BranchAndBound, NoBoxError, Problem, Tree, problems_of
from claims.proving.exploring import Leaf, NoProofError, asking, explore
from claims.proving.proof import AboutStates, Attempt, Part, ProofStatus, Solving
from dynamics.arithmetic import rational
from dynamics.system import System

SOLVER_SECONDS = 1.0  # what Z3 may take for a path first: where it decides it, it does so at once

Bounds = tuple[fmpq, fmpq]


def outline_of(bounds: Mapping[str, Bounds]) -> dict[str, Any]:
    """The outline of a proof on a box: bounds of entries, x_0_0, and arrays, x, by name; "" is for all others."""
    return {"box": {name: [str(low), str(high)] for name, (low, high) in bounds.items()}}


class AboutBox(AboutStates):
    """What a proof is of: all states of a size in a box, which its outline tells."""

    COUNTED = "boxes"

    @cached_property
    def box(self) -> dict[str, Bounds]:
        """The bounds. Raises NoBoxError where the outline tells none."""
        if set(self.outline) != {"box"}:
            raise NoBoxError("the proof has another outline than a box")
        told = self.outline["box"]
        try:
            box = {name: (rational(low), rational(high)) for name, (low, high) in told.items()}
        except (AttributeError, ValueError, TypeError) as error:
            raise NoBoxError(f"the box has no bounds: {error}") from None
        # One text for one box, so that what is proved is told as it is: 1.0 is 1.
        if any(low > high or told[name] != [str(low), str(high)] for name, (low, high) in box.items()):
            raise NoBoxError("the box is not told as boxes are")
        return box

    @property
    def told(self) -> str:
        unknown = [name for name in self.box if name and name not in (*self.size.system.fields(), *self.size.names)]
        if unknown:
            raise NoProofError(f"{self.size.system.__name__} has no {unknown[0]}")
        known = [f"{name or 'numbers'} in [{low}, {high}]" for name, (low, high) in self.box.items()]
        return ", ".join([str(self.size), *known])

    def bounds_of(self, name: str) -> Bounds:
        """Where a number lies: what is said of it, else of its array, else of all. Raises NoBoxError."""
        owner = self.size.owners[name]
        found = self.box.get(name, self.box.get(owner, self.box.get("")))
        if found is None:
            raise NoBoxError(f"the box does not say where {owner} lies")
        return found

    @cached_property
    def named(self) -> set[str]:
        """The numbers of which the box speaks by their name, or by that of their array."""
        return {name for name, owner in self.size.owners.items() if name in self.box or owner in self.box}

    def problems(self, leaf: Leaf) -> list[tuple[Problem, Box]]:
        """What a path leaves, and on which boxes it is to be shown. Raises NoBoxError."""
        names = self.size.names
        return [(one, {v: self.bounds_of(names[v]) for v in one.free}) for one in problems_of(leaf, names)]

    def search(self, made: Attempt, solving: Solving) -> bool:
        solved, ends = 0, 0
        self.parts = [part := Part({}, [])]
        for leaf in explore(self.variant, self.size, asking(solving.z3), solving.deadline):
            part.leaves.append(leaf)
            made.count(leaf)
            for text in leaf.systems:
                left = min(SOLVER_SECONDS, max(solving.deadline - time.monotonic(), 0.1))
                if solving.z3.decide(text, left).word == "unsat":
                    solved += 1
                    continue
                trees = part.trees[leaf.answers] = []
                for problem, box in self.problems(leaf):
                    tree = BranchAndBound(problem, solving.deadline).tree(box)
                    ends += rechecked(problem, box, tree)
                    trees.append({"problem": problem.to_json(box), "tree": tree})
        made.decided = {"z3": solved, "boxes": ends}
        return True

    @cached_property
    def bounded(self) -> set[str]:
        """The numbers of which the trees speak."""
        (part,) = self.parts
        decided = [leaf for leaf in part.leaves if leaf.answers in part.trees]
        return {self.size.names[v] for leaf in decided for _, box in self.problems(leaf) for v in box}

    def agreed(self, *_: object) -> tuple[str, list[list[str]]]:
        # Of instances outside nothing is proved: they are moved into the box, and compared there.
        agreed = cross_check(self.variant, self.size, self.parts[0].leaves, moved=self._inside)
        return f"{agreed} instances agree", []

    def is_inhabited(self, *_: object) -> bool:
        # A box may have no instance, or none with anything to compare: what is shown of all of them says nothing then.
        return self.has_instance() and any(leaf.compared for leaf in self.parts[0].leaves)

    def without_input(self) -> tuple[ProofStatus, str]:
        return ProofStatus.UNKNOWN, "no input in the box is known that meets the hypotheses"

    def has_instance(self) -> bool:
        """Whether an instance of a sample, moved into the box, meets the hypotheses: what the box names lies in it, too."""
        every = set(self.size.names) if "" in self.box else self.named
        groups = (self.bounded, self.bounded | self.named, self.bounded | every)
        # The fewest numbers moved first: what a hypothesis ties to others is broken where one of them is moved alone.
        for one, moved in product(admitted_sample(self.variant, self.size), groups):
            point = self._moved(one, moved)
            try:
                if point is not None:
                    instance = self.size.instance(point)
                    if self.variant.admits(instance) and is_compared(self.variant, instance):
                        return True
            except (ArithmeticError, ValueError):
                continue
        return False

    def _inside(self, instance: System) -> System:
        # Its bounded numbers are moved and, where they lie outside, all that the box names.
        point = self._moved(instance, self.bounded) or self._moved(instance, self.bounded | self.named)
        assert point is not None  # what is named has been moved
        return self.size.filled(point)

    def _moved(self, instance: System, moved: set[str]) -> dict[str, fmpq] | None:
        """The numbers of an instance, some of them moved into the box; None where others that it names lie outside."""
        point = dict(zip(self.size.names, self.size.point(instance), strict=True))
        # Scaled alike, so that ties stay ties and signs stay as they are where the box is symmetric.
        scale = max((abs(point[name]) for name in moved), default=fmpq(0))
        for name in moved:
            low, high = self.bounds_of(name)
            near = point[name] / scale if scale else point[name]
            point[name] = min(max((low + high) / 2 + near * (high - low) / 2, low), high)
        ends = {name: self.bounds_of(name) for name in self.named}
        return point if all(low <= point[name] <= high for name, (low, high) in ends.items()) else None


def rechecked(problem: Problem, box: Box, tree: Tree) -> int:
    """The number of ends of a tree that mpmath's intervals confirm. Raises NoBoxError."""
    try:
        return CheckedTree(problem.to_json(box)).check(tree)
    except TreeError as error:
        raise NoBoxError(f"mpmath's intervals do not confirm the tree: {error}") from None
