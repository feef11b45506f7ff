"""Whatever comes through a door, a file, a text or an address: one sentence that names it, exit code 2, nothing touched.

Each door is tried with what was found to break it once, and with what Hypothesis makes of sound files by flipping,
cutting and inserting. The smallest profile takes seconds; HYPOTHESIS_PROFILE=nightly goes on for longer.
"""

from __future__ import annotations

import io
import json
import shutil
import socket
import sqlite3
import struct
import sys
import threading
import zipfile
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.campaigns.campaign import run_campaign
from claims.campaigns.dask_engine import cluster_engine
from claims.campaigns.engines import CampaignError, LostError
from claims.campaigns.ledger import Ledger, LedgerError
from claims.certificates.format import MalformedError, as_text, read_certificate
from claims.certificates.provenance import write_whole
from claims.certificates.published import published
from claims.cli import hunt as command
from claims.cli import main
from claims.instances.files import InstanceError, read_instance
from claims.instances.strict_npz import MOST_ENTRIES, read_npz
from claims.stating.catalogue import catalogue
from claims.stating.plain_text import one_line
from claims.targets.user_claims import OwnFileError, claim_in
from dynamics.strict_reading import MOST_BYTES, UnreadableError, read_json, read_number, read_text
from tests.calling import refused, run
from tests.in_process import InProcess, computed_here

ROOT = Path(__file__).parents[2]
CERTIFICATE = as_text(published()["polarization/slower_decay_gives_sparser_scores.json"])

often = settings(max_examples=5 * settings.default.max_examples)
"""What takes no more than a millisecond is tried five times as often."""


def outcome(refusal, read, *arguments):
    """What is read, or what is said of it; any other error is the test's failure."""
    try:
        return read(*arguments)
    except refusal as error:
        return str(error)


# ---------------------------------------------------------------------------------------------------------------------
# JSON and numbers


def test_numbers_within_the_limits_are_read_exactly():
    # Signs, zeros and exponents wherever they may stand, and as many digits as are allowed.
    for text in ("12", "-7/2", "+0.125", ".5", "5.", "1.5e-30", "1E4", " 3 ", "1e-4000", "-0/5", "9" * 4000, "00012e+02"):
        assert read_number(text) == Fraction(text), text[:20]
    long = "-" + "123456789" * 10_000
    assert read_number(long, digits=100_000) == read_json(f"[{long}]", digits=100_000)[0]
    assert abs(read_json(f"[{long}]", digits=100_000)[0]) % 10**9 == 123456789
    for text in ("", ".", "e5", "1/", "/2", "1/-2", "0x1", "1e", "inf", "nan", "--1", "1 2", "1e5/2", "¹"):
        with pytest.raises(UnreadableError, match="is no number"):
            read_number(text)


@often
@given(st.text("0123456789+-./eE_ ", max_size=12))
def test_what_python_reads_as_a_rational_is_read_alike_or_refused(text):
    try:
        number = read_number(text)
    except UnreadableError:
        return
    assert number == Fraction(text)


def test_a_file_of_any_kind_is_read_whole_or_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a\r\nb\n")
    assert read_text(path) == "a\nb\n"
    assert read_text(path, 5) == "a\nb\n"
    with pytest.raises(UnreadableError, match="is larger"):
        read_text(path, 4)
    path.write_bytes(b"\xff")
    with pytest.raises(UnreadableError, match="is not UTF-8 text"):
        read_text(path)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["1/2", "1e9999999", "-3"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "B", "V", "system", "format"]), inner)
    ),
    max_leaves=12,
)
# Names of arrays, and those that the reader of files and Python itself use.
NAMES = ["x", "tokens", "B", "V", "u", "a", "K", "t", "z", "system", "format", "instance", "cls", "self"]


@often
@given(st.dictionaries(st.sampled_from(NAMES), JSON | st.just("LogisticFlow")))
def test_any_object_is_an_instance_or_refused(data):
    assert outcome(InstanceError, read_instance, json.dumps(data))


def damaged(data, sound):
    """A sound file with bytes flipped, inserted, repeated or cut off."""
    content = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, max(0, len(content) - 1)))
        what = data.draw(st.sampled_from(["flip", "flip", "insert", "cut", "repeat"]))
        if what == "flip" and content:
            content[place] ^= data.draw(st.integers(1, 255))
        elif what == "insert":
            content[place:place] = data.draw(st.binary(max_size=8))
        elif what == "cut" and data.draw(st.booleans()):
            del content[place:]
        elif what == "repeat":
            content[place:place] = content[place : place + 50]
    return bytes(content)


@often
@given(st.data())
def test_a_damaged_certificate_is_read_or_refused(data):
    text = damaged(data, CERTIFICATE.encode()).decode("utf-8", "replace")
    assert outcome(MalformedError, read_certificate, text)


# ---------------------------------------------------------------------------------------------------------------------
# .npz


def npy(header, body=b""):
    text = header if isinstance(header, bytes) else header.encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + body


def header(kind="<f8", shape="(1, 1)"):
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n"


def archive(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def saved(**arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


ONE = struct.pack("<d", 1.0)

HOSTILE = {
    "an .npy file": (npy(header(), ONE), "is no .npz archive, or a damaged one"),
    "nothing": (b"", "is no .npz archive, or a damaged one"),
    # A header may promise anything: nobody asks for memory before the bytes are counted.
    "huge": (archive(x=npy(header(shape="(1000000000000, 2)"))), "of the shape (1000000000000, 2), which is too large"),
    "large": (archive(x=npy(header(shape="(100000000, 100000000)"))), "which is too large"),
    "negative": (archive(x=npy(header(shape="(-1, 1)"), ONE)), "whose header cannot be read"),
    "short": (archive(x=npy(header(shape="(1, 2)"), ONE)), "whose numbers are not all there or too many"),
    "long": (archive(x=npy(header(), ONE + ONE)), "whose numbers are not all there or too many"),
    # Pickled objects run code when they are read.
    "objects": (archive(x=npy(header("|O"), b"\x80\x04N.")), "of the type |O: only numbers and text are read"),
    "records": (
        archive(x=npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }")),
        "whose header cannot",
    ),
    "times": (archive(x=npy(header("<M8"), ONE)), "of the type <M8"),
    "nested header": (archive(x=npy("(" * 9000)), "whose header cannot be read"),
    # A header is read as Python's literals: a call in it must not be made.
    "code in the header": (archive(x=npy(header(shape="(exit(), 1)"))), "whose header cannot be read"),
    "long header": (archive(x=npy(header() + " " * 20_000, ONE)), "whose header cannot be read"),
    # A few kilobytes that unpack to more than is read.
    "bomb": (lambda: archive(x=b"\0" * (MOST_BYTES + 1)), "holds more than 64 MiB when it is unpacked"),
    "many numbers": (saved(x=np.zeros(MOST_ENTRIES - 1), y=np.zeros(2)), f"more than {MOST_ENTRIES} numbers"),
    "many arrays": (archive(**{f"x{k}": b"" for k in range(101)}), "more than 100 arrays"),
    "no array": (archive(x=b"text"), "which is no array that NumPy wrote"),
    "an array named format": (saved(format=np.ones(3), x=np.ones((2, 2))), "unknown key 'format'"),
    "an array of truths": (saved(x=np.ones((2, 2), dtype=bool)), "of the type |b1"),
    "infinity": (saved(x=np.array([[np.inf]])), "inf is not a finite number"),
    "no character": (archive(x=npy(header("<U1"), b"\xff" * 4)), "whose text holds what is no character"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_an_npz_file_that_is_none_is_named(tmp_path, name):
    content, complaint = HOSTILE[name]
    path = tmp_path / "tokens.npz"
    path.write_bytes(content() if callable(content) else content)  # every worker collects: what is large is packed here
    assert complaint in refused("verify", "L1", "--instance", path)
    assert [file.name for file in tmp_path.iterdir()] == ["tokens.npz"]


def test_what_numpy_writes_is_read_as_numpy_reads_it(tmp_path):
    # By columns, big-endian, of half precision, without an axis, empty: each is written in another way.
    arrays = {
        "floats": np.arange(6.0).reshape(2, 3) / 7,
        "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "single": np.float32(0.1) * np.ones(3, dtype=">f4"),
        "half": np.ones((1, 1, 2), dtype="f2"),
        "whole": np.array([-3, 4], dtype="i2"),
        "number": np.array(5, dtype="u8"),
        "text": np.array([["1/3", "-2"]]),
        "empty": np.zeros((0, 2)),
    }
    path = tmp_path / "arrays.npz"
    for save in (np.savez, np.savez_compressed):
        save(path, **arrays)
        found = read_npz(path)
        assert list(found) == list(arrays)
        for name, array in arrays.items():
            assert found[name].dtype == array.dtype
            assert np.array_equal(found[name], array)


SOUND = [saved(x=np.arange(6.0).reshape(3, 2)), archive(x=npy(header("<U3", "(1, 2)"), "1/32\0\0".encode("utf-32-le")))]


@often
@given(st.data())
def test_a_damaged_npz_file_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(damaged(data, data.draw(st.sampled_from(SOUND))))
    assert outcome(InstanceError, read_instance, str(path))


# ---------------------------------------------------------------------------------------------------------------------
# Claim files


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # Python's parser and its compiler give up at different depths, each with another error.
        ("-" * 50_000 + "1", "syntax error: an expression is nested too deeply"),
        ("x = " + "not " * 50_000 + "1", "syntax error: an expression is nested too deeply"),
        ("x = f" + "()" * 50_000, "syntax error: an expression is nested too deeply"),
        ("x = " + "(" * 300, "syntax error"),
        ("x = 1\0", "syntax error: source code string cannot contain null bytes"),
        ("x = 1\nraise SystemExit(0)", ":2: SystemExit: 0"),
        ("class Own(BaseException): pass\nraise Own(3)", ":2: Own: 3"),
        (
            "class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute",
            ":3: Mute: (its message cannot be made",
        ),
        ("raise ValueError('a\\nb\\x1b[2J')", ":1: ValueError: a\\nb\\x1b[2J"),
        ("def f(): f()\nf()", "RecursionError"),
        ("#" * (1 << 20) + "\n", "is larger than 1 MiB"),
    ],
)
def test_a_claim_file_that_is_none_is_named(tmp_path, text, reason):
    path = tmp_path / "bad_claim.py"
    path.write_text(text)
    for arguments in (("show",), ("verify",), ("hunt", "--starts", 1, "--out", tmp_path / "hunt")):
        assert reason in refused(*arguments, "--file", path)
    assert [file.name for file in tmp_path.iterdir()] == ["bad_claim.py"]


def test_what_a_claim_file_leaves_behind_is_looked_at(tmp_path):
    path = tmp_path / "odd_claim.py"
    text = (ROOT / "docs/examples/my_claim.py").read_text()
    for more, reason in (
        ("claim.system = None", "its claim cannot be used"),
        ("claim.conclusions.clear()", "no conclusions"),
    ):
        path.write_text(f"{text}\n{more}\n")
        assert reason in refused("show", "--file", path)


@given(st.text("()[]{}:=.,- \n\"'\\\0#abfn1", max_size=40))
def test_any_text_without_a_claim_is_refused_with_its_file(text):
    with pytest.raises(OwnFileError) as caught:
        claim_in(f"if 0:\n  {text}", "no_claim.py")
    assert str(caught.value).startswith("no_claim.py:")


# ---------------------------------------------------------------------------------------------------------------------
# Ledgers

SPECS = [{"n": n, "target": {"claim": "a.b"}, "seed": 7} for n in range(6)]


@pytest.fixture(scope="module")
def ledger_bytes(tmp_path_factory):
    """A sound ledger, and what is in it."""
    folder = tmp_path_factory.mktemp("sound")
    with Ledger(folder) as ledger:
        ledger.begin({"seed": 7, "targets": []})
        for n, spec in enumerate(SPECS):
            ledger.record(spec, {"starts": n, "best_slack": n / 7, "more": "x" * 400 * n}, 0.5, "w")
        ledger.record(SPECS[1], {"starts": 9}, 0.5, "w")
        ledger.fail({"n": 99}, "raised", "ValueError: no", "w")
    return (folder / "ledger.sqlite").read_bytes(), told_by(folder, reading=True)


def told_by(folder, reading):
    """All that a ledger tells."""
    with Ledger(folder, reading=reading) as ledger:
        return ledger.settings, list(ledger.entries()), ledger.failures(), ledger.disagreements()


@often
@given(st.data())
def test_a_damaged_ledger_is_refused_and_left_as_it_is_or_says_what_it_said(tmp_path_factory, ledger_bytes, data):
    folder = tmp_path_factory.mktemp("damaged", numbered=True)
    # Where a byte is changed that nothing uses, all is read as it was.
    whole, said = ledger_bytes
    content = damaged(data, whole)
    (folder / "ledger.sqlite").write_bytes(content)
    found = outcome(LedgerError, told_by, folder, data.draw(st.booleans()))
    if isinstance(found, str):
        assert str(folder) in found
        assert (folder / "ledger.sqlite").read_bytes() == content
    else:
        assert found == said


def test_a_damaged_log_of_a_killed_hunt_is_refused_and_left_as_it_is(tmp_path):
    """What a kill leaves is in the write-ahead log: SQLite alone would drop what follows a flipped byte."""
    with Ledger(tmp_path / "alive") as ledger:
        for spec in SPECS:
            ledger.record(spec, {"starts": spec["n"]}, 0.5, "w")
        files = {file.name: file.read_bytes() for file in (tmp_path / "alive").iterdir() if file.name.startswith("ledger")}
    log = files["ledger.sqlite-wal"]

    def left(content):
        folder = tmp_path / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "ledger.sqlite").write_bytes(files["ledger.sqlite"])
        (folder / "ledger.sqlite-wal").write_bytes(content)
        found = outcome(LedgerError, told_by, folder, False)
        if isinstance(found, str):
            assert "ledger.sqlite-wal is damaged" in found
            assert (folder / "ledger.sqlite-wal").read_bytes() == content
            assert (folder / "ledger.sqlite").read_bytes() == files["ledger.sqlite"]
            return None
        return [entry.spec["n"] for entry in found[1]]

    assert left(log) == list(range(6))
    assert left(log[:-100]) == list(range(5)), "a power cut in the middle of the last record"
    # In each part of the header and of the first frame, and in pages behind it.
    for place in (0, 9, 17, 25, 33, 41, 49, 57, 3000, len(log) // 2):
        assert left(log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :]) is None, place


def altered(folder, whole, sql, *values):
    (folder / "ledger.sqlite").write_bytes(whole)
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as connection, connection:
        connection.execute(sql, values)
    return (folder / "ledger.sqlite").read_bytes()


def test_each_column_of_each_table_is_guarded(tmp_path, ledger_bytes):
    whole, _ = ledger_bytes
    columns = {
        "campaign": ("settings", "began"),
        "tasks": ("key", "spec", "result", "seconds", "worker", "recorded"),
        "other_results": ("result", "seconds", "worker", "recorded"),
        "failures": ("key", "spec", "kind", "reason", "worker", "recorded"),
    }
    for table, names in columns.items():
        for name in names:
            # Sound JSON all the same, where it is JSON.
            for change in ("seconds + 1",) if name == "seconds" else (f"{name} || ' '", "'1.25'"):
                altered(tmp_path, whole, f"UPDATE {table} SET {name} = {change} WHERE rowid = 1")  # noqa: S608
                with pytest.raises(LedgerError, match=rf"is damaged: a row of {table} is not what was written"):
                    Ledger(tmp_path)


@pytest.fixture(scope="module")
def hunted(tmp_path_factory):
    """The folder of a short hunt, in this process alone."""
    folder = tmp_path_factory.mktemp("hunted") / "hunt"
    with pytest.MonkeyPatch.context() as patch:
        computed_here(patch)
        run("hunt", "localmax.hull_shrinks", "--starts", 8, "--out", folder)
    return folder


@pytest.fixture
def hunt(hunted, tmp_path, monkeypatch):
    """A copy of it, to be damaged."""
    computed_here(monkeypatch)
    return shutil.copytree(hunted, tmp_path / "hunt")


def test_a_hunt_on_a_damaged_ledger_is_refused_and_nothing_of_it_is_lost(hunt):
    path = hunt / "ledger.sqlite"
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO failures VALUES ('k', '{}', 'raised', 'no', 'w', 'now', NULL)")
        (text,) = connection.execute("SELECT result FROM tasks LIMIT 1").fetchone()
    place = whole.index(text.encode())
    broken = whole[:place] + bytes(byte ^ 1 for byte in whole[place : place + 6]) + whole[place + 6 :]
    path.write_bytes(broken)
    assert f"{path} is damaged: a row of tasks is not what was written" in refused("hunt", "--resume", hunt)
    assert path.read_bytes() == broken


def test_a_ledger_of_another_program_is_refused_in_one_sentence(hunt):
    """Sound rows, digests and all, whose content is no hunt's."""
    with Ledger(hunt) as ledger:
        sound = ledger.settings
    for name, value, said in (
        ("targets", 5, "are not those of a hunt: TypeError"),
        ("targets", [{"claim": "localmax.nothing", "conclusion": "no"}], "there is no claim"),
        ("targets", [{"claim": "x", "conclusion": "y", "source": "1 / 0", "file": "own_x.py"}], "ZeroDivisionError"),
        ("starts", "many", "are not those of a hunt"),
    ):
        for file in hunt.iterdir():
            file.unlink()
        with Ledger(hunt) as ledger:
            ledger.begin(sound | {name: value})
        assert said in refused("hunt", "--resume", hunt)


def test_a_result_that_fits_no_plan_is_damage(tmp_path):
    class Plan:
        def ready(self):
            return [SPECS[0]]

        def take(self, *_):
            raise KeyError("starts")

        def done(self):
            return False

    with Ledger(tmp_path) as ledger:
        ledger.record(SPECS[0], {"other": 1}, 0.5, "w")
        with pytest.raises(LedgerError, match=r"is damaged: the result kept under .* is none of this plan: KeyError"):
            run_campaign(ledger, Plan(), "claims.hunting.rounds:work", InProcess())


# ---------------------------------------------------------------------------------------------------------------------
# Options and addresses


# Silence, an end, another protocol, a message of no length, and one beyond all lengths.
@pytest.mark.parametrize("greeting", [None, b"", b"SSH-2.0-Something", b"\0" * 8, b"\xff" * 64])
def test_who_is_no_scheduler_is_not_waited_for(greeting, monkeypatch):
    monkeypatch.setattr("claims.campaigns.dask_engine.ANSWER", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            with connection:
                if greeting is None:
                    connection.recv(1)  # silent until the other side gives up
                else:
                    connection.sendall(greeting)

        thread = threading.Thread(target=serve)
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(CampaignError, match=f"no Dask scheduler answers at {address}"), cluster_engine(address):
            pass
        thread.join()


def test_a_lost_scheduler_is_lost_work_not_bad_usage(hunt, monkeypatch):
    def lost(*_):
        raise LostError("the scheduler at tcp://x:1 does not answer for 60 s")

    monkeypatch.setattr(command, "run_campaign", lost)
    (sentence,) = run("hunt", "--resume", hunt, code=3).stderr.splitlines()
    assert "does not answer for 60 s (what was recorded is kept: claims hunt --resume" in sentence


def test_what_cannot_be_written_leaves_no_half(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "folder", "text")
    with pytest.raises(UnicodeEncodeError):
        # Half of a pair has no UTF-8: this fails when the file is open already.
        write_whole(tmp_path / "file", "\ud800")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@often
@given(st.text(max_size=200))
def test_a_refusal_is_one_printable_line(text):
    line = one_line(text, 4000)
    assert line.isprintable()
    assert len(line.splitlines()) <= 1
    assert line == " ".join(text.split()) or not text.isprintable()


def test_a_terminal_of_few_letters_is_no_refutation(monkeypatch):
    """An error of encoding would end with the code of a refutation."""
    written, claim = io.BytesIO(), catalogue()["localmax.hull_shrinks"]
    monkeypatch.setattr(claim, "statement", "|x|² falls.")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # else the command sets it, for all tests that come later
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    monkeypatch.setattr(sys, "argv", ["claims", "list", claim.id])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert rb"|x|\xb2" in written.getvalue()
