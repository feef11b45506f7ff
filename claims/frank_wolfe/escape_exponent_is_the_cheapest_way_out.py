"""For a fixed time (1/beta) log P[T_2 < t] tends to -V_t, the cost of the cheapest sequence of picks that leads out.

The finite-horizon part of question Q6 (frank_wolfe FW-15). A pick costs max_j <x_i, x_j> - <x_i,
x_pick>; its chance is between e^{-beta cost}/n and e^{-beta cost}. There are n^{n (t-1)} sequences, so that log P[T_2 <
t] + beta V_t is within n (t - 1) log n of 0 where there is a way out; where there is none before t, P[T_2 < t] = 0.
E T_2 need not grow like e^{beta V}, V the least over all times: `mean_escape_exponent_is_the_longest_wait`.
"""

import numpy as np

from claims.frank_wolfe.setting.escapes import a_way_out, chain_with_a_way_out, no_way_out
from claims.statement import Claim, Origin, Tail
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.pick_sequences import cheapest_way_out, law_after, overshoot

claim = Claim(
    __name__,
    where="section 5",
    refs=("FW-15", "Q6"),
    statement=(
        "|log P[T_2 < t] + beta V_t| <= n (t-1) log n, V_t the cost of the cheapest picks out before t; P = 0 if none."
    ),
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(a_way_out,),
    draw=chain_with_a_way_out,
    equivalent={
        (
            "nothing_escapes: any(((overshoot(f, label, x[f.group == label]) > 0).any() for label in groups)) => "
            "all(((overshoot(f, label, x[f.group == label]) > 0).any() for label in groups))"
        ): ("Of every group someone is out: then someone is, and that has no chance."),
        (
            "nothing_escapes: (overshoot(f, label, x[f.group == label]) > 0).any => (overshoot(f, label, x[f.group =="
            " label]) > 0).all"
        ): ("All of a group are out: then someone is, and that has no chance."),
    },
)


def _log_bound(f, side, cost):
    n, steps = len(f.x), int(f.steps.item()) - 1
    out = cheapest_way_out(f) or 0
    return side * n * steps * log(numbers(0 * f.beta.item() + n)).item() - cost * f.beta.item() * out


@claim.probability()
def escape_costs_the_cheapest_way(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= n^{n (t-1)} e^{-beta V_t}."""
    return Tail(f, _log_bound(f, 1, cost))


@claim.probability()
def cheapest_way_is_open(f: AttentionChain, *, cost=1):
    """P[T_2 < t] >= n^{-n (t-1)} e^{-beta V_t}."""
    return -Tail(f, _log_bound(f, -1, cost))


@claim.state("== 0", assuming=(no_way_out,), exact_only=True)
def nothing_escapes(f: AttentionChain):
    """The chance that some token is outside its tube at step s, for every s < t: none, so that P[T_2 < t] = 0."""
    groups = set(f.group.tolist())

    def someone_is_out(x):
        return any((overshoot(f, label, x[f.group == label]) > 0).any() for label in groups)

    return numbers(np.array([law_after(f, s).chance(someone_is_out) for s in range(int(f.steps.item()))], dtype=object))
