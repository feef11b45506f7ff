"""A score is a sum over all pairs of eigenvectors of V, not over different ones as printed.

`scores_expand_in_eigenvectors`: The corrected expansion: w_ij = sum_{k,l} e^{(lambda_k + lambda_l) t} <Q phi_k, K phi_l>
phi_k^*(z_i) phi_l^*(z_j). In the eigenbasis <Q phi_k, K phi_l> is B_kl; the left side is computed through e^{tV}.

`scores_expand_in_different_eigenvectors`: Slide "Split the sum", with Q^T K = I, has the sum over k != l and phi^*(e^{tV}
z), which contains e^{lambda t} already. So with all pairs it would still be wrong after time 0. Tested for diagonal V.

`scores_follow_the_leading_eigenvector`: The consequence (`e:majorizeweights`), which is true: up to C e^{(lambda_1 +
|lambda_2|) t} a score is c e^{2 lambda_1 t} f_i f_j. Here C is the sum over the other pairs of |<Q phi_k, K phi_l>| C_k
C_l, with C_k the largest initial |phi_k^*(x_j)|. It follows from the growth of coordinates; decided at one state, times the
growth since.
"""

import numpy as np
from flint import fmpq

from claims.clusters.rescaling_keeps_attention import unscaled
from claims.clusters.setting.hypotheses import diagonal_value, sorted_rates
from claims.clusters.setting.hypotheses_for_limits import diagonal_value_that_leads, leading_direction
from claims.clusters.setting.notation import scores, sizes
from claims.clusters.setting.starts import one_pair_or_any
from claims.stating.assumptions import identity_key_query
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exp, indicator, numbers, transposed
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, refs=("Q4",), system=RescaledFlow)

scores_expand_in_eigenvectors = section.claim(
    where="slide 'Split the sum', proof of Theorem 3, corrected",
    statement="w_ij = sum_{k,l} e^{(lambda_k + lambda_l) t} <Q phi_k, K phi_l> phi_k^*(z_i) phi_l^*(z_j).",
    assumptions=(diagonal_value,),
)


def rates(f: RescaledFlow) -> Array:
    """lambda_k + lambda_l, shape (..., d, d)."""
    values = f.V.diagonal(axis1=-2, axis2=-1)
    return numbers(values[..., :, None] + values[..., None, :])


# The left side goes through e^{tV} as a matrix, the right side through exponentials of numbers: no formula is shared.
@scores_expand_in_eigenvectors.identity()
def score_less_expansion(f: RescaledFlow, *, times=1):
    """<x_i, B x_j> less the sum over all pairs, relative to e^{(lambda_k + lambda_l) t}: shape (..., n, n)."""
    return scores(unscaled(f).x, f.B) - scores(f.z, f.B * exp(times * rates(f) * f.t[..., None, None]))


scores_expand_in_different_eigenvectors = section.claim(
    where="slide 'Split the sum', proof of Theorem 3",
    note=(
        "One token at 1 with V = 1 has the score 1, but the sum over k != l is empty, and e^{lambda t} is counted twice, "
        "since phi^*(e^{tV} z) contains it. The sum is over all pairs k, l, and of phi^*(z)."
    ),
    statement=(
        "Recall: w_j(t) = <e^{tV} z_i(t), e^{tV} z_j(t)> = "
        "sum_{k != l} e^{(lambda_k + lambda_l)t} phi_k^*(e^{tV} z_i(t)) phi_l^*(e^{tV} z_j(t))."
    ),
    origin=Origin.PRINTED,
    assumptions=(identity_key_query, diagonal_value_that_leads, leading_direction),
    corrected_by="clusters.scores_expand_in_eigenvectors",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"Recall: $w_j(t) = \langle e^{tV} z_i(t), e^{tV} z_j(t) \rangle = \sum_{k \neq \ell} e^{(\lambda_k + "
            r"\lambda_\ell) t} \varphi_k^*(e^{tV} z_i(t)) \varphi_\ell^*(e^{tV} z_j(t))$."
        ),
        context=(
            r"$Q^\top K = I_d$, $V$ diagonalizable with eigenvectors $\varphi_k$, eigenvalues $\lambda_k$ and "
            r"dual basis $\varphi_k^*$."
        ),
        wrong=(
            r"The sum leaves out $k = \ell$ and the factors $\langle \varphi_k, \varphi_\ell \rangle$, and counts the "
            r"growth twice, for $\varphi_k^*(e^{tV} z) = e^{\lambda_k t} \varphi_k^*(z)$."
        ),
        correction=(
            r"$w_j(t) = \sum_{k, \ell} \langle \varphi_k, \varphi_\ell \rangle e^{(\lambda_k + \lambda_\ell) t} "
            r"\varphi_k^*(z_i(t)) \varphi_\ell^*(z_j(t))$."
        ),
        consequences=(
            Consequence("Theorem 3", why=r"The term of the largest eigenvalue, which the proof uses, is in the right sum."),
        ),
    ),
)


@scores_expand_in_different_eigenvectors.identity()
def score_less_printed_sum(f: RescaledFlow):
    """<x_i, x_j> - sum_{k != l} e^{(lambda_k + lambda_l) t} x_ik x_jl."""
    x, apart = unscaled(f).x, ~np.eye(f.z.shape[-1], dtype=bool)
    return scores(x, f.B) - scores(x, indicator(apart, f.V) * exp(rates(f) * f.t[..., None, None]))


# "k != l" may be a slip of the pen, so that the sum over all pairs is asked as well. It is right at t = 0 only.
@scores_expand_in_different_eigenvectors.identity()
def score_less_sum_over_all_pairs(f: RescaledFlow):
    """<x_i, x_j> - sum_{k, l} e^{(lambda_k + lambda_l) t} x_ik x_jl: the sum with "k != l" taken for a slip."""
    x = unscaled(f).x
    return scores(x, f.B) - scores(x, exp(rates(f) * f.t[..., None, None]))


@scores_expand_in_different_eigenvectors.by_hand(z=[[1]], B=[[1]], V=[[1]], t=0)
def one_token(f: RescaledFlow):
    """A single eigenvector leaves no pair k != l."""
    score = f.z[0, 0] * f.z[0, 0]
    yield rf"Take $d = n = 1$, $V = 1$, $z_1 = {tex(f.z[0, 0])}$, $t = 0$."
    yield rf"The score is $w_1 = 1 \cdot 1 = {tex(score)}$; the sum over $k \neq \ell$ is empty, hence $0$."
    yield (
        r"With $k = \ell$ the sum is still wrong after time $0$: $z_1(t) = 1$ throughout and $w_1(t) = e^{t} \cdot e^{t} = "
        r"e^{2t}$, but $e^{(1 + 1) t} \cdot e^{t} \cdot e^{t} = e^{4t}$."
    )


# The bound is attained where one pair (k, l) is all that B has; then 65/64 leaves it a margin that balls see.
ALMOST_ONE = fmpq(65, 64)
"""Above 1, where the bound is attained: no ball tells that nothing is left."""

scores_follow_the_leading_eigenvector = section.claim(
    where="equation (e:majorizeweights)",
    statement=(
        "If lambda_1 > |lambda_2| >= ... then |w_ij - c e^{2 lambda_1 t} f_i f_j| <= C e^{(lambda_1 + |lambda_2|) t}, "
        "c = <Q phi_1, K phi_1>."
    ),
    origin=Origin.REPORTED,
    assumptions=(diagonal_value, sorted_rates),
    draw=one_pair_or_any,
)


def in_x(f: RescaledFlow) -> Array:
    """x = e^{tV} z for diagonal V."""
    return f.z * exp(f.V.diagonal(axis1=-2, axis2=-1) * f.t[..., None])[..., None, :]


def other_pairs(f: RescaledFlow, start: RescaledFlow) -> Array:
    """C: the sum over (k, l) != (1, 1) of |B_kl| C_k C_l, shape (..., 1, 1)."""
    most = sizes(abs(transposed(in_x(start))))
    d = f.V.shape[-1]
    first = indicator(np.arange(d * d).reshape(d, d) == 0, f.V)
    return (abs(f.B) * (1 - first) * most[..., :, None] * most[..., None, :]).sum(axis=(-2, -1))[..., None, None]


def growth(f: RescaledFlow, start: RescaledFlow) -> Array:
    """e^{(lambda_1 + |lambda_2|) t} since the start, shape (..., 1, 1); |lambda_2| = 0 on the line."""
    second = abs(f.V[..., 1, 1]) if f.V.shape[-1] > 1 else 0 * f.V[..., 0, 0]
    return exp((f.V[..., 0, 0] + second) * (f.t - start.t))[..., None, None]


def remainder(f: RescaledFlow) -> Array:
    """w_ij - c e^{2 lambda_1 t} f_i f_j, shape (..., n, n)."""
    x = in_x(f)
    return scores(x, f.B) - f.B[..., :1, :1] * x[..., :1] * transposed(x[..., :1])


# The remainder is bounded from both sides, and not by its size: a power series has no |.| where it changes its sign.
@scores_follow_the_leading_eigenvector.rate(">= 0", horizon=lambda start: fmpq(1, 4))
def bound_less_remainder(now: RescaledFlow, start: RescaledFlow, *, share=ALMOST_ONE):
    """share C e^{(lambda_1 + |lambda_2|) t} - |w_ij - c e^{2 lambda_1 t} f_i f_j|, where C is not 0."""
    bound = other_pairs(start, start) * int(share.p) / int(share.q)
    if not (bound != 0).all():
        return bound[:0, 0]
    rest = remainder(now)
    grown = bound * growth(now, start)
    return np.concatenate([grown - rest, grown + rest])
