"""What the tests attack the suite with, counted in their own tables: bugs that are planted, falsehoods, hostile texts."""

from __future__ import annotations

import importlib
import tomllib

from tests.planting import TABLES


def planted_bugs():
    """The number of bugs in the tables of each package."""
    return {
        path.stem: sum(len(bugs) for bugs in tomllib.loads(path.read_text(encoding="utf-8")).values())
        for path in sorted(TABLES.glob("*.toml"))
    }


def falsehoods():
    """The number of falsehoods about claims that verification has to refute."""
    return len(importlib.import_module("tests.papers.test_planted_falsehoods").EVERY)


def hostile_texts():
    """The number of texts that are put into every field of a certificate."""
    return len(importlib.import_module("tests.checker.test_forged_text").HOSTILE)
