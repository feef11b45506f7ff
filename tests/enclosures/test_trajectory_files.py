"""Certificates: written and read exactly, confirmed by the independent checker, and rejected when tampered with."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, arb_poly, fmpq
from mpmath import iv, mp

from claims.instances.builders import draw_system
from claims.instances.draws import SeededDraws
from dynamics.arithmetic import FLOAT64
from dynamics.attention import softmax
from dynamics.checker import flows as checker_fields
from dynamics.checker import intervals as checker_numbers
from dynamics.checker import trajectories as checker_checker
from dynamics.checker.answers import Verdict
from dynamics.checker.trajectories import check_trajectory
from dynamics.checker.trajectory_format import CertificateError, Decided, exact_text, load
from dynamics.enclosures.files import as_certificate, read_trajectory, write_trajectory
from dynamics.enclosures.steps import LADDER, Rung, enclose, enclose_at
from dynamics.system import Flow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, LogisticFlow, SquareLossFlow
from dynamics.trusted.taylor import certify_step_by_remainder
from dynamics.trusted.trajectory import Trajectory, flat, series_precision
from tests.planting import one_in

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


OWN = ("answers", "flows", "intervals", "trajectories", "trajectory_format")


@pytest.mark.parametrize("flow", FLOWS)
def test_certificates_of_random_starts_are_confirmed(flow):
    confirmed = 0
    for turn in one_in(2, (1, 2, 6) if flow is not RescaledFlow else (1, 3, 6)):
        trajectory = enclose(random_start(flow, turn), fmpq(1, 8), most_bits=64)
        answer = check_trajectory(as_certificate(trajectory).to_json())
        assert answer.verdict is Verdict.CONFIRMED, f"{turn}: {answer}"
        confirmed += len(trajectory.steps)
    print(f"{flow.__name__}: {confirmed} steps confirmed")


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
    changed = copy.deepcopy(data[0])
    changed["instance"]["system"] = "SomeOtherFlow"
    answer = check_trajectory(changed)
    assert answer.verdict is Verdict.CANNOT_DECIDE
    assert "SomeOtherFlow" in answer.reason


def test_the_precision_of_intervals_is_restored(data):
    before = iv.prec
    check_trajectory(data[0])
    assert iv.prec == before


# ---------------------------------------------------------------------------------------------------------------------
# Tampering

GARBAGE = ("nan", "inf", "-inf", "1e5", "0x10", "1/0", "2^3", "1*2^99999999", "", " 1", "1_0", float("nan"), 0.5, None)
GARBAGE_BESIDES = (True, [], {}, "1*2^3000000", "٣", "1/-2")


def plus(text, amount):
    return exact_text(second_numbers_read(str(text)) + amount)


def scaled(text, factor):
    return exact_text(second_numbers_read(str(text)) * factor)


def tampered(data):  # noqa: PLR0915 -- a list of changes
    """(what was changed, the changed data) for every kind of change after which something stated is false."""

    def change(name, edit):
        changed = copy.deepcopy(data)
        edit(changed)
        assert changed != data, name
        return name, changed

    small = Fraction(1, 1 << 20)
    logistic = data["instance"]["system"] == "LogisticFlow"
    last = len(data["steps"]) - 1
    clock = len(data["steps"][0]["polynomials"]) - 1
    for i in range(clock) if logistic else (0, clock - 1):
        for k in (0, 1, 9):

            def nudge(d, i=i, k=k):
                d["steps"][0]["polynomials"][i][k] = plus(d["steps"][0]["polynomials"][i][k], small)

            yield change(f"coefficient {k}", nudge)
        yield change(
            "polynomial cut",
            lambda d, i=i: d["steps"][1]["polynomials"].__setitem__(i, d["steps"][1]["polynomials"][i][:4]),
        )
        yield change(
            "sign",
            lambda d, i=i: d["steps"][0]["polynomials"][i].__setitem__(1, scaled(d["steps"][0]["polynomials"][i][1], -1)),
        )
    for k, name in ((0, "clock start"), (1, "clock speed")):
        for s in (0, last):
            yield change(
                name,
                lambda d, k=k, s=s: d["steps"][s]["polynomials"][clock].__setitem__(
                    k, plus(d["steps"][s]["polynomials"][clock][k], small)
                ),
            )
    yield change("clock bent", lambda d: d["steps"][0]["polynomials"][clock].append("1*2^-40"))
    for s in range(last + 1):
        yield change("length", lambda d, s=s: d["steps"][s].update(length=plus(d["steps"][s]["length"], small)))
        yield change("length", lambda d, s=s: d["steps"][s].update(length=scaled(d["steps"][s]["length"], Fraction(1, 2))))
        yield change("length negative", lambda d, s=s: d["steps"][s].update(length="-1/4"))
        yield change("length zero", lambda d, s=s: d["steps"][s].update(length="0"))
        yield change("final zero", lambda d, s=s: d["steps"][s].update(final="0"))
        yield change("final small", lambda d, s=s: d["steps"][s].update(final=scaled(d["steps"][s]["final"], small)))
        yield change("weight of no clock zero", lambda d, s=s: d["steps"][s]["weights"].__setitem__(0, "0"))
        yield change("weight negative", lambda d, s=s: d["steps"][s]["weights"].__setitem__(0, "-1"))
        yield change("a weight missing", lambda d, s=s: d["steps"][s]["weights"].pop())
        yield change("a polynomial missing", lambda d, s=s: d["steps"][s]["polynomials"].pop())
        yield change("a polynomial empty", lambda d, s=s: d["steps"][s]["polynomials"][0].clear())
        yield change("step removed", lambda d, s=s: d["steps"].pop(s))
        yield change("step duplicated", lambda d, s=s: d["steps"].insert(s, d["steps"][s]))
        for name in ("start", "error", "slope", "final"):
            yield change(f"{name} negative", lambda d, s=s, name=name: d["steps"][s].update({name: "-1*2^-60"}))
    for s in range(1, last + 1):
        yield change(
            "start smaller",
            lambda d, s=s: d["steps"][s].update(start=scaled(d["steps"][s]["start"], 1 - Fraction(1, 2))),
        )
        yield change("start zero", lambda d, s=s: d["steps"][s].update(start="0"))
        yield change("start above error", lambda d, s=s: d["steps"][s].update(start=scaled(d["steps"][s]["error"], 2)))
        yield change("error zero", lambda d, s=s: d["steps"][s].update(error="0"))
        yield change(
            "error below start",
            lambda d, s=s: d["steps"][s].update(error=scaled(d["steps"][s]["start"], 1 - Fraction(1, 1 << 40))),
        )
        yield change(
            "weights before doubled",
            lambda d, s=s: d["steps"][s - 1].update(weights=[scaled(w, 2) for w in d["steps"][s - 1]["weights"]]),
        )
        yield change(
            "weights halved",
            lambda d, s=s: d["steps"][s].update(weights=[scaled(w, Fraction(1, 2)) for w in d["steps"][s]["weights"]]),
        )
        yield change("final larger", lambda d, s=s: d["steps"][s - 1].update(final=scaled(d["steps"][s - 1]["final"], 2)))
    yield change("slope zero", lambda d: d["steps"][0].update(slope="0"))
    yield change("slope small", lambda d: d["steps"][0].update(slope=scaled(d["steps"][0]["slope"], Fraction(1, 1 << 12))))
    yield change("steps swapped", lambda d: d["steps"].insert(0, d["steps"].pop()))
    yield change("no steps", lambda d: d.update(steps=[], times=["0"]))

    def without_last(d):
        d["steps"].pop()
        d["times"].pop()

    def without_first(d):
        first = Fraction(d["times"].pop(1))
        d["steps"].pop(0)
        d["times"] = ["0", *(str(Fraction(time) - first) for time in d["times"][1:])]
        d["horizon"] = d["times"][-1]

    yield change("last step removed with its time", without_last)
    yield change("first step removed, times moved", without_first)
    yield change("horizon", lambda d: d.update(horizon="1"))
    yield change("horizon negative", lambda d: d.update(horizon="-1"))
    for s in range(last + 2):
        yield change("a time", lambda d, s=s: d["times"].__setitem__(s, plus(d["times"][s], small)))
    yield change("a time missing", lambda d: d["times"].pop(1))
    yield change(
        "times and lengths swapped",
        lambda d: (
            d["times"].__setitem__(1, str(Fraction(d["times"][1]) / 2)),
            d["steps"][0].update(length=str(Fraction(d["times"][1]))),
        ),
    )
    yield change("blocks merged", lambda d: d["blocks"].__setitem__(slice(0, 2), [[0, d["blocks"][1][1]]]))
    yield change("blocks split", lambda d: d["blocks"].append([clock + 1, clock + 2]))
    yield change("a block missing", lambda d: d["blocks"].pop())
    yield change("a block backwards", lambda d: d["blocks"].__setitem__(0, [1, 0]))
    yield change("bits", lambda d: d.update(bits=0))
    yield change("order", lambda d: d.update(order="20"))
    yield change("format", lambda d: d.update(format="trajectory certificate 2"))
    yield change("method", lambda d: d["steps"][0].update(method="guess"))
    yield change("system", lambda d: d["instance"].update(system="SquareLossFlow" if logistic else "SelfAttentionFlow"))
    yield change("system", lambda d: d["instance"].update(system="Nonsense"))
    yield change("system", lambda d: d["instance"].update(system=7))
    for name, value in data["instance"].items():
        if name == "system":
            continue
        yield change(f"instance {name} missing", lambda d, name=name: d["instance"].pop(name))
        yield change(f"instance {name} garbage", lambda d, name=name: d["instance"].update({name: "x"}))
        for place in np.ndindex(np.shape(np.array(value, dtype=object))):

            def move(d, name=name, place=place):
                if not place:
                    d["instance"][name] = plus(d["instance"][name], small)
                    return
                array = d["instance"][name]
                for index in place[:-1]:
                    array = array[index]
                array[place[-1]] = plus(array[place[-1]], small)

            yield change(f"instance {name}", move)
    yield change("instance extra", lambda d: d["instance"].update(beta=1))
    for name in data:
        yield change("field missing", lambda d, name=name: d.pop(name))
        yield change("field of no use", lambda d, name=name: d.update({name: None}))
    for name in data["steps"][0]:
        yield change("field of a step missing", lambda d, name=name: d["steps"][1].pop(name))
        yield change("field of a step of no use", lambda d, name=name: d["steps"][1].update({name: None}))
    yield change("field unknown", lambda d: d.update(comment="true"))
    yield change("field of a step unknown", lambda d: d["steps"][0].update(comment="true"))
    for garbage in (*GARBAGE, *GARBAGE_BESIDES):
        for name in ("length", "start", "error", "slope", "final"):
            yield change("garbage", lambda d, name=name, garbage=garbage: d["steps"][1].update({name: garbage}))
        yield change("garbage", lambda d, garbage=garbage: d["steps"][0]["polynomials"][0].__setitem__(3, garbage))
        yield change("garbage", lambda d, garbage=garbage: d["steps"][0]["weights"].__setitem__(0, garbage))
        yield change("garbage", lambda d, garbage=garbage: d["times"].__setitem__(1, garbage))
        yield change("garbage", lambda d, garbage=garbage: d.update(horizon=garbage))


def outcome(data, finest=4):
    try:
        return str(check_trajectory(data, finest).verdict)
    except CertificateError:
        return "reading error"


def test_tampered_certificates_are_rejected(data):
    outcomes, confirmed, undecided = Counter(), [], Counter()
    for certificate in data:
        assert outcome(certificate) == Verdict.CONFIRMED
        for name, changed in one_in(8, tampered(certificate)):
            found = outcome(changed)
            outcomes[found] += 1
            if found == Verdict.CONFIRMED:
                confirmed.append((certificate["instance"]["system"], name))
            elif found == Verdict.CANNOT_DECIDE:
                undecided[name] += 1
    print(f"{sum(outcomes.values())} tampered certificates: {dict(outcomes)}; undecided: {dict(undecided)}")
    assert not confirmed
    assert outcomes[Verdict.CANNOT_DECIDE] <= 20


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
    refused = 0
    for name in ("Nonsense", "FullLogisticFlow"):
        changed = copy.deepcopy(data[0])
        changed["instance"]["system"] = name
        with pytest.raises(CertificateError, match="instance"):
            read_trajectory(changed)
    for name, changed in tampered(data[1]):
        if name in (
            "length",
            "a time",
            "a weight missing",
            "a polynomial missing",
            "blocks merged",
            "step removed",
            "garbage",
        ):
            with pytest.raises(CertificateError):
                read_trajectory(changed)
            refused += 1
    assert refused > 50


# ---------------------------------------------------------------------------------------------------------------------
# Bugs planted in the independent checker are noticed by tampered certificates


def without_growth(certificate):
    """States that errors, far above the defects, shrink by a thousand over the second step, which they do not."""
    changed = copy.deepcopy(certificate)
    step = changed["steps"][1]
    large = scaled(step["start"], 1 << 30)
    step.update(start=large, error=large, final=scaled(large, Fraction(1, 1000)))
    return changed


def zero_defects(statement, rows, length):
    return [[iv.mpf(0)] * length for _ in rows]


def test_a_checker_with_a_planted_bug_confirms_something_false(data, monkeypatch):
    named = dict(tampered(data[0]))
    bent = copy.deepcopy(data[0])
    bent["steps"][-1]["polynomials"][0][1] = plus(bent["steps"][-1]["polynomials"][0][1], Fraction(1, 1 << 20))
    forget = {"_refuted": lambda *arguments: ""}
    falsehoods = {
        "defect ignored": (bent, {"_defect_series": zero_defects}),
        "hand-over ignored": (named["start zero"], {"_structure": lambda certificate, statement: None}),
        "growth forgotten": (without_growth(data[0]), forget | {"_growth": lambda *arguments: iv.mpf(-1000)}),
        "bounds not compared": (named["final zero"], {"_march": lambda step, pieces: ""}),
        "clock unchecked": (named["clock bent"], {"_structure": lambda certificate, statement: None}),
    }
    for name, (changed, bug) in falsehoods.items():
        assert outcome(changed) == Verdict.NOT_CONFIRMED, name
        with monkeypatch.context() as patch:
            for function, replacement in bug.items():
                patch.setattr(checker_checker, function, replacement)
            assert outcome(changed) == Verdict.CONFIRMED, name


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


# ---------------------------------------------------------------------------------------------------------------------
# The independent checker's parts


@pytest.mark.parametrize("flow", FLOWS)
def test_the_second_statement_of_a_flow_agrees_with_the_first(flow):
    for turn in range(1, 6):
        system: Flow = random_start(flow, turn)
        plain = system.to_json()
        instance = load_instance(plain)
        statement = checker_fields.restate(plain["system"], instance)
        with checker_numbers.interval_precision(80):
            values = statement.field([checker_numbers.interval(value) for value in statement.start])
        floats = np.concatenate([np.ravel(array) for array in system.to(FLOAT64).velocity()]).astype(float)
        mine = np.array([float(value.mid) for value in values])
        assert np.allclose(mine, floats, rtol=1e-9, atol=1e-9 * (1 + np.abs(floats).max()))
        assert statement.blocks == system.blocks()


def load_instance(plain):
    def read(value):
        return [read(entry) for entry in value] if isinstance(value, list) else Fraction(value)

    return {name: read(value) for name, value in plain.items() if name != "system"}


def excess(x, y):
    """By how much a point exceeds another, beyond a millionth."""
    return float((x - y).b) - 1e-6 * abs(float(x))


def test_a_piece_bounds_defect_and_growth(data, monkeypatch):
    """At times inside a piece, along straight lines: so coarsely that Lagrange's remainder is most of the bound."""

    def shortfall():
        worst = 0.0
        for certificate in data:
            record = load(certificate)
            statement = checker_fields.restate(record.system, record.instance)
            step = replace(record.steps[0], polynomials=[row[:2] for row in record.steps[0].polynomials])
            h = step.length
            with checker_numbers.interval_precision(100):
                piece = checker_checker._piece(statement, step, h / 3, h / 2, 1)
                for k in range(5):
                    point = checker_checker._piece(statement, step, h * (8 + 3 * k) / 24, h / 2**60, 1)
                    worst = max(worst, excess(point.defect, piece.defect), excess(point.growth, piece.growth))
        return worst

    assert shortfall() <= 0
    honest_series, honest_jacobian = checker_checker._defect_series, checker_checker._jacobian

    def without_remainder(statement, rows, length):
        series = honest_series(statement, rows, length)
        return [[row[0], *[iv.mpf(0)] * (len(row) - 1)] for row in series]

    def at_the_middle(statement, tube, weights, centered, spread, around):
        return honest_jacobian(statement, tube, weights, centered, centered, 0 * around)

    for name, bug in (("_defect_series", without_remainder), ("_jacobian", at_the_middle)):
        with monkeypatch.context() as patch:
            patch.setattr(checker_checker, name, bug)
            assert shortfall() > 0, name


def test_intervals_series_and_duals_contain_the_truth():
    rng = random.Random(3)
    with checker_numbers.interval_precision(60), mp.workprec(200):
        for _ in range(50):
            x = Fraction(rng.randint(-(10**6), 10**6), rng.randint(1, 10**4))
            ball = checker_numbers.interval_exp(checker_numbers.interval(x))
            assert mp.mpf(ball.a._mpi_[0]) <= mp.exp(mp.mpf(x.numerator) / x.denominator) <= mp.mpf(ball.b._mpi_[1])
        assert not checker_numbers.is_finite(checker_numbers.interval_exp(iv.mpf("1e30")))
        assert checker_numbers.interval_exp(iv.mpf("-1e30")).a == 0
        # (1 + s)^2 / (1 + s) e^s and its derivatives at 0: those of (1 + s) e^s.
        s = checker_numbers.Series([iv.mpf(0), iv.mpf(1), *[iv.mpf(0)] * 5])
        product = (1 + s) * (1 + s) / (1 + s) * checker_numbers.exp(s)
        for k, value in enumerate(product.c):
            assert mp.mpf(value.a._mpi_[0]) <= mp.mpf(k + 1) / mp.factorial(k) <= mp.mpf(value.b._mpi_[1])
        x = checker_numbers.Dual(iv.mpf(2), {0: iv.mpf(1)})
        y = checker_numbers.Dual(iv.mpf(3), {1: iv.mpf(1)})
        slope = (x * y / (x + y) - checker_numbers.exp(y - 3)).gradient
        assert abs(float(slope[0].mid) - 9 / 25) < 1e-12
        assert abs(float(slope[1].mid) - (4 / 25 - 1)) < 1e-12


def test_eigenvalues_norms_and_exponentials_of_matrices_are_bounded():
    rng = np.random.default_rng(5)
    with checker_numbers.interval_precision(80):
        for size in (1, 2, 3, 4):
            for _ in range(10):
                matrix = rng.integers(-8, 9, size=(size, size)) / 4
                wide = [[iv.mpf([entry - 2.0**-12, entry + 2.0**-12]) for entry in row] for row in matrix.tolist()]
                for noise in (-1, 0, 1):
                    member = matrix + noise * 2.0**-12
                    eigenvalue = np.linalg.eigvalsh((member + member.T) / 2)[-1]
                    bound = float(checker_numbers.logarithmic_norm(wide))
                    assert eigenvalue <= bound + 1e-12
                    assert bound <= eigenvalue + 0.02
                    assert np.linalg.norm(member, 2) <= float(checker_numbers.spectral_norm(wide)) + 1e-12
                V = [[Fraction(entry) for entry in row] for row in matrix.tolist()]
                growth = checker_fields.matrix_exponential(V, iv.mpf([1.25, 1.375]))
                for time in (1.25, 1.3125, 1.375):
                    with mp.workprec(120):
                        truth = mp.expm(mp.matrix(matrix.tolist()) * mp.mpf(time))
                        for i in range(size):
                            for j in range(size):
                                assert mp.mpf(growth[i][j].a._mpi_[0]) <= truth[i, j] <= mp.mpf(growth[i][j].b._mpi_[1])
