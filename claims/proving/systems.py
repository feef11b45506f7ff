"""Polynomial systems as SMT-LIB 2, the language that every solver reads."""

from __future__ import annotations

from collections.abc import Sequence

from claims.proving.symbols import RELATIONS, Condition


def smt_formula(condition: Condition, names: Sequence[str]) -> str:
    """A condition as an SMT-LIB formula."""
    if not condition.signs:
        return "false"
    relation = RELATIONS.get(condition.signs)
    terms = [_term(coefficient, exponents, names) for coefficient, exponents in condition.terms]
    polynomial = terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"
    return "true" if relation is None else f"({relation} {polynomial} 0)"


def system(names: Sequence[str], conditions: Sequence[Condition], violations: Sequence[Condition]) -> str:
    """The text that is unsatisfiable if nothing violates: all conditions and, if there are any, one of the violations."""
    lines = ["(set-logic QF_NRA)", *(f"(declare-const {name} Real)" for name in names)]
    lines += [f"(assert {smt_formula(condition, names)})" for condition in conditions]
    if violations:
        broken = [smt_formula(violation, names) for violation in violations]
        lines.append(f"(assert {broken[0]})" if len(broken) == 1 else f"(assert (or {' '.join(broken)}))")
    return "\n".join([*lines, "(check-sat)", ""])


def _term(coefficient: int, exponents: tuple[int, ...], names: Sequence[str]) -> str:
    # Powers are products and negative numbers differences: SMT-LIB has neither.
    factors = [name for name, power in zip(names, exponents, strict=False) for _ in range(power)]
    number = str(coefficient) if coefficient >= 0 else f"(- {-coefficient})"
    if not factors:
        return number
    if coefficient == 1:
        return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"
    return f"(* {number} {' '.join(factors)})"
