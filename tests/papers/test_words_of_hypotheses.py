"""What hypotheses say in words is what they decide, in the suite and in the checker: at each boundary, by a table.

See :mod:`tests.papers.words_of_hypotheses`.
"""

import inspect
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from claims.checker.assumptions import OpenError, meaning_of, satisfies
from claims.stating.catalogue import catalogue
from tests.papers.words_of_hypotheses import WORDS, Row


@cache
def hypotheses():
    """Every test that a hypothesis of some claim has, by name, words and place, with the systems that it is about."""
    found = {}
    for claim in catalogue().values():
        for conclusion in claim.conclusions:
            for one in claim.assumptions_of(conclusion):
                code = inspect.unwrap(one.satisfies).__code__
                key = one.name, one.statement, f"{Path(code.co_filename).stem}:{code.co_firstlineno}"
                _, systems = found.setdefault(key, (one, set()))
                systems.add(claim.system)
    return found


def cases(key) -> list[tuple[bool | None, type, dict]]:
    """What the table says of a hypothesis: the answer, the system and the arrays."""
    rows: list[Row] = WORDS.get(key[1], [])
    _, systems = hypotheses()[key]
    return [(answer, one.system, arrays) for one in rows if one.system in systems for answer, arrays in one.told]


def test_every_hypothesis_is_in_the_table():
    missing = sorted(f"{name}, {words}" for name, words, place in hypotheses() if not cases((name, words, place)))
    assert not missing, (
        "write instances at each boundary that these words name, with what the words say of them, in "
        f"tests/papers/words_about_*.py: {missing}"
    )


def test_the_table_speaks_of_hypotheses_only():
    strangers = sorted(set(WORDS) - {words for _, words, _ in hypotheses()})
    assert not strangers, f"no claim has a hypothesis in these words: {strangers}"


@pytest.mark.parametrize("key", sorted(hypotheses()), ids=lambda key: key[0])
def test_what_is_decided_is_what_the_words_say(key):
    assumption, _ = hypotheses()[key]
    told = Counter()
    for answer, system, arrays in cases(key):
        instance = system.instance(**arrays)
        assert decided(assumption.satisfies(instance)) is answer, f"the suite, of {key[1]}, at {arrays}"
        told[answer] += 1
        if meaning_of(key[1]) is None:
            continue
        try:
            restated = satisfies(key[1], instance.to_json())
        except OpenError:
            restated = None
        assert restated is answer, f"the checker, of {key[1]}, at {arrays}"
    assert told[True], f"no instance meets {key[1]}"
    assert told[False], f"no instance breaks {key[1]}"


def decided(answer) -> bool | None:
    """A plain answer."""
    return None if answer is None else bool(answer)
