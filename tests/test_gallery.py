"""The gallery: every certificate in it is decided again, by numbers and methods that had no part in finding it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from claims.catalogue import catalogue
from claims.hunting.gallery import place
from claims.hunting.necessity import necessity_map
from claims.statement import Standing

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "docs" / "counterexamples"
CERTIFICATES = sorted(GALLERY.glob("*/*.json"))
AT_ONCE = 24
"""Certificates that one process decides: it takes a second to start."""


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("first", range(0, len(CERTIFICATES), AT_ONCE))
def test_certificates_are_confirmed(first):
    files = [str(path.relative_to(ROOT)) for path in CERTIFICATES[first : first + AT_ONCE]]
    command = [sys.executable, "-m", "claims.second_check", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_certificates_are_of_the_published_form_and_lie_where_they_belong():
    schema = json.loads((ROOT / "docs" / "counterexample.schema.json").read_text(encoding="utf-8"))
    for path in CERTIFICATES:
        data = read(path)
        jsonschema.validate(data, schema)
        assert place(data, GALLERY) == path


def test_no_certificate_refutes_a_claim_that_is_held_true():
    for path in CERTIFICATES:
        data = read(path)
        dropped = data["assumptions"]["dropped"]
        assert dropped or catalogue()[data["claim"]["id"]].standing is not Standing.TRUE, path


def test_every_counterexample_of_the_map_has_its_claim_in_the_gallery():
    shown = {
        (data["claim"]["id"], *(a["name"] for a in data["assumptions"]["dropped"])) for data in map(read, CERTIFICATES)
    }
    for entry in necessity_map().values():
        if "counterexample" in entry:
            assert (entry["claim"], *entry.get("dropped", ())) in shown
