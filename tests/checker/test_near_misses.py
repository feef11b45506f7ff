"""What a certificate states, missed by 1e-3 down to 1e-40, is never confirmed; what holds by as little is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb

from claims.checker import recheck
from claims.stating.statement import Conclusion, Form, Relation
from dynamics.arithmetic import working_precision
from dynamics.checker.flint_stand_in import arb as interval_number
from tests.checker.facts_of_placed_intervals import between, signs_by_ends
from tests.checker.genuine import at, changed, forged, leaves, put_to_check, read, slack_of
from tests.checker.worlds import ends
from tests.placed import orders_of_four, side
from tests.planting import todays_share

MISSES = [Fraction(1, 10**k) for k in (3, 6, 9, 12, 15, 18, 21, 25, 30, 35, 40)]
# The finest miss is 1e-40: places and bits must be far beyond it.
FAR_BITS, PLACES = 400, 45


def slack_at(data: dict) -> tuple[Fraction, Fraction]:
    """The slack that a certificate is about, between two rationals far closer than any miss."""
    variant, system = read(data)
    with working_precision(FAR_BITS):
        slack = variant.conclusion.slack(system)
        # A number with exponentials has its ball under `plain`.
        return ends(arb(getattr(one := slack[tuple(data["violation"]["entry"])], "plain", one)))


def enclosing(low: Fraction, high: Fraction) -> dict:
    """An enclosure in decimals, rounded outwards by less than a thousandth of a miss of 1e-40."""
    return slack_of(*(in_decimals(end) for end in (low * 10**PLACES // 1, -(-high * 10**PLACES // 1))))


def in_decimals(units: int) -> str:
    digits = f"{abs(units):0{PLACES + 1}d}"
    return f"{'-' if units < 0 else ''}{digits[:-PLACES]}.{digits[-PLACES:]}".rstrip("0").rstrip(".")


def missed(data: dict) -> dict[str, dict]:
    """Enclosures that end a little below the slack, or begin a little above it."""
    low, high = slack_at(data)
    found = {}
    for miss, relative in product(MISSES, (False, True)):
        step = miss * max(abs(low), abs(high)) if relative else miss
        # Finer than what is written of the slack, or than what is known of it.
        if step < Fraction(1, 10**43) or high - low > step / 1000:
            continue
        below, above = (low - 1, low - step), (high + step, high + 1)
        for name, (least, most) in {"ends below": below, "begins above": above}.items():
            # On one side of zero: otherwise it is refused as no violation, and the enclosure is not looked at.
            if (least > 0) == (most > 0) and most != 0 != least:
                found[f"{name} by {float(step):.1e}"] = forged(data, violation__slack=enclosing(least, most))
    return found


def nearly_missed(data: dict) -> dict[str, dict]:
    low, high = slack_at(data)
    return {
        f"holds by {float(miss):.1e}": forged(data, violation__slack=enclosing(low - miss, high + miss))
        for miss in MISSES
        # A wider one would hold 0, which is no violation any more.
        if miss < max(abs(low), abs(high))
    }


def moved(value: str | int, miss: Fraction) -> list[str]:
    number = Fraction(value)
    return [str(number + sign * step) for sign, step in product((1, -1), {miss, miss * (abs(number) or 1)})]


def with_numbers_moved(data: dict, root: str, misses: list[Fraction]) -> dict[str, dict]:
    """Every exact number below a field moved a little either way."""
    found = {}
    for path in leaves(data):
        if path[:1] != (root,) or path[-1] in ("kind", "system", "since", "period", "name"):
            continue
        value = at(data, path)
        try:
            Fraction(value)
        except (TypeError, ValueError, ZeroDivisionError):
            continue
        for miss in misses:
            for other in moved(value, miss):
                # Signed anew by `changed`: what is off is the number alone.
                found[f"{path} {other}"] = changed(data, path, other)
    return found


@pytest.fixture(scope="module")
def attacked(genuine, later, restated, tmp_path_factory):
    """The findings on all near misses, and on what holds nearly not: one process decides them."""
    wrong, right = {}, {}
    for name, data in genuine.items():
        wrong |= {f"{name} {how}": made for how, made in missed(data).items()}
        right |= {f"{name} {how}": made for how, made in nearly_missed(data).items()}
    horizon = later["trajectory"]
    for miss in MISSES:
        # Before the start, and after the horizon of 1.
        for time in (-miss, 1 + miss):
            wrong[f"a time {time}"] = forged(horizon, violation__times=[str(time)])
    facts = {}
    for name, data in restated.items():
        facts |= {f"{name} {how}": made for how, made in with_numbers_moved(data, "facts", MISSES[::5]).items()}
    wrong, right = ({name: made[name] for name in todays_share(8, made)} for made in (wrong, right))
    wrong |= {name: facts[name] for name in todays_share(150, facts)}
    for data in genuine.values():
        low, high = slack_at(data)
        size = max(abs(low), abs(high))
        if size:
            wrong[f"{data['claim']['id']} across zero"] = forged(data, violation__slack=enclosing(-2 * size, 2 * size))
    findings = put_to_check(tmp_path_factory.mktemp("near"), wrong | right)
    return wrong, right, findings


def test_no_near_miss_is_confirmed(attacked):
    wrong, _, findings = attacked
    # So many a day: the share of a day is never empty.
    assert len(wrong) > 40
    assert [name for name in wrong if findings[name]["verdict"] == "CONFIRMED"] == []


def test_what_holds_by_as_little_is_confirmed(attacked):
    _, right, findings = attacked
    assert len(right) > 15
    assert {name: findings[name]["reason"] for name in right if findings[name]["verdict"] != "CONFIRMED"} == {}


@pytest.mark.parametrize("relation", list(Relation))
def test_a_slack_at_a_state_lies_certainly_inside_what_is_stated(relation):
    """All orders of the four ends of what is found and what is stated, on either side of zero."""
    for (x, y), shift in product(orders_of_four(), (-5, 1)):
        found, stated = (tuple(end + shift for end in ends) for ends in (x, y))
        values = np.array([interval_number.of(between(found))], dtype=object)
        conclusion = Conclusion("made_up", Form.STATE, relation, lambda system: None)
        violation = {"entry": [0], "known": "certified"}
        with pytest.MonkeyPatch.context() as patch, signs_by_ends(recheck):
            patch.setattr(recheck, "_evaluated", lambda conclusion, system, values=values: (values, ""))
            patch.setattr(recheck, "arb", interval_number)
            try:
                recheck._at_instance(violation, conclusion, None, tuple(Fraction(int(end)) for end in stated), [])
                verdict = "confirmed"
            except recheck.NotConfirmedError:
                verdict = "not confirmed"
            except recheck.CannotDecideError:
                verdict = "cannot decide"
        outside = found[1] < stated[0] or found[0] > stated[1]
        inside = stated[0] <= found[0] and found[1] <= stated[1]
        holds = side(found) not in relation.forbidden
        expected = "not confirmed" if outside or holds else "confirmed" if inside else "cannot decide"
        assert verdict == expected, (found, stated)
