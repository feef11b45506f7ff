"""What may interest the authors of each paper beside errata: answers and sharper forms, by the theorem that they touch."""

from __future__ import annotations

OF_INTEREST: dict[str, tuple[tuple[str, str], ...]] = {
    "clusters": (
        (
            "clusters.resting_directions_give_three_subspaces",
            (
                r"Slide “Beyond Theorem 3”: with $\mathrm{Re}(\lambda_j) \ge 0$ the answer is no. For $V = "
                r"\mathrm{diag}(1, 0)$ second coordinates of $z$ never move, so that tokens may have any number of "
                r"limits."
            ),
        ),
        (
            "clusters.different_rates_give_three_points",
            (
                r"Conjecture c:codim: for $V = \mathrm{diag}(2, 1)$ and $Q^\top K = I$ the tokens $(\pm 1, \pm 1)$ have "
                r"four limits. For almost every start it is open; for a double eigenvalue it is false on open sets of "
                r"starts."
            ),
        ),
        (
            "clusters.tokens_converge_to_vertices",
            (
                r"Slide “Beyond Theorem 2”: yes, all tokens tend to vertices from a nonempty open set of starts. "
                r"Whether from almost every start is open."
            ),
        ),
        (
            "clusters.rescaled_norms_almost_grow",
            (
                r"Theorem 2, with a short proof: $\langle z_i, B \dot z_i \rangle \ge \max_j \langle z_i, B (z_j - z_i) "
                r"\rangle - \omega_n e^{-2t}$ for $V = I$, any $B = Q^\top K$ and $\omega_n e^{\omega_n} = (n - 1) / "
                r"e$. For symmetric $B$, definite or not, $\langle z_i, B z_i \rangle$ therefore converges."
            ),
        ),
        (
            "clusters.tokens_outside_the_ball_escape",
            (
                r"Lemma l:auxiliary: $x_i^2 - \omega_n \ge (x_i(s)^2 - \omega_n) e^{2 (t - s)}$ for $t \ge s$. So "
                r"$\sqrt{\omega_n} < \sqrt{\log n}$ is a threshold; in any dimension with $\langle x_i, Q^\top K x_i "
                r"\rangle$ for $x_i^2$."
            ),
        ),
        (
            "clusters.attention_has_full_rank",
            (r"Slide “Beyond”, rank $P(t)$: for distinct tokens and $Q^\top K > 0$ it is $n$ at every finite time."),
        ),
    ),
    "frank_wolfe": (
        (
            "frank_wolfe.energy_gap_decays_like_inverse_square",
            (
                r"Theorem 3.1: for a constant $B_*$ and $\gamma^t = 2 / (t + 2)$ the energy exceeds the least one on "
                r"the moving hull by at most $21.21 \, e_0 / t^2$, without any hypothesis on $0$; $e_0$ is the excess "
                r"at the start."
            ),
        ),
        (
            "frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line",
            (
                r"Abstract: for $d = 1$, $B < 0$, $0 \in K^0$ and a constant step the cluster lies within "
                r"$\min(\gamma, 1 - \gamma) D(K^t)$ of the origin, $K^t$ the last hull that holds $0$."
            ),
        ),
        (
            "frank_wolfe.limits_own_their_cells",
            (
                r"Theorem 4.2: for $B > 0$, a constant step and single leaders every token tends to a token that owns "
                r"its cell, whether vertices own theirs or not."
            ),
        ),
        (
            "frank_wolfe.diameter_contracts_at_dobrushin_rate",
            (
                r"Proposition on collapse: each step multiplies the diameter $D$ by at most $1 - \gamma e^{-|\beta| D^2 "
                r"/ 2}$, for every real $\beta$ and $\gamma \in (0, 1]$."
            ),
        ),
        (
            "frank_wolfe.acute_sets_are_small",
            (
                r"Theorem 5.2: the acute angles of its first hypothesis leave only segments and acute triangles in the "
                r"plane. For the theorem as corrected above neither they nor equal norms are needed."
            ),
        ),
        (
            "frank_wolfe.mean_escape_exponent_is_the_first_pick",
            (
                r"Theorem 5.4: with one token in each tube, disjoint tubes and each token scoring itself highest at the "
                r"start, $\frac{1}{\beta} \log E T_2$ tends to the cost of the cheapest first pick, however many are "
                r"needed."
            ),
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
