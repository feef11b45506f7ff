"""Is (1/beta) log E T_2 always the cost of the cheapest first pick? Not where two tubes meet.

The stronger answer to question Q6 (frank_wolfe FW-15) without disjoint tubes. Each token scores itself highest, and some
two start more than 2 eps apart, so that there is a way out. Tokens (1, 1/4), (1, -1/4) and (-1, 0), gamma = 1/2, eps = 3/8:
the first two pick each other in one step, for 1/4 beyond a single pick's 1/8, and have met at (1, 0), inside both tubes.
From there nothing is picked for less than 2: E T_2 grows at least like e^{beta (2 - 1/8)}, not e^{beta/8}.
"""

from claims.frank_wolfe.setting.lifetimes import (
    cheapest_first_pick,
    longest_wait_is_told,
    one_token_per_tube,
    single_tokens_or_a_pair_that_meets,
    tubes_apart,
    wait_within_reach,
)
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="open question on Theorem 5.4",
    refs=("Q6", "FW-15"),
    statement="(1/beta) log E T_2 tends to the cost of the cheapest first pick where each token scores itself highest.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(one_token_per_tube, tubes_apart, longest_wait_is_told),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.mean_escape_exponent_is_the_first_pick",
    note=(
        "Of the tokens (1, 1/4), (1, -1/4), (-1, 0) with gamma = 1/2 and eps = 3/8 the first two pick each other in one"
        " step and meet at (1, 0), inside both tubes: the first pick costs 1/8, and from there none is cheaper than 2, so"
        " that the exponent is 15/8 at least. Where every two tokens start more than 2 eps apart it is the cost of the"
        " cheapest first pick."
    ),
    draw=single_tokens_or_a_pair_that_meets,
)


@claim.state(">= 0", exact_only=True)
def first_pick_less_the_exponent(f: AttentionChain):
    """The cheapest pick at the start less lim inf (1/beta) log E T_2, or less a lower bound of that, in rationals."""
    return numbers(cheapest_first_pick(f) - wait_within_reach(f).low)
