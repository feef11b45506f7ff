"""A test without a claim: hardmax tokens stay in the box of all tokens, and the longest one leads where B is definite."""

from hypothesis import given
from hypothesis import strategies as st

from claims.testing.strategies import fractions, matrices, tokens
from dynamics.tokens.localmax import LocalmaxStep


@given(st.builds(LocalmaxStep.instance, z=tokens(n=(2, 5), d=2), A=matrices(2), gamma=fractions()))
def test_tokens_stay_in_their_box(f):
    after = f.step().z
    assert (after.max(axis=0) <= f.z.max(axis=0)).all()
    assert (after.min(axis=0) >= f.z.min(axis=0)).all()
