"""Row-wise attention, m_i = <S_i, V^T beta_*>: false, V has a row for each token and u is V beta_*.

Section 4.1, the formula taken at its word (polarization E22). V is T x d, so V^T beta_* makes sense only for T = d,
and there it is another vector.
"""

from claims.polarization.setting.rows import square_values
from claims.statement import Claim, Origin, Standing
from dynamics.training.row_attention import FullRowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1, attention sinks, u = V^T beta_* taken at its word",
    refs=("E22",),
    note=(
        "V^T beta_* stands where V beta_* belongs: for V = [[0, 1], [0, 0]] and beta_* = (1, 0) every margin is "
        "0, and the printed one is 1/2. With u = V beta_* it is an identity."
    ),
    statement="u = V^T beta_*, so that <beta_*, beta[i]> = <S_i, V^T beta_*> for beta = softmax_rows(A) V.",
    origin=Origin.OURS,
    system=FullRowAttentionFlow,
    assumptions=(square_values,),
    standing=Standing.FALSE,
    corrected_by="polarization.rows_follow_one_reduced_flow",
)


@claim.identity()
def margins_are_weighted_transposed_values(f: FullRowAttentionFlow):
    """<beta_*, beta[i]> - <S_i, V^T beta_*>."""
    transposed = (f.V * f.beta_star[..., :, None]).sum(axis=-2)
    return f.m - (f.S * transposed[..., None, :]).sum(axis=-1)
