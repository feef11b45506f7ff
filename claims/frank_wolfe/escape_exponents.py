"""T_2 is exponential in beta from both sides, and its exponent at a fixed time is the cost of the cheapest way out.

Statements beside Theorem 5.4 and question Q6, which asks for the exponent of T_2.

`escape_exponent_is_the_cheapest_way_out`: The finite-horizon part of Q6: (1/beta) log P[T_2 < t] tends to -V_t. A pick
costs max_j <x_i, x_j> - <x_i, x_pick>, and its chance is between e^{-beta cost}/n and e^{-beta cost}. There are n^{n (t-1)}
sequences of picks, so log P[T_2 < t] + beta V_t is within n (t - 1) log n of 0 where some lead out before t; otherwise
P[T_2 < t] = 0. E T_2 need not grow like e^{beta V}, V the least over all times
(`mean_escape_exponent_is_the_longest_wait`).

`escape_happens_in_exponential_time`: The upper bound beside the lower bounds of Theorem 5.4. Let each token have its own
tube, D be the largest distance of two tokens at the start, and m least with (1 - (1 - gamma)^m) D > 2 eps. From everywhere
inside the tubes, m picks in a row of one token by another lead out, whatever the others do. Each has a chance of at least p
= e^{-beta c}/n, c the largest <x, y - z> of tokens at the start, because all tokens stay in their hull. So

    P[T_2 >= t] <= (1 - p^m)^floor((t - 1)/m),    E T_2 <= m/p^m = m n^m e^{beta c m}.

`nearest_token_is_picked_first`: For tokens of equal norms the odds of two picks are a Gaussian of the distances: of the
other vertices the nearest is picked first, with odds that grow exponentially in beta. For unequal norms the power distances
|x_i - x_j|^2 - |x_j|^2 take the place of |x_i - x_j|^2.

`one_pick_escapes_are_geometric`: If gamma |x_i - x_j| > eps for all i != j, with one token in each tube, then T_2 is the
first step in which some token picks another: P[T_2 >= t] = (1 - e)^{t-1} with 1 - e = prod_i a_ii, and E T_2 = 1/e. So
T_2/E T_2 is close to exponential. Where more picks are needed T_2 is a sum of geometric times along a random path, and
T_2/E T_2 has an exponential limit law only if one wait is longer than all others: see docs/escapes.md.
"""

import numpy as np

from claims.frank_wolfe.setting.escapes import a_way_out, chain_with_a_way_out, no_way_out
from claims.frank_wolfe.setting.lifetimes import (
    dearest_pick,
    equal_norms_of_tokens,
    every_pick_leads_out,
    one_token_per_tube,
    run_out,
    single_tokens,
    single_tokens_or_forty_steps,
    single_tokens_or_near_ones,
    time_for_a_run,
)
from claims.stating.statement import Section, Tail
from dynamics.arithmetic import exp, log, numbers
from dynamics.geometry import squared_distances
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.pick_sequences import cheapest_way_out, law_after, overshoot

section = Section(__name__, system=AttentionChain)

escape_exponent_is_the_cheapest_way_out = section.claim(
    where="section 5",
    refs=("FW-15", "Q6"),
    statement=(
        "|log P[T_2 < t] + beta V_t| <= n (t-1) log n, V_t the cost of the cheapest picks out before t; P = 0 if none."
    ),
    assumptions=(a_way_out,),
    draw=chain_with_a_way_out,
)


# Where no picks lead out, V_t = 0 stands for it; such starts are the last conclusion's.
def _log_bound(f, side, cost):
    n, steps = len(f.x), int(f.steps.item()) - 1
    out = cheapest_way_out(f) or 0
    return side * n * steps * log(numbers(0 * f.beta.item() + n)).item() - cost * f.beta.item() * out


@escape_exponent_is_the_cheapest_way_out.probability()
def escape_costs_the_cheapest_way(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= n^{n (t-1)} e^{-beta V_t}."""
    return Tail(f, _log_bound(f, 1, cost))


# One sequence of picks is enough from below: each of its picks has at least the chance e^{-beta cost}/n.
@escape_exponent_is_the_cheapest_way_out.probability()
def cheapest_way_is_open(f: AttentionChain, *, cost=1):
    """P[T_2 < t] >= n^{-n (t-1)} e^{-beta V_t}."""
    return -Tail(f, _log_bound(f, -1, cost))


# P[T_2 < t] = 0 is asked of the law itself, step by step, since a logarithm of 0 cannot be bounded.
@escape_exponent_is_the_cheapest_way_out.state("== 0", assuming=(no_way_out,), exact_only=True)
def nothing_escapes(f: AttentionChain):
    """The chance that some token is outside its tube at step s, for every s < t: none, so that P[T_2 < t] = 0."""
    groups = set(f.group.tolist())

    def someone_is_out(x):
        return any((overshoot(f, label, x[f.group == label]) > 0).any() for label in groups)

    return numbers(np.array([law_after(f, s).chance(someone_is_out) for s in range(int(f.steps.item()))], dtype=object))


# One token in each tube, so that a token is out as soon as it is eps from its own start.
escape_happens_in_exponential_time = section.claim(
    where="section 5, the other side of Theorem 5.4",
    refs=("FW-15", "Q6"),
    statement="P[T_2 >= t] <= (1 - p^m)^floor((t-1)/m), p = e^{-beta c}/n, m picks lead out from everywhere inside.",
    assumptions=(one_token_per_tube, time_for_a_run),
    draw=single_tokens_or_forty_steps,
)


# The blocks of m steps are independent given the past, and in each the run happens with a chance of at least p^m.
@escape_happens_in_exponential_time.probability()
def escape_comes(f: AttentionChain, *, cost=1, picks=1):
    """P[T_2 < t] >= 1 - (1 - p^m)^floor((t - 1)/m)."""
    m = picks * run_out(f)
    runs = (int(f.steps.item()) - 1) // m
    chance = exp(numbers(-cost * f.beta.item() * dearest_pick(f) * m)).item() / len(f.x) ** m
    # 1 - (1 - q)^s as a sum of positive terms.
    return -Tail(f, log(numbers(chance * sum((1 - chance) ** k for k in range(runs)))).item())


nearest_token_is_picked_first = section.claim(
    where="section 5, the way out of a tube",
    refs=("FW-15",),
    statement="a_ij/a_ik = exp(-beta (|x_i - x_j|^2 - |x_i - x_k|^2)/2) for tokens of equal norms.",
    assumptions=(equal_norms_of_tokens,),
    draw=single_tokens_or_near_ones,
)


def _odds(f, distances, share):
    """log a_ij - log a_ik + share beta (d_ij - d_ik)/2, shape (n, n, n)."""
    logs = log(numbers(np.asarray(f.attention())))
    heights = logs + share * f.beta.item() * distances / 2
    return numbers(heights[:, :, None] - heights[:, None, :])


# <x_i, x_j> = (|x_i|^2 + |x_j|^2 - |x_i - x_j|^2)/2, and equal norms drop out of the odds.
@nearest_token_is_picked_first.identity()
def odds_of_two_picks(f: AttentionChain, *, share=1):
    """log a_ij - log a_ik + beta (|x_i - x_j|^2 - |x_i - x_k|^2)/2."""
    return _odds(f, squared_distances(f.x, f.x), share)


@nearest_token_is_picked_first.identity(assuming=())
def odds_of_two_picks_by_power(f: AttentionChain, *, share=1):
    """The same with |x_i - x_j|^2 - |x_j|^2 for |x_i - x_j|^2, for any norms."""
    return _odds(f, squared_distances(f.x, f.x) - (f.x * f.x).sum(axis=-1)[None, :], share)


# No low temperature is asked: as long as nobody has picked another nobody has moved, at any beta.
one_pick_escapes_are_geometric = section.claim(
    where="section 5, the law of T_2",
    refs=("FW-15",),
    statement="If every pick leads out, exp(-(t-1) e/(1-e)) <= P[T_2 >= t] <= exp(-(t-1) e), 1 - e = prod_i a_ii.",
    assumptions=(one_token_per_tube, every_pick_leads_out),
    draw=single_tokens,
)


def _leaving(f):
    """e = 1 - prod_i a_ii, as a sum of positive terms."""
    picks, leave, stay = f.attention(), 0, 1
    for i in range(len(f.x)):
        others = sum(picks[i, j] for j in range(len(f.x)) if j != i)
        leave = leave + stay * others
        stay = stay * picks[i, i]
    return leave, stay


# Both bounds of the exponential come from e <= -log(1 - e) <= e/(1 - e).
def _tail(f, rate):
    return Tail(f, log(numbers(1 - exp(numbers(-(int(f.steps.item()) - 1) * rate)).item())).item())


@one_pick_escapes_are_geometric.probability()
def escape_is_at_most_exponential(f: AttentionChain, *, pace=1):
    """P[T_2 < t] <= 1 - exp(-(t - 1) e/(1 - e))."""
    leave, stay = _leaving(f)
    return _tail(f, pace * leave / stay)


@one_pick_escapes_are_geometric.probability()
def escape_is_at_least_exponential(f: AttentionChain, *, pace=1):
    """P[T_2 < t] >= 1 - exp(-(t - 1) e)."""
    return -_tail(f, pace * _leaving(f)[0])
