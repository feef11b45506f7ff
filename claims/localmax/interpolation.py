"""Localmax passes from hardmax at delta = 0 to uniform averages at large delta, but not through softmax weights.

`large_sensitivity_averages_all`: Each later gap is at most an average of the gaps at the start, for any A. So if all
tokens attend to all once, they always do: this is softmax at inverse temperature zero.

`sensitivity_joins_hardmax_to_uniform_averages`: This is what is exact in "interpolates between softmax and hardmax"
(abstract).

`sensitivity_reaches_softmax`: False if the abstract is taken literally. Softmax weights at a finite positive inverse
temperature grow with the score, while localmax gives all neighbours the same weight. The two agree only where all
scores of a token are equal.
"""

import numpy as np

from claims.localmax.setting.end_hypotheses import all_hear_all
from claims.localmax.setting.hypotheses import additive_rule
from claims.localmax.setting.starts import lattice_start
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import indicator, numbers, peak
from dynamics.orbits.exact import orbit
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep

section = Section(
    __name__,
    refs=("LM-1",),
    system=LocalmaxStep,
    assumptions=(additive_rule,),
    where="abstract, interpolation (reconstructed)",
)

large_sensitivity_averages_all = section.claim(
    statement="If at step 0 all gaps are at most delta then C_i = [n] for ever and z_i^k = m + (1-gamma)^k (z_i^0 - m), m "
    "the mean; any A.",
    origin=Origin.REPORTED,
    assumptions=(additive_rule, step_size_at_most_one, all_hear_all),
    draw=lattice_start,
)


# If all attend to all, every token moves towards one mean: so later gaps are averages of those at the start, for any A.
@large_sensitivity_averages_all.orbit(">= 0", exact_only=True)
def all_stay_heard(f: LocalmaxStep):
    """delta - gap_i(z_j) over six steps."""
    return np.stack([f.delta.item() - now.gaps() for now in orbit(f, 6)])


@large_sensitivity_averages_all.orbit("== 0", exact_only=True)
def tokens_close_in(f: LocalmaxStep, *, share=1):
    """z_i^k - m - (1-gamma)^k (z_i^0 - m) for k up to six."""
    m, keep = f.z.sum(axis=0) / len(f.z), 1 - share * f.gamma.item()
    return np.stack([now.z - m - keep**k * (f.z - m) for k, now in enumerate(orbit(f, 6))])


sensitivity_joins_hardmax_to_uniform_averages = section.claim(
    statement="delta = 0 is hardmax, delta large is uniform averaging, softmax at inverse temperature 0.",
    origin=Origin.REPORTED,
)


# Against the hardmax step that Frank-Wolfe's claims are about, with P = gamma I: one model, written twice.
@sensitivity_joins_hardmax_to_uniform_averages.identity()
def step_without_sensitivity(f: LocalmaxStep, *, share=1):
    """z_i' at delta = 0 minus the hardmax step with B = A and P = gamma I."""
    eye = indicator(np.eye(f.z.shape[-1], dtype=bool), f.A)
    ones = indicator(np.ones((f.z.shape[-2],) * 2, dtype=bool), f.z)
    hardmax = HardmaxStep(x=f.z, B=f.A, P=share * f.gamma[..., None, None] * eye, selection=ones)
    return f.replace(delta=0 * f.delta).step().z - hardmax.step().x


# The largest gap is large enough: no number has to be guessed.
@sensitivity_joins_hardmax_to_uniform_averages.identity()
def step_with_large_sensitivity(f: LocalmaxStep, *, share=1):
    """z_i' - z_i - gamma (m - z_i) for the mean m of all, where delta is the largest gap."""
    gaps = f.gaps().reshape(*f.delta.shape, -1)
    wide = f.replace(delta=peak(gaps)[..., 0])
    m = f.z.sum(axis=-2, keepdims=True) / f.z.shape[-2]
    return wide.step().z - f.z - share * f.gamma[..., None, None] * (m - f.z)


sensitivity_reaches_softmax = section.claim(
    where="abstract, interpolation, taken at its word",
    note=(
        "Of tokens 0 and 1 the second attends to itself alone for small delta and to both alike for larger ones, "
        "never to both with different weights, as softmax does at every finite inverse temperature above 0. The "
        "ends are right: delta = 0 is hardmax, and a large delta is the uniform mean."
    ),
    statement=(
        "Localmax interpolates between softmax and hardmax: some delta gives weights that are positive, and larger for "
        "larger scores, as those of softmax at a finite inverse temperature."
    ),
    corrected_by="localmax.sensitivity_joins_hardmax_to_uniform_averages",
    draw=lattice_start,
)


# Positive, and growing with the score: what softmax weights at any finite temperature are, and weights 1/|C_i| are not.
def likeness(f: LocalmaxStep):
    """The least of all weights and of w_ij - w_il where token j has a larger score than token l."""
    w, scores = f.weights(), f.scores()
    larger = scores[:, :, None] > scores[:, None, :]
    return min([*w.flat, *(w[:, :, None] - w[:, None, :])[larger].flat])


# Finitely many sensitivities stand for all: neighbours change at gaps alone.
@sensitivity_reaches_softmax.state("> 0")
def likeness_at_the_best_sensitivity(f: LocalmaxStep):
    """The largest likeness to softmax weights over all sensitivities: neighbours only change at a gap."""
    return numbers(max(likeness(f.replace(delta=numbers(gap))) for gap in set(f.gaps().flat)))
