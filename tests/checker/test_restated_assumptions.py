"""The checker's own assumptions: on instances that claims draw they say what the suite's own say, both yes and no."""

from __future__ import annotations

import operator
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from flint import fmpq
from mpmath import iv

from claims.certificates.published import published
from claims.checker import assumptions as checker_assumptions
from claims.checker import words
from claims.checker.assumptions import MEANINGS, OpenError, meaning_of, satisfies
from claims.checker.words import meaning
from claims.instances.drawing import draw_freely
from claims.instances.draws import SeededDraws
from claims.stating.catalogue import catalogue
from dynamics.checker.flint_stand_in import arb
from tests.papers.words_of_hypotheses import WORDS
from tests.planting import LONG, todays_share

DRAWN = 40 if LONG else 2
"""Instances drawn of each assumption; as many are made to break it, and the first is brought to every edge."""

LONGEST = 20_000
"""Characters of an instance: there are polytopes in 160 dimensions."""

NOT_RESTATED = {
    "few_states": "asks whether searches for the cheapest way out and the longest wait end",
    "longest_wait_is_told": "asks whether the search for the longest wait ends",
    "lasting_tolerance": "asks for the end of an orbit",
    "nothing_hidden": "asks for the algebra that matrices generate",
    "single_leaders": "asks for the end of a run",
    "symmetric_in_the_end": "asks for the end of an orbit",
    "tiny_sensitivity": "asks for the end of an orbit",
}
"""Assumptions that the checker has of the suite alone, and why; it says so where it uses one."""


@cache
def assumptions():
    """Every assumption of every claim, with a conclusion that assumes it."""
    found = {}
    for claim in catalogue().values():
        for conclusion in claim.conclusions:
            for assumption in claim.assumptions_of(conclusion):
                found.setdefault((assumption.name, assumption.statement), (claim, conclusion, assumption))
    return found


def starts(claim, conclusion, assumption, count):
    """Instances within the hypotheses of a conclusion, without this one, with it broken, with a tie, and at the edges."""
    first = None
    for turn in range(count):
        # By turns with the assumption and without it: both answers are to be met.
        draws = SeededDraws(np.random.default_rng(turn), small=True, turn=turn)
        try:
            system = draw_freely(claim, conclusion, draws, (assumption,) if turn % 2 else ())
            first = first or system
            yield system
            if assumption.violate is not None:
                broken = assumption.violate(system, draws)
                yield type(broken).instance(**broken.arrays())
            yield tied(system, turn // 2)
        except ValueError:  # the draw, the violation or the tie makes no instance
            continue
    for change in at_the_edges(first) if first else ():
        with suppress(ValueError):
            yield type(first).instance(**first.arrays() | change)


def at_the_edges(system):
    """Arrays to put in: every label, special numbers, nothing in a row or a column, two rows alike, an axis of length 1."""
    arrays, fields = system.arrays(), system.fields()
    for name, array in arrays.items():
        if fields[name].integer:
            yield from ({name: 0 * array + k} for k in range(7))
            continue
        yield from ({name: 0 * array + value} for value in ((0,) if array.ndim else (0, 1, -1, fmpq(1, 2))))
        for k in {0, len(array) - 1} if array.ndim else ():
            without, twice = array.copy(), array.copy()
            without[k], twice[k] = 0 * array[k], array[k - 1]
            yield from ({name: without}, {name: twice})
            if array.ndim == 2 and len(array) == len(array[0]):
                yield {name: np.where(np.eye(len(array), dtype=bool)[k], without * 0, without)}
    for axis in {axis for name in arrays for axis in fields[name].axes}:
        for kept in (slice(1), slice(-1)):
            yield {n: a[tuple(kept if one == axis else slice(None) for one in fields[n].axes)] for n, a in arrays.items()}


def tied(system, turn):
    """The instance with the first two entries of each row of one array made equal: what is strict is broken by a tie."""
    arrays = system.arrays()
    wide = [name for name, array in arrays.items() if array.ndim and array.shape[-1] > 1]
    if wide:
        name = wide[turn % len(wide)]
        arrays[name] = arrays[name].copy()
        arrays[name][..., 1] = arrays[name][..., 0]
    return type(system).instance(**arrays)


def compared(key, count, own=satisfies):
    """How often both say the same, by what they say; and the instances of which they do not."""
    claim, conclusion, assumption = assumptions()[key]
    said, differ = Counter(), []
    for system in starts(claim, conclusion, assumption, count):
        plain = system.to_json()
        # They would take seconds each, and say what small ones say.
        if len(str(plain)) > LONGEST:
            continue
        answer = assumption.satisfies(system)
        theirs = None if answer is None else bool(answer)
        try:
            ours = own(key[1], plain)
        except OpenError:
            ours = None
        if ours is None or theirs is None:
            said["open"] += 1
            continue
        said[theirs] += 1
        if ours != theirs:
            differ.append((plain, ours, theirs))
    return said, differ


def test_every_assumption_is_restated_in_its_words_or_listed():
    others = sorted({name for name, words in assumptions() if meaning_of(words) is None} - set(NOT_RESTATED))
    assert not others, f"restate these in claims/checker/assumptions.py, in their words of today: {others}"


def test_nothing_is_restated_that_no_claim_assumes_or_that_its_words_tell():
    assert set(MEANINGS) - {words for _, words in assumptions()} == set()
    assert [words for words in MEANINGS if meaning(words)] == []


def test_almost_every_assumption_of_a_published_certificate_is_restated():
    """Those that are not are told as shared whenever such a certificate is checked."""
    keys = {
        (assumption["name"], assumption["statement"])
        for data in published().values()
        for kind in ("kept", "dropped")
        for assumption in data["assumptions"][kind]
    } & set(assumptions())
    assert len(keys) > 100
    others = {name for name, words in keys if meaning_of(words) is None}
    assert others <= set(NOT_RESTATED)
    assert len(others) <= 6


RESTATED = sorted(key for key in assumptions() if meaning_of(key[1]))


# Each is restated by a function of its own, or by words of its own: another third of them each day.
@pytest.mark.parametrize("key", todays_share(3, RESTATED), ids=lambda key: key[0])
def test_it_says_what_the_suite_says(key):
    said, differ = compared(key, DRAWN)
    assert differ == []
    assert said[True] + said[False] > 0


def test_bugs_planted_in_the_assumptions_are_caught(monkeypatch):
    """Each bug, in what many assumptions share, changes what one of them says of an instance."""
    bugs = {
        "is_definite": (lambda A, strictly=True: A[0][0] > 0, "definite_symmetric_part"),
        "_falling": (lambda values: True, "weakly_ordered_values"),
        "_strictly_falling": (
            lambda values: all(a >= b for a, b in pairwise(values)),
            "ordered_values",
        ),
        "_same": (lambda values: True, "one_energy"),
        "all_zero": (lambda value: True, "zero_scores"),
        "transposed": (lambda A: A, "symmetric_up_to_values"),
        "factor_of_identity": (lambda A: A[0][0], "scalar_step"),
        "_holds_origin": (lambda x: True, "origin_in_hull"),
        "_c_0": (lambda f: -1, "own_cells"),
        "_sign": (lambda number: 1, "halved_ratios"),
        "_margin_less_target": (lambda f: 1, "margin_below_target"),
        "_leads_out": (lambda f: False, "no_way_out"),
        "localmax_heard": (lambda z, A, delta, rule: [[True] * len(z)] * len(z), "mutual_neighbours"),
    }
    for name, (bug, assumption) in bugs.items():
        with monkeypatch.context() as patched:
            for module in (checker_assumptions, words):
                if hasattr(module, name):
                    patched.setattr(module, name, bug)
            # Several assumptions share a name, in other words: one of them has to show it.
            keys = [key for key in assumptions() if key[0] == assumption]
            assert any(compared(key, 24)[1] for key in keys), name


def test_a_schedule_is_read_from_the_time_of_the_instance():
    """At t = 1 two tokens change places, and their hull holds 0; the step of t = 0 would bring both to 1/2."""
    key = next(key for key in assumptions() if key[0] == "origin_in_every_hull")
    claim, _, assumption = assumptions()[key]
    later, first = (
        claim.system.instance(x=[[-1], [2]], B=[[[-1]], [[-1]]], gamma=["1/2", 1], selection=[[1, 1], [1, 1]], t=t)
        for t in (1, 0)
    )
    assert [satisfies(key[1], one.to_json()) for one in (later, first)] == [True, False]
    assert [bool(assumption.satisfies(one)) for one in (later, first)] == [True, False]


@cache
def spoken():
    """What the table of words says of those that are read: the words, plain instances, and whether they are so."""
    plain = checker_assumptions.plain_instance
    return [
        (told, plain(row.system.instance(**arrays).to_json()), answer)
        for told, rows in WORDS.items()
        if meaning(told)
        for row in rows
        for answer, arrays in row.told
    ]


def misread():
    """The words that are read otherwise than the table says."""
    return [told for told, instance, answer in spoken() if meaning(told)(instance) is not answer]


def test_words_are_read_as_they_are_meant():
    assert len({told for told, _, _ in spoken()}) > 60
    assert misread() == []


def test_what_is_restated_says_what_the_table_of_words_says():
    """Of instances at the edge of what each assumption says, made by hand: draws rarely are there."""
    wrong = []
    for told, test in MEANINGS.items():
        for answer, arrays, system in ((*given, row.system) for row in WORDS[told] for given in row.told):
            try:
                found = test(checker_assumptions.plain_instance(system.instance(**arrays).to_json()))
            except OpenError:
                found = None
            wrong += [(told, answer, arrays)] if found is not answer else []
    assert wrong == []


@pytest.mark.parametrize(
    "told",
    ["", "n", "n = 2, d = 1", "n >= two", "x_1 < ... < x_n", "B = C^T", "B is nice", "V = I and more", "n = 2 or d = 1"],
)
def test_words_that_say_more_are_not_read(told):
    assert meaning(told) is None


NEAR_MISSES = {"<": operator.le, "<=": operator.lt, ">": operator.ge, ">=": operator.gt, "=": operator.ge}
ONE_SIDED = ("= -I", "is not zero", "is positive semidefinite", "is negative definite")

BUGS = [
    *(("RELATIONS", sign, bug) for sign, bug in NEAR_MISSES.items()),
    *(("SIZES", size, lambda f: 2) for size in ("n", "p", "T")),
    ("SIZES", "d", lambda f: 1),
    *(("KINDS", kind, lambda A: True) for kind in words.KINDS),
    *(("KINDS", kind, lambda A: False) for kind in ONE_SIDED),
    ("KINDS", "= I", lambda A: words.factor_of_identity(A) is not None),
    ("KINDS", "is symmetric positive definite", words.semidefinite),
    ("KINDS", "is symmetric positive semidefinite", words.is_definite),
    ("KINDS", "is symmetric and > 0", words.semidefinite),
    ("KINDS", "is symmetric and >= 0", words.is_definite),
]


@pytest.mark.parametrize(("table", "entry", "bug"), BUGS)
def test_bugs_planted_in_the_reading_of_words_are_caught(table, entry, bug, monkeypatch):
    monkeypatch.setitem(getattr(words, table), entry, bug)
    assert misread()


# ---------------------------------------------------------------------------------------------------------------------
# What many of them share


def test_orders_are_those_of_all_pairs():
    for values in (list(map(Fraction, v)) for n in (1, 2, 3) for v in product(range(3), repeat=n)):
        pairs = list(combinations(values, 2))
        assert checker_assumptions._falling(values) is all(a >= b for a, b in pairs)
        assert checker_assumptions._strictly_falling(values) is all(a > b for a, b in pairs)
        assert checker_assumptions._same(values) is all(a == b for a, b in pairs)
        assert words.all_zero([values, [values]]) is not any(values)
        assert checker_assumptions._distinct([[value] for value in values]) is all(a != b for a, b in pairs)


def test_a_sign_is_that_of_all_of_an_interval_or_open():
    ends = [Fraction(k, 2) for k in range(-3, 4)]
    for low, high in product(ends, ends):
        # Of one number the sign is known, of zero, too.
        if low == high:
            assert checker_assumptions._sign(lambda low=low: low) == (low > 0) - (low < 0)
        elif low < high:
            bits = []

            def number(low=low, high=high, bits=bits):
                bits.append(iv.prec)
                # Only at twice the bits it is an answer.
                few = len(bits) == 1  # a logarithm of what may be negative: nothing is known
                return arb.of(iv.mpf([-iv.inf, iv.inf] if few else [float(low), float(high)]))

            if low > 0 or high < 0:
                assert checker_assumptions._sign(number) == (1 if low > 0 else -1)
                assert bits[1] == 2 * bits[0]
            else:
                with pytest.raises(OpenError):
                    checker_assumptions._sign(number)
