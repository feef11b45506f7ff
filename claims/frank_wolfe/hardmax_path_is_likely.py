"""With high probability every token picks its own vertex at each of T steps.

The mechanism of Theorem 5.2 (frank_wolfe FW-14). By `own_vertex_wins_along_the_path` a token
that has picked its vertex so far fails to with chance at most (n - 1) exp(-beta min(eta, c_0) delta / D), delta the
least distance of a token from another's vertex, or from its own before the last step: at least
min((1 - gamma)^{T-1} m, c_0 / D). Otherwise the tokens at the vertices have not moved at all. The bound needs no joint
law of the picks, the exact chance beside it takes them independent.
"""

from claims.frank_wolfe.setting.first_phase import (
    MOST_STEPS,
    NoTimeError,
    free_tokens_in_polytope,
    hardmax_path,
    smallest_margin,
    squared_reaches,
    token_at_each_vertex,
    tokens_in_cells,
    tokens_in_own_cells,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import log, numbers, sqrt
from dynamics.geometry import diameter_squared
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="proof of Theorem 5.2 (lem: first.phase), reconstructed",
    refs=("FW-14", "FW-16"),
    statement="P(some token leaves the hardmax path within T steps) <= n (n-1) T exp(-beta min(eta, c_0) delta / D).",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(free_tokens_in_polytope, token_at_each_vertex, tokens_in_own_cells),
    draw=tokens_in_cells,
)


def chance_to_leave(f, steps):
    """The chance that not all picks of so many steps are the tokens' vertices: a sum of positive terms.

    Raises NoTimeError for more than MOST_STEPS steps.
    """
    if steps > MOST_STEPS:
        raise NoTimeError(f"{steps} steps are more than {MOST_STEPS}, which are followed")
    left, followed = numbers(0 * f.beta), 1
    for t in range(steps):
        path = hardmax_path(f, t)
        weights = path.attention()
        others = (path.x[None] != f.v[f.group][:, None]).any(axis=-1)
        for row, mask in zip(weights, others, strict=True):
            stray = row[mask].sum()
            left, followed = left + followed * stray, followed * row[~mask].sum()
    return left


def log_bound(f, steps, cost):
    """log(n (n - 1) T) - beta min(eta, c_0) delta / D."""
    D_squared, n = diameter_squared(f.v), len(f.x)
    last = (1 - f.gamma.item()) ** (2 * (steps - 1)) * min(squared_reaches(f))
    delta_by_D = sqrt(numbers(min(last / D_squared, (f.c_0 / D_squared) ** 2)))
    return log(numbers(0 * f.beta + n * (n - 1) * steps)) - cost * f.beta * smallest_margin(f) * delta_by_D


@claim.step(">= 0", exact_only=True)
def path_is_likely(f: AttentionChain, *, cost=1):
    """log(n (n - 1) T) - beta min(eta, c_0) delta / D minus the log of the chance to leave the path within T steps."""
    steps = int(f.steps.item())
    return log_bound(f, steps, cost) - log(chance_to_leave(f, steps))
