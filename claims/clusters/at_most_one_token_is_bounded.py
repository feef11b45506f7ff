"""On a line all tokens but at most one diverge.

The slides list it among the "not easy" steps of the proof of Theorem 1 (`l:onlyone`). Lemma A' of docs/flow_limits.md
decides starts from which all tokens diverge; Lemma D decides opposite pairs with a token at 0, which stays there.
"""

from claims.clusters.setting.hypotheses import distinct_tokens, on_the_line
from claims.clusters.setting.starts_of_flows import line_start_with_a_token_at_0
from claims.stating.assumptions import definite_key_query, identity_value
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import TiedEnd, TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slides, proof of Theorem 1",
    refs=("L5",),
    statement="all but one particle tend to +-infinity",
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start_with_a_token_at_0,
)


# Of the starts that the traps catch only symmetric ones keep a token bounded, and that one rests at 0.
@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def tokens_at_rest(end: TokensEnd, start: RescaledFlow, *, most=1):
    """1 minus the number of tokens that rest at 0; all others of the caught starts have a limit other than 0."""
    return exact([most - (int(end.frozen.sum()) if isinstance(end, TiedEnd) else 0)])
