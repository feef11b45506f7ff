"""Limits under any neighbour rule and under a sensitivity that vanishes: what is said to last does, bugs are caught."""

import numpy as np
import pytest
from flint import fmpq

from claims.instances.draws import SeededDraws
from claims.localmax.setting.ends import self_gaps
from claims.localmax.setting.starts import between_uneven_vertices, cycling_under, rule_start
from claims.localmax.vanishing_sensitivity import harmonic_start
from claims.stating.matrices import definite
from dynamics.arithmetic import exact, inverse_root, numbers
from dynamics.orbits import boxed as boxed_orbits
from dynamics.orbits import vanishing_sensitivity
from dynamics.orbits.cycles import limit_points
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import ADDITIVE, RELATIVE, RULES, WEIGHTED
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax
from tests.planting import LONG, asked_of


def draws(*entropy):
    return SeededDraws(np.random.default_rng(entropy), True, entropy[-1])


# ---------------------------------------------------------------------------------------------------------------------
# What is certain in boxes


def boxes(count):
    """A step, limits, and a box around 0, such that many comparisons are close."""
    for turn in range(count):
        d = draws(11, turn)
        f = rule_start(d)
        f = f.replace(gamma=numbers(fmpq(1, 2)), z=numbers(f.z + d.dyadic(*f.z.shape, size=1, bits=4)))
        sides = [abs(d.dyadic(f.z.shape[1], size=1, bits=3)) / (1, 4, 16)[turn % 3] for _ in range(2)]
        f = f.replace(delta=numbers(near_a_threshold(f, d) * fmpq(63 + d.integer(0, 2), 64)))
        yield f, f.z, -sides[0], sides[1], turn


def near_a_threshold(f, d):
    """A sensitivity at which some pair would be on the edge of the rule, or nearly so."""
    i, j = d.integer(0, len(f.z) - 1), d.integer(0, len(f.z) - 1)
    gap, top, norm = f.gaps()[i, j], max(f.scores()[i]), f.squared_norms()[i]
    if f.which == RELATIVE:
        return gap / top if top > 0 else gap
    return gap * inverse_root(norm, 24, 24) if f.which == WEIGHTED and norm > 0 else gap


def what_is_certain_in_boxes_is_so(module):
    """At no place in a box somebody said to be a neighbour is none, or the reverse; with the corners first."""
    for f, s, low, high, turn in boxes(60):
        apart = np.zeros((len(s),) * 2, dtype=bool)
        near, far = module._certain(f, s, low, high, apart | np.eye(len(s), dtype=bool))
        random = np.random.default_rng([13, turn])
        for trial in range(16):
            part = random.integers(0, 2, s.shape) * 8 if trial < 12 else random.integers(0, 9, s.shape)
            z = numbers(s + low + exact(part) / 8 * (high - low))
            attended = f.replace(z=z).neighbours()
            assert not (near & ~attended).any(), f.to_json()
            assert not (far & attended).any(), f.to_json()


def turns_said_to_repeat_do(module):
    for turn in range(48):
        f = rule_start(draws(17, turn)) if turn % 3 else cycling_under(turn // 3 % len(RULES), draws(19, turn))
        states = [f]
        for _ in range(5):
            states.append(states[-1].step())
        for p in (1, 2):
            found = module.repeated(states[-p:])
            now = states[-p]
            for k in range(16 if found else 0):
                assert (now.neighbours() == found.states[k % p].neighbours()).all(), f.to_json()
                now = now.step()


def a_box_holds_all_offsets_and_0(module):
    for turn in range(12):
        e = numbers(draws(37, turn).dyadic(1 + turn % 3, 2, size=2))
        low, high = module._box(e)
        assert (low <= np.minimum(e, 0)).all()
        assert (np.maximum(e, 0) <= high).all()


def at_points_everything_is_certain(module):
    """Boxes that are one point, often on the edge of the rule: there it is certain who is a neighbour and who is not."""
    for f, s, low, _, _ in boxes(60):
        near, far = module._certain(f, s, 0 * low, 0 * low, np.eye(len(s), dtype=bool))
        attended = f.neighbours()
        assert (near == attended).all(), f.to_json()
        assert (far != attended).all(), f.to_json()


FACTS = (
    a_box_holds_all_offsets_and_0,
    at_points_everything_is_certain,
    what_is_certain_in_boxes_is_so,
    turns_said_to_repeat_do,
)


def test_the_boxes_are_not_vacuous():
    told = [boxed_orbits._certain(f, s, low, high, np.eye(len(s), dtype=bool)) for f, s, low, high, _ in boxes(60)]
    known = sum(int(near.sum()) + int(far.sum()) for near, far in told)
    assert known > sum(near.size for near, _ in told) / 2


test_boxes, test_bugs_in_boxes = asked_of(boxed_orbits, FACTS, "boxes")


def test_boxes_and_rates_agree_on_limits():
    agreed = 0
    for turn in range(24):
        f = rule_start(draws(23, turn)).replace(rule=np.array(ADDITIVE))
        try:
            by_boxes, by_rates = boxed_orbits.lasting_turn(f, 16).limits, limit_points(f, 24)
        except NotSettledError:
            continue
        assert sorted(map(str, by_boxes.tolist())) == sorted(map(str, by_rates.tolist()))
        agreed += 1
    assert agreed > 8


def a_cycle(rule):
    """The first that is certain among some starts."""
    for turn in range(6):
        try:
            return boxed_orbits.lasting_turn(cycling_under(rule, draws(29, turn)), 4)
        except NotSettledError:
            continue
    raise AssertionError("no cycle is certain")


@pytest.mark.parametrize("rule", range(len(RULES)))
def test_a_cycle_is_found_under_every_rule(rule):
    turn = a_cycle(rule)
    assert len(turn.states) == 2
    assert (turn.limits[0] != turn.limits[1]).any()


def test_every_phase_of_a_turn_must_stay(monkeypatch):
    states = a_cycle(ADDITIVE).states
    assert boxed_orbits.repeated(states) is not None
    answers = iter([True, False])
    monkeypatch.setattr(boxed_orbits, "_stays", lambda *given: next(answers))
    assert boxed_orbits.repeated(states) is None


# ---------------------------------------------------------------------------------------------------------------------
# A sensitivity that vanishes


def harmonic(z, c, gamma="1/2"):
    return HarmonicLocalmax.instance(z=z, c=c, gamma=gamma)


def final_neighbours_stay(module):
    """No step from which on neighbours are said to be final, and change."""
    starts = [
        harmonic([[1], ["63/64"], [-3]], c, gamma) for c in ("1/8", "1/64", 1, 40) for gamma in ("1/64", "1/2", "7/8")
    ]
    starts += [harmonic([[2, 1], ["31/16", 1], [2, "-33/32"], [-3, 0]], c, "1/16") for c in ("1/4", 1, 6)]
    # The three low tokens of the cluster come to attend to the last one, whose gap falls faster than the sensitivity.
    late = harmonic([["19/4"], ["15/4"], ["15/4"], ["15/4"], [-5]], 36300)
    starts.append(late.replace(k=np.array(999)))
    for turn in range(6):
        f, k = between_uneven_vertices(draws(41, turn)), (0, 4, 16)[turn % 3]
        starts.append(HarmonicLocalmax(z=f.z, A=f.A, gamma=f.gamma, c=f.delta * (k + 1), k=np.array(k)))
    for turn in range(24 if LONG else 6):
        f = harmonic_start(draws(31, turn))
        starts.append(f.replace(A=numbers(definite(f.A))))
    for f in starts:
        now = f
        for _ in range(8):
            averaging = now.now().averaging()
            s = module.limits_of(averaging.W, now.z)
            if module._neighbours_stay(averaging, s, module._rates(averaging, s), int(now.k.item())):
                later = now
                for _ in range(48):
                    later = later.step()
                    assert (later.now().neighbours() == (averaging.W != 0)).all(), f.to_json()
            now = now.step()


test_races, test_bugs_in_races = asked_of(vanishing_sensitivity, [final_neighbours_stay], "races")


def test_limits_of_a_vanishing_sensitivity_are_aligned_and_not_those_of_hardmax():
    f = harmonic([[1], ["1/2"]], 1)
    s = vanishing_sensitivity.harmonic_limits(f, 20)
    assert s.tolist() == [[fmpq(3, 4)], [fmpq(3, 4)]]  # hardmax: 1
    assert (self_gaps(s, f.A) == 0).all()


def test_bad_harmonic_steps_are_refused():
    with pytest.raises(ValueError, match="c must be at least 0"):
        harmonic([[1]], -1)
    with pytest.raises(ValueError, match="k counts steps"):
        HarmonicLocalmax.instance(z=[[1]], k=-1)
