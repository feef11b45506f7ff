"""A hardmax step that moves a token is followed by another that does: no fixed point is reached in finite time.

hardmax HM-9 (not printed; the localmax abstract's "no finite-time convergence" at delta = 0). Of the tokens that move, the
longest attends only to copies of itself and tokens at rest; at a fixed point its old and its new target would have to
agree. Under A = -1 the tokens 1, -1 meet at 0 and stop.
"""

from claims.localmax.setting.configurations import about_to_rest
from claims.localmax.setting.hypotheses import definite_matrix, hardmax, open_step_size, where
from claims.statement import Claim, Origin
from dynamics.arithmetic import at_most, numbers
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="2509.15958, abstract, no finite-time convergence, for hardmax",
    refs=("HM-9", "LM-14"),
    statement="If A is symmetric positive definite, 0 < gamma < 1 and z^{k+1} is a fixed point, then z^k already is.",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(definite_matrix, hardmax, open_step_size),
    draw=about_to_rest,
)


def moved(f: LocalmaxStep):
    """sum_i |z_i' - z_i|_1, shape (...)."""
    return numbers(abs(f.step().z - f.z).sum(axis=(-2, -1)))


@claim.step("> 0")
def next_step_moves_too(f: LocalmaxStep):
    """sum_i |z_i'' - z_i'|_1 where the first step moves a token."""
    now = moved(f)
    return where(~at_most(now, 0 * now), moved(f.step()))
