"""Under hardmax, deleting a token inside the hull of the others changes no other nonzero token, for any A: false.

hardmax HM-13 for any A. A nonzero token with A z_i = 0 attends to all, also to the hidden token: under
A = 0 everyone goes to the mean. It is true of the tokens with A z_i != 0, which for A definite are the nonzero ones.
"""

from claims.localmax.setting.configurations import last_token_hidden, with_a_hidden_token
from claims.localmax.setting.hypotheses import averages_over_indices, hardmax, open_step_size
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-13",),
    note=(
        "For A = 0 every token attends to all, also to a hidden one: of 0, 6, 1 with gamma = 1/2 the second steps"
        " to 25/6, and to 9/2 without the third. Tokens with A z_i != 0 are not changed."
    ),
    statement="Deleting a token in the interior of K changes no other nonzero token, for any A.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(last_token_hidden, hardmax, averages_over_indices, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.hidden_tokens_change_nothing",
    draw=with_a_hidden_token,
)


@claim.identity()
def others_step_without_it(f: LocalmaxStep):
    """z_i' minus what it is without the last token, for every other token with z_i != 0."""
    alone = f.replace(z=f.z[..., :-1, :]).step().z
    nonzero = (f.z[..., :-1, :] != 0).any(axis=-1)
    return nonzero[..., None] * (f.step().z[..., :-1, :] - alone)
