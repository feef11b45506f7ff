"""Free tokens come near their vertices with probability 1 - beta^{-1/8} from anywhere in the cells: false near the walls.

Theorem 5.2 (frank_wolfe FW-14) without its eroded cells, for tokens inside K and in one cell, with the farthest token's
number of steps. The abstract names no cells either ("with high probability, interior tokens reach near-vertex
configurations in a constant number of steps", FW-16). Where <x, x> is almost the largest score, within 1/beta of 0 or of
the foot of 0 on an edge between two cells (for equal norms its middle), a token picks itself with a chance that does not
fall with beta.
"""

from claims.frank_wolfe.setting.first_phase import (
    free_tokens_anywhere,
    free_tokens_inside_polytope,
    low_temperature,
    near_radius_squared,
    squared_reaches,
    steps_of_the_farthest,
    token_at_each_vertex,
    tokens_in_own_cells,
)
from claims.frank_wolfe.setting.tubes import acute_vertices, equal_norms, own_cells
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp, log, numbers
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.pick_sequences import law_after

claim = Claim(
    __name__,
    where="Theorem 5.2 (lem: first.phase) without the eroded cells",
    refs=("FW-16", "FW-14"),
    note=(
        "With v = 1 and -1, beta = 52 and gamma = 1/2 a free token at 2^{-52} weighs all three tokens almost "
        "alike, and the chance is 1/3 where 1 - 52^{-1/8} = 0.39 is promised. For tokens that keep away from the "
        "walls of their cells the steps of the farthest one suffice."
    ),
    statement="P(all tokens within tau or beta^{-1/4} of vertices after T steps) >= 1 - beta^{-1/8}, from all cells.",
    origin=Origin.CARRIED_OVER,
    system=AttentionChain,
    assumptions=(
        acute_vertices,
        equal_norms,
        own_cells,
        token_at_each_vertex,
        free_tokens_inside_polytope,
        tokens_in_own_cells,
        low_temperature,
    ),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.first_phase_takes_the_farthest_token",
    draw=free_tokens_anywhere,
)


@claim.step(">= 0", exact_only=True)
def tokens_are_near_vertices(f: AttentionChain, *, root=8):
    """P(every token is within tau or beta^{-1/4} of a vertex after T steps) - 1 + beta^{-1/8}, enumerated."""
    near = near_radius_squared(f, max(squared_reaches(f)))

    def clustered(x):
        squares = ((x[:, None] - f.v[None]) ** 2).sum(axis=-1)
        return ((squares <= near) | (squares**2 * f.beta.item() <= 1)).any(axis=-1).all()

    chance = law_after(f, steps_of_the_farthest(f), exp(numbers(f.beta * 0 - 100)).item(), 2000).chance(clustered)
    return numbers(chance - 1 + exp(-log(f.beta) / root).item())
