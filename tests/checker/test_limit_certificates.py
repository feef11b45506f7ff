"""Certificates of limits: a trap decides, its restatement decides again, and what is tampered with is not confirmed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from claims.certificates.format import as_text, digest
from claims.certificates.published import certificate_of
from claims.certificates.writing import certificate
from claims.instances.files import read_instance
from claims.statement import Form
from claims.target import Target
from claims.verifying.deciding import Effort, check
from claims.verifying.witness import witnessed

ROOT = Path(__file__).parents[2]
CHEAP = ("every_value_diverges", "mean_centering_is_needed", "square_loss_gives_no_sparse_scores")
"""The gallery has the others."""


LEADING = {
    "slow": {"system": "SlowFlow", "gaps": [1, 2], "logs": [0, -1], "K": 3},
    "two": {"system": "SlowFlow", "gaps": [1], "logs": [-1]},
    "rows": {"system": "EqualRowsFlow", "u": [1, "1/2", 0]},
}
APPROACHES = {
    "score_ratios_settle": ("ratios_tend_to_limit", "constant", LEADING["slow"]),
    "leading_value_settles": ("values_settle_like_inverse_clock", "share", LEADING["two"]),
    "row_ratios_have_sharp_order": ("ratios_tend_to_sharp_order", "order", LEADING["rows"]),
}
"""True statements of how weights become one-hot, which are false with another constant."""


def limits():
    for claim in CHEAP:
        data = certificate_of(f"polarization/{claim}.json")
        assert data["conclusion"]["form"] == Form.LIMIT
        yield data["claim"]["id"], data["conclusion"]["name"], data["instance"]
    for claim, (name, constant, instance) in APPROACHES.items():
        yield f"polarization.{claim}", name, instance, ((constant, "201/100"),)
    leads = {"system": "LogisticFlow", "u": [1, 0], "a": [-2, 2]}
    yield "polarization.leader_wins_from_any_scores", "leading_value_wins", leads


@pytest.fixture(scope="module")
def genuine():
    found = {}
    for claim, name, instance, *sharpened in limits():
        target = Target(claim, name, (), *sharpened)
        system = read_instance(json.dumps(instance))[0]
        conclusion = target.resolve().conclusion
        verdict = witnessed(conclusion, system, check(conclusion, system), Effort())
        found[claim] = certificate(target, system, verdict, 0, {"python": "3"})
    return found


def forged(data, **changes):
    """The certificate with another violation, signed anew."""
    other = data | {"violation": data["violation"] | changes}
    return other | {"digest": digest(other)}


def findings(folder, files):
    paths = []
    for index, data in enumerate(files):
        paths.append(folder / f"{index}.json")
        paths[-1].write_text(as_text(data), encoding="utf-8")
    command = [sys.executable, "-m", "claims.checker", "--json", str(folder / "found"), *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (folder / "found").exists(), run.stderr
    return [(finding["verdict"], finding["reason"]) for finding in json.loads((folder / "found").read_text())]


@pytest.fixture(scope="module")
def found(genuine, tmp_path_factory):
    """What one process says of the genuine ones, and of what was tampered with."""
    told = findings(tmp_path_factory.mktemp("limits"), [*genuine.values(), *lies(genuine)])
    return told[: len(genuine)], told[len(genuine) :]


def test_limits_are_confirmed_without_the_code_that_decided_them(found):
    for verdict, reason in found[0]:
        assert verdict == "CONFIRMED"
        assert "for ever from t = " in reason


def approaches(genuine):
    """A leader that does not lead, another system, constant, slack, entry, or time."""
    slow, values, rows = (genuine[f"polarization.{claim}"] for claim in APPROACHES)
    lies = [slow | {"instance": slow["instance"] | changed} for changed in ({"logs": [0, 1]}, {"gaps": [-1, 2]})]
    lies += [rows | {"instance": rows["instance"] | changed} for changed in ({"u": [0, 1, 0]}, {"system": "PathFlow"})]
    for data in (slow, values, rows):
        ((name, entry),) = data["constants"].items()
        lies.append(data | {"constants": {name: entry | {"value": entry["printed"]}}})
        yield forged(data, times=[2])
        yield forged(data, slack="1/3")
    yield forged(values, entry=[1])
    yield from (data | {"digest": digest(data)} for data in lies)


def lies(genuine):
    exact, ball = (
        genuine[f"polarization.{name}"] for name in ("every_value_diverges", "square_loss_gives_no_sparse_scores")
    )
    moved = exact | {"instance": exact["instance"] | {"u": [0, 1]}}
    return [
        forged(exact, times=[3]),
        forged(exact, times=[]),
        forged(exact, slack={"lower": "-2", "upper": "-2"}),
        forged(ball, slack={"lower": "-0.5", "upper": "-0.4"}),
        moved | {"digest": digest(moved)},
        *approaches(genuine),
    ]


def test_a_certificate_of_a_limit_that_is_tampered_with_is_not_confirmed(found):
    assert all(verdict != "CONFIRMED" for verdict, _ in found[1])
