"""The command `claims check` on folders of proofs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from claims.campaigns.durations import seconds_of
from claims.cli.terminal import refuse, terminal, write_json
from claims.proving.files import ProofFileError
from claims.proving.recheck import Finding, recheck
from claims.proving.solvers import NoSolverError, require


def check_proofs(folders: Sequence[Path], run_source: bool, limit: str, json_file: Path | None) -> int:
    """The exit code of proofs decided again. Raises typer.Exit for a folder that holds none."""
    found = []
    for folder in folders:
        try:
            require()
            checked = recheck(folder, seconds_of(limit), run_source)
        except (ProofFileError, NoSolverError, ValueError) as error:
            raise refuse(str(error)) from None
        found.append(checked.finding)
        terminal().print(Text(f"{checked.finding}  {folder}: {checked.reason}"), soft_wrap=True)
    if json_file is not None:
        findings = zip(folders, found, strict=True)
        write_json(json_file, {"proofs": [{"folder": str(name), "finding": one.value} for name, one in findings]})
    # The worst decides, wherever it stands: a proof that is refused is worse than one that is open.
    if Finding.NOT_CONFIRMED in found:
        return 1
    return 3 if Finding.CANNOT_DECIDE in found else 0
