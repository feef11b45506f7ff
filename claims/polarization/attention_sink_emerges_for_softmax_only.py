"""The paper observes an attention sink for softmax, and none for sigmoid or linear attention without normalisation.

Figure 1 shows the induction task in the setting of figure 4.
"""

from dataclasses import replace

from claims.polarization.setting.transformers import HALF, SIZES, sample, sink_proportion
from claims.stating.experiments import Comparison, Majority
from claims.stating.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="figure 1, caption",
    refs=("C-F1", "X6"),
    statement=(
        "Representative attention patterns of the 2nd Transformer layer solving an induction task. Sigmoid and linear "
        "attentions are trained without additional normalization (see Table 1). An attention sink clearly emerges for "
        "softmax but not other attentions."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


@claim.experiment()
def sink_emerges_for_softmax(steps):
    """Whether in most runs of softmax attention at least half of the second layer's heads are sinks."""
    return [Majority(f"softmax at {width}", sample(size, sink_proportion), HALF) for width, size in SIZES.items()]


@claim.experiment()
def no_sink_emerges_without_normalisation(steps):
    """The proportion of sink heads: softmax against sigmoid and linear attention without normalisation."""
    return [
        Comparison(
            f"softmax against {attention} without normalisation at {width}",
            sample(size, sink_proportion),
            sample(replace(size, attention=attention, normalised=False), sink_proportion),
        )
        for width, size in SIZES.items()
        for attention in ("sigmoid", "linear")
    ]
