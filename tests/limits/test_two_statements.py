"""What the traps of tokens show, beside the second statement of their lemmas: what is caught, and every number told of it.

The states at the very edges of the regions are compared in the room of the checker.
"""

from __future__ import annotations

import pytest
from flint import fmpq

from tests.checker import test_restated_token_traps as second

SCALES = [fmpq(7, 4), fmpq(4), fmpq(12)]


def states(name):
    """States with their starts, of which they are mostly their own."""
    yield from ((state, state) for state in second.SINGLE.get(name, ()))
    for make in second.FAMILIES.get(name, ()):
        yield from ((make(s), make(s)) for s in SCALES)
        if name in second.LED:
            yield make(fmpq(6)), make(fmpq(1))


@pytest.mark.parametrize("name", second.NAMES)
def test_a_trap_shows_what_its_second_statement_shows(name):
    caught = 0
    for state, start in states(name):
        end, found = second.first_statement(name, state, start), second.second_statement(name, state, start)
        assert (end is None) == (found is None), state.to_json()
        if end is not None:
            second.agree(found, end)
            caught += 1
    assert caught > 1
