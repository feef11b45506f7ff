"""Campaigns on real processes: whatever is killed, every task is done, none twice, and the result is the same."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from claims.campaigns import dask_engine, engines
from claims.campaigns.campaign import run_campaign
from claims.campaigns.dask_engine import cluster_engine, local_engine
from claims.campaigns.engines import CampaignError, LostError, answer
from claims.campaigns.ledger import Ledger
from tests.in_process import InProcess, Shuffled
from tests.planting import LONG as EVERY_NIGHT

LONG = 120
"""Seconds after which a test gives up on a process: the machine may be busy."""


# The work. Its path is imported by workers: "tests.campaigns.test_campaign:work".


def work(spec):
    """Square a number after noting that it was asked to; wait, raise or end the process if the spec says so."""
    if "notes" in spec:
        with Path(spec["notes"]).open("a") as notes:
            notes.write(f"{spec['n']} {os.getpid()}\n")
    if "gate" in spec:
        while not Path(spec["gate"]).exists():
            time.sleep(0.01)
    if spec.get("ends"):
        os._exit(3)
    if spec.get("raises"):
        raise ZeroDivisionError("a slack without a value")
    return {"square": spec["n"] ** 2, "worker": 0}


class Rounds:
    """A plan of three rounds; what a round asks depends on all results of the round before it, as a hunt's do."""

    def __init__(self, special=None, width=6, rounds=3, **common):
        self.special, self.width, self.rounds, self.common = special or {}, width, rounds, common
        self.results, self.order, self.open = [], [], {}

    def ready(self):
        if self.open or self.done():
            return []
        # A result that is missing, or another one, changes what the next round asks: a wrong order could not hide.
        carried = sum(square or 0 for _, square in self.results[-1].values()) % 97 if self.results else 0
        numbers = [100 * len(self.results) + i for i in range(self.width)]
        self.open = dict.fromkeys(numbers)
        return [{"n": n, "carried": carried, **self.common, **self.special.get(n, {})} for n in numbers]

    def take(self, spec, result, seconds):
        assert seconds >= 0
        self.order.append((spec["n"], seconds))
        self._settle(spec, result["square"])

    def lose(self, spec, reason):  # noqa: ARG002
        self._settle(spec, None)

    def _settle(self, spec, square):
        # After a worker has died two of them may have done a task: the plan is to hear of one.
        assert self.open[spec["n"]] is None, "told of the same task twice"
        self.open[spec["n"]] = (spec["carried"], square)
        if None not in self.open.values():
            self.results.append(self.open)
            self.open = {}

    def done(self):
        return len(self.results) == self.rounds


def run(directory, plan, engine, **more):
    with Ledger(directory) as ledger:
        ledger.begin({"rounds": plan.rounds})
        return run_campaign(ledger, plan, "tests.campaigns.test_campaign:work", engine, **more)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    plan = Rounds()
    ending = run(tmp_path_factory.mktemp("uninterrupted"), plan, InProcess())
    assert (ending.computed, ending.recalled, ending.failed, ending.done) == (18, 0, 0, True)
    assert len({carried for results in plan.results for carried, _ in results.values()}) == 3
    return plan.results


def until(condition):
    deadline = time.monotonic() + LONG
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return found


def noted(notes):
    """The pairs (n, process) of the tasks begun so far."""
    return [tuple(map(int, line.split())) for line in notes.read_text().splitlines()] if notes.exists() else []


def alive(process):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def once(action, ready):
    """A `stop` that never stops, and acts once, as soon as `ready` gives something."""
    acted = []

    def stop():
        if not acted and (found := ready()):
            acted.append(found)
            action(found)
        return False

    return stop


def hears_interrupts(process):
    """Whether Ctrl-C in a terminal reaches a process."""
    (blocked,) = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("SigBlk")]
    return not int(blocked.split()[1], 16) & 1 << signal.SIGINT - 1


CLIENT = """
import pathlib, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is begun with it ignored
from claims.campaigns.dask_engine import local_engine
from tests.campaigns.test_campaign import Rounds, run
directory, gate, notes = map(pathlib.Path, sys.argv[1:])
directory.mkdir(exist_ok=True)
plan = Rounds({102: {"gate": str(gate)}}, notes=str(notes))
try:
    with local_engine(2, directory / "dask.log") as engine:
        run(directory, plan, engine)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_client_that_is_killed_or_interrupted_is_resumed_where_it_stood(tmp_path, uninterrupted, how):
    """Nothing recorded is computed again; the workers go with their client; Ctrl-C leaves no traceback."""
    directory, gate, notes = tmp_path / "campaign", tmp_path / "gate", tmp_path / "notes"
    command = [sys.executable, "-c", CLIENT, str(directory), str(gate), str(notes)]
    client = subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )

    def all_but_the_gated():
        assert client.poll() is None, client.communicate()
        if not (directory / "ledger.sqlite").exists() or 102 not in dict(noted(notes)):
            return False
        with Ledger(directory, reading=True) as reader:
            return reader.query("SELECT count(*) FROM tasks") == [(11,)]

    try:
        until(all_but_the_gated)
        # Ctrl-C goes to the whole group of processes: a worker that heard it would end with a task half done.
        assert hears_interrupts(client.pid)
        assert not any(hears_interrupts(process) for _, process in noted(notes))
        client.send_signal(how) if how == signal.SIGKILL else os.killpg(client.pid, how)
        out, err = client.communicate(timeout=LONG)
    finally:
        client.kill()
        client.communicate()
    assert out == ("stopped\n" if how == signal.SIGINT else "")
    assert "Traceback" not in err
    until(lambda: not any(alive(process) for _, process in noted(notes)))
    gate.touch()
    plan = Rounds({102: {"gate": str(gate)}}, notes=str(notes))
    ending = run(directory, plan, InProcess())
    assert (ending.computed, ending.recalled) == (7, 11)
    assert plan.results == uninterrupted
    # The one at the gate was begun before and again; all others once, whichever of the two runs began them.
    begun = Counter(n for n, _ in noted(notes))
    assert begun.pop(102) == 2
    assert set(begun.values()) == {1}


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Three processes, shared by tests; a task is on trial after one death."""
    with local_engine(3, tmp_path_factory.mktemp("local") / "dask.log", deaths=0) as engine:
        yield engine


def test_a_local_worker_that_is_killed_loses_nothing(tmp_path, uninterrupted, three):
    """And three processes give what one gives."""
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    plan = Rounds({102: {"gate": str(gate)}}, notes=str(notes))

    def kill(process):
        os.kill(process, signal.SIGKILL)
        gate.touch()

    ending = run(tmp_path, plan, three, stop=once(kill, lambda: dict(noted(notes)).get(102)))
    assert (ending.computed, ending.failed, ending.done) == (18, 0, True)
    assert plan.results == uninterrupted
    assert [n for n, _ in noted(notes)].count(102) == 2
    assert not any(hears_interrupts(process) for _, process in noted(notes) if alive(process))
    assert len({process for _, process in noted(notes)}) >= 3


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_arrival_changes_nothing(tmp_path, uninterrupted, seed):
    """Nor does an interruption, wherever it comes."""
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, Rounds(), engine := Shuffled(seed, limit=2 + 3 * seed))
    assert engine.abandoned
    plan = Rounds()
    ending = run(tmp_path, plan, Shuffled(seed + 100))
    assert ending.recalled == 2 + 3 * seed
    assert plan.results == uninterrupted


def test_results_are_recalled_in_the_order_in_which_they_arrived(tmp_path):
    """A limit of time, which asks how long the results so far took, is then met where it was met."""
    before, after = Rounds(), Rounds()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, before, Shuffled(3, limit=11))
    # Else the order of arrival would be that of the plan, and any order would do.
    assert [n for n, _ in before.order] != sorted(n for n, _ in before.order)
    run(tmp_path, after, InProcess())
    assert after.order[: len(before.order)] == before.order


def test_a_task_that_raises_and_one_that_ends_its_process_fail_alone(tmp_path, three, monkeypatch):
    monkeypatch.setattr(dask_engine, "ANSWER", 1.0)  # a result may be lost with the worker that dies
    plan = Rounds({2: {"ends": True}, 4: {"raises": True}}, rounds=1)
    said = []
    ending = run(tmp_path, plan, three, on_event=said.append)
    assert (ending.computed, ending.failed, ending.done) == (4, 2, True)
    assert {n for n, (_, square) in plan.results[0].items() if square is not None} == {0, 1, 3, 5}
    with Ledger(tmp_path, reading=True) as ledger:
        kinds = {failure.spec["n"]: (failure.kind, failure.reason) for failure in ledger.failures()}
    assert kinds[4] == ("raised", "ZeroDivisionError: a slack without a value")
    assert kinds[2][0] == "killed"
    assert sorted(event.spec["n"] for event in said if event.kind == "failed") == [2, 4]
    again = Rounds({2: {"ends": True}, 4: {"raises": True}}, rounds=1)
    ending = run(tmp_path, again, Shuffled(0))
    assert (ending.computed, ending.recalled, ending.failed) == (0, 4, 2)
    assert again.results == plan.results


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[2])])}


class Cluster:
    """A real scheduler and its workers, each a process, as a user would start them on several machines."""

    def __init__(self, directory):
        self.directory, self.port, self.processes = directory, 0, []

    @property
    def address(self):
        return f"tcp://127.0.0.1:{self.port}"

    def dask(self, *arguments):
        command = [sys.executable, "-m", "dask", *map(str, arguments)]
        log = (self.directory / "processes.log").open("ab")
        with log:
            process = subprocess.Popen(command, env=environment(), stdout=log, stderr=log, cwd=self.directory)
        self.processes.append(process)
        return process

    def scheduler(self):
        file = self.directory / "scheduler.json"
        file.unlink(missing_ok=True)
        self.dask("scheduler", "--host", "127.0.0.1", "--port", self.port, "--no-dashboard", "--scheduler-file", file)
        self.port = int(
            until(lambda: file.exists() and file.read_text().strip().endswith("}") and json.loads(file.read_text()))[
                "address"
            ].rpartition(":")[2]
        )

    def worker(self, threads=1):
        return self.dask("worker", self.address, "--nthreads", threads, "--no-nanny", "--no-dashboard")

    def kill(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait(timeout=LONG)
        self.processes = []


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.kill()


@contextlib.contextmanager
def engine_on(cluster, workers):
    from distributed import Client

    with Client(cluster.address, set_as_default=False, timeout=LONG) as client:
        client.wait_for_workers(workers, timeout=LONG)
    with cluster_engine(cluster.address, cluster.directory / "dask.log", patience=LONG) as engine:
        yield engine


@pytest.mark.skipif(not EVERY_NIGHT, reason="every night: schedulers and workers that die one after the other")
def test_a_cluster_by_address_loses_workers_and_schedulers_but_no_task(tmp_path, uninterrupted, cluster):
    """A worker is killed in the first round; in the second all of them, to come back; in the third, for good."""
    gates, notes = [tmp_path / f"gate{i}" for i in range(3)], tmp_path / "notes"
    special = {100 * i + 2: {"gate": str(gate)} for i, gate in enumerate(gates)}
    recorded_then, recorded_first = [], []

    def kill_worker(process):
        recorded_first.extend(recorded())
        os.kill(process, signal.SIGKILL)
        gates[0].touch()

    def kill_all_and_start_again(_):
        recorded_then.extend(recorded())
        cluster.kill()
        gates[1].touch()
        cluster.scheduler()
        cluster.worker()

    def kill_all(_):
        engine._patience = 0.1
        cluster.kill()

    def recorded():
        with Ledger(tmp_path, reading=True) as ledger:
            return {entry.spec["n"] for entry in ledger.entries()}

    def begun(n):
        return lambda: dict(noted(notes)).get(n)

    stops = [once(kill_worker, begun(2)), once(kill_all_and_start_again, begun(102)), once(kill_all, begun(202))]
    cluster.scheduler()
    cluster.worker(), cluster.worker()
    plan, said = Rounds(special, notes=str(notes)), []
    with (
        engine_on(cluster, 2) as engine,
        pytest.raises(LostError, match=r"scheduler at tcp.* does not answer .* for 0.1 s"),
    ):
        run(tmp_path, plan, engine, stop=lambda: any(stop() for stop in stops), on_event=said.append)
    assert any(event.kind == "waiting" for event in said)
    assert set(recorded_then) >= set(range(6))
    assert plan.results == uninterrupted[:2]
    gates[2].touch()
    already, plan = recorded(), Rounds(special, notes=str(notes))
    ending = run(tmp_path, plan, InProcess())
    assert ending.recalled == len(already) >= 12
    assert plan.results == uninterrupted
    times = Counter(n for n, _ in noted(notes))
    assert times[2] == 2, "the task whose worker was killed"
    # A result that was still with the killed worker is computed again; what was recorded by then is not.
    assert all(times[n] == 1 for n in recorded_first), "what was recorded is not computed again"


def test_a_cluster_that_cannot_serve_is_refused_at_once(tmp_path, cluster, monkeypatch):
    with (
        pytest.raises(CampaignError, match=r"no Dask scheduler answers at tcp://127.0.0.1:1: "),
        cluster_engine("tcp://127.0.0.1:1"),
    ):
        pass
    with pytest.raises(CampaignError, match="no Dask scheduler answers at nonsense"), cluster_engine("nonsense://x"):
        pass
    cluster.scheduler()
    with pytest.raises(CampaignError, match="has no workers"), cluster_engine(cluster.address):
        pass
    cluster.worker(threads=2)
    with pytest.raises(CampaignError, match="runs 2 tasks at once: start it with --nthreads 1"), engine_on(cluster, 1):
        pass
    monkeypatch.setattr("claims.campaigns.dask_engine.fingerprint", lambda: "other code")
    with pytest.raises(CampaignError, match=r"runs attention-claims .*; this is other code"), engine_on(cluster, 1):
        pass


def test_work_that_is_not_there_and_plans_that_stall_or_repeat_are_refused(tmp_path):
    with Ledger(tmp_path) as ledger:
        for path in ("tests.campaigns.test_campaign:nothing", "no_such_module:work", "work"):
            with pytest.raises(CampaignError, match="there is no work"):
                run_campaign(ledger, Rounds(), path, InProcess())
        plan = Rounds()
        plan.ready = lambda: [{"n": 1}]
        with pytest.raises(ValueError, match="hands out a task twice"):
            run_campaign(ledger, plan, "tests.campaigns.test_campaign:work", InProcess())
        plan.ready = list
        with pytest.raises(ValueError, match="neither done nor"):
            run_campaign(ledger, plan, "tests.campaigns.test_campaign:work", InProcess())


def test_a_deadline_abandons_what_is_in_flight(tmp_path):
    said = []
    engine = Shuffled(0)
    ending = run(tmp_path, Rounds(), engine, on_event=said.append, stop=lambda: len(said) > 9)
    assert not ending.done
    assert engine.abandoned
    with Ledger(tmp_path, reading=True) as ledger:
        assert len(list(ledger.entries())) == ending.computed > 0


def impatient(spec):
    return work(spec)


def patient(spec):
    time.sleep(0.2)
    return work(spec)


def not_a_number(spec):
    return {"slack": float("nan")}


impatient.longest, patient.longest = 0.1, 60.0


@pytest.mark.parametrize(
    ("path", "spec", "failure"),
    [
        ("tests.campaigns.test_campaign:not_a_number", {}, "ValueError: Out of range float values are not JSON compliant"),
        ("sys:exit", {}, "SystemExit"),
        ("tests.campaigns.test_campaign:work", {"gate": "nothing is ever here"}, "OutOfTimeError: stopped after 0.15 s"),
        ("tests.campaigns.test_campaign:impatient", {"gate": "none"}, "OutOfTimeError: stopped after 0.1 s"),
        ("tests.campaigns.test_campaign:patient", {}, None),
        ("tests.campaigns.test_campaign:work", {}, None),
    ],
)
def test_what_has_no_plain_result_in_its_time_is_a_failure(path, spec, failure, monkeypatch):
    """Work may say that it takes longer than other tasks, or less; the clock of a task that is over stops nothing."""
    monkeypatch.setattr(engines, "LONGEST", 0.15)
    found = answer(path, json.dumps({"n": 3, **spec} if path != "sys:exit" else {}))
    if failure is None:
        assert (found.failure, json.loads(found.text)["square"]) == (None, 9)
        time.sleep(0.2)
    else:
        assert found.text is None
        assert failure in found.failure
