"""What a hunt shows while it runs."""

from __future__ import annotations

import time
from typing import Self

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from claims.campaigns.campaign import Event
from claims.campaigns.durations import in_words
from claims.cli.terminal import Plain
from claims.hunting.hunt import finding
from claims.hunting.plan import Hunt, Hunted
from claims.stating.plain_text import one_line


class Progress:
    """A live table on a terminal; elsewhere one line for each finished target, and now and then one for all."""

    LINES = 12  # a live table that is taller than the screen cannot be drawn over
    TICK = 10.0
    # Seconds beyond the budget, or a twentieth of it: a task that is about to end is waited for.
    GRACE = 3.0
    GRACE_FOR_ONE = 4.5  # what was found is worth more than to be in time

    def __init__(self, hunt: Hunt, console: Console, workers: int) -> None:
        self.hunt, self.console, self.workers = hunt, console, workers
        self.told = 0.0
        self.start()
        self.finished: set[int] = set()
        self.recalled = 0
        self.resumed = False
        self.live = Live(console=console, refresh_per_second=2, transient=True) if console.is_terminal else None

    @property
    def seconds(self) -> float:
        """Seconds since the hunt began, or was resumed."""
        return time.perf_counter() - self.began

    def __enter__(self) -> Self:
        if self.live:
            self.live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self.live:
            self.live.stop()

    def event(self, event: Event) -> None:
        """Something happened."""
        if event.kind == "waiting":
            self.console.print(Text(one_line(event.text), "yellow"))
        # What a ledger remembers took no time now: the rate and the budget are counted from here on.
        if event.kind == "recalled":
            self.resumed = True
            self.recalled = sum(one.evaluations for one in self.hunt.hunted)
            self.start()
        for index, one in enumerate(self.hunt.hunted):
            if one.finished and index not in self.finished:
                self.finished.add(index)
                if self.live is None and event.kind != "recalled":
                    self.console.print(Text.assemble(f"{one.target}: ", finding_of(one), f" ({one.evaluations} instances)"))
        if self.live:
            self.live.update(self.shown())
        elif event.kind != "recalled" and self.seconds - self.told >= self.TICK:
            self.told = self.seconds
            Plain(stderr=True).print(self.totals(), soft_wrap=True)

    def start(self) -> None:
        """Begin to count the seconds, of which there are as many as the budget of the hunt still has."""
        self.began = time.perf_counter()
        self.budget = self.hunt.budget_left()

    def is_over(self) -> bool:
        """Whether a budget of time is used up, and what was to end with it did not.

        A counterexample that is being made small and certified is waited for a little longer: till it is done where the
        hunt was resumed for that.
        """
        if self.budget is None:
            return False
        limit = self.budget / self.workers  # a budget is of work, which so many do at a time
        over = self.seconds - limit
        if any(one.reducing and not one.finished for one in self.hunt.hunted):
            return not self.resumed and over > max(self.GRACE_FOR_ONE, limit / 11)
        return over > max(self.GRACE, limit / 20)

    @property
    def left(self) -> str:
        """How long the hunt will go on if nothing more is found; empty while nobody knows.

        What makes a counterexample small goes on beside, or after that.
        """
        work = self.hunt.remaining()
        if work is None:
            return ""
        reducing = sum(one.reducing and not one.finished for one in self.hunt.hunted)
        small = f" and what makes {reducing} small" if reducing else ""
        return f"about {in_words(work / self.workers)}{small}"

    def shown(self) -> Group:
        """Totals, and the targets that are being hunted."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in ("conclusion", "starts", "best slack", "proposed", "certified", "rejected"):
            table.add_column(column, no_wrap=True, justify="left" if column == "conclusion" else "right")
        active = [one for one in self.hunt.hunted if not one.finished]
        # Those that have taken most come first: what has hardly begun has nothing to tell yet.
        for one in sorted(active, key=lambda one: -one.seconds)[: self.LINES]:
            best = "" if one.best is None else f"{one.best:.4g}"
            cells = (best, str(one.proposed), str(one.certified), str(one.rejected))
            table.add_row(str(one.target), str(one.evaluations), *cells, style="bold" if one.reducing else None)
        return Group(self.totals(), table)

    def totals(self) -> Text:
        """What is done, and how long the rest will take."""
        hunted, left = self.hunt.hunted, self.left
        starts = sum(one.evaluations for one in hunted)
        rate = (starts - self.recalled) / max(self.seconds, 1e-9)
        counts = {name: sum(getattr(one, name) for one in hunted) for name in ("proposed", "certified", "rejected")}
        return Text(
            f"{sum(one.finished for one in hunted)} of {len(hunted)} finished, {starts} starts, {rate:.0f} a second; "
            f"violations: {counts['proposed']} proposed, {counts['certified']} certified, "
            f"{counts['rejected']} rejected as rounding; {self.seconds:.0f} s" + (f", {left} left" if left else "")
        )


def finding_of(hunted: Hunted) -> Text:
    """The finding on a target, coloured."""
    found = finding(hunted)
    red = hunted.certificate is not None or hunted.violation is not None
    return Text(found, "red" if red else "green" if found == "survived" else "bold yellow")
