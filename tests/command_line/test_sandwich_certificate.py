"""A false limit of a sandwich from the first verdict to its certificate, which the independent checker confirms."""

from __future__ import annotations

import json
from pathlib import Path

from claims.certificates.writing import as_text
from claims.hunting.rounds import certified
from claims.stating.verdict import Outcome
from claims.targets.target import Target
from claims.verifying.deciding import Effort, check
from claims.verifying.trial import read_own
from tests.calling import run
from tests.checker.genuine import forged, slack_of

TURNING = '''"""All that turns around 0 ends in the disc of radius 3/2, but not in the half plane x_0 <= 1."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Assumption, Claim
from dynamics import Flow, quantity
from dynamics.arithmetic import Array
from dynamics.limits.sandwich import sandwich


@dataclass(frozen=True, eq=False)
class TurningFlow(Flow):
    """x' = x (1 - |x|^2) + x turned by a right angle."""

    moving = ("x",)
    x: Array = quantity("d", meaning="a point of the plane")

    def velocity(self):
        """x', shape (..., 2)."""
        turned = np.concatenate([-self.x[..., 1:2], self.x[..., :1]], axis=-1)
        return (self.x * (1 - square(self)[..., None]) + turned,)


def square(f):
    """|x|^2."""
    return (f.x * f.x).sum(axis=-1)


def draw(draws):
    """A point near the unit circle."""
    return TurningFlow(x=draws.dyadic(2, size=1))


in_the_box = Assumption("in_the_box", "|x_i| <= 1", satisfies=lambda f: (abs(f.x) <= 1).all())

claim = Claim(
    __name__,
    statement="From |x_i| <= 1 on, |x|^2 is below 9/4 in the end, and below 2.",
    system=TurningFlow,
    assumptions=(in_the_box,),
    draw=draw,
)
trap = sandwich(square, "9/4", 4, lambda start: ([-3, -3], [3, 3]))


@claim.limit(">= 0", times=lambda f: [fmpq(1, 8), 1], trap=trap)
def it_ends_in_the_disc(end, start: TurningFlow):
    """9/4 less the level below which |x|^2 is from some time on."""
    return 9 - 4 * end.most


@claim.limit(">= 0", times=lambda f: [fmpq(1, 8), 1], trap=trap)
def it_ends_in_a_smaller_disc(end, start: TurningFlow):
    """2 less that level: what the trap shows is no less."""
    return 2 - end.most
'''


def test_a_false_limit_between_levels_is_confirmed_and_nothing_that_was_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("turning.py").write_text(TURNING, encoding="utf-8")
    asked = ("--instance", '{"x": ["1/2", 0]}', "--json", "found.json")
    run("verify", "--file", "turning.py", *asked, code=1)
    claim = read_own("turning.py")
    start = claim.system.instance(x=["1/2", 0])
    true, false = (check(conclusion, start, Effort()) for conclusion in claim.conclusions)
    assert (true.outcome, false.outcome) == (Outcome.HOLDS, Outcome.VIOLATED)
    assert "for ever from t = " in false.reason

    genuine = certified(Target.of(claim, claim.conclusions[1]), start, false, 0)
    runs_off = TURNING.replace("self.x * (1 - square(self)[..., None])", "12 * self.x")
    # All but the last are signed anew, so that no digest gives them away.
    files = {
        "genuine": genuine,
        "slack": forged(genuine, violation__slack=slack_of("-1/5")),
        "instance": forged(genuine, instance__x=[2, 0]),
        "box": forged(genuine, source__text=TURNING.replace("[-3, -3]", "[1, 1]")),
        "field": forged(genuine, source__text=runs_off),
        "digest": genuine | {"digest": f"sha256:{'0' * 64}"},
    }
    for name, data in files.items():
        Path(f"{name}.json").write_text(as_text(data), encoding="utf-8")
    run("check", "--run-source", "--json", "checked.json", *(f"{name}.json" for name in files), code=1)
    verdicts = [one["verdict"] for one in json.loads(Path("checked.json").read_text())]
    # What the trap does not hold for is no violation, and no proof that there is none.
    assert dict(zip(files, verdicts, strict=True)) == {
        "genuine": "CONFIRMED",
        "slack": "NOT CONFIRMED",
        "instance": "NOT CONFIRMED",
        "box": "CANNOT DECIDE",
        "field": "CANNOT DECIDE",
        "digest": "NOT CONFIRMED",
    }
