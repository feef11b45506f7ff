"""On a line the limit of attention has rank 1, 2 or 3, and 3 only where a token between others is bounded.

From Theorem 2.1 (clusters T1, O3): rows e_1, at most one other row, rows e_n. Rank 3 is decided by Lemma D of
docs/flow_limits.md where a token rests at 0 between opposite pairs.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens, on_the_line
from claims.clusters.setting.starts_for_limits import at_rest
from claims.clusters.setting.starts_with_rates import line_start_with_a_token_at_0
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2.1, and slide 'Beyond', rank P(t) in general",
    refs=("T1", "O3"),
    statement=(
        "d = 1, Q^T K > 0, V = 1, distinct tokens: rank P* is at most 3, and at most 2 if no token between others is "
        "bounded."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start_with_a_token_at_0,
)


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_at_most_three(end: TokensEnd, start: RescaledFlow, *, most=3):
    """3 - rank P*."""
    return exact([most - end.rank])


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def all_rows_but_one_end_at_an_outer_token(end: TokensEnd, start: RescaledFlow, *, others=1):
    """1 minus how many rows of P* are not the unit vector of the first or the last token in the order of the start."""
    order = np.argsort(start.z[:, 0])
    return exact([others - int((end.attention[:, order[[0, -1]]].max(axis=1) != 1).sum())])


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_beyond_two_is_a_bounded_token(end: TokensEnd, start: RescaledFlow, *, ends=2):
    """2 and the number of tokens that rest at 0, which have others on both sides or none, less rank P*."""
    return exact([ends + int(at_rest(end, start).sum()) - end.rank])
