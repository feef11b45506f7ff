"""The loss decreases at least at the rate |grad_beta l|^2 / p (Lemma D.2); a display in its proof lacks a square.

`weights_move_by_squared_jacobian`: ds/dt = J(s) da/dt = J(s)^2 V^T r. Only r = -grad_beta l enters, so r may be any
vector.

`average_moves_by_squared_jacobian`: beta = V s moves with V' s = |s|^2 r and with V s' = V J(s)^2 V^T r.

`average_moves_by_printed_jacobian`: False as printed (E12). Both matrices are positive semidefinite, so the lemma is
unharmed.

`loss_decreases_at_dimension_rate`: Lemma D.2 prints the dimension d of beta for the number p of scores. It needs p <= d,
and is stated here for p = d: for V = 0 and uniform s, dl/dt = -|grad_beta l|^2 / p for any d.

`loss_decreases_at_gradient_rate`: True for every d and p: dl/dt = -|s|^2 |r|^2 - |J(s) V^T r|^2, and |s|^2 >= 1/p.
Equality holds for uniform s and V^T r proportional to 1.
"""

import numpy as np

from claims.polarization.setting.regression import square_model
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import FullLinearFlow

section = Section(__name__, refs=("C-D2", "E12"), system=FullLinearFlow)

weights_move_by_squared_jacobian = section.claim(
    where="appendix B; proof of Lemma D.2",
    refs=("C-ds",),
    statement="ds/dt = (diag(s) - s s^T)^2 V^T r.",
    origin=Origin.PRINTED,
)


# J x without forming J: the square in the lemma is this applied twice.
def times_softmax_jacobian(s, x):
    """J(s) x."""
    return s * (x - (s * x).sum(axis=-1, keepdims=True))


def pulled_back(f):
    """V^T r."""
    return (f.V * f.residual()[..., :, None]).sum(axis=-2)


@weights_move_by_squared_jacobian.identity()
def weight_velocity(f: FullLinearFlow, *, times=2):
    """ds/dt along the flow minus J(s) applied `times` times to V^T r."""
    x = pulled_back(f)
    for _ in range(times):
        x = times_softmax_jacobian(f.s, x)
    return time_derivative(lambda g: g.s, f) - x


average_moves_by_squared_jacobian = section.claim(
    where="proof of Lemma D.2, corrected",
    statement="dbeta/dt = (|s|^2 I + V J(s)^2 V^T) r.",
)


# `times` is the exponent that the printed display has wrong: 2 here, and 1 in the claim as printed.
@average_moves_by_squared_jacobian.identity()
def average_velocity(f: FullLinearFlow, *, times=2):
    """dbeta/dt along the flow minus |s|^2 r + V J(s)^times V^T r."""
    x = pulled_back(f)
    for _ in range(times):
        x = times_softmax_jacobian(f.s, x)
    kept = (f.s * f.s).sum(axis=-1, keepdims=True) * f.residual()
    return time_derivative(lambda g: g.beta, f) - kept - (f.V * x[..., None, :]).sum(axis=-1)


average_moves_by_printed_jacobian = section.claim(
    where="proof of Lemma D.2",
    note=(
        "J(s) stands where J(s)^2 belongs: at V = [[1, 0], [0, 0]], a = 0 and beta_* = (1, 0) the first entry of dbeta/dt "
        "is less than the printed one by 1/8. With V J(s)^2 V^T it is an identity, and the lemma is unharmed."
    ),
    statement="dbeta/dt = [|s|^2 I + V (diag(s) - s s^T) V^T] r.",
    origin=Origin.PRINTED,
    assumptions=(square_model,),
    corrected_by="polarization.average_moves_by_squared_jacobian",
    defect=Defect(
        Kind.LEMMA,
        quotation=(
            r"$\frac{d\beta}{dt} = \dots = (r s^\top) s + V (\mathrm{diag}(s) - s s^\top)^2 V^\top r"
            r" = \big[ \|s\|^2 I + V (\mathrm{diag}(s) - s s^\top) V^\top \big] r$."
        ),
        context=(
            r"$\beta = V s$, $s = \sigma(a)$ is the softmax, and $r = -\nabla_\beta \ell$. The matrix in the brackets is "
            r"then called $M(s, V)$, and shown to be positive definite as it stands."
        ),
        wrong=(
            r"The second equality drops a square: $V (\mathrm{diag}(s) - s s^\top)^2 V^\top$ became $V "
            r"(\mathrm{diag}(s) - s s^\top) V^\top$."
        ),
        correction=(
            r"$\frac{d\beta}{dt} = \big[ \|s\|^2 I + V (\mathrm{diag}(s) - s s^\top)^2 V^\top \big] r$,"
            r" and $M$ is defined with the square, here and below."
        ),
        consequences=(
            Consequence(
                "Lemma D.2",
                why=(
                    r"With the square, too, the second term of $M$ is positive semidefinite: $u^\top V (\mathrm{diag}(s) - "
                    r"s s^\top)^2 V^\top u = \|(\mathrm{diag}(s) - s s^\top) V^\top u\|^2$."
                ),
                shown_by="polarization.loss_decreases_at_gradient_rate",
            ),
        ),
    ),
)


@average_moves_by_printed_jacobian.identity(name="average_velocity")
def average_velocity_by_printed_jacobian(f: FullLinearFlow, *, times=1):
    """dbeta/dt along the flow minus |s|^2 r + V J(s) V^T r."""
    return average_velocity(f, times=times)


@average_moves_by_printed_jacobian.by_hand(V=[[1, 0], [0, 0]], a=[0, 0], beta_star=[1, 0])
def the_two_matrices(f: FullLinearFlow):
    """V J(s) V^T and V J(s)^2 V^T at equal scores."""
    s, V = f.s, f.V
    J = np.diag(s) - s[:, None] * s[None, :]
    once, twice = V @ J @ V.T, V @ J @ J @ V.T
    yield rf"Take $p = d = 2$, $a = {tex(f.a)}$ and $V = {tex(V)}$. Then $s = {tex(s)}$."
    yield rf"$J = \mathrm{{diag}}(s) - s s^\top = {tex(J)}$ and $J^2 = {tex(J @ J)}$."
    yield rf"$(V J V^\top)_{{11}} = {tex(once[0, 0])}$, but $(V J^2 V^\top)_{{11}} = {tex(twice[0, 0])}$."
    yield (
        rf"So the two sides differ by ${tex(once[0, 0] - twice[0, 0])} r_1$ in their first entry, for every $r$ "
        rf"with $r_1 \neq 0$."
    )


loss_decreases_at_dimension_rate = section.claim(
    where="Lemma D.2, for square V",
    statement="dl(beta)/dt <= -(1/d) |grad_beta l|^2",
    origin=Origin.PRINTED,
    assumptions=(square_model,),
)


# By the two squared velocities: along a gradient flow they are the rate, and both are >= 0.
@loss_decreases_at_dimension_rate.state(">= 0")
def loss_decay(f: FullLinearFlow, *, rate=1):
    """-dl/dt - |r|^2 / d, with dl/dt = -|dV/dt|^2 - |da/dt|^2 along the gradient flow."""
    dV, da = f.velocity()
    r = f.residual()
    return (dV * dV).sum(axis=(-2, -1)) + (da * da).sum(axis=-1) - rate * (r * r).sum(axis=-1) / r.shape[-1]


loss_decreases_at_gradient_rate = section.claim(
    where="appendix C.1, of Lemma D.2",
    refs=("C-D2", "M2(j)", "E12"),
    statement="From the Lemma D.2, we have that, dl(beta)/dt <= -(1/p) |grad_beta l|^2.",
    origin=Origin.PRINTED,
)


def _squared(x):
    return (x * x).sum(axis=-1)


# p, the length of the softmax, whatever the dimension of beta: |s|^2 >= 1/p is Cauchy's inequality for p numbers.
@loss_decreases_at_gradient_rate.state(">= 0", name="loss_decay")
def loss_decay_at_gradient_rate(f: FullLinearFlow, *, rate=1):
    """-dl/dt - |r|^2 / p."""
    return -time_derivative(FullLinearFlow.loss, f) - rate * _squared(f.residual()) / f.a.shape[-1]


# What is dropped for the bound is |J(s) V^T r|^2 and |s|^2 - 1/p: equality where both vanish.
@loss_decreases_at_gradient_rate.identity()
def loss_decay_formula(f: FullLinearFlow, *, mass=1):
    """dl/dt along the flow + |s|^2 |r|^2 + |J(s) V^T r|^2."""
    moved = _squared(times_softmax_jacobian(f.s, pulled_back(f)))
    return time_derivative(FullLinearFlow.loss, f) + mass * _squared(f.s) * _squared(f.residual()) + moved
