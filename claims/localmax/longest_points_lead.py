"""With points for tokens, leaders also exist where tokens coincide: the largest A-norm attends only to its own point.

hardmax HM-5 under the reading of HM-8 in which C_i is a set of points. Then the tokens 1, 1, 1/2 have a
leader, 1. Only A symmetric positive definite is needed.
"""

from claims.localmax.setting.hypotheses import definite_matrix, hardmax, where
from claims.statement import Claim, Origin
from dynamics.arithmetic import at_most, peak
from dynamics.tokens.localmax import LocalmaxStep, coincident

claim = Claim(
    __name__,
    where="hardmax 2407.01602, leaders exist, with sets of points for sets of indices",
    refs=("HM-5", "HM-8"),
    statement="If A is symmetric positive definite, {z_j : j in C_i} = {z_i} for every token i of maximal |z_i|_A.",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(definite_matrix, hardmax),
)


@claim.step("> 0")
def longest_points_are_leaders(f: LocalmaxStep):
    """h(z_i) - <A z_i, z_j> for every token i of the largest A-norm and every other point z_j."""
    r = f.squared_norms()
    longest = at_most(peak(r), r)
    return where(longest[..., :, None] & ~coincident(f.z), f.gaps())
