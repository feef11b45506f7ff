"""What becomes of localmax tokens in the end: limits, quiescent sets, and the starts of the claims about them.

Limits come from a certificate that the neighbours are final (:mod:`dynamics.finality`), so every margin here is a rational.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from flint import fmpq

from claims.matrices import eye_like, is_positive_definite, is_positive_semidefinite, squared
from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, inverse_root, numbers
from dynamics.boxed_orbits import lasting_turn
from dynamics.finality import Final, NotSettledError, Settled, settle
from dynamics.localmax import ADDITIVE, RELATIVE, RULES, WEIGHTED, LocalmaxStep
from dynamics.orbits import orbit
from dynamics.paired_localmax import TwoSensitivities
from dynamics.periodic_orbits import limit_points, recurrence
from dynamics.polytopes import vertices
from dynamics.schedules import ScheduledLocalmax

CYCLE_STEPS = 48
"""Steps until a cycle is looked for: an offset shrinks by a factor two or so in each."""

RECURRENCE_STEPS = 16
"""Steps in which a state must recur where only that counts: numbers may grow in every step."""

MOST_STEPS = 60
"""Steps in which the neighbours must be shown to be final; of lattice starts hardly one in a thousand needs as many."""

BOXED_STEPS = 16
"""Steps in which a turn under another rule must be shown to repeat."""

MOST_DOUBLINGS = 64
"""How often blocks may be moved out to twice the distance until nobody hears another one."""

# ---------------------------------------------------------------------------------------------------------------------
# The end of an orbit


def has_certificates(f: LocalmaxStep) -> bool:
    """Whether finality can be certified: delta bounds the gaps, and the step size is in (0, 1)."""
    return f.which == ADDITIVE and bool(0 < f.gamma.item() < 1)


def settled(f: LocalmaxStep) -> Settled[LocalmaxStep]:
    """The orbit until its neighbours are final; for a step size outside (0, 1) until it is at rest.

    Under another rule than the additive one the states between the start and the last are left out, and rates are unknown.

    Raises UndecidedError where that is not shown.
    """
    if has_certificates(f):
        return settle(f, MOST_STEPS)
    if 0 < f.gamma.item() < 1:
        turn = lasting_turn(f, BOXED_STEPS)
        if len(turn.states) > 1:
            raise NotSettledError(f"the tokens go round {len(turn.states)} places for ever")
        (limits_, last), unknown = (turn.limits[0], turn.states[0]), np.full(len(f.z), None)
        return Settled((f, last), Final(limits_, unknown, f.gamma.item()))
    cycle = recurrence(f, RECURRENCE_STEPS)
    if len(cycle) > 1:
        raise NotSettledError(f"the tokens go round {len(cycle)} states")
    rest = cycle[0]
    return Settled((f, rest), Final(rest.z, exact([0] * len(rest.z)), f.gamma.item()))


def limits(f: LocalmaxStep) -> Array:
    """lim_k z_i^k, shape (n, d); its hull is Kinf. Raises UndecidedError where the neighbours are not known to be final."""
    return settled(f).final.limits


def limit_phases(f: LocalmaxStep) -> Array:
    """The limit points of the tokens in the order of their visits, shape (p, n, d); p = 1 where the tokens converge.

    For a step size outside (0, 1) only exact recurrence counts. Raises UndecidedError where neither final
    neighbours nor a cycle of them is shown.
    """
    if has_certificates(f):
        return limit_points(f, CYCLE_STEPS)
    if 0 < f.gamma.item() < 1:
        return lasting_turn(f, BOXED_STEPS).limits
    return numbers(np.stack([now.z for now in recurrence(f, RECURRENCE_STEPS)]))


def after_schedule(f: ScheduledLocalmax) -> LocalmaxStep:
    """The tokens at the step from which on the parameters are constant."""
    while int(f.t.item()) < len(f.delta) - 1:
        f = f.step()
    return f.now()


def self_gaps(points: Array, A: Array, share: int = 1) -> Array:
    """e_i = max_l <A s_i, s_l> - <A s_i, s_i> of points (n, d): zero on the maximal alignment set S; shape (n,)."""
    scores = points @ A.T @ points.T
    return numbers(scores.max(axis=-1) - share * scores.diagonal())


def corners(points: Array) -> Array:
    """The vertices of the hull of the points (n, d), shape (m, d)."""
    return points[vertices(points)]


def quiescent_sets(f: LocalmaxStep) -> list[list[int]]:
    """The sets Q of tokens with C_i = Q for every i in Q."""
    rows = f.neighbours()
    members = [np.flatnonzero(row).tolist() for row in rows]
    return [Q for i, Q in enumerate(members) if Q[0] == i and all(members[j] == Q for j in Q)]


def leaders_of(end: Settled[LocalmaxStep]) -> list[int]:
    """The tokens that hear only themselves once neighbours are final."""
    return [Q[0] for Q in quiescent_sets(end.states[-1]) if len(Q) == 1]


def tail_errors(f: LocalmaxStep, is_meant: Callable[[Array, Array], bool], share: int = 1) -> Array:
    """z_i^k - s_i - (1 - gamma)^k (z_i^0 - s_i) for three steps from where neighbours are final, of the tokens meant.

    `is_meant` is given a limit s_i (d,) and all limits (n, d). Shape (3, m, d).
    """
    end = settled(f)
    last, s = end.states[-1], end.final.limits
    meant = [i for i, place in enumerate(s) if is_meant(place, s)]
    keep = 1 - share * f.gamma.item()
    return numbers(np.stack([(now.z - s - keep**k * (last.z - s))[meant] for k, now in enumerate(orbit(last, 3))][1:]))


def approach(f: LocalmaxStep) -> Array:
    """max_i |z_i - s_i|, the largest coordinate, once neighbours are final, minus what it is n steps later, shape (m,).

    Nothing where tokens are at their limits. Offsets move by a stochastic matrix with a positive diagonal, and vanish on
    average over each class of tokens that hear only one another: so this is positive, unless the limits are wrong.
    """
    end = settled(f)
    last, s = end.states[-1], end.final.limits
    before, after = (max(abs(now.z - s).flat) for now in (last, orbit(last, len(s))[-1]))
    return margins([before - after] if before > 0 else [])


def margins(values: Sequence[Any]) -> Array:
    """Exact margins collected one by one, shape (m,)."""
    return exact([value.item() if isinstance(value, np.ndarray) else value for value in values])


# ---------------------------------------------------------------------------------------------------------------------
# Starts

STEP_SIZES = (fmpq(1, 2), fmpq(1, 3), fmpq(3, 4), fmpq(1, 4))


def _eye(d: int) -> Array:
    return exact(np.eye(d, dtype=int))


def _lattice_tokens(draws: Draws, n: int, d: int) -> Array:
    """Tokens on a small lattice, at random or in mirror images: ties, and limits in the middle of faces."""
    z = draws.dyadic(n, d, size=3, bits=0)
    if draws.integer(0, 2) == 0 and d > 1:
        half = n // 2
        z[half : 2 * half] = z[:half]
        z[half : 2 * half, -1] = -z[:half, -1]
        z[2 * half :, -1] = 0 * z[2 * half :, -1]
    return numbers(z)


def _lattice_matrix(draws: Draws, d: int) -> Array:
    """The identity, half of the time, or any small integer matrix."""
    return draws.dyadic(d, d, size=2, bits=0) if draws.integer(0, 1) else _eye(d)


def _lattice_sensitivity(draws: Draws) -> fmpq:
    """Zero, small, or so large that few clusters are left; whole and half numbers are gaps of lattice tokens."""
    return fmpq(draws.integer(0, (2, 4, 12)[draws.integer(0, 2)]), draws.integer(1, 2))


def lattice_start(draws: Draws) -> LocalmaxStep:
    """At most five lattice tokens in at most three dimensions, any small integer matrix, delta from zero to all scores."""
    n, d = draws.integer(2, 5), draws.integer(1, 3)
    return LocalmaxStep(
        z=_lattice_tokens(draws, n, d),
        A=_lattice_matrix(draws, d),
        gamma=numbers(draws.choice(STEP_SIZES)),
        delta=numbers(_lattice_sensitivity(draws)),
        rule=np.array(ADDITIVE),
    )


def blocks_start(draws: Draws) -> LocalmaxStep:
    """Any lattice start, or two opposite tokens that just do not attend to one another."""
    return lattice_start(draws) if draws.integer(0, 3) else frozen_pair(draws)


def rule_start(draws: Draws) -> LocalmaxStep:
    """A lattice start or opposite pair under any of the six rules; delta a part of h or of the norm where they say so."""
    rule, f = draws.integer(0, len(RULES) - 1), lattice_or_pair(draws)
    return f.replace(rule=np.array(rule), delta=f.delta / (1, 8, 2, 1, 1, 1)[rule])


def scheduled_start(draws: Draws) -> ScheduledLocalmax:
    """A lattice start whose sensitivity and step size change for a few steps before they stay, or a pair at the edge."""
    kind = draws.integer(0, 5)
    f = frozen_pair(draws) if kind == 0 else between_uneven_vertices(draws) if kind == 1 else lattice_start(draws)
    T = draws.integer(2, 5)
    gamma = exact([draws.choice(STEP_SIZES) for _ in range(T)])
    delta = exact([_lattice_sensitivity(draws) if kind > 1 else f.delta.item() for _ in range(T)])
    return ScheduledLocalmax(z=f.z, A=f.A, gamma=gamma, delta=delta, t=np.array(0))


def scheduled_or_full_steps(draws: Draws) -> ScheduledLocalmax:
    """A scheduled start, with step sizes of one now and then: a token then goes all the way to its average."""
    f = scheduled_start(draws)
    return f if draws.integer(0, 3) else f.replace(gamma=0 * f.gamma + 1)


def hardmax_start(draws: Draws) -> LocalmaxStep:
    """A lattice start, or a token between a mirrored pair: then it hears both for ever."""
    return lattice_start(draws) if draws.integer(0, 2) else mirrored_pair(draws)


def hardmax_or_moving_pair(draws: Draws) -> LocalmaxStep:
    """A hardmax start, or a token that follows a moving pair."""
    return hardmax_start(draws) if draws.integer(0, 11) else mirrored_pair_on_the_move(draws)


def balanced_or_hardmax(draws: Draws) -> LocalmaxStep:
    """A hardmax start, or tokens on a line of mean zero, one of them at zero: it waits for the others to close in."""
    if draws.integer(0, 1):
        return hardmax_start(draws)
    ends = [draws.integer(1, 3) for _ in range(draws.integer(1, 3))]
    side = draws.choice((1, -1))
    z = [0, *(side * end for end in ends), -side * sum(ends)]
    return LocalmaxStep.instance(z=exact(z)[:, None], gamma=draws.choice(STEP_SIZES))


def mirrored_pair(draws: Draws) -> LocalmaxStep:
    """A token between two mirror images, and perhaps another one on its way to one of these, whom the first meets."""
    p, q = draws.integer(1, 3), draws.integer(1, 3)
    share, foot = fmpq(draws.integer(1, 3), 4), fmpq(draws.integer(1, 4), 2)
    z = [[p, q], [p, -q], [foot, 0], [share * p, share * q]]
    return LocalmaxStep.instance(
        z=exact(z[: 4 - draws.integer(0, 1)]),
        gamma=draws.choice(STEP_SIZES),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Hypotheses


def _away_from_zero(f: LocalmaxStep) -> LocalmaxStep:
    """Tokens at the origin moved along the first axis, each to a place of its own, beyond all others."""
    z, reach = f.z.copy(), max(abs(f.z).flat)
    for place, i in enumerate(np.flatnonzero((z == 0).all(axis=-1))):
        z[i, 0] = reach + 1 + place
    return f.replace(z=numbers(z))


def _at_the_origin(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """Two opposite tokens, and one at the origin, which hears both and stays; or one of several moved there."""
    z = f.z.copy()
    if len(z) > 1 and draws.integer(0, 1):
        z[-1] = 0 * z[-1]
        return f.replace(z=z)
    return f.replace(z=numbers(np.concatenate([z[:1], -z[:1], 0 * z[:1]])))


nonzero_tokens = Assumption(
    "nonzero_tokens",
    "no token is at the origin",
    satisfies=lambda f: bool((f.z != 0).any(axis=-1).all()),
    restrict=_away_from_zero,
    violate=_at_the_origin,
)


def _is_negative(A: Array) -> bool:
    return is_positive_definite(-(A + A.T))


def _negative(f: LocalmaxStep) -> LocalmaxStep:
    """Minus a square, minus the identity, plus the skew part of A."""
    if _is_negative(f.A):
        return f
    skew = f.A - f.A.swapaxes(-1, -2)
    return f.replace(A=skew - squared(f.A) - eye_like(f.A))


negative_matrix = Assumption(
    "negative_matrix",
    "A + A^T is negative definite",
    satisfies=lambda f: _is_negative(f.A),
    restrict=_negative,
    violate=lambda f, draws: f.replace(A=-f.A),
)


def _is_monotone(f: LocalmaxStep) -> bool:
    return is_positive_semidefinite(numbers(f.A + f.A.T))


def _monotone(f: LocalmaxStep) -> LocalmaxStep:
    """A square of A, plus its skew part."""
    if _is_monotone(f):
        return f
    return f.replace(A=squared(f.A) + f.A - f.A.swapaxes(-1, -2))


monotone_matrix = Assumption(
    "monotone_matrix",
    "A + A^T is positive semidefinite",
    satisfies=_is_monotone,
    restrict=_monotone,
    violate=lambda f, draws: _repelled(draws) if draws.integer(0, 1) else f.replace(A=-f.A - eye_like(f.A)),
)


def _repelled(draws: Draws) -> LocalmaxStep:
    """Two tokens that meet along a direction in which scores repel, while one on the other side hears only itself."""
    apart, repulsion = draws.integer(1, 2), draws.integer(3, 6)
    return LocalmaxStep.instance(
        z=exact([[-1, apart], [-1, -apart], [1, 0]]),
        A=exact([[1, 0], [0, -repulsion]]),
        gamma=draws.choice(STEP_SIZES),
        delta=1,
    )


def widest_pair(f: LocalmaxStep) -> Any:
    """max_{i,j} <A (z_i - z_j), z_i - z_j>."""
    norms = (f.z @ f.A.T * f.z).sum(axis=-1)
    mixed = f.scores()
    return (norms[:, None] + norms[None, :] - mixed - mixed.T).max()


small_diameter = Assumption(
    "small_diameter",
    "<A (z_i - z_j), z_i - z_j> < 2 delta for all i, j",
    satisfies=lambda f: widest_pair(f) < 2 * f.delta.item(),
    restrict=lambda f: f.replace(delta=numbers(max(f.delta.item(), widest_pair(f) / 2 + fmpq(1, 16)))),
    violate=lambda f, draws: f.replace(delta=numbers(max(widest_pair(f), fmpq(0)) / draws.choice((2, 8)))),
)


def _one_goes_unheard(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """Half the largest gap for a sensitivity; where there is no gap, another token."""
    if f.gaps().max() > 0:
        return f.replace(delta=numbers(f.gaps().max() / 2))
    eye = eye_like(f.A)
    return f.replace(z=numbers(np.concatenate([2 * eye[:1], -eye[:1]])), A=eye, delta=numbers(fmpq(draws.integer(0, 1))))


all_hear_all = Assumption(
    "all_hear_all",
    "<A z_i, z_l - z_j> <= delta for all i, l, j",
    satisfies=lambda f: bool((f.gaps() <= f.delta.item()).all()),
    restrict=lambda f: f.replace(delta=numbers(max(f.delta.item(), f.gaps().max()))),
    violate=_one_goes_unheard,
)


def _ending_at(f: ScheduledLocalmax, delta: fmpq) -> ScheduledLocalmax:
    return f.replace(delta=exact([*f.delta[:-1], delta]))


lasting_sensitivity = Assumption(
    "lasting_sensitivity",
    "liminf delta_k > 0",
    satisfies=lambda f: f.delta[-1] > 0,
    restrict=lambda f: f if f.delta[-1] > 0 else _ending_at(f, fmpq(1)),
    violate=lambda f, draws: _ending_at(f, fmpq(0)) if draws.integer(0, 1) else _two_chase(f),
)


def _two_chase(f: ScheduledLocalmax) -> ScheduledLocalmax:
    """Two opposite tokens that hear one another, and only the other: hardmax under a negative score."""
    return _ending_at(f, fmpq(0)).replace(z=exact([[1], [-1]]), A=exact([[-1]]))


vanishing_sensitivity = Assumption(
    "vanishing_sensitivity",
    "delta_k -> 0",
    satisfies=lambda f: f.delta[-1] == 0,
    restrict=lambda f: _ending_at(f, fmpq(0)),
    violate=lambda f, draws: _ending_at(f, fmpq(draws.integer(1, 12))),
)

positive_symmetric_part = Assumption(
    "positive_symmetric_part",
    "A + A^T is positive definite",
    satisfies=lambda f: is_positive_definite(numbers(f.A + f.A.T)),
    restrict=lambda f: f if is_positive_definite(numbers(f.A + f.A.T)) else f.replace(A=-_negative(f).A),
    violate=lambda f, draws: f.replace(A=-f.A),
)


def _neighbours_end_symmetric(f: LocalmaxStep) -> bool:
    """Decided on final neighbours, or on those of the cycle that a certificate must show to repeat."""
    try:
        late = [settled(f).states[-1]]
    except NotSettledError:  # a cycle, or nothing known
        late = orbit(f, CYCLE_STEPS + 6)[CYCLE_STEPS:]
    return all(bool((now.neighbours() == now.neighbours().T).all()) for now in late)


symmetric_in_the_end = Assumption(
    "symmetric_in_the_end",
    "j in C_i <=> i in C_j for all large k",
    satisfies=_neighbours_end_symmetric,
    restrict=lambda f: f if _neighbours_end_symmetric(f) else _spread_out(f.replace(A=eye_like(f.A))),
    violate=lambda f, draws: cycling_start(draws),
)

step_sizes_at_most_one = Assumption(
    "step_sizes_at_most_one",
    "0 <= gamma_k <= 1",
    satisfies=lambda f: all(0 <= gamma <= 1 for gamma in f.gamma),
    violate=lambda f, draws: f.replace(gamma=0 * f.gamma + draws.choice((fmpq(3, 2), fmpq(-1), fmpq(2)))),
)

open_step_sizes = Assumption(
    "open_step_sizes",
    "0 < gamma_k < 1, in a compact part of it",
    satisfies=lambda f: all(0 < gamma < 1 for gamma in f.gamma),
    violate=lambda f, draws: f.replace(gamma=0 * f.gamma + draws.choice((fmpq(1), fmpq(0), fmpq(3, 2)))),
)

positive_step_sizes = Assumption(
    "positive_step_sizes",
    "0 < gamma_k <= 1, in a compact part of it",
    satisfies=lambda f: all(0 < gamma <= 1 for gamma in f.gamma),
    violate=lambda f, draws: f.replace(gamma=0 * f.gamma + draws.choice((fmpq(0), fmpq(3, 2), fmpq(2)))),
)

two_dimensions = Assumption(
    "two_dimensions",
    "d = 2",
    satisfies=lambda f: f.z.shape[-1] == 2,
    restrict=lambda f: f.replace(z=f.z[..., :2], A=f.A[..., :2, :2]),
    violate=lambda f, draws: cycling_start(draws),
)

two_tokens = Assumption(
    "two_tokens",
    "n = 2",
    satisfies=lambda f: len(f.z) == 2,
    restrict=lambda f: f.replace(z=f.z[..., :2, :]),
    violate=lambda f, draws: f.replace(z=numbers(np.concatenate([f.z, draws.dyadic(1, len(f.A), size=3, bits=0)]))),
)


def _partition(f: LocalmaxStep) -> bool:
    """Whether every token hears exactly the tokens of its block, each block a set Q with C_i = Q on it."""
    return sum(len(Q) for Q in quiescent_sets(f)) == len(f.z)


def block_room(f: LocalmaxStep) -> Array:
    """<A z_i, z_i - z_j> - delta - max_{p,q in Q} |z_p - z_q|_A^2 / 2 for tokens j outside the block Q of i, flat."""
    r, near = f.squared_norms(), f.neighbours()
    scores = f.scores()
    squares = r[:, None] + r[None, :] - 2 * scores
    widest = [max(squares[np.ix_(Q, Q)].flat) for Q in map(np.flatnonzero, near)]
    room = (r - f.delta.item() - numbers(np.array(widest, dtype=object)) / 2)[:, None] - scores
    return numbers(room[~near])


def _directions_apart(A: Array) -> Array:
    """Directions c among the axes with <A c, c - c'> > 0 for every other c', at least one, shape (m, d)."""
    chosen: list[Array] = []
    for c in np.concatenate([eye_like(A), -eye_like(A)]):
        if all(A @ c @ (c - other) > 0 and A @ other @ (other - c) > 0 for other in chosen):
            chosen.append(c)
    return numbers(np.stack(chosen))


def _spread_out(f: LocalmaxStep) -> LocalmaxStep:
    """Blocks around points of the axes, so far out that the hypothesis holds; delta the largest gap in a block.

    Only the additive rule is sure to hear that gap; under another one, or where no distance will do, it may not be met.
    """
    n = len(f.z)
    axes = _directions_apart(f.A)
    block = np.arange(n) % len(axes)
    away = fmpq(1)
    for _ in range(MOST_DOUBLINGS):
        z = numbers(f.z / 4 + away * axes[block])
        scores = z @ f.A.T @ z.T
        same = block[:, None] == block[None, :]
        delta = max(max(scores[i][same[i]]) - min(scores[i][same[i]]) for i in range(n))
        g = f.replace(z=z, delta=numbers(delta))
        if _partition(g) and all(room > 0 for room in block_room(g)):
            return g
        away = 2 * away
    return f


def _one_block_hears_another(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """A sensitivity at or above the smallest score that parts a token from another block; with one block half of delta."""
    room, gaps = block_room(f), f.gaps()
    if not len(room):
        return _one_goes_unheard(f, draws)
    heard = gaps[~f.neighbours()].min()
    return f.replace(delta=numbers(draws.choice((heard, f.delta.item() + room.min()))))


separated_blocks = Assumption(
    "separated_blocks",
    "tokens are partitioned into blocks with <A z_i, z_l - z_j> <= delta inside, and <A z_i, z_i - z_j> > delta + "
    "max_{p,q in Q} |z_p - z_q|_A^2 / 2 for i in the block Q and j in another one",
    satisfies=lambda f: _partition(f) and all(room > 0 for room in block_room(f)),
    restrict=_spread_out,
    violate=_one_block_hears_another,
)


def _both_positive(f: TwoSensitivities, share: fmpq) -> TwoSensitivities:
    """The smaller sensitivity a share of the larger one, which is 1 where it was 0."""
    larger = f.larger if f.larger.item() > 0 else numbers(fmpq(1))
    return f.replace(delta=numbers(share * larger), larger=larger)


hardmax_at_first = Assumption(
    "hardmax_at_first",
    "the smaller sensitivity is 0",
    satisfies=lambda f: f.delta.item() == 0,
    restrict=lambda f: f.replace(delta=0 * f.delta),
    violate=lambda f, draws: _both_positive(f, fmpq(1, draws.integer(1, 4))),
)


def least_gap_of_hardmax(f: TwoSensitivities) -> fmpq:
    """The least positive gap that the orbit without sensitivity meets until its neighbours are final, or 1.

    For a step size outside (0, 1) in the first steps, where it neither rests nor recurs in these. Raises UndecidedError
    where neighbours are not known to be final.
    """
    start = f.under(0 * f.delta)
    try:
        states = settled(start).states
    except NotSettledError:
        if 0 < f.gamma.item() < 1:
            raise
        states = orbit(start, RECURRENCE_STEPS)
    return min((gap for now in states for gap in now.gaps().flat if gap > 0), default=fmpq(1))


def _is_tiny(f: TwoSensitivities) -> bool:
    try:
        return bool(64 * f.larger.item() <= least_gap_of_hardmax(f))
    except NotSettledError:
        return False


def _tiny(f: TwoSensitivities) -> TwoSensitivities:
    """A 64th of the least gap; where nothing is known of hardmax, with tokens in a row on the first axis."""
    if _is_tiny(f):
        return f
    in_a_row = exact(np.arange(1, len(f.z) + 1))[:, None] * eye_like(f.A)[:1]
    for g in (f, f.replace(z=numbers(in_a_row))):
        try:
            return g.replace(larger=numbers(least_gap_of_hardmax(g) / 64))
        except NotSettledError:
            continue
    return f


tiny_sensitivity = Assumption(
    "tiny_sensitivity",
    "64 delta is at most every positive gap of hardmax until its neighbours are final",
    satisfies=_is_tiny,
    restrict=_tiny,
    violate=lambda f, draws: f.replace(larger=numbers(least_gap_of_hardmax(f) * draws.integer(1, 4))),
)

three_dimensions = Assumption(
    "three_dimensions",
    "d <= 3",
    satisfies=lambda f: f.z.shape[-1] <= 3,
    restrict=lambda f: f.replace(z=f.z[..., :3], A=f.A[..., :3, :3]),
    violate=lambda f, draws: pursuit_of_pairs(draws),
)


# ---------------------------------------------------------------------------------------------------------------------
# Designed starts


def near_the_edge(draws: Draws) -> LocalmaxStep:
    """Tokens on a half line: a pair that hears only one another, and a third that hears all and comes near them."""
    high, low = draws.integer(4, 12), draws.integer(1, 8)
    z = exact([[high], [high - fmpq(draws.integer(1, 4), 2)], [min(low, high - 3)]])
    scores = z[:, 0] * high
    # Between the gap that the pair must exceed and the one it has to the third token.
    share = fmpq(draws.integer(1, 4), 5)
    delta = share * (scores[0] - scores[1]) + (1 - share) * z[1, 0] * (z[0, 0] - z[2, 0])
    return LocalmaxStep.instance(z=z, gamma=draws.choice(STEP_SIZES), delta=delta)


def third_at_the_brink(draws: Draws) -> LocalmaxStep:
    """Two mirror images, a token on its way down their axis, and a third one behind at gap delta of where it arrives."""
    p = draws.integer(1, 3)
    behind, ahead = p + draws.integer(1, 3), p + draws.integer(1, 2)
    side = p + behind + ahead + draws.integer(0, 2)
    return LocalmaxStep.instance(
        z=exact([[p, side], [p, -side], [-behind, 0], [ahead, 0]]),
        gamma=draws.choice(STEP_SIZES),
        delta=p * (p + behind) + draws.choice((0, 1)),
    )


def between_uneven_vertices(draws: Draws) -> LocalmaxStep:
    """Three tokens that hear only themselves, one of them far behind, and a fourth that hears the two in front."""
    p, back, up, down = draws.integer(2, 4), draws.integer(0, 1), draws.integer(6, 9), draws.integer(6, 9)
    delta = p * back + abs(up - down) * (up + down) // 2 + draws.integer(2, 4)
    behind = 2 + delta // p + draws.integer(1, 3)
    start = fmpq(draws.integer(-2, 2), 4)
    return LocalmaxStep.instance(
        z=exact([[p, up], [p - back, -down], [-behind, 0], [p - fmpq(1, 2), start]]),
        gamma=draws.choice(STEP_SIZES),
        delta=delta,
    )


def opposite_pair(draws: Draws) -> LocalmaxStep:
    """Two opposite tokens near the origin, which hear one another, but not where their norm weighs delta (D2, D3)."""
    d, a = draws.integer(1, 2), fmpq(1, 2 << draws.integer(0, 1))
    # Their gap is 2 a^2; weighted by norm delta is worth a delta.
    share = fmpq(draws.integer(1, 3), 4)
    return LocalmaxStep.instance(
        z=a * np.concatenate([_eye(d)[:1], -_eye(d)[:1]]),
        gamma=draws.choice(STEP_SIZES),
        delta=(1 - share) * 2 * a * a + share * 2 * a,
    )


def frozen_pair(draws: Draws) -> LocalmaxStep:
    """Two opposite tokens that just do not attend to one another: their gap exceeds delta by a part in 64 to 4096."""
    d, a, less = draws.integer(1, 2), draws.integer(1, 3), fmpq(1, 64 << 3 * draws.integer(0, 2))
    ends = numbers(a * np.concatenate([_eye(d)[:1], -_eye(d)[:1]]))
    return LocalmaxStep.instance(z=ends, gamma=draws.choice(STEP_SIZES), delta=2 * a * a * (1 - less))


def lattice_or_pair(draws: Draws) -> LocalmaxStep:
    """Any lattice start, or an opposite pair, perhaps one that is almost too near to stay apart."""
    kind = draws.integer(0, 5)
    return opposite_pair(draws) if kind == 0 else frozen_pair(draws) if kind == 1 else lattice_start(draws)


def crowd_at_the_edge(draws: Draws) -> LocalmaxStep:
    """A token on a line that attends to one far ahead and to a crowd of m behind, whose gap is nearly delta at its limit.

    At a and -1 all attend to themselves alone. The token tends to s = (a - m) / (m + 1), where the crowd has the gap s (a +
    1), a little below delta, and the token itself m / (m + 1) of that; 1 + s is a little above delta, so that it is not
    attended to.
    """
    m, short = draws.integer(40, 56), fmpq(1, 64 << draws.integer(0, 2))
    a = m + 1 - short
    z = exact([[a], *[[-1]] * m, [(a - m) / (m + 1) * fmpq(draws.integer(1, 4), 4)]])
    delta = (a + 1) / ((m + 1) * (1 + short / 2))
    return LocalmaxStep.instance(z=z, gamma=draws.choice(STEP_SIZES), delta=delta)


def uneven_or_lattice(draws: Draws) -> LocalmaxStep:
    """A token between uneven vertices, or beside a crowd, any lattice start or an opposite pair."""
    kind = draws.integer(0, 8)
    if kind == 0:
        return crowd_at_the_edge(draws)
    return between_uneven_vertices(draws) if kind % 2 else lattice_or_pair(draws)


def cycling_start(draws: Draws) -> LocalmaxStep:
    """:func:`cycling_under` the additive rule."""
    return cycling_under(ADDITIVE, draws)


def cycling_under_another_rule(draws: Draws) -> LocalmaxStep:
    """:func:`cycling_under` one of the other rules."""
    return cycling_under(draws.integer(1, len(RULES) - 1), draws)


def cycling_under(rule: int, draws: Draws) -> LocalmaxStep:
    """A token of R^3 that hears four vertices, at times all and at times two, on its way to and fro between two averages.

    P = (X, -p, 0), Q = (X, q, 0) and the pair Y = (X - 1, -u, +-v) hear only themselves. Hearing P, Q and itself the token
    moves by alpha = 2 gamma / 3 towards their middle m_1, where the scores of Y are better; hearing Y as well by beta = 4
    gamma / 5 towards m_2, where they are worse, for P is larger there. delta is halfway between the two gaps of Y.
    """
    gamma, X = draws.choice((fmpq(1, 2), fmpq(3, 4))), draws.integer(4, 10)
    p, q, u, v = draws.integer(3, 5), draws.integer(3, 5), draws.integer(1, 2), draws.integer(4, 8)
    alpha, beta = gamma * fmpq(2, 3), gamma * fmpq(4, 5)
    m_1, m_2 = exact([X, fmpq(q - p, 2), 0]), exact([X - fmpq(1, 2), fmpq(q - p - 2 * u, 4), 0])
    lasting = 1 - (1 - alpha) * (1 - beta)
    worse = ((1 - beta) * alpha * m_1 + beta * m_2) / lasting
    better = ((1 - alpha) * beta * m_2 + alpha * m_1) / lasting
    vertices_ = exact([[X, -p, 0], [X, q, 0], [X - 1, -u, v], [X - 1, -u, -v]])
    parts = [_part_of_the_rule(rule, place, vertices_) for place in (worse, better)]
    return LocalmaxStep.instance(
        z=numbers(np.concatenate([vertices_, better[None]])),
        gamma=gamma,
        delta=(parts[0] + parts[1]) / 2,
        rule=rule,
    )


def _part_of_the_rule(rule: int, place: Array, points: Array) -> fmpq:
    """The gap of the third point at a place, divided by h or, about, by the norm there where the rule compares with it."""
    scores = points @ place
    gap, top = max(scores) - scores[2], max(scores)
    if rule == RELATIVE:
        return gap / top
    norm = (place @ place).item()
    return gap * inverse_root(norm, 24, 24) if rule == WEIGHTED else gap


def pursuit_of_pairs(draws: Draws) -> LocalmaxStep:
    """A token of R^4 that goes for the middles (+-r, 0), (0, +-r) of four tied pairs in turn, for ever.

    With A = I + t J on the first plane, J the quarter turn, each pair goes r h, or -r h, out of it, along an axis that the
    opposite pair shares: they hear only themselves for h^2 > t - 1. The token at gamma (1, -k) r / (1 + k^2), k = 1 - gamma
    prefers (0, r) for t > (1 + k) / (1 - k), and the step there is the quarter turn: J z = k z + gamma (0, r).
    """
    gamma, r = draws.choice((fmpq(1, 2), fmpq(3, 4), fmpq(1, 3))), 1 + draws.integer(0, 2)
    k = 1 - gamma
    t = (1 + k) / (1 - k) + fmpq(1 + draws.integer(0, 3), 2)
    h = t / 2 + draws.integer(1, 2)  # (t/2 + 1)^2 > t - 1
    turn, A = exact([[0, -1], [1, 0]]), exact(np.eye(4, dtype=int))
    A[:2, :2] = A[:2, :2] + t * turn
    pairs = [
        [sign * (axis == 0), sign * (axis == 1), side * h * (axis == 0), side * h * (axis == 1)]
        for axis in (0, 1)
        for sign in (1, -1)
        for side in (1, -1)
    ]
    token = gamma * exact([1, -k]) / (1 + k * k)
    for _ in range(draws.integer(0, 3)):
        token = turn @ token
    z = exact([*pairs, [*token, 0, 0]])
    return LocalmaxStep.instance(z=numbers(r * z), A=A, gamma=gamma)


def pursuit_or_hardmax(draws: Draws) -> LocalmaxStep:
    """A pursuit of pairs, or a lattice start or mirrored pair."""
    return pursuit_of_pairs(draws) if draws.integer(0, 1) else hardmax_start(draws)


def line_start(draws: Draws) -> LocalmaxStep:
    """Lattice tokens on a line, both signs, with vertices that hear only themselves and tokens between them."""
    f = lattice_start(draws)
    return f.replace(z=f.z[:, :1], A=_eye(1))


def plane_start(draws: Draws) -> LocalmaxStep:
    """Lattice tokens in the plane, or a token between uneven vertices."""
    f = uneven_or_lattice(draws)
    return f.replace(z=numbers(np.concatenate([f.z, 0 * f.z], axis=1)[:, :2]), A=_eye(2))


def ends_and_middle(draws: Draws) -> TwoSensitivities:
    """Two ends, the origin and a token that hears one end or, under the larger sensitivity, both."""
    left, right = draws.integer(5, 9), draws.integer(5, 9)
    middle = draws.integer(1, 3)
    heard = middle * (left + right)
    return TwoSensitivities.instance(
        z=exact([[-left], [right], [-middle], [0]]),
        gamma=draws.choice(STEP_SIZES),
        delta=heard - draws.integer(1, 2),
        larger=heard + fmpq(draws.integer(1, 3), 5),
    )


def mirrored_pair_on_the_move(draws: Draws) -> LocalmaxStep:
    """Two leaders of R^3, two tokens on their way to them, beside, and a fifth in the mirror plane that hears these two.

    Its average rises towards the plane of the leaders as fast as the pair, so it lags behind by a multiple of the step.
    """
    X, S, w = draws.integer(2, 4), draws.integer(1, 3), fmpq(1, draws.integer(2, 3))
    beside, start = fmpq(draws.integer(1, 2), 4), fmpq(draws.integer(0, 1), 4)
    return LocalmaxStep.instance(
        z=exact([[X, 0, S], [-X, 0, S], [X - 1, beside, S], [1 - X, beside, S], [0, start, S - w]]),
        gamma=draws.choice(STEP_SIZES),
    )


def hardmax_and_a_little(draws: Draws) -> TwoSensitivities:
    """Lattice tokens in any unit, perhaps one of them far behind, without sensitivity and with a small one."""
    f, unit = lattice_start(draws), draws.choice((fmpq(1), fmpq(1, 16), fmpq(8)))
    z = f.z * unit
    z[0] = z[0] * draws.choice((1, 1, -32))
    little = unit * unit / (1 << draws.integer(0, 10))
    return TwoSensitivities(z=numbers(z), A=f.A, gamma=f.gamma, delta=numbers(fmpq(0)), larger=numbers(little))
