"""One swapped token flips the label that a softmax classifier with one head gives, more often than with other maps.

Section 4.2, figure 6 (polarization C-4.2). Any token determines the label, and a head that has polarized on one token reads
no other. A model that gives all inputs one label is "flipped" in a quarter of the swaps. With 10 tokens drawn from a group
of 10 there are four inputs but for the order, which changes nothing: all twelve swaps are tried, and none is sampled.
"""

from dataclasses import replace

from claims.experiments import Comparison, Majority
from claims.polarization.setting.transformers import (
    CLASSIFIER,
    HALF,
    RATES,
    every_map,
    flip_rate,
    sample,
    sampled,
    trained_now,
)
from claims.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.2, figure 6",
    refs=("C-4.2", "X6"),
    statement="As expected, the softmax model's predictions can be easily reversed",
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


@claim.experiment()
def softmax_predictions_are_reversed(steps):
    """Whether in most runs of softmax attention at least half of all swaps flip the label, at each learning rate."""
    return [
        Majority(f"softmax at rate {rate:g}", sample(replace(CLASSIFIER, rate=rate), flip_rate), HALF) for rate in RATES
    ]


@claim.experiment()
def softmax_flips_more_than_maps_without_normalisation(steps):
    """The proportion of swaps that flip the label: softmax against every map without normalisation, at each rate."""
    return [
        Comparison(
            f"softmax against {other.map_name} at rate {rate:g}",
            sample(replace(CLASSIFIER, rate=rate), flip_rate),
            sample(replace(other, rate=rate), flip_rate),
        )
        for rate in RATES
        for other in every_map(CLASSIFIER)
        if not other.normalised
    ]


@claim.experiment()
def trained_now_softmax_predictions_are_reversed(steps):
    """Softmax at the middle learning rate from six other seeds, trained while you wait: of fewer nothing is told."""
    runs = trained_now(CLASSIFIER, range(1000, 1006), steps)
    return [] if runs is None else [Majority("softmax", sampled(runs, flip_rate), HALF, among=1)]
