"""The failures that have pictures of their own: each is drawn from its certificate, and shows what the certificate says."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from flint import arb, fmpq

from claims.atlas.pictures import FAILURES, NothingToShowError, pictures_of
from claims.atlas.pictures.scenes import Dot, Level, Path, Region
from claims.atlas.svg import figure
from claims.certificates.published import certificate_of
from dynamics.arithmetic import rational
from tests.atlas.conftest import drawn, subject
from tests.atlas.conftest import styled as of
from tests.planting import todays_share

# It has no certificate, since its space is too large: it is drawn from the recorded run.
RECORDED = "frank_wolfe.group_jumps_are_rare_by_diameter"


def quantity(name):
    return drawn(name)[0].frames[0].shapes


def violation(name):
    return certificate_of(f"{name.replace('.', '/')}.json")["violation"]


def spread(region):
    return [(min(column), max(column)) for column in zip(*region.points, strict=True)]


# Each is drawn by a painter of its own, or by one of its own kind: another half of them each day.
@pytest.mark.parametrize("name", todays_share(2, sorted(FAILURES)))
def test_each_shades_what_is_violated_and_marks_it_and_says_in_a_sentence_what_is_seen(name):
    first, *others = drawn(name)
    assert subject(name).refutes
    assert others, "first what the statement is about, then the state"
    assert any(isinstance(shape, Region) and shape.style.startswith("forbidden") for shape in quantity(name))
    assert of(quantity(name), Dot, "mark")
    for picture in drawn(name):
        assert picture.seen.endswith(".")
        assert len(picture.seen.split()) > 4
        assert f">{picture.title}</title>" in figure(picture)
    assert first.seen == first.alt, "one sentence"


@pytest.mark.parametrize("name", [name for name in FAILURES if name.startswith(("localmax", "frank_wolfe"))])
def test_none_is_drawn_by_those_painters_from_an_instance_that_refutes_nothing(name):
    # As the same painters would be given an ordinary run.
    lesser = replace(subject(name), refutes=False, times=(), entry=None, facts=())
    titles = [picture.title for picture in drawn(name)]
    assert titles[0] not in [picture.title for picture in pictures_of(lesser)]


@pytest.mark.parametrize(
    ("name", "instance"),
    [
        ("localmax.every_token_converges", {"delta": "1/4"}),
        ("localmax.tokens_converge_under_positive_scores", {"A": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}),
        ("localmax.no_planar_step_ends_at_rest", {"gamma": "1/2"}),
        ("polarization.score_gaps_grow", {"u": [2, 0, 0]}),
        ("frank_wolfe.escape_takes_exponentially_long", {"beta": "1/64"}),
        ("clusters.perceptrons_give_three_hyperplanes", {"z": [[-1], [-2], [-3]]}),
        ("clusters.different_rates_give_three_points", {"z": [[1, 1], [1, -1]]}),
    ],
)
def test_a_counterexample_that_shows_nothing_any_more_is_not_passed_over(name, instance):
    given = subject(name)
    # The instance is changed so that what was violated holds, and the picture would show nothing.
    fields = {key: value for key, value in given.system.to_json().items() if key != "system"} | instance
    with pytest.raises(NothingToShowError, match=f"{name}: certificate"):
        pictures_of(replace(given, system=type(given.system).instance(**fields)))


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("localmax.every_token_converges", ["1/18", "1/3"]),
        ("localmax.tokens_converge_under_positive_scores", ["-6/5", "-3/5", "3/5", "6/5"]),
    ],
)
def test_a_token_that_never_settles_goes_between_its_limit_points(name, places):
    shapes, facts = quantity(name), subject(name).facts[0]
    _, i, k = violation(name)["entry"]
    assert [shape.label for shape in shapes if isinstance(shape, Level)] == [f"limit {place}" for place in places]
    assert {rational(phase[i][k]) for phase in facts["limits"]} == {rational(place) for place in places}
    (band,) = of(shapes, Region, "forbidden")
    apart = rational(places[-1]) - rational(places[0])
    assert spread(band)[1][1] - spread(band)[1][0] == pytest.approx(int(apart.p) / int(apart.q))
    (word,) = of(shapes, Dot, "word")
    assert word.label == f"{apart} apart, for ever"
    assert rational(violation(name)["slack"]["lower"]) in (apart, -apart)
    (line,) = of(shapes, Path, "line")
    low, high = spread(band)[1]
    # It still moves at the end of the picture: a token that had settled would refute nothing.
    assert [point[1] for point in line.points[-2:]] != [line.points[-1][1]] * 2
    assert all(min(abs(dot.point[1] - low), abs(dot.point[1] - high)) < 0.01 for dot in of(shapes, Dot, "mark"))


def test_nothing_moves_after_the_last_step():
    name = "localmax.no_planar_step_ends_at_rest"
    shapes = quantity(name)
    (bar,) = of(shapes, Region, "bar")
    tokens = [[fmpq(-5), fmpq(8)], [fmpq(-3), fmpq(10)]]
    # One step by hand, from the rule of the paper.
    after = [[fmpq(-27, 5), fmpq(44, 5)], [fmpq(-14, 5), fmpq(48, 5)]]
    moved = sum(abs(a - b) for old, new in zip(tokens, after, strict=True) for a, b in zip(old, new, strict=True))
    assert spread(bar)[1] == (0.0, pytest.approx(int(moved.p) / int(moved.q)))
    assert [(dot.point, dot.label) for dot in of(shapes, Dot, "mark")] == [((1.0, 0.0), "0"), ((2.0, 0.0), "0")]
    assert violation(name)["slack"] == {"lower": "0", "upper": "0"}
    (band,) = of(shapes, Region, "forbidden")
    assert spread(band)[1][1] == 0
    frames = drawn(name)[1].frames
    places = [[dot.point for dot in of(frame.shapes, Dot, "token")] for frame in frames]
    assert places[0] != places[1] == places[2]
    assert "No tokens will move" in frames[1].caption


def test_a_gap_closes_from_its_largest_value_on_past_the_certified_time():
    name = "polarization.score_gaps_grow"
    shapes, (time,) = quantity(name), violation(name)["times"]
    (mark,), (shaded,), (line,) = of(shapes, Dot, "mark"), of(shapes, Region, "forbidden"), of(shapes, Path, "line")
    assert line.label == "a_1 - a_2"
    (first, last), (low, high) = spread(shaded)
    assert first < time < last
    assert mark.point == (first, high)
    values = dict(line.points)
    # The drawn curve has its largest value between two of its points.
    assert max(values.values()) == pytest.approx(high, abs=1e-2)
    assert max(values.values()) <= high + 1e-9
    assert values[max(values)] == pytest.approx(low)
    assert values[time] < high
    assert mark.label.startswith(f"{high:.6f}"[:7])
    (level,) = of(shapes, Level, "violated")
    assert level.at == time
    rate = drawn(name)[1].frames[0].shapes
    (under,) = of(rate, Region, "forbidden")
    assert min(point[1] for point in under.points) == pytest.approx(float(violation(name)["slack"]["lower"]), abs=1e-9)


def test_a_chance_stands_above_its_bound_by_what_the_certificate_says():
    name = "frank_wolfe.escape_takes_exponentially_long"
    shapes, slack = quantity(name), violation(name)["slack"]
    (mark,), (true,), (printed,) = of(shapes, Dot, "mark"), of(shapes, Path, "line"), of(shapes, Path, "dashed")
    at = float(int(subject(name).system.beta.item()))
    assert mark.point[0] == at
    off = dict(true.points)[at] - dict(printed.points)[at]
    assert mark.label == f"off by {off:.4f}"
    assert -float(slack["upper"]) <= off <= -float(slack["lower"])
    # The printed exponent, written out for the certificate's instance.
    eight = 1 + fmpq(1, 4) * 32
    bound = float(int(eight)) * (math.log(4 / 8) + math.log(2)) - 2 * 8 * 8 / 2
    assert dict(printed.points)[at] == pytest.approx(bound)
    (shaded,) = of(shapes, Region, "forbidden")
    assert mark.point in shaded.points
    (mean,) = drawn(name)[1].frames
    (over,) = of(mean.shapes, Region, "forbidden")
    slopes = {
        path.label: (path.points[1][1] - path.points[0][1]) / (path.points[1][0] - path.points[0][0])
        for path in mean.shapes
        if isinstance(path, Path)
    }
    assert slopes["computed"] < slopes["printed"]
    assert over.points[1] == of(mean.shapes, Path, "dashed")[0].points[1]


def test_a_corner_in_many_dimensions_has_short_edges_and_long_norms():
    chain = subject(RECORDED).system
    shapes = quantity(RECORDED)
    bars = of(shapes, Region, "bar") + of(shapes, Region, "forbidden bar")
    rate = spread(of(shapes, Region, "forbidden bar")[0])[0][1]
    (edge,) = of(shapes, Level, "violated")
    n, beta = len(chain.x), float(int(chain.beta.item()))
    # The chance to attend outside of one's own group, from its definition.
    share = [
        sum(float(arb(row[j]).log().mid()) for j in range(n) if chain.group[j] != chain.group[i])
        for i, row in enumerate(chain.attention())
    ]
    assert rate == pytest.approx(-max(share) / beta)
    c_0 = float(arb(chain.c_0).mid())
    assert edge.at == pytest.approx(c_0 / 2 - math.log(n) / beta)
    assert rate < edge.at < min(spread(bar)[0][1] for bar in bars[:2])
    lengths = drawn(RECORDED)[1].frames[0].shapes
    d = chain.v.shape[-1]
    assert [bar.told.partition(":")[0] for bar in of(lengths, Region, "bar")][:2] == [
        f"{d} distances |v_i - v_j|",
        f"{d * (d - 1) // 2} distances |v_i - v_j|",
    ]
    sides = [spread(bar)[0][1] for bar in of(lengths, Region, "bar")]
    # Corners of a simplex: their distance is known.
    assert sides[1] == pytest.approx(math.sqrt(2))
    norm = math.sqrt(sum(float(arb(value).mid()) ** 2 for value in chain.v[0]))
    assert spread(of(lengths, Region, "forbidden bar")[0])[0][1] == pytest.approx(norm)


@pytest.mark.parametrize(
    "name", ["clusters.perceptrons_give_three_hyperplanes", "clusters.different_rates_give_three_points"]
)
def test_tokens_that_would_meet_stay_apart(name):
    shapes, start = quantity(name), subject(name).system.z
    (mark,), (shaded,), (line,) = of(shapes, Dot, "mark"), of(shapes, Region, "forbidden"), of(shapes, Path, "line")
    places = [[float(int(value)) for value in row] for row in start]
    assert line.points[0] == (0.0, min(math.dist(p, q) for k, p in enumerate(places) for q in places[:k]))
    assert float(mark.label) == pytest.approx(line.points[-1][1], rel=1e-5)
    assert spread(shaded)[1] == (0.0, pytest.approx(line.points[-1][1]))
    (level,) = (shape for shape in shapes if isinstance(shape, Level))
    slack = int(violation(name)["slack"]["lower"])
    assert level.at == 0
    assert f"with {len(places) + slack} limits" in level.label
    assert f"there are {len(places)}, for ever" in drawn(name)[0].frames[0].caption


def test_two_hyperplanes_hold_four_points():
    picture = drawn("clusters.different_rates_give_three_points")[1]
    levels = [shape for shape in picture.ground if isinstance(shape, Level)]
    last = [dot.point for dot in of(picture.frames[-1].shapes, Dot, "token")]
    assert sorted(level.at for level in levels) == pytest.approx(sorted({round(x, 12) for x, _ in last}), abs=1e-9)
    assert all(level.vertical for level in levels)
    assert len(levels) == 2
    # On two lines there are four points: the statement counts three.
    assert len({(round(x, 6), round(y, 6)) for x, y in last}) == 4
