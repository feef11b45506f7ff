"""Near the one-hot limit all errors die out like tau^{-2/p}, with a constant near 1: below x(0) e^{6 x(0)} T^{-2/p}.

How fast the limits of `score_ratios_settle` and `leading_value_settles` are reached (polarization S1). x adds the sizes of
the linear modes at the limit, the slowest of which is that of the ratios q_j / q_k, at the rate 2/p in log T. The bound is
proved in docs/slow_clocks.md for every later time.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import near_one_hot
from claims.statement import Claim, Origin
from dynamics.arithmetic import log
from dynamics.training.slow_clocks import SlowFlow, later_distance


def _unequal_losers(draws):
    """Ratios a little apart, so that the slowest mode leads, or values a little apart."""
    losers, slowest = draws.choice((2, 1, 3)), draws.choice(("ratios apart", "values apart")) == "ratios apart"
    logs, gaps = draws.dyadic(losers), draws.dyadic(losers)
    return SlowFlow(
        gaps=0 * gaps if slowest else gaps,
        logs=logs - logs.sum(axis=-1, keepdims=True) / losers if slowest else logs,
        offset=draws.dyadic(),
        K=abs(draws.dyadic()),
        sigma=draws.dyadic(size=0),
    )


claim = Claim(
    __name__,
    where="Theorem 3.3(b), the rate of its sharp form",
    refs=("S1",),
    statement="From a distance x <= 1/16 on, |log(q_j tau^2 p K / 2)| + |(u_0 - u_j) / (K tau) - 1| = O(x tau^{-2/p}).",
    origin=Origin.OURS,
    system=SlowFlow,
    assumptions=(near_one_hot,),
    draw=_unequal_losers,
    equivalent={
        **dict.fromkeys(
            (
                "errors_stay_below_bound: most - ratio - gap => most - ratio + gap",
                "errors_stay_below_bound: most - ratio + gap => most - ratio - gap",
                "errors_stay_below_bound: most + ratio - gap => most + ratio + gap",
                "errors_stay_below_bound: most + ratio + gap => most + ratio - gap",
                "errors_stay_below_bound: most - ratio => most + ratio",
                "errors_stay_below_bound: most - ratio => most + ratio (2)",
                "errors_stay_below_bound: most + ratio => most - ratio",
                "errors_stay_below_bound: most + ratio => most - ratio (2)",
            ),
            "It follows: three of the four signs are asked for.",
        ),
        **dict.fromkeys(
            (
                "errors_stay_below_bound: most - ratio - gap => most - ratio",
                "errors_stay_below_bound: most - ratio + gap => most - ratio",
                "errors_stay_below_bound: most + ratio - gap => most + ratio",
                "errors_stay_below_bound: most + ratio + gap => most + ratio",
                "errors_stay_below_bound: most - ratio => most",
                "errors_stay_below_bound: most - ratio => most (2)",
                "errors_stay_below_bound: most + ratio => most",
                "errors_stay_below_bound: most + ratio => most (2)",
            ),
            "It follows: the new entry is the mean of two of the four.",
        ),
    },
)


@claim.rate("> 0", horizon=lambda start: fmpq(12))
def errors_stay_below_bound(now: SlowFlow, start: SlowFlow, *, order=2):
    """x(0) e^{6 x(0)} T^{-2/p} minus |log(q_j T^2 p K / 2)| + |W_j / K - 1|, W_j = (u_0 - u_j) / T, at every time."""
    ratio, gap = log(now.weights * now.K * now.p / 2), now.gaps / now.K - 1
    most = later_distance(start, now, order)
    return np.stack([most - ratio - gap, most - ratio + gap, most + ratio - gap, most + ratio + gap])
