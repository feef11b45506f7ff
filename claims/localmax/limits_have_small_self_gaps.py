"""A token that converges has a limit whose self gap is at most delta, and self gaps are that small on average.

localmax LM-5, consequence. A step adds 2 gamma (e_i - mean gap of C_i) + gamma^2 |c_i - z_i|_A^2 to r_i;
the mean gap is at most delta, and r_i stays bounded.
"""

from claims.localmax.setting.ends import limits, self_gaps
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size
from claims.localmax.setting.starts import uneven_or_lattice
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, peak
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-5", "LM-9"),
    statement="The average over k < T of e_i^k + (gamma/2) |c_i - z_i|_A^2 is at most delta + R / (2 gamma T), "
    "R = max_i r_i^0; a token that converges has its limit in S_delta = {x in Kinf : max_y <Ax, y> - |x|_A^2 <= delta}.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size),
    draw=uneven_or_lattice,
)


@claim.orbit(">= 0", exact_only=True)
def room_of_limits(f: LocalmaxStep, *, share=1):
    """delta minus the self gap of each limit."""
    return share * f.delta.item() - self_gaps(limits(f), f.A)


@claim.orbit(">= 0", exact_only=True)
def self_gaps_are_small_on_average(f: LocalmaxStep, *, T=8):
    """T delta + R / (2 gamma) - sum_k (e_i + (gamma/2) |c_i - z_i|_A^2) over T steps."""
    spent = sum(now_gaps(now) for now in orbit(f, T - 1))
    return T * f.delta.item() + peak(f.squared_norms()) / (2 * f.gamma.item()) - spent


def now_gaps(f: LocalmaxStep):
    """e_i + (gamma/2) |c_i - z_i|_A^2, shape (n,)."""
    move = f.replace(z=f.targets() - f.z).squared_norms()
    return numbers(self_gaps(f.z, f.A) + f.gamma.item() / 2 * move)
