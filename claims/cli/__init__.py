"""The command line: one module for each command."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import typer

from claims.cli.atlas import build_atlas
from claims.cli.check import check_certificates
from claims.cli.escape import escape_times
from claims.cli.hunt import hunt_claims
from claims.cli.mutate import mutate_claims
from claims.cli.show import list_claims, show
from claims.cli.trace import plot_picture, trace_states
from claims.cli.verify import verify_claims

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Theorems about attention dynamics, decided: exactly, by certificate, or by a test with a stated error.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command("list")(list_claims)
app.command("show")(show)
app.command("verify")(verify_claims)
app.command("hunt")(hunt_claims)
app.command("mutate")(mutate_claims)
app.command("check")(check_certificates)
app.command("atlas")(build_atlas)
app.command("trace")(trace_states)
app.command("plot")(plot_picture)
app.command("escape")(escape_times)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal of few letters cannot print is escaped: an error there would look like a refutation.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
