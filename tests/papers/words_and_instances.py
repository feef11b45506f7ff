"""Rows of a table of words: kinds of hypotheses, each with instances at the boundaries that its words name.

To the words belong instances for which they say yes, and no; a few, at the end of a row, no method here decides.
An instance is the arrays that matter, by name; those that are left out are the system's own defaults, tokens 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dynamics.system import System
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.schedules import ScheduledHardmax, ScheduledLocalmax

Arrays = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """Instances of a system, with what the words say of them: True, False, or None where no method decides it."""

    system: type[System]
    told: Sequence[tuple[bool | None, Arrays]]


def row(
    system: type[System], yes: Iterable[Arrays], no: Iterable[Arrays], undecided: Iterable[Arrays] = (), **shared: Any
) -> Row:
    """Arrays for which the words say yes, and no; what they share is given once."""
    told = [(answer, shared | one) for answer, all_ in ((True, yes), (False, no), (None, undecided)) for one in all_]
    return Row(system, told)


def of(system: type[System], name: str, yes: Iterable[Any], no: Iterable[Any], **shared: Any) -> Row:
    """The same for one array, by name."""
    return row(system, [{name: value} for value in yes], [{name: value} for value in no], **shared)


def of_matrix(system: type[System], name: str, yes: Iterable[Any], no: Iterable[Any]) -> Row:
    """For one matrix (d, d), or a schedule of them, with one token at 0."""
    tokens = "x" if "x" in system.fields() else "z"

    def arrays(matrix: Any) -> Arrays:
        schedule = isinstance(matrix[0][0], list)
        steps = {"gamma": ["1/2"] * len(matrix)} if schedule else {}
        return {name: matrix, tokens: [[0] * len(matrix[0])]} | steps

    return row(system, map(arrays, yes), map(arrays, no))


def diag(*values: Any) -> list[list[Any]]:
    """The diagonal matrix."""
    return [[value if i == j else 0 for j in range(len(values))] for i, value in enumerate(values)]


def negative(matrices: Iterable[Any]) -> list[Any]:
    """Each matrix of whole numbers with the other sign."""
    return [[[-value for value in line] for line in matrix] for matrix in matrices]


def once(matrices: Iterable[Any]) -> list[Any]:
    """Each as the matrix of a single step."""
    return [[matrix] for matrix in matrices]


I, TURN, SHEAR, SWAP, ONES = diag(1, 1), [[0, 1], [-1, 0]], [[1, 1], [0, 1]], [[0, 1], [1, 0]], [[1, 1], [1, 1]]

# ---------------------------------------------------------------------------------------------------------------------
# Kinds of hypotheses: what lies on the boundary of the words

UNITS = [[[1]], I], [[[2]], [[0]], [[-1]], SHEAR, diag(1, 2)]
"""The identity."""

SYMMETRIC = [[[1]], [[-1]], SWAP, diag(0, 0)], [TURN, SHEAR, [[1, 1], ["63/64", 1]]]

INVERTIBLE = [[[-1]], SWAP, TURN], [[[0]], ONES, diag(1, 0), diag(0, 0)]

DEFINITE = [[[1]], [["1/64"]], [[2, 1], [1, 2]]], [[[0]], [[-1]], ONES, [[1, 1], [-1, 1]], [[1, 2], [2, 1]], diag(1, 0)]
"""Symmetric and > 0: not singular, not with a definite symmetric part only, nor with positive entries only."""

NEGATIVE = negative([[[1]], [[2, 1], [1, 2]]]), [[[0]], [[1]], *negative([ONES, [[1, 1], [-1, 1]], [[1, 2], [2, 1]]])]

SEMIDEFINITE = (
    [[[0]], [[1]], ONES, diag(0, 0), [[2, 1], [1, 2]]],
    [[[-1]], SWAP, TURN, SHEAR, diag(1, -1), [[0, 1], [1, 1]]],
)

DEFINITE_PART = [[[1]], [[1, 5], [-5, 1]]], [[[0]], [[-1]], TURN, [[1, 2], [0, 1]]]
"""Of [[1, 2], [0, 1]] the symmetric part is singular."""

NOT_ZERO = [[[1]], [[-1]], TURN, diag(0, "1/64")], [[[0]], diag(0, 0)]

STRICTLY_FALLING = [[0], [1, 0], [3, "1/64", 0]], [[1, 1], [0, 1], [2, 1, 1], [1, 1, 0]]

FALLING = [[0], [1, 1], [2, 1, 1]], [[0, 1], [1, 1, 2], [0, "1/64"]]

POSITIVE = [["1/64"], [1, 2]], [[0], [-1], [1, 0], [1, "-1/64"]]

ZERO = [[0], [0, 0]], [[1, 1], [0, "1/64"], [-1, -1]]

EQUAL = [[0], [1, 1], [-2, -2, -2]], [[0, 1], [1, 1, "65/64"]]

AT_LEAST_TWO = [[0, 0], [0, 0, 0]], [[0]]


def lines(*dimensions: int) -> list[list[list[int]]]:
    """One token at 0 in each dimension."""
    return [[[0] * d] for d in dimensions]


def crowds(*counts: int) -> list[list[list[int]]]:
    """So many tokens at 0 on a line."""
    return [[[0]] * n for n in counts]


def between(name: str, system: type[System], yes: Iterable[Any], no: Iterable[Any]) -> Row:
    """For a number by name, with one token at 0."""
    return of(system, name, yes, no, **{"x" if "x" in system.fields() else "z": [[0]]})


def schedules(name: str, yes: Iterable[Any], no: Iterable[Any]) -> Row:
    """For the step sizes, or sensitivities, of a run of localmax."""
    other = {"gamma": "delta", "delta": "gamma"}[name]

    def arrays(values: list[Any]) -> Arrays:
        return {"z": [[0]], name: values, other: ["1/2"] * len(values)}

    return row(ScheduledLocalmax, map(arrays, yes), map(arrays, no))


def steps(yes: Iterable[Any], no: Iterable[Any]) -> Row:
    """For the step sizes of a run of hardmax."""
    return row(ScheduledHardmax, *([{"x": [[0]], "B": [[[1]]] * len(g), "gamma": g} for g in some] for some in (yes, no)))


def of_scores(system: type[System], yes: Iterable[list[Any]], no: Iterable[list[Any]]) -> Row:
    """For the scores, with value projections 0."""
    return row(system, *([{"a": a, "u": [0] * len(a)} for a in some] for some in (yes, no)))


def rules(*allowed: int) -> Row:
    """For the neighbour rules of localmax."""
    return of(LocalmaxStep, "rule", allowed, [rule for rule in range(6) if rule not in allowed], z=[[0]])


def chain(yes: Iterable[Arrays], no: Iterable[Arrays], undecided: Iterable[Arrays] = (), **changed: Any) -> Row:
    """For chains like that of one token at each end of [-1, 1], tubes of 1/8 and half steps."""
    usual = {"v": [[1], [-1]], "x": [[1], [-1]], "group": [0, 1], "beta": 1, "gamma": "1/2", "eps": "1/8", "steps": 2}
    return row(AttentionChain, yes, no, undecided, **(usual | changed))


ALONE = {"x": [[1]], "group": [0]}
"""A chain of one token."""

MANY = {"x": [[1]] * 6, "group": [0] * 6}
"""Six tokens, which have 46 656 combinations of picks."""

FREE = {"x": [[1], [-1], ["1/2"]], "group": [0, 1, 0]}
"""One token at each vertex, and one between."""

OUT_IN_BETWEEN = {"v": [[1], [-1], [0]], "x": [[1], [-1], [0]], "group": [0, 1, 2], "eps": "3/4"}
"""Picks of the first two by each other lead out, and those of the last one do not."""

WIDE = {"v": [[16], [-6]], "x": [[16], [-6]]}
"""4 R r + 2 r^2 = c_0/2 at r = 1: c_0 = 132, R = 16."""

ROUND = {"z": [[4, 4, 0], [4, -5, 0], [3, 2, 8], [3, 2, -8], [4, 0, 0]], "delta": 4}
"""The last token goes to and fro between two places for ever, while others do not attend to it."""

HULL_AROUND_ZERO = (
    [[[0]], [[-1], [1]], [[0], [1]], [[1, 1], [-1, -1]], [[1, 0], [-1, 1], [-1, -1]], [[1, 0, 0], [-1, 0, 0]]],
    [[[1]], [["1/64"], [1]], [[1, 0], [0, 1]], [[1, 1], [-1, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]],
)
"""On its boundary it holds 0."""

TWO_GENUINE_VALUES = ([diag(0, 1), SWAP, [[1, 1], [0, 2]]], [I, SHEAR, TURN, [[1]], diag(1, 2, 3)])


def visit(**changed: Any) -> Arrays:
    """v = 2, W = 3, A = 1, delta = 10, gamma = 1/3, and p a little more than v; some of it changed."""
    # p - z is 9/8 of (p (p + 3) - 10) / (p + 3).
    return {"z": [["513/256"], ["1747029/874496"], [-3]], "gamma": "1/3", "delta": 10} | changed
