"""The bound on escapes for polytopes of diameter 1: false as well.

Theorem 5.4 (frank_wolfe FW-15) where lengths are measured by D(K) = 1, so that eps/gamma is eps/(gamma D(K)). K =
[-1/2, 1/2] has c_0 = 1/2 and tau = 1/4, where the first phase had its free tokens farther than that from their
vertices: tokens at 1/4 and -1/4 are in B(v_i, C tau) for every C >= 1. A pick costs 1/8, falling as the token moves,
and moves it by gamma/2. So s picks cost s/8 - 3 gamma s (s - 1)/16 together, less than the s/8 - gamma s (s - 1)/16 of
the bound for the tube that they lead out of. Every larger beta fails alike, and every smaller gamma and eps. From the
vertices themselves the bound is met here: a smaller C tau would do, C tau as it is does not.
"""

from claims.frank_wolfe.escape_takes_exponentially_long import escape_before_t
from claims.frank_wolfe.setting.near_vertices import chain_of_unit_diameter, thin_tube, tokens_within_tau, unit_diameter
from claims.frank_wolfe.setting.tubes import acute_vertices, equal_norms, own_cells, small_step, tokens_in_polytope
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.4 (lem: metastab.1), for D(K) = 1",
    refs=("FW-15",),
    note=(
        "With v = 1/2 and -1/2, gamma = 1/64, eps = 4/89 and a token at -1/4, within tau of its vertex, four "
        "picks of the cost 0.682 together lead out, and the bound counts on c_0 eps/(2 gamma) = 0.719: at beta = "
        "210 it is exceeded by a factor of e^4. With k = eps/(gamma D(K)) a bound of this form holds for tokens "
        "so near the vertices that the gap of scores remains c_0/2 in the tubes."
    ),
    statement="For D(K) = 1: P[T_2 >= t] >= 1 - exp((1 + eps/gamma) log(gamma t n/eps) - beta c_0 eps/(2 gamma)).",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(
        acute_vertices,
        equal_norms,
        own_cells,
        tokens_in_polytope,
        tokens_within_tau,
        thin_tube,
        small_step,
        unit_diameter,
    ),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
    draw=chain_of_unit_diameter,
    defect="frank_wolfe.escape_takes_exponentially_long",
)

claim.probability()(escape_before_t)
