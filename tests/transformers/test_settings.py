"""What a setting may be: one sentence for each that no run can have."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace

import pytest

from claims.sweeps.designs import DESIGNS
from dynamics.transformers.settings import Setting, SettingError

INDUCTION = Setting("induction")
CLASSIFICATION = Setting("classification", vocabulary=41, positions="no")
WHOLE = ("layers", "heads", "width", "vocabulary", "labels", "tokens", "samples", "evaluated", "batch", "epochs")
FLAGS = ("normalised", "mlp", "layer_norm", "shifted", "replacement", "scaled")


def said(**change):
    with pytest.raises(SettingError) as found:
        Setting(**{"task": "induction", **change})
    message = str(found.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("value", [0, -3, 2.0, "4", None, True, [2], float("nan")], ids=repr)
def test_whole_numbers_are_positive_integers(name, value):
    assert said(**{name: value}) == f"{name} is {value!r}: give a positive integer"


@pytest.mark.parametrize("name", ["rate", "weight"])
@pytest.mark.parametrize("value", [-1e-3, float("nan"), float("inf"), "1e-3", None, True, 1j, [0.1]], ids=repr)
def test_numbers_are_finite_and_not_negative(name, value):
    assert said(**{name: value}) == f"{name} is {value!r}: give a number that is not negative"
    assert getattr(Setting("induction", **{name: 0}), name) == 0


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("value", [0, 1, "false", None, [True]], ids=repr)
def test_flags_are_true_or_false(name, value):
    assert said(**{name: value}) == f"{name} is {value!r}: give true or false"


@pytest.mark.parametrize("name", ["task", "attention", "positions"])
@pytest.mark.parametrize("value", ["", "Softmax", "rotary", None, 3, ["softmax"], {"add": 1}], ids=repr)
def test_names_are_those_of_the_paper(name, value):
    assert said(**{name: value}).startswith(f"{name} is {value!r}: give one of ")


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
