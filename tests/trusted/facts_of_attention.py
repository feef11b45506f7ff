"""Facts about a module a like dynamics.trusted.attention."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass

import numpy as np
from flint import acb, acb_mat, arb, arb_poly, fmpq

import dynamics.trusted.taylor as trusted
import dynamics.trusted.trajectory as joined
from dynamics.arithmetic import Numbers, exp, numbers
from dynamics.enclosures.bounds import bounds_of
from tests.trusted.facts_of_series import HIGH, norm, singles
from tests.trusted.facts_of_steps import floats, rate_of_growth
from tests.trusted.test_whole_trajectories import SOFTMAX_FLOWS
from tests.trusted.truth import INFINITY, NAN, TRUTH, contains, ends, exactly, grid, is_bound, polynomial, precision, q


def matrix(entries, d):
    array = np.empty((d, d), dtype=object)
    for i, value in enumerate(entries):
        array[divmod(i, d)] = value
    return array.view(Numbers)


@dataclass(frozen=True)
class Example:
    """A flow z_i' = V m_i + C z_i with M(t) = M e^t if `timed`, the clock t last in the state."""

    n: int
    d: int
    V: tuple
    C: tuple
    M: tuple
    timed: bool = False

    def matrices(self):
        return (matrix([arb(value) for value in entries], self.d) for entries in (self.V, self.C, self.M))

    def bounds(self, a):
        V, C, M = self.matrices()
        norm_of_M = trusted.operator_norm(M.tolist())
        if not self.timed:
            return a.AttentionBounds((self.n, self.d), V, C, lambda state: M, lambda state, rho: norm_of_M)
        return a.AttentionBounds(
            (self.n, self.d),
            V,
            C,
            lambda state: exp(numbers(state[-1])) * M,
            lambda state, rho: norm_of_M * (state[-1] + rho).exp(),
        )

    def field(self, state):
        """The field by its definition, for balls and for power series, without any shift of the softmax."""
        V, C, M = (array.tolist() for array in self.matrices())
        n, d = self.n, self.d
        z = [state[i * d : (i + 1) * d] for i in range(n)]
        speeds = []
        for token in z:
            query = [sum((token[k] * M[k][j] for k in range(d)), 0 * token[0]) for j in range(d)]
            if self.timed:
                # Without a shift: exponentials of any size are balls here, and nothing is chosen.
                query = [state[-1].exp() * value for value in query]
            weights = [sum((x * y for x, y in zip(query, other, strict=True)), 0 * token[0]).exp() for other in z]
            total = sum(weights, 0 * token[0])
            mean = [sum((w * x[k] for w, x in zip(weights, z, strict=True)), 0 * token[0]) / total for k in range(d)]
            speeds += [sum((V[k][j] * mean[j] + C[k][j] * token[j] for j in range(d)), 0 * token[0]) for k in range(d)]
        return speeds + [q(1)] * self.timed

    def size(self):
        return self.n * self.d + self.timed

    def blocks(self):
        return [
            *(range(i * self.d, (i + 1) * self.d) for i in range(self.n)),
            *([range(self.n * self.d, self.size())] * self.timed),
        ]


def random_examples(seed):
    draw = random.Random(seed)
    for n, d in ((1, 1), (2, 1), (3, 2), (2, 3), (4, 1)):
        three = [tuple(draw.randint(-16, 16) / 8 for _ in range(d * d)) for _ in range(3)]
        yield Example(n, d, *three, timed=(n + d) % 2 == 1)


ZERO, UNIT = (0,), (1,)
CURVES_OF_TOKENS = [
    # Coefficients that only the tail bounds: of the derivative, of C z, and of V z.
    (Example(1, 1, ZERO, ZERO, ZERO), [[0, *HIGH]], q(1)),
    (Example(1, 1, ZERO, (5,), ZERO), [[0, 0, *HIGH]], q(1)),
    (Example(1, 2, ZERO * 4, ZERO * 4, ZERO * 4), [[0], [0, *HIGH]], q(1)),
    (Example(2, 1, (100,), ZERO, ZERO), [[0], [0, 0, *HIGH]], q(2)),
    # A token that listens to another all of a sudden: in the middle of the step its weight is e^-20.
    (Example(2, 1, (1000,), ZERO, UNIT), [[-60, 80], [1]], q(1)),
    (Example(3, 1, (1000,), ZERO, UNIT), [[-60, 80], [1], [0]], q(1)),
    (Example(3, 1, (10.0**6,), ZERO, UNIT), [[20, 0, 0], [0], [1]], q(1)),
    (
        Example(3, 1, (10.0**6,), ZERO, UNIT),
        [[40 * math.comb(6, k) * (-1) ** k * 2**k - 20 * (k == 0) for k in range(7)], [0], [1]],
        q(1),
    ),
    # Tokens that are hardly listened to, but are far away: all along, most at the start, most at the end.
    (Example(3, 1, (10.0**30,), ZERO, (-1,)), [[50], [1], [0]], q(1)),
    (Example(3, 1, (10.0**30,), ZERO, (-1,)), [[45, 8], [1], [0]], q(1)),
    (Example(3, 1, (10.0**30,), ZERO, (-1,)), [[53, -8], [1], [0]], q(1)),
    (Example(4, 1, (10.0**30,), ZERO, (-1,)), [[50], [1], [0], [1.125]], q(1)),
    (Example(3, 2, (0, 0, 0, 10.0**30), ZERO * 4, (-1, 0, 0, 0)), [[50], [0, 10.0**30], [1], [0], [0], [1]], q(1)),
    (Example(3, 1, (100,), (3,), (-2,), timed=True), [[1, 2, 3], [0, -3], [1, 0, 0, 4], [0.5, 1]], q(1)),
    (Example(2, 2, (0, 9, -9, 0), (1, 2, 0, -3), (0, 4, -1, 0)), [[1, 2], [0, 3, 1], [2], [0, 0, 0, 7]], q(1)),
]


RUNGS = [(2, 10), (3, 12), (6, 20), (6, 64), (12, 64), (20, 64)]
"""Orders and precisions: few bits to a coefficient are narrow circles, where bounds are sharp."""


def defects_of_attention_flows_bound_the_residual(a):
    cases = list(CURVES_OF_TOKENS)
    draw = random.Random(5)
    for example in random_examples(7):
        rows = [[draw.randint(-8, 8) / 4 for _ in range(4)] for _ in range(example.n * example.d)]
        rows += [[draw.randint(-4, 4) / 4, 1]] * example.timed
        cases += [(example, rows, q(1)), (example, rows, q(1, 16))]
    checked = 0
    for (example, rows, h), (order, bits) in itertools.product(cases, RUNGS):
        polynomials = [exactly(*row) for row in rows]
        with precision(bits):
            bounds = example.bounds(a).defect(polynomials, h, order)
        assert len(bounds) == example.size()
        if not all(bound.is_finite() for bound in bounds):
            continue  # circles far too wide for these polynomials
        checked += 1
        for t in grid(h, 8):
            with precision(TRUTH):
                images = example.field([polynomial(row, t) for row in polynomials])
                for row, image, bound in zip(polynomials, images, bounds, strict=True):
                    slope = polynomial([k * value for k, value in enumerate(row)][1:], t)
                    is_bound(bound, abs(slope - image) - arb(2) ** -200)
    assert checked > len(cases) * len(RUNGS) * 2 / 3


def tails_of_defects_add_up_what_pushes_and_what_pulls(a):
    """p' = (N + 1) u^N along one axis, u = t - 1, and the token that takes all attention at c u^N there.

    The defect is their difference, and tail alone where it is expanded to the order N.
    """
    for order, bits in RUNGS[2:]:
        power = [math.comb(order, k) * (-1) ** (order - k) for k in range(order + 1)]
        own = [math.comb(order + 1, k) * (-1) ** (order + 1 - k) for k in range(order + 2)]
        for c in (order + 1, -order - 1, 4 * order, -4 * order, 1):
            # The first axis decides who is listened to, the second one is all that moves.
            example = Example(2, 2, (0, 0, 0, 1), ZERO * 4, (-1, 0, 0, 0))
            with precision(bits):
                rows = [exactly(50), exactly(*own), exactly(0), exactly(*(c * b for b in power))]
                bound = example.bounds(a).defect(rows, q(2), order)[1]
            is_bound(bound, abs(order + 1 - c) - arb(2) ** -40)
            # The two parts cancel or add up; a bound adds them, and no more than that.
            assert bound < 3 * (order + 1 + abs(c)), (order, bits, c)


def tails_of_defects_bound_the_rest_of_a_weight_that_grows_fast(a):
    """All of e^{s u - g} from u^N on, u = t - h/2, in a step so short that powers of u fall fast.

    Token 0 at X sees token 1 at X - g / X + 2 u, s = 2 X, and is moved by its second axis alone. All terms are positive at
    the end of the step: what is below u^N is bounded by itself, and the weights of all tokens together are hardly above 1.
    """
    order, half, X, g = 12, q(1, 16), 32, 14
    for sign in (1, -1):
        rows = [[X], [0], [X - q(g, X) - 2 * sign * half, 2 * sign], [1]]
        polynomials = [exactly(*row) for row in rows]
        example = Example(2, 2, (0, 0, 0, 1), ZERO * 4, (1, 0, 0, 0))
        with precision(2 * order):  # few bits to a coefficient are narrow circles
            bound = example.bounds(a).defect(polynomials, 2 * half, order)[1]
        with precision(TRUTH):
            image = example.field([polynomial(row, half * (1 + sign)) for row in polynomials])[1]
            is_bound(bound, abs(image))
            assert bound < 2 * abs(image)


def defects_of_attention_flows_are_small_where_the_polynomial_solves(a):
    for example in random_examples(3):
        start = [arb(k % 5 - 2) / 4 for k in range(example.size())]
        rows = [[value.mid() for value in row] for row in trusted.solution_series(example.field, start, 16)]
        if example.timed:
            # The clock is exact, or the defect would be its rounding.
            rows[-1] = exactly(float(start[-1]), 1)
        for bound in example.bounds(a).defect(rows, q(1, 64), 16):
            assert bound < 1e-12


def defects_count_every_member_of_a_ball(a):
    example = Example(2, 1, (2,), (-1,), (1,))
    rows = [[arb(1, 0.5), arb(1)], [arb(-1, 0.25), arb(0, 2)]]
    bounds = example.bounds(a).defect(rows, q(1), 16)
    for sides in itertools.product((0, 2), repeat=3):
        member = [[ends(rows[0][0])[sides[0]], arb(1)], [ends(rows[1][0])[sides[1]], ends(rows[1][1])[sides[2]]]]
        for t in grid(q(1)):
            with precision(TRUTH):
                images = example.field([polynomial(row, t) for row in member])
                for row, image, bound in zip(member, images, bounds, strict=True):
                    is_bound(bound, abs(row[1] - image) - arb(2) ** -200)


BOXES = [
    # Nothing but C, nothing but V, the spread of the tokens, the length of a query, the ratio of weights.
    (Example(1, 1, ZERO, (3,), ZERO), [1], [1]),
    (Example(1, 2, ZERO * 4, (0, 6, 0, 0), ZERO * 4), [1, 1], [1]),
    (Example(2, 1, (3,), ZERO, ZERO), [1, 1], [1, 1]),
    (Example(2, 1, (3,), (-2,), ZERO), [1, 1], [1, 1]),
    (Example(2, 2, (3, 0, 0, 1), (-9, 0, 0, -9), ZERO * 4), [1, 1, 1, 1], [1, 64]),
    (Example(3, 1, (2,), (-1,), UNIT), [0, 10, -10], [1, 1, 1]),
    (Example(3, 1, (-2,), (-1,), (-1,)), [0, 10, -10], [1, 1, 1]),
    (Example(3, 2, (1, 0, 0, 1), ZERO * 4, (0, 1, -1, 0)), [0, 10, 0, 1, 0, -1], [1, 1, 1]),
    (Example(3, 2, (1, 0, 0, 1), (-50, 0, 0, -50), (0, 100, -100, 0)), [0, 10, 0, 1, 0, -1], [1, 64, 64]),
    (Example(3, 1, UNIT, ZERO, UNIT, timed=True), [0, 10, -10, 2], [1, 1, 1]),
]


def states_in(draw, rows, begin, end, weights, width, d):
    """States p(t) + e with |e_i| <= w_i width for tokens in d coordinates, t at the ends and in the middle of [begin, end].

    Errors are zero, of random directions, or all along an axis: to one side, or to either in turn.
    """
    n, axes = len(weights), [sign * direction for direction in np.eye(d) for sign in (1, -1)]
    patterns = [[np.zeros(d)] * n, *[[draw_unit(draw, d) for _ in range(n)] for _ in range(2)]]
    if width:
        patterns += [[axis] * n for axis in axes] + [[axis * (-1) ** i for i in range(n)] for axis in axes]
    for t, pattern in itertools.product((begin, (begin + end) / 2, end), patterns):
        with precision(TRUTH):
            state = [polynomial(row, t) for row in rows]
            for i, (weight, direction) in enumerate(zip(weights, pattern, strict=True)):
                for c in range(d):
                    # A little less than the edge: directions are floats.
                    state[i * d + c] += arb(direction[c]) * weight * width * (1 - arb(2) ** -50)
        yield state


def draw_unit(draw, d):
    """A random direction."""
    direction = np.array([draw.gauss(0, 1) for _ in range(d)])
    return direction / np.linalg.norm(direction)


def moving(example, middle, slopes=()):
    """Tokens that pass these places at t = 0 at the speeds given, or random but reproducible ones; the clock at 1."""
    # By the case itself: adding one does not change the others.
    draw = random.Random(repr((example, middle)))
    drawn = slopes or [draw.choice((-4, -1, 0, 1, 4)) for _ in range(example.n * example.d)]
    return [exactly(value, slope) for value, slope in zip(middle, [*drawn, 1], strict=False)]


STILL, CALM = [0] * 9, q(1, 2**20)
HEARD_LITTLE = (10.0**30,)
GROWTH_BY_HAND = [
    # What one of the terms is almost all of: window of time, width of the tube, weights.
    # The covariance, of a V M^T that shrinks what it spreads; the query of a token that hears itself.
    (Example(2, 1, (-1,), ZERO, (1,)), [[0.25, 0], [-0.25, 0]], (q(0), CALM), 0.25, [1, 1]),
    (Example(2, 1, (-1,), ZERO, (1,)), [[0.25, 4], [-0.25, -4]], (q(0), q(1, 2)), 0, [1, 1]),
    (Example(2, 2, (0, 1, -1, 0), ZERO * 4, (0, 2, -2, 0)), [[1, 0], [2, 0], [1, 0], [-2, 0]], (q(0), CALM), 0, [1, 1]),
    (Example(2, 2, (0, 9, 0, 0), ZERO * 4, (0, 0, 3, 0)), [[1, 0], [2, 0], [2, 0], [1, 0]], (q(0), CALM), 0, [1, 1]),
    (Example(2, 1, (-3,), (3,), ZERO), [[1, 0], [1, 0]], (q(0), CALM), 0, [1, 1]),
    # Tokens that are hardly listened to: all that is attended of them is V, or the turn of a query.
    (Example(3, 1, HEARD_LITTLE, (-(10.0**30),), (1,)), [[8, 0], [1, 0], [0, 0]], (q(0), CALM), 0, [1, 1, 1]),
    (Example(2, 1, HEARD_LITTLE, (-(10.0**30),), (1,)), [[6, 0], [-0.25, 0]], (q(0), CALM), 0, [1, 1]),
    (Example(2, 1, HEARD_LITTLE, (-(10.0**30),), (1,)), [[6, 0], [-6, 0]], (q(0), CALM), 0, [1, 2.0**40]),
    (Example(2, 1, (-(10.0**30),), HEARD_LITTLE, (16,)), [[0.5, 0], [-2, 0]], (q(0), CALM), 0, [2.0**75, 1]),
    # Others that a tube makes attended, and queries that it makes long.
    (
        Example(2, 2, (0, 0, 0, 1), ZERO * 4, (1, 0, 0, 1)),
        [[8, 0], [0, 0], [7.75, 0], [0, 0]],
        (q(0), CALM),
        0.125,
        [2.0**-10, 1],
    ),
    (Example(2, 2, (1, 0, 0, 1), ZERO * 4, (0, 1, -1, 0)), [[0, 0]] * 4, (q(0), CALM), 4, [1, 1]),
    # Scores that a tube opens: by the query's error, by the key's, by both together.
    (Example(3, 1, (4,), (-4,), (1,)), [[0, 0], [3, 0], [-3, 0]], (q(0), CALM), 1, [1, 2.0**-10, 2.0**-10]),
    (Example(3, 1, (4,), (-4,), (1,)), [[3, 0], [0, 0], [0, 0]], (q(0), CALM), 1, [2.0**-10, 1, 1]),
    (Example(3, 1, (4,), (-4,), (1,)), [[0, 0], [0, 0], [0, 0]], (q(0), CALM), 1, [1, 1, 1]),
]


def growth_cases():
    """Examples with polynomials, windows of time, widths of tubes and weights."""
    yield from GROWTH_BY_HAND
    draw = random.Random(11)
    for example, middle, weights in BOXES:
        for slopes, window, width in (
            (STILL[: example.n * example.d], (q(0), CALM), 0),
            ((), (q(0), q(1, 8)), 0),
            ((), (q(-1, 16), q(1, 16)), 0.125),
        ):
            yield example, [[float(v) for v in row] for row in moving(example, middle, slopes)], window, width, weights
    for example in random_examples(13):
        for weights in ([1] * example.n, [2.0 ** draw.randint(-6, 6) for _ in range(example.n)]):
            middle = [draw.randint(-12, 12) / 4 for _ in range(example.size())]
            rows = [[float(v) for v in row] for row in moving(example, middle)]
            yield example, rows, (q(0), q(1, 16)), draw.choice((0, 0.0625)), weights


def growth_of_attention_flows_bounds_how_fast_tokens_part(a):
    draw, checked, cases = random.Random(12), 0, list(growth_cases())
    for example, given, (begin, end), width, weights in cases:
        rows, d = [exactly(*row) for row in given], example.d
        spread = [arb(weights[i // d]) for i in range(example.n * d)] + [arb(0)] * example.timed
        bound = example.bounds(a).growth(rows, begin, end, spread, arb(width), example.blocks())
        if not bound.is_finite():
            continue  # scores of wide tubes may tell nothing
        checked += 1
        tokens = example.blocks()[: example.n]
        for state in states_in(draw, rows, begin, end, weights, width, d):
            with precision(TRUTH):
                derivative = trusted.jacobian_over_box(example.field, state)
            array = floats(derivative)
            for block in tokens:
                part = array[block.start : block.stop, block.start : block.stop]
                v = np.linalg.eigh((part + part.T) / 2)[1][:, -1]
                for direction in (v, np.ones(d), *np.eye(d)):
                    rate = rate_of_growth(derivative, spread, tokens, block, direction)
                    is_bound(bound.upper(), rate - arb(2) ** -40)
    assert checked > 0.8 * len(cases)


def scores_of_attention_flows_are_enclosed_in_tubes(a):
    draw = random.Random(17)
    for example, given, (begin, end), width, weights in growth_cases():
        rows, n, d = [exactly(*row) for row in given], example.n, example.d
        spread = [arb(weights[i // d]) for i in range(n * d)] + [arb(0)] * example.timed
        found = list(example.bounds(a).exponents(rows, begin, end, spread, arb(width)))
        assert len(found) == n
        aligned = [[(draw.choice((-1, 1)), draw.choice((-1, 1))) for _ in range(n)] for _ in range(4)]
        for t, signs in itertools.product((begin, (begin + end) / 2, end), aligned):
            with precision(TRUTH):
                M = [
                    arb(value) * (arb(t + fmpq(*fraction(given[-1][0]))).exp() if example.timed else 1)
                    for value in example.M
                ]
                z = [[polynomial(row, t) for row in rows[i * d : (i + 1) * d]] for i in range(n)]
                for i in range(n):
                    # Errors that push one coordinate, as far as they may.
                    c, sign = draw.randrange(d), signs[i][0]
                    z[i][c] += sign * arb(weights[i]) * width * (1 - arb(2) ** -50)
                for i, (w, exponents) in enumerate(found):
                    assert len(exponents) == n
                    for j, ball in enumerate(exponents):
                        apart = [x - y for x, y in zip(z[j], z[w], strict=True)]
                        contains(ball, sum((z[i][b] * M[b * d + e] * apart[e] for b in range(d) for e in range(d)), arb(0)))


def fraction(value):
    """A float as a numerator and a denominator."""
    return float(value).as_integer_ratio()


def softmax_is_enclosed_where_exponents_end(a):
    for exponents in (
        [arb(0), arb(-1, 0.5), arb(2, 1)],
        [arb(0), arb(0)],
        [arb(0, 3), arb(0, 3)],
        [arb(0), arb(-50, 10), arb(-3, 0.25), arb(-3, 0.25)],
        [arb(7)],
    ):
        shares = a.softmax_bounds(exponents)
        assert len(shares) == len(exponents)
        for members in itertools.product(*(ends(value) for value in exponents)):
            with precision(TRUTH):
                powers = [value.exp() for value in members]
                truths = [value / sum(powers, arb(0)) for value in powers]
            for share, truth in zip(shares, truths, strict=True):
                contains(share, truth)
    for lost in (NAN, arb(0, INFINITY)):
        assert not all(share.is_finite() for share in a.softmax_bounds([arb(0), lost]))


def moments_hold_for_all_shares_that_add_up_to_one(a):
    cases = [
        ([arb(0.875, 0.125), arb(0.125, 0.125)], [[arb(0)], [arb(1)]]),
        ([arb(0.5, 0.25), arb(0.5, 0.25)], [[arb(0), arb(1)], [arb(2), arb(-1)]]),
        (
            [arb(0.25, 0.125), arb(0.5, 0.125), arb(0.25, 0.125)],
            [[arb(0), arb(0)], [arb(4, 1), arb(1)], [arb(-1), arb(3, 1)]],
        ),
        ([arb(1)], [[arb(3, 1), arb(2)]]),
    ]
    for shares, rows in cases:
        points = np.array(rows, dtype=object).view(Numbers)
        away, covariance = a.moments(shares, points)
        n, d = points.shape
        assert away.shape == (n, d)
        assert covariance.shape == (d, d)
        for chosen in itertools.product(*(ends(share) for share in shares)):
            for sides in itertools.product((0, 2), repeat=n):
                with precision(TRUTH):
                    if sum(chosen, arb(0)) != 1:
                        continue
                    x = [[ends(value)[side] for value in row] for row, side in zip(rows, sides, strict=True)]
                    m = [sum((P * y[c] for P, y in zip(chosen, x, strict=True)), arb(0)) for c in range(d)]
                    for c, e in itertools.product(range(d), repeat=2):
                        products = [P * (y[c] - m[c]) * (y[e] - m[e]) for P, y in zip(chosen, x, strict=True)]
                        contains(covariance[c, e], sum(products, arb(0)))
                    for k, c in itertools.product(range(n), range(d)):
                        contains(away[k, c], x[k][c] - m[c])


def what_attention_bounds_do_not_know_is_infinite(a):
    example = next(e for e in random_examples(1) if e.timed and e.n > 1)
    size, bounds = example.size(), example.bounds(a)
    rows = [exactly(k % 3, 1) for k in range(size)]
    weights = [arb(1)] * (size - 1) + [arb(0)]

    def growth(rows, weights, blocks, width=0.125):
        return bounds.growth(rows, q(0), q(1, 8), weights, arb(width), blocks)

    assert growth(rows, weights, example.blocks()).is_finite()
    assert not growth(rows, [arb(1)] * size, example.blocks()).is_finite()
    assert example.d == 1 or not growth(rows, weights, singles(size)).is_finite()
    assert not growth(rows, weights, [range(size - 1), range(size - 1, size)]).is_finite()
    for lost in (NAN, INFINITY, arb(0, INFINITY)):
        assert not growth([[lost, arb(1)], *rows[1:]], weights, example.blocks()).is_finite()
        assert not growth([[arb(1), lost], *rows[1:]], weights, example.blocks()).is_finite()
        assert not growth(rows, weights, example.blocks(), lost).is_finite()
    rows = [exactly(k, 1) for k in range(size)]
    assert all(bound.is_finite() for bound in bounds.defect(rows, q(1, 8), 20))
    for clock in (exactly(0, 2), exactly(0), exactly(0, 1, 1), [arb(0), arb(1, 0.5)]):
        assert not any(bound.is_finite() for bound in bounds.defect([*rows[:-1], clock], q(1, 8), 20))
    for value in (NAN, INFINITY):
        assert not any(bound.is_finite() for bound in bounds.defect([[value], *rows[1:]], q(1, 8), 20)[: size - 1])


def a_majorant_bounds_on_the_whole_disc(a):
    row = [arb(1), arb(-2), arb(0, 3), arb(-0.5, 0.25)]
    poly = a.majorant(row)
    for rho in (arb(0.25), arb(3)):
        for side in itertools.product((0, 2), repeat=2):
            member = [row[0], row[1], ends(row[2])[side[0]], ends(row[3])[side[1]]]
            for turn in range(8):
                with precision(TRUTH):
                    u = acb(0, arb.pi() * turn / 4).exp() * rho
                    is_bound(
                        poly(rho).upper(), abs(sum((acb(c) * u**k for k, c in enumerate(member)), acb(0))) - arb(2) ** -99
                    )


STEEP = [0, 1, 2, 0, 4]
"""A polynomial without negative coefficients: on a circle around 0 it is largest where the circle meets the half line."""


def exponents_are_bounded_on_circles_of_twice_the_radius(a):
    cases = [
        # Whatever is steep, the querying token, the one that is attended or the winner, the bound is attained at u = 2 rho.
        (Example(3, 1, ZERO, ZERO, UNIT), [STEEP, [1], [-1]]),
        (Example(3, 1, ZERO, ZERO, UNIT), [[1], STEEP, [-0.125]]),
        (Example(3, 1, ZERO, ZERO, UNIT), [[1], [0.125], [-c for c in STEEP]]),
        (Example(3, 2, ZERO * 4, ZERO * 4, (2, 0, 0, 1)), [STEEP, [0], [3], [0], [-2], [0]]),
        (Example(3, 1, ZERO, ZERO, (3,), timed=True), [[1], [2], [-1], [0, 1]]),
    ]
    for example, rows in cases:
        n, d, M = example.n, example.d, [float(value) for value in example.M]
        radii = [arb(0.5), arb(2), arb(5)]
        bound = example.bounds(a).exponents_beyond([arb_poly(exactly(*row)) for row in rows], radii)
        for (k, rho), turn in itertools.product(enumerate(radii), range(8)):
            with precision(TRUTH):
                u = acb(0, arb.pi() * turn / 4).exp() * 2 * rho
                z = [sum((acb(c) * u**power for power, c in enumerate(row)), acb(0)) for row in rows]
                strength = z[-1].exp() if example.timed else acb(1)
                for i, j, w in itertools.permutations(range(n)):
                    apart = [z[j * d + c] - z[w * d + c] for c in range(d)]
                    value = sum((z[i * d + b] * M[b * d + c] * apart[c] for b in range(d) for c in range(d)), acb(0))
                    is_bound(bound(i, j, w, k).upper(), abs(strength * value) - arb(2) ** -40)


def what_lies_beyond_the_order_is_bounded_by_cauchy(a):
    # q(u) = u^N (c - u) / (1 - c u) has |q| <= 1 on the unit circle; its coefficients at u = 1/2 add up to more than 2^-N.
    for order, c in itertools.product((1, 2, 5, 20), (q(3, 5), q(7, 10), q(9, 10))):
        beyond = (c + (1 - c * c) / 2 / (1 - c / 2)) / q(2) ** order
        assert beyond > 1 / q(2) ** order
        for most in (q(1), q(1000)):
            is_bound(a.beyond(arb(most), order).upper(), most * beyond)
    assert not a.beyond(INFINITY, 3).is_finite()


def the_flows_are_what_their_bounds_take_them_for(a):
    for system in SOFTMAX_FLOWS[:4]:
        bounds, field = bounds_of(system), lambda state, system=system: joined.flat(system.with_state(state).velocity())
        n, d = bounds.shape
        state = [arb(value) for name in system.moving for value in getattr(system, name).flat]
        V, C, M = (np.asarray(x).flat for x in (bounds.V, bounds.C, bounds.key_query(state)))
        exact_M = [arb(value) for value in M]
        speeds = Example(n, d, *[[arb(v) for v in x] for x in (V, C)], exact_M).field(state)
        for value, truth in zip(field(state), speeds, strict=False):
            contains(arb(value), truth)
        for rho in (arb(0.25), arb(2)):
            for turn in range(8):
                if len(state) > n * d:
                    with precision(TRUTH):
                        u = acb(0, arb.pi() * turn / 4).exp() * rho
                        grown_by = acb_mat(d, d, [acb(arb(v)) * u for v in np.asarray(system.V).flat]).exp()
                        B = acb_mat(d, d, [acb(value) for value in exact_M])
                        M_late = (grown_by.transpose() * B * grown_by).entries()
                        columns = [norm(abs(M_late[i * d + j]) for i in range(d)) for j in range(d)]
                        for column in columns:
                            is_bound(bounds.spread(state, rho).upper(), column - arb(2) ** -40)


def growth_by_definition(example, state, weights):
    """max_i mu(DF_ii) + sum_k |DF_ik| w_k / w_i for tokens that stay where they are."""
    with precision(TRUTH):
        derivative = trusted.jacobian_over_box(example.field, state)
        return trusted.logarithmic_norm(derivative, weights, example.blocks())


def growth_is_that_of_the_definition(a):
    """To 230 bits, where every term counts, however small; nothing but what is hardly attended may be taken for more."""
    draw, few, small = random.Random(23), arb(2) ** -230, 0
    for case in range(400):
        n, d = draw.choice(((2, 1), (2, 1), (3, 1), (2, 2), (3, 2)))
        V, C, M = (tuple(draw.choice((0, draw.randint(-16, 16) / 8)) for _ in range(d * d)) for _ in range(3))
        example = Example(n, d, V, C, M)
        places = [draw.choice((0, draw.randint(-8, 8), draw.randint(-8, 8) / 2.0**20)) for _ in range(n * d)]
        # Others count as much, or by their weights as little as what is bounded without its position.
        weights = [weight for _ in range(n) for weight in [2.0 ** draw.choice((0, draw.randint(-60, 60)))] * d]
        rows, spread = [exactly(x) for x in places], exactly(*weights)
        with precision(280):
            found = example.bounds(a).growth(rows, q(0), q(1, 2), spread, arb(0), example.blocks())
            truth = growth_by_definition(example, exactly(*places), spread)
            most = norm(V) * (1 + 2 * d * max(map(abs, places)) ** 2 * norm(M))
            assert truth - few * (1 + abs(truth)) <= found, case
            assert found <= truth + few * (1 + abs(truth)) + n * arb(2) ** -40 * most, case
            small += not found <= truth + few * (1 + abs(truth))
    assert small > 1
