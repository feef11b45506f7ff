"""Under a sensitivity c / (k + 1), which vanishes and is never zero, tokens converge into the maximal alignment set.

localmax LM-8 (abstract: hardmax limits are recovered; reconstructed). Tokens near a vertex attend to one another for ever,
for their gaps fall faster than the sensitivity; where they meet is not where hardmax would lead. Limits are read once the
neighbours are shown to be final (:mod:`dynamics.tokens.vanishing_sensitivity`).
"""

import numpy as np

from claims.localmax.setting.ends import self_gaps
from claims.localmax.setting.hypotheses import definite_matrix, open_step_size
from claims.localmax.setting.starts import lattice_start
from claims.statement import Assumption, Claim, Draws, Origin
from dynamics.arithmetic import numbers
from dynamics.orbits.vanishing_sensitivity import harmonic_limits
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax

MOST_STEPS = 60


def harmonic_start(draws: Draws) -> HarmonicLocalmax:
    """A lattice start whose sensitivity falls like 1/k from a whole number on."""
    f = lattice_start(draws)
    return HarmonicLocalmax(z=f.z, A=f.A, gamma=f.gamma, c=numbers(f.delta + draws.integer(0, 2)), k=np.array(0))


positive_first_sensitivity = Assumption(
    "positive_first_sensitivity",
    "c > 0",
    satisfies=lambda f: f.c.item() > 0,
    restrict=lambda f: f if f.c.item() > 0 else f.replace(c=f.c + 1),
    violate=lambda f, draws: f.replace(c=0 * f.c),
)

claim = Claim(
    __name__,
    where="abstract, vanishing sensitivity (reconstructed)",
    refs=("LM-8",),
    statement="A symmetric positive definite, delta_k = c / (k + 1) > 0: every token converges to a point of S = "
    "{x in Kinf : "
    "|x|_A^2 = max_{Kinf} <Ax, y>}.",
    origin=Origin.REPORTED,
    system=HarmonicLocalmax,
    assumptions=(definite_matrix, open_step_size, positive_first_sensitivity),
    draw=harmonic_start,
)


@claim.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: HarmonicLocalmax, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(harmonic_limits(f, MOST_STEPS), f.A, share)
