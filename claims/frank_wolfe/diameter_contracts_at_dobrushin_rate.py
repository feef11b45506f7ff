"""The diameter contracts by 1 - gamma e^{-|beta| R D} a step, whatever the number of tokens.

Sharper than the rate behind Proposition `prop: origin` (frank_wolfe FW-13), by Dobrushin's coefficient. The
log ratio of rows i and k of the softmax is beta <x_i - x_k, .> up to a constant and ranges over at most |beta| D^2, so
the rows share at least 2 / (1 + e^{|beta| D^2 / 2}) of their mass: at least e^{-|beta| D^2 / 2}, and D <= 2 R. Two
tokens x, -x attain the first of these.
"""

from claims.assumptions import step_size_at_most_one
from claims.frank_wolfe.setting.softmax_steps import largest, opposite_tokens, squared_sides
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, numbers, sqrt
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="sharpens Proposition prop: origin",
    refs=("FW-13",),
    statement="diam(t+1) <= (1 - gamma e^{-|beta| R D}) diam(t), even with D^2/2 in place of R D.",
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(step_size_at_most_one,),
    draw=opposite_tokens,
)


@claim.step(">= 0")
def diameter_contracts(f: SoftmaxStep, *, cost=1):
    """(1 - gamma e^{-|beta| R D})^2 D^2 - |x_i^{t+1} - x_j^{t+1}|^2 for i < j."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    R_D = sqrt(largest(before) * largest(numbers((f.x * f.x).sum(axis=-1))))
    kept = 1 - f.gamma * exp(-cost * abs(f.beta) * R_D)
    return (kept**2 * largest(before))[..., None] - squared_sides(f.step().x)


@claim.step(">= 0")
def diameter_contracts_by_itself(f: SoftmaxStep, *, cost=1):
    """(1 - gamma e^{-|beta| D^2 / 2})^2 D^2 - |x_i^{t+1} - x_j^{t+1}|^2 for i < j."""
    before = squared_sides(f.x)
    if before.shape[-1] == 0:
        return before
    kept = 1 - f.gamma * exp(-cost * abs(f.beta) * largest(before) / 2)
    return (kept**2 * largest(before))[..., None] - squared_sides(f.step().x)
