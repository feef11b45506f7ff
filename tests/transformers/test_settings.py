"""What a setting may be: one sentence for each that no run can have."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from itertools import product

import pytest

from claims.sweeps.designs import DESIGNS
from dynamics.transformers.settings import Setting, SettingError

INDUCTION = Setting("induction")
CLASSIFICATION = Setting("classification", vocabulary=41, positions="no")
WHOLE = ("layers", "heads", "width", "vocabulary", "labels", "tokens", "samples", "evaluated", "batch", "epochs")
FLAGS = ("normalised", "mlp", "layer_norm", "shifted", "replacement", "scaled")
NAN, INF = float("nan"), float("inf")

# By what is said of them: fields, and what none of them may be. JSON and Python have 0, False, 2.0 and NaN beside 1.
WRONG = {
    "give a positive integer": (WHOLE, (0, -3, 2.0, "4", None, True, [2], NAN)),
    "give a number that is not negative": (("rate", "weight"), (-1e-3, NAN, INF, "1e-3", None, True, 1j, [0.1])),
    "give true or false": (FLAGS, (0, 1, "false", None, [True])),
    "give one of ": (("task", "attention", "positions"), ("", "Softmax", "rotary", None, 3, ["softmax"], {"add": 1})),
}


def said(**change):
    with pytest.raises(SettingError) as found:
        Setting(**{"task": "induction", **change})
    message = str(found.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("words", WRONG)
def test_each_field_alone(words):
    names, values = WRONG[words]
    for name, value in product(names, values):
        message = said(**{name: value})
        assert message.startswith(f"{name} is {value!r}: {words}")
        assert message.endswith(words) or words.endswith(" ")
    # The whole number 0 is a number, unlike True.
    assert (Setting("induction", rate=0).rate, Setting("induction", weight=0).weight) == (0, 0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"heads": 3}, "3 heads do not divide the width 128"),
        ({"positions": "concat", "width": 9}, "half of the width 9 is for positions"),
        ({"normalised": False}, "softmax attention is always normalised"),
        ({"normalised": False, "attention": "uniform"}, "uniform attention is always normalised"),
        ({"tokens": 50}, "50 different tokens cannot be drawn from 49"),
        ({"tokens": 1}, "tokens is 1: induction asks for at least two"),
        ({"task": "classification", "vocabulary": 40}, "4 labels do not divide the vocabulary of 39 tokens"),
        ({"task": "classification", "vocabulary": 41, "tokens": 11}, "11 different tokens cannot be drawn from 10"),
        ({"task": "classification", "vocabulary": 41, "labels": 1}, "labels is 1: classification asks for at least two"),
        ({"task": "classification", "vocabulary": 1}, "10 different tokens cannot be drawn from 0"),
        ({"vocabulary": 1}, "10 different tokens cannot be drawn from 0"),
    ],
)
def test_what_does_not_go_together(change, words):
    assert words in said(**change)


def test_what_may_be_drawn_again_may_be_more_than_there_is():
    assert replace(INDUCTION, tokens=60, replacement=True).length == 62
    assert not replace(CLASSIFICATION, tokens=10, replacement=True).is_exact


def test_what_follows_from_a_setting():
    assert (INDUCTION.length, INDUCTION.identities, INDUCTION.outputs, INDUCTION.causal) == (12, 99, 99, True)
    assert replace(INDUCTION, shifted=False).identities == 50
    assert not INDUCTION.is_exact
    one = CLASSIFICATION
    assert (one.length, one.identities, one.outputs, one.causal, one.group) == (11, 41, 4, False, 10)
    assert one.is_exact
    assert not replace(one, positions="add").is_exact
    assert not replace(one, tokens=9).is_exact
    assert replace(one, attention="elu", normalised=False).map_name == "elu without normalisation"


def test_a_setting_is_read_as_it_was_written():
    every = {setting for design in DESIGNS.values() for setting in design.settings}
    # The loop is not empty.
    assert len(every) > 50
    for setting in every:
        assert Setting.from_data(json.loads(json.dumps(setting.as_data()))) == setting
    assert Setting.from_data({"task": "induction"}) == INDUCTION
    assert set(INDUCTION.as_data()) == {one.name for one in fields(Setting)}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"task": "induction", "head": 1, "depth": 2}, "a setting has no depth, head"),
        ({}, "a setting needs a task"),
        ({"attention": "softmax"}, "a setting needs a task"),
        ({"task": "induction", "rate": "fast"}, "rate is 'fast'"),
    ],
)
def test_data_of_no_setting_is_refused(data, words):
    with pytest.raises(SettingError, match=re.escape(words)):
        Setting.from_data(data)
