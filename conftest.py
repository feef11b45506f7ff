"""Hypothesis profiles of this repository, and the plugin that collects claims."""

from __future__ import annotations

import gc
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

# Products of small matrices: threads cost more than they bring. NumPy reads this when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Some tests take another share of their cases each day (`tests/planting.todays_share`). The processes of pytest-xdist are
# told which day it is: they must collect the same tests although midnight comes.
os.environ.setdefault("TESTED_DAY", str(datetime.now(UTC).toordinal()))

# Where no bytecode is to be written beside the sources, this process and each that tests start would compile all of them
# again, and pytest would rewrite all assertions.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).parent / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False

import flint
import mpmath
import pytest
from hypothesis import settings

from claims.testing.profiles import COMMON, register_profiles

pytest_plugins = ["claims.pytest_plugin"]

register_profiles()
settings.register_profile("ci", max_examples=5, derandomize=True, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_report_header():
    """The day that a run is to be repeated with."""
    return f"shares of the day: TESTED_DAY={os.environ['TESTED_DAY']} takes the same again"


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without the garbage collector, and hide from it what is there before the first test.

    What collecting makes stays: the garbage collector would look at a million objects a dozen times and free none.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        # Tests make many objects and hardly any cycles: Python, which collects after every 700, finds nothing to free.
        # To collect less often takes 4 % of the processor time off, and no more memory.
        gc.set_threshold(10_000, 20, 20)


@pytest.fixture(autouse=True)
def _same_precision_for_every_test():
    """Precision and series length are global in flint and mpmath: a test must neither inherit nor leave them."""
    before = flint.ctx.prec, flint.ctx.cap, mpmath.mp.prec
    yield
    assert before == (flint.ctx.prec, flint.ctx.cap, mpmath.mp.prec), "the test left another precision behind"
