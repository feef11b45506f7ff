"""The pytest plugin: collects a test for each conclusion of a claim, and tells at the end what was found.

It comes with the package (entry point `pytest11`), so that a test file of any repository may say
`test_order = suite_test("polarization.*")` or `test_mine = property_test("my_claim.py")`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from claims.campaigns import watched
from claims.testing.profiles import register_profiles

if TYPE_CHECKING:
    from claims.testing.property_tests import ClaimTests, ConclusionTest

PROPERTY = "claim"
"""The property of a report, JSON, that tells what was found about a conclusion."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --claims and --claim-file."""
    group = parser.getgroup("claims", "theorems about attention dynamics")
    group.addoption(
        "--claims",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only test claims that match: an id, a glob, a paper or a reference (repeatable)",
    )
    group.addoption(
        "--claim-file",
        action="append",
        default=[],
        metavar="FILE",
        help="test the claim in this file, and without --claims no other (repeatable)",
    )
    group.addoption(
        "--claims-watched",
        action="store_true",
        help="run in a child process, so that a file that ends it does not end the run as a success",
    )
    register_profiles()


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, Any, Any]:
    """With --claims-watched go on in a child. A worker of pytest-xdist is watched by who started it."""
    if not config.option.claims_watched or hasattr(config, "workerinput"):
        return (yield)
    # Before anything of the session exists: threads and sockets of it would not survive the fork.
    watched.go_on_in_a_child()
    code = yield
    watched.say(int(code or 0))
    return code


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers."""
    config.addinivalue_line("markers", "costly: one verdict takes a trajectory or a chain of steps")
    if not config.pluginmanager.has_plugin("xdist"):
        config.addinivalue_line("markers", "xdist_group(name): the conclusions of a claim stay together under pytest-xdist")


def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> list[pytest.Item] | None:
    """One item for each conclusion of what property_test or suite_test returned."""
    # By a mark of its class: to import the class here would import what decides, in every test run that has this plugin.
    if getattr(type(obj), "collects_claims", False) is not True or not collector.funcnamefilter(name):
        return None
    options = collector.config.option
    found: ClaimTests = obj  # type: ignore[assignment]
    found.is_in_hand = True
    return [
        ConclusionItem.from_parent(collector, name=f"{name}[{test.claim.id}.{test.name}]", callobj=test.function)
        for test in found.tests(options.claims, options.claim_file)
    ]


class ConclusionItem(pytest.Function):
    """A test of one conclusion: an ordinary Hypothesis test, which passes when what is held false is refuted."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.is_running = False
        # As Hypothesis does for the cases of a parametrized test: each has its own key in the database of examples.
        self.obj.hypothesis.inner_test._hypothesis_internal_add_digest = self.nodeid.encode()  # noqa: SLF001
        # `--dist loadgroup` keeps the conclusions of a claim on one worker.
        # Of one claim the starts are shared, and enclosed once in a process.
        self.add_marker(pytest.mark.xdist_group(self.of_claim.claim.id))
        if self.of_claim.is_costly:
            self.add_marker(pytest.mark.costly)

    @property
    def of_claim(self) -> ConclusionTest:
        """The test that is run."""
        found: ConclusionTest = self.obj.of_claim
        return found

    def runtest(self) -> None:
        """Run it. Raises what the test raises, and fails where the standing of its claim is not borne out."""
        self.is_running = True
        try:
            self.of_claim.run(super().runtest)
        finally:
            self.is_running = False

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *options: Any) -> Any:
        """What is told of a failure. While the test runs it is Hypothesis that asks, of each example that fails."""
        decides = sys.modules.get("claims.testing.property_tests")
        if decides is not None and isinstance(excinfo.value, decides.Refuted):
            return str(excinfo.value)  # what is looked for: nobody reads how it came about
        # Hypothesis shows it of none but a flaky one. pytest's own traceback parses each file anew: to shrink a
        # failure would take twice as long.
        return excinfo.getrepr(style="native") if self.is_running else super().repr_failure(excinfo, *options)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """The file in which the tests were asked for."""
        return self.path, None, self.name


NEVER_RUN = "the tests of claims that are made at {} are never run: write test_mine = ... at the top of a test file"

IDLE = pytest.StashKey[list[str]]()
"""What is told of such tests at the end of a session."""


def _idle_since(number: int) -> list[str]:
    """Where tests of claims were made, those after the first few, that nobody runs. What decides is not imported here."""
    decides = sys.modules.get("claims.testing.property_tests")
    made = decides.ClaimTests.made[number:] if decides else []
    return [NEVER_RUN.format(one.where) for one in made if one.is_idle]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """Fail a test that makes tests of claims and drops them."""
    decides = sys.modules.get("claims.testing.property_tests")
    # Made in a test and dropped there they are never run: the test that says so is the one that made them.
    before = len(decides.ClaimTests.made) if decides else 0
    result = yield
    for told in _idle_since(before):
        raise AssertionError(told)
    return result


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a session in which tests of claims were made that are none of its tests. Workers of xdist tell of them."""
    idle = session.config.stash.setdefault(IDLE, [])
    idle += [told for told in _idle_since(0) if told not in idle]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[PROPERTY] = idle
    # A session that fails anyway, or was interrupted, keeps its own word.
    elif idle and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Note what a worker of pytest-xdist tells."""
    idle = node.config.stash.setdefault(IDLE, [])
    idle += [told for told in getattr(node, "workeroutput", {}).get(PROPERTY, ()) if told not in idle]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Hand what was counted to the report, for the summary and for JUnit."""
    if isinstance(item, ConclusionItem) and call.when == "call":
        test = item.of_claim
        # Added before the report is made, which copies the properties of its item.
        item.user_properties.append((PROPERTY, json.dumps(test.tally.summary() | {"claim": test.claim.id})))
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """One line for each conclusion: instances, how decided, tightest slack. Reports carry them, under xdist too."""
    lines = []
    for reports in terminalreporter.stats.values():
        for report in reports:
            # The last report of a test has all of its properties; the earlier ones would count it twice.
            if getattr(report, "when", None) == "teardown":
                lines += [json.loads(value) for name, value in report.user_properties if name == PROPERTY]
    idle = config.stash.get(IDLE, [])
    if not lines and not idle:
        return
    terminalreporter.section("claims")
    for told in idle:
        terminalreporter.write_line(told, red=True)
    for line in sorted(lines, key=lambda line: (line["claim"], line["conclusion"])):
        decided = ", ".join(f"{count} {known}" for known, count in sorted(line["decided_by"].items())) or "none decided"
        terminalreporter.write_line(
            f"{line['claim']}.{line['conclusion']}: {line['instances']} instances ({decided}), "
            f"{line['violated']} violated, {line['undecided']} UNDECIDED, {line['vacuous']} vacuous, "
            f"tightest slack {line['slack']}"
        )
