"""Tokens near the vertices stay in their groups' tubes exponentially long: false with the exponent eps/gamma.

Theorem 5.4 (frank_wolfe FW-15): for eps < eps_* and eps/gamma >= 2 D(K),
P[T_2 >= t] >= 1 - exp((1 + eps/gamma)(log(gamma t/eps) + log n) - beta c_0 eps/(2 gamma)), t > 1. One pick moves a token
by up to gamma D(K), so eps/(gamma D(K)) picks suffice to leave, not eps/gamma: the bound does not scale. Where D(K) > 2 it
is violated from starts at or very near the vertices, and by a factor that grows like e^{c beta}: neither C, tau and eps_*
nor beta_* help. Nor do other units: see `escape_takes_exponentially_long_at_unit_radius` and
`escape_takes_exponentially_long_at_unit_diameter`.
"""

from claims.defects import Consequence, Defect, Kind
from claims.frank_wolfe.setting.near_vertices import thin_tube, tokens_within_tau
from claims.frank_wolfe.setting.polytopes import chain_near_vertices
from claims.frank_wolfe.setting.tubes import acute_vertices, equal_norms, own_cells, small_step, tokens_in_polytope
from claims.statement import Claim, Origin, Standing, Tail
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="Theorem 5.4 (lem: metastab.1)",
    refs=("FW-15",),
    note=(
        "One pick moves a token by up to gamma D(K), not gamma: with v = 2 and -2, gamma = 1/32 and eps = 1/4 "
        "three picks of the cost 21.85 together lead out, and the bound counts on c_0 eps/(2 gamma) = 32. With k "
        "= eps/(gamma D(K)) picks in the place of eps/gamma a bound of this form holds."
    ),
    statement=(
        "P[T_2 >= t] >= 1 - exp((1 + eps/gamma) log(gamma t/eps) + (1 + eps/gamma) log n - beta c_0 eps/(2 gamma))."
    ),
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(acute_vertices, equal_norms, own_cells, tokens_in_polytope, tokens_within_tau, thin_tube, small_step),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
    draw=chain_near_vertices,
    defect=Defect(
        Kind.THEOREM,
        quotation=(
            r"There is $\varepsilon_* > 0$ such that for $\varepsilon < \varepsilon_*$ and $\varepsilon / \gamma "
            r"\ge 2 D(K)$, $t > 1$: $P[T_2 \ge t] \ge 1 - \exp\big((1 + \frac{\varepsilon}{\gamma}) \log "
            r"\frac{\gamma t}{\varepsilon} + (1 + \frac{\varepsilon}{\gamma}) \log n - \frac{\beta c_0 "
            r"\varepsilon}{2 \gamma}\big)$."
        ),
        context=(
            r"Tokens start within $C \tau$ of vertices $v_i$ of equal norms with acute angles, $\langle v_i, v_i "
            r"\rangle \ge \langle v_i, v_l \rangle + c_0$; each moves by $x_i \to (1 - \gamma) x_i + \gamma x_J$, "
            r"$P(J = j) = a_{ij}$; $T_2$ is the first time at which a token is farther than $\varepsilon$ from "
            r"the convex hull of the starts of its group."
        ),
        wrong=(
            r"One pick moves a token by up to $\gamma D(K)$, not by $\gamma$: some $\varepsilon / (\gamma D(K))$ "
            r"picks lead out, which cost $\beta c_0$ each, and the bound counts $\varepsilon / (2 \gamma)$ of "
            r"them."
        ),
        correction=(
            r"A bound of this form holds with $k = \varepsilon / (\gamma D(K))$ in the place of $\varepsilon / "
            r"\gamma$."
        ),
        consequences=(
            Consequence(
                "abstract, times that grow exponentially in $\\beta$",
                survives=True,
                why="With the smaller exponent.",
                shown_by="frank_wolfe.escape_takes_exponentially_long_in_diameters",
            ),
        ),
        reading=(
            r"$\varepsilon / \gamma$ is a length, so the bound depends on the unit. With $|v_i| = 1$ or $D(K) = 1$ as "
            r"the unit it fails as well."
        ),
    ),
)


@claim.probability()
def escape_before_t(f: AttentionChain):
    """P[T_2 < t] <= exp((1 + eps/gamma)(log(gamma t/eps) + log n) - beta c_0 eps/(2 gamma))."""
    ratio = f.eps.item() / f.gamma.item()
    t, n = int(f.steps.item()), len(f.x)
    chance = log(numbers(t / ratio)).item() + log(numbers(0 * ratio + n)).item()
    return Tail(f, (1 + ratio) * chance - f.beta.item() * f.c_0 * ratio / 2)


@claim.by_hand(by_argument=True)
def three_picks_lead_out(_: object):
    """A path of three picks beside the bound."""
    yield (
        r"Take $d = 1$, $v = \pm 2$, so $D(K) = 4$ and $c_0 = 8$; one token at each vertex, $n = 2$; $\varepsilon "
        r"= 8 \gamma$ with any $\gamma \le \tfrac{1}{32}$, so $\varepsilon / \gamma = 2 D(K)$."
    )
    yield (
        r"A step changes their distance, $4$ at first, by a factor of $1 - 2 \gamma$ or more. If the token at $2$ picks "
        r"the other three times, it moves by $4 \gamma (1 + (1 - 2 \gamma) + (1 - 2 \gamma)^2) > 8 \gamma = \varepsilon$ "
        r"or more: $T_2 \le 3$."
    )
    yield (
        r"At $x$ it picks the other, at $y$, with probability $1 / (1 + e^{\beta x (x - y)}) \ge \tfrac12 e^{-8 \beta}$, "
        r"since $x \le 2$ and $x - y \le 4$: $P[T_2 < 4] \ge \tfrac18 e^{-24 \beta}$."
    )
    yield (
        r"At $t = 4$ the bound is $P[T_2 < 4] \le \exp(9 \log \tfrac12 + 9 \log 2 - 32 \beta) = e^{-32 \beta}$: "
        r"exceeded for every $\beta \ge 1$, since $e^8 > 8$."
    )
