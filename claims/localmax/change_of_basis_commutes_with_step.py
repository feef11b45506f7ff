"""In another basis, z -> Lz and A -> L^-T A L^-1, the tokens take the same steps.

SYM-2: scores do not change, averages are linear. So a symmetric positive definite A may be taken to be the
identity. Checked for L = 2 (I + N)(I + M) with the first row and the first column of A as N and M, whose squares are zero.
"""

import numpy as np

from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator, transposed
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("SYM-2",),
    statement="z -> Lz, A -> L^{-T} A L^{-1} commutes with the step, here for L = 2 (I+N)(I+M), N^2 = M^2 = 0.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    equivalent={
        "step_in_another_basis, in basis: f.A * (first[:, None] & ~corner) => first[:, None] & ~corner": (
            "N still has square zero, so L another inverse that is right: the statement for another L."
        ),
        "step_in_another_basis, in basis: first[None, :] => corner[None, :]": "M = 0: the statement for L = 2 (I + N).",
    },
)


def basis(f: LocalmaxStep):
    """An invertible matrix L made of entries of A, and its inverse."""
    d = f.A.shape[-1]
    eye = indicator(np.eye(d, dtype=bool), f.A)
    first, corner = np.arange(d) == 0, np.eye(d, dtype=bool) & (np.arange(d) == 0)
    N, M = f.A * (first[:, None] & ~corner), f.A * (first[None, :] & ~corner)
    return 2 * (eye + N) @ (eye + M), (eye - M) @ (eye - N) / 2


@claim.identity()
def step_in_another_basis(f: LocalmaxStep, *, scale=1):
    """The step of Lz under L^-T A L^-1 minus L times the step of z."""
    L, inverse = basis(f)
    changed = f.replace(z=f.z @ transposed(L), A=scale * transposed(inverse) @ f.A @ inverse)
    return changed.step().z - f.step().z @ transposed(L)
