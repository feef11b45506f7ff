"""Polynomial systems as SMT-LIB 2, the language that every solver reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claims.proving.symbols import RELATIONS, Condition


def polynomial(condition: Condition, names: Sequence[str]) -> str:
    """The polynomial of a condition as an SMT-LIB term."""
    terms = [_term(coefficient, exponents, names) for coefficient, exponents in condition.terms]
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def smt_formula(condition: Condition, names: Sequence[str]) -> str:
    """A condition as an SMT-LIB formula."""
    if not condition.signs:
        return "false"
    relation = RELATIONS.get(condition.signs)
    return "true" if relation is None else f"({relation} {polynomial(condition, names)} 0)"


def declarations(names: Iterable[str]) -> list[str]:
    """The variables."""
    return [f"(declare-const {name} Real)" for name in names]


def system(names: Sequence[str], conditions: Sequence[Condition], violations: Sequence[Condition]) -> str:
    """The text that is unsatisfiable if nothing violates: all conditions and, if there are any, one of the violations."""
    lines = ["(set-logic QF_NRA)", *declarations(names)]
    lines += [f"(assert {smt_formula(condition, names)})" for condition in conditions]
    if violations:
        broken = [smt_formula(violation, names) for violation in violations]
        lines.append(f"(assert {broken[0]})" if len(broken) == 1 else f"(assert (or {' '.join(broken)}))")
    return "\n".join([*lines, "(check-sat)", ""])


def _term(coefficient: int, exponents: tuple[int, ...], names: Sequence[str]) -> str:
    factors = [name for name, power in zip(names, exponents, strict=False) for _ in range(power)]
    number = str(coefficient) if coefficient >= 0 else f"(- {-coefficient})"
    if not factors:
        return number
    if coefficient == 1:
        return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"
    return f"(* {number} {' '.join(factors)})"
