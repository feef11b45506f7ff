"""Attention is a stochastic matrix and treats all tokens alike; tokens neither all diverge nor reach consensus.

`attention_rows_are_stochastic`: For any Q, K, V and tokens. Weights as small as e^-1000 are still positive. The limit in
the printed sentence is decided in `rows_of_unbounded_tokens_end_at_the_outer_ones`.

`every_token_diverges`: The slide "The case d > 1" lets x_i diverge "by analogy with y'(t) = Vy(t)", a heuristic that
motivates z and claims nothing of every start. Asked of every start it is false (Lemma D of docs/flow_limits.md).

`tokens_are_interchangeable`: A token attends to a set of tokens, not to a sequence. True for every permutation; tested
with a rotation of all tokens.

`tokens_reach_consensus`: The slide "What can we expect?" recalls a consensus from another talk, whose model is not at hand;
the lemma on distances then excludes it. Decided by Lemma B2 or D of docs/flow_limits.md: two different limits of z mean
that |x_i - x_j| grows like e^t.
"""

import numpy as np

from claims.clusters.setting.hypotheses import distinct_tokens
from claims.clusters.setting.starts_of_flows import rescaled_start
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact, indicator
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__, refs=("M1",))

attention_rows_are_stochastic = section.claim(
    where="slide 'WLOG particles are ordered', proof of Theorem 1",
    statement="Since P(t) stochastic, P_{in}(t) = 1 - sum_{j=1}^{n-1} P_{ij}(t) -> 1.",
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
)


@attention_rows_are_stochastic.identity()
def sums_less_one(f: SelfAttentionFlow, *, total=1):
    """sum_j P_ij - 1."""
    P = f.attention()
    return P.sum(axis=-1) - total * indicator(np.ones(P.shape[:-1], dtype=bool), P)


@attention_rows_are_stochastic.state("> 0")
def weights_are_positive(f: SelfAttentionFlow):
    """P_ij."""
    return f.attention()


# A token that does not rest at 0 has a limit of z other than 0, so that |x_i| grows like e^t. One that rests has length 0
# at all times, and that is the violation.
every_token_diverges = section.claim(
    where="slide 'The case d > 1', its heuristic asked of every token",
    note=(
        "A token at 0, alone or among opposite pairs, has velocity 0 and stays at 0. Tokens outside a ball, with <x_i, "
        "Bx_i> > omega_n, do diverge."
    ),
    statement="V = I, Q^T K > 0: every x_i(t) diverges, at the rate e^t.",
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
    corrected_by="clusters.tokens_outside_the_ball_escape",
)


@every_token_diverges.limit("> 0", times=settling_times(tokens_trap), trap=tokens_trap)
def squared_length_of_limits(end: TokensEnd, start: RescaledFlow):
    """|lim e^{-t} x_i|^2, and 0 for a token that rests at 0."""
    return (end.limits * end.limits).sum(axis=-1)


tokens_are_interchangeable = section.claim(
    where="equation (trans_dyn)",
    statement="If tokens are permuted, their velocities are permuted alike.",
    system=SelfAttentionFlow,
)


# A rotation leaves no token in its place, so that none can hide a mistake by standing still.
@tokens_are_interchangeable.identity()
def velocity_after_less_before(f: SelfAttentionFlow, *, turns=1):
    """The velocities of rotated tokens less the rotated velocities."""
    moved = f.replace(x=np.roll(f.x, 1, axis=-2))
    return moved.drift() - np.roll(f.drift(), turns, axis=-2)


# x itself has no limit that balls could enclose. Two limits of z that differ are seen in balls, where equal ones never are.
tokens_reach_consensus = section.claim(
    where="slide 'What can we expect?', its first item asked of this model",
    note=(
        "From -1 and 1 the rescaled tokens z have two different limits, so |x_i - x_j| grows like e^t. Distances between "
        "tokens never shrink for V = Q^T K = I."
    ),
    statement="V = Q^T K = I: distinct tokens converge, all of them to one place.",
    system=RescaledFlow,
    assumptions=(identity_value, identity_key_query, distinct_tokens),
    draw=rescaled_start,
    corrected_by="clusters.pairwise_distances_grow",
)


@tokens_reach_consensus.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def different_limits_less_one(end: TokensEnd, start: RescaledFlow):
    """The number of different limits of e^{-t} x_i, less 1."""
    return exact([end.number_of_limits - 1])
