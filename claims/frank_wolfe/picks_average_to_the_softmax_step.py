"""The random chain moves by the softmax step on average.

SA_P (frank_wolfe FW-M8, section 5 and the abstract: "we model self-attention dynamics as a Markov chain"): token i picks J
with probability a_iJ and moves to (1 - gamma) x_i + gamma x_J. The law after one step is enumerated.
"""

from claims.frank_wolfe.setting.softmax_steps import few_tokens
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.pick_sequences import law_after

claim = Claim(
    __name__,
    where="SA_P, section 5 (eq: softmax.process)",
    refs=("FW-M8", "FW-16"),
    statement="E[x^{t+1} | x^t] is the step of SA_beta.",
    origin=Origin.REPORTED,
    system=SoftmaxStep,
    draw=few_tokens,
)


@claim.step("== 0", exact_only=True)
def mean_pick_minus_softmax_step(f: SoftmaxStep, *, share=1):
    """E[x_i^{t+1}] - x_i^t, enumerated, minus the step of SA_beta, token by token."""
    mean = sum(mass * x for x, mass in law_after(f, 1).outcomes())
    return numbers(mean) - f.x - share * (f.step().x - f.x)
