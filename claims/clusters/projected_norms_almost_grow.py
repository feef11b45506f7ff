"""The norms |A pi_F z_i| grow at the rate of their best head start, up to remainders that fall exponentially.

Corrected form of Step 2' of section 10 (clusters 5d, T4), by which the theorem is true: a_ij = <A pi_F z_i, A pi_F (z_j
- z_i)> and r_ij the remainders of the scores.
"""

from flint import fmpq

from claims.clusters.remainders_leave_the_subspace import growth, mixed_scores, part_in_F
from claims.clusters.setting import block_value, form, head_starts, omega, scores, sizes
from claims.instances.builders import draw_system
from claims.statement import CLUSTERS, Claim, Draws, Origin
from dynamics.arithmetic import Array, exact
from dynamics.system import System
from dynamics.tokens.rooted_attention import RootedAttention


def _large_remainders_or_any(draws: Draws) -> System:
    """One token ahead in F, and all others at one place, whose scores in G outweigh that but for a little; or any start.

    At (h, h) the others have the remainders h^2 and -h^2, and the score of (3 h - s/h, -h) is s below their own.
    """
    if draws.integer(0, 1):
        return draw_system(RootedAttention, draws)
    h, behind, others = 1 << draws.integer(4, 8), draws.integer(4, 12), draws.integer(2, 5)
    z = exact([[3 * h - fmpq(behind, h), -h], *[[h, h]] * others])
    return RootedAttention.instance(z=z, V=exact([[1, 0], [0, 0]]))


claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="section 10, Step 2' (e:derivativenorm123), corrected",
    refs=("5d", "T4", "G4"),
    statement=(
        "(1/2) d/dt |A pi_F z_i|^2 >= lambda (max_j a_ij - (omega_n + 2 max_j |r_ij|) e^{-2 lambda t}), "
        "a_ij = <A pi_F z_i, A pi_F (z_j - z_i)>."
    ),
    origin=Origin.OURS,
    system=RootedAttention,
    assumptions=(block_value,),
    draw=_large_remainders_or_any,
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
