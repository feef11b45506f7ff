"""Limits of any system: a region that nothing leaves and in which motions contract, from the formula alone.

Lemmas P and M of docs/flow_limits.md. Float64 proposes the center, the tokens that meet and the norm; a rate is what balls
show of the derivative over the whole region, and that the meeting tokens stay together is an identity of the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq, fmpq_mat

from dynamics.arithmetic import Array, UndecidedError, fraction, numbers, sign
from dynamics.choices import decided_choices, guarded, guarded_in_a_formula, guarded_numbers, plain
from dynamics.limits.formal import NotFormalError, Ring, evaluated, kept_polynomials, vanish
from dynamics.limits.margins import NotTrappedError, entries
from dynamics.system import Flow, StepMap, System
from dynamics.trusted.taylor import (
    Blocks,
    Rows,
    euclidean,
    jacobian_over_box,
    largest_size,
    logarithmic_norm,
    operator_norm,
    relative_size,
    upper,
)
from dynamics.trusted.trajectory import field_of, flat

Matrix = list[list[fmpq]]

MOST_TRIALS = 12
"""Regions tried around one state in one norm."""

NORMS = 6
"""The norms tried in full, of those that look best in float64."""


ROOM = 4
"""Limits of what meets are told this much wider than they are known: a second check, in other norms, is to find them."""


@dataclass(frozen=True)
class Rest:
    """Where everything that moves comes to rest, for ever from the state on (Lemmas P and M).

    Limits and classes are those of the first array that moves, whose rows are called tokens.
    """

    limits: Array
    """Balls, of the shape of that array."""
    classes: Array
    """A number for each token, the same for tokens that have one limit; shape (n,)."""
    count: int | None
    """How many different limits there are; None where balls do not tell two of them apart."""
    rate: Any
    """At time t after the state no number is farther from its limit than `reach` e^(-rate t), or reach (1 - rate)^t."""
    reach: Any

    @property
    def number_of_limits(self) -> int:
        """How many different limits there are. Raises UndecidedError where balls do not tell."""
        if self.count is None:
            raise UndecidedError("two limits are not told apart")
        return self.count


# ---------------------------------------------------------------------------------------------------------------------
# What moves


@dataclass(frozen=True)
class Motion:
    """A flow, or a map with what a step adds to its arrays, as a field of flat states."""

    system: System
    names: tuple[str, ...]

    @classmethod
    def of(cls, system: System) -> Motion:
        """The motion of a system: of a map, of the arrays that its step makes anew."""
        if isinstance(system, Flow):
            return cls(system, system.moving)
        if not isinstance(system, StepMap):
            raise TypeError(f"{type(system).__name__} neither flows nor steps")
        # What a step hands on as it is shares its memory: a parameter, about which no motion is asked.
        after = system.step()
        return cls(
            system, tuple(n for n, array in system.arrays().items() if not np.shares_memory(array, getattr(after, n)))
        )

    @property
    def is_flow(self) -> bool:
        """Whether it moves in continuous time."""
        return isinstance(self.system, Flow)

    def state(self) -> list[Any]:
        """The numbers that move, one after the other."""
        return flat(tuple(getattr(self.system, name) for name in self.names))

    def at(self, values: Sequence[Any] | Array) -> Any:
        """The system with other numbers in the place of those that move."""
        moved, position = {}, 0
        for name in self.names:
            shape = getattr(self.system, name).shape
            size = int(np.prod(shape, dtype=int))
            moved[name] = entries(values[position : position + size]).reshape(shape)
            position += size
        return self.system.replace(**moved)

    def speeds(self, values: Sequence[Any] | Array) -> tuple[Array, ...]:
        """The velocity, or what a step adds."""
        here = self.at(values)
        if self.is_flow:
            return tuple(here.velocity())
        after = here.step()
        return tuple(getattr(after, name) - getattr(here, name) for name in self.names)

    def field(self) -> Callable[[list[Any]], Sequence[Any]]:
        """The speeds of flat states, on balls and on power series of them."""
        if self.is_flow:
            return field_of(self.system)  # type: ignore[arg-type]

        def added(state: list[Any]) -> list[Any]:
            with guarded_numbers(), decided_choices():
                return [plain(entry) for entry in flat(self.speeds([guarded(entry) for entry in state]))]

        return added


# ---------------------------------------------------------------------------------------------------------------------
# What is measured, and how


@dataclass(frozen=True)
class Measure:
    """y = W x - b, and x - U y its projection: W U = I, exactly. |y| = max over blocks of |y_block| / weight."""

    W: Matrix
    b: list[fmpq]
    U: Matrix
    blocks: Blocks
    weights: list[arb]

    def along(self, v: Sequence[Any]) -> list[arb]:
        """W v."""
        return [sum((arb(w) * arb(s) for w, s in zip(row, v, strict=True) if w), arb(0)) for row in self.W]

    def of(self, x: Sequence[Any]) -> list[arb]:
        """y, for a state in balls."""
        return [value - arb(c) for value, c in zip(self.along(x), self.b, strict=True)]

    def steps(self) -> Rows:
        """U, in balls."""
        return [[arb(u) for u in row] for row in self.U]

    def nearest(self, x: Sequence[Any]) -> list[Any]:
        """x - U (W x - b): of rationals a rational, of balls as few balls as that depends on."""
        # Entry by entry, leaving out what has no share: the ball of a coordinate that does not count would only widen it.
        kept = fmpq_mat(self.U) * fmpq_mat(self.W)
        found = []
        for i, row in enumerate(self.U):
            moved = sum((u * c for u, c in zip(row, self.b, strict=True)), fmpq(0))
            shares = [(int(i == j) - kept[i, j], value) for j, value in enumerate(x)]
            found.append(sum((value * share for share, value in shares if share), moved))
        return found

    def joined(self, region: Sequence[arb]) -> list[arb]:
        """A box that holds the region, its projection, and what lies between a point and its projection."""
        # A ball is convex: with both ends it holds all that lies between, on which the mean value theorem is used.
        return [value.union(arb(near)) for value, near in zip(region, self.nearest(region), strict=True)]

    def size(self, y: Sequence[arb]) -> arb:
        """An exact number at least |y|, for every member."""
        return upper(relative_size([upper(value) for value in y], self.weights, self.blocks))

    def spread(self, rows: Rows) -> list[arb]:
        """For each row r a number at least r y for all y with |y| <= 1."""
        return [
            upper(sum((euclidean([row[k] for k in block]) * self.weights[block.start] for block in self.blocks), arb(0)))
            for row in rows
        ]

    def is_exact(self) -> bool:
        """Whether W U = I."""
        product = fmpq_mat(self.W) * fmpq_mat(self.U)
        return all(product[i, j] == (i == j) for i in range(len(self.W)) for j in range(len(self.W)))


@dataclass(frozen=True)
class ContractionBounds:
    """What the derivative over a box says: |y| shrinks at least at this rate, and |speed of x_i| <= speeds[i] |y|."""

    rate: arb
    speeds: list[arb]


def _turned(derivative: Rows, measure: Measure) -> tuple[Rows, Rows]:
    """W D U and D U."""
    moved = arb_mat(derivative) * arb_mat(fmpq_mat(measure.U))
    return (arb_mat(fmpq_mat(measure.W)) * moved).tolist(), moved.tolist()


def bounds_over(derivative: Rows, measure: Measure, is_flow: bool) -> ContractionBounds:
    """The bounds for a derivative D of the field, over a convex box: from W D U, and from D U."""
    inner, moved = _turned(derivative, measure)
    # A map's derivative is that of what it adds, and one more: it contracts by its norm, a flow by the logarithmic one.
    if is_flow:
        rate = -logarithmic_norm(inner, measure.weights, measure.blocks)
    else:
        rate = 1 - norm_of([[value + int(i == j) for j, value in enumerate(row)] for i, row in enumerate(inner)], measure)
    return ContractionBounds(arb(rate.lower()) if rate.is_finite() else arb("nan"), measure.spread(moved))


def norm_of(matrix: Rows, measure: Measure) -> arb:
    """A ball at least the norm of a matrix: max_b sum_c |A_bc|_2 w_c / w_b."""
    totals = []
    for block in measure.blocks:
        total = arb(0)
        for other in measure.blocks:
            part = operator_norm([[matrix[i][j] for j in other] for i in block])
            total += part * measure.weights[other.start] / measure.weights[block.start]
        totals.append(total)
    return largest_size(totals)


def _derivative(field: Callable[[list[Any]], Sequence[Any]], box: list[arb]) -> Rows:
    try:
        return jacobian_over_box(field, box)
    except (ZeroDivisionError, ValueError) as pole:  # flint's series divide by no ball around 0
        raise NotTrappedError(f"the formula is not analytic on the region: {pole}") from None


def _need(rate: arb) -> None:
    """Raises NotTrappedError where a rate is not certainly positive."""
    if not rate > 0:
        raise NotTrappedError("motions are not seen to contract here")


def widened(x: Sequence[arb], radii: Sequence[arb]) -> list[arb]:
    """The balls, wider by so much."""
    return [value + arb(0, upper(radius)) for value, radius in zip(x, radii, strict=True)]


# ---------------------------------------------------------------------------------------------------------------------
# Lemma M: what is measured tends to zero, and everything comes to rest


def meeting(
    field: Callable[[list[Any]], Sequence[Any]], x: list[arb], measure: Measure, is_flow: bool
) -> ContractionBounds:
    """Lemma M without its identity: bounds over a region that is not left, if |y| contracts in it and nothing else moves.

    The state lies in the box x. Raises NotTrappedError where no such region is found.
    """
    size = measure.size(measure.of(x))
    # Small at first: a region that is larger than it must be contracts less. Each trial grows it to what motion asks for.
    radii = [size * value / 1024 for value in measure.spread(measure.steps())]
    for _ in range(MOST_TRIALS):
        bounds = bounds_over(_derivative(field, measure.joined(widened(x, radii))), measure, is_flow)
        _need(bounds.rate)
        # |y| falls like e^{-rate t}, so that each number moves by its speed at |y| = 1 times |y|/rate in all time to come.
        moves = [upper(speed * size / bounds.rate) for speed in bounds.speeds]
        if all(move < radius or (move.is_zero() and size.is_zero()) for move, radius in zip(moves, radii, strict=True)):
            return bounds
        radii = [arb(5) / 4 * move + size / 1024 for move in moves]
    raise NotTrappedError("the way to the limit does not stay in a region that contracts")


# ---------------------------------------------------------------------------------------------------------------------
# Lemma P: an equilibrium


@dataclass(frozen=True)
class InvariantBall:
    """Lemma P: |S (x - center)| <= radius is not left, and the one equilibrium in it is within `error` of the center."""

    center: list[fmpq]
    radius: arb
    error: arb
    rate: arb


def resting(
    field: Callable[[list[Any]], Sequence[Any]], x: list[arb], center: list[fmpq], measure: Measure, is_flow: bool
) -> InvariantBall:
    """Lemma P: a ball around the center that holds the state, is not left, and contracts. Raises NotTrappedError."""
    # The center need not rest: how fast it moves, over the rate, is how far the equilibrium may be.
    speed = measure.size(measure.along(field([arb(c) for c in center])))
    inner = measure.spread(measure.steps())
    radius = upper(measure.size(measure.of(x)) * arb(65) / 64 + speed)
    for _ in range(MOST_TRIALS):
        region = widened([arb(c) for c in center], [radius * value for value in inner])
        rate = bounds_over(_derivative(field, region), measure, is_flow).rate
        _need(rate)
        # On the boundary the field points inwards: what it is at the center cannot make up for the contraction.
        if speed < rate * radius and measure.size(measure.of(x)) <= radius:
            return InvariantBall(center, radius, upper(speed / rate), rate)
        radius = upper(2 * speed / rate)
    raise NotTrappedError("the field does not point into a ball that contracts")


# ---------------------------------------------------------------------------------------------------------------------
# Identities


class Identities:
    """What a formula says of all states: what it keeps at zero, and whether tokens that are together stay so."""

    def __init__(self, motion: Motion, start: System) -> None:
        self.motion = motion
        self.ring = Ring(len(motion.state()))
        self.coordinates = self.ring.coordinates()
        self.modulo = self._kept(start)

    def _speeds(self, at: Sequence[Any]) -> list[Any]:
        return evaluated(self.motion.speeds, self.ring, at)

    def _kept(self, start: System) -> list[Any]:
        """The polynomials that are zero for ever, because they are at the start. Raises NotFormalError."""
        # Exactly zero, of an exact start: what is only near zero there is near it later, and no identity holds of it.
        if any(sign(value) != 0 for value in numbers(start.kept()).flat):
            raise NotFormalError("what is to be kept at zero is not zero at the start")
        formula: Callable[[Any], Any] = lambda values: (self.motion.at(values).kept(),)  # noqa: E731
        kept = evaluated(formula, self.ring, self.coordinates)
        if not kept:
            return []
        speeds = self._speeds(self.coordinates)
        # Of a flow the derivative of what is kept has to vanish with it, of a map what comes of it after a step.
        if self.motion.is_flow:
            return kept_polynomials(kept, speeds)
        modulo = [value.top for value in kept]
        after = [x + v for x, v in zip(self.coordinates, speeds, strict=True)]
        if not vanish(evaluated(formula, self.ring, after), modulo):
            raise NotFormalError("that the map keeps a quantity at zero is not shown")
        return modulo

    def rests(self, measure: Measure) -> bool:
        """Whether nothing moves where y = 0."""
        return vanish(self._speeds(measure.nearest(self.coordinates)), self.modulo)

    def stays(self, measure: Measure) -> bool:
        """Whether y = 0 stays so, from every state, whether it has what is kept at zero or not."""
        speeds = self._speeds(measure.nearest(self.coordinates))
        nothing = self.ring.constant(0)
        return vanish([sum((v * w for v, w in zip(speeds, row, strict=True) if w), nothing) for row in measure.W])


# ---------------------------------------------------------------------------------------------------------------------
# Proposals in float64


def grouped(groups: Sequence[int], width: int, size: int) -> Measure:
    """Differences of tokens, of `width` numbers each, to the first of their group."""
    # Differences to the first, so that U moves the later ones alone: W U = I holds entry by entry.
    W, U = list[list[fmpq]](), [list[fmpq]() for _ in range(size)]
    first = {group: groups.index(group) for group in groups}
    later = [(i, first[group]) for i, group in enumerate(groups) if first[group] != i]
    for i, j in later:
        for k in range(width):
            row = [fmpq(0)] * size
            row[i * width + k], row[j * width + k] = fmpq(1), fmpq(-1)
            W.append(row)
    moved = {i * width + k: p * width + k for p, (i, _) in enumerate(later) for k in range(width)}
    for i in range(size):
        U[i] = [fmpq(int(moved.get(i) == column)) for column in range(len(W))]
    blocks = [range(p * width, (p + 1) * width) for p in range(len(later))]
    return Measure(W, [fmpq(0)] * len(W), U, blocks, [arb(1)] * len(W))


def groupings(tokens: Array) -> Iterator[list[int]]:
    """Ways in which tokens, points in float64, may meet: all together, or those that are nearer than the widest gap."""
    n = len(tokens)
    if n < 2:
        return
    yield [0] * n
    # Else where distances leave the widest gap, as a ratio: within groups they fall to 0, between them they do not.
    distances = np.linalg.norm(tokens[:, None] - tokens[None, :], axis=-1)
    sizes = np.unique(distances[np.triu_indices(n, 1)])
    if len(sizes) > 1:
        wide = int(np.argmax(sizes[1:] / np.maximum(sizes[:-1], 1e-300)))
        found = linked(distances <= sizes[wide])
        if 1 < len(set(found)) < n:
            yield found


def linked(near: Array) -> list[int]:
    """The first point of the component of each."""
    groups = list(range(len(near)))
    for i, j in zip(*np.nonzero(near), strict=True):
        low, high = sorted((groups[i], groups[j]))
        groups = [low if group == high else group for group in groups]
    return groups


def measures(derivative: Rows, measure: Measure, is_flow: bool) -> list[Measure]:
    """The same y in the norms in which it contracts by a derivative over a box, those of the largest rate first."""
    D = np.array([[float(value.mid()) for value in row] for row in derivative])
    W, U = (np.array([[float(fraction(v)) for v in row] for row in part]) for part in (measure.W, measure.U))
    A = W @ D @ U + (0 if is_flow else np.eye(len(W)))
    if not np.isfinite(A).all():
        return []
    found = [measure]
    for basis, blocks in ((_axes_of_blocks(A, measure.blocks), measure.blocks), _eigenvectors(A)):
        # A basis that is nearly singular would be rounded to a singular one, or widen every ball.
        if basis.shape == A.shape and np.linalg.cond(basis) < 1e6:
            found.append(_in_basis(measure, basis, blocks))
    # Plain, in axes of the blocks, in eigenvectors: which is best depends on how large the region has to be.
    # What is not coupled to the rest has a weight of its own only if a small coupling is supposed.
    found += [
        _weighted(one, derivative, is_flow, coupling, worst)
        for one in found
        if len(one.blocks) > 1
        for coupling, worst in ((1e-3, False), (3e-2, False), (1e-3, True))
    ]
    rated = [(bounds_over(derivative, one, is_flow).rate, one) for one in found]
    return [one for rate, one in sorted(rated, key=lambda pair: -float(pair[0])) if rate > 0]


def _axes_of_blocks(A: Array, blocks: Blocks) -> Array:
    """Within each block the eigenvectors of the symmetric part."""
    basis = np.zeros_like(A)
    for block in blocks:
        part = A[block.start : block.stop, block.start : block.stop]
        basis[block.start : block.stop, block.start : block.stop] = np.linalg.eigh(part + part.T)[1]
    return basis


def _eigenvectors(A: Array) -> tuple[Array, Blocks]:
    """Eigenvectors as columns, and blocks of two where they are complex."""
    values, vectors = np.linalg.eig(A)
    columns, blocks = list[Array](), list[range]()
    for value, vector in zip(values, vectors.T, strict=True):
        if value.imag >= 0:
            parts = [vector.real] if value.imag == 0 else [vector.real, vector.imag]
            blocks.append(range(len(columns), len(columns) + len(parts)))
            columns += parts
    return np.array(columns).T, blocks


def _in_basis(measure: Measure, basis: Array, blocks: Blocks) -> Measure:
    """The same with the coordinates of y in a basis, given by columns, which are rounded to rationals."""
    # T is rounded, its inverse is not: W U = I stays exact.
    T = fmpq_mat([[fmpq(round(entry * 2**24), 2**24) for entry in row] for row in basis.tolist()])
    S = T.inv()
    b = S * fmpq_mat([[c] for c in measure.b])
    W, U = S * fmpq_mat(measure.W), fmpq_mat(measure.U) * T
    return Measure(W.tolist(), [row[0] for row in b.tolist()], U.tolist(), blocks, measure.weights)


def _weighted(measure: Measure, derivative: Rows, is_flow: bool, coupling: float, worst: bool) -> Measure:
    """Weights of the blocks by Perron's vector of the matrix of their norms, in the middle or at the worst of the box."""
    inner = _turned(derivative, measure)[0]
    A = np.array([[float(value.mid()) for value in row] for row in inner]) + (0 if is_flow else np.eye(len(inner)))
    # A region is somewhat larger than the box from which it grows.
    most = 1.5 * (np.abs(A) + np.array([[float(v.rad()) for v in row] for row in inner])) if worst else A
    if not np.isfinite(most).all():
        return measure
    norms = np.zeros((len(measure.blocks), len(measure.blocks)))
    for a, block in enumerate(measure.blocks):
        for c, other in enumerate(measure.blocks):
            part = A[block.start : block.stop, other.start : other.stop]
            symmetric = is_flow and a == c  # a flow's own blocks count by their logarithmic norms
            norms[a, c] = (
                np.linalg.eigvalsh(part + part.T)[-1] / 2
                if symmetric
                else np.linalg.norm(most[block.start : block.stop, other.start : other.stop], 2)
            )
    values, vectors = np.linalg.eig(norms + coupling * (1 - np.eye(len(norms))))
    weights = np.abs(vectors[:, int(np.argmax(values.real))].real)
    # Short numbers of two bits after the point, as exact ones are carried through every norm.
    exact = [arb(2.0 ** max(float(np.round(4 * np.log2(w))) / 4, -20.0)) for w in np.maximum(weights / weights.max(), 1e-9)]
    every = [w for w, block in zip(exact, measure.blocks, strict=True) for _ in block]
    return replace(measure, weights=every)


def equilibrium(field: Callable[[list[Any]], Sequence[Any]], x: Sequence[arb]) -> list[fmpq]:
    """A rational point near a zero of the field near x, by Newton's method at the working precision."""
    here = [arb(value.mid()) for value in x]
    # Digits double: eight steps are enough for any precision from a few of them, and the last ones change nothing.
    for _ in range(8):
        try:
            speed, slope = field(here), arb_mat(_derivative(field, here))
            away = slope.solve(arb_mat([[arb(v)] for v in speed]))
        except (ZeroDivisionError, ValueError):
            break
        if not all(away[i, 0].is_finite() for i in range(len(here))):
            break
        here = [arb((value - away[i, 0]).mid()) for i, value in enumerate(here)]
    return [value.fmpq() for value in here]  # exact: what is left of each step is its middle


# ---------------------------------------------------------------------------------------------------------------------
# The traps


def contraction(state: System, start: System) -> Rest:
    """Everything comes to rest: tokens meet (Lemma M), or all move to one equilibrium (Lemma P).

    For a flow or a map of any formula without choices. `start.kept()` are quantities that the motion keeps at zero, for
    instance |x_i|^2 - 1 on a sphere. Raises UndecidedError where no region that contracts is found around the state.
    """
    return _caught(Motion.of(state), start, None)


def contraction_to(measured: Callable[[Any], Any]) -> Callable[[System, System], Rest]:
    """The same trap for named quantities: `measured(state)`, affine in what moves, tends to zero, where nothing moves."""

    def trap(state: System, start: System) -> Rest:
        return _caught(Motion.of(state), start, measured)

    return trap


def named_measure(motion: Motion, measured: Callable[[Any], Any]) -> Measure:
    """The affine quantities as W x - b, with the entries of U that solve for one coordinate each.

    Raises NotFormalError where they are not affine, or depend on one another.
    """
    ring = Ring(len(motion.state()))
    given = evaluated(lambda values: (measured(motion.at(values)),), ring, ring.coordinates())
    n, W, b = ring.size, list[list[fmpq]](), list[fmpq]()
    for value in given:
        terms = {tuple(k for k, power in enumerate(powers) if power): c for powers, c in value.top.to_dict().items()}
        if value.bottom != 1 or value.top.total_degree() > 1 or any(k >= n for place in terms for k in place):
            raise NotFormalError("what is to tend to zero is not affine in the coordinates")
        W.append([terms.get((k,), fmpq(0)) for k in range(n)])
        b.append(-terms.get((), fmpq(0)))
    # As many coordinates as quantities solve for them: then W U = I, and U moves nothing else.
    reduced_rows, rank = fmpq_mat(W).rref()
    if rank < len(W):
        raise NotFormalError("the quantities that are to tend to zero depend on one another")
    pivots = [next(j for j in range(n) if reduced_rows[i, j] != 0) for i in range(rank)]
    inverse = fmpq_mat([[row[j] for j in pivots] for row in W]).inv()
    U = [[inverse[pivots.index(j), k] if j in pivots else fmpq(0) for k in range(rank)] for j in range(n)]
    return Measure(W, b, U, [range(k, k + 1) for k in range(rank)], [arb(1)] * rank)


def contracted(start: StepMap, steps: int, trap: Callable[[System, System], Rest] | None = None) -> Rest:
    """The same of an orbit: its states are followed in balls for so many steps, and tried ever more rarely.

    A trap, `hulls(weights)`, is asked of the state after all the steps alone, which may be none: the more, the nearer.
    For the slack of an orbit. Raises UndecidedError where no state is caught, ValueError for floats.
    """
    if any(array.dtype == float for array in start.arrays().values()):
        raise ValueError('contracted follows exact states, no floats: write @claim.orbit(">= 0", exact_only=True)')
    failure: UndecidedError = NotTrappedError("no step was tried")
    state = Motion.of(start)
    with guarded_numbers(False):
        state = Motion(state.at([arb(value) for value in state.state()]), state.names)
        found = None
        for step in range(steps + 1):
            # At 0, 1, 2, 4, ...: a trial costs as much as many steps, and what is caught later was caught in time.
            if step == steps or (trap is None and step & (step - 1) == 0):
                try:
                    found = _caught(state, start, None) if trap is None else trap(state.system, start)
                    break
                except UndecidedError as error:
                    failure = error
            speeds = state.field()(state.state())
            state = replace(state, system=state.at([x + v for x, v in zip(state.state(), speeds, strict=True)]))
    if found is None:
        raise failure
    numbers_of = ("limits", "rate", "reach")
    return replace(found, **{name: guarded_in_a_formula(getattr(found, name)) for name in numbers_of})


def _caught(motion: Motion, start: System, measured: Callable[[Any], Any] | None) -> Rest:
    identities = Identities(motion, start)
    field, x = motion.field(), [arb(value) for value in motion.state()]
    shape = getattr(motion.system, motion.names[0]).shape
    n, width = (shape[0], int(np.prod(shape[1:], dtype=int))) if shape else (1, 1)
    failure: UndecidedError | None = None
    if measured is None:
        tokens = np.array([float(value.mid()) for value in x[: n * width]]).reshape(n, width)
        asked = [grouped(groups, width, len(x)) for groups in groupings(tokens)]
    else:
        asked = [named_measure(motion, measured)]
    # Tokens that meet say more than an equilibrium, which they may never reach: Lemma M first.
    for measure in asked:
        for one in _norms(field, x, measure, motion) if identities.rests(measure) else ():
            try:
                bounds = meeting(field, x, one, motion.is_flow)
            except UndecidedError as error:
                failure = failure or error
                continue
            size = one.size(one.of(x))
            moves = [upper(speed * size / bounds.rate) for speed in bounds.speeds]
            return rest_of(
                widened(x, [ROOM * move for move in moves]), shape, bounds.rate, moves, same_tokens(measure, n, width)
            )
    # Named quantities alone are asked for: that all comes to rest elsewhere would be another answer.
    if measured is not None:
        raise failure or NotTrappedError("the motion is not seen to stop where the quantities are zero, or not to contract")
    center = equilibrium(field, x)
    unit = [[fmpq(int(i == j)) for j in range(len(x))] for i in range(len(x))]
    blocks = [range(i * width, (i + 1) * width) for i in range(n)]
    # Numbers that are no tokens are blocks of their own.
    blocks += [range(k, k + 1) for k in range(n * width, len(x))]
    for one in _norms(field, x, Measure(unit, center, unit, blocks, [arb(1)] * len(x)), motion):
        try:
            ball = resting(field, x, center, one, motion.is_flow)
        except UndecidedError as error:
            failure = failure or error
            continue
        inner = one.spread(one.steps())
        limits = widened([arb(c) for c in center], [ball.error * value for value in inner])
        reach = [upper((ball.error + one.size(one.of(x))) * value) for value in inner]
        return rest_of(limits, shape, ball.rate, reach, _one_limit(limits, n, width, one, ball, identities))
    raise failure or NotTrappedError("nothing contracts here")


def _norms(
    field: Callable[[list[Any]], Sequence[Any]], x: list[arb], measure: Measure, motion: Motion
) -> Iterator[Measure]:
    """The most promising norms for what is measured. Raises RuntimeError for one that is not what it says."""
    try:
        derivative = _derivative(field, measure.joined(x))
    except UndecidedError:
        return
    for one in measures(derivative, measure, motion.is_flow)[:NORMS]:
        if not one.is_exact():
            raise RuntimeError("W U is not the identity")
        yield one


def same_tokens(measure: Measure, n: int, width: int) -> list[int]:
    """For each token the first one whose difference to it is zero where y = 0: it is a combination of the rows of W."""
    W, U = fmpq_mat(measure.W), fmpq_mat(measure.U)
    b = fmpq_mat([[c] for c in measure.b])

    def meet(i: int, j: int) -> bool:
        rows = [[fmpq((c == i * width + k) - (c == j * width + k)) for c in range(len(measure.U))] for k in range(width)]
        combined = fmpq_mat(rows) * U
        return combined * W == fmpq_mat(rows) and not any(any(row) for row in (combined * b).tolist())

    return linked(np.array([[i == j or meet(i, j) for j in range(n)] for i in range(n)]))


def _one_limit(
    limits: list[arb], n: int, width: int, norm: Measure, ball: InvariantBall, identities: Identities
) -> list[int]:
    """For each token the first with the same place at the equilibrium.

    Tokens that are together stay so, and there is a point of the ball at which they are: it tends to the equilibrium.
    """
    tokens = [limits[i * width : (i + 1) * width] for i in range(n)]
    near = [[all(a.overlaps(b) for a, b in zip(one, other, strict=True)) for other in tokens] for one in tokens]
    groups = linked(np.array(near))
    if len(set(groups)) == n:
        return groups
    measure = grouped(groups, width, len(limits))
    # A point of the ball at which they are together tends to the one equilibrium there is in it, and stays together.
    nearest = measure.nearest(ball.center)
    inside = norm.size(norm.of([arb(c) for c in nearest])) <= ball.radius
    return groups if inside and identities.stays(measure) else list(range(n))


def rest_of(
    limits: list[arb], shape: tuple[int, ...], rate: arb, reach: Sequence[arb], groups: list[int], apart: bool = False
) -> Rest:
    """What is shown, from balls around all limits and the first token with the limit of each.

    Limits of different groups are known to be `apart`, or their balls have to tell.
    """
    n, firsts = len(groups), sorted(set(groups))
    values = entries(limits[: int(np.prod(shape, dtype=int))])
    tokens = values.reshape(n, -1)
    apart = apart or all(
        any(not a.overlaps(b) for a, b in zip(tokens[i], tokens[j], strict=True))
        for place, i in enumerate(firsts)
        for j in firsts[:place]
    )
    return Rest(
        limits=numbers(values.reshape(shape)),
        classes=np.array([firsts.index(group) for group in groups], dtype=int),
        count=len(firsts) if apart else None,
        rate=rate,
        reach=upper(largest_size(list(reach))),
    )
