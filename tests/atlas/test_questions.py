"""The six questions of an author, each answered by one command; `test_browser.py` asks them of the front page."""

from __future__ import annotations

import pytest

from tests.calling import run

NAME = "frank_wolfe.escape_takes_exponentially_long"
COMMANDS = (
    (["show", "What is wrong with Theorem 5.4?"], "what is wrong: One pick moves a token"),
    (["list", "--coverage", "frank_wolfe"], "Theorem 5.4"),
    (["plot", "a picture of Theorem 5.4", "--out", "{folder}/picture.svg"], "The chance to escape, against its bound"),
    (["errata", "frank_wolfe", "Theorem 5.4"], "*What is wrong.* One pick moves"),
    (["show", NAME], "check it by hand: 1. Take d = 1, v = +-2, so D(K) = 4"),
    (["list", "--proved", "frank_wolfe"], "PROVED for all"),
)


@pytest.mark.parametrize(
    ("command", "told"), COMMANDS, ids=lambda part: " ".join(part[:2]) if isinstance(part, list) else ""
)
def test_one_command_answers(command, told, tmp_path):
    said = run(*(word.format(folder=tmp_path) for word in command)).stdout
    assert told in " ".join(said.split())
