"""At finite beta the tokens collapse to the origin: false.

Abstract of version 1 (frank_wolfe FW-13, FW-16). The hull shrinks, so the limit is 0 only if 0 is in every K^t. Tokens 1
and 2 never see the origin, so that 0 in K^0 is assumed here; the hull leaves it all the same: a token next to the origin
has almost equal scores and moves to the mean. The limit is some point of the initial hull.
"""

from claims.assumptions import step_size_at_most_one
from claims.defects import Consequence, Defect, Kind, tex
from claims.frank_wolfe.setting.softmax_steps import largest, nonnegative_beta, origin_in_hull
from claims.statement import Claim, Origin, Standing
from dynamics.geometry import probing_directions
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="abstract of version 1",
    refs=("FW-13", "FW-16"),
    note=(
        "From tokens 0 and 1 with beta = 1 and gamma = 1/2 the token 0 weighs both alike and moves to 1/4: the "
        "hull has left the origin, and hulls only shrink. For small gamma all tokens tend to one point of the "
        "initial hull, which need not be the origin."
    ),
    statement="... before ultimately collapsing to the origin.",
    origin=Origin.PRINTED,
    system=SoftmaxStep,
    assumptions=(nonnegative_beta, step_size_at_most_one, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.tokens_collapse_to_a_point",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"$\dots$ remain within a small neighborhood for times that grow exponentially in the inverse "
            r"temperature $\beta$, before ultimately collapsing to the origin."
        ),
        context=(
            r"The dynamics of section 5, the mean of the Markov chain: $x_i^{t+1} = (1 - \gamma) x_i^t + \gamma "
            r"\sum_j a_{ij} x_j^t$, $a_{ij} = e^{\beta \langle x_i, x_j \rangle} / \sum_k e^{\beta "
            r"\langle x_i, x_k \rangle}$. We take $0 \in K^0$ for granted, since otherwise nothing can tend to $0$."
        ),
        wrong=r"The tokens collapse to a point of $K^0$, which is not $0$ in general: it is $0$ for symmetric starts.",
        correction=(
            r"All tokens tend to one point of $\mathrm{conv}\{x_i^0\}$, for every $\beta \ge 0$ and $\gamma \in "
            r"(0, 1]$."
        ),
        consequences=(
            Consequence(
                "the proposition on collapse (prop: origin)",
                survives=True,
                why=r"As we know it from a report, it says: to some point of the initial hull.",
                shown_by="frank_wolfe.tokens_collapse_to_a_point",
            ),
        ),
    ),
)


@claim.state(">= 0")
def origin_stays_in_hull(f: SoftmaxStep):
    """max_j <l, x_j^1> for probing directions l: nonnegative while the limit can be 0."""
    return largest(probing_directions(f.x) @ f.step().x.swapaxes(-1, -2))


@claim.by_hand(x=[[0], [1]], beta=1, gamma="1/2")
def one_step(f: SoftmaxStep):
    """The hull leaves the origin."""
    after = f.step().x
    yield rf"Take $d = 1$, $\beta = 1$, $\gamma = {tex(f.gamma)}$, tokens ${tex(f.x[0, 0])}$ and ${tex(f.x[1, 0])}$."
    yield (
        rf"The token $0$ has scores $0, 0$, so both weights are $\tfrac12$: it moves to $\tfrac12 \cdot 0 + "
        rf"\tfrac12 \cdot \tfrac12 = {tex(after[0, 0])}$."
    )
    yield rf"The token $1$ moves to $\tfrac12 + \tfrac12 \cdot \frac{{e}}{{1 + e}} = {tex(after[1, 0])}$."
    yield (
        rf"All tokens are at ${tex(after[0, 0])}$ or more, and hulls only shrink: no limit is $0$. In the chain the token "
        rf"$0$ picks $1$ with probability $\tfrac12$, and then all stay above ${tex(after[0, 0])}$ as well."
    )
