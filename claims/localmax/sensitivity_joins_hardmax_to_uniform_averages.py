"""Without sensitivity a localmax step is a hardmax step, and with a large one it averages all tokens alike.

localmax LM-1 (abstract: "interpolates between softmax and hardmax", as far as it is exact; reconstructed).
"""

import numpy as np

from claims.localmax.setting.hypotheses import additive_rule
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator, peak
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, interpolation (reconstructed)",
    refs=("LM-1",),
    statement="delta = 0 is hardmax, delta large is uniform averaging, softmax at inverse temperature 0.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule,),
)


@claim.identity()
def step_without_sensitivity(f: LocalmaxStep, *, share=1):
    """z_i' at delta = 0 minus the hardmax step with B = A and P = gamma I."""
    eye = indicator(np.eye(f.z.shape[-1], dtype=bool), f.A)
    ones = indicator(np.ones((f.z.shape[-2],) * 2, dtype=bool), f.z)
    hardmax = HardmaxStep(x=f.z, B=f.A, P=share * f.gamma[..., None, None] * eye, selection=ones)
    return f.replace(delta=0 * f.delta).step().z - hardmax.step().x


@claim.identity()
def step_with_large_sensitivity(f: LocalmaxStep, *, share=1):
    """z_i' - z_i - gamma (m - z_i) for the mean m of all, where delta is the largest gap."""
    gaps = f.gaps().reshape(*f.delta.shape, -1)
    wide = f.replace(delta=peak(gaps)[..., 0])
    m = f.z.sum(axis=-2, keepdims=True) / f.z.shape[-2]
    return wide.step().z - f.z - share * f.gamma[..., None, None] * (m - f.z)
