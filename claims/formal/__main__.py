"""Writes the tables of theorems on a page of the documentation: `python -m claims.formal docs/proofs.md`.

With `--coq` the kernel is first asked about theorems that are not recorded in claims/evidence/theorems.json; with
`--sizes 30` so many seconds are spent for each proof for a size that has no theorem and was not tried as it is now.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from claims.certificates.marked_tables import with_tables
from claims.certificates.provenance import write_whole
from claims.certificates.published import published
from claims.formal import size_proofs
from claims.formal.answers import answer_counts, from_record, record_accepted, stated

COMMAND = "python -m claims.formal docs/proofs.md"


def formal_tables() -> dict[str, str]:
    """The tables as they are today."""
    return {
        "theorems": "\n".join(answer_counts(from_record(stated(published())))) + "\n",
        "sizes": "\n".join(size_proofs.size_counts()) + "\n",
    }


def main() -> None:
    """Write the tables on the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--coq", action="store_true")
    parser.add_argument("--sizes", type=float, metavar="SECONDS")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.coq:
            record_accepted(Path(folder))
        if given.sizes is not None:
            size_proofs.record_sizes(Path(folder), given.sizes)
    page = given.page
    write_whole(page, with_tables(page.name, page.read_text(encoding="utf-8"), formal_tables(), COMMAND))


if __name__ == "__main__":
    main()
