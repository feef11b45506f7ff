"""A step of gradient descent keeps u and a in order if rate (u_0 - u_{p-1}) <= 4.

What is true of Theorem 3.2(a) in discrete time (polarization H9, O9). With c = rate gamma and b = a_i - a_j >= 0 the new
gap is b + c (s_i - s_j) (u_i - m) + c s_j (u_i - u_j); s_i - s_j <= s_i b and s_i (m - u_i) <= (u_0 - u_{p-1}) / 4, so
the middle term is at least -b. The gaps of u grow by rate gamma K (s_i - s_j), whatever the rate.
"""

from claims.polarization.setting.scores import comonotone, small_descent_step, two_scores
from claims.statement import Claim, Origin
from dynamics.training.gradient_descent import LogisticDescent

claim = Claim(
    __name__,
    where="section 3.1, for gradient descent in small steps",
    refs=("H9",),
    statement=(
        "If u and a are ordered alike and rate (u_0 - u_{p-1}) <= 4, they still are after a step of gradient descent."
    ),
    origin=Origin.OURS,
    system=LogisticDescent,
    assumptions=(two_scores, comonotone, small_descent_step),
)


def _gaps(values):
    return values[..., :-1] - values[..., 1:]


@claim.step("> 0")
def scores_stay_ordered(f: LogisticDescent):
    """a_i - a_{i+1} after the step."""
    return _gaps(f.step().a)


@claim.step("> 0")
def values_stay_ordered(f: LogisticDescent):
    """u_i - u_{i+1} after the step."""
    return _gaps(f.step().u)
