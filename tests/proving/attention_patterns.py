"""Which patterns of attention a step leads from to rest, by linear systems that Z3 decides exactly.

A = I and delta = 1. A pattern says who attends to whom. With s = gamma/(1 - gamma) a step takes z_i to
(z_i + s c_i)/(1 + s), c_i the mean of its neighbours. What is asked of a step is linear in the scalar products <z_i, z_j>,
in s times these, and in s^2 times these, if s and s^2 are unknowns, too. All these are taken for independent numbers, of
which it is kept that squares of combinations of the tokens and s times the tokens are not negative. What has no solution
then has none, in any dimension and for any gamma. Conditions are SMT-LIB text: expressions built in Python cost more than
their solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import z3
from flint import fmpq, fmpq_mat

Pattern = tuple[tuple[int, ...], ...]

Vector = list[list[Fraction]]
"""Coefficients of the tokens by powers of s, over as many factors 1 + s as the highest power has."""

POWERS = ("1", "s", "q")
"""q stands for s^2."""

SECONDS = 3
"""What Z3 does not decide in this time is not excluded."""

Row = tuple[tuple[int, ...], tuple[int, ...], bool]
"""Of one token: its neighbours before the step, those at rest, and whether these are all at its place."""


def total(terms: dict[str, Fraction]) -> str:
    """A sum, each number times its name."""
    found = [name if c == 1 else f"(* (/ {c.numerator} {c.denominator}) {name})" for name, c in terms.items() if c]
    return f"(+ 0 {' '.join(found)})"


def either(choices: Sequence[Sequence[str]]) -> str:
    return "(or false " + " ".join(f"(and true {' '.join(choice)})" for choice in choices) + ")"


def combination(terms: Iterable[tuple[Fraction | int, Vector]]) -> Vector:
    """A sum of vectors over one number of factors 1 + s."""
    terms = list(terms)
    most = max(len(v) for _, v in terms)
    found = [[Fraction(0)] * len(terms[0][1][0]) for _ in range(most)]
    for c, v in terms:
        raised, zero = v, [Fraction(0)] * len(v[0])
        while len(raised) < most:
            raised = [
                [a + b for a, b in zip(x, y, strict=True)] for x, y in zip([*raised, zero], [zero, *raised], strict=True)
            ]
        found = [[a + c * b for a, b in zip(x, y, strict=True)] for x, y in zip(found, raised, strict=True)]
    return found


def minus(u: Vector, v: Vector) -> Vector:
    return combination([(1, u), (-1, v)])


def negative_directions(M: Any) -> Iterator[tuple[int, ...]]:
    """Small whole vectors v with v^T M v < 0. Rounding chooses them, and nothing rests on that it chose well."""
    values, vectors = np.linalg.eigh(M)
    size = max(1.0, abs(values).max())
    for value, v in zip(values, vectors.T, strict=True):
        if value >= -1e-7 * size:
            return
        for scale in (1, 2, 3, 4, 5, 6, 8, 12, 16, 40, 200):
            x = np.rint(v / abs(v).max() * scale)
            if x.any() and x @ M @ x < -1e-8 * size * (x @ x):
                yield tuple(int(entry) for entry in x)
                break


def renamed(pattern: Pattern, names: Sequence[int]) -> Pattern:
    found: list[tuple[int, ...]] = [()] * len(pattern)
    for i, who in enumerate(pattern):
        found[names[i]] = tuple(sorted(names[j] for j in who))
    return tuple(found)


def places(after: Pattern) -> set[tuple[int, ...]]:
    """Sets of tokens of which each attends to just that set: at rest they are at one place."""
    return {who for who in after if all(after[j] == who for j in who)}


class Attention:
    """Systems for so many tokens."""

    def __init__(self, tokens: int) -> None:
        self.tokens = range(tokens)
        self.sets = [tuple(j for j in self.tokens if k >> j & 1) for k in range(1, 2**tokens)]
        self.unit = [[Fraction(int(i == j)) for j in self.tokens] for i in self.tokens]
        self.excluded: dict[tuple[Row, ...], bool] = {}
        self.known: dict[tuple[int, tuple[int, ...]], str] = {}
        self.asked: dict[tuple[Any, ...], bool] = {}
        apart = [[[Fraction(a - b) for a, b in zip(x, y, strict=True)]] for x, y in combinations(self.unit, 2)]
        squares = [condition for v in [[x] for x in self.unit] + apart for condition in self.square(v)]
        names = [self.product(i, j, k) for k in range(3) for i, j in combinations(self.tokens, 2)]
        names += [self.product(i, i, k) for k in range(3) for i in self.tokens]
        self.always = "".join(f"(declare-const {name} Real)" for name in [*names, "s", "q"])
        self.always += self.asserted(["(> s 0.0)", "(> q 0.0)", self.above_tangent(Fraction(1)), *squares])

    # -----------------------------------------------------------------------------------------------------------------
    # Conditions

    @staticmethod
    def asserted(conditions: Iterable[str]) -> str:
        return "".join(f"(assert {condition})" for condition in conditions)

    @staticmethod
    def product(i: int, j: int, power: int) -> str:
        """s^power <z_i, z_j>."""
        return f"g{power}_{min(i, j)}_{max(i, j)}"

    @staticmethod
    def above_tangent(t: Fraction) -> str:
        """s^2 is above its tangent at t."""
        return f"(>= q {total({'s': 2 * t, '1': -t * t})})"

    def compared(self, relation: str, u: Vector, v: Vector, bound: int) -> Iterator[str]:
        """<u, v> compared with the bound, times each power of s that stays linear."""
        factors = len(u) + len(v) - 2
        one = ({0: 1}, {0: 1, 1: 1}, {0: 1, 1: 2, 2: 1})[factors]
        for extra in range(3 - factors):
            terms: dict[str, Fraction] = {}
            for (p, x), (r, y) in product(enumerate(u), enumerate(v)):
                for i, j in product(self.tokens, repeat=2):
                    if x[i] and y[j]:
                        name = self.product(i, j, p + r + extra)
                        terms[name] = terms.get(name, Fraction(0)) + x[i] * y[j]
            right = {POWERS[power + extra]: Fraction(c * bound) for power, c in one.items()}
            yield f"({relation} {total(terms)} {total(right)})"

    def square(self, v: Vector) -> Iterator[str]:
        yield from self.compared(">=", v, v, 0)

    def attending(self, i: int, who: Sequence[int], at: dict[int, Vector]) -> Iterator[str]:
        """That i attends to these and to none of the others that have a vector here."""
        known = [j for j in who if j in at]
        if len(known) < len(who):  # the best score may be that of a token that is not here
            for k, j in permutations(known, 2):
                yield from self.compared("<=", at[i], minus(at[k], at[j]), 1)
            return
        choices: list[list[str]] = []
        for best in who:
            choices.append([])
            for j in (j for j in at if j != best):
                gap = minus(at[best], at[j])
                if j in who:
                    choices[-1] += [*self.compared(">=", at[i], gap, 0), *self.compared("<=", at[i], gap, 1)]
                else:
                    choices[-1] += self.compared(">", at[i], gap, 1)
        yield either(choices)

    def before(self, i: int, who: tuple[int, ...]) -> str:
        """Who is attended to before the step."""
        if (i, who) not in self.known:
            (self.known[i, who],) = self.attending(i, who, {j: [x] for j, x in enumerate(self.unit)})
        return self.known[i, who]

    def mean(self, who: Sequence[int]) -> list[Fraction]:
        return [Fraction(int(j in who), len(who)) for j in self.tokens]

    def moved(self, i: int, who: Sequence[int]) -> Vector:
        return [self.unit[i]] if tuple(who) == (i,) else [self.unit[i], self.mean(who)]

    def differences_of_means(self, pattern: Pattern) -> Iterator[str]:
        """That squares of what tokens and means of neighbours, with and without oneself, differ by are not negative."""
        means = {tuple(x) for x in self.unit}
        for i, who in enumerate(pattern):
            means |= {tuple(self.mean(some)) for some in (who, [j for j in who if j != i]) if some}
        for one, other in combinations(sorted(means), 2):
            yield from self.square(minus([list(one)], [list(other)]))

    # -----------------------------------------------------------------------------------------------------------------
    # Rest

    def weights(self, after: Pattern) -> list[dict[int, Fraction]]:
        """Each token at rest as a mean of one token of each place.

        Raises ZeroDivisionError where the places do not determine all.
        """
        known = places(after)
        inner = [i for i in self.tokens if after[i] not in known]
        found = [{after[i][0]: Fraction(1)} if after[i] in known else {} for i in self.tokens]
        if not inner:
            return found
        ends = sorted(who[0] for who in known)
        share = [{k: fmpq(1, len(after[i])) for k in after[i]} for i in self.tokens]
        M = fmpq_mat([[fmpq(int(i == k)) - share[i].get(k, fmpq(0)) for k in inner] for i in inner])
        right = [
            [sum((c for k, c in share[i].items() if end in after[k] and after[k] in known), fmpq(0)) for end in ends]
            for i in inner
        ]
        solved = M.solve(fmpq_mat(right))
        for row, i in enumerate(inner):
            found[i] = {end: Fraction(int(solved[row, k].p), int(solved[row, k].q)) for k, end in enumerate(ends)}
        return found

    def rests(self, after: Pattern) -> bool:
        """Whether tokens may rest so: nothing is excluded if Z3 does not know."""
        if any(i not in who for i, who in enumerate(after)) or not places(after):
            return False
        try:
            weights = self.weights(after)
        except ZeroDivisionError:
            return False
        at = {i: combination([(c, [self.unit[end]]) for end, c in weights[i].items()]) for i in self.tokens}
        if any((at[i] == at[j]) and (after[i] != after[j]) for i, j in combinations(self.tokens, 2)):
            return False
        asked = [condition for i in self.tokens for condition in self.attending(i, after[i], at)]
        return not self.has_no_solution(asked, 20)

    # -----------------------------------------------------------------------------------------------------------------
    # Steps

    def system(self, rows: Sequence[Row]) -> Iterator[str]:
        """What is asked of the first tokens."""
        some = range(len(rows))
        after = tuple(rest for _, rest, _ in rows)
        moved = at = {i: self.moved(i, before) for i, (before, _, _) in enumerate(rows)}
        whole = len(rows) == len(self.tokens)
        if whole:
            # Of the tokens at one place one that did not move says most.
            first = [min((j for j in some if after[j] == after[i]), key=lambda j: len(moved[j])) for i in some]
            at = {
                i: combination([(c, moved[first[end]]) for end, c in weights.items()])
                for i, weights in enumerate(self.weights(after))
            }
        for i, (before, rest, is_place) in enumerate(rows):
            yield self.before(i, before)
            if is_place:
                yield from self.attending(i, (i,), {j: v for j, v in at.items() if j == i or j not in rest})
            else:
                yield from self.attending(i, rest, at)
            together = [j for j in some if j < i and after[j] == rest]
            if whole:
                equal = minus(moved[i], at[i])
            elif together:
                equal = minus(moved[i], moved[together[0]])
            elif not is_place and all(j in some for j in rest):
                equal = minus(moved[i], combination([(Fraction(1, len(rest)), moved[j]) for j in rest]))
            else:
                continue
            if any(map(any, equal)):
                yield from (condition for x in self.unit for condition in self.compared("=", equal, [x], 0))

    def has_no_solution(self, conditions: Iterable[str], rounds: int) -> bool:
        """Whether Z3 says so after at most this many rounds of squares that a solution makes negative."""
        solver = z3.SolverFor("QF_LRA")
        solver.set("timeout", 1000 * SECONDS)
        solver.from_string(self.always + self.asserted(conditions))
        for _ in range(rounds):
            if solver.check() != z3.sat:
                break
            cuts = list(self.cuts(solver.model()))
            if not cuts:
                return False
            solver.from_string(self.asserted(cuts))
        return bool(solver.check() == z3.unsat)

    def cuts(self, model: Any) -> Iterator[str]:
        """Of what holds of squares, some that fails here."""

        def value(name: str) -> Fraction:
            found = model.eval(z3.Real(name), model_completion=True)
            return Fraction(found.numerator_as_long(), found.denominator_as_long())

        n = len(self.tokens)
        found = np.array(
            [[[float(value(self.product(i, j, k))) for j in self.tokens] for i in self.tokens] for k in range(3)]
        )
        for v in negative_directions(np.block([[found[0], found[1]], [found[1], found[2]]])):
            terms = ((v[i] * v[j], self.product(i % n, j % n, i // n + j // n)) for i, j in product(range(2 * n), repeat=2))
            summed: dict[str, Fraction] = {}
            for c, name in terms:
                summed[name] = summed.get(name, Fraction(0)) + c
            yield f"(>= {total(summed)} 0.0)"
        for v in negative_directions(found[1]):
            yield from self.square([[Fraction(x) for x in v]])
        s, q = value("s"), value("q")
        if q < s * s:
            near = s.limit_denominator(20)
            yield self.above_tangent(near if 2 * near * s - near * near > q else s)

    def are_excluded(self, some: Sequence[int], before: Sequence[tuple[int, ...]], after: Pattern) -> bool:
        """Whether what is asked of these tokens alone has no solution."""
        named = after, *((i, before[i]) for i in some)
        if named not in self.asked:
            key = self.nameless(some, before, after)
            if key not in self.excluded:
                self.excluded[key] = self.decided(key)
            self.asked[named] = self.excluded[key]
        return self.asked[named]

    def decided(self, rows: tuple[Row, ...]) -> bool:
        if len(rows) < len(self.tokens):
            return self.has_no_solution(self.system(rows), 0)
        before, after = (tuple(row[k] for row in rows) for k in (0, 1))
        # Most need no more squares than those that solutions ask for, and are decided faster without.
        squares = (condition for pattern in (before, after) for condition in self.differences_of_means(pattern))
        return self.has_no_solution(self.system(rows), 12) or self.has_no_solution([*self.system(rows), *squares], 12)

    def nameless(self, some: Sequence[int], before: Sequence[tuple[int, ...]], after: Pattern) -> tuple[Row, ...]:
        """What is asked of these tokens, the same for patterns that only names tell apart."""
        known = places(after)
        rest = [j for j in self.tokens if j not in some]
        found = []
        for order, others in product(permutations(some), permutations(rest)):
            name = {old: new for new, old in enumerate((*order, *others))}
            rows = [
                (sorted(name[j] for j in before[i]), sorted(name[j] for j in after[i]), after[i] in known) for i in order
            ]
            found.append(tuple((tuple(one), tuple(other), is_place) for one, other, is_place in rows))
        return min(found)

    def is_excluded(self, before: Sequence[tuple[int, ...]], after: Pattern) -> bool:
        """Whether the neighbours of the last of the first tokens are impossible with those of the others, or rest."""
        last = len(before) - 1
        if tuple(before) == after:
            return has_no_negative_eigenvalue(after)
        return any(
            self.are_excluded((*others, last), before, after)
            for size in range(1, last + 1)
            for others in combinations(range(last), size)
        )

    def starts(self, after: Pattern, before: tuple[tuple[int, ...], ...] = ()) -> list[Pattern]:
        """The patterns before the step that begin so and are not excluded."""
        if len(before) == len(self.tokens):
            return [before]
        found = []
        for who in self.sets:
            longer = (*before, who)
            if not self.is_excluded(longer, after):
                found += self.starts(after, longer)
        return found


def has_no_negative_eigenvalue(pattern: Pattern) -> bool:
    """Of the means: then (1 - gamma) I + gamma W has an inverse, and commutes with I - W."""
    share = [[fmpq(int(j in who), len(who)) for j in range(len(pattern))] for who in pattern]
    p = fmpq_mat(share).charpoly()
    return all(c * (-1) ** (len(pattern) - k) >= 0 for k, c in enumerate(p.coeffs()))
