"""The gallery: every certificate in it is decided again, by numbers and methods that had no part in finding it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import settings

from claims.catalogue import catalogue
from claims.hunting.gallery import place
from claims.hunting.necessity import necessity_map
from claims.statement import Standing

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "docs" / "counterexamples"
CERTIFICATES = sorted(GALLERY.glob("*/*.json"))
AT_ONCE = 24
"""Certificates that one process decides: it takes a second to start."""

COSTLY = ("trajectory", "rate", "limit")
SHARE = 1 if settings().max_examples > 100 else 8
"""Of certificates on flows one in so many is decided again in a run that is not a long one; `claims check` takes all."""


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


FLOWS = [path for path in CERTIFICATES if read(path)["conclusion"]["form"] in COSTLY]
LOOKED_AT = sorted({*CERTIFICATES} - {*FLOWS} | {*FLOWS[::SHARE]})


@pytest.mark.parametrize("first", range(0, len(LOOKED_AT), AT_ONCE))
def test_certificates_are_confirmed(first):
    files = [str(path.relative_to(ROOT)) for path in LOOKED_AT[first : first + AT_ONCE]]
    command = [sys.executable, "-m", "claims.checker", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_certificates_are_of_the_published_form_and_lie_where_they_belong():
    schema = json.loads((ROOT / "docs" / "counterexample.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for path in CERTIFICATES:
        data = read(path)
        validator.validate(data)
        assert place(data, GALLERY) == path


def test_commands_name_the_hunt_for_the_claim_and_no_place_on_a_machine():
    for path in CERTIFICATES:
        data = read(path)
        dropped = [f"--drop {a['name']}" for a in data["assumptions"]["dropped"]]
        hunted = " ".join(["claims", "hunt", data["claim"]["id"], *dropped])
        assert re.fullmatch(rf"{re.escape(hunted)} --seed \d+", data["command"]), path


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
