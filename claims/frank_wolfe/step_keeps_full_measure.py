"""A hardmax step does not send sets of positive measure to null sets: false, two tokens may land on one point.

Step of the proof of Lemma `lem:singleLeader` (frank_wolfe FW-1): "a piecewise affine step does not send positive measure
to null sets". Where no leaders are tied the step is linear near the start, x -> x + (W - I) x P^T, and keeps measure
if that map is invertible. V = 1 is P = 1/2; for B = -1 tokens a > 0 > b have each other for targets, and both land on
(a + b)/2. P = (I + V)^{-1} V leaves I - P invertible, so that P = I is no step of the model. The lemma itself is true:
see `ties_can_be_broken`.
"""

import numpy as np
from flint import fmpq_mat

from claims.defects import Consequence, Defect, Kind, tex
from claims.frank_wolfe.setting.cells import invertible_step
from claims.frank_wolfe.setting.preconditioned import invertible_key_query, share_matrix, two_that_meet_halfway
from claims.frank_wolfe.setting.runs import where_unmet
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.attention import leaders
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="proof of Lemma lem:singleLeader, section 2.1",
    refs=("FW-1",),
    note=(
        "For B = -1 and steps of 1/2 the tokens 1 and -1 have each other for targets and both land on 0: the step"
        " has determinant 0 there, and sends an open set of starts to a null set. What the proof needs is true: "
        "for an invertible B almost every start has single leaders at all times."
    ),
    statement="A step, piecewise affine, does not send sets of positive measure to null sets.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(invertible_key_query, where_unmet(invertible_step)),
    standing=Standing.FALSE,
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
            r"For invertible $B$ almost every start has single leaders at all times: a tie on a finite sequence "
            r"of leaders is removed by a translation of all tokens."
        ),
        consequences=(
            Consequence(
                "Lemma lem:singleLeader",
                survives=True,
                why="With the argument by translations.",
                shown_by="frank_wolfe.ties_can_be_broken",
            ),
        ),
    ),
)


@claim.step("> 0", exact_only=True)
def determinant_is_not_zero(f: HardmaxStep):
    """The size of the determinant of the step as a linear map on tokens, where no leaders are tied."""
    n, d = f.x.shape
    if not (leaders(f.scores()).sum(axis=-1) == 1).all():
        return exact([])
    moves = np.kron(share_matrix(f) - np.eye(n, dtype=int), f.P) + np.eye(n * d, dtype=int)
    return exact([abs(fmpq_mat(moves.tolist()).det())])


@claim.by_hand(x=[[1], [-1]], B=[[-1]], P=[["1/2"]])
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
