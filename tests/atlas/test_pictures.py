"""Pictures are drawn from decided data: what is seen is what the certificate says, and what the same numbers are apart."""

from __future__ import annotations

import math
import pathlib
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq

from claims.atlas.drawing import drawn_pictures
from claims.atlas.pictures import PAINTERS, Subject, pictures_of
from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Region, Scene, Source
from claims.atlas.pictures.subject import axes_of, ends, floats, token_array
from claims.atlas.pictures.tokens import cells, clipped, hull_corners
from claims.atlas.svg import figure, ticks
from claims.atlas.tracing import of_instance
from claims.certificates.published import published
from claims.stating.statement import Claim, Conclusion, Form, Relation
from dynamics.arithmetic import exact
from dynamics.attention import leaders
from dynamics.enclosures.steps import enclose
from dynamics.orbits.exact import orbit
from dynamics.system import System
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts
from dynamics.training.gradient_descent import LogisticDescent
from dynamics.training.score_maps import CubeMapFlow
from dynamics.training.value_softmax import LogisticFlow
from tests.atlas.conftest import drawn, styled, subject, wish_of
from tests.atlas.links import links_of

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def test_a_two_cycle_is_seen_step_by_step_with_its_exact_limit_points():
    cycle = subject("localmax.every_token_converges")
    _, picture = drawn("localmax.every_token_converges")
    assert "2-cycle: token 5 visits (34/9, 1/18, 0) and (11/3, 1/3, 0) in turn" in picture.note
    states = orbit(cycle.system, len(picture.frames))
    seen = [[shape.point for shape in styled(scene.shapes, Dot, "token")] for scene in picture.frames[:-2]]
    # The last two frames are the limit points, to which no step belongs.
    for scene, state, places in zip(picture.frames[:-2], states, seen, strict=False):
        assert places == [tuple(row[:2]) for row in floats(token_array(state)[1])], "it moves in the first two coordinates"
        edges = {shape.told for shape in styled(scene.shapes, Path, "edge")}
        mask = state.neighbours()
        assert edges == {
            f"token {i + 1} attends to token {j + 1}" for i in range(5) for j in range(5) if mask[i, j] and i != j
        }
    for scene, (here, there) in zip(picture.frames, pairwise(seen), strict=False):
        arrows = {tuple(shape.points) for shape in styled(scene.shapes, Path, "step")}
        assert arrows == {pair for pair in zip(here, there, strict=True) if pair[0] != pair[1]}
    limits = [[shape.point for shape in styled(scene.shapes, Dot, "limit")] for scene in picture.frames[-2:]]
    assert limits == [[tuple(row[:2]) for row in floats(exact(phase))] for phase in cycle.facts[0]["limits"]]
    track = [shape for shape in picture.ground if isinstance(shape, Path)]
    assert [shape.time for shape in track] == sorted(shape.time for shape in track)
    assert track[0].points[0] == (4.0, 0.0), "the whole way, from its start"
    ends = {shape.point for shape in picture.ground if isinstance(shape, Dot)}
    assert ends == {tuple(floats(exact(phase[4]))[:2]) for phase in cycle.facts[0]["limits"]}, "of the one that moves"
    assert picture.source.digest == published()[cycle.source.file]["digest"]


def test_where_a_limit_is_drawn_the_tokens_are_in_the_end():
    picture = drawn("clusters.tokens_reach_consensus")[0]
    bands = styled(picture.frames[0].shapes, Region, "limits")
    # Enclosed once more: the band is said to hold for ever, so also at a time that was not looked at.
    far = enclose(subject("clusters.tokens_reach_consensus").system, fmpq(4)).end()
    for band, token in zip(bands, floats(far.z), strict=True):
        low, high = min(point[1] for point in band.points), max(point[1] for point in band.points)
        assert low <= token[0] <= high
        assert high - low < 0.01, "half of a picture is no limit"
    assert "for ever" in picture.alt


def test_cells_hold_the_points_at_which_their_token_has_the_largest_score():
    step = HardmaxStep.instance(x=[[2, 0], [-1, 2], [-1, -1], ["1/2", 1]], B=[[2, 1], [0, 1]])
    regions = [(shape.color, shape.points) for shape in cells(step, [0, 1])]
    assert regions
    # On a grid: in the plane no picture decides who leads, a table of scores does.
    for a in range(-8, 9):
        for b in range(-8, 9):
            point = exact([[fmpq(a, 5), fmpq(b, 5)]])
            best = leaders((point @ step.B.T) @ step.x.T)[0]
            inside = [i for i, region in regions if _holds(region, floats(point)[0], -1e-9)]
            deep = [i for i, region in regions if _holds(region, floats(point)[0], 1e-9)]
            # Less near the edges, where the nearest float decides.
            assert all(best[i] for i in deep)
            if _holds(hull_corners([tuple(row) for row in floats(step.x)]), floats(point)[0], 1e-9):
                assert {i for i in range(4) if best[i]} & set(inside)


def _holds(polygon, point, margin):
    """Whether a point is at least so far inside of every edge of a polygon that runs counterclockwise."""
    (x, y), around = point, [*polygon, polygon[0]]
    return all((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= margin for a, b in pairwise(around))


def test_a_half_plane_cuts_a_square_in_two():
    square = hull_corners([(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5)])
    assert len(square) == 4
    part = clipped(square, (1.0, 0.0), 0.25)
    assert sorted(part) == [(0.25, 0), (0.25, 1), (1, 0), (1, 1)]
    assert clipped(square, (1.0, 0.0), 2.0) == []


@pytest.mark.parametrize(
    "name", ["localmax.every_token_converges", "polarization.score_gaps_grow", "frank_wolfe.vertices_are_stationary"]
)
def test_a_picture_is_described_in_words_and_says_from_what_it_was_drawn(name):
    for picture in drawn(name):
        svg = figure(picture)
        assert len(picture.alt) > 20
        assert re.search(r'<svg [^>]*role="img" aria-labelledby="(\S+) (\S+)"', svg)
        assert f">{picture.title}</title>" in svg
        assert f"certificate {name.replace('.', '/')}.json" in picture.source.told
        assert not re.search(r"(fill|stroke)=", svg), "colours belong to the style sheet: light and dark"
        # A browser leaves such a shape out, and says nothing.
        assert "nan" not in svg
        assert "inf" not in re.sub(r"<(title|desc)[^>]*>.*?</\1>", "", svg)


def test_every_shape_of_a_scene_is_written_where_the_data_are():
    frame = Scene([Dot((0, 0)), Dot((10, 5)), Path([(0, 0), (10, 5)], arrow=True), Region([(0, 0), (10, 0), (10, 5)])])
    svg = figure(Picture("three shapes", "Three shapes.", Source("a test"), (frame,)))
    (x0, y0), (x1, y1) = [tuple(map(float, place)) for place in re.findall(r'cx="([-\d.]+)" cy="([-\d.]+)"', svg)]
    assert x0 < x1
    assert y0 > y1, "the second axis points up"
    assert f'points="{x0:.1f},{y0:.1f} {x1:.1f},{y1:.1f}"' in svg
    assert svg.count("head") == 1


@pytest.mark.parametrize(
    ("file", "name"),
    [("atlas_flow.png", "polarization.score_gaps_grow"), ("atlas_cycle.png", "localmax.every_token_converges")],
)
def test_pictures_of_the_documents_are_the_first_of_their_claims_as_they_are_now(file, name):
    images = pytest.importorskip("PIL.Image", reason="no Pillow: pip install '.[atlas]'")
    picture = drawn(name)[0]
    told = images.open(DOCS / "pictures" / file).text
    assert (told["Title"], told["Description"], told["Source"]) == (picture.title, picture.alt, picture.source.told)


def test_ticks_are_round_numbers_within_the_range():
    assert [value for value, _ in ticks(-0.3, 10.2, Axis())] == [0, 2, 4, 6, 8, 10]
    assert [text for _, text in ticks(0.5, 3.4, Axis(logarithmic=True))] == ["10", "100", "1000"]
    assert ticks(-2.1, -0.9, Axis(rows=2, names=("mu", "nu"))) == [(-1.0, "μ"), (-2.0, "ν")]
    assert ticks(-3.1, -0.9, Axis(rows=3)) == [], "rows without names are not numbered"
    assert [value for value, _ in ticks(-0.1, 2.1, Axis(whole=True))] == [0, 1, 2]
    # Small, lopsided, and so narrow that short numbers are all alike.
    for low, high in ((1e-9, 3e-9), (-5.0, 1e6), (1.0, 1.0000001)):
        found = ticks(low, high, Axis())
        assert len(found) >= 2
        assert all(low <= value <= high for value, _ in found)
        assert len({text for _, text in found}) == len(found)


def test_what_has_no_painter_has_no_picture_and_a_painter_registers_for_a_system_and_forms(monkeypatch):
    lesser = replace(subject("localmax.every_token_converges"), refutes=False)
    # Painters register when they are imported: the list is all there is.
    monkeypatch.setattr("claims.atlas.pictures.PAINTERS", [])
    assert pictures_of(lesser) == []
    (one,) = (painter for painter in PAINTERS if painter[2].__name__ == "exact_orbit")
    for form, expected in ((Form.ORBIT, 1), (Form.LIMIT, 0)):
        monkeypatch.setattr("claims.atlas.pictures.PAINTERS", [(System, (form,), one[2])])
        assert len(pictures_of(lesser)) == expected


def test_what_cannot_be_drawn_is_left_out():
    # The cubes of 1 and -1 add up to 0: there are no weights at this state.
    assert pictures_of(at_a_state(CubeMapFlow.instance(u=[1, 0], a=[1, -1]))) == []
    claim, wish = wish_of("localmax.every_token_converges")
    for other in (
        replace(wish, conclusion="gone"),
        replace(wish, instance=dict(wish.instance) | {"system": "HardmaxStep"}),
        replace(wish, instance={"system": "LocalmaxStep", "z": "nonsense"}),
    ):
        assert drawn_pictures([other], {claim.id: claim}, 1) == {claim.id: []}


def test_pages_show_each_picture_with_its_source_and_its_words(small):
    seen = 0
    for path in small.glob("*/*.html"):
        text = path.read_text(encoding="utf-8")
        figures = re.findall(r'<figure class="picture".*?</figure>', text, re.DOTALL)
        seen += len(figures)
        for one in figures:
            assert "Drawn from" in one
            assert "<summary>in words</summary>" in one
            links = [link for link in links_of(one) if link.startswith("../certificates/")]
            assert all((path.parent / link).is_file() for link in links)
    assert seen > 15


# ---------------------------------------------------------------------------------------------------------------------
# Each painter against the same numbers computed apart: velocities, hulls, steps, curves, limits


ON_A_LINE = (
    SelfAttentionFlow.instance(x=[[1], [-2]]),
    HardmaxStep.instance(x=[[1], [-2]]),
    TwoPrompts.instance(x=[[1], [-2]], y=[[3], [1]], p=[0]),
    LogisticFlow.instance(u=[2, -1], a=[1, 0]),
    LogisticDescent.instance(u=[2, 1], rate="1/2"),
)


def at_a_state(system):
    nothing = Conclusion("state", Form.STATE, Relation.NONNEGATIVE, lambda f: exact([]))
    return Subject(Claim("one", statement="", system=type(system)), nothing, system, Source("a test"))


def shapes(picture, kind, style, frame=0):
    return styled(picture.frames[frame].shapes, kind, style)


def test_velocities_point_along_the_drift_to_one_scale():
    # None is the identity or symmetric: whatever is left out or transposed shows.
    x, B, V = [[1.0, 0.5], [-0.5, 2.0], [0.25, -1.0]], [[2.0, 0.5], [0.0, 1.0]], [[1.0, -1.0], [0.5, 1.0]]
    (picture,) = pictures_of(at_a_state(SelfAttentionFlow.instance(x=x, B=B, V=V)))
    weights = np.exp(np.array(x) @ np.array(B) @ np.array(x).T)
    drift = weights / weights.sum(axis=1, keepdims=True) @ np.array(x) @ np.array(V).T
    arrows = shapes(picture, Path, "velocity")
    steps = np.array([np.subtract(arrow.points[1], arrow.points[0]) for arrow in arrows])
    assert [arrow.points[0] for arrow in arrows] == [tuple(row) for row in x]
    # Arrows are drawn to one scale, which the caption tells.
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
    # The hull is that of the limits, so its corners are some of them.
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
