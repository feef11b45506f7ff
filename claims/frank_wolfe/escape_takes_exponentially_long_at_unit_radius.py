"""The bound on escapes for polytopes whose vertices have norm 1: false as well.

Theorem 5.4 (frank_wolfe FW-15) where lengths are measured by |v_i| = 1, so that D(K) <= 2 and eps/gamma >= 2 D(K) is a
number of steps. K = [-1, 1] has D = 2 and c_0 = 2. From its ends a token leaves a tube of width eps, a little less than
1 - (1 - 2 gamma s) = 2 gamma s for s steps, by s picks, whose costs 2 - 6 gamma l fall as it moves: together
2 s - 3 gamma s (s - 1), less than the 2 s - gamma s (s - 1) of the bound. So every larger beta fails alike, and so does
every smaller gamma, with eps as small as one likes: neither C tau nor eps_* nor beta_* helps.
"""

from claims.frank_wolfe.escape_takes_exponentially_long import escape_before_t
from claims.frank_wolfe.setting.near_vertices import chain_of_unit_radius, thin_tube, tokens_within_tau, unit_radius
from claims.frank_wolfe.setting.tubes import acute_vertices, own_cells, small_step, tokens_in_polytope
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.4 (lem: metastab.1), for |v_i| = 1",
    refs=("FW-15",),
    note=(
        "With v = 1 and -1, gamma = 1/64 and eps = 7/76 three picks lead out, each cheaper than the one before; "
        "they cost 5.73 together, and the bound counts on c_0 eps/(2 gamma) = 5.89. With k = eps/(gamma D(K)), "
        "half as many picks, a bound of this form holds."
    ),
    statement="For |v_i| = 1: P[T_2 >= t] >= 1 - exp((1 + eps/gamma) log(gamma t n/eps) - beta c_0 eps/(2 gamma)).",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(
        acute_vertices,
        own_cells,
        tokens_in_polytope,
        tokens_within_tau,
        thin_tube,
        small_step,
        unit_radius,
    ),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
    draw=chain_of_unit_radius,
    defect="frank_wolfe.escape_takes_exponentially_long",
)

claim.probability()(escape_before_t)
