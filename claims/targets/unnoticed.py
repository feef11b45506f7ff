"""What no number notices: machine integers that wrap around, and exact numbers that are asked whether they are a float.

A file is executed with its functions rewritten. Arithmetic that gives integers of 64 bits is done a second time, on
Python's, and both must agree. And an exact number is set equal to exact ones alone: flint says of a float, a Fraction or a
Decimal that they differ, whatever they are. That is for a trial on a few instances: a size that is not tried may wrap all
the same.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from dynamics.choices import ClosedForm, Count, Guarded, SelfAnswering, Shown

EQUALITIES: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "In": lambda one, many: one in many,
    "NotIn": lambda one, many: one not in many,
}
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Pow": operator.pow,
    "MatMult": operator.matmul,
    "LShift": operator.lshift,
}
"""By the names of their nodes."""

KNOWN = (fmpq, fmpz, int, np.integer, np.bool_, Count, ClosedForm, Guarded, SelfAnswering, Shown, type(None))
"""What exact numbers may be compared with."""

MOST = 4096
"""Entries of an array that is computed twice."""


def watched(tree: ast.Module, file: str) -> Any:
    """The code of a text whose functions compute twice, and the names that it needs: see :data:`NAMES`."""
    return compile(ast.fix_missing_locations(_Watching().visit(tree)), file, "exec", dont_inherit=True)


class OverlookedError(ArithmeticError):
    """Something went wrong that nothing else notices; the message says what."""


class _Watching(ast.NodeTransformer):
    """Only within functions: what stands outside is as it is read."""

    depth = 0

    def _within(self, node: Any) -> Any:
        self.depth += 1
        node.body = [self.visit(one) for one in node.body] if isinstance(node.body, list) else self.visit(node.body)
        self.depth -= 1
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _within

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return self._asked(node, "@operation", ast.Constant(type(node.op).__name__), node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        # An entry or attribute is computed in place, and its expression would be evaluated twice.
        if not isinstance(node.target, ast.Name):
            return node
        before = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        value = self._asked(
            ast.copy_location(ast.BinOp(before, node.op, node.value), node),
            "@operation",
            ast.Constant(type(node.op).__name__),
            before,
            node.value,
        )
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        name = type(node.ops[0]).__name__
        # Of a chain the middle is evaluated once, and a call for each link would do so twice.
        if len(node.ops) > 1 or name not in EQUALITIES:
            return node
        return self._asked(node, "@equality", ast.Constant(name), node.left, node.comparators[0])

    def visit_Set(self, node: ast.Set) -> ast.expr:
        self.generic_visit(node)
        return self._asked(node, "@call", ast.Name("set", ast.Load()), ast.List(node.elts, ast.Load()))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super":  # it looks at who calls it
            return node
        return self._asked(node, "@call", node.func, *node.args, keywords=node.keywords)

    def _asked(self, node: ast.expr, name: str, *given: ast.expr, keywords: Any = ()) -> ast.expr:
        if not self.depth or (isinstance(node, ast.BinOp) and type(node.op).__name__ not in OPERATIONS):
            return node
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [*given], [*keywords]), node)


def _operation(name: str, one: Any, other: Any) -> Any:
    found = OPERATIONS[name](one, other)
    # NumPy adds truths by "or": a count that is written as a sum stays 1.
    if name == "Add" and _is_of(found, "b") and bool(np.any(np.logical_and(one, other))):
        raise OverlookedError("1 + 1 is 1 of NumPy's truths: write .astype(int)")
    if _is_machine(found):
        _compare(found, lambda: OPERATIONS[name](_wide(one), _wide(other)))
    return found


def _call(function: Any, /, *given: Any, **named: Any) -> Any:
    found = function(*given, **named)
    owner = getattr(function, "__self__", None)
    # These compare inside, in C, where no rewritten == is met.
    if getattr(function, "__name__", "") in ASK_FOR_EQUALS:
        _refuse_foreign(owner, *given)
    if _is_machine(found) and type(function) is not FunctionType and any(map(_is_machine, (owner, *given))):
        # A method is asked of the wide array: x.sum() has no argument that could be widened.
        again = getattr(_wide(owner), function.__name__) if _is_machine(owner) else function
        _compare(found, lambda: again(*map(_wide, given), **named))
    return found


def _is_machine(value: Any) -> bool:
    """Whether it is an integer of NumPy's, or an array of them."""
    return _is_of(value, "iu")


def _is_of(value: Any, kinds: str) -> bool:
    # Of the type: a class of the file's own may say of itself what it likes.
    return issubclass(type(value), np.ndarray | np.generic) and value.dtype.kind in kinds


def _wide(value: Any) -> Any:
    """The same of Python's integers."""
    if not _is_of(value, "iub"):
        return value
    return value.astype(object) if issubclass(type(value), np.ndarray) else int(value)


def _compare(found: Any, again: Callable[[], Any]) -> None:
    """Raise OverlookedError where Python's integers are others. What does not take them is not compared."""
    # Python's integers are far slower; what wraps in a large array does so in a small one of the same formula.
    if np.size(found) > MOST:
        return
    try:
        right = np.asarray(again(), dtype=object)
    except Exception:  # noqa: BLE001 -- a function of indices, for one
        return
    if right.shape == np.shape(found) and any(int(a) != b for a, b in zip(np.ravel(found), right.flat, strict=True)):
        raise OverlookedError("integers of 64 bits wrap around here: write exact([...]), or compute with Python's own")


def _equality(name: str, one: Any, other: Any) -> Any:
    _refuse_foreign(one, other)
    return EQUALITIES[name](one, other)


def _refuse_foreign(*compared: Any) -> None:
    """Raise OverlookedError where exact numbers are compared with what none of them is equal to."""
    entries = [entry for one in compared for entry in _entries(one)]
    foreign = [entry for entry in entries if not issubclass(type(entry), KNOWN)]
    if foreign and any(type(entry) is fmpq for entry in entries):
        kind = type(foreign[0]).__name__
        raise OverlookedError(f"no exact number is equal to a {kind}: write fmpq(1, 2), or exact([...]) for an array")


def _entries(value: Any) -> list[Any]:
    """The numbers in a value, a few of many; none where it is no number and no collection of them."""
    if issubclass(type(value), np.ndarray):
        return list(value.flat[:MOST])
    if type(value) in (list, tuple, set, frozenset, dict):
        return [entry for one in list(value)[:MOST] for entry in _entries(one)]
    return [value]


ASK_FOR_EQUALS = frozenset(
    ["array_equal", "count", "equal", "frozenset", "index", "intersect1d", "isin", "remove", "set", "setdiff1d"]
)
"""Functions that ask for equality, by their names."""

NAMES = {"@operation": _operation, "@call": _call, "@equality": _equality}
"""What the code of a watched text calls."""
