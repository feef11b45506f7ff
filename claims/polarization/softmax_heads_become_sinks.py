"""The paper observes that heads become sinks more often under normalised positive attention maps than under others.

A head is a sink if more than 90 % of its attention goes to the first token at random positions (section 4.1). We
compare what figure 4 plots, the mean proportion of sink heads in the second layer; the figure averages over numbers of
heads, learning rates and 5 seeds together. In the row model the sink appears by `leading_token_captures_every_row`.
"""

from dataclasses import replace

from claims.polarization.setting.transformers import (
    NORMALISED_POSITIVE,
    SIGNED,
    SIZES,
    TINY,
    printed_sink_proportion,
    sample,
    sampled,
    sink_proportion,
    trained_now,
)
from claims.stating.experiments import Comparison
from claims.stating.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1, figure 4",
    refs=("C-4.1c", "C-4.1d", "X6"),
    statement=(
        "the normalized positive attention variants are associated with consistently higher proportion of sink "
        "heads than their unnormalized counterparts or non-positivite variants (mlp, linear)."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


# Only the map is changed: width, heads and rate are those of the size, so that a comparison has one cause.
def _sinks(setting, width, read=sink_proportion):
    return sample(replace(SIZES[width], attention=setting.attention, normalised=setting.normalised), read)


@claim.experiment()
def more_sinks_than_without_normalisation(steps):
    """The proportion of sink heads of sigmoid, elu and elu*elu attention: normalised against not."""
    pairs = [(one, replace(one, normalised=False)) for one in NORMALISED_POSITIVE if one.attention != "softmax"]
    return [
        Comparison(f"{one.map_name} at {width}", _sinks(one, width), _sinks(other, width))
        for width in SIZES
        for one, other in pairs
    ]


@claim.experiment()
def more_sinks_than_signed_maps(steps):
    """The same of every normalised positive map against mlp and linear attention, normalised or not."""
    return [
        Comparison(f"{one.map_name} against {other.map_name} at {width}", _sinks(one, width), _sinks(other, width))
        for width in SIZES
        for one in NORMALISED_POSITIVE
        for other in SIGNED
    ]


# For positive maps both scores are shares; where attention may be negative the mean of quotients can be anything.
@claim.experiment()
def more_sinks_than_signed_maps_by_the_printed_score(steps):
    """The same at width 32 by the mean of quotients that E.1 prints: for maps of both signs it is another score."""
    return [
        Comparison(
            f"{one.map_name} against {other.map_name}",
            *(_sinks(kind, "width 32", printed_sink_proportion) for kind in (one, other)),
        )
        for one in NORMALISED_POSITIVE
        for other in SIGNED
    ]


# Five against five: of the 252 ways to part ten runs the most extreme two give 0.008, below the level of one question.
@claim.experiment()
def trained_now_softmax_has_more_sinks_than_sigmoid(steps):
    """Softmax against sigmoid without normalisation at width 32, from five other seeds, trained while you wait."""
    kinds = (TINY, replace(TINY, attention="sigmoid", normalised=False))
    trained = [sampled(runs, sink_proportion) for kind in kinds if (runs := trained_now(kind, range(1000, 1005), steps))]
    if not trained:
        return []
    softmax, sigmoid = trained
    return [Comparison("softmax against sigmoid without normalisation", softmax, sigmoid, among=1)]
