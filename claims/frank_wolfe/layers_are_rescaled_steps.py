"""A layer with values V is a step with P = (I + V)^{-1} V for the rescaled tokens z^t = (I + V)^{-t} x^t.

Exact for constant V with I + V invertible. The scores are those of x, or of z under A^T B A with A = (I + V)^t.

`hardmax_layer_is_a_rescaled_step`: The layer x_i -> x_i + V y_i, y_i the average of the leaders of x_i. Averages move with
the tokens under A, and the leaders of z under A^T B A are those of x.

`layer_is_a_rescaled_step`: The layer x_i -> x_i + V sum_j a_ij x_j.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import invertible_layer, invertible_step
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import indicator, inverse, transposed
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.self_attention import SelfAttentionFlow

section = Section(__name__, origin=Origin.REPORTED)

hardmax_layer_is_a_rescaled_step = section.claim(
    where="sections 1.1 and 1.2, eq: rescaled.Tformers, eq: hardmax.dynamics.V",
    refs=("FW-M2", "FW-M3"),
    statement="With z^t = (I+V)^{-t} x^t the hardmax layer is z_i + P (y_i - z_i), y_i the average of the leaders of z_i.",
    system=HardmaxStep,
    assumptions=(invertible_step,),
)


# Two steps are enough: with A = (I + V)^t every later one is of this form, with another A.
@hardmax_layer_is_a_rescaled_step.identity(name="layer_less_rescaled_step")
def hardmax_layer_less_rescaled_step(f: HardmaxStep, *, share=1):
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


layer_is_a_rescaled_step = section.claim(
    where="section 1.1, eq: rescaled.Tformers",
    refs=("FW-M2",),
    statement="With z^t = (I+V)^{-t} x^t the layer is z_i^{t+1} = z_i^t + P (sum_j a_ij z_j^t - z_i^t), P = (I+V)^{-1} V.",
    system=SelfAttentionFlow,
    assumptions=(invertible_layer,),
)


# At t = 1, too: at t = 0, where A = I, a missing A^T B A would not be seen.
@layer_is_a_rescaled_step.identity()
def layer_less_rescaled_step(f: SelfAttentionFlow, *, share=1):
    """z^{t+1} of the layer minus the rescaled step of z^t, for the tokens of the instance as x^t, t = 0 and 1."""
    eye = indicator(np.eye(f.V.shape[-1], dtype=bool), f.V)
    grow = eye + f.V
    shrink = inverse(grow)
    P = share * shrink @ f.V
    after = (f.x + f.drift()) @ transposed(shrink)
    defects = []
    for A, back in ((eye, eye), (grow, shrink)):
        z = f.x @ transposed(back)
        rescaled = f.replace(x=z, B=transposed(A) @ f.B @ A, V=P)
        defects.append(after @ transposed(back) - z - rescaled.drift() + z @ transposed(P))
    return np.stack(defects, axis=-3)
