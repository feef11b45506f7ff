"""Every token converges to its vertex at least exponentially fast: false, steps that are summable stop it on the way.

Last sentence of Theorem 4.2 (frank_wolfe FW-8), for any gamma^t in (0, 1). The distance left is prod (1 - gamma^s) of
the first, which tends to 0 if and only if the steps sum to infinity. Here the steps are read as halving for ever after
the last one listed, gamma^{T-1+k} = gamma^{T-1}/2^k: then prod >= prod_{s<T} (1 - gamma^s) (1 - gamma^{T-1}) > 0 for all
times. With gamma^t = 2^{-t-1} from the start the product is 0.2887...
"""

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import one_matrix, steps_inside_unit_interval
from claims.frank_wolfe.setting.runs import (
    definite_scores_of_these_cells,
    one_cell_at_the_start,
    own_cells_at_the_start,
    run_with_definite_scores,
)
from claims.statement import FRANK_WOLFE, Claim, Origin, Standing
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
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
)


@claim.orbit(">= 0", exact_only=True)
def no_distance_is_kept(f: ScheduledHardmax):
    """Minus a bound from below for |x_i^t - v_i|^2 at all times t, if steps halve after the last one listed."""
    rest = run(f)[-1].x - f.targets()
    return -((1 - f.gamma[-1]) ** 2) * (rest * rest).sum(axis=-1)
