"""The mutants of a claim: its text with one small change, each with a name that does not depend on other parts of the file.

A mutant is text, so that it can be sent to other processes and read. What is changed is the function of one conclusion,
the functions and constants of the same module that it uses, and a horizon that is a formula in the start.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
import inspect
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from claims.stating.statement import Claim, Form, Relation, Standing
from dynamics.arithmetic import fraction

# Relative changes of a constant: where a twentieth is not noticed, a thousandth is not tried.
SHIFTS = (Fraction(1, 20), Fraction(1, 1000))

OPPOSITES = {"min": "max", "minimum": "maximum", "argmin": "argmax", "all": "any"}
OPPOSITES |= {other: one for one, other in OPPOSITES.items()}

# Calls whose arguments are numbers of the statement: those of others may be sizes or axes.
NUMERIC = ("exp", "log", "sqrt", "fmpq", "rational", "exact", "numbers", *OPPOSITES)

# Calls whose later arguments only say in which arithmetic to compute: changed, they change nothing.
LIKE = ("indicator", "omega")

SIZED = ("range", "arange", "orbit", "zeros", "ones", "full", "eye", "reshape", "triu_indices", "roll")
SHAPING = ("axis", "keepdims", "strict", "k", "repeat", "precision")
"""Calls and keywords whose numbers are sizes, axes or counts."""

HORIZON = "the horizon"

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)

COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
}

STRICTER_OR_WEAKER = {Relation.NONNEGATIVE: Relation.POSITIVE, Relation.POSITIVE: Relation.NONNEGATIVE}

WRITTEN = {ast.Add: "+", ast.Sub: "-", ast.And: "and", ast.Or: "or", ast.BitAnd: "&", ast.BitOr: "|"}
SWAPPED = {"+": "-", "-": "+", "and": "or", "or": "and", "&": "|", "|": "&"}


@dataclass(frozen=True)
class Mutant:
    """One change of one conclusion, by its position. `text` is the whole of `module` with the change.

    The module is the claim's, or the one whose function the claim takes for its own. `farther` names the mutant whose
    constant is moved the same way but farther: where that is not noticed, this is not.
    """

    index: int
    name: str
    kind: str
    module: str
    text: str
    farther: str | None = None


class NoTextError(ValueError):
    """A claim has no text to rewrite."""


def module_text(claim: Claim, module: str | None = None) -> str:
    """The text of the claim's module, or of another one. Raises NoTextError where there is none."""
    name = claim.module if module is None else module
    if name == claim.module and claim.source is not None:
        return claim.source
    try:
        return inspect.getsource(sys.modules[name])
    except (KeyError, OSError) as error:
        raise NoTextError(f"the text of {claim.id} cannot be found: {error}") from None


def variable_of(claim: Claim) -> str:
    """The name that the claim has in its module."""
    return next(name for name, one in vars(sys.modules[claim.module]).items() if one is claim)


def difference(claim: Claim, mutant: Mutant) -> str:
    """What the mutant changes, as a unified diff."""
    before, after = (text.splitlines(keepends=True) for text in (module_text(claim, mutant.module), mutant.text))
    return "".join(difflib.unified_diff(before, after, mutant.module, "mutant", n=0))


def mutants_of(claim: Claim) -> list[Mutant]:
    """Every mutant of every conclusion, in the order of the text; none of what is only evidence or not yet checked."""
    if claim.standing in (Standing.NOT_YET, Standing.EMPIRICAL):
        return []
    modules = {claim.module: _module(claim.module, module_text(claim))}
    found = []
    for index, conclusion in enumerate(claim.conclusions):
        is_reading = conclusion.form is Form.LIMIT and conclusion.trap is None
        if not is_reading and conclusion.form is not Form.EXPERIMENT:
            name = conclusion.slack.__module__
            if name not in modules:
                modules[name] = _module(name, module_text(claim, name))
            found += _Rewriter(claim, modules[claim.module], modules[name], index).mutants()
    return found


DECLARING = ("Claim", "Section", "claim")
"""Calls that make a claim, or what some have in common: decorators name them, formulas do not."""


class _Module:
    def __init__(self, name: str, text: str) -> None:
        self.name, self.text, self.tree = name, text, ast.parse(text)
        self.starts = [0]
        # In bytes, as ast counts columns.
        for line in text.encode().splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.defined: dict[str, ast.FunctionDef | ast.Assign] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                self.defined[node.name] = node
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                if isinstance(node.value, ast.Call) and ast.unparse(node.value.func).split(".")[-1] in DECLARING:
                    continue
                self.defined[node.targets[0].id] = node

    def replaced(self, node: ast.expr, text: str) -> str:
        """The module's text with other text in place of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        encoded = self.text.encode()
        first = self.starts[node.lineno - 1] + node.col_offset
        last = self.starts[node.end_lineno - 1] + node.end_col_offset
        return (encoded[:first] + text.encode() + encoded[last:]).decode()

    def above(self, node: ast.AST) -> Iterator[tuple[Any, Any]]:
        """What a node stands in, from within: each with the one of its children that leads to the node."""
        while (parent := self.parents.get(node)) is not None:
            yield node, parent
            node = parent

    def used_by(self, node: ast.AST) -> Iterator[ast.FunctionDef | ast.Assign]:
        """The functions and constants of the module that a node uses, and those that they use."""
        seen: set[str] = set()
        waiting = [node]
        while waiting:
            for part in ast.walk(waiting.pop(0)):
                if isinstance(part, ast.Name) and part.id in self.defined and part.id not in seen:
                    seen.add(part.id)
                    waiting.append(self.defined[part.id])
                    yield self.defined[part.id]


@functools.lru_cache(maxsize=8)  # claims of one module follow one another
def _module(name: str, text: str) -> _Module:
    return _Module(name, text)


class _Rewriter:
    """The mutants of one conclusion of a claim of the module `home`, whose function stands in `module`."""

    def __init__(self, claim: Claim, home: _Module, module: _Module, index: int) -> None:
        self.home, self.module, self.conclusion, self.index = home, module, claim.conclusions[index], index
        self.at = f"{variable_of(claim)}.conclusions[{index}]"
        self.found: list[Mutant] = []
        self.names: Counter[str] = Counter()
        self.texts = {module.text}
        self.pairs: dict[str, str] = {}

    def mutants(self) -> list[Mutant]:
        """All of them."""
        self._whole()
        for name, value in self.conclusion.constants.items():
            self._named_constant(name, value)
        function = self.module.defined.get(self.conclusion.slack.__name__)
        if isinstance(function, ast.FunctionDef):
            self._function(function, "")
            for other in self.module.used_by(ast.Module(function.body, [])):
                if isinstance(other, ast.FunctionDef) and other is not function:
                    self._function(other, other.name)
                elif isinstance(other, ast.Assign):
                    name = ast.unparse(other.targets[0])
                    self._expression(other.value, name)
                    if isinstance(other.value, ast.Constant):
                        self._constant(other.value, name)
            self._horizon(function)
        return self.found

    def _add(self, kind: str, change: str, text: str, where: str = "", farther: str | None = None) -> str | None:
        """Keep a mutant, unless the same text is known; returns its name."""
        # Two ways to the same text are one change.
        if text in self.texts:
            return None
        self.texts.add(text)
        plain = f"{self.conclusion.name}{f', in {where}' if where else ''}: {change}"
        self.names[plain] += 1
        name = plain if self.names[plain] == 1 else f"{plain} ({self.names[plain]})"
        kind = "horizon" if where == HORIZON else kind
        # A change of the whole conclusion is a line at the end of the claim's module.
        module = self.home if text.startswith(self.home.text) else self.module
        self.found.append(Mutant(self.index, name, kind, module.name, text, farther))
        return name

    # -- the conclusion as a whole, and its named constants

    def _whole(self) -> None:
        at, form = self.at, self.conclusion.form
        if self.conclusion.relation is not Relation.ZERO and not (form is Form.LIMIT and self.conclusion.trap is None):
            self._append("sign", "the opposite sign", f"{at} = {at}.reversed()")
        strict = STRICTER_OR_WEAKER.get(self.conclusion.relation)
        if strict is not None and form is not Form.PROBABILITY:
            line = f"{at} = __import__('dataclasses').replace({at}, relation='{strict}')"
            self._append("relation", f"{self.conclusion.relation} => {strict}", line)

    def _append(self, kind: str, change: str, line: str, farther: str | None = None) -> str | None:
        return self._add(kind, change, f"{self.home.text}\n\n{line}\n", farther=farther)

    def _named_constant(self, name: str, value: Any) -> None:
        def set_to(new: Fraction, kind: str, farther: str | None = None) -> str | None:
            whole = new.denominator == 1 and isinstance(value, int)
            given = str(new) if whole else f"fmpq({new.numerator}, {new.denominator})"
            line = f"{self.at} = {self.at}.sharpened({name}={given})"
            return self._append(kind, f"{name} = {value} => {new}", line, farther)

        # A part of an exponent or of a size is none.
        if isinstance(value, int) and self._is_count(name):
            for new in (value + 1, value - 1):
                if new > 0 or value <= 0:
                    set_to(Fraction(new), "exponent")
            return
        number = fraction(value) if isinstance(value, fmpq) else Fraction(value)
        if number and self._only_scales(name):
            set_to(Fraction(0), "dropped")
        elif number:
            for direction in (1, -1):
                farther = None
                for shift in SHIFTS:
                    farther = set_to(number * (1 + direction * shift), "constant", farther)
            set_to(Fraction(0), "dropped")
        else:
            for new in (1, -1):
                set_to(Fraction(new), "constant")

    def _uses(self, name: str) -> list[ast.expr]:
        function = self.module.defined.get(self.conclusion.slack.__name__)
        found = [node for node in (ast.walk(function) if function else ()) if isinstance(node, ast.Name)]
        return [node for node in found if node.id == name and isinstance(node.ctx, ast.Load)]

    def _only_scales(self, name: str) -> bool:
        uses = self._uses(name)
        return bool(uses) and all(map(self._is_factor_of_all, uses))

    def _is_count(self, name: str) -> bool:
        # Only whole numbers can be exponents or sizes.
        return any(self._is_exponent(node) or self._is_structural(node) for node in self._uses(name))

    def _is_exponent(self, node: ast.expr) -> bool:
        parent = self.module.parents.get(node)
        return isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and parent.right is node

    # -- the text

    def _function(self, function: ast.FunctionDef, where: str) -> None:
        self.pairs = _pairs(function)
        for position, statement in enumerate(function.body):
            # Numbers in a docstring are words.
            is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not (position == 0 and is_docstring):
                self._expression(statement, where)

    def _horizon(self, function: ast.FunctionDef) -> None:
        # A horizon that uses the start is part of the statement. A plain number, even in time units of the start, only
        # limits the times that are examined.
        for decorator in function.decorator_list:
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
                if keyword.arg != "horizon" or not isinstance(keyword.value, ast.Lambda):
                    continue
                argument = {a.arg for a in keyword.value.args.args}
                body = keyword.value.body
                parts = list(ast.walk(body))
                # In units of the start's own time a horizon is as plain as a number is.
                units = [node.value for node in parts if isinstance(node, ast.Attribute) and node.attr == "time_unit"]
                names = {node.id for node in parts if isinstance(node, ast.Name) and node not in units}
                if argument & names:
                    self._expression(body, HORIZON)

    def _expression(self, root: ast.AST, where: str) -> None:
        for node in ast.walk(root):
            if isinstance(node, ast.Constant | ast.Call):
                self._constant(node, where)
            if isinstance(node, ast.BinOp):
                self._operation(node, where)
            elif isinstance(node, ast.BoolOp):
                swapped = ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
                self._replace(node, ast.unparse(swapped), "condition", where)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert | ast.Not):
                self._replace(node, ast.unparse(node.operand), "condition", where)
            elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
                left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
                self._replace(node, f"{left} {COMPARISONS[type(node.ops[0])]} {right}", "comparison", where)
            elif isinstance(node, ast.IfExp | ast.If):
                self._replace(node.test, f"not ({ast.unparse(node.test)})", "condition", where)
            elif isinstance(node, ast.Subscript):
                self._subscript(node, where)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.pairs:
                if not self._is_in_zero(node):
                    self._replace(node, self.pairs[node.id], "index", where)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in OPPOSITES:
                other = ast.Attribute(node.value, OPPOSITES[node.attr])
                self._replace(node, ast.unparse(other), "extremum", where)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self._named_call(node, where)

    def _replace(
        self, node: ast.expr, shown: str, kind: str, where: str, code: str | None = None, farther: str | None = None
    ) -> str | None:
        # Named by the smallest expression around it before and after: a line that comes elsewhere in the file changes no
        # name.
        # A mutant that nothing can notice would need a proof, and teach nothing.
        if self._vanishes(node):
            return None
        around = self._around(node)
        divides = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Div | ast.Pow)
        apart = around is not node and (" " in shown or ("/" in shown and divides))
        shown_alone = ast.Name(f"({shown})" if apart else shown)
        change = f"{ast.unparse(around)} => {ast.unparse(_with(around, node, shown_alone))}"
        put = code or shown
        bare = isinstance(node, ast.Slice) or put.isidentifier() or put.lstrip("-").isdigit()
        text = self.module.replaced(node, put if bare else f"({put})")
        return self._add(kind, change, text, where, farther)

    def _around(self, node: ast.expr) -> ast.expr:
        is_number = _integer(node) is not None or _rational_call(node)
        if not (is_number or isinstance(node, ast.Constant | ast.Name | ast.Slice)):
            return node
        around = (one for _, one in self.module.above(node) if not isinstance(one, ast.Tuple | ast.Slice | ast.UnaryOp))
        parent = next(around, None)
        return parent if isinstance(parent, ast.expr) else node

    def _operation(self, node: ast.BinOp, where: str) -> None:
        if self._is_structural(node) or _is_nothing(node.left) or _is_nothing(node.right):
            return
        left, right = ast.unparse(node.left), ast.unparse(node.right)
        if isinstance(node.op, ast.Add | ast.Sub):
            other = SWAPPED[WRITTEN[type(node.op)]]
            is_null = _folded(node.right, self.conclusion.constants) == 0
            if not is_null and not self._vanishes(node.right):
                self._replace(node, ast.unparse(ast.BinOp(node.left, _operator(other), node.right)), "term's sign", where)
                self._replace(node, left, "dropped", where)
            if self._vanishes(node.left) or _folded(node.left, self.conclusion.constants) == 0:
                return
            if not (isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add | ast.Sub)):
                rest = right if isinstance(node.op, ast.Add) else ast.unparse(ast.UnaryOp(ast.USub(), node.right))
                self._replace(node, rest, "dropped", where)
        elif isinstance(node.op, ast.Mult | ast.Div) and not self._is_factor_of_all(node):
            if not self._is_constant(node.right):
                self._replace(node, left, "dropped", where)
            if isinstance(node.op, ast.Mult) and not self._is_constant(node.left):
                self._replace(node, right, "dropped", where)
        elif isinstance(node.op, ast.BitAnd | ast.BitOr):
            other = SWAPPED[WRITTEN[type(node.op)]]
            self._replace(node, ast.unparse(ast.BinOp(node.left, _operator(other), node.right)), "condition", where)

    def _vanishes(self, node: ast.AST) -> bool:
        # Something times 0, or times a term like 1 - rate that is 0 for the constants, can be changed without effect.
        around = [node, *(parent for _, parent in self.module.above(node))]
        function = next((one.name for one in around if isinstance(one, ast.FunctionDef)), "")
        values = self.conclusion.constants if function == self.conclusion.slack.__name__ else {}
        for inside in itertools.takewhile(lambda one: isinstance(one, ast.expr), around):
            is_product = isinstance(inside, ast.BinOp) and isinstance(inside.op, ast.Mult)
            if is_product and 0 in (_folded(inside.left, values), _folded(inside.right, values)):
                return True
        return False

    def _is_constant(self, node: ast.expr) -> bool:
        # Numbers, named constants and their powers are moved, and so need not be dropped as well.
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant):
            node = node.left
        return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in self.conclusion.constants)

    def _named_call(self, node: ast.Call, where: str) -> None:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in OPPOSITES and hasattr(builtins, name):
            self._replace(node.func, OPPOSITES[name], "extremum", where, OPPOSITES[name])
        elif name == "peak" and len(node.args) == 1:
            # The least is the greatest of the opposites: there is no function of its own for it.
            opposite = ast.UnaryOp(ast.USub(), ast.Call(node.func, [ast.UnaryOp(ast.USub(), node.args[0])], []))
            self._replace(node, ast.unparse(opposite), "extremum", where)

    def _subscript(self, node: ast.Subscript, where: str) -> None:
        for entry in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            value = _integer(entry)
            if value is not None:
                other = {0: "1", 1: "0", -1: "-2", -2: "-1"}.get(value)
                if other is not None and not self._is_structural(node):
                    self._replace(entry, other, "index", where, other)
            elif isinstance(entry, ast.Slice) and entry.step is None:
                changed = {":1": "1:2", "1:": ":-1", ":-1": "1:"}.get(ast.unparse(entry))
                if changed is not None:
                    self._replace(entry, changed, "index", where, changed)

    def _constant(self, node: ast.Constant | ast.Call, where: str) -> None:
        whole = None if isinstance(node, ast.Call) else _integer(node)
        number = _rational_call(node) if whole is None else Fraction(whole)
        parent = self.module.parents.get(node)
        if number is None or number == 0 or self._is_structural(node):
            return
        if isinstance(parent, ast.Call) and _rational_call(parent) is not None:
            return  # fmpq(p, q) is one number, moved as such
        if self._is_exponent(node):
            for new in (number + 1, number - 1):
                if new > 0:
                    self._replace(node, str(new), "exponent", where)
            return
        if not self._is_of_statement(node, parent) or self._is_factor_of_all(node):
            return
        # Functions that make numbers, exact and log among them, take rationals.
        name = "fmpq" if isinstance(node, ast.Call) or isinstance(parent, ast.Call) else "Ratio"
        for direction in (1, -1):
            farther = None
            for shift in SHIFTS:
                new = number * (1 + direction * shift)
                code = f"{name}({new.numerator}, {new.denominator})"
                farther = self._replace(node, str(new), "constant", where, code, farther)

    def _is_of_statement(self, node: ast.expr, parent: ast.AST | None) -> bool:
        if isinstance(node, ast.Call):
            return True
        while isinstance(parent, ast.UnaryOp):
            parent = self.module.parents.get(parent)  # a sign belongs to the number
        if isinstance(parent, ast.BinOp):
            is_unit = _is_nothing(parent.left) or _is_nothing(parent.right)
            return isinstance(parent.op, (*ARITHMETIC, ast.Pow)) and not is_unit
        if isinstance(parent, ast.Call):
            name = parent.func.id if isinstance(parent.func, ast.Name) else ""
            return name in NUMERIC and node in parent.args and name not in OPPOSITES
        return isinstance(parent, ast.Assign | ast.Return | ast.IfExp)

    def _is_structural(self, node: ast.expr) -> bool:
        # A size, an axis or a number of steps belongs to the code: moved, it makes another shape and no other statement.
        if _is_nothing(node):
            return True
        for child, parent in self.module.above(node):
            if not isinstance(parent, ast.expr | ast.keyword | ast.comprehension):
                return False
            if (isinstance(parent, ast.Subscript) and child is parent.slice) or _is_nothing(parent):
                return True
            if isinstance(parent, ast.keyword) and parent.arg in SHAPING:
                return True
            if isinstance(parent, ast.Call) and child is not parent.func:
                name = parent.func.id if isinstance(parent.func, ast.Name) else getattr(parent.func, "attr", "")
                if name in SIZED:
                    return True
        return False

    def _is_in_zero(self, node: ast.expr) -> bool:
        # There a node only says in which arithmetic a zero is, or the value of another argument.
        for child, parent in self.module.above(node):
            if not isinstance(parent, ast.expr):
                return False
            is_like = isinstance(parent, ast.Call) and ast.unparse(parent.func) in LIKE and child in parent.args[1:]
            if is_like or _is_nothing(parent):
                return True
        return False

    def _is_factor_of_all(self, node: ast.expr) -> bool:
        # A factor of the whole slack moves no sign but its own.
        if self.conclusion.form is Form.PROBABILITY:
            return False
        for child, parent in self.module.above(node):
            scales = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult | ast.Div)
            wraps = isinstance(parent, ast.Call) and child in parent.args and _makes_an_array(parent)
            if not scales and not wraps and not (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)):
                function = self.module.parents.get(parent) if isinstance(parent, ast.Return) else None
                return isinstance(function, ast.FunctionDef) and function.name == self.conclusion.slack.__name__
        return False


# ---------------------------------------------------------------------------------------------------------------------
# Small questions about trees


def _with(node: Any, old: ast.AST, new: ast.AST) -> Any:
    if node is old:
        return new
    if isinstance(node, list):
        return [_with(entry, old, new) for entry in node]
    if not isinstance(node, ast.AST):
        return node
    return type(node)(**{name: _with(value, old, new) for name, value in ast.iter_fields(node)})


def _operator(sign: str) -> ast.operator:
    return {"+": ast.Add, "-": ast.Sub, "&": ast.BitAnd, "|": ast.BitOr}[sign]()


def _makes_an_array(node: ast.Call) -> bool:
    made = ast.unparse(node.func) in ("np.asarray", "np.array", "exact", "numbers")
    return made and len(node.args) == 1 and not node.keywords


def _is_nothing(node: ast.AST) -> bool:
    """Whether it is 0 times something, as in `0 * x + 1`, a one of the kind of x; or no entry of something, `x[:0]`."""
    if isinstance(node, ast.Subscript):
        first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
        return ast.unparse(first) == ":0"
    factors = (node.left, node.right) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) else ()
    return any(isinstance(part, ast.Constant) and part.value == 0 for part in factors)


def _folded(node: ast.AST, values: dict[str, Any]) -> Any:
    """The value of sums and differences of whole numbers and named constants, 0 times anything; None for the rest."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return 0 if 0 in (_folded(node.left, values), _folded(node.right, values)) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        left, right = _folded(node.left, values), _folded(node.right, values)
        if left is None or right is None:
            return None
        return left + right if isinstance(node.op, ast.Add) else left - right
    if isinstance(node, ast.Name):
        return values.get(node.id)
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _integer(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _rational_call(node: ast.AST) -> Fraction | None:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "fmpq") or node.keywords:
        return None
    parts = [part for part in map(_integer, node.args) if part is not None]
    if len(parts) < len(node.args) or len(parts) not in (1, 2):
        return None
    return Fraction(parts[0], *parts[1:])


def _pairs(root: ast.AST) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in ast.walk(root):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else []
            if len(names) == 2 and all(isinstance(name, ast.Name) for name in names):
                one, other = (name.id for name in names)  # type: ignore[attr-defined]
                found |= {one: other, other: one}
    return found
