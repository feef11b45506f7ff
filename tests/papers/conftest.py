"""Tests of one claim, and the falsehoods planted in it, follow the same starts: each is enclosed once."""

import pytest

from dynamics.enclosures.remembered import remembered_enclosures


@pytest.fixture(scope="package", autouse=True)
def _starts_are_enclosed_once():
    with remembered_enclosures():
        yield
