"""What an engine on Dask does with each thing that may come back, and what a run counts: by clients that do as told."""

from __future__ import annotations

import itertools
import queue
import socket
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from claims.campaigns import dask_engine
from claims.campaigns.campaign import run_campaign
from claims.campaigns.dask_engine import AHEAD, LOOK, DaskEngine, answer_if_fit, unfit
from claims.campaigns.engines import CampaignError, Landed, LostError, WorkerAnswer, fingerprint
from claims.campaigns.independent import Independent
from claims.campaigns.ledger import Ledger, LedgerError, canonical, task_key

WORK = "tests.campaigns.test_campaign:work"


class Future:
    def __init__(self):
        self.status, self.told, self.callbacks = "pending", None, []

    def add_done_callback(self, callback):
        self.callbacks.append(callback)

    def comes(self, status, told=None):
        self.status, self.told = status, told
        for callback in self.callbacks:
            callback(self)

    def result(self, timeout):
        assert timeout == dask_engine.ANSWER
        if isinstance(self.told, BaseException):
            raise self.told
        return self.told

    def exception(self, timeout):
        assert timeout == dask_engine.ANSWER
        return self.told


class Client:
    """It has so many workers, and keeps what was sent to it."""

    def __init__(self, workers=2):
        self.status, self.workers, self.sent, self.cancelled, self.said, self.closed = "running", workers, [], [], {}, 0

    def scheduler_info(self):
        if isinstance(self.workers, BaseException):
            raise self.workers
        return {"workers": dict.fromkeys(range(self.workers))}

    def submit(self, function, *arguments, key):
        if self.status != "running":
            raise OSError("gone")
        assert function is answer_if_fit
        self.sent.append((*arguments, key))
        self.futures = getattr(self, "futures", [])
        self.futures.append(Future())
        return self.futures[-1]

    def cancel(self, futures, force):
        assert force
        self.cancelled += futures

    def run(self, function, argument, on_error):
        assert on_error in {"return", "ignore"}
        self.said["asked"] = function, argument
        return self.said.get("answers", {})

    def close(self, timeout):  # noqa: ARG002
        self.closed += 1


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(value=100.0)
    monkeypatch.setattr(dask_engine.time, "monotonic", lambda: now.value)
    return now


def engine_of(*clients, patience=10.0):
    waiting = iter(clients)
    return DaskEngine(lambda: next(waiting), "there", patience)


def test_there_is_room_for_two_tasks_a_worker_and_for_none_while_nothing_moves(clock):
    client = Client(workers=3)
    engine = engine_of(client)
    assert (engine.room, engine.workers) == (3 * AHEAD, 3)
    for number in range(8):
        engine.submit(f"k{number}", WORK, {"n": number})
        assert engine.room == max(0, 5 - number)
    assert [sent[:3] for sent in client.sent] == [(WORK, canonical({"n": n}), fingerprint()) for n in range(8)]
    names = {sent[3] for sent in client.sent}
    assert len(names) == 8
    engine.abandon()
    assert client.cancelled == client.futures
    assert engine.room == 6
    again = engine_of(Client(workers=3))
    again.submit("k0", WORK, {"n": 0})
    other = engine_of(Client(workers=3))
    other.submit("k0", "tests.campaigns.test_campaign:patient", {"n": 0})
    (same,), (another,) = ([sent[3] for sent in one._client.sent] for one in (again, other))
    assert same in names
    assert another not in names
    engine._trial = "k"
    assert engine.room == 0
    engine._trial, engine._trouble = None, "no workers"
    assert engine.room == 0
    again.abandon()
    assert again._client.cancelled == again._client.futures
    other._trial, other._client.status = "k0", "closed"
    other.abandon()
    assert (other._client.cancelled, other.room) == ([], 6), "nobody is there who could cancel"
    again.prepare(WORK)
    assert again._client.said["asked"] == (dask_engine._imported, WORK)


def test_what_comes_back_leaves_and_what_is_lost_is_sent_again(clock):
    client = Client(workers=4)
    engine = engine_of(client)
    for number in range(6):
        engine.submit(f"k{number}", WORK, {"n": number})
    good, lost, gone, refused, late, open_one = client.futures
    found = WorkerAnswer(text="{}", seconds=2.0, worker="w")
    good.comes("finished", found)
    lost.comes("finished", OSError("its worker died"))
    gone.comes("cancelled")
    refused.comes("error", TypeError("no such thing"))
    landed = engine.landed(1.0)
    text = f"the task did not reach a worker: {TypeError('no such thing')!r}"
    assert landed == [Landed("k0", found), Landed("k3", WorkerAnswer(failure=text))]
    assert sorted(sent[1] for sent in client.sent[6:]) == [canonical({"n": 1}), canonical({"n": 2})]
    assert all(sent[3].endswith("-2") for sent in client.sent[6:])
    assert engine.room == 8 - 4
    lost.comes("finished", found)
    late.comes("finished", WorkerAnswer(failure="it raised"))
    assert engine.landed(1.0) == [Landed("k4", WorkerAnswer(failure="it raised"))], "what was sent again is waited for anew"
    open_one.comes("finished", WorkerAnswer(unfit="another code"))
    with pytest.raises(LostError, match="another code"):
        engine.landed(1.0)


def test_what_is_blamed_for_a_death_is_tried_alone_and_given_up_when_it_kills_again(clock):
    client = Client(workers=2)
    engine = engine_of(client)
    for name in "abc":
        engine.submit(name, WORK, {"n": name})
    from distributed import KilledWorker

    killed = KilledWorker("task", SimpleNamespace(), 1)
    a, b, c = client.futures
    a.comes("error", killed)
    assert engine.landed(0.0) == []
    assert len(client.sent) == 3, "it waits until nothing is beside it"
    assert engine.room == 0
    b.comes("error", killed)
    c.comes("finished", WorkerAnswer(text="{}"))
    assert engine.landed(0.0) == [Landed("c", WorkerAnswer(text="{}"))]
    assert [sent[1] for sent in client.sent[3:]] == [canonical({"n": "a"})], "the first of them, alone"
    engine.submit("d", WORK, {"n": "d"})
    client.futures[-1].comes("finished", WorkerAnswer(text="2"))
    client.futures.pop()
    assert engine.landed(0.0) == [Landed("d", WorkerAnswer(text="2"))]
    assert engine.room == 0, "it is still on trial"
    client.futures[-1].comes("error", killed)
    (given_up,) = engine.landed(0.0)
    assert (given_up.key, given_up.killed, given_up.answer.text) == ("a", True, None)
    assert "each worker that ran it died" in given_up.answer.failure
    assert [sent[1] for sent in client.sent[5:]] == [canonical({"n": "b"})]
    client.futures[-1].comes("finished", WorkerAnswer(text="1"))
    assert engine.landed(0.0) == [Landed("b", WorkerAnswer(text="1"))]
    assert engine.room == 4


def test_a_scheduler_or_the_last_worker_is_waited_for_with_patience(clock):
    client = Client(workers=2)
    engine = engine_of(client)
    client.workers = 0
    engine.landed(0.0)
    assert engine.trouble() == "", "it is looked at every few seconds"
    clock.value += LOOK
    engine.landed(0.0)
    assert engine.trouble() == "there are no workers at there"
    clock.value += 10.0
    engine.landed(0.0)
    clock.value += LOOK
    with pytest.raises(LostError, match="there are no workers at there for 10 s"):
        engine.landed(0.0)
    client.workers = 1
    clock.value += LOOK
    engine.landed(0.0)
    assert (engine.trouble(), engine.workers) == ("", 1)
    client.workers = OSError("no route")
    clock.value += LOOK
    engine.landed(0.0)
    assert engine.trouble() == "the scheduler at there does not answer (no route)"


def test_a_lost_scheduler_is_connected_to_again_and_gets_what_it_had(clock):
    first, second = Client(), Client(workers=5)
    engine = engine_of(first, second)
    engine.submit("k", WORK, {"n": 1})
    engine.submit("silent", WORK, {"n": 5})
    first.status = "closed"
    first.futures[0].comes("lost")
    assert engine.landed(0.0) == []
    assert (first.closed, engine.workers) == (1, 5)
    assert {sent[1] for sent in second.sent} == {canonical({"n": 1}), canonical({"n": 5})}
    first.status = second.status = "closed"
    clock.value += LOOK
    assert engine.landed(0.0) == []
    assert "does not answer" in engine.trouble(), "there is no third one"
    engine.submit("other", WORK, {"n": 2})
    second.status = "running"
    second.submit = lambda *_, **__: (_ for _ in ()).throw(TypeError("no text"))
    with pytest.raises(TypeError, match="no text"):
        engine.submit("third", WORK, {"n": 3})


def test_workers_are_admitted_that_are_there_and_fit(clock, monkeypatch):
    client = Client(workers=0)
    engine = engine_of(client)
    with pytest.raises(CampaignError, match="the scheduler at there has no workers"):
        engine.admit()
    client.workers, clock.value = 1, clock.value + LOOK
    engine.landed(0.0)
    for answers, told in (({"w": "", "v": "too old"}, "too old"), ({"w": OSError("x")}, "worker w cannot compute")):
        client.said["answers"] = answers
        with pytest.raises(CampaignError, match=told):
            engine.admit()
    client.said["answers"] = {"w": "", "v": ""}
    engine.admit()
    assert client.said["asked"] == (unfit, fingerprint())
    worker = SimpleNamespace(address="a:1", state=SimpleNamespace(nthreads=1))
    assert unfit(fingerprint(), worker) == ""
    assert "this is another" in unfit("another", worker)
    worker.state.nthreads = 2
    assert "runs 2 tasks at once" in unfit(fingerprint(), worker)
    monkeypatch.setattr(dask_engine, "unfit", lambda expected: expected)
    assert answer_if_fit(WORK, "{}", "why not") == WorkerAnswer(unfit="why not")
    assert answer_if_fit(WORK, '{"n": 3}', "").text == '{"square":9,"worker":0}'


def test_who_answers_is_recognised_by_the_length_of_a_short_message():
    for greeting, known in ((1, True), (200, True), (0, False), (dask_engine.LONGEST_GREETING, False), (1 << 40, False)):
        one, other = socket.socketpair()
        with one, other:
            other.sendall(greeting.to_bytes(8, "little"))
            with nullcontext() if known else pytest.raises(ConnectionError, match="no Dask scheduler"):
                dask_engine._recognise(one)
            assert one.gettimeout() == dask_engine.ANSWER


def test_workers_are_kept_as_they_are_configured():
    """Each of the names is one of Dask's, which ignores what it does not know."""
    dask = pytest.importorskip("dask")
    assert all(dask.config.get(name, None) is not None for name in dask_engine.LOCAL)
    assert set(dask_engine.LOCAL.values()) == {False}


# ---------------------------------------------------------------------------------------------------------------------
# What a run counts and says


class Told:
    """An engine that gives back, in turns, what it is told, and says what troubles it."""

    def __init__(self, landed, troubles=()):
        self.answers, self.troubles, self.flying, self.abandoned = landed, iter(troubles), queue.SimpleQueue(), 0
        self.room = 1

    def submit(self, key, work, spec):
        assert work == WORK
        self.flying.put((key, spec["n"]))
        self.room = 0

    def landed(self, timeout):
        assert timeout <= 1.0
        if next(self.troubles, ""):
            return []
        key, n = self.flying.get_nowait()
        self.room = 1
        return [Landed(key, *self.answers[n])]

    def trouble(self):
        return next(self.troubles, "")

    def abandon(self):
        self.abandoned += 1


def test_a_run_counts_what_was_computed_recalled_and_failed_and_says_so(tmp_path):
    specs = [{"n": n} for n in range(5)]
    answers = {
        0: (WorkerAnswer(text='{"a":0}', seconds=1.5, worker="w"),),
        1: (WorkerAnswer(failure="it raised", worker="v"),),
        2: (WorkerAnswer(worker="u"), True),
        3: (WorkerAnswer(text='{"a":3}', seconds=2.0),),
        4: (WorkerAnswer(text='{"b":4}', seconds=0.5),),
    }
    with Ledger(tmp_path) as ledger:
        ledger.begin({})
        for attempt in range(2):
            said, engine = [], Told(answers)
            plan = Independent(specs, lambda spec, result: result.get("a", result.get("b")) == spec["n"])
            assert (plan.left, plan.done(), plan.found) == (5, False, [])
            ending = run_campaign(ledger, plan, WORK, engine, said.append)
            assert (ending.computed, ending.recalled, ending.failed, ending.done) == (
                (0, 3, 2, True) if attempt else (3, 0, 2, True)
            )
            assert engine.abandoned == 1
            assert plan.found == [{"a": 0}, {"a": 3}, {"b": 4}]
            assert sorted(plan.lost.values()) == ["it raised", "no reason given"]
            assert (plan.work, plan.left, plan.done(), plan.ready()) == (4.0, 0, True, [])
            kinds = [(event.kind, event.spec["n"], event.text, event.seconds, event.worker) for event in said]
            landed = [("recorded", 0, "", 1.5, "w"), ("failed", 1, "it raised", 0.0, "v")]
            landed += [
                ("failed", 2, "no reason given", 0.0, "u"),
                ("recorded", 3, "", 2.0, ""),
                ("recorded", 4, "", 0.5, ""),
            ]
            if attempt:
                again = [("recalled", *event[1:]) for event in landed if event[0] == "recorded"]
                assert sorted(kinds) == sorted([*again, *(event for event in landed if event[0] == "failed")])
            else:
                assert kinds == list(itertools.chain(*((("started", n, "", 0.0, ""), landed[n]) for n in range(5))))
        assert {failure.spec["n"]: failure.kind for failure in ledger.failures()} == {1: "raised", 2: "killed"}
        plan = Independent(specs, lambda spec, result: False)
        with pytest.raises(LedgerError, match="is none of this plan: ValueError: the result is of another task"):
            run_campaign(ledger, plan, WORK, Told(answers))


def test_what_troubles_an_engine_is_said_once_while_it_is_the_same(tmp_path):
    troubles = ["no", "no", "no", "no", "no", "other", "", "", "no", "no"]
    said = []
    with Ledger(tmp_path) as ledger:
        ledger.begin({})
        engine = Told({0: (WorkerAnswer(text="{}"),), 1: (WorkerAnswer(text="{}"),)}, troubles)
        run_campaign(ledger, Independent([{"n": 0}, {"n": 1}], lambda *_: True), WORK, engine, said.append)
    assert [event.text for event in said if event.kind == "waiting"] == ["no", "other", "no"]


def test_another_result_of_a_task_is_told(tmp_path):
    spec, said = {"n": 0}, []
    with Ledger(tmp_path) as ledger:
        ledger.begin({})

        class Late(Told):
            """While it computes, another one has recorded another result."""

            def landed(self, timeout):
                ledger.record(spec, {"first": 1}, 1.0, "w")
                return super().landed(timeout)

        engine = Late({0: (WorkerAnswer(text='{"second":1}'),)})
        run_campaign(ledger, Independent([spec], lambda *_: True), WORK, engine, said.append)
        assert [event.kind for event in said] == ["started", "differs"]
        (other,) = ledger.disagreements()
        assert (other.result, ledger.entry(task_key(spec)).result) == ({"second": 1}, {"first": 1})
