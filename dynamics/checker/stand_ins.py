"""The checker's own steps, orbits and hulls, under the names that claims use.

A slack says `settle(f, 60)`, `f.step()` or `vertices(x)`. In the checker's process these names mean what is restated in
:mod:`dynamics.checker.steps`, :mod:`dynamics.checker.orbits` and :mod:`dynamics.checker.polytopes`, in Fractions alone, and
in :mod:`dynamics.checker.token_traps`, in intervals: the modules that decided first cannot be imported there, and the step
maps keep no more of theirs than the names of their arrays. This module translates between arrays and lists. It belongs in a
process in which :mod:`dynamics.checker.flint_stand_in` is in the place of flint.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import islice
from types import ModuleType
from typing import Any

import numpy as np

from dynamics.arithmetic import Array, UndecidedError, numbers, rational
from dynamics.checker import contraction, hulls, orbits, polytopes, sandwich, token_traps
from dynamics.checker import steps as restated
from dynamics.checker.flint_stand_in import arb, arb_series, fmpq
from dynamics.checker.formal import column
from dynamics.checker.matrices import product, transposed
from dynamics.checker.orbits import Averages, Ending, OpenError
from dynamics.choices import SelfAnswering, of_rational
from dynamics.choices import plain as unguarded
from dynamics.findings import Finding, plain, start_of, tell
from dynamics.tokens.averaging import Averaging

# ---------------------------------------------------------------------------------------------------------------------
# Arrays and lists


def filled(values: Any) -> Array:
    """Nested lists as an array; integers become rationals."""
    array = np.array(values, dtype=object)
    for index, value in np.ndenumerate(array):
        if isinstance(value, int):
            # A quotient of whole numbers must not become a float.
            array[index] = fmpq(value)
    return numbers(array)


def _lists(array: Any) -> Any:
    array = np.asarray(array)
    return array.tolist() if array.shape else array.item()


def _of_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of nested lists, of arrays; what it gives are indices or answers."""

    @wraps(function)
    def of_arrays(*given: Any) -> Any:
        return function(*map(_lists, given))

    return of_arrays


def mapped(function: Callable[..., Any], axes: Sequence[int], *given: Any, made: Callable[[Any], Any] = filled) -> Array:
    """The function of lists on arrays with so many axes of their own, for every index of their leading axes."""
    # Plain arrays: guarded ones would wrap each entry that is read.
    arrays = [np.asarray(numbers(value)) for value in given]
    lead = np.broadcast_shapes(*(a.shape[: a.ndim - k] for a, k in zip(arrays, axes, strict=True)))
    spread = [np.broadcast_to(a, (*lead, *a.shape[a.ndim - k :])) for a, k in zip(arrays, axes, strict=True)]
    found = [np.asarray(made(function(*(_lists(a[index]) for a in spread)))) for index in np.ndindex(lead)]
    whole = np.stack(found).reshape((*lead, *found[0].shape))
    return numbers(whole) if whole.dtype == object else whole


def masked(function: Callable[..., Any], axes: Sequence[int], *given: Any) -> Array:
    """The same as an array of booleans."""
    return mapped(function, axes, *given, made=partial(np.array, dtype=bool))


def _each(function: Callable[..., Any], *axes: int) -> Callable[..., Array]:
    """The same as a function of arrays, under the name of the function of lists."""
    return wraps(function)(partial(mapped, function, axes))


def exponential(x: Any) -> Any:
    """e^x, exactly 1 at an exact 0."""
    if isinstance(x, int | fmpq):
        return fmpq(1) if x == 0 else of_rational("exp", x)
    return x.exp()


def _reference(scores: Sequence[Any]) -> int:
    """Where a score is about the largest, to shift a softmax by: any choice is right."""
    if any(isinstance(score, SelfAnswering) for score in scores):
        return 0
    heights = [score[0] if isinstance(score, arb_series) else unguarded(score) for score in scores]
    if any(isinstance(height, arb) for height in heights):
        # Points beside points, for a comparison that is open would be counted though nothing hangs on it. The middle comes
        # first: of a recorded number nothing else may be asked.
        heights = [height.center() if isinstance(height, arb) else arb(height).center() for height in heights]
    return max(range(len(heights)), key=heights.__getitem__)


# ---------------------------------------------------------------------------------------------------------------------
# dynamics.attention


def softmax(scores: Array) -> Array:
    """The shares of exp(score) along the last axis."""
    return mapped(lambda row: restated.softmax(row, _reference(row), exponential), (1,), scores)


def attention(queries: Array, keys: Array) -> Array:
    """The softmax over j of <q_i, k_j>, for queries (..., n, d) and keys (..., m, d), shape (..., n, m)."""

    def rows(q: Any, k: Any) -> Any:
        references = [_reference([restated.inner(query, key) for key in k]) for query in q]
        return [restated.attention(query, k, r, exponential) for query, r in zip(q, references, strict=True)]

    return mapped(rows, (2, 2), queries, keys)


def leaders(scores: Array) -> Array:
    """The mask of the best scores along the last axis."""
    return near_leaders(scores, np.zeros_like(scores[..., :1]))


def near_leaders(scores: Array, tolerance: Array) -> Array:
    """The mask of the scores that are within `tolerance` of the best along the last axis."""
    return masked(lambda row, t: restated.within([row], t[0])[0], (1, 1), scores, tolerance)


def shares(mask: Array, like: Array, preference: Array | int = 1) -> Array:
    """Rows of weights that sum to one: those of `preference` on the mask (..., m, n), and 0 elsewhere."""

    def rows(chosen: Any, weights: Any) -> Any:
        # 0 of the same kind of number, so that a row stays one kind.
        kept = [[w if on else 0 * w for on, w in zip(*pair, strict=True)] for pair in zip(chosen, weights, strict=True)]
        return [restated.shares_of(row) for row in kept]

    return mapped(rows, (2, 2), mask, _weights_like(mask, preference))


def average_over(mask: Array, points: Array, preference: Array | int = 1) -> Array:
    """The mean of the points (..., n, d) on each row of the mask (..., m, n), weighted by `preference`."""

    def rows(chosen: Any, weights: Any, at: Any) -> Any:
        found = []
        for on, row in zip(chosen, weights, strict=True):
            kept = [(w, p) for attended, w, p in zip(on, row, at, strict=True) if attended]
            found.append(restated.averaged([w for w, _ in kept], [p for _, p in kept]))
        return found

    return mapped(rows, (2, 2, 2), mask, _weights_like(mask, preference), points)


def _weights_like(mask: Array, preference: Array | int) -> Array:
    given = numbers(fmpq(preference)) if isinstance(preference, int) else preference
    return np.broadcast_to(given, np.broadcast_shapes(mask.shape, given.shape))


# ---------------------------------------------------------------------------------------------------------------------
# dynamics.orbits


class NotSettledError(UndecidedError):
    """The limit of the orbit is not shown; more precision does not help, more steps may."""

    precision_helps = False


@dataclass(frozen=True)
class Final:
    """Neighbours that never change again: limits (n, d), rates (n,), None where there is none."""

    limits: Array
    rates: Array
    gamma: Any

    @property
    def geometric(self) -> Array:
        """Which tokens rest, or close in by the factor 1 - gamma."""
        return np.array([rate is not None and (rate == 0 or rate + self.gamma == 1) for rate in self.rates], dtype=bool)


@dataclass(frozen=True)
class Settled:
    """An orbit to the end: the states up to the step from which the neighbours are final, and what follows."""

    states: Sequence[Any]
    final: Final

    @property
    def since(self) -> int:
        """The first step from which on the neighbours are shown to be final."""
        return len(self.states) - 1


def _averages(state: Any) -> Averages:
    # Hardmax and localmax alike: what becomes of both hangs on their averages alone.
    now = state if isinstance(state, Averaging) else state.averaging()
    z, A, gamma, delta, W = (_lists(part) for part in (now.z, now.A, now.gamma, now.delta, now.W))
    return Averages(z, A, gamma, delta, W)


def _onwards(state: Any) -> Iterator[Any]:
    """The orbit from a state on."""
    while True:
        yield state
        state = state.step()


def _decided(decide: Callable[..., Any], *given: Any) -> Any:
    """What is shown of an orbit. Raises NotSettledError where nothing is."""
    try:
        return decide(*given)
    except OpenError as error:
        raise NotSettledError(str(error)) from None


def _tell_ending(start: Any, found: Ending) -> None:
    tell(
        "ending",
        start=start_of(start),
        since=found.since,
        neighbours=found.attended,
        closed=found.classes,
        limits=found.limits,
        rates=found.rates,
    )


def _final(ending: Ending, gamma: Any) -> Final:
    # Not `filled`: a rate may be None, which is no number.
    return Final(filled(ending.limits[0]), column(ending.rates[0]), gamma)


def settle(start: Any, steps: int) -> Settled:
    """The orbit until its neighbours are final. Raises NotSettledError, and ValueError for a step size outside (0, 1)."""
    states, ending = _decided(orbits.settled, _onwards(start), steps, _averages)
    _tell_ending(start, ending)
    return Settled(tuple(states), _final(ending, _averages(states[-1]).gamma))


def final(now: Averaging) -> Final | None:
    """The end of an orbit whose neighbours never change from here on, or None."""
    ending = orbits.final(_averages(now))
    return None if ending is None else _final(ending, _averages(now).gamma)


def limits_of(W: Array, z: Array) -> Array:
    """The limits of tokens z (n, d) under powers of (1 - gamma) I + gamma W."""
    return filled(orbits.limits_of(_lists(W), _lists(z)))


def limit_points(start: Any, steps: int, longest: int = 6) -> Array:
    """The limits of every phase of an orbit, shape (p, n, d); p = 1 where the tokens converge. Raises NotSettledError."""
    # At 1 tokens jump to their averages, which need not settle; then exact recurrence is what can be seen.
    if not 0 < _averages(start).gamma < 1:
        return numbers(np.stack([now.averaging().z for now in recurrence(start, steps)]))
    try:
        return numbers(settle(start, steps).final.limits[None])
    except NotSettledError:
        pass
    ending = _decided(orbits.limit_cycle, _onwards(start), steps, longest, _averages)
    _tell_ending(start, ending)
    return filled(ending.limits)


def recurrence(start: Any, steps: int) -> list[Any]:
    """The states between the first two that are equal. Raises NotSettledError."""

    def content(state: Any) -> list[Any]:
        return [_lists(array) for array in state.arrays().values()]

    since, states = _decided(orbits.recurrence, _onwards(start), steps, content)
    tell("recurrence", start=start_of(start), since=since, period=len(states))
    return states


def gathers_at_origin(states: Sequence[Any]) -> bool:
    """Whether all tokens of a hardmax run tend to 0. Raises ValueError for a step size outside (0, 1)."""
    start = states[0]
    gamma = _averages(start).gamma
    return orbits.gathers([_lists(now.x) for now in states], _lists(start.B), gamma, _lists(start.selection))


def same_neighbours(one: Averaging, other: Averaging) -> bool:
    """Whether all tokens attend to the same others in both."""
    return _averages(one).attended() == _averages(other).attended()


def repeated(cycle: Sequence[Averaging]) -> Array | None:
    """The limits of each phase, shape (p, n, d), where the p steps repeat for ever, else None."""
    ending = orbits.repeated([_averages(now) for now in cycle])
    return None if ending is None else filled(ending.limits)


@dataclass(frozen=True)
class Turn:
    """p steps that repeat for ever: their states, and the limits (p, n, d) of each phase."""

    states: Sequence[Any]
    limits: Array


class PeriodicEnd(Turn):
    """The same of a schedule."""


def periodic_end(start: Any, turns: int, most_periods: int = 3) -> PeriodicEnd:
    """The turn of at most so many periods that repeats for ever. Raises NotSettledError."""
    # Where a step of the period goes all the way, recurrence is all that can be seen.
    if not all(0 < gamma < 1 for gamma in _lists(start.gamma)):
        cycle = recurrence(start, turns * start.period)
        return PeriodicEnd(tuple(cycle), numbers(np.stack([now.z for now in cycle])))
    averages: Callable[[Any], Averages] = lambda state: _averages(state.phase())  # noqa: E731
    states, ending = _decided(orbits.periodic_turn, _onwards(start), turns, start.period, most_periods, averages)
    _tell_ending(start, ending)
    return PeriodicEnd(tuple(states), filled(ending.limits))


def lasting_turn(start: Any, steps: int, longest: int = 4) -> Turn:
    """The turn, under any rule, that is certain to repeat for ever. Raises NotSettledError and ValueError."""

    def averages(state: Any) -> Averages:
        # Not through `averaging`, which refuses the rules under which delta does not bound the gaps.
        return Averages(*(_lists(part) for part in (state.z, state.A, state.gamma, state.delta, state.weights())))

    states, ending = _decided(orbits.boxed_turn, _onwards(start), steps, longest, start.which, averages)
    _tell_ending(start, ending)
    return Turn(tuple(states), filled(ending.limits))


def harmonic_limits(start: Any, steps: int) -> Array:
    """The limits (n, d) under a sensitivity c / (k + 1). Raises NotSettledError and ValueError."""
    averages: Callable[[Any], Averages] = lambda state: _averages(state.now())  # noqa: E731
    ending = _decided(orbits.harmonic_end, _onwards(start), steps, int(start.k.item()), averages)
    _tell_ending(start, ending)
    return filled(ending.limits[0])


@dataclass(frozen=True)
class Tails:
    """Final neighbours: z^k = limits + (1 - gamma)^k (offsets + k drift) for all k >= 0, each (n, d)."""

    limits: Array
    offsets: Array
    drift: Array


def drifting_tails(start: Any, steps: int) -> Tails:
    """The tails of an orbit from the given step on. Raises NotSettledError."""
    now = orbit(start, steps)[-1]
    # Only at the step that is named: it is part of what is stated.
    found = orbits.drifting(_averages(now), steps)
    if found is None:
        raise NotSettledError(f"tails (1 - gamma)^k (e + k b) are not shown after {steps} steps")
    parts = {"limits": found.limits, "offsets": found.offsets, "drift": found.drift}
    tell("drift", start=start_of(start), since=found.since, neighbours=found.attended, **parts)
    return Tails(*map(filled, parts.values()))


def orbit(start: Any, steps: int) -> list[Any]:
    """The states at steps 0 to `steps`."""
    return list(islice(_onwards(start), steps + 1))


# ---------------------------------------------------------------------------------------------------------------------
# dynamics.geometry, dynamics.polytopes

STATED: list[Finding] | None = None
"""The findings that the certificate in hand states; None where it states none."""


@dataclass(frozen=True)
class Membership:
    """Whether a point lies in a hull; inside it `witness` are convex weights."""

    inside: bool
    point: Array
    points: Array

    @cached_property
    def witness(self) -> Array:
        """Convex weights, or the direction that the certificate states."""
        if not self.inside:
            return self._separation()[0]
        return filled(polytopes.convex_weights(_lists(self.point), _lists(self.points)))

    @cached_property
    def gap(self) -> Any:
        """How far the direction that the certificate states keeps the point from the hull; 0 inside."""
        return fmpq(0) if self.inside else self._separation()[1]

    def _separation(self) -> tuple[Array, Any]:
        """The stated direction, once it is seen to be one. Raises UndecidedError, for a gap hangs on the direction."""
        sought = {"kind": "separation", "point": plain(self.point), "points": plain(self.points)}
        # A gap hangs on its direction, and the suite's was proposed by floats: it is stated, and shown here to separate.
        stated = next((one for one in STATED or () if sought.items() <= one.items()), None)
        if stated is None:
            raise UndecidedError("a distance from a hull hangs on a direction that the certificate does not state")
        direction = [rational(value) for value in stated["direction"]]
        gap = polytopes.separation(_lists(self.point), _lists(self.points), direction)
        # Another length would scale the gap.
        if gap <= 0 or sum(map(abs, direction)) != 1:
            raise UndecidedError("a stated direction does not separate a point from a hull")
        tell(**sought, direction=direction)
        return filled(direction), gap


def membership(x: Array, points: Array) -> Membership:
    """Whether the point x (d,) lies in the hull of the points (n, d)."""
    return Membership(polytopes.convex_weights(_lists(x), _lists(points)) is not None, x, points)


def hull_excess(before: Array, after: Array) -> Array:
    """For each point after (n, d): 0 inside the hull of the points before, minus its stated gap to it outside."""
    return filled([-membership(point, before).gap for point in after])


def squared_distances(x: Array, y: Array, B: Array | None = None) -> Array:
    """|x_i - y_j|^2, or <B(x_i - y_j), x_i - y_j>, shape (..., m, k)."""

    def rows(p: Any, q: Any, *form: Any) -> Any:
        return [[polytopes.squared_distance(a, b, *form) for b in q] for a in p]

    return mapped(rows, (2, 2), x, y) if B is None else mapped(rows, (2, 2, 2), x, y, B)


def diameter_squared(points: Array) -> Any:
    """The largest squared distance between two of the points (n, d)."""
    rows = _lists(points)
    return max(rational(0), *(polytopes.squared_distance(p, q) for p in rows for q in rows))


def gram(points: Array) -> Array:
    """<y_i, y_j>, shape (n, n)."""
    return mapped(lambda rows: product(rows, transposed(rows)), (2,), points)


squared_distance_to_hull = _each(polytopes.squared_distance_to_hull, 1, 2)
probing_directions = _each(polytopes.probing_directions, 2)
support_contraction = _each(polytopes.support_contraction, 2, 2, 0)
cell_gaps = _each(polytopes.cell_gaps, 2, 2, 2)
distinct = _of_lists(polytopes.distinct)
dimension = _of_lists(polytopes.dimension)
smallest_face = _of_lists(polytopes.smallest_face)
vertices = _of_lists(polytopes.vertices)
is_edge = _of_lists(polytopes.is_edge)


def in_relative_interior(x: Array, points: Array) -> bool:
    """Whether x (d,) lies in the relative interior of the hull of the points."""
    return len(smallest_face(x, points)) == len(points)


def neighbours(points: Array, v: int) -> list[int]:
    """The indices of the vertices joined to the vertex of index v by an edge."""
    return [w for w in vertices(points) if is_edge(points, v, w)]


def edges(points: Array) -> list[tuple[int, int]]:
    """The edges of the hull, as pairs of the indices that :func:`vertices` gives."""
    corners = vertices(points)
    return [(v, w) for k, v in enumerate(corners) for w in corners[k + 1 :] if is_edge(points, v, w)]


def voronoi_gaps(x: Array, v: Array, B: Array) -> Array:
    """|x - v_j|_B^2 - |x - v_i|_B^2 for j != i, shape (..., m, k, k - 1)."""
    return mapped(partial(polytopes.nearness_gaps, weighted=False), (2, 2, 2), x, v, B)


def power_gaps(x: Array, v: Array, B: Array) -> Array:
    """The same with |v|_B^2 taken from each square."""
    return mapped(partial(polytopes.nearness_gaps, weighted=True), (2, 2, 2), x, v, B)


def edge_gaps(points: Array, v: int, B: Array) -> Array:
    """<By, y - w> for the vertex y of index v and its neighbours w."""
    rows, near = _lists(points), neighbours(points, v)
    turned = restated.image(_lists(B), rows[v])
    return filled([restated.inner(turned, restated.minus(rows[v], rows[w])) for w in near])


# ---------------------------------------------------------------------------------------------------------------------
# In the place of the suite's

MODULES: dict[str, tuple[Any, ...]] = {
    "dynamics.attention": (softmax, attention, leaders, near_leaders, shares, average_over),
    "dynamics.orbits": (),
    "dynamics.orbits.exact": (orbit,),
    "dynamics.orbits.final_neighbours": (NotSettledError, Final, Settled, settle, final, limits_of),
    "dynamics.orbits.cycles": (limit_points, recurrence, same_neighbours, repeated),
    "dynamics.orbits.drifting_tails": (Tails, drifting_tails),
    "dynamics.orbits.boxed": (Turn, lasting_turn),
    "dynamics.orbits.gathering": (gathers_at_origin,),
    "dynamics.orbits.periodic_ends": (PeriodicEnd, periodic_end),
    "dynamics.orbits.vanishing_sensitivity": (harmonic_limits,),
    "dynamics.limits": (*token_traps.TRAPS, *token_traps.ENDS, token_traps.settling_times),
    "dynamics.limits.contraction": (contraction.contraction, contraction.contraction_to, contraction.contracted),
    "dynamics.limits.hulls": (hulls.hulls,),
    "dynamics.limits.sandwich": (sandwich.sandwich,),
    "dynamics.geometry": (
        Membership,
        membership,
        hull_excess,
        squared_distance_to_hull,
        squared_distances,
        diameter_squared,
        gram,
        probing_directions,
        support_contraction,
    ),
    "dynamics.polytopes": (
        distinct,
        dimension,
        smallest_face,
        in_relative_interior,
        vertices,
        is_edge,
        neighbours,
        edges,
        cell_gaps,
        voronoi_gaps,
        power_gaps,
        edge_gaps,
    ),
}
"""What takes the place of whole modules: their files are never read."""

LIMITS = "dynamics.limits"
"""The package of traps: a claim names one, and the checker decides by the restatement of that name."""


class Traps(ModuleType):
    """A module of traps of which only the names are there."""

    def __getattr__(self, name: str) -> Any:
        """What bears this name and can do nothing."""
        # Python asks modules for names of its own, and must be told that there are none.
        if name.startswith("__"):
            raise AttributeError(name)

        def named(what: object) -> Any:
            # "hulls(weights)" makes a trap of a formula: what it makes bears the name as well.
            if callable(what):
                return named  # a trap made of a formula
            # A claim imports its traps by name and hands them over; whoever calls one here has missed the restatement.
            raise NotImplementedError(f"the checker has its own {name}")

        named.__name__, named.__module__ = name, self.__name__
        return named


class TrapFinder(MetaPathFinder, Loader):
    """Finds a module of names for whatever is imported from the package of traps."""

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """The spec of a module of names; None outside the package of traps."""
        inside = fullname.startswith(f"{LIMITS}.")
        return ModuleSpec(fullname, self) if inside else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module of names."""
        return Traps(spec.name, "The names of traps alone.")

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: names come when they are asked for."""


def stand_in() -> None:
    """Let claims that are imported from now on get all of this by the names of the suite's own.

    Models keep their own steps until :func:`dynamics.checker.models.restate` is called. Raises RuntimeError where one of
    the suite's modules is imported already.
    """
    # A module that is loaded keeps its functions: names in claims would still mean the suite's.
    present = [name for name in MODULES if getattr(sys.modules.get(name), "__file__", None)]
    if present:
        raise RuntimeError(f"{present[0]} is imported already: a second check needs a process of its own")
    for name, content in MODULES.items():
        module = (Traps if name == LIMITS else ModuleType)(name, "The checker's own, in the place of the suite's.")
        module.__dict__.update({thing.__name__: thing for thing in content})
        if name == LIMITS or any(other.startswith(f"{name}.") for other in MODULES):
            module.__path__ = []
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        setattr(sys.modules[parent], last, module)
    # Before all others, or the files of the package would be found.
    sys.meta_path.insert(0, TrapFinder())
