"""Ties between different points are broken by moving all tokens alike, so almost no start has any.

The mechanism of Lemma `lem:singleLeader` (frank_wolfe FW-1), whose first proof fails (`step_keeps_full_measure`). Along
fixed choices of targets all tokens of x^0 + z are those of x^t, moved by z, for any P^t; the difference of two scores
of token i moves by <B^t z, x_j - x_k>. For invertible B^t and x_j != x_k this is not 0 for all z, so that a tie holds
on a null set of starts, and choices are countable. Points are counted, not indices: after a merger both indices lead.
"""

from itertools import combinations_with_replacement

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.preconditioned import invertible_key_query, run_of, two_that_meet_halfway
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator
from dynamics.attention import leaders
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem:singleLeader, section 2.1, by the repaired proof",
    refs=("FW-1", "Q13"),
    statement="If B^t is invertible, then for a.e. start the leader set of every token at every time is one point.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(invertible_key_query,),
    draw=two_that_meet_halfway,
    equivalent={
        "tokens_move_alike: fmpq(1, 2 ** m) => fmpq(21/20, 2 ** m)": (
            "The statement of another translation z: it holds of every one."
        ),
        "tokens_move_alike: fmpq(1, 2 ** m) => fmpq(1001/1000, 2 ** m)": (
            "The statement of another translation z: it holds of every one."
        ),
        "tokens_move_alike: fmpq(1, 2 ** m) => fmpq(19/20, 2 ** m)": (
            "The statement of another translation z: it holds of every one."
        ),
        "tokens_move_alike: fmpq(1, 2 ** m) => fmpq(999/1000, 2 ** m)": (
            "The statement of another translation z: it holds of every one."
        ),
        "tokens_move_alike: 2 ** m => (21/10) ** m": ("The statement of another translation z: it holds of every one."),
        "tokens_move_alike: 2 ** m => (1001/500) ** m": ("The statement of another translation z: it holds of every one."),
        "tokens_move_alike: 2 ** m => (19/10) ** m": ("The statement of another translation z: it holds of every one."),
        "tokens_move_alike: 2 ** m => (999/500) ** m": ("The statement of another translation z: it holds of every one."),
    },
)


@claim.orbit("> 0")
def ties_move_under_translation(f: HardmaxStep):
    """Change of <B x_i, x_j - x_k> in x^t + z, z = B^T (x_j - x_k), or 1 where x_j = x_k, for all i, j, k and t."""
    slacks = []
    for now in run_of(f):
        for j, k in combinations_with_replacement(range(now.x.shape[-2]), 2):
            edge = now.x[..., [j], :] - now.x[..., [k], :]
            change = now.replace(x=now.x + edge @ f.B).scores() - now.scores()
            slacks.append(change[..., j] - change[..., k] + indicator((edge == 0).all(axis=-1), f.x))
    return np.stack(slacks, axis=-1)


@claim.orbit("== 0", exact_only=True)
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
