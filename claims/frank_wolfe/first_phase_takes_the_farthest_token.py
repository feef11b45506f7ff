"""In T steps every free token comes within tau of its vertex, T counted for the farthest token, with high probability.

The correct form of Theorem 5.2 (frank_wolfe FW-14): with M = max |x_j^0 - v_sigma(j)| in place of the minimum and a
ceiling in place of the floor, T = ceil(log(tau/M) / log(1 - gamma)), C = 1 does. The chance of failure is at most
n (n - 1) T exp(-beta min(eta, c_0) delta / D), below beta^{-1/8} for large beta uniformly in the start, since delta >=
const beta^{-1/4} in the eroded cells and T is bounded. Neither acute angles nor equal norms are needed. That the path
ends there is seen on hardmax steps of the tokens, that it is likely by the chances of its picks.
"""

from claims.frank_wolfe.hardmax_path_is_likely import chance_to_leave, log_bound
from claims.frank_wolfe.setting.first_phase import (
    free_tokens_in_polytope,
    hardmax_run,
    near_radius_squared,
    squared_distances_from_vertices,
    squared_reaches,
    steps_of_the_farthest,
    steps_of_the_nearest,
    token_at_each_vertex,
    tokens_in_cells,
    tokens_in_own_cells,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import log
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.2 (lem: first.phase), corrected",
    refs=("FW-14", "FW-16"),
    statement="Within T = ceil(log(tau/M)/log(1-gamma)) steps x_i is in B(v_sigma(i), tau), with high probability.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(free_tokens_in_polytope, token_at_each_vertex, tokens_in_own_cells),
    draw=tokens_in_cells,
    equivalent={
        "path_is_likely: >= 0 => > 0": (
            "A softmax weight a_ij is below e^{-gap}, as its denominator is above the largest term: the bound is not "
            "attained."
        ),
    },
)


@claim.step(">= 0", exact_only=True)
def path_ends_near_vertices(f: AttentionChain, *, fewer=0):
    """tau^2 - |x_i^T - v_sigma(i)|^2 for all tokens after T hardmax steps."""
    tau_squared = near_radius_squared(f, max(squared_reaches(f)))
    return tau_squared - squared_distances_from_vertices(hardmax_run(f, steps_of_the_farthest(f) - fewer))


@claim.step(">= 0", exact_only=True)
def path_is_likely(f: AttentionChain, *, cost=1):
    """The log of n (n - 1) T exp(-beta min(eta, c_0) delta / D) minus that of the chance to leave the path."""
    steps = steps_of_the_farthest(f)
    return log_bound(f, steps, cost) - log(chance_to_leave(f, steps))


@claim.step(">= 0", exact_only=True)
def nearest_clock_leaves_the_ratio(f: AttentionChain, *, loss=1):
    """(M/m)^2 (tau / (1 - gamma))^2 - |x_i^{T_1} - v_sigma(i)|^2 after T_1 hardmax steps; T_1, tau and m of Theorem 5.2."""
    reaches = squared_reaches(f)
    nearest, kept = min(reaches), (1 - f.gamma.item()) ** 2
    bound = max(reaches) / nearest * near_radius_squared(f, nearest) / kept**loss
    return bound - squared_distances_from_vertices(hardmax_run(f, steps_of_the_nearest(f)))
