"""From (1, s), (1, -s) the rescaled tokens have two limits, as many as the rank of P*.

Remark 7.9 is to show by this example that for d > 1 the rank of P* need not be the number of clusters.

`two_tokens_beside_the_axis_form_one_cluster`: The remark's x_i -> (1, 0) fails at once for x, since a common limit makes
all rows equal. It is therefore read of z = e^{-t} x. The second coordinate b of x satisfies b' = b tanh(b^2), so z -> (1,
+-c) with c > 0 (Lemma B2 of docs/flow_limits.md). What the example should show is true by Lemma D: from (1, 1), (1, -1),
(0, 0) the third token tends to the midpoint of the others, a third cluster, and its row to (1/2, 1/2, 0), so the rank is 2.

`two_tokens_beside_the_axis_part`: The corrected remark (Lemma B2 of docs/flow_limits.md).
"""

from claims.clusters.setting.hypotheses_for_limits import pair_beside_the_axis
from claims.clusters.setting.starts_of_flows import pair_start
from claims.stating.assumptions import identity_key_query, identity_value
from claims.stating.defects import Consequence, Defect, Kind
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

section = Section(
    __name__,
    refs=("R7.9",),
    system=RescaledFlow,
    assumptions=(pair_beside_the_axis, identity_value, identity_key_query),
    draw=pair_start,
)

two_tokens_beside_the_axis_form_one_cluster = section.claim(
    where="Remark 7.9",
    note=(
        "From (1, 1), (1, -1) the second coordinates of x grow like e^t, so z tends to (1, c) and (1, -c) for some c > 0: "
        "two clusters. P(t) -> I is right."
    ),
    statement="V = Q^T K = I, n = d = 2: from (1, s), (1, -s) both tokens tend to (1, 0), one cluster, while P(t) -> I.",
    origin=Origin.REPORTED,
    corrected_by="clusters.two_tokens_beside_the_axis_part",
    defect=Defect(
        Kind.INTUITION,
        quotation=(
            r"$V = Q^\top K = I$, $n = d = 2$: from $(1, \varepsilon)$, $(1, -\varepsilon)$ both tokens tend to "
            r"$(1, 0)$, one cluster, while $P(t) \to I$."
        ),
        context=(
            r"Remark r:higherdimclus; $\varepsilon > 0$, $z_i = e^{-t} x_i$. We cannot tell whether $x_i$ or $z_i$ is "
            r"meant."
        ),
        wrong=(
            r"The $x_i$ move apart without bound, and the $z_i$ tend to $(1, c)$ and $(1, -c)$ with $c > 0$: two clusters."
        ),
        correction=r"$z(t) \to (1, \pm c)$ with $0 < c < \varepsilon$, and $P(t) \to I$.",
        consequences=(
            Consequence(
                "the remark, that rank and number of clusters need not agree for $d \\ge 2$",
                why=(
                    r"With another example: from $(1, 1)$, $(1, -1)$, $(0, 0)$ the third token stays on the axis, and "
                    r"$x_3$ at a bounded distance from the middle of $x_1$ and $x_2$. So the $z_i$ have three limits, "
                    r"but $P^*$ has the rows $(1, 0, 0)$, $(0, 1, 0)$, $(\tfrac12, \tfrac12, 0)$, and rank $2$."
                ),
                shown_by="clusters.attention_rank_is_at_most_the_number_of_limits",
            ),
        ),
    ),
)


# Two clusters are seen in balls as soon as c is; one cluster never would be.
@two_tokens_beside_the_axis_form_one_cluster.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def clusters_less_one(end: LedEnd, start: RescaledFlow):
    """The number of different limits of z, less 1."""
    return exact([end.number_of_limits - 1])


@two_tokens_beside_the_axis_form_one_cluster.by_hand(
    by_argument=True, z=[[1, 1], [1, -1]], beside=r"The certificate is the case $\varepsilon = 1$."
)
def the_second_coordinate(_: object):
    """x_2' = x_2 tanh(x_2^2), by symmetry."""
    yield (
        r"By symmetry the tokens stay $x = (e^t, \pm y(t))$ with $y(0) = \varepsilon$; each has the score $e^{2t} + y^2$ "
        r"with itself and $e^{2t} - y^2$ with the other."
    )
    yield r"So $\dot y = y (P_{11} - P_{12}) = y \tanh(y^2) > 0$: $y \to \infty$, hence $\tanh(y^2) \to 1$ and $P \to I$."
    yield (
        r"$z = (1, \pm e^{-t} y)$ with $\frac{d}{dt} \log(e^{-t} y) = \tanh(y^2) - 1 \ge -2 e^{-2 y^2}$, whose "
        r"integral is finite, for $y$ grows exponentially in the end: $e^{-t} y \to c > 0$."
    )


two_tokens_beside_the_axis_part = section.claim(
    where="Remark 7.9, corrected",
    statement="V = Q^T K = I, n = d = 2: from (1, s), (1, -s) the limits of z_1 and z_2 differ, and P(t) -> I.",
)


@two_tokens_beside_the_axis_part.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def clusters_less_rank(end: LedEnd, start: RescaledFlow, *, times=1):
    """The number of different limits of z, less the rank of P*."""
    return exact([end.number_of_limits - times * end.rank])


# Of the two, only z_1 has a positive second coordinate, so that the difference has a sign.
@two_tokens_beside_the_axis_part.limit("> 0", times=settling_times(leader_trap), trap=leader_trap)
def distance_in_the_end(end: LedEnd, start: RescaledFlow):
    """The second coordinate of lim z_1 less that of lim z_2."""
    return end.limits[:1, 1] - end.limits[1:, 1]
