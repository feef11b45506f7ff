"""What may interest the authors of each paper beside errata: answers and sharper forms, by the theorem that they touch."""

from __future__ import annotations

OF_INTEREST: dict[str, tuple[tuple[str, str], ...]] = {
    "clusters": (
        (
            "clusters.rows_of_escaping_tokens_converge_doubly_exponentially",
            "Theorem 1: an explicit doubly exponential rate for every token that runs off.",
        ),
        (
            "clusters.key_query_distances_grow",
            (
                r"The lemma on distances carries over to $Q^\top K > 0$ in the norm $\|\cdot\|_{Q^\top K}$; in the "
                r"Euclidean norm it does not."
            ),
        ),
    ),
    "frank_wolfe": (
        (
            "frank_wolfe.energy_gap_decays_like_inverse_square",
            (
                r"Theorem 3.1: for a constant $B_*$ the gap of energies over the moving hull is $O(t^{-2})$, without "
                r"any hypothesis on $0$."
            ),
        ),
        (
            "frank_wolfe.tokens_contract_to_one_cluster",
            r"Abstract: for a constant step the gap of energies falls by $1 - \gamma + \gamma^2$ in each step.",
        ),
    ),
    "localmax": (
        (
            "localmax.no_step_of_three_tokens_ends_at_rest",
            (
                "No finite-time convergence: with at most three tokens no step ends at rest, in any dimension; with "
                "four some do."
            ),
        ),
        (
            "localmax.every_token_converges",
            (
                r"For $\delta > 0$ a token can oscillate between two places for ever: a certified cycle of five "
                r"tokens in $\mathbb R^3$."
            ),
        ),
    ),
    "polarization": (
        (
            "polarization.leading_score_gaps_grow",
            r"Theorem 3.2: for the leader the gaps of $a$ and $s$ do grow at all times.",
        ),
    ),
}
"""For each paper ids of claims, each with a sentence of prose that names the theorem; formulas between dollar signs."""
