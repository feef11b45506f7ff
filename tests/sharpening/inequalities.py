"""Inequalities with constants that are known, and their brackets."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from claims.cli.stopping import Stopped
from claims.hunting.simplify import Simplified
from claims.sharpening import brackets
from claims.sharpening.brackets import bracket, spec_of
from claims.targets.target import Target
from claims.verifying.deciding import check

OWN = '''"""Inequalities between two numbers, with constants that are known."""

from dataclasses import dataclass
import numpy as np
from claims import Assumption, Claim
from dynamics import System, quantity


@dataclass(frozen=True)
class Pair(System):
    """Numbers x_1, ..., x_n and a number a."""

    x: object = quantity("n", meaning="numbers")
    a: object = quantity(meaning="a number")


def near(f):
    return f.replace(a=np.where((f.a >= 0) & (f.a < 1), f.a, f.a * f.a / (1 + f.a * f.a)))


part = Assumption("part", "0 <= a < 1", satisfies=lambda f: 0 <= f.a.item() < 1, restrict=near)

def draw(draws):
    return Pair(x=draws.dyadic(draws.integer(2, 4)), a=draws.dyadic())


claim = Claim(__name__, statement="Known inequalities.", system=Pair, assumptions=(part,), draw=draw)


@claim.state(">= 0")
def squares(f, *, factor=2):
    """x_1^2 + x_n^2 - factor x_1 x_n, sharp where both are equal."""
    return f.x[..., 0] ** 2 + f.x[..., -1] ** 2 - factor * f.x[..., 0] * f.x[..., -1]


@claim.state(">= 0")
def mean(f, *, share=1):
    """n (x_1^2 + ... + x_n^2) - share (x_1 + ... + x_n)^2."""
    n = f.x.shape[-1]
    return n * (f.x * f.x).sum(axis=-1) - share * f.x.sum(axis=-1) ** 2


@claim.state(">= 0")
def never(f, *, most=1):
    """most - a, sharp as a -> 1, which no instance is."""
    return most - f.a


@claim.state(">= 0")
def loose(f, *, most=3):
    """most - a^2, improvable."""
    return most - f.a * f.a


@claim.state(">= 0")
def idle(f, *, c=1):
    """c has no bearing."""
    return f.a * f.a + 0 * c


@claim.identity()
def same(f, *, c=1):
    """c a - a."""
    return c * f.a - f.a


@claim.state(">= 0")
def wrong(f, *, excess=3):
    """x_1^2 + x_n^2 - excess x_1 x_n, false."""
    return squares(f, factor=excess)


@claim.state("> 0")
def apart(f, *, factor=2):
    """x_1^2 + x_n^2 - factor x_1 x_n > 0, false where both are equal."""
    return f.x[..., 0] ** 2 + f.x[..., -1] ** 2 - factor * f.x[..., 0] * f.x[..., -1]


@claim.state(">= 0")
def power(f, *, most=2):
    """9 + a^2 - 2^most: the largest whole number is 3, and no other power is rational."""
    return 9 + f.a * f.a - (2 + 0 * f.a) ** most


@claim.state(">= 0")
def many(f, *, k=1):
    """k zeros."""
    return 0 * f.x[..., : int(k)]


@claim.state(">= 0")
def below_one(f, *, least=1):
    """a^2 + least, which is defined up to 1."""
    if least > 1:
        raise ValueError("beyond 1")
    return f.a * f.a + least


@claim.state(">= 0")
def tail(f, *, share=1):
    """1 + 1 / (1 + x_1^2) - share, sharp as x_1 -> infinity."""
    return 1 + 1 / (1 + f.x[..., 0] ** 2) - share


@claim.state(">= 0")
def steep(f, *, share=1):
    """1 + 1 / (1 + (1024 a)^2) - share, which falls as a grows up to 1."""
    return 1 + 1 / (1 + (1024 * f.a) ** 2) - share


@claim.state(">= 0")
def two(f, *, most=1):
    """1 / (1 + x_1^2) + 1 - most, zero nowhere, beside what is zero everywhere."""
    return (1 / (1 + f.x[..., 0] ** 2) + (1 - most))[..., None] * np.array([1, 0], dtype=object)
'''

STOPS = "BRACKETS_STOP"
"""A variable of the environment, a file: while it is there, the bracket of `many` is asked to stop."""


def known(conclusion, name="", value=None):
    """A conclusion of these as a target, with another value of a constant."""
    return Target("known", conclusion, (), () if value is None else ((name, str(value)),), "known.py", OWN)


def as_it_is(variant, system, effort, seconds):
    """In place of `simplify`, which is tested elsewhere and takes most of the time."""
    return Simplified(system, check(variant.conclusion, system, effort), None, 1)


def bracketed(conclusion, name, value=None, starts=120, small=False, **more):
    """The bracket of a constant, by an instance that is made `small` if so asked."""
    with pytest.MonkeyPatch.context() as patch:
        if not small:
            patch.setattr(brackets, "simplify", as_it_is)
        return bracket(spec_of(known(conclusion, name, value), name, 0, starts, **more))


def stopping(spec):
    """The work, after a Ctrl-C if one is asked for."""
    if spec["target"]["conclusion"] == "many" and Path(os.environ[STOPS]).exists():
        raise Stopped(signal.SIGINT)
    return bracket(spec)
