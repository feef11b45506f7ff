"""The exponent of the mean time to escape is the cost of the longest wait, with one token in each tube.

Question Q6 asks whether (1/beta) log E T_2 -> V, the least over pick sequences that lead out of the tubes of sum_k [max_j
<x^k, x_j> - <x^k, x_pick>].

`mean_escape_exponent_is_always_the_first_pick`: The exponent in `mean_escape_exponent_is_the_first_pick` for tubes that may
meet. Each token has its largest score with itself, and some two start more than 2 eps apart, so that there is a way out.
Two tokens may meet inside both tubes, from where every pick costs more than the first.

`mean_escape_exponent_is_the_first_pick`: The exponent for disjoint tubes, where no wait is longer than the first. It is the
largest E(x) - W(x), E(x) the cost of the cheapest move from x, W(x) what the moves to x cost beyond the cheapest ones. This
falls along every move, since after a move of cost c some move costs at most c:

- If a token then has a larger score with another one, that pick is free. Otherwise a pick of token i by j costs <x_i, x_i -
  x_j>.
- If some token j moved towards a token m that did not move, its difference d from x_m is now (1 - gamma) d, and the same
  pick costs (1 - gamma) (<x_j, d> - gamma |d|^2) <= c.
- If not, some tokens picked each other round a cycle, at a cost of at least sum |x_i - x_{i+1}|^2/2. Each is now a mixture
  of itself and the next one, so this sum has not grown, and it is what the same picks would cost now. In disjoint tubes
  they are not at one place, and one of the picks is a move.

`mean_escape_exponent_is_the_longest_wait`: Q6, decided. E T_2 is the sum over states of the chance to visit them over the
chance to leave them, so its exponent is the largest of (cost of the cheapest move) - (what the moves to the state cost
beyond the cheapest ones). If every token has its largest score with itself the start is such a state: the exponent is at
least the cost of the cheapest first pick. Nothing within the first hull costs more than the largest <x, y - z> of the first
tokens. Where the two agree, as for a segment or a regular simplex around 0, the exponent is the cost of ONE pick, however
many are needed. It is at most V, with equality only if the picks after the first cost nothing more. The lower bound V of
`cheapest_way` comes with a potential, a function of states that no move raises by more than its cost.

`mean_escape_exponent_is_the_whole_way`: Q6 as it is posed, for one token in each tube. A token that has picked another
stays where it came to, so the waits add up and do not multiply. The exponent is less than V as soon as a second pick costs
something.
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
from claims.stating.statement import Section
from dynamics.arithmetic import exact, numbers
from dynamics.escapes.exponents import cheapest_way, is_potential, longest_wait
from dynamics.tokens.attention_chain import AttentionChain

section = Section(__name__, refs=("Q6", "FW-15"), system=AttentionChain, draw=single_tokens)

mean_escape_exponent_is_always_the_first_pick = section.claim(
    where="open question on Theorem 5.4",
    statement="(1/beta) log E T_2 tends to the cost of the cheapest first pick where each token scores itself highest.",
    assumptions=(one_token_per_tube, tubes_apart, longest_wait_is_told),
    corrected_by="frank_wolfe.mean_escape_exponent_is_the_first_pick",
    note=(
        "With tokens (1, 1/4), (1, -1/4), (-1, 0), gamma = 1/2 and eps = 3/8 the first two pick each other in one step and "
        "meet at (1, 0), inside both tubes: the first pick costs 1/8, every pick from there at least 2, so the exponent is "
        "at least 15/8. Where every two tokens start more than 2 eps apart it is the cost of the cheapest first pick."
    ),
    draw=single_tokens_or_a_pair_that_meets,
)


# A lower bound of the exponent refutes: the search need not end.
@mean_escape_exponent_is_always_the_first_pick.state(">= 0", exact_only=True)
def first_pick_less_the_exponent(f: AttentionChain):
    """The cheapest pick at the start less lim inf (1/beta) log E T_2, or less a lower bound of that, in rationals."""
    return numbers(cheapest_first_pick(f) - wait_within_reach(f).low)


mean_escape_exponent_is_the_first_pick = section.claim(
    where="open question on Theorem 5.4, answered",
    statement="If no two tubes meet, (1/beta) log E T_2 -> the cost of the cheapest first pick, however many are needed.",
    assumptions=(one_token_per_tube, tubes_disjoint, longest_wait_is_told),
)


@mean_escape_exponent_is_the_first_pick.state("== 0", exact_only=True)
def exponent_less_the_first_pick(f: AttentionChain, *, share=1):
    """lim (1/beta) log E T_2 less the cost of the cheapest pick at the start, in rationals."""
    return numbers(wait_within_reach(f).low - share * cheapest_first_pick(f))


# Of the start and states near it: the step of the induction, on which the exponent rests.
@mean_escape_exponent_is_the_first_pick.state(">= 0", exact_only=True)
def some_next_move_costs_no_more(f: AttentionChain, *, share=1):
    """What a move from the start, or from a state that it leads to, costs, less the cheapest move after it."""
    return exact([share * cost - least for cost, least in moves_and_what_follows(f)])


# `few_states` asks for more than the theorem: that the search ends, and so decides it.
mean_escape_exponent_is_the_longest_wait = section.claim(
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


# By duality: a potential that no move raises by more than its cost bounds the cost of every way out from below.
@mean_escape_exponent_is_the_longest_wait.state("== 0", exact_only=True)
def potential_certifies_the_cost(f: AttentionChain, *, share=1):
    """V less the cost of the picks found, and 0 where the potential with V outside is raised by no move beyond its cost."""
    way = cheapest_way(f)
    height = share * way.cost.low
    return exact([height - way.cost.high, int(not is_potential(f, way.potential, height))])


mean_escape_exponent_is_the_whole_way = section.claim(
    where="open question on Theorem 5.4",
    note=(
        "A token alone in its tube keeps what a pick gained, so the waits for the picks add up and do not multiply: from 2 "
        "and -2 with gamma = 1/8 and eps = 1 three picks of total cost 16.5 lead out, and the exponent is 8. It is the "
        "cost of the longest wait."
    ),
    statement="(1/beta) log E T_2 tends to the cost of the cheapest sequence of picks that leads out of the tubes.",
    assumptions=(one_token_per_tube, tubes_apart, few_states),
    corrected_by="frank_wolfe.mean_escape_exponent_is_the_longest_wait",
)


@mean_escape_exponent_is_the_whole_way.state("== 0", exact_only=True)
def exponent_less_the_whole_cost(f: AttentionChain):
    """lim (1/beta) log E T_2 - V, in rationals."""
    return numbers(longest_wait(f).low - cheapest_way(f).cost.low)
