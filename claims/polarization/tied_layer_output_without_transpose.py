"""The tied layer is R softmax(R a): false, the derivation just before gives R^T softmax(R a).

Section 4.1 (polarization E22). The layer returns a weighted mean of the rows of R, and R s is none. (Figure 11's code
runs U softmax(U a), a model in its own right: `tied_model_polarizes`.)
"""

from claims.polarization.tied_layer_output import mean_of_tokens
from claims.statement import Claim, Origin, Standing
from dynamics.training.tied_attention import TiedFlow

claim = Claim(
    __name__,
    where="section 4.1, massive activations, R sigma(R a) taken for the layer",
    refs=("E22",),
    note=(
        "R softmax(R a) stands where R^T softmax(R a) belongs: for R = [[0, 1], [0, 0]] and a = 0 the layer "
        "returns (0, 1/2), the mean of its rows, and the printed output is (1/2, 0). With R^T it is an identity."
    ),
    statement="The layer r_+ = V^T R^T softmax(...) with tied weights has output R softmax(R a).",
    origin=Origin.OURS,
    system=TiedFlow,
    standing=Standing.FALSE,
    corrected_by="polarization.tied_layer_output",
)


@claim.identity()
def output_is_mean_of_tokens(f: TiedFlow):
    """R softmax(R a) - sum_j s_j R_j."""
    return f.output - mean_of_tokens(f)
