"""One swapped token flips a softmax classifier's label; more heads or layers weaken the effect. Not checked.

Section 4.2 (polarization C-4.2): vocabularies of the labels are disjoint, so that any token determines the label, and an
attention head that has polarized on one token reads no other. The authors' code shuffles the tokens after the swap.
"""

from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 4.2",
    refs=("C-4.2", "X6"),
    statement=(
        "As expected, the softmax model's predictions can be easily reversed, however the effect gradually "
        "vanishes as more than 1 head and layer are added to the model"
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.NOT_YET,
    note="It takes 1- and 2-layer classifiers trained on 10^4 sequences of length 11 over heads, vocabularies and seeds: "
    "minutes each on an accelerator, and a statistical test of the flip rates.",
)
