"""Tokens move at bounded speed: false, they move at most exponentially.

Proposition `p:wellposedparticles` (clusters W1) has a unique "Lipschitz continuous" solution; only locally Lipschitz is
meant and true. One token with V = 1 is e^t x_0, which outruns any bound L; read here with L = 4 max_j |V x_j(0)|.
"""

from flint import fmpq

from claims.clusters.setting import sizes, squared_norms
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import transposed
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Proposition p:wellposedparticles, 'Lipschitz continuous'",
    refs=("W1", "W2"),
    note=(
        "One token at 1 with V = 1 is e^t, and at t = 3/2 its speed exceeds L = 4; it exceeds every other L "
        "later. The solution is Lipschitz on bounded times only: |x_i'| <= max_j |V x_j|."
    ),
    statement="The solution t -> x(t) is Lipschitz: |x_i'(t)| <= L for all t, with L = 4 max_j |V x_j(0)| for one.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    standing=Standing.FALSE,
    corrected_by="clusters.speed_is_bounded_by_the_largest_token",
    defect=Defect(
        Kind.CASE,
        quotation=r"The solution $t \mapsto x(t)$ is Lipschitz continuous.",
        context=r"Proposition p:wellposedparticles: $\dot x_i = \sum_j P_{ij} V x_j$ from any $x(0)$, for all $t \ge 0$.",
        wrong=r"Solutions may grow exponentially: they are Lipschitz on bounded intervals only.",
        correction=r"The solution is locally Lipschitz: $|\dot x_i(t)| \le \max_j |V x_j(t)|$.",
        consequences=(
            Consequence(
                "existence and uniqueness",
                survives=True,
                why="They need no global constant.",
                shown_by="clusters.speed_is_bounded_by_the_largest_token",
            ),
        ),
    ),
)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(3, 2))
def limit_less_speed(now: SelfAttentionFlow, start: SelfAttentionFlow, *, bound=4):
    """L^2 - |x_i'(t)|^2, where something moves at the start."""
    values = squared_norms(start.x @ transposed(start.V))
    if not (values != 0).any():
        return values[:0]
    return bound**2 * sizes(values) - squared_norms(now.drift())


@claim.by_hand(by_argument=True, x=[[1]], B=[[1]], V=[[1]])
def one_token(f: SelfAttentionFlow):
    """x = e^t."""
    yield rf"Take $d = n = 1$, $V = 1$, $x(0) = {tex(f.x[0, 0])}$. Then $P_{{11}} = 1$ and $\dot x = x$, so $x(t) = e^t$."
    yield r"$\dot x(t) = e^t$ exceeds every constant $L$ at $t = \log L + 1$."
