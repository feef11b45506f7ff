"""Under the normalised map f(x) = x the scores leave the simplex and diverge; nothing becomes one-hot.

For ordered scores |a|^2 is conserved, and F = sum_j a_j falls to 0 at a finite tau, which the proof of Lemma D.4
excludes by assumption. With D = a_0 - a_{p-1} and W = u_0 - u_{p-1}, the angle arctan(D/F) turns at a speed of at least
W / F^2, so it reaches pi/2. There |s| = |a| / F is infinite while sum_i s_i = 1.

For the certificate, F < 0 must be seen, and F comes back, soon where |beta_*| |a| is large against W. In the clock phi
with dphi = dtau / F all (a_i - a_j, u_i - u_j) follow one linear flow. So in the clock with dtau = F^2 phi moves like a
mass, phi' = F and phi'' = -V(phi), V > 0 where phi > 0, and comes down as it went up: if F = 0 first at time z, then F
< 0 from z to 2 z at least. Of times that reach beyond z, each half the next, one is there.
"""

from collections.abc import Callable

from flint import fmpq

from claims.polarization.setting.figure_13 import final_weights
from claims.polarization.setting.maps import clear_leader, positive_scores
from claims.polarization.setting.scores import comonotone, two_scores
from claims.stating.experiments import Reading
from claims.stating.statement import Claim, Origin
from dynamics.limits.traps import Passed, passed_zero
from dynamics.training.score_maps import IDENTITY, IdentityMapFlow

# A clear leader only shortens the wait: F falls to 0 from every ordered start, but from near ties late.
claim = Claim(
    __name__,
    where="section 3.2, other normalization functions, figure 13 (Sum)",
    refs=("C-fx", "C-F13", "S9", "E21(ii)", "E21(vii)", "X2"),
    statement=(
        "For instance, with f(x) = x (which does not enforce positivity), the polarization is typically insufficient to "
        "yield one-hot scores"
    ),
    origin=Origin.PRINTED,
    system=IdentityMapFlow,
    assumptions=(two_scores, positive_scores, comonotone, clear_leader),
)


# F < 0 lasts from its zero z to 2 z at least, so among halvings one is there; a grid of equal steps could miss it.
def halved(longest: fmpq, is_early: Callable[[fmpq], bool]) -> list[fmpq]:
    """Times from `longest` down, each half the one before: sixteen, or more until one is early."""
    times = [longest]
    while len(times) < 16 or not is_early(times[-1]):
        times.append(times[-1] / 2)
    return times


def _spread(values):
    return values[..., 0] - values[..., -1]


@claim.identity(assuming=())
def norm_rate(f: IdentityMapFlow, *, power=1):
    """F^2 <a, da/dtau>, with sum_i s_i = 1 the reason why |s|^2 = |a(0)|^2 / F^2."""
    return (f.a**power * f.scaled_da()).sum(axis=-1)


# F^2 times the rates: true for any signs of the scores, hence also after F has passed through 0.
@claim.state(">= 0", assuming=(two_scores, comonotone))
def angle_rate(f: IdentityMapFlow, *, speed=1):
    """F^2 (D' F - D F') - W (F^2 + D^2): arctan(D/F) turns at a speed of at least W / F^2, for any signs of scores."""
    D, W, F = _spread(f.a), _spread(f.u), f.F
    return (_spread(f.scaled_da()) * F - D * f.scaled_dF()) - speed * W * (F * F + D * D)


def _times(start):
    """From (8/5) / W(0) > (pi/2) / W(0) down to where F >= |a| (1 - p^2 (W(0) t + K |a|^2 t^2)) > 0 still."""
    p, W, norm = len(start.a), _spread(start.u).item(), (start.a * start.a).sum().item()
    return halved(fmpq(8, 5) / W, lambda t: p * p * (W * t + start.K.item() * norm * t * t) <= 1)


# From early to late: the first time at which -F is seen positive decides.
@claim.limit("> 0", times=lambda start: _times(start)[::-1], trap=passed_zero(lambda f: f.F))
def total_reaches_zero(limit: Passed, start: IdentityMapFlow):
    """-F after its zero, which is passed by (8/5) / W(0) > (pi/2) / W(0) in the clock with dtau = F^2."""
    return -limit.value


@claim.experiment()
def figure_13_sum(steps):
    """Figure 13, logistic loss, f(x) = x: the largest, second and smallest weight (digits of a re-run)."""
    found = final_weights(IDENTITY.value, lambda a: 1.0, (2000, 100_000), steps)
    printed = {2000: ("2.29", "1.36", "-1.26"), 100_000: ("3.55", "2.09", "-2.04")}
    readings = []
    for step, s in found.items():
        ordered = sorted(s)
        for name, value, digits in zip(
            ("largest", "second", "smallest"), (*ordered[:-3:-1], ordered[0]), printed[step], strict=True
        ):
            readings.append(Reading(f"Sum, {step} steps: {name} weight", float(value), digits))
    return readings
