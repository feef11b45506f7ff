"""Pictures of escapes: the picks drawn do lead out, exactly, and the points are means that are enclosed anew here."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import pytest
from flint import arb, fmpq

from claims.atlas.pictures import escapes as painter
from claims.atlas.pictures.escapes import escapes
from claims.atlas.pictures.scenes import Dot, Path, Region, Source
from claims.atlas.pictures.subject import Subject
from claims.certificates.published import certificate_of
from claims.instances.files import read_instance
from claims.stating.catalogue import catalogue
from dynamics.arithmetic import exact, working_precision
from dynamics.escapes.enclose import mean_escape

CLAIM = catalogue()["frank_wolfe.escape_takes_exponentially_long"]
TRIANGLE = {
    "system": "AttentionChain",
    "v": [[2, 0], [-1, "7/4"], [-1, "-7/4"]],
    "x": [[2, 0], [-1, "7/4"], [-1, "-7/4"]],
    "group": [0, 1, 2],
    "gamma": "1/24",
    "eps": "1/3",
    "beta": 2,
}


def pictures(instance):
    system = read_instance(json.dumps(instance))[0]
    return {one.title: one for one in escapes(Subject(CLAIM, CLAIM.conclusions[0], system, Source("a test")))}


@pytest.fixture(scope="module")
def published():
    return pictures(certificate_of("frank_wolfe/escape_takes_exponentially_long.json")["instance"])


def test_the_way_out_leaves_a_tube_with_its_last_pick(published):
    picture = published["Tubes, and the likeliest way out"]
    (frame,) = picture.frames
    tubes = [sorted({y for _, y in shape.points}) for shape in frame.shapes if isinstance(shape, Region)]
    tracks = [[y for _, y in shape.points] for shape in frame.shapes if isinstance(shape, Path)]
    assert tubes == [[1.75, 2.25], [-2.25, -1.75]]
    assert tracks[0] == [2.0] * 4
    # The picks by hand: three times the other token, a step of 1/32 each.
    places = [fmpq(-2)]
    for _ in range(3):
        places.append(places[-1] + (2 - places[-1]) / 32)
    assert tracks[1] == [float(int(y.p) / int(y.q)) for y in places]
    inside = [tubes[1][0] <= y <= tubes[1][1] for y in tracks[1]]
    assert inside == [True, True, True, False]
    assert "at a cost of at most 21.8497" in picture.alt
    # By hand a little less, since "at most" is rounded up.
    assert f"{sum(y * y - 2 * y for y in tracks[1][:3]):.4f}" == "21.8496"


def test_every_point_is_a_mean_that_is_enclosed_again(published):
    (frame,) = published["The mean escape time against beta"].frames
    chain = read_instance(json.dumps(certificate_of("frank_wolfe/escape_takes_exponentially_long.json")["instance"]))[0]
    points = [shape.point for shape in frame.shapes if isinstance(shape, Dot)]
    assert len(points) == 6
    for beta, level in points:
        with working_precision(192):
            # Drawn at multiples of 1/6: the float on the axis stands for one of them.
            mean = mean_escape(chain.replace(beta=exact(fmpq(round(beta * 6), 6))), 6, 1500).mean
            low, high = float(arb(mean.low).log().mid()), float(arb(mean.high).log().mid())
        assert low - 1e-6 <= level <= high + 1e-6
        # The enclosure is narrow enough that a point elsewhere would be seen.
        assert not low - 1e-6 <= level + 0.01 <= high + 1e-6


def test_lines_have_the_slopes_that_the_key_names(published):
    (frame,) = published["The mean escape time against beta"].frames
    slopes = {
        shape.told.partition(",")[0].partition(":")[0]: (end[1] - begin[1]) / (end[0] - begin[0])
        for shape in frame.shapes
        if isinstance(shape, Path)
        for begin, end in [shape.points]
    }
    assert slopes == pytest.approx({"computed": 8.0, "printed": 32.0, "corrected": 8 - 4 * 2 / 4 - 1 / 16})
    assert [name for name, _ in frame.keys] == [shape.told for shape in frame.shapes if isinstance(shape, Path)]


def test_tubes_of_the_plane_are_circles_and_arrows_lead_out_of_one(monkeypatch):
    monkeypatch.setattr(painter, "_log_means", lambda chain: [])  # six means of three tokens take seconds
    found = pictures(TRIANGLE)
    (frame,) = found["Tubes, and the likeliest way out"].frames
    tubes = [shape.points for shape in frame.shapes if isinstance(shape, Region) and shape.style == "tube"]
    starts = [(2.0, 0.0), (-1.0, 1.75), (-1.0, -1.75)]
    for circle, start in zip(tubes, starts, strict=True):
        assert all(math.dist(point, start) == pytest.approx(1 / 3) for point in circle)
    steps = [shape.points for shape in frame.shapes if isinstance(shape, Path) and shape.style == "step"]
    assert all(before[1] == after[0] for before, after in pairwise(steps))
    reached = [math.dist(end, starts[0]) for _, end in steps]
    # Out with the last step and no sooner: steps after it would be no part of the way.
    assert [distance > 1 / 3 for distance in reached] == [False] * (len(steps) - 1) + [True]
    assert frame.equal


@pytest.mark.parametrize(
    "changed",
    [
        {"eps": 4},  # every hull is within the tube
        {"x": [[2, 0], [2, 0], [-1, "-7/4"]], "group": [0, 0, 1]},  # two tokens share a tube
        {"x": [[2, 0], [-1, "7/4"], [-1, "-7/4"], [0, 0]], "group": [0, 1, 2, 2]},
    ],
)
def test_what_has_no_way_out_or_no_computed_exponent_has_no_picture(changed):
    assert pictures(TRIANGLE | changed) == {}
