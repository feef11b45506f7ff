"""At low temperature one hardmax step is near the softmax step, whatever the start: false next to the walls of cells.

The abstract of version 1 ends "Thus, the hardmax dynamics accurately approximate the finite-beta process over exponentially
long horizons" (frank_wolfe FW-16), and names no start. It cannot be meant uniformly: at a distance of order 1/beta from the
wall of two cells softmax goes to a point strictly between the vertices, hardmax to one of them. So whatever beta and
whatever accuracy below 1/2 in units of gamma D; here 1/8. Away from the walls the two agree up to e^{-beta g}.
"""

from claims.assumptions import step_size_at_most_one
from claims.frank_wolfe.setting.softmax_steps import (
    largest,
    low_temperature_in_diameters,
    single_leaders,
    squared_sides,
    tokens_near_a_wall,
)
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import numbers, transposed
from dynamics.attention import average_over, leaders
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="last sentence of the abstract, asked of every start",
    refs=("FW-16",),
    note=(
        "Of tokens 32 and 2^{-19} with beta = 1 and gamma = 1/2 the second weighs both almost alike and steps to "
        "about 8, under hardmax to about 16: it is next to the wall of two cells. Where the two best scores are g"
        " apart the steps differ by at most gamma D n e^{-beta g}."
    ),
    statement="If beta D^2 >= 1000, |softmax step - hardmax step| <= gamma D/8, from every start without ties.",
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(step_size_at_most_one, single_leaders, low_temperature_in_diameters),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.softmax_step_is_near_hardmax",
    draw=tokens_near_a_wall,
)


@claim.step(">= 0")
def steps_agree(f: SoftmaxStep, *, part=8):
    """(D/8)^2 - |softmax step - hardmax step|^2/gamma^2 for each token."""
    distance = f.attention() @ f.x - average_over(leaders(f.x @ transposed(f.x)), f.x)
    return largest(squared_sides(f.x))[..., None] / part**2 - numbers((distance * distance).sum(axis=-1))
