"""A user's own claim: one file outside the package, in the form of the suite's modules, which can do whatever they can."""

from __future__ import annotations

import ast
import difflib
import hashlib
import inspect
import linecache
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from claims.instances.builders import construction_of
from claims.stating.catalogue import catalogue
from claims.stating.statement import PAPERS, WRITTEN, Claim, ClaimError, Conclusion, Form
from claims.targets.kept import KeepsError, remember, surroundings
from claims.targets.outside import reached
from claims.targets.unnoticed import NAMES, watched
from dynamics import arithmetic

MOST_SOURCE = 1 << 20
"""Bytes of a claim file."""


class OwnFileError(ValueError):
    """A claim file cannot be used. `file`, `line` and `reason` say where and why; the line is 0 where there is none."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(file, line, reason)
        self.file, self.line, self.reason = file, line, reason

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.reason}"


def claim_in(source: str, file: str) -> Claim:
    """The claim that the text of a file defines. `file` names it in tracebacks, and its stem is the claim's id.

    Raises OwnFileError. The same text under the same name is executed once, in a module of its own.
    """
    ClaimText(source, file)  # formulas are read as they are asked for: another text may have had this name since
    return _claim_executed(source, file)


@cache
def _claim_executed(source: str, file: str) -> Claim:
    text = ClaimText(source, file)
    _check_name(text)
    # Before the first line runs: what the file changes of the suite is then seen, whatever it was before.
    around = surroundings()
    module = _executed(text)
    claim = _defined(module, text)
    claim.file, claim.source = file, source
    _check_conclusions(claim, text)
    _check_names(claim, text)
    # From here on nothing about the claim changes: a formula that sets its standing raises.
    claim.is_read = True
    try:
        remember(module, around)
    except KeepsError as error:
        raise text.error(0, str(error)) from None
    return claim


def claim_watched(source: str, file: str) -> Claim:
    """The same, executed once more: its functions raise OverlookedError where nothing else would."""
    text = ClaimText(source, file)
    mark = f"@{text.digest}"
    # The second execution has the same module name: classes of the first must be found again, to be pickled for one.
    kept = {name: module for name, module in sys.modules.items() if name.endswith(mark)}
    try:
        return _defined(_executed(text, watched(ast.parse(source), file)), text)
    finally:
        sys.modules.update(kept)


def _check_conclusions(claim: Claim, text: ClaimText) -> None:
    """Raise OwnFileError for no conclusions, what is none, two of one name, and instances that nobody can draw."""
    found = claim.conclusions
    line = text.line_assigning("claim")
    if not isinstance(found, list) or not all(isinstance(one, Conclusion) for one in found):
        raise text.error(line, f"conclusions must be a list of Conclusion, not {found!r}")
    if missing := claim.lacks():
        raise text.error(text.line_calling(claim.idle[0]) or line if claim.idle else line, missing)
    names = [one.name for one in found]
    if len(set(names)) < len(names):
        raise text.error(line, f"two conclusions are named {max(names, key=names.count)}")
    system = claim.system
    is_drawn = claim.draw is not None or construction_of(system) is not None
    if not is_drawn and any(one.form is not Form.EXPERIMENT for one in found):
        told = f"give the claim draw=, a function of the draws that returns a {system.__name__}"
        raise text.error(line, f"no instances are known for {system.__name__}: {told}")


def _check_names(claim: Claim, text: ClaimText) -> None:
    """Raise OwnFileError for what looks like a conclusion and is none, and for a conclusion's name that is used again."""
    names = [one.name for one in claim.conclusions]
    for name, at, arguments in text.unused_functions():
        if name not in names and 1 <= arguments <= 2:
            advice = f"write @claim.{WRITTEN[Form.STATE]} above it if it is one, and call it _{name} if it is none"
            raise text.error(at, f"nothing uses {name}, which looks like a conclusion: {advice}")
    for name in names:
        if len(again := text.lines_defining(name)) > 1:
            raise text.error(again[1], f"{name} is a conclusion and stands here for something else: rename it")


# ---------------------------------------------------------------------------------------------------------------------
# The text and its lines


class ClaimText:
    """The text of a claim file, and the line numbers of its parts."""

    def __init__(self, source: str, file: str) -> None:
        self.source, self.file = source, file
        # A length and no time of change: linecache then keeps these lines whatever becomes of the file.
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)

    @property
    def tree(self) -> ast.Module:
        """The text parsed. Raises OwnFileError."""
        return _parsed(self.source, self.file)[0]

    def error(self, line: int, reason: str) -> OwnFileError:
        """What is wrong in a line, 0 where it is in none."""
        return OwnFileError(self.file, line, reason)

    def lines_assigning(self, name: str) -> list[int]:
        """The lines of the assignments to a name at the top level."""
        return [
            statement.lineno
            for statement in self.tree.body
            for target in (statement.targets if isinstance(statement, ast.Assign) else [])
            if isinstance(target, ast.Name) and target.id == name
        ]

    def line_assigning(self, name: str) -> int:
        """The last line that assigns the name, 0 where none does."""
        return (self.lines_assigning(name) or [0])[-1]

    @property
    def digest(self) -> str:
        """What tells the module of this text from that of others."""
        return hashlib.sha256(f"{self.file}\0{self.source}".encode()).hexdigest()[:12]

    def refuse_outside(self) -> None:
        """Raise OwnFileError where the text names what no formula may depend on, before any of it is run."""
        if found := reached(self.tree):
            raise self.error(*found)

    def unnoticed(self) -> tuple[int, str] | None:
        """The first line that compares exact numbers and balls in a way that nothing can notice, and what to write."""
        for node in ast.walk(self.tree):
            called = node.func if isinstance(node, ast.Call) else None
            if getattr(called, "id", getattr(called, "attr", "")) in FLINT_BALLS:
                return node.lineno, "flint's balls compare unnoticed: write ball(...) from dynamics.choices"  # type: ignore[attr-defined]
            if isinstance(node, ast.Compare) and any(
                isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops
            ):
                constants = (part for side in (node.left, *node.comparators) for part in _listed(side))
                if any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in constants):
                    return node.lineno, "no exact number is equal to a float: write fmpq(1, 2), or 1 for 1.0"
        return None

    def line_calling(self, method: str) -> int:
        """The first line that takes this method of the claim, 0 where none does."""
        nodes = (node for node in ast.walk(self.tree) if isinstance(node, ast.Attribute) and node.attr == method)
        return min((node.lineno for node in nodes), default=0)

    def lines_defining(self, name: str) -> list[int]:
        """The lines that bind a name outside of functions and classes, without those that a condition chooses from."""
        defined = [part.lineno for part in self.tree.body if isinstance(part, FUNCTIONS) and part.name == name]
        return sorted([*defined, *self.lines_assigning(name)])

    def unused_functions(self) -> Iterator[tuple[str, int, int]]:
        """The functions outside of others and of classes that nothing in the file names: name, line, needed arguments."""
        read = [part for part in ast.walk(self.tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
        for node in _outside(self.tree):
            function: Any = node
            name = node.name if isinstance(node, FUNCTIONS) else ""
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                function, name = node.value, ast.unparse(node.targets[0])
            # A function that calls itself is not used by that.
            own = set(map(id, ast.walk(node)))
            used = any(part.id == name and id(part) not in own for part in read)
            if name and not used and not name.startswith("_"):
                given = function.args
                yield name, node.lineno, len(given.posonlyargs) + len(given.args)

    def line_of(self, error: BaseException) -> int:
        """The innermost line of this file that an error passed through, or 0."""
        frames = traceback.extract_tb(error.__traceback__)
        return next((frame.lineno or 0 for frame in reversed(frames) if frame.filename == self.file), 0)

    def line_defining(self, function: Callable[..., Any]) -> int:
        """The line of a function's `def` or lambda, or that of the claim if the function is defined elsewhere."""
        function = inspect.unwrap(function)
        code = function.__code__ if isinstance(function, FunctionType) else None
        if code is None or code.co_filename != self.file:
            return self.line_assigning("claim")
        found = self._functions.get(function.__name__)
        return code.co_firstlineno if found is None else found.lineno

    @cached_property
    def _functions(self) -> dict[str, ast.FunctionDef]:
        """The functions of the file by their names, the outermost and first of each name."""
        # Breadth first, then reversed: of one name the outermost is entered last, and stays.
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        return {node.name: node for node in reversed(nodes)}

    def batch_blind(self, function: Callable[..., Any], failed: int = 0) -> tuple[int, str] | None:
        """The line of a function that treats the leading axis as its own, and what to write instead.

        Where there are several, the one in the line that `failed`, else the first.
        """
        node = self._functions.get(function.__name__)
        found = _blind_in(node) if node else ()
        return min(found, key=lambda one: (one[0] != failed, one), default=None)

    def blind_at(self, line: int) -> str | None:
        """What to write for an expression in this line that treats the leading axis as that of one instance, if any."""
        return next((told for where, told in _blind_in(self.tree) if where == line), None)


def _blind_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The expressions that treat the leading axis as that of one instance, by line, and what to write instead of each."""
    for part in ast.walk(tree):
        if isinstance(part, ast.expr) and (advice := _advice(part)) is not None:
            yield part.lineno, f"write {advice} instead of {ast.unparse(part)}"


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

FLINT_BALLS = ("arb", "arb_series", "acb", "acb_series")


@lru_cache(maxsize=64)
def _parsed(source: str, file: str) -> tuple[ast.Module, Any]:
    """A text parsed and compiled; whoever changes the tree parses one of his own. Raises OwnFileError."""
    # Kept: a file is read, executed, tried and watched, and each of these asks for its lines.
    try:
        tree = ast.parse(source)  # parsing stops at fewer levels than compiling
        return tree, compile(source, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise OwnFileError(file, error.lineno or 0, f"syntax error: {error.msg}") from None
    except (ValueError, OverflowError) as error:  # a null character, or a number that fits no code
        raise OwnFileError(file, 0, f"syntax error: {error}") from None
    except (RecursionError, MemoryError):
        raise OwnFileError(file, 0, "syntax error: an expression is nested too deeply") from None


def _listed(side: ast.expr) -> list[ast.expr]:
    """The entries of a list that is written out, else the expression."""
    return side.elts if isinstance(side, ast.List | ast.Tuple | ast.Set) else [side]


def _outside(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements that stand in no function and no class, those in loops and conditions too."""
    for part in ast.iter_child_nodes(tree):
        if isinstance(part, ast.stmt):
            yield part
        if not isinstance(part, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield from _outside(part)


ADVICE = "index from the last axis, x[..., 0]"

REDUCTIONS = ("sum", "min", "max", "prod", "mean", "all", "any")


def _advice(node: ast.AST) -> str | None:
    """What to write for an expression that takes the first axis of an array for an axis of one instance."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr != "shape":
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if entries and not (isinstance(entries[0], ast.Constant) and entries[0].value is Ellipsis):
            return f"{ast.unparse(node.value)}[..., {', '.join(map(ast.unparse, entries))}]"
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return f"{ast.unparse(node.value)}.swapaxes(-1, -2)"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in REDUCTIONS:
        of_module = isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "numpy")
        axis = next((keyword.value for keyword in node.keywords if keyword.arg == "axis"), None)
        if axis is None and len(node.args) <= of_module:
            return f"{ast.unparse(node.func)}({''.join(f'{ast.unparse(a)}, ' for a in node.args)}axis=-1)"
        if isinstance(axis, ast.Constant) and isinstance(axis.value, int):
            return "a negative axis, counted from the last,"
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Execution


def _check_name(text: ClaimText) -> None:
    stem = Path(text.file).stem
    if not stem.isidentifier():
        raise text.error(0, "the file's name becomes the claim's id: name it my_claim.py, with letters, digits and _")
    # By its last part, too: `claims verify NAME` would be ambiguous, and certificates are filed by it.
    taken = [name for name in catalogue() if stem in (name, name.split(".")[-1])]
    if taken or stem in PAPERS:
        raise text.error(0, f"rename the file: {stem} is taken by {taken[0] if taken else 'a paper of the suite'}")


def _executed(text: ClaimText, code: Any = None) -> ModuleType:
    """The text run as a module under a private name, known to the import system so that its classes can be pickled."""
    code = code or _parsed(text.source, text.file)[1]
    module = ModuleType(f"{Path(text.file).stem}@{text.digest}")
    # Names with an @ that no text can write: what a watched text calls, and nobody else.
    vars(module).update(NAMES)
    module.__file__ = text.file
    sys.modules[module.__name__] = module
    Claim.made.pop(module.__name__, None)
    try:
        exec(code, module.__dict__)  # noqa: S102 -- the user's own file, run as Python would run it
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        sys.modules.pop(module.__name__, None)
        raise text.error(text.line_of(error), error_text(error)) from error
    return module


def error_text(error: BaseException) -> str:
    """The message of an exception, with the exception's name where the message alone would be unclear."""
    if isinstance(error, ImportError):
        return f"{error} (a claim file stands alone: what it imports must be installed)"
    try:
        said = str(error)
    except Exception as broken:  # noqa: BLE001 -- an error of the user's own may fail to say what it is
        said = f"(its message cannot be made: {type(broken).__name__})"
    return said if isinstance(error, ClaimError) else f"{type(error).__name__}: {said}{_instead(error, said)}"


REMOVED = {"printed": "origin=Origin.PRINTED for quoted words, and leave it out for words of your own"}
"""Arguments that a claim once had, and what to write for them."""


def _instead(error: BaseException, said: str) -> str:
    """What to write where a function of NumPy does not compute with exact numbers and balls; empty if that is not why."""
    frames = traceback.extract_tb(error.__traceback__)
    # By the traceback: NumPy's message names a type, and not the function that was called.
    algebra = [frame.name for frame in frames if "numpy" in frame.filename and "linalg" in frame.filename]
    if algebra:
        advice = {"norm": "sqrt((x * x).sum(axis=-1)) with sqrt from dynamics.arithmetic, or compare squares"}
        advice["inv"] = "inverse from dynamics.arithmetic"
        name = algebra[0].strip("_")
        return f" (np.linalg.{name} takes floats only: write {advice.get(name, 'a formula of sums and products')})"
    unknown = re.search(r"Claim.__init__\(\) got an unexpected keyword argument '(\w+)'", said)
    if unknown:
        known = [one.name for one in fields(Claim) if one.init]
        near = REMOVED.get(unknown[1]) or "".join(f"{one}=" for one in difflib.get_close_matches(unknown[1], known, n=1))
        return f" (write {near})" if near else f" (a claim takes {', '.join(known)})"
    if "unsupported operand" in said and "'float'" in said and "fmpq" in said:
        return " (an array of floats does not compute with exact numbers: write np.eye(d, dtype=int), or exact([[...]]))"
    missing = re.search(r"no callable (\w+) method", said)
    root = "not a square number" in said or "square root of a negative" in said
    name = missing[1] if missing else "sqrt" if root else ""
    if not name:
        return ""
    if callable(getattr(arithmetic, name, None)):
        return f" (np.{name} does not take exact numbers: write {name} from dynamics.arithmetic)"
    return f" (np.{name} does not take exact numbers)"


def _defined(module: ModuleType, text: ClaimText) -> Claim:
    claim = vars(module).get("claim")
    own = [name for name, value in vars(module).items() if isinstance(value, Claim) and value.module == module.__name__]
    again = [*text.lines_assigning("claim")[1:], *(text.line_assigning(name) for name in own if name != "claim")]
    line = text.line_assigning("claim")
    if not isinstance(claim, Claim):
        extra = f", not {type(claim).__name__}" if claim is not None else ""
        raise text.error(line, f"no claim: the file must define claim = Claim(__name__, ...){extra}")
    # Counted, too: a claim made in a loop or within a call leaves no name to be found by.
    if Claim.made[module.__name__] > 1 and not again:
        raise text.error(line, "a second claim: one file, one claim, made once")
    if again and vars(module).get(own[-1] if own else "claim") is not None:
        raise text.error(again[0], "a second claim: one file, one claim")
    if claim.module != module.__name__:
        raise text.error(line, f"write claim = Claim(__name__, ...): {claim.module!r} is not this file")
    return claim
