"""V becomes rank one, and its right singular direction a coordinate axis.

V' = beta_* (u'/K)^T exactly, so V - V(0) has rank one at every time. The direction u - u(0) of its row tends to e_0:
the losing entries stay below their bounds B_j (`losing_values_stay_bounded`) while the leading one outgrows K tau / p,
so the ratio of their growths is below p B_j / (K tau). The second singular value of V stays below |V(0)| while the
first diverges.
"""

from claims.polarization.losing_values_stay_bounded import PI, mean_of_gap
from claims.polarization.output_settles_on_leading_column import near_or_far_columns
from claims.polarization.setting.scores import leading_column, two_columns, zero_scores
from claims.stating.statement import Claim, Origin
from dynamics.training.value_softmax import FullClockFlow

claim = Claim(
    __name__,
    where="section 3.1, comparison with linear networks; Lemma B.1(a)",
    refs=("C-dec", "C-B1a", "M2(k)"),
    statement=(
        "V(t) also becomes approximately rank one ... it forces the dominant right singular direction of V to "
        "align with a coordinate axis (i.e., to be one-hot)"
    ),
    origin=Origin.PRINTED,
    system=FullClockFlow,
    assumptions=(two_columns, zero_scores, leading_column),
    draw=near_or_far_columns,
)


@claim.identity(assuming=())
def growth_has_rank_one(f: FullClockFlow, *, share=1):
    """K V' - beta_* (V'^T beta_*)^T."""
    dV = f.velocity()[0]
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    return f.K[..., None, None] * dV - share * f.beta_star[..., :, None] * du[..., None, :]


# (u_j - u_j(0)) / (u_0 - u_0(0)) < p B_j / (K tau), multiplied out; 355/113 above pi keeps it an upper bound.
@claim.rate("> 0", horizon=lambda start: 4)
def right_direction_turns_to_axis(now: FullClockFlow, start: FullClockFlow, *, most=1):
    """pi p (u_0 - u_0(0)) - AGM(2 sqrt(K), delta_j) tau (u_j - u_j(0)) for j != 0."""
    grown = now.u - start.u
    mean = mean_of_gap(start.K, start.u[:1] - start.u[1:])
    return most * PI * len(now.a) * grown[:1] - mean * (now.tau - start.tau) * grown[1:]
