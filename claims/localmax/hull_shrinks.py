"""A localmax step moves no token out of the convex hull of the tokens.

localmax LM-2 (the abstract's hull monotonicity; the definition of the step is reconstructed) and hardmax HM-1: for any
A, any sensitivity delta >= 0 and gamma in [0, 1], each new token is a convex combination of old ones.
"""

from claims.assumptions import step_size_at_most_one
from claims.localmax.setting.starts import any_or_full_step
from claims.statement import Claim, Origin
from dynamics.geometry import hull_excess, support_contraction
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract (definition M-D1 reconstructed); hardmax 2407.01602, hull monotonicity (recalled)",
    refs=("LM-2", "HM-1"),
    statement="conv{z_i^{k+1}} is contained in conv{z_i^k} for every A, every delta_k >= 0 and gamma in [0,1].",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(step_size_at_most_one,),
    draw=any_or_full_step,
    equivalent={
        "new_tokens_stay_in_hull: reach = 1 => 19/20": (
            "Between the token and its new place, both in the hull, which is convex."
        ),
        "new_tokens_stay_in_hull: reach = 1 => 999/1000": (
            "Between the token and its new place, both in the hull, which is convex."
        ),
    },
)


@claim.step(">= 0", exact_only=True)
def new_tokens_stay_in_hull(f: LocalmaxStep, *, reach=1):
    """Minus how far z_i' is from the hull by a plane that cuts it off, 0 inside: a linear program, certified."""
    return hull_excess(f.z, f.z + reach * (f.step().z - f.z))


@claim.step(">= 0")
def supports_contract(f: LocalmaxStep, *, keep=1):
    """(h - <l, z_i^{k+1}>) - (1 - gamma) (h - <l, z_i^k>) for h = max_j <l, z_j^k> and probing directions l."""
    return support_contraction(f.z, f.step().z, keep - f.gamma)
