"""With several heads on a line all tokens but at most one diverge, and their rows tend to an outer token.

An open problem of section 12, in discrete time: d = 1, V_h > 0, Q_h^T K_h > 0, any step size; does each P^h tend to a
Boolean matrix?

`every_head_ends_boolean`: Not for every start: a token at rest between opposite ones keeps a row that is not Boolean. For
almost every start it is open and decided start by start; no open set of starts that keeps a token bounded is known.

`heads_send_all_tokens_but_one_away`: What holds for every start. A token with x_i e_i > omega' diverges (Lemma A'' of
docs/flow_limits.md), an unbounded one reaches this threshold, and two bounded ones are driven apart. Decided start by
start: the threshold is passed within a few steps, in ball arithmetic.
"""

import numpy as np

from claims.clusters.setting.heads import room_of_all_but
from claims.clusters.setting.hypotheses import distinct_tokens, positive_heads
from claims.clusters.setting.starts_of_flows import heads_start
from claims.stating.statement import Section, Standing
from dynamics.tokens.multi_head import MultiHeadStep

section = Section(
    __name__,
    where="section 12, several heads",
    refs=("O6",),
    system=MultiHeadStep,
    assumptions=(positive_heads, distinct_tokens),
    draw=heads_start,
)

every_head_ends_boolean = section.claim(
    statement="d = 1, V_h, Q_h^T K_h > 0: for almost every start each P^h(k) tends to a Boolean matrix as k -> infinity.",
    standing=Standing.OPEN,
)


@every_head_ends_boolean.orbit("> 0")
def least_room(f: MultiHeadStep, *, share=1):
    """The least x_i e_i - omega' after some steps: once positive, every row tends to an outer token."""
    return share * room_of_all_but(0, f)


heads_send_all_tokens_but_one_away = section.claim(
    statement="d = 1, V_h, Q_h^T K_h > 0, distinct tokens: every row of every P^h but one tends to e_1 or e_n.",
)


# One token may stay bounded in every start; a single least room could be that token's.
@heads_send_all_tokens_but_one_away.orbit("> 0")
def second_least_room(f: MultiHeadStep):
    """The second least x_i e_i - omega' after some steps, or 0 where no step is seen at which it is positive."""
    return room_of_all_but(1, f)


# Along the tokens' order, and with no threshold: it is by growing gaps that two bounded tokens are excluded.
@heads_send_all_tokens_but_one_away.step(">= 0")
def gaps_grow(f: MultiHeadStep, *, share=1):
    """(x_{i+1} - x_i) after a step less `share` times that before, tokens in their order."""
    x = np.sort(f.x[..., 0], axis=-1)
    later = f.replace(x=x[..., None]).step().x[..., 0]
    return (later[..., 1:] - later[..., :-1]) - share * (x[..., 1:] - x[..., :-1])
