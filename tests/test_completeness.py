"""What a new model, paper, claim, solver or kind of verdict still needs: one sentence for each thing that is missing.

Each is added in one place: a model as a class in `dynamics.tokens` or `dynamics.training`, a paper in `PAPERS` of
`claims.stating.statement`, a solver in `SOLVERS` of `claims.proving.solver_process`, a kind of verdict in `Known` of
`claims.stating.verdict`. CONTRIBUTING.md has the recipes.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from claims.atlas.observed import SHADES
from claims.atlas.pictures import Subject, pictures_of
from claims.atlas.pictures.scenes import Source
from claims.atlas.reliability import RESTS_ON
from claims.certificates.format import METHODS
from claims.certificates.necessity import MAP, still_stands
from claims.certificates.published import published
from claims.instances import builders
from claims.instances.draws import SeededDraws
from claims.proving import solver_process
from claims.stating import statement
from claims.stating.catalogue import catalogue, defect_of
from claims.stating.coverage import THEIRS
from claims.stating.statement import Claim, Conclusion, Form, Relation, Standing
from claims.stating.verdict import Known
from claims.targets.target import Target
from claims.verifying.dropping import checked_conclusions
from dynamics.arithmetic import exact
from dynamics.checker import flows, models
from dynamics.system import Flow, StepMap, System, quantity

ROOT = Path(__file__).parents[1]

NOT_RESTATED = {
    "AttentionLayer": "a layer that a step of another model is compared with",
    "AttentionStep": "an Euler step of a flow that is restated",
    "MultiHeadStep": "an Euler step of a flow that is restated",
    "RescaledAttentionStep": "an Euler step of a flow that is restated",
    "RootedAttention": "a state of a flow that is restated",
    "TwoPrompts": "two states of a flow that is restated",
}
"""Models whose formula a check of a certificate takes from the suite, and says so."""


def missing() -> list[str]:
    """What is missing of anything, in sentences."""
    found = [line for kind in builders.models().values() for line in of_model(kind)]
    found += [line for key in statement.PAPERS for line in of_paper(key)]
    found += [line for claim in catalogue().values() for line in of_claim(claim)]
    found += [line for name in solver_process.SOLVERS for line in of_solver(name)]
    return found + [line for known in Known for line in of_verdict(known)]


def of_model(kind: type[System]) -> Iterator[str]:
    name = kind.__name__
    about = [claim for claim in catalogue().values() if claim.system is kind]
    built = builders.construction_of(kind)
    # A claim that draws its own starts needs no construction of its model's.
    if built is None and not (about and all(claim.draw for claim in about)) and not flows.is_stated(name):
        yield f"{name} has no construction of starts: add one to BUILDERS of claims/instances/tokens.py or training.py"
    if issubclass(kind, Flow) and not flows.is_stated(name):
        yield f"{name} is not restated for the checker: add it to _STATEMENTS of dynamics/checker/flows.py"
    steps = {theirs for _, theirs in models.RESTATED}
    if not issubclass(kind, Flow) and kind not in steps and name not in NOT_RESTATED:
        yield f"{name} is not restated for the checker: add a class to dynamics/checker/models.py, @restates({name})"
    if built is not None:
        if f"import {name}`" not in (ROOT / "docs" / "api.md").read_text(encoding="utf-8"):
            yield f"{name} is not in docs/api.md: run python -m claims.atlas.api_page docs/api.md"
        is_drawn = issubclass(kind, Flow) or name == "AttentionLayer"  # of every flow there are curves
        if not is_drawn and not pictures_at_a_state(built(SeededDraws(np.random.default_rng(1), small=True))):
            yield f"{name} has no picture: register a painter in claims/atlas/pictures, @draws({name})"


def pictures_at_a_state(system: System) -> list[object]:
    nothing = Conclusion("state", Form.STATE, Relation.NONNEGATIVE, lambda f: exact([]))
    instance = type(system).instance(**system.arrays())
    return [*pictures_of(Subject(Claim("one", statement="", system=type(system)), nothing, instance, Source("a test")))]


def of_paper(key: str) -> Iterator[str]:
    claims = [claim for claim in catalogue().values() if claim.paper.key == key]
    if not claims:
        yield f"{key} has no claims: write modules in claims/{key}, and list them in CONTENTS of its __init__.py"
    # What is false must be shown by something that can be checked by others.
    if any(claim.standing is Standing.FALSE for claim in claims) and not any(n.startswith(f"{key}/") for n in published()):
        yield f"{key} has false claims and no certificates: hunt for them, then python -m claims.hunting.gallery DIR"
    for file, mark in (("README.md", f"*{key}*"), ("docs/statements.md", f"*{key}*"), ("pyproject.toml", key)):
        if mark not in (ROOT / file).read_text(encoding="utf-8"):
            yield f"{key} is not named in {file}"
    for file, what in (
        (f"tests/planted/{key}.toml", "planted falsehoods"),
        (f"claims/{key}/coverage.toml", "list of what it states"),
        (f"claims/{key}/notation.toml", "list of its symbols"),
    ):
        if not (ROOT / file).is_file():
            yield f"{key} has no {what}: write {file}"
    for claim in claims:
        # Only of what the authors state themselves: our own variations are none of their errors.
        if claim.standing is Standing.FALSE and claim.origin in THEIRS and defect_of(claim) is None:
            yield f"{claim.id} is false and says nothing to its authors: write defect=Defect(...)"


def of_claim(claim: Claim) -> Iterator[str]:
    """Each target of the claim that was never hunted as it is today; what was hunted in vain has an entry that says so."""
    for conclusion in checked_conclusions(claim):
        for dropped in [(), *((assumption.name,) for assumption in claim.assumptions_of(conclusion))]:
            target = Target.of(claim, conclusion, dropped)
            if str(target) not in MAP.stored or not still_stands(MAP.stored[str(target)]):
                hunt = f"{target.command(0)} --only {conclusion.name} --out DIR"
                yield f"{target} has no entry in the necessity map: {hunt}, then python -m claims.hunting.gallery DIR"


def of_solver(name: str) -> Iterator[str]:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    if not any(line.startswith(solver_process.SOLVERS[name].package) for line in extras["prove"]):
        yield f"{name} is not installed: add its package to the extra `prove` of pyproject.toml"


def of_verdict(known: Known) -> Iterator[str]:
    if known.value not in SHADES:
        yield f"{known.value} has no colour: add it to SHADES of claims/atlas/observed.py"
    if f"**{known.value}**" not in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8"):
        yield f"{known.value} is not explained in docs/commands.md, how to read a verdict: **{known.value}**: ..."
    if known.value not in dict(RESTS_ON):
        yield f"{known.value} rests on nothing: add it to RESTS_ON of claims/atlas/reliability.py"
    # What is not certain refutes nothing, so there is no certificate of it.
    if known.certain and known.value not in {how for _, how in METHODS}:
        yield f"{known.value} is certain and no certificate says how: add it to METHODS of claims/certificates/format.py"
    schema = json.loads((ROOT / "claims" / "certificates" / "schema.json").read_text(encoding="utf-8"))
    allowed = schema["properties"]["violation"]["properties"]
    for (_, how), method in METHODS.items():
        if how == known.value and (how not in allowed["known"]["enum"] or method not in allowed["method"]["enum"]):
            yield f"{how} by {method} is not allowed in a certificate: add both to claims/certificates/schema.json"


def test_nothing_is_missing():
    found = missing()
    assert not found, "\n".join(found)


class UnfinishedStep(StepMap):
    """A step that nothing is known of."""


class UnfinishedFlow(Flow):
    """A flow that nothing is known of."""


@dataclass(frozen=True, eq=False)
class UnfinishedModel(System):
    """A model that is built and no more."""

    a: Any = quantity(meaning="a number")


KEPT = "clusters.pairwise_distances_grow.separation_rate"


def test_what_is_missing_is_said_in_a_sentence_each(monkeypatch):
    kinds = {"UnfinishedStep": UnfinishedStep, "UnfinishedModel": UnfinishedModel, "UnfinishedFlow": UnfinishedFlow}
    monkeypatch.setattr(builders, "models", lambda: kinds)
    monkeypatch.setitem(builders.BUILDERS, UnfinishedModel, lambda draws: UnfinishedModel.instance(a=1))
    monkeypatch.setattr(statement, "PAPERS", {"unread": statement.Paper("unread")})
    never, before = f"{KEPT} without identity_value", "polarization.rows_keep_order.order_is_kept"
    others = {name: entry for name, entry in MAP.stored.items() if name != never}
    # Hunted, but for other formulas: as good as never.
    monkeypatch.setattr(f"{__name__}.MAP", SimpleNamespace(stored=others | {before: MAP.stored[before] | {"text": ""}}))
    monkeypatch.setattr(solver_process, "SOLVERS", {"abacus": SimpleNamespace(package="abacus-solver")})
    # Each thing that can be added lacks all it can lack: a question that is no longer asked shortens the list.
    monkeypatch.setattr(f"{__name__}.METHODS", {("state", "by oracle"): "asking the oracle"})
    new = [SimpleNamespace(value=f"by {whom}", certain=whom == "authority") for whom in ("authority", "oracle")]
    monkeypatch.setattr(f"{__name__}.Known", new)
    # The first words say what is missing of what; the advice behind them may be put better one day.
    said = [" ".join(line.split()[:5]) for line in missing()]
    assert said == [
        "UnfinishedStep has no construction of",
        "UnfinishedStep is not restated for",
        "UnfinishedModel is not restated for",
        "UnfinishedModel is not in docs/api.md:",
        "UnfinishedModel has no picture: register",
        "UnfinishedFlow has no construction of",
        "UnfinishedFlow is not restated for",
        "unread has no claims: write",
        "unread is not named in",
        "unread is not named in",
        "unread is not named in",
        "unread has no planted falsehoods:",
        "unread has no list of",
        "unread has no list of",
        f"{KEPT} without identity_value has no",
        "polarization.rows_keep_order.order_is_kept has no entry in",
        "abacus is not installed: add",
        "by authority has no colour:",
        "by authority is not explained",
        "by authority rests on nothing:",
        "by authority is certain and",
        "by oracle has no colour:",
        "by oracle is not explained",
        "by oracle rests on nothing:",
        "by oracle by asking the",
    ]
