"""For invertible B^t leaders are single at all times for almost every start.

Lemma `lem:singleLeader`. The lemma is true; a step of its proof is not.

`step_keeps_full_measure`: The step: "a piecewise affine step does not send positive measure to null sets". Where no leaders
are tied the step is linear near the start, x -> x + (W - I) x P^T, and sends no set of positive measure to a null set if
and only if that map is invertible. P = (I + V)^{-1} V leaves I - P invertible, so P = I is no step of the model.

`ties_can_be_broken`: The repaired proof. As long as targets are fixed the tokens of x^0 + z are those of x^t, translated by
z, for any P^t; the difference of two scores of token i changes by <B^t z, x_j - x_k>. For invertible B^t and x_j != x_k it
is not 0 for all z, so a tie holds on a null set of starts, and sequences of targets are countable. Points are counted, not
indices: after a merger both indices lead.

`singular_scores_tie_often`: Why general P needs an invertible B: for two Gaussian tokens, B = -diag(1, 0), P = diag(1/2,
1/4). If their first coordinates have different signs these are equal after one step, the second ones are not, and all
scores tie at all later times; otherwise there is no tie. An earlier count found ties in 210 of 400 exact runs. Runs
are decided exactly, and their number is compared with the probability 1/2 and with that count.

`ties_can_be_broken_under_scalar_steps`: Sharper for P = gamma I. For fixed targets x_i^t = sum_a u_a x_a^0 and x_j^t -
x_k^t = sum_a w_a x_a^0 with numbers sum u = 1 and sum w = 0, and a tie is a zero of the quadratic form with blocks u_a w_b
B + w_a u_b B^T. As u and w != 0 are independent this form is not zero for B != 0: its squared norm is 2 |u|^2 |w|^2 |B|^2 +
2 <u, w>^2 tr(B B) >= 2 (|u|^2 |w|^2 - <u, w>^2) |B|^2.

`ties_can_be_broken_where_scores_see_all_steps`: Question Q13: what general P^t and B^t need. For fixed targets x_i^t =
sum_a U_a x_a^0 and x_j^t - x_k^t = sum_a W_a x_a^0 with matrices from the algebra of the P^s, sum U_a = I and sum W_a = 0.
A tie holds identically iff U_a^T B^T W_b + W_a^T B U_b = 0 for all a, b; summed over a this is B^T W_b = 0, which is also
sufficient. So the weakest condition is B^T W != 0 for every difference W != 0 that targets lead to. It follows if B^T M = 0
only for M = 0 in that algebra. For P = gamma I this asks for B != 0, for P^t that generate all matrices for an invertible
B.
"""

from itertools import combinations_with_replacement

import numpy as np
from flint import fmpq, fmpq_mat

from claims.frank_wolfe.setting.cells import invertible_step
from claims.frank_wolfe.setting.limits import has_ties
from claims.frank_wolfe.setting.preconditioned import (
    hidden_products_and_others,
    invertible_key_query,
    nonzero_key_query,
    nothing_hidden,
    run_of,
    share_matrix,
    two_that_meet_halfway,
)
from claims.frank_wolfe.setting.runs import where_unmet
from claims.frank_wolfe.setting.steps import scalar_step
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.experiments import Frequency
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact, indicator, numbers, transposed
from dynamics.attention import leaders
from dynamics.orbits.exact import orbit
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax, nothing_yet

section = Section(__name__, refs=("FW-1", "Q13"), system=HardmaxStep)

step_keeps_full_measure = section.claim(
    where="proof of Lemma lem:singleLeader, section 2.1",
    refs=("FW-1",),
    note=(
        "For B = -1 and steps of 1/2 the tokens 1 and -1 have each other as targets and both land on 0: the step has "
        "determinant 0 there, and sends an open set of starts to a null set. What the proof needs is true: for an "
        "invertible B almost every start has single leaders at all times."
    ),
    statement="A step, piecewise affine, does not send sets of positive measure to null sets.",
    origin=Origin.REPORTED,
    assumptions=(invertible_key_query, where_unmet(invertible_step)),
    corrected_by="frank_wolfe.ties_can_be_broken",
    draw=two_that_meet_halfway,
    defect=Defect(
        Kind.LEMMA,
        quotation=r"A step, piecewise affine, does not send sets of positive measure to null sets.",
        context=(
            r"Section 2.1, proof of lem:singleLeader: $x_i^{t+1} = x_i^t + P (y - x_i^t)$, $P = (I + V)^{-1} V$, "
            r"$y$ the leader of $i$; $B$ invertible."
        ),
        wrong=r"A piecewise affine map may have a singular piece.",
        correction=(
            r"For invertible $B$ almost every start has single leaders at all times, as points: tokens may have met. "
            r"For given leaders of all earlier steps a tie between two points is removed by a translation of all tokens."
        ),
        consequences=(Consequence("Lemma lem:singleLeader", why="With the argument by translations."),),
    ),
)


# Leaders counted by index here: where two coincide the step is not one linear map.
@step_keeps_full_measure.step("> 0", exact_only=True)
def determinant_is_not_zero(f: HardmaxStep):
    """The size of the determinant of the step as a linear map on tokens, where no leaders are tied."""
    n, d = f.x.shape
    if not (leaders(f.scores()).sum(axis=-1) == 1).all():
        return exact([])
    moves = np.kron(share_matrix(f) - np.eye(n, dtype=int), f.P) + np.eye(n * d, dtype=int)
    return exact([abs(fmpq_mat(moves.tolist()).det())])


@step_keeps_full_measure.by_hand(x=[[1], [-1]], B=[[-1]], P=[["1/2"]])
def two_tokens_meet(f: HardmaxStep):
    """(a, b) goes to ((a + b)/2, (a + b)/2)."""
    after = f.step().x
    yield (
        rf"Take $d = 1$, $n = 2$, $B = -1$, $V = 1$, so $P = {tex(f.P[0, 0])}$, and tokens $a > 0 > b$: an open "
        rf"set of starts."
    )
    yield r"The token $a$ maximizes $-a y$ and follows $b$; the token $b$ maximizes $-b y$ and follows $a$."
    yield (
        rf"Both land on $\tfrac12 (a + b)$, as $1$ and $-1$ on ${tex(after[0, 0])}$: the open set goes to the "
        rf"diagonal, a null set."
    )


ties_can_be_broken = section.claim(
    where="Lemma lem:singleLeader, section 2.1, by the repaired proof",
    statement="If B^t is invertible, then for a.e. start the leader set of every token at every time is one point.",
    origin=Origin.REPORTED,
    assumptions=(invertible_key_query,),
    draw=two_that_meet_halfway,
)


# With z = B^T e, e = x_j - x_k, the change is <B z, e> = |B^T e|^2: positive unless B loses e.
@ties_can_be_broken.orbit("> 0")
def ties_move_under_translation(f: HardmaxStep):
    """Change of <B x_i, x_j - x_k> in x^t + z, z = B^T (x_j - x_k), or 1 where x_j = x_k, for all i, j, k and t."""
    slacks = []
    for now in run_of(f):
        for j, k in combinations_with_replacement(range(now.x.shape[-2]), 2):
            edge = now.x[..., [j], :] - now.x[..., [k], :]
            change = now.replace(x=now.x + edge @ f.B).scores() - now.scores()
            slacks.append(change[..., j] - change[..., k] + indicator((edge == 0).all(axis=-1), f.x))
    return np.stack(slacks, axis=-1)


# 2^-4, 2^-8 and 2^-16: a translation has to be small enough to keep the leaders, and how small depends on the start.
@ties_can_be_broken.orbit("== 0", exact_only=True)
def tokens_move_alike(f: HardmaxStep, *, share=1):
    """x^t of x^0 + z, less z, less x^t as long as the leaders are the same; z = 2^{-m} (1, ..., 1), m = 4, 8, 16."""
    slacks = []
    for m in (4, 8, 16):
        z = 0 * f.x + fmpq(1, 2**m)
        for now, moved in zip(run_of(f), run_of(f.replace(x=f.x + z)), strict=True):
            slacks.append(moved.x - share * z - now.x)
            if bool((leaders(now.scores()) != leaders(moved.scores())).any()):
                break
    return np.stack(slacks)


RUNS, RUN_STEPS = 400, 3

singular_scores_tie_often = section.claim(
    where="measured for Lemma lem:singleLeader",
    statement="For B = -diag(1,0) and P = diag(1/2,1/4), half of all Gaussian starts come to a tie of different points.",
)


# Rounded to multiples of 2^-20, starts are rational: a tie is then an equation that can be decided.
def comes_to_a_tie(rng: np.random.Generator) -> bool:
    """One run of two Gaussian tokens, rounded to multiples of 2^-20, exactly."""
    x = np.round(rng.normal(size=(2, 2)) * 2**20) / 2**20
    start = HardmaxStep.instance(x=x, B=[[-1, 0], [0, 0]], P=[["1/2", 0], [0, "1/4"]])
    return has_ties(orbit(start, RUN_STEPS))


@singular_scores_tie_often.experiment()
def runs_with_ties(steps: int):
    """How many of 400 runs of three steps."""
    if steps < RUNS * RUN_STEPS:
        return []
    rng = np.random.default_rng(2508_09628)
    hits = sum(comes_to_a_tie(rng) for _ in range(RUNS))
    return [
        Frequency("runs with ties, beside the chance", hits, RUNS, "0.500"),
        Frequency("runs with ties, beside an earlier count", hits, RUNS, "0.525", RUNS),
    ]


ties_can_be_broken_under_scalar_steps = section.claim(
    where="Lemma lem:singleLeader, sharper",
    statement="If P = gamma I and B != 0, then for a.e. start the leader set of every token at every time is one point.",
    assumptions=(scalar_step, nonzero_key_query),
    draw=two_that_meet_halfway,
)


def shares_of_the_start(f):
    """L^t with x^t = L^t x^0, each (..., n, n), at steps 0 to 5."""
    L = eye = indicator(np.eye(f.x.shape[-2], dtype=bool), f.x)
    gamma, found = f.P[..., :1, :1], []
    for now in run_of(f):
        found.append(L)
        L = ((1 - gamma) * eye + gamma * share_matrix(now)) @ L
    return found


@ties_can_be_broken_under_scalar_steps.orbit("> 0")
def ties_are_no_identities(f: HardmaxStep):
    """The squared norm of the form of <B x_i, x_j - x_k>, or 1 where j and k have merged, for all i, j, k on the orbit."""
    slacks = []
    for L in shares_of_the_start(f):
        u, w = L[..., :, None, None, :], (L[..., :, None, :] - L[..., None, :, :])[..., None, :, :, :]
        across, both = (u * w).sum(axis=-1), (u * u).sum(axis=-1) * (w * w).sum(axis=-1)
        size, turned = (f.B * f.B).sum(axis=(-2, -1)), (f.B * transposed(f.B)).sum(axis=(-2, -1))
        size, turned = (numbers(part)[..., None, None, None] for part in (size, turned))
        form = 2 * both * size + 2 * across * across * turned
        slacks.append(form + indicator((w == 0).all(axis=-1), f.x))
    return np.stack(slacks, axis=-1)


@ties_can_be_broken_under_scalar_steps.orbit("== 0")
def tokens_are_their_shares(f: HardmaxStep, *, share=1):
    """x^t - L^t x^0 at every step."""
    return np.stack([now.x - share * (L @ f.x) for now, L in zip(run_of(f), shares_of_the_start(f), strict=True)], axis=-1)


STEPS = 4

# The P^s may be any matrices: nothing is assumed of I + V, as in the lemma.
ties_can_be_broken_where_scores_see_all_steps = section.claim(
    where="question Q13; Lemma lem:singleLeader, sharper",
    refs=("Q13", "FW-1"),
    statement=(
        "If (B^t)^T M = 0 only for M = 0 in the algebra of the P^s, then for a.e. start the leader set of every token at "
        "every time is one point."
    ),
    system=PreconditionedHardmax,
    assumptions=(nothing_hidden,),
    draw=hidden_products_and_others,
)


@ties_can_be_broken_where_scores_see_all_steps.orbit("> 0", exact_only=True)
def differences_are_seen(f: PreconditionedHardmax):
    """sum_a |B^T W_a|^2, or 1 where W = 0, for every pair of tokens at steps 0 to 4."""
    U, slacks = nothing_yet(f.x), []
    for now in orbit(f, STEPS):
        for j in range(len(U)):
            for W in U[j] - U[:j]:
                seen = now.key_query().T @ W
                slacks.append(sum((seen * seen).flat) if (W != 0).any() else 1)
        U = now.carried(U)
    return exact(slacks)
