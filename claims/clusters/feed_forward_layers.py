"""With a perceptron after attention, V and W diagonal and >= 0, all tokens still converge, but not to three hyperplanes.

The paper asks for z_i' = W relu(V sum_j P_ij (z_j - z_i)) with W = I whether the tokens approach at most three hyperplanes.

`perceptrons_give_three_hyperplanes`: False already on the line, where hyperplanes are points (Lemma P of
docs/flow_limits.md).

`perceptrons_move_coordinates_up`: What holds for diagonal V, W >= 0 and any Q, K. A coordinate of z_i' is W_kk V_kk times
the positive part of a mean of differences, so it rises and is bounded by the largest initial one. There may be as many
limits as tokens.
"""

from flint import fmpq

from claims.clusters.setting.hypotheses import identity_output, nonnegative_perceptron, on_the_line
from claims.clusters.setting.starts_of_flows import perceptron_line_start, perceptron_start
from claims.stating.assumptions import identity_key_query, identity_value
from claims.stating.statement import Section
from dynamics.arithmetic import exact, peak, transposed
from dynamics.limits import FrozenEnd, frozen_trap
from dynamics.tokens.perceptron import PerceptronFlow

section = Section(__name__, where="section 12, feed-forward layers", refs=("O5",), system=PerceptronFlow)

# All tokens below 0: there the least one has the largest score with every token, and relu turns that into rest.
perceptrons_give_three_hyperplanes = section.claim(
    note=(
        "A token below 0 attends most to the least one, and relu lets none move down: from -1, -2, -3, -4 only the last "
        "moves, by less than 1/2 in all, and there are four limits. What holds, for diagonal V, W >= 0, is that every "
        "token converges."
    ),
    statement="W = I, relu, a good triple (Q, K, V): every z_i tends to one of at most three parallel hyperplanes.",
    assumptions=(on_the_line, identity_value, identity_key_query, identity_output),
    draw=perceptron_line_start,
    corrected_by="clusters.perceptrons_move_coordinates_up",
)


# Lemma P asks the exact start alone: any time will do.
@perceptrons_give_three_hyperplanes.limit(">= 0", times=lambda start: [fmpq(1, 64)], trap=frozen_trap)
def three_less_limits(end: FrozenEnd, start: PerceptronFlow):
    """3 minus the number of different limits."""
    return exact([3 - end.number_of_limits])


perceptrons_move_coordinates_up = section.claim(
    statement="V, W diagonal and >= 0, relu: 0 <= z_ik' <= W_kk V_kk (max_j z_jk - z_ik), so that every z_i converges.",
    assumptions=(nonnegative_perceptron,),
    draw=perceptron_start,
)


# relu makes each coordinate of V sum_j P_ij (z_j - z_i) positive or 0, and diagonal W >= 0 keeps that.
@perceptrons_move_coordinates_up.state(">= 0")
def coordinates_rise(f: PerceptronFlow):
    """z_ik'."""
    return f.drift()


@perceptrons_move_coordinates_up.state(">= 0")
def room_below_the_largest(f: PerceptronFlow, *, share=1):
    """W_kk V_kk (max_j z_jk - z_ik) - z_ik'."""
    columns = transposed(f.z)
    pace = (f.W @ f.V).diagonal(axis1=-2, axis2=-1)
    return share * pace[..., None, :] * transposed(peak(columns) - columns) - f.drift()
