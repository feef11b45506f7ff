"""Tubes are left within a time exponential in beta: the other side of metastability.

Beside the lower bounds of Theorem 5.4 (frank_wolfe FW-15). Let D be the largest distance of two tokens at the start, each
in a tube of its own, and m least with (1 - (1 - gamma)^m) D > 2 eps. From everywhere inside the tubes m picks in a row of
one token by another one lead out, whatever the others do; each has a chance of at least p = e^{-beta c}/n, c the largest
<x, y - z> of tokens at the start, as all tokens stay in their hull. So each m steps have a chance of p^m, and

    P[T_2 >= t] <= (1 - p^m)^floor((t - 1)/m),    E T_2 <= m/p^m = m n^m e^{beta c m}.

With `escape_takes_as_many_picks_as_diameters` T_2 is exponential in beta from both sides.
"""

from claims.frank_wolfe.setting.lifetimes import (
    dearest_pick,
    one_token_per_tube,
    run_out,
    single_tokens,
    time_for_a_run,
)
from claims.statement import Claim, Origin, Tail
from dynamics.arithmetic import exp, log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="section 5, the other side of Theorem 5.4",
    refs=("FW-15", "Q6"),
    statement="P[T_2 >= t] <= (1 - p^m)^floor((t-1)/m), p = e^{-beta c}/n, m picks lead out from everywhere inside.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(one_token_per_tube, time_for_a_run),
    draw=single_tokens,
    equivalent=dict.fromkeys(
        ("escape_comes: 1 - chance => 19/20 - chance", "escape_comes: 1 - chance => 999/1000 - chance"),
        "It follows: chance <= 1/2, so that the sum is smaller, and it bounds from below.",
    ),
)


@claim.probability()
def escape_comes(f: AttentionChain, *, cost=1, picks=1):
    """P[T_2 < t] >= 1 - (1 - p^m)^floor((t - 1)/m)."""
    m = picks * run_out(f)
    runs = (int(f.steps.item()) - 1) // m
    chance = exp(numbers(-cost * f.beta.item() * dearest_pick(f) * m)).item() / len(f.x) ** m
    # 1 - (1 - q)^s as a sum of positive terms.
    return -Tail(f, log(numbers(chance * sum((1 - chance) ** k for k in range(runs)))).item())
