"""If averages are taken over distinct points, another copy of a token changes the step of no other token.

The reading of C_i as a set of points (hardmax HM-8, not printed), under which multiplicities play no role.
"""

from claims.localmax.copies_change_nothing import others_step_the_same
from claims.localmax.setting.hypotheses import averages_over_points
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("SYM-5", "HM-8"),
    statement="If c_i is the mean over distinct points and z_{n+1} = z_1 is added, z_1', ..., z_n' stay what they are.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(averages_over_points,),
    equivalent={
        "others_step_the_same: f.z[..., :1, :] => f.z[..., 1:2, :]": (
            "A copy of the second token: the same statement of another token."
        ),
    },
)

claim.identity()(others_step_the_same)
