"""What the words of each hypothesis say of instances at the boundaries that they name: a table, by hand.

To the words belong instances for which they say yes, and no; a few, at the end of a row, no method here decides.
An instance is the arrays that matter, by name; those that are left out are the system's own defaults, tokens 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dynamics.system import System
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from dynamics.tokens.discrete_attention import AttentionStep, RescaledAttentionStep
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.multi_head import MultiHeadStep
from dynamics.tokens.paired_localmax import TwoSensitivities
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.schedules import ScheduledHardmax, ScheduledLocalmax
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax
from dynamics.training.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.training.gradient_descent import LogisticDescent
from dynamics.training.kl_loss import FullValuesKLFlow
from dynamics.training.row_attention import FullRowAttentionFlow, RowAttentionFlow
from dynamics.training.score_maps import AnyMapFlow, CubeMapFlow, ElementwiseReluFlow, IdentityMapFlow, OnePlusSigmoidFlow
from dynamics.training.slow_clocks import PathFlow, SlowFlow, SlowLogisticFlow, SlowPowerFlow
from dynamics.training.value_softmax import FullClockFlow, FullLinearFlow, FullSquareFlow, LogisticFlow, SquareLossFlow

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


WORDS: dict[str, list[Row]] = {
    # -----------------------------------------------------------------------------------------------------------------
    # Matrices
    "V = I": [of_matrix(SelfAttentionFlow, "V", *UNITS)],
    "Q^T K = I": [of_matrix(SelfAttentionFlow, "B", *UNITS)],
    "W = I": [of_matrix(PerceptronFlow, "W", *UNITS)],
    "V = -I": [of_matrix(SelfAttentionFlow, "V", negative(UNITS[0]), [[[1]], [[0]], SHEAR, diag(-1, -2)])],
    "B = B^T": [of_matrix(SelfAttentionFlow, "B", *SYMMETRIC)],
    "A = A^T": [of_matrix(LocalmaxStep, "A", *SYMMETRIC)],
    "Q^T K is symmetric positive definite": [of_matrix(SelfAttentionFlow, "B", *DEFINITE)],
    "V is symmetric positive definite": [of_matrix(SelfAttentionFlow, "V", *DEFINITE)],
    "A is symmetric positive definite": [
        of_matrix(RootedAttention, "A", *DEFINITE),
        of_matrix(LocalmaxStep, "A", *DEFINITE),
    ],
    "-Q^T K is symmetric positive definite": [of_matrix(RescaledFlow, "B", *NEGATIVE)],
    "B_* = -B is symmetric positive definite": [of_matrix(HardmaxStep, "B", *NEGATIVE)],
    "B_* = -B is symmetric, >= 0 and not 0": [
        of_matrix(HardmaxStep, "B", negative([[[1]], ONES]), [[[0]], [[1]], diag(0, 0), *negative([SWAP, TURN, SHEAR])])
    ],
    "B is symmetric positive semidefinite": [of_matrix(SelfAttentionFlow, "B", *SEMIDEFINITE)],
    "A is symmetric positive semidefinite": [of_matrix(LocalmaxStep, "A", *SEMIDEFINITE)],
    "B is diagonal and positive definite; a rotation of N(0, I) makes any B > 0 so": [
        of_matrix(HardmaxStep, "B", [[[1]], diag(1, 2)], [[[0]], [[2, 1], [1, 2]], diag(1, -1), diag(1, 0)])
    ],
    "Q^T K and its transpose have a positive definite sum": [of_matrix(SelfAttentionFlow, "B", *DEFINITE_PART)],
    "A + A^T is positive definite": [of_matrix(LocalmaxStep, "A", *DEFINITE_PART)],
    "A + A^T is negative definite": [
        of_matrix(LocalmaxStep, "A", negative(DEFINITE_PART[0]), [[[0]], [[1]], *negative([TURN, [[1, 2], [0, 1]]])])
    ],
    "A + A^T is positive semidefinite": [
        of_matrix(LocalmaxStep, "A", [[[0]], TURN, [[1, 2], [0, 1]]], [[[-1]], SWAP, [[1, 3], [0, 1]], diag(1, -1)])
    ],
    "B is not zero": [of_matrix(HardmaxStep, "B", *NOT_ZERO)],
    "B != 0": [of_matrix(HardmaxStep, "B", *NOT_ZERO)],
    "B is invertible": [of_matrix(HardmaxStep, "B", *INVERTIBLE)],
    "V is invertible": [of_matrix(SelfAttentionFlow, "V", *INVERTIBLE)],
    "I + V is invertible": [of_matrix(SelfAttentionFlow, "V", [[[0]], [[1]], I], [[[-1]], diag(0, -1), SWAP])],
    "P = (I + V)^{-1} V for a V with I + V invertible: I - P is invertible": [
        of_matrix(HardmaxStep, "P", [[[0]], [[2]], diag(0, -1)], [[[1]], diag(0, 1), [[1, 1], [0, 0]]])
    ],
    "R = I + dt V is invertible": [
        row(
            RescaledAttentionStep,
            [{"V": [[0]], "dt": 1}, {"V": [[-1]], "dt": "1/2"}],
            [{"V": [[-1]], "dt": 1}, {"V": [[-2]], "dt": "1/2"}],
            z=[[0]],
        ),
        row(RescaledAttentionStep, [{"V": I}], [{"V": diag(0, -1)}], dt=1, z=[[0, 0]]),
    ],
    "V is diagonal: coordinates are those of an eigenbasis": [
        of_matrix(RescaledFlow, "V", [[[0]], I, diag(1, -1)], [SHEAR, [[1, 0], ["1/64", 1]]])
    ],
    "V_kk >= 0": [of_matrix(RescaledFlow, "V", [[[0]], [[0, -1], [-1, 0]]], [[[-1]], diag(1, "-1/64")])],
    "V_11 > |V_22| >= ... >= |V_dd| and V_11 > 0": [
        of_matrix(
            RescaledFlow,
            "V",
            [[[1]], diag(2, -1), diag(2, 1, -1), diag(2, 0, 0)],
            [[[0]], [[-1]], I, diag(1, -1), diag(3, 1, 2), diag(0, 0), diag(1, -2)],
        )
    ],
    "phi is the first coordinate: V_1j = 0 for j > 1": [
        of_matrix(RescaledFlow, "V", [[[5]], [[1, 0], [7, 1]]], [SHEAR, [[0, 0, "1/64"], [0, 0, 0], [0, 0, 0]]])
    ],
    "lambda = V_11 >= 0": [of_matrix(RescaledFlow, "V", [[[0]], diag(1, -1)], [[["-1/64"]], diag(-1, 1)])],
    "lambda = V_11 > 0": [of_matrix(RescaledFlow, "V", [[["1/64"]], diag(1, -1)], [[[0]], diag(0, 1)])],
    "c = B_11 > 0": [of_matrix(RescaledFlow, "B", [[["1/64"]], diag(1, -1)], [[[0]], diag(0, 1)])],
    "<Q phi_1, K phi_1> = B_11 > 0": [of_matrix(RescaledFlow, "B", [[["1/64"]], diag(1, -1)], [[[0]], diag(0, 1)])],
    "c = B_11 < 0": [of_matrix(RescaledFlow, "B", [[["-1/64"]], diag(-1, 1)], [[[0]], diag(1, -1)])],
    "d = 2 and V has two different real eigenvalues": [of_matrix(RescaledFlow, "V", *TWO_GENUINE_VALUES)],
    "V is a Jordan block of a real eigenvalue >= 0, d > 1": [
        of_matrix(
            RescaledFlow,
            "V",
            [[[0, 1], [0, 0]], [[2, 1], [0, 2]], [[1, 1, 0], [0, 1, 1], [0, 0, 1]]],
            [[[1]], I, [[-1, 1], [0, -1]], [[1, 0], [1, 1]], [[1, 2], [0, 1]], [[1, 1], [0, 2]]],
        )
    ],
    "phi is the first coordinate for d = 1, else x_1 + i x_2 "
    "with V_11 = V_22, V_12 = -V_21 and V_1k = V_2k = 0 for k > 2": [
        of_matrix(
            SelfAttentionFlow,
            "V",
            [[[3]], I, [[1, 2], [-2, 1]], [[1, 2, 0], [-2, 1, 0], [5, 5, 5]]],
            [[[1, 2], [2, 1]], diag(1, 2), [[1, 2, 1], [-2, 1, 0], [0, 0, 1]]],
        )
    ],
    "V_11 = V_22, V_21 = 0 and V_1k = V_2k = 0 for k > 2, d > 1": [
        of_matrix(
            SelfAttentionFlow,
            "V",
            [I, [[1, 5], [0, 1]], [[1, 5, 0], [0, 1, 0], [5, 5, 5]]],
            [[[1]], [[1, 0], [1, 1]], diag(1, 2), [[1, 0, 1], [0, 1, 0], [0, 0, 1]]],
        )
    ],
    "V maps F and G to themselves and is lambda I on F, lambda > 0": [
        row(RootedAttention, [{"V": [[1]]}], [{"V": [[0]]}, {"V": [[-1]]}], k=1, z=[[0]]),
        row(RootedAttention, [{"V": diag(2, -1)}], [{"V": SHEAR}, {"V": [[1, 0], [1, 1]]}], k=1, z=[[0, 0]]),
        row(RootedAttention, [{"V": diag(2, 2)}], [{"V": diag(1, 2)}], k=2, z=[[0, 0]]),
    ],
    "<BVy, y> <= 0 for every y": [
        row(
            SelfAttentionFlow,
            [{"V": diag(-1, -1)}, {"V": diag(0, 0)}, {"V": TURN}],
            [{"V": I}, {"V": diag(-1, 1)}, {"V": [[-1, 3], [0, -1]]}],
            x=[[0, 0]],
        )
    ],
    "B = M V with M symmetric and V invertible": [
        row(
            SelfAttentionFlow,
            [{"B": SWAP}, {"B": [[0, 1], [2, 0]], "V": diag(2, 1)}, {"B": diag(0, 0)}],
            [{"B": [[0, 1], [0, 0]]}, {"B": SWAP, "V": diag(2, 1)}, {"B": diag(0, 0), "V": diag(0, 0)}],
            x=[[0, 0]],
        )
    ],
    "V_1k = V_k1 = 0 and sum_l |V_kl| < V_11 for k > 1, and V_11 > 0": [
        of_matrix(
            RescaledFlow,
            "V",
            [[[1]], diag(1, "1/2"), [[1, 0, 0], [0, "1/2", "1/4"], [0, 0, "-1/2"]]],
            [[[0]], I, diag(1, -1), [[2, 1], [0, 0]], [[2, 0], [1, 0]], [[1, 0, 0], [0, "1/2", "1/2"], [0, 0, 0]]],
        )
    ],
    "d = 1: |V| is the largest modulus of an eigenvalue, > 0 and simple": [
        of_matrix(RescaledFlow, "V", [[[1]], [[-1]]], [[[0]], I])
    ],
    "d = 2, V = diag(lambda, 0) with lambda > 0": [
        of_matrix(RescaledFlow, "V", [diag(1, 0)], [[[1]], diag(0, 0), I, [[1, 1], [0, 0]], diag(-1, 0), diag(1, 0, 0)])
    ],
    "d = 2, V = diag(lambda_1, lambda_2) with lambda_1 > lambda_2 > 0": [
        of_matrix(RescaledFlow, "V", [diag(2, 1)], [I, diag(1, 2), diag(1, 0), [[2, 1], [0, 1]], [[1]], diag(3, 2, 1)])
    ],
    "V is diagonal, lambda_1 > 0 and lambda_1 > lambda_k for all others, |lambda_k| of any size": [
        of_matrix(RescaledFlow, "V", [[[1]], diag(1, -5), diag(1, 0)], [[[0]], I, diag(-1, -2), [[2, 1], [0, 1]]])
    ],
    "V and W are diagonal, their entries >= 0": [
        row(
            PerceptronFlow,
            [{"V": diag(0, 0), "W": diag(0, 0)}, {"V": I, "W": I}],
            [{"V": SHEAR, "W": I}, {"V": I, "W": SHEAR}, {"V": diag(0, "-1/64")}, {"V": I, "W": diag("-1/64", 0)}],
            z=[[0, 0]],
        )
    ],
    "d = 2, V = I + omega J, J the rotation by a right angle": [
        of_matrix(
            SelfAttentionFlow, "V", [I, [[1, 2], [-2, 1]]], [[[1, 2], [2, 1]], [[2, 1], [-1, 2]], [[1]], diag(1, 1, 1)]
        ),
        of_matrix(RescaledFlow, "V", [I, [[1, -1], [1, 1]]], [TURN, SHEAR]),
    ],
    "d = 2, V = diag(lambda, -mu) with lambda, mu > 0": [
        of_matrix(SelfAttentionFlow, "V", [diag(1, -1)], [diag(1, 0), diag(0, -1), [[1, 1], [0, -1]], I, diag(1, -1, -1)])
    ],
    "V = diag(1, 1, 1/2)": [
        of_matrix(
            RescaledFlow,
            "V",
            [diag(1, 1, "1/2")],
            [I, diag(1, 1, 1), diag("1/2", 1, 1), [[1, 1, 0], [0, 1, 0], [0, 0, "1/2"]]],
        )
    ],
    "V = diag(lambda, ..., lambda, mu) with |mu| < lambda, d > 1": [
        of_matrix(
            RescaledFlow,
            "V",
            [diag(1, 0), diag(1, 1, "-1/2")],
            [[[1]], I, diag(1, -1), diag(0, 0), diag(1, 2, 0), [[1, 1], [0, 0]], [[1, 0], [1, 0]]],
        )
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Tokens
    "d = 1": [
        of(SelfAttentionFlow, "x", lines(1), lines(2)),
        of(HardmaxStep, "x", lines(1), lines(2)),
        of(LocalmaxStep, "z", lines(1), lines(2)),
        row(
            ScheduledHardmax,
            [{"x": [[0]], "B": [[[1]]]}],
            [{"x": [[0, 0]], "B": [I]}],
            gamma=["1/2"],
        ),
    ],
    "d = 2": [of(RescaledFlow, "z", lines(2), lines(1, 3)), of(LocalmaxStep, "z", lines(2), lines(1, 3))],
    "d <= 2": [of(LocalmaxStep, "z", lines(1, 2), lines(3))],
    "d <= 3": [of(LocalmaxStep, "z", lines(1, 3), lines(4))],
    "n = 2": [
        of(LocalmaxStep, "z", crowds(2), crowds(1, 3)),
        of(SoftmaxStep, "x", crowds(2), crowds(1, 3)),
        of(RescaledFlow, "z", crowds(2), crowds(1, 3)),
    ],
    "n >= 2": [of(RootedAttention, "z", crowds(2, 3), crowds(1))],
    "n <= 3": [of(HardmaxStep, "x", crowds(1, 3), crowds(4)), of(LocalmaxStep, "z", crowds(1, 3), crowds(4))],
    "d >= 2 and n >= 2^d": [of(SoftmaxStep, "x", [[[0, 0]] * 4], [[[0, 0]] * 3, [[0]] * 2, [[0, 0, 0]] * 7])],
    "x_1 < ... < x_n in the first coordinate": [
        of(
            SelfAttentionFlow,
            "x",
            [[[0]], [[0], [1]], [[0, 5], [1, 0]]],
            [[[0], [0]], [[1], [0]], [[0, 0], [0, 1]], [[0], [2], [1]]],
        )
    ],
    "x_i != x_j for i != j": [
        of(
            SelfAttentionFlow,
            "x",
            [[[0]], [[0, 0], [0, 1]], [["1/2"], ["1/3"]]],
            [[[1], [1]], [[0], [1], [0]], [["1/2"], ["2/4"]]],
        )
    ],
    "the tokens are distinct": [
        of(LocalmaxStep, "z", [[[0]], [[0, 0], [0, 1]]], [[[1], [1]], [[0], [1], [0]], [["1/2"], ["2/4"]]])
    ],
    "z_1 = z_2": [
        of(LocalmaxStep, "z", [[[1], [1]], [[1], [1], [2]]], [[[1]], [[1], [2]], [[1], [2], [1]], [[1, 0], [1, 1]]])
    ],
    "the tokens are not all 0": [of(SelfAttentionFlow, "x", [[[1]], [[0], [-1]], [[0, 1]]], [[[0]], [[0, 0], [0, 0]]])],
    "the tokens are not all at one place": [of(SoftmaxStep, "x", [[[0], [1]], [[0, 0], [0, 1]]], [[[1]], [[1], [1]]])],
    "no token is at the origin": [of(LocalmaxStep, "z", [[[1]], [[0, 1]]], [[[0]], [[1, 0], [0, 0]]])],
    "x_i > 0 for every i, in the first coordinate": [
        of(RescaledFlow, "z", [[["1/64"]], [[1, -1], [1, 0]]], [[[0]], [[1], [-1]], [[0, 1]]])
    ],
    "x_1 > 0 and x_i = -1/x_1 for i > 1, n > 1": [
        of(
            SelfAttentionFlow,
            "x",
            [[[1], [-1]], [[2], ["-1/2"], ["-1/2"]]],
            [[[1]], [[-1], [1]], [[0], [1]], [[2], ["-1/2"], [1]]],
        )
    ],
    "n = 2, d = 1, x_2 = -x_1 != 0": [
        of(
            RescaledFlow,
            "z",
            [[[1], [-1]], [[-1], [1]]],
            [[[0], [0]], [[1], [1]], [[1, 0], [-1, 0]], [[1]], [[1], [-1], [-1]]],
        ),
        of(SelfAttentionFlow, "x", [[[1], [-1]]], [[[0], [0]], [[1]]]),
    ],
    "n = d = 2, t = 0, z_1 = (1, s), z_2 = (1, -s) with s > 0": [
        row(
            RescaledFlow,
            [{"z": [[1, 1], [1, -1]]}],
            [
                {"z": [[1, 1], [1, -1]], "t": 1},
                *(
                    {"z": z}
                    for z in ([[1, -1], [1, 1]], [[1, 0], [1, 0]], [[2, 1], [2, -1]], [[1, 1], [1, -1], [1, 1]], [[1], [1]])
                ),
            ],
        )
    ],
    "n = 2, d = 1, x_1 <= -513/1000 and x_2 > 0": [
        of(
            SelfAttentionFlow,
            "x",
            [[["-513/1000"], ["1/64"]], [[-1], [1]]],
            [[["-512/1000"], [1]], [[-1], [0]], [[-1], [1], [1]], [[-1, 0], [1, 0]], [[-1]]],
        )
    ],
    "x_i(0)^2 > omega_n for every i": [
        row(
            RescaledFlow,
            # omega_1 = 0, and omega_2 = W(1/e) is between 0.527^2 and 0.528^2.
            [{"z": [["1/64"]]}, {"z": [["-528/1000"], [1]]}, {"z": [["1/2"], ["1/2"]], "t": 1}],
            [{"z": [[0]]}, {"z": [["527/1000"], [1]]}, {"z": [["1/2"], ["1/2"]]}],
        )
    ],
    "t >= 2": [between("t", RescaledFlow, [2, 3], [0, "127/64"])],
    "dt > 0": [between("dt", AttentionStep, ["1/64"], [0, -1]), between("dt", RescaledAttentionStep, [1], [0, -1])],
    "F is the first axis, and tokens differ there": [
        row(
            RootedAttention,
            [{"z": [[0, 0], [1, 0]], "k": 1}],
            [{"z": [[0, 0], [0, 1]], "k": 1}, {"z": [[0, 0], [1, 0]], "k": 2}, {"z": [[1, 0]], "k": 1}],
        )
    ],
    "|p| <= R, the largest |x_i| and |y_i|": [
        row(
            TwoPrompts,
            [{"p": [1, 0]}, {"p": [0, -1]}, {"p": ["3/5", "4/5"]}],
            [{"p": ["65/64", 0]}, {"p": ["4/5", "4/5"]}],
            x=[[0, 0]],
            y=[[0, 1]],
        )
    ],
    "d = 1, V_h > 0 and Q_h^T K_h > 0 for every head, dt > 0": [
        row(
            MultiHeadStep,
            [{"V": [[[1]], [["1/64"]]]}],
            [
                {"V": [[[1]], [[0]]]},
                {"V": [[[1]], [[1]]], "B": [[[1]], [[-1]]]},
                {"V": [[[1]], [[1]]], "dt": 0},
                {"x": [[0, 0]], "V": [I, I], "B": [I, I]},
            ],
            x=[[0]],
            B=[[[1]], [[1]]],
            dt=1,
        )
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # One hardmax step
    "P = gamma I with 0 <= gamma <= 1": [
        of_matrix(HardmaxStep, "P", [[[0]], I, diag("1/2", "1/2")], [[["-1/64"]], [["65/64"]], diag("1/2", "1/4"), SHEAR])
    ],
    "P = gamma I, 0 < gamma < 1": [
        of_matrix(
            HardmaxStep, "P", [[["1/64"]], diag("1/2", "1/2")], [[[0]], I, diag("1/2", "1/4"), [["1/2", 1], [0, "1/2"]]]
        )
    ],
    "V is diagonal and positive: P is diagonal with entries in (0, 1)": [
        of_matrix(
            HardmaxStep, "P", [[["1/2"]], diag("1/2", "1/4")], [[[0]], I, diag("1/2", 0), [["1/2", "1/4"], [0, "1/2"]]]
        )
    ],
    "the first two entries of V differ": [
        of_matrix(HardmaxStep, "P", [diag("1/2", "1/4")], [[["1/2"]], diag("1/2", "1/2"), diag("1/2", "1/2", "1/4")])
    ],
    "ties are averaged: all weights are 1": [
        of(
            HardmaxStep,
            "selection",
            [[[1, 1], [1, 1]]],
            [[[1, 2], [1, 1]], [[1, 1], [2, 1]], [[2, 2], [1, 1]]],
            x=[[0], [1]],
        )
    ],
    "J(v_i) = <Bv_i, v_i>/2 is the same for every vertex": [
        of(HardmaxStep, "x", [[[1]], [[1], [-1], [0]], [[1], [1], [-1]]], [[[1], [-2]], [[0], [1]]]),
        row(HardmaxStep, [{"x": [[1, 1], [2, -1]], "B": diag(0, 1)}], [{"x": [[1, 1], [2, -1]], "B": I}]),
    ],
    "every vertex owns its cell: <Bv_j, v_j> > <Bv_j, v_i> for i != j": [
        of(HardmaxStep, "x", [[[1]], [[1], [-1]], [[1], [-1], [0]], [[1], [1], [-1]]], [[[0], [1]], [[1], [2]]]),
        row(HardmaxStep, [{"B": [[1]]}], [{"B": [[0]]}, {"B": [[-1]]}], x=[[1], [-1]]),
    ],
    "every token lies in exactly one cell": [
        of(HardmaxStep, "x", [[[1]], [[1], [-1]], [[1], [1], [-1]], [[1], [2]]], [[[1], [-1], [0]], [[0], [1]]]),
        row(HardmaxStep, [{"B": [[-1]]}], [{"B": [[0]]}], x=[[1], [-1]]),
    ],
    "every vertex owns its cell: <Bv_j, v_j> > <Bv_j, v_i> for i != j, at the first step": [
        of(ScheduledHardmax, "t", [0], [1, 2], x=[[1], [-1]], B=[[[1]], [[-1]]], gamma=["1/2", "1/2"]),
    ],
    "every token lies in exactly one cell, at the first step": [
        of(ScheduledHardmax, "t", [0], [1, 2], x=[[1], [-1]], B=[[[1]], [[0]]], gamma=["1/2", "1/2"]),
    ],
    "the tokens are 0, s e_1, ..., s e_d with s > 0, B e_1 is a positive multiple of e_2 and B e_2 of e_1": [
        row(
            HardmaxStep,
            [{"B": SWAP}, {"B": [[0, 1], [2, 0]]}],
            [{"B": [[0, 1], [0, 0]]}, {"B": I}, {"B": TURN}, {"B": SWAP, "x": [[0, 0], [-1, 0], [0, -1]]}],
            x=[[0, 0], [1, 0], [0, 1]],
        ),
        row(HardmaxStep, [], [{"B": [[1]]}], x=[[0], [1]]),
    ],
    "the leaders of each token are at one point at every step": [
        row(
            HardmaxStep,
            [{"x": [[1], [-1]]}, {"x": [[1]]}, {"x": [[1], [1], [-1]]}],
            [{"x": [[1], [-1], [0]]}, {"x": [[0], [1]]}],
            # A step of 2 is no average: of what comes after the first steps nothing is known here.
            [{"x": [[1], [-1]], "P": [[2]]}],
            P=[["1/2"]],
        )
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Softmax steps
    "0 <= gamma <= 1": [
        between("gamma", SoftmaxStep, [0, 1, "1/2"], ["-1/64", "65/64"]),
        between("gamma", LocalmaxStep, [0, 1], ["-1/64", "65/64"]),
    ],
    "0 < gamma <= 1": [between("gamma", SoftmaxStep, ["1/64", 1], [0, "-1/64", "65/64"])],
    "0 < gamma < 1": [between("gamma", LocalmaxStep, ["1/64", "63/64"], [0, 1])],
    "0 <= gamma < 1": [between("gamma", LocalmaxStep, [0, "63/64"], ["-1/64", 1])],
    "0 < gamma < 1 and gamma != 1/2": [between("gamma", SoftmaxStep, ["1/64", "33/64"], [0, 1, "1/2"])],
    "beta >= 0": [between("beta", SoftmaxStep, [0, 1], ["-1/64"])],
    "0 in K^0": [of(SoftmaxStep, "x", *HULL_AROUND_ZERO)],
    "0 is in K^0": [
        of(HardmaxStep, "x", *HULL_AROUND_ZERO),
        of(ScheduledHardmax, "x", [[[-1], [1]], [[0]]], [[[1]]], B=[[[1]]], gamma=["1/2"]),
    ],
    "the leaders of each token are at one point": [
        of(SoftmaxStep, "x", [[[1]], [[1], [-1]], [[1], [2]], [[1], [1], [-1]]], [[[1], [-1], [0]], [[0], [1]]])
    ],
    "beta D^2 >= 1000": [
        row(SoftmaxStep, [{"beta": 1000}], [{"beta": 999}, {"beta": 0}], x=[[0], [1]]),
        row(SoftmaxStep, [{"beta": 10}], [{"beta": -10}], x=[[0], [10]]),
        row(SoftmaxStep, [], [{"beta": 1000}], x=[[1]]),
    ],
    "the tokens are the vertices of a regular simplex around 0": [
        of(
            SoftmaxStep,
            "x",
            [[[1], [-1]], [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]],
            [[[0]], [[0], [0]], [[1], [2]], [[2], [-1], [-1]], [[2, 1, 1], [2, -1, -1], [0, 1, -1], [0, -1, 1]]],
        )
    ],
    "x = (1, -1, s) on a line with 3/8 <= s <= 3/4": [
        of(
            SoftmaxStep,
            "x",
            [[[1], [-1], ["3/8"]], [[1], [-1], ["3/4"]]],
            [[[1], [-1], ["23/64"]], [[1], [-1], ["49/64"]], [[-1], [1], ["1/2"]], [[1], [-1]]],
        )
    ],
    "4 <= beta <= 5 and gamma in {1/2, 1/4}": [
        row(
            SoftmaxStep,
            [{"beta": 4, "gamma": "1/2"}, {"beta": 5, "gamma": "1/4"}],
            [{"beta": "255/64", "gamma": "1/2"}, {"beta": "321/64", "gamma": "1/2"}, {"beta": 4, "gamma": "3/8"}],
            x=[[0]],
        )
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Runs of hardmax
    "B^t is symmetric": [of_matrix(ScheduledHardmax, "B", [[I, SWAP], [[[-1]]]], [[I, TURN], [SHEAR]])],
    "B^t is symmetric and >= 0": [
        of_matrix(ScheduledHardmax, "B", [[I, ONES], *once(SEMIDEFINITE[0])], once(SEMIDEFINITE[1]))
    ],
    "B^t is symmetric and > 0": [of_matrix(ScheduledHardmax, "B", once(DEFINITE[0]), [[I, ONES], *once(DEFINITE[1])])],
    "B_*^t = -B^t is symmetric and >= 0": [
        of_matrix(
            ScheduledHardmax, "B", [*once(negative(SEMIDEFINITE[0]))], [[diag(0, 0), I], *once(negative(SEMIDEFINITE[1]))]
        )
    ],
    "B_*^t = -B^t is symmetric and > 0": [
        of_matrix(ScheduledHardmax, "B", once(NEGATIVE[0]), [negative([I, ONES]), *once(NEGATIVE[1])])
    ],
    "B_*^t - B_*^{t+1} is >= 0": [
        of_matrix(
            ScheduledHardmax,
            "B",
            [[[[5]]], [[[0]], [[0]]], [[[0]], [[1]]], [diag(0, 0), ONES]],
            [[[[1]], [[0]]], [[[0]], [[1]], [["63/64"]]], [diag(0, 0), TURN], [diag(0, 0), SWAP]],
        )
    ],
    "B^t = B": [
        of_matrix(ScheduledHardmax, "B", [[[[1]]], [TURN, TURN]], [[[[1]], [["65/64"]]], [I, SHEAR], [I, I, SWAP]])
    ],
    "B^t has the same eigenvalues for all t": [
        of_matrix(
            ScheduledHardmax,
            "B",
            [[I], [diag(1, 2), diag(2, 1)], [diag(0, 0), [[0, 1], [0, 0]]], [diag(1, -1), SWAP]],
            [[diag(1, 2), I], [diag(1, 3), diag(2, 2)], [[[1]], [[-1]]]],
        )
    ],
    "B^t = beta^t B, beta^t >= 0, B >= 0": [
        of_matrix(
            ScheduledHardmax,
            "B",
            [[[[0]]], [[[1]], [[0]]], [diag(1, 0), diag(2, 0)], [diag(0, 0), ONES, diag(0, 0)]],
            [[diag(1, 0), diag(0, 1)], [I, diag(1, 2)], [[[1]], [[-1]]], [[[-1]]], [SWAP], [I, SHEAR]],
        )
    ],
    "B^t = beta^t B, B >= 0, beta^t of any sign": [
        of_matrix(
            ScheduledHardmax,
            "B",
            [[[[1]], [[-1]]], [[[0]], [[2]], [[-1]]], [I, diag(-1, -1)], negative([ONES, ONES])],
            [[diag(1, 0), diag(0, 1)], [I, diag(1, 2)], [diag(1, -1)], [SHEAR], [I, diag(-1, 1)]],
        )
    ],
    "beta^t/beta^{t+1} = gamma^t/gamma^{t+1}": [
        row(
            ScheduledHardmax,
            [{"B": [[[1]], [[2]]], "gamma": ["1/4", "1/2"]}, {"B": [[[1]]], "gamma": ["1/4"]}],
            [
                {"B": [[[1]], [[2]]], "gamma": ["1/4", "1/4"]},
                {"B": [[[1]], [[2]]], "gamma": ["1/2", "1/4"]},
                {"B": [[[1]], [[1]]], "gamma": [0, 0]},
                {"B": [[[1]], [[0]]], "gamma": ["1/2", 0]},
            ],
            x=[[0]],
        )
    ],
    "gamma^t = 2/(t + 2), from t = 0 on": [
        row(
            ScheduledHardmax,
            [{"gamma": [1, "2/3"]}],
            [{"gamma": [1, "2/3"], "t": 1}, {"gamma": [1, "1/2"]}, {"gamma": ["2/3", "1/2"]}],
            x=[[0]],
            B=[[[1]], [[1]]],
        )
    ],
    "0 <= gamma^t <= 1": [steps([[0], [1], [0, 1]], [["-1/64"], ["65/64"], [0, 2]])],
    "0 < gamma^t < 1": [steps([["1/64", "63/64"]], [[0], [1], ["1/2", 1], [0, "1/2"]])],
    "0 < gamma^t <= 1": [steps([["1/64", 1]], [[0], ["65/64"], ["1/2", 0]])],
    "gamma^t = gamma in (0, 1)": [
        steps([["1/2"], ["1/2", "1/2"]], [[0, 0], [1, 1], ["1/2", "1/4"], ["1/2", "1/2", "1/4"]])
    ],
    "gamma^t <= 1/10": [steps([["1/10"], [0], [-1]], [["1/9"], ["1/10", "1/9"]])],
    "0 is in K^t at as many steps as the schedule lists": [
        row(
            ScheduledHardmax,
            # The second hull of 1 and -1/16 under B = -1 is the point 15/32.
            [{"x": [[1], ["-1/16"]]}, {"x": [[0], [1]]}],
            [{"x": [[1], ["-1/16"]], "B": [[[-1]]] * 2, "gamma": ["1/2"] * 2}, {"x": [[1]]}, {"x": [["1/64"], [1]]}],
            B=[[[-1]]],
            gamma=["1/2"],
        )
    ],
    "-b = min K^0 < 0 < a = max K^0, a != 2b, b != 2a, no token is 0": [
        of(
            ScheduledHardmax,
            "x",
            [[[-1], [1]], [[3], [-1], [2]]],
            [[[1], [-2]], [[2], [-1]], [[-1], [1], [0]], [[1]], [[0], [1]], [[-1], [-2]]],
            B=[[[-1]]],
            gamma=["1/2"],
        )
    ],
    "B^T M = 0 only for M = 0 in the algebra that the P^s generate": [
        row(
            PreconditionedHardmax,
            [{"B": [I], "P": [diag("1/2", "1/4")]}, {"B": [diag(0, 1)], "P": [diag("1/2", "1/2")]}],
            [
                {"B": [diag(0, 0)], "P": [I]},
                {"B": [diag(0, 1)], "P": [diag("1/2", "1/4")]},
                {"B": [I, diag(0, 1)], "P": [diag("1/2", "1/4")] * 2},
            ],
            x=[[0, 0]],
        )
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Chains about the vertices of a polytope
    "<v_i, v_i> >= <v_i, v_l> + c_0 with c_0 > 0": [chain([{}], [{"v": [[0], [1]]}, {"v": [[1], [2]]}])],
    "|v_1| = ... = |v_kappa|": [chain([{}], [{"v": [[1], [-2]]}, {"v": [[1], ["-65/64"]]}])],
    "every angle of K at a vertex is acute": [
        chain([{}], []),
        chain(
            [{"v": [[0, 1], ["4/5", "-3/5"], ["-4/5", "-3/5"]]}],
            [{"v": [[0, 0], [1, 0], [0, 1]]}, {"v": [[0, 0], [1, 0], [2, 0]]}, {"v": [[0, 0], [4, 0], [1, 1]]}],
            x=[[0, 0]],
            group=[0],
        ),
    ],
    "x_i in K": [chain([{}, {"x": [[0], [-1]]}], [{"x": [["65/64"], [-1]]}, {"x": [[1], [-1], [2]], "group": [0, 1, 0]}])],
    "x_i in the relative interior of K for i > kappa": [
        chain([{}, FREE], [FREE | {"x": [[1], [-1], [1]]}, FREE | {"x": [[1], [-1], [2]]}]),
        chain(
            [{"x": [[1, 0], [-1, 0], [0, 0]]}],
            [{"x": [[1, 0], [-1, 0], [0, "1/64"]]}],
            v=[[1, 0], [-1, 0]],
            group=[0, 1, 0],
        ),
    ],
    "x_i = v_i and sigma(i) = i for i <= kappa": [
        chain([{}, FREE], [{"group": [1, 0]}, {"x": [[-1], [1]]}, {"x": [[1], ["-63/64"]]}, ALONE])
    ],
    "some token is free, c_0 > 0, and <v_sigma(i) - v_j, x_i> > 0 for j != sigma(i)": [
        chain([FREE, {"x": [["1/64"], [-1]]}], [{}, FREE | {"x": [[1], [-1], [0]]}, FREE | {"group": [0, 1, 1]}]),
        chain([], [{"x": [[0], [1], ["3/4"]], "group": [0, 1, 1]}], v=[[0], [1]]),
    ],
    "n > kappa, and x_i in I_sigma(i)(beta^{-1/8}) less a margin beta^{-1/4} for i > kappa": [
        chain(
            # Here beta^{-1/8} = 2^-8, beta^{-1/4} = 2^-16: 2 x >= 2^-8 + 2 2^-16, and x <= 1 - 2^-16.
            [FREE, FREE | {"x": [[1], [-1], ["260/131072"]]}, FREE | {"x": [[1], [-1], ["65534/65536"]]}],
            [{}, *(FREE | {"x": [[1], [-1], [x]]} for x in (0, 1, "256/131072", "131071/131072"))],
            beta=2**64,
        ),
        chain(
            [],
            [],
            [{"v": [[1, 1], [1, -1], [-1, -1], [-1, 1]], "x": [[0, 0]] * 5, "group": [0] * 5}],  # K is no simplex
        ),
    ],
    "some token is free, c_0 > 0, "
    "n (n-1) T exp(-beta min(beta^{-1/8}, c_0) min((1-gamma)^{T-1} beta^{-1/4}, c_0/D)/D) < beta^{-1/8}": [
        chain([FREE | {"beta": 2**64}, {"x": [["1/2"]], "group": [0]}], [FREE, {}, {"beta": 2**64}]),
        chain([], [{"x": [[0], [1], ["3/4"]], "group": [0, 1, 1]}], v=[[0], [1]], beta=2**64),
    ],
    "K = [-s, s] on a line": [
        chain([{}, {"v": [[-2], [2]]}], [{"v": [[1], [-2]]}, {"v": [[0], [1]]}]),
        chain([], [{"v": [[1, 0], [-1, 0]]}], x=[[0, 0]], group=[0]),
        chain([], [{"v": [[1], [-1], [0]]}]),
    ],
    "every token is within r of its vertex, 4 R r + 2 r^2 <= c_0 / 2": [
        chain([{}, {"x": [["7/8"], [-1]]}], [{"x": [["3/4"], [-1]]}, {"v": [[1], [2]], "x": [[1], [2]]}]),
        chain([{"x": [[15], [-6]]}], [{"x": [["959/64"], [-6]]}, {"x": [[15], ["-71/10"]]}], v=WIDE["v"]),
        chain([{}], [{"x": [["1/64"], [1]]}], v=[[0], [1]], x=[[0], [1]]),  # c_0 = 0
    ],
    "every token is within r of its vertex, 4 D(K) r + 2 r^2 <= c_0 / 2": [
        chain([{}, {"x": [["15/16"], [-1]]}], [{"x": [["7/8"], [-1]]}]),
        # At r = 1: c_0 = 164, D = 20.
        chain(
            [{"x": [["54/5"], ["-41/5"]]}], [{"x": [["53/5"], ["-41/5"]]}, {"x": [["59/5"], [-7]]}], v=[["59/5"], ["-41/5"]]
        ),
    ],
    "4 R r + 2 r^2 <= c_0 / 2 for r = rho + eps, rho the start's distance from the vertices (this makes eps_* explicit)": [
        chain(
            [{"eps": 1}, {"x": [["31/2"], [-6]], "eps": "1/2"}],
            [{"eps": "65/64"}, {"x": [["31/2"], [-6]], "eps": "33/64"}],
            **WIDE,
        )
    ],
    "eps < eps_*, with 4 R eps_* + 2 eps_*^2 <= c_0/2": [
        chain([{"eps": "63/64"}], [{"eps": 1}, {"eps": "65/64"}], **WIDE),
        chain([], [{"v": [[0], [1]], "eps": "1/1024"}]),
    ],
    "eps / gamma >= 2 D(K)": [chain([{"eps": 2}], [{"eps": "127/64"}, {"eps": 2, "gamma": "33/64"}])],
    "|v_i| = 1 for all i": [
        chain([{}], [{"v": [[1], [-2]]}, {"v": [[2], [-2]]}]),
        chain([{"v": [["3/5", "4/5"], [0, 1]]}], [{"v": [[1, 1], [0, 1]]}], x=[[0, 0]], group=[0]),
    ],
    "D(K) = 1": [chain([{"v": [["1/2"], ["-1/2"]]}, {"v": [[0], [1]]}], [{}, {"v": [[0], ["65/64"]]}])],
    "x_i in B(v_i, C tau) with C = 1, tau = min(c_0/(2 D(K)), sqrt(2 c_0)/2)": [
        chain([{}, {"x": [["1/2"], ["-3/2"]]}], [{"x": [["31/64"], [-1]]}, {"v": [[0], [1]], "x": [[0], [1]]}])
    ],
    "n > 1, and no two tokens have the same group": [chain([{}], [ALONE, {"group": [0, 0]}, FREE])],
    "some two tokens start more than 2 eps apart": [chain([{}, {"eps": "63/64"}, FREE], [{"eps": 1}, ALONE])],
    "every two tokens start more than 2 eps apart": [
        chain([{}, {"eps": "63/64"}, ALONE], [{"eps": 1}, FREE | {"eps": "1/4"}]),
    ],
    "gamma |x_i - x_j| > eps for all tokens i != j": [
        chain([{"eps": "63/64"}, ALONE], [{"eps": 1}, FREE | {"eps": "1/4"}, {"x": [[1], [1]]}])
    ],
    "t > m, m picks lead out from everywhere inside": [
        chain(
            [{"steps": 2}, {"eps": "1/2", "steps": 3}],
            [{"steps": 1}, {"eps": "1/2", "steps": 2}, {"eps": 1, "steps": 50}, ALONE],
        )
    ],
    "|x_1| = ... = |x_n|": [chain([{}, ALONE], [{"x": [[1], [-2]]}, FREE])],
    "max <x, y - z> over tokens at the start is the cost of their cheapest pick": [
        chain([{}], [{"x": [[1], [-2]]}, ALONE, FREE])
    ],
    "some picks, 4096 combinations at most, lead out of the tubes before t": [
        chain([{}, {"eps": "63/64"}, {"eps": 1, "steps": 3}], [{"eps": 1}, {"steps": 1}, MANY])
    ],
    "no picks, 4096 combinations at most, lead out of the tubes before t": [
        chain([{"eps": 1}, {"steps": 1}], [{}, {"eps": 1, "steps": 3}, MANY])
    ],
    "the searches for the cheapest way out and the longest wait end, and each token scores itself highest": [
        chain([{}], [{"x": [[1], [2]]}], [{"eps": 1}]),
    ],
    "each token scores itself highest; the search for the longest wait ends, or finds one that is longer than the first": [
        chain([{}], [{"x": [[1], [2]]}], [{"eps": 1}]),
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Localmax
    "C_i = {j : gap_i(z_j) <= delta} (D1)": [rules(0)],
    "neighbours by another rule than D1": [rules(1, 2, 3, 4, 5)],
    "a rule by which no token is its own neighbour but by its score": [rules(0, 1, 2, 3, 5)],
    "a rule by which every neighbour of token i has gap_i <= delta": [rules(0, 3, 5)],
    "a rule by which a gap that exceeds delta makes no neighbour, but of a token itself": [rules(0, 3, 4, 5)],
    "a rule by which c_i is the mean over indices": [rules(0, 1, 2, 3, 4)],
    "a rule by which c_i is the mean over distinct points": [rules(5)],
    "delta = 0": [between("delta", LocalmaxStep, [0], ["1/64"])],
    "delta > 0": [between("delta", LocalmaxStep, ["1/64"], [0])],
    "j in C_i if and only if i in C_j": [
        row(
            LocalmaxStep,
            [{"z": [[1], [-1]]}, {"z": [[-6], [-1], [0]], "delta": 36}, {"z": [[1]]}],
            [{"z": [[-6], [-1], [0]], "delta": 3}, {"z": [[1], [2]]}],
        )
    ],
    "j in C_i <=> i in C_j for all large k": [
        row(LocalmaxStep, [{"z": [[1], [-1]]}, {"z": [[1]]}], [{"z": [[1], [-1], [0]], "delta": "1/2", "rule": 4}, ROUND])
    ],
    "|z_1|_A = ... = |z_n|_A": [
        row(
            LocalmaxStep,
            [{"z": [[1], [-1]]}, {"z": [[5]]}, {"z": [[1], [2]], "A": [[0]]}, {"z": [[1, 1], [2, -1]], "A": diag(0, 1)}],
            [{"z": [[1], [2]]}, {"z": [[0], [1]]}],
        )
    ],
    "<Av, v - w> > 0 for all distinct vertices v, w of K, one token at each": [
        row(
            LocalmaxStep,
            [{"z": [[1], [-1]]}, {"z": [[1], [-1], [0]]}, {"z": [[1]]}, {"z": [[1, 0], [-1, 0]], "A": [[1, 5], [-5, 1]]}],
            [{"z": [[1], [1], [-1]]}, {"z": [[0], [1]]}, {"z": [[1], [2]]}, {"z": [[1], [-1]], "A": [[0]]}],
        )
    ],
    "the last token is in the interior of the hull of the others": [
        of(
            LocalmaxStep,
            "z",
            [[[1], [-1], [0]], [[1], [-1], ["127/128"]], [[1, 1], [-1, 1], [0, -1], [0, 0]]],
            [[[1], [-1], [1]], [[0]], [[1], [1], [1]], [[1, 1], [-1, -1], [0, 0]], [[1, 1], [-1, 1], [0, -1], [0, 1]]],
        )
    ],
    "delta is below every positive gap in the first 3 steps of hardmax": [
        row(
            LocalmaxStep,
            [{"z": [[1], [-1]], "delta": "127/64"}, {"z": [[1]], "delta": 5}, {"z": [[1], [1]], "delta": 5}],
            [{"z": [[1], [-1]], "delta": 2}],
        )
    ],
    "<A z_i, z_l - z_j> <= delta for all i, l, j": [
        row(LocalmaxStep, [{"delta": 2}], [{"delta": "127/64"}], z=[[1], [-1]]),
        row(LocalmaxStep, [{"delta": 0}], [], z=[[1]]),
    ],
    "<A (z_i - z_j), z_i - z_j> < 2 delta for all i, j": [
        row(LocalmaxStep, [{"delta": "33/64"}], [{"delta": "1/2"}], z=[[0], [1]]),
        row(LocalmaxStep, [{"delta": "1/64"}], [{"delta": 0}], z=[[1]]),
    ],
    "tokens are partitioned into blocks with <A z_i, z_l - z_j> <= delta inside, and <A z_i, z_i - z_j> > delta + "
    "max_{p,q in Q} |z_p - z_q|_A^2 / 2 for i in the block Q and j in another one": [
        row(
            LocalmaxStep,
            [{"delta": 0}, {"delta": 1}, {"delta": 2}, {"delta": 1, "rule": 1}],  # at delta = 2 there is one block
            [{"z": [[1], [2]], "delta": 0}],
            z=[[1], [-1]],
        ),
        row(
            LocalmaxStep,
            [{"z": [[2], [1], [-2]]}, {"z": [[2], [1], [-2]], "rule": 3}],
            [{"z": [[2], [1], ["-3/2"]]}],
            delta=2,
        ),
    ],
    "p > z > 0 > -W on a line, W > p, A > 0, 0 < gamma < 4/7, neighbours by gap_i(z_j) <= delta, and the margins of a "
    "visit: g > 0 stays positive in this step, z attends to -W, which attends only to itself, and g is small": [
        row(
            LocalmaxStep,
            [visit()],
            [
                visit(gamma="4/7"),
                visit(gamma=0),
                visit(delta=20),
                visit(rule=1),
                visit(A=[[-1]]),
                visit(z=[["513/256"], ["1747029/874496"], ["-513/256"]]),
                visit(z=[["513/256"], ["513/256"], [-3]]),
            ],
        )
    ],
    "tokens p > z > 0 > -W on a line, neighbours by gap_i(z_j) <= delta": [
        row(
            LocalmaxStep,
            [{"z": [[2], [1], [-1]]}],
            [
                {"z": [[2], [1], [-1]], "rule": 1},
                *({"z": z} for z in ([[1], [2], [-1]], [[2], [1], [0]], [[1], [1], [-1]], [[2], [0], [-1]], [[2], [1]])),
                {"z": [[2, 0], [1, 0], [-1, 0]]},
            ],
        )
    ],
    "every token converges, and tau(v) > 0 at the vertices v of Kinf": [
        row(
            LocalmaxStep,
            [{"z": [[1], [-1]], "delta": 1}, {"z": [[1]], "delta": "1/64", "rule": 1}],
            [
                {"z": [[1], [-1]], "delta": 0},
                {"z": [[0]], "delta": 1, "rule": 1},
                {"z": [[0]], "delta": 1, "rule": 2},
                ROUND,
            ],
        )
    ],
    "liminf delta_k > 0": [schedules("delta", [[1], [0, "1/64"]], [[0], [1, 0]])],
    "delta_k -> 0": [schedules("delta", [[0], [1, 0]], [["1/64"], [0, 1]])],
    "0 <= gamma_k <= 1": [schedules("gamma", [[0], [1], [0, 1]], [["-1/64"], [1, "65/64"]])],
    "0 < gamma_k < 1, in a compact part of it": [schedules("gamma", [["1/64", "63/64"]], [[0], [1], ["1/2", 1]])],
    "0 < gamma_k <= 1, in a compact part of it": [schedules("gamma", [["1/64", 1]], [[0], ["65/64"], [1, 0]])],
    "limsup delta_k > 0, the schedule recurs": [
        of(PeriodicLocalmax, "delta", [[0, "1/64"], [1, 0]], [[0, 0]], z=[[0]], gamma=["1/2", "1/2"])
    ],
    "delta_k = 0": [of(PeriodicLocalmax, "delta", [[0, 0]], [[0, "1/64"], [1, 0]], z=[[0]], gamma=["1/2", "1/2"])],
    "c > 0": [between("c", HarmonicLocalmax, ["1/64"], [0])],
    "the smaller sensitivity is 0": [of(TwoSensitivities, "delta", [0], ["1/64"], z=[[0]], larger=1)],
    "64 delta is at most every positive gap of hardmax until its neighbours are final": [
        row(TwoSensitivities, [{"larger": "1/32"}, {"larger": 0}], [{"larger": "33/1024"}], z=[[1], [-1]]),
        row(TwoSensitivities, [{"larger": 5}], [], z=[[1]]),  # there are no positive gaps
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Scores and values
    "p >= 2": [
        of(LogisticFlow, "u", *AT_LEAST_TWO),
        of(FullClockFlow, "V", [[[0, 0]]], [[[0]]], beta_star=[1]),
    ],
    "p >= 3": [of(PathFlow, "u", [[0, 0, 0]], [[0, 0], [0]])],
    "p = 2": [of(LogisticFlow, "u", [[0, 0]], [[0], [0, 0, 0]])],
    "a(0) = 0": [of_scores(LogisticFlow, *ZERO)],
    "u(0) = 0, as for V(0) = 0": [of(SquareLossFlow, "u", *ZERO)],
    "u_0(0) > ... > u_{p-1}(0)": [of(LogisticFlow, "u", *STRICTLY_FALLING)],
    "u_0 >= ... >= u_{p-1}": [of(LogisticFlow, "u", *FALLING)],
    "s_0(0) > ... > s_{p-1}(0)": [of_scores(SquareLossFlow, *STRICTLY_FALLING)],
    "s_0 >= ... >= s_{p-1} and u_0 > ... > u_{p-1}": [
        row(
            LogisticFlow,
            [{"a": [1, 1], "u": [1, 0]}, {"a": [0], "u": [0]}],
            [{"a": [1, 1], "u": [1, 1]}, {"a": [0, 1], "u": [1, 0]}, {"a": [1, 0], "u": [0, 1]}],
        )
    ],
    "|beta_*| = 1": [of(LogisticFlow, "K", [1], [4, "63/64"], u=[0])],
    "u_i(0) > 0": [of(ElementwiseReluFlow, "u", *POSITIVE)],
    "a_i(0) > 0": [of_scores(ElementwiseReluFlow, *POSITIVE)],
    "a_0(0) = ... = a_{p-1}(0)": [of_scores(AnyMapFlow, *EQUAL)],
    "a(0) = (1, ..., 1)": [of(CubeMapFlow, "a", [[1, 1]], [[2, 2], [1, "65/64"], [-1, -1]], u=[0, 0])],
    "u_0 > u_j for j != 0": [of(LogisticFlow, "u", [[5], [1, 0, 0], [1, -1, 0]], [[1, 1], [0, 1], [2, 1, 2]])],
    "u_0 > u_j and a_0 >= a_j for j != 0": [
        row(
            LogisticFlow,
            [{"u": [1, 0], "a": [0, 0]}, {"u": [0], "a": [0]}, {"u": [2, 0, 1], "a": [1, 0, 1]}],
            [{"u": [1, 1], "a": [1, 0]}, {"u": [1, 0], "a": [0, "1/64"]}],
        )
    ],
    "<beta_*, v_0> > <beta_*, v_j> for j != 0": [
        of(FullClockFlow, "V", [[[1, 0]], [[1]]], [[[1, 1]], [[0, 1]]], beta_star=[1]),
        of(FullClockFlow, "V", [[[0, 1]]], [[[1, 0]]], beta_star=[-1]),
    ],
    "u_0 = u_1 > u_j and a_0 = a_1 >= a_j for j >= 2": [
        row(
            LogisticFlow,
            [{"u": [1, 1], "a": [0, 0]}, {"u": [1, 1, 0], "a": [0, 0, 0]}],
            [
                {"u": [1, 1, 1], "a": [0, 0, 0]},
                {"u": [1, 1, 0], "a": [0, 0, 1]},
                {"u": [1, 1], "a": [1, 0]},
                {"u": [1, 0], "a": [0, 0]},
                {"u": [1], "a": [0]},
            ],
        )
    ],
    "u_1 = ... = u_{p-1} and a_1 = ... = a_{p-1}": [
        row(
            LogisticFlow,
            [{"u": [5, 1, 1], "a": [0, 2, 2]}, {"u": [1, 0], "a": [0, 1]}, {"u": [1], "a": [0]}],
            [{"u": [5, 1, 2], "a": [0, 2, 2]}, {"u": [5, 1, 1], "a": [0, 2, 1]}],
        )
    ],
    "K >= 256": [of(SquareLossFlow, "K", [256], ["16383/64"], u=[0])],
    "K <= 2^-6": [of(SquareLossFlow, "K", ["1/64"], ["1/63"], u=[0])],
    "|a_i(0)| <= 2^-16 and K <= 4": [
        row(
            SquareLossFlow,
            [{"a": ["1/65536", "-1/65536"], "K": 4}],
            [{"a": ["1/65535", 0], "K": 4}, {"a": [0, "-1/65535"], "K": 4}, {"a": [0, 0], "K": "257/64"}],
            u=[0, 0],
        )
    ],
    "rate (u_0 - u_{p-1}) <= 4": [
        row(
            LogisticDescent,
            [{"u": [1, 0], "rate": 4}, {"u": [0, 1], "rate": 100}, {"u": [1, 5, 1], "rate": 100}],
            [{"u": [1, 0], "rate": "257/64"}],
        )
    ],
    "u(0) = (1, 2/5, -3/10, -1/2) and |beta_*| = 1": [
        row(
            OnePlusSigmoidFlow,
            [{"u": [1, "2/5", "-3/10", "-1/2"]}],
            [{"u": [1, "2/5", "-3/10", "-1/2"], "K": 4}, {"u": [1, "2/5", "-1/2", "-3/10"]}, {"u": [1, "2/5", "-3/10"]}],
        )
    ],
    "|u_j| <= 1/4": [of(RowAttentionFlow, "u", [["1/4", "-1/4"]], [["17/64"], [0, "-17/64"]])],
    "|u_j| <= 1/8": [of(RowAttentionFlow, "u", [["1/8", "-1/8"]], [["9/64"], [0, "-9/64"]])],
    "the largest u_j(0) exceeds the next by at least 2 |beta_*| (a smaller lead only takes longer)": [
        of(IdentityMapFlow, "u", [[2, 0], [0, 2], [0]], [["127/64", 0], [1, 1], [5, 5, 0]]),
        of(IdentityMapFlow, "u", [[4, 0]], [["255/64", 0]], K=4),
    ],
    "u(0) = c + (delta, 0, ..., 0) with 0 < delta <= |beta_*| / 256": [
        of(
            PathFlow,
            "u",
            [["1/256", 0, 0], ["257/256", 1, 1]],
            [["1/255", 0, 0], [0, 0, 0], ["1/256", 0, 1], ["-1/256", 0, 0]],
        ),
        of(PathFlow, "u", [["1/128", 0]], [["1/127", 0]], K=4),
    ],
    "p <= 6 and the largest a_j(0) exceeds the others by 1/2 to 2 (elsewhere the remainder has a larger constant)": [
        of_scores(
            SquareLossFlow,
            [["1/2", 0], [2, 0], [0, 2], [0], [1, 0, 0, 0, 0, 0]],
            [["31/64", 0], ["129/64", 0], [1, 1], [2, 0, 1, 2], [1, 0, 0, 0, 0, 0, 0]],
        )
    ],
    "s_j <= s_0 / 2 for j != 0": [
        # log 2 = 0.693147180...
        of_scores(LogisticFlow, [[0], [1, 0], ["693148/1000000", 0]], [[0, 0], [0, 1], ["693147/1000000", 0], [1, 0, 1]])
    ],
    "m(0) < K": [
        row(SquareLossFlow, [{"u": [0]}], [{"u": [1]}, {"u": [2]}]),
        row(SquareLossFlow, [{"u": [1, 0], "a": [0, 1]}], [{"u": [1, 0], "a": [1, 0]}], K="1/2"),
    ],
    "m(0) > K": [
        row(SquareLossFlow, [{"u": [2]}], [{"u": [1]}, {"u": [0]}]),
        row(SquareLossFlow, [{"u": [1, 0], "a": [1, 0]}], [{"u": [1, 0], "a": [0, 1]}], K="1/2"),
    ],
    "f > 0 and f' > 0 at the scores": [
        row(
            AnyMapFlow,
            [{"map": 0, "a": [-1]}, {"map": 3, "a": [-1]}, {"map": 4, "a": ["1/64"]}, {"map": 6, "a": [1]}],
            [{"map": 4, "a": [0]}, {"map": 5, "a": [-1]}, {"map": 6, "a": [0]}],
            u=[0],
        )
    ],
    "f > 0 and f' > 0 on the whole line": [of(AnyMapFlow, "map", [0, 1, 2, 3], [4, 5, 6], u=[0], a=[1])],
    "f(x) = x^k on positive scores": [
        row(
            AnyMapFlow,
            [{"map": 4, "a": ["1/64"]}, {"map": 6, "a": [1]}],
            [{"map": 3, "a": [1]}, {"map": 4, "a": [0]}, {"map": 5, "a": [-1]}],
            u=[0],
        )
    ],
    "V = beta_* c^T for some c": [
        row(
            FullSquareFlow,
            [{"V": [[1, 2], [0, 0]]}, {"V": [[0, 0], [0, 0]]}, {"V": [[1], [2]], "beta_star": [1, 2]}],
            [{"V": I}, {"V": [[1, 0], [0, "1/64"]]}, {"V": [[2], [1]], "beta_star": [1, 2]}],
            beta_star=[1, 0],
        )
    ],
    "V and beta_* are positive in every entry": [
        row(
            FullValuesKLFlow,
            [{"V": [["1/64"]], "beta_star": [1]}],
            [{"V": [[0]], "beta_star": [1]}, {"V": [[1], [1]], "beta_star": [1, 0]}, {"V": [[1, -1]], "beta_star": [1]}],
        )
    ],
    "V is p x p": [
        row(FullLinearFlow, [{"V": [[0]]}], [{"V": [[0, 0]]}], beta_star=[1]),
        row(FullLinearFlow, [{"V": diag(0, 0)}], [{"V": [[0], [0]]}], beta_star=[1, 1]),
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Copies
    "all copies have the same b, V(0) = 0 and a(0), with a_0(0) > ... > a_{p-1}(0)": [
        row(
            ConditionedRegressionFlow,
            [{}, {"X": [[1], ["1/2"]]}],
            [{"a": [[1, 0], [2, 0]]}, {"a": [[1, 1], [1, 1]]}, {"b": [[1], [2]]}, {"V": [[[0, 0]], [[0, "1/64"]]]}],
            V=[[[0, 0]], [[0, 0]]],
            a=[[1, 0], [1, 0]],
            X=[[1], [1]],
            b=[[1], [1]],
        )
    ],
    "two copies with the same X, the second with half the loss of the first": [
        row(
            ConditionedRegressionFlow,
            [{"weight": [1, "1/2"]}],
            [{"weight": ["1/2", 1]}, {"weight": [1, 1]}, {"weight": [1, "1/2"], "X": [[1], ["1/2"]]}],
            V=[[[0]], [[0]]],
            a=[[0], [0]],
            X=[[1], [1]],
            b=[[1], [1]],
        ),
        row(
            ConditionedRegressionFlow,
            [],
            [{"weight": [1, "1/2", "1/2"]}],
            V=[[[0]]] * 3,
            a=[[0]] * 3,
            X=[[1]] * 3,
            b=[[1]] * 3,
        ),
    ],
    "the largest singular value is 1 and kappa does not fall from copy to copy; the losses have the same factor": [
        row(
            ConditionedRegressionFlow,
            [{"X": [[1, 1], [1, "1/2"]]}, {"X": [[1, "1/2"], ["1/2", 1]]}],
            [
                {"X": [[1, "1/2"], [1, 1]]},
                {"X": [["1/2", "1/2"], [1, "1/2"]]},
                {"X": [[1, 1], [1, "1/2"]], "weight": [1, 2]},
            ],
            V=[[[0], [0]]] * 2,
            a=[[0]] * 2,
            b=[[1, 1]] * 2,
        )
    ],
    "in one basis, no singular value grows from copy to copy; the losses have the same factor": [
        row(
            ConditionedRegressionFlow,
            [{"X": [[1, 1], [1, "1/2"]]}, {"X": [[1, 1], [1, 1]]}],
            [{"X": [[1, "1/2"], ["1/2", 1]]}, {"X": [[1, 1], [1, "1/2"]], "weight": [1, 2]}],
            V=[[[0], [0]]] * 2,
            a=[[0]] * 2,
            b=[[1, 1]] * 2,
        )
    ],
    "X is the least singular value alone, along which b lies, and does not grow from copy to copy; "
    "losses have one factor": [
        row(
            ConditionedRegressionFlow,
            [{"X": [[1], ["1/2"]]}, {"X": [[1], [1]]}],
            [{"X": [["1/2"], [1]]}, {"X": [[1], [1]], "weight": [1, 2]}],
            V=[[[0]]] * 2,
            a=[[0]] * 2,
            b=[[1]] * 2,
        ),
        row(ConditionedRegressionFlow, [], [{}], V=[[[0], [0]]], a=[[0]], X=[[1, 1]], b=[[1, 1]]),
    ],
    "the gap starts at 1, D and x at 0": [
        row(
            LinearisedGapFlow,
            [{}],
            [{"gap": 2}, {"D": [0, "1/64"]}, {"x": ["1/64", 0]}, {"gap": -1}],
            w=[1, 1],
            rate=[1, 1],
            gap=1,
            D=[0, 0],
            x=[0, 0],
        )
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Slow clocks: `logs` are log(q_j / q_{p-1}), then log q_{p-1}
    "u_0(0) > u_j(0) and a_0(0) >= a_j(0) for all j >= 1": [
        row(
            SlowFlow,
            [{"gaps": ["1/64"], "logs": [0]}, {"gaps": [1, 1], "logs": [1, -1]}],
            [{"gaps": [0], "logs": [0]}, {"gaps": [1], "logs": ["1/64"]}, {"gaps": [1, 1], "logs": [2, -1]}],
        )
    ],
    "a_0(0) = ... = a_{p-1}(0), as for a(0) = 0": [
        row(
            SlowLogisticFlow,
            [{"gaps": [1], "logs": [0]}, {"gaps": [1, 1], "logs": [0, 0]}],
            [{"gaps": [1], "logs": ["-1/64"]}, {"gaps": [1, 1], "logs": [1, -1]}],
        )
    ],
    "min_i u_i(0) > 0, so m > 0 at every time": [
        row(
            SlowPowerFlow,
            [{"offset": 1, "gaps": ["63/64"]}, {"offset": "1/64", "gaps": [-1]}],
            [{"offset": 1, "gaps": [1]}, {"offset": -1, "gaps": [-2]}, {"offset": 0, "gaps": [-1]}],
            logs=[0],
        )
    ],
    "k >= -1: the loss is linear, or its slope m^{-(k+1)} falls": [
        of(SlowPowerFlow, "k", [-1, 0], [-2], gaps=[1], logs=[0])
    ],
    "x <= 1/16, where x is the distance to the one-hot limit (docs/slow_clocks.md)": [
        # Of two scores x = |log K + logs| + 10/K; log 2^14 = 9.70406052..., and 1/16 - 10/2^14 = 0.06188964...
        of(SlowFlow, "logs", [["-9704/1000"], ["-96422/10000"]], [[0], ["-96421/10000"]], gaps=[2**14], K=2**14)
    ],
    # -----------------------------------------------------------------------------------------------------------------
    # Rows of scores
    "T >= 2": [of(RowAttentionFlow, "u", *AT_LEAST_TWO)],
    "T >= 3": [of(RowAttentionFlow, "u", [[0, 0, 0]], [[0, 0], [0]])],
    "T = 2": [of(RowAttentionFlow, "u", [[0, 0]], [[0], [0, 0, 0]])],
    "T <= 8": [of(RowAttentionFlow, "u", [[0], [0] * 8], [[0] * 9])],
    "T = d": [
        row(FullRowAttentionFlow, [{"V": [[0]]}], [{"V": [[0], [0]]}], beta_star=[1]),
        row(FullRowAttentionFlow, [{"V": diag(0, 0)}], [{"V": [[0, 0]]}], beta_star=[1, 1]),
    ],
    "every row sees every token": [of(RowAttentionFlow, "visible", [ONES], [[[1, 0], [1, 1]], I], u=[0, 0])],
    "row i sees tokens 0..i": [
        of(RowAttentionFlow, "visible", [[[1, 0], [1, 1]]], [ONES, I, [[1, 1], [0, 1]]], u=[0, 0]),
        of(RowAttentionFlow, "visible", [[[1]]], [], u=[0]),
    ],
    "a row that sees a token sees all earlier ones": [
        of(RowAttentionFlow, "visible", [ONES, [[1, 0], [1, 1]]], [I, [[1, 1], [0, 1]]], u=[0, 0]),
    ],
    "A(0) = 0": [of(RowAttentionFlow, "A", [diag(0, 0)], [diag(0, "1/64"), [[0, 1], [0, 0]]], u=[0, 0])],
    "A(0) = 0 but for A_{T-1,T-1} = 5": [
        of(RowAttentionFlow, "A", [diag(0, 5)], [diag(0, 4), diag(1, 5), [[0, 0], [1, 5]], diag(0, 0)], u=[0, 0]),
        of(RowAttentionFlow, "A", [[[5]]], [[[0]]], u=[0]),
    ],
    "all rows of A are equal and see every token": [
        row(
            FullRowAttentionFlow,
            [{"A": [[1, 2], [1, 2]]}],
            [{"A": [[1, 2], [2, 1]]}, {"A": [[1, 2], [1, 2]], "visible": [[1, 0], [1, 1]]}],
            V=[[0], [0]],
            beta_star=[1],
        )
    ],
    "u_0 > ... > u_{T-1} and A_i0 >= ... >= A_i,T-1 in every row": [
        row(
            RowAttentionFlow,
            [{"u": [1, 0], "A": [[1, 1], [1, 0]]}, {"u": [0], "A": [[0]]}],
            [{"u": [1, 1], "A": diag(0, 0)}, {"u": [1, 0], "A": [[1, 1], [0, 1]]}],
        )
    ],
    "u_0 >= u_j and A_i0 >= A_ij for all i, j": [
        row(
            RowAttentionFlow,
            [{"u": [1, 1], "A": ONES}, {"u": [0], "A": [[0]]}],
            [{"u": [0, 1], "A": ONES}, {"u": [1, 0], "A": [[1, 1], [0, 1]]}, {"u": [1, 0], "A": [[0, 1], [1, 1]]}],
        )
    ],
    "u_1 >= u_j for all j": [of(RowAttentionFlow, "u", [[0, 1], [1, 1], [0, 1, 1]], [[0], [1, 0], [0, 1, 2]])],
    "u_0 = u_1": [of(RowAttentionFlow, "u", [[1, 1], [1, 1, 0]], [[1], [1, 0], [1, 0, 1]])],
    "A_i1 >= A_ij for i >= 1 and all j, and sum_{i >= 1} (S_i1 - S_i0) > 1": [
        row(
            RowAttentionFlow,
            # The sum is (e^2 - 1)/(e^2 + 1) + (e^2 - 1)/(e^2 + 2) = 1.44..., of two rows 0.76.
            [{"A": [[0, 0, 0], [0, 2, 0], [0, 2, 0]]}],
            [{"A": diag(0, 0, 0)}, {"A": [[0, 0, 0], [0, 2, 3], [0, 2, 0]]}, {"A": [[0, 0, 0], [0, 2, 0], [3, 2, 0]]}],
            u=[0, 0, 0],
            visible=[[1, 0, 0], [1, 1, 0], [1, 1, 1]],
        ),
        row(RowAttentionFlow, [], [{"u": [0, 0], "A": [[0, 0], [0, 2]]}, {"u": [0], "A": [[0]]}]),
    ],
}
