"""Hypotheses on localmax orbits for claims about limits."""

from typing import Any

import numpy as np
from flint import fmpq

from claims.localmax.setting.ends import MOST_DOUBLINGS, RECURRENCE_STEPS, late_states, quiescent_sets, settled
from claims.localmax.setting.starts import STEP_SIZES, cycling_start, pursuit_of_pairs
from claims.stating.assumptions import size, with_entries
from claims.stating.matrices import eye_like, is_positive_definite, is_positive_semidefinite, squared
from claims.stating.statement import Assumption, Draws, Violate
from dynamics.arithmetic import Array, exact, numbers
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep
from dynamics.tokens.paired_localmax import TwoSensitivities
from dynamics.tokens.schedules import ScheduledLocalmax


# Each to a place of its own: two tokens at the origin must not become a coincident pair, which another hypothesis excludes.
def _away_from_zero(f: LocalmaxStep) -> LocalmaxStep:
    """Tokens at the origin moved along the first axis, each to a place of its own, beyond all others."""
    z, reach = f.z.copy(), max(abs(f.z).flat)
    for place, i in enumerate(np.flatnonzero((z == 0).all(axis=-1))):
        z[i, 0] = reach + 1 + place
    return f.replace(z=numbers(z))


def _at_the_origin(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """Two opposite tokens, and one at the origin, which attends to both and stays; or one of several moved there."""
    if len(f.z) > 1 and draws.integer(0, 1):
        return with_entries(f, "z", -1, 0 * f.z[-1])
    return f.replace(z=numbers(np.concatenate([f.z[:1], -f.z[:1], 0 * f.z[:1]])))


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


# Of the symmetric part: <A(v - w), v - w> sees nothing else of A, so no symmetry is asked.
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


# A square plus the skew part of A keeps A asymmetric, as the hypothesis allows.
monotone_matrix = Assumption(
    "monotone_matrix",
    "A + A^T is positive semidefinite",
    satisfies=_is_monotone,
    restrict=_monotone,
    violate=lambda f, draws: _repelled(draws) if draws.integer(0, 1) else f.replace(A=-f.A - eye_like(f.A)),
)


def _repelled(draws: Draws) -> LocalmaxStep:
    """Two tokens that meet along a direction in which scores repel, while one on the other side attends only to itself."""
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


# At half the widest pair the inequality just fails, and two clusters may stay: the violation tries that and less.
small_diameter = Assumption(
    "small_diameter",
    "<A (z_i - z_j), z_i - z_j> < 2 delta for all i, j",
    satisfies=lambda f: widest_pair(f) < 2 * f.delta.item(),
    # 1/16 more, for the inequality is strict.
    restrict=lambda f: f.replace(delta=numbers(max(f.delta.item(), widest_pair(f) / 2 + fmpq(1, 16)))),
    violate=lambda f, draws: f.replace(delta=numbers(max(widest_pair(f), fmpq(0)) / draws.choice((2, 8)))),
)


# One token, or many at one place, has no gap to undercut: two on opposite sides are put there.
def _one_goes_unheard(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """Half the largest gap as the sensitivity; where there is no gap, two tokens on opposite sides of the origin."""
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


def _ending_at(f: ScheduledLocalmax, delta: int) -> ScheduledLocalmax:
    # The last entry of a schedule holds for all later steps: it is the limit.
    return f.replace(delta=exact([*f.delta[:-1], delta]))


# Broken in two ways: delta_k -> 0 alone, and with a pair that never comes to rest under hardmax.
lasting_sensitivity = Assumption(
    "lasting_sensitivity",
    "liminf delta_k > 0",
    satisfies=lambda f: f.delta[-1] > 0,
    restrict=lambda f: f if f.delta[-1] > 0 else _ending_at(f, 1),
    violate=lambda f, draws: _ending_at(f, 0) if draws.integer(0, 1) else _two_chase(f),
)


def _two_chase(f: ScheduledLocalmax) -> ScheduledLocalmax:
    """Two opposite tokens that attend to one another, and only the other: hardmax under a negative score."""
    return _ending_at(f, 0).replace(z=exact([[1], [-1]]), A=exact([[-1]]))


vanishing_sensitivity = Assumption(
    "vanishing_sensitivity",
    "delta_k -> 0",
    satisfies=lambda f: f.delta[-1] == 0,
    restrict=lambda f: _ending_at(f, 0),
    violate=lambda f, draws: _ending_at(f, draws.integer(1, 12)),
)

# Weaker than definite_matrix, which asks for A = A^T as well: what the open question is about.
positive_symmetric_part = Assumption(
    "positive_symmetric_part",
    "A + A^T is positive definite",
    satisfies=lambda f: is_positive_definite(numbers(f.A + f.A.T)),
    # Minus what makes the symmetric part negative definite.
    restrict=lambda f: f if is_positive_definite(numbers(f.A + f.A.T)) else f.replace(A=-_negative(f).A),
    violate=lambda f, draws: f.replace(A=-f.A),
)


# Of the late states, since "for all large k" is decided only once neighbours are final or recur.
def _neighbours_end_symmetric(f: LocalmaxStep) -> bool | None:
    """None where neither final neighbours nor a cycle of them is shown."""
    try:
        late = late_states(f)
    except NotSettledError:
        return None
    return all(bool((now.neighbours() == now.neighbours().T).all()) for now in late)


def _ending_symmetric(f: LocalmaxStep) -> LocalmaxStep:
    """As it is, else in blocks apart; where a step size leaves their limit unknown, each block rests at one point."""
    if _neighbours_end_symmetric(f):
        return f
    plain = f.replace(A=eye_like(f.A))
    apart = _spread_out(plain)
    return apart if _neighbours_end_symmetric(apart) else _spread_out(plain.replace(z=0 * f.z))


# Broken by the cycle in R^3, in which one token hears two others at every second step only.
symmetric_in_the_end = Assumption(
    "symmetric_in_the_end",
    "j in C_i <=> i in C_j for all large k",
    satisfies=_neighbours_end_symmetric,
    restrict=_ending_symmetric,
    violate=lambda f, draws: cycling_start(draws),
)

step_sizes_at_most_one = Assumption(
    "step_sizes_at_most_one",
    "0 <= gamma_k <= 1",
    satisfies=lambda f: all(0 <= gamma <= 1 for gamma in f.gamma),
    violate=lambda f, draws: f.replace(gamma=0 * f.gamma + draws.choice((fmpq(3, 2), fmpq(-1), fmpq(2)))),
)

# A schedule has finitely many entries, so "in a compact part of (0, 1)" is no further condition.
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


def _with_more_tokens(count: int) -> Violate:
    return lambda f, draws: f.replace(z=numbers(np.concatenate([f.z, draws.dyadic(count, len(f.A), size=3, bits=0)])))


# In R^3 there are cycles: the violation is one, so that the hypothesis is seen to matter.
two_dimensions = size("two_dimensions", "d", 2, 2, violate=lambda f, draws: cycling_start(draws))

two_tokens = size("two_tokens", "n", least=2, most=2, violate=_with_more_tokens(1))

at_most_three_tokens = size("at_most_three_tokens", "n", most=3, violate=_with_more_tokens(3))


# By the additive rule, whatever the rule of the start: blocks are defined by gaps up to delta.
def _are_separated(f: LocalmaxStep) -> bool:
    """Whether there are such blocks: what each of its tokens attends to by the additive rule, as all others score less."""
    g = f.replace(rule=np.array(ADDITIVE))
    return sum(len(Q) for Q in quiescent_sets(g)) == len(g.z) and all(room > 0 for room in block_room(g))


# <Ax, x - y> over two hulls is least at tokens, less half the squared diameter of the block of x: that is the allowance.
def block_room(f: LocalmaxStep) -> Array:
    """<A z_i, z_i - z_j> - delta - max_{p,q in Q} |z_p - z_q|_A^2 / 2 for tokens j outside the block Q of i, flat."""
    r, near = f.squared_norms(), f.neighbours()
    scores = f.scores()
    squares = r[:, None] + r[None, :] - 2 * scores
    widest = [max(squares[np.ix_(Q, Q)].flat) for Q in map(np.flatnonzero, near)]
    room = (r - f.delta.item() - numbers(np.array(widest, dtype=object)) / 2)[:, None] - scores
    return numbers(room[~near])


# Opposite axes attract under a negative score: only axes that prefer themselves can hold blocks.
def _directions_apart(A: Array) -> Array:
    """Directions c among the axes with <A c, c - c'> > 0 for every other c', at least one, shape (m, d)."""
    chosen: list[Array] = []
    for c in np.concatenate([eye_like(A), -eye_like(A)]):
        if all(A @ c @ (c - other) > 0 and A @ other @ (other - c) > 0 for other in chosen):
            chosen.append(c)
    return numbers(np.stack(chosen))


# Scores between blocks grow with the square of the distance, gaps inside only linearly: some doubling suffices.
def _spread_out(f: LocalmaxStep) -> LocalmaxStep:
    """Blocks around points of the axes, so far out that the hypothesis holds; delta the largest gap in a block.

    Where no distance suffices, the hypothesis is not met.
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
        if _are_separated(g):
            return g
        away = 2 * away
    return f


def _one_block_hears_another(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """A sensitivity at or above the smallest score that parts a token from another block; with one block half of delta."""
    g = f.replace(rule=np.array(ADDITIVE))
    room = block_room(g)
    if not len(room):
        return _one_goes_unheard(f, draws)
    attended = g.gaps()[~g.neighbours()].min()
    return f.replace(delta=numbers(draws.choice((attended, f.delta.item() + room.min()))))


separated_blocks = Assumption(
    "separated_blocks",
    "tokens are partitioned into blocks with <A z_i, z_l - z_j> <= delta inside, and <A z_i, z_i - z_j> > delta + "
    "max_{p,q in Q} |z_p - z_q|_A^2 / 2 for i in the block Q and j in another one",
    satisfies=_are_separated,
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


# Until neighbours are final: after that no gap decides anything any more.
def gaps_of_hardmax(f: TwoSensitivities) -> list[fmpq]:
    """The positive gaps that the orbit without sensitivity meets until its neighbours are final.

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
    return [gap for now in states for gap in now.gaps().flat if gap > 0]


def least_gap_of_hardmax(f: TwoSensitivities) -> fmpq:
    """The least of them, or 1. Raises UndecidedError as :func:`gaps_of_hardmax` does."""
    return min(gaps_of_hardmax(f), default=fmpq(1))


# 64: the bound n delta / sqrt(g) is conjectured for delta <= g / 64, and says nothing of larger ones.
def _is_tiny(f: TwoSensitivities) -> bool | None:
    """None where the neighbours of hardmax are not known to be final."""
    try:
        return all(64 * f.larger.item() <= gap for gap in gaps_of_hardmax(f))
    except NotSettledError:
        return None


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

# In R^4 a pursuit of pairs is known that never ends; the question is open below.
three_dimensions = size("three_dimensions", "d", most=3, violate=lambda f, draws: pursuit_of_pairs(draws))
