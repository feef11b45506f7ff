"""If V has a positive eigenvalue then x_i(t) diverges: false of a token that is tied between opposite ones.

A question of ours (clusters M1): the slide "The case d > 1" lets x_i diverge "by analogy with y'(t) = Vy(t)", which
moves us to the rescaled tokens and claims nothing of every start. A token at 0 among opposite pairs stays at 0 for ever
(Lemma D of docs/flow_limits.md). Tokens outside of the ball of radius sqrt(omega_n) do diverge
(`tokens_outside_the_ball_escape`).
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import rescaled_start
from claims.statement import Claim, Origin, Standing
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'The case d > 1', its heuristic asked of every token",
    refs=("M1",),
    note=(
        "A token at 0 alone, or among opposite pairs, has velocity 0 and stays at 0 for ever. Tokens outside of a"
        " ball, with <x_i, Bx_i> > omega_n, do run off."
    ),
    statement="V = I, Q^T K > 0: every x_i(t) runs off, and so does e^t.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_outside_the_ball_escape",
)


@claim.limit("> 0", times=settling_times(tokens_trap), trap=tokens_trap)
def squared_length_of_limits(end: TokensEnd, start: RescaledFlow):
    """|lim e^{-t} x_i|^2, and 0 for a token that rests at 0."""
    return (end.limits * end.limits).sum(axis=-1)
