"""Projections of tokens to the leading eigenspace F approach the boundary of a polytope K, or 0.

`tokens_leave_the_inside_of_the_polytope`: Theorem 4 on the slides, without {0}: false already for F = R, G = {0} (Lemma D
of docs/flow_limits.md).

`tokens_converge_to_a_polytope_and_a_subspace`: Theorem 5.2, which has {0}. Lemma T4'' of docs/flow_limits.md decides it
start by start: |pi_F z_i|_S^2 stays above a positive number, and int max_j <y_i, S(y_j - y_i)> dt is finite, so that pi_F
z_i approaches supporting hyperplanes of K.

`projected_hull_shrinks`: (pi_F z_i)' = lambda sum_j P_ij (pi_F z_j - pi_F z_i), whatever V is on G. The hull of the tokens
themselves need not shrink.
"""

import numpy as np

from claims.clusters.hull_shrinks import inward_rates
from claims.clusters.setting.hypotheses import block_value, on_the_line
from claims.clusters.setting.hypotheses_for_limits import slow_last_direction
from claims.clusters.setting.starts_of_flows import block_start, line_start_with_a_token_at_0
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exact
from dynamics.geometry import probing_directions
from dynamics.limits import PolytopeEnd, TokensEnd, polytope_trap, settling_times, tokens_trap
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, system=RescaledFlow, origin=Origin.REPORTED)

# F = R and G = {0} is the least case of the theorem, and Theorem 2 on a line: there 0 is added.
tokens_leave_the_inside_of_the_polytope = section.claim(
    where="Theorem 4",
    refs=("T4",),
    note=(
        "From -1, 0, 1 the polytope K is an interval [-c, c], and the token at 0 rests inside it. With 0 added to the "
        "boundary of K the theorem holds."
    ),
    statement=(
        "Suppose Q^T K > 0. There exists a bounded convex polytope K subset F such that z_i(t) converge to dK x G as t "
        "-> infinity."
    ),
    origin=Origin.PRINTED,
    assumptions=(on_the_line, identity_value, identity_key_query),
    draw=line_start_with_a_token_at_0,
    corrected_by="clusters.tokens_converge_to_a_polytope_and_a_subspace",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"Suppose $Q^\top K > 0$. There exists a bounded convex polytope $\mathcal K \subset F$ such that "
            r"$z_i(t)$ converge to $\partial \mathcal K \times G$ as $t \to \infty$."
        ),
        context=(
            r"$F, G$ are invariant under $V$, $F \oplus G = \mathbb R^d$, $V_{|F} = \lambda I_d$ with $\lambda > "
            r"0$, $\max_j |\lambda_j(V_{|G})| < \lambda$; $z_i = e^{-tV} x_i$. Theorem 2 on the same slides has "
            r"$\partial \mathcal K \cup \{0\}$."
        ),
        wrong=(
            r"A token whose projection to $F$ is $0$ may rest between the others, as Theorem 2 allows for $F = "
            r"\mathbb R^d$."
        ),
        correction=r"$z_i(t)$ converges to $(\partial \mathcal K \cup \{0\}) \times G$.",
        consequences=(
            Consequence(
                "Theorem 2, and Theorem 5.2 of the paper",
                why=r"Theorem 2 has the union with $\{0\}$ and, as we know it from a report, so has Theorem 5.2.",
            ),
        ),
    ),
)


# In a line a polytope's boundary has two points, and every vertex of K is one of them.
@tokens_leave_the_inside_of_the_polytope.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_that_are_no_ends(end: TokensEnd, start: RescaledFlow):
    """The number of different limits that are no vertex of K."""
    ends = set(end.classes[end.vertices].tolist())
    return exact([len(set(end.classes.tolist()) - ends)])


@tokens_leave_the_inside_of_the_polytope.by_hand(
    by_argument=True,
    z=[[-1, 0], [0, 0], [1, 0]],
    B=[[1, 0], [0, 1]],
    V=[[1, 0], [0, 0]],
    beside="The certificate has these tokens as points of $F$, without their second coordinates, which stay $0$.",
)
def a_token_at_the_origin(f: RescaledFlow):
    """0 rests, by symmetry, and is no end of the interval."""
    yield (
        rf"Take $Q^\top K = I$, $V = {tex(f.V)}$: $\lambda = 1$, $F = \mathbb R \times 0$, $G = 0 \times \mathbb "
        rf"R$; tokens ${tex([*f.z[0]])}$, ${tex([*f.z[1]])}$, ${tex([*f.z[2]])}$."
    )
    yield r"The middle token weighs all equally, and the other two cancel: by symmetry it rests at $(0, 0)$."
    yield (
        r"The other two stay at $(\mp c(t), 0)$, and $c(t)$ falls to some $c > 0$, since $\frac{d}{dt} \log c(t) "
        r"\ge -3 e^{-x^2}$ for $x = e^t c(t)$, which grows exponentially."
    )
    yield (
        r"So the first coordinates have three limits, $-c$, $0$ and $c$, while $\partial \mathcal K$ has at most two "
        r"points for every polytope $\mathcal K$ in the line $F$."
    )


tokens_converge_to_a_polytope_and_a_subspace = section.claim(
    where="Theorem 5.2",
    refs=("T4", "5a", "5b"),
    statement=(
        "V = lambda on F, smaller in modulus on G, Q^T K > 0: there is a bounded convex polytope K in F such that "
        "dist(z_i, (bd K u {0}) x G) -> 0."
    ),
    assumptions=(slow_last_direction, definite_key_query),
    draw=block_start,
)


@tokens_converge_to_a_polytope_and_a_subspace.limit("> 0", times=settling_times(polytope_trap), trap=polytope_trap)
def squared_sizes_for_ever(end: PolytopeEnd, start: RescaledFlow, *, beyond=0):
    """What |pi_F z_i|_S^2 never falls below."""
    return end.squares - beyond


# That the integral is finite is the statement: the integrand is Lipschitz and never negative, so it tends to 0, and with it
# the distance to a supporting hyperplane.
@tokens_converge_to_a_polytope_and_a_subspace.limit(">= 0", times=settling_times(polytope_trap), trap=polytope_trap)
def bound_on_the_way_to_the_boundary(end: PolytopeEnd, start: RescaledFlow, *, spent=0):
    """The bound on int max_j <y_i, S(y_j - y_i)> dt from the state on, of what is never negative."""
    return end.residual - spent


# Nothing is asked of the rates on G, nor of Q and K: in F tokens move by means of differences in F.
projected_hull_shrinks = section.claim(
    where="proof of Theorem 5.2, the projected hull",
    refs=("5a",),
    statement="If V = lambda I on F, lambda > 0, and VG subset G, then pi_F conv{z_i(t)} is nonincreasing.",
    system=RootedAttention,
    assumptions=(block_value,),
)


# A direction in F is 0 on G: V need not be known there.
def directions_in_F(f: RootedAttention) -> Array:
    """Directions in the first k coordinates, shape (..., m, d)."""
    inside = probing_directions(f.z[..., : int(f.k)])
    outside = np.zeros_like(f.z[..., :1, int(f.k) :])
    return np.concatenate([inside, outside + 0 * inside[..., :1]], axis=-1)


@projected_hull_shrinks.state(">= 0")
def edges_move_inward(f: RootedAttention, *, room=2):
    """room lambda (<l, z_i> - min_j <l, z_j>) + <l, z_i'> for directions l in F; holds for every room >= 1.

    Where lV is not lambda l, <l, z_i'> for the tokens where <l, .> is least.
    """
    normals = directions_in_F(f)
    return inward_rates(f, normals, f.flow().rates(normals), f.V[..., :1, :1], room)
