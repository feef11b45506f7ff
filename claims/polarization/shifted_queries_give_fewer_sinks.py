"""The paper observes fewer sinks if another symbol asks for the induction; the recorded runs do not tell the two apart."""

from dataclasses import replace

from claims.polarization.setting.transformers import NORMALISED_POSITIVE, sample, sink_proportion
from claims.stating.experiments import Comparison
from claims.stating.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="appendix E.1, task format",
    refs=("C-E1b", "X6"),
    statement=(
        "We experimented both with t_i' = t_i and t_i' being a different symbol, observing that the latter typically "
        "leads to less attention sinks forming."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


# Shifted is the default of the setting: "another symbol" is the run that is recorded for other claims as well.
@claim.experiment()
def shifted_queries_give_fewer_sinks(steps):
    """The proportion of sink heads in the second layer: another symbol against t_i' = t_i."""
    return [
        Comparison(
            one.map_name,
            sample(one, sink_proportion),
            sample(replace(one, shifted=False), sink_proportion),
            rises=False,
        )
        for one in NORMALISED_POSITIVE
    ]
