"""Certificates of counterexamples: the genuine ones are confirmed, and no other one ever is.

A check runs in a process of its own, as `claims check` does it; many files are put to one process.
"""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import jsonschema
import pytest
from flint import arb, fmpq

from claims.certificates.decimals import SHORT, enclosing_decimals
from claims.certificates.format import MalformedError, check_structure, read_certificate
from claims.certificates.writing import as_text, certificate, file_name, save_certificate
from claims.checker import recheck
from claims.checker.recheck import NotConfirmedError
from claims.stating.verdict import Known, Outcome, Verdict, Witness
from claims.targets.target import Target
from claims.verifying.deciding import Effort, check
from claims.verifying.witness import witnessed
from dynamics.decimals import decimal
from tests.checker.genuine import (
    BUGS,
    DOCS,
    DROPPED,
    MACHINE,
    SCHEMA,
    SHARPENED,
    certified,
    forgeries,
    is_true,
    lies,
    lies_about_later,
    signed,
)
from tests.planting import one_in


def test_what_a_slack_rests_on_is_stated_and_found_again(restated, findings):
    kinds = {fact["kind"] for data in restated.values() for fact in data["facts"]}
    assert kinds == {"ending", "recurrence", "drift", "separation"}
    assert len(restated["cycle"]["facts"][0]["limits"]) == 2
    for name, data in restated.items():
        jsonschema.Draft202012Validator(SCHEMA).validate(data)
        finding = findings[name]
        assert finding["verdict"] == "CONFIRMED", finding
        assert finding["shared"]["functions"] == {}
        assert finding["shared"]["assumptions"] == []
        assert finding["shared"]["formula"][0] == data["conclusion"]["name"]


def test_no_changed_fact_and_no_changed_formula_is_confirmed(restated, facts_forged, findings):
    # Every field of every fact is forged: fewer would mean that some are visited no longer.
    assert len(facts_forged) > 120
    assert {fact for data in restated.values() for fact in data["facts"][0]} >= {"since", "closed", "rates", "direction"}
    assert {name for name in facts_forged if findings[name]["verdict"] == "CONFIRMED"} == set()
    for name in ("facts of another", "facts twice", "no facts", "facts where there are none"):
        assert findings[name]["verdict"] == "NOT CONFIRMED", findings[name]


def test_every_published_counterexample_that_is_decided_at_once_is_confirmed(genuine, findings):
    assert len(genuine) >= 15
    for name in genuine:
        assert findings[name]["verdict"] == "CONFIRMED", findings[name]


def test_violations_at_later_times_are_confirmed_and_lies_about_them_are_not(later, findings):
    for name in later:
        assert findings[name]["verdict"] == "CONFIRMED", findings[name]
    for name in lies_about_later(later):
        assert findings[name]["verdict"] == "NOT CONFIRMED", findings[name]


def test_the_command_tells_each_file_and_exits_by_the_worst(genuine, tmp_path):
    good, bad, none = (tmp_path / f"{name}.json" for name in ("good", "bad", "none"))
    save_certificate(genuine["dropped"], good)
    # Changed and not signed anew: the digest no longer fits.
    bad.write_text(as_text(genuine["dropped"] | {"command": "another"}), encoding="utf-8")
    command = [sys.executable, "-m", "claims.checker", *map(str, (good, bad, none))]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    text = f"CONFIRMED  {good}: {DROPPED.claim}.{DROPPED.conclusion} without identity_key_query: >= 0 is broken by [-0.2310"
    first, second, third = run.stdout.splitlines()
    assert (run.returncode, first.startswith(text)) == (1, True), run.stdout
    assert (second.startswith("NOT CONFIRMED"), "digest" in second, third.startswith("MALFORMED")) == (True, True, True)


def test_certificates_keep_to_the_published_schema(genuine):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    for data in genuine.values():
        validator.validate(data)
        assert read_certificate(as_text(data)) == data


def test_a_violation_along_a_trajectory_is_written_at_a_simple_time(later):
    data = later["trajectory"]
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    (time,) = data["violation"]["times"]
    # The first simple time at which it is violated, not the odd one at which the hunt saw it.
    assert Fraction(time) == Fraction(1, 4)
    assert data["violation"]["method"] == "validated Taylor steps"
    lower, upper = (Fraction(data["violation"]["slack"][end]) for end in ("lower", "upper"))
    # Around a value found apart, and all of it below 0, or nothing would be violated.
    assert lower < Fraction("-0.125161998334959") < upper < 0


def weights():
    """A false statement, what it is resolved to, and an instance that violates it."""
    target = Target("polarization.above_average_values_gain_weight", "weight_rate_at_comonotone_states")
    variant = target.resolve()
    return target, variant, variant.claim.system.instance(u=[4, 3, 0], a=[1, 0, 0])


def test_no_certificate_of_what_is_not_decided_or_not_within_the_hypotheses():
    target, _, system = weights()
    for verdict in (
        Verdict(Outcome.HOLDS, Known.CERTIFIED, arb(1)),
        Verdict(Outcome.UNDECIDED, None),
        Verdict(Outcome.VIOLATED, Known.STATISTICAL, arb(-1)),
    ):
        with pytest.raises(ValueError, match="decided violation"):
            certificate(target, system, verdict, 0, {})
    violated = Verdict(Outcome.VIOLATED, Known.CERTIFIED, arb(-1), "", Witness((1,), arb(-1), 64, (), ()))
    with pytest.raises(ValueError, match="breaks comonotone"):
        certificate(target, system.replace(a=-system.a), violated, 0, {})
    distances = DROPPED.resolve().claim.system.instance(x=[[0], [1]])
    with pytest.raises(ValueError, match="does not certainly break identity_key_query"):
        certificate(DROPPED, distances, violated, 0, {})


@pytest.mark.parametrize("answer", [True, False, None])
def test_a_hypothesis_that_is_open_is_neither_kept_nor_dropped(answer, monkeypatch):
    target, variant, system = weights()
    verdict = witnessed(variant.conclusion, system, check(variant.conclusion, system), Effort())
    comonotone = next(one for one in variant.kept if one.name == "comonotone")
    # A frozen object: put into its dictionary, as a cached property would be.
    monkeypatch.setitem(vars(comonotone), "satisfies", lambda f: answer)
    for dropped, may in (((), answer is True), (("comonotone",), answer is False)):
        with nullcontext() if may else pytest.raises(ValueError, match="the instance "):
            certificate(replace(target, dropped=dropped), system, verdict, 0, {})


def test_no_certificate_without_a_witness_that_shows_the_violation():
    target, variant, system = weights()
    decided = check(variant.conclusion, system)
    with pytest.raises(ValueError, match="on what facts"):
        certificate(target, system, decided, 0, {})
    # What decides may forget to say where: whoever writes must not make a place up.
    for forgetful in (replace(decided, witness=None), Verdict(Outcome.HOLDS, Known.CERTIFIED, arb(1))):
        with pytest.raises(ValueError, match="does not say where it is violated"):
            witnessed(variant.conclusion, system, forgetful, Effort())
    genuine = witnessed(variant.conclusion, system, decided, Effort())
    assert certificate(target, system, genuine, 0, {})["violation"]["entry"] == list(decided.witness.entry)
    # Zero breaks no >=, a ball around 0 is open, a positive one holds.
    for slack in (arb(0), arb(-1, 2), arb(1), fmpq(0)):
        unclear = replace(genuine, witness=replace(genuine.witness, slack=slack))
        with pytest.raises(ValueError, match="no violation is certain"):
            certificate(target, system, unclear, 0, {})


def test_what_decides_and_what_writes_certificates_do_not_know_each_other():
    """The published ones are data: what decides may read their instances."""
    found = {}
    for room, other in (("certificates", "verifying"), ("verifying", "certificates")):
        # Read, not imported: an import inside of a function counts too.
        files = sorted((DOCS.parent / "claims" / room).glob("*.py"))
        for node in (node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found.setdefault(room, []).extend(named)
        assert len(found[room]) > 10
        assert not [
            name for name in found[room] if name.startswith(f"claims.{other}") and name != "claims.certificates.published"
        ]


@pytest.mark.parametrize("value", ["1/3", "-22/7", "1e-30", "-7e-4000", "123456789012345678901", "-0.099999999999999", "5"])
def test_enclosures_are_outward_short_and_narrow(value):
    exact = Fraction(value)
    # Twelve digits, whatever the size: floats would end at 1e-308.
    lower, upper = (decimal(exact, up) for up in (False, True))
    assert max(len(lower), len(upper)) <= 20
    assert Fraction(lower) <= exact <= Fraction(upper)
    assert Fraction(upper) - Fraction(lower) <= abs(exact) * Fraction(1, 10**11)
    ball = arb(fmpq(exact.numerator, exact.denominator), 1e-12 if abs(exact) > 1 else 0)
    lower, upper = map(Fraction, enclosing_decimals(ball))
    assert lower <= exact <= upper
    # A short rational is written as it is; a long one becomes two decimals around it.
    for one in (exact, exact * (1 + Fraction(1, 3**40))):  # the second is long
        lower, upper = map(Fraction, enclosing_decimals(fmpq(one.numerator, one.denominator)))
        assert lower <= one <= upper
        assert upper - lower <= (abs(one) / 10**11 if len(str(one)) > SHORT else 0)
    assert enclosing_decimals(fmpq(1, 3)) == ("1/3", "1/3")


def test_a_certificate_names_the_hunt_and_no_place_on_a_machine(genuine, tmp_path):
    dropped, sharpened = genuine["dropped"], genuine["sharpened"]
    assert dropped["command"] == f"claims hunt {DROPPED.claim} --drop identity_key_query --seed 0"
    assert sharpened["command"] == f"claims hunt {SHARPENED.claim} --sharpen rate=2 --seed 0"
    source = (DOCS / "examples" / "my_claim.py").read_text(encoding="utf-8")
    place = str(tmp_path / "my_claim.py")
    mine = Target("my_claim", "farthest_pair_recedes", ("definite_key_query",), (), place, source)
    own = certified(mine, {"x": [[0], [1]], "B": [[-1]]})
    assert own["source"]["file"] == "my_claim.py"
    assert own["command"] == "claims hunt --file my_claim.py --drop definite_key_query --seed 0"
    assert str(tmp_path) not in as_text(own)
    for data in (*genuine.values(), own):
        assert not MACHINE.search(data["command"])
    # The pattern does find such places.
    for command in ("claims hunt x --out /opt/hunts", "claims hunt --file ~/a.py", "claims hunt x --json found", "/a.py"):
        assert MACHINE.search(command)


def test_written_files_are_whole_named_for_their_content_and_read_by_people(genuine, tmp_path):
    data = genuine["dropped"]
    name = file_name(data)
    assert name.startswith("clusters.pairwise_distances_grow.separation_rate.without_identity_key_query.")
    # Two certificates of one target lie in one folder.
    assert name != file_name(signed(data | {"command": "another"}))
    save_certificate(data, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert '"x": [\n      [0],\n      [1]\n    ]' in (tmp_path / name).read_text(encoding="utf-8")


def test_no_changed_field_is_confirmed_though_the_digest_is_that_of_the_forged_content(fields_forged, findings):
    assert len(fields_forged) > 1200
    found = {name: findings[name] for name in fields_forged}
    confirmed = [path for path, finding in found.items() if finding["verdict"] == "CONFIRMED"]
    # An instance, an enclosure or a sharpened constant may be replaced by another that is just as true: flint is asked.
    assert not [path for path in confirmed if not is_true(fields_forged[path])]
    allowed = ("('instance'", "('violation', 'slack'", "('constants'")
    assert not [path for path in confirmed if not path.split(" ", 1)[1].startswith(allowed)]
    # Few: else `is_true` would be what is tested.
    assert len(confirmed) < len(fields_forged) / 40
    malformed = [finding["reason"] for finding in found.values() if finding["verdict"] == "MALFORMED"]
    assert len(malformed) > 600
    assert any(reason == "violation.slack.lower is missing" for reason in malformed)


def test_the_schema_refuses_what_the_reader_refuses(genuine):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for path, data in forgeries(genuine["dropped"]):
        try:
            check_structure(data)
            accepted = True
        except MalformedError:
            accepted = False
        assert validator.is_valid(data) == accepted, path


def test_no_lie_is_confirmed_and_each_is_named(genuine, findings):
    found = {name: findings[name] for name in lies(genuine)}
    assert {name: f for name, f in found.items() if f["verdict"] not in ("NOT CONFIRMED", "MALFORMED")} == {}
    for name, word in (
        ("an instance that breaks an assumption", "identity_key_query"),
        ("an enclosure nearby", "outside the stated enclosure"),
        ("another relation", 'conclusion.relation: the file says "> 0", today it is ">= 0"'),
        ("other words", "claim.statement: the file says"),
        ("a dropped assumption hidden", "identity_key_query"),
        ("a sharpening hidden", "constants.rate"),
        ("no such claim", "there is no claim 'polarization.nothing'"),
        ("another instance", "outside the stated enclosure"),
        ("a digest of something else", "digest"),
    ):
        assert word in found[name]["reason"]


def test_of_a_formula_that_differs_the_line_is_named():
    """Of two long texts the beginnings are the same: shown as wholes they would not tell what has changed."""
    formula = {"conclusion": {"formula": ["def slack(f):", "    return f.x", ""]}}
    recheck._compare(formula, copy.deepcopy(formula), "")
    other, shorter = copy.deepcopy(formula), copy.deepcopy(formula)
    other["conclusion"]["formula"][1] = "    return -f.x"
    del shorter["conclusion"]["formula"][2]
    with pytest.raises(NotConfirmedError, match=r'conclusion\.formula\[1\]: the file says "    return f\.x", today'):
        recheck._compare(formula, other, "")
    for said, today in ((formula, shorter), (shorter, formula)):
        with pytest.raises(NotConfirmedError, match=r"differ from conclusion\.formula\[2\] on"):
            recheck._compare(said, today, "")


def test_bugs_planted_in_the_check_are_caught(genuine, tmp_path):
    """Each bug, planted alone, confirms a lie or no longer confirms what is true."""
    files = genuine | lies(genuine)
    for name, data in zip(range(len(files)), files.values(), strict=True):
        (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    script = """
import json, pathlib, sys
from claims.checker import __main__ as check
check.forbid_deciding_code()
import claims.checker.recheck as v
from claims.stating.statement import Relation as r
from dynamics.checker import flint_stand_in as a
folder, bugs, count = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])
found = {}
for bug, code in bugs.items():
    # All bugs in one process: what each replaces is put back, the relation's property in its class.
    sound, exponential, forbidden = dict(vars(v)), a.arb.exp, r.__dict__["forbidden"]
    exec(code, {"v": v, "a": a, "r": r})
    found[bug] = [check.check_file(folder / f"{k}.json", False)["verdict"] for k in range(count)]
    vars(v).update(sound)
    a.arb.exp, r.forbidden = exponential, forbidden
print(json.dumps(found))
"""
    command = [
        sys.executable,
        "-c",
        script,
        str(tmp_path),
        json.dumps({bug: BUGS[bug] for bug in one_in(3, BUGS)} | {"none": ""}),
        str(len(files)),
    ]
    verdicts = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    # A bug is caught if any of all the answers differs; which one is its own affair.
    expected = [name in genuine for name in files]
    confirmed = {bug: [verdict == "CONFIRMED" for verdict in found] for bug, found in verdicts.items()}
    # Without a bug every answer is right, or the rest would say nothing.
    assert confirmed.pop("none") == expected
    assert [bug for bug, found in confirmed.items() if found == expected] == []
