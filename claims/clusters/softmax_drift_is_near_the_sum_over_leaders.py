"""At late times a rescaled token moves by the sum over its leaders: false where two lead.

Slide "Two timescales" (clusters TS), with the bound that holds for the mean. Where two tokens lead, at every late time, the
printed sum is twice too long.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import scores
from claims.clusters.setting.hypotheses_for_limits import late
from claims.clusters.softmax_drift_is_near_hardmax import excess, weight_of_others, widths
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import indicator
from dynamics.attention import leaders
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="slide 'Two timescales'",
    refs=("TS",),
    note=(
        "The factor 1/|argmax| is missing: of 0 and 1 at t = 2 the first has both for leaders and moves at "
        "velocity 1/2, and the sum over the leaders is 1. It is near the mean over the leaders, up to what the "
        "other tokens weigh."
    ),
    statement=(
        "Once t = O(1): e^{2t} = beta is gigantic, and "
        "sum_j (e^{beta <Az_i, Az_j>} / sum_k e^{beta <Az_i, Az_k>}) (z_j - z_i) "
        "~ sum_{j in argmax_k <Az_i, Az_k>} (z_j - z_i)."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query, late),
    standing=Standing.FALSE,
    corrected_by="clusters.softmax_drift_is_near_hardmax",
)


@claim.state(">= 0")
def bound_less_difference(f: RescaledFlow):
    """The bound for the mean less |z_i' - sum over the argmax of (z_j - z_i)|, by coordinates."""
    mask = leaders(scores(f.z, f.B))
    leading = indicator(mask, f.z)
    total = leading @ f.z - leading.sum(axis=-1, keepdims=True) * f.z
    more = 1 / leading.sum(axis=-1, keepdims=True) - 1  # the mean less the sum, exactly 0 where one leads
    return 2 * weight_of_others(f) * widths(f) - abs(excess(f) + more * total)
