"""A perceptron after attention leaves at most three hyperplanes: false, where relu stops tokens they keep their places.

An open problem of the paper (clusters O5): z_i' = W relu(V sum_j P_ij (z_j - z_i)) with W = I. On the line hyperplanes
are points. Every token below 0 looks at the least one, and relu forbids it to go there: from -1, -2, -3, -4 only the
last moves, by less than 1/2 for ever, and there are four limits. Lemma P of docs/flow_limits.md; that all tokens
converge is `perceptrons_move_coordinates_up`.
"""

from flint import fmpq

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line
from claims.clusters.setting.hypotheses_of_open_problems import identity_output
from claims.clusters.setting.starts_of_open_problems import perceptron_line_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import FrozenEnd, frozen_trap
from dynamics.tokens.perceptron import PerceptronFlow

claim = Claim(
    __name__,
    where="section 12, feed-forward layers",
    refs=("O5",),
    note=(
        "Tokens below 0 look at the least one, where relu lets none of them go: from -1, -2, -3, -4 only the last"
        " moves, by less than 1/2 for ever, and there are four limits. What holds is that every token converges."
    ),
    statement="W = I, relu, a good triple (Q, K, V): every z_i tends to one of at most three parallel hyperplanes.",
    origin=Origin.OURS,
    system=PerceptronFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, identity_output),
    draw=perceptron_line_start,
    standing=Standing.FALSE,
    corrected_by="clusters.perceptrons_move_coordinates_up",
)


@claim.limit(">= 0", times=lambda start: [fmpq(1, 64)], trap=frozen_trap)
def three_less_limits(end: FrozenEnd, start: PerceptronFlow):
    """3 minus the number of different limits."""
    return exact([3 - end.number_of_limits])
