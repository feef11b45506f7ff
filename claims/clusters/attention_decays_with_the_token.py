"""On a line a token at x_i >= 0 attends to every token but the last with weight at most e^{-c x_i}.

From the proof of Theorem 1 on the slides; c is the least distance of neighbours, which never falls.

`attention_decays_with_the_token`: Printed under x_i -> infinity, hence for large times. The second step uses x_i >= 0 and
nothing else about the limit.

`rows_of_unbounded_tokens_end_at_the_outer_ones`: Decided by Lemma A' of docs/flow_limits.md, and by Lemma D where a token
rests at 0 between opposite ones.

`attention_decays_with_any_token`: The same chain without the limit that makes x_i eventually positive. Its second step
fails for x_i < 0. The outer inequality P_ij <= e^{-c x_i} survives, since its right side exceeds 1 there.
"""

from typing import Any

import numpy as np

from claims.clusters.setting.hypotheses import distinct_tokens, on_the_line, ordered_tokens
from claims.clusters.setting.starts_of_flows import pairs_and_0_or_any
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exp, peak
from dynamics.limits import TokensEnd, line_trap, settling_times
from dynamics.tokens.self_attention import SelfAttentionFlow

# The lemma's own setting: with a definite B the line has the same theorem for sqrt(B) x.
section = Section(
    __name__,
    refs=("L3",),
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, ordered_tokens),
)

attention_decays_with_the_token = section.claim(
    where="slide 'WLOG particles are ordered', proof of Theorem 1",
    statement=(
        "Suppose lim_{t -> infinity} x_i(t) = infinity. For any j != n, P_{ij}(t) = ... <= e^{-x_i(t)(x_n(t) - x_j(t))} "
        "<= e^{-c x_i(t)}."
    ),
    origin=Origin.PRINTED,
)


def least_gap(x: Array) -> Array:
    """c = min_i (x_{i+1} - x_i) of ordered numbers (..., n), shape (..., 1); 0 for one number."""
    return -peak(x[..., :-1] - x[..., 1:]) if x.shape[-1] > 1 else 0 * x


def below_gap(at: Array, x: Array, gap: Any) -> Array:
    """at_i (x_n - x_j) - c at_i for j != n, shape (..., n, n - 1)."""
    return at[..., :, None] * (x[..., None, -1:] - x[..., None, :-1] - gap * least_gap(x)[..., None])


# P_ij e^{x_i (x_n - x_j)} is P_in, so this first step of the chain holds for every sign of x_i.
@attention_decays_with_the_token.state(">= 0")
def others_below_their_distance(f: SelfAttentionFlow, *, last=1):
    """1 - P_ij e^{x_i (x_n - x_j)} for j != n, for every i."""
    x, P = f.x[..., 0], f.attention()
    apart = last * x[..., None, -1:] - x[..., None, :-1]
    return 1 - P[..., :-1] * exp(x[..., :, None] * apart)


# "x_i -> infinity" makes x_i positive in the end. So (x + |x|)/2 stands for x, and where x_i < 0 nothing is said.
@attention_decays_with_the_token.state(">= 0")
def distance_below_gap(f: SelfAttentionFlow, *, gap=1):
    """x_i (x_n - x_j) - c x_i for j != n, and 0 where x_i < 0."""
    x = f.x[..., 0]
    return below_gap((x + abs(x)) / 2, x, gap)


@attention_decays_with_the_token.state(">= 0")
def last_takes_the_rest(f: SelfAttentionFlow):
    """(n - 1) e^{-c x_i} - (1 - P_in), with 1 - P_in as the sum of the other weights."""
    x, n = f.x[..., 0], f.x.shape[-2]
    return (n - 1) * exp(-x * least_gap(x)) - f.attention()[..., :-1].sum(axis=-1)


rows_of_unbounded_tokens_end_at_the_outer_ones = section.claim(
    where="slides, proof of Theorem 1",
    statement=(
        "So if lim_{t -> infinity} x_i(t) = +infinity, then P_i(t) -> e_n. Similarly if lim_{t -> infinity} x_i(t) = "
        "-infinity then P_i(t) -> e_1."
    ),
    origin=Origin.PRINTED,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=pairs_and_0_or_any,
)


# Tokens that rest at 0 are left out: the sentence is about those that diverge.
@rows_of_unbounded_tokens_end_at_the_outer_ones.limit("== 0", times=settling_times(line_trap), trap=line_trap)
def weight_on_the_own_end_less_one(end: TokensEnd, start: SelfAttentionFlow, *, whole=1):
    """P*_i,n - 1 where x_i -> +infinity, P*_i1 - 1 where x_i -> -infinity, the tokens in order."""
    order = np.argsort(start.x[:, 0])
    runs = end.leaders >= 0
    limits, rows = end.limits[runs, 0], end.attention[runs]
    return np.where(limits > 0, rows[:, order[-1]], rows[:, order[0]]) - whole


# It is kept apart because the slide writes the chain under a limit, and the limit is easily overlooked.
attention_decays_with_any_token = section.claim(
    where="slide 'WLOG particles are ordered', read at every time",
    note=(
        "The second step needs x_i >= 0: for the first of the tokens -1, 0, 1, x_1 (x_3 - x_1) = -2 and c x_1 = -1, so e^2 "
        "<= e would follow. The chain holds for a token that tends to infinity, and P_ij <= e^{-c x_i} for either sign."
    ),
    statement="If d = V = Q^T K = 1 then e^{-x_i (x_n - x_j)} <= e^{-c x_i} for every i and every j != n.",
    corrected_by="clusters.attention_decays_with_the_token",
)


@attention_decays_with_any_token.state(">= 0", name="distance_below_gap")
def distance_below_gap_of_any_token(f: SelfAttentionFlow, *, gap=1):
    """x_i (x_n - x_j) - c x_i for j != n."""
    return below_gap(f.x[..., 0], f.x[..., 0], gap)
