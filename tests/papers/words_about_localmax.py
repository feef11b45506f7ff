"""What hypotheses about localmax say in words, and of which instances it is so."""

from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.paired_localmax import TwoSensitivities
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax
from tests.papers.words_and_instances import ROUND, Row, between, diag, of, row, rules, schedules, visit

ABOUT_LOCALMAX: dict[str, list[Row]] = {
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
        ),
        # The least positive gaps of the first steps are 1/4, 3/16 and 7/64, that of the next one is 15/256.
        of(LocalmaxStep, "delta", ["27/256"], ["7/64"], z=[[1], ["1/2"]], gamma="1/2"),
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
            # Of 0 and 3 the first attends to both, the second to itself alone.
            [{"z": [[1], [2]], "delta": 0}, {"z": [[0], [3]], "delta": 1}],
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
}
