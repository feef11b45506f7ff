"""Lemma B2 of docs/flow_limits.md: every token prefers its own leader by a score margin, and will for ever. Any Q^T K."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import Array, numbers
from dynamics.limits.ends import LedEnd
from dynamics.limits.margins import (
    NotTrappedError,
    around,
    dot,
    entries,
    greatest,
    inside,
    integral_bound,
    least,
    total,
    unit_rows,
)
from dynamics.limits.tokens import TokenFlow, Tokens, distinct_tokens


def leader_trap(state: TokenFlow, start: TokenFlow | None = None) -> LedEnd:
    """Lemma B2: V = lambda I, lambda > 0, B any matrix. All limits are leaders, and these the vertices of the limit hull.

    Raises NotTrappedError where a margin is too small, UndecidedError where it is open, NoLemmaError for another V.
    """
    tokens = distinct_tokens(state, start)
    leader = _leaders(tokens)
    m, w = len(tokens.z), [arb(weight) for weight in tokens.weights]
    followers = [i for i in range(m) if leader[i] != i]
    # Margins in a class grow like e^{tau/2}, as follower and leader come together; between classes like e^{3 tau/2}.
    classes = [[k for k in range(m) if leader[k] == l] for l in range(m) if leader[l] == l]
    queries = tokens.queries

    def margin(k: int, i: int) -> arb:
        """beta <z_k, B (z_l - z_i)>, l the leader of k."""
        return dot(queries[k], tokens.z[leader[k]] - tokens.z[i])

    inner = {i: [margin(k, i) for k in range(m) if leader[k] == leader[i]] for i in followers}
    outer = {k: {i: margin(k, i) for i in range(m) if leader[i] != leader[k]} for k in range(m)}
    between = [b for row in outer.values() for b in row.values()]
    inside({"y_ki > 0": entries(chain.from_iterable(inner.values())), "b_ki > 0": entries(between)})
    small = {i: least(values) for i, values in inner.items()}  # m_i
    Y = least(small.values()) if small else None
    M = least(between) if between else None
    share = {i: w[i] / w[leader[i]] for i in followers}
    weight = {i: share[i] * (-small[i]).exp() for i in followers}
    H = greatest(total(weight[i] * greatest(inner[i]) for i in members if i in weight) for members in classes)
    in_weight = greatest(total(weight[i] for i in members if i in weight) for members in classes)
    h = greatest(total(w[i] / w[leader[k]] * (-b).exp() for i, b in outer[k].items()) for k in range(m))
    eta, spread = in_weight + h, tokens.spread()
    sigma_y, sigma_b = H + 2 * spread * h, H + 4 * spread * h
    if Y is not None:
        inside(
            {
                "(1/2 - eta) Y > sigma_y": (fmpq(1, 2) - eta) * Y - sigma_y,
                "(1 - eta) Y > 1 + eta + sigma_y (1 + 1/Y)": (1 - eta) * Y - 1 - eta - sigma_y * (1 + 1 / Y),
            }
        )
    if M is not None:
        inside({"M > 4/3": M - fmpq(4, 3), "sigma_b < M/2": M / 2 - sigma_b})
    N_Y = greatest(total(share[i] for i in members if i in share) for members in classes)
    N_M = greatest(total(w[i] / w[leader[k]] for i in outer[k]) for k in range(m))
    return _end(tokens, leader, Y, M, N_Y, N_M)


def _leaders(tokens: Tokens) -> list[int]:
    """For each place the one it scores highest, by the midpoints of balls: a proposal. Raises NotTrappedError."""
    scores = tokens.queries @ tokens.z.T
    best = [max(range(len(row)), key=lambda j: row[j].mid()) for row in scores]
    if any(best[leader] != leader for leader in best):
        raise NotTrappedError("a token is led by one that another leads")
    return best


def _end(tokens: Tokens, leader: list[int], Y: arb | None, M: arb | None, N_Y: arb, N_M: arb) -> LedEnd:
    D = tokens.diameter()
    # What a row puts off its leader moves it, summed over all time; e^tau times that for how a follower closes in.
    moved = follower_moved = arb(0)
    if Y is not None:
        moved += 2 * N_Y * integral_bound(Y)
        follower_moved += 2 * N_Y * (-Y).exp() * (1 / Y + 1 / Y**2)
    if M is not None:
        moved += fmpq(2, 3) * N_M * integral_bound(M)
        follower_moved += fmpq(2, 3) * N_M * (-M).exp() / M
    moved, follower_moved = D * moved, 2 * D * follower_moved
    of_leaders = around(tokens.z, moved)
    apart = numbers(tokens.z[leader] - tokens.z)
    offsets = around(apart, follower_moved)
    # A leader is its own limit's place: it has no offset, where a ball would leave one.
    for k, l in enumerate(leader):
        if k == l:
            offsets[k] = arb(0)
    return LedEnd(
        **led_by(tokens, leader, of_leaders[leader]),
        in_class=Y,
        between=M,
        in_weight=N_Y,
        between_weight=N_M,
        moved=moved,
        offsets=tokens.of_all(offsets),
        least_margin=None if M is None else fmpq(3, 4) * M / tokens.beta,
    )


def led_by(tokens: Tokens, leader: list[int], limits: Array) -> dict[str, Any]:
    """What is so wherever each place tends to the one that leads it, to which alone it attends; limits (m, d)."""
    chosen, of_tokens = sorted(set(leader)), [leader[k] for k in tokens.place]
    return {
        "limits": tokens.of_all(limits),
        "leaders": np.array([tokens.first(l) for l in of_tokens]),
        "classes": np.array([chosen.index(l) for l in of_tokens]),
        "attention": spread_over(unit_rows(of_tokens, len(leader)), tokens),
        "rank": len(chosen),
        "vertices": np.array([tokens.first(l) for l in chosen]),
        "count": len(chosen),
    }


def spread_over(rows: Array, tokens: Tokens) -> Array:
    """Weights on places (n, m) shared equally by the tokens at each, shape (n, n)."""
    weights = np.array([fmpq(weight) for weight in tokens.weights], dtype=object)
    return numbers(rows[:, tokens.place] / weights[tokens.place])
