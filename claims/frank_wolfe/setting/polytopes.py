"""Starts of the attention chain: acute polytopes of many sizes and shapes with tokens near their vertices."""

from typing import Any

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, exact
from dynamics.geometry import diameter_squared
from dynamics.tokens.attention_chain import AttentionChain

SHAPES = ("segment", "orthant simplex", "triangle", "tetrahedron", "simplex around 0")
SCALES = tuple(fmpq(*ratio) for ratio in ((1, 1), (2, 1), (4, 1), (1, 2), (3, 2), (6, 1), (1, 8)))


# Rounded up: R and D are divided by, so that tubes come out narrower than allowed and never wider.
def root_above(square: fmpq, parts: int = 1024) -> fmpq:
    """A rational at least the square root of `square`, exact where that is a multiple of 1/parts."""
    scaled = square * parts * parts
    whole = -((-scaled.p) // scaled.q)
    root = whole.isqrt()
    return fmpq(root if root * root == whole else root + 1, parts)


def acute_polytope(draws: Any) -> Array:
    """Vertices of equal norm whose angles are all acute, shape (kappa, d), of one of SHAPES and any scale."""
    shape = draws.choice(SHAPES)
    if shape == "segment":
        v = exact([[1], [-1]])
    elif shape == "orthant simplex":
        v = exact(np.eye(draws.integer(2, 4), dtype=int))
    elif shape == "triangle":
        # Rational points of the circle near 90, 210 and 330 degrees, at the half-angle tangent.
        tangents = [fmpq(1), fmpq(-15, 4), fmpq(-17, 64)]
        t = [tangent * (1 + fmpq(draws.integer(-4, 4), 64)) for tangent in tangents]
        v = exact([[(1 - s * s) / (1 + s * s), 2 * s / (1 + s * s)] for s in t])
    elif shape == "tetrahedron":
        v = exact([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    else:
        v = exact([*np.eye(4, dtype=int).tolist(), ["-1/2"] * 4])
    return np.asarray(v * SCALES[draws.integer(0, len(SCALES) - 1)])


def chain_near_vertices(draws: Any) -> AttentionChain:
    """A chain that satisfies the hypotheses of Theorem 5.4, its tokens at or near the vertices.

    Small ones can be enumerated; "crowded" ones have two tokens at each vertex and a temperature at which escapes are
    frequent enough to simulate.
    """
    v = acute_polytope(draws)
    R, D = root_above(max((v * v).sum(axis=-1))), root_above(diameter_squared(v))
    scores = v @ v.T
    kappa = len(v)
    c_0 = min(scores[i, i] - scores[i, j] for i in range(kappa) for j in range(kappa) if i != j)
    # 4 R r + 2 r^2 <= c_0 / 2 for r = c_0 / (9 R), because c_0 <= 2 R^2.
    radius = c_0 / (9 * R)
    crowded = draws.choice(("one token a vertex", "extra token", "crowded")) if kappa <= 3 else "one token a vertex"
    group = list(range(kappa)) * (2 if crowded == "crowded" else 1) + ([0] if crowded == "extra token" else [])
    spread = radius / 4 / D * fmpq(draws.integer(0 if crowded == "one token a vertex" else 1, 4), 4)
    x = []
    for k, label in enumerate(group):
        towards = (label + 1 + k // kappa) % kappa
        towards = towards if towards != label else (label + 1) % kappa
        share = spread if k >= kappa or crowded == "one token a vertex" else fmpq(0)
        x.append(list(v[label] + share * (v[towards] - v[label])))
    eps = radius * 3 / 4
    jumps = fmpq((4, 5, 6, 8)[draws.integer(0, 3)], 2)
    gamma = eps / (jumps * D)
    n = len(group)
    t = draws.integer(2, {"crowded": 24, "extra token": 6}.get(crowded, 10 if kappa <= 3 else 4))
    if crowded == "crowded":
        # The bound exp(-jumps * margin) with margin between 1/8 and 1.
        entropy = np.log(max(t * int(jumps.q) / int(jumps.p), 1.0)) + 2 * np.log(n)
        level = 2 * (1 + entropy + draws.integer(1, 8) / 8)
        depth = fmpq(int(level * 16) + 1, 16)
    else:
        depth = fmpq(2 ** draws.integer(2, 7))
    return AttentionChain.instance(v=v, x=x, group=group, beta=depth / c_0, gamma=gamma, eps=eps, steps=t)


def chain_near_vertices_in_any_order(draws: Any) -> AttentionChain:
    """The same, the tokens in the order of their groups or in reverse."""
    f = chain_near_vertices(draws)
    return f.replace(x=f.x[::-1], group=f.group[::-1]) if draws.integer(0, 1) else f


def chain_near_vertices_at_any_temperature(draws: Any) -> AttentionChain:
    """The same; or two opposite vertices with one token at the first and up to six at the other, at a high temperature."""
    if draws.choice(("near vertices", "one against many")) == "near vertices":
        return chain_near_vertices(draws)
    many = draws.integer(2, 6)
    beta = fmpq(1, 2 ** draws.integer(0, 6))
    group = [0, *[1] * many]
    x = [[1] if label == 0 else [-1] for label in group]
    return AttentionChain.instance(v=[[1], [-1]], x=x, group=group, beta=beta, gamma="1/64", eps="1/64")


# With tokens r inside of both ends, the gap of scores is c_0 - 4 R r + 2 r^2, next to the bound c_0 - 4 R r - r^2.
def chain_leaning_inwards(draws: Any) -> AttentionChain:
    """Tokens a little inside the ends of a segment, in the cold: the gap of scores falls by 4 R r."""
    r = fmpq(1, 2 ** draws.integer(3, 12))
    size = draws.choice((1, 2, fmpq(1, 2)))
    ends = exact([[1], [-1]]) * size
    return AttentionChain.instance(
        v=ends, x=ends * (1 - r), group=[0, 1], beta=fmpq(2 ** draws.integer(2, 6)) / size**2, gamma="1/64", eps="1/64"
    )


# r sqrt(d)/2 exceeds c_0/2 for the largest r allowed from d = 140 or so on, and at 160 the bound is broken at all three
# temperatures. One start in ten, for each takes a fifth of a second.
def chain_at_a_sharp_corner(draws: Any) -> AttentionChain:
    """Two tokens at an almost right-angled corner of an acute simplex in many dimensions, or an ordinary start.

    The simplex has vertices e_1, ..., e_d and -h (1, ..., 1), translated so that its circumcentre is 0. The token at the
    apex leans along the diagonal, a direction shared by all d edges; the other one leans towards the apex.
    """
    d = draws.choice((0, 160, *[0] * 8))
    if d == 0:
        return chain_near_vertices(draws)
    h = fmpq(1, 1000)
    centre = (1 - d * h * h) / (2 * (1 + d * h))
    v = exact([[-h] * d, *np.eye(d, dtype=int).tolist()]) - centre
    c_0 = min((v[i] @ (v[i] - v[j])).item() for i, j in ((0, 1), (1, 0), (1, 2)))
    D = root_above(diameter_squared(v[1:4]))
    # 4 D r + 2 r^2 <= c_0 / 2 for r = (31/32) c_0 / (8 D), because c_0 <= D^2 / 2.
    r = c_0 * fmpq(31, 32) / (8 * D)
    apex = v[0] + r / root_above(d * (1 + d * h) ** 2) * (v[1:] - v[0]).sum(axis=0)
    edge = v[0] - v[1]
    other = v[1] + r / root_above((edge @ edge).item()) * edge
    return AttentionChain.instance(
        v=v,
        x=[list(apex), list(other)],
        group=[0, 1],
        beta=draws.choice((1000, 200, 1_000_000)),
        gamma="1/1000",
        eps="1/1000",
    )
