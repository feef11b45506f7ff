"""Independent picks contract the expected diameter: E diam(t) <= (1 - p gamma)^t diam(0), p = (e^{-|beta| R D} / n)^n.

Frank_wolfe FW-13, SA_P with independent picks; consensus at a random point follows. Every a_ij is at least
e^{-|beta| R D} / n, so with probability at least p all tokens pick a given one and the diameter falls by 1 - gamma; no
pick lets it grow. Any of the n tokens may be the one they pick, so n p does as well as p.
"""

from contextlib import suppress

import numpy as np

from claims.experiments import Frequency
from claims.frank_wolfe.setting.softmax_steps import largest, one_to_three_tokens, positive_step_size, squared_sides
from claims.statement import Claim, Origin
from dynamics.arithmetic import UndecidedError, exact, exp, numbers, sqrt
from dynamics.attention import softmax
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.pick_sequences import TooManyStatesError, law_after

claim = Claim(
    __name__,
    where="SA_P, section 5",
    refs=("FW-13", "FW-M8"),
    statement=(
        "With independent picks E diam(t) <= (1 - p gamma)^t diam(0), p = (e^{-|beta| R D}/n)^n; even with n p for p."
    ),
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(positive_step_size,),
    draw=one_to_three_tokens,
)


def _room(f, steps, choices, cost):
    """(1 - choices p gamma)^t - E diam(t) / diam(0), the chain enumerated; nothing where all tokens are at one place.

    Of more than three tokens only the likeliest picks of the first step are followed: the diameter is not larger after any
    others, nor later. Raises TooManyStatesError where that leaves the sign open.
    """
    n = len(f.x)
    if bool((f.x == f.x[0]).all()):
        return exact([])
    first = largest(squared_sides(f.x))
    RD = sqrt(largest(numbers((f.x * f.x).sum(axis=-1))) * first)
    p = (exp(-cost * abs(f.beta) * RD) / n).item() ** n
    # Squares are divided before the root is taken: diameters that are all the same remain exact.
    few = n <= MOST_ENUMERATED
    law = law_after(f, steps if few else 1, likeliest=None if few else LIKELIEST)
    mean = law.mean(lambda x: sqrt(largest(squared_sides(x)) / first).item(), 1)
    room = (1 - choices * p * f.gamma.item()) ** steps - mean
    if not (few or _is_positive(room)):
        raise TooManyStatesError(f"the likeliest {LIKELIEST} picks of {n} tokens do not tell")
    return numbers(room)


def _is_positive(room):
    with suppress(UndecidedError):
        return bool(room > 0)
    return False


MOST_ENUMERATED, LIKELIEST = 3, 500


@claim.step(">= 0", exact_only=True)
def expected_diameter_contracts(f: SoftmaxStep, *, steps=2, cost=1):
    """(1 - p gamma)^t - E diam(t) / diam(0)."""
    return _room(f, steps, 1, cost)


@claim.step(">= 0", exact_only=True)
def expected_diameter_contracts_by_any_choice(f: SoftmaxStep, *, steps=1, cost=1):
    """(1 - n p gamma)^t - E diam(t) / diam(0)."""
    return _room(f, steps, len(f.x), cost)


MOST, ENOUGH = 20_000, 200


@claim.experiment()
def limits_are_random(steps):
    """How often the triangle of circumradius 1 collapses within 0.45 of the origin at beta = 1, gamma = 1/2: half of it."""
    runs, rng = min(steps, MOST), np.random.default_rng(0)
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    x = np.broadcast_to(np.stack([np.cos(angles), np.sin(angles)], axis=-1), (runs, 3, 2))
    for _ in range(ENOUGH):
        cumulative = softmax(x @ x.swapaxes(-1, -2)).cumsum(axis=-1)
        picks = (cumulative < rng.random((runs, 3, 1))).sum(axis=-1).clip(max=2)
        x = (x + np.take_along_axis(x, picks[..., None], axis=-2)) / 2
    hits = int((np.linalg.norm(x[:, 0], axis=-1) <= 0.45).sum())
    return [Frequency("|x_*| <= 0.45", hits, runs, "0.50", printed_runs=3000)]
