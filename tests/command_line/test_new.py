"""`claims new` writes a file that runs, of every form."""

from __future__ import annotations

import pytest

from claims.cli.new import FORMS, is_suited, starting_text
from claims.instances.builders import buildable
from claims.stating.statement import Standing
from claims.verifying.deciding import Effort
from claims.verifying.smoke import verify_briefly
from claims.verifying.trial import read_own
from tests.calling import run


@pytest.mark.parametrize("form", FORMS)
def test_a_new_file_of_every_form_runs(form, tmp_path):
    file = tmp_path / f"my_{form}.py"
    assert f"claims verify --file {file}" in run("new", file, "--form", form).stdout
    claim = read_own(file)
    assert claim.standing is Standing.OPEN
    (conclusion,) = claim.conclusions
    assert conclusion.form == form
    tally = verify_briefly(claim, conclusion, 0, Effort(trajectory_bits=64))
    assert not tally.violated
    # They state that squares are not negative: what is asked is whether the file runs.
    assert tally.holds or form == "limit", "a limit without a trap is only read off"


@pytest.mark.parametrize("system", ["LocalmaxStep", "ScheduledHardmax", "EluFlow", "SquareLossFlow"])
def test_a_new_file_is_about_the_system_that_was_named(system, tmp_path):
    run("new", tmp_path / "mine.py", "--form", "state", "--system", system)
    assert read_own(tmp_path / "mine.py").system.__name__ == system


def test_every_text_is_one_that_python_reads():
    for system in buildable():
        for form in FORMS:
            if is_suited(system, form):
                compile(starting_text(form, system), "mine.py", "exec")
