"""Rows of tokens that run off to either side converge doubly exponentially, with an explicit rate.

The correct form of the last sentence of Theorem 1 (clusters E-T1a): Lemma A' of docs/flow_limits.md. With Q^T K = V = 1,
omega_n = W((n - 1)/e) and e_i the last token on the side of x_i: if x_i e_i > omega_n then for all t >= 0

    1 - P_i,e_i(t) <= (n - 1) exp(-g r_i(t)),    r_i(t)^2 = x_i^2 + (x_i e_i - omega_n)(e^{2t} - 1),

g the gap between e_i and its neighbour at time 0.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import distinct_tokens, omega, on_the_line
from claims.clusters.setting.starts_for_limits import rescaled_line_start
from claims.statement import Assumption, Claim, Draws, Origin
from dynamics.arithmetic import exp, indicator, numbers, sign, sqrt
from dynamics.limits import ThresholdEnd, settling_times, threshold_trap
from dynamics.tokens.self_attention import RescaledFlow


def _moved_outwards(f: RescaledFlow):
    """Every token moved away from 0 by 3/2: x_i^2 >= 9/4 > omega_n for n <= 40 and t >= 0."""
    right = indicator(f.z >= 0, f.z)
    return f.replace(z=f.z + (3 * right - 3 * (1 - right)) / 2)


def _is_beyond(f: RescaledFlow):
    """Whether all x_i^2 > omega_n, None where that is open."""
    found = [sign(value) for value in (exp(2 * f.t) * f.z[:, 0] ** 2 - omega(len(f.z), f.z)).flat]
    return False if -1 in found or 0 in found else None if None in found else True


beyond_threshold = Assumption(
    "beyond_threshold",
    "x_i(0)^2 > omega_n for every i",
    satisfies=_is_beyond,
    restrict=_moved_outwards,
    violate=lambda f, draws: f.replace(z=f.z / (8 * (1 + abs(f.z).max())), t=0 * f.t),
)


def _line_start_at_some_time(draws: Draws) -> RescaledFlow:
    """Two to six tokens on a line at time 0 or 1/8."""
    f = rescaled_line_start(draws)
    return f.replace(t=f.t + (0 * f.t + draws.integer(0, 1)) / 8)


claim = Claim(
    __name__,
    where="Theorem 1, last sentence, for tokens that run off, with a rate",
    refs=("T1", "E-T1a"),
    statement="If x_i(0)^2 > omega_n for every i then 1 - P_i,e_i(t) <= (n - 1) exp(-g r_i(t)) for all t >= 0.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, distinct_tokens, beyond_threshold),
    draw=_line_start_at_some_time,
    equivalent={
        "every_row_ends_boolean: end.attention ** 2 => end.attention ** 3": (
            "Of weights that sum to 1 the cubes do so, too, exactly if one of them is 1."
        ),
    },
)


@claim.limit("== 0", times=settling_times(threshold_trap), trap=threshold_trap)
def every_row_ends_boolean(end: ThresholdEnd, start: RescaledFlow, *, whole=1):
    """sum_j P*_ij^2 - 1, which is 0 for a row of zeros and a one."""
    return (end.attention**2).sum(axis=-1) - whole


@claim.rate(">= 0", horizon=lambda start: fmpq(3, 4))
def rows_converge_at_the_rate(now: RescaledFlow, start: RescaledFlow, *, growth=1):
    """(n - 1) exp(-g r_i) - (1 - P_i,e_i) at every time, for each token, shape (..., n)."""
    z, n = start.z[..., 0], start.z.shape[-2]
    if n == 1:
        return 0 * z
    x = exp(start.t)[..., None] * z
    order = np.sort(z, axis=-1)
    right = z > 0
    last = np.where(right, order[..., -1:], order[..., :1])
    gap = exp(start.t)[..., None] * np.where(right, order[..., -1:] - order[..., -2:-1], order[..., 1:2] - order[..., :1])
    beyond = x * exp(start.t)[..., None] * last - omega(n, z)
    grown = exp(2 * growth * (now.t - start.t))[..., None]
    r = sqrt(numbers(x * x + beyond * (grown - 1)))
    others = indicator(z[..., None, :] != last[..., :, None], z)
    return (n - 1) * exp(-gap * r) - (now.attention() * others).sum(axis=-1)
