"""For every convex phi the largest phi(z_i) never grows, nor does a diameter or a width.

A new token is a convex combination of its old place and others, so phi(z_i') <= (1 - gamma) phi(z_i) + gamma max phi.
This needs nothing of A, of the sensitivity or of the rule (LY-1).
"""

import numpy as np

from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Claim
from dynamics.arithmetic import numbers, peak
from dynamics.geometry import probing_directions
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-1",),
    statement="max_i phi(z_i) never grows, for every convex phi; neither do a diameter or a width.",
    system=LocalmaxStep,
    assumptions=(step_size_at_most_one,),
)


# Made of the tokens themselves: squared distances from n points, so that no function has to be drawn.
def convex_values(z, f: LocalmaxStep):
    """Convex functions that the tokens of f define, at z: the squared distances from each of them, shape (..., n, n)."""
    from_tokens = z[..., :, None, :] - f.z[..., None, :, :]
    return (from_tokens * from_tokens).sum(axis=-1)


@claim.step(">= 0")
def convex_functions_contract(f: LocalmaxStep, *, keep=1):
    """(max phi - phi(z_i')) - (1 - gamma) (max phi - phi(z_i)) for every such phi and every token."""
    old, new = convex_values(f.z, f), convex_values(f.step().z, f)
    top = peak(old.swapaxes(-1, -2)).swapaxes(-1, -2)
    return (top - new) - (keep - f.gamma)[..., None, None] * (top - old)


# In two norms that need no root.
def diameters(f: LocalmaxStep):
    """The diameters in the maximum and in the sum norm, shape (..., 2)."""
    apart = abs(f.z[..., :, None, :] - f.z[..., None, :, :])
    lengths = [peak(apart)[..., 0], apart.sum(axis=-1)]
    return np.stack([peak(numbers(each.reshape(*each.shape[:-2], -1)))[..., 0] for each in lengths], axis=-1)


@claim.step(">= 0")
def diameters_never_grow(f: LocalmaxStep, *, most=1):
    """The diameters before minus those after the step."""
    return most * diameters(f) - diameters(f.step())


# In the plane the normals of all facets are among the probing directions, so the least width is one of these.
@claim.step(">= 0")
def widths_never_grow(f: LocalmaxStep, *, most=1):
    """max_i <u, z_i> - min_i <u, z_i> before minus after the step, for probing directions u."""
    u = probing_directions(f.z).swapaxes(-1, -2)
    along = [(now.z @ u).swapaxes(-1, -2) for now in (f, f.step())]
    before, after = (peak(values)[..., 0] + peak(-values)[..., 0] for values in along)
    return most * before - after
