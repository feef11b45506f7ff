"""The command `claims formal`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from claims.certificates.format import MalformedError
from claims.cli.choosing import Patterns
from claims.cli.terminal import refuse, terminal
from claims.stating.catalogue import UnknownClaimError


def formal_statements(
    patterns: Patterns = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write a file for each theorem, the library and a Makefile.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Put the theorems to Coq's kernel.")] = False,
) -> None:
    """State published counterexamples, and what is proved for all inputs of a size, as theorems of Coq.

    Each has all of its hypotheses.

    Exits 0, also where some cannot be stated, 1 when the kernel does not accept a theorem, 2 for a pattern without claims.
    """
    raise typer.Exit(tell_answers(patterns or (), out, check))


def tell_answers(patterns: Sequence[str], out: Path | None, check: bool) -> int:
    """Print the answers; 1 where the kernel does not accept one."""
    from claims.formal.answers import TheoremStatus, put_to_coq, write_library  # noqa: PLC0415 -- loads all models
    from claims.formal.compiling import AXIOMS, NO_COQ, has_coq  # noqa: PLC0415
    from claims.formal.size_proofs import select  # noqa: PLC0415

    # Before statements are made, which takes seconds.
    if check and not has_coq():
        raise refuse(NO_COQ)
    try:
        answers = select(patterns)
    except (UnknownClaimError, MalformedError) as error:
        raise refuse(str(error)) from None
    if check:
        answers = put_to_coq(answers)
    if out is not None:
        try:
            write_library(answers, out)
        except OSError as error:
            raise refuse(f"cannot write to {out}: {error.strerror}") from None
    console = terminal()
    for name, one in answers.items():
        console.print(Text(f"{name.removesuffix('.json')}  {one.text}"))
    # Only what the kernel refuses is an error: what cannot be stated says nothing against a theorem.
    words = Counter(one.word for one in answers.values())
    console.print(Text(", ".join(f"{words[word]} {word}" for word in TheoremStatus if words[word])))
    axioms = sorted({AXIOMS[axiom] for one in answers.values() for axiom in one.axioms if axiom in AXIOMS})
    if axioms:
        console.print(Text(f"axioms: {', '.join(axioms)}"))
    return 1 if words[TheoremStatus.REJECTED] else 0
