"""The examples in docs/examples whose limits are decided for ever, and tokens on a sphere that only seem to have one."""

from __future__ import annotations

from pathlib import Path

import pytest
from flint import fmpq

from claims.certificates.format import digest
from claims.certificates.writing import certificate
from claims.stating.verdict import Known, Outcome
from claims.targets.target import Target
from claims.targets.user_claims import claim_in
from claims.verifying.deciding import Effort, check
from claims.verifying.witness import witnessed
from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.enclosures.steps import LADDER, enclose_at
from dynamics.limits.contraction import contraction
from dynamics.limits.hulls import hulls
from dynamics.limits.margins import NotTrappedError
from tests.checker.genuine import put_to_check

ROOT = Path(__file__).parents[2]
SPHERE, CAUSAL = (ROOT / "docs" / "examples" / f"{name}.py" for name in ("sphere", "causal_attention"))
THREE = [["-20/29", "21/29"], ["20/29", "21/29"], ["1040/4289", "4161/4289"]]
ON_BOTH_SIDES = [["600/769", "481/769"], ["-3640/5009", "3441/5009"], ["3640/5009", "3441/5009"]]


def conclusions(path):
    claim = claim_in(path.read_text(encoding="utf-8"), path.name)
    return claim, {conclusion.name: conclusion for conclusion in claim.conclusions}


def near(*turns):
    """Points of the circle near each other, exact."""
    return [[str(2 * t / (1 + t * t)), str((1 - t * t) / (1 + t * t))] for t in map(fmpq, turns)]


@pytest.mark.parametrize("beta", [0, 1])
def test_tokens_on_a_sphere_meet_for_ever_and_not_where_the_mean_points(beta):
    claim, said = conclusions(SPHERE)
    start = claim.system.instance(x=THREE, beta=beta)
    assert all(assumption.satisfies(start) for assumption in claim.assumptions)
    assert check(said["least_height_never_falls"], start).outcome is Outcome.HOLDS
    meets = check(said["all_tokens_meet"], start)
    assert (meets.outcome, meets.known) == (Outcome.HOLDS, Known.CERTIFIED)
    assert "for ever from t = " in meets.reason
    # Not placed evenly: they meet beside where their mean points.
    assert check(said["they_meet_where_their_mean_points"], start).outcome is Outcome.VIOLATED


@pytest.mark.parametrize(("count", "beta"), [(4, 9), (8, 9), (4, 64)])
def test_in_a_hemisphere_of_space_they_meet_at_any_temperature(count, beta):
    """Of two clusters, too, that hardly move: they meet in the end, so that one limit is what is true."""
    claim, said = conclusions(SPHERE)
    turns = [(fmpq(k, 97), (-1) ** k * fmpq(1, 2)) for k in range(count)]
    points = [[2 * a / (1 + a * a + b * b), 2 * b / (1 + a * a + b * b)] for a, b in turns]
    heights = [(1 - a * a - b * b) / (1 + a * a + b * b) for a, b in turns]
    x = [[*map(str, point), str(height)] for point, height in zip(points, heights, strict=True)]
    meets = check(said["all_tokens_meet"], claim.system.instance(x=x, beta=beta))
    assert (meets.outcome, meets.known) == (Outcome.HOLDS, Known.CERTIFIED)
    # With its mirror image no hemisphere holds all: no lemma is about it.
    opposite = [*x[:2], *([str(-fmpq(v)) for v in row] for row in x[:2])]
    assert check(said["all_tokens_meet"], claim.system.instance(x=opposite, beta=beta)).outcome is Outcome.UNDECIDED


def test_causal_tokens_end_where_the_first_is_and_some_recede_first():
    claim, said = conclusions(CAUSAL)
    start = claim.system.instance(x=ON_BOTH_SIDES, beta=0)
    assert check(said["the_first_token_rests"], start).outcome is Outcome.HOLDS
    together = claim.system.instance(x=near("1/4", "1/3", "7/25"), beta=1)
    assert check(said["all_tokens_end_where_the_first_is"], together).outcome is Outcome.HOLDS
    assert check(said["no_token_recedes_from_the_first"], start).outcome is Outcome.VIOLATED


@pytest.mark.parametrize(("path", "beta"), [(SPHERE, 16), (CAUSAL, 16)])
def test_two_clusters_that_hardly_move_are_no_limit(path, beta):
    """Within each cluster tokens have met to 1/1000; between them is e^-beta."""
    claim, _ = conclusions(path)
    start = claim.system.instance(x=near("-1/2", "-499/1000", "1/2", "501/1000"), beta=beta)
    # Each pair has met by then, and e^-16 of a pull between them is hardly seen.
    state = enclose_at(start, fmpq(3), LADDER[0]).end()
    with working_precision(64), pytest.raises(UndecidedError):
        contraction(state, start)


def test_antipodal_tokens_rest_and_are_no_limit_of_others():
    """An equilibrium that is not stable, exactly, and beside it."""
    claim, _ = conclusions(SPHERE)
    for x in ([[0, 1], [0, -1]], [[0, 1], *near("1000/1001")]):
        start = claim.system.instance(x=x)
        with working_precision(64), pytest.raises(UndecidedError):
            contraction(start, start)


HALVING = '''
"""Numbers that move half way to their softmax mean, said to tend to the first one."""
from dataclasses import dataclass

from claims import Claim
from dynamics import StepMap, exp, quantity
from dynamics.arithmetic import Array
from dynamics.limits.contraction import contracted


@dataclass(frozen=True, eq=False)
class Halving(StepMap):
    """x -> x + (m - x)/2."""

    x: Array = quantity("n", meaning="numbers", alias="tokens")

    def step(self):
        w = exp(self.x - self.x[..., :1])
        m = (w * self.x).sum(axis=-1)[..., None] / w.sum(axis=-1)[..., None]
        return self.replace(x=self.x + (m - self.x) / 2)


def draw(draws):
    return Halving(x=draws.dyadic(draws.integer(2, 3), size=1))


claim = Claim(__name__, statement="All numbers meet, at the first one.", system=Halving, draw=draw)


@claim.orbit(">= 0")
def they_meet(start: Halving):
    """1 less the number of limits."""
    return 1 - contracted(start, 32).number_of_limits


@claim.orbit(">= 0")
def the_first_is_the_limit(start: Halving):
    """Less the square of the way of the first."""
    away = contracted(start, 32).limits[..., 0] - start.x[..., 0]
    return -away * away
'''


HALF_WEIGHTS = """
    def weights(self):
        w = exp(self.x - self.x[..., :1])
        w = w[..., None, :] + 0 * w[..., None]
        return (w / w.sum(axis=-1)[..., None] + np.eye(self.x.shape[-1], dtype=int)) / 2

"""


def certified(text, file, name, start):
    """A certificate of what a file says falsely of a start."""
    claim = claim_in(text, file)
    conclusion = next(one for one in claim.conclusions if one.name == name)
    system = claim.system.instance(**start)
    verdict = witnessed(conclusion, system, check(conclusion, system), Effort())
    assert verdict.outcome is Outcome.VIOLATED
    return certificate(Target.of(claim, conclusion), system, verdict, 0, {"python": "3"})


def test_maps_contract_from_the_formula_alone():
    claim = claim_in(HALVING, "halving.py")
    assert check(claim.conclusions[0], claim.system.instance(x=[1, "9/16"])).outcome is Outcome.HOLDS


def test_the_checker_confirms_from_the_formula_alone_and_nothing_that_is_forged(tmp_path):
    # The earliest time at which it is caught: the checker follows the flow to it, and time is what costs.
    soon = SPHERE.read_text(encoding="utf-8").replace("return [8, 12, 18]", "return [7]")
    on_sphere = certified(
        soon, "sphere_soon.py", "they_meet_where_their_mean_points", {"x": near("-3/5", "1/2", "3/5"), "beta": 0}
    )
    meeting = SPHERE.read_text(encoding="utf-8").replace(
        "return 1 - end.number_of_limits", "return end.number_of_limits - 2"
    )
    in_two = certified(meeting, "sphere_two.py", "all_tokens_meet", {"x": near("-3/5", "1/2", "3/5"), "beta": 9})
    halves = certified(HALVING, "halving.py", "the_first_is_the_limit", {"x": [1, "9/16"]})
    forged = halves | {"violation": halves["violation"] | {"slack": {"lower": "-0.9", "upper": "-0.8"}}}
    # At rest from the start: nothing is violated.
    apart = halves | {"instance": halves["instance"] | {"x": [1, 1]}}
    by_hulls = HALVING.replace("import contracted\n", "import contracted\nfrom dynamics.limits.hulls import hulls\n")
    by_hulls = by_hulls.replace("contracted(start, 32)", "contracted(start, 8, hulls(lambda f: f.weights()))")
    by_hulls = by_hulls.replace("    def step(self)", HALF_WEIGHTS + "    def step(self)").replace(
        "from dataclasses", "import numpy as np\nfrom dataclasses", 1
    )
    stepping = certified(by_hulls, "halving_hulls.py", "the_first_is_the_limit", {"x": [1, "9/16"]})
    files = [on_sphere, halves, in_two, stepping, *(data | {"digest": digest(data)} for data in (forged, apart))]
    found = [*put_to_check(tmp_path, {str(k): data for k, data in enumerate(files)}, "--run-source").values()]
    assert [one["verdict"] for one in found[:4]] == ["CONFIRMED"] * 4, found
    assert "for ever from t = 7" in found[0]["reason"]
    assert all(one["verdict"] == "NOT CONFIRMED" for one in found[4:]), found


def test_a_token_alone_is_one_instance_of_which_nothing_is_shown():
    """A file whose first start is a single token is no mistake."""
    claim, said = conclusions(CAUSAL)
    alone = claim.system.instance(x=near("1/4"), beta=1)
    shown = check(said["all_tokens_end_where_the_first_is"], alone)
    assert (shown.outcome, shown.reason) == (Outcome.UNDECIDED, "one token has no other to move to")
    with working_precision(64), pytest.raises(NotTrappedError) as caught:
        hulls(claim.system.weights)(alone, alone)
    assert type(caught.value) is NotTrappedError
