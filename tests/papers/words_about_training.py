"""What hypotheses about scores and values say in words, and of which instances it is so."""

from dynamics.training.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.training.gradient_descent import LogisticDescent
from dynamics.training.kl_loss import FullValuesKLFlow
from dynamics.training.row_attention import EqualRowsFlow, FullRowAttentionFlow, RowAttentionFlow
from dynamics.training.score_maps import AnyMapFlow, CubeMapFlow, ElementwiseReluFlow, IdentityMapFlow, OnePlusSigmoidFlow
from dynamics.training.slow_clocks import PathFlow, SlowFlow, SlowLogisticFlow, SlowPowerFlow
from dynamics.training.value_softmax import FullClockFlow, FullLinearFlow, FullSquareFlow, LogisticFlow, SquareLossFlow
from tests.papers.words_and_instances import (
    AT_LEAST_TWO,
    EQUAL,
    FALLING,
    ONES,
    POSITIVE,
    STRICTLY_FALLING,
    ZERO,
    I,
    Row,
    diag,
    of,
    of_scores,
    row,
)

ABOUT_TRAINING: dict[str, list[Row]] = {
    # -----------------------------------------------------------------------------------------------------------------
    # Scores and values
    "p >= 2": [
        of(LogisticFlow, "u", *AT_LEAST_TWO),
        of(EqualRowsFlow, "u", *AT_LEAST_TWO),
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
    "x <= 1/16, where x is the distance to the one-hot limit (docs/limits_of_training.md)": [
        # Of two scores x = |log K + logs| + 10/K; log 2^14 = 9.70406052..., and 1/16 - 10/2^14 = 0.06188964...
        of(SlowFlow, "logs", [["-9704/1000"], ["-96422/10000"]], [[0], ["-96421/10000"]], gaps=[2**14], K=2**14),
        # Of three x = 10/K + e where log q_j are e and -e off balance; 10/K + 3 e where gaps are, by e, and log q_j by 2 e.
        row(
            SlowFlow,
            [{"logs": ["1236/10000", "-101713256/10000000"], "gaps": [2**14, 2**14]}],
            [{"logs": ["1240/10000", "-101715256/10000000"], "gaps": [2**14, 2**14]}],
            K=2**14,
        ),
        row(
            SlowFlow,
            [{"logs": ["82032/1000000", "-101505416/10000000"], "gaps": [2**14 + 336, 2**14 - 336]}],
            [{"logs": ["83008/1000000", "-101510296/10000000"], "gaps": [2**14 + 340, 2**14 - 340]}],
            K=2**14,
        ),
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
