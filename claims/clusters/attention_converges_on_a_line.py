"""On a line attention converges to a matrix of zeros and ones, except for the row of at most one token.

Theorem 1 on the slides, Theorem 2.1 of the paper (`t:boolean`): d = 1, QK > 0, V > 0, distinct tokens; P(t) -> P*, whose
rows are e_1, at most one row of *, and e_n. The theorem is true; its last sentence, on the rate, is not. Write e_i for the
outer token on the side of x_i. By Lemma A' of docs/flow_limits.md x_i(t) diverges once x_i e_i > omega_n = W((n - 1)/e),
and its row tends to that of e_i. Starts that keep a token bounded should be a null set; of these Lemma D decides opposite
pairs with a token at 0, whose row is the row of *.

`boolean_rows_converge_doubly_exponentially`: The last sentence of Theorem 1. It fails where the first or the last token
stays bounded. By the slides its row is not the row of *: "if internal particle is bounded, then we get the *-row", and "if
x_1(t) or x_n(t) bounded, still get P_1(t) -> e_1". Two starts are given, the first token tending to -infinity from one and
to +infinity from the other. Both hold on open sets of starts, so some start between keeps x_1 bounded; there, by Lemma E of
docs/flow_limits.md, 1 - P_11 >= 1/(4 x_2(0)^2 e^{2t} + 2) for all large t.

`unit_scalars_are_enough`: y(s) = sqrt(QK) x(s/V) follows the flow with QK = V = 1.

`attention_limit_has_rank_one_or_two`: The remark after Theorem 2.1. Where Lemma A' applies, rank P* is the number of sides
to which tokens diverge.

`attention_on_a_line_has_rank_at_most_three`: By Theorem 2.1 the rows of P* are e_1, e_n and at most one other.

`attention_rows_are_ordered`: A token farther right attends farther right, because the scores x_i x_j are supermodular. So
the row of a bounded token lies between the rows of tokens that tend to -infinity and to +infinity.

`rows_of_escaping_tokens_converge_doubly_exponentially`: The last sentence of Theorem 1, corrected and with a rate. If x_i
e_i > omega_n then for all t >= 0

    1 - P_i,e_i(t) <= (n - 1) exp(-g r_i(t)),    r_i(t)^2 = x_i^2 + (x_i e_i - omega_n)(e^{2t} - 1),

where g is the gap between e_i and its neighbour at time 0.

`first_tokens_beyond_the_curve_run_off`: Starts (x_1, x_2) whose first token stays bounded seem to form a curve. The
largest |x_1| found on it is 0.512909..., near x_2 = 1.3; that the first token tends to -infinity is proved only for x_1 <
-sqrt(omega_2) = -0.5277. From (-0.512, 1.3) it tends to +infinity.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import (
    beyond_the_curve,
    definite_value,
    distinct_tokens,
    on_the_line,
    ordered_tokens,
)
from claims.clusters.setting.notation import omega
from claims.clusters.setting.starts_of_flows import (
    at_rest,
    beyond_the_curve_start,
    bracket,
    line_start,
    line_start_with_a_token_at_0,
    pairs_and_0_or_any,
    rescaled_line_start,
    times_of_brackets,
)
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from claims.stating.defects import Consequence, Defect, Kind
from claims.stating.statement import Assumption, Draws, Origin, Section, Standing
from dynamics.arithmetic import exact, exp, indicator, numbers, sign, sqrt
from dynamics.limits import (
    BoundedBetween,
    ThresholdEnd,
    TokensEnd,
    between_trap,
    line_trap,
    settling_times,
    threshold_trap,
    tokens_trap,
)
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_starts import TwoStarts

section = Section(__name__, system=SelfAttentionFlow)

# V only scales time, and Q^T K the tokens (`unit_scalars_are_enough`): of the two, Q^T K is left free.
attention_converges_on_a_line = section.claim(
    where="Theorem 1",
    refs=("T1",),
    statement=(
        "Assume QK > 0 and V > 0; WLOG QK = V = 1. Given prompt with x_i(0) != x_j(0) for i != j. "
        "There exists P* in R^{n x n}: P* = permutation_1 [1 0 ... 0; ...; 1 0 ... 0; * * ... *; 0 ... 0 1; ...; 0 ... 0 1]"
        " permutation_2 s.t. lim_{t -> +infinity} P(t) = P*."
    ),
    origin=Origin.PRINTED,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=pairs_and_0_or_any,
)


# One token alone is the first and the last: `unique` counts it once.
@attention_converges_on_a_line.limit("== 0", times=settling_times(line_trap), trap=line_trap)
def rows_of_diverging_tokens_end_at_an_outer_token(end: TokensEnd, start: SelfAttentionFlow, *, whole=1):
    """P*_i1 + P*_in - 1 for tokens in the order of the start, but for one that rests at 0: its row is left out."""
    order = np.argsort(start.x[:, 0])
    ends = np.unique(order[[0, -1]])
    return end.attention[end.leaders >= 0][:, ends].sum(axis=1) - whole


# If the first column never rises along the order, rows e_1 come first, the row of * next, and rows e_n last.
@attention_converges_on_a_line.limit(">= 0", times=settling_times(line_trap), trap=line_trap)
def rows_are_sorted_like_tokens(end: TokensEnd, start: SelfAttentionFlow):
    """P*_i1 - P*_j1 for neighbours x_i < x_j: the rows that end at the first token come first."""
    order = np.argsort(start.x[:, 0])
    first = end.attention[order, order[0]]
    return first[:-1] - first[1:]


# Two starts stand for the one between them that keeps its first token bounded: it is not an instance that one could write
# down.
boolean_rows_converge_doubly_exponentially = section.claim(
    where="Theorem 1, last sentence",
    refs=("T1", "E-T1a"),
    note=(
        "Some start between (-1, 1) and (0, 1), whose first tokens tend to -infinity and +infinity, keeps the first token "
        "bounded, and its row tends to (1, 0) no faster than a multiple of e^{-2t}. Rows of tokens that diverge, from "
        "x_i(0)^2 > omega_n, do converge doubly exponentially."
    ),
    statement=(
        "Assume QK > 0 and V > 0; WLOG QK = V = 1. Given prompt with x_i(0) != x_j(0) for i != j. "
        "lim_{t -> +infinity} P(t) = P*. Non-* rows converge doubly exponentially fast."
    ),
    origin=Origin.PRINTED,
    system=TwoStarts,
    draw=bracket,
    corrected_by="clusters.rows_of_escaping_tokens_converge_doubly_exponentially",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"Given prompt with $x_i(0) \neq x_j(0)$ for $i \neq j$. $\dots$ $\lim_{t \to +\infty} P(t) = P^*$. "
            r"Non-$*$ rows converge doubly exponentially fast."
        ),
        context=(
            r"$d = 1$, $QK = V = 1$: $\dot x_i = \sum_j P_{ij} x_j$, $P_{ij} = e^{x_i x_j} / \sum_k e^{x_i x_k}$. "
            r"Up to permutations $P^*$ has the rows $(1, 0, \dots, 0)$, then one row of $*$, then $(0, \dots, 0, 1)$."
        ),
        reading=(
            r"The slides say which row is meant: “if internal particle is bounded, then we get the $*$-row”, and “if "
            r"$x_1(t)$ or $x_n(t)$ bounded, still get $P_1(t) \to e_1$ or $P_n(t) \to e_n$”. If the row of any token "
            r"that stays bounded counts as the $*$ row, the sentence holds."
        ),
        wrong=r"Where the first or the last token stays bounded, its row converges, but not doubly exponentially fast.",
        correction=(
            r"The rows of tokens with $|x_i(t)| \to \infty$, all but at most one, converge doubly exponentially fast."
        ),
        consequences=(Consequence("Theorem 1, convergence to $P^*$", why=r"Only the rate fails, at exceptional starts."),),
    ),
)


@boolean_rows_converge_doubly_exponentially.limit(">= 0", times=times_of_brackets, trap=between_trap)
def rows_of_every_start_between_converge_so(between: BoundedBetween, start: TwoStarts):
    """-1 where some start between the two has a row that does not converge doubly exponentially."""
    return exact([between.doubly_exponential])


@boolean_rows_converge_doubly_exponentially.by_hand(by_argument=True, x=[[-1], [1]], y=[[0], [1]])
def a_bounded_first_token(_: object):
    """A start between two others, and why its row is slow."""
    yield (
        r"Take $n = 2$ and $x_2(0) = 1$. From $x_1(0) = -1$ the tokens stay opposite, and $x_1 < -1$ at once; from "
        r"$x_1(0) = 0$, where $\dot x_1 = \tfrac12$, $x_1 > 0$ at once. If ever $x_1 < -1$, then $x_1 \to -\infty$, for "
        r"$x_1 \dot x_1 = x_1^2 - u / (1 + e^u) > x_1^2 - \tfrac12$ with $u = x_1 (x_1 - x_2) > 0$; if ever $x_1 > 0$, "
        r"then $\dot x_1 \ge x_1$."
    )
    yield (
        r"Both happen on open sets of starts $x_1(0)$, so some start in $(-1, 0)$ keeps $x_1$ in $[-1, 0]$ at all times; "
        r"then $P_1 \to (1, 0)$, as the slides say, and $x_2 \le e^t$."
    )
    yield (
        r"$\dot x_1 = x_1 + P_{12} (x_2 - x_1)$, so $x_1(t) = -\int_t^\infty e^{t - s} P_{12} (x_2 - x_1) \, ds$, "
        r"which is doubly exponentially small if $P_{12}$ is."
    )
    yield (
        r"But then $x_1 x_2 \to 0$ and $x_1^2 \to 0$, so $P_{12} = 1 / (1 + e^{x_1 (x_1 - x_2)}) \to \tfrac12$: a "
        r"contradiction to $P_{12} \to 0$."
    )


unit_scalars_are_enough = section.claim(
    where="slide 'Theorem 1'",
    refs=("T1",),
    statement="Assume QK > 0 and V > 0; WLOG QK = V = 1.",
    origin=Origin.PRINTED,
    assumptions=(on_the_line, definite_key_query, definite_value),
)


@unit_scalars_are_enough.identity()
def velocities_agree(f: SelfAttentionFlow, *, power=1):
    """sqrt(QK) x'/V less the velocity at sqrt(QK) x under QK = V = 1."""
    root = sqrt(f.B)
    unit = SelfAttentionFlow(x=f.x * root, B=f.B / f.B, V=f.V / f.V)
    return root * f.drift() / f.V**power - unit.drift()


attention_limit_has_rank_one_or_two = section.claim(
    where="after Theorem 2.1",
    refs=("T1", "E-T1b"),
    statement="d = 1, Q^T K > 0, V = 1, distinct tokens: for almost every start P(t) tends to a matrix of rank 1 or 2.",
    origin=Origin.REPORTED,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start,
)


# The trap catches an open set of starts, and those from which a token stays bounded are not among them: this is where
# "almost every" enters.
@attention_limit_has_rank_one_or_two.limit(">= 0", times=settling_times(threshold_trap), trap=threshold_trap)
def rank_is_at_most_two(end: ThresholdEnd, start: SelfAttentionFlow, *, most=2):
    """2 - rank P*."""
    return exact([most - end.rank])


@attention_limit_has_rank_one_or_two.limit("== 0", times=settling_times(threshold_trap), trap=threshold_trap)
def rank_is_the_number_of_sides(end: ThresholdEnd, start: SelfAttentionFlow, *, each=1):
    """rank P* minus the number of sides to which tokens run off."""
    return exact([end.rank - each * len(set(end.sides.tolist()))])


attention_on_a_line_has_rank_at_most_three = section.claim(
    where="Theorem 2.1, and slide 'Beyond', rank P(t) in general",
    refs=("T1", "O3"),
    statement=(
        "d = 1, Q^T K > 0, V = 1, distinct tokens: rank P* is at most 3, and at most 2 if no token between others is "
        "bounded."
    ),
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start_with_a_token_at_0,
)


@attention_on_a_line_has_rank_at_most_three.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_at_most_three(end: TokensEnd, start: RescaledFlow, *, most=3):
    """3 - rank P*."""
    return exact([most - end.rank])


# P* is known exactly, from the class of each token: its entries are compared with 1 as rationals.
@attention_on_a_line_has_rank_at_most_three.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def all_rows_but_one_end_at_an_outer_token(end: TokensEnd, start: RescaledFlow, *, others=1):
    """1 minus how many rows of P* are not the unit vector of the first or the last token in the order of the start."""
    order = np.argsort(start.z[:, 0])
    return exact([others - int((end.attention[:, order[[0, -1]]].max(axis=1) != 1).sum())])


@attention_on_a_line_has_rank_at_most_three.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_beyond_two_is_a_bounded_token(end: TokensEnd, start: RescaledFlow, *, ends=2):
    """2 and the number of tokens that rest at 0, which have others on both sides or none, less rank P*."""
    return exact([ends + int(at_rest(end, start).sum()) - end.rank])


attention_rows_are_ordered = section.claim(
    where="Theorem 2.1, at one time",
    refs=("T1",),
    statement="If d = 1, QK > 0 and x_1 < ... < x_n, then sum_{j <= m} P_ij is nonincreasing in i for every m.",
    assumptions=(on_the_line, definite_key_query, ordered_tokens),
)


@attention_rows_are_ordered.state("> 0")
def lower_sums_fall(f: SelfAttentionFlow):
    """sum_{j <= m} (P_ij - P_{i+1,j}) for m < n; what is beyond m in one row and up to m in the other, multiplied."""
    P = f.attention()
    upper, lower = P[..., 1:, :], P[..., :-1, :]
    m = P.shape[-1]
    # a b' - a' b for the parts up to m and beyond it, so that nothing cancels against 1.
    parts = [
        lower[..., : k + 1].sum(axis=-1) * upper[..., k + 1 :].sum(axis=-1)
        - upper[..., : k + 1].sum(axis=-1) * lower[..., k + 1 :].sum(axis=-1)
        for k in range(m - 1)
    ]
    return np.stack(parts, axis=-1) if parts else P[..., :0, :0]


def _moved_outwards(f: RescaledFlow):
    """Every token moved away from 0 by 3/2, so that x_i^2 >= 9/4 > omega_n for n <= 40 and t >= 0."""
    right = indicator(f.z >= 0, f.z)
    return f.replace(z=f.z + (3 * right - 3 * (1 - right)) / 2)


def _is_beyond(f: RescaledFlow):
    """Whether all x_i^2 > omega_n, None where that is open."""
    found = [sign(value) for value in (exp(2 * f.t) * f.z[:, 0] ** 2 - omega(len(f.z), f.z)).flat]
    return False if -1 in found or 0 in found else None if None in found else True


beyond_threshold = Assumption(
    "beyond_threshold",
    "x_i(0)^2 > omega_n for every i",
    satisfies=_is_beyond,
    restrict=_moved_outwards,
    # Tokens of less than 1/8: omega_n is 0.27 or more for n >= 2.
    violate=lambda f, draws: f.replace(z=f.z / (8 * (1 + abs(f.z).max())), t=0 * f.t),
)


def _line_start_at_some_time(draws: Draws) -> RescaledFlow:
    """Two to six tokens on a line at time 0 or 1/8."""
    f = rescaled_line_start(draws)
    return f.replace(t=f.t + (0 * f.t + draws.integer(0, 1)) / 8)


rows_of_escaping_tokens_converge_doubly_exponentially = section.claim(
    where="Theorem 1, last sentence, for tokens that run off, with a rate",
    refs=("T1", "E-T1a"),
    statement="If x_i(0)^2 > omega_n for every i then 1 - P_i,e_i(t) <= (n - 1) exp(-g r_i(t)) for all t >= 0.",
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, distinct_tokens, beyond_threshold),
    draw=_line_start_at_some_time,
)


@rows_of_escaping_tokens_converge_doubly_exponentially.limit(
    "== 0", times=settling_times(threshold_trap), trap=threshold_trap
)
def every_row_ends_boolean(end: ThresholdEnd, start: RescaledFlow, *, whole=1):
    """sum_j P*_ij^2 - 1, which is 0 for a row of zeros and a one."""
    return (end.attention**2).sum(axis=-1) - whole


# In x = e^t z of the start: Lemma A' starts its clock there. Of one token alone the gap g would have no neighbour.
@rows_of_escaping_tokens_converge_doubly_exponentially.rate(">= 0", horizon=lambda start: fmpq(3, 4))
def rows_converge_at_the_rate(now: RescaledFlow, start: RescaledFlow, *, growth=1):
    """(n - 1) exp(-g r_i) - (1 - P_i,e_i) at every time, for each token, shape (..., n)."""
    z, n = start.z[..., 0], start.z.shape[-2]
    if n == 1:
        return 0 * z
    x = exp(start.t)[..., None] * z
    order = np.sort(z, axis=-1)
    right = z > 0
    last = np.where(right, order[..., -1:], order[..., :1])
    gap = exp(start.t)[..., None] * np.where(right, order[..., -1:] - order[..., -2:-1], order[..., 1:2] - order[..., :1])
    beyond = x * exp(start.t)[..., None] * last - omega(n, z)
    grown = exp(2 * growth * (now.t - start.t))[..., None]
    r = sqrt(numbers(x * x + beyond * (grown - 1)))
    others = indicator(z[..., None, :] != last[..., :, None], z)
    return (n - 1) * exp(-gap * r) - (now.attention() * others).sum(axis=-1)


# The threshold trap decides starts after they have passed sqrt(omega_2), so some time after 513/1000. Starts next to the
# curve take longest.
first_tokens_beyond_the_curve_run_off = section.claim(
    where="Theorem 1, starts with a bounded token",
    refs=("N7", "T1"),
    statement="n = 2, d = V = Q^T K = 1, x_1 <= -513/1000, x_2 > 0: x_1(t) -> -infinity.",
    assumptions=(identity_value, identity_key_query, beyond_the_curve),
    draw=beyond_the_curve_start,
    standing=Standing.OPEN,
)


@first_tokens_beyond_the_curve_run_off.limit("== 0", times=settling_times(threshold_trap), trap=threshold_trap)
def side_of_the_first_token(end: ThresholdEnd, start: SelfAttentionFlow, *, side=-1):
    """The sign of x_1 for ever, less -1."""
    return exact([int(end.sides[0]) - side])
