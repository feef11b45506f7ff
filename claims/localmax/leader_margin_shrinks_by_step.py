"""A token that attends only to itself stands still for this step, and its margin shrinks by no more than 1 - gamma.

hardmax HM-6 for delta > 0, corrected: a leader with margin above delta / (1 - gamma)^k leads for at least k
more steps. Any A and any rule for neighbours that includes the maximisers.
"""

from claims.localmax.leader_stays_leader import leading, self_margins
from claims.localmax.setting.hypotheses import step_size_below_one, where
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-6", "LM-6"),
    statement=(
        "If C_i = {i} then z_i' = z_i and <A z_i, z_i - z_j'> >= (1 - gamma) <A z_i, z_i - z_j>, for every delta >= 0."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(step_size_below_one,),
)


@claim.step(">= 0")
def margins_contract_by_step_at_most(f: LocalmaxStep, *, keep=1):
    """<A z_i', z_i' - z_j'> - (1 - gamma) <A z_i, z_i - z_j> for every leader i and every token j."""
    kept = (keep - f.gamma)[..., None, None] * self_margins(f)
    return where(leading(f)[..., None], self_margins(f.step()) - kept)
