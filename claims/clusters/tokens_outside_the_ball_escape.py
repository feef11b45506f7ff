"""With V = I and B symmetric, <x_i, Bx_i> - omega_n grows at least like e^{2t}.

Explicit and sharp form of Lemma `l:auxiliary` (clusters L2, G1, G2): a token outside the ball |Ax|^2 = omega_n escapes. The
paper's radius A with A^2 = n^2 e^{-A^2} is larger: 1.096 for .528 where n = 2. In z = e^{-t} x it says that
<z_i, Bz_i> - omega_n e^{-2t} never falls.
"""

from math import exp

from flint import fmpq

from claims.assumptions import identity_value
from claims.clusters.setting import extremal_rescaled_flow, form, omega, symmetric_or_wider
from claims.statement import Claim, Draws, Origin
from dynamics.arithmetic import exp_difference
from dynamics.tokens.self_attention import RescaledFlow

PLACES = 20
"""Bits of the rational in the place of e^{-2t}."""


def _extremal_at_any_time(draws: Draws) -> RescaledFlow:
    """A start at which the mean score misses the largest by nearly omega_n; at time t with e^{-2t} B for B."""
    f, time = extremal_rescaled_flow(draws), draws.integer(0, 3)
    return f.replace(B=f.B * round(exp(-2 * time) * 2**PLACES) / 2**PLACES, t=f.t + time)


claim = Claim(
    __name__,
    where="sharpened from Lemma l:auxiliary",
    refs=("L2", "G1", "G2"),
    statement=("If V = I and B = B^T then <x_i, Bx_i>(t) - omega_n >= (<x_i, Bx_i>(s) - omega_n) e^{2(t - s)} for t >= s."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, symmetric_or_wider),
    draw=_extremal_at_any_time,
)


@claim.rate(">= 0", horizon=lambda start: fmpq(1))
def rescaled_size_falls_by_less_than_omega(now: RescaledFlow, start: RescaledFlow, *, pace=2):
    """<z_i, Bz_i>(t) - <z_i, Bz_i>(s) + omega_n (e^{-2s} - e^{-2t}), for n > 1: the statement times e^{-2t}."""
    if len(start.z) == 1:
        return start.z[:0, 0]  # one token alone stays where it is: equality
    threshold = omega(len(start.z), start.z) * exp_difference(-pace * start.t, -pace * now.t)
    return form(now.z, now.B, now.z) - form(start.z, start.B, start.z) + threshold
