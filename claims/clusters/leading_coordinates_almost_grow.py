"""Along a left eigenvector of V with lambda > 0 coordinates almost grow in size.

`leading_coordinates_almost_grow`: The inequality behind Theorem 4.2. Here f_i = phi(z_i), c = <Q phi, K phi>, and r_ij =
<x_i, B x_j> - c e^{2 lambda t} f_i f_j is the rest of a score.

`softmax_mean_misses_the_maximum_by_omega`: The inequality behind every limit theorem of the paper, for the scores of a
token under any B. With u_j = max s - s_j the gap is sum_j u_j e^{-u_j} / sum_j e^{-u_j}, largest where all others have u =
1 + omega_n. It is sharper than the entropy bound log n.
"""

import numpy as np

from claims.clusters.rescaling_keeps_attention import unscaled
from claims.clusters.setting.hypotheses import first_coordinate_is_eigen, positive_eigenvalue, positive_first_score
from claims.clusters.setting.notation import head_starts, mean_scores, omega, scores, sizes
from claims.clusters.setting.starts import extremal_flow, extremal_or_drowned
from claims.stating.statement import Section
from dynamics.arithmetic import exp
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__)

leading_coordinates_almost_grow = section.claim(
    where="sharpened from the proof of Theorem 4.2",
    refs=("G4", "N1"),
    statement=(
        "If phi V = lambda phi, lambda > 0 and c = <Q phi, K phi> > 0, then f_i f_i' >= lambda (max_j f_i (f_j - f_i) - "
        "(omega_n + 2 max_j |r_ij|) / (c e^{2 lambda t}))."
    ),
    system=RescaledFlow,
    assumptions=(first_coordinate_is_eigen, positive_eigenvalue, positive_first_score),
    draw=extremal_or_drowned,
)


# The scores are c e^{2 lambda t} f_i f_j + r_ij. Softmax loses omega_n against their maximum, and r_ij may shift both the
# maximum and the mean by max |r_ij|: hence the factor 2.
@leading_coordinates_almost_grow.state(">= 0")
def growth_less_head_start(f: RescaledFlow, *, gap=1):
    """f_i f_i' / lambda - max_j f_i (f_j - f_i) + (omega_n + 2 max_j |r_ij|) / (c e^{2 lambda t})."""
    lead, rate, c = f.z[..., :1], f.V[..., 0, 0], f.B[..., 0, 0]
    strength = (c * exp(2 * rate * f.t))[..., None, None]
    products = lead * lead.swapaxes(-1, -2)
    rest = abs(scores(unscaled(f).x, f.B) - strength * products)
    bound = (gap * omega(f.z.shape[-2], f.z) + 2 * sizes(rest)) / strength[..., 0]
    slope = f.rates(np.eye(f.z.shape[-1], dtype=int)[:1] + 0 * f.V[..., :1, :])[..., 0, :] / rate[..., None]
    return lead[..., 0] * slope - head_starts(products) + bound


softmax_mean_misses_the_maximum_by_omega = section.claim(
    where="sharpened from Step 2 of the proofs of Theorems 3.1 and 4.2",
    refs=("N1",),
    statement="sum_j P_ij s_ij >= max_j s_ij - omega_n for the scores s_ij = <x_i, B x_j>, omega_n = W((n - 1)/e).",
    system=SelfAttentionFlow,
    draw=extremal_flow,
)


@softmax_mean_misses_the_maximum_by_omega.state(">= 0")
def mean_less_maximum(f: SelfAttentionFlow, *, gap=1):
    """sum_j P_ij s_ij - max_j s_ij + omega_n."""
    s = scores(f.x, f.B)
    return mean_scores(s, f.attention()) - sizes(s) + gap * omega(f.x.shape[-2], f.x)
