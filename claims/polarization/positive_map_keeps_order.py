"""Value projections and scores keep their order under a normalised map with f > 0 and f' > 0.

Lemma D.4 repaired, and with it the analogue of Theorem 3.2 (polarization C-D4, C-nf-C1, H8, E21). With G an antiderivative
of 1/f', Phi_ij = (G(a_i) - G(a_j))(u_i - u_j) has dPhi_ij/dtau = (1/F) [(u_i - u_j)^2 + K (G_i - G_j)(f_i - f_j)] >= 0,
since both f and G increase. (The paper's proof drops K, and G diverges at 0 for f(x) = x^2.)
"""

import numpy as np

from claims.polarization.setting.maps import equal_scores, positive_map, positive_map_on_the_line
from claims.polarization.setting.scores import ordered_values, two_scores
from claims.statement import Claim, Origin
from dynamics.training.score_maps import AnyMapFlow

claim = Claim(
    __name__,
    where="Lemma D.4, with f > 0 and f' > 0",
    refs=("C-D4", "C-nf-C1", "H8", "E21", "E21(iv)", "E21(v)"),
    statement="If f > 0 and f' > 0, a(0) = 0 and u_0(0) > ... > u_{p-1}(0), then both orders hold for all t > 0.",
    origin=Origin.OURS,
    system=AnyMapFlow,
    assumptions=(two_scores, positive_map_on_the_line, equal_scores, ordered_values),
)


def _pairs(f):
    i, j = np.triu_indices(f.u.shape[-1], 1)
    return lambda values: (values[..., i], values[..., j])


def _phi_rate(f):
    """dPhi_ij/dtau by the product rule; dG(a_i) = da_i / f'(a_i)."""
    at = _pairs(f)
    (u_i, u_j), (a_i, a_j), (dG_i, dG_j) = map(at, (f.u, f.a, f.da_dtau() / f.slopes))
    du_difference = (f.K / f.F)[..., None] * f.f.rise(a_i, a_j)
    return du_difference * f.f.dwell(a_i, a_j) + (u_i - u_j) * (dG_i - dG_j)


@claim.state(">= 0", assuming=(two_scores, positive_map))
def phi_rate(f: AnyMapFlow):
    """dPhi_ij/dtau for i < j, at any state with f > 0 and f' > 0."""
    return _phi_rate(f)


@claim.identity(assuming=(two_scores, positive_map))
def phi_rate_formula(f: AnyMapFlow, *, K_factor=1):
    """F dPhi_ij/dtau - (u_i - u_j)^2 - K (G_i - G_j)(f_i - f_j)."""
    (u_i, u_j), (a_i, a_j) = map(_pairs(f), (f.u, f.a))
    product = f.f.dwell(a_i, a_j) * f.f.rise(a_i, a_j)
    return f.F[..., None] * _phi_rate(f) - (u_i - u_j) ** 2 - K_factor * f.K[..., None] * product


@claim.trajectory("> 0", horizon=lambda start: 3 * start.time_unit())
def both_stay_ordered(now: AnyMapFlow, start: AnyMapFlow):
    """a_i - a_{i+1} and u_i - u_{i+1}."""
    return np.stack([now.a[:-1] - now.a[1:], now.u[:-1] - now.u[1:]])
