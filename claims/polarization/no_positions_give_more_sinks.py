"""The paper observes more attention sinks without positional encodings; the recorded runs are too few to tell.

The causal mask still distinguishes positions (figure 15).
"""

from dataclasses import replace

from claims.polarization.setting.transformers import NORMALISED_POSITIVE, sample, sink_proportion
from claims.stating.experiments import Comparison
from claims.stating.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="figure 15, caption",
    refs=("C-F15", "X6"),
    statement=(
        "Interestingly, we observe that setups with no explicit positional encodings lead to an increased formation of "
        "attention sinks."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


# Against each of the two encodings by itself: the caption does not say which one "no explicit encodings" is compared with.
def _compared(positions):
    return [
        Comparison(
            one.map_name,
            sample(replace(one, positions="no"), sink_proportion),
            sample(replace(one, positions=positions), sink_proportion),
        )
        for one in NORMALISED_POSITIVE
    ]


@claim.experiment()
def more_sinks_than_with_added_positions(steps):
    """The proportion of sink heads in the second layer: no positions against added ones."""
    return _compared("add")


@claim.experiment()
def more_sinks_than_with_concatenated_positions(steps):
    """The same against concatenated ones."""
    return _compared("concat")
