"""Six systems that are none of the suite's, through every command: each works, or says what the system lacks.

Two flows on manifolds (a circle, a simplex), two maps, a flow with a mask, a stiff one. Half of their claims are false.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from claims.certificates.format import read_certificate
from claims.cli import COMMANDS, app, ledgers
from claims.cli import hunt as cli_hunt
from claims.instances.draws import SeededDraws
from claims.stating.statement import Relation, Standing
from claims.verifying.trial import read_own
from dynamics.system import StepMap
from tests.in_process import InProcess
from tests.planting import todays_share
from tests.proving.solver_processes import solvers_or_skip

SYSTEMS = ("oja", "replicator", "newton", "logistic", "bounded_views", "stiff")


class Mine:
    """One of the files, read, in a folder of its own, with an instance."""

    def __init__(self, name: str) -> None:
        self.name, self.file = name, f"{name}.py"
        self.text = (Path(__file__).parent / self.file).read_text(encoding="utf-8")
        # In a folder of its own: commands write beside the file, and name it.
        Path(self.file).write_text(self.text, encoding="utf-8")
        self.claim = read_own(self.file)
        assert self.claim.draw is not None
        # Exact, by the claim's own draw: commands that take an instance are given what they would print.
        self.instance = json.dumps(self.claim.draw(SeededDraws(np.random.default_rng(1), True, 1)).to_json())
        self.first = self.claim.conclusions[0].name
        self.is_false = self.claim.standing is Standing.FALSE

    @cached_property
    def hunt(self) -> str:
        """What a hunt for it prints; its certificates lie in `hunt/certificates`, whichever test asks first."""
        return self.run("hunt", "--file", self.file, "--starts", 8, "--jobs", 1, "--out", "hunt", code=(0, 1))

    def run(self, *arguments: object, code: int | tuple[int, ...] = 0) -> str:
        """The output of a command with this exit code; of a refusal one sentence, without a traceback."""
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        wanted = code if isinstance(code, tuple) else (code,)
        assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exception)
        assert result.exit_code in wanted, (arguments, result.output)
        if result.exit_code == 2:
            assert len(result.stderr.strip().splitlines()) == 1, result.stderr
        return result.output


@pytest.fixture(scope="module")
def mine(request, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp(request.param))
        for module in (cli_hunt, ledgers):
            # Processes of their own cost a second for each command, and what they compute is tested elsewhere.
            patch.setattr(module, "engine_of", contextmanager(lambda *_: iter([InProcess()])))
        yield Mine(request.param)


def is_listed(mine: Mine) -> None:
    assert mine.claim.statement in mine.run("list", "--file", mine.file)


def is_shown(mine: Mine) -> None:
    told = mine.run("show", "--file", mine.file)
    assert all(conclusion.name in told for conclusion in mine.claim.conclusions)
    assert ("no violate= breaks it" in told) == any(one.violate is None for one in mine.claim.assumptions)
    assert ("no restrict= leads back into it" in told) == any(not one.is_imposed for one in mine.claim.assumptions)


def is_verified(mine: Mine) -> None:
    told = mine.run("verify", "--file", mine.file, "--profile", "smoke", "--jobs", 1, "--json", "found.json")
    # Also of a claim that is said to be false: borne out is the standing, not the statement.
    assert "1 of 1 standings borne out" in told
    assert "UNDECIDED: 0; vacuous: 0" in told
    one = ("verify", "--file", mine.file, "--instance", mine.instance, "--conclusion", mine.first)
    assert "certified" in (told := mine.run(*one, code=(0, 1))) or "exact" in told


def is_dropped_from(mine: Mine) -> None:
    options = ("verify", "--file", mine.file, "--examples", 1, "--jobs", 1, "--drop", "each")
    if not mine.claim.assumptions:
        assert "assume nothing that could be dropped" in mine.run(*options, code=2)
        return
    if mine.name == "stiff":  # 64 trajectories of each conclusion
        return
    told = mine.run(*options)
    assert ("give violate=" in told) == any(one.violate is None for one in mine.claim.assumptions)
    assert ("VIOLATED" in told) == any(one.violate is not None for one in mine.claim.assumptions)


def is_reported(mine: Mine) -> None:
    mine.run("verify", "--file", mine.file, "--profile", "smoke", "--jobs", 1, "--shard", "1/1", "--json", "part.json")
    assert "1 of 1 standings borne out" in mine.run("report", "part.json")


def is_taken_into_a_new_file(mine: Mine) -> None:
    mine.run("new", "other.py", "--file", mine.file)
    assert "borne out" in mine.run("verify", "--file", "other.py", "--profile", "smoke", "--jobs", 1)


def is_hunted(mine: Mine) -> None:
    told = mine.hunt
    assert ("COUNTEREXAMPLE" in told) == mine.is_false, told
    # A hunt that decides nothing also ends well: it would pass for a claim without counterexamples.
    assert "nothing decided" not in told
    assert ("has a restrict: give one to" in told) == (
        "left the hypotheses" in told and any(not one.is_imposed for one in mine.claim.assumptions)
    )


def is_checked(mine: Mine) -> None:
    assert mine.hunt
    files = sorted(Path("hunt/certificates").glob("*.json"))
    assert bool(files) == mine.is_false
    for file in files:
        assert read_certificate(file.read_text(encoding="utf-8"))["source"]["text"] == mine.text
    certificates = [str(file) for file in files]
    if files:
        # Without leave the source in a certificate is not run.
        mine.run("check", *certificates, code=(2, 3))
        mine.run("check", "--run-source", *certificates)
        shown = mine.run("show", certificates[0], "--run-source")
        assert mine.claim.statement in shown
    assert "name certificates" in mine.run("check", code=2)


def has_constants_or_says_so(mine: Mine) -> None:
    named = [one for one in mine.claim.conclusions if one.constants and one.relation is not Relation.ZERO]
    options = ("sharpen", "--file", mine.file, "--starts", 8, "--jobs", 1, "--out", "brackets")
    told = mine.run(*options, code=(0, 1) if named else 2)
    assert ("no inequality with a named constant" in told) == (not named), told
    assert all(name in told for one in named for name in one.constants)


def is_no_published_theorem(mine: Mine) -> None:
    named = f"claim_of_{mine.name}"
    assert named in mine.run("formal", named, code=2)


def is_mutated(mine: Mine) -> None:
    names = mine.run("mutate", "--file", mine.file, "--list").splitlines()
    named = next(line.partition("] ")[2] for line in names if f"] {mine.first}" in line)
    # One mutant by name: the command costs as much for each as a verification.
    options = ("--only", named, "--jobs", 1, "--budget", 0, "--profile", "smoke", "--limit", 2)
    assert "1 mutants: 1 " in mine.run("mutate", "--file", mine.file, *options, code=(0, 1))


def is_proved(mine: Mine) -> None:
    solvers_or_skip()
    told = mine.run("prove", "--file", mine.file, "--only", mine.first, "--budget", "4s", "--jobs", 1, code=(0, 3))
    if mine.name == "bounded_views":
        assert "mask (who sees whom) are whole numbers: --size mask=1" in told
    else:
        assert "cannot run" not in told
    if mine.name in ("oja", "replicator", "stiff"):
        assert "PROVED for all" in told


def has_no_escape_times(mine: Mine) -> None:
    assert "escape times are those of an AttentionChain" in mine.run("escape", mine.file, code=2)
    told = mine.run("escape", mine.instance, code=2)
    assert f"the instance is a {mine.claim.system.__name__}, not AttentionChain" in told


def is_no_design(mine: Mine) -> None:
    assert f"no design {mine.name!r}" in mine.run("sweep", mine.name, "--out", "sweep", code=2)


def has_no_errata(mine: Mine) -> None:
    assert "it is one of clusters" in mine.run("errata", mine.name, "--out", "sheets", code=2)


def has_pages(mine: Mine) -> None:
    pytest.importorskip("jinja2")
    told = mine.run("atlas", "--file", mine.file, "--out", "atlas", "--unchecked", "--jobs", 1)
    assert " 0 pictures" not in told
    assert f"looked at briefly: {mine.name}" in told
    # One page for the one claim, wherever the atlas puts it.
    (page,) = Path("atlas").rglob(f"{mine.name}*.html")
    assert "<svg" in page.read_text(encoding="utf-8")


def is_traced(mine: Mine) -> None:
    until = () if issubclass(mine.claim.system, StepMap) else ("--until", "1/64")
    told = mine.run("trace", mine.instance, "--file", mine.file, *until)
    assert len(told.splitlines()) > 4
    # A map has no time and a flow no steps: it says which option is meant.
    wrong = ("--until", "1") if issubclass(mine.claim.system, StepMap) else ("--steps", "3")
    assert "say " in mine.run("trace", mine.instance, "--file", mine.file, *wrong, code=2)


def is_plotted(mine: Mine) -> None:
    told = mine.run("plot", mine.name, "--file", mine.file, "--conclusion", mine.first, "--out", "picture.svg")
    assert "picture.svg: " in told
    assert Path("picture.svg").read_text(encoding="utf-8").startswith("<svg")


WAYS: dict[str, tuple[Callable[[Mine], Any], ...]] = {
    "list": (is_listed,),
    "show": (is_shown,),
    "verify": (is_verified, is_dropped_from),
    "report": (is_reported,),
    "new": (is_taken_into_a_new_file,),
    "hunt": (is_hunted,),
    "sharpen": (has_constants_or_says_so,),
    "mutate": (is_mutated,),
    "prove": (is_proved,),
    "check": (is_checked,),
    "formal": (is_no_published_theorem,),
    "escape": (has_no_escape_times,),
    "sweep": (is_no_design,),
    "errata": (has_no_errata,),
    "atlas": (has_pages,),
    "trace": (is_traced,),
    "plot": (is_plotted,),
}
"""What each command makes of them; a new command is to be added here."""


PAIRS = [
    (name, command) for m, command in enumerate(COMMANDS) for name in todays_share(3, SYSTEMS[m % 3 :] + SYSTEMS[: m % 3])
]
"""Each day each command is given two others of the systems, and each system a third of the commands."""


@pytest.mark.parametrize(("mine", "command"), PAIRS, indirect=["mine"])
def test_every_command_takes_the_system_or_says_what_it_lacks(mine, command):
    for way in WAYS[command]:
        way(mine)
