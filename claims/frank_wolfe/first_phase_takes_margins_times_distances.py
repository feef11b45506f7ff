"""The first phase succeeds where beta eta r is large beside log beta, and no sooner: sharp eta and r.

Theorem 5.2 (frank_wolfe FW-14) with any eta and r for its beta^{-1/8} and beta^{-1/4}: eta the least <v_sigma(i) - v_j,
x_i>, r the least distance of a free token from its vertex. After t steps on the path, s = (1 - gamma)^t, token i has
margins of (1 - s) c_0 + s eta, eta <= c_0, and a token z that is not at v_sigma(i) is min(s r, c_0/D) from it or farther.
So (`own_vertex_wins_along_the_path`)

    P(some token leaves the path within T steps) <= n (n-1) sum_{t<T} exp(-beta ((1-s) c_0 + s eta) min(s r, c_0/D) / D),

below beta^{-1/8} for large beta as soon as eta r >= C log beta / beta and r >= C log beta / beta. On a segment the exponent
of the first step is attained: a token of margin eta picks, in place of its vertex v, a fellow at distance r from v with
odds of exactly e^{-beta eta r/D}. With eta r <= C/beta the path is left with a chance that does not fall with beta.
"""

from claims.frank_wolfe.hardmax_path_is_likely import chance_to_leave
from claims.frank_wolfe.setting.first_phase import (
    free_tokens_in_polytope,
    margin_distances,
    on_a_segment,
    token_at_each_vertex,
    tokens_in_cells,
    tokens_in_own_cells,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, log, numbers, sqrt
from dynamics.geometry import diameter_squared
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.2 (lem: first.phase), corrected",
    refs=("FW-14",),
    statement=(
        "P(leave the path in T steps) <= n (n-1) sum_t exp(-beta ((1-s) c_0 + s eta) min(s r, c_0/D)/D), s = (1-gamma)^t."
    ),
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(free_tokens_in_polytope, token_at_each_vertex, tokens_in_own_cells),
    draw=tokens_in_cells,
)


@claim.state(">= 0", exact_only=True)
def path_is_likely(f: AttentionChain, *, cost=1):
    """The log of the bound minus that of the chance to leave the path within T = steps steps."""
    steps, n = int(f.steps.item()), len(f.x)
    D = sqrt(numbers(diameter_squared(f.v)))
    bound = sum(exp(-cost * f.beta * sqrt(numbers(square)) / D) for square in margin_distances(f, steps))
    return log(numbers(n * (n - 1) * bound)) - log(chance_to_leave(f, steps))


@claim.state(
    ">= 0",
    assuming=(free_tokens_in_polytope, token_at_each_vertex, tokens_in_own_cells, on_a_segment),
    exact_only=True,
)
def segments_attain_it(f: AttentionChain, *, cost=1):
    """The log of the chance to leave the path in one step, minus -beta eta r/D - log n of a vertex's fellows."""
    h = abs(f.v[0, 0])
    least = None
    for label in range(2):
        members = f.x[f.group == label][:, 0] * (1 if f.v[label, 0] > 0 else -1)
        free = [h - place for place in members if place != h]
        if free:
            # eta r / D: the margin of a token at distance s of the middle is 2 h s, and D = 2 h.
            product = min(members) * min(free)
            least = product if least is None else min(least, product)
    return log(chance_to_leave(f, 1)) + cost * f.beta * least + log(numbers(0 * f.beta + len(f.x)))
