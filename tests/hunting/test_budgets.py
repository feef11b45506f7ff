"""A budget of time ends a hunt although one decision takes longer than all of it."""

from __future__ import annotations

import _thread
import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.campaigns.engines import answer
from claims.campaigns.ledger import canonical
from claims.hunting import plan, rounds, search
from claims.hunting.rounds import round_spec
from claims.targets.target import Target
from claims.verifying import trial
from claims.verifying.trial import read_own
from tests.calling import run
from tests.in_process import computed_here

# Where the exception comes inside a callback of the garbage collector (Hypothesis has one) Python reports and drops it:
# it is sent again half a second later.
DROPPED = "Exception ignored in. <function gc_cumulative_time"
pytestmark = pytest.mark.filterwarnings(f"ignore:{DROPPED}:pytest.PytestUnraisableExceptionWarning")

ROOT = Path(__file__).resolve().parents[2]

SLOW = '''"""Numbers whose sign is plain in float64, and takes hours in any other arithmetic."""

from claims import Claim
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(__name__, statement="No coordinate is negative.", system=SelfAttentionFlow)


@claim.state(">= 0")
def coordinates(f: SelfAttentionFlow):
    """The coordinates."""
    while f.x.dtype == object:
        pass
    return f.x
'''


def for_ever():
    while True:
        pass


def deaf():
    """Catches whatever there is, twice."""
    for caught in (OutOfTimeError, OutOfTimeError, ()):
        with suppress(caught):
            # Each time half a second passes until it is interrupted again: a loop that never rests would burn all of it.
            while True:
                time.sleep(0.001)


def ended(seconds, function, *inside):
    with pytest.raises(OutOfTimeError) as error, within(seconds):  # noqa: PT012 -- how it is left is what is tested
        for other in inside:
            with within(other):
                pass
        function()
    return str(error.value)


def test_what_takes_too_long_is_interrupted_again_and_again():
    assert ended(0.1, for_ever) == "stopped after 0.1 s"
    assert ended(0.1, deaf) == "stopped after 0.1 s"
    # A time that is over before it begins: to start a clock for it would let some of the function run.
    assert ended(-1.0, for_ever) == "there was no time left"


def test_only_what_is_inside_is_interrupted():
    with within(60.0):
        assert ended(0.05, for_ever, 60.0) == "stopped after 0.05 s"
    with pytest.raises(OutOfTimeError, match=r"after 0\.1 s"), within(0.1), within(60.0):
        for_ever()
    with within(0.05):
        pass
    time.sleep(0.2)  # nothing comes late
    before = _thread._count()
    with within(float("inf")):
        assert _thread._count() == before


def test_a_clock_starts_no_thread_while_another_one_of_its_thread_may_end_it():
    with within(60.0):
        watched = _thread._count()
        with within(60.0), within(50.0):
            assert _thread._count() == watched


def test_what_is_over_before_it_begins_says_so_too(monkeypatch):
    class Slow:
        """A lock that is left before it has begun only when its clock has ended that."""

        lock = threading.Lock()
        slow = True

        def __enter__(self):
            self.lock.acquire()

        def __exit__(self, *_error):
            self.lock.release()
            if self.slow and threading.current_thread() is threading.main_thread():
                self.slow = False
                for_ever()

    monkeypatch.setattr(within, "_lock", Slow())
    assert ended(0.05, for_ever) == "stopped after 0.05 s"


def test_a_clock_that_nothing_stopped_ends_nothing_outside_of_its_function():
    def left():
        with suppress(OutOfTimeError):
            within(0.2).__enter__()
            for_ever()

    left()
    # In short naps: the exception of a clock that goes on would come between two of them, and be seen here.
    for _ in range(40):
        time.sleep(0.01)


PROFILED = """
import sys
import time
from claims.campaigns.deadlines import OutOfTimeError, within

class Late:
    lock, first = within._lock, True
    def __enter__(self):
        if sys._getframe(1).f_code.co_name == "_close" and self.first:  # over before the lock is free
            self.first = False
            within._running[0]._end = 0.0
            within._running[0]._look()
        self.lock.acquire()
    def __exit__(self, *_error):
        self.lock.release()

within._lock = Late()
try:
    with within(60.0):
        time.sleep(0.1)  # what looks at clocks is there
except OutOfTimeError as error:
    print(error)
sys.setprofile(lambda *_given: None)
print(len(sys.argv))
"""


def test_after_an_exception_that_comes_late_functions_may_be_followed():
    command = [sys.executable, "-c", PROFILED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=ROOT)
    assert done.stdout == "stopped after 60 s\n1\n"


def test_time_may_be_that_of_the_processor():
    with within(0.3, time.process_time):
        time.sleep(0.6)  # twice the time by the clock on the wall, and none of the processor's


@pytest.fixture
def slow(tmp_path, monkeypatch):
    monkeypatch.setattr(trial, "TRIAL_SECONDS", 0.3)
    computed_here(monkeypatch)
    for module in (plan, rounds, search):  # what is spared is waited for by each of four rounds
        monkeypatch.setattr(module, "SPARE_SECONDS", 0.2)
    path = tmp_path / "slow_claim.py"
    path.write_text(SLOW, encoding="utf-8")
    return path


def test_a_file_is_tried_for_a_while_only(slow):
    began = time.process_time()
    assert [one.name for one in read_own(slow).conclusions] == ["coordinates"]
    assert trial.TRIAL_SECONDS / 2 < time.process_time() - began < 5 * trial.TRIAL_SECONDS


def test_a_round_comes_back_in_its_time_and_tells_what_was_left_undecided(slow):
    claim = read_own(slow)
    spec = round_spec(Target.of(claim, claim.conclusions[0]), 0, 0, 0, 256, [], 0.5)
    began = time.process_time()
    found = json.loads(answer("claims.hunting.rounds:work", canonical(spec)).text)
    assert time.process_time() - began < 8
    assert found["undecided"] == 1
    assert (found["decided"], found["violations"]) == (0, [])


def test_a_hunt_ends_with_its_budget(slow, tmp_path):
    found = tmp_path / "found.json"
    run("hunt", "--file", slow, "--budget", "0.4s", "--jobs", 1, "--out", tmp_path / "hunt", "--json", found, code=3)
    (hunted,) = json.loads(found.read_text())["hunted"]
    assert hunted["finding"] == "nothing decided"
