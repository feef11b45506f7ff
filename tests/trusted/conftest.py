"""Every test of the trusted code runs at 64 bits."""

import pytest

from tests.trusted.truth import precision


@pytest.fixture(autouse=True)
def _sixty_four_bits():
    with precision(64):
        yield
