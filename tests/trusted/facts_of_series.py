"""Facts about a module m like dynamics.trusted.taylor: numbers, series, polynomials and their bounds."""

from __future__ import annotations

import itertools
import math
import types

import flint
from flint import arb, arb_series

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


def unknown_coefficients_are_refused(m):
    # Beyond its length flint answers 0, for what it does not know, too.
    short = arb_series([1, 2], 2)
    for series in (short, short * arb_series([1, 1], 6), short.exp()):
        contains(m.coefficient(series, 1), series[1])
        refuses(m.coefficient, series, 2)
        refuses(m.coefficient, series, 7)
    refuses(m.coefficient, 0.5, 0)


def a_constant_has_one_coefficient(m):
    for seven in (7, q(7), arb(7)):
        contains(m.coefficient(seven, 0), 7)
        for k in (1, 5):
            contains(m.coefficient(seven, k), 0)


def evaluation_contains_every_choice_of_coefficients_and_time(m):
    # Coefficients that are not known exactly, last, in the middle and first; times around 0 and away from it.
    rows = [
        [arb(0), arb(0), arb(0), arb(1, 0.5)],
        [arb(-1), arb(2, 3), arb(0), arb(-0.5, 0.25)],
        [arb(1), arb(-1)],
        [arb(3, 2)],
    ]
    for row, t in itertools.product(rows, [arb(5, 5), arb(0), arb(-1, 0.5), arb(0.0625, 0.03125)]):
        value = m.evaluate(row, t)
        for member, side in itertools.product(ends(t), (0, 1, 2)):
            contains(value, polynomial([ends(c)[side] for c in row], member))


def a_span_contains_the_interval(m):
    for bits, (low, high) in itertools.product((10, 64), [(q(1, 3), q(2, 3)), (q(-7, 11), q(5)), (q(1, 7), q(1, 7))]):
        # Ends that no ball of ten bits has exactly: its radius must make up for what the middle is rounded.
        with precision(bits):
            ball = m.span(low, high)
        for k in range(9):
            contains(ball, low + (high - low) * k / 8)


def upper_bounds_every_absolute_value(m):
    with precision(10):
        # The larger end on either side, no middle, and numbers that ten bits do not hold.
        balls = [arb(-3, 1), arb(3, 1), arb(0, 2), arb(q(1, 3)), arb(q(-1, 3)), arb(-1e30, 1), arb(0)]
        bounds = [m.upper(ball) for ball in balls]
    for ball, bound in zip(balls, bounds, strict=True):
        assert bound.is_exact()
        for member in ends(ball):
            is_bound(bound, abs(member))
    for endless in (INFINITY, NAN, arb(0, INFINITY)):
        assert not m.upper(endless).is_finite()


def the_largest_is_at_least_each(m):
    wide, narrow, low = arb(0, 10), arb(1, 1), arb(-5, 1)
    for values in itertools.permutations([wide, narrow, low]):
        for members in itertools.product(*(ends(value) for value in values)):
            contains(m.largest_size(values), max(members))
    # A comparison with NaN is false, so that a running maximum would forget it in either place.
    for values in ([NAN, arb(1)], [arb(1), NAN], [arb(1), NAN, arb(2)], [arb(0, INFINITY), arb(1)]):
        assert not m.largest_size(values).is_finite()


def a_shifted_series_has_the_coefficients_around_every_point(m):
    row = exactly(1, -2, 0, 3, 5, -7, 4)
    for t, length in itertools.product([arb(0), arb(1, 1), arb(-0.5, 0.125)], (1, 3, 7, 9)):
        series = m.series_at(row, t, length)
        for member, k in itertools.product(ends(t), range(length)):
            derived = [math.comb(j, k) * row[j] for j in range(k, len(row))]
            contains(series[k], polynomial(derived, member))


def a_series_longer_than_the_cap_is_refused(m):
    # Flint cuts at its cap without a word, and the remainder would be lost.
    flint.ctx.cap = 3
    contains(m.series_at(exactly(1, 2), arb(0), 3)[1], 2)
    refuses(m.series_at, exactly(1, 2), arb(0), 4)
    refuses(m.expansion, lambda s: s, [exactly(1, 2)], q(0), q(1), q(0), 3)


def ratio(s):
    return [1 / (4 + s[0])]


def exponential(s):
    return [s[0].exp()]


def product(s):
    return [s[0] * s[1], s[1].exp()]


def constant(s):
    return [q(3, 7)] * len(s)


def identity(s):
    return list(s)


HIGH = [*[0] * 6, 1]
"""t^6: at low order every coefficient at 0 vanishes, and the remainder is all there is."""

CURVES = [
    (identity, [HIGH]),
    (identity, [[2, -1, 0.5]]),
    (exponential, [[0, 1]]),
    (exponential, [[0, -2]]),
    (exponential, [HIGH]),
    (ratio, [[0, 1]]),
    (ratio, [[1, 0, 0.5]]),
    (product, [[1, 2, 3, 4, 5, 6], [0, -1, 0, 0.25]]),
    (product, [[0, 0, 1], HIGH]),
    (constant, [[0, 1, 2], [5]]),
]


def remainder_is_taken_over_the_whole_step(m):
    # Centres at the beginning, in the middle, at the end, and at a place that is not dyadic.
    windows = [(q(0), q(1, 8), q(0)), (q(0), q(1), q(1, 2)), (q(1, 3), q(2), q(2)), (q(1, 7), q(2, 7), q(1, 5))]
    for (formula, rows), window, order, pieces in itertools.product(CURVES, windows, range(5), (1, 3)):
        polynomials, (low, high, center) = [exactly(*row) for row in rows], window
        expansion = m.expansion(formula, polynomials, low, high, center, order, pieces)
        for t in grid(high - low, 6):
            with precision(TRUTH):
                truths = formula([polynomial(row, low + t) for row in polynomials])
            for row, truth in zip(expansion, truths, strict=True):
                assert len(row) == order + 1
                contains(polynomial(row, low + t - center), truth)
    # With no part at all every bound would hold of nothing.
    refuses(m.expansion, identity, [exactly(1, 2)], q(0), q(1), q(0), 1, 0)


def coefficients_below_the_remainder_are_those_at_zero(m):
    # A function that starts at exactly zero is only decided when its first coefficients are exact.
    [row] = m.expansion(lambda s: [3 * s[0] * s[0]], [exactly(0, 1, 1)], q(0), q(1), q(0), 3)
    assert [value.is_exact() for value in row] == [True, True, True, False]
    for k, value in enumerate((0, 0, 3)):
        contains(row[k], value)


def centers_are_not_rounded(m):
    with precision(10):
        [row] = m.expansion(identity, [exactly(0, 1)], q(0), q(1), q(1, 3), 2)
    contains(row[0], q(1, 3))


def defect_bounds_the_residual_of_every_coordinate(m):
    # Two polynomials whose slope changes its sign within the step, against a field of none.
    curves = [*CURVES, (lambda s: [0 * s[0]], [[0, 1, -0.5]]), (lambda s: [0 * s[0]], [[1, -1, 0, 0, 0, 0, 0, 3]])]
    for (field, rows), h, order in itertools.product(curves, [q(1, 8), q(1, 3), q(1), q(2)], range(5)):
        polynomials = [exactly(*row) for row in rows]
        bounds = m.defect(field, polynomials, h, order, 1 + order % 3)
        for t in grid(h):
            with precision(TRUTH):
                images = field([polynomial(row, t) for row in polynomials])
            for row, image, bound in zip(polynomials, images, bounds, strict=True):
                with precision(TRUTH):
                    slope = polynomial([k * value for k, value in enumerate(row)][1:], t)
                    is_bound(bound, abs(slope - image))


def defect_is_rounded_up(m):
    for p in range(1, 40):
        # No ball of ten bits has these exactly: over forty of them a bound that is rounded to nearest is below one.
        c, h = q(p, 7), q(p, 11)
        with precision(10):
            [bound] = m.defect(lambda s, c=c: [c + 0 * s[0]], [exactly(0, 0, -1, 0, -1)], h, 2)
        assert bound.is_exact()
        is_bound(bound, c + 2 * h + 4 * h**3)


def jacobian_contains_the_derivatives_at_every_corner(m):
    def formula(s):
        return [s[0] * s[0] * s[1], s[0].exp() + 3 * s[1], q(5)]

    # More images than coordinates, and as many: the row of a constant must be there, of zeros.
    box = [arb(1, 0.5), arb(-2, 1)]
    full, square = m.jacobian_over_box(formula, box), m.jacobian_over_box(lambda s: formula(s)[:2], box)
    assert [len(row) for row in full] == [2, 2, 2]
    for x, y in itertools.product(*(ends(value) for value in box)):
        with precision(TRUTH):
            truth = [[2 * x * y, x * x], [x.exp(), arb(3)], [arb(0), arb(0)]]
        for rows in (full, square):
            for row, values in zip(rows, truth, strict=False):
                for value, exact in zip(row, values, strict=True):
                    contains(value, exact)
    refuses(m.jacobian_over_box, lambda s: [1 / s[0]], [arb(0, 1)])


def logarithmic_norm_bounds_every_member(m):
    matrices = [
        [[arb(-5)]],
        [[arb(3, 2)]],
        [[arb(-3, 1), arb(0)], [arb(0), arb(-4, 3)]],
        [[arb(-1), arb(-2, 1)], [arb(0, 3), arb(0)]],
        [[arb(0), arb(4)], [arb(0.25), arb(0)]],
        [[arb(0), arb(-3), arb(0)], [arb(0), arb(0), arb(0)], [arb(0), arb(0), arb(0)]],
        [[arb(0), arb(0), arb(0)], [arb(0), arb(0), arb(0)], [arb(-5), arb(2, 2), arb(-1)]],
        [[arb(1), arb(2), arb(-3)], [arb(5, 1), arb(-7), arb(1)], [arb(2), arb(1), arb(0)]],
    ]
    for matrix in matrices:
        n = len(matrix)
        # Weights so far apart that a quotient turned round is seen in every entry.
        for weights in itertools.product([arb(1), arb(1024), arb(2) ** -20], repeat=n):
            bound = m.logarithmic_norm(matrix, weights, singles(n))
            for side in range(3):
                with precision(TRUTH):
                    member = [[ends(value)[side] for value in row] for row in matrix]
                    truth = max(
                        member[i][i]
                        + sum((abs(member[i][j]) * weights[j] / weights[i] for j in range(n) if j != i), arb(0))
                        for i in range(n)
                    )
                    is_bound(bound.upper(), truth)


def logarithmic_norm_of_a_contraction_is_negative(m):
    bound = m.logarithmic_norm([[arb(-3), arb(1)], [arb(-0.5), arb(-2)]], exactly(1, 1), singles(2))
    contains(bound, q(-3, 2))
    assert bound < 0
    # By rows it would be 2: only as one block a turning does not grow.
    assert m.logarithmic_norm([[arb(-3), arb(5)], [arb(-5), arb(-3)]], exactly(1, 1), [range(2)]) < 0


def tube_contains_the_polynomial_and_the_error(m):
    polynomials = [exactly(0, 4), exactly(1, -3, 0, 2), exactly(*HIGH), [], exactly(7)]
    weights = exactly(1, 1024, 0.0078125, 3, 5)
    # Widths that count beside the polynomial, that hardly do, and that are all there is.
    for h, width in itertools.product([q(1, 3), q(2)], [arb(0.25), arb(2) ** -40, arb(8)]):
        for begin, end in ((q(0), h), (h / 3, h), (q(0), h / 2)):
            tube = m.tube_around(polynomials, begin, end, weights, width)
            for t, side in itertools.product(grid(end - begin), (-1, 1)):
                for row, weight, ball in zip(polynomials, weights, tube, strict=True):
                    with precision(TRUTH):
                        contains(ball, polynomial(row, begin + t) + side * weight * width)


DOUBLING = [arb(2) ** k for k in range(-12, 7)]


def singles(n):
    """A block for each coordinate."""
    return [range(i, i + 1) for i in range(n)]


def accepted_claims_hold(
    m, field, flow, rows, h, weights, error, *, orders=(0, 1, 2, 5), widths=DOUBLING, blocks=None, parts=None
):
    """The two narrowest tubes that are accepted, of the given ones, hold the solutions from all sides of the start.

    `flow(start, t)` is the exact solution.
    """
    polynomials, weights, [error] = [exactly(*row) for row in rows], exactly(*weights), exactly(error)
    # The narrowest tube has the sharpest claims, and the next one is found by another way through the code.
    known = singles(len(rows)) if blocks is None else blocks
    cases = [(order, count) for order in orders for count in parts or (1 + 3 * (order % 2),)]
    for order, count in cases:
        steps = ((w, m.certify_step(field, polynomials, h, order, weights, error, w, blocks, count)) for w in widths)
        accepted = list(itertools.islice(((width, step) for width, step in steps if step), 2))
        # A step that refuses everything is sound.
        assert accepted, "nothing was accepted, so nothing is checked"
        with precision(TRUTH):
            for sides in itertools.product(*(directions(len(block)) for block in known)):
                aside = [part for side in sides for part in side]
                start = [arb(row[0]) + s * w * error for row, w, s in zip(polynomials, weights, aside, strict=True)]
                for t in grid(h):
                    ends_at = flow(start, arb(t))
                    for block, (width, step) in itertools.product(known, accepted):
                        away = norm(ends_at[i] - polynomial(polynomials[i], t) for i in block)
                        is_bound(weights[block.start] * width, away)
                        is_bound(weights[block.start] * (step.error + step.slope * arb(t)), away)
                        if t == h:
                            is_bound(weights[block.start] * step.final, away)


def norm(values):
    """The Euclidean norm at TRUTH bits."""
    with precision(TRUTH):
        return sum((arb(value) ** 2 for value in values), arb(0)).sqrt()


def directions(d):
    """Vectors of length at most one, exactly one along the axes."""
    if d == 1:
        return [[-1], [1]]
    axes = [[s if i == j else 0 for j in range(d)] for i in range(d) for s in (-1, 1)]
    # Rounded down, so that a corner is not a little outside of the ball of radius one.
    shrunk = math.floor(2**20 / math.sqrt(d)) / 2**20
    return axes + [[s * shrunk for s in signs] for signs in itertools.product((-1, 1), repeat=d)]


def grown(start, t):
    return [start[0] * t.exp()]


def shrunk(start, t):
    return [start[0] * (-3 * t).exp()]


def square(s):
    return [s[0] * s[0]]


def squared(start, t):
    return [start[0] / (1 - start[0] * t)]


def start_errors_grow_in_expansive_systems(m):
    for h in (q(1, 2), q(2)):
        accepted_claims_hold(m, lambda s: [s[0]], grown, [[0]], h, [1], 1, widths=[arb(k) / 8 for k in range(8, 160, 3)])


def start_errors_do_not_shrink_before_their_time(m):
    for h in (q(1, 2), q(2)):
        # At the end the error is small; before it, it is what it was at the start.
        accepted_claims_hold(m, lambda s: [-3 * s[0]], shrunk, [[0]], h, [1], 1)


def off_diagonal_terms_count_with_either_sign(m):
    def symmetric(c):
        def flow(start, t):
            cosh, sinh = (c * t).cosh(), (c * t).sinh()
            return [start[0] * cosh + start[1] * sinh, start[1] * cosh + start[0] * sinh]

        return flow

    # A growth taken from the sum of entries, and not of their sizes, would be -1 for one of the two.
    for c in (1, -1):
        accepted_claims_hold(m, lambda s, c=c: [c * s[1], c * s[0]], symmetric(c), [[0], [0]], q(3, 2), [1, 1], 1)


def ratios_of_weights_count(m):
    def flow(start, t):
        return [start[0] + t * start[1], start[1]]

    for weights in ([1, 64], [64, 1], [0.015625, 1]):
        accepted_claims_hold(
            m,
            lambda s: [s[1], 0 * s[0]],
            flow,
            [[1, 2], [2]],
            q(1, 32),
            weights,
            1,
            widths=[arb(k) / 8 for k in range(5, 90, 6)],
        )


def a_constant_defect_accumulates_over_the_step(m):
    def flow(c):
        return lambda start, t: [x + c * t for x in start]

    for h, weight in itertools.product([q(1, 2), q(2)], [1, 0.0625, 16]):
        widths = [arb(k) * 3 * arb(h) / weight / 8 for k in range(1, 20)]
        # A still polynomial and one that goes the other way: the defect is 3 in both.
        for p in ([0], [5, -1]):
            c = 3 if p == [0] else 2
            for error in (0, 0.5):
                accepted_claims_hold(
                    m,
                    lambda s, c=c: [c + 0 * s[0]],
                    flow(c),
                    [p],
                    h,
                    [weight],
                    error,
                    widths=[w + error for w in widths],
                    orders=(0, 2),
                )


def the_defect_of_each_coordinate_counts_with_its_own_weight(m):
    def flow(start, t):
        return [start[0] + 3 * t, start[1] + 5 * t]

    for weights in itertools.product([1, 8], repeat=2):
        accepted_claims_hold(m, lambda s: [3 + 0 * s[0], 5 + 0 * s[0]], flow, [[0], [0]], q(1), weights, 0)


def the_defect_grows_too(m):
    # x' = x + 1 from 0 against the polynomial 0: the defect is 1, the truth e^t - 1.
    def flow(start, t):
        return [(start[0] + 1) * t.exp() - 1]

    widths = [arb(k) / 4 for k in range(1, 80, 3)]
    accepted_claims_hold(m, lambda s: [s[0] + 1], flow, [[0]], q(2), [1], 0, widths=widths)
    accepted_claims_hold(m, lambda s: [s[0] + 1], flow, [[0]], q(1, 2), [1], 0.25)


def growth_is_taken_over_the_whole_tube(m):
    widths = [arb(k) / 64 for k in range(1, 80, 3)]
    accepted_claims_hold(m, square, squared, [[0]], q(1, 2), [1], 0.25, widths=widths)
    accepted_claims_hold(m, square, squared, [[1, 1, 1]], q(1, 4), [1], 0, widths=widths, orders=(0, 1, 3, 6))
    accepted_claims_hold(m, square, squared, [[1, 1, 1, 1, 1, 1]], q(1, 4), [1], 0.015625, widths=widths, orders=(3, 6))


def no_step_crosses_a_pole(m):
    # Ever better proposals up to the pole at t = 1, and some that jump over it.
    rows = [[1], [1, 1], [1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1], [1, 16], [1, 0, 0, 400]]
    for row, h, order, k in itertools.product(rows, (q(1), q(3, 2)), (1, 4), range(-6, 12)):
        assert m.certify_step(square, [exactly(*row)], h, order, exactly(1), arb(0), arb(2) ** k, parts=2) is None


def no_tube_reaches_outside_the_domain(m):
    fields = [lambda s: [s[0].log()], lambda s: [s[0].sqrt()], lambda s: [1 / s[0]], lambda s: [0 * s[0], s[1].log()]]
    for field in fields:
        rows = [exactly(1)] if len(field([arb_series([1], 2)] * 2)) == 1 else [exactly(1)] * 2
        # A tube around 1 that holds 0 and more: there the fields have no value.
        for width in (arb(2), INFINITY, NAN):
            try:
                step = m.certify_step(field, rows, q(1, 64), 3, exactly(1) * len(rows), arb(0), width)
            except (ValueError, ZeroDivisionError):
                continue
            assert step is None


def nonsense_is_never_certified(m):
    def certify(h=ONE, weights=(1,), error=0, width=4, rows=((0,),), field=lambda s: [0 * x for x in s], **more):
        polynomials = [[arb(value) for value in row] for row in rows]
        return m.certify_step(field, polynomials, h, 2, [arb(w) for w in weights], arb(error), arb(width), **more)

    assert certify() is not None
    assert certify(rows=((0,), (0,)), weights=(1, 1)) is not None
    for h in (q(0), q(-1), q(-1, 1000)):
        assert certify(h=h) is None
        assert certify(h=h, field=lambda s: [1 - s[0]]) is None
    # A weight of 0 is a clock's, and of `0 * x` it is not seen that it is constant.
    for weight in (0, -1, NAN, arb(1, 2)):
        assert certify(weights=(weight,)) is None
        assert certify(weights=(1, weight), rows=((0,), (0,))) is None
    for error in (-1, NAN, INFINITY, arb(0, 1), arb(1, 0.5)):
        assert certify(error=error) is None
    for width in (0, -1, NAN):
        assert certify(width=width, error=0.5) is None
    for value in (NAN, INFINITY, arb(0, INFINITY)):
        assert certify(rows=((0, value),)) is None
        assert certify(rows=((value,),)) is None
    assert certify(weights=(INFINITY,)) is None
    for parts in (-1, 0):
        assert certify(parts=parts) is None
    # The error at the end is 4/3: the tube that is as wide as the nearest float is not certainly wide enough.
    doubtful = {"h": q(1, 3), "error": 1, "field": lambda s: [1 + 0 * s[0]]}
    assert certify(**doubtful) is not None
    assert certify(**doubtful, width=(1 + arb(q(1, 3))).mid()) is None
    # Blocks that leave a coordinate out, hold one twice, stand in another order, or reach too far.
    two = {"rows": ((0,), (0,)), "weights": (1, 1)}
    assert certify(**two, blocks=[range(2)]) is not None
    for blocks in ([range(1)], [range(2), range(2)], [range(1, 2), range(1)], [range(3)]):
        assert certify(**two, blocks=blocks) is None
    assert certify(rows=((0,), (0,)), weights=(1, 2), blocks=[range(2)]) is None

    def known(growth):
        return types.SimpleNamespace(defect=lambda *_: [arb(0)], growth=lambda *_: growth)

    assert certify(own=known(arb(0))) is not None
    # Minus infinity, too, is no number: nothing follows from it.
    for value in (NAN, INFINITY, -INFINITY, arb(0, INFINITY), arb("1e400000000000")):
        assert certify(own=known(value)) is None


def step_bounds_are_rounded_up(m):
    # At 10 bits the exact answer lies between two neighbours: e^h for a start error, c t / w for a defect.
    for p in range(1, 25):
        h = q(p, 37)
        with precision(10):
            step = m.certify_step(lambda s: [s[0]], [exactly(0)], h, 2, exactly(1), arb(1), arb(64))
        with precision(TRUTH):
            is_bound(step.error, arb(h).exp())
        with precision(10):
            step = m.certify_step(lambda s, p=p: [q(p) + 0 * s[0]], [exactly(0)], h, 2, exactly(3), arb(0), arb(64))
        is_bound(step.slope, q(p, 3))
        with precision(10):
            step = m.certify_step(lambda s: [-s[0]], [exactly(0)], h, 2, exactly(1), arb(1), arb(64))
        assert step.final.is_exact()
        with precision(TRUTH):
            is_bound(step.final, (-arb(h)).exp())


def bounds_grow_with_the_start_error_the_step_and_the_tube(m):
    def certify(h=ONE / 8, error=0.0625, width=1):
        return m.certify_step(square, [exactly(1, 1, 1)], h, 3, exactly(1), *exactly(error, width))

    small = certify()
    # Not less, and no more is asked: balls of this precision may not tell them apart.
    for large in (certify(h=q(1, 7)), certify(error=0.09375), certify(width=1.25)):
        assert not large.error < small.error
        assert not large.slope < small.slope


def growth_by_exactly_nothing_keeps_the_start_error(m):
    step = m.certify_step(lambda s: [0 * s[0]], [exactly(0)], q(1), 2, exactly(1), arb(0.5), arb(1))
    is_bound(step.error, 0.5)
    assert m.certify_step(lambda s: [0 * s[0]], [exactly(0)], q(1), 2, exactly(1), arb(0), arb(1)).error.is_zero()


def functions_along_a_step_are_widened_by_all_that_x_may_differ(m):
    def difference(s):
        return [s[0] - 3 * s[1], s[0] * s[1], s[1].exp(), q(2), s[0] * s[0]]

    rows, weights = [exactly(1, 2), exactly(0, 0, 0.25)], exactly(0.5, 4)
    windows = [(q(0), q(1), q(0)), (q(0), q(1), q(1, 2)), (q(1, 3), q(1), q(1)), (q(9, 10), q(1), q(19, 20))]
    for h, window, order, (error, slope) in itertools.product(
        [q(1, 4), q(3)], windows, (1, 2, 4), [(0, 0.5), (0.25, 0), (0.125, 0.5), (4, 16)]
    ):
        low, high, center = (h * share for share in window)
        step = step_by_hand(m, rows, h, weights, error, slope)
        enclosures = m.along(step, difference, low, high, center, order)
        for t, signs in itertools.product(grid(high - low, 3), itertools.product((-1, 1), repeat=2)):
            with precision(TRUTH):
                x = [
                    polynomial(row, low + t) + sign * weight * (step.error + step.slope * arb(low + t))
                    for row, weight, sign in zip(rows, weights, signs, strict=True)
                ]
                for row, truth in zip(enclosures, difference(x), strict=True):
                    contains(polynomial(row, low + t - center), truth)


def step_by_hand(m, rows, h, weights, error, slope, final=None, blocks=None):
    [error], [slope] = exactly(error), exactly(slope)
    final = (error + slope * arb(h)).upper() if final is None else arb(final)
    blocks = singles(len(rows)) if blocks is None else blocks
    return m.CertifiedStep(rows, h, weights, error, slope, final, error, blocks=blocks)
