"""The published counterexamples: every refuted statement has one, and docs tell it.

That each refutes its statement again, within the hypotheses, is asked by test_claims.py, whose first example it is.
"""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claims.certificates.published import published
from claims.cli import app
from claims.instances.drawing import unmet
from claims.instances.files import read_instance
from claims.stating.catalogue import catalogue
from claims.stating.statement import Standing
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check

DOCS = Path(__file__).parents[2] / "docs"
STATED = [name for name in published() if ".without_" not in name]
"""Certificates of statements as they stand; those without an assumption are decided again by test_gallery.py."""

TOO_LARGE = ("frank_wolfe.group_jumps_are_rare_by_diameter",)
"""Refuted in a space too large for a file."""


def test_every_refuted_statement_has_a_certificate():
    refuted = {claim.id for claim in catalogue().values() if claim.standing is Standing.FALSE}
    shown = {name.removesuffix(".json").replace("/", ".") for name in STATED}
    assert shown <= refuted
    assert refuted - shown <= set(TOO_LARGE)
    for name in refuted - shown:
        assert f"`{name.split('.')[1]}`" in (DOCS / "counterexamples.md").read_text(encoding="utf-8")


def test_what_is_wrong_is_said_of_every_refuted_statement():
    assert all(claim.note for claim in catalogue().values() if claim.standing is Standing.FALSE)
    shown = CliRunner().invoke(app, ["show", "polarization.increasing_map_keeps_order"]).stdout
    assert "what is wrong: f(x) = -e^-x is increasing" in shown


def test_show_tells_how_many_starts_stand_behind_each_line():
    shown = CliRunner().invoke(app, ["show", "clusters.hull_shrinks"]).stdout
    lines = [line.split() for line in shown.splitlines() if "edges_move_inward " in line and "concludes" not in line]
    assert [line[:5] for line in lines] == [
        ["(as", "it", "is)", "edges_move_inward", "none"],
        ["identity_value", "edges_move_inward", "counterexample", "10", "-0.5"],
    ]
    assert lines[0][5:7] == ["found", "31816"]


SHRINKING = (
    ("clusters.hull_shrinks", "edges_move_inward", {"system": "RescaledFlow", "z": [[0], [4]], "V": [[5]], "t": 0}),
    (
        "clusters.projected_hull_shrinks",
        "edges_move_inward",
        {"system": "RootedAttention", "z": [[0, 2], [0, 0]], "V": [[0, 0], [0, 1]], "k": 2},
    ),
    (
        "clusters.discrete_hull_shrinks",
        "supports_contract",
        {"system": "RescaledAttentionStep", "z": [[2], [0]], "V": [[-2]], "dt": 1},
    ),
)
"""Instances beyond the hypotheses at which a token inside moves far, and yet no hull grows."""


@pytest.mark.parametrize(("name", "conclusion", "instance"), SHRINKING, ids=[name for name, *_ in SHRINKING])
def test_without_its_hypothesis_a_hull_that_shrinks_is_no_counterexample(name, conclusion, instance):
    (stated,) = (one for one in catalogue()[name].conclusions if one.name == conclusion)
    system = read_instance(json.dumps(instance))[0]
    assert unmet(catalogue()[name], stated, system)
    assert check(stated, system).outcome is Outcome.HOLDS
