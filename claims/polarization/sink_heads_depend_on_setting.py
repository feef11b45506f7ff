"""Without the auxiliary loss heads duplicate and few are sinks; a shifted query gives fewer. Not checked.

Appendix E, figure 15 (polarization C-E1a, C-E1b, C-F15): variations of the induction task of `softmax_heads_become_sinks`.
"""

from claims.statement import POLARIZATION, Claim, Standing
from dynamics.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="appendix E.1, figure 15",
    refs=("C-E1a", "C-E1b", "C-F15", "X6"),
    statement="Sink heads are fewer for auxiliary weight 0 and for a shifted query token, and more without positions.",
    system=RowAttentionFlow,
    standing=Standing.NOT_YET,
    note="It takes the runs of softmax_heads_become_sinks again for auxiliary weights 0 and 0.2, shifted queries and three "
    "kinds of positions.",
)
