"""What hypotheses about tokens and matrices say in words, and of which instances it is so."""

from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.discrete_attention import AttentionStep, RescaledAttentionStep
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.multi_head import MultiHeadStep
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.schedules import ScheduledHardmax
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts
from dynamics.tokens.two_starts import TwoStarts
from tests.papers.words_and_instances import (
    ALONE,
    DEFINITE,
    DEFINITE_PART,
    FREE,
    HULL_AROUND_ZERO,
    INVERTIBLE,
    MANY,
    NEGATIVE,
    NOT_ZERO,
    ONES,
    OUT_IN_BETWEEN,
    SEMIDEFINITE,
    SHEAR,
    SWAP,
    SYMMETRIC,
    TURN,
    TWO_GENUINE_VALUES,
    UNITS,
    WIDE,
    I,
    Row,
    between,
    chain,
    crowds,
    diag,
    lines,
    negative,
    of,
    of_matrix,
    once,
    row,
    steps,
)

ABOUT_TOKENS: dict[str, list[Row]] = {
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
    "pi_F A = 1 on F, where Q^T K = 1 + C C^T, C = pi_F A on G": [
        of_matrix(
            RescaledFlow,
            "B",
            [[[1]], [[2]], I, [[2, 1], [1, 2]], diag(1, 3)],
            [[[0]], [["63/64"]], ONES, [[1, 1], [-1, 1]], diag(2, 0), [[1, 1], [1, 2]]],
        )
    ],
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
                    for z in (
                        *([[1, -1], [1, 1]], [[1, 0], [1, 0]], [[2, 1], [2, -1]], [[1, 1], [1, -2]]),
                        *([[1, 1], [1, -1], [1, 1]], [[1], [1]]),
                    )
                ),
            ],
        )
    ],
    "n = 2, d = 1, Q^T K = V = 1, x_1 <= -1, -1/4 <= y_1 < 0, 1 <= x_2 = y_2 <= 2 at the start": [
        row(
            TwoStarts,
            [{"x": [[x], [last]], "y": [[y], [last]]} for x, y, last in ((-1, "-1/4", 1), (-2, "-1/64", 2))],
            [
                *(
                    {"x": [[x], [last]], "y": [[y], [same]]}
                    for x, y, last, same in (
                        ("-63/64", "-1/4", 1, 1),
                        (-1, "-17/64", 1, 1),
                        (-1, 0, 1, 1),
                        (-1, "-1/4", "63/64", "63/64"),
                        (-1, "-1/4", "129/64", "129/64"),
                        (-1, "-1/4", 1, 2),
                    )
                ),
                *({"x": [[-1], [1]], "y": [["-1/4"], [1]], name: [[2]]} for name in ("B", "V")),
                {"x": [[-1], [1], [1]], "y": [["-1/4"], [1], [1]]},
                {"x": [[-1, 0], [1, 0]], "y": [["-1/4", 0], [1, 0]]},
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
                {"x": [[0, 0]], "V": [[[2, 1], [1, 2]]] * 2, "B": [[[2, 1], [1, 2]]] * 2},
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
            [{"B": B} for B in ([[0, 1], [0, 0]], I, TURN, [[0, 1], [1, 1]], [[-1, 1], [1, 0]])]
            + [{"B": SWAP, "x": [[0, 0], [-1, 0], [0, -1]]}],
            x=[[0, 0], [1, 0], [0, 1]],
        ),
        row(HardmaxStep, [], [{"B": [[1]]}], x=[[0], [1]]),
    ],
    "the leaders of each token are at one point at every step": [
        row(
            HardmaxStep,
            [{"x": [[1], [-1]]}, {"x": [[1]]}, {"x": [[1], [1], [-1]]}],
            [{"x": [[1], [-1], [0]]}, {"x": [[0], [1]]}],
            # A step of 3 is no average, and no state recurs: of what comes after the first steps nothing is known here.
            [{"x": [[1], [-1]], "B": [[-1]], "P": [[3]]}],
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
        chain([], [{"x": [[0], [1], ["3/4"]], "group": [0, 1, 1]}, {"x": [[1], ["3/4"]], "group": [1, 1]}], v=[[0], [1]]),
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
        # tau = min(1/2, 3/4 M): T is 1 for M = 3/5, 2 for M = 17/20 and 3 for M = 9/10.
        chain(
            [{"x": [[1], [-1], [x]], "beta": beta} for x, beta in (("2/5", 10), ("3/20", 27), ("1/10", 54))],
            [{"x": [[1], [-1], [x]], "beta": beta} for x, beta in (("2/5", 9), ("3/20", 26), ("1/10", 53))],
            gamma="1/4",
            group=[0, 1, 0],
        ),
    ],
    "K = [-s, s] on a line": [
        chain([{}, {"v": [[-2], [2]]}], [{"v": [[1], [-2]]}, {"v": [[0], [1]]}]),
        chain([], [{"v": [[1, 0], [-1, 0]]}], x=[[0, 0]], group=[0]),
        chain([], [{"v": [[1], [-1], [0]]}]),
    ],
    "every token is within r of its vertex, 4 R r + 2 r^2 <= c_0 / 2": [
        chain([{}, {"x": [["7/8"], [-1]]}], [{"x": [["3/4"], [-1]]}, {"v": [[1], [2]], "x": [[1], [2]]}]),
        # c_0 = 2 and R = 1: r may be sqrt(6)/2 - 1 = 0.22474..., and is sqrt(2) times 157 or 160 thousandths.
        chain(
            [{"x": [["843/1000", "157/1000"], [-1, 0]]}],
            [{"x": [["840/1000", "160/1000"], [-1, 0]]}],
            v=[[1, 0], [-1, 0]],
        ),
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
        # Far beyond, c_0/2 - 2 eps^2 is so negative that its square is the larger one again.
        chain([{"eps": "63/64"}], [{"eps": 1}, {"eps": "65/64"}, {"eps": 64}], **WIDE),
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
        chain([{}, {"eps": "63/64"}, {"eps": 1, "steps": 3}, OUT_IN_BETWEEN], [{"eps": 1}, {"steps": 1}, MANY])
    ],
    "no picks, 4096 combinations at most, lead out of the tubes before t": [
        chain([{"eps": 1}, {"steps": 1}], [{}, {"eps": 1, "steps": 3}, OUT_IN_BETWEEN, MANY])
    ],
    "the searches for the cheapest way out and the longest wait end, and each token scores itself highest": [
        chain([{}], [{"x": [[1], [2]]}], [{"eps": 1}]),
    ],
    "each token scores itself highest; the search for the longest wait ends, or finds one that is longer than the first": [
        chain([{}], [{"x": [[1], [2]]}], [{"eps": 1}]),
    ],
}
