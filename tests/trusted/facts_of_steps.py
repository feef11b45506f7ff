"""Facts about a module m like dynamics.trusted.taylor: growth, propagation and whole steps."""

from __future__ import annotations

import itertools
import random

import numpy as np
from flint import arb, arb_poly, arb_series

from tests.trusted.facts_of_series import (
    accepted_claims_hold,
    identity,
    norm,
    shrunk,
    singles,
    square,
    squared,
    step_by_hand,
)
from tests.trusted.truth import (
    INFINITY,
    NAN,
    ONE,
    TRUTH,
    contains,
    ends,
    exactly,
    grid,
    is_bound,
    polynomial,
    precision,
    q,
    refuses,
)


def functions_are_known_along_a_part_of_the_step_only(m):
    step = step_by_hand(m, [exactly(0, 1)], q(1), exactly(1), 0, 0)
    # The centre may be the end: only outside of the window it is refused.
    m.along(step, identity, q(0), q(1), q(1), 1)
    # Before the step, after it, and centres outside of the window.
    for window in ((q(-1), q(1), q(0)), (q(0), q(2), q(1)), (q(0), q(1, 2), q(3, 4)), (q(1, 2), q(1), q(1, 4))):
        refuses(m.along, step, identity, *window, 2)
    refuses(m.along, step, identity, q(0), q(1), q(0), 0)


def gradients_are_taken_over_the_whole_tube(m):
    # g = x^2 around p = 0 has gradient 0 on the polynomial and 2 width at the edge of the tube.
    step = step_by_hand(m, [exactly(0)], q(1), exactly(1), 0.5, 0.5)
    [row] = m.along(step, square, q(0), q(1), q(0), 3)
    for t in grid(q(1)):
        contains(polynomial(row, t), (q(1, 2) + t / 2) ** 2)
    # A contraction at the end of the step says nothing of the times before.
    step = step_by_hand(m, [exactly(0)], q(1), exactly(1), 0.5, 0, final=0)
    [row] = m.along(step, square, q(0), q(1), q(0), 3)
    contains(row[0], 0.25)


def an_exact_start_stays_exact_along_a_step(m):
    step = step_by_hand(m, [exactly(0, 1)], q(1), exactly(1), 0, 0.125)
    [row] = m.along(step, identity, q(0), q(1), q(0), 3)
    assert row[0].is_zero()
    # The slope of the error is added on either side, and none of it at the exact start.
    contains(row[1], 1.125)
    contains(row[1], 0.875)


def signs_are_those_of_the_function(m):
    cases = [
        # coefficients, low, high, what may be answered
        ([1, -1], q(0), q(1, 2), {1, None}),
        # A zero at the end of the window: neither positive nor zero on all of it.
        ([1, -1], q(0), q(1), {None}),
        ([1, -1], q(1), q(1), {0, None}),
        ([1, -1], q(0), q(2), {None}),
        ([1, -1], q(3, 2), q(2), {-1, None}),
        ([-1, 1], q(0), q(3), {None}),
        ([-1, 4], q(1), q(1), {1, None}),
        # Positive at both ends and at the middle of the window, negative in between.
        ([1, -3, 2.125], q(0), q(2), {None}),
        ([0, 0, -1], q(0), q(1), {-1}),
        ([0, 1, -1], q(0), q(1, 2), {1}),
        ([0, 1, -1], q(0), q(2), {None}),
        ([0, -1, 8], q(0), q(2), {None}),
        ([0, -1, 8], q(0), q(1, 16), {-1}),
        ([0, 0], q(0), q(1), {0}),
        ([], q(0), q(1), {0}),
        ([3], q(0), q(1), {1}),
        ([-3], q(0), q(1), {-1}),
    ]
    for row, low, high, answers in cases:
        assert m.sign_on(exactly(*row), low, high, q(0)) in answers
    around_one_half = [
        ([0, 1], q(0), q(1), {None}),
        ([0, 1], q(0), q(1, 2), {None}),
        ([0, 1], q(3, 4), q(1), {1}),
        ([0, 1], q(0), q(1, 4), {-1}),
        ([0, 0, 1], q(0), q(1), {None}),
        ([0, -1, 1], q(0), q(1), {None}),
        ([1, 2], q(0), q(1), {None}),
        ([1, 2], q(1, 100), q(1), {1}),
        ([0, 0], q(0), q(1), {0}),
    ]
    for row, low, high, answers in around_one_half:
        assert m.sign_on(exactly(*row), low, high, q(1, 2)) in answers


def only_exact_zeros_are_divided_out(m):
    # A factor of t may be taken out where the coefficient is 0, and not where it may be.
    for doubt in (arb(0, 0.5), arb(0, 2**-60), arb(0.25, 0.25)):
        for tail in ([arb(1)], [arb(-1)], [arb(0)], []):
            for center in (q(0), q(1, 2)):
                assert m.sign_on([doubt, *tail], q(0), q(1), center) is None
                assert m.sign_on([arb(0), doubt, *tail], q(0), q(1), center) is None


def what_is_no_number_has_no_sign(m):
    for value in (NAN, INFINITY, -INFINITY, arb(0, INFINITY)):
        for row in ([value], [arb(1), value], [arb(0), value], [value, arb(1)]):
            assert m.sign_on(row, q(0), q(1), q(0)) is None
            assert m.sign_on(row, q(0), q(1), q(1, 2)) is None


def rayleigh(matrix, vectors):
    """The largest <v, A v> / <v, v> of some vectors, a lower bound for the largest eigenvalue of the symmetric part."""
    with precision(TRUTH):
        values = []
        for vector in vectors:
            v = [arb(float(x)) for x in vector]
            image = [sum((a * x for a, x in zip(row, v, strict=True)), arb(0)) for row in matrix]
            # Of floats, read as exact numbers: any vector gives a lower bound, and a good one the sharpest.
            values.append(sum((x * y for x, y in zip(v, image, strict=True)), arb(0)) / sum((x * x for x in v), arb(0)))
        return max(values)


def floats(matrix):
    return np.array([[float(value) for value in row] for row in matrix])


def members(matrix, seed=0):
    """Members of a matrix of balls: ends, middles, and ends at random."""
    # The largest eigenvalue of a matrix of balls may be at mixed ends.
    draw = random.Random(seed)
    for side in (0, 1, 2):
        yield [[ends(value)[side] for value in row] for row in matrix]
    for _ in range(4):
        yield [[ends(value)[draw.choice((0, 2))] for value in row] for row in matrix]


def balls(*rows):
    return [[value if isinstance(value, arb) else arb(value) for value in row] for row in rows]


SQUARES = [
    balls([-5]),
    balls([arb(3, 2)]),
    balls([0, 4], [0, 0]),
    balls([2, 1], [1, -3]),
    balls([arb(-1, 1), arb(0, 0.5)], [arb(-2, 0.25), arb(-4, 3)]),
    balls([arb(0), arb(0, 2)], [arb(0, 2), arb(0)]),
    # What matters stands first, then last: a bound by the first row or the last alone is seen.
    balls([1, 0, 0], [0, 0, 0], [0, 0, 0]),
    balls([0, 0, 0], [0, 0, 0], [0, 0, arb(1, 1)]),
    balls([2, 0, 0], [0, 2, 0], [0, 0, -4]),
    balls([0, 1, 0], [1, 0, 0], [0, 0, -9]),
    balls([-9, 0, 0], [0, 0, -1], [0, -1, 0]),
    balls([6, 2, 2], [2, 6, 2], [2, 2, 6]),
    balls([-1, 3, -3], [3, -1, -3], [-3, -3, -1]),
    balls([0, 6, 6], [0, 0, 6], [0, 0, 0]),
    balls([-100, 0, 0, 0], [0, -100, 0, 0], [0, 0, -101, 0], [0, 0, 0, -100]),
    balls([1, 2, -3], [arb(5, 1), -7, 1], [2, 1, arb(0, 3)]),
]


def the_symmetric_norm_bounds_quadratic_forms(m):
    for matrix in SQUARES:
        for bits in (10, 64):
            with precision(bits):
                bound = m.symmetric_norm(matrix)
            for member in members(matrix):
                array = floats(member)
                vectors = np.linalg.eigh((array + array.T) / 2)[1].T
                # The vectors are floats: less what they may be off by.
                is_bound(bound.upper(), rayleigh(member, vectors) - arb(2) ** -200)
    assert m.symmetric_norm(balls([-3, 1], [-1, -2])) < -1
    # Wherever it stands: a sum over one triangle, or a maximum that skips NaN, would miss it.
    for i, j in itertools.product(range(3), repeat=2):
        for endless in (NAN, INFINITY, arb(0, INFINITY)):
            matrix = balls([1, 2, 3], [4, 5, 6], [7, 8, 9])
            matrix[i][j] = endless
            assert not m.symmetric_norm(matrix).is_finite()


RECTANGLES = [
    *SQUARES,
    balls([3, 0, 0], [0, 1, 0], [0, 0, 1]),
    balls([1, 1], [0, 0]),
    balls([1, 0], [1, 0]),
    balls([1, -2], [-2, 4]),
    # One row and one column, of norm 13.
    balls([3, 4, -12]),
    balls([3], [4], [-12]),
    balls([arb(0, 1), 2, 0], [0, -2, arb(1, 5)]),
    balls([0, 0], [0, 0]),
]


def the_operator_norm_bounds_images(m):
    for matrix in RECTANGLES:
        for bits in (10, 64):
            with precision(bits):
                bound = m.operator_norm(matrix)
            for member in members(matrix):
                direction = np.linalg.svd(floats(member))[2][0]
                with precision(TRUTH):
                    v = [arb(float(x)) for x in direction]
                    image = [sum((a * x for a, x in zip(row, v, strict=True)), arb(0)) for row in member]
                    is_bound(bound.upper(), norm(image) / norm(v) - arb(2) ** -200)
    for endless in (NAN, INFINITY, arb(0, INFINITY)):
        assert not m.operator_norm([[endless]]).is_finite()
        assert not m.operator_norm([[arb(1), arb(2)], [endless, arb(0)]]).is_finite()


def the_euclidean_norm_bounds_every_member(m):
    vectors = [[arb(-3, 1)], [arb(0.125), arb(-0.25)], [arb(0, 1), arb(-5, 2), arb(1)], [arb(2) ** -40] * 3, [arb(0)] * 2]
    for vector, bits in itertools.product(vectors, (10, 64)):
        with precision(bits):
            bound = m.euclidean(vector)
        for member in itertools.product(*(ends(value) for value in vector)):
            is_bound(bound.upper(), norm(member) - arb(2) ** -200)
    for endless in (NAN, INFINITY, arb(0, INFINITY)):
        assert not m.euclidean([endless]).is_finite()
        assert not m.euclidean([arb(1), endless]).is_finite()


def the_smaller_of_two_bounds_on_a_matrix_is_taken(m):
    # Gershgorin's bound and the trace bound, Frobenius' norm and that of sums of lines: each is the sharper one somewhere.
    assert m.symmetric_norm(balls([1, 3], [3, -5])) < 2.25
    assert m.symmetric_norm(balls([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, -9])) < 1.01
    assert m.operator_norm(balls([1, 0, 0], [0, 1, 0], [0, 0, 1])) < 1.01
    assert m.operator_norm(balls([3, 4], [0, 0])) < 5.01


def what_contracts_makes_no_error_grow(m):
    # The error at the start is the largest there is on the way, as one part or as several.
    for parts in (1, 4):
        step = m.certify_step(lambda s: [-3 * s[0]], [exactly(0)], ONE, 2, exactly(1), arb(0.5), arb(64), parts=parts)
        assert step.error == 0.5
        assert step.slope.is_zero()


def tubes_and_boxes_have_room_on_all_sides(m):
    still = lambda s: [0 * s[0]]  # noqa: E731
    # A tube as wide as the error is touched at once: nothing keeps the solution in it.
    assert m.certify_step(still, [exactly(0)], ONE, 2, exactly(1), arb(1), arb(1)) is None
    assert m.certify_step(still, [exactly(0)], ONE, 2, exactly(1), arb(1), arb(1.0625)) is not None
    ball = arb(0.5, 0.5)
    assert picard(m, still, [ball], ONE, 2, [ball], [1]) is None
    assert picard(m, still, [ball], ONE, 2, [arb(0.5, 0.75)], [1]) is not None


PARTITIONS = [[range(3)], [range(2), range(2, 3)], [range(1), range(1, 3)], singles(3)]


def logarithmic_norm_bounds_how_fast_the_largest_block_grows(m):
    matrices = [
        balls([0, 4, 0], [-4, 0, 0], [0, 0, -1]),
        balls([-1, 0, 3], [0, -1, 4], [0, 0, -7]),
        balls([-2, 0, 0], [0, -2, 0], [arb(6, 1), arb(8, 1), -1]),
        balls([-20, 1, 2], [0, -20, 1], [arb(3), 5, -30]),
        balls([1, 2, -3], [arb(5, 1), -7, 1], [2, 1, arb(0, 3)]),
    ]
    draw = np.random.default_rng(1)
    # Weights of 1 and 512 in every order: the quotient counts, and which way round.
    weighted = [(b, powers) for b in PARTITIONS for powers in itertools.product((0, 9), repeat=len(b))]
    for matrix, (blocks, powers) in itertools.product(matrices, weighted):
        weights = [arb(2) ** power for block, power in zip(blocks, powers, strict=True) for _ in block]
        bound = m.logarithmic_norm(matrix, weights, blocks)
        for member in itertools.islice(members(matrix), 4):
            array = floats(member)
            for block in blocks:
                part = array[block.start : block.stop, block.start : block.stop]
                candidates = [*np.linalg.eigh((part + part.T) / 2)[1].T, draw.normal(size=len(block))]
                candidates += [array[block.start : block.stop, c] for c in range(3) if c not in block]
                for v in candidates:
                    # Any direction gives a lower bound: eigenvectors and pulls from outside are nearly sharp.
                    if np.any(v):
                        is_bound(bound.upper(), rate_of_growth(member, weights, blocks, block, v) - arb(2) ** -100)


def rate_of_growth(matrix, weights, blocks, block, v):
    """How fast the norm of block b grows where its error points to v and the others are aligned, all of norm one."""
    with precision(TRUTH):
        v = [arb(float(x)) for x in v]
        size = norm(v)
        v, total = [x / size for x in v], arb(0)
        for other in blocks:
            if other == block:
                for x, i in zip(v, block, strict=True):
                    total += x * sum((matrix[i][j] * y for y, j in zip(v, block, strict=True)), arb(0))
            else:
                pulled = norm(sum((x * matrix[i][j] for x, i in zip(v, block, strict=True)), arb(0)) for j in other)
                total += pulled * weights[other.start] / weights[block.start]
        return total.mid()


def clocks_carry_no_error_and_do_not_count(m):
    matrix = balls([-1, 0, 100], [0, -2, 100], [100, 100, 100])
    # The clock's column of hundreds would decide, if it carried an error.
    bound = m.logarithmic_norm(matrix, exactly(1, 1, 0), singles(3))
    contains(bound, -1)
    assert bound < 0
    contains(m.logarithmic_norm(matrix, exactly(0, 0, 0), singles(3)), 0)
    contains(m.relative_size(exactly(3, 4, 100), exactly(1, 1, 0), [range(2), range(2, 3)]), 5)
    contains(m.relative_size(exactly(3, 4, 100), exactly(0, 0, 0), singles(3)), 0)


def relative_sizes_bound_every_block(m):
    sizes = exactly(3, 4, 12)
    for blocks, powers in itertools.product(PARTITIONS, itertools.product((0, 5, -5), repeat=3)):
        weights = [arb(2) ** power for block, power in zip(blocks, powers, strict=False) for _ in block]
        for bits in (5, 64):
            with precision(bits):
                bound = m.relative_size(sizes, weights, blocks)
            for block in blocks:
                with precision(TRUTH):
                    truth = norm(sizes[i] for i in block) / weights[block.start]
                    is_bound(bound.upper(), truth - arb(2) ** -200)
    assert not m.relative_size([arb(1), INFINITY], exactly(1, 1), [range(2)]).is_finite()
    assert not m.relative_size([NAN, arb(1)], exactly(1, 1), singles(2)).is_finite()


def weights_are_exact_and_equal_in_blocks(m):
    assert m.are_weights(exactly(1, 1, 0, 4), [range(2), range(2, 3), range(3, 4)])
    assert m.are_weights(exactly(1, 2), singles(2))
    pair = [range(2)]
    # Unequal in a block, negative, none, endless, not exact, and a clock in a block with another.
    for bad in ([arb(1), arb(2)], [arb(-1)] * 2, [NAN] * 2, [INFINITY] * 2, [arb(1, 0.5)] * 2, [arb(0), arb(1)]):
        assert not m.are_weights(bad, pair)
    for blocks in ([range(1)], [range(1), range(2)], [range(1, 2), range(1)], [range(3)], [range(1), range(1)], []):
        assert not m.are_weights(exactly(1, 1), blocks)


def clocks_move_at_an_exact_constant_speed(m):
    def field(s):
        # The last has the speed of a clock in a formula that reads a coordinate: that it is constant is not seen.
        return [s[0], q(2), q(1, 3), q(0), 0 * s[0] + 2]

    rows = balls([1], [arb(5, 1), 2], [0, arb(q(1, 3))], [7], [5, 2])
    for i, answer in ((1, True), (3, True), (0, False), (2, False), (4, False)):
        assert m.are_clocks(field, rows, [i]) is answer
    assert m.are_clocks(field, rows, [])
    assert m.are_clocks(field, rows, [1, 3])
    for pair in ([1, 4], [4, 1]):
        assert not m.are_clocks(field, rows, pair)
    # At rest, too fast, of no exact speed, and with higher terms, also with one that may be 0.
    for row in ([5], [5, 3], [5, arb(2, 0.5)], [5, 2, 1], [5, 2, 0, 1], [5, 2, arb(0, 1)]):
        assert not m.are_clocks(field, balls([1], row, [0], [7], [5]), [1])
    assert m.are_clocks(field, balls([1], [5, 2, 0], [0], [7], [5]), [1])


def timed(s):
    """x' = 4 (2 t - 1) x, t' = 1."""
    return [4 * (2 * s[1] - 1) * s[0], q(1)]


def in_time(start, t):
    end = start[1] + t
    return [start[0] * (4 * (end * end - end - start[1] * start[1] + start[1])).exp(), end]


def clocks_run_exactly(m):
    for h, width in itertools.product((q(1, 2), q(1), q(3, 2)), (4, 1024)):
        accepted_claims_hold(
            m, timed, in_time, [[0], [0, 1]], h, [1, 0], 1, widths=[arb(width), arb(2) ** 16], parts=(8, 16), orders=(2,)
        )
    clock = balls([0], [arb(0.5, 0.5), 1])
    step = m.certify_step(timed, clock, q(1, 4), 2, exactly(1, 0), arb(1), arb(64), parts=2)
    with precision(TRUTH):
        # A clock may start anywhere in its ball, and the growth depends on when.
        for begin in (arb(0), arb(0.5), arb(1)):
            is_bound(step.final, in_time([arb(1), begin], arb(0.25))[0])
    for row in ([0], [0, 2], [0, 1, 1]):
        assert m.certify_step(timed, balls([0], row), q(1, 4), 2, exactly(1, 0), arb(1), arb(64)) is None
    assert m.certify_step(lambda s: [s[0], 0 * s[1] + 1], clock, q(1, 4), 2, exactly(1, 0), arb(1), arb(64)) is None


def growth_is_taken_over_the_whole_of_each_part(m):
    for early in (False, True):

        def field(s, early=early):
            # All of the growth is at the beginning, or at the end: taken at one time of the step it would be far off.
            pace = 1 - s[1] if early else s[1]
            return [pace * pace * pace * s[0], q(1)]

        def flow(start, t, early=early):
            whole = (1 - (1 - t) ** 4) / 4 if early else t**4 / 4
            return [start[0] * whole.exp(), t]

        accepted_claims_hold(
            m, field, flow, [[0], [0, 1]], q(1), [1, 0], 1, widths=[arb(1.5), arb(64)], parts=(1, 2, 16), orders=(2,)
        )


def the_end_keeps_the_contraction_and_every_part_counts(m):
    accepted_claims_hold(m, lambda s: [-3 * s[0]], shrunk, [[0]], q(2), [1], 1, widths=[arb(2)], parts=(1, 2, 8))
    # Sound without it, but a chain of steps would lose what contraction gives.
    step = m.certify_step(lambda s: [-3 * s[0]], [exactly(0)], q(2), 2, exactly(1), arb(1), arb(2), parts=4)
    assert step.final < step.error / 100
    # x' = -3 x + 1 from 0 against 0: the defect is still there where the start error is gone.
    away = lambda start, t: [(1 - (-3 * t).exp()) / 3 + start[0] * (-3 * t).exp()]  # noqa: E731
    accepted_claims_hold(m, lambda s: [1 - 3 * s[0]], away, [[0]], q(2), [1], 0.5, widths=[arb(8)], parts=(1, 2, 8))
    # x' = x + 1: in its part the defect swells.
    away = lambda start, t: [(1 + start[0]) * t.exp() - 1]  # noqa: E731
    accepted_claims_hold(m, lambda s: [1 + s[0]], away, [[0]], q(2), [1], 0.5, widths=[arb(64)], parts=(1, 2, 8))
    accepted_claims_hold(
        m, square, squared, [[1] * 12], q(1, 2), [1], 0.0078125, widths=[arb(1)], parts=(4, 16), orders=(8,)
    )


def errors_are_measured_in_blocks(m):
    def turned(start, t):
        c, s, shrink = t.cos(), t.sin(), (-t).exp()
        return [
            shrink * (c * start[0] - s * start[1]),
            shrink * (s * start[0] + c * start[1]),
            start[2] * (-4 * t).exp(),
        ]

    def rotation(s):
        return [-s[0] - s[1], s[0] - s[1], -4 * s[2]]

    blocks = [range(2), range(2, 3)]
    # A turning: coordinate by coordinate it would grow.
    for weights in ([1, 1, 1], [4, 4, 0.5]):
        accepted_claims_hold(m, rotation, turned, [[0], [0], [0]], q(3, 2), weights, 1, blocks=blocks, widths=[arb(2)])

    def sheared(start, t):
        return [start[0] + t * start[2], start[1] + t * start[3], start[2], start[3]]

    pair = [range(2), range(2, 4)]
    # A block that is pulled by another: the quotient of their weights counts.
    for weights in ([1, 1, 8, 8], [8, 8, 1, 1]):
        accepted_claims_hold(
            m,
            lambda s: [s[2], s[3], 0 * s[0], 0 * s[0]],
            sheared,
            [[0]] * 4,
            q(1, 8),
            weights,
            1,
            blocks=pair,
            parts=(2,),
            orders=(1,),
        )
    blown = lambda start, t: [start[0], start[1] * (2 * t).exp()]  # noqa: E731
    accepted_claims_hold(m, lambda s: [0 * s[0], 2 * s[1]], blown, [[0], [0]], q(1), [1, 1], 1, blocks=[range(2)])
    # Defects of 3 and 4 are one of 5.
    drift = lambda start, t: [start[0] + 3 * t, start[1] + 4 * t]  # noqa: E731
    field = lambda s: [3 + 0 * s[0], 4 + 0 * s[0]]  # noqa: E731
    accepted_claims_hold(m, field, drift, [[0], [0]], q(1), [2, 2], 0.5, blocks=[range(2)])


def picard(m, field, start, h, order, box, weights, blocks=None):
    blocks = singles(len(start)) if blocks is None else blocks
    return m.certify_step_by_remainder(field, start, h, order, box, exactly(*weights), blocks)


def remainder_steps_contain_the_solutions_from_the_whole_start(m):
    def spun(start, t):
        c, s = t.cos(), t.sin()
        return [c * start[0] - s * start[1], s * start[0] + c * start[1]]

    def aged(start, t):
        return [*in_time(start[:2], t)]

    def apart(start, t):
        return [start[0], start[1] / (1 - start[1] * t)]

    cases = [
        (square, squared, [arb(1, 0.125)], q(1, 8), [arb(1.25, 0.75)], [1], None),
        (square, squared, [arb(0.5)], q(1, 4), [arb(0.75, 0.625)], [4], None),
        (lambda s: [1 + 0 * s[0]], lambda x, t: [x[0] + t], [arb(0, 1)], q(3), [arb(0, 5)], [1], None),
        (lambda s: [-3 * s[0]], shrunk, [arb(1, 0.25)], q(1, 8), [arb(0.75, 1)], [0.5], None),
        (lambda s: [-s[1], s[0]], spun, [arb(1, 0.25), arb(0, 0.125)], q(1, 4), [arb(1, 1), arb(0.5, 1.25)], [2, 2], 2),
        (lambda s: [-s[1], s[0]], spun, [arb(1, 0.25), arb(0, 0.125)], q(1, 4), [arb(1, 1), arb(0.5, 1.25)], [1, 8], None),
        (
            lambda s: [0 * s[0], s[1] * s[1]],
            apart,
            [arb(0), arb(1, 0.125)],
            q(1, 8),
            [arb(0, 1), arb(1.25, 0.75)],
            [1, 1],
            2,
        ),
        (timed, aged, [arb(1, 0.25), arb(0.25, 0.25)], q(1, 16), [arb(1, 3), arb(0.5, 1)], [1, 0], None),
    ]
    for (field, flow, start, h, box, weights, size), order in itertools.product(cases, (1, 2, 3, 6)):
        blocks = singles(len(start)) if size is None else [range(size)]
        step = picard(m, field, start, h, order, box, weights, blocks)
        assert step is not None
        assert (step.method, step.length) == ("remainder", h)
        for begin, t in itertools.product(itertools.product(*(ends(value) for value in start)), grid(h)):
            for ball, value in zip(step.starts, begin, strict=True):
                contains(ball, value)
            with precision(TRUTH):
                x = flow(list(begin), arb(t))
                for block in blocks:
                    if weights[block.start] == 0:
                        for i in block:
                            contains(polynomial(step.polynomials[i], t), x[i])
                        continue
                    away = norm(x[i] - polynomial(step.polynomials[i], t) for i in block)
                    is_bound(weights[block.start] * (step.error + step.slope * arb(t)), away)
                    if t == h:
                        is_bound(weights[block.start] * step.final, away)


def remainder_steps_stay_in_their_box(m):
    # From 1 the solution reaches its pole at t = 1: no box, however wide, holds it until then.
    for h, (middle, radius), order in itertools.product((q(1), q(3, 2)), [(2, 4), (64, 128), (0, 1)], (1, 4)):
        assert picard(m, square, [arb(1)], h, order, [arb(middle, radius)], [1]) is None
    for box in ([arb(1, 0.0625)], [arb(1.5, 0.25)], [NAN], [arb(0, INFINITY)], [arb(4, 1)]):
        assert picard(m, square, [arb(1)], q(1, 8), 3, box, [1]) is None
    # From 0 to 1 with speed 1: boxes that miss the start, or the end.
    for box in (arb(1, 0.5), arb(0.25, 0.5), arb(-1, 1.5)):
        assert picard(m, lambda s: [1 + 0 * s[0]], [arb(0)], q(1), 3, [box], [1]) is None
    fine = ([arb(1)], q(1, 8), 3, [arb(1, 1)], [1])
    assert picard(m, square, *fine) is not None
    for h, order, weights in ((q(0), 3, [1]), (q(-1, 8), 3, [1]), (q(1, 8), 0, [1]), (q(1, 8), 3, [-1]), (q(1, 8), 3, [0])):
        assert picard(m, square, [arb(1)], h, order, [arb(1, 1)], weights) is None
    assert picard(m, lambda s: [s[0].sqrt()], [arb(1)], q(1, 8), 3, [arb(1, 2)], [1]) is None
    clock = lambda s: [q(1), s[0]]  # noqa: E731
    assert picard(m, clock, [arb(0), arb(0)], q(1), 3, [arb(0, 2), arb(0, 4)], [0, 1]) is not None
    assert picard(m, clock, [arb(0), arb(0)], q(1), 3, [arb(0, 0.5), arb(0, 4)], [0, 1]) is None
    assert picard(m, clock, [arb(0), arb(0)], q(1), 3, [arb(0, 2), arb(0, 4)], [0, 0]) is None


def solutions_through_a_box_have_their_coefficients(m):
    box = [arb(0.5, 0.25)]
    [row] = m.solution_series(square, box, 5)
    assert len(row) == 6
    for x in ends(box[0]):
        with precision(TRUTH):
            for k in range(6):
                contains(row[k], x ** (k + 1))


def drive(m, field, start, horizon, h, order, bits):
    """A chain of steps of one length with nothing proposed well: (begin, step) for each."""
    steps, begin = [], q(0)
    with precision(bits):
        state = [arb(value) for value in start]
        while begin < horizon:
            rows = [[value.mid()] for value in state]
            for k in range(order):
                images = field([arb_series(row, k + 1) for row in rows])
                for row, image in zip(rows, images, strict=True):
                    row.append((m.coefficient(image, k) / (k + 1)).mid())
            error = arb(0)
            for ball in state:
                error = error.max(ball.rad())
            step = None
            # Poorly proposed, on purpose: that a wide tube is accepted must not make the bound wrong.
            # From narrow to wide: the first that is accepted is taken.
            for widening in (2, 4, 16, 64, 256):
                width = (error.abs_upper() * widening + arb(2) ** (-bits // 3)).abs_upper()
                step = step or m.certify_step(field, rows, h, order, [arb(1)] * len(rows), error.abs_upper(), width)
            assert step is not None
            steps.append((begin, step))
            begin, t = begin + h, arb(h)
            radius = arb(0, step.final)
            state = [arb_poly(row)(t) + radius for row in step.polynomials]
    return steps


def chains_of_low_order_contain_the_solution(m):
    def harmonic(t):
        return [t.cos(), t.sin()]

    def logistic(t):
        return [1 / (1 + 9 * (-t).exp())]

    chains = [
        (lambda s: [-s[1], s[0]], [1, 0], harmonic, q(2), q(1, 8)),
        (lambda s: [s[0] * (1 - s[0])], [q(1, 10)], logistic, q(3), q(1, 4)),
        (square, [1], lambda t: squared([arb(1)], t), q(3, 4), q(1, 32)),
    ]
    for (field, start, truth, horizon, h), (order, bits) in itertools.product(chains, [(3, 30), (8, 64)]):
        for begin, step in drive(m, field, start, horizon, h, order, bits):
            for t in grid(h):
                with precision(TRUTH):
                    for row, weight, x in zip(step.polynomials, step.weights, truth(arb(begin + t)), strict=True):
                        is_bound(weight * (step.error + step.slope * arb(t)), abs(x - polynomial(row, t)))
