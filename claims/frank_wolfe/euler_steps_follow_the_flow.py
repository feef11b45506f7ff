"""Hardmax steps of size h stay within h of the flow at all times, as parts of the way.

Theorem `thm: ode` (frank_wolfe FW-12), whose flow x_i' = y_i - x_i has the step of size h as Euler's. On a straight path to
a fixed target a token has (1-h)^k of the way left after k steps, and e^{-t} of it in the flow. Between steps k and k+1
the difference is largest at one of the ends. It is about h just before the first step, at most about h/(2e) at steps.
"""

import numpy as np

from claims.assumptions import scalar_step
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import exp, numbers
from dynamics.hardmax import HardmaxStep

STEPS = 32

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="not printed (Theorem thm: ode, the steps that approach it)",
    refs=("FW-12",),
    printed="|(1-h)^{floor(t/h)} - e^{-t}| <= h for every t >= 0 and h in (0,1].",
    system=HardmaxStep,
    assumptions=(scalar_step,),
)


@claim.state(">= 0")
def distance_between_steps(f: HardmaxStep, *, constant=1):
    """h - |(1-h)^k - e^{-t}| at both ends of [kh, (k+1)h], for k < 32."""
    h = f.P[..., 0, 0]
    slacks = []
    for k in range(STEPS):
        left = (1 - h) ** k
        slacks += [constant * h - abs(left - exp(numbers(-end * h))) for end in (k, k + 1)]
    return numbers(np.stack(slacks, axis=-1))
