"""Without the auxiliary loss heads duplicate and few are sinks; a shifted query gives fewer. Not checked.

Appendix E, figure 15 (polarization C-E1a, C-E1b, C-F15): variations of the induction task of `softmax_heads_become_sinks`.
"""

from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="appendix E.1, captions of figures 14 and 15",
    refs=("C-E1a", "C-E1b", "C-F15", "X6"),
    statement=(
        "We observe that under this setup, most heads duplicate each other and do not form sinks. ... setups with"
        " no explicit positional encodings lead to an increased formation of attention sinks."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.NOT_YET,
    note="It takes the runs of softmax_heads_become_sinks again for auxiliary weights 0 and 0.2, shifted queries and three "
    "kinds of positions.",
)
