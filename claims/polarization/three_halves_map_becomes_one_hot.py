"""f(x) = x^{3/2}, normalised: the losers reach 0 at finite tau, and s is then exactly one-hot.

After appendix D (polarization S9), for x^k with k = 3/2, 1 < k < 2, on positive scores x_i = b_i^2. R^2 = sum_i b_i^4 is
conserved and R^{3/2} <= F <= p^{1/4} R^{3/2}; the last of ordered scores has db_{p-1}/dtau <= -(3/4) W / (p F) with
W = u_0 - u_{p-1}, which grows, so it reaches 0; the others go on as a model with fewer scores. (The certified crossing
is for p = 2 and k = 3/2, at times as in `normalised_relu_becomes_one_hot`.)
"""

from claims.polarization.normalised_relu_becomes_one_hot import grown, halved_times
from claims.polarization.setting.maps import positive_scores
from claims.polarization.setting.scores import comonotone, two_scores, two_scores_only
from claims.statement import Claim, Origin
from dynamics.limits.traps import Passed, passed_zero
from dynamics.training.score_maps import ThreeHalvesMapFlow

claim = Claim(
    __name__,
    where="appendix D, f(x) = x^k with 1 < k < 2",
    refs=("S9", "C-fx2"),
    statement="For f(x) = x^k with 1 < k < 2 losers reach 0 at finite tau and s is exactly one-hot.",
    origin=Origin.OURS,
    system=ThreeHalvesMapFlow,
    assumptions=(two_scores_only, positive_scores, comonotone),
)


@claim.identity(assuming=())
def norm_rate(f: ThreeHalvesMapFlow, *, power=3):
    """F^2 sum_i b_i^3 db_i/dtau = (F^2 / 4) dR^2/dtau."""
    return (f.a**power * f.scaled_da()).sum(axis=-1)


@claim.state(">= 0", assuming=(two_scores, positive_scores, comonotone))
def last_score_falls(f: ThreeHalvesMapFlow, *, speed=1):
    """-(4/3) p F^2 db_{p-1}/dtau - F W."""
    W = f.u[..., 0] - f.u[..., -1]
    return -4 * f.a.shape[-1] * f.scaled_da()[..., -1] / 3 - speed * f.F * W


@claim.state(">= 0", assuming=(two_scores, positive_scores))
def total_is_bounded(f: ThreeHalvesMapFlow, *, most=1):
    """p R^6 - F^4."""
    F, norm = f.F, (f.a * f.a * f.a * f.a).sum(axis=-1)
    return most * f.a.shape[-1] * norm * norm * norm - F * F * F * F


def _times(start):
    """Around the zero of b_1, in the clock with dtau = F^2: until then F falls, F >= R^{3/2}, and db_1 = -(3/4) b_0^3 W.

    D = b_0 - b_1 has D' = (3/4) F W and W' >= K F R D, and b_1 <= R^{1/2} - D, where R^{1/2} <= b_0 + b_1 at the start; b_1
    falls at most as (3/4) F W, and W' <= K F^2. Raises ValueError where b_1 or W is not positive.
    """
    first, last, F, K = start.a[0], start.a[-1], start.F.item(), start.K.item()
    W, square = start.u[0] - start.u[-1], 3 * K * (first**4 + last**4) ** 2 / 4
    if not (last > 0 and W > 0):
        raise ValueError("no last score is to die")
    return halved_times(
        4 * last / (3 * W * first**3),
        lambda t: 3 * first**3 * W * t * grown(square * t**2) >= 8 * last,
        lambda t: 3 * (F * W * t + K * F**3 * t**2 / 2) < 4 * last,
    )


@claim.limit("> 0", times=lambda start: _times(start)[::-1], trap=passed_zero(lambda f: f.a[-1]))
def last_score_reaches_zero(limit: Passed, start: ThreeHalvesMapFlow):
    """-b_{p-1} after its zero."""
    return -limit.value
