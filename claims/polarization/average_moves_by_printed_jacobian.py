"""dbeta/dt = (|s|^2 I + V J(s) V^T) r: false as printed, the Jacobian of softmax enters squared.

Proof of Lemma D.2 (polarization E12). Both matrices are positive semidefinite, so the lemma is unharmed.
"""

import numpy as np

from claims.defects import Consequence, Defect, Kind, tex
from claims.polarization import average_moves_by_squared_jacobian
from claims.polarization.setting.regression import square_model
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import FullLinearFlow

claim = Claim(
    __name__,
    where="proof of Lemma D.2",
    refs=("C-D2", "E12"),
    note=(
        "J(s) stands where J(s)^2 belongs: at V = [[1, 0], [0, 0]], a = 0 and beta_* = (1, 0) the first entry of "
        "dbeta/dt is less than the printed one by 1/8. With V J(s)^2 V^T it is an identity, and the lemma is "
        "unharmed."
    ),
    statement="dbeta/dt = [|s|^2 I + V (diag(s) - s s^T) V^T] r.",
    origin=Origin.PRINTED,
    system=FullLinearFlow,
    assumptions=(square_model,),
    standing=Standing.FALSE,
    corrected_by="polarization.average_moves_by_squared_jacobian",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\frac{d\beta}{dt} = (r s^\top) s + V (\mathrm{diag}(s) - s s^\top)^2 V^\top r"
            r" = \big[ \|s\|^2 I + V (\mathrm{diag}(s) - s s^\top) V^\top \big] r$."
        ),
        context=r"$\beta = V s$, $s = \sigma(a)$ is the softmax, and $r = -\nabla_\beta \ell$.",
        wrong=(
            r"The second equality drops a square: $V (\mathrm{diag}(s) - s s^\top)^2 V^\top$ became $V "
            r"(\mathrm{diag}(s) - s s^\top) V^\top$."
        ),
        correction=(
            r"$\frac{d\beta}{dt} = \big[ \|s\|^2 I + V (\mathrm{diag}(s) - s s^\top)^2 V^\top \big] r$,"
            r" and $M$ is defined with the square."
        ),
        consequences=(
            Consequence(
                "Lemma D.2",
                survives=True,
                why=r"With the square, too, the second term of $M$ is positive semidefinite.",
                shown_by="polarization.loss_decreases_at_gradient_rate",
            ),
        ),
    ),
)


@claim.identity()
def average_velocity(f: FullLinearFlow, *, times=1):
    """dbeta/dt along the flow minus |s|^2 r + V J(s) V^T r."""
    return average_moves_by_squared_jacobian.average_velocity(f, times=times)


@claim.by_hand(V=[[1, 0], [0, 0]], a=[0, 0], beta_star=[1, 0])
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
