"""Two hyperplanes are enough in Theorem 3: false, 0 between opposite tokens is a third.

For d = 1 and V = Q^T K = 1, hyperplanes are points (clusters T3): from -u, 0, u tokens end at -c, 0, c. Lemma D of
docs/flow_limits.md.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line
from claims.clusters.setting.starts_with_rates import line_start_with_a_token_at_0
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 3, with two for three",
    refs=("T3",),
    note=(
        "From -1, 0, 1 the tokens z end at -c, 0, c with a c > 0: the token at 0 is held between opposite ones. "
        "Three hyperplanes are enough."
    ),
    statement=("d = 1, V = Q^T K = 1: the z_i have at most two limits."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, identity_key_query),
    draw=line_start_with_a_token_at_0,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_up_to_two(end: TokensEnd, start: RescaledFlow):
    """2 minus the number of different limits."""
    return exact([2 - end.number_of_limits])
