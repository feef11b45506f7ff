"""What all benchmarks do: CPU seconds of this process, and tables in Markdown."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds that `work` takes, and its result."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def median(numbers: Sequence[float]) -> float:
    """NaN for no numbers."""
    return float(np.median(numbers)) if len(numbers) else math.nan


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Three digits of each float, a dash for NaN."""

    def shown(cell: object) -> str:
        return ("-" if math.isnan(cell) else f"{cell:.3g}") if isinstance(cell, float) else str(cell)

    print("| " + " | ".join(head) + " |\n" + "|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(map(shown, row)) + " |")
    print(flush=True)
