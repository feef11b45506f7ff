"""Blocks of tokens, separated by a margin that allows for their diameters, attend only to themselves at all later times.

On the hulls of two blocks <Ax, x - y> is at least its least value at their tokens, less half the squared diameter of
the block of x; and the hulls of blocks only shrink. So one state determines the whole future (LM-6b).
"""

import numpy as np

from claims.localmax.setting.end_hypotheses import separated_blocks
from claims.localmax.setting.ends import limits, margins
from claims.localmax.setting.hypotheses import additive_rule, semidefinite_matrix
from claims.localmax.setting.starts import blocks_start
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Claim
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-6b",),
    statement="If blocks are separated, then for all later k: C_i = block of i, z_i^k = m_Q + (1-gamma)^k (z_i - m_Q), "
    "and for gamma > 0 Kinf = conv{m_Q}.",
    system=LocalmaxStep,
    assumptions=(additive_rule, semidefinite_matrix, step_size_at_most_one, separated_blocks),
    draw=blocks_start,
)


# Blocks are the neighbourhoods at the start: the hypothesis says that these are a partition.
@claim.orbit("> 0", exact_only=True)
def other_blocks_stay_unheard(f: LocalmaxStep):
    """gap_i(z_j) - delta for tokens j outside the block of i, over six steps."""
    apart = ~f.neighbours()
    return np.concatenate([now.gaps()[apart] - f.delta.item() for now in orbit(f, 6)])


@claim.orbit(">= 0", exact_only=True)
def own_block_stays_heard(f: LocalmaxStep):
    """delta - gap_i(z_j) for tokens j in the block of i, over six steps."""
    near = f.neighbours()
    return np.concatenate([f.delta.item() - now.gaps()[near] for now in orbit(f, 6)])


@claim.orbit("== 0", exact_only=True)
def blocks_close_in(f: LocalmaxStep, *, share=1):
    """z_i^k - m_Q - (1-gamma)^k (z_i^0 - m_Q) for k up to six."""
    middle, keep = f.targets(), 1 - share * f.gamma.item()
    return np.stack([now.z - middle - keep**k * (f.z - middle) for k, now in enumerate(orbit(f, 6))])


# For gamma = 0 nothing moves, and the mean is no limit.
@claim.orbit("== 0", exact_only=True)
def limits_are_the_means(f: LocalmaxStep, *, share=1):
    """s_i - m_Q for the limits s_i of the tokens i of each block Q, where gamma > 0."""
    return limits(f) - share * f.targets() if f.gamma.item() != 0 else margins([])
