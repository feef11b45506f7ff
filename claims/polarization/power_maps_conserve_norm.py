"""Under a normalised map sum_i H(a_i) is conserved, H an antiderivative of f/f': |a|^2 for every power x^k.

After Lemma D.1(b) (polarization C-D1b, S9): the conserved sum of the scores is a property of the softmax, where f/f' = 1.
For f(x) = x^k, f/f' = x/k. The reason is <f(a), u - m> = 0.
"""

from claims.polarization.setting.maps import positive_map, power_map
from claims.statement import Claim, Origin
from dynamics.training.score_maps import AnyMapFlow

claim = Claim(
    __name__,
    where="Lemma D.1(b), for other maps",
    refs=("C-D1b", "S9"),
    statement="sum_i a_i(t) = sum_i a_i(0) for the softmax; |a(t)|^2 = |a(0)|^2 for f(x) = x^k.",
    origin=Origin.OURS,
    system=AnyMapFlow,
    assumptions=(power_map,),
)


@claim.identity()
def norm_rate(f: AnyMapFlow, *, power=1):
    """<a, da/dtau>."""
    return (f.a**power * f.da_dtau()).sum(axis=-1)


@claim.identity(assuming=(positive_map,))
def total_rate(f: AnyMapFlow, *, power=1):
    """sum_i (f/f')(a_i) da_i/dtau, for any map."""
    return ((f.values / f.slopes) ** power * f.da_dtau()).sum(axis=-1)
