"""On a line the row of a bounded outer token tends to its own unit vector, that of an inner one to positive weights.

The last two "not easy" steps of the proof of Theorem 1 on the slides (Lemmas `l:boundedxn` and `l:boundedother`).

`bounded_outer_tokens_attend_to_themselves`: Stated here for two tokens. Two starts are given from which the first token
diverges to different sides; some start between keeps it bounded, and there P -> I by Lemma E of docs/flow_limits.md.

`bounded_inner_token_weighs_all`: Decided where the token is 0 and the others are opposite pairs (Lemma D of
docs/flow_limits.md): its row is 1/n at all times. Other starts with a bounded inner token lie on the boundary between open
sets of starts, and no invariant region contains them.

`bounded_first_token_ignores_every_token`: The second range of indices in Lemma `l:boundedxn`, as reported from v6. It
contains j = 1 and contradicts the same lemma's P_11 -> 1.

`rows_lean_to_one_end`: At one time, x_i (P_ij - P_ik) >= 0 for j > k: a token at x_i >= 0 attends more to tokens farther
right, one at x_i <= 0 more to tokens farther left. In particular the last token attends most to itself if x_n >= 0.
"""

import numpy as np

from claims.clusters.setting.hypotheses import distinct_tokens, on_the_line, ordered_tokens
from claims.clusters.setting.hypotheses_for_limits import bracketing
from claims.clusters.setting.starts_of_flows import bracket, line_start_with_a_token_at_0, times_of_brackets
from claims.stating.assumptions import definite_key_query, identity_value
from claims.stating.defects import Consequence, Defect, Kind
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exact
from dynamics.limits import BoundedBetween, TiedEnd, between_trap, settling_times, symmetry_trap
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_starts import TwoStarts

section = Section(__name__)

# A bounded token is unstable: no open set of starts keeps it, and no enclosure follows it. So two starts stand for the one
# between them, which exists by continuity.
bounded_outer_tokens_attend_to_themselves = section.claim(
    where="slides, proof of Theorem 1",
    refs=("L6",),
    statement="if x_1(t) or x_n(t) bounded, still get P_1(t) -> e_1 or P_n(t) -> e_n",
    origin=Origin.PRINTED,
    system=TwoStarts,
    assumptions=(bracketing,),
    draw=bracket,
)


@bounded_outer_tokens_attend_to_themselves.limit("== 0", times=times_of_brackets, trap=between_trap)
def row_less_unit_vector(between: BoundedBetween, start: TwoStarts, *, whole=1):
    """P*_11 - 1 and P*_12."""
    return between.attention[0] - whole * exact([1, 0])


bounded_inner_token_weighs_all = section.claim(
    where="slides, proof of Theorem 1",
    refs=("L7",),
    statement="if internal particle is bounded, then we get the *-row",
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start_with_a_token_at_0,
)


@bounded_inner_token_weighs_all.limit("> 0", times=settling_times(symmetry_trap), trap=symmetry_trap)
def weights_of_the_bounded_token(end: TiedEnd, start: RescaledFlow):
    """P*_ij for x_i bounded and every j."""
    return end.attention[np.flatnonzero(end.frozen)]


# Nothing is assumed, for the trap itself refuses all other pairs of starts.
bounded_first_token_ignores_every_token = section.claim(
    where="Lemma l:boundedxn",
    refs=("L6",),
    note=(
        "The range is a misprint, for j = 1 is in [n - 1]: some start between (-1, 1) and (0, 1) keeps x_1 bounded, and "
        "its P_11 tends to 1. What holds is P_1(t) -> e_1: all other weights tend to 0."
    ),
    statement="d = 1: if x_1 is bounded then P_1j(t) -> 0 for every j in [n - 1].",
    origin=Origin.REPORTED,
    system=TwoStarts,
    assumptions=(),
    draw=bracket,
    corrected_by="clusters.bounded_outer_tokens_attend_to_themselves",
    defect=Defect(
        Kind.MISPRINT,
        quotation=r"If $x_1$ is bounded then $P_{1j}(t) \to 0$ for every $j \in [n - 1]$.",
        context=(
            r"Lemma l:boundedxn, $d = 1$, $QK = V = 1$, ordered tokens; its other half, for bounded $x_n$, has "
            r"$j \in [n - 1]$, too."
        ),
        wrong=r"$j = 1$ is among them, and $P_{11} \to 1$; the range is that of the other half.",
        correction=r"If $x_1$ is bounded then $P_{1j}(t) \to 0$ for every $j \neq 1$, and $P_{11}(t) \to 1$.",
        consequences=(Consequence("Theorem 2.1", why=r"It uses $P_1 \to e_1$."),),
    ),
)


@bounded_first_token_ignores_every_token.limit("== 0", times=times_of_brackets, trap=between_trap)
def weights_on_all_but_the_last(between: BoundedBetween, start: TwoStarts):
    """P*_1j for j in [n - 1]."""
    return between.attention[0, :-1]


@bounded_first_token_ignores_every_token.by_hand(by_argument=True, x=[[-1], [1]], y=[[0], [1]])
def rows_sum_to_one(_: object):
    """All of them but the last cannot vanish, for the last one does."""
    yield (
        r"Take $n = 2$: $j \in [n - 1]$ is $j = 1$, so the sentence says $P_{11} \to 0$, hence $P_{12} \to 1$, "
        r"for a bounded $x_1$."
    )
    yield (
        r"With $x_2(0) = 1$ the token $x_1$ tends to $-\infty$ from $x_1(0) = -1$ and to $+\infty$ from $0$, each on an "
        r"open set of starts; so some start between keeps $x_1$ bounded, while $x_2 \to \infty$."
    )
    yield r"Then $\dot x_1 = x_1 + P_{12} (x_2 - x_1) \to \infty$ if $P_{12} \to 1$: $x_1$ would not be bounded."


rows_lean_to_one_end = section.claim(
    where="Lemmas l:boundedxn and l:boundedother, at one time",
    refs=("L6", "L7"),
    statement="If d = 1, QK > 0 and x_1 < ... < x_n, then x_i (P_{i,j+1} - P_ij) >= 0.",
    system=SelfAttentionFlow,
    assumptions=(on_the_line, definite_key_query, ordered_tokens),
)


# log(P_{i,j+1}/P_ij) = QK x_i (x_{j+1} - x_j), which has the sign of x_i. V plays no part.
@rows_lean_to_one_end.state(">= 0")
def lean(f: SelfAttentionFlow):
    """x_i (P_{i,j+1} - P_ij)."""
    P = f.attention()
    return f.x * (P[..., 1:] - P[..., :-1])
