"""Ties between different points are broken by moving all tokens alike, so almost no start has any.

The mechanism of Lemma `lem:singleLeader` (frank_wolfe FW-1), whose printed proof fails. Along fixed choices of targets all
tokens of x^0 + z are those of x^t, moved by z, for any P^t; the difference of two scores of token i moves by
<B^t z, x_j - x_k>. For invertible B^t and x_j != x_k this is not 0 for all z, so that a tie holds on a null set of
starts, and choices are countable. Points are counted, not indices: after a merger both indices lead.
"""

import numpy as np

from claims.frank_wolfe.preconditioned import invertible_key_query, run_of, two_that_meet_halfway
from claims.frank_wolfe.runs import squared_distances
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import indicator
from dynamics.hardmax import HardmaxStep

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="Lemma lem:singleLeader, section 2.1, by the repaired proof",
    refs=("FW-1", "Q13"),
    printed="If B^t is invertible, then for a.e. start the leader set of every token at every time is one point.",
    system=HardmaxStep,
    assumptions=(invertible_key_query,),
    draw=two_that_meet_halfway,
)


@claim.orbit("> 0")
def ties_move_under_translation(f: HardmaxStep):
    """|B^T (x_j - x_k)|^2, or 1 where x_j = x_k, for every pair of tokens along the orbit."""
    slacks = []
    for now in run_of(f):
        apart = squared_distances(now.x)
        seen = squared_distances(now.x @ f.B)
        slacks.append(seen + indicator(apart == 0, now.x))
    return np.stack(slacks, axis=-1)
