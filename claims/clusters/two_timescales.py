"""At late times a rescaled token moves towards the mean of the tokens of largest score, up to an exponentially small part.

`softmax_drift_is_near_hardmax`: The corrected slide, with V = I and beta = e^{2t}. The other tokens have weight at most
sum_j e^{-beta (max s - s_j)} / |argmax|. The factor 2 in the statement keeps the margin visible even at e^-10^12.

`softmax_drift_is_near_the_sum_over_leaders`: Slide "Two timescales" has the sum over the argmax; tested with the bound that
holds for the mean. Where two tokens lead the sum is twice too long, at every late time.
"""

from claims.clusters.setting.hypotheses_for_limits import late
from claims.clusters.setting.notation import scores
from claims.clusters.setting.starts import token_at_0_or_any
from claims.stating.assumptions import definite_key_query, identity_value
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, below_peak, exp, indicator, numbers, peak, transposed
from dynamics.attention import average_over, leaders
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, refs=("TS",), system=RescaledFlow)

# At any time, not only late: beta = 1 makes the bound weak and not false.
softmax_drift_is_near_hardmax = section.claim(
    where="slide 'Two timescales', corrected",
    statement=(
        "If V = I then z_i' differs from the mean of z_j - z_i over the argmax by at most "
        "(2/|argmax|) sum_{j not in argmax} e^{-beta (max_k s_ik - s_ij)} times the diameter."
    ),
    assumptions=(identity_value, definite_key_query),
)


# The sum over the leaders is at least |argmax| times the largest exponential: so the rest has at most this weight.
def weight_of_others(f: RescaledFlow) -> Array:
    """sum_{j not in argmax} e^{-beta (max_k s_ik - s_ij)} / |argmax|, half the bound's factor, shape (..., n, 1)."""
    s = scores(f.z, f.B)
    leading = indicator(leaders(s), f.z)
    far = exp(numbers(exp(2 * f.t)[..., None, None] * below_peak(s)))
    return ((1 - leading) * far).sum(axis=-1, keepdims=True) / leading.sum(axis=-1, keepdims=True)


def widths(f: RescaledFlow) -> Array:
    """max_j z_jk - min_j z_jk for each coordinate, shape (..., 1, d)."""
    columns = transposed(f.z)
    return transposed(peak(columns) + peak(-columns))


# Leaders share one weight, 1/|argmax| less a part of the rest, and their differences to their mean cancel.
def excess(f: RescaledFlow) -> Array:
    """z_i' less the mean of z_j - z_i over the argmax, shape (..., n, d): leaders have equal weights, and drop out."""
    mask = leaders(scores(f.z, f.B))
    apart = f.z[..., None, :, :] - average_over(mask, f.z)[..., :, None, :]
    others = (1 - indicator(mask, f.z)) * f.attention()
    return (others[..., None] * apart).sum(axis=-2)


@softmax_drift_is_near_hardmax.state(">= 0")
def bound_less_difference(f: RescaledFlow, *, share=2):
    """share/2 times the bound less |z_i' - mean over the argmax of (z_j - z_i)|, by coordinates."""
    return share * weight_of_others(f) * widths(f) - abs(excess(f))


softmax_drift_is_near_the_sum_over_leaders = section.claim(
    where="slide 'Two timescales'",
    note=(
        "The factor 1/|argmax| is missing: for tokens 0 and 1 at t = 2 the first has both as maximisers and moves at "
        "velocity 1/2, while the sum is 1. The velocity is near the mean over the argmax, up to the weight of the other "
        "tokens."
    ),
    statement=(
        "Once t = O(1): e^{2t} = beta is gigantic, and sum_j (e^{beta <Az_i, Az_j>} / sum_k e^{beta <Az_i, Az_k>}) (z_j - "
        "z_i) ~ sum_{j in argmax_k <Az_i, Az_k>} (z_j - z_i)."
    ),
    origin=Origin.PRINTED,
    assumptions=(identity_value, definite_key_query, late),
    draw=token_at_0_or_any,
    corrected_by="clusters.softmax_drift_is_near_hardmax",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"Once $t = O(1)$: $e^{2t} = \beta$ is gigantic, and $\sum_{j=1}^n \Big( \frac{e^{\beta \langle A z_i(t), A "
            r"z_j(t) \rangle}}{\sum_{k=1}^n e^{\beta \langle A z_i(t), A z_k(t) \rangle}} \Big) (z_j(t) - z_i(t)) \approx "
            r"\sum_{j \in \mathrm{argmax}_{k \in [n]} \langle A z_i(t), A z_k(t) \rangle} (z_j(t) - z_i(t))$."
        ),
        context=r"$V = I_d$, $A = (Q^\top K)^{1/2}$.",
        wrong=r"The factor $1 / |\mathrm{argmax}|$ is missing on the right.",
        correction=(
            r"$\dots \approx \frac{1}{|\mathrm{argmax}|} \sum_{j \in \mathrm{argmax}_{k \in [n]} \langle A z_i(t), A "
            r"z_k(t) \rangle} (z_j(t) - z_i(t))$."
        ),
        consequences=(
            Consequence(
                "the heuristic of two time scales",
                why=r"With the mean; where the maximum is attained once, nothing changes.",
            ),
        ),
    ),
)


# Where one token leads, mean and sum are the same: only ties refute the slide, and random starts have few.
@softmax_drift_is_near_the_sum_over_leaders.state(">= 0", name="bound_less_difference")
def bound_less_difference_from_the_sum(f: RescaledFlow):
    """The bound for the mean less |z_i' - sum over the argmax of (z_j - z_i)|, by coordinates."""
    mask = leaders(scores(f.z, f.B))
    leading = indicator(mask, f.z)
    total = leading @ f.z - leading.sum(axis=-1, keepdims=True) * f.z
    more = 1 / leading.sum(axis=-1, keepdims=True) - 1  # the mean less the sum, exactly 0 where one leads
    return 2 * weight_of_others(f) * widths(f) - abs(excess(f) + more * total)


@softmax_drift_is_near_the_sum_over_leaders.by_hand(z=[[0], [1]], B=[[1]], V=[[1]], t=2)
def two_leaders(f: RescaledFlow):
    """The token 0 has both for leaders, with weights 1/2."""
    yield rf"Take $d = 1$, $A = 1$, tokens $z_1 = {tex(f.z[0, 0])}$ and $z_2 = {tex(f.z[1, 0])}$, any $\beta$."
    yield (
        r"$z_1 = 0$ has scores $0$ and $0$: both weights are $\tfrac12$, and the left side is $\tfrac12 \cdot 0 "
        r"+ \tfrac12 \cdot 1 = \tfrac12$."
    )
    yield r"Both tokens attain the maximum, and the right side is $0 + 1 = 1$."
