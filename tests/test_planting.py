"""The tables of planted bugs, and that a bug that cannot be planted looks like nothing that was noticed."""

import re
import tomllib

import pytest

from claims.mutating.planting import StaleError
from dynamics import decimals
from tests.planting import LONG, TABLES, Bug, bugs_of, noticed, planted, shown_false, todays_share

HEADS = [(path.stem, head) for path in sorted(TABLES.glob("*.toml")) for head in tomllib.loads(path.read_text())]


@pytest.mark.parametrize(("package", "head"), HEADS)
def test_every_bug_can_be_planted(package, head):
    """Those too that are planted in a long run only."""
    name, _, part = head.partition(": ")
    assert name.rpartition(".")[0] == package
    for bug in bugs_of(pytest.importorskip(name, exc_type=ImportError), part):
        bug.source()


def test_every_table_is_asked_of_a_test():
    texts = [path.read_text() for path in TABLES.parent.rglob("*.py")]
    asked = [text for text in texts if re.search(r"(asked_of|bugs_in|bugs_of|survivors)\(", text)]
    for _, head in HEADS:
        name, _, part = head.partition(": ")
        (*_, module) = name.split(".")
        assert any(module in text and (not part or f'"{part}"' in text) for text in asked), head


@pytest.mark.parametrize("texts", [("no such text", ""), ("import", "from"), ("from __future__", "from __future__")])
def test_a_bug_that_is_stale_is_no_catch(texts):
    def fact(_):
        planted(decimals, *texts)

    for asked in (noticed, shown_false):
        with pytest.raises(StaleError):
            asked([fact], decimals)
    with pytest.raises(StaleError, match=r"times in dynamics\.decimals, to be replaced by"):
        Bug("stale", decimals, texts).is_noticed([fact])


def test_a_fact_that_is_none_is_no_catch():
    with pytest.raises(StaleError, match="there is no fact that_is_gone"):
        Bug("stale", decimals, (), "that_is_gone").is_noticed([noticed])


def test_the_shares_of_some_days_in_a_row_are_everything_once(monkeypatch):
    taken = []
    for day in range(740_000, 740_007):
        monkeypatch.setenv("TESTED_DAY", str(day))
        taken += todays_share(7, range(24))
    assert sorted(taken) == sorted([*range(24)] * (7 if LONG else 1))
