"""What claims ask under the names of the suite's shares, orbits and hulls, asked of whoever stands there.

Imported, it asks the suite's own modules. As a script it asks those that stand in for them in the checker's process, which
are given on the standard input what the suite stated of points outside of hulls.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

Asked = Iterator[tuple[str, Callable[[], Any]]]
"""The name of a function of the suite, and a call of it."""


def _drawn(rng: random.Random, *shape: int) -> Any:
    """Small whole numbers and halves."""
    import numpy as np
    from flint import fmpq

    from dynamics.arithmetic import exact

    # So few different ones that ties, zeros and points that coincide come up all the time.
    values = [fmpq(rng.randint(-3, 3), rng.choice((1, 1, 2))) for _ in range(int(np.prod(shape, dtype=int)))]
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return exact(array.reshape(shape))


def of_shares(rng: random.Random) -> Asked:
    import numpy as np

    from dynamics import attention

    for lead, n, m, d in product(((), (2,)), (1, 3), (2, 3), (1, 2)):
        scores, points = _drawn(rng, *lead, m, n), _drawn(rng, *lead, n, d)
        mask = np.array([rng.random() < 0.6 for _ in range(scores.size)]).reshape(scores.shape)
        # A row without anybody has no average.
        mask[..., 0] = True
        # Positive, and not all alike: with equal ones a preference would not be seen.
        weights = abs(_drawn(rng, *scores.shape)) + 1
        yield "softmax", partial(attention.softmax, scores)
        yield "attention", partial(attention.attention, _drawn(rng, *lead, m, d), points)
        yield "leaders", partial(attention.leaders, scores)
        for tolerance in (0 * scores[..., :1], 0 * scores[..., :1] + 1, abs(_drawn(rng, *lead, m, 1))):
            yield "near_leaders", partial(attention.near_leaders, scores, tolerance)
        for preference in (1, weights, weights[..., :1, :]):
            yield "shares", partial(attention.shares, mask, points, preference)
            yield "average_over", partial(attention.average_over, mask, points, preference)


def _placed(x: Any, points: Any) -> Any:
    """Convex weights are not unique: of these it is said what they are."""
    from dynamics.geometry import membership

    found = membership(x, points)
    if not found.inside:
        return [found.witness, found.gap]
    return [found.gap, min(found.witness) >= 0, sum(found.witness), found.witness @ points]


def of_hulls(rng: random.Random) -> Asked:
    from dynamics import geometry

    for n, d in product((1, 2, 3, 4), (1, 2)):
        points, others, form = _drawn(rng, n, d), _drawn(rng, 3, d), _drawn(rng, d, d)
        # Anywhere, at a vertex, and inside: on the boundary decisions are closest.
        for x in (*others, points[0], points.sum(axis=0) / n):
            yield "membership", partial(_placed, x, points)
        yield "hull_excess", partial(geometry.hull_excess, points, others)
        yield "squared_distance_to_hull", partial(geometry.squared_distance_to_hull, others, points)
        yield "squared_distances", partial(geometry.squared_distances, others, points)
        yield "squared_distances", partial(geometry.squared_distances, others, points, form)
        yield "diameter_squared", partial(geometry.diameter_squared, points)
        yield "gram", partial(geometry.gram, points)
        yield "probing_directions", partial(geometry.probing_directions, points)
        after, keep = _drawn(rng, n, d), abs(_drawn(rng, 1)[0])
        yield "support_contraction", partial(geometry.support_contraction, points, after, keep)


def of_polytopes(rng: random.Random) -> Asked:
    from dynamics import polytopes

    for n, d in (*product((1, 2, 4, 5), (1, 2)), (5, 3)):
        points, form, others = _drawn(rng, n, d), _drawn(rng, d, d), _drawn(rng, 2, d)
        yield "distinct", partial(polytopes.distinct, points)
        yield "dimension", partial(polytopes.dimension, points)
        yield "vertices", partial(polytopes.vertices, points)
        # Edges and their neighbours are defined of vertices alone.
        corners = points[polytopes.vertices(points)]
        yield "edges", lambda corners=corners: list(polytopes.edges(corners))
        for x in (*others, points[0], points.sum(axis=0) / n):
            yield "smallest_face", partial(polytopes.smallest_face, x, points)
            yield "in_relative_interior", partial(polytopes.in_relative_interior, x, points)
        for v in range(len(corners)):
            yield "neighbours", partial(polytopes.neighbours, corners, v)
            yield "edge_gaps", partial(polytopes.edge_gaps, corners, v, form)
            for w in range(v):
                yield "is_edge", partial(polytopes.is_edge, corners, v, w)
        for gaps in (polytopes.cell_gaps, polytopes.voronoi_gaps, polytopes.power_gaps):
            yield gaps.__name__, partial(gaps, others, points, form)


def _settled(start: Any, steps: int) -> Any:
    from dynamics.orbits.final_neighbours import settle

    found = settle(start, steps)
    return [found.since, found.final.limits, found.final.rates, found.final.geometric, [now.z for now in found.states]]


def of_orbits(rng: random.Random) -> Asked:
    from dynamics.orbits import boxed, cycles, drifting_tails, exact, final_neighbours, gathering
    from dynamics.tokens.hardmax import HardmaxStep
    from dynamics.tokens.localmax import LocalmaxStep

    def parts(decide: Callable[..., Any], *names: str) -> Callable[..., Any]:
        def told(*given: Any) -> Any:
            found = decide(*given)
            return None if found is None else [_plain_states(getattr(found, name)) for name in names]

        return told

    for turn in range(24):
        n, d = rng.randint(2, 4), rng.randint(1, 2)
        z, form = _drawn(rng, n, d), _drawn(rng, d, d)
        # A step of 1 replaces every token: rates are none there, and recurrence is likely.
        gamma, delta = ("1/2", "1/3", 1)[turn % 8 // 3], rng.choice((0, 0, 1, 3))
        f = LocalmaxStep.instance(z=z, A=form, gamma=gamma, delta=delta)
        ruled = LocalmaxStep.instance(z=z, A=form, gamma="1/2", delta=delta, rule=turn % 6)
        yield "orbit", lambda f=f: _plain_states(exact.orbit(f, 3))
        # A few steps: that an orbit is not settled yet is an answer as well.
        yield "settle", partial(_settled, f, 6)
        yield "final", lambda f=f: parts(final_neighbours.final, "limits", "rates", "geometric")(f.averaging())
        yield "limits_of", lambda f=f: final_neighbours.limits_of(f.averaging().W, f.z)
        yield "limit_points", partial(cycles.limit_points, f, 5, 3)
        yield "recurrence", lambda f=f: _plain_states(cycles.recurrence(f, 5))
        yield "same_neighbours", lambda f=f: cycles.same_neighbours(f.averaging(), f.step().averaging())
        # A step of 1 has no rates, and `repeated` is not asked of it.
        if gamma != 1:
            yield "repeated", lambda f=f: cycles.repeated([f.averaging(), f.step().averaging()])
        yield "drifting_tails", partial(parts(drifting_tails.drifting_tails, "limits", "offsets", "drift"), f, turn % 3)
        yield "lasting_turn", partial(parts(boxed.lasting_turn, "states", "limits"), ruled, 4, 2)
        gathered = HardmaxStep.instance(x=z, B=form, P=[[gamma if a == b else 0 for b in range(d)] for a in range(d)])
        yield "gathers_at_origin", lambda f=gathered: gathering.gathers_at_origin(exact.orbit(f, 3))


def of_schedules(rng: random.Random) -> Asked:
    from dynamics.orbits import periodic_ends, vanishing_sensitivity
    from dynamics.tokens.periodic_schedules import PeriodicLocalmax
    from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax

    def ended(f: Any, turns: int) -> Any:
        found = periodic_ends.periodic_end(f, turns, 2)
        return [_plain_states(found.states), found.limits]

    for turn in range(12):
        n, d = rng.randint(2, 3), rng.randint(1, 2)
        z, form = _drawn(rng, n, d), _drawn(rng, d, d)
        gamma = (["1/2", "1/3"], ["1/2", 1], [1, 1])[turn % 3]
        f = PeriodicLocalmax.instance(z=z, A=form, gamma=gamma, delta=[0, rng.randint(0, 2)])
        yield "periodic_end", partial(ended, f, 4)
        g = HarmonicLocalmax.instance(z=z, A=form, gamma=("1/2", "2/3")[turn % 2], c=rng.randint(1, 2), k=turn % 3)
        yield "harmonic_limits", partial(vanishing_sensitivity.harmonic_limits, g, 4)


PARTS = (of_shares, of_hulls, of_polytopes, of_orbits, of_schedules)


def _plain_states(states: Any) -> Any:
    """The arrays of states, and anything else as it is."""
    if isinstance(states, list | tuple) and hasattr(states[0], "arrays"):
        return [list(state.arrays().values()) for state in states]
    return states


def _told(value: Any) -> Any:
    """As plain data: rationals as text, intervals by their ends in floats."""
    import numpy as np
    from flint import arb
    from mpmath import libmp

    from dynamics.choices import plain

    value = plain(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)
    if isinstance(value, list | tuple):
        return [_told(one) for one in value]
    if isinstance(value, arb):
        return [libmp.to_float(end) for end in value.ends] if hasattr(value, "ends") else [float(value.mid())] * 2
    return value if value is None or isinstance(value, bool | int) else str(value)


def said() -> list[list[Any]]:
    """Of each call the name, what it gives or how it fails, and what is told meanwhile."""
    from dynamics import findings

    found: list[list[Any]] = []
    # Both processes draw the same: seeds are all that they share.
    for seed, part in enumerate(PARTS):
        for name, call in part(random.Random(seed)):
            with findings.listening() as heard:
                try:
                    value = _told(call())
                # How it fails is an answer, but for the words.
                except ArithmeticError as error:
                    value = type(error).__name__
                except ValueError:
                    value = "ValueError"
            # Who asks for one alone tells nothing of it.
            found.append([name, value, [] if name in ("membership", "repeated") else heard])
    return found


if __name__ == "__main__":
    from claims.checker.__main__ import forbid_deciding_code

    forbid_deciding_code()
    from dynamics.checker import stand_ins

    stand_ins.STATED = json.loads(sys.stdin.read())
    json.dump(said(), sys.stdout)
