"""Under hardmax a token inside the hull of the others is attended to by no token with A z_i != 0.

`hidden_tokens_change_no_nonzero_token`: False for singular A: a nonzero token with A z_i = 0 attends to all, also to
the hidden token.

`hidden_tokens_change_nothing`: A linear function that is not constant has no maximum in the interior of a hull (HM-13).
If A is definite, the tokens with A z_i != 0 are the nonzero ones. Under the rule that each token is its own neighbour
(D1self), the hidden token still attends to itself.
"""

from claims.localmax.setting.configurations import last_token_hidden, with_a_hidden_token
from claims.localmax.setting.hypotheses import averages_over_indices, hardmax, open_step_size, where
from claims.stating.statement import Section
from dynamics.arithmetic import transposed
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, refs=("HM-13",), system=LocalmaxStep, draw=with_a_hidden_token)

hidden_tokens_change_no_nonzero_token = section.claim(
    note=(
        "For A = 0 every token attends to all, also to a hidden one: of 0, 6, 1 with gamma = 1/2 the second steps"
        " to 25/6, and to 9/2 without the third. Tokens with A z_i != 0 are not changed."
    ),
    statement="Deleting a token in the interior of K changes no other nonzero token, for any A.",
    assumptions=(last_token_hidden, hardmax, averages_over_indices, open_step_size),
    corrected_by="localmax.hidden_tokens_change_nothing",
)


# By z_i != 0, as the statement has it; with A singular that is not A z_i != 0.
@hidden_tokens_change_no_nonzero_token.identity(name="others_step_without_it")
def nonzero_tokens_step_without_it(f: LocalmaxStep):
    """z_i' minus what it is without the last token, for every other token with z_i != 0."""
    alone = f.replace(z=f.z[..., :-1, :]).step().z
    nonzero = (f.z[..., :-1, :] != 0).any(axis=-1)
    return nonzero[..., None] * (f.step().z[..., :-1, :] - alone)


hidden_tokens_change_nothing = section.claim(
    statement="A token z_n in the interior of K has <A z_i, z_n> < h(z_i) for every i with A z_i != 0, itself included, "
    "and deleting it changes no other such token.",
    assumptions=(last_token_hidden, hardmax),
)


def directed(f: LocalmaxStep):
    """Whether A z_i != 0, shape (..., n)."""
    return (f.z @ transposed(f.A) != 0).any(axis=-1)


# Strict: a linear function that is not constant is below its maximum everywhere inside.
@hidden_tokens_change_nothing.state("> 0")
def hidden_token_is_not_heard(f: LocalmaxStep):
    """h(z_i) - <A z_i, z_n> for every token i with A z_i != 0."""
    return where(directed(f), f.gaps()[..., -1])


@hidden_tokens_change_nothing.identity()
def others_step_without_it(f: LocalmaxStep, *, share=1):
    """z_i' minus what it is without the last token, for every other token i with A z_i != 0."""
    alone = f.replace(z=f.z[..., :-1, :]).step().z
    return directed(f)[..., :-1, None] * (f.step().z[..., :-1, :] - share * alone)
