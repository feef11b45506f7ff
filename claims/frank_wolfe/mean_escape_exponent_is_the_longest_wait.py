"""With one token in each tube (1/beta) log E T_2 tends to the cost of the dearest wait on the way out.

Question Q6 (frank_wolfe FW-15), decided for one token in each tube. E T_2 is the sum over states of the chance to visit
them over the chance to leave them, so that its exponent is the largest of (cost of the cheapest move) - (what the moves to
come there cost beyond the cheapest ones). Where all tokens score themselves highest the start is a state, so that it is at
least the cost of the cheapest first pick; and nothing within the first hull costs more than the dearest <x, y - z> of the
first tokens: where these agree, as for a segment or a regular simplex around 0, the exponent is the cost of ONE pick,
however many are needed. It is never above V, and V only where the picks after the first cost nothing more.

The lower bound V of `cheapest_way` comes with a potential, a function of states that no move raises by more than it costs.
"""

from claims.frank_wolfe.setting.lifetimes import (
    cheapest_first_pick,
    dearest_pick,
    few_states,
    first_picks_cost_the_most,
    one_token_per_tube,
    single_tokens,
    tubes_apart,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact, numbers
from dynamics.escapes.exponents import cheapest_way, is_potential, longest_wait
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="open question on Theorem 5.4, answered",
    refs=("Q6", "FW-15"),
    statement="lim (1/beta) log E T_2 is the cost of the longest wait: one pick where no pick costs more, at most V.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(one_token_per_tube, tubes_apart, few_states),
    draw=single_tokens,
)


@claim.state("== 0", assuming=(one_token_per_tube, tubes_apart, few_states, first_picks_cost_the_most), exact_only=True)
def exponent_is_one_pick(f: AttentionChain, *, share=1):
    """lim (1/beta) log E T_2 less the cost of the cheapest pick at the start, where no pick costs more anywhere."""
    return numbers(longest_wait(f).low - share * cheapest_first_pick(f))


@claim.state(">= 0", exact_only=True)
def exponent_is_at_most_the_dearest_pick(f: AttentionChain, *, share=1):
    """max <x, y - z> over tokens at the start less lim (1/beta) log E T_2."""
    return numbers(share * dearest_pick(f) - longest_wait(f).high)


@claim.state(">= 0", exact_only=True)
def exponent_is_at_most_the_whole_cost(f: AttentionChain, *, share=1):
    """V less lim (1/beta) log E T_2."""
    return numbers(share * cheapest_way(f).cost.low - longest_wait(f).high)


@claim.state("== 0", exact_only=True)
def potential_certifies_the_cost(f: AttentionChain, *, share=1):
    """V less the cost of the picks found, and 0 where the potential with V outside is raised by no move beyond its cost."""
    way = cheapest_way(f)
    height = share * way.cost.low
    return exact([height - way.cost.high, int(not is_potential(f, way.potential, height))])
