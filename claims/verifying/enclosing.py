"""The enclosure of a trajectory on which a verdict rests, as a certificate that anyone can check again."""

from __future__ import annotations

from typing import Any

from claims.stating.verdict import Outcome, Verdict
from dynamics.checker.flows import is_stated
from dynamics.checker.trajectory_format import Decided, as_text
from dynamics.choices import SUITE
from dynamics.enclosures.files import as_certificate, up_to

LARGEST_FILE = 2_000_000  # bytes that a hunt writes at most: to check so much takes minutes


class NoEnclosureError(ValueError):
    """There is no enclosure to be written; the message says why."""


def enclosure(claim: str, conclusion: str, verdict: Verdict, remark: str = "", most: int = LARGEST_FILE) -> dict[str, Any]:
    """The trajectory certificate of a verdict along a flow: up to the violated time, or as far as it was decided.

    `remark` goes on the verdict that it records: what was dropped, or not met. Raises NoEnclosureError where the verdict
    rests on no trajectory, for a flow that the checker does not state, and for a file of more than `most` bytes.
    """
    trajectory = verdict.trajectory
    if trajectory is None:
        raise NoEnclosureError(verdict.reason or "the verdict rests on no certified trajectory")
    flow = type(trajectory.origin)
    if not (flow.__module__.startswith(SUITE) and is_stated(flow.__name__)):
        raise NoEnclosureError(f"no check is possible: the checker has no statement of the flow {flow.__name__}")
    if verdict.outcome is Outcome.VIOLATED and verdict.witness is not None:
        trajectory = up_to(trajectory, verdict.witness.times[0])  # what comes later is not needed
    decided = Decided(claim, conclusion, " ".join(filter(None, (verdict.outcome.value, remark))))
    try:
        data = as_certificate(trajectory, [decided]).to_json()
    except ValueError as error:
        raise NoEnclosureError(f"not all of its numbers are exact: {error}") from None
    if (size := len(as_text(data).encode())) > most:
        raise NoEnclosureError(f"it takes {size} bytes, and no more than {most} are written")
    return data
