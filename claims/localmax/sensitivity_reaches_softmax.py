"""FALSE if taken literally: between hardmax and uniform averages the sensitivity passes through softmax weights.

localmax LM-1 (abstract: "interpolates between softmax and hardmax"). Softmax weights at any finite inverse temperature are
positive, and larger for larger scores; localmax gives all neighbours the same weight. Only where all scores of a token are
equal does any sensitivity give softmax weights.
"""

from claims.localmax.setting.hypotheses import additive_rule
from claims.localmax.setting.starts import lattice_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import numbers
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, interpolation, taken at its word",
    refs=("LM-1",),
    note=(
        "Of tokens 0 and 1 the second attends to itself alone for small delta and to both alike for larger ones, "
        "never to both with different weights, as softmax does at every finite inverse temperature above 0. The "
        "ends are right: delta = 0 is hardmax, and a large delta is the uniform mean."
    ),
    statement=(
        "Localmax interpolates between softmax and hardmax: some delta gives weights that are positive, and "
        "larger for "
        "larger scores, as those of softmax at a finite inverse temperature."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule,),
    standing=Standing.FALSE,
    corrected_by="localmax.sensitivity_joins_hardmax_to_uniform_averages",
    draw=lattice_start,
)


def likeness(f: LocalmaxStep):
    """The least of all weights and of w_ij - w_il where token j has a larger score than token l."""
    w, scores = f.weights(), f.scores()
    larger = scores[:, :, None] > scores[:, None, :]
    return min([*w.flat, *(w[:, :, None] - w[:, None, :])[larger].flat])


@claim.state("> 0")
def likeness_at_the_best_sensitivity(f: LocalmaxStep):
    """The largest likeness to softmax weights over all sensitivities: neighbours only change at a gap."""
    return numbers(max(likeness(f.replace(delta=numbers(gap))) for gap in set(f.gaps().flat)))
