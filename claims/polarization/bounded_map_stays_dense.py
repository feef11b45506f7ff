"""A normalised map with bounded ratio sup f / inf f never becomes one-hot: f = 1 + sigmoid.

Section 3 (polarization S9, C-mech): s_i < 2 / (p + 1) at every state, since 1 < f < 2. From a(0) = 0 and
u(0) = (1, 2/5, -3/10, -1/2) the weights tend to (1/3, 1/3, 1/6, 1/6), two scores to each end of f: decided for ever.
"""

from flint import fmpq

from claims.polarization.setting.maps import four_given_values
from claims.polarization.setting.scores import two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.limits.traps import Parted, bounded_map_trap
from dynamics.training.score_maps import OnePlusSigmoidFlow

claim = Claim(
    __name__,
    where="section 3.2, maps with mean-centering and bounded ratio",
    refs=("S9", "C-mech", "E20"),
    statement="f = 1 + sigmoid is mean-centered and not one-hot in the limit.",
    origin=Origin.OURS,
    system=OnePlusSigmoidFlow,
    assumptions=(zero_scores, four_given_values),
)


@claim.state("> 0", assuming=(two_scores,))
def weights_stay_dense(f: OnePlusSigmoidFlow, *, most=2):
    """2 F - (p + 1) f(a_i), which is (p + 1) F times 2 / (p + 1) - s_i."""
    return most * f.F[..., None] - (f.a.shape[-1] + 1) * f.values


@claim.limit("== 0", times=lambda start: (fmpq(160), fmpq(320), fmpq(640)), trap=bounded_map_trap)
def weights_tend_to_thirds_and_sixths(limit: Parted, start: OnePlusSigmoidFlow, *, share=1):
    """s_i at the limit minus (1/3, 1/3, 1/6, 1/6)."""
    return limit.weights - [share * fmpq(k, 6) for k in (2, 2, 1, 1)]
