"""What may interest the authors of each paper beside errata: answers and sharper forms, by the theorem that they touch."""

from __future__ import annotations

OF_INTEREST: dict[str, tuple[tuple[str, str], ...]] = {
    "clusters": (
        (
            "clusters.rows_of_escaping_tokens_converge_doubly_exponentially",
            "Theorem 1: an explicit doubly exponential rate for every token that runs off.",
        ),
        (
            "clusters.attention_has_full_rank",
            (
                r"Corollary of Theorem 2: at every finite time rank $P(t) = n$ for distinct tokens and $Q^\top K > 0$, and "
                r"the eigenvalues of $P(t)$ are real and in $(0, 1]$."
            ),
        ),
        (
            "clusters.key_query_distances_grow",
            (
                r"Lemma l:distnondec carries over to $Q^\top K > 0$ in the norm $\|\cdot\|_{Q^\top K}$; in the "
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
            "frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line",
            (
                r"Abstract: for $d = 1$, $B_* > 0$ and a constant step the cluster lies within "
                r"$\min(\gamma, 1 - \gamma) D(K^t)$ of the origin, $K^t$ the last hull that holds $0$."
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
                "four some do, already in the plane."
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
            "polarization.score_ratios_settle",
            (
                r"Theorem 3.3(b): the rate is sharp. With $q_j = s_j / s_0$ and $\tau = \int \gamma \, dt$, "
                r"$q_j \tau^2 \to 2 / (p \|\beta_*\|^2)$ for every $j \ge 1$."
            ),
        ),
        (
            "polarization.scores_decay_like_inverse_log_squared",
            r"Lemma B.1(b): in time, $s_j \log^2 t \to 2 \|\beta_*\|^2 / p$ for every $j \ge 1$.",
        ),
        (
            "polarization.frozen_values_also_polarise",
            (
                r"Section 3.1: scores polarize where $a$ alone is trained, too, if more slowly: "
                r"$q_j \le 1 / (1 + (u_0 - u_j) t / (p (1 + e^{u_0})))$."
            ),
        ),
    ),
}
"""For each paper ids of claims, each with a sentence of prose that names the theorem; formulas between dollar signs."""
