"""Tokens near the vertices stay in their groups' tubes exponentially long: false with the exponent eps/gamma.

Theorem 5.4 (frank_wolfe FW-15): for eps < eps_* and eps/gamma >= 2 D(K),
P[T_2 >= t] >= 1 - exp((1 + eps/gamma)(log(gamma t/eps) + log n) - beta c_0 eps/(2 gamma)), t > 1. One pick moves a token
by up to gamma D(K), so eps/(gamma D(K)) picks suffice to leave, not eps/gamma: the bound does not scale. Where D(K) > 2 it
is violated from starts at or very near the vertices, and by a factor that grows like e^{c beta}: neither C, tau and eps_*
nor beta_* help. Nor do other units: see `escape_takes_exponentially_long_at_unit_radius` and
`escape_takes_exponentially_long_at_unit_diameter`.
"""

from claims.frank_wolfe.setting.near_vertices import thin_tube, tokens_within_tau
from claims.frank_wolfe.setting.polytopes import chain_near_vertices
from claims.frank_wolfe.setting.tubes import acute_vertices, equal_norms, own_cells, small_step, tokens_in_polytope
from claims.statement import FRANK_WOLFE, Claim, Origin, Standing, Tail
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="Theorem 5.4 (lem: metastab.1)",
    refs=("FW-15",),
    note=(
        "One pick moves a token by up to gamma D(K), not gamma: with v = 2 and -2, gamma = 1/32 and eps = 1/4 "
        "three picks of the cost 21.85 together lead out, and the bound counts on c_0 eps/(2 gamma) = 32. With k "
        "= eps/(gamma D(K)) picks in the place of eps/gamma a bound of this form holds."
    ),
    statement="P[T_2 >= t] >= 1 - exp((1 + eps/gamma) log(gamma t/eps) + (1 + eps/gamma) log n - beta c_0 eps/(2 gamma)).",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(acute_vertices, equal_norms, own_cells, tokens_in_polytope, tokens_within_tau, thin_tube, small_step),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
    draw=chain_near_vertices,
)


@claim.probability()
def escape_before_t(f: AttentionChain):
    """P[T_2 < t] <= exp((1 + eps/gamma)(log(gamma t/eps) + log n) - beta c_0 eps/(2 gamma))."""
    ratio = f.eps.item() / f.gamma.item()
    t, n = int(f.steps.item()), len(f.x)
    chance = log(numbers(t / ratio)).item() + log(numbers(0 * ratio + n)).item()
    return Tail(f, (1 + ratio) * chance - f.beta.item() * f.c_0 * ratio / 2)
