"""Does (1/beta) log E T_2 tend to the whole cost of the cheapest way out? Not where displacement cannot return.

Question Q6 (frank_wolfe FW-15) as it is posed: V, the least over pick sequences that lead out of the tube of
sum_k [max_j <x^k, x_j> - <x^k, x_pick>]. With one token in each tube a token that has picked another one stays where it
came to: the waits add up, and do not multiply. The exponent is that of the longest wait, less than V as soon as a second
pick costs something: `mean_escape_exponent_is_the_longest_wait`.
"""

from claims.frank_wolfe.setting.lifetimes import few_states, one_token_per_tube, single_tokens, tubes_apart
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import numbers
from dynamics.escapes.exponents import cheapest_way, longest_wait
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="open question on Theorem 5.4",
    refs=("Q6", "FW-15"),
    note=(
        "A token alone in its tube keeps what a pick gained, so that the waits for the picks add up and do not "
        "multiply: from 2 and -2 with gamma = 1/8 and eps = 1 three picks of the cost 16.5 together lead out, and"
        " the exponent is 8. It is the cost of the longest wait."
    ),
    statement="(1/beta) log E T_2 tends to the cost of the cheapest sequence of picks that leads out of the tubes.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(one_token_per_tube, tubes_apart, few_states),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.mean_escape_exponent_is_the_longest_wait",
    draw=single_tokens,
)


@claim.state("== 0", exact_only=True)
def exponent_less_the_whole_cost(f: AttentionChain):
    """lim (1/beta) log E T_2 - V, in rationals."""
    return numbers(longest_wait(f).low - cheapest_way(f).cost.low)
