"""Under hardmax a token that attends only to itself stands still and attends only to itself ever after.

hardmax HM-6 (recalled). Any A: every token moves by the share gamma < 1 towards the hull, on which z_i alone has the
largest score with A z_i, so the margin over token j shrinks by no more than 1 - gamma. The same holds for a point that
attends only to its own point.
"""

from claims.localmax.setting.hypotheses import hardmax, step_size_below_one, where
from claims.statement import Claim, Origin
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep, coincident

claim = Claim(
    __name__,
    where="hardmax 2407.01602, once a leader always a leader (recalled)",
    refs=("HM-6",),
    statement="If C_i(z^k) = {i} then z_i is fixed for ever and C_i = {i} for ever.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(hardmax, step_size_below_one),
    equivalent={
        "leaders_hear_only_themselves_again: 1 - attended => 19/20 - attended": (
            "The number of other points is whole: both say that it is 0."
        ),
        "leaders_hear_only_themselves_again: 1 - attended => 999/1000 - attended": (
            "The number of other points is whole: both say that it is 0."
        ),
        "leaders_stand_still: orbit(f, 3)[-1] => orbit(f, 3)[-2]": "Two steps for three: a leader stands still in each.",
    },
)


def leading(f: LocalmaxStep):
    """Whether token i attends only to its own point, shape (..., n); distinct tokens: whether C_i = {i}."""
    return (coincident(f.z) | ~f.neighbours()).all(axis=-1)


def self_margins(f: LocalmaxStep):
    """<A z_i, z_i - z_j>, shape (..., n, n)."""
    return f.squared_norms()[..., :, None] - f.scores()


@claim.step("> 0")
def leaders_hear_only_themselves_again(f: LocalmaxStep):
    """1 minus the number of other points that a leader attends to after the step."""
    after = f.step()
    attended = ((after.neighbours() & ~coincident(after.z)) * (0 * f.scores() + 1)).sum(axis=-1)
    return where(leading(f), 1 - attended)


@claim.step("> 0")
def leaders_keep_a_margin(f: LocalmaxStep):
    """<A z_i', z_i' - z_j'> after the step, for every leader i and every token j that was elsewhere."""
    return where(leading(f)[..., None] & ~coincident(f.z), self_margins(f.step()))


@claim.orbit("== 0")
def leaders_stand_still(f: LocalmaxStep, *, share=1):
    """z_i^3 - z_i^0 for every leader i at the start."""
    return leading(f)[..., None] * (orbit(f, 3)[-1].z - share * f.z)
