"""What the commands share at the terminal: a console, a refusal, a JSON file written whole."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.segment import Segment
from rich.text import Text

from claims.certificates.provenance import write_whole
from claims.cli.stopping import Stopped
from claims.stating.plain_text import one_line, visible

NARROWEST = 180
"""Columns assumed when the output is not a terminal."""

LONGEST_SENTENCE = 4000
"""Characters of an error message: what it quotes of the input may be of any length."""


class Plain(Console):
    """A console that prints text without markup or control characters: only our own styles reach the terminal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    # Names and reasons come from files of others: an escape sequence in one could rewrite what the terminal shows.
    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments to print, with hidden characters made visible."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            seen = "\n".join(map(visible, text.split("\n")))
            yield segment if control or seen == text else Segment(seen, style)


STANDARD_OUTPUT = Path("-")
"""The file that stands for standard output."""

_results = {"stderr": False}


def keep_stdout_for_json(file: Path | None) -> None:
    """Print results on standard error if JSON goes to standard output, that is, if the file is `-`."""
    _results["stderr"] = file == STANDARD_OUTPUT


def terminal() -> Console:
    """The console for results."""
    # Rich takes 80 columns where it sees none, and would cut what is piped to a file.
    console = Plain(**_results)
    return console if console.is_terminal else Plain(width=NARROWEST, **_results)


def refuse(message: str) -> typer.Exit:
    """Print what is wrong with the input, on one line; the caller raises the returned exception."""
    Plain(stderr=True, soft_wrap=True).print(Text(f"error: {one_line(message, LONGEST_SENTENCE)}"))
    return typer.Exit(2)


def left(stopped: Stopped, done: str) -> typer.Exit:
    """Say how far a run came that was asked to stop; the caller raises the returned exception."""
    Plain(stderr=True).print(f"stopped by {stopped}: {done}", style="yellow")
    return typer.Exit(stopped.code)


def write_json(path: Path, data: Any) -> None:
    """Write JSON whole or not at all; `-` is standard output."""
    if path == STANDARD_OUTPUT:
        typer.echo(json.dumps(data, indent=2))
        return
    with writing(path):
        write_whole(path, json.dumps(data, indent=2) + "\n")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises typer.Exit where the file cannot be written."""
    try:
        yield
    except OSError as error:
        raise refuse(f"{path} cannot be written: {error.strerror}") from None


def refuse_missing_folder(*files: Path | None) -> None:
    """Raises typer.Exit for a file whose folder is not there: asked before a run, and not after an hour of it."""
    for file in files:
        if file is not None and not file.parent.is_dir():
            raise refuse(f"{file} cannot be written: its folder does not exist")


PLAIN: dict[str, Any] = {"box": box.SIMPLE_HEAD, "pad_edge": False, "padding": (0, 1, 0, 0)}
"""How tables look."""


def progress_bar() -> Progress:
    """A bar on stderr, gone at the end."""
    # The description holds names of files and claims: markup in it would be taken for styles.
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Plain(stderr=True), transient=True)


TICK = 10.0
"""Seconds between two lines of progress where the output is no terminal."""


@contextmanager
def ticking(told: Callable[[], str]) -> Iterator[None]:
    """Without a terminal print a line now and then, so that one sees that something goes on."""
    console, over, began = Plain(stderr=True), threading.Event(), time.perf_counter()

    def tick() -> None:
        while not over.wait(TICK):
            console.print(f"{told()}, {time.perf_counter() - began:.0f} s", soft_wrap=True)

    # A daemon: a run that ends by a signal does not wait for the next tick.
    thread = threading.Thread(target=tick, daemon=True)
    if not console.is_terminal:  # a terminal has a bar
        thread.start()
    try:
        yield
    finally:
        over.set()


@contextmanager
def telling(first: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each part of a long work, from the first moment on; without a terminal a line now and then.

    What is yielded takes what is being done, how much of it is done, and how much there is.
    """
    said = [first]
    with progress_bar() as progress, ticking(lambda: said[-1]):
        tasks = {first: progress.add_task(first, total=None)}

        def told(what: str, done: int, number: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=number)
                progress.update(tasks[first], completed=1, total=1)  # a bar without an end would go on pulsing
            progress.update(tasks[what], completed=done)
            said[:] = [f"{what}: {done} of {number}"]

        yield told
