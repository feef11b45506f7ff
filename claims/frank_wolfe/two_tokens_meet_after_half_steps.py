"""Two tokens of the random chain never meet, unless gamma = 1/2 or 1.

The part of question Q8 (law of the collapse point, frank_wolfe FW-13) that finitely many steps decide. A step
multiplies the difference of two tokens by 1, 1 - gamma or 1 - 2 gamma; for gamma = 1/2 they meet halfway at once with
probability a_12 a_21, an atom of the law. Otherwise it has none: `collapse_point_has_no_atoms`.
"""

from claims.frank_wolfe.setting.softmax_steps import few_tokens, squared_sides, two_tokens
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.pick_sequences import law_after

claim = Claim(
    __name__,
    where="SA_P, section 5",
    refs=("FW-13", "Q8"),
    statement="Two tokens of SA_P come as near as min(1, |1 - gamma|, |1 - 2 gamma|)^t |x_1 - x_2| in t steps, no nearer.",
    origin=Origin.OURS,
    system=SoftmaxStep,
    assumptions=(two_tokens,),
    draw=few_tokens,
)


@claim.step("== 0", exact_only=True)
def least_distance_after_steps(f: SoftmaxStep, *, steps=2, half=2):
    """The least |x_1 - x_2|^2 after t steps minus min(1, |1 - gamma|, |1 - 2 gamma|)^{2t} times that before."""
    gamma = f.gamma.item()
    factor = min(1 + 0 * gamma, abs(1 - gamma), abs(1 - half * gamma))
    least = min(min(squared_sides(x)) for x, _ in law_after(f, steps).outcomes())
    return numbers(least - factor ** (2 * steps) * min(squared_sides(f.x)))


@claim.step("== 0", exact_only=True)
def chance_to_meet_halfway(f: SoftmaxStep, *, share=1):
    """P(x_1 = x_2 after a step of gamma = 1/2), less a_12 a_21: of different tokens."""
    if (f.x[0] == f.x[1]).all():
        return f.x[:0]
    half = f.replace(gamma=0 * f.gamma + 1 / (2 + 0 * f.gamma))
    met = law_after(half, 1).chance(lambda x: (x[0] == x[1]).all())
    a = f.attention()
    return numbers(met - share * a[0, 1] * a[1, 0])
