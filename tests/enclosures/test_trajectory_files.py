"""Certificates: written and read exactly, confirmed by the independent checker, and rejected when tampered with."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, arb_poly, fmpq
from mpmath import iv

from claims.instances.builders import draw_system
from claims.instances.draws import SeededDraws
from dynamics.attention import softmax
from dynamics.checker.answers import Verdict
from dynamics.checker.trajectories import check_trajectory
from dynamics.checker.trajectory_format import CertificateError, Decided, exact_text, load
from dynamics.enclosures.files import as_certificate, read_trajectory, write_trajectory
from dynamics.enclosures.steps import LADDER, Rung, enclose, enclose_at
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, LogisticFlow, SquareLossFlow
from dynamics.trusted.taylor import certify_step_by_remainder
from dynamics.trusted.trajectory import Trajectory, flat, series_precision
from tests.checker.genuine import at, leaves, replaced_at
from tests.planting import todays_share

FLOWS = (SelfAttentionFlow, RescaledFlow, LogisticFlow, SquareLossFlow, FullLogisticFlow, FullSquareFlow)

LOGISTIC = LogisticFlow.instance(u=["1/3", "-1"], a=["1/2", "0"], K="5/3")
RESCALED = RescaledFlow.instance(
    z=[["1/3", "1"], ["-1", "1/5"]], B=[["1", "1/2"], ["0", "1"]], V=[["1/2", "1/3"], ["0", "-1"]], t="1/3"
)


@pytest.fixture(scope="module")
def trajectories():
    """Two steps each, from starts that are no dyadic numbers."""
    short = Rung(64, 16, 1e-15)
    found = [enclose_at(LOGISTIC, fmpq(1, 2), short), enclose_at(RESCALED, fmpq(1, 4), short)]
    assert all(len(trajectory.steps) == 2 for trajectory in found)
    return found


@pytest.fixture(scope="module")
def data(trajectories):
    return [as_certificate(trajectory).to_json() for trajectory in trajectories]


def random_start(flow, turn):
    return draw_system(flow, SeededDraws(np.random.default_rng(turn), small=True, turn=turn))


def one_ball(x, y):
    return x.mid() == y.mid() and x.rad() == y.rad()


# ---------------------------------------------------------------------------------------------------------------------
# Files


@pytest.mark.parametrize("bits", [64, 128])
def test_a_trajectory_survives_the_file_exactly(bits, tmp_path):
    rung = next(rung for rung in LADDER if rung.bits == bits)
    for k, system in enumerate((LOGISTIC, RESCALED)):
        before = enclose_at(system, fmpq(1, 12), rung)
        decided = [Decided("polarization.some_claim", "holds", "HOLDS")]
        write_trajectory(before, tmp_path / f"{k}.json", decided)
        after = read_trajectory(tmp_path / f"{k}.json")
        assert (after.times, after.bits, after.order) == (before.times, before.bits, before.order)
        assert after.origin.to_json() == before.origin.to_json()
        assert as_certificate(after, decided) == load(tmp_path / f"{k}.json")
        for old, new in zip(before.steps, after.steps, strict=True):
            assert (old.length, old.method) == (new.length, new.method)
            for name in ("start", "error", "slope", "final"):
                assert one_ball(getattr(old, name), getattr(new, name))
            assert all(one_ball(x, y) for x, y in zip(old.weights, new.weights, strict=True))
            for weight, row, again in zip(old.weights, old.polynomials, new.polynomials, strict=True):
                # A clock's ball is written as the exact number in it.
                assert all(one_ball(x, y) for x, y in list(zip(row, again, strict=True))[weight.is_zero() :])
                assert row[0].overlaps(again[0])


def test_a_read_trajectory_still_decides(trajectories):
    again = read_trajectory(as_certificate(trajectories[0]).to_json())
    decision = again.decide(lambda now: now.m - LOGISTIC.m, strict=False)
    assert decision.sign == trajectories[0].decide(lambda now: now.m - LOGISTIC.m, strict=False).sign


def test_exact_numbers_survive_their_text():
    rng = random.Random(1)
    for _ in range(300):
        value = Fraction(rng.randint(-(10**20), 10**20), rng.choice([1, 3, 1 << rng.randint(0, 200), 7 << 5]))
        text = exact_text(value * (1 << rng.randint(0, 300)))
        assert exact_text(second_numbers_read(text)) == text
        assert second_numbers_read(exact_text(value)) == value


def second_numbers_read(text):
    """An exact number by its own reading of the format."""
    if "^" in text:
        mantissa, exponent = text.split("*2^")
        return int(mantissa) * Fraction(2) ** int(exponent)
    return Fraction(text)


def test_what_is_no_exact_number_is_not_written(trajectories):
    step = trajectories[0].steps[1]
    rows = [list(row) for row in step.polynomials]
    rows[0][1] += arb(0, 1e-30)
    blurred = Trajectory(
        trajectories[0].origin,
        trajectories[0].times,
        [trajectories[0].steps[0], type(step)(**(vars(step) | {"polynomials": rows}))],
        64,
        20,
    )
    with pytest.raises(ValueError, match="step 1, coordinate 0"):
        as_certificate(blurred)


# ---------------------------------------------------------------------------------------------------------------------
# The independent checker confirms what is true


def test_the_second_checker_needs_neither_flint_nor_the_deciding_code():
    program = "import sys, dynamics.checker.trajectories; print(*sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    ours = {name for name in modules if name.startswith("dynamics")}
    own = {f"dynamics.checker.{name}" for name in OWN}
    assert ours == {"dynamics", "dynamics.strict_reading", "dynamics.checker", *own}
    assert not {"flint", "numpy", "scipy"} & set(modules)


OWN = ("answers", "flows", "intervals", "matrices", "steps", "trajectories", "trajectory_format")


STARTS = [(flow, turn) for flow in FLOWS for turn in (1, 3 if flow is RescaledFlow else 2, 6)]


# Of each flow one start a day.
@pytest.mark.parametrize(("flow", "turn"), todays_share(3, STARTS))
def test_certificates_of_random_starts_are_confirmed(flow, turn):
    trajectory = enclose(random_start(flow, turn), fmpq(1, 8), most_bits=64)
    answer = check_trajectory(as_certificate(trajectory).to_json())
    assert answer.verdict is Verdict.CONFIRMED, answer


def test_a_certificate_of_higher_precision_is_confirmed():
    trajectory = enclose_at(LOGISTIC, fmpq(1, 8), LADDER[1])
    assert check_trajectory(as_certificate(trajectory).to_json()).verdict is Verdict.CONFIRMED


def test_a_step_by_remainder_is_confirmed():
    with series_precision(64, 20):
        start = [arb(entry) for name in LOGISTIC.moving for entry in getattr(LOGISTIC, name).flat]
        box = [value + arb(0, 0.5) if i < 4 else arb(0, 1) if i == 4 else arb(0, 0.0625) for i, value in enumerate(start)]
        weights = [arb(1)] * 5 + [arb(0)]
        step = certify_step_by_remainder(
            lambda state: flat(LOGISTIC.with_state(state).velocity()),
            start,
            fmpq(1, 32),
            20,
            box,
            weights,
            LOGISTIC.blocks(),
        )
    assert step.method == "remainder"
    trajectory = Trajectory(LOGISTIC, [fmpq(0), fmpq(1, 32)], [step], 64, 20)
    assert check_trajectory(as_certificate(trajectory).to_json()).verdict is Verdict.CONFIRMED


def from_a_box(u, radii, length):
    """A trajectory of one step by remainder from a = 0, certified for a box of starts with these sides."""
    flow = LogisticFlow.instance(u=u)
    with series_precision(64, 20):
        start = [arb(entry) for name in flow.moving for entry in getattr(flow, name).flat]
        start = [value + arb(0, radius) for value, radius in zip(start, radii, strict=True)]
        box = [
            value + arb(0, size)
            for value, size in zip(start, (0.0625, 0.0625, 0.0625, 0.0625, 40, 0.0625 + 2.0**-9), strict=True)
        ]
        weights = [arb(1)] * 5 + [arb(0)]
        field = lambda state: flat(flow.with_state(state).velocity())  # noqa: E731
        step = certify_step_by_remainder(field, start, length, 20, box, weights, flow.blocks())
    return Trajectory(flow, [fmpq(0), length], [step], 64, 20)


def test_a_step_that_is_certified_for_a_box_says_so_in_the_file(tmp_path):
    """t may start 2^-20 off, u may not: u that far off moves t by more within the step."""
    trajectory = from_a_box([7, 6], [0, 0, 0, 0, 2.0**-20, 0], fmpq(1, 64))
    (step,) = trajectory.steps
    data = as_certificate(trajectory).to_json()
    box = [second_numbers_read(side) for side in data["steps"][0]["box"]]
    assert [side > 0 for side in box] == [False, False, False, False, True, False]
    assert 0 <= box[4] - Fraction(1, 1 << 20) < Fraction(1, 1 << 40)
    off = enclose_at(LogisticFlow.instance(u=[7 + Fraction(9, 10 << 20), 6]), fmpq(1, 64), LADDER[1]).end()
    with series_precision(64, 20):
        told = arb_poly(step.polynomials[4])(arb(step.length))
        assert abs(off.t.item() - told) > 2 * step.final
    assert check_trajectory(data, 16).verdict is not Verdict.NOT_CONFIRMED
    of_a_ball = copy.deepcopy(data)
    del of_a_ball["steps"][0]["box"]
    assert check_trajectory(of_a_ball, 16).verdict is not Verdict.CONFIRMED
    write_trajectory(trajectory, tmp_path / "box.json")
    again = read_trajectory(tmp_path / "box.json")
    assert again.joins()
    assert [ball.rad() for ball in again.steps[0].starts] == [ball.rad() for ball in step.starts]
    for box, word in ((["0"] * 5, "box: must be 6 long"), (["1/3"] * 6, "radius"), (["0"] * 5 + ["-1"], "negative")):
        data["steps"][0]["box"] = box
        with pytest.raises(CertificateError, match=word):
            read_trajectory(data)


def test_a_box_that_does_not_hold_what_was_reached_before_is_rejected():
    trajectory = from_a_box([0, "1/2"], [0] * 6, fmpq(1, 32))
    data = as_certificate(trajectory).to_json()
    assert check_trajectory(data).verdict is Verdict.CONFIRMED
    second = copy.deepcopy(data["steps"][0])
    for row in second["polynomials"]:
        row[:] = ["0"]
    data["steps"].append(second)
    data["times"].append(exact_text(Fraction(1, 16)))
    data["horizon"] = data["times"][-1]
    for i, row in enumerate(data["steps"][0]["polynomials"]):
        reached = sum(second_numbers_read(str(value)) / 32**k for k, value in enumerate(row))
        second["polynomials"][i] = [exact_text(reached), "1"] if i == 5 else [exact_text(reached)]
    second["start"], second["error"] = "1*2^-10", "1*2^-10"
    second["box"] = [*["1*2^-10"] * 5, "0"]
    assert "box" not in check_trajectory(data, 4).reason
    second["box"][2] = "0"
    answer = check_trajectory(data)
    assert (answer.verdict, "not in the box" in answer.reason) == (Verdict.NOT_CONFIRMED, True)
    second["box"] = []
    assert "sides of the box" in check_trajectory(data).reason


def test_an_unknown_flow_is_not_judged(data):
    answer = check_trajectory(replaced_at(data[0], ("instance", "system"), "SomeOtherFlow"))
    assert answer.verdict is Verdict.CANNOT_DECIDE
    assert "SomeOtherFlow" in answer.reason


def test_the_precision_of_intervals_is_restored(data):
    before = iv.prec
    check_trajectory(data[0])
    assert iv.prec == before


# ---------------------------------------------------------------------------------------------------------------------
# Tampering

GARBAGE = ("nan", "inf", "-inf", "1e5", "0x10", "1/0", "2^3", "1*2^99999999", "1*2^3000000", "", " 1", "1_0", "٣", "1/-2")
GARBAGE += (float("nan"), 0.5, None, True, [], {})


def plus(text, amount):
    return exact_text(second_numbers_read(str(text)) + amount)


def scaled(text, factor):
    return exact_text(second_numbers_read(str(text)) * factor)


SMALL, HALF = Fraction(1, 1 << 20), Fraction(1, 2)


def more(amount):
    return lambda text: plus(text, amount)


def times(factor):
    return lambda text: scaled(text, factor)


OF_A_STEP = [
    ("length", "length", more(SMALL)),
    ("length", "length", times(HALF)),
    ("length negative", "length", "-1/4"),
    ("length zero", "length", "0"),
    ("final zero", "final", "0"),
    ("final small", "final", times(SMALL)),
    ("weight of no clock zero", "weights", 0, "0"),
    ("weight negative", "weights", 0, "-1"),
    ("a weight missing", "weights", -1, ...),
    ("a polynomial missing", "polynomials", -1, ...),
    ("a polynomial empty", "polynomials", 0, []),
    ("step removed", ...),
    *((f"{name} negative", name, "-1*2^-60") for name in ("start", "error", "slope", "final")),
]
OF_A_LATER_STEP = [
    ("start smaller", "start", times(HALF)),
    ("start zero", "start", "0"),
    ("error zero", "error", "0"),
    ("weights halved", "weights", lambda weights: [scaled(w, HALF) for w in weights]),
]
OF_THE_WHOLE = [
    ("slope zero", "steps", 0, "slope", "0"),
    ("slope small", "steps", 0, "slope", times(Fraction(1, 1 << 12))),
    ("steps swapped", "steps", lambda steps: steps[::-1]),
    ("horizon", "horizon", "1"),
    ("horizon negative", "horizon", "-1"),
    ("a time missing", "times", 1, ...),
    ("blocks merged", "blocks", lambda blocks: [[0, blocks[1][1]], *blocks[2:]]),
    ("blocks split", "blocks", lambda blocks: [*blocks, [blocks[-1][1], blocks[-1][1] + 1]]),
    ("a block missing", "blocks", -1, ...),
    ("a block backwards", "blocks", 0, [1, 0]),
    ("bits", "bits", 0),
    ("order", "order", "20"),
    ("format", "format", "trajectory certificate 2"),
    ("method", "steps", 0, "method", "guess"),
    *(("system", "instance", "system", name) for name in ("Nonsense", 7)),
    ("instance extra", "instance", "beta", 1),
    ("field unknown", "comment", "true"),
    ("field of a step unknown", "steps", 0, "comment", "true"),
]
PLACES_OF_NUMBERS = [
    *(("steps", 1, name) for name in ("length", "start", "error", "slope", "final")),
    ("steps", 0, "polynomials", 0, 3),
    ("steps", 0, "weights", 0),
    ("times", 1),
    ("horizon",),
]


def places_changed(data):
    """(what was changed, the path of a place, what is put there) where one change makes something stated false."""
    logistic, clock = data["instance"]["system"] == "LogisticFlow", len(data["steps"][0]["polynomials"]) - 1
    for i in range(clock) if logistic else (0, clock - 1):
        row = "steps", 0, "polynomials", i
        yield from ((f"coefficient {k}", (*row, k), more(SMALL)) for k in (0, 1, 9))
        yield "sign", (*row, 1), times(-1)
        yield "polynomial cut", ("steps", 1, "polynomials", i), lambda row: row[:4]
    yield "clock bent", ("steps", 0, "polynomials", clock), lambda row: [*row, "1*2^-40"]
    for s, step in enumerate(data["steps"]):
        for name, k in (("clock start", 0), ("clock speed", 1)):
            yield name, ("steps", s, "polynomials", clock, k), more(SMALL)
        for name, *place, value in [*OF_A_STEP, *(OF_A_LATER_STEP if s else ())]:
            yield name, ("steps", s, *place), value
        yield "step duplicated", ("steps",), lambda steps, s=s: [*steps[: s + 1], *steps[s:]]
        if s:
            yield "start above error", ("steps", s, "start"), scaled(step["error"], 2)
            yield "error below start", ("steps", s, "error"), scaled(step["start"], 1 - Fraction(1, 1 << 40))
            yield "weights before doubled", ("steps", s - 1, "weights"), lambda weights: [scaled(w, 2) for w in weights]
            yield "final larger", ("steps", s - 1, "final"), times(2)
    yield from ((name, tuple(path), value) for name, *path, value in OF_THE_WHOLE)
    yield from (("a time", ("times", k), more(SMALL)) for k in range(len(data["times"])))
    yield "system", ("instance", "system"), "SquareLossFlow" if logistic else "SelfAttentionFlow"
    for path in leaves(data["instance"]):
        if path not in ((), ("system",)) and isinstance(at(data["instance"], path), str | int):
            yield f"instance {path[0]}", ("instance", *path), more(SMALL)
    for path, nonsense in (((), None), (("steps", 1), None), (("instance",), "x")):
        for name in [one for one in at(data, path) if one != "system"]:
            yield "field missing", (*path, name), ...
            yield "field of no use", (*path, name), nonsense
    for path, garbage in product(PLACES_OF_NUMBERS, GARBAGE):
        yield "garbage", path, garbage


def tampered(data):
    """(what was changed, the changed data) for every kind of change after which something stated is false."""
    for name, path, value in places_changed(data):
        changed = replaced_at(data, path, value)
        assert changed != data, name
        # A change that changes nothing would be confirmed, rightly.
        yield name, changed
    # The last step is gone with its time; the first, and the times of the others are moved; or one takes another's time.
    yield "no steps", data | {"steps": [], "times": ["0"]}
    yield "last step", data | {"steps": data["steps"][:-1], "times": data["times"][:-1]}
    first, *later = (Fraction(time) for time in data["times"][1:])
    moved = ["0", *(str(time - first) for time in later)]
    yield "first step", data | {"steps": data["steps"][1:], "times": moved, "horizon": moved[-1]}
    sooner = replaced_at(data, ("times", 1), str(first / 2))
    yield "times and lengths swapped", replaced_at(sooner, ("steps", 0, "length"), str(first / 2))


def outcome(data, finest=4):
    try:
        return str(check_trajectory(data, finest).verdict)
    except CertificateError:
        return "reading error"


def test_tampered_certificates_are_rejected(data):
    found = []
    for certificate in data:
        assert outcome(certificate) == Verdict.CONFIRMED
        found += [(outcome(changed), name) for name, changed in todays_share(8, tampered(certificate))]
    assert [name for verdict, name in found if verdict == Verdict.CONFIRMED] == []
    # Open is no answer to most of them: they are false, and found to be.
    assert sum(verdict == Verdict.CANNOT_DECIDE for verdict, _ in found) <= 20


def test_the_reader_rejects_what_is_no_certificate(data, tmp_path):
    path = tmp_path / "certificate.json"
    whole = json.dumps(data[0])
    for text, message in (
        (whole[:-1], "is not JSON"),
        ("[" * 5000, "nested too deeply"),
        ("[]", "must be an object"),
        (whole.replace('"bits": 64', '"bits": 64, "bits": 64'), "bits is given twice"),
        (whole.replace('"bits": 64', '"bits": NaN'), "NaN"),
        (whole.replace('"length"', '"width"', 1), r"steps\[0\]: length is missing"),
    ):
        path.write_text(text, "utf-8")
        for read in (load, check_trajectory, read_trajectory):
            with pytest.raises(CertificateError, match=message):
                read(path)


def test_reading_a_trajectory_refuses_what_does_not_fit(data):
    for name in ("Nonsense", "FullLogisticFlow"):
        with pytest.raises(CertificateError, match="instance"):
            read_trajectory(replaced_at(data[0], ("instance", "system"), name))
    unfit = {"length", "a time", "a weight missing", "a polynomial missing", "blocks merged", "step removed", "garbage"}
    wrong = [changed for name, changed in tampered(data[1]) if name in unfit]
    assert len(wrong) > 50
    for changed in wrong:
        with pytest.raises(CertificateError):
            read_trajectory(changed)


# ---------------------------------------------------------------------------------------------------------------------
# Bugs planted in the deciding code are noticed by the independent checker


def nothing(*arguments, **options):
    return [arb(0)] * 6


def no_growth(*arguments):
    return arb(-8)


def careless_start(before, state, polynomials, weights, blocks):
    """Hands over what was reached, forgetting where the polynomials begin."""
    return arb(0) if before is None else before.final / 4


PLANTED = {
    "defect": (LOGISTIC, "dynamics.trusted.taylor.defect", nothing),
    "logarithmic norm": (LOGISTIC, "dynamics.trusted.taylor.logarithmic_norm", no_growth),
    "hand-over": (LOGISTIC, "dynamics.enclosures.steps.start_error", careless_start),
    "attention's defect": (RESCALED, "dynamics.trusted.attention.AttentionBounds.defect", nothing),
    "attention's growth": (RESCALED, "dynamics.trusted.attention.AttentionBounds.growth", no_growth),
    "a flow's formula": (
        LOGISTIC,
        "dynamics.training.value_softmax.ReducedFlow.motion",
        lambda flow: (flow.K * flow.s, flow.s * flow.u, flow.m),
    ),
    "a flow's speed": (LOGISTIC, "dynamics.training.value_softmax.LogisticFlow.velocity", SquareLossFlow.velocity),
    "softmax": (LOGISTIC, "dynamics.training.value_softmax.softmax", lambda scores: softmax(scores / 2)),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_bug_in_the_deciding_code_is_noticed(name, monkeypatch):
    system, place, bug = PLANTED[name]
    with monkeypatch.context() as patch:
        patch.setattr(place, bug)
        if name == "a flow's speed":
            patch.setattr("dynamics.training.value_softmax.LogisticFlow.gamma", SquareLossFlow.gamma)
        if name == "hand-over":  # else steps that do not join are refused before they are written
            patch.setattr("dynamics.trusted.trajectory.start_error", bug)
        short = Rung(64, 16, 1e-15)
        trajectory = enclose_at(system, fmpq(1, 4) if system is RESCALED else fmpq(1, 2), short)
        certificate = as_certificate(trajectory).to_json()
    assert check_trajectory(certificate, finest=4).verdict is not Verdict.CONFIRMED
