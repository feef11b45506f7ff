"""With high probability interior tokens come near a vertex within a constant number of steps: false near the walls.

Abstract of both versions (frank_wolfe FW-16), without the eroded cells of Theorem 5.2, and with the number of steps that
it takes tokens inside the cells. Where <x, x> is the largest score, at 0 or at the foot of 0 on an edge between two cells
(for equal norms its middle), and within 1/beta of there, a token picks itself with a chance that does not fall with beta.
On the rest of a wall it picks one of the two vertices.
"""

from claims.assumptions import acute_vertices, equal_norms, own_cells
from claims.frank_wolfe.finite_temperature import (
    free_tokens_anywhere,
    free_tokens_in_polytope,
    near_radius_squared,
    squared_reaches,
    steps_of_the_farthest,
    token_at_each_vertex,
)
from claims.statement import FRANK_WOLFE, Claim, Standing
from dynamics.arithmetic import exp, log, numbers
from dynamics.attention_chain import AttentionChain
from dynamics.pick_sequences import law_after

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract",
    refs=("FW-16", "FW-14"),
    statement="With high probability, interior tokens reach near-vertex configurations in a constant number of steps.",
    system=AttentionChain,
    assumptions=(acute_vertices, equal_norms, own_cells, token_at_each_vertex, free_tokens_in_polytope),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.first_phase_takes_the_farthest_token",
    draw=free_tokens_anywhere,
)


@claim.step(">= 0", exact_only=True)
def tokens_are_near_vertices(f: AttentionChain, *, root=8):
    """P(every token is within tau of some vertex after T steps) - 1 + beta^{-1/8}, enumerated."""
    near = near_radius_squared(f, max(squared_reaches(f)))

    def clustered(x):
        squares = ((x[:, None] - f.v[None]) ** 2).sum(axis=-1)
        return (squares <= near).any(axis=-1).all()

    chance = law_after(f, steps_of_the_farthest(f), exp(numbers(f.beta * 0 - 100)).item(), 2000).chance(clustered)
    return numbers(chance - 1 + exp(-log(f.beta) / root).item())
