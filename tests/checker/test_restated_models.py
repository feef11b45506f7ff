"""The step maps as the checker restates them, method by method, beside the suite's on the same instances."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.stating.catalogue import catalogue
from dynamics.arithmetic import exp, numbers
from dynamics.checker import models, stand_ins
from dynamics.choices import plain
from dynamics.system import System
from dynamics.tokens.hardmax import HardmaxStep

TURNS = 4


def drawn(kind: type[System]) -> list[System]:
    """Instances of the claims about a system, at several steps of their schedules."""
    found: list[System] = []
    for claim in [one for one in catalogue().values() if issubclass(one.system, kind)][:3]:
        for turn in range(TURNS):
            one = draw_instance(claim, claim.conclusions[0], SeededDraws(np.random.default_rng(turn), turn=turn))
            if "t" in kind.fields():  # a later step of a schedule
                one = one.replace(t=one.t + turn)
            found.append(one)
    return found


def flat(value: Any) -> list[Any]:
    """The numbers in what a method gives."""
    if isinstance(value, System):
        return [entry for array in value.arrays().values() for entry in flat(array)]
    if dataclasses.is_dataclass(value):
        return [entry for field in dataclasses.fields(value) for entry in flat(getattr(value, field.name))]
    return [plain(entry) for entry in np.asarray(value, dtype=object).flat]


def told(method: Any, one: System) -> list[Any] | str:
    try:
        return flat(method.fget(one) if isinstance(method, property) else method(one))
    except ValueError:
        return "refused"


def is_same(ours: Any, theirs: Any) -> bool:
    """Whether two numbers are equal, flint's or those that stand in for them, or balls meet."""
    if isinstance(theirs, arb):
        return bool(arb(ours).overlaps(theirs))
    one, other = (Fraction(int(x.p), int(x.q)) if hasattr(x, "p") else x for x in (ours, theirs))
    return bool(one == other)


def differ(ours: type, theirs: type, one: System) -> list[str]:
    """The methods that do not say the same."""
    found = []
    for name, method in vars(ours).items():
        if name.startswith("_") or name == "under":
            continue
        mine, other = told(method, one), told(getattr(theirs, name), one)
        if len(mine) != len(other) or not all(map(is_same, mine, other)):
            found.append(name)
    return found


@pytest.fixture(autouse=True)
def flints_numbers(monkeypatch):
    """Both on the same numbers; what is the checker's alone is there as in its process."""
    monkeypatch.setattr(stand_ins, "exponential", lambda x: exp(numbers(x)).item())
    for ours, theirs in models.RESTATED:
        for name in vars(ours):
            if name.startswith("_") and not name.startswith("__"):
                # The checker's alone: instances of the suite get them to be compared.
                monkeypatch.setattr(theirs, name, vars(ours)[name], raising=False)


@pytest.mark.parametrize(("ours", "theirs"), models.RESTATED, ids=lambda kind: kind.__name__)
def test_every_method_says_what_the_suites_does(ours, theirs):
    # Of a system that no claim is about nothing would be compared.
    instances = drawn(theirs)
    assert instances
    assert [(differ(ours, theirs, one), one.to_json()) for one in instances if differ(ours, theirs, one)] == []


def test_tokens_move_part_of_the_way_under_multiples_of_the_identity_alone():
    x = [[fmpq(1), fmpq(0)], [fmpq(2), fmpq(1)], [fmpq(-1), fmpq(3)]]
    # Multiples of the identity are three of these 81; all others must be refused by both.
    for entries in product((fmpq(0), fmpq(1, 3), fmpq(1, 2)), repeat=4):
        one = HardmaxStep.instance(x=x, B=[[1, 0], [0, 1]], P=[list(entries[:2]), list(entries[2:])])
        assert differ(models._Hardmax, HardmaxStep, one) == []
