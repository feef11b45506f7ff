"""The search for a proof by signs: what to split, and the sums that refute branches.

Coq is asked which comparison of the statement is open on a branch; points in floats say which branches are possible, and
need no sum. What is found is text of Coq, which the kernel checks: nothing rests on this search.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from claims.formal.asking import Session
from claims.formal.sizes import Proof, Statement, exponentials_text
from claims.proving.agreement import sample
from claims.proving.cores import Cores, renumbered
from claims.proving.exploring import BRANCH_SECONDS
from claims.proving.renamings import renamings
from claims.proving.solvers import Solver
from claims.proving.sums import LEVELS, Sums
from claims.proving.symbols import Condition
from claims.proving.systems import system
from dynamics.arithmetic import rational

MOST_NODES = 1000  # ends of one tree: Coq is asked about a whole level at once, and a level doubles the one before

# Exponentials of one statement: each is a variable of a ring that is made before it is known how many come up.
MOST_EXPONENTIALS = 12

# Exponentials of which each is compared with each: three facts a pair on every branch, of which sums take products.
MOST_COMPARED = 3

# Facts of which also products of two that are not linear are tried: they grow like the square of the number of facts.
FEW, LEVELS_OF_FEW = 6, (0, 1, 2, 3)

MORE_POINTS = 4000  # each split halves those on a branch: of the sample's few none would be left after some

SECONDS = 60.0

LEAST, POSITIVE, ZERO = "NonStrict", "Strict", "Equal"
SIGNS = {LEAST: frozenset({0, 1}), POSITIVE: frozenset({1}), ZERO: frozenset({0})}

Fact = tuple[Any, str]  # a polynomial and its sign


@dataclass
class _Node:
    """A branch: its facts in the order in which they came, which points meet them all, and what became of it."""

    facts: list[Fact]
    met: Any
    before: str = ""
    text: str = ""
    split: Any = None
    below: list[_Node] = field(default_factory=list)


class NotFound(Exception):  # noqa: N818 -- an answer
    """No tree was found; the message says where the search ended."""


class _Search:
    """The search for a tree. `by_factors` asks for the signs of the factors of a polynomial before its own."""

    def __init__(self, stated: Statement, session: Session, z3: Solver, seconds: float, by_factors: bool) -> None:
        self.stated, self.session, self.z3, self.end = stated, session, z3, time.monotonic() + seconds
        self.by_factors = by_factors
        self.exponents: list[Any] = []
        self.factored: dict[str, tuple[fmpq, list[tuple[Any, int]]]] = {}
        self.variables = stated.numbers + MOST_EXPONENTIALS
        self.names = tuple(f"x{v}" for v in range(self.variables))
        self.ring = fmpq_mpoly_ctx.get(self.names, Ordering.lex)
        self.sums = Sums(self.variables)
        is_plain = len(stated.size.names) == stated.numbers
        self.cores = Cores(renamings(stated.size.places) if is_plain else [tuple((k, 1) for k in range(stated.numbers))])
        # Points at which a branch is seen to be possible, shape (points, numbers). Quarters: ties are among them.
        self.points = np.empty((0, stated.numbers))
        if is_plain:
            drawn = (stated.size.point(one) for one in sample(stated.variant, stated.size))
            floats = np.array([[float(x.p) / float(x.q) for x in one] for one in drawn]).reshape(-1, stated.numbers)
            more = np.random.default_rng(0).integers(-8, 9, size=(MORE_POINTS, stated.numbers)) / 4
            self.points = np.concatenate([floats, more])

    def _at_points(self, fact: Fact) -> Any:
        """At which points a fact holds, as far as floats tell."""
        values = [*self.points.T]
        for p in self.exponents:
            values.append(np.exp(_at(p, values)))
        value = _at(fact[0], values)
        return value == 0 if fact[1] == ZERO else value >= 0 if fact[1] == LEAST else value > 0

    def tree(self) -> str:
        """The tree as text of Coq. Raises NotFound."""
        while True:
            known = len(self.exponents)
            root, before = self._start()
            if self._grow(root):
                return _within(before, self._text(root))
            if len(self.exponents) == known:
                raise NotFound("no tree")

    def _with_one(self) -> list[tuple[Any, Any]]:
        variables = self.ring.gens()[self.stated.numbers :]
        return [*zip(self.exponents, variables, strict=False), (self.ring.constant(0), self.ring.constant(1))]

    def _start(self) -> tuple[_Node, str]:
        """The root, with what is known of the exponentials; and the text before it."""
        # In the order in which the text adds them: certificates number facts by it.
        facts: list[Fact] = []
        text = ""
        known, own = self._with_one(), len(self.exponents)
        pairs = own <= MOST_COMPARED
        for k, (_, x) in enumerate(known[:own]):
            facts.append((x, POSITIVE))
            text += f"Positive {k} ("
        for k, (p, x) in enumerate(known):
            for m, (q, y) in enumerate(known):
                if k != m and (pairs or (m == own and k < m)):
                    facts.append((x - y * (1 + p - q), LEAST))
                    text += f"Tangent {k} {m} ("
                if pairs and k < m:
                    facts.append(((x - y) * (p - q), LEAST))
                    text += f"Monotone {k} {m} ("
        for k, (p, x) in enumerate(known[:own]):
            for j, (q, y) in enumerate(known[: k + 1]):
                for m, (r, z) in enumerate(known):
                    if p + q == r:
                        facts.append((x * y - z, ZERO))
                        text += f"Multiplied {k} {j} {m} ("
        with np.errstate(all="ignore"):
            met = np.ones(len(self.points), dtype=bool)
            for fact in facts:
                met &= self._at_points(fact)
        return _Node(facts, met), text

    def _grow(self, root: _Node) -> bool:
        """Grow the tree level by level. False where an exponential was new, and all begins again. Raises NotFound."""
        level, ends = [root], 0
        while level:
            if time.monotonic() > self.end:
                raise NotFound("out of time")
            asked = self.session.ask([self._facts_text(one.facts) for one in level], self._exponents_text())
            following: list[_Node] = []
            for node, (word, terms) in zip(level, asked, strict=True):
                ends += 1
                if word == "true":
                    node.text = "Done"
                elif word == "exponent":
                    p = self._read(terms)
                    if p not in self.exponents:
                        if len(self.exponents) == MOST_EXPONENTIALS:
                            raise NotFound("too many exponentials")
                        self.exponents.append(p)
                    return False
                elif word == "sign":
                    p = self._read(terms)
                    following += self._divide(node, (self._factor(node, [p]) if self.by_factors else None) or p)
                else:
                    following += self._fails(node)
            if ends + len(following) > MOST_NODES:
                raise NotFound("too many branches")
            level = following
        return True

    def _fails(self, node: _Node) -> list[_Node]:
        """What is left of a branch on which the statement fails: that the branch is impossible. Raises NotFound."""
        found = self._refutation(node.facts) if node.met.any() else None  # floats may be wrong
        found = found or self._contradicted(node)
        if found is None:
            # The latest facts first: what was split last has most to do with what is open.
            factor = self._factor(node, [p for p, _ in reversed(node.facts)])
            return self._divide(node, factor or self._compared_exponents(node))
        node.text = f"Absurd ({found})"
        return []

    def _compared_exponents(self, node: _Node) -> Any:
        """Two exponents whose difference has no sign yet. Raises NotFound."""
        known = {str(p) for p, _ in node.facts} | {str(-p) for p, _ in node.facts}
        for k, p in enumerate(self.exponents):
            for q in [self.ring.constant(0), *self.exponents[:k]]:
                if not (p - q).is_constant() and str(p - q) not in known:
                    return p - q
        raise NotFound("no sum refutes a branch on which the statement fails")

    def _factors(self, p: Any) -> tuple[fmpq, list[tuple[Any, int]]]:
        key = str(p)  # polynomials have no hash
        if key not in self.factored:
            c, factors = p.factor()
            self.factored[key] = c, [(f, int(times)) for f, times in factors]
        return self.factored[key]

    def _signs(self, node: _Node) -> dict[str, tuple[int, int]]:
        """The signs of polynomials that are known for certain, each with the number of its fact."""
        known: dict[str, tuple[int, int]] = {}
        for k, (p, sign) in enumerate(node.facts):
            if sign != LEAST:
                known.setdefault(str(p), (int(sign == POSITIVE), k))
                known.setdefault(str(-p), (-int(sign == POSITIVE), k))
        return known

    def _contradicted(self, node: _Node, first: int = 0) -> str | None:
        """A certificate that the factors of a fact from the first on have other signs than it has; None where none has."""
        known, last = self._signs(node), len(node.facts) - 1
        for k, (p, sign) in list(enumerate(node.facts))[first:]:
            c, factors = self._factors(p)
            signs = [known.get(str(f)) for f, _ in factors]
            if sum(times for _, times in factors) < 2 or None in signs:
                continue
            # p > 0 less p, a multiple of its zero factor, is 0 > 0; or the product of what is known of its factors,
            # which has the size of p and the other sign, is added.
            zero = next((one[1] for one in signs if one is not None and one[0] == 0), None)
            if zero is not None:
                if sign == POSITIVE:
                    times = f"PsatzMulC {polynomial_text(-p / node.facts[zero][0])} (PsatzIn Q {last - zero})"
                    return f"PsatzAdd (PsatzIn Q {last - k}) ({times})"
                continue
            every = [one for one, (_, times) in zip(signs, factors, strict=True) for _ in range(times)]
            negatives = sum(one is not None and one[0] < 0 for one in every) + (c < 0)
            if negatives % 2 and sign != ZERO:
                parts = [f"PsatzIn Q {last - one[1]}" for one in every if one is not None]
                product = _product([f"PsatzC {_number(abs(c))}%Q", *parts])
                return f"PsatzAdd (PsatzIn Q {last - k}) ({product})"
        return None

    def _factor(self, node: _Node, of: Sequence[Any]) -> Any:
        """A factor of polynomials that have several, whose sign is not known; None where all are."""
        known = self._signs(node)
        least = {str(p) for p, sign in node.facts if sign == LEAST}
        for p in of:
            _, factors = self._factors(p)
            for f, _ in factors if sum(times for _, times in factors) > 1 else ():
                if str(f) not in known:
                    return -f if str(-f) in least else f
        return None

    def _divide(self, node: _Node, p: Any) -> list[_Node]:
        """The branches where p <= 0 and where p > 0, those without which a sum refutes."""
        node.split, node.below = p, []
        for fact in ((-p, LEAST), (p, POSITIVE)):
            with np.errstate(all="ignore"):
                met = node.met & self._at_points(fact)
            more = dict(self._ordered(fact))
            # p <= 0 and p >= 0: the equation may be put in, which two inequalities may not.
            if fact[1] == LEAST and (-fact[0], LEAST) in node.facts:
                more[f"Zero {polynomial_text(fact[0])}"] = (fact[0], ZERO)
            child = _Node([*node.facts, fact, *more.values()], met, "".join(f"{text} (" for text in more))
            node.below.append(child)
            found = None if met.any() else self._contradicted(child, len(node.facts))
            if found is None and not met.any() and not self._has_solution(child.facts):
                found = self._refutation(child.facts)
            if found is not None:
                child.text = f"Absurd ({found})"
        return [one for one in node.below if not one.text]

    def _ordered(self, fact: Fact) -> Iterator[tuple[str, Fact]]:
        """What a fact says of exponentials, where it compares two exponents: p >= 0 or p > 0 for p = p_k - p_l."""
        p, sign = fact
        known = self._with_one()
        for k, (q, x) in enumerate(known):
            for m, (r, y) in enumerate(known):
                if k != m and q - r == p:
                    yield f"Larger {k} {m}", (x - y, sign)

    def _has_solution(self, facts: Sequence[Fact]) -> bool:
        """Whether Z3 finds numbers that meet the facts, where exponentials may be any: no sum can refute them then."""
        text = system(self.names, [_condition(*one) for one in facts], ())
        return self.z3.decide(text, BRANCH_SECONDS).word == "sat"

    def _refutation(self, facts: Sequence[Fact]) -> str | None:
        """A certificate that facts contradict each other; None where none is found. Raises NotFound."""
        if time.monotonic() > self.end:
            raise NotFound("out of time")
        conditions = [_condition(*one) for one in facts]
        found = self.cores.refutation(conditions, self.sums)
        if found is None:
            few = self._few(conditions)
            found = self.sums.refutation([conditions[k] for k in few], LEVELS_OF_FEW if len(few) <= FEW else LEVELS)
            if found is None:
                return None
            self.cores.learn([conditions[k] for k in few], found)
            found = renumbered(found, dict(enumerate(few)))
        return certificate_text(self.ring, facts, found)

    def _few(self, conditions: Sequence[Condition]) -> list[int]:
        """The numbers of conditions that Z3 finds to contradict each other, none in vain; all where it cannot tell."""

        def is_impossible(some: Sequence[int]) -> bool:
            text = system(self.names, [conditions[k] for k in some], ())
            return self.z3.decide(text, BRANCH_SECONDS).word == "unsat"

        # Of few facts the products are few: a sum is found at once that is not found of all.
        chosen = list(range(len(conditions)))
        if is_impossible(chosen):
            for k in range(len(conditions)):
                rest = [j for j in chosen if j != k]
                chosen = rest if is_impossible(rest) else chosen
        return chosen

    def _read(self, terms: Sequence[tuple[int, int, Sequence[int]]]) -> Any:
        return self.ring.from_dict(
            {(*powers, *[0] * (self.variables - len(powers))): fmpq(p, q) for p, q, powers in terms if p}
        )

    def _facts_text(self, facts: Sequence[Fact]) -> str:
        return "[" + "; ".join(f"({polynomial_text(p)}, {sign})" for p, sign in reversed(facts)) + "]"

    def _exponents_text(self) -> str:
        return exponentials_text([*map(polynomial_text, self.exponents)], self.stated.numbers)

    def _text(self, node: _Node) -> str:
        below = [f"\n ({self._text(one)})" for one in node.below]
        text = node.text or f"Split {polynomial_text(node.split)}{''.join(below)}"
        return _within(node.before, text)


def _within(before: str, text: str) -> str:
    """What nodes with one branch make of the text of theirs: each ends with a bracket that is open."""
    return f"{before}{text}{')' * (before.count('(') - before.count(')'))}"


def _at(p: Any, values: Sequence[Any]) -> Any:
    total = np.zeros(values[0].shape)
    for powers, c in p.to_dict().items():
        term = np.full(total.shape, float(c.p) / float(c.q))
        for v, power in enumerate(powers):
            if power:
                term = term * values[v] ** int(power)
        total = total + term
    return total


def _condition(p: Any, sign: str) -> Condition:
    whole = (p * _scale(p)).to_dict()
    return Condition(tuple((int(c.p), tuple(map(int, powers))) for powers, c in whole.items()), SIGNS[sign])


def polynomial_text(p: Any) -> str:
    """A polynomial as text of Coq."""
    terms = []
    for exponents, c in p.to_dict().items():
        powers = list(map(int, exponents))
        while powers and not powers[-1]:
            powers.pop()
        terms.append(f"term {_number(c)} [{'; '.join(map(str, powers))}]")
    return f"(poly [{'; '.join(terms)}])"


def _number(c: fmpq) -> str:
    return f"({int(c.p)})" if c.q == 1 and c < 0 else str(c.p) if c.q == 1 else f"({int(c.p)}#{int(c.q)})"


def certificate_text(ring: Any, facts: Sequence[Fact], found: Mapping[str, Any]) -> str:
    """A sum as a certificate of Coq's own checker; facts count from the last."""
    # Sums speak of coprime whole coefficients and of variables put in: `known` derives both from Coq's facts.
    known: list[tuple[Any, str]] = []
    scales = [_scale(p) for p, _ in facts]
    for k, ((p, _), scale) in enumerate(zip(facts, scales, strict=True)):
        text = f"PsatzIn Q {len(facts) - 1 - k}"
        known.append((p * scale, text if scale == 1 else f"PsatzMulE (PsatzC {_number(scale)}%Q) ({text})"))
    gens = ring.gens()
    for number, v in found["fixed"]:
        equation, proof = known[number]
        value = gens[v] - equation / equation.derivative(v).leading_coefficient()
        at = [*gens[:v], value, *gens[v + 1 :]]
        for k, (p, text) in enumerate(known):
            if p.degrees()[v] and k != number:
                put = p.compose(*at)
                times = (put - p) / equation if equation != 0 else ring.constant(0)
                known[k] = put, f"PsatzAdd ({text}) (PsatzMulC {polynomial_text(times)} ({proof}))"
        known[number] = ring.constant(0), proof
    parts = []
    for factor, numbers, terms in found["sum"]:
        cofactor = ring.from_dict({tuple(powers): rational(c) for c, powers in terms})
        facts_text = [known[k][1] for k in numbers]
        weight = rational(factor)
        if any(facts[k][1] == ZERO for k in numbers):
            parts.append(f"PsatzMulC {polynomial_text(cofactor * weight)} ({_product(facts_text)})")
            continue
        square = [] if cofactor == 1 else [f"PsatzSquare {polynomial_text(cofactor)}"]
        parts.append(_product([f"PsatzC {_number(weight)}%Q", *square, *facts_text]))
    text = parts[-1]
    for one in reversed(parts[:-1]):
        text = f"PsatzAdd ({one}) ({text})"
    return text


def _scale(p: Any) -> fmpq:
    found = p.to_dict().values()
    return fmpq(math.lcm(*(int(c.q) for c in found)), math.gcd(*(int(c.p) for c in found)) or 1)


def _product(texts: Sequence[str]) -> str:
    text = texts[-1]
    for one in reversed(texts[:-1]):
        text = f"PsatzMulE ({one}) ({text})"
    return text


def search_proof(stated: Statement, library_folder: Path, seconds: float = SECONDS) -> Proof:
    """A proof, searched for with Coq: signs as they are asked for, then of factors first. Raises NotFound, CoqError."""

    def found(by_factors: bool) -> Proof:
        looking = _Search(stated, session, z3, seconds / 2, by_factors)
        tree = looking.tree()
        return Proof(tree, [*map(polynomial_text, looking.exponents)])

    with Session(library_folder, stated.text, stated.symbols(around="asked")) as session, Solver("z3") as z3:
        try:
            return found(by_factors=False)
        except NotFound:
            return found(by_factors=True)
