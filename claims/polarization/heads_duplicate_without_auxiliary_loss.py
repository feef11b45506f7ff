"""The paper observes that heads trained for the last token only (lambda = 0) duplicate each other, with hardly a sink.

How alike heads must be is not printed. We take 1 less the total variation between the rows of two heads where the
induction is asked for, on average, and compare it with 9/10.
"""

from dataclasses import replace
from fractions import Fraction

from claims.polarization.setting.transformers import (
    NORMALISED_POSITIVE,
    no_sinks,
    overlap_at_query,
    sample,
    sink_proportion,
)
from claims.stating.experiments import Comparison, Majority
from claims.stating.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="appendix E.1, figure 14",
    refs=("C-E1a", "X6"),
    statement=(
        "In the former case, the model is only penalized on incorrect predictions of the last token and not incentivized "
        "to keep a constant uniform prediction on random tokens. This leads to all heads duplicating each other and no "
        "almost no attention sinks for any attention type. [Figure 14:] We observe that under this setup, most heads "
        "duplicate each other and do not form sinks."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


def _without(setting, read):
    return sample(replace(setting, weight=0.0), read)


@claim.experiment()
def heads_duplicate_each_other(steps):
    """Whether in most runs with lambda = 0 any two heads of the second layer have 9/10 of their rows in common."""
    return [Majority(one.map_name, _without(one, overlap_at_query), Fraction(9, 10)) for one in NORMALISED_POSITIVE]


# "Almost no" of all runs is read as none in most runs: the paper prints no proportion.
@claim.experiment()
def almost_no_sinks_without_auxiliary_loss(steps):
    """Whether in most runs with lambda = 0 no head of the second layer is a sink."""
    return [Majority(one.map_name, _without(one, no_sinks), Fraction(1)) for one in NORMALISED_POSITIVE]


@claim.experiment()
def fewer_sinks_without_auxiliary_loss(steps):
    """The proportion of sink heads in the second layer: lambda = 0 against 0.2."""
    return [
        Comparison(one.map_name, _without(one, sink_proportion), sample(one, sink_proportion), rises=False)
        for one in NORMALISED_POSITIVE
    ]
