"""On a line attention tends to a matrix of zeros and ones, except for the row of at most one token.

Theorem 1 on the slides, Theorem 2.1 of the paper (clusters T1, `t:boolean`). Lemma A' of docs/flow_limits.md: once
x_i e_i > omega_n, e_i the last token of its side, the row of x_i tends to that of e_i for ever. Where a token rests at 0
between opposite ones Lemma D decides: its own is the row `* ... *`. Other starts that keep a token bounded are a null set;
they are never caught.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens, on_the_line
from claims.clusters.setting.starts_with_rates import pairs_and_0_or_any
from claims.statement import Claim, Origin
from dynamics.limits import TokensEnd, line_trap, settling_times
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 1",
    refs=("T1",),
    statement=(
        "Assume QK > 0 and V > 0; WLOG QK = V = 1. Given prompt with x_i(0) != x_j(0) for i != j. "
        "There exists P* in R^{n x n}: P* = permutation_1 [1 0 ... 0; ...; 1 0 ... 0; * * ... *; 0 ... 0 1; ...; 0 ... 0 1]"
        " permutation_2 s.t. lim_{t -> +infinity} P(t) = P*."
    ),
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=pairs_and_0_or_any,
)


@claim.limit("== 0", times=settling_times(line_trap), trap=line_trap)
def rows_of_diverging_tokens_end_at_an_outer_token(end: TokensEnd, start: SelfAttentionFlow, *, whole=1):
    """P*_i1 + P*_in - 1 for tokens in the order of the start, but for one that rests at 0: its row is left out."""
    order = np.argsort(start.x[:, 0])
    ends = np.unique(order[[0, -1]])
    return end.attention[end.leaders >= 0][:, ends].sum(axis=1) - whole


@claim.limit(">= 0", times=settling_times(line_trap), trap=line_trap)
def rows_are_sorted_like_tokens(end: TokensEnd, start: SelfAttentionFlow):
    """P*_i1 - P*_j1 for neighbours x_i < x_j: the rows that end at the first token come first."""
    order = np.argsort(start.x[:, 0])
    first = end.attention[order, order[0]]
    return first[:-1] - first[1:]
