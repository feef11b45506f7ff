"""Heads trained with a normalised positive attention map become sinks; other maps give fewer. Not checked.

Section 4.1, figure 4 (polarization C-4.1c, C-4.1d). A head is a sink when more than 90 % of its attention goes to the first
token at uniformly random positions. In the row model the sink appears by `leading_token_captures_every_row`.
"""

from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 4.1, figure 4",
    refs=("C-4.1c", "C-4.1d", "X6"),
    statement=(
        "the normalized positive attention variants are associated with consistently higher proportion of sink "
        "heads than their unnormalized counterparts or non-positivite variants (mlp, linear)."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.NOT_YET,
    note="It takes 2-layer transformers of width 128 trained over a grid of heads, step sizes and seeds for each map: "
    "hours on an accelerator, and a statistical test between the maps.",
)
