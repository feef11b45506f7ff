"""Tests of one claim, and the falsehoods planted in it, follow the same starts: each is enclosed once in a process."""

from __future__ import annotations

import json
from collections import OrderedDict
from functools import wraps

import pytest

from dynamics.enclosures import steps
from dynamics.enclosures.steps import EnclosureError

MOST = 48
"""Enclosures that a process keeps: a claim takes about three starts, on two rungs."""


def remembered(enclose_at):
    """The same function, or the same refusal, without doing twice what was done lately."""
    kept: OrderedDict[object, object] = OrderedDict()

    @wraps(enclose_at)
    def again(system, horizon, rung, most_steps=2000, seconds=None):
        if seconds is not None:
            return enclose_at(system, horizon, rung, most_steps, seconds)
        key = (type(system), json.dumps(system.to_json()), str(horizon), rung, most_steps)
        if key not in kept:
            try:
                kept[key] = enclose_at(system, horizon, rung, most_steps)
            except EnclosureError as error:
                kept[key] = error
            if len(kept) > MOST:
                kept.popitem(last=False)
        kept.move_to_end(key)
        found = kept[key]
        if isinstance(found, EnclosureError):
            raise EnclosureError(*found.args)
        return found

    return again


ONCE = remembered(steps.enclose_at)


@pytest.fixture(autouse=True)
def _starts_are_enclosed_once(monkeypatch):
    monkeypatch.setattr(steps, "enclose_at", ONCE)
