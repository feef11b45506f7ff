"""Polygons of the plane for drawing: the hull of points, and the part of a polygon on one side of a line."""

from __future__ import annotations

from collections.abc import Sequence

from claims.atlas.pictures.scenes import Point


def hull_corners(points: Sequence[Point]) -> list[Point]:
    """The corners of the convex hull, counterclockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(way: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for point in way:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return half(ordered) + half(ordered[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def clipped(polygon: Sequence[Point], normal: Point, bound: float = 0.0) -> list[Point]:
    """The part of a convex polygon in which <normal, x> >= bound."""
    kept: list[Point] = []
    for k, end in enumerate(polygon):
        start = polygon[k - 1]
        before = normal[0] * start[0] + normal[1] * start[1] - bound
        after = normal[0] * end[0] + normal[1] * end[1] - bound
        if before * after < 0:
            share = before / (before - after)
            kept.append((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
        if after >= 0:
            kept.append(end)
    return kept
