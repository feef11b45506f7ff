"""Pictures are drawn from decided data: what is seen is what the certificate says, and changes when it changes."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from flint import fmpq

from claims.atlas.drawing import drawn_pictures
from claims.atlas.pictures import PAINTERS, pictures_of
from claims.atlas.pictures.scenes import Axis, Dot, Picture, Region, Scene, Source
from claims.atlas.pictures.scenes import Path as Line
from claims.atlas.pictures.subject import floats, token_array
from claims.atlas.pictures.tokens import cells, clipped, hull_corners
from claims.atlas.svg import figure, ticks
from claims.certificates.published import published
from claims.statement import Form
from dynamics.arithmetic import exact
from dynamics.attention import leaders
from dynamics.enclosures.steps import enclose
from dynamics.orbits.exact import orbit
from dynamics.system import System
from dynamics.tokens.hardmax import HardmaxStep
from tests.atlas.conftest import drawn, styled, subject, wish_of
from tests.atlas.links import Page

DOCS = Path(__file__).parents[2] / "docs"


def test_a_two_cycle_is_seen_step_by_step_with_its_exact_limit_points():
    cycle = subject("localmax.every_token_converges")
    _, picture = drawn("localmax.every_token_converges")
    assert "2-cycle: token 5 visits (34/9, 1/18, 0) and (11/3, 1/3, 0) in turn" in picture.note
    states = orbit(cycle.system, len(picture.frames))
    seen = [[shape.point for shape in styled(scene.shapes, Dot, "token")] for scene in picture.frames[:-2]]
    for scene, state, places in zip(picture.frames[:-2], states, seen, strict=False):
        assert places == [tuple(row[:2]) for row in floats(token_array(state)[1])], "it moves in the first two coordinates"
        edges = {shape.told for shape in styled(scene.shapes, Line, "edge")}
        mask = state.neighbours()
        assert edges == {
            f"token {i + 1} attends to token {j + 1}" for i in range(5) for j in range(5) if mask[i, j] and i != j
        }
    for scene, (here, there) in zip(picture.frames, pairwise(seen), strict=False):
        arrows = {tuple(shape.points) for shape in styled(scene.shapes, Line, "step")}
        assert arrows == {pair for pair in zip(here, there, strict=True) if pair[0] != pair[1]}
    limits = [[shape.point for shape in styled(scene.shapes, Dot, "limit")] for scene in picture.frames[-2:]]
    assert limits == [[tuple(row[:2]) for row in floats(exact(phase))] for phase in cycle.facts[0]["limits"]]
    track = [shape for shape in picture.ground if isinstance(shape, Line)]
    assert [shape.time for shape in track] == sorted(shape.time for shape in track)
    assert track[0].points[0] == (4.0, 0.0), "the whole way, from its start"
    ends = {shape.point for shape in picture.ground if isinstance(shape, Dot)}
    assert ends == {tuple(floats(exact(phase[4]))[:2]) for phase in cycle.facts[0]["limits"]}, "of the one that moves"
    assert picture.source.digest == published()[cycle.source.file]["digest"]


def test_where_a_limit_is_drawn_the_tokens_are_in_the_end():
    picture = drawn("clusters.tokens_reach_consensus")[0]
    bands = styled(picture.frames[0].shapes, Region, "limits")
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
    for a in range(-8, 9):
        for b in range(-8, 9):
            point = exact([[fmpq(a, 5), fmpq(b, 5)]])
            best = leaders((point @ step.B.T) @ step.x.T)[0]
            inside = [i for i, region in regions if _holds(region, floats(point)[0], -1e-9)]
            deep = [i for i, region in regions if _holds(region, floats(point)[0], 1e-9)]
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
        assert "nan" not in svg
        assert "inf" not in re.sub(r"<(title|desc)[^>]*>.*?</\1>", "", svg)


def test_every_shape_of_a_scene_is_written_where_the_data_are():
    frame = Scene([Dot((0, 0)), Dot((10, 5)), Line([(0, 0), (10, 5)], arrow=True), Region([(0, 0), (10, 0), (10, 5)])])
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
    for low, high in ((1e-9, 3e-9), (-5.0, 1e6), (1.0, 1.0000001)):
        found = ticks(low, high, Axis())
        assert len(found) >= 2
        assert all(low <= value <= high for value, _ in found)
        assert len({text for _, text in found}) == len(found)


def test_what_has_no_painter_has_no_picture_and_a_painter_registers_for_a_system_and_forms(monkeypatch):
    lesser = replace(subject("localmax.every_token_converges"), refutes=False)
    monkeypatch.setattr("claims.atlas.pictures.PAINTERS", [])
    assert pictures_of(lesser) == []
    (one,) = (painter for painter in PAINTERS if painter[2].__name__ == "exact_orbit")
    for form, expected in ((Form.ORBIT, 1), (Form.LIMIT, 0)):
        monkeypatch.setattr("claims.atlas.pictures.PAINTERS", [(System, (form,), one[2])])
        assert len(pictures_of(lesser)) == expected


def test_what_cannot_be_drawn_is_left_out():
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
            links = [link for link in Page(one).links if link.startswith("../certificates/")]
            assert all((path.parent / link).is_file() for link in links)
    assert seen > 15
