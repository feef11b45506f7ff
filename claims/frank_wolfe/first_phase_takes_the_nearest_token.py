"""In T_1 steps every free token comes within C tau of its vertex, C universal: false.

Theorem 5.2 (frank_wolfe FW-14). T_1 = floor(log(tau/m) / log(1 - gamma)) is the time of the *nearest* free token,
m = min_j |x_j^0 - v_sigma(j)|. With probability 1 - O(e^{-c beta^{5/8}}) all go straight to their vertices, and one at
distance M is then at (1 - gamma)^{T_1} M, about (M/m) tau: no C does, universal or dependent on K and gamma. With one
free token the floor loses a step, a factor up to 1/(1 - gamma): a thin acute triangle. Every larger beta fails alike,
so beta_* does not help. Hypothesis (i) is read as acute angles: literally, arccos <x - v_i, y - v_i>, no K has it.
"""

from claims.defects import Consequence, Defect, Kind
from claims.frank_wolfe.setting.first_phase import (
    free_tokens_deep_in_cells,
    near_radius_squared,
    squared_reaches,
    steps_of_the_nearest,
    token_at_each_vertex,
    tokens_in_eroded_cells,
)
from claims.frank_wolfe.setting.tubes import acute_vertices, equal_norms, own_cells
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp, log, numbers
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.pick_sequences import law_after

claim = Claim(
    __name__,
    where="Theorem 5.2 (lem: first.phase)",
    refs=("FW-14", "FW-16"),
    note=(
        "T_1 is the time of the nearest free token, when others are still on their way: with v = 1 and -1, free "
        "tokens at 5/8 and 4095/4096, gamma = 3/4 and beta = 2^48 the chance is almost 0 where 1 - 2^{-6} is "
        "promised. The steps of the farthest token, T = ceil(log(tau/M)/log(1 - gamma)), suffice."
    ),
    statement="P(x_i^{T_1} in B(v_i, beta^{-1/4}), i <= kappa; in B(v_sigma(i), C tau), i > kappa) >= 1 - beta^{-1/8}.",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(acute_vertices, equal_norms, own_cells, token_at_each_vertex, tokens_in_eroded_cells),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.first_phase_takes_the_farthest_token",
    draw=free_tokens_deep_in_cells,
    defect=Defect(
        Kind.THEOREM,
        quotation=(
            r"There are a universal $C > 1$ and $\beta_*$ such that for $\beta \ge \beta_*$: $P\big(x_i^{T_1} \in "
            r"B(v_i, \beta^{-1/4}), i \le \kappa$; $x_i^{T_1} \in B(v_{\sigma(i)}, C \tau), i > \kappa\big) \ge 1 "
            r"- \beta^{-1/8}$."
        ),
        context=(
            r"$m = \min_{j > \kappa} |x_j^0 - v_{\sigma(j)}|$, $\tau = \min\{\min_{i \neq j} \frac{c_0}{2 |v_i - "
            r"v_j|}, \frac{\sqrt{2 c_0}}{2}, (1 - \gamma) m\}$, $T_1 = \lfloor \log(\tau / m) / \log(1 - \gamma) "
            r"\rfloor$; the first $\kappa$ tokens are the vertices, $\langle v_i, v_i \rangle \ge \langle v_i, "
            r"v_l \rangle + c_0$; each token moves by $x \to (1 - \gamma) x + \gamma y$, $y$ "
            r"one of the tokens. Free tokens start in $K$ where, with a ball of radius $\beta^{-1/4}$, "
            r"$\langle v_{\sigma(i)} - v_j, x \rangle \ge \beta^{-1/8}$ for all $j \neq \sigma(i)$."
        ),
        wrong=r"$T_1$ is the time of the nearest free token; a farther one is still on its way, whatever it picks.",
        correction=(
            r"With $M = \max_{j > \kappa} |x_j^0 - v_{\sigma(j)}|$ the steps $T = \lceil \log(\tau / M) / \log(1 "
            r"- \gamma) \rceil$ suffice."
        ),
        consequences=(
            Consequence(
                "abstract, near-vertex configurations in a constant number of steps",
                survives=True,
                why="With the farthest token's time.",
                shown_by="frank_wolfe.first_phase_takes_the_farthest_token",
            ),
        ),
    ),
)


@claim.step(">= 0", exact_only=True)
def tokens_are_near_vertices(f: AttentionChain, *, C=100):
    """P(x_i^{T_1} in B(v_i, beta^{-1/4}), i <= kappa; in B(v_sigma(i), C tau), i > kappa) - 1 + beta^{-1/8}, enumerated."""
    kappa = len(f.v)
    near = C**2 * near_radius_squared(f, min(squared_reaches(f)))

    def clustered(x):
        squares = ((x - f.v[f.group]) ** 2).sum(axis=-1)
        return (squares[:kappa] ** 2 * f.beta.item() <= 1).all() and (squares[kappa:] <= near).all()

    chance = law_after(f, steps_of_the_nearest(f), exp(numbers(f.beta * 0 - 100)).item(), 2000).chance(clustered)
    return numbers(chance - 1 + exp(-log(f.beta) / 8).item())


@claim.by_hand(by_argument=True)
def one_step_is_too_few(_: object):
    """No pick brings the farther token near enough."""
    yield (
        r"Take $d = 1$, $v = \pm 1$, so $c_0 = 2$, $\gamma = \tfrac12$, free tokens at $\tfrac18$ and "
        r"$\tfrac{143}{144}$, both of the cell of $1$: $m = \tfrac{1}{144}$, and $\beta \ge 144^4$."
    )
    yield (
        r"$\tau = \min\{\tfrac12, 1, \tfrac{1}{288}\} = \tfrac{1}{288}$ and $T_1 = \log(\tfrac12) / "
        r"\log(\tfrac12) = 1$."
    )
    yield (
        r"All tokens are at most $1$, so whatever it picks, the token $\tfrac18$ is at most $\tfrac12 \cdot "
        r"\tfrac18 + \tfrac12$ after one step: at least $\tfrac{7}{16}$ away from $1$."
    )
    yield (
        r"$\tfrac{7}{16} > C \tau$ for $C \le 125$: the probability is $0$. With any larger $N$ in the place of $144$ the "
        r"same happens for all $C < \tfrac78 N$ and $\beta \ge N^4$: no universal $C$ is left."
    )
