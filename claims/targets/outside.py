"""What the text of a claim file may not name: whatever would make its formula depend on more than its instance.

A claim file is code, and Python hides nothing from code: this reads what is written, and is no wall. What it refuses has no
place in a statement: files, clocks, chance and the environment, memory between two calls, the places and types of numbers,
the stack, errors of any kind, and the rooms of the suite that decide.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TypeGuard

# What is allowed is listed, and not what is refused: a module that Python adds is refused until somebody has looked at it.
COMPUTES = frozenset(
    [
        *("__future__", "abc", "bisect", "cmath", "collections", "contextlib", "copy", "dataclasses", "enum", "functools"),
        *("heapq", "itertools", "math", "numbers", "operator", "re", "statistics", "string", "textwrap", "types", "typing"),
    ]
)
"""The modules of Python's library that a claim file may import; modules of others it may, too."""

DECIDES = frozenset(
    [
        *("atlas", "campaigns", "certificates", "checker", "cli", "formal", "hunting", "mutating", "proving"),
        *("sharpening", "sweeps", "targets", "testing", "verifying"),
        # By the names that they had before, too, which `claims` still takes.
        *("kept", "outside", "property_tests", "pytest_plugin", "sheets", "strategies", "target", "unnoticed"),
        *("user_claims", "watched"),
    ]
)
"""The rooms of `claims` that decide what a file states."""

WORKINGS = frozenset(
    [
        *("closed_numbers", "decided_choices", "guarded", "guarded_numbers", "guarding", "look", "looks"),
        *("numbers_are_closed", "own_series", "plain", "refuse", "settled", "working_precision"),
    ]
)
"""What `dynamics` keeps for who runs a formula."""

RUNNERS = frozenset(["_pytest", "hypothesis", "pytest", "unittest"])
"""Packages that run tests: a formula that asks them learns who asks."""

OUTSIDE = {
    **dict.fromkeys(
        ("__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "locals", "open", "vars"),
        "a formula depends on its instance alone",
    ),
    **dict.fromkeys(("id", "hash", "memoryview"), "a number has no place in memory that a statement may rest on"),
    **dict.fromkeys(("setattr", "delattr"), "a formula keeps nothing between two calls"),
    **dict.fromkeys(("RecursionError", "MemoryError"), "how deep a computation may go is no matter of a statement"),
}
"""Names of Python, and why a formula has no use for them."""

BEHIND = {
    **dict.fromkeys(
        ("tb_frame", "tb_next", "gi_frame", "gi_code", "cr_frame", "ag_frame", "f_back", "f_code", "f_globals", "f_locals"),
        "who calls a formula is no matter of a statement",
    ),
    **dict.fromkeys(
        ("as_strided", "ctypes", "ctypeslib", "flags", "setflags", "strides", "tobytes", "shares_memory"),
        "a number has no place in memory that a statement may rest on",
    ),
    **dict.fromkeys(
        ("ctx", "geterr", "seterr", "seterrcall", "get_printoptions", "set_printoptions"),
        "the precision and the settings of a run are no matter of a statement",
    ),
    **dict.fromkeys(("cache_clear", "cache_info"), "how often it was called is no matter of a statement"),
    **dict.fromkeys(("get_type_hints", "ForwardRef"), "a text that is executed is not read here"),
    "datetime64": "a formula depends on its instance alone, and on no clock",
    **dict.fromkeys(
        ("fromfile", "genfromtxt", "loadtxt", "memmap", "savetxt", "savez", "tofile"),
        "a formula depends on its instance alone",
    ),
    **dict.fromkeys(
        ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "uint", "intc", "uintc", "short", "longlong"),
        "integers of so few bits wrap around: write int, or exact([...]) of dynamics.arithmetic",
    ),
}
"""Attributes, and why a formula has no use for them."""

OF_NUMPY = {"random": "chance is of no instance: write default_rng(seed), or let `draw` draw", "lib": "write what it does"}
"""Modules within NumPy, which other things may be named like."""

OWN_METHODS = frozenset(["__init__", "__init_subclass__", "__name__", "__new__", "__post_init__", "__setattr__"])
"""What a class of one's own may call of another by its name of Python's."""

CONSUMED = frozenset(
    [
        *("accumulate", "chain", "combinations", "count", "cycle", "enumerate", "filter", "iter", "map", "pairwise"),
        *("permutations", "product", "repeat", "reversed", "zip"),
    ]
)
"""Functions that give what can be gone through once."""

CHANGES = frozenset(
    [
        *("add", "append", "appendleft", "clear", "discard", "extend", "fill", "insert", "pop", "popitem", "popleft"),
        *("remove", "reverse", "send", "set", "setdefault", "sort", "throw", "update"),
    ]
)
"""Methods that change what they are called of."""

BY_TEXT = frozenset(["attrgetter", "getattr", "hasattr", "methodcaller"])
"""Functions that take an attribute by its name."""

ANY_ERROR = frozenset(["Exception", "BaseException", "ArithmeticError"])
# Of these there is one object each, so that `is` asks the same as ==.
SINGLE = (None, True, False, ...)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def reached(tree: ast.Module) -> tuple[int, str] | None:
    """The first line that names something of the kind, and why a formula may not; None where there is none."""
    return min(_Reading(tree).found(), default=None)


class _Reading:
    """One file that is read."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.modules = {name for node in ast.walk(tree) for name in _imported_as(node)}
        self.of_the_file = set(_bound(tree.body)) - self.modules

    def found(self) -> Iterator[tuple[int, str]]:
        # type(f)(x=x), another one of the same kind, and a generator with its seed depend on nothing else.
        spared = {part for node in ast.walk(self.tree) for part in _spared(node)}
        for node in ast.walk(self.tree):
            for told in () if node in spared else _of_node(node):
                yield getattr(node, "lineno", 0), told
            if _is_written(node) and _root(node) in self.modules:
                yield node.lineno, f"{ast.unparse(node)} is changed, which is not of this file"
            # np.linalg is NumPy's own affair; of all other modules an attribute may be a module that must not be imported.
            if isinstance(node, ast.Attribute) and _root(node.value) in self.modules - {"np", "numpy"}:
                told = _of_module(node.attr.strip("_"))  # as it is imported there
                yield from [(node.lineno, told)] if told else ()
        for statement in self.tree.body:
            yield from self._kept(statement, frozenset())
            if isinstance(statement, ast.Assign) and _is_consumed(statement.value):
                yield statement.lineno, f"{ast.unparse(statement.value)} is consumed once, and by all calls: write a tuple"

    def _kept(self, node: ast.AST, local: frozenset[str]) -> Iterator[tuple[int, str]]:
        """What functions change of what is there before they are called, and after."""
        # Nothing is local outside of functions: what a file does while it is executed is compared as a whole afterwards.
        inside = bool(local)
        if isinstance(node, FUNCTIONS):
            body = node.body if isinstance(node.body, list) else [node.body]
            local, inside = local | {"<a function>"} | set(_arguments(node)) | set(_bound(body)), True
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if isinstance(default, ast.List | ast.Dict | ast.Set):
                    yield default.lineno, f"the default {ast.unparse(default)} is one and the same at every call: write ()"
        if isinstance(node, ast.ClassDef):
            yield from _of_objects(node)
        changed = ""
        if inside and isinstance(node, ast.Global | ast.Nonlocal):
            changed = ", ".join(node.names)
        elif inside and _is_written(node):
            changed = "" if _root(node) in local | {""} else ast.unparse(node)
        elif inside and isinstance(node, ast.Call):
            changed = self._changed_by(node, local)
        if changed:
            yield node.lineno, f"a formula keeps nothing between two calls, and {changed} is changed here"  # type: ignore[attr-defined]
        for part in ast.iter_child_nodes(node):
            yield from self._kept(part, local)

    def _changed_by(self, call: ast.Call, local: frozenset[str]) -> str:
        """What a call changes that is of the file and not of the function, as far as it is seen."""
        name = ""
        if isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES:
            name = _root(call.func.value)
        elif isinstance(call.func, ast.Name) and call.func.id == "next" and call.args:
            name = _root(call.args[0])
        return name if name in self.of_the_file - local else ""


def _of_objects(kind: ast.ClassDef) -> Iterator[tuple[int, str]]:
    """What the methods of a class change of its objects after these are made."""
    for method in kind.body:
        if isinstance(method, ast.FunctionDef) and method.name not in OWN_METHODS and (given := [*_arguments(method)]):
            for node in ast.walk(method):
                if _is_written(node) and _root(node) == given[0]:
                    yield node.lineno, f"an object keeps nothing between two calls, and {ast.unparse(node)} is changed here"


def _of_node(node: ast.AST) -> Iterator[str]:
    """What is refused wherever it stands."""
    if isinstance(node, ast.Import):
        yield from (told for alias in node.names if (told := _of_module(alias.name)))
    elif isinstance(node, ast.ImportFrom):
        yield from (told for told in (_of_module(node.module or ""), *_of_names(node)) if told)
    elif isinstance(node, ast.Name) and node.id in OUTSIDE:
        yield f"{node.id}: {OUTSIDE[node.id]}"
    elif isinstance(node, ast.Attribute):
        yield from _of_attribute(node)
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for k, op in enumerate(node.ops):
            if isinstance(op, ast.Is | ast.IsNot) and not any(_is_single(one) for one in sides[k : k + 2]):
                yield "`is` tells objects, and not numbers, from one another: write =="
    elif isinstance(node, ast.MatchClass) or _asks_type(node):
        yield "a number has no type that a statement may rest on: the same formula runs on numbers of several kinds"
    elif isinstance(node, ast.ExceptHandler) and (node.type is None or _names(node.type) & ANY_ERROR):
        yield "any error is caught here, an open comparison, too: name the one that is meant, except ZeroDivisionError"
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Try) and any(isinstance(one, ast.Return) for end in node.finalbody for one in ast.walk(end)):
        yield "a return after `finally` drops every error, an open comparison, too"
    elif isinstance(node, ast.Raise) and node.exc is not None and any("Undecided" in one for one in _names(node.exc)):
        yield "a formula does not say itself that it is undecided: comparisons do"


def _of_call(node: ast.Call) -> Iterator[str]:
    name = _name_of(node.func)
    if name == "suppress" and any(_names(one) & ANY_ERROR for one in node.args):
        yield "any error is suppressed here, an open comparison, too: name the one that is meant"
    # attrgetter and getattr take a name as text: the text is read as if it were written with a dot.
    texts = [
        one.value for one in node.args if name in BY_TEXT and isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]
    # attrgetter("a.b") and attrgetter("a", "b") both reach b: every part is read as an attribute.
    for part in ".".join(texts).split("."):
        yield from _of_attribute(ast.Attribute(ast.Name("f"), part))
    # object.__setattr__(self, ...) is how a frozen dataclass fills itself; of anything else it is a change.
    if name == "__setattr__" and not (node.args and _name_of(node.args[0]) == "self"):
        yield "a formula keeps nothing between two calls, and changes no claim"


def _of_attribute(node: ast.Attribute) -> Iterator[str]:
    name = node.attr
    if name in BEHIND:
        yield f"{name}: {BEHIND[name]}"
    elif name in OF_NUMPY and _root(node) in ("np", "numpy"):
        yield f"np.{name}: {OF_NUMPY[name]}"
    elif name in ("base", "data") and isinstance(node.value, ast.Attribute):
        yield f"{name}: {BEHIND['flags']}"
    elif name[:2] == name[-2:] == "__" and name not in OWN_METHODS and len(name) > 4:
        yield f"{name}: a formula computes and compares, and asks for nothing that Python keeps behind numbers"


def _of_module(name: str) -> str:
    """Why a module may not be imported, empty where it may."""
    parts = name.split(".")
    if parts[0] == "claims" and len(parts) > 1 and (parts[1] in DECIDES or parts[-1].startswith("_")):
        return f"{name} decides what a file states: import what states it, of claims, claims.stating and dynamics"
    if parts[0] in ("decimal", "fractions", "mpmath"):
        return f"no exact number is equal to one of {name}: write fmpq(1, 2)"
    if parts[0] in RUNNERS:
        return f"{name}: who runs a formula is no matter of a statement"
    if parts[0] in sys.stdlib_module_names - COMPUTES or parts[-1] in ("random", "ctypeslib"):
        return f"a formula depends on its instance alone: it computes with math, itertools, functools, ..., not {name}"
    return ""


def _of_names(node: ast.ImportFrom) -> Iterator[str]:
    """Why names may not be imported from a module that may."""
    module = node.module or ""
    for alias in node.names:
        if alias.name == "*":
            yield f"write what is imported from {module}, by its names"
        elif module == "claims":
            yield _of_module(f"claims.{alias.name}")
        elif module.partition(".")[0] in ("claims", "dynamics") and (told := _of_module(alias.name)):
            # What a module of the suite has imported is no more for a file than what it would import itself.
            yield told
        elif module.startswith("dynamics") and (alias.name in WORKINGS or alias.name.startswith("_")):
            yield f"{alias.name} of {module} is for who runs a formula, and not for the formula"
        elif module == "numpy" and alias.name in OF_NUMPY:
            yield f"{alias.name}: {OF_NUMPY[alias.name]}"
        elif alias.name in BEHIND:
            yield f"{alias.name}: {BEHIND[alias.name]}"


def _is_single(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and any(node.value is one for one in SINGLE)


def _is_written(node: ast.AST) -> TypeGuard[ast.Attribute | ast.Subscript]:
    return isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)


def _is_consumed(node: ast.expr) -> bool:
    return isinstance(node, ast.GeneratorExp) or (isinstance(node, ast.Call) and _name_of(node.func) in CONSUMED)


def _asks_type(node: ast.AST) -> bool:
    """Whether it is type(x)."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1


def _spared(node: ast.AST) -> Iterator[ast.AST]:
    """What is refused elsewhere and has its use here."""
    if isinstance(node, ast.Call) and _asks_type(node.func):
        yield node.func
    # With an argument they are seeded; without one the operating system chooses the seed.
    called = node.func if isinstance(node, ast.Call) and node.args else node
    seeded = ("default_rng", "RandomState", "Generator") if called is not node else ("Generator",)
    if isinstance(called, ast.Attribute) and called.attr in seeded:
        yield called.value


def _name_of(node: ast.expr) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


def _names(node: ast.expr) -> set[str]:
    return {_name_of(one) for one in ast.walk(node) if isinstance(one, ast.expr)}


def _root(node: ast.expr) -> str:
    """The name that an attribute or an entry is of; empty where it is of no name."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _imported_as(node: ast.AST) -> Iterator[str]:
    """The names by which an import is known."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[str]:
    given = node.args
    for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if one is not None:
            yield one.arg


def _bound(body: list[ast.stmt] | list[ast.expr]) -> Iterator[str]:
    """The names that statements bind, those in functions within them left out."""
    # Functions within are left out: what they bind is theirs, and a name of the file seems local to nobody else.
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        yield from _imported_as(node)
        if isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif not isinstance(node, ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
