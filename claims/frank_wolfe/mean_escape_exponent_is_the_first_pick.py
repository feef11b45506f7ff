"""With disjoint tubes no wait is longer than the first: (1/beta) log E T_2 tends to the cost of the cheapest first pick.

The stronger answer to question Q6 (frank_wolfe FW-15), for one token in each tube, no two tubes meeting, each token scoring
itself highest at the start. The exponent is the largest E(x) - W(x) of `mean_escape_exponent_is_the_longest_wait`, E(x) the
cost of the cheapest move, W(x) what the moves to x cost beyond the cheapest ones. It falls along every move, since after a
move of cost c some move costs c at most:

- If a token then scores another one highest, that pick is free. Else a pick of token i by j costs <x_i, x_i - x_j>.
- If some token j moved towards a token m that did not move, its difference d from x_m is now (1 - gamma) d, and the same
  pick costs (1 - gamma) (<x_j, d> - gamma |d|^2) <= c.
- If not, some tokens picked each other round a cycle, for which they paid sum |x_i - x_{i+1}|^2/2 at least. Each is now a
  mixture of itself and the next one, so that this sum has not grown, and it is what the same picks would cost now. In
  disjoint tubes they are not at one place, and one of the picks is a move.

The last case is where it is needed that tubes are disjoint: `mean_escape_exponent_is_always_the_first_pick`.
"""

from claims.frank_wolfe.setting.lifetimes import (
    cheapest_first_pick,
    longest_wait_is_told,
    moves_and_what_follows,
    one_token_per_tube,
    single_tokens,
    tubes_disjoint,
    wait_within_reach,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="open question on Theorem 5.4, answered",
    refs=("Q6", "FW-15"),
    statement="If no two tubes meet, (1/beta) log E T_2 -> the cost of the cheapest first pick, however many are needed.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(one_token_per_tube, tubes_disjoint, longest_wait_is_told),
    draw=single_tokens,
)


@claim.state("== 0", exact_only=True)
def exponent_less_the_first_pick(f: AttentionChain, *, share=1):
    """lim (1/beta) log E T_2 less the cost of the cheapest pick at the start, in rationals."""
    return numbers(wait_within_reach(f).low - share * cheapest_first_pick(f))


@claim.state(">= 0", exact_only=True)
def some_next_move_costs_no_more(f: AttentionChain, *, share=1):
    """What a move from the start, or from a state that it leads to, costs, less the cheapest move after it."""
    return exact([share * cost - least for cost, least in moves_and_what_follows(f)])
