"""Hardmax accurately approximates the finite-beta process, whatever the start: false already in one step.

Abstract of both versions, last sentence (frank_wolfe FW-16; no separate theorem), read for every configuration and with
the accuracy D beta^{-1/8}; any other that tends to 0 fails as well. At a distance of order 1/beta from the wall of two
cells softmax goes to a point strictly between the vertices, hardmax to one of them. Away from the walls the two agree up
to e^{-beta g}.
"""

from claims.assumptions import step_size_at_most_one
from claims.frank_wolfe.finite_temperature import largest, nonnegative_beta, squared_sides, tokens_near_a_wall
from claims.statement import FRANK_WOLFE, Claim, Standing
from dynamics.arithmetic import exp, log, numbers, transposed
from dynamics.attention import average_over, leaders
from dynamics.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract, last sentence",
    refs=("FW-16",),
    statement="Thus, the hardmax dynamics accurately approximate the finite-beta process over exponentially long horizons.",
    system=SoftmaxStep,
    assumptions=(nonnegative_beta, step_size_at_most_one),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.softmax_step_is_near_hardmax",
    draw=tokens_near_a_wall,
)


@claim.step(">= 0")
def steps_agree(f: SoftmaxStep, *, root=8):
    """D^2 beta^{-1/4} - |softmax step - hardmax step|^2 for each token."""
    distance = f.gamma[..., None, None] * (f.attention() @ f.x - average_over(leaders(f.x @ transposed(f.x)), f.x))
    modulus = exp(-2 * log(f.beta) / root) * largest(squared_sides(f.x))
    return modulus[..., None] - numbers((distance * distance).sum(axis=-1))
