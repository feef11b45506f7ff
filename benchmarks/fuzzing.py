"""HypoFuzz against our hunt: who finds which planted falsehood (``falsehoods.py``) in equal CPU time.

Each falsehood whose verdicts are cheap is a plain Hypothesis test that fails at a certified violation. HypoFuzz runs all of
them, in the order that its model of their coverage suggests, the hunt spends an equal share on each:

    ulimit -t 600; FUZZ_FOUND=fuzz.txt hypothesis fuzz -n 1 --no-dashboard -- benchmarks/fuzzing.py
    python benchmarks/fuzzing.py --hunt 600 > hunt.txt

Both write a line for each falsehood found: CPU seconds, its chance at random, its name.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, target
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from falsehoods import FALSEHOODS, Falsehood, certifies, exactly_within

from claims.hunting.search import search
from claims.instances.drawing import draw_freely, violate_where_met
from claims.instances.hypothesis_draws import HypothesisDraws
from claims.stating.statement import is_costly
from claims.stating.verdict import Outcome, Verdict
from claims.targets.target import Variant
from claims.testing.property_tests import relative_slack
from dynamics.system import System

CHEAP = [one for one in FALSEHOODS if not is_costly(one.resolve().conclusion)]

EVALUATIONS = 4000  # of one call of the hunt's search


@st.composite
def starts(draw: Any, variant: Variant) -> System:
    """Instances that satisfy what is kept and break what is dropped."""
    draws = HypothesisDraws(draw)
    system = draw_freely(variant.claim, variant.conclusion, draws, variant.without)
    return exactly_within(variant, violate_where_met(variant.claim, system, draws, variant.without))


@pytest.mark.parametrize("falsehood", CHEAP, ids=str)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_falsehood(falsehood: Falsehood, data: st.DataObject) -> None:
    """Fails at a certified violation."""
    variant = falsehood.resolve()
    system = data.draw(starts(variant))
    relative = relative_slack(variant.conclusion, system, Verdict(Outcome.UNDECIDED, None))
    if relative is not None:
        target(-relative)
    if certifies(variant, system):
        # Into a file: HypoFuzz shows a dashboard and says nothing of when it found what.
        told(falsehood, os.environ.get("FUZZ_FOUND", os.devnull))
        raise AssertionError(f"{falsehood} is violated at {system.to_json()}")


def told(falsehood: Falsehood, file: str) -> None:
    """Write a line to the end of a file."""
    with Path(file).open("a", encoding="utf-8") as lines:
        lines.write(f"{time.process_time():.1f} {falsehood.chance_shown} {falsehood}\n")


def hunt(seconds: float) -> None:
    """Search each falsehood for an equal share of the CPU time, until it is found."""
    for falsehood in CHEAP:
        variant, began, call = falsehood.resolve(), time.process_time(), 0
        while time.process_time() - began < seconds / len(CHEAP):
            found = search(variant, [0, call], EVALUATIONS, [])
            call += 1
            if any(certifies(variant, exactly_within(variant, system)) for system in found.candidates):
                told(falsehood, "/dev/stdout")
                break


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hunt", type=float, required=True, metavar="SECONDS", help="CPU seconds in all")
    hunt(parser.parse_args().hunt)
