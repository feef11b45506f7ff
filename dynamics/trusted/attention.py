"""Sharper bounds for attention flows z_i' = V m_i + C z_i, with m_i = sum_j P_ij z_j and P_i the softmax of <z_i, M z_j>.

Written out in docs/certified_trajectories.md, section 12. Errors are measured by max_i |e_i| / w_i over tokens.

*defect*    with the winner w of row i and q_ij = <z_i, M (z_j - z_w)>, S_i = sum_j exp(q_ij) >= 1 on the step, so that for
            r_i = p_i' - F_i(p)
            |r_i| <= |S_i r_i|,   S_i r_i = sum_j exp(q_ij) (p_i' - C p_i - V p_j):
            nothing is divided, and every term is an entire function of time: its Taylor coefficients are exact up to an
            order, and Cauchy's estimate on a circle of radius rho > h/2 bounds all later ones. A term whose weight
            exp(q_ij) is negligible on all of the step needs no expansion: it is at most that weight times
            sup |p_i' - C p_i - V p_j|.
*growth*    dm_i = Cov_i M^T dz_i + sum_k P_ik T_ik dz_k with T_ik = I + (z_k - m_i) (M^T z_i)^T, so the logarithmic norm is
            at most  max_i  mu_2(C + V Cov_i M^T + P_ii V T_ii) + sum_{k != i} P_ik |V T_ik|_2 w_k / w_i.
            Weights P_ik come from exponents that are expanded in time: balls around tokens and M would tell less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import flint
import numpy as np
from flint import arb, arb_poly, arb_series, fmpq

from dynamics.arithmetic import Array, any_summits, elementwise, leading, numbers, transposed
from dynamics.trusted.taylor import (
    Blocks,
    Rows,
    coefficient,
    euclidean,
    evaluate,
    expansion,
    largest_size,
    operator_norm,
    span,
    symmetric_norm,
    tube_around,
    upper,
)

RATIOS = (0.75, 1.0, 1.25, 1.75, 3.0)
"""Radii of the circles of Cauchy's estimate, in units of one set by order and precision: the best of them counts."""

NEGLIGIBLE = arb(2) ** -40
"""Tokens that are attended to less than this are bounded without using their positions."""


@dataclass(frozen=True)
class AttentionBounds:
    """Bounds for tokens (n, d) that begin the flat state; `key_query` gives M (d, d) from the flat state.

    M must be entire in time along polynomials, and `spread(state, rho)` at least sup |M|_2 over complex times within rho of
    the time in the state.
    """

    shape: tuple[int, int]
    V: Array
    C: Array
    key_query: Callable[[Sequence[object]], Array]
    spread: Callable[[Sequence[arb], arb], arb]

    def defect(self, polynomials: Rows, h: fmpq, order: int) -> list[arb]:
        """Upper bounds, one per coordinate, of |p'(t) - F(p(t))| over [0, h]; 0 for what is no token.

        Infinite unless all that is no token is a clock of speed 1, as `spread` takes it to be.
        """
        n, d = self.shape
        if not all(len(row) == 2 and row[1] == 1 for row in polynomials[n * d :]):
            return [arb("inf")] * len(polynomials)
        # From the middle of the step, where circles that hold all of it are smallest.
        half, ratios = arb(h / 2), circle_ratios(order)
        centred = [arb_poly(list(row))(arb_poly([half, 1])) for row in polynomials]
        series = [arb_series(p, order) for p in centred]
        z = _tokens(series, n, d)
        queries = z @ self.key_query(series)
        winners = any_summits(leading(queries) @ transposed(leading(z)))
        tokens = [centred[i * d : (i + 1) * d] for i in range(n)]
        values, drifts = ([_image(_matrix(matrix), token) for token in tokens] for matrix in (self.V, self.C))
        moves = [
            [p.derivative() - q for p, q in zip(token, drift, strict=True)]
            for token, drift in zip(tokens, drifts, strict=True)
        ]
        radii = [ratio * half for ratio in ratios]
        largest_exponent = self.exponents_beyond(centred, radii)
        pulls, pushes = ([_sizes(vector, radii) for vector in vectors] for vectors in (values, moves))
        # Over the whole real step: exponents that are very negative throughout.
        box = [p(arb(0, half)) for p in centred]
        over = _tokens(box, n, d)
        drawn = over @ self.key_query(box)
        # Near what the working precision resolves of S_i >= 1: expanding such a term would sharpen nothing.
        small = arb(2) ** (8 - flint.ctx.prec)
        bounds = []
        for i, winner in enumerate(winners):
            far = [arb(0)] * d
            later, totals = [arb(0)] * len(ratios), [arb_series([0], order)] * d
            for j in range(n):
                differences = [p - q for p, q in zip(moves[i], values[j], strict=True)]
                if j != winner:
                    most = upper(arb(numbers(drawn[i] @ (over[j] - over[winner])).item()).exp())
                    # Needs no expansion, as |exp(q) (p' - C p - V p_j)| is at most this at every time of the step.
                    if most < small:
                        far = [size + most * majorant(p.coeffs())(half) for size, p in zip(far, differences, strict=True)]
                        continue
                terms = [arb_series(p, order) for p in differences]
                start, rates = arb(0), arb_poly()
                if j != winner:
                    exponent = arb_series([0], order)
                    for query, p, q in zip(queries[i], tokens[j], tokens[winner], strict=True):
                        exponent += query * arb_series(p - q, order)
                    weight = exponent.exp()
                    terms = [weight * term for term in terms]
                    # The constant with its sign, only the rest by its size: Re q is what counts, and q_0 is very negative
                    # where tokens are far.
                    start, rates = coefficient(exponent, 0), majorant([arb(0), *exponent.coeffs()[1:]])
                totals = [total + term for total, term in zip(totals, terms, strict=True)]
                for k, radius in enumerate(radii):
                    growth = start + rates(radius)
                    if j != winner:
                        # The exponent's own coefficients beyond the order, by Cauchy's estimate on a circle of twice the
                        # radius.
                        growth += beyond(largest_exponent(i, j, winner, k), order)
                    later[k] += growth.exp() * (pushes[i][k] + pulls[j][k])
            # Upper ends before the minimum: that of a narrow ball and a very wide one would be wide.
            tail = arb("inf")
            for size, ratio in ((size, ratio) for size, ratio in zip(later, ratios, strict=True) if size.is_finite()):
                tail = tail.min(upper(size) / (arb(ratio) ** order * (1 - arb(1) / ratio)))
            bounds += [
                upper(majorant([coefficient(total, k) for k in range(order)])(half) + tail + size)
                for total, size in zip(totals, far, strict=True)
            ]
        return bounds + [arb(0)] * (len(polynomials) - n * d)

    def exponents_beyond(self, centred: Sequence[arb_poly], radii: Sequence[arb]) -> Callable[[int, int, int, int], arb]:
        """For tokens i, j, w and the k-th radius a ball at least |<z_i, M (z_j - z_w)>| on the circle of twice that radius.

        Polynomials are in the time from the middle of the step, as the circles are.
        """
        n, d = self.shape
        twice = [2 * radius for radius in radii]
        strengths = [self.spread([p[0] for p in centred], radius) for radius in twice]
        reaches = [_sizes(centred[i * d : (i + 1) * d], twice) for i in range(n)]
        return lambda i, j, w, k: strengths[k] * reaches[i][k] * (reaches[j][k] + reaches[w][k])

    def growth(self, polynomials: Rows, begin: fmpq, end: fmpq, weights: Sequence[arb], width: arb, blocks: Blocks) -> arb:
        """A ball at least the logarithmic norm of DF at p(t) + e, for t in [begin, end] and |e_b| <= w_b width.

        Infinite unless each token is one of the blocks and all that is no token is a clock.
        """
        n, d = self.shape
        tokens = [range(i * d, (i + 1) * d) for i in range(n)]
        if list(blocks[:n]) != tokens or not all(weight.is_zero() for weight in weights[n * d :]):
            return arb("inf")
        tube = tube_around(polynomials, begin, end, weights, width)
        z, M, V, C = _tokens(tube, n, d), elementwise(arb, self.key_query(tube)), _matrix(self.V), _matrix(self.C)
        strength, queries = operator_norm(V.tolist()), z @ M
        # Only for tokens that are hardly attended to: |z_k - m_i| is at most this.
        across = 2 * largest_size([euclidean(list(token)) for token in z])
        bounds = []
        for i, (winner, exponents) in enumerate(self.exponents(polynomials, begin, end, weights, width)):
            shares = softmax_bounds(exponents)
            from_winner = z - z[winner]
            # The difference of a ball from itself would be a ball around 0.
            from_winner[winner] = _vector([arb(0)] * d)
            away, covariance = moments(shares, from_winner)
            turns = [V + V @ np.outer(vector, queries[i]) for vector in away]
            own = C + V @ covariance @ transposed(M) + turns[i] * shares[i]
            total, pull = symmetric_norm(own.tolist()), euclidean(list(queries[i]))
            for k in (k for k in range(n) if k != i):
                attended = upper(shares[k]) * weights[k * d] / weights[i * d]
                # T_ik = I + (z_k - m_i)(M^T z_i)^T has the norm 1 + across * pull at most: enough where it hardly counts.
                if attended < NEGLIGIBLE:
                    total += attended * strength * (1 + across * pull)
                else:
                    total += attended * operator_norm(turns[k].tolist())
            bounds.append(total)
        return largest_size(bounds)

    def exponents(
        self, polynomials: Rows, begin: fmpq, end: fmpq, weights: Sequence[arb], width: arb
    ) -> Iterator[tuple[int, list[arb]]]:
        """For each token i some token w, and balls that contain <z_i, M (z_j - z_w)> for all j; z = p(t) + e as above.

        Expanded in time, in which scores differ by less than their tokens and M would let balls believe.
        """
        n, d = self.shape
        middle, half = (begin + end) / 2, span((begin - end) / 2, (end - begin) / 2)
        state = [evaluate(row, arb(middle)) for row in polynomials]
        z = _tokens(state, n, d)
        winners = any_summits(z @ self.key_query(state) @ transposed(z))

        def differences(moved: list[object]) -> list[object]:
            tokens = _tokens(moved, n, d)
            queries = tokens @ self.key_query(moved)
            return [value for i, w in enumerate(winners) for value in (tokens - tokens[w]) @ queries[i]]

        rows = expansion(differences, polynomials, begin, end, middle, 2)
        # Of width 0: the errors of the three tokens are added below, each with what it is multiplied by.
        box = tube_around(polynomials, begin, end, weights, arb(0))
        along, M = _tokens(box, n, d), elementwise(arb, self.key_query(box))
        steepness, reach = operator_norm(M.tolist()), [upper(weights[i * d] * width) for i in range(n)]
        for i, w in enumerate(winners):
            pull = euclidean(list(along[i] @ M)) + steepness * reach[i]
            found = []
            for j in range(n):
                apart = euclidean(list(along[j] - along[w]))
                # |<z_i + a, M (y + b)> - <z_i, M y>| <= |M| |a| |y| + (|M^T z_i| + |M| |a|) |b|, with b the errors of j and
                # of w.
                slack = steepness * reach[i] * apart + pull * (reach[j] + reach[w])
                found.append(arb(0) if j == w else evaluate(rows[i * n + j], half) + arb(0, upper(slack)))
            yield int(w), found


def softmax_bounds(exponents: Sequence[arb]) -> list[arb]:
    """Balls that contain exp(x_j) / sum_k exp(x_k) for all members x of the exponents.

    It grows with x_j and falls with the others: its least and its largest value are taken where the balls end.
    """
    low, high = [exponent.lower().exp() for exponent in exponents], [exponent.upper().exp() for exponent in exponents]
    lowest, highest = sum(low, arb(0)), sum(high, arb(0))
    return [
        (least / (least + (highest - most))).union(most / (most + (lowest - least)))
        for least, most in zip(low, high, strict=True)
    ]


def moments(shares: Sequence[arb], points: Array) -> tuple[Array, Array]:
    """Balls that contain x_k - m, shape (n, d), and sum_k P_k (x_k - m) (x_k - m)^T, where m = sum_k P_k x_k.

    This for all members x of the points (n, d) and all members P of the shares with sum 1. Around a center c, whatever it
    is, the second is sum_k P_k (x_k - c) (x_k - c)^T - (m - c) (m - c)^T.
    """
    mean = _vector(list(shares)) @ points
    center = elementwise(arb.mid, mean)
    around, slip = points - center, mean - center
    return around - slip, (transposed(around) * _vector(list(shares))) @ around - np.outer(slip, slip)


def circle_ratios(order: int) -> list[fmpq]:
    """Radii in half steps, all above 1, around the one whose power `order` is what the working precision resolves."""
    # ratio^order = 2^prec: then the tail, most / ratio^order, is as small as a rounding. Rational, so that circles are
    # exact.
    unit = int(64 * 2.0 ** min(flint.ctx.prec / max(order, 1), 20.0))
    return [fmpq(max(80, int(unit * ratio)), 64) for ratio in RATIOS]


def beyond(most: arb, order: int) -> arb:
    """A ball at least sum_{k >= order} |q_k| rho^k for |q| <= most on the circle of radius 2 rho: sum of most / 2^k."""
    # |q_k| rho^k <= most / 2^k by Cauchy on the circle of radius 2 rho; summed from `order` on.
    return most * arb(2) ** (1 - order)


def majorant(coefficients: Sequence[arb]) -> arb_poly:
    """The polynomial with coefficients |p_k|: at rho > 0 it is at least |p(u)| for complex |u| <= rho."""
    return arb_poly([upper(value) for value in coefficients])


def _sizes(vector: Sequence[arb_poly], radii: Sequence[arb]) -> list[arb]:
    """For each radius a ball at least the largest norm over complex |u| <= radius of a vector of polynomials."""
    majorants = [majorant(p.coeffs()) for p in vector]
    return [euclidean([poly(radius) for poly in majorants]) for radius in radii]


def _image(matrix: Array, vector: Sequence[arb_poly]) -> list[arb_poly]:
    """A matrix of balls times a vector of polynomials."""
    return [sum((p * value for value, p in zip(row, vector, strict=True)), arb_poly()) for row in matrix.tolist()]


def _matrix(matrix: Array) -> Array:
    return elementwise(arb, matrix)


def _tokens(state: Sequence[object], n: int, d: int) -> Array:
    return _vector(list(state[: n * d])).reshape(n, d)


def _vector(entries: list[object]) -> Array:
    """Filled one by one: NumPy would take a power series for a list of numbers."""
    vector = np.empty(len(entries), dtype=object)
    for i, entry in enumerate(entries):
        vector[i] = entry
    return numbers(vector)
