"""Constants of true statements, made 3 % too good or 3 % too weak on purpose: refuted, and improvable."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from claims.certificates.constants import ConstantStatus
from claims.sharpening.brackets import bracket, spec_of
from claims.targets.target import Target
from dynamics.arithmetic import rational
from tests.planting import LONG
from tests.proving.solver_processes import solvers_or_skip

PLANTED = tomllib.loads((Path(__file__).parent / "planted.toml").read_text(encoding="utf-8"))

EVERY = 16  # 0 and 16 of the first, 0 alone of the second: a proof takes twice as long as a refutation
"""One in so many runs by default, all of them every night."""

# Those that run by default are found with 400; others need up to 2000.
STARTS, SECONDS = 2000 if LONG else 400, 30.0


def planted(kind: str) -> list:
    return [
        pytest.param(*name.rsplit(".", 2), value, id=name, marks=() if LONG or not k % EVERY else NIGHTLY)
        for k, (name, value) in enumerate(PLANTED[kind].items())
    ]


NIGHTLY = pytest.mark.skip(reason="every night")


def found(claim: str, conclusion: str, constant: str, value: str) -> dict:
    target = Target(claim, conclusion, (), ((constant, value),))
    return bracket(spec_of(target, constant, 1, STARTS, SECONDS))


def test_fifteen_of_each_are_planted_or_more():
    assert [len(PLANTED[kind]) for kind in ("too_good", "too_weak")] == [17, 15]


@pytest.mark.parametrize(("claim", "conclusion", "constant", "value"), planted("too_good"))
def test_a_constant_that_is_too_good_is_refuted(claim, conclusion, constant, value):
    told = found(claim, conclusion, constant, value)
    assert told["word"] == ConstantStatus.REFUTED.value
    # The bracket shows an instance and certifies one: two of them would leave the shown one unproved.
    assert told["certificate"]["instance"] == told["instance"]


@pytest.mark.parametrize(("claim", "conclusion", "constant", "value"), planted("too_weak"))
def test_a_constant_that_is_too_weak_is_improvable(claim, conclusion, constant, value):
    solvers_or_skip()
    told = found(claim, conclusion, constant, value)
    assert told["word"] == ConstantStatus.IMPROVABLE.value
    sharp = rational(Target(claim, conclusion).resolve().printed.constants[constant])
    better = rational(told["proved"]["value"])
    # Whichever way is stronger, what is proved lies between: at the sharp value itself the solvers would meet equality.
    assert min(rational(value), sharp) < better < max(rational(value), sharp)
    assert told["proved"]["for_all"]
