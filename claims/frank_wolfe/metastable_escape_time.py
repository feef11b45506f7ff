"""Tokens near the vertices stay in their groups' tubes for times exponential in beta.

Theorem 5.4: for eps < eps_*, eps/gamma >= 2 D(K) and t > 1, P[T_2 >= t] >= 1 - exp((1 + eps/gamma)(log(gamma t/eps) + log
n) - beta c_0 eps/(2 gamma)). It is false: a pick moves a token by up to gamma D(K), so eps/(gamma D(K)) picks suffice to
leave, not eps/gamma. With k = eps/(gamma D(K)) a bound of the same form holds.

`escape_takes_exponentially_long`: The bound does not scale. Where D(K) > 2 it is violated from starts at or very near the
vertices, by a factor that grows like e^{c beta}: neither C, tau and eps_* nor beta_* help. Other units of length do not
help either: see the next two.

`escape_takes_exponentially_long_at_unit_diameter`: Lengths measured by D(K) = 1, so that eps/gamma is eps/(gamma D(K)). K =
[-1/2, 1/2] has c_0 = 1/2 and tau = 1/4, if in the first phase the free tokens were farther than that from their vertices;
so tokens at 1/4 and -1/4 are in B(v_i, C tau) for every C >= 1. A pick costs 1/8, less as the token moves, and moves it by
gamma/2. So s picks cost s/8 - 3 gamma s (s - 1)/16, less than the s/8 - gamma s (s - 1)/16 of the bound for the tube they
lead out of. Every larger beta fails alike, and every smaller gamma and eps. From the vertices themselves the bound holds
here: a smaller C tau would do.

`escape_takes_exponentially_long_at_unit_radius`: Lengths measured by |v_i| = 1, so that D(K) <= 2. K = [-1, 1] has D = 2
and c_0 = 2. From its ends a token leaves a tube of width eps, a little less than 2 gamma s, by s picks, whose costs 2 - 6
gamma l fall as it moves: together 2 s - 3 gamma s (s - 1), less than the 2 s - gamma s (s - 1) of the bound. Every larger
beta fails alike, and every smaller gamma, with eps as small as one likes.

`tubes_hold_for_exponential_times`: The remark after Theorem 5.4, and the abstract's "for times that grow exponentially in
the inverse temperature". No token leaves its tube before one of them picks outside its group, and by `group_jumps_are_rare`
a step of n tokens has such a pick with chance at most n^2 e^{-beta c_0/2}: P[T_2 < t] <= n^2 t e^{-beta c_0/2}. "Up to" is
read as up to a small multiple of e^{beta c_0/2}/n^2: at t = e^{beta c_0/2} itself neither this bound nor that of Theorem
5.4 says anything. A narrow tube implies c_0 > 0. With c_0 - 4 R r - r^2, r = rho + eps, instead of c_0/2
(`group_jumps_cost_the_gap`) the rate is sharp where one pick leads out of a thin tube.

`tubes_widen_by_other_groups_only`: The deterministic part of the proof: leaving a tube of width eps takes more than
eps/(gamma D(K)) steps with a pick outside the group.

`escape_takes_as_many_picks_as_diameters`: Theorem 5.4 with a whole number of picks and a sharp exponent. A group leaves its
tube only after M = ceil(eps/(gamma D(K))) steps in which one of its tokens picks outside it. While no token has left, such
a step has a chance of at most n^2 e^{-beta g}, g = c_0 - 4 R r - r^2, r = rho + eps. There are C(t - 1, M) <= (e t/M)^M
ways to choose these steps, so for all t > 1

    P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta g)).

Nothing else is assumed: at high temperatures the bound exceeds 1. In narrow tubes it also holds with c_0/2 for g. As many
picks do lead out where tokens stand at the ends of a segment and gamma is small.

`escape_takes_exponentially_long_in_diameters`: Theorem 5.4 corrected, with k = eps/(gamma D(K)). A group leaves its tube
only after more than k steps in which one of its tokens picks outside the group. Given the past, a step has such a pick with
chance at most n^2 e^{-beta c_0/2}; and t steps contain fewer than (e t/m)^m choices of m > k of them. So

    P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - beta c_0/2))

where the bracket is at most 0 (elsewhere the bound is vacuous). No joint law of the picks within a step is assumed. The
same holds with c_0 - 4 R r - r^2 for c_0/2, r = rho + eps, and tokens at the ends of a segment come as near to this as one
likes.
"""

import numpy as np

from claims.frank_wolfe.setting.lifetimes import chain_that_escapes_by_many_picks, picks_to_leave
from claims.frank_wolfe.setting.near_vertices import (
    chain_of_unit_diameter,
    chain_of_unit_radius,
    chain_that_escapes_by_few_picks,
    chain_that_escapes_by_one_pick,
    least_gap,
    thin_tube,
    tokens_within_tau,
    unit_diameter,
    unit_radius,
)
from claims.frank_wolfe.setting.polytopes import chain_near_vertices, chain_near_vertices_in_any_order
from claims.frank_wolfe.setting.tubes import (
    acute_vertices,
    equal_norms,
    narrow_tube,
    own_cells,
    small_step,
    tokens_in_polytope,
)
from claims.stating.defects import Consequence, Defect, Kind
from claims.stating.statement import Origin, Section, Tail
from dynamics.arithmetic import log, numbers, sqrt
from dynamics.geometry import diameter_squared, probing_directions
from dynamics.tokens.attention_chain import AttentionChain

section = Section(__name__, refs=("FW-15",), system=AttentionChain)

escape_takes_exponentially_long = section.claim(
    where="Theorem 5.4 (lem: metastab.1)",
    note=(
        "One pick moves a token by up to gamma D(K), not gamma: for v = 2 and -2, gamma = 1/32 and eps = 1/4 three picks "
        "of total cost 21.85 lead out, while the bound counts on c_0 eps/(2 gamma) = 32. With k = eps/(gamma D(K)) picks "
        "instead of eps/gamma a bound of this form holds."
    ),
    statement=(
        "P[T_2 >= t] >= 1 - exp((1 + eps/gamma) log(gamma t/eps) + (1 + eps/gamma) log n - beta c_0 eps/(2 gamma))."
    ),
    origin=Origin.REPORTED,
    assumptions=(acute_vertices, equal_norms, own_cells, tokens_in_polytope, tokens_within_tau, thin_tube, small_step),
    corrected_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
    draw=chain_near_vertices,
    defect=Defect(
        Kind.THEOREM,
        quotation=(
            r"There is $\varepsilon_* > 0$ such that for $\varepsilon < \varepsilon_*$ and $\varepsilon / \gamma \ge 2 "
            r"D(K)$, $t > 1$: $P[T_2 \ge t] \ge 1 - \exp\big((1 + \frac{\varepsilon}{\gamma}) \log \frac{\gamma "
            r"t}{\varepsilon} + (1 + \frac{\varepsilon}{\gamma}) \log n - \frac{\beta c_0 \varepsilon}{2 \gamma}\big)$."
        ),
        context=(
            r"Tokens start within $C \tau$ of vertices $v_i$ of equal norms with acute angles, $\langle v_i, v_i "
            r"\rangle \ge \langle v_i, v_l \rangle + c_0$; each moves by $x_i \to (1 - \gamma) x_i + \gamma x_J$, "
            r"$P(J = j) = a_{ij}$; $T_2$ is the first time at which a token is farther than $\varepsilon$ from "
            r"the convex hull of the starts of its group."
        ),
        wrong=(
            r"One pick moves a token by up to $\gamma D(K)$, not by $\gamma$: some $\varepsilon / (\gamma D(K))$ picks lead"
            r" out, which cost $\beta c_0$ each, and the bound counts $\varepsilon / (2 \gamma)$ of them."
        ),
        correction=(
            r"Let all starts be within $\rho$ of their vertices, $r = \rho + \varepsilon$, $R = \max_i |v_i|$ and $4 R "
            r"r + 2 r^2 \le \frac{c_0}{2}$. With $k = \varepsilon / (\gamma D(K))$: $P[T_2 < t] \le \exp\big(k (1 + "
            r"\log \frac{t}{k} + 2 \log n - \frac{\beta c_0}{2})\big)$ wherever the exponent is at most $0$."
        ),
        consequences=(
            Consequence(
                "abstract, times that grow exponentially in $\\beta$",
                why="With the smaller exponent, from starts so near to the vertices.",
            ),
        ),
        reading=(
            r"$\varepsilon / \gamma$ is a length, so the bound depends on the unit. With $|v_i| = 1$ as the unit it "
            r"fails as well, and with $D(K) = 1$ for starts at $\pm \tfrac14$, $v = \pm \tfrac12$, which are within "
            r"$\tau$ of the vertices."
        ),
    ),
)


# At t = 4, eps/gamma = 8 and n = 2 the first two terms cancel: what is left is the count of picks.
@escape_takes_exponentially_long.probability()
def escape_before_t(f: AttentionChain):
    """P[T_2 < t] <= exp((1 + eps/gamma)(log(gamma t/eps) + log n) - beta c_0 eps/(2 gamma))."""
    ratio = f.eps.item() / f.gamma.item()
    t, n = int(f.steps.item()), len(f.x)
    chance = log(numbers(t / ratio)).item() + log(numbers(0 * ratio + n)).item()
    return Tail(f, (1 + ratio) * chance - f.beta.item() * f.c_0 * ratio / 2)


@escape_takes_exponentially_long.by_hand(
    by_argument=True,
    v=[[2], [-2]],
    x=[[2], [-2]],
    group=[0, 1],
    beta=2,
    gamma="1/32",
    eps="1/4",
    steps=4,
    beside=r"The certificate is the case $\gamma = \tfrac{1}{32}$, $\beta = 2$.",
)
def three_picks_lead_out(_: object):
    """A path of three picks beside the bound."""
    yield (
        r"Take $d = 1$, $v = \pm 2$, so $D(K) = 4$ and $c_0 = 8$; one token at each vertex, $n = 2$; $\varepsilon "
        r"= 8 \gamma$ with any $\gamma \le \tfrac{1}{32}$, so $\varepsilon / \gamma = 2 D(K)$."
    )
    yield (
        r"A step changes their distance, $4$ at first, by a factor of $1 - 2 \gamma$ or more. If the token at $2$ picks "
        r"the other three times, it moves by $4 \gamma (1 + (1 - 2 \gamma) + (1 - 2 \gamma)^2) > 8 \gamma = \varepsilon$ "
        r"or more: $T_2 \le 3$."
    )
    yield (
        r"At $x$ it picks the other, at $y$, with probability $1 / (1 + e^{\beta x (x - y)}) \ge \tfrac12 e^{-8 \beta}$, "
        r"since $x \le 2$ and $x - y \le 4$: $P[T_2 < 4] \ge \tfrac18 e^{-24 \beta}$."
    )
    yield (
        r"At $t = 4$ the bound is $P[T_2 < 4] \le \exp(9 \log \tfrac12 + 9 \log 2 - 32 \beta) = e^{-32 \beta}$: "
        r"exceeded for every $\beta \ge 1$, since $e^8 > 8$."
    )


# The conclusion is the printed one: in these units eps/gamma is eps/(gamma D(K)), as the proof needs it.
escape_takes_exponentially_long_at_unit_diameter = section.claim(
    where="Theorem 5.4 (lem: metastab.1), for D(K) = 1",
    note=(
        "For v = 1/2 and -1/2, gamma = 1/64, eps = 4/89 and a token at -1/4, within tau of its vertex, four picks of total "
        "cost 0.682 lead out, while the bound counts on c_0 eps/(2 gamma) = 0.719: at beta = 210 it is exceeded by a "
        "factor of e^4. With k = eps/(gamma D(K)) a bound of this form holds for tokens so near the vertices that the gap "
        "of scores remains c_0/2 in the tubes."
    ),
    statement="For D(K) = 1: P[T_2 >= t] >= 1 - exp((1 + eps/gamma) log(gamma t n/eps) - beta c_0 eps/(2 gamma)).",
    origin=Origin.REPORTED,
    assumptions=(
        acute_vertices,
        equal_norms,
        own_cells,
        tokens_in_polytope,
        tokens_within_tau,
        thin_tube,
        small_step,
        unit_diameter,
    ),
    corrected_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
    draw=chain_of_unit_diameter,
    defect="frank_wolfe.escape_takes_exponentially_long",
)

escape_takes_exponentially_long_at_unit_diameter.probability()(escape_before_t)

# D(K) = 2 for opposite vertices: a pick moves a token by up to 2 gamma.
escape_takes_exponentially_long_at_unit_radius = section.claim(
    where="Theorem 5.4 (lem: metastab.1), for |v_i| = 1",
    note=(
        "For v = 1 and -1, gamma = 1/64 and eps = 7/76 three picks lead out, each cheaper than the one before; their total "
        "cost is 5.73, while the bound counts on c_0 eps/(2 gamma) = 5.89. With k = eps/(gamma D(K)), half as many picks, "
        "a bound of this form holds."
    ),
    statement="For |v_i| = 1: P[T_2 >= t] >= 1 - exp((1 + eps/gamma) log(gamma t n/eps) - beta c_0 eps/(2 gamma)).",
    origin=Origin.REPORTED,
    assumptions=(acute_vertices, own_cells, tokens_in_polytope, tokens_within_tau, thin_tube, small_step, unit_radius),
    corrected_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
    draw=chain_of_unit_radius,
    defect="frank_wolfe.escape_takes_exponentially_long",
)

escape_takes_exponentially_long_at_unit_radius.probability()(escape_before_t)

# A union bound over t steps: it counts the first pick outside the group, though one pick seldom leads out.
tubes_hold_for_exponential_times = section.claim(
    where="remark after Theorem 5.4 (lem: metastab.1)",
    refs=("FW-15", "FW-16"),
    statement="P[T_2 >= t] is close to 1 up to t ~ e^{beta c_0/2}.",
    origin=Origin.REPORTED,
    assumptions=(narrow_tube,),
    draw=lambda draws: draws.choice((chain_that_escapes_by_one_pick, chain_near_vertices))(draws),
)


def _tail_at_exponential_times(f, cost):
    """P[T_2 < t] <= n^2 t e^{-cost}."""
    n, t = len(f.x), int(f.steps.item())
    return Tail(f, log(numbers(0 * f.beta.item() + n * n * t)).item() - cost)


@tubes_hold_for_exponential_times.probability(name="escape_before_t")
def escape_at_exponential_times(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= n^2 t e^{-beta c_0/2}."""
    return _tail_at_exponential_times(f, cost * f.beta.item() * f.c_0 / 2)


@tubes_hold_for_exponential_times.probability(name="escape_costs_the_gap")
def escape_at_exponential_times_costs_the_gap(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= n^2 t e^{-beta (c_0 - 4 R r - r^2)}, r = rho + eps."""
    return _tail_at_exponential_times(f, cost * f.beta.item() * least_gap(f))


tubes_widen_by_other_groups_only = section.claim(
    where="proof of Theorem 5.4 (lem: metastab.1)",
    statement="Picks within a group keep its hull; a pick outside moves its farthest token by at most gamma D(K).",
    origin=Origin.REPORTED,
    assumptions=(tokens_in_polytope,),
    draw=chain_near_vertices_in_any_order,
)


# Support functions instead of hulls: that a hull stays in a tube is an inequality for each direction.
@tubes_widen_by_other_groups_only.state(">= 0")
def widening(f: AttentionChain, *, cost=1):
    """h(l) + gamma D(K) |l| [j not in group(i)] - <l, x_i + gamma (x_j - x_i)>, h of the group's hull, probing l."""
    directions = probing_directions(f.x)
    heights = f.x @ directions.T
    lengths = sqrt(diameter_squared(f.v) * numbers((directions**2).sum(axis=-1)))
    slacks = []
    for i, label in enumerate(f.group):
        support = np.array([max(column) for column in heights[f.group == label].T], dtype=object)
        for j, other in enumerate(f.group):
            room = support - heights[i] - f.gamma.item() * (heights[j] - heights[i])
            slacks.append(room if other == label else room + cost * f.gamma.item() * lengths)
    return numbers(np.stack(slacks))


escape_takes_as_many_picks_as_diameters = section.claim(
    where="Theorem 5.4 (lem: metastab.1), corrected",
    statement="P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta (c_0 - 4 R r - r^2))), M = ceil(eps/(gamma D(K))).",
    assumptions=(own_cells, tokens_in_polytope, narrow_tube),
    draw=chain_that_escapes_by_many_picks,
)


def _tail_by_picks(f, gap, cost, picks, waiting):
    """P[T_2 < t] <= exp(picks M (1 + waiting log(t/(picks M)) + 2 log n - cost beta gap))."""
    M = picks * picks_to_leave(f)
    t, n, one = int(f.steps.item()), len(f.x), 0 * f.beta.item() + 1
    entropy = 1 + waiting * log(numbers(one * t / M)).item() + 2 * log(numbers(one * n)).item()
    return Tail(f, M * (entropy - cost * f.beta.item() * gap))


@escape_takes_as_many_picks_as_diameters.probability(name="escape_before_t")
def escape_by_picks(f: AttentionChain, *, cost=1, picks=1, waiting=1):
    """P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta c_0/2))."""
    return _tail_by_picks(f, f.c_0 / 2, cost, picks, waiting)


@escape_takes_as_many_picks_as_diameters.probability(name="escape_costs_the_gap")
def escape_by_picks_costs_the_gap(f: AttentionChain, *, cost=1, picks=1, waiting=1):
    """P[T_2 < t] <= exp(M (1 + log(t/M) + 2 log n - beta (c_0 - 4 R r - r^2))), r = rho + eps."""
    return _tail_by_picks(f, least_gap(f), cost, picks, waiting)


# k and not M: this is the form of Theorem 5.4, with eps/(gamma D(K)) in the place of eps/gamma.
escape_takes_exponentially_long_in_diameters = section.claim(
    where="Theorem 5.4 (lem: metastab.1), corrected",
    statement="P[T_2 >= t] >= 1 - exp(k (1 + log(t/k) + 2 log n - beta c_0/2)) with k = eps/(gamma D(K)).",
    assumptions=(own_cells, tokens_in_polytope, narrow_tube),
    draw=chain_that_escapes_by_few_picks,
)


def _tail_by_width(f, cost):
    """P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - cost))."""
    k = f.eps.item() / (f.gamma.item() * f.diameter.item())
    t, n = int(f.steps.item()), len(f.x)
    return Tail(f, k * (1 + log(numbers(t / k)).item() + 2 * log(numbers(0 * f.beta.item() + n)).item() - cost))


@escape_takes_exponentially_long_in_diameters.probability(name="escape_before_t")
def escape_in_diameters(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - beta c_0/2)) where that is below 1."""
    return _tail_by_width(f, cost * f.beta.item() * f.c_0 / 2)


@escape_takes_exponentially_long_in_diameters.probability(name="escape_costs_the_gap")
def escape_in_diameters_costs_the_gap(f: AttentionChain, *, cost=1):
    """P[T_2 < t] <= exp(k (1 + log(t/k) + 2 log n - beta (c_0 - 4 R r - r^2))), r = rho + eps, where that is below 1."""
    return _tail_by_width(f, cost * f.beta.item() * least_gap(f))
