"""The abstract on one line: tokens gather in a few steps, stay for e^{beta c_0/2}, and soon after meet, off the origin.

Softmax steps from the tokens 1, -1 and one s in between (frank_wolfe FW-13 to FW-16), c_0 = 2. T_1 is the first step at
which the third is within 1/8 of the first; T_2 that at which one of the first two is more than 1/4 from its start; T_3 that
at which all are within 1/100 of each other. All three are counted exactly, in balls at every step. For s = gamma = 1/2:

    beta   T_1    T_2    T_3    place
       4     3     75     93    0.568263582587
       5     3    428    459    0.662086548239
       6     3   2575   2646    0.727224974458

The lone token at -1 sees two near 1, leaves first, and all meet near 1.
"""

from flint import fmpq

from claims.frank_wolfe.setting.escapes import (
    cold_steps,
    phases_on_the_line,
    place_on_the_line,
    three_on_a_line,
    two_ends_and_one_between,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="abstract and section 5, on one line",
    refs=("FW-13", "FW-14", "FW-15", "FW-16"),
    statement="From 1, -1, s: T_1 <= 16 steps, T_2 > e^{beta c_0/2}, T_3 <= 2 T_2 at 4 <= beta <= 5, gamma in {1/2, 1/4}.",
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(two_ends_and_one_between, cold_steps),
    draw=three_on_a_line,
)


@claim.orbit(">= 0", exact_only=True)
def first_phase_is_short(f: SoftmaxStep, *, steps=16):
    """16 - T_1."""
    return numbers(f.beta * 0 + steps - phases_on_the_line(f).gathered)


@claim.orbit("> 0", exact_only=True)
def second_phase_is_exponentially_long(f: SoftmaxStep, *, cost=1):
    """log T_2 - beta c_0/2, c_0 = 2."""
    return log(numbers(f.beta * 0 + phases_on_the_line(f).left)) - cost * f.beta


@claim.orbit(">= 0", exact_only=True)
def collapse_follows_soon(f: SoftmaxStep, *, times=2):
    """2 T_2 - T_3."""
    found = phases_on_the_line(f)
    return numbers(f.beta * 0 + times * found.left - found.met)


@claim.orbit("> 0", exact_only=True)
def collapse_is_off_the_origin(f: SoftmaxStep, *, least=1):
    """x_1 - 1/100 at T_3: all tokens are on the side of 1, and their limit."""
    return place_on_the_line(f) - fmpq(least) / 100
