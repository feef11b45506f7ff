"""The layer with tied weights is R^T softmax(R a), a weighted mean of its tokens; section 4.1 has two transposes wrong.

`row_margins_with_printed_transpose`: False (E22). V is T x d, so V^T beta_* makes sense only for T = d, and there it is
another vector than u = V beta_*.

`tied_layer_output`: With tokens R and values I the layer returns sum_j s_j R_j, s = softmax(R a). Its margin grows
along the gradient flow as it does for U softmax(U a), `tied_model_polarizes`.

`tied_layer_output_without_transpose`: False: the derivation just before gives R^T softmax(R a). The code of figure 11
runs U softmax(U a), a model in its own right.
"""

import numpy as np

from claims.polarization.setting.rows import square_values
from claims.stating.statement import Section
from dynamics.arithmetic import below_any_summit, exp
from dynamics.attention import average_over
from dynamics.training.row_attention import FullRowAttentionFlow
from dynamics.training.tied_attention import TiedFlow, TransposedTiedFlow

section = Section(__name__, refs=("E22",))

# T = d, so that V^T beta_* has a meaning at all.
row_margins_with_printed_transpose = section.claim(
    where="section 4.1, attention sinks, u = V^T beta_* taken at its word",
    note=(
        "V^T beta_* stands where V beta_* belongs: for V = [[0, 1], [0, 0]] and beta_* = (1, 0) every margin is "
        "0, and the printed one is 1/2. With u = V beta_* it is an identity."
    ),
    statement="u = V^T beta_*, so that <beta_*, beta[i]> = <S_i, V^T beta_*> for beta = softmax_rows(A) V.",
    system=FullRowAttentionFlow,
    assumptions=(square_values,),
    corrected_by="polarization.rows_follow_one_reduced_flow",
)


@row_margins_with_printed_transpose.identity()
def margins_are_weighted_transposed_values(f: FullRowAttentionFlow):
    """<beta_*, beta[i]> - <S_i, V^T beta_*>."""
    transposed = (f.V * f.beta_star[..., :, None]).sum(axis=-2)
    return f.m - (f.S * transposed[..., None, :]).sum(axis=-1)


tied_layer_output = section.claim(
    where="section 4.1, massive activations, the layer with tied weights",
    refs=("E22", "C-4.1b"),
    statement="The tied layer has output R^T softmax(R a).",
    system=TransposedTiedFlow,
)


# Written as an average with weights, not by the model's own output: it is what the output is compared with.
def mean_of_tokens(f):
    """The rows of U averaged with weights e^{<U_j, a>}, shape (..., D)."""
    scores = (f.U * f.a[..., None, :]).sum(axis=-1)
    weights = exp(below_any_summit(scores))[..., None, :]
    return average_over(np.ones((1, f.U.shape[-1]), dtype=bool), f.U, weights)[..., 0, :]


@tied_layer_output.identity()
def output_is_mean_of_tokens(f: TransposedTiedFlow, *, share=1):
    """R^T softmax(R a) - sum_j s_j R_j."""
    return share * f.output - mean_of_tokens(f)


@tied_layer_output.identity()
def margin_rate_formula(f: TransposedTiedFlow, *, share=1):
    """dm/dtau by the product rule, minus the squares of dR/dtau and da/dtau."""
    dU, da = f.velocity()
    return f.dm_dtau() - share * ((dU * dU).sum(axis=(-1, -2)) + (da * da).sum(axis=-1))


tied_layer_output_without_transpose = section.claim(
    where="section 4.1, massive activations, R sigma(R a) taken for the layer",
    note=(
        "R softmax(R a) stands where R^T softmax(R a) belongs: for R = [[0, 1], [0, 0]] and a = 0 the layer "
        "returns (0, 1/2), the mean of its rows, and the printed output is (1/2, 0). With R^T it is an identity."
    ),
    statement="The layer r_+ = V^T R^T softmax(...) with tied weights has output R softmax(R a).",
    system=TiedFlow,
    corrected_by="polarization.tied_layer_output",
)


@tied_layer_output_without_transpose.identity(name="output_is_mean_of_tokens")
def output_is_mean_without_transpose(f: TiedFlow):
    """R softmax(R a) - sum_j s_j R_j."""
    return f.output - mean_of_tokens(f)
