"""The command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from flint import arb
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from claims.catalogue import claims_by_id
from claims.certificates.provenance import versions_in_use
from claims.cli.hunt import hunt_claims
from claims.cli.mutate import mutate_claims
from claims.cli.terminal import LONGEST_REPLAY, NARROWEST, OwnFiles, Plain, chosen, own_claims, refuse, terminal, write_json
from claims.hunting.necessity import entries_of
from claims.instances.drawing import unmet
from claims.instances.files import InstanceError, read_instance
from claims.plain_text import one_line
from claims.statement import Assumption, Claim, Form, Standing
from claims.verdict import Known, Outcome, Verdict
from claims.verifying.deciding import Effort
from claims.verifying.dropping import Drop, DropError, Finding, assumptions_of, drop, tasks_without
from claims.verifying.tallies import EXPERIMENT_STEPS, PROFILES, Tally, decide, plain
from claims.verifying.tasks import Report, Task, verify
from dynamics.system import System

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Theorems about attention dynamics, decided: exactly, by certificate, or by a test with a stated error.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal of few letters cannot print is escaped: an error there would look like a refutation.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
