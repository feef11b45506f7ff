"""What verification said of a conclusion, in one word: a table of all counts."""

from __future__ import annotations

from collections import Counter
from itertools import product

from claims.mutating.trial import TrialStatus, word_of
from claims.verdict import Known
from claims.verifying.tallies import Tally


def test_the_word_is_that_of_what_was_decided_and_a_violation_outweighs_all():
    for violated, undecided, vacuous in product((0, 1), repeat=3):
        for by in product((0, 1), repeat=len(Known)):
            decided = Counter({known.value: count for known, count in zip(Known, by, strict=True) if count})
            tally = Tally("c", "state", holds=sum(by), violated=violated, undecided=undecided, vacuous=vacuous)
            tally.decided_by = decided
            numerical = set(decided) == {Known.NUMERICAL.value}
            ladder = [
                (violated, TrialStatus.VIOLATED),
                (decided and numerical, TrialStatus.EVIDENCE),
                (decided, TrialStatus.SURVIVED),
                (undecided, TrialStatus.UNDECIDED),
                (True, TrialStatus.VACUOUS),
            ]
            assert word_of(tally) is next(word for so, word in ladder if so)
