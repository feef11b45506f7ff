"""The commands `claims trace` and `claims plot`."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from flint import fmpq

from claims.certificates.provenance import write_whole
from claims.cli.choosing import OwnFiles, RunSource, own_claims, own_of_certificate
from claims.cli.terminal import refuse, ticking, writing
from dynamics.arithmetic import rational

What = Annotated[
    str,
    typer.Argument(
        metavar="INSTANCE|CLAIM",
        help='JSON text, a file, a certificate, the id of a claim with a decided instance, or "Theorem 5.4".',
    ),
]
Which = Annotated[str | None, typer.Option("--conclusion", metavar="NAME", help="Of a claim: which conclusion's instance.")]


def trace_states(
    what: What,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write JSON.")] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write CSV; without a file it is printed.")
    ] = None,
    steps: Annotated[int | None, typer.Option("--steps", min=0, max=100_000, help="Steps of an orbit.")] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="T", help="The time up to which a flow is followed, an exact number.")
    ] = None,
    points: Annotated[int, typer.Option("--points", min=2, max=100_000, help="Times at which a flow is enclosed.")] = 33,
    conclusion: Which = None,
    files: OwnFiles = None,
    run_source: RunSource = False,
) -> None:
    """Export states: an exact orbit, or certified enclosures of a flow on a grid of times."""
    from claims.atlas.tracing import TraceError, of_certificate, subject, trace  # noqa: PLC0415 -- slow to import

    # With a file of one's own the word before it names a claim in it, whatever else is called so.
    certified = None if files else own_of_certificate(what, run_source)
    try:
        meant = of_certificate(*certified) if certified else subject(what, own_claims(files), conclusion)
        found = trace(meant, steps, _time(until), points)
    except TraceError as error:
        raise refuse(str(error)) from None
    for file in (json_file, csv_file):
        if file is not None:
            with writing(file):
                write_whole(file, json.dumps(found.as_json(), indent=1) + "\n" if file is json_file else found.as_csv())
    if json_file is None and csv_file is None:
        typer.echo(found.as_csv(), nl=False)


def plot_picture(
    what: What,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The picture: FILE.svg or FILE.png.")],
    picture: Annotated[int, typer.Option("--picture", min=1, help="Which, where there are several.")] = 1,
    frame: Annotated[int, typer.Option("--frame", min=0, help="Which step of a picture that is stepped through.")] = 0,
    conclusion: Which = None,
    files: OwnFiles = None,
    run_source: RunSource = False,
) -> None:
    """Write one picture of an instance, or of what is decided about a claim, as SVG or PNG."""
    if out.suffix not in (".svg", ".png"):
        raise refuse(f"{out}: a picture is FILE.svg or FILE.png")
    # Of an extra only PNG has need: what cannot be drawn is said before the claim is decided.
    if out.suffix == ".png" and find_spec("matplotlib") is None:
        how = "pip install 'attention-claims[atlas]'; SVG needs nothing"
        raise refuse(f"a PNG needs matplotlib, which is not installed: {how}")
    from claims.atlas.plotting import as_svg, write_png  # noqa: PLC0415 -- slow to import
    from claims.atlas.tracing import TraceError, of_certificate, pictures_for, pictures_or_motion  # noqa: PLC0415

    certified = None if files else own_of_certificate(what, run_source)
    try:
        if certified:
            found = pictures_or_motion(of_certificate(*certified))
        else:
            own = own_claims(files)
            with ticking(lambda: "deciding what is drawn"):
                found = pictures_for(what, own, conclusion)
    except TraceError as error:
        raise refuse(str(error)) from None
    # A flow that is too stiff to be drawn may still be enclosed for a while, or stepped through.
    if not found:
        none = "there is no picture: nothing moves, or too fast to be enclosed"
        raise refuse(f"{none}; `claims trace --until T` exports states up to a time T, or an orbit")
    if picture > len(found):
        raise refuse(f"there is no picture {picture}: there are {len(found)}, {', '.join(one.title for one in found)}")
    chosen = found[picture - 1]
    if frame >= len(chosen.frames):
        raise refuse(f"there is no frame {frame}: {chosen.title} has frames 0 to {len(chosen.frames) - 1}")
    with writing(out):
        if out.suffix == ".svg":
            write_whole(out, as_svg(chosen, frame))
        else:
            write_png(chosen, out, frame)
    typer.echo(f"{out}: {chosen.title}, drawn from {chosen.source.told}")
    typer.echo(chosen.alt)


def _time(text: str | None) -> fmpq | None:
    if text is None:
        return None
    try:
        return rational(text)
    except ValueError:
        raise refuse(f"--until takes an exact number such as 3, 1/2 or 0.5, not {text!r}") from None
