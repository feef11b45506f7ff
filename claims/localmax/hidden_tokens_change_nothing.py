"""Under hardmax a token inside the hull of the others is no token's leader, and deleting it changes no other token's step.

hardmax HM-13. A linear function that is not constant has no maximum inside a hull. "Nobody" are the tokens
with A z_i != 0, for A definite the nonzero ones: a token with A z_i = 0 attends to all. So nobody attends to it, but for
itself under the rule by which every token does (D1self).
"""

from claims.localmax.setting.configurations import last_token_hidden, with_a_hidden_token
from claims.localmax.setting.hypotheses import hardmax, where
from claims.statement import Claim, Origin
from dynamics.arithmetic import transposed
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-13",),
    statement="A token z_n in the interior of K has <A z_i, z_n> < h(z_i) for every i with A z_i != 0, itself included, "
    "and deleting it changes no other such token.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(last_token_hidden, hardmax),
    draw=with_a_hidden_token,
    equivalent={
        "hidden_token_is_not_heard, in directed: (f.z @ transposed(f.A) != 0).any => (f.z @ transposed(f.A) != 0).all": (
            "The statement of fewer tokens: of those with no zero entry in A z_i."
        ),
    },
)


def directed(f: LocalmaxStep):
    """Whether A z_i != 0, shape (..., n)."""
    return (f.z @ transposed(f.A) != 0).any(axis=-1)


@claim.state("> 0")
def hidden_token_is_not_heard(f: LocalmaxStep):
    """h(z_i) - <A z_i, z_n> for every token i with A z_i != 0."""
    return where(directed(f), f.gaps()[..., -1])


@claim.identity()
def others_step_without_it(f: LocalmaxStep, *, share=1):
    """z_i' minus what it is without the last token, for every other token i with A z_i != 0."""
    alone = f.replace(z=f.z[..., :-1, :]).step().z
    return directed(f)[..., :-1, None] * (f.step().z[..., :-1, :] - share * alone)
