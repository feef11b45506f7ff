"""The command `claims check`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from claims.cli.terminal import refuse


def check_certificates(
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|DIR]...", help="Certificates, and folders of proofs; with --published PATTERNs of claims."
        ),
    ] = None,
    published: Annotated[
        bool,
        typer.Option(
            "--published",
            help="Check what the suite publishes: all, or the claims that match a PATTERN (id, glob, paper, label).",
        ),
    ] = False,
    run_source: Annotated[
        bool, typer.Option("--run-source", help="Run the claim's own source where a certificate carries one: it is code.")
    ] = False,
    limit: Annotated[str, typer.Option(help="Time of a solver for one system of a proof.")] = "20s",
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the findings to this file.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --published: write those checked here, each to a file.")
    ] = None,
    formal: Annotated[
        bool, typer.Option("--formal", help="With --published: put them to Coq's kernel as theorems, too.")
    ] = False,
) -> None:
    """Decide certificates again with mpmath's intervals and fractions alone, in a process of their own.

    A folder that `claims prove --proofs` wrote is a proof: it is written again from the claim and put to all solvers.

    Exits 0 when all are CONFIRMED, 1 when one is NOT CONFIRMED, 2 for a file that is no certificate, 3 when one cannot be
    decided.
    """
    if formal and not published:
        raise refuse("--formal is about what the suite publishes: say --published")
    if not (named or published):
        raise refuse("name certificates, or say --published for those of the suite")
    # With --published names are patterns of claims, of which one may be a folder here by chance.
    folders = [Path(name) for name in named or () if Path(name).is_dir()] if not published else []
    if folders:
        if len(folders) < len(named or ()):
            raise refuse("certificates and proofs are checked apart: name folders alone, or files alone")
        from claims.cli.check_proofs import check_proofs  # noqa: PLC0415 -- solvers and claims, which certificates do without

        raise typer.Exit(check_proofs(folders, run_source, limit, json_file))
    # Neither flint nor the code that decided may be loaded there: a process of its own makes sure.
    options = [
        *(["--published"] if published else []),
        *(["--run-source"] if run_source else []),
        *(["--json", str(json_file)] if json_file else []),
        *(["--out", str(out)] if out else []),
    ]
    command = [sys.executable, "-m", "claims.checker", *options, "--", *(named or ())]
    # Ctrl-C is for this process, which then ends the other one.
    code = subprocess.run(command, check=False, process_group=0).returncode  # noqa: S603 -- ourselves
    # After the checker, also where that has refused something: both are told, and the first failure is the code.
    if formal:
        from claims.cli.formal import tell_answers  # noqa: PLC0415 -- models, which the checker does without

        code = tell_answers(named or [], None, check=True) or code
    raise typer.Exit(code)
