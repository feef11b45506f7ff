"""The exponent of the mean time to escape (frank_wolfe Q6).

`mean_escape_exponent_is_always_the_first_pick`: Is (1/beta) log E T_2 always the cost of the cheapest first pick? Not
where two tubes meet.

The stronger answer to question Q6 (frank_wolfe FW-15) without disjoint tubes. Each token scores itself highest, and some
two start more than 2 eps apart, so that there is a way out. Tokens (1, 1/4), (1, -1/4) and (-1, 0), gamma = 1/2, eps = 3/8:
the first two pick each other in one step, for 1/4 beyond a single pick's 1/8, and have met at (1, 0), inside both tubes.
From there nothing is picked for less than 2: E T_2 grows at least like e^{beta (2 - 1/8)}, not e^{beta/8}.

`mean_escape_exponent_is_the_first_pick`: With disjoint tubes no wait is longer than the first: (1/beta) log E T_2 tends
to the cost of the cheapest first pick.

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

`mean_escape_exponent_is_the_longest_wait`: With one token in each tube (1/beta) log E T_2 tends to the cost of the
dearest wait on the way out.

Question Q6 (frank_wolfe FW-15), decided for one token in each tube. E T_2 is the sum over states of the chance to visit
them over the chance to leave them, so that its exponent is the largest of (cost of the cheapest move) - (what the moves to
come there cost beyond the cheapest ones). Where all tokens score themselves highest the start is a state, so that it is at
least the cost of the cheapest first pick; and nothing within the first hull costs more than the dearest <x, y - z> of the
first tokens: where these agree, as for a segment or a regular simplex around 0, the exponent is the cost of ONE pick,
however many are needed. It is never above V, and V only where the picks after the first cost nothing more.

The lower bound V of `cheapest_way` comes with a potential, a function of states that no move raises by more than it costs.

`mean_escape_exponent_is_the_whole_way`: Does (1/beta) log E T_2 tend to the whole cost of the cheapest way out? Not where
displacement cannot return.

Question Q6 (frank_wolfe FW-15) as it is posed: V, the least over pick sequences that lead out of the tube of
sum_k [max_j <x^k, x_j> - <x^k, x_pick>]. With one token in each tube a token that has picked another one stays where it
came to: the waits add up, and do not multiply. The exponent is that of the longest wait, less than V as soon as a second
pick costs something: `mean_escape_exponent_is_the_longest_wait`.
"""

from claims.frank_wolfe.setting.lifetimes import (
    cheapest_first_pick,
    dearest_pick,
    few_states,
    first_picks_cost_the_most,
    longest_wait_is_told,
    moves_and_what_follows,
    one_token_per_tube,
    single_tokens,
    single_tokens_or_a_pair_that_meets,
    tubes_apart,
    tubes_disjoint,
    wait_within_reach,
)
from claims.statement import Section, Standing
from dynamics.arithmetic import exact, numbers
from dynamics.escapes.exponents import cheapest_way, is_potential, longest_wait
from dynamics.tokens.attention_chain import AttentionChain

section = Section(__name__, refs=("Q6", "FW-15"), system=AttentionChain, draw=single_tokens)

mean_escape_exponent_is_always_the_first_pick = section.claim(
    "mean_escape_exponent_is_always_the_first_pick",
    where="open question on Theorem 5.4",
    statement="(1/beta) log E T_2 tends to the cost of the cheapest first pick where each token scores itself highest.",
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


@mean_escape_exponent_is_always_the_first_pick.state(">= 0", exact_only=True)
def first_pick_less_the_exponent(f: AttentionChain):
    """The cheapest pick at the start less lim inf (1/beta) log E T_2, or less a lower bound of that, in rationals."""
    return numbers(cheapest_first_pick(f) - wait_within_reach(f).low)


mean_escape_exponent_is_the_first_pick = section.claim(
    "mean_escape_exponent_is_the_first_pick",
    where="open question on Theorem 5.4, answered",
    statement="If no two tubes meet, (1/beta) log E T_2 -> the cost of the cheapest first pick, however many are needed.",
    assumptions=(one_token_per_tube, tubes_disjoint, longest_wait_is_told),
)


@mean_escape_exponent_is_the_first_pick.state("== 0", exact_only=True)
def exponent_less_the_first_pick(f: AttentionChain, *, share=1):
    """lim (1/beta) log E T_2 less the cost of the cheapest pick at the start, in rationals."""
    return numbers(wait_within_reach(f).low - share * cheapest_first_pick(f))


@mean_escape_exponent_is_the_first_pick.state(">= 0", exact_only=True)
def some_next_move_costs_no_more(f: AttentionChain, *, share=1):
    """What a move from the start, or from a state that it leads to, costs, less the cheapest move after it."""
    return exact([share * cost - least for cost, least in moves_and_what_follows(f)])


mean_escape_exponent_is_the_longest_wait = section.claim(
    "mean_escape_exponent_is_the_longest_wait",
    where="open question on Theorem 5.4, answered",
    statement="lim (1/beta) log E T_2 is the cost of the longest wait: one pick where no pick costs more, at most V.",
    assumptions=(one_token_per_tube, tubes_apart, few_states),
)


@mean_escape_exponent_is_the_longest_wait.state(
    "== 0", assuming=(one_token_per_tube, tubes_apart, few_states, first_picks_cost_the_most), exact_only=True
)
def exponent_is_one_pick(f: AttentionChain, *, share=1):
    """lim (1/beta) log E T_2 less the cost of the cheapest pick at the start, where no pick costs more anywhere."""
    return numbers(longest_wait(f).low - share * cheapest_first_pick(f))


@mean_escape_exponent_is_the_longest_wait.state(">= 0", exact_only=True)
def exponent_is_at_most_the_dearest_pick(f: AttentionChain, *, share=1):
    """max <x, y - z> over tokens at the start less lim (1/beta) log E T_2."""
    return numbers(share * dearest_pick(f) - longest_wait(f).high)


@mean_escape_exponent_is_the_longest_wait.state(">= 0", exact_only=True)
def exponent_is_at_most_the_whole_cost(f: AttentionChain, *, share=1):
    """V less lim (1/beta) log E T_2."""
    return numbers(share * cheapest_way(f).cost.low - longest_wait(f).high)


@mean_escape_exponent_is_the_longest_wait.state("== 0", exact_only=True)
def potential_certifies_the_cost(f: AttentionChain, *, share=1):
    """V less the cost of the picks found, and 0 where the potential with V outside is raised by no move beyond its cost."""
    way = cheapest_way(f)
    height = share * way.cost.low
    return exact([height - way.cost.high, int(not is_potential(f, way.potential, height))])


mean_escape_exponent_is_the_whole_way = section.claim(
    "mean_escape_exponent_is_the_whole_way",
    where="open question on Theorem 5.4",
    note=(
        "A token alone in its tube keeps what a pick gained, so that the waits for the picks add up and do not "
        "multiply: from 2 and -2 with gamma = 1/8 and eps = 1 three picks of the cost 16.5 together lead out, and"
        " the exponent is 8. It is the cost of the longest wait."
    ),
    statement="(1/beta) log E T_2 tends to the cost of the cheapest sequence of picks that leads out of the tubes.",
    assumptions=(one_token_per_tube, tubes_apart, few_states),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.mean_escape_exponent_is_the_longest_wait",
)


@mean_escape_exponent_is_the_whole_way.state("== 0", exact_only=True)
def exponent_less_the_whole_cost(f: AttentionChain):
    """lim (1/beta) log E T_2 - V, in rationals."""
    return numbers(longest_wait(f).low - cheapest_way(f).cost.low)
