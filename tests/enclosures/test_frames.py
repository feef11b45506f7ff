"""A state enclosed in other coordinates is the state of the flow itself, and bugs in the change of coordinates are seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import Array, working_precision
from dynamics.enclosures import frames, remembered
from dynamics.enclosures.remembered import once, remembered_enclosures
from dynamics.enclosures.steps import LADDER, EnclosureError, enclosures
from dynamics.system import Flow, quantity
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.score_maps import CubeMapFlow, NormalisedSigmoidFlow
from tests.planting import asked_of, facts_above

TOKENS = [["1/2", 1, "-3/4"], ["-1/3", "1/4", 1], [1, "-1/2", "1/5"]]
VALUES = {
    # Each kind of V that has eigenvectors of another kind: real, complex, too few, any.
    "signs mixed": [[1, "1/2", 0], [0, "-1/2", 1], [0, 0, "1/4"]],
    "a complex pair": [[1, 0, 0], [0, "1/4", -1], ["1/2", 1, "1/4"]],
    "a Jordan block": [["1/2", 1, 0], [0, "1/2", 0], [0, 0, 1]],
    "a multiple of 1": [["3/2", 0, 0], [0, "3/2", 0], [0, 0, "3/2"]],
}
SCORES = [[1, "1/2", 0], ["-1/3", 2, 1], [0, "1/4", -1]]
# Neither orthogonal nor of determinant 1: a transpose in the place of an inverse shows.
COORDINATES = np.array([[fmpq(k, 4) for k in row] for row in ([4, 1, -2], [0, 3, 1], [1, -1, 5])], dtype=object)
RUNG = LADDER[0]
LATER = fmpq(3, 8)


def starts():
    for V in VALUES.values():
        yield RescaledFlow.instance(z=TOKENS, B=SCORES, V=V), False
        yield RescaledFlow.instance(z=TOKENS, B=SCORES, V=V, t="1/2"), True
        yield SelfAttentionFlow.instance(x=TOKENS, B=SCORES, V=V), False


def is_the_state_of_the_flow_itself(module):
    """In balls of radius 1e-9: no bug hides in them."""
    with working_precision(RUNG.bits):
        for start, rescaled in starts():
            found = module.enclose_state(module.frame(start, COORDINATES, rescaled), LATER, RUNG)
            own = module.enclose_state(module.own_frame(start), LATER, RUNG)
            assert type(found) is type(own) is type(start)
            for name in start.moving:
                for value, wanted in zip(getattr(found, name).flat, getattr(own, name).flat, strict=True):
                    assert arb(value).overlaps(arb(wanted))
                    assert arb(value).rad() < 1e-9
            for name in ("B", "V"):
                assert (getattr(found, name) == getattr(start, name)).all()


def a_rescaled_start_at_another_time_is_refused(module):
    """Its x is not rational: the start of the other flow would be another one."""
    start = RescaledFlow.instance(z=TOKENS, B=SCORES, V=VALUES["signs mixed"], t="1/2")
    with pytest.raises(ValueError, match="time 0 only"):
        module.frame(start, COORDINATES, rescaled=False)


test_frames, test_bugs_in_frames = asked_of(frames, facts_above(globals(), "module"))


def test_rescaled_tokens_of_mixed_signs_are_enclosed_by_the_tokens_themselves():
    V = [["1/16", "15/16"], ["3/16", "13/16"]]
    start = RescaledFlow.instance(z=[["1/2", 1], ["-3/4", "1/4"], [1, "-1/8"]], V=V, B=[["1/2", "1/4"], ["1/4", 1]])
    chosen = frames.best_frame(start, fmpq(4))
    assert isinstance(chosen.flow, SelfAttentionFlow)
    # In the eigenvectors of V, nearly.
    off = [abs(chosen.flow.V[0, 1]), abs(chosen.flow.V[1, 0])]
    assert max(off) < fmpq(1, 100) or chosen.flow.V.tolist() == start.V.tolist()


def test_coordinates_are_searched_until_errors_grow_little(monkeypatch):
    V = [[1, 2], [0, "-1/2"]]
    start = RescaledFlow.instance(z=[["1/2", 1], ["-3/4", "1/4"], [1, "-1/8"]], V=V, B=[["9/4", 1], [1, "1/2"]])
    foreseen = frames.foresight(start, fmpq(4))

    def growth():
        R = frames.best_frame(start, fmpq(4)).R
        return foreseen.growth(np.array([[float(v.p) / float(v.q) for v in row] for row in R]))

    # No coordinates are good enough at once: it searches.
    monkeypatch.setattr(frames, "EASY", 0.0)
    searched = growth()
    monkeypatch.setattr(frames, "TRIALS", 0)
    assert searched < growth() < foreseen.growth(np.eye(2))


def test_a_flow_that_float64_does_not_follow_keeps_its_coordinates():
    start = SelfAttentionFlow.instance(x=[["1e200", 1], [1, 2]], V=[[2, 0], [0, 1]])
    assert frames.best_frame(start, fmpq(200)).flow is start


def test_a_flow_that_is_only_like_one_of_tokens_keeps_its_coordinates():
    class Slower(RescaledFlow):
        """Another flow with the same data."""

    like = Slower(**RescaledFlow.instance(z=TOKENS, B=SCORES, V=VALUES["signs mixed"]).arrays())
    assert frames.best_frame(like, fmpq(1)).flow is like
    with pytest.raises(TypeError, match="Slower"):
        frames.frame(like, COORDINATES, rescaled=True)


def test_nothing_is_remembered_unless_it_is_asked_for():
    start = RescaledFlow.instance(z=[[1], [2]])
    calls = []

    def compute():
        calls.append(1)
        raise EnclosureError("no")

    for _ in range(2):
        with pytest.raises(EnclosureError):
            once(start, ("horizon",), compute)
    assert len(calls) == 2
    with remembered_enclosures():
        for _ in range(2):
            with pytest.raises(EnclosureError):
                once(start, ("horizon",), compute)
        # An error, too, is remembered where anything is.
        assert len(calls) == 3
        first = list(enclosures(start, fmpq(1, 4), most_bits=64))
        same = list(enclosures(RescaledFlow.instance(z=[[1], [2]]), fmpq(1, 4), most_bits=64))
        other = list(enclosures(RescaledFlow.instance(z=[[1], ["2.5"]]), fmpq(1, 4), most_bits=64))
        later = list(enclosures(start, fmpq(1, 2), most_bits=64))
    assert first[0] is same[0]
    assert other[0] is not first[0]
    assert later[0].horizon == fmpq(1, 2)
    assert next(enclosures(start, fmpq(1, 4), most_bits=64)) is not first[0]


@dataclass(frozen=True, eq=False)
class Resting(Flow):
    """Tokens alone: nothing else tells how many there are."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="tokens")

    def velocity(self):
        return (0 * self.x,)


ALIKE = {"u": [2, 1], "a": [2, 1], "K": 1}
KINDS = [kind.instance(**ALIKE) for kind in (NormalisedSigmoidFlow, CubeMapFlow)]


def what_differs_in_one_thing_is_another_question(module):
    """In the kind of system, one entry or the shape of an array, or what is asked: each has a result of its own."""
    systems = [
        *KINDS,
        *(CubeMapFlow.instance(**(ALIKE | {name: other})) for name, other in (("u", [2, 0]), ("a", [1, 2]), ("K", 2))),
        *(
            kind.instance(**{kind.moving[0]: z})
            for kind in (RescaledFlow, Resting)
            for z in ([[1, 2]], [[1], [2]], [[2], [1]])
        ),
        RescaledFlow.instance(z=[[1], [2]], t=1),
    ]
    asked = [(one, ("horizon",)) for one in systems] + [(systems[0], ("horizon", 1)), (systems[0], (1, "horizon"))]
    with module.remembered_enclosures():
        for _ in range(2):
            assert [module.once(*one, lambda k=k: k) for k, one in enumerate(asked)] == list(range(len(asked)))


def test_alike_starts_of_two_flows_have_two_ends():
    with remembered_enclosures():
        ends = [next(enclosures(one, fmpq(1), most_bits=64)).end() for one in KINDS]
    assert [type(end) for end in ends] == [NormalisedSigmoidFlow, CubeMapFlow]
    assert not ends[0].a[0].overlaps(ends[1].a[0])


test_remembered, test_bugs_in_what_is_remembered = asked_of(remembered, [what_differs_in_one_thing_is_another_question])
