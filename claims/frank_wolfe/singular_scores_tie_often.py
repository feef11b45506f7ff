"""With singular scores and a matrix step, ties between different points have probability one half.

Why Lemma `lem:singleLeader` (frank_wolfe FW-1) needs B invertible for general P. B = -diag(1, 0),
P = diag(1/2, 1/4), two Gaussian tokens: where their first coordinates have different signs they are equal after one step,
the second ones are not, and all scores tie for ever; else there is no tie. An earlier count saw ties in 210 of 400
exact runs. Runs are decided exactly, and their number is compared with the chance and, which tells less, with that count.
"""

import numpy as np

from claims.experiments import Frequency
from claims.frank_wolfe.setting.limits import has_ties
from claims.statement import Claim, Origin
from dynamics.orbits.exact import orbit
from dynamics.tokens.hardmax import HardmaxStep

RUNS, STEPS = 400, 3

claim = Claim(
    __name__,
    where="measured for Lemma lem:singleLeader",
    refs=("FW-1", "Q13"),
    statement="For B = -diag(1,0) and P = diag(1/2,1/4), half of all Gaussian starts come to a tie of different points.",
    origin=Origin.OURS,
    system=HardmaxStep,
)


def comes_to_a_tie(rng: np.random.Generator) -> bool:
    """One run of two Gaussian tokens, rounded to multiples of 2^-20, exactly."""
    x = np.round(rng.normal(size=(2, 2)) * 2**20) / 2**20
    start = HardmaxStep.instance(x=x, B=[[-1, 0], [0, 0]], P=[["1/2", 0], [0, "1/4"]])
    return has_ties(orbit(start, STEPS))


@claim.experiment()
def runs_with_ties(steps: int):
    """How many of 400 runs of three steps."""
    if steps < RUNS * STEPS:
        return []
    rng = np.random.default_rng(2508_09628)
    hits = sum(comes_to_a_tie(rng) for _ in range(RUNS))
    return [
        Frequency("runs with ties, beside the chance", hits, RUNS, "0.500"),
        Frequency("runs with ties, beside an earlier count", hits, RUNS, "0.525", RUNS),
    ]
