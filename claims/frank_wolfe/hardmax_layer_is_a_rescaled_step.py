"""A hardmax layer x_i -> x_i + V y_i, y_i the average of its leaders, is the hardmax step z_i -> z_i + P (y_i - z_i).

Sections 1.1 and 1.2, `eq: rescaled.Tformers` and `eq: hardmax.dynamics.V` (frank_wolfe FW-M2, FW-M3), for
z^t = (I + V)^{-t} x^t. Averages of leaders move with the tokens under A = (I + V)^t, and the leaders of z under A^T B A are
those of x.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import invertible_step
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator, inverse, transposed
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="sections 1.1 and 1.2, eq: rescaled.Tformers, eq: hardmax.dynamics.V",
    refs=("FW-M2", "FW-M3"),
    statement="With z^t = (I+V)^{-t} x^t the hardmax layer is z_i + P (y_i - z_i), y_i the average of the leaders of z_i.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(invertible_step,),
)


@claim.identity()
def layer_less_rescaled_step(f: HardmaxStep, *, share=1):
    """z^{t+1} of the layer minus the hardmax step of z^t, for the tokens of the instance as x^t, t = 0 and 1."""
    eye = indicator(np.eye(f.P.shape[-1], dtype=bool), f.P)
    shrink = eye - f.P
    grow = inverse(shrink)
    after = (f.x + f.targets() @ transposed(grow @ f.P)) @ transposed(shrink)
    defects = []
    for A, back in ((eye, eye), (grow, shrink)):
        rescaled = f.replace(x=f.x @ transposed(back), B=transposed(A) @ f.B @ A, P=share * f.P)
        defects.append(after @ transposed(back) - rescaled.step().x)
    return np.stack(defects, axis=-3)
