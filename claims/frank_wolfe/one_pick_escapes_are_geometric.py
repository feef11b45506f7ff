"""Where every pick leads out, T_2 is geometric, and T_2/E T_2 close to exponential.

On the law of T_2 (frank_wolfe FW-15). If gamma |x_i - x_j| > eps for all i != j, one token in each tube, then T_2 is the
first step in which some token picks another one: P[T_2 >= t] = (1 - e)^{t-1} with 1 - e = prod_i a_ii, and E T_2 = 1/e. So

    exp(-(t - 1) e/(1 - e)) <= P[T_2 >= t] <= exp(-(t - 1) e).

By more picks T_2 is a sum of geometric times along a random path, and T_2/E T_2 tends to an exponential law as beta grows
only where one wait is longer than all others: see docs/escapes.md.
"""

from claims.frank_wolfe.setting.lifetimes import every_pick_leads_out, one_token_per_tube, single_tokens
from claims.statement import Claim, Origin, Tail
from dynamics.arithmetic import exp, log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="section 5, the law of T_2",
    refs=("FW-15",),
    statement="If every pick leads out, exp(-(t-1) e/(1-e)) <= P[T_2 >= t] <= exp(-(t-1) e), 1 - e = prod_i a_ii.",
    origin=Origin.OURS,
    system=AttentionChain,
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


def _tail(f, rate):
    return Tail(f, log(numbers(1 - exp(numbers(-(int(f.steps.item()) - 1) * rate)).item())).item())


@claim.probability()
def escape_is_at_most_exponential(f: AttentionChain, *, pace=1):
    """P[T_2 < t] <= 1 - exp(-(t - 1) e/(1 - e))."""
    leave, stay = _leaving(f)
    return _tail(f, pace * leave / stay)


@claim.probability()
def escape_is_at_least_exponential(f: AttentionChain, *, pace=1):
    """P[T_2 < t] >= 1 - exp(-(t - 1) e)."""
    return -_tail(f, pace * _leaving(f)[0])
