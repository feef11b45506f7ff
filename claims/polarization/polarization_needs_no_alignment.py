"""The paper observes that scores polarize also if gradients are not aligned with one direction: not checked yet.

The paper's evidence is figure 3, one ill-conditioned regression (Limitations). For separable logistic regression with
several samples the suite states nothing yet (O2).
"""

from claims.stating.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    where="section 3.2, limitations",
    refs=("C-lim", "O2"),
    statement="Nevertheless, our experiments indicate that the polarization effect persists even without exact alignment",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
    standing=Standing.NOT_YET,
    note="A statement is needed first: for separable samples, that the scores become one-hot and beta turns to the "
    "max-margin direction. Then the flow of (V, a) for several samples, certified as the others are.",
)
