"""A token leaves towards the nearest other one: the odds of two picks are a Gaussian of the distances.

On the way out of a tube (frank_wolfe FW-15). For tokens of equal norms

    a_ij/a_ik = e^{-beta (|x_i - x_j|^2 - |x_i - x_k|^2)/2}:

of the other vertices the nearest is picked first, with odds that grow exponentially in beta; vertices equally near are
picked equally often. With unequal norms the odds are those of the power distances |x_i - x_j|^2 - |x_j|^2.
"""

import numpy as np

from claims.frank_wolfe.setting.lifetimes import equal_norms_of_tokens, single_tokens_or_near_ones
from claims.statement import Claim, Origin
from dynamics.arithmetic import log, numbers
from dynamics.geometry import squared_distances
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="section 5, the way out of a tube",
    refs=("FW-15",),
    statement="a_ij/a_ik = exp(-beta (|x_i - x_j|^2 - |x_i - x_k|^2)/2) for tokens of equal norms.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(equal_norms_of_tokens,),
    draw=single_tokens_or_near_ones,
)


def _odds(f, distances, share):
    """log a_ij - log a_ik + share beta (d_ij - d_ik)/2, shape (n, n, n)."""
    logs = log(numbers(np.asarray(f.attention())))
    heights = logs + share * f.beta.item() * distances / 2
    return numbers(heights[:, :, None] - heights[:, None, :])


@claim.identity()
def odds_of_two_picks(f: AttentionChain, *, share=1):
    """log a_ij - log a_ik + beta (|x_i - x_j|^2 - |x_i - x_k|^2)/2."""
    return _odds(f, squared_distances(f.x, f.x), share)


@claim.identity(assuming=())
def odds_of_two_picks_by_power(f: AttentionChain, *, share=1):
    """The same with |x_i - x_j|^2 - |x_j|^2 for |x_i - x_j|^2, for any norms."""
    return _odds(f, squared_distances(f.x, f.x) - (f.x * f.x).sum(axis=-1)[None, :], share)
