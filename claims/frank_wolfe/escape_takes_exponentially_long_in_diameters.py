"""Tokens near the vertices stay in their groups' tubes exponentially long, in units of the diameter.

The correct form of Theorem 5.4 (frank_wolfe FW-15). Let k = eps/(gamma D(K)). A group leaves its tube only after more
than k steps in which one of its tokens picks outside the group, since each moves its farthest token by at most
gamma D(K). By `group_jumps_are_rare` a step has such a pick with chance at most n^2 e^{-beta c_0/2}, given the past, so

    P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - beta c_0/2))

wherever the bracket is at most 0 (elsewhere the bound is vacuous): t steps hold fewer than (e t/m)^m choices of
m > k of them. No joint law of the picks within a step is assumed. By `group_jumps_cost_the_gap` the same holds with
c_0 - 4 R r - r^2 for c_0/2, r = rho + eps. Tokens at the ends of a segment come as near to this as one likes.
"""

from claims.frank_wolfe.setting.near_vertices import chain_that_escapes_by_few_picks, least_gap
from claims.frank_wolfe.setting.tubes import narrow_tube, own_cells, tokens_in_polytope
from claims.statement import Claim, Origin, Tail
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.4 (lem: metastab.1), corrected",
    refs=("FW-15",),
    statement="P[T_2 >= t] >= 1 - exp(k (1 + log(t/k) + 2 log n - beta c_0/2)) with k = eps/(gamma D(K)).",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(own_cells, tokens_in_polytope, narrow_tube),
    draw=chain_that_escapes_by_few_picks,
    equivalent={
        "escape_before_t, in _tail: 1 + log(numbers(t / k)).item() => 19/20 + log(numbers(t / k)).item()": (
            "The gap of scores is 1.06 c_0/2 or more (`group_jumps_are_rare`); 0.06 beta c_0/2 > 0.05, for the "
            "bracket is below 0."
        ),
        (
            "escape_before_t, in _tail: 2 * log(numbers(0 * f.beta.item() + n)).item() => 19/10 * log(numbers(0 * "
            "f.beta.item() + n)).item()"
        ): (
            "The gap of scores is 1.06 c_0/2 or more (`group_jumps_are_rare`); 0.06 (beta c_0/2) > 0.1 log n, for the"
            " bracket is below 0."
        ),
    },
)


def _tail(f, cost):
    """P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - cost))."""
    k = f.eps.item() / (f.gamma.item() * f.diameter.item())
    t, n = int(f.steps.item()), len(f.x)
    return Tail(f, k * (1 + log(numbers(t / k)).item() + 2 * log(numbers(0 * f.beta.item() + n)).item() - cost))


@claim.probability()
def escape_before_t(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - beta c_0/2)) where that is below 1."""
    return _tail(f, cost * f.beta.item() * f.c_0 / 2)


@claim.probability()
def escape_costs_the_gap(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - beta (c_0 - 4 R r - r^2))), r = rho + eps, where that is below 1."""
    return _tail(f, cost * f.beta.item() * least_gap(f))
