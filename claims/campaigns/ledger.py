"""The ledger of a campaign: what was asked, what came back, what failed. The ledger is authoritative, not the engine.

One directory holds one campaign: `ledger.sqlite`, SQLite in WAL mode, and `writer.lock`, which the one process that
writes keeps locked. A lock of the operating system, it goes with its process however that ends. Others read meanwhile.

Every result is its own transaction, forced to disk (synchronous=FULL). A process that is killed therefore loses nothing
that was recorded, and neither does a machine that loses power, as far as its disk keeps what it acknowledged. Under
synchronous=NORMAL a kill would lose nothing either, a power cut the last commits; a task takes seconds, so the
milliseconds of FULL are cheap.

SQLite sees damage to its own structure, not to what is kept in it: every row carries a digest of its columns, and all of
them are compared before a ledger is used. A damaged one is refused and left as it is.
"""

from __future__ import annotations

import enum
import hashlib
import json
import os
import platform
import sqlite3
import struct
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from dynamics.strict_reading import UnreadableError, read_json

VERSION = 2  # of the tables below: a ledger of another version is refused, never guessed at
APPLICATION = 0x61636C67  # "aclg" in SQLite's application_id: a file's name may be another's, too
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

TABLES = """
CREATE TABLE campaign (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1), settings TEXT NOT NULL, began TEXT NOT NULL, digest TEXT
);
CREATE TABLE writer (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), process TEXT NOT NULL);
CREATE TABLE tasks (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL,
    result TEXT NOT NULL,
    seconds REAL NOT NULL,
    worker TEXT NOT NULL,
    recorded TEXT NOT NULL,
    digest TEXT,
    claim TEXT GENERATED ALWAYS AS (json_extract(spec, '$.target.claim')) STORED,
    conclusion TEXT GENERATED ALWAYS AS (json_extract(spec, '$.target.conclusion')) STORED,
    dropped TEXT GENERATED ALWAYS AS (json_extract(spec, '$.target.dropped')) STORED,
    seed INTEGER GENERATED ALWAYS AS (json_extract(spec, '$.seed')) STORED,
    generation INTEGER GENERATED ALWAYS AS (json_extract(spec, '$.generation')) STORED,
    shard INTEGER GENERATED ALWAYS AS (json_extract(spec, '$.shard')) STORED,
    starts INTEGER GENERATED ALWAYS AS (json_extract(result, '$.starts')) STORED,
    evaluations INTEGER GENERATED ALWAYS AS (json_extract(result, '$.evaluations')) STORED,
    best_slack REAL GENERATED ALWAYS AS (json_extract(result, '$.best_slack')) STORED,
    proposed INTEGER GENERATED ALWAYS AS (json_extract(result, '$.proposed')) STORED,
    certified INTEGER GENERATED ALWAYS AS (json_extract(result, '$.certified')) STORED,
    rejected INTEGER GENERATED ALWAYS AS (json_extract(result, '$.rejected')) STORED
);
CREATE INDEX tasks_by_target ON tasks (claim, conclusion, dropped);
CREATE TABLE other_results (
    key TEXT NOT NULL REFERENCES tasks (key),
    result TEXT NOT NULL,
    seconds REAL NOT NULL,
    worker TEXT NOT NULL,
    recorded TEXT NOT NULL,
    digest TEXT,
    PRIMARY KEY (key, result)
);
CREATE TABLE failures (
    key TEXT PRIMARY KEY,
    spec TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    worker TEXT NOT NULL,
    recorded TEXT NOT NULL,
    digest TEXT
);
"""

SIGNED = {
    "campaign": ("settings", "began"),
    "tasks": ("key", "spec", "result", "seconds", "worker", "recorded"),
    "other_results": ("key", "result", "seconds", "worker", "recorded"),
    "failures": ("key", "spec", "kind", "reason", "worker", "recorded"),
}
"""The columns that the digest of a row is of, by table."""


ENTRIES = "SELECT key, spec, result, seconds, worker, recorded FROM tasks"
FAILURES = "SELECT key, spec, kind, reason, worker, recorded FROM failures"


class LedgerError(Exception):
    """The directory holds no ledger that can be used; the message says why and what to do."""


class Taken(enum.StrEnum):
    """How :meth:`Ledger.record` took a result."""

    NEW = "new"
    SAME = "same"
    DIFFERENT = "different"


@dataclass(frozen=True)
class LedgerEntry:
    """One recorded task: its spec, its result, the seconds it took, who ran it and when (ISO 8601, UTC)."""

    key: str
    spec: dict[str, Any]
    result: dict[str, Any]
    seconds: float
    worker: str
    recorded: str


@dataclass(frozen=True)
class Failure:
    """A task given up: it `raised`, or it `killed` its workers; the reason is one line."""

    key: str
    spec: dict[str, Any]
    kind: str
    reason: str
    worker: str
    recorded: str


def canonical(data: Any) -> str:
    """The canonical JSON text of plain data: sorted keys, no spaces. Raises TypeError or ValueError (NaN) for others."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def task_key(spec: dict[str, Any]) -> str:
    """The name of a task: the SHA-256 of its spec, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(spec).encode()).hexdigest()


class Ledger:
    """The ledger in a directory, made there if there is none.

    With `reading`, an existing one is opened beside whoever writes, and nothing can be recorded. Raises LedgerError: no
    ledger to read, another process is writing, a file that is damaged, foreign or of another version.
    """

    def __init__(self, directory: Path, *, reading: bool = False) -> None:
        self.directory = directory
        self.path = directory / "ledger.sqlite"
        self._lock: sqlite3.Connection | None = None
        if reading and not self.path.exists():
            raise LedgerError(f"{directory} holds no campaign: there is no {self.path.name} in it")
        try:
            if not reading:
                directory.mkdir(parents=True, exist_ok=True)
                self._lock = self._locked()
                if not self.path.exists():
                    self._make()
            self._connection = self._opened(reading)
        except BaseException as error:
            self._unlock()
            if isinstance(error, OSError):
                raise LedgerError(f"{directory} cannot hold a ledger: {error.strerror}") from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release the lock."""
        self._connection.close()
        self._unlock()

    def begin(self, settings: dict[str, Any], cosmetic: Collection[str] = ()) -> None:
        """Begin the campaign with these settings (plain data), or go on with the one of the same settings.

        Those named in `cosmetic` change no result and may differ. Raises LedgerError, naming what differs, if the directory
        holds a campaign with other settings.
        """
        found = self.settings
        if found is None:
            with self._telling(), self._connection as connection:
                self._insert(connection, "campaign", canonical(settings), _now())
            return
        # As they come back from the file: a tuple is a list there.
        asked = json.loads(canonical(settings))
        names = sorted((found.keys() | asked.keys()) - set(cosmetic))
        both = [(name, found.get(name), asked.get(name)) for name in names if found.get(name) != asked.get(name)]
        if both:
            said = "; ".join(f"{name} is {_short(there)} there, {_short(now)} now" for name, there, now in both)
            raise LedgerError(f"{self.directory} holds a campaign with other settings: {said}")

    @property
    def settings(self) -> dict[str, Any] | None:
        """The settings of the campaign; None before :meth:`begin`."""
        row = self._one("SELECT settings FROM campaign")
        return None if row is None else self._plain(row[0])

    def record(self, spec: dict[str, Any], result: dict[str, Any], seconds: float, worker: str) -> Taken:
        """Record a result, durably, before this returns.

        The first result of a task stays; a different one is kept beside it, and DIFFERENT says that the task is no pure
        function of its spec. Raises TypeError or ValueError for what is not JSON.
        """
        key, text = task_key(spec), canonical(result)
        with self._telling(), self._connection as connection:
            if self._insert(connection, "tasks", key, canonical(spec), text, seconds, worker, _now()):
                connection.execute("DELETE FROM failures WHERE key = ?", (key,))
                return Taken.NEW
            if connection.execute("SELECT result FROM tasks WHERE key = ?", (key,)).fetchone()[0] == text:
                return Taken.SAME
            self._insert(connection, "other_results", key, text, seconds, worker, _now())
            return Taken.DIFFERENT

    def fail(self, spec: dict[str, Any], kind: str, reason: str, worker: str) -> None:
        """Record that a task is given up, unless it has a result. `kind` is "raised" or "killed"."""
        key = task_key(spec)
        with self._telling(), self._connection as connection:
            if connection.execute("SELECT 1 FROM tasks WHERE key = ?", (key,)).fetchone() is None:
                connection.execute("DELETE FROM failures WHERE key = ?", (key,))
                self._insert(connection, "failures", key, canonical(spec), kind, reason, worker, _now())

    def forget_failures(self) -> int:
        """Forget all failures, so that their tasks are run again; returns how many there were."""
        with self._telling(), self._connection as connection:
            return connection.execute("DELETE FROM failures").rowcount

    def entry(self, key: str) -> LedgerEntry | None:
        """The recorded task with its result, or None."""
        row = self._one(f"{ENTRIES} WHERE key = ?", key)
        return None if row is None else self._entry(row)

    def failure(self, key: str) -> Failure | None:
        """The failure of a task, or None."""
        row = self._one(f"{FAILURES} WHERE key = ?", key)
        return None if row is None else self._failure(row)

    def entries(self) -> Iterator[LedgerEntry]:
        """All recorded tasks in the order of their arrival."""
        yield from map(self._entry, self._all(f"{ENTRIES} ORDER BY number"))

    def failures(self) -> list[Failure]:
        """All tasks given up."""
        return [self._failure(row) for row in self._all(f"{FAILURES} ORDER BY key")]

    def disagreements(self) -> list[LedgerEntry]:
        """The later results of tasks that gave different ones; :meth:`result` has the first of each."""
        rows = self._all(
            "SELECT key, spec, other.result, other.seconds, other.worker, other.recorded "
            "FROM other_results AS other JOIN tasks USING (key) ORDER BY other.recorded"
        )
        return [self._entry(row) for row in rows]

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a SELECT on the tables above. Raises LedgerError."""
        return list(self._all(sql, *values))

    def _entry(self, row: tuple[Any, ...]) -> LedgerEntry:
        return LedgerEntry(row[0], self._plain(row[1]), self._plain(row[2]), *row[3:])

    def _failure(self, row: tuple[Any, ...]) -> Failure:
        return Failure(row[0], self._plain(row[1]), *row[2:])

    def _plain(self, text: Any) -> dict[str, Any]:
        try:
            data = read_json(text)
        except (UnreadableError, TypeError) as error:
            raise LedgerError(f"{self.path} is damaged: what it keeps {error}") from None
        if not isinstance(data, dict):
            raise LedgerError(f"{self.path} is damaged: what it keeps is no object")
        return data

    @staticmethod
    def _insert(connection: sqlite3.Connection, table: str, *values: Any) -> bool:
        columns = ", ".join((*SIGNED[table], "digest"))
        marks = ", ".join("?" * (len(values) + 1))
        added = connection.execute(
            f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING",  # noqa: S608 -- names of ours
            (*values, _digest(values)),
        )
        return added.rowcount > 0

    def _one(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        with self._telling():
            return self._connection.execute(sql, values).fetchone()

    def _all(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with self._telling():
            yield from self._connection.execute(sql, values)

    def _locked(self) -> sqlite3.Connection:
        # An exclusive transaction on a file of its own, never committed: it ends with the process, however that ends.
        path = self.directory / "writer.lock"
        # It is not waited for: who holds the lock may do so for days.
        lock = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            lock.close()
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise LedgerError(f"{self.directory} is being written by {self._writer()}") from None
            raise LedgerError(f"{path} cannot be locked: {error}") from None
        return lock

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _writer(self) -> str:
        # For a message, never for a decision: who writes may have ended since.
        with suppress(LedgerError, sqlite3.Error), closing(self._opened(reading=True)) as connection:
            row = connection.execute("SELECT process FROM writer").fetchone()
            if row is not None:
                return str(row[0])
        return "another process"

    def _make(self) -> None:
        # Whole or not at all: a kill here leaves no half of a ledger under its name.
        part = self.path.with_suffix(".part")
        # A journal left by a kill would be taken for that of the new file.
        for leftover in (part, Path(f"{part}-journal"), Path(f"{part}-wal"), Path(f"{part}-shm")):
            leftover.unlink(missing_ok=True)
        with self._telling(), closing(sqlite3.connect(part)) as connection:
            connection.executescript(TABLES)
            # By it, and not by the name of the file, a ledger is told from other databases.
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("PRAGMA journal_mode = WAL")
        part.replace(self.path)

    def _opened(self, reading: bool) -> sqlite3.Connection:
        # SQLite takes an empty file for a new database, and would begin it anew.
        if self.path.stat().st_size == 0:
            raise LedgerError(f"{self.path} is empty: it was cut off; its campaign is lost")
        log = self.path.with_name(f"{self.path.name}-wal")
        if not reading and log.exists() and _is_broken(log.read_bytes()):
            # SQLite would drop what follows the damage, and write over it.
            raise LedgerError(f"{log} is damaged: results that were recorded cannot be read from it")
        with self._telling():
            with closing(self._connected("ro")) as connection:  # which cannot touch what is damaged
                self._examine(connection)
            if reading:
                return self._connected("ro")
            connection = self._connected("rw")
            try:
                connection.execute("PRAGMA synchronous = FULL")
                with connection:
                    process = f"process {os.getpid()} on {platform.node()} since {_now()}"
                    connection.execute("INSERT OR REPLACE INTO writer VALUES (1, ?)", (process,))
            except BaseException:
                connection.close()
                raise
            return connection

    def _connected(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.absolute().as_uri()}?mode={mode}", uri=True, timeout=60)

    def _examine(self, connection: sqlite3.Connection) -> None:
        """Raises LedgerError for what is no sound ledger of this version, sqlite3.DatabaseError."""
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise LedgerError(f"{self.path} is no ledger of a campaign")
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version != VERSION:
            raise LedgerError(f"{self.path} has version {version}; this program knows version {VERSION}")
        # The first trouble is enough to refuse the file, and to find all of them takes longer.
        trouble = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if trouble != "ok":
            raise LedgerError(f"{self.path} is damaged: {trouble}")
        for table, columns in SIGNED.items():
            chosen = ", ".join((*columns, "digest"))
            for row in connection.execute(f"SELECT {chosen} FROM {table}"):  # noqa: S608 -- names of ours
                self._examine_row(table, dict(zip(columns, row, strict=False)), row[-1])

    def _examine_row(self, table: str, row: dict[str, Any], digest: str) -> None:
        try:
            sound = digest == _digest(tuple(row.values()))
            if "spec" in row:
                sound = sound and row["key"] == hashlib.sha256(row["spec"].encode()).hexdigest()
        except (AttributeError, TypeError, ValueError):  # a value of another kind
            sound = False
        if not sound:
            text = f"the one of the key {row['key']!s:.12}" if "key" in row else "its only one"
            raise LedgerError(f"{self.path} is damaged: a row of {table} is not what was written, {text}")

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, MemoryError, OverflowError) as error:
            # The last three are what the sizes and the texts of a damaged page lead to.
            # So does a text that is no UTF-8, of which sqlite3 itself complains, without a code.
            code = getattr(error, "sqlite_errorcode", None)
            said = "is damaged or no ledger" if code is None or code & 0xFF in DAMAGED else "cannot be used"
            raise LedgerError(f"{self.path} {said}: {str(error)[:200] or type(error).__name__}") from error


def _is_broken(log: bytes) -> bool:
    # See https://sqlite.org/fileformat2.html#walformat: a power cut may leave the last transaction half written, never one
    # before it, as a commit follows every transaction that was recorded. Frames of other salts are left over from earlier.
    # A header at most: nothing was recorded in it.
    if len(log) <= 32:
        return False
    magic, _, page, _, *salts = struct.unpack(">6I", log[:24])
    # The last bit of the magic number tells in which order of bytes the sums were made.
    order = ">" if magic & 1 else "<"
    sums = _summed((0, 0), log[:24], order)
    if magic & ~1 != 0x377F0682 or page < 512 or struct.unpack(">2I", log[24:32]) != sums:
        return True
    commits, sound = 0, True
    for place in range(32, len(log) - page - 23, 24 + page):
        _, size, first, second, *told = struct.unpack(">6I", log[place : place + 24])
        ours = [first, second] == salts
        if sound:
            sums = _summed(sums, log[place : place + 8] + log[place + 24 : place + 24 + page], order)
            sound = ours and list(sums) == told
        commits += ours and size > 0 and not sound
    return commits > 1


def _summed(sums: tuple[int, int], data: bytes, order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + two) & 0xFFFFFFFF
        two = (two + odd + one) & 0xFFFFFFFF
    return one, two


def _digest(values: Sequence[Any]) -> str:
    """Of the columns of a row. Raises TypeError for a value that no row has."""
    return hashlib.sha256(canonical(values).encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _short(value: Any) -> str:
    text = canonical(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
