"""The gallery: every certificate in it is decided again, by numbers and methods that had no part in finding it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from claims.catalogue import catalogue
from claims.certificates.published import published
from claims.hunting.gallery import place
from claims.hunting.necessity import necessity_map, referring, resolved
from claims.patterns import UnmatchedError
from claims.statement import Standing
from tests.planting import LONG, one_in

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "claims" / "evidence"
CERTIFICATES = sorted(GALLERY.glob("*/*.json"))
AT_ONCE = 56
"""Certificates that one process decides: it takes a second to start."""

COSTLY = ("trajectory", "rate", "limit")
SHARE = 72
"""Of certificates on flows one in so many is decided again in a run that is not a long one; `claims check` takes all."""

OTHERS_SHARE = 4
"""Of the others: test_counterexamples.py decides all of statements as they stand again."""


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


DEAR = "ill_conditioning_slows_optimisation.json"
"""The independent integrator takes minutes for it: it is decided again in a long run, and by `claims check` alone."""

FLOWS = [path for path in CERTIFICATES if read(path)["conclusion"]["form"] in COSTLY and (LONG or path.name != DEAR)]
OTHERS = sorted(path for path in CERTIFICATES if read(path)["conclusion"]["form"] not in COSTLY)
LOOKED_AT = sorted([*one_in(OTHERS_SHARE, OTHERS), *one_in(SHARE, FLOWS)])


@pytest.mark.parametrize("first", range(0, len(LOOKED_AT), AT_ONCE))
def test_certificates_are_confirmed(first):
    files = [str(path.relative_to(ROOT)) for path in LOOKED_AT[first : first + AT_ONCE]]
    command = [sys.executable, "-m", "claims.checker", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_certificates_are_of_the_published_form_and_lie_where_they_belong():
    schema = json.loads((ROOT / "claims" / "certificates" / "schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for path in CERTIFICATES:
        data = read(path)
        validator.validate(data)
        assert place(data, GALLERY) == path


A_PATH = re.compile(r"""(^|[\s"=(:,]|(?<![\w)])')(~/|\.{0,2}/[\w.~-]|[A-Za-z]:[\\/]|\\\\\w|file:)""")
"""How a path of some machine begins in a text."""


@pytest.mark.parametrize(
    "text",
    [
        "claims hunt x --out /home/me/hunts",
        "/var/a.json",
        "--file=../me/claim.py",
        "C:\\Users\\me",
        "~/hunts",
        "'/x'",
        "file:///x",
    ],
)
def test_a_path_is_known_as_one(text):
    assert A_PATH.search(text)


def texts_in(value):
    if isinstance(value, dict):
        for name, entry in value.items():
            yield name
            yield from texts_in(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from texts_in(entry)
    elif isinstance(value, str):
        yield value


def test_nothing_that_is_published_names_a_place_on_a_machine():
    for path in (*CERTIFICATES, GALLERY / "necessity.json"):
        found = [text for text in texts_in(read(path)) if A_PATH.search(text)]
        assert not found, (path, found)
        assert read(path).get("source") is None


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


def test_the_map_keeps_nothing_that_a_certificate_says():
    entries = necessity_map().values()
    named = [entry for entry in entries if "certificate" in entry.get("counterexample", {})]
    assert len(named) > 300
    for entry in entries:
        full = resolved(entry)
        assert referring(full) == entry
        assert "counterexample" not in full or set(full["counterexample"]) == {"slack", "instance"}
        assert full == entry or "instance" not in entry["counterexample"]


def test_every_line_of_the_map_says_how_many_starts_stand_behind_it():
    for entry in necessity_map().values():
        assert isinstance(entry["starts"], int)
        assert entry["starts"] > 0


def test_a_reference_follows_its_certificate_and_one_to_no_certificate_is_told(tmp_path):
    data = read(GALLERY / "clusters/hull_shrinks.without_identity_value.json")
    target = {"claim": "clusters.hull_shrinks", "conclusion": data["conclusion"]["name"], "dropped": ["identity_value"]}
    found = {"slack": data["violation"]["slack"]["lower"], "instance": data["instance"]}
    entry = target | {"starts": 7, "counterexample": found}
    name = "clusters/hull_shrinks.without_identity_value.json"
    assert referring(entry, tmp_path) == entry
    (tmp_path / "clusters").mkdir()
    (tmp_path / name).write_text(json.dumps(data))
    assert referring(entry, tmp_path)["counterexample"] == {"certificate": name}
    assert resolved(referring(entry, tmp_path), tmp_path) == entry
    another = entry | {"counterexample": found | {"slack": "-123"}}
    assert referring(another, tmp_path)["counterexample"] == {"certificate": name, "slack": "-123"}
    assert resolved(referring(another, tmp_path), tmp_path) == another
    moved = data | {"instance": data["instance"] | {"z": [[0], [9]]}}
    (tmp_path / name).write_text(json.dumps(moved))
    assert referring(entry, tmp_path) == entry
    (tmp_path / name).unlink()
    with pytest.raises(LookupError, match="there is no certificate clusters/hull_shrinks"):
        resolved(target | {"starts": 7, "counterexample": {"certificate": name}}, tmp_path)


# ---------------------------------------------------------------------------------------------------------------------
# What is published, and `claims check --published`


def test_evidence_and_schema_are_data_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = {
        path
        for pattern in project["tool"]["setuptools"]["package-data"]["claims"]
        for path in (ROOT / "claims").glob(pattern)
    }
    here = {path for path in GALLERY.rglob("*") if path.is_file()}
    assert {*CERTIFICATES, *(GALLERY / f"{name}.json" for name in ("necessity", "proved", "transformers"))} == here
    assert here <= shipped
    assert ROOT / "claims/certificates/schema.json" in shipped


def test_patterns_choose_certificates_by_claim():
    assert [f"{path.parent.name}/{path.name}" for path in CERTIFICATES] == sorted(published())
    chosen = published(["clusters.hull_shrinks"])
    assert list(chosen) == ["clusters/hull_shrinks.without_identity_value.json"]
    assert set(published(["L1"])) >= {"clusters/pairwise_distances_grow.without_identity_value.json"}
    assert set(published(["localmax.every_*"])) == {name for name in published() if name.startswith("localmax/every_")}
    assert set(published(["clusters", "C-rep"])) == {*published(["clusters"]), *published(["C-rep"])}
    with pytest.raises(UnmatchedError) as error:
        published(["clusters", "hull_shrink5"])
    assert (error.value.pattern, error.value.near) == ("hull_shrink5", "hull_shrinks")


def checked(*arguments, evidence=None):
    """A run of the checker, on another folder of evidence if one is given; nothing that it refuses was loaded."""
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from claims.certificates import published\nfrom claims.checker import __main__ as check\n"
        f"published.EVIDENCE = Path({str(evidence)!r}) if {evidence is not None} else published.EVIDENCE\n"
        "code = check.main(sys.argv[1:])\n"
        "refused = [name for name in sys.modules if check.is_refused(name)]\n"
        "assert not [name for name in refused if getattr(sys.modules[name], '__file__', None)], refused\n"
        "sys.exit(code)"
    )
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_published_certificates_are_decided_again_by_pattern(tmp_path):
    done = checked("--published", "hull_shrinks", "values_follow_replicator", "--json", tmp_path / "found.json")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    files = [f"claims/evidence/{name}" for name in published(["hull_shrinks", "values_follow_replicator"])]
    assert [(one["file"], one["verdict"]) for one in found] == [(name, "CONFIRMED") for name in files]
    assert len(files) > 2


def test_what_was_changed_after_it_was_published_is_not_confirmed(tmp_path):
    (tmp_path / "clusters").mkdir()
    text = (GALLERY / "clusters/hull_shrinks.without_identity_value.json").read_text(encoding="utf-8")
    (tmp_path / "clusters/hull_shrinks.without_identity_value.json").write_text(text.replace('"-8"', '"-7"'))
    (tmp_path / "clusters/other.json").write_text("not JSON")
    done = checked("--published", evidence=tmp_path)
    assert [line.split("  ")[0] for line in done.stdout.splitlines()] == ["NOT CONFIRMED", "MALFORMED"]
    assert done.returncode == 1
    assert checked("--published", "other", evidence=tmp_path).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--published", "hull_shrink5"), "matches 'hull_shrink5': did you mean hull_shrinks?"),
        (("--published", "docs/none.json"), "no published certificate is of a claim that matches 'docs/none.json'"),
        ((), "name certificates, or say --published"),
    ],
)
def test_what_chooses_nothing_is_refused_in_one_sentence(arguments, said):
    command = [sys.executable, "-m", "claims", "check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    (sentence,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence.startswith("error: ")
    assert said in sentence


def test_without_evidence_it_is_said(tmp_path):
    done = checked("--published", evidence=tmp_path / "none")
    assert done.returncode == 2
    assert "holds no published certificates" in done.stderr
