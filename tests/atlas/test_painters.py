"""Each painter against the same numbers computed apart: velocities, hulls, steps, curves, bars, limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import fmpq

from claims.atlas.pictures import Subject, pictures_of
from claims.atlas.pictures.scenes import Dot, Level, Path, Region, Source
from claims.atlas.pictures.subject import axes_of, ends, floats
from claims.atlas.tracing import of_instance
from claims.statement import Claim, Conclusion, Form, Relation
from dynamics.arithmetic import exact
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts
from dynamics.training.gradient_descent import LogisticDescent
from dynamics.training.value_softmax import LogisticFlow
from tests.atlas.conftest import drawn, styled

ON_A_LINE = (
    SelfAttentionFlow.instance(x=[[1], [-2]]),
    HardmaxStep.instance(x=[[1], [-2]]),
    TwoPrompts.instance(x=[[1], [-2]], y=[[3], [1]], p=[0]),
    LogisticFlow.instance(u=[2, -1], a=[1, 0]),
    LogisticDescent.instance(u=[2, 1], rate="1/2"),
)


def at_a_state(system):
    """A subject that is about a state alone."""
    nothing = Conclusion("state", Form.STATE, Relation.NONNEGATIVE, lambda f: exact([]))
    return Subject(Claim("one", statement="", system=type(system)), nothing, system, Source("a test"))


def shapes(picture, kind, style, frame=0):
    return styled(picture.frames[frame].shapes, kind, style)


def test_velocities_point_along_the_drift_to_one_scale():
    x, B, V = [[1.0, 0.5], [-0.5, 2.0], [0.25, -1.0]], [[2.0, 0.5], [0.0, 1.0]], [[1.0, -1.0], [0.5, 1.0]]
    (picture,) = pictures_of(at_a_state(SelfAttentionFlow.instance(x=x, B=B, V=V)))
    weights = np.exp(np.array(x) @ np.array(B) @ np.array(x).T)
    drift = weights / weights.sum(axis=1, keepdims=True) @ np.array(x) @ np.array(V).T
    arrows = shapes(picture, Path, "velocity")
    steps = np.array([np.subtract(arrow.points[1], arrow.points[0]) for arrow in arrows])
    assert [arrow.points[0] for arrow in arrows] == [tuple(row) for row in x]
    scale = steps[0, 0] / drift[0, 0]
    assert scale > 0
    assert np.allclose(steps, scale * drift)
    assert f"times {scale:.3g}" in picture.frames[0].caption
    (hull,) = shapes(picture, Region, "hull")
    assert set(hull.points) == {tuple(row) for row in x}


def test_a_step_leads_to_the_next_places_and_edges_to_those_attended():
    step = HardmaxStep.instance(x=[[1, 0], [3, 1], [-1, -2], [2, 1]], P=[["1/4", 0], [0, "1/4"]])
    (picture,) = pictures_of(at_a_state(step))
    assert len(picture.frames) == 2
    x = np.array([[1, 0], [3, 1], [-1, -2], [2, 1]], dtype=float)
    best = (x @ x.T).argmax(axis=1)
    moved = {tuple(a): tuple(a + (b - a) / 4) for a, b in zip(x, x[best], strict=True) if (a != b).any()}
    assert len(moved) == 2
    assert {path.points[0]: path.points[1] for path in shapes(picture, Path, "step")} == moved
    assert {edge.told for edge in shapes(picture, Path, "edge")} == {
        f"token {i + 1} attends to token {j + 1}" for i, j in enumerate(best) if i != j
    }
    assert {dot.point for dot in shapes(picture, Dot, "token", 1)} == {moved.get(tuple(a), tuple(a)) for a in x}


def test_an_orbit_on_a_line_is_a_curve_over_the_steps():
    (picture,) = pictures_of(of_instance(LocalmaxStep.instance(z=[[3], [1], [-2]], gamma="1/2")))
    z = np.array([3.0, 1.0, -2.0])
    for k in range(5):
        for i, line in enumerate(shapes(picture, Path, "line")):
            assert line.points[k] == (k, z[i])
        scores = np.multiply.outer(z, z)
        z = z + (z[scores.argmax(axis=1)] - z) / 2


def test_curves_of_training_follow_an_integrator_written_apart():
    flow = LogisticFlow.instance(u=[2, 1, 0])
    found = {picture.title: picture for picture in pictures_of(of_instance(flow, fmpq(3)))}
    assert set(found) == {"Value projections over time", "Scores over time"}
    u, a, h = np.array([2.0, 1.0, 0.0]), np.zeros(3), 1e-3

    def rates(u, a):
        s = np.exp(a) / np.exp(a).sum()
        return s, s * (u - s @ u)

    for _ in range(3000):  # the midpoint rule
        du, da = rates(u, a)
        du, da = rates(u + h / 2 * du, a + h / 2 * da)
        u, a = u + h * du, a + h * da
    s = np.exp(a) / np.exp(a).sum()
    for title, last in (("Value projections over time", u), ("Scores over time", s)):
        lines = shapes(found[title], Path, "line")
        assert [line.points[-1][0] for line in lines] == [3.0] * 3
        assert np.allclose([line.points[-1][1] for line in lines], last, atol=1e-6)


def test_every_score_stands_over_its_value():
    (picture,) = pictures_of(at_a_state(LogisticFlow.instance(u=[2, -1], a=[1, 0])))
    share = math.exp(1) / (1 + math.exp(1))
    places = [(dot.label, *dot.point) for dot in shapes(picture, Dot, "token")]
    assert places == [("0", 2.0, pytest.approx(share)), ("1", -1.0, pytest.approx(1 - share))]


def test_of_tokens_on_a_line_velocities_stand_over_places():
    (picture,) = pictures_of(at_a_state(SelfAttentionFlow.instance(x=[[1], [-2]])))
    x = np.array([1.0, -2.0])
    weights = np.exp(np.outer(x, x))
    drift = weights / weights.sum(axis=1, keepdims=True) @ x
    assert np.allclose([dot.point for dot in shapes(picture, Dot, "token")], np.column_stack([x, drift]), rtol=1e-9)


def test_no_axis_numbers_tokens():
    """Rows have names, and no axis is called after tokens or their indices."""
    chain = AttentionChain.instance(v=[[1], [-1]], x=[["7/8"], [-1]], group=[0, 1], beta=2, gamma="1/8", eps="1/8")
    found = [picture for system in (*ON_A_LINE, chain) for picture in pictures_of(at_a_state(system))]
    assert len(found) > len(ON_A_LINE)
    for picture in found:
        for frame in picture.frames:
            assert len(frame.y.names) == frame.y.rows, picture.title
            assert not {frame.x.name, frame.y.name} & {"token", "i"}, picture.title


def test_steps_of_descent_are_those_of_the_formula():
    descent = LogisticDescent.instance(u=[2, 1], rate="1/2")
    found = {picture.title: picture for picture in pictures_of(at_a_state(descent))}
    s, gamma = 0.5, 1 / (1 + math.exp(1.5))
    first = [line.points[1][1] for line in shapes(found["Value projections over steps"], Path, "line")]
    assert first == pytest.approx([2 + gamma * s / 2, 1 + gamma * s / 2])


def test_limits_are_coloured_by_their_leaders_and_lie_in_their_hull():
    picture = drawn("clusters.double_eigenvalues_give_three_lines")[0]
    limits = styled(picture.ground, Dot, "limit")
    assert len(limits) == 7
    (hull,) = (shape for shape in picture.ground if isinstance(shape, Region))
    assert {dot.point for dot in limits} >= set(hull.points)
    first, last = (shapes(picture, Dot, "token", frame) for frame in (0, -1))
    for dot, start, end in zip(limits, first, last, strict=True):
        away = [math.dist(place.point, dot.point) for place in (start, end)]
        assert away[1] < away[0], "the path approaches its limit"
        assert away[1] < 0.02


def test_a_violated_time_is_marked_in_every_picture_of_the_trajectory():
    for picture in drawn("polarization.score_gaps_grow"):
        assert [level.at for level in shapes(picture, Level, "violated")] == [6.0]


def test_of_many_coordinates_those_of_the_largest_spread_are_drawn():
    assert axes_of(exact([[0, 5, 0, 1], [1, 0, 9, 0]])) == [0, 1, 2]
    assert axes_of(exact([[0, 5, 0, 2], [1, 0, 9, 0]])) == [1, 2, 3]
    assert axes_of(exact([[0], [1]])) == [0]
    (picture,) = pictures_of(of_instance(LocalmaxStep.instance(z=[[0, 5, 0, 2], [1, 0, 9, 0]])))
    assert "Coordinates 2, 3, 4 of 4 are drawn." in picture.note


def test_numbers_for_drawing_are_the_nearest_floats():
    assert floats(exact([["1/3", 2]])) == [[1 / 3, 2.0]]
    assert ends(fmpq(1, 4)) == (0.25, 0.25)
