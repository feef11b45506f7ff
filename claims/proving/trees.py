"""Trees of boxes as files: a problem, and the nodes of its tree in the order of a walk, the ends with their bounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from flint import fmpq

from claims.proving.box_check import TreeError
from claims.proving.boxes import Box, Problem, Tree

MOST_DEEP = 400
"""Halvings on one branch."""


def told(problem: Problem, box: Box, tree: Tree) -> dict[str, Any]:
    """A problem on a box and its tree as plain data."""
    data: dict[str, Any] = json.loads(json.dumps(problem.to_json(box)))
    return {"problem": data, "tree": list(_walk(tree, box))}


def _walk(tree: Tree, box: Box) -> Iterator[list[Any]]:
    if tree[0] != "halves":
        yield [*tree, {str(v): [str(low), str(high)] for v, (low, high) in box.items()}]
        return
    _, v, lower, upper = tree
    low, high = box[v]
    middle = (fmpq(low) + high) / 2
    yield ["halves", v]
    yield from _walk(lower, box | {v: (low, middle)})
    yield from _walk(upper, box | {v: (middle, high)})


def tree_of(nodes: Any) -> Tree:
    """The tree of the nodes of a file, without the bounds, which follow from it. Raises TreeError."""
    if not isinstance(nodes, list) or not all(isinstance(node, list) and node for node in nodes):
        raise TreeError("the tree is no list of nodes")
    waiting = iter(nodes)

    def below(depth: int) -> Tree:
        node = next(waiting, None)
        if node is None:
            raise TreeError("the tree has lost a box")
        if depth > MOST_DEEP:
            raise TreeError("the tree is too deep")
        if node[0] != "halves":
            return list(node[:-1])
        if len(node) != 2 or type(node[1]) is not int:
            raise TreeError("a box is not halved as boxes are")
        return ["halves", node[1], below(depth + 1), below(depth + 1)]

    tree = below(0)
    if next(waiting, None) is not None:
        raise TreeError("the tree has a box too many")
    return tree
