"""Writes the table of theorems on a page of the documentation: `python -m claims.formal docs/proofs.md [--coq]`.

With `--coq` the kernel is first asked about theorems that are not recorded in claims/evidence/theorems.json.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from claims.certificates.provenance import write_whole
from claims.certificates.published import published
from claims.formal.answers import counts, from_record, record, stated
from claims.marked_tables import with_tables

COMMAND = "python -m claims.formal docs/proofs.md"


def table() -> str:
    """The table as it is today."""
    return "\n".join(counts(from_record(stated(published())))) + "\n"


def main(page: Path, with_coq: bool) -> None:
    """Write the table on the page."""
    if with_coq:
        with tempfile.TemporaryDirectory() as folder:
            record(Path(folder))
    write_whole(page, with_tables(page.name, page.read_text(encoding="utf-8"), {"theorems": table()}, COMMAND))


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--coq" in sys.argv[2:])
