"""The loss ignores a common shift of the scores, so the softmax flow conserves their sum (Lemma D.1).

`loss_ignores_common_score`: L(V, a + c 1) = L(V, a), hence <grad_a L, 1> = 0.

`descent_keeps_score_sum`: A linear invariant of the flow is also one of gradient descent, at any learning rate.

`power_maps_conserve_norm`: Other maps conserve sum_i H(a_i), H an antiderivative of f/f', because <f(a), u - m> = 0.
For the softmax f/f' = 1; for f(x) = x^k it is x/k, so |a|^2 is conserved.

`power_scores_keep_their_norm`: With s_i = a_i^k / sum_j a_j^k in place of softmax s does not change when a is
stretched, so <a, grad_a L> = 0. The flow keeps |a|^2; gradient descent adds rate^2 |grad_a L|^2 to it at each step.
"""

from claims.polarization.setting.maps import positive_map, power_map
from claims.stating.statement import Origin, Section
from dynamics.differentiation import gradient
from dynamics.training.gradient_descent import LogisticDescent, PowerDescent
from dynamics.training.score_maps import AnyMapFlow
from dynamics.training.value_softmax import FullLogisticFlow

section = Section(__name__)

loss_ignores_common_score = section.claim(
    where="Lemma D.1",
    refs=("C-D1a", "C-D1b", "M2(b)"),
    statement=(
        "For any c in R, we have, L(V, a) = L(V, a + c 1) ... <grad_a L(V, a), 1> = 0 ... sum_i da_i/dt = 0 ==> "
        "sum_i a_i(t) = sum_i a_i(0), for all t >= 0."
    ),
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
)


@loss_ignores_common_score.identity()
def shifted_loss(f: FullLogisticFlow, *, stretch=1):
    """L(V, stretch a + c 1) - L(V, a) for c = K, which is any positive number."""
    return f.replace(a=stretch * f.a + f.K[..., None]).loss() - f.loss()


# One term has a weight of its own, so that a wrong one can be planted: the sum itself has no constant to change.
@loss_ignores_common_score.identity()
def gradient_sum(f: FullLogisticFlow, *, weight=1):
    """sum_i dL/da_i, the first one taken `weight` times."""
    slopes = gradient(FullLogisticFlow.loss, f, "a")
    return weight * slopes[..., 0] + slopes[..., 1:].sum(axis=-1)


@loss_ignores_common_score.identity()
def score_sum_rate(f: FullLogisticFlow, *, weight=1):
    """d(sum_i a_i)/dt."""
    _, da = f.velocity()
    return weight * da[..., 0] + da[..., 1:].sum(axis=-1)


# Each step adds a vector of sum zero, however long it is.
descent_keeps_score_sum = section.claim(
    where="Lemma D.1(b), asked of gradient descent",
    refs=("C-D1b",),
    statement="sum_i a_i is the same at every step of gradient descent.",
    origin=Origin.CARRIED_OVER,
    system=LogisticDescent,
)


@descent_keeps_score_sum.identity()
def score_sum_after_three_steps(f: LogisticDescent, *, stretch=1):
    """sum_i a_i after three steps minus stretch times sum_i a_i."""
    return f.step().step().step().a.sum(axis=-1) - stretch * f.a.sum(axis=-1)


power_maps_conserve_norm = section.claim(
    where="Lemma D.1(b), for other maps",
    refs=("C-D1b", "S9"),
    statement="sum_i a_i(t) = sum_i a_i(0) for the softmax; |a(t)|^2 = |a(0)|^2 for f(x) = x^k.",
    system=AnyMapFlow,
    assumptions=(power_map,),
)


@power_maps_conserve_norm.identity()
def norm_rate(f: AnyMapFlow, *, power=1):
    """<a, da/dtau>."""
    return (f.a**power * f.da_dtau()).sum(axis=-1)


# H' = f/f', and sum_i (f/f')(a_i) a_i' = sum_i f_i (u_i - m) / F = 0 by the definition of m.
@power_maps_conserve_norm.identity(assuming=(positive_map,))
def total_rate(f: AnyMapFlow, *, power=1):
    """sum_i (f/f')(a_i) da_i/dtau, for any map."""
    return ((f.values / f.slopes) ** power * f.da_dtau()).sum(axis=-1)


# By Euler: the loss is homogeneous of degree 0 in a, so its gradient is orthogonal to a.
power_scores_keep_their_norm = section.claim(
    where="Lemma D.1(b), for f(x) = x^k",
    refs=("C-D1b",),
    statement="<a, grad_a L> = 0; the flow keeps |a|^2, a step of gradient descent adds rate^2 |grad_a L|^2.",
    system=PowerDescent,
)


@power_scores_keep_their_norm.identity()
def gradient_is_tangent(f: PowerDescent, *, weight=1):
    """<a, dL/da>, the first term taken `weight` times."""
    terms = f.a * gradient(PowerDescent.loss, f, "a")
    return weight * terms[..., 0] + terms[..., 1:].sum(axis=-1)


@power_scores_keep_their_norm.identity()
def norm_after_a_step(f: PowerDescent, *, growth=1):
    """|a_+|^2 - |a|^2 - rate^2 |dL/da|^2."""
    slopes, moved = gradient(PowerDescent.loss, f, "a"), f.step().a
    grown = (moved * moved).sum(axis=-1) - (f.a * f.a).sum(axis=-1)
    return grown - growth * f.rate * f.rate * (slopes * slopes).sum(axis=-1)
