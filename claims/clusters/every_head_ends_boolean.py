"""Several heads on a line: for almost every start each P^h tends to a Boolean matrix. Open, decided start by start.

The open problem of the paper as it stands (clusters O6), in discrete time. A token at rest between opposite ones keeps
a row that is not Boolean, so that "every start" is false; `heads_send_all_tokens_but_one_away` is what holds for all.
No start of a set with an interior is known that keeps a token.
"""

from claims.clusters.setting import distinct_tokens
from claims.clusters.setting.heads import room_of_all_but
from claims.clusters.setting.hypotheses_of_open_problems import positive_heads
from claims.clusters.setting.starts_of_open_problems import heads_start
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.multi_head import MultiHeadStep

claim = Claim(
    __name__,
    where="section 12, several heads",
    refs=("O6",),
    statement="d = 1, V_h, Q_h^T K_h > 0: for almost every start each P^h(k) tends to a Boolean matrix as k -> infinity.",
    origin=Origin.OURS,
    system=MultiHeadStep,
    assumptions=(positive_heads, distinct_tokens),
    draw=heads_start,
    standing=Standing.OPEN,
)


@claim.orbit("> 0")
def least_room(f: MultiHeadStep, *, share=1):
    """The least x_i e_i - omega' after some steps: once positive, every row tends to an outer token."""
    return share * room_of_all_but(0, f)
