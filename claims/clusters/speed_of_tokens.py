"""Tokens move at a bounded multiple of their size, so the flow is well posed for all times.

`solutions_are_lipschitz`: Proposition `p:wellposedparticles` says "unique Lipschitz continuous" solution; only locally
Lipschitz can be meant, and is true. Tested with L = 4 max_j |V x_j(0)|.

`speed_is_bounded_by_the_largest_token`: What makes the flow well posed, for any Q, K, V: x_i' is an average of the V x_j.
The exponential bound is decided through its rate.

`rescaled_speed_is_bounded_by_differences`: The same for the rescaled flow (`p:wellposednessrescaledparticles`). Only the
rows of P being stochastic is used; decided at time 0, where z = x and z_i' = x_i' - V x_i.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.notation import frobenius, sizes, squared_norms
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import numbers, sqrt, transposed
from dynamics.tokens.self_attention import SelfAttentionFlow

section = Section(__name__, origin=Origin.REPORTED, system=SelfAttentionFlow)

# The printed sentence names no L. A violation has to exceed a number, so one is computed from the start.
solutions_are_lipschitz = section.claim(
    where="Proposition p:wellposedparticles, 'Lipschitz continuous'",
    refs=("W1", "W2"),
    note=(
        "One token at 1 with V = 1 moves as e^t: at t = 3/2 its speed exceeds L = 4, and later every other L. The solution "
        "is Lipschitz on bounded time intervals only: |x_i'| <= max_j |V x_j|."
    ),
    statement="The solution t -> x(t) is Lipschitz: |x_i'(t)| <= L for all t, with L = 4 max_j |V x_j(0)| for one.",
    corrected_by="clusters.speed_is_bounded_by_the_largest_token",
    defect=Defect(
        Kind.MISPRINT,
        quotation=r"The solution $t \mapsto x(t)$ is Lipschitz continuous.",
        context=r"Proposition p:wellposedparticles: $\dot x_i = \sum_j P_{ij} V x_j$ from any $x(0)$, for all $t \ge 0$.",
        wrong=r"“Locally” is missing: solutions may grow exponentially, and are Lipschitz on bounded intervals only.",
        correction=r"It is locally Lipschitz: $|\dot x_i(t)| \le \max_j |V x_j(t)|$.",
        consequences=(Consequence("existence and uniqueness", why="They need no global constant."),),
    ),
)


# One token under V = 1 moves as e^t, which exceeds 4 from log 4 = 1.386 on: 3/2 is a little later.
@solutions_are_lipschitz.trajectory(">= 0", horizon=lambda start: fmpq(3, 2))
def limit_less_speed(now: SelfAttentionFlow, start: SelfAttentionFlow, *, bound=4):
    """L^2 - |x_i'(t)|^2, where something moves at the start."""
    values = squared_norms(start.x @ transposed(start.V))
    if not (values != 0).any():
        return values[:0]
    return bound**2 * sizes(values) - squared_norms(now.drift())


@solutions_are_lipschitz.by_hand(by_argument=True, x=[[1]], B=[[1]], V=[[1]])
def one_token(f: SelfAttentionFlow):
    """x = e^t."""
    yield (
        rf"Take $d = n = 1$, $V = 1$, any $Q$ and $K$, $x(0) = {tex(f.x[0, 0])}$. Then $P_{{11}} = 1$ and $\dot x = x$, so "
        rf"$x(t) = e^t$."
    )
    yield r"$\dot x(t) = e^t$ exceeds every constant $L > 0$ for $t > \log L$."


speed_is_bounded_by_the_largest_token = section.claim(
    where="Proposition p:wellposedparticles",
    refs=("W1",),
    statement="|x_i'| <= max_j |V x_j| for any Q, K, V, so that |x_i(t)| <= e^{|V| |t|} max_j |x_j(0)|.",
)


@speed_is_bounded_by_the_largest_token.state(">= 0")
def longest_value_less_speed(f: SelfAttentionFlow, *, share=1):
    """max_j |V x_j|^2 - |x_i'|^2."""
    return share * sizes(squared_norms(f.x @ transposed(f.V)))[..., None] - squared_norms(f.drift())


# By Gronwall this is |x_i(t)| <= e^{|V| t} max_j |x_j(0)|: no trajectory is needed. An operator norm has no closed form;
# the root of the sum of squares is at least as large, and equal to it where V has rank one.
@speed_is_bounded_by_the_largest_token.state(">= 0")
def rate_below_exponential(f: SelfAttentionFlow, *, pace=1):
    """|V| |x_i| max_j |x_j| - <x_i, x_i'>, with the root of the sum of squares for |V|."""
    squares = squared_norms(f.x)
    products = sqrt(numbers(squares * sizes(squares)[..., None]))  # exact at the largest
    return pace * frobenius(f.V)[..., None] * products - (f.x * f.drift()).sum(axis=-1)


# In x at time 0, and not in z at a later time: only that the rows of P sum to 1 is used, and no e^{tV} need be enclosed.
rescaled_speed_is_bounded_by_differences = section.claim(
    where="Proposition p:wellposednessrescaledparticles",
    refs=("W2",),
    statement="|z_i'| <= max_j |V (z_j - z_i)| for any Q, K, V.",
)


# Squares, which are rational where the scores are equal; roots of them would be balls.
@rescaled_speed_is_bounded_by_differences.state(">= 0")
def longest_difference_less_speed(f: SelfAttentionFlow, *, share=1):
    """max_j |V (x_j - x_i)|^2 - |sum_j P_ij V (x_j - x_i)|^2."""
    values = f.x @ transposed(f.V)
    apart = numbers(values[..., None, :, :] - values[..., :, None, :])
    speed = np.asarray((f.attention()[..., None] * apart).sum(axis=-2))
    return share * sizes(squared_norms(apart)) - squared_norms(speed)
