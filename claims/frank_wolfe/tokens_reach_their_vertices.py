"""Every token converges to its vertex at least exponentially fast: false, steps that are summable stop it on the way.

Last sentence of Theorem 4.2 (frank_wolfe FW-8), for any gamma^t in (0, 1). The distance left is prod (1 - gamma^s) of
the first, which tends to 0 if and only if the steps sum to infinity. Here the steps are read as halving for ever after
the last one listed, gamma^{T-1+k} = gamma^{T-1}/2^k: then prod >= prod_{s<T} (1 - gamma^s) (1 - gamma^{T-1}) > 0 for all
times. With gamma^t = 2^{-t-1} from the start the product is 0.2887...
"""

from claims.defects import Consequence, Defect, Kind
from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import one_matrix, steps_inside_unit_interval
from claims.frank_wolfe.setting.runs import (
    definite_scores_of_these_cells,
    one_cell_at_the_start,
    own_cells_at_the_start,
    run_with_definite_scores,
)
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2 (thm: exp.fast.polytope), last sentence",
    refs=("FW-8", "FW-16"),
    note=(
        "Steps in (0, 1) may have a finite sum: if gamma^0 = 3/8 and each later step is half of the one before, "
        "the token 1 among 4 and -1 stays 75/64 or more away from its vertex 4 for ever. If gamma^t >= c > 0 for "
        "all t, a step leaves at most the part 1 - c of the distance."
    ),
    statement="If gamma^t in (0,1), x_i^t -> v_sigma(i) at least exponentially fast.",
    origin=Origin.REPORTED,
    system=ScheduledHardmax,
    assumptions=(
        definite_scores_of_these_cells,
        one_matrix,
        steps_inside_unit_interval,
        own_cells_at_the_start,
        one_cell_at_the_start,
    ),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.tokens_reach_their_vertices_under_bounded_steps",
    draw=run_with_definite_scores,
    defect=Defect(
        Kind.CASE,
        quotation=r"If $\gamma^t \in (0, 1)$, $x_i^t \to v_{\sigma(i)}$ at least exponentially fast.",
        context=(
            r"Theorem 4.2: $B > 0$ constant, every vertex in its own cell alone, token $i$ in the cell of "
            r"$v_{\sigma(i)}$, so that $x_i^{t+1} = x_i^t + \gamma^t (v_{\sigma(i)} - x_i^t)$."
        ),
        wrong=r"Steps in $(0, 1)$ may have a finite sum, and then the token stops on its way.",
        correction=(
            r"If $\gamma^t \ge c > 0$ for all $t$, then $|x_i^t - v_{\sigma(i)}| \le (1 - c)^t |x_i^0 - "
            r"v_{\sigma(i)}|$."
        ),
        consequences=(
            Consequence(
                "the formula of Theorem 4.2",
                survives=True,
                why=r"Only its last sentence fails.",
                shown_by="frank_wolfe.tokens_reach_their_vertices_under_bounded_steps",
            ),
        ),
    ),
)


@claim.orbit(">= 0", exact_only=True)
def no_distance_is_kept(f: ScheduledHardmax):
    """Minus a bound from below for |x_i^t - v_i|^2 at all times t, if steps halve after the last one listed."""
    rest = run(f)[-1].x - f.targets()
    return -((1 - f.gamma[-1]) ** 2) * (rest * rest).sum(axis=-1)


@claim.by_hand(by_argument=True)
def a_product_that_stays_positive(_: object):
    """The distance is a product of 1 - gamma^t."""
    yield (
        r"Take $d = 1$, $B = 1$, tokens $1$, $-1$ and $\tfrac12$, which lies in the cell of $1$; $\gamma^t = "
        r"2^{-(t+1)} \in (0, 1)$."
    )
    yield r"$|x^t - 1| = \tfrac12 \prod_{s < t} (1 - 2^{-(s+1)})$."
    yield (
        r"$\prod_{s < t} (1 - 2^{-(s+1)}) \ge \tfrac12 \big(1 - (\tfrac14 + \tfrac18 + \dots)\big) = \tfrac14$: "
        r"the token stays $\tfrac18$ or more away from $1$ for ever."
    )
