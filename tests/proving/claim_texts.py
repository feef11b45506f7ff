"""Claim files of users: about two numbers, and the head of one about a flow of numbers that shrink."""

IMPORTS = '''
"""Numbers."""
from dataclasses import dataclass
import numpy as np
from flint import fmpq
from claims.stating.statement import Assumption, Claim
from dynamics.arithmetic import Array, exp, log, numbers, sqrt
from dynamics.system import Flow, System, quantity

'''

TWO = (
    IMPORTS
    + '''\
@dataclass(frozen=True, eq=False)
class Two(System):
    x: Array = quantity("n", meaning="numbers", alias="tokens")

def draw(draws):
    return Two(x=draws.dyadic(2))

{before}

claim = Claim(__name__, statement="none", system=Two, draw=draw, assumptions=({assumed}))

@claim.state(">= 0")
def slack(f):
    """Something of two numbers."""
    a, b = f.x
{lines}
'''
)


def two(lines: str, before: str = "", assumed: str = "") -> str:
    """A claim file about two numbers, whose slack is the lines."""
    return TWO.format(before=before, assumed=assumed, lines="\n".join(f"    {line}" for line in lines.split("\n")))


HEAD = (
    IMPORTS
    + """\
@dataclass(frozen=True, eq=False)
class Shrink(Flow):
    moving = ("x",)
    x: Array = quantity("n", meaning="numbers", alias="tokens")

    def velocity(self):
        return (-self.x,)

def draw(draws):
    return Shrink(x=1 + draws.dyadic(2) ** 2)

high = Assumption("high", "x_1 > x_2 > 0", lambda f: bool(f.x[0] > f.x[1]) and bool(f.x[1] > 0))
claim = Claim(__name__, statement="none", system=Shrink, draw=draw, assumptions=(high,))

"""
)
