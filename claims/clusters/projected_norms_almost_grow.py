"""The norms |A pi_F z_i| grow at the rate of their best head start, up to remainders that fall exponentially.

Corrected form of Step 2' of section 10 (clusters 5d, T4), by which the theorem is true: a_ij = <A pi_F z_i, A pi_F (z_j
- z_i)> and r_ij the remainders of the scores.
"""

from claims.clusters.remainders_leave_the_subspace import growth, mixed_scores, part_in_F
from claims.clusters.setting import block_value, form, head_starts, omega, scores, sizes
from claims.clusters.setting.starts import large_remainders_or_any
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
    where="section 10, Step 2' (e:derivativenorm123), corrected",
    refs=("5d", "T4", "G4"),
    statement=(
        "(1/2) d/dt |A pi_F z_i|^2 >= lambda (max_j a_ij - (omega_n + 2 max_j |r_ij|) e^{-2 lambda t}), "
        "a_ij = <A pi_F z_i, A pi_F (z_j - z_i)>."
    ),
    origin=Origin.OURS,
    system=RootedAttention,
    assumptions=(block_value,),
    draw=large_remainders_or_any,
)


def allowance(f: RootedAttention, gap: int = 1) -> Array:
    """(omega_n + 2 max_j |r_ij|) e^{-2 lambda t}, shape (..., n)."""
    return (gap * omega(f.z.shape[-2], f.z) + 2 * sizes(abs(mixed_scores(f)))) / growth(f)[..., 0]


@claim.state(">= 0")
def growth_less_head_start(f: RootedAttention, *, gap=1):
    """<A pi_F z_i, A pi_F z_i'> / lambda - max_j a_ij + (omega_n + 2 max_j |r_ij|) e^{-2 lambda t}."""
    flow, inside = f.flow(), part_in_F(f, f.z)
    rate = form(inside, flow.B, part_in_F(f, flow.drift())) / f.V[..., :1, 0]
    return rate - head_starts(scores(inside, flow.B)) + allowance(f, gap)
