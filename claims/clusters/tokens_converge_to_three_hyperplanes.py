"""If V leads with a simple positive eigenvalue, tokens tend to at most three parallel hyperplanes.

`tokens_converge_to_three_hyperplanes`: Theorem 3 on the slides. That lambda_1 = max |lambda_j| "is simple" is read as in
Perron and Frobenius: it is an eigenvalue of V, and no other has its modulus. Lemma T3'' of docs/flow_limits.md decides it
start by start: there are as many hyperplanes as signs of phi_1(z_i). The hyperplane phi_1 = 0 is that of a token at rest at
0 between opposite ones.

`ginibre_matrices_lead_with_a_real_eigenvalue`: How often random matrices satisfy the condition on V in Theorem 4.2. An
experiment in float64, seeded.

`good_triples_give_three_hyperplanes`: Theorem 4.2 asks of Q^T K only <phi_1, Q^T K phi_1> > 0 (`d:good`). Each phi_1(z_i)
tends to 0 or to the limit a or b of the minimum or maximum, on its side. Lemma T3'' of docs/flow_limits.md.

`larger_moduli_give_three_hyperplanes`: Theorem 4.2 with lambda_1 ahead of the real parts only, not of the moduli: false for
V = diag(1, -mu, -mu), mu >= 1, by Lemma R of docs/flow_limits.md. Whether Q^T K > 0 repairs it is open
(`coordinates_of_a_falling_rate_stay_bounded`).

`double_eigenvalues_give_three_lines`: Theorem 3 without "simple". A line contains at most two vertices of a convex polygon.
Lemma B2 of docs/flow_limits.md.

`leading_moduli_give_three_hyperplanes`: Theorem 3 with a negative eigenvalue of largest modulus. Lemma F of
docs/flow_limits.md.

`tokens_of_one_side_converge_to_one_hyperplane`: Sharper than Theorem 3 if phi_1(z_i(0)) > 0 for all i: the least phi_1(z_j)
does not fall, so no limit is 0 or negative. Lemma T3'' of docs/flow_limits.md.

`two_hyperplanes_are_enough`: Theorem 3 is sharp. Lemma D of docs/flow_limits.md.

`negative_first_scores_give_one_hyperplane`: The opposite sign in Theorem 4.2: tokens attend to those on the other side,
until there are none. Lemma N3'' of docs/flow_limits.md; for mirrored tokens, which stay on both sides and tend to 0, Lemma
N.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import (
    on_the_line,
    positive_first_score,
    positive_first_self_score,
    simple_growing_rate,
)
from claims.clusters.setting.hypotheses_for_limits import (
    in_the_plane,
    leading_direction,
    leading_modulus,
    mirrored_pair,
    negative_first_score,
    positive_tokens,
)
from claims.clusters.setting.starts_of_flows import (
    circle_start,
    leading_definite_start,
    leading_start,
    line_start_with_a_token_at_0,
    mirrored_pairs_start,
    repelling_start,
    rescaled_mirrored_start,
)
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from claims.stating.experiments import Frequency
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact, numbers
from dynamics.limits import (
    HyperplanesEnd,
    LedEnd,
    MirroredEnd,
    PairsEnd,
    TokensEnd,
    hyperplanes_trap,
    leader_trap,
    mirrored_trap,
    pairs_trap,
    settling_times,
    tokens_trap,
)
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__, system=RescaledFlow)

tokens_converge_to_three_hyperplanes = section.claim(
    where="Theorem 3",
    refs=("T3", "D4.1"),
    statement=(
        "V in R^{d x d} such that lambda_1 := max_{j in [d]} |lambda_j| satisfies lambda_1 > 0 and is simple "
        "(Perron-Frobenius). Suppose Q^T K > 0. There exist (at most) three parallel hyperplanes such that for any i in "
        "[n], z_i(t) converges to one of these hyperplanes as t -> infinity."
    ),
    origin=Origin.PRINTED,
    assumptions=(leading_direction, definite_key_query),
    draw=leading_definite_start,
)


# The trap needs strict inequalities of scores against kappa, so tokens near phi_1 = 0 wait until they have left it.
@tokens_converge_to_three_hyperplanes.limit(">= 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_up_to_three(end: HyperplanesEnd, start: RescaledFlow, *, most=3):
    """3 minus the number of hyperplanes."""
    return exact([most - end.count])


DIMENSION, MOST, SHARE = 128, 1000, 200

# A non-real eigenvalue comes with its conjugate, of the same modulus: then no eigenvalue leads alone.
ginibre_matrices_lead_with_a_real_eigenvalue = section.claim(
    where="section 11, on good triples",
    refs=("D4.1",),
    statement="About 14% of real Ginibre matrices with d = 128 have a real positive eigenvalue of largest modulus.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
)


# LAPACK returns a real eigenvalue of a real matrix with imaginary part exactly 0.
@ginibre_matrices_lead_with_a_real_eigenvalue.experiment()
def matrices_that_lead_with_a_positive_eigenvalue(steps):
    """The part of seeded matrices whose eigenvalue of largest modulus is real and positive."""
    runs = max(1, min(steps // SHARE, MOST))
    rng, hits = np.random.default_rng(128), 0
    for _ in range(runs):
        eigenvalues = np.linalg.eigvals(rng.standard_normal((DIMENSION, DIMENSION)))
        leading = eigenvalues[np.argmax(abs(eigenvalues))]
        hits += bool(leading.imag == 0 and leading.real > 0)
    return [Frequency(f"d = {DIMENSION}", hits, runs, "0.14")]


good_triples_give_three_hyperplanes = section.claim(
    where="Theorem 4.2",
    refs=("T3", "D4.1"),
    statement=(
        "(Q, K, V) a good triple: the phi_1(z_i) tend to values in {0, a, b}, a and b the limits of their minimum and "
        "maximum."
    ),
    origin=Origin.REPORTED,
    assumptions=(leading_direction, positive_first_score),
    draw=leading_start,
)

good_triples_give_three_hyperplanes.limit(">= 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)(
    hyperplanes_up_to_three
)


# Strictly positive: a token on one side of 0 never tends to 0, but to the outermost of its side.
@good_triples_give_three_hyperplanes.limit("> 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def heights_of_their_side(end: HyperplanesEnd, start: RescaledFlow, *, beyond=0):
    """The limit of phi_1(z_i) times its sign, but for a token that rests at 0: it ends with all others of its side."""
    return numbers((end.heights * end.sides)[end.sides != 0]) - beyond


@good_triples_give_three_hyperplanes.limit("== 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_less_signs(end: HyperplanesEnd, start: RescaledFlow, *, each=1):
    """The number of hyperplanes less the number of signs of the limits."""
    return exact([end.count - each * len(np.unique(end.sides))])


# "Leading" has two readings, by real part and by modulus. The theorem's proof needs the second one.
larger_moduli_give_three_hyperplanes = section.claim(
    where="Theorem 4.2 for lambda_1 the largest real part",
    refs=("CE8", "N4", "D4.1", "T3"),
    note=(
        "For V = diag(1, -1, -1) and Q^T K = diag(1, -8, -8) the tokens (f, y), (f, -y) attend to one another, and y "
        "outweighs f: four such pairs with f = 0, 1, 2, 3 keep four different limits of phi_1. If lambda_1 is also the "
        "largest modulus there are at most three hyperplanes."
    ),
    statement=(
        "If lambda_1 > 0 is simple, larger than the real parts of all other eigenvalues, and <Q phi_1, K phi_1> > 0, then "
        "every z_i tends to one of at most three parallel hyperplanes."
    ),
    assumptions=(simple_growing_rate, positive_first_self_score),
    draw=mirrored_pairs_start,
    corrected_by="clusters.good_triples_give_three_hyperplanes",
)


# Lemma R asks the exact start alone, so any time will do, and the first is the cheapest.
@larger_moduli_give_three_hyperplanes.limit(">= 0", times=lambda start: [fmpq(1, 64)], trap=pairs_trap)
def three_less_hyperplanes(end: PairsEnd, start: RescaledFlow):
    """3 minus the number of different limits of phi_1(z_i)."""
    return exact([3 - end.number_of_limits])


# Seven tokens are the fewest for which two on each of three lines are not enough.
double_eigenvalues_give_three_lines = section.claim(
    where="Theorem 3, lambda_1 not simple",
    refs=("T3",),
    note=(
        "Seven tokens near a circle tend to the seven vertices of a convex polygon, and three parallel lines contain at "
        "most six of them, two each. If lambda_1 is simple at most three lines are enough."
    ),
    statement="d = 2, V = Q^T K = I: there are three parallel lines such that every z_i tends to one of them.",
    assumptions=(in_the_plane, identity_value, identity_key_query),
    draw=circle_start,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@double_eigenvalues_give_three_lines.limit(">= 0", times=settling_times(leader_trap), trap=leader_trap)
def places_on_three_lines_less_vertices(end: LedEnd, start: RescaledFlow):
    """6 - m."""
    return exact([6 - end.number_of_vertices])


leading_moduli_give_three_hyperplanes = section.claim(
    where="Theorem 3, a negative eigenvalue in the place of lambda_1",
    refs=("T3", "D4.1"),
    note=(
        "From -1 and 1 with V = -1 the tokens x fall to 0 only like t^{-1/2}, so z = e^t x grows without bound. If the "
        "eigenvalue of largest modulus is positive there are at most three hyperplanes."
    ),
    statement=(
        "If V has a simple eigenvalue of either sign, larger in modulus than all others, and Q^T K > 0, then every z_i "
        "tends to one of at most three parallel hyperplanes."
    ),
    assumptions=(mirrored_pair, leading_modulus, definite_key_query),
    draw=rescaled_mirrored_start,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


# Lemma F decides by the signs of V and Q^T K: every start is caught at the first time.
@leading_moduli_give_three_hyperplanes.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=mirrored_trap)
def tokens_without_a_limit(end: MirroredEnd, start: RescaledFlow):
    """The number of z_i that grow without bound."""
    return exact([len(start.z) * int(end.rescaled_runs_off)])


tokens_of_one_side_converge_to_one_hyperplane = section.claim(
    where="sharpened from Theorem 4.2",
    refs=("T3",),
    statement="(Q, K, V) a good triple and phi_1(z_i(0)) > 0 for every i: all z_i tend to one hyperplane.",
    assumptions=(leading_direction, positive_first_score, positive_tokens),
    draw=leading_start,
)


@tokens_of_one_side_converge_to_one_hyperplane.limit("== 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_less_one(end: HyperplanesEnd, start: RescaledFlow, *, one=1):
    """The number of hyperplanes, less 1."""
    return exact([end.count - one])


two_hyperplanes_are_enough = section.claim(
    where="Theorem 3, with two for three",
    refs=("T3",),
    note=(
        "From -1, 0, 1 the tokens z tend to -c, 0, c for some c > 0: the token at 0 is held between opposite ones. Three "
        "hyperplanes are enough."
    ),
    statement="d = 1, V = Q^T K = 1: the z_i have at most two limits.",
    assumptions=(on_the_line, identity_value, identity_key_query),
    draw=line_start_with_a_token_at_0,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@two_hyperplanes_are_enough.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_up_to_two(end: TokensEnd, start: RescaledFlow):
    """2 minus the number of different limits."""
    return exact([2 - end.number_of_limits])


# B need not be symmetric, nor negative beyond its first entry: in the end c f_i f_j outweighs all else in a score.
negative_first_scores_give_one_hyperplane = section.claim(
    where="Theorem 4.2, with the other sign",
    refs=("N3",),
    statement="lambda_1 simple and largest in modulus, <phi_1, Q^T K phi_1> < 0: all phi_1(z_i) tend to one value.",
    assumptions=(leading_direction, negative_first_score),
    draw=repelling_start,
)

negative_first_scores_give_one_hyperplane.limit("== 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)(
    hyperplanes_less_one
)
