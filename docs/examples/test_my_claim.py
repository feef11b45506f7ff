"""The claim, with the counterexample that a hunt found, and its correction."""

from claims import property_test

THREE_TOKENS = '{"system": "SelfAttentionFlow", "x": [[3, 0], [0, 0], [1, 2]], "B": [[1, 2], [2, 5]]}'

test_my_claim = property_test("my_claim.py", known=[THREE_TOKENS])
test_my_corrected_claim = property_test("my_corrected_claim.py")
