"""Mean-centering of the score gradient drives the scores to one-hot: false, with f(x) = x they leave the simplex.

Beside section 3.2 (polarization C-mech, E20), which calls mean-centering the key mechanism and says itself that with f(x)
= x "the polarization is typically insufficient": that mean-centering alone suffices is not printed. Under s_i = a_i / F
the smallest weight turns negative. `linear_map_leaves_simplex` says what happens instead.
"""

from claims.polarization.setting.maps import clear_leader, equal_scores, positive_scores
from claims.polarization.setting.scores import ordered_values, two_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.score_maps import IdentityMapFlow

claim = Claim(
    __name__,
    where="section 3.2, other normalization functions: is the mechanism sufficient?",
    refs=("C-mech", "E20", "C-fx"),
    note=(
        "The map f(x) = x is centered, and leaves the simplex: from u(0) = (2, 0), a(0) = (1, 1) the score a_1 is"
        " -0.488 at the clock time 1/2. Under this map the sum of the scores falls to 0 at a finite clock time, "
        "while |a|^2 is kept: nothing becomes one-hot."
    ),
    statement="Under every increasing f the normalised map, with its mean-centered gradient, keeps weights nonnegative.",
    origin=Origin.OURS,
    system=IdentityMapFlow,
    assumptions=(two_scores, equal_scores, positive_scores, ordered_values, clear_leader),
    standing=Standing.FALSE,
    corrected_by="polarization.linear_map_leaves_simplex",
)


@claim.trajectory(">= 0", horizon=lambda start: 8 / (5 * (start.u[0] - start.u[-1])))
def smallest_score_stays_nonnegative(now: IdentityMapFlow, start: IdentityMapFlow):
    """a_{p-1} = F s_{p-1}, in the clock with dtau = F^2; it falls below 0 while F > 0."""
    return now.a[-1:]
