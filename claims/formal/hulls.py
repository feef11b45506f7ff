"""Hulls of tokens in a formula: which tokens are vertices, what lies in a hull, where an energy is least.

Each is answered as at the instance. That the answer is right stands in the statement, in words of the library; the witness
from which the kernel sees it is sought here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import fmpq

from claims.formal.arrays import NOTES, Recorded, Refused, Unknown, follow_the_way, lift
from dynamics import geometry, polytopes


@dataclass(frozen=True)
class Fact:
    """Something that holds of f, in the library's words: a name with arguments, which are arrays, and lists of places.

    The kernel computes what is `shown` in its place, with a witness; a lemma of the library leads from that to it.
    """

    name: str
    says: str
    arguments: tuple[tuple[str, Recorded | str], ...]
    lengths: tuple[str, ...]
    witness: tuple[Any, ...]


def _note(name: str, says: str, arguments: Sequence[tuple[str, Any]], witness: Sequence[Any]) -> list[Recorded]:
    """Note a fact about points, the first of the arguments; the arrays, by the names of their definitions."""
    axes = arguments[0][1].axes
    for axis in axes:  # a witness has so many numbers
        axis.concrete()
    fact = Fact(name, says, tuple(arguments), tuple(axis.text for axis in axes), tuple(witness))
    found: list[Recorded] = NOTES.instance.recorder.note_fact(fact)
    return found


def _as_found(wanted: str, array: Recorded, doc: str) -> Recorded:
    """What holds numbers of a witness, as a definition whose comment says so."""
    found: Recorded = NOTES.instance.recorder.named(wanted, array, doc, 0)  # however short it is: its comment matters
    return found


def _values(array: Recorded) -> np.ndarray:
    found: np.ndarray = NOTES.instance.numbers(array)
    return np.array([fmpq(one.numerator, one.denominator) for one in found.flat], dtype=object).reshape(found.shape)


def _points(points: Any, refusal: str) -> tuple[Recorded, np.ndarray]:
    follow_the_way(refusal)
    array = lift(points).whole()
    if array.ndim != 2:
        raise Refused(refusal)
    return array, _values(array)


def recorded_vertices(points: Any) -> list[int]:
    """The indices of the vertices of the hull, one for each place."""
    array, x = _points(points, "asks for the vertices of a hull")
    found = polytopes.vertices(x)
    directions, weights = 0 * x, np.array([[fmpq(0)] * len(x)] * len(x), dtype=object)
    for i, place in enumerate(x):
        # Tokens at the same place are no others: each of them is a vertex if one is.
        others = [j for j in range(len(x)) if (x[j] != place).any()]
        inside = geometry.membership(place, x[others]) if others else None
        if i in found and inside is not None:
            directions[i] = -inside.witness
        elif inside is not None and inside.inside:
            weights[i, others] = inside.witness
    places = f"[{'; '.join(map(str, found))}]%nat"
    _note("vertices_of_the_hull", "vertices", [("points", array), ("", places)], [directions, weights])
    return found


def recorded_membership(point: Any, points: Any) -> Any:
    """Whether a point lies in a hull; outside, how far it is from a hyperplane that cuts it off."""
    array, x = _points(points, "asks for membership in a hull")
    place = lift(point).whole()
    found = geometry.membership(_values(place), x)
    says, name = ("in_hull", "in_the_hull") if found.inside else ("outside_hull", "outside_the_hull")
    array, place = _note(name, says, [("points", array), ("point", place)], [found.witness])
    gap = lift(0)
    if not found.inside:
        doc = "A direction that cuts the point off, as found for the instance."
        gap = ((array - place) @ _as_found("direction", lift(list(found.witness)), doc)).min()
    # The fact tells neither weights nor a direction.
    return SimpleNamespace(inside=found.inside, gap=gap, witness=Unknown("the witness of a point in or outside a hull"))


def least_on_hull(proposed: Callable[..., Any], points: Any, matrix: Any) -> tuple[Recorded, Recorded]:
    """The least of <Bx, x>/2 on a hull and a point where it is attained, which the formula's own function proposes."""
    refusal = "asks for the least energy on a hull"
    array, x = _points(points, refusal)
    form = lift(matrix).whole()
    B = _values(form)
    place = proposed(x, B)[1]
    shares = geometry.membership(place, x)
    average = lift(list(shares.witness)) @ array
    average = _as_found("least_point", average, "Where the energy is least, by weights as found for the instance.")
    squares, vectors, rest = _copositive(x @ B @ x.T - place @ B @ place, x - place, B, place)
    named = [("points", array), ("energy_matrix", form), ("least_point", average)]
    _, form, least = _note("least_energy", "least_on_hull", named, [shares.witness, squares, vectors, rest])
    return least @ form @ least / 2, least


def _copositive(M: np.ndarray, away: np.ndarray, B: np.ndarray, place: np.ndarray) -> tuple[Any, Any, Any]:
    """c_k >= 0, l_k and N >= 0 with M = sum c_k l_k l_k^T + N. Raises Refused where none is seen."""
    # The energy of weights w less the least is w^T M w / 2: M need not be definite, only copositive, as weights are >= 0.
    n = len(M)
    none = np.array([fmpq(0)] * n, dtype=object)
    if all(entry >= 0 for entry in M.flat):
        return none, np.array([none] * n), M
    # Where the energy is convex, M less the slopes at the least point is (away B away^T), which is positive semidefinite.
    slopes = away @ B @ place  # >= 0 at a point of least energy
    rest = slopes[:, None] + slopes[None, :]
    left, squares, vectors = M - rest, none.copy(), np.array([none] * n)
    for k in range(n):  # Cholesky's decomposition, without roots
        pivot = left[k, k]
        if pivot < 0 or (pivot == 0 and any(entry != 0 for entry in left[k])):
            raise Refused("asks for the least of an energy that is not convex")
        if pivot != 0:
            squares[k], vectors[k] = pivot, left[k] / pivot
            left = left - pivot * np.multiply.outer(vectors[k], vectors[k])
    if any(entry < 0 for entry in rest.flat):
        raise Refused("asks for a least energy that is none")
    return squares, vectors, rest


def rationals(array: Any) -> np.ndarray:
    """An array of exact numbers as fractions."""
    whole = np.asarray(array, dtype=object)
    return np.array([Fraction(str(entry)) for entry in whole.flat], dtype=object).reshape(whole.shape)
