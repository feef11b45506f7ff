"""Starts of localmax orbits: general ones, and ones designed for a statement about limits."""

from collections.abc import Callable

import numpy as np
from flint import fmpq

from claims.instances.builders import draw_system
from claims.stating.statement import Draws
from dynamics.arithmetic import Array, exact, inverse_root, numbers
from dynamics.system import System
from dynamics.tokens.localmax import ADDITIVE, RELATIVE, RULES, WEIGHTED, LocalmaxStep
from dynamics.tokens.paired_localmax import TwoSensitivities
from dynamics.tokens.schedules import ScheduledLocalmax

# ---------------------------------------------------------------------------------------------------------------------
# Starts

# Small denominators: each step multiplies those of the tokens by that of gamma.
STEP_SIZES = (fmpq(1, 2), fmpq(1, 3), fmpq(3, 4), fmpq(1, 4))


def _eye(d: int) -> Array:
    return exact(np.eye(d, dtype=int))


# Mirror images tie in every score with the mirror plane: so limits lie in the middle of faces, as they hardly do at random.
def _lattice_tokens(draws: Draws, n: int, d: int) -> Array:
    """Tokens on a small lattice, at random or in mirror images: ties, and limits in the middle of faces."""
    z = draws.dyadic(n, d, size=3, bits=0)
    if draws.integer(0, 2) == 0 and d > 1:
        half = n // 2
        z[half : 2 * half] = z[:half]
        z[half : 2 * half, -1] = -z[:half, -1]
        z[2 * half :, -1] = 0 * z[2 * half :, -1]
    return numbers(z)


# Any matrix, as most statements about the hull and its vertices ask nothing of A; the hypotheses narrow it.
def _lattice_matrix(draws: Draws, d: int) -> Array:
    """The identity, half of the time, or any small integer matrix."""
    return draws.dyadic(d, d, size=2, bits=0) if draws.integer(0, 1) else _eye(d)


# Whole and half numbers, so that delta ties with a gap.
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


def rule_start(draws: Draws) -> LocalmaxStep:
    """A lattice start or opposite pair under any of the six rules; delta a part of h or of the norm where they say so."""
    rule, f = draws.integer(0, len(RULES) - 1), lattice_or_pair(draws)
    # For lattice tokens h is about 8, and the norm about 2: delta times these is about what it is under the other rules.
    return f.replace(rule=np.array(rule), delta=f.delta / (1, 8, 2, 1, 1, 1)[rule])


def rule_start_or_rest(draws: Draws) -> LocalmaxStep:
    """The same, or two tokens at an acute angle that attend only to themselves: gaps are 1 and more."""
    if draws.integer(0, 3):
        return rule_start(draws)
    b, rule = draws.integer(2, 3), draws.integer(0, len(RULES) - 1)
    z = exact([[b * b, 0], [1, b]])
    return LocalmaxStep.instance(z=z, gamma=draws.choice(STEP_SIZES), delta=fmpq(draws.integer(1, 3), 32), rule=rule)


# The last entry counts for all later steps, so a few different ones before it are enough for "any delta_k".
def scheduled_start(draws: Draws) -> ScheduledLocalmax:
    """A lattice start whose sensitivity and step size change for a few steps before they stay, or tokens at the edge."""
    makers = (frozen_pair, between_uneven_vertices, token_that_nears_the_edge)
    kind = draws.integer(0, 6)
    f = makers[kind](draws) if kind < len(makers) else lattice_start(draws)
    T = draws.integer(2, 5)
    gamma = exact([draws.choice(STEP_SIZES) for _ in range(T)])
    delta = exact([f.delta.item() if kind < len(makers) else _lattice_sensitivity(draws) for _ in range(T)])
    return ScheduledLocalmax(z=f.z, A=f.A, gamma=gamma, delta=delta, t=np.array(0))


def scheduled_or_full_steps(draws: Draws) -> ScheduledLocalmax:
    """A scheduled start, with step sizes of one now and then: a token then goes all the way to its average."""
    f = scheduled_start(draws)
    return f if draws.integer(0, 3) else f.replace(gamma=0 * f.gamma + 1)


# A zero token waits while the mean is 0: the one case on a line in which a sign is not decided at the start.
def balanced_or_hardmax(draws: Draws) -> LocalmaxStep:
    """A hardmax start, or tokens on a line of mean zero, one of them at zero: it waits for the others to close in."""
    if draws.integer(0, 1):
        return hardmax_start(draws)
    ends = [draws.integer(1, 3) for _ in range(draws.integer(1, 3))]
    side = draws.choice((1, -1))
    z = [0, *(side * end for end in ends), -side * sum(ends)]
    return LocalmaxStep.instance(z=exact(z)[:, None], gamma=draws.choice(STEP_SIZES))


def mirrored_pair(draws: Draws) -> LocalmaxStep:
    """A token between two mirror images, and perhaps another one that comes to the first of these."""
    p, q = draws.integer(1, 3), draws.integer(1, 3)
    share, foot = fmpq(draws.integer(1, 3), 4), fmpq(draws.integer(1, 4), 2)
    z = [[p, q], [p, -q], [foot, 0], [share * p, share * q]]
    return LocalmaxStep.instance(z=z[: 4 - draws.integer(0, 1)], gamma=draws.choice(STEP_SIZES))


# ---------------------------------------------------------------------------------------------------------------------
# Designed starts


# The third comes nearer at each step until its gap is below delta: quiescence at one time, lost later.
def near_the_edge(draws: Draws) -> LocalmaxStep:
    """Tokens on a half line: a pair that attends only to one another, and a third that attends to all and comes near."""
    high, low = draws.integer(4, 12), draws.integer(1, 8)
    z = exact([[high], [high - fmpq(draws.integer(1, 4), 2)], [min(low, high - 3)]])
    scores = z[:, 0] * high
    # Between the gap inside the pair, which delta must exceed, and that of the third token.
    share = fmpq(draws.integer(1, 4), 5)
    delta = share * (scores[0] - scores[1]) + (1 - share) * z[1, 0] * (z[0, 0] - z[2, 0])
    return LocalmaxStep.instance(z=z, gamma=draws.choice(STEP_SIZES), delta=delta)


# At the limit of the token the one behind is exactly at gap delta, or within it by 1.
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


# The fourth token tends to the mean of two vertices, where one of them scores more with it than it does itself.
def between_uneven_vertices(draws: Draws) -> LocalmaxStep:
    """Three tokens that attend only to themselves, one of them far behind, and a fourth that attends to the front two."""
    p, back, up, down = draws.integer(2, 4), draws.integer(0, 1), draws.integer(6, 9), draws.integer(6, 9)
    delta = p * back + abs(up - down) * (up + down) // 2 + draws.integer(2, 4)
    behind = 2 + delta // p + draws.integer(1, 3)
    start = fmpq(draws.integer(-2, 2), 4)
    return LocalmaxStep.instance(
        z=exact([[p, up], [p - back, -down], [-behind, 0], [p - fmpq(1, 2), start]]),
        gamma=draws.choice(STEP_SIZES),
        delta=delta,
    )


# Under D1 they attend to one another and under D2 and D3 they do not: a start on which the readings differ.
def opposite_pair(draws: Draws) -> LocalmaxStep:
    """Two opposite tokens near the origin, which attend to one another, but not where their norm weighs delta (D2, D3)."""
    d, a = draws.integer(1, 2), fmpq(1, 2 << draws.integer(0, 1))
    # Their gap is 2 a^2; weighted by norm delta is worth a delta.
    share = fmpq(draws.integer(1, 3), 4)
    return LocalmaxStep.instance(
        z=a * np.concatenate([_eye(d)[:1], -_eye(d)[:1]]),
        gamma=draws.choice(STEP_SIZES),
        delta=(1 - share) * 2 * a * a + share * 2 * a,
    )


# Their gap is 2 a^2, and delta just below it: so <A(v - w), v - w> >= 2 delta is nearly an equality.
def frozen_pair(draws: Draws) -> LocalmaxStep:
    """Two opposite tokens that just do not attend to one another: their gap exceeds delta by a part in 64 to 4096."""
    d, a, less = draws.integer(1, 2), draws.integer(1, 3), fmpq(1, 64 << 3 * draws.integer(0, 2))
    ends = numbers(a * np.concatenate([_eye(d)[:1], -_eye(d)[:1]]))
    return LocalmaxStep.instance(z=ends, gamma=draws.choice(STEP_SIZES), delta=2 * a * a * (1 - less))


# Gap and delta agree in the limit alone: the inequality for limits is an equality, and no finite step shows it.
def token_that_nears_the_edge(draws: Draws) -> LocalmaxStep:
    """Two ends of a line and a token that attends to both, whose gap for the first end falls to delta from above.

    Of a = 4, -b and -2, b = 6 or 7, in any unit the last tends to (a - b)/2, where the gap from a is a (a + b)/2 = delta.
    """
    b, unit = draws.integer(6, 7), fmpq(1, 1 << draws.integer(0, 4))
    z, delta = exact([[4], [-b], [-2]]) * unit, 2 * (4 + b) * unit * unit
    return LocalmaxStep.instance(z=numbers(z), gamma=draws.choice(STEP_SIZES), delta=delta)


# The self gap of the limit is m / (m + 1) delta or so: the constant 1 of `room_of_limits` is nearly needed.
def crowd_at_the_edge(draws: Draws) -> LocalmaxStep:
    """A token on a line that attends to one far ahead and to a crowd of m behind, whose gap is nearly delta at its limit.

    At a and -1 all attend to themselves alone. The token tends to s = (a - m) / (m + 1), where the crowd has the gap s (a +
    1), a little below delta, and the token itself m / (m + 1) of that; 1 + s is a little above delta, so that it is not
    attended to.
    """
    m, short = draws.integer(24, 28), fmpq(1, 64 << draws.integer(0, 2))
    a = m + 1 - short
    z = exact([[a], *[[-1]] * m, [(a - m) / (m + 1) * fmpq(31 + draws.integer(0, 1), 32)]])
    delta = (a + 1) / ((m + 1) * (1 + short / 2))
    return LocalmaxStep.instance(z=z, gamma=draws.choice(STEP_SIZES), delta=delta)


def cycling_start(draws: Draws) -> LocalmaxStep:
    """:func:`cycling_under` the additive rule."""
    return cycling_under(ADDITIVE, draws)


def cycling_under_another_rule(draws: Draws) -> LocalmaxStep:
    """:func:`cycling_under` one of the other rules."""
    return cycling_under(draws.integer(1, len(RULES) - 1), draws)


# delta halfway between the two gaps of Y: as far as can be from both, so that small changes do not end the cycle.
def cycling_under(rule: int, draws: Draws) -> LocalmaxStep:
    """A token of R^3 that attends to four vertices, or at times to two, on its way to and fro between two averages.

    P = (X, -p, 0), Q = (X, q, 0) and the pair Y = (X - 1, -u, +-v) attend only to themselves. Attending to P, Q and itself
    the token moves by alpha = 2 gamma / 3 towards their middle m_1, where the scores of Y are better; attending to Y as
    well by beta = 4 gamma / 5 towards m_2, where they are worse, for P is larger there. delta is halfway between the two
    gaps of Y.
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
    """A token of R^4 that goes to the midpoints (+-r, 0), (0, +-r) of four tied pairs in turn, without end.

    With A = I + t J on the first plane, J the quarter turn, each pair goes r h, or -r h, out of it, along an axis that the
    opposite pair shares: they attend only to themselves for h^2 > t - 1. The token at gamma (1, -k) r / (1 + k^2), k = 1 -
    gamma prefers (0, r) for t > (1 + k) / (1 - k), and the step there is the quarter turn: J z = k z + gamma (0, r).
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


# A = 1: on a line a positive A only scales delta.
def line_start(draws: Draws) -> LocalmaxStep:
    """Lattice tokens on a line, both signs, with vertices that attend only to themselves and tokens between them."""
    f = lattice_start(draws)
    return f.replace(z=f.z[:, :1], A=_eye(1))


# Of a line start the second coordinate is 0: convergence there is the case d = 1 again.
def plane_start(draws: Draws) -> LocalmaxStep:
    """Lattice tokens in the plane, or a token between uneven vertices."""
    f = uneven_or_lattice(draws)
    return f.replace(z=numbers(np.concatenate([f.z, 0 * f.z], axis=1)[:, :2]), A=_eye(2))


# The larger delta lets the token in the middle hear both ends, and so it stays there: one cluster more.
def ends_and_middle(draws: Draws) -> TwoSensitivities:
    """Two ends, the origin and a token that attends to one end or, under the larger sensitivity, both."""
    left, right = draws.integer(5, 9), draws.integer(5, 9)
    middle = draws.integer(1, 3)
    # The gap of the right end at -middle, where the left one leads: the two sensitivities lie on either side of it.
    attended = middle * (left + right)
    return TwoSensitivities.instance(
        z=exact([[-left], [right], [-middle], [0]]),
        gamma=draws.choice(STEP_SIZES),
        delta=attended - draws.integer(1, 2),
        larger=attended + fmpq(draws.integer(1, 3), 5),
    )


# Both tails shrink by 1 - gamma, and resonance of equal factors gives the k in k (1 - gamma)^k.
def mirrored_pair_on_the_move(draws: Draws) -> LocalmaxStep:
    """Two leaders of R^3, beside them two tokens on their way there, and a fifth in the mirror plane, attending to these.

    Its average rises towards the plane of the leaders as fast as the pair, so it lags behind by a multiple of the step.
    """
    X, S, w = draws.integer(2, 4), draws.integer(1, 3), fmpq(1, draws.integer(2, 3))
    beside, start = fmpq(draws.integer(1, 2), 4), fmpq(draws.integer(0, 1), 4)
    return LocalmaxStep.instance(
        z=exact([[X, 0, S], [-X, 0, S], [X - 1, beside, S], [1 - X, beside, S], [0, start, S - w]]),
        gamma=draws.choice(STEP_SIZES),
    )


# In any unit: n delta / sqrt(g) scales like a distance, as a bound of distances must.
def hardmax_and_a_little(draws: Draws) -> TwoSensitivities:
    """Lattice tokens in any unit, perhaps one of them far behind, without sensitivity and with a small one."""
    f, unit = lattice_start(draws), draws.choice((fmpq(1), fmpq(1, 16), fmpq(8)))
    z = f.z * unit
    z[0] = z[0] * draws.choice((1, 1, -32))
    # Gaps of lattice tokens are whole, and scale with the square of the unit.
    little = unit * unit / (1 << draws.integer(0, 10))
    return TwoSensitivities(z=numbers(z), A=f.A, gamma=f.gamma, delta=numbers(fmpq(0)), larger=numbers(little))


# A step of size one puts new tokens exactly onto averages: then the factor 1 - gamma of the bounds is zero.
def any_or_full_step(draws: Draws) -> System:
    """Any start, in a third of them with a step size of one: a token then goes all the way to its average."""
    f = draw_system(LocalmaxStep, draws)
    return f if draws.integer(0, 2) else f.replace(gamma=0 * f.arrays()["gamma"] + 1)


# ---------------------------------------------------------------------------------------------------------------------
# One of several starts


# A maker stands here as often as it is to be taken: one draw of a place, whatever the makers draw themselves.
def _among(*makers: Callable[[Draws], LocalmaxStep]) -> Callable[[Draws], LocalmaxStep]:
    def start(draws: Draws) -> LocalmaxStep:
        return makers[draws.integer(0, len(makers) - 1)](draws)

    return start


# The opposite pair has blocks whose room is as small as one likes.
blocks_start = _among(frozen_pair, *3 * (lattice_start,))

# Three pairs or tokens near an edge, of which delta alone decides what becomes of them, beside lattice tokens.
lattice_or_pair = _among(opposite_pair, frozen_pair, token_that_nears_the_edge, *4 * (lattice_start,))

# Half of them uneven, for there limits lie outside of S on open sets of starts.
uneven_or_lattice = _among(crowd_at_the_edge, *4 * (between_uneven_vertices, lattice_or_pair))

# Between a mirrored pair the tie lasts at all later times, so the limit is no vertex.
hardmax_start = _among(mirrored_pair, *2 * (lattice_start,))

# Seldom a pair on the move: its tails are not geometric and need another certificate.
hardmax_or_moving_pair = _among(mirrored_pair_on_the_move, *11 * (hardmax_start,))

pursuit_or_hardmax = _among(hardmax_start, pursuit_of_pairs)
