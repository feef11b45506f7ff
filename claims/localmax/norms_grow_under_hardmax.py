"""Under hardmax the squared A-norm of a token grows by 2 gamma e_i + gamma^2 |c_i - z_i|_A^2.

Every average c_i of maximisers has <A z_i, c_i> = h(z_i), the largest score. So the squared lengths of all steps have a
sum of at most the largest squared norm at the start (HM-3). A must be symmetric: under 3/5 of the identity plus a turn,
four tokens in cyclic pursuit all lose norm.
"""

from claims.localmax.setting.configurations import crowd_or_any
from claims.localmax.setting.hypotheses import definite_matrix, hardmax, neighbours_by_score, symmetric_matrix
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import peak
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, norms grow (recalled, the identity is ours)",
    refs=("HM-3",),
    statement=(
        "r_i' - r_i = 2 gamma e_i + gamma^2 |c_i - z_i|_A^2 for r_i = |z_i|_A^2, e_i = h(z_i) - r_i: r_i never falls."
    ),
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(definite_matrix, hardmax, neighbours_by_score, step_size_at_most_one),
    draw=crowd_or_any,
)


def squared_moves(f: LocalmaxStep):
    """gamma^2 |c_i - z_i|_A^2, shape (..., n)."""
    return f.replace(z=f.step().z - f.z).squared_norms()


# Symmetry is needed for <A z_i, c_i> = <A c_i, z_i>; definiteness is not.
@claim.identity(assuming=(symmetric_matrix, hardmax, neighbours_by_score))
def norm_gain(f: LocalmaxStep, *, factor=2):
    """r_i' - r_i - 2 gamma (h(z_i) - r_i) - gamma^2 |c_i - z_i|_A^2."""
    r, h = f.squared_norms(), peak(f.scores())[..., 0]
    return f.step().squared_norms() - r - factor * f.gamma[..., None] * (h - r) - squared_moves(f)


@claim.step(">= 0")
def norms_grow_by_the_move(f: LocalmaxStep, *, share=1):
    """r_i' - r_i - |z_i' - z_i|_A^2: no norm falls, and none stays unless its token does."""
    return f.step().squared_norms() - f.squared_norms() - share * squared_moves(f)


# Six steps, each move within what the norm gains: the sum telescopes.
@claim.orbit(">= 0")
def moves_are_square_summable(f: LocalmaxStep, *, most=1):
    """max_j r_j^0 - sum_k |z_i^{k+1} - z_i^k|_A^2 over six steps."""
    return most * peak(f.squared_norms()) - sum(squared_moves(now) for now in orbit(f, 5))
