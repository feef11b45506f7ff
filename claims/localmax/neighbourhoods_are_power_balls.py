"""Token j is attended to by token i exactly if |z_i - z_j|_A^2 - (r_j - r_i) <= 2 (delta - e_i).

localmax LM-5, last sentence: a Hegselmann-Krause rule whose radius depends on the token, with a bonus for
larger norm, from which all asymmetry comes. It is the identity 2 gap_i(z_j) = |z_i - z_j|_A^2 - (r_j - r_i) + 2 e_i.
"""

from claims.localmax.norm_gain_pays_for_the_gaps import self_gaps
from claims.localmax.setting.hypotheses import additive_rule, symmetric_matrix
from claims.statement import Claim, Origin
from dynamics.arithmetic import at_most
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-5", "OQ-9"),
    statement="j in C_i iff |z_i - z_j|_A^2 - (r_j - r_i) <= 2 (delta - e_i), for A symmetric.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(symmetric_matrix, additive_rule),
)


def power(f: LocalmaxStep):
    """|z_i - z_j|_A^2 - (r_j - r_i), shape (..., n, n)."""
    r = f.squared_norms()
    apart = f.replace(z=f.z[..., :, None, :] - f.z[..., None, :, :], A=f.A[..., None, :, :]).squared_norms()
    return apart - (r[..., None, :] - r[..., :, None])


@claim.identity(assuming=(symmetric_matrix,))
def twice_the_gap(f: LocalmaxStep, *, bonus=2):
    """2 gap_i(z_j) - (|z_i - z_j|_A^2 - (r_j - r_i)) - 2 e_i."""
    return 2 * f.gaps() - power(f) - bonus * self_gaps(f)[..., :, None]


@claim.identity()
def neighbours_are_in_the_ball(f: LocalmaxStep, *, radius=2):
    """1 for every neighbour minus 1 for every token in the power ball."""
    ball = at_most(power(f), radius * (f.delta[..., None] - self_gaps(f))[..., :, None])
    return (0 * f.scores() + 1) * (f.neighbours().astype(int) - ball.astype(int))
