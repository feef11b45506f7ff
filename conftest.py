"""Hypothesis profiles, the choice of claims, and one line per claim at the end of a run."""

from __future__ import annotations

import json
import os

# Products of small matrices: threads cost more than they bring. NumPy reads this when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import flint
import mpmath
import pytest
from hypothesis import HealthCheck, settings

COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
settings.register_profile("smoke", max_examples=5, derandomize=True, **COMMON)
settings.register_profile("ci", max_examples=8, derandomize=True, **COMMON)
settings.register_profile("nightly", max_examples=800, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

PROPERTY = "claim"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --claims and --claim-file."""
    parser.addoption(
        "--claims",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only test claims that match: an id, a glob, a paper or a reference (repeatable)",
    )
    parser.addoption(
        "--claim-file",
        action="append",
        default=[],
        metavar="FILE",
        help="test the claim in this file, and without --claims no other (repeatable)",
    )


@pytest.fixture(autouse=True)
def _same_precision_for_every_test():
    """Precision and series length are global in flint and mpmath: a test must neither inherit nor leave them."""
    before = flint.ctx.prec, flint.ctx.cap, mpmath.mp.prec
    yield
    assert before == (flint.ctx.prec, flint.ctx.cap, mpmath.mp.prec), "the test left another precision behind"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line per conclusion: instances, how decided, tightest slack. Works under xdist: reports carry properties."""
    lines = []
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "teardown":  # the fixture that counts has ended
                lines += [json.loads(value) for name, value in report.user_properties if name == PROPERTY]
    if not lines:
        return
    terminalreporter.section("claims")
    for line in sorted(lines, key=lambda line: (line["claim"], line["conclusion"])):
        decided = ", ".join(f"{count} {known}" for known, count in sorted(line["decided_by"].items())) or "none decided"
        terminalreporter.write_line(
            f"{line['claim']}.{line['conclusion']}: {line['instances']} instances ({decided}), "
            f"{line['violated']} violated, {line['undecided']} UNDECIDED, {line['vacuous']} vacuous, "
            f"tightest slack {line['slack']}"
        )
