"""The drift from section to section: against loops of steps, and against the radius of a regular simplex."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import working_precision
from dynamics.escapes import sections
from dynamics.escapes.drift import drift_of
from dynamics.tokens.attention_chain import SoftmaxStep
from tests.escapes.chains import published, three_on_a_line, triangle
from tests.planting import LONG, asked_of, one_in


def start_of(x, beta, gamma):
    return SoftmaxStep.instance(x=x, beta=beta, gamma=gamma)


def ring(n, d, seed, beta, gamma):
    """Tokens near a circle, multiples of 1/64."""
    rng = np.random.default_rng(seed)
    angles = 2 * np.pi * (np.arange(n) + rng.uniform(-0.1, 0.1, n)) / n
    x = np.zeros((n, d))
    x[:, 0], x[:, 1] = np.cos(angles), np.sin(angles)
    # Exact in both arithmetics, so that the loop and the sections begin at the same tokens.
    return start_of(np.round(64 * (x + rng.uniform(-0.05, 0.05, (n, d)))) / 64, beta, gamma)


def steps_of(start, most):
    """Tokens after each step, (most + 1, n, d), by a loop of float steps."""
    x = np.array([[float(int(a.p) / int(a.q)) for a in row] for row in start.x.tolist()])
    beta, gamma = (float(int(one.item().p) / int(one.item().q)) for one in (start.beta, start.gamma))
    seen = [x]
    for _ in range(most):
        scores = beta * x @ x.T
        a = np.exp(scores - scores.max(axis=1, keepdims=True))
        x = x + gamma * (a / a.sum(axis=1, keepdims=True) @ x - x)
        seen.append(x)
    return np.array(seen)


STARTS = [
    ring(3, 2, 0, 6, "1/2"), ring(3, 2, 1, 6, "1/4"), ring(3, 3, 3, 6, 1), start_of([[1], [-1]], 3, "1/2"),
    start_of([[1, 0], [0, 1]], 5, "1/8"), ring(3, 2, 1, 8, "1/4"),
]  # fmt: skip


def fact_sections_hold_the_steps(module):
    """The polygon through the steps is in every section after as many steps as it says, and before it where it passed."""
    met = 0
    for start in one_in(2, STARTS):
        shape, seen = start.x.shape, steps_of(start, 3000)
        with working_precision(96 if LONG else 64):
            ell = np.array([[float(a) for a in row] for row in module.drift_from(start)[1].ell])
            ways = ((seen - seen[0]) * ell).sum(axis=(1, 2))
            for k, section in zip(range(80), module.sections(start), strict=False):
                low, high = float(section.steps.lower()), float(section.steps.upper())
                # Too wide to be put to a test, or about to leave what the loop has seen.
                if high - low > 12 or high > 2900:
                    break
                met += 1
                t = float(np.interp(float(section.way), ways, range(len(ways))))
                # Sections are crossed between two steps, where only the polygon is.
                spot = (1 - t % 1) * seen[int(t)] + (t % 1) * seen[int(t) + 1]
                assert low - 1e-6 <= t <= high + 1e-6, k
                box = np.array([[float(a.lower()), float(a.upper())] for a in section.box]).reshape(*shape, 2)
                assert (box[..., 0] - 1e-9 <= spot).all(), k
                assert (spot <= box[..., 1] + 1e-9).all(), k
                last = seen[int(t)]
                passed = np.array([[float(a.lower()), float(a.upper())] for a in section.passed]).reshape(*shape, 2)
                assert (passed[..., 0] - 1e-9 <= last).all(), k
                assert (last <= passed[..., 1] + 1e-9).all(), k
                reach = np.array([float(a) for a in section.reach]).reshape(shape)
                assert int(t) == 0 or (np.abs(seen[int(t)] - seen[int(t) - 1]) <= reach + 1e-9).all(), k
    assert met > (40 if LONG else 20), "most of the way is seen"


def orbit(x, beta, ell, length, parts=400):
    """Tokens (..., n, d) a way along ell later, by the direction of their pulls alone: Runge and Kutta's method."""

    def direction(x):
        a = np.exp(beta * (x @ x.swapaxes(-1, -2) - (x * x).sum(axis=-1, keepdims=True)))
        g = (a / a.sum(axis=-1, keepdims=True)) @ x - x
        return g / (ell * g).sum(axis=(-1, -2), keepdims=True)

    h = length / parts
    for _ in range(parts):
        one = direction(x)
        two = direction(x + h / 2 * one)
        three = direction(x + h / 2 * two)
        x = x + h / 6 * (one + 2 * two + 2 * three + direction(x + h * three))
    return x


def fact_blocks_hold_all_orbits(module):
    """Orbits from all corners of a section, a slanted box, end in the next one, and the points before steps are around."""
    start, rng = ring(3, 2, 4, 16, "1/2"), np.random.default_rng(0)
    slanted = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    with working_precision(96), module.series_precision(96, module.ORDER):
        x, drift = module.drift_from(start)
        Q, r = module.arb_mat(6, 6, list(map(arb, slanted.flat))), module.arb_mat(6, 1, [arb(0, 2.0**-16)] * 6)
        for _ in range(3):
            now = module.CrossSection(arb(0), list(x.flat), Q, r, arb(0), [arb(0)] * 6, list(x.flat))
            following = module._across(drift, now, (3, 2), 0.005)
            c, ell = (np.array([float(a.mid()) for a in part.flat]) for part in (x, drift.ell))
            after = np.array([[float(a.mid()) for a in row] for row in following.Q.tolist()])
            sides = np.array([float(a.rad()) for a in following.r.entries()])
            # Corners: a linear map has its largest values there, and the field is nearly one in so small a box.
            corners = c + 2.0**-16 * rng.choice([-1.0, 1.0], (24, 6)) @ slanted.T
            ends = orbit(corners.reshape(24, 3, 2), 16, ell.reshape(3, 2), float(following.way)).reshape(24, 6)
            at = np.linalg.solve(after, (ends - [float(a) for a in following.c]).T)
            assert (np.abs(at.T) <= sides + 1e-12).all()
            assert np.prod(sides) < 40 * 2.0**-96, "the box is hardly larger"
            x = module._tokens(following.c, (3, 2))
        tube, reach = [a + arb(0, 2.0**-8) for a in x.flat], [arb(k) / 64 for k in range(6)]
        wide, longer = module._with_steps(drift, tube, reach, (3, 2))
        for around, p, e, first in zip(wide.flat, tube, longer, reach, strict=True):
            assert around.contains(p + arb(0, e))
            assert e >= first


def fact_exits_are_those_of_the_loop(module):
    """The first step outside is enclosed, counted one by one or not; the widest enclosure is not the whole."""
    widths = []
    for counted in (0, 3000):
        # With 0 no step is counted one by one; with 3000 every one of them is.
        module.MOST_COUNTED = counted
        for k, parts in one_in(3, ((5, 20), (0, 12), (3, 12), (1, 40))):
            start, eps = STARTS[k], fmpq(1, parts)
            seen = steps_of(start, 3000)
            away = np.sqrt(((seen - seen[0]) ** 2).sum(axis=-1)).max(axis=-1) > int(eps.p) / int(eps.q)
            with working_precision(256 if LONG else 64):
                found = module.leaving(start, eps)
            if counted:
                assert found.low == found.high == int(away.argmax())
            elif found is not None:
                assert found.low <= int(away.argmax())
                assert found.high >= int(away.argmax())
                widths.append(float(found.high - found.low) / int(away.argmax()))
    assert len(widths) > 1
    assert min(widths) < 0.1


# The facts that cost less are asked first of a bug.
FACTS = (fact_blocks_hold_all_orbits, fact_sections_hold_the_steps, fact_exits_are_those_of_the_loop)
test_sections, test_bugs_in_sections = asked_of(sections, FACTS, share=11)


@pytest.mark.skipif(not LONG, reason="every night: hundreds of blocks")
def test_both_ways_of_counting_agree_on_a_simplex():
    with working_precision(128):
        chain = published(4)
        found = sections.leaving(start_of(chain.x, 4, chain.gamma.item()), chain.eps.item())
        radial = drift_of(chain)
    assert radial.low <= found.low <= found.high <= radial.high
    assert found.high / found.low < arb("1.00002")


def test_any_start_of_single_tokens_has_a_drift():
    with working_precision(128):
        if LONG:
            found = drift_of(triangle(8))
            away = steps_of(start_of(triangle(8).x, 8, "1/12"), 30_000)
            first = (np.sqrt(((away - away[0]) ** 2).sum(axis=-1)).max(axis=-1) > 1 / 6).argmax()
            assert found.low <= int(first) <= found.high
            assert found.high / found.low < arb("1.02")
        assert drift_of(triangle(4)).low == 132
        assert drift_of(three_on_a_line()) is not None
        assert drift_of(triangle().replace(group=np.array([0, 0, 1]))) is None
        assert drift_of(triangle(eps="2")) is None, "the drift never goes so far"


def test_a_cold_token_that_moves_alone_has_a_drift():
    """The others are 1e12 times slower: steps are an integral along its way."""
    start = start_of([[1, 0], ["-1/2", "7/8"], ["-1/2", "-3/4"]], 100, 1)
    x, steps, parts = steps_of(start, 0)[0], 0.0, 2000
    for counted in (0, 1) * parts:
        pulls = np.exp(100 * (x - x[2]) @ x[2])
        pull = pulls @ (x - x[2]) / pulls.sum()
        steps += counted / (400 * parts * np.linalg.norm(pull))  # in the middle of each part
        x[2] += pull / np.linalg.norm(pull) / (800 * parts)
    with working_precision(96):
        found = sections.leaving(start, fmpq(1, 400))
    assert 0.9 * steps < found.low < steps < found.high < 1.1 * steps


def test_blocks_are_short_in_narrow_tubes():
    with working_precision(96):
        found = sections.leaving(start_of([[1, 0], [-1, "1/8"]], 20, "1/2"), fmpq(1, 1000))
    assert found.high < 1.1 * found.low


def test_numbers_beyond_floats_are_not_looked_at_in_floats():
    with working_precision(96):
        assert sections.leaving(start_of([[1], [-1]], 2, "1/2"), fmpq(1, 10**400)).high == 1
        assert sections.leaving(start_of([[10**400], [-1]], 2, "1/2"), fmpq(1)) is None


@pytest.mark.skipif(not LONG, reason="every night: colder than any loop")
def test_cold_starts_are_enclosed():
    with working_precision(128):
        found = sections.leaving(start_of(triangle().x, 50, "1/2"), fmpq(1, 8))
    assert arb("1e28") < found.low < found.high < arb("1e32")
    assert found.high / found.low < arb("1.001")
