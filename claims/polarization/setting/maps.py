"""Hypotheses on other maps of scores in place of the softmax."""

from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.numbers import power_of_two
from claims.polarization.setting.scores import descending, ramp
from claims.stating.assumptions import with_entries
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, fraction
from dynamics.training.score_maps import MAPS, POSITIVE_MAPS


# 1/16, the grid of drawn numbers: 1/a_i is 16 at most.
def _lifted(values: Array) -> Array:
    """Positive numbers from any: |x| + 1/16."""
    return np.asarray(abs(values) + power_of_two(values, -4))


def _shifted_below_zero(f: Any, name: str) -> Any:
    values = getattr(f, name)
    return f.replace(**{name: values - max(values) - 1})


# A power map is increasing, and its weights are positive, on positive scores alone.
positive_scores = Assumption(
    "positive_scores",
    "a_i(0) > 0",
    satisfies=lambda f: bool((f.a > 0).all()),
    restrict=lambda f: f.replace(a=_lifted(f.a)),
    violate=lambda f, draws: _shifted_below_zero(f, "a"),
)

positive_values = Assumption(
    "positive_values",
    "u_i(0) > 0",
    satisfies=lambda f: bool((f.u > 0).all()),
    restrict=lambda f: f.replace(u=_lifted(f.u)),
    violate=lambda f, draws: _shifted_below_zero(f, "u"),
)

# For a general map in place of a(0) = 0, at which f may vanish: equal scores are all that the start of Theorem 3.2 uses.
equal_scores = Assumption(
    "equal_scores",
    "a_0(0) = ... = a_{p-1}(0)",
    satisfies=lambda f: bool((f.a == f.a[0]).all()),
    restrict=lambda f: f.replace(a=0 * f.a + f.a[..., :1]),
    # The ramp counts in 2^-12: neighbours come to differ by 2, the last one ahead.
    violate=lambda f, draws: f.replace(a=f.a + ramp(f.a)[..., ::-1] * 2**13),
)

# Under a power map a common factor c of the scores amounts to c^2 K in place of K: 1 is as good as any.
unit_scores = Assumption(
    "unit_scores",
    "a(0) = (1, ..., 1)",
    satisfies=lambda f: bool((f.a == 1).all()),
    restrict=lambda f: f.replace(a=0 * f.a + 1),
    violate=lambda f, draws: f.replace(a=0 * f.a + draws.choice((fmpq(2), fmpq(1, 2)))),
)


def _has_clear_leader(f: Any) -> bool:
    u = descending(f.u)
    return len(u) < 2 or (u[0] - u[1]) ** 2 >= 4 * f.K.item()


clear_leader = Assumption(
    "clear_leader",
    "the largest u_j(0) exceeds the next by at least 2 |beta_*| (a smaller lead only takes longer)",
    satisfies=_has_clear_leader,
    # 1 + K >= 2 sqrt K, where |beta_*| is the root of K.
    restrict=lambda f: with_entries(f, "u", (..., 0), f.u[..., 0] + 1 + f.K),
)


def _with_given_values(f: Any) -> Any:
    given = [fmpq(1), fmpq(2, 5), fmpq(-3, 10), fmpq(-1, 2)]
    zero = 0 * f.a[..., :1]
    u = np.concatenate([zero + (q if f.a.dtype == object else float(fraction(q))) for q in given], axis=-1)
    return f.replace(u=u, a=np.concatenate([zero] * 4, axis=-1), K=0 * f.K + 1)


# One start, since its limit is stated in numbers: here two scores go to each end of f.
four_given_values = Assumption(
    "four_given_values",
    "u(0) = (1, 2/5, -3/10, -1/2) and |beta_*| = 1",
    satisfies=lambda f: f.u.tolist() == [fmpq(1), fmpq(2, 5), fmpq(-3, 10), fmpq(-1, 2)] and f.K.item() == 1,
    restrict=_with_given_values,
)


def _is_increasing_and_positive(f: Any) -> bool:
    return int(f.map) < POSITIVE_MAPS or bool((f.a > 0).all())


# At the state alone: a power map has both on positive scores. `positive_map_on_the_line` asks it of the map.
positive_map = Assumption(
    "positive_map",
    "f > 0 and f' > 0 at the scores",
    satisfies=_is_increasing_and_positive,
    restrict=lambda f: f if int(f.map.flat[0]) < POSITIVE_MAPS else f.replace(a=_lifted(f.a)),
)

power_map = Assumption(
    "power_map",
    "f(x) = x^k on positive scores",
    satisfies=lambda f: int(f.map) >= POSITIVE_MAPS and bool((f.a > 0).all()),
    restrict=lambda f: f.replace(a=_lifted(f.a), map=POSITIVE_MAPS + f.map % (len(MAPS) - POSITIVE_MAPS)),
)

# Along a trajectory a hypothesis about the first scores is not enough: they may turn negative.
positive_map_on_the_line = Assumption(
    "positive_map_on_the_line",
    "f > 0 and f' > 0 on the whole line",
    satisfies=lambda f: int(f.map) < POSITIVE_MAPS,
    restrict=lambda f: f.replace(map=f.map % POSITIVE_MAPS),
)

# The loss has the logarithm of V s, whatever the scores: with V > 0 it is always defined.
positive_model = Assumption(
    "positive_model",
    "V and beta_* are positive in every entry",
    satisfies=lambda f: bool((f.V > 0).all() and (f.beta_star > 0).all()),
    restrict=lambda f: f.replace(V=_lifted(f.V), beta_star=_lifted(f.beta_star)),
)
