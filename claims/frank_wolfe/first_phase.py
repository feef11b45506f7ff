"""With high probability tokens reach their vertices along the hardmax path, in the time of the farthest one.

Theorem 5.2: one token at each vertex v_i, the free tokens in eroded cells, eta >= beta^{-1/8} and a ball of radius
beta^{-1/4}; m = min_j |x_j^0 - v_sigma(j)|, T_1 = floor(log(tau/m) / log(1 - gamma)). For beta >= beta_* all x_i^{T_1} are
within C tau of v_sigma(i), C universal, with probability at least 1 - beta^{-1/8}. It is false: T_1 is the time of the
*nearest* free token. With M = max_j |x_j^0 - v_sigma(j)| for m and a ceiling for the floor it holds, with C = 1.

`first_phase_takes_the_nearest_token`: With probability 1 - O(e^{-c beta^{5/8}}) all tokens move straight to their vertices,
and one at distance M is then at (1 - gamma)^{T_1} M, about (M/m) tau: no C is large enough, universal or dependent on K and
gamma. With a single free token the floor loses one step, a factor up to 1/(1 - gamma), in a thin acute triangle. Every
larger beta fails alike, so beta_* does not help. Hypothesis (i) is read as acute angles: literally, arccos <x - v_i, y -
v_i>, no K satisfies it.

`own_vertex_wins_along_the_path`: A step of the proof, reconstructed. x_i stays on the segment to v_sigma, where <v_sigma -
v_j, .> is at least min(eta, c_0); z is a mixture of the vertices with weight at least |z - v_sigma| / D on the others.
Neither acute angles nor equal norms are used.

`interior_tokens_reach_vertices_in_constant_time`: Theorem 5.2 without its eroded cells, for tokens inside K and in one
cell, in the farthest token's number of steps. The abstract names no cells either ("with high probability, interior tokens
reach near-vertex configurations in a constant number of steps"). Where <x, x> is almost the largest score, within 1/beta of
0 or of the foot of 0 on an edge between two cells, a token picks itself with a chance that does not fall with beta.

`acute_sets_are_small`: What hypothesis (i) allows. By Danzer and Gruenbaum fewer than 2^d points of R^d, d >= 2, have only
acute angles: in the plane acute triangles and segments, but no quadrangle, pentagon or heptagon.

`hardmax_path_is_likely`: The mechanism. By `own_vertex_wins_along_the_path` a token that has always picked its vertex picks
another token with chance at most (n - 1) exp(-beta min(eta, c_0) delta / D). Here delta is the least distance of a token
from another's vertex, or from its own before the last step: at least min((1 - gamma)^{T-1} m, c_0 / D). Until then the
tokens at the vertices have not moved at all. The bound needs no joint law of the picks; the exact chance beside it takes
them independent.

`first_phase_has_the_printed_probability`: The printed data and probability. A token of an eroded cell is at least
beta^{-1/4} from its vertex and has eta >= beta^{-1/8}, and T is bounded; so the condition on beta follows from beta >=
beta_*, beta_* depending on n, K and gamma only.

`first_phase_takes_margins_times_distances`: Sharp in eta and r, any numbers instead of beta^{-1/8} and beta^{-1/4}: eta the
least <v_sigma(i) - v_j, x_i>, r the least distance of a free token from its vertex. After t steps on the path, s = (1 -
gamma)^t, token i has margins (1 - s) c_0 + s eta, eta <= c_0, and a token z that is not at v_sigma(i) is at least min(s r,
c_0/D) away. So

    P(some token leaves the path within T steps) <= n (n-1) sum_{t<T} exp(-beta ((1-s) c_0 + s eta) min(s r, c_0/D) / D),

below beta^{-1/8} for large beta as soon as eta r and r are at least C log beta / beta. On a segment the exponent of the
first step is attained: a token of margin eta picks, instead of its vertex v, a token at distance r from v with odds of
exactly e^{-beta eta r/D}. With eta r <= C/beta the chance to leave the path does not fall with beta.

`first_phase_takes_the_farthest_token`: Theorem 5.2 corrected. The chance of failure is at most n (n - 1) T exp(-beta
min(eta, c_0) delta / D), below beta^{-1/8} for large beta uniformly in the start, since delta >= const beta^{-1/4} in the
eroded cells and T is bounded. Neither acute angles nor equal norms are needed. That the path ends near the vertices is
decided on hardmax steps, that it is likely by the chances of its picks.
"""

from itertools import combinations

import numpy as np

from claims.frank_wolfe.setting.first_phase import (
    MOST_STEPS,
    NoTimeError,
    free_tokens_anywhere,
    free_tokens_deep_in_cells,
    free_tokens_in_polytope,
    free_tokens_inside_polytope,
    hardmax_path,
    hardmax_run,
    low_temperature,
    margin_distances,
    near_radius_squared,
    on_a_segment,
    smallest_margin,
    squared_distances_from_vertices,
    squared_reaches,
    steps_of_the_farthest,
    steps_of_the_nearest,
    token_at_each_vertex,
    tokens_in_cells,
    tokens_in_cells_or_at_one_place,
    tokens_in_eroded_cells,
    tokens_in_own_cells,
)
from claims.frank_wolfe.setting.softmax_steps import largest, too_many_to_be_acute, two_to_the_d_tokens
from claims.frank_wolfe.setting.tubes import acute_vertices, equal_norms, own_cells
from claims.stating.defects import Consequence, Defect, Kind
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact, exp, log, numbers, sqrt
from dynamics.geometry import diameter_squared
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from dynamics.tokens.pick_sequences import law_after

# The hypotheses of the corrected theorem; beta is free, and equal norms and acute angles are not among them.
section = Section(
    __name__,
    refs=("FW-14",),
    system=AttentionChain,
    assumptions=(free_tokens_in_polytope, token_at_each_vertex, tokens_in_own_cells),
    draw=tokens_in_cells,
)

first_phase_takes_the_nearest_token = section.claim(
    where="Theorem 5.2 (lem: first.phase)",
    refs=("FW-14", "FW-16"),
    note=(
        "T_1 is the time of the nearest free token, when others are still on their way: for v = 1 and -1, free tokens at "
        "1/2 and 255/256, gamma = 1/2 and beta = 2^32 the chance is 0 instead of at least 15/16. The steps "
        "of the farthest token, T = ceil(log(tau/M)/log(1 - gamma)), suffice."
    ),
    statement="P(x_i^{T_1} in B(v_i, beta^{-1/4}), i <= kappa; in B(v_sigma(i), C tau), i > kappa) >= 1 - beta^{-1/8}.",
    origin=Origin.REPORTED,
    assumptions=(acute_vertices, equal_norms, own_cells, token_at_each_vertex, tokens_in_eroded_cells),
    corrected_by="frank_wolfe.first_phase_takes_the_farthest_token",
    draw=free_tokens_deep_in_cells,
    defect=Defect(
        Kind.THEOREM,
        quotation=(
            r"There are a universal $C > 1$ and a $\beta_*$, which depends on $n$, $K$ and $\gamma$, such that for "
            r"$\beta \ge \beta_*$: $P\big(x_i^{T_1} \in B(v_i, \beta^{-1/4}), i \le \kappa$; $x_i^{T_1} \in "
            r"B(v_{\sigma(i)}, C \tau), i > \kappa\big) \ge 1 - \beta^{-1/8}$."
        ),
        context=(
            r"$m = \min_{j > \kappa} |x_j^0 - v_{\sigma(j)}|$, $\tau = \min\{\min_{i \neq j} \frac{c_0}{2 |v_i - "
            r"v_j|}, \frac{\sqrt{2 c_0}}{2}, (1 - \gamma) m\}$, $T_1 = \lfloor \log(\tau / m) / \log(1 - \gamma) "
            r"\rfloor$; the first $\kappa$ tokens are the vertices, $\langle v_i, v_i \rangle \ge \langle v_i, "
            r"v_l \rangle + c_0$; each token moves by $x \to (1 - \gamma) x + \gamma y$, $y$ "
            r"one of the tokens. Free tokens start in $K$ where, with a ball of radius $\beta^{-1/4}$, "
            r"$\langle v_{\sigma(i)} - v_j, x \rangle \ge \beta^{-1/8}$ for all $j \neq \sigma(i)$."
        ),
        wrong=(
            r"$T_1$ is the time of the free token that starts nearest to its vertex; a farther one is still on its way, "
            r"whatever it picks."
        ),
        correction=(
            r"With $M = \max_{j > \kappa} |x_j^0 - v_{\sigma(j)}|$ in the place of $m$, also in $\tau$, the steps $T = "
            r"\lceil \log(\tau / M) / \log(1 - \gamma) \rceil$ suffice, even for $C = 1$. With $\lfloor \cdot \rfloor$ "
            r"a factor of $C = 1 / (1 - \gamma)$ is needed, which is not universal."
        ),
        consequences=(
            Consequence(
                "abstract, near-vertex configurations in a constant number of steps", why="With the farthest token's time."
            ),
        ),
    ),
)


# Branches below e^-100 are cut: their mass is known, and far below beta^{-1/8}.
# C = 100 stands for "universal": the same starts, with 1/C in place of their small distance, refute every other C.
@first_phase_takes_the_nearest_token.step(">= 0", exact_only=True)
def tokens_are_near_vertices(f: AttentionChain, *, C=100):
    """P(x_i^{T_1} in B(v_i, beta^{-1/4}), i <= kappa; in B(v_sigma(i), C tau), i > kappa) - 1 + beta^{-1/8}, enumerated."""
    kappa = len(f.v)
    near = C**2 * near_radius_squared(f, min(squared_reaches(f)))

    def clustered(x):
        squares = ((x - f.v[f.group]) ** 2).sum(axis=-1)
        return (squares[:kappa] ** 2 * f.beta.item() <= 1).all() and (squares[kappa:] <= near).all()

    chance = law_after(f, steps_of_the_nearest(f), exp(numbers(f.beta * 0 - 100)).item(), 2000).chance(clustered)
    return numbers(chance - 1 + exp(-log(f.beta) / 8).item())


@first_phase_takes_the_nearest_token.by_hand(
    by_argument=True,
    v=[[1], [-1]],
    x=[[1], [-1], ["1/2"], ["255/256"]],
    group=[0, 1, 0, 0],
    beta=256**4,
    gamma="1/2",
    eps=1,
    beside="The certificate is the case $N = 256$, for $C = 100$.",
)
def one_step_is_too_few(_: object):
    """No pick brings the farther token near enough."""
    yield (
        r"Take $d = 1$, $v = \pm 1$, so $c_0 = 2$, $n = 4$, $\gamma = \tfrac12$, an integer $N \ge 4$, $\beta \ge N^4$ "
        r"and free tokens at $\tfrac12$ and $1 - \tfrac1N$, both deep enough in the cell of $1$: $m = \tfrac1N$."
    )
    yield (
        r"$\tau = \min\{\tfrac12, 1, \tfrac{1}{2N}\} = \tfrac{1}{2N}$ and $T_1 = \lfloor \log(\tfrac12) / "
        r"\log(\tfrac12) \rfloor = 1$."
    )
    yield (
        r"All tokens are at most $1$, so whatever it picks, the token $\tfrac12$ is at most at $\tfrac12 \cdot "
        r"\tfrac12 + \tfrac12 = \tfrac34$ after one step: at least $\tfrac14$ away from $1$."
    )
    yield (
        r"$\tfrac14 > C \tau = \tfrac{C}{2N}$ for $N > 2C$: the probability is $0$, not $1 - \beta^{-1/8} > 0$. So "
        r"there is no such $C$, not even one that depends on $n$, $K$ and $\gamma$, which do not change with $N$."
    )


# No token at each vertex is asked: the gap is about one token and one competitor.
own_vertex_wins_along_the_path = section.claim(
    where="proof of Theorem 5.2 (lem: first.phase), reconstructed",
    statement="On the hardmax path <v_sigma(i) - z, x_i> >= min(eta, c_0) |z - v_sigma(i)| / D for every token z.",
    origin=Origin.REPORTED,
    assumptions=(free_tokens_in_polytope, tokens_in_own_cells),
)


# G |G| and not G: G >= 0 is part of the statement, and the square alone would hide its sign.
@own_vertex_wins_along_the_path.step(">= 0", exact_only=True)
def score_gap(f: AttentionChain, *, cost=1):
    """G |G| D^2 - min(eta, c_0)^2 |z - v_sigma(i)|^2 for G = <v_sigma(i) - z, x_i^t>, tokens i and z, t <= steps."""
    margin = cost * smallest_margin(f)
    slacks = []
    for t in range(int(f.steps.item()) + 1):
        x = hardmax_path(f, t).x
        away = f.v[f.group][:, None] - x[None]
        gap = (away * x[:, None]).sum(axis=-1)
        slacks.append(gap * abs(gap) * diameter_squared(f.v) - margin * abs(margin) * (away**2).sum(axis=-1))
    return numbers(np.stack(slacks))


interior_tokens_reach_vertices_in_constant_time = section.claim(
    where="Theorem 5.2 (lem: first.phase) without the eroded cells",
    refs=("FW-16", "FW-14"),
    note=(
        "For v = 1 and -1, beta = 52 and gamma = 1/2 a free token at 2^{-52} weighs all three tokens almost equally, and "
        "the chance is 1/3 instead of at least 1 - 52^{-1/8} = 0.39. For tokens away from the walls of their cells the "
        "steps of the farthest one suffice."
    ),
    statement="P(all tokens within tau or beta^{-1/4} of vertices after T steps) >= 1 - beta^{-1/8}, from all cells.",
    origin=Origin.CARRIED_OVER,
    assumptions=(
        acute_vertices,
        equal_norms,
        own_cells,
        token_at_each_vertex,
        free_tokens_inside_polytope,
        tokens_in_own_cells,
        low_temperature,
    ),
    corrected_by="frank_wolfe.first_phase_takes_the_farthest_token",
    draw=free_tokens_anywhere,
)


@interior_tokens_reach_vertices_in_constant_time.step(">= 0", exact_only=True, name="tokens_are_near_vertices")
def interior_tokens_are_near_vertices(f: AttentionChain, *, root=8):
    """P(every token is within tau or beta^{-1/4} of a vertex after T steps) - 1 + beta^{-1/8}, enumerated."""
    near = near_radius_squared(f, max(squared_reaches(f)))

    def clustered(x):
        squares = ((x[:, None] - f.v[None]) ** 2).sum(axis=-1)
        return ((squares <= near) | (squares**2 * f.beta.item() <= 1)).any(axis=-1).all()

    chance = law_after(f, steps_of_the_farthest(f), exp(numbers(f.beta * 0 - 100)).item(), 2000).chance(clustered)
    return numbers(chance - 1 + exp(-log(f.beta) / root).item())


acute_sets_are_small = section.claim(
    where="hypothesis (i) of Theorem 5.2 (eq: hypothesis.polytope)",
    statement="Of 2^d points of R^d, d >= 2, some three make an angle of at least pi/2.",
    system=SoftmaxStep,
    assumptions=(too_many_to_be_acute,),
    draw=two_to_the_d_tokens,
)


# An angle of at least pi/2 is a product <= 0: the largest of their negatives is what has to be >= 0.
@acute_sets_are_small.state(">= 0")
def widest_angle(f: SoftmaxStep):
    """The largest -<x_j - x_i, x_k - x_i> of three tokens."""
    products = []
    for i in range(f.x.shape[-2]):
        edges = f.x - f.x[..., i : i + 1, :]
        others = [j for j in range(f.x.shape[-2]) if j != i]
        products += [-(edges[..., j, :] * edges[..., k, :]).sum(axis=-1) for j, k in combinations(others, 2)]
    return largest(numbers(np.stack(products, axis=-1)))


hardmax_path_is_likely = section.claim(
    where="proof of Theorem 5.2 (lem: first.phase), reconstructed",
    refs=("FW-14", "FW-16"),
    statement="P(some token leaves the hardmax path within T steps) <= n (n-1) T exp(-beta min(eta, c_0) delta / D).",
)


# "Stays so long and then leaves", summed over the steps: 1 less the chance to stay would cancel.
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


# In logs, since e^{-beta ...} underflows in floats and its ball would hold 0.
def log_bound(f, steps, cost):
    """log(n (n - 1) T) - beta min(eta, c_0) delta / D."""
    D_squared, n = diameter_squared(f.v), len(f.x)
    last = (1 - f.gamma.item()) ** (2 * (steps - 1)) * min(squared_reaches(f))
    delta_by_D = sqrt(numbers(min(last / D_squared, (f.c_0 / D_squared) ** 2)))
    return log(numbers(0 * f.beta + n * (n - 1) * steps)) - cost * f.beta * smallest_margin(f) * delta_by_D


@hardmax_path_is_likely.step(">= 0", exact_only=True)
def path_is_likely(f: AttentionChain, *, cost=1):
    """log(n (n - 1) T) - beta min(eta, c_0) delta / D minus the log of the chance to leave the path within T steps."""
    steps = int(f.steps.item())
    return log_bound(f, steps, cost) - log(chance_to_leave(f, steps))


# No hypothesis on K beyond its cells; eta >= beta^{-1/8} and distances of beta^{-1/4} come with the eroded cells.
first_phase_has_the_printed_probability = section.claim(
    where="Theorem 5.2 (lem: first.phase), corrected",
    statement=(
        "For beta >= beta_* all tokens follow the hardmax path for T steps with probability at least 1 - beta^{-1/8}."
    ),
    assumptions=(token_at_each_vertex, tokens_in_eroded_cells, low_temperature),
    draw=free_tokens_deep_in_cells,
)


@first_phase_has_the_printed_probability.step(">= 0", exact_only=True)
def path_is_followed(f: AttentionChain, *, root=8):
    """log(beta^{-1/8}) minus the log of the chance to leave the path within T steps."""
    return -log(f.beta) / root - log(chance_to_leave(f, steps_of_the_farthest(f)))


first_phase_takes_margins_times_distances = section.claim(
    where="Theorem 5.2 (lem: first.phase), corrected",
    statement=(
        "P(leave the path in T steps) <= n (n-1) sum_t exp(-beta ((1-s) c_0 + s eta) min(s r, c_0/D)/D), s = (1-gamma)^t."
    ),
    draw=tokens_in_cells_or_at_one_place,
)


@first_phase_takes_margins_times_distances.state(">= 0", exact_only=True, name="path_is_likely")
def path_is_likely_by_margins(f: AttentionChain, *, cost=1):
    """The log of the bound minus that of the chance to leave the path within T = steps steps."""
    steps, n = int(f.steps.item()), len(f.x)
    D = sqrt(numbers(diameter_squared(f.v)))
    bound = sum(exp(-cost * f.beta * sqrt(numbers(square)) / D) for square in margin_distances(f, steps))
    return log(numbers(n * (n - 1) * bound)) - log(chance_to_leave(f, steps))


# On a segment one other vertex and one dimension: eta and r of one group decide, and the odds are exact.
@first_phase_takes_margins_times_distances.state(
    ">= 0", assuming=(free_tokens_in_polytope, token_at_each_vertex, tokens_in_own_cells, on_a_segment), exact_only=True
)
def segments_attain_it(f: AttentionChain, *, cost=1):
    """The log of the chance to leave the path in one step, plus beta eta r/D + log n, eta and r least at one vertex.

    Of tokens that are all at vertices nothing is said.
    """
    h = abs(f.v[0, 0])
    least = None
    for label in range(2):
        members = f.x[f.group == label][:, 0] * (1 if f.v[label, 0] > 0 else -1)
        free = [h - place for place in members if place != h]
        if free:
            # eta r / D: the margin of a token at distance s of the middle is 2 h s, and D = 2 h.
            product = min(members) * min(free)
            least = product if least is None else min(least, product)
    if least is None:
        return exact([])
    return log(chance_to_leave(f, 1)) + cost * f.beta * least + log(numbers(0 * f.beta + len(f.x)))


first_phase_takes_the_farthest_token = section.claim(
    where="Theorem 5.2 (lem: first.phase), corrected",
    refs=("FW-14", "FW-16"),
    statement="Within T = ceil(log(tau/M)/log(1-gamma)) steps x_i is in B(v_sigma(i), tau), with high probability.",
)


# Hardmax steps of the tokens themselves, not the formula of the path: that targets are the vertices is part of what is
# decided.
@first_phase_takes_the_farthest_token.step(">= 0", exact_only=True)
def path_ends_near_vertices(f: AttentionChain, *, fewer=0):
    """tau^2 - |x_i^T - v_sigma(i)|^2 for all tokens after T hardmax steps."""
    tau_squared = near_radius_squared(f, max(squared_reaches(f)))
    return tau_squared - squared_distances_from_vertices(hardmax_run(f, steps_of_the_farthest(f) - fewer))


@first_phase_takes_the_farthest_token.step(">= 0", exact_only=True, name="path_is_likely")
def path_is_likely_by_the_farthest_token(f: AttentionChain, *, cost=1):
    """The log of n (n - 1) T exp(-beta min(eta, c_0) delta / D) minus that of the chance to leave the path."""
    steps = steps_of_the_farthest(f)
    return log_bound(f, steps, cost) - log(chance_to_leave(f, steps))


# T_1 >= log(tau/m)/log(1 - gamma) - 1: after so many steps (1 - gamma)^T_1 <= tau/(m (1 - gamma)).
@first_phase_takes_the_farthest_token.step(">= 0", exact_only=True)
def nearest_clock_leaves_the_ratio(f: AttentionChain, *, loss=1):
    """(M/m)^2 (tau / (1 - gamma))^2 - |x_i^{T_1} - v_sigma(i)|^2 after T_1 hardmax steps; T_1, tau and m of Theorem 5.2."""
    reaches = squared_reaches(f)
    nearest, kept = min(reaches), (1 - f.gamma.item()) ** 2
    bound = max(reaches) / nearest * near_radius_squared(f, nearest) / kept**loss
    return bound - squared_distances_from_vertices(hardmax_run(f, steps_of_the_nearest(f)))
