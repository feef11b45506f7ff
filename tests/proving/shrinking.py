"""A flow of numbers that shrink alike, as the head of a user's claim file: a conclusion is to be written below it."""

HEAD = '''
"""Numbers that approach each other."""
from dataclasses import dataclass
import numpy as np
from flint import fmpq
from claims.statement import Assumption, Claim
from dynamics.arithmetic import Array, exp
from dynamics.system import Flow, quantity

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

'''
