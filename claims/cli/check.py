"""The command `claims check`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer


def check_certificates(
    certificates: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Certificates of counterexamples.")],
    run_source: Annotated[
        bool, typer.Option("--run-source", help="Run the claim's own source where a certificate carries one: it is code.")
    ] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the findings to this file.")] = None,
) -> None:
    """Decide certificates again with mpmath's intervals and fractions alone, in a process of their own.

    Exits 0 when all are CONFIRMED, 1 when one is NOT CONFIRMED, 2 for a file that is none, 3 when one cannot be decided.
    """
    # Neither flint nor the code that decided may be loaded there: a process of its own makes sure.
    options = [*(["--run-source"] if run_source else []), *(["--json", str(json_file)] if json_file else [])]
    command = [sys.executable, "-m", "claims.checker", *options, "--", *map(str, certificates)]
    raise typer.Exit(subprocess.run(command, check=False).returncode)  # noqa: S603 -- ourselves
