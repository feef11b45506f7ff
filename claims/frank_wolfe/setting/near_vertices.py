"""Tokens near the vertices: the hypotheses of Theorem 5.4, and chains that satisfy them."""

from typing import Any

from flint import fmpq

from claims.frank_wolfe.setting.first_phase import squared_distances_from_vertices
from claims.frank_wolfe.setting.polytopes import chain_near_vertices
from claims.stating.assumptions import certainly_positive
from claims.stating.statement import Assumption
from dynamics.geometry import diameter_squared
from dynamics.tokens.attention_chain import AttentionChain


def least_gap(f: AttentionChain) -> Any:
    """c_0 - 4 R r - r^2, r = rho + eps: what a pick outside the group costs at least as long as no token has escaped."""
    r = f.rho.item() + f.eps.item()
    return f.c_0 - 4 * f.R.item() * r - r * r


def _is_within_tau(f: Any) -> bool:
    return f.c_0 > 0 and all(square <= _own_tau_squared(f) for square in squared_distances_from_vertices(f))


def _own_tau_squared(f: AttentionChain) -> fmpq:
    """min(c_0/(2 D), sqrt(2 c_0)/2)^2: tau^2 where the first phase had a token far enough from its vertex."""
    return min(f.c_0 * f.c_0 / (4 * diameter_squared(f.v)), f.c_0 / 2)


# C is some universal constant: starts within tau are within C tau for every C >= 1.
tokens_within_tau = Assumption(
    "tokens_within_tau",
    "x_i in B(v_i, C tau) with C = 1, tau = min(c_0/(2 D(K)), sqrt(2 c_0)/2)",
    satisfies=_is_within_tau,
)

thin_tube = Assumption(
    "thin_tube",
    "eps < eps_*, with 4 R eps_* + 2 eps_*^2 <= c_0/2",
    # Below some such eps_*: 4 R eps + 2 eps^2 < c_0/2.
    satisfies=lambda f: certainly_positive(f.c_0 / 2 - 4 * f.R.item() * f.eps.item() - 2 * f.eps.item() ** 2),
)

# eps/gamma is a length, so that the printed bound depends on the unit. These are the two that the paper may mean.
unit_radius = Assumption(
    "unit_radius", "|v_i| = 1 for all i", satisfies=lambda f: all(square == 1 for square in (f.v * f.v).sum(axis=-1))
)

unit_diameter = Assumption("unit_diameter", "D(K) = 1", satisfies=lambda f: diameter_squared(f.v) == 1)


# The picks cost less than the bound counts on by a multiple of gamma only, so that beta has to be of the order of 1/gamma
# to show it.
def _chain_on_a_segment(draws: Any, half: fmpq, place: fmpq, jumps: int) -> AttentionChain:
    """Tokens at place and -place of K = [-half, half], and tubes that `jumps` picks of the other token just lead out of."""
    gamma = fmpq(1, 2 ** draws.choice((6, draws.integer(8, 16))))
    eps = 2 * place * (1 - (1 - gamma) ** jumps) * (1 - gamma / 8)
    beta = 2 ** draws.integer(1, 6) / (gamma * half * half)
    return AttentionChain.instance(
        v=[[half], [-half]], x=[[place], [-place]], group=[0, 1], beta=beta, gamma=gamma, eps=eps, steps=jumps + 1
    )


def chain_of_unit_radius(draws: Any) -> AttentionChain:
    """Tokens at the ends of K = [-1, 1] or a little within, and narrow tubes that three or four picks lead out of."""
    place = draws.choice((fmpq(1), fmpq(1), fmpq(63, 64)))
    return _chain_on_a_segment(draws, fmpq(1), place, draws.choice((3, 4)))


def chain_that_escapes_by_few_picks(draws: Any) -> AttentionChain:
    """Tubes that are left by as many picks as the bounds count, at any temperature, or any tokens near vertices."""
    return draws.choice((chain_of_unit_radius, chain_near_vertices))(draws)


def chain_that_escapes_by_one_pick(draws: Any) -> AttentionChain:
    """Tokens at the ends of K = [-1, 1] or as far from them as narrow tubes allow, which one pick leads out of."""
    place, eps = draws.choice((fmpq(4, 5), fmpq(1), fmpq(63, 64))), fmpq(1, 2 ** draws.integer(6, 16))
    is_warm_and_long = place < fmpq(63, 64) and draws.integer(0, 1) == 1
    return AttentionChain.instance(
        v=[[1], [-1]],
        x=[[place], [-place]],
        group=[0, 1],
        beta=3 if is_warm_and_long else draws.choice((3, 2 ** draws.integer(2, 20))),
        gamma=(fmpq(1, 2), fmpq(1, 8))[draws.integer(0, 1)],
        eps=eps,
        steps=9 if is_warm_and_long else (2, 3, 5)[draws.integer(0, 2)],
    )


# 1/4 from its end, which is tau, a pick costs 1/8, and 1/2 at the end itself.
def chain_of_unit_diameter(draws: Any) -> AttentionChain:
    """Tokens at distance tau of the ends of K = [-1/2, 1/2], or nearer, and thin tubes that a few picks lead out of."""
    place = draws.choice((fmpq(1, 4), fmpq(1, 4), fmpq(5, 16), fmpq(1, 2)))
    return _chain_on_a_segment(draws, fmpq(1, 2), place, draws.choice((5, 6)) if place < fmpq(1, 2) else 3)
