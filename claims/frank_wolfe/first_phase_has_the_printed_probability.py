"""The first phase succeeds with probability at least 1 - beta^{-1/8}, if it lasts for the farthest token's time.

Theorem 5.2 (frank_wolfe FW-14) with its data and its probability, T = ceil(log(tau/M) / log(1 - gamma)) and C = 1 (see
`first_phase_takes_the_farthest_token`). A token of an eroded cell is at least beta^{-1/4} from its vertex and has
eta >= beta^{-1/8}, and T is bounded, so that what is asked of beta follows from beta >= beta_* with beta_* of n, K and
gamma alone.
"""

from claims.frank_wolfe.hardmax_path_is_likely import chance_to_leave
from claims.frank_wolfe.setting.first_phase import (
    free_tokens_deep_in_cells,
    low_temperature,
    steps_of_the_farthest,
    token_at_each_vertex,
    tokens_in_eroded_cells,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import log
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.2 (lem: first.phase), corrected",
    refs=("FW-14",),
    statement=(
        "For beta >= beta_* all tokens follow the hardmax path for T steps with probability at least 1 - beta^{-1/8}."
    ),
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(token_at_each_vertex, tokens_in_eroded_cells, low_temperature),
    draw=free_tokens_deep_in_cells,
)


@claim.step(">= 0", exact_only=True)
def path_is_followed(f: AttentionChain, *, root=8):
    """log(beta^{-1/8}) minus the log of the chance to leave the path within T steps."""
    return -log(f.beta) / root - log(chance_to_leave(f, steps_of_the_farthest(f)))
