"""The expansion of the slides: false, equal pairs are left out and the growth is counted twice.

Slide "Split the sum" (clusters Q4), with Q^T K = I. The sum is over k != l, and phi^*(e^{tV} z) has e^{lambda t} in it
already, so that the sum over all pairs is no better after time 0. With V diagonal the printed sum is 0, for <phi_k,
phi_l> = 0 there.
"""

import numpy as np

from claims.assumptions import identity_key_query
from claims.clusters.rescaling_keeps_attention import unscaled
from claims.clusters.scores_expand_in_eigenvectors import rates
from claims.clusters.setting import scores
from claims.clusters.setting.hypotheses_for_limits import diagonal_value_that_leads, leading_direction
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp, indicator
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Split the sum', proof of Theorem 3",
    refs=("Q4",),
    note=(
        "One token at 1 with V = 1 has the score 1, and the sum over k != l is empty; nor is e^{lambda t} needed "
        "beside phi^*(e^{tV} z), which has it already. The sum is over all pairs k, l, and of phi^*(z) instead."
    ),
    statement=(
        "Recall: w_j(t) = <e^{tV} z_i(t), e^{tV} z_j(t)> = "
        "sum_{k != l} e^{(lambda_k + lambda_l)t} phi_k^*(e^{tV} z_i(t)) phi_l^*(e^{tV} z_j(t))."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_key_query, diagonal_value_that_leads, leading_direction),
    standing=Standing.FALSE,
    corrected_by="clusters.scores_expand_in_eigenvectors",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"Recall: $w_j(t) = \langle e^{tV} z_i(t), e^{tV} z_j(t) \rangle = \sum_{k \neq l} e^{(\lambda_k + "
            r"\lambda_l) t} \varphi_k^*(e^{tV} z_i(t)) \varphi_l^*(e^{tV} z_j(t))$."
        ),
        context=(
            r"$Q^\top K = I_d$, $V$ diagonalizable with eigenvectors $\varphi_k$, eigenvalues $\lambda_k$ and "
            r"dual basis $\varphi_k^*$."
        ),
        wrong=(
            r"The sum leaves out $k = l$, and the growth stands there twice: $\varphi_k^*(e^{tV} z) = "
            r"e^{\lambda_k t} \varphi_k^*(z)$ already."
        ),
        correction=(
            r"$w_j(t) = \sum_{k, l} \langle \varphi_k, \varphi_l \rangle e^{(\lambda_k + \lambda_l) t} "
            r"\varphi_k^*(z_i) \varphi_l^*(z_j)$."
        ),
        consequences=(
            Consequence(
                "Theorem 3",
                survives=True,
                why=r"The term of the largest eigenvalue, which the proof uses, is in the right sum.",
                shown_by="clusters.scores_expand_in_eigenvectors",
            ),
        ),
    ),
)


@claim.identity()
def score_less_printed_sum(f: RescaledFlow):
    """<x_i, x_j> - sum_{k != l} e^{(lambda_k + lambda_l) t} x_ik x_jl."""
    x, apart = unscaled(f).x, ~np.eye(f.z.shape[-1], dtype=bool)
    return scores(x, f.B) - scores(x, indicator(apart, f.V) * exp(rates(f) * f.t[..., None, None]))


@claim.identity()
def score_less_sum_over_all_pairs(f: RescaledFlow):
    """<x_i, x_j> - sum_{k, l} e^{(lambda_k + lambda_l) t} x_ik x_jl: the sum with "k != l" taken for a slip."""
    x = unscaled(f).x
    return scores(x, f.B) - scores(x, exp(rates(f) * f.t[..., None, None]))


@claim.by_hand(z=[[1]], B=[[1]], V=[[1]], t=0)
def one_token(f: RescaledFlow):
    """A single eigenvector leaves no pair k != l."""
    score = f.z[0, 0] * f.z[0, 0]
    yield rf"Take $d = n = 1$, $V = 1$, $z_1 = {tex(f.z[0, 0])}$, $t = 0$."
    yield rf"The score is $w_1 = 1 \cdot 1 = {tex(score)}$; the sum over $k \neq l$ is empty, hence $0$."
