"""Lifetimes of tubes: chains that need many picks to leave, one token in each tube, and counts of picks."""

from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.near_vertices import chain_that_escapes_by_few_picks
from claims.frank_wolfe.setting.polytopes import chain_near_vertices
from claims.stating.statement import Assumption
from dynamics.arithmetic import distinct, exact, numbers
from dynamics.escapes.departures import start_of
from dynamics.escapes.exponents import Between, TooFarError, cheapest_way, costs_at, is_out, longest_wait, moves_from
from dynamics.geometry import diameter_squared, squared_distances
from dynamics.tokens.attention_chain import AttentionChain


# By a whole root: the ceiling of a quotient of roots is not decided in balls where it is whole.
def picks_to_leave(f: AttentionChain) -> int:
    """M = ceil(eps/(gamma D(K))), exactly: the least whole M with (gamma M)^2 D(K)^2 >= eps^2."""
    step, square = f.gamma.item() ** 2 * diameter_squared(f.v), f.eps.item() ** 2
    ratio = square / step
    whole = int((ratio.p // ratio.q).isqrt())
    return whole if whole * whole * step >= square else whole + 1


def chain_that_escapes_by_many_picks(draws: Any) -> AttentionChain:
    """Tokens at the ends of a segment, tubes that up to 50 picks lead out of, much or little time; or any near vertices."""
    kind = draws.choice(("many", "any", "late"))
    if kind == "any":
        return chain_that_escapes_by_few_picks(draws)
    jumps = draws.choice((3, 2, 12, 50)) if kind == "many" else 1 + draws.integer(0, 1)
    half = (fmpq(1), fmpq(2), fmpq(1, 2))[draws.integer(0, 2)]
    # So small that ceil(eps/(gamma D)) picks are needed and suffice, though each moves a little less than the one before.
    gamma = fmpq(1, 2 ** draws.integer(13, 18))
    # A token that picks the other one so many times moves 2 half (1 - (1 - gamma)^jumps), just beyond its tube.
    eps = 2 * half * (1 - (1 - gamma) ** jumps) * (1 - gamma / 8)
    steps = jumps * draws.choice((1, 16)) + 1 if jumps <= 3 else jumps + draws.choice((1, 2))
    # Scores grow with half^2: measured so, the temperature does not depend on the size of K.
    beta = fmpq(2 ** draws.integer(2, 22)) / half**2
    if kind == "late":  # so cold that both bounds are below 1
        steps, beta = 2**60, (44 + draws.integer(0, 2)) / half**2
    return AttentionChain.instance(
        v=[[half], [-half]], x=[[half], [-half]], group=[0, 1], beta=beta, gamma=gamma, eps=eps, steps=steps
    )


# ---------------------------------------------------------------------------------------------------------------------
# One token in each tube

one_token_per_tube = Assumption(
    "one_token_per_tube",
    "n > 1, and no two tokens have the same group",
    satisfies=lambda f: len(set(f.group.tolist())) == len(f.group) > 1,
)

# Else all tokens may come together inside of all tubes, and no run of picks surely leads out.
tubes_apart = Assumption(
    "tubes_apart",
    "some two tokens start more than 2 eps apart",
    satisfies=lambda f: diameter_squared(f.x) > 4 * f.eps.item() ** 2,
)


def _below_root(square: fmpq) -> fmpq:
    """A rational a little below the square root of a positive one."""
    scaled = square * 2**40
    return fmpq(int((scaled.p // scaled.q).isqrt()), 2**20)


# 15/16 of a pick: the tube is left for certain, and by little.
def _one_pick_out(f: AttentionChain) -> AttentionChain:
    """The same with tubes that one pick of the nearest token leads out of."""
    nearest = min(square for square in squared_distances(f.x, f.x).flat if square > 0)
    return f.replace(eps=f.eps * 0 + f.gamma.item() * _below_root(nearest) * fmpq(15, 16))


def _on_a_segment(f: AttentionChain) -> AttentionChain:
    """Two tokens, at the ends of a segment around 0, and tubes that two picks lead out of."""
    ends = exact([[1], [-1]]) * abs(f.x).max()
    tube = min(fmpq(7, 16), (1 - (1 - f.gamma.item()) ** 2) * fmpq(15, 16)) * 2 * abs(f.x).max()
    return f.replace(v=ends, x=ends, group=np.array([0, 1]), eps=f.eps * 0 + tube)


every_pick_leads_out = Assumption(
    "every_pick_leads_out",
    "gamma |x_i - x_j| > eps for all tokens i != j",
    satisfies=lambda f: all(
        f.gamma.item() ** 2 * square > f.eps.item() ** 2
        for i, row in enumerate(squared_distances(f.x, f.x))
        for j, square in enumerate(row)
        if i != j
    ),
    restrict=_one_pick_out,
    violate=lambda f, draws: f.replace(gamma=f.gamma / 64),
)


def run_out(f: AttentionChain) -> int:
    """The least m such that m successive picks of one token by another lead out of a tube, from everywhere inside.

    A token that starts at a distance D from another moves, along the line from start to start, from at least -eps to D -
    eps - (1 - gamma)^m D, which has to exceed eps. Both tokens were within eps of their starts before. Raises TooFarError
    where no two tokens start more than 2 eps apart: then there is no such m.
    """
    square, kept, steps = diameter_squared(f.x), fmpq(1), 0
    if square <= 4 * f.eps.item() ** 2:
        raise TooFarError("no two tokens start more than 2 eps apart: no run of picks surely leads out")
    # (1 - (1 - gamma)^m) D > 2 eps, squared.
    while (1 - kept) ** 2 * square <= 4 * f.eps.item() ** 2:
        kept, steps = kept * (1 - f.gamma.item()), steps + 1
    return steps


def _given_time(f: AttentionChain) -> AttentionChain:
    """The same with t = m + 1 where t is at most m."""
    if not tubes_apart.satisfies(f) or int(f.steps.item()) > run_out(f):
        return f
    return f.replace(steps=f.steps * 0 + run_out(f) + 1)


time_for_a_run = Assumption(
    "time_for_a_run",
    "t > m, m picks lead out from everywhere inside",
    satisfies=lambda f: bool(tubes_apart.satisfies(f)) and int(f.steps.item()) > run_out(f),
    restrict=_given_time,
)


# Tokens stay in their first hull, where <x, y - z> is largest at tokens: it is linear in each of the three.
def dearest_pick(f: AttentionChain) -> fmpq:
    """max <x, y - z> over tokens x, y, z at the start: what a pick costs at most, at all states within their hull."""
    return max(max(row) - min(row) for row in (f.x @ f.x.T).tolist())


def single_tokens(draws: Any) -> AttentionChain:
    """One token at or near each vertex of a segment, a triangle or a corner; up to three picks lead out."""
    shape = draws.choice(("segment", "corner", "triangle"))
    if shape == "segment":
        x = exact([[1], [-1]]) * (1 + abs(draws.dyadic(1, size=1, bits=3))[0])
    elif shape == "corner":
        x = exact([[1, 0], [0, 1]]) * (1 + abs(draws.dyadic(1, size=1, bits=2))[0])
    else:
        x = exact([[1, 0], ["-1/2", "7/8"], ["-1/2", "-7/8"]])
    x = x - x.sum(axis=0) * fmpq(draws.integer(0, 2), 32)
    gamma = (fmpq(1, 8), fmpq(1, 3), fmpq(1, 32))[draws.integer(0, 2)]
    jumps = draws.choice((1, 2, 3) if len(x) == 2 else (1, 2))
    apart = [square for square in squared_distances(x, x).flat if square > 0]
    # A little less than the way of that many picks of the nearest token.
    # With more than two tokens tubes are far enough apart that the number of moves is bounded.
    widest = fmpq(7, 16) if len(x) == 2 else fmpq(3, 8)
    eps = _below_root(min(apart)) * min(widest, (1 - (1 - gamma) ** jumps) * fmpq(15, 16))
    beta = (fmpq(1, 4), fmpq(1), fmpq(2), fmpq(8))[draws.integer(0, 3)]
    group = list(range(len(x)))
    steps = draws.choice((2, 3, 5, 9, 40) if len(x) == 2 else (2, 3, 4))
    return AttentionChain.instance(v=x, x=x, group=group, beta=beta, gamma=gamma, eps=eps, steps=steps)


def single_tokens_or_forty_steps(draws: Any) -> AttentionChain:
    """The same, or two tokens that every pick of the other leads out, so cold that in forty steps there may be none."""
    if draws.choice(("any", "forty steps")) == "any":
        return single_tokens(draws)
    half, gamma = (
        (fmpq(1), fmpq(2), fmpq(1, 2))[draws.integer(0, 2)],
        (fmpq(1, 8), fmpq(1, 3), fmpq(1, 32))[draws.integer(0, 2)],
    )
    x = exact([[1], [-1]]) * half
    beta, eps = fmpq(107, 64) / half**2, half * gamma * fmpq(7, 8)
    return AttentionChain.instance(v=x, x=x, group=[0, 1], beta=beta, gamma=gamma, eps=eps, steps=40)


def single_tokens_or_near_ones(draws: Any) -> AttentionChain:
    """The same, or starts within the hypotheses of Theorem 5.4."""
    return draws.choice((single_tokens, chain_near_vertices))(draws)


def _have_equal_norms(f: AttentionChain) -> bool:
    return len(distinct((f.x * f.x).sum(axis=-1))) == 1


equal_norms_of_tokens = Assumption(
    "equal_norms_of_tokens",
    "|x_1| = ... = |x_n|",
    satisfies=_have_equal_norms,
    restrict=lambda f: f if _have_equal_norms(f) else _on_a_segment(f),
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x[:1] * fmpq(15, 16), f.x[1:]])),
)

# States within the tubes multiply with each pick; beyond some hundred a search takes longer than an example may.
FEW = 600
"""States that a search may visit."""


def _scores_itself_highest(f: AttentionChain) -> bool:
    return all(row[i] == 0 for i, row in enumerate(costs_at(start_of(f))))


def _has_few_states(f: Any) -> bool | None:
    if not _scores_itself_highest(f):
        return False
    if not tubes_apart.satisfies(f):
        return None
    try:
        way, wait = cheapest_way(f, FEW).cost, longest_wait(f, FEW)
    except TooFarError:
        return None
    return way.low == way.high and wait.low == wait.high


# The search ends with equal bounds from below and above: only then the exponent is a rational number that one can compare.
few_states = Assumption(
    "few_states",
    "the searches for the cheapest way out and the longest wait end, and each token scores itself highest",
    satisfies=_has_few_states,
)


def cheapest_first_pick(f: AttentionChain) -> fmpq:
    """The least <x_i, x_i - x_j> of tokens i != j at the start, where each token scores itself highest."""
    costs = costs_at(start_of(f))
    return min(cost for i, row in enumerate(costs) for j, cost in enumerate(row) if j != i)


def _costs_the_most(f: AttentionChain) -> bool:
    return len(f.x) > 1 and dearest_pick(f) == cheapest_first_pick(f)


first_picks_cost_the_most = Assumption(
    "first_picks_cost_the_most",
    "max <x, y - z> over tokens at the start is the cost of their cheapest pick",
    satisfies=_costs_the_most,
    restrict=lambda f: f if _costs_the_most(f) else _on_a_segment(f),
)


# ---------------------------------------------------------------------------------------------------------------------
# Waits after the first pick


# Half steps of two tokens that pick each other end in one point, inside both tubes; from there every pick leads to the far
# one.
def _pair_that_meets(draws: Any) -> AttentionChain:
    """Two tokens whose tubes overlap and one far away, of equal norms or nearly; after half steps the two may meet."""
    h, far = (fmpq(1, 4), fmpq(1, 8), fmpq(3, 8))[draws.integer(0, 2)], 1 + fmpq(draws.integer(0, 2), 16)
    x = exact([[1, h], [1, -h], [-far, 0]]) * draws.choice((fmpq(1), fmpq(2)))
    gamma = fmpq(1, 2) if draws.integer(0, 3) else fmpq(3, 8)
    eps = abs(x[0, 1]) * fmpq(draws.integer(17, 31), 16)
    return AttentionChain.instance(v=x, x=x, group=[0, 1, 2], beta=fmpq(1 + draws.integer(0, 3)), gamma=gamma, eps=eps)


def single_tokens_or_a_pair_that_meets(draws: Any) -> AttentionChain:
    """One token at each vertex in tubes that do not meet, or two near each other and a third one."""
    return draws.choice((_pair_that_meets, single_tokens))(draws)


tubes_disjoint = Assumption(
    "tubes_disjoint",
    "every two tokens start more than 2 eps apart",
    satisfies=lambda f: all(
        square > 4 * f.eps.item() ** 2
        for i, row in enumerate(squared_distances(f.x, f.x).tolist())
        for j, square in enumerate(row)
        if i != j
    ),
    violate=lambda f, draws: _pair_that_meets(draws).replace(gamma=numbers(fmpq(1, 2))),
)

FOLLOWED = 24
"""Moves that are looked at, and those of at most one more state."""


def moves_and_what_follows(f: AttentionChain) -> list[tuple[fmpq, fmpq]]:
    """The cost of each move from the start or a state it leads to inside the tubes, and of the cheapest next move.

    Raises TooFarError for too many tokens.
    """
    gamma, states = f.gamma.item(), [start_of(f)]
    found: list[tuple[fmpq, fmpq]] = []
    for x in states:
        if len(found) > FOLLOWED:
            break
        for _, cost, after in moves_from(x, gamma):
            if not is_out(after, f):
                found.append((cost, min((next_cost for _, next_cost, _ in moves_from(after, gamma)), default=fmpq(0))))
                states.append(after)
    return found


def wait_within_reach(f: AttentionChain) -> Between:
    """lim (1/beta) log E T_2, or what a search among few states tells of it."""
    return longest_wait(f, 40)


def _is_told(f: Any) -> bool | None:
    if not _scores_itself_highest(f):
        return False
    if not tubes_apart.satisfies(f):
        return None
    wait = wait_within_reach(f)
    return bool(wait.low == wait.high or wait.low > cheapest_first_pick(f))


longest_wait_is_told = Assumption(
    "longest_wait_is_told",
    "each token scores itself highest; the search for the longest wait ends, or finds one that is longer than the first",
    satisfies=_is_told,
)
