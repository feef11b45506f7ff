"""The command line: one module for each command, loaded when the command is given."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import claims
from claims.campaigns import watched
from claims.cli import stopping
from claims.cli.stopping import Stopped, stoppable

COMMANDS = {
    "list": ("claims.cli.show:list_claims", "List the claims: where each is printed, and what we believe about it."),
    "show": ("claims.cli.show:show_claims", "Show a claim, or all that carry a label."),
    "verify": ("claims.cli.verify:verify_claims", "Decide claims on many instances, or on one of your own."),
    "report": ("claims.cli.report:report_runs", "Merge what parts of a run of `claims verify` found."),
    "new": ("claims.cli.new:new_claim", "Write a claim file of your own that runs, to be changed."),
    "hunt": ("claims.cli.hunt:hunt_claims", "Search for counterexamples, and make them small."),
    "sharpen": ("claims.cli.sharpen:sharpen_constants", "Bracket constants: which stronger value is refuted?"),
    "mutate": ("claims.cli.mutate:mutate_claims", "Change statements a little: would anyone notice?"),
    "prove": ("claims.cli.prove:prove_claims", "Prove claims for every real input of a size, or refute them."),
    "check": ("claims.cli.check:check_certificates", "Decide certificates again, by other arithmetic."),
    "formal": ("claims.cli.formal:formal_statements", "State counterexamples as theorems, for Coq's kernel."),
    "escape": ("claims.cli.escape:escape_times", "How long tokens stay near their vertices, and which way they leave."),
    "sweep": ("claims.cli.sweep:sweep_designs", "Train small transformers as the polarization paper does."),
    "errata": ("claims.cli.errata:write_errata", "Write a sheet of errata for the authors of a paper."),
    "atlas": ("claims.cli.atlas:build_atlas", "Write a static site of the claims."),
    "trace": ("claims.cli.trace:trace_states", "Write the states of an orbit or of a flow as data."),
    "plot": ("claims.cli.trace:plot_picture", "Draw one picture of a claim or an instance."),
}
"""Where each command stands, and what it does in a few words. Loading them all takes seconds."""

SETTINGS = {"help_option_names": ["-h", "--help"]}


class OnDemand(TyperGroup):
    """Commands that are loaded when they are given; listings show what COMMANDS says of them."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of COMMANDS."""
        return [*COMMANDS, *(name for name in super().list_commands(ctx) if name not in COMMANDS)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command's name and help, without its options."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        # Help lists all commands: to load them for that would take seconds.
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name][1])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command itself, and what follows its name; an unknown name is refused with the nearest known one."""
        # While a shell completes a word it is not there yet, and nothing is to be refused.
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"No such command {args[0]!r}" + (f": did you mean {near[0]}?" if near else "."))
        name, command, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if name in COMMANDS else command, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command, which Ctrl-C and SIGTERM stop; one that has more to tell then catches Stopped itself."""
        with stoppable():
            try:
                return super().invoke(ctx)
            except Stopped as request:  # a command without partial results has not caught it itself
                typer.echo(f"stopped by {request}", err=True)
                raise typer.Exit(request.code) from None


def loaded(name: str) -> Any:
    """A command with its options."""
    module, _, function = COMMANDS[name][0].partition(":")
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name, context_settings=SETTINGS)(getattr(importlib.import_module(module), function))
    return typer.main.get_command(alone)


app = typer.Typer(
    cls=OnDemand,
    no_args_is_help=True,
    help="Theorems about attention dynamics, decided: exactly, by certificate, or by a test with a stated error.",
    context_settings=SETTINGS,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"claims {claims.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    # Products of small matrices: threads cost more than they bring. NumPy reads this when it is first imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        # What a terminal of few letters cannot print is escaped: an error there would look like a refutation.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # A file of one's own could end the process with code 0, which would pass for success.
    if watched.executes(sys.argv[1:]):
        watched.go_on_in_a_child()
    try:
        app()
    except SystemExit as end:
        # At once: an orderly end may wait for work that was not finished.
        if code := stopping.exit_code():
            stopping.leave(code)
        sys.stdout.flush()
        watched.say(end.code if isinstance(end.code, int) else int(end.code is not None))
        raise
    except BrokenPipeError:
        # Whoever read the output has read enough. What is still to be flushed goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        watched.say(141)
        sys.exit(141)  # 128 and SIGPIPE, as shells say it
