"""Under a perceptron with relu every coordinate of every token rises, and none passes the largest at the start.

What holds of the open problem on perceptrons (clusters O5), for diagonal V, W >= 0 and any Q, K: a coordinate of z_i'
is W_kk V_kk times the positive part of a mean of differences. So every z_i converges, from every start; their limits
may be as many as tokens (`perceptrons_give_three_hyperplanes`).
"""

from claims.clusters.setting.hypotheses_of_open_problems import nonnegative_perceptron
from claims.clusters.setting.starts_of_open_problems import perceptron_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak, transposed
from dynamics.tokens.perceptron import PerceptronFlow

claim = Claim(
    __name__,
    where="section 12, feed-forward layers",
    refs=("O5",),
    statement="V, W diagonal and >= 0, relu: 0 <= z_ik' <= W_kk V_kk (max_j z_jk - z_ik), so that every z_i converges.",
    origin=Origin.OURS,
    system=PerceptronFlow,
    assumptions=(nonnegative_perceptron,),
    draw=perceptron_start,
)


@claim.state(">= 0")
def coordinates_rise(f: PerceptronFlow):
    """z_ik'."""
    return f.drift()


@claim.state(">= 0")
def room_below_the_largest(f: PerceptronFlow, *, share=1):
    """W_kk V_kk (max_j z_jk - z_ik) - z_ik'."""
    columns = transposed(f.z)
    pace = (f.W @ f.V).diagonal(axis1=-2, axis2=-1)
    return share * pace[..., None, :] * transposed(peak(columns) - columns) - f.drift()
