"""Two tokens either attend only to themselves at all times, or meet.

If both gaps exceed delta, nothing moves; otherwise they tend to one point. A is arbitrary, delta > 0 is constant
(LM-12).
"""

from claims.localmax.setting.end_hypotheses import two_tokens
from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import additive_rule, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import lattice_or_pair
from claims.stating.statement import Claim
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-12",),
    statement=(
        "n = 2, D = z_1 - z_2, g_1 = <A z_1, D>, g_2 = -<A z_2, D>. Both g_1 > delta and g_2 > delta: frozen for ever. "
        "Otherwise consensus."
    ),
    system=LocalmaxStep,
    assumptions=(additive_rule, two_tokens, open_step_size, positive_sensitivity),
    draw=lattice_or_pair,
)


# A gap of exactly delta is within: then the tokens meet.
@claim.orbit("== 0", exact_only=True)
def departure_from_the_fate(f: LocalmaxStep, *, factor=1):
    """s_i - z_i where both gaps exceed delta, else s_1 - s_2."""
    D, delta = f.z[0] - f.z[1], factor * f.delta.item()
    frozen = f.z[0] @ f.A.T @ D > delta and -f.z[1] @ f.A.T @ D > delta
    end = limits(f)
    return end - f.z if frozen else end - end[::-1]
