"""Starts of the kinds that a general draw never meets or seldom: ties, symmetric data, tokens at one place, a token at 0.

What a statement says of t -> infinity, or of all steps, rests on a lemma; these are the starts that a lemma leaves out
first. A kind says how to turn any start into one of it, and decides whether an exact start is one: what the hypotheses of a
claim change afterwards may undo it.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.builders import draw_system
from claims.instances.drawing import unmet
from claims.instances.draws import SeededDraws
from claims.stating.catalogue import catalogue
from claims.stating.statement import Claim, Conclusion, Form, Standing, is_costly
from claims.verifying.deciding import check
from dynamics.arithmetic import Array, UndecidedError, exact, numbers
from dynamics.attention import leaders
from dynamics.enclosures.remembered import remembered_enclosures
from dynamics.system import System

TRIES = 24
"""So many starts of a claim are turned into one of a kind before it is taken for one that the hypotheses exclude."""


@dataclass(frozen=True)
class Kind:
    """A kind of start: how to make one, which may raise ValueError or AttributeError, and whether a start is one."""

    make: Callable[[Any], Any]
    holds: Callable[[Any], bool]


# ---------------------------------------------------------------------------------------------------------------------
# Tokens


def _name(f: Any) -> str:
    return "z" if hasattr(f, "z") else "x"


def places(f: Any) -> Array:
    """The tokens (n, d) of a system that has tokens."""
    return np.asarray(getattr(f, _name(f)))


def _placed(f: Any, x: Array) -> Any:
    """The system with other tokens, as many as it has or fewer."""
    more = {"selection": f.selection[: len(x), : len(x)]} if hasattr(f, "selection") else {}
    return f.replace(**{_name(f): numbers(x)}, **more)


def _with_last(f: Any, last: Array) -> Any:
    x = places(f).copy()
    x[-1] = last
    return _placed(f, x)


def _mirrored(f: Any) -> Any:
    """Half of the tokens and their mirror images."""
    x, half = places(f).copy(), len(places(f)) // 2
    x[half : 2 * half] = -x[:half]
    return _placed(f, x[: 2 * half])


def _mirrored_about_a_token(f: Any) -> Any:
    """The same about a last one at 0."""
    x, half = places(f).copy(), (len(places(f)) - 1) // 2
    x[half : 2 * half] = -x[:half]
    return _placed(f, np.concatenate([x[: 2 * half], 0 * x[:1]]))


def _is_mirrored(f: Any) -> bool:
    rows = sorted(map(str, places(f).tolist()))
    return len(rows) > 1 and rows == sorted(map(str, (-places(f)).tolist()))


def _meet(f: Any) -> bool:
    rows = [str(row) for row in places(f).tolist()]
    return 1 < len(set(rows)) < len(rows)


def _is_between(f: Any) -> bool:
    x = places(f)
    middles = [(x[i] + x[j]) / 2 for i in range(len(x)) for j in range(i) if (x[i] != x[j]).any()]
    return any((middle == token).all() for middle in middles for token in x)


def _of_one_projection(f: Any) -> Any:
    last = places(f)[-1].copy()
    last[0] = places(f)[0, 0]
    return _with_last(f, last)


def _share_a_projection(f: Any) -> bool:
    x = places(f)
    pairs = [(x[i], x[j]) for i in range(len(x)) for j in range(i)]
    return any(bool((one == other).any() and (one != other).any()) for one, other in pairs)


def _turned(f: Any) -> Any:
    """The last token has the coordinates of the first in another order, or with other signs."""
    first = places(f)[0]
    return _with_last(f, first[::-1] if bool((first[::-1] != first).any()) else -first)


def _have_equal_lengths(f: Any) -> bool:
    x = places(f)
    return any(x[i] @ x[i] == x[j] @ x[j] and (x[i] != x[j]).any() for i in range(len(x)) for j in range(i))


def _multiple_of_identity(A: Array) -> Array:
    eye = exact(np.eye(A.shape[-1], dtype=int))
    return numbers(eye * (A[..., :1, :1] + (A[..., :1, :1] == 0).astype(int)))


MATRICES = ("A", "B", "V")


def _of_equal_eigenvalues(f: Any) -> Any:
    return f.replace(**{name: _multiple_of_identity(getattr(f, name)) for name in MATRICES if hasattr(f, name)})


def _has_equal_eigenvalues(f: Any) -> bool:
    found = [getattr(f, name) for name in MATRICES if hasattr(f, name)]
    return bool(found) and all(A.shape[-1] > 1 and bool((_multiple_of_identity(A) == A).all()) for A in found)


def _scores(f: Any) -> Array:
    A = next(getattr(f, name) for name in MATRICES if hasattr(f, name)) if hasattr(f, "A") or hasattr(f, "B") else None
    x = places(f)
    return numbers(x @ x.T if A is None else x @ np.asarray(A).reshape(-1, *A.shape[-2:])[0].T @ x.T)


def _has_tied_leaders(f: Any) -> bool:
    """Whether two different places have the largest score of a token that is not at 0."""
    x, led = places(f), leaders(_scores(f))
    return any(bool((x[i] != 0).any()) and any((x[row] != x[row][0]).any(axis=-1)) for i, row in enumerate(np.asarray(led)))


def _tied(f: Any) -> Any:
    """A token on the first axis, led by two that mirror each other there: of least score where scores are of energies."""
    x = places(f).copy()
    if len(x) < 3 or x.shape[-1] < 2:
        raise ValueError("no three tokens of a plane")
    start = _of_equal_eigenvalues(f)
    repels = bool(_scores(start.replace(**{_name(f): exact(np.eye(len(x), x.shape[-1], dtype=int))}))[0, 0] < 0)
    x = exact(np.zeros(x.shape, dtype=int))
    x[0, 0], x[1:, 0], x[1:, 1] = (entry / fmpq(8) for entry in ((12, -8, 12) if repels else (1, 8, 12)))
    x[2::2, 1] = -x[2::2, 1]
    if not repels:
        x[3:, 0] = -x[3:, 0]
    return _placed(start, x * (1 + abs(places(f)).max()) / 2)


def _between(f: Any) -> Any:
    """The last token halfway between the first and the nearest of the others that is elsewhere."""
    first, *others = places(f)[:-1]
    apart = [((first - other) @ (first - other), k) for k, other in enumerate(others) if (first != other).any()]
    return _with_last(f, (first + others[min(apart)[1]]) / 2)


OF_TOKENS = {
    "one token": Kind(lambda f: _placed(f, places(f)[:1]), lambda f: len(places(f)) == 1),
    "all at one place": Kind(
        lambda f: _placed(f, places(f)[:1] + 0 * places(f)),
        lambda f: len(places(f)) > 1 and bool((places(f) == places(f)[:1]).all()),
    ),
    "two at one place": Kind(lambda f: _with_last(f, places(f)[0]), _meet),
    "token at 0": Kind(lambda f: _with_last(f, 0 * places(f)[0]), lambda f: bool((places(f) == 0).all(axis=-1).any())),
    "mirrored": Kind(_mirrored, lambda f: _is_mirrored(f) and len(places(f)) % 2 == 0),
    "mirrored about a token": Kind(_mirrored_about_a_token, lambda f: _is_mirrored(f) and len(places(f)) % 2 == 1),
    "midpoint of two": Kind(_between, _is_between),
    "one projection": Kind(_of_one_projection, _share_a_projection),
    "on a line": Kind(
        lambda f: _placed(f, places(f)[:, :1] * places(f)[:1]),
        lambda f: (
            places(f).shape[-1] > 1
            and len(places(f)) > 1
            and all((row * places(f)[0][::-1] == row[::-1] * places(f)[0]).all() for row in places(f))
        ),
    ),
    "equal lengths": Kind(_turned, _have_equal_lengths),
    "equal eigenvalues": Kind(_of_equal_eigenvalues, _has_equal_eigenvalues),
    "tied leaders": Kind(_tied, _has_tied_leaders),
}

# ---------------------------------------------------------------------------------------------------------------------
# Scores and values


def _vectors(f: Any) -> dict[str, Array]:
    return {name: array for name, array in f.arrays().items() if array.ndim == 1 and not f.fields()[name].integer}


def _changed(change: Callable[[Array], Array]) -> Callable[[Any], Any]:
    return lambda f: f.replace(**{name: numbers(change(array.copy())) for name, array in _vectors(f).items()})


def _first(many: int) -> Callable[[Any], Any]:
    """Of each axis along which scores are counted only so many entries."""

    def cut(f: Any) -> Any:
        counted = {f.fields()[name].axes[0] for name in _vectors(f)}
        axes = {name: f.fields()[name].axes for name in f.arrays()}
        kept = {name: tuple(slice(many if axis in counted else None) for axis in own) for name, own in axes.items()}
        return f.replace(**{name: array[kept[name]] for name, array in f.arrays().items() if kept[name]})

    return cut


def _two_lead(array: Array) -> Array:
    array[:2] = max(array)
    return array


def _two_trail(array: Array) -> Array:
    array[-2:] = min(array)
    return array


def _each(condition: Callable[[Array], bool]) -> Callable[[Any], bool]:
    return lambda f: bool(_vectors(f)) and all(condition(array) for array in _vectors(f).values())


def _begin_tied(array: Array) -> bool:
    top = max(array)
    return sum(int(entry == top) for entry in array) > 1


def _end_tied(array: Array) -> bool:
    return len(array) > 2 and bool(array[-1] == array[-2])


OF_SCORES = {
    "one score": Kind(_first(1), _each(lambda array: len(array) == 1)),
    "two scores": Kind(_first(2), _each(lambda array: len(array) == 2)),
    "all equal": Kind(
        _changed(lambda array: array[:1] + 0 * array),
        _each(lambda array: len(array) > 1 and len(set(map(str, array))) == 1),
    ),
    "leaders tied": Kind(_changed(_two_lead), _each(_begin_tied)),
    "losers tied": Kind(_changed(_two_trail), _each(_end_tied)),
    "no values": Kind(
        lambda f: f.replace(**{_values(f): 0 * getattr(f, _values(f))}), lambda f: not getattr(f, _values(f)).any()
    ),
}


def _values(f: Any) -> str:
    return "u" if hasattr(f, "u") else "w" if "w" in f.fields() else "gaps"


# ---------------------------------------------------------------------------------------------------------------------
# Starts of a claim


def kinds_of(system: type[System]) -> dict[str, Kind]:
    """The kinds of start that a system may have."""
    return OF_TOKENS if {"x", "z"} & set(system.fields()) - {"w"} and "n" in _axes(system) else OF_SCORES


def _axes(system: type[System]) -> set[str]:
    return {axis for field in system.fields().values() for axis in field.axes}


def about_limits(claim: Claim) -> list[Conclusion]:
    """The conclusions about limits, or about many steps, of a claim that is held true."""
    if claim.standing is not Standing.TRUE:
        return []
    return [one for one in claim.conclusions if one.form is Form.ORBIT or (one.form is Form.LIMIT and one.trap)]


def starts_of(claim: Claim, conclusion: Conclusion, kind: Kind, many: int, tries: int = TRIES) -> Iterator[System]:
    """At most so many starts of a kind within the hypotheses, made from what is drawn for the claim."""
    found: list[str] = []
    for turn in range(tries):
        if len(found) == many:
            return
        draws = SeededDraws(np.random.default_rng([turn, 7]), is_costly(conclusion), turn)
        try:
            drawn = claim.draw(draws) if claim.draw and turn % 3 < 2 else draw_system(claim.system, draws)
            if turn % 2 and not is_costly(conclusion) and "n" in _axes(claim.system):
                drawn = _placed(drawn, 8 * places(drawn))  # what is beyond a sensitivity is seen of large tokens only
            start = _within(claim, conclusion, kind.make(drawn))
            is_one = kind.holds(start) and not unmet(claim, conclusion, start)
        except (LookupError, ValueError, ArithmeticError, AttributeError, UndecidedError):
            continue
        text = str(start.to_json())
        if is_one and text not in found:
            found.append(text)
            yield start


def _within(claim: Claim, conclusion: Conclusion, start: Any) -> Any:
    """The start, after imposing what it does not meet."""
    for assumption in claim.assumptions_of(conclusion):
        if not assumption.satisfies(start):
            start = assumption.restrict(start)
    return start


def tallied(paper: str, many: int = 2) -> dict[str, Counter[str]]:
    """By kind, what becomes of so many starts of it for each conclusion of a paper; "void" where nothing is compared."""
    found: dict[str, Counter[str]] = {}
    for claim in catalogue().values():
        for conclusion in about_limits(claim) if claim.paper.key == paper else ():
            for name, kind in kinds_of(claim.system).items():
                own = found.setdefault(name, Counter())
                starts = list(starts_of(claim, conclusion, kind, many))
                own["shut out"] += not starts
                for start in starts:
                    verdict = check(conclusion, start)
                    own["void" if verdict.reason == "nothing to compare" else verdict.outcome.value] += 1
    return found


def main() -> None:
    """Print the tallies of the papers that are named: `python -m tests.papers.special_starts PAPER...`; minutes each."""
    for paper in sys.argv[1:]:
        with remembered_enclosures():
            tallies = tallied(paper)
        for name, own in [*tallies.items(), ("all", sum(tallies.values(), Counter[str]()))]:
            text = ", ".join(f"{count} {what}" for what, count in sorted(own.items()))
            print(f"{paper}, {name}: {text}")


if __name__ == "__main__":
    main()
