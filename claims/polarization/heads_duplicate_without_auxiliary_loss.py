"""Trained for the last token only, lambda = 0, all heads duplicate each other and almost none becomes a sink.

Appendix E.1, figure 14 (polarization C-E1a). Two heads are taken to duplicate each other if, where the induction is asked
for, their rows differ by less than 0.1 in total variation on average.
"""

from dataclasses import replace

from claims.experiments import Comparison, Majority
from claims.polarization.setting.transformers import NORMALISED_POSITIVE, alike_at_query, count, sink_proportion
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="appendix E.1, figure 14",
    refs=("C-E1a", "X6"),
    statement=(
        "In the former case, the model is only penalized on incorrect predictions of the last token and not incentivized "
        "to keep a constant uniform prediction on random tokens. This leads to all heads duplicating each other and no "
        "almost no attention sinks for any attention type."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


@claim.experiment()
def heads_duplicate_each_other(steps):
    """Runs with lambda = 0 in which every pair of heads of the second layer is alike."""
    return [
        Majority(one.map_name, count(replace(one, weight=0.0), alike_at_query, least=1.0)) for one in NORMALISED_POSITIVE
    ]


@claim.experiment()
def fewer_sinks_without_auxiliary_loss(steps):
    """Runs in which at least half of the second layer's heads are sinks: lambda = 0.2 against 0."""
    return [
        Comparison(one.map_name, count(one, sink_proportion), count(replace(one, weight=0.0), sink_proportion))
        for one in NORMALISED_POSITIVE
    ]
