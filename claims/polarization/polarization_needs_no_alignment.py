"""Scores polarize also when the gradients of the loss are not aligned with one direction. Not checked.

Limitations (polarization C-lim, S8, O2). Figure 3 is the paper's evidence, one ill-conditioned regression; for separable
logistic regression with several samples the suite states nothing yet.
"""

from claims.statement import POLARIZATION, Claim, Standing
from dynamics.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="limitations",
    refs=("C-lim", "O2"),
    statement="The polarization persists without the alignment of the gradients with beta_*.",
    system=FullLogisticFlow,
    standing=Standing.NOT_YET,
    note="It takes a statement first: for separable samples, that the scores become one-hot and beta turns to the "
    "max-margin direction. Then the flow of (V, a) for several samples, certified as the others are.",
)
