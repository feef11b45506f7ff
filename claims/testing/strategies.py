"""Hypothesis strategies of what the papers are about, for tests of one's own: exact rationals, built, never filtered.

    @given(tokens(n=(2, 5), d=2), matrices(2, "definite"))
    def test_what_i_believe(x, B): ...

Every array holds `flint.fmpq`, so that what a test computes by `+`, `@` and comparisons is exact; a
failure shrinks to few tokens and to whole numbers before halves, halves before quarters. After this module is imported
`st.from_type` knows every system, e.g. `st.from_type(SelfAttentionFlow)`, and `st.builds(SelfAttentionFlow, x=tokens(3, 2),
B=matrices(2), V=matrices(2))` composes. The tests of the suite draw from the same constructions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from claims.instances import numbers as drawn_numbers
from claims.instances import tokens as drawn_tokens
from claims.instances.builders import buildable, construction_of, draw_system
from claims.instances.hypothesis_draws import HypothesisDraws
from claims.instances.hypothesis_draws import drawn_instances as instances_of
from claims.instances.matrices import MATRICES
from claims.instances.tokens import SCHEDULE_STARTS, TOKEN_STARTS
from claims.stating.catalogue import claims_by_id
from dynamics.arithmetic import Array, numbers
from dynamics.system import System

__all__ = [
    "coordinates",
    "fractions",
    "gaps",
    "instances",
    "matrices",
    "positive",
    "schedules",
    "scores",
    "systems",
    "tokens",
]

Sizes = int | tuple[int, int]
"""A number, or the least and the largest."""


def _range(name: str, given: Sizes) -> tuple[int, int]:
    low, high = given if isinstance(given, tuple) else (given, given)
    if not (isinstance(low, int) and isinstance(high, int) and 1 <= low <= high):
        raise InvalidArgument(f"{name} = {given!r}: give a number from 1 on, or the least and the largest, (2, 5) for one")
    return low, high


def _one_of(name: str, given: str | None, known: Sequence[str]) -> None:
    if given is not None and given not in known:
        raise InvalidArgument(f"{name} = {given!r}: there are {', '.join(map(repr, known))}")


def _build(make: Callable[[HypothesisDraws], Any]) -> st.SearchStrategy[Any]:
    """The strategy of what a construction makes of Hypothesis's choices."""

    @st.composite
    def built(draw: Any) -> Any:
        return make(HypothesisDraws(draw))

    return built()


def coordinates(*shape: int, size: int = 4, bits: int = 4) -> st.SearchStrategy[Array]:
    """Arrays of multiples of 2^-bits in [-size, size], the plainest first. Raises InvalidArgument for a size below 1."""
    if size < 1 or bits < 0 or any(axis < 0 for axis in shape):
        raise InvalidArgument(f"coordinates of shape {shape}, size = {size}, bits = {bits}: size starts at 1, bits at 0")
    return _build(lambda draws: numbers(draws.dyadic(*shape, size=size, bits=bits)))


def positive(*shape: int, size: int = 4, bits: int = 4) -> st.SearchStrategy[Array]:
    """Arrays of positive multiples of 2^-bits, at most size."""
    return _build(lambda draws: drawn_numbers.draw_positive(draws, *shape, size=size, bits=bits))


def fractions(bits: int = 5) -> st.SearchStrategy[Array]:
    """A number in (0, 1), as the step sizes gamma are."""
    return _build(lambda draws: drawn_numbers.draw_fraction(draws, bits))


def tokens(n: Sizes = (1, 6), d: Sizes = (1, 3), kind: str | None = None) -> st.SearchStrategy[Array]:
    """n tokens in R^d, shape (n, d), of every kind a mathematician would try, or of one of TOKEN_STARTS.

    The kinds: random, lattice, ties, collinear, symmetric about 0, near-coincident, with the zero token, tiny, huge. Raises
    InvalidArgument for another kind, or sizes that are none.
    """
    of_n, of_d = _range("n", n), _range("d", d)
    _one_of("kind", kind, TOKEN_STARTS)
    return _build(lambda draws: drawn_tokens.draw_tokens(draws, draws.integer(*of_n), draws.integer(*of_d), kind))


def matrices(d: Sizes = (1, 3), kind: str = "any") -> st.SearchStrategy[Array]:
    """Matrices (d, d) by what they are: "any", "symmetric", "definite", "normal", and so on, see MATRICES.

    "one positive leading eigenvalue" has real eigenvalues; the first is positive and larger than the size of each
    other. Raises InvalidArgument for another kind.
    """
    of_d = _range("d", d)
    _one_of("kind", kind, tuple(MATRICES))
    return _build(lambda draws: MATRICES[kind](draws, draws.integer(*of_d)))


SCORE_STARTS = ("random", "ties", "descending", "zero")


def scores(n: Sizes = (2, 6), kind: str | None = None) -> st.SearchStrategy[Array]:
    """Vectors (n,) of attention scores: random, with a tie of the first two, strictly descending, or all zero.

    Raises InvalidArgument for another kind.
    """
    of_n = _range("n", n)
    _one_of("kind", kind, SCORE_STARTS)

    def make(draws: HypothesisDraws) -> Array:
        length, which = draws.integer(*of_n), kind or draws.choice(SCORE_STARTS)
        if which == "descending":
            # Sums of positive steps from the last on: descending by construction, so that no draw is rejected.
            steps = drawn_numbers.draw_positive(draws, length)
            return numbers(np.cumsum(steps[::-1])[::-1])
        # Drawn even where they are zeroed: the choices that follow are then the same, and shrinking finds its way.
        values = draws.dyadic(length) * (0 if which == "zero" else 1)
        if which == "ties":
            values[1:2] = values[:1]
        return numbers(values)

    return _build(make)


def gaps(n: Sizes = (1, 5)) -> st.SearchStrategy[Array]:
    """Vectors (n,) of positive differences between successive scores or values, some of them tiny."""
    of_n = _range("n", n)

    def make(draws: HypothesisDraws) -> Array:
        values = drawn_numbers.draw_positive(draws, draws.integer(*of_n))
        small = draws.choice(("plain", "tiny")) == "tiny"
        return numbers(values * drawn_numbers.power_of_two(values, -16)) if small else values

    return _build(make)


def schedules(entries: st.SearchStrategy[Array], steps: int = 6, kind: str | None = None) -> st.SearchStrategy[Array]:
    """One entry for each step, stacked along a new first axis: constant, varying, or two that alternate.

    Raises InvalidArgument for another kind or less than one step.
    """
    _range("steps", steps)
    _one_of("kind", kind, SCHEDULE_STARTS)

    @st.composite
    def built(draw: Any) -> Array:
        which = kind or draw(st.sampled_from(SCHEDULE_STARTS))
        # As few draws as the schedule has entries: equal ones stay equal when Hypothesis shrinks them.
        count = {"constant": 1, "two alternate": 2}.get(which, steps)
        drawn = [numbers(draw(entries)) for _ in range(count)]
        return numbers(np.stack([drawn[step % count] for step in range(steps)]))

    return built()


def systems(kind: type[System], **given: st.SearchStrategy[Array]) -> st.SearchStrategy[Any]:
    """General instances of a system, as the suite draws them; `given` replaces arrays, which must have the same shapes.

    Raises InvalidArgument for a system without a construction, and for an array that it does not have.
    """
    # Refused here and not when the first example is drawn: Hypothesis would tell of it as of a failing test.
    if construction_of(kind) is None:
        known = ", ".join(sorted(one.__name__ for one in buildable()))
        raise InvalidArgument(f"no instances are known for {kind.__name__}: there are {known}")
    unknown = sorted(set(given) - set(kind.fields()))
    if unknown:
        raise InvalidArgument(f"{kind.__name__} has no {unknown[0]!r}: it has {', '.join(kind.fields())}")

    @st.composite
    def built(draw: Any) -> System:
        system = draw_system(kind, HypothesisDraws(draw))
        return system.replace(**{name: numbers(draw(strategy)) for name, strategy in given.items()}) if given else system

    return built()


def instances(claim: str, conclusion: str | None = None) -> st.SearchStrategy[Any]:
    """Instances within the hypotheses of a claim of the suite, by its id, as its own test draws them.

    Raises InvalidArgument for a claim or a conclusion that there is not.
    """
    found = claims_by_id().get(claim)
    if found is None:
        raise InvalidArgument(f"no claim {claim!r}: `claims list` shows them")
    named = {one.name: one for one in found.conclusions}
    _one_of("conclusion", conclusion, tuple(named))
    return instances_of(found, named[conclusion or found.conclusions[0].name])


for _kind in buildable():
    st.register_type_strategy(_kind, systems(_kind))
