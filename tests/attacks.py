"""What the tests attack the suite with, counted in their own texts: bugs that are planted, falsehoods, hostile texts."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

HERE = Path(__file__).parent

TABLES = re.compile(r"(^|_)(BUGS|PLANTED)(_|$)")
"""Names of tables of bugs."""


def targets_of(node):
    """What a statement gives a value to."""
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    return node.targets if isinstance(node, ast.Assign) else []


def planted_bugs():
    """The number of bugs in the tables of each folder of tests."""
    found = {}
    for path in sorted(HERE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if any(isinstance(one, ast.Name) and TABLES.search(one.id) for one in targets_of(node)):
                value = node.value
                size = len(getattr(value, "keys", None) or getattr(value, "elts", ()))
                if size:
                    room = path.parent.relative_to(HERE).as_posix()
                    found[room] = found.get(room, 0) + size
    return found


def falsehoods():
    """The number of falsehoods about claims that verification has to refute."""
    return len(importlib.import_module("tests.papers.test_planted_falsehoods").EVERY)


def hostile_texts():
    """The number of texts that are put into every field of a certificate."""
    return len(importlib.import_module("tests.checker.test_forged_text").HOSTILE)
