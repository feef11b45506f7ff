"""Which formulas an entry of a table is about, and whether they are still those of the claim."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from claims.certificates.format import digest
from claims.stating.formulas import formula
from claims.targets.target import Target, TargetError, Variant
from dynamics.system import System


def statement_digest(target: Target) -> str:
    """A digest of what is proved: relation, slack, hypotheses and model as they are written, with the models that they use.

    What all formulas share, their numbers, is left out. Raises TargetError.
    """
    variant = target.resolve()
    # Of the model all classes down to ours, which its velocity may call; what is said in words may change.
    kinds = [one for one in variant.claim.system.__mro__ if one.__module__ not in ("builtins", System.__module__)]
    return _digest(variant, [_text(kind) for kind in kinds], _text)


def computation_digest(target: Target) -> str:
    """A digest of what is computed of an instance: the model's name, relation, slack and hypotheses, without their words.

    A search is as good after a docstring, a comment or the code of a model has been written anew. Raises TargetError.
    """
    variant = target.resolve()
    # Sixteen digits: two thousand entries hold one each, and none is to be forged.
    return _digest(variant, variant.claim.system.__name__, _computed)[:16]


def _digest(variant: Variant, system: object, text: Callable[[Callable[..., Any]], list[str]]) -> str:
    conclusion = variant.printed
    return digest(
        {
            "system": system,
            "form": conclusion.form.value,
            "relation": conclusion.relation.value,
            "slack": text(conclusion.slack),
            "hypotheses": [[one.name, text(one.satisfies)] for one in variant.kept],
        }
    ).removeprefix("sha256:")


@cache
def _computed(function: Callable[..., Any]) -> list[str]:
    return [_without_words(text) for text in "\n".join(formula(function)).split("\n\n")]


def _without_words(text: str) -> str:
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError:  # the value of a closure's variable, which is no statement of Python
        return text
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            said = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
            node.body = node.body[said:] or [ast.Pass()]
    return ast.unparse(tree)


# Hypotheses and models are shared by hundreds of conclusions.
@cache
def _text(function: Callable[..., Any]) -> list[str]:
    return formula(function, ("claims", "dynamics"))


def is_current(entry: Mapping[str, Any]) -> bool:
    """Whether today's claim is the one that was tried."""
    try:
        return statement_digest(Target(entry["claim"], entry["conclusion"])) == entry["text"]
    except TargetError:  # a claim that is no more, or has another conclusion
        return False
