"""A tie at the top is kept for ever: with u_0 = u_1 and a_0 = a_1 the scores tend to (1/2, 1/2, 0, ..., 0).

Theorem 3.3 without a strict order (polarization C-mild, H2). Exchanging 0 and 1 leaves such a start as
it is, hence the solution too. The others still decay by their gaps, q_j <= 1 / (1/q_j(0) + delta_j tau / p) for j >=
2, as in `score_ratios_decay_by_own_gap`. Ties below the top are harmless: that claim does not mention them.
"""

import numpy as np

from claims.polarization.score_ratios_decay import inverse_ratio_speed
from claims.polarization.setting.scores import tied_leaders
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="after Assumption 3.1, corrected",
    refs=("C-mild", "H2", "A-3.1"),
    statement=(
        "If u_0 = u_1 > u_j and a_0 = a_1 >= a_j for j >= 2 at the start, then s_0 = s_1 for ever and s_j / s_0 -> 0."
    ),
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(tied_leaders,),
    equivalent={
        **dict.fromkeys(
            (
                "tie_is_kept: du[..., 0] => du[..., 1]",
                "tie_is_kept: du[..., 1] => du[..., 0]",
                "tie_is_kept: da[..., 0] => da[..., 1]",
                "tie_is_kept: da[..., 1] => da[..., 0]",
            ),
            "The two are the same number, which is the claim.",
        ),
    },
)


@claim.identity()
def tie_is_kept(f: LogisticFlow, *, share=1):
    """du_0 - du_1 and da_0 - da_1: the tied states are invariant."""
    du, da = f.du_dtau(), f.da_dtau()
    return np.stack([du[..., 0] - share * du[..., 1], da[..., 0] - share * da[..., 1]], axis=-1)


@claim.state(">= 0")
def other_ratios_decay(f: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j) for j >= 2."""
    gaps = f.u[..., :1] - f.u[..., 2:]
    return f.a.shape[-1] * inverse_ratio_speed(f)[..., 1:] - rate * gaps
