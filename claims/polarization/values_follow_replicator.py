"""u' is u - <u, s> 1 up to positive factors: false, since u' = gamma K s has positive entries only.

The "intuition from replicator dynamics" for the value projections (polarization C-rep, E5). The paper omits "scaling
factors and normalization terms": what is true of its words is `weights_follow_exact_replicator`, and of u the gaps,
`gaps_grow`. A projection below the mean m still grows.
"""

from claims.polarization.setting.scores import two_scores
from claims.polarization.weights_follow_exact_replicator import above_average
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="section 3.1, replicator dynamics, u' ~ u - <u, s> 1 read up to positive factors",
    refs=("C-rep", "E5"),
    note=(
        "All u_i grow, also those below the mean: at u = (1, 0), a = 0 the second has u_1' = K/2 > 0 and u_1 - "
        "<u, s> = -1/2. It is the weights that follow a replicator equation, with the fitness s_i (u_i - m)."
    ),
    statement="u_i' has the sign of u_i - <u, s>.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores,),
    standing=Standing.FALSE,
    corrected_by="polarization.weights_follow_exact_replicator",
)


@claim.state(">= 0")
def values_rise_above_average_only(f: LogisticFlow):
    """u_i' (u_i - m): both have the sign of u_i - m if the statement holds up to any positive factors."""
    return f.du_dtau() * above_average(f)
