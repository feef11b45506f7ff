"""The gallery: every certificate in it is decided again, by numbers and methods that had no part in finding it."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from claims.certificates.format import MalformedError, as_text
from claims.certificates.necessity import MAP, referring, resolved
from claims.certificates.published import certificate_of, name_of, published, published_name, read_evidence, write_evidence
from claims.hunting.gallery import _rank, by_hand, renewed
from claims.stating.catalogue import catalogue
from claims.stating.patterns import UnmatchedError
from claims.stating.statement import PAPERS, Standing
from tests.planting import LONG, one_in, todays_share

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "claims" / "evidence"
CERTIFICATES = published()
AT_ONCE = 128
"""Certificates that one process decides: it takes a second to start."""

COSTLY = ("trajectory", "rate", "limit")
SHARE = 72
"""Of certificates on flows one in so many is decided again in a run that is not a long one; `claims check` takes all."""

OTHERS_SHARE = 12
"""Of the others each day another share: test_claims.py decides all of statements as they stand again."""

DEAR = "polarization/ill_conditioning_slows_optimisation.json"
"""The independent integrator takes minutes for it: it is decided again in a long run, and by `claims check` alone."""

FLOWS = [name for name, data in CERTIFICATES.items() if data["conclusion"]["form"] in COSTLY and (LONG or name != DEAR)]
OTHERS = [name for name, data in CERTIFICATES.items() if data["conclusion"]["form"] not in COSTLY]
LOOKED_AT = sorted([*todays_share(OTHERS_SHARE, OTHERS), *one_in(SHARE, FLOWS)])


@pytest.mark.parametrize("first", range(0, len(LOOKED_AT), AT_ONCE))
def test_certificates_are_confirmed(first, tmp_path):
    files = []
    for name in LOOKED_AT[first : first + AT_ONCE]:
        files.append(tmp_path / name.replace("/", "."))
        files[-1].write_text(as_text(CERTIFICATES[name]), encoding="utf-8")
    # In a process that loads the checker alone: it must not rest on what this one has imported.
    command = [sys.executable, "-m", "claims.checker", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_certificates_are_of_the_published_form():
    schema = json.loads((ROOT / "claims" / "certificates" / "schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    # The first of each form and method, for all of these are written alike; then some of the others.
    kinds = {(data["conclusion"]["form"], data["violation"]["method"]): data for data in CERTIFICATES.values()}
    for data in (*kinds.values(), *todays_share(OTHERS_SHARE, CERTIFICATES.values())):
        validator.validate(data)


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
    for name, data in {**CERTIFICATES, **MAP.stored}.items():
        found = [text for text in texts_in(data) if A_PATH.search(text)]
        assert not found, (name, found)
        assert data.get("source") is None


def test_commands_name_the_hunt_for_the_claim_and_no_place_on_a_machine():
    for name, data in CERTIFICATES.items():
        dropped = [f"--drop {a['name']}" for a in data["assumptions"]["dropped"]]
        hunted = " ".join(["claims", "hunt", data["claim"]["id"], *dropped])
        assert re.fullmatch(rf"{re.escape(hunted)} --seed \d+", data["command"]), name


def test_no_certificate_refutes_a_claim_that_is_held_true():
    for name, data in CERTIFICATES.items():
        dropped = data["assumptions"]["dropped"]
        assert dropped or catalogue()[data["claim"]["id"]].standing is not Standing.TRUE, name


def test_every_counterexample_of_the_map_has_its_claim_in_the_gallery():
    for entry in MAP.stored.values():
        assert "counterexample" not in entry or name_of(entry["claim"], entry.get("dropped", ())) in CERTIFICATES


def test_the_map_keeps_nothing_that_a_certificate_says():
    entries = MAP.stored.values()
    named = [entry for entry in entries if "certificate" in entry.get("counterexample", {})]
    assert len(named) > 300
    for entry in entries:
        full = resolved(entry, CERTIFICATES)
        assert referring(full, CERTIFICATES) == entry
        assert "counterexample" not in full or set(full["counterexample"]) == {"slack", "instance"}
        assert full == entry or "instance" not in entry["counterexample"]


def test_every_line_of_the_map_says_how_many_starts_stand_behind_it():
    """What was left open has neither a counterexample nor an instance that was decided."""
    for entry in MAP.stored.values():
        assert isinstance(entry["starts"], int)
        assert entry["starts"] > 0
        assert ("open" in entry) + ("counterexample" in entry) + ("tightest" in entry) <= 1


HULL = "clusters/hull_shrinks.without_identity_value.json"


def test_a_reference_follows_its_certificate_and_one_to_no_certificate_is_told():
    data = CERTIFICATES[HULL]
    target = {"claim": "clusters.hull_shrinks", "conclusion": data["conclusion"]["name"], "dropped": ["identity_value"]}
    found = {"slack": data["violation"]["slack"]["lower"], "instance": data["instance"]}
    entry = target | {"starts": 7, "counterexample": found}
    assert referring(entry, {}) == entry
    assert referring(entry, {HULL: data})["counterexample"] == {"certificate": HULL}
    assert resolved(referring(entry, {HULL: data}), {HULL: data}) == entry
    moved = data | {"instance": data["instance"] | {"z": [[0], [9]]}}
    assert referring(entry, {HULL: moved})["counterexample"] == {"certificate": HULL}, "no other one is shown"
    another = entry | {"conclusion": "another", "counterexample": found | {"slack": "-123"}}
    assert referring(another, {HULL: data})["counterexample"] == {"certificate": HULL, "slack": "-123"}
    assert resolved(referring(another, {HULL: data}), {HULL: data}) == another
    assert referring(another, {HULL: moved}) == another
    with pytest.raises(LookupError, match="there is no certificate clusters/hull_shrinks"):
        resolved(target | {"starts": 7, "counterexample": {"certificate": HULL}}, {})


def test_what_is_checked_by_hand_is_published_and_stays():
    name = "polarization/margin_exceeds_share_of_leader.json"
    checked = CERTIFICATES[name]
    another = renewed(checked | {"instance": checked["instance"] | {"u": [0, -1]}})
    assert another["digest"] != checked["digest"]
    assert by_hand({name: another}) == {name: checked}
    assert by_hand({name: checked}) == {}
    assert _rank(checked) < _rank(another)
    # Tokens in the plane stand for a certificate on the line: nothing can be published at them.
    on_the_line = "clusters/tokens_leave_the_inside_of_the_polytope.json"
    assert by_hand({on_the_line: CERTIFICATES[on_the_line]}) == {}


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
    assert len(here) <= 8 + len(PAPERS)
    assert here <= shipped
    assert ROOT / "claims/certificates/schema.json" in shipped


def test_certificates_are_stored_with_their_words_once_and_written_as_they_are_read(tmp_path):
    # The other way round: the order on disk is to be that of the names, not that of writing.
    write_evidence(tmp_path, dict(reversed(CERTIFICATES.items())))
    for file in tmp_path.iterdir():
        text = file.read_text(encoding="utf-8")
        assert text == (GALLERY / file.name).read_text(encoding="utf-8")
        lines = [json.loads(line) for line in text.splitlines()]
        stated = [line["claim"]["id"] for line in lines if "claim" in line]
        assert stated == sorted(set(stated))
    some = {name: CERTIFICATES[name] for name in published(["clusters"])}
    write_evidence(tmp_path, some)
    assert [file.name for file in tmp_path.iterdir()] == ["clusters.jsonl"]
    assert read_evidence(tmp_path) == some
    assert all(published_name(data) == name for name, data in some.items())


def test_what_does_not_say_the_same_of_one_claim_is_not_stored_together(tmp_path):
    some = published(["clusters.pairwise_distances_grow"])
    name, data = next(iter(some.items()))
    another = data | {"claim": data["claim"] | {"statement": "as it was before"}}
    assert len(some) > 1
    with pytest.raises(ValueError, match=r"certificates of clusters\.pairwise_distances_grow do not say the same of it"):
        write_evidence(tmp_path, some | {name: another})


def test_who_changes_a_certificate_that_is_given_changes_nothing_that_is_published():
    name = next(iter(CERTIFICATES))
    kept = as_text(CERTIFICATES[name])
    given = certificate_of(name)
    # Deep within, where a shallow copy would share it.
    given["violation"]["slack"].clear()
    given["claim"]["id"] = given["instance"] = "another"
    assert as_text(certificate_of(name)) == as_text(published()[name]) == kept
    assert certificate_of("clusters/nothing.json") is None


def test_patterns_choose_certificates_by_claim():
    chosen = published(["clusters.hull_shrinks"])
    assert list(chosen) == [HULL]
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
    files = list(published(["hull_shrinks", "values_follow_replicator"]))
    assert [(one["file"], one["verdict"]) for one in found] == [(name, "CONFIRMED") for name in files]
    assert len(files) > 2


def test_one_certificate_is_exported_and_checked_as_a_file(tmp_path):
    assert checked("--published", "clusters.hull_shrinks", "--out", tmp_path).returncode == 0
    assert json.loads((tmp_path / HULL).read_text(encoding="utf-8")) == CERTIFICATES[HULL]
    done = checked(tmp_path / HULL)
    assert (done.returncode, done.stdout.split("  ")[0]) == (0, "CONFIRMED")
    done = checked(tmp_path / HULL, "--out", tmp_path / "more")
    assert done.returncode == 2
    assert "say --published" in done.stderr


def test_what_was_changed_after_it_was_published_is_not_confirmed(tmp_path):
    write_evidence(tmp_path, {HULL: CERTIFICATES[HULL]})
    file = tmp_path / "clusters.jsonl"
    text = file.read_text(encoding="utf-8")
    assert '"V":[[-1]]' in text
    # Still a counterexample, with twice the slack: that it refutes the statement is not enough.
    file.write_text(text.replace('"V":[[-1]]', '"V":[[-2]]'), encoding="utf-8")
    done = checked("--published", evidence=tmp_path)
    assert done.stdout.split("  ")[0] == "NOT CONFIRMED"
    assert done.returncode == 1
    file.write_text(text.replace('"bits":', '"bit":'), encoding="utf-8")
    assert checked("--published", evidence=tmp_path).stdout.split("  ")[0] == "MALFORMED"
    for damaged in (text.replace('"versions":', '"version5":'), text.replace('"kept":', '"kep":'), f"{text}not JSON\n"):
        file.write_text(damaged, encoding="utf-8")
        with pytest.raises(MalformedError, match=r"clusters\.jsonl, line "):
            read_evidence(tmp_path)
    # Whatever the damage is, the command catches one error: a process for the last of them is enough.
    done = checked("--published", evidence=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: what is published is damaged: clusters.jsonl, line " in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--published", "hull_shrink5"), "matches 'hull_shrink5': did you mean hull_shrinks?"),
        (("--published", "docs/none.json"), "no published certificate is of a claim that matches 'docs/none.json'"),
        ((), "name certificates, or say --published"),
    ],
)
def test_what_chooses_nothing_is_refused_in_one_sentence(arguments, said):
    done = checked(*arguments)
    (sentence,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence.startswith("error: ")
    assert said in sentence


def test_without_evidence_it_is_said(tmp_path):
    done = checked("--published", evidence=tmp_path / "none")
    assert done.returncode == 2
    assert "holds no published certificates" in done.stderr
