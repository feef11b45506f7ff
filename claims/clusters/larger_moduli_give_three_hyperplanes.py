"""A simple lambda_1 > 0 ahead of the real parts of all others gives three hyperplanes: false beside a larger modulus.

Theorem 4.2 asks of a good triple that lambda_1 is the largest modulus (clusters D4.1, T3); without it, V = diag(1, -mu,
-mu) with mu >= 1 and Q^T K = diag(1, -1, -1) is a counterexample (clusters CE8, N4). Tokens (f, y) and (f, -y) look at
one another, y grows like e^{mu t} and outweighs f: four pairs keep four heights, by Lemma R of docs/flow_limits.md.
Whether Q^T K > 0 mends it is open (`coordinates_of_a_falling_rate_stay_bounded`).
"""

from flint import fmpq

from claims.clusters.setting.hypotheses_of_open_problems import positive_first_self_score, simple_growing_rate
from claims.clusters.setting.starts_of_open_problems import mirrored_pairs_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import PairsEnd, pairs_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 4.2 for lambda_1 the largest real part",
    refs=("CE8", "N4", "D4.1", "T3"),
    note=(
        "With V = diag(1, -1, -1) and Q^T K = diag(1, -8, -8) tokens (f, y), (f, -y) look at one another, and y "
        "outweighs f: four such pairs with f = 0, 1, 2, 3 keep four different limits of phi_1. If lambda_1 is the"
        " largest modulus as well, there are at most three hyperplanes."
    ),
    statement=(
        "If lambda_1 > 0 is simple, larger than the real parts of all other eigenvalues, and <Q phi_1, K phi_1> > 0, then "
        "every z_i tends to one of at most three parallel hyperplanes."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(simple_growing_rate, positive_first_self_score),
    draw=mirrored_pairs_start,
    standing=Standing.FALSE,
    corrected_by="clusters.good_triples_give_three_hyperplanes",
)


@claim.limit(">= 0", times=lambda start: [fmpq(1, 64)], trap=pairs_trap)
def three_less_hyperplanes(end: PairsEnd, start: RescaledFlow):
    """3 minus the number of different limits of phi_1(z_i)."""
    return exact([3 - end.number_of_limits])
