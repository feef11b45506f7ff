"""With a positive diagonal V that is no multiple of the identity a token may leave the hull.

Remark after Lemma `lem:convHullDecreases` (frank_wolfe FW-3), there for V = diag(3/2, 7/3), P = diag(3/5, 7/10). Tokens
0, e_1 and e_2, whose scores send each of the last two to the other one: e_1 goes to (1 - p_1, p_2), e_2 to (p_1, 1 - p_2),
and one of the sums exceeds 1 by |p_1 - p_2|.
"""

from claims.frank_wolfe.setting.cells import diagonal_values, exchanged_corners, two_rates, unequal_diagonal_step
from claims.statement import Claim, Origin
from dynamics.geometry import hull_excess
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="remark after Lemma lem:convHullDecreases, section 2",
    refs=("FW-3",),
    statement="For diagonal V > 0 that is not h I the hull need not shrink: tokens 0, e_1, e_2, B e_1 = e_2.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(exchanged_corners, diagonal_values, two_rates),
    draw=unequal_diagonal_step,
)


@claim.step("> 0", exact_only=True)
def token_leaves_hull(f: HardmaxStep):
    """How far the farthest of the new tokens is cut off from the old hull by a hyperplane."""
    return -hull_excess(f.x, f.step().x).min(keepdims=True)
