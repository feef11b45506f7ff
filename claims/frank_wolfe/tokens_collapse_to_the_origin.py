"""At finite beta the tokens collapse to the origin: false.

Abstract of version 1 (frank_wolfe FW-13, FW-16). The hull shrinks, so the limit is 0 only if 0 is in every K^t. Tokens 1
and 2 never see the origin, so that 0 in K^0 is assumed here; the hull leaves it all the same: a token next to the origin
has almost equal scores and moves to the mean. The limit is some point of the initial hull.
"""

from claims.assumptions import step_size_at_most_one
from claims.frank_wolfe.setting.softmax_steps import largest, nonnegative_beta, origin_in_hull
from claims.statement import FRANK_WOLFE, Claim, Origin, Standing
from dynamics.geometry import probing_directions
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract of version 1",
    refs=("FW-13", "FW-16"),
    note=(
        "From tokens 0 and 1 with beta = 1 and gamma = 1/2 the token 0 weighs both alike and moves to 1/4: the "
        "hull has left the origin, and hulls only shrink. For small gamma all tokens tend to one point of the "
        "initial hull, which need not be the origin."
    ),
    statement="... before ultimately collapsing to the origin.",
    origin=Origin.PRINTED,
    system=SoftmaxStep,
    assumptions=(nonnegative_beta, step_size_at_most_one, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.tokens_collapse_to_a_point",
)


@claim.state(">= 0")
def origin_stays_in_hull(f: SoftmaxStep):
    """max_j <l, x_j^1> for probing directions l: nonnegative while the limit can be 0."""
    return largest(probing_directions(f.x) @ f.step().x.swapaxes(-1, -2))
