"""What may interest the authors of each paper beside errata: answers and sharper forms, by the theorem that they touch."""

from __future__ import annotations

OF_INTEREST: dict[str, str] = {
    "clusters.resting_directions_give_three_subspaces": (
        r"Slide “Beyond Theorem 3”: with $\mathrm{Re}(\lambda_j) \ge 0$ the answer is no. For $V = \mathrm{diag}(1, 0)$ "
        r"second coordinates of $z$ never move, so that tokens may have any number of limits."
    ),
    "clusters.different_rates_give_three_points": (
        r"Conjecture c:codim: for $V = \mathrm{diag}(2, 1)$ and $Q^\top K = I$ the tokens $(\pm 1, \pm 1)$ have four "
        r"limits. For almost every start it is open; for a double eigenvalue it is false on open sets of starts."
    ),
    "clusters.tokens_converge_to_vertices": (
        r"Slide “Beyond Theorem 2”: yes, all tokens tend to vertices from a nonempty open set of starts. Whether from "
        r"almost every start is open."
    ),
    "clusters.rescaled_norms_almost_grow": (
        r"Theorem 2, with a short proof: $\langle z_i, B \dot z_i \rangle \ge \max_j \langle z_i, B (z_j - z_i) \rangle - "
        r"\omega_n e^{-2t}$ for $V = I$, any $B = Q^\top K$ and $\omega_n e^{\omega_n} = (n - 1) / e$. For symmetric $B$, "
        r"definite or not, $\langle z_i, B z_i \rangle$ therefore converges."
    ),
    "clusters.tokens_outside_the_ball_escape": (
        r"Lemma l:auxiliary: $x_i^2 - \omega_n \ge (x_i(s)^2 - \omega_n) e^{2 (t - s)}$ for $t \ge s$. So $\sqrt{\omega_n} "
        r"< \sqrt{\log n}$ is a threshold; in any dimension with $\langle x_i, Q^\top K x_i \rangle$ for $x_i^2$."
    ),
    "clusters.attention_has_full_rank": (
        r"Slide “Beyond”, rank $P(t)$: for distinct tokens and $Q^\top K > 0$ it is $n$ at every finite time."
    ),
    "frank_wolfe.energy_gap_decays_like_inverse_square": (
        r"Theorem 3.1: for a constant $B_*$ and $\gamma^t = 2 / (t + 2)$ the energy exceeds the least one on the moving "
        r"hull by at most $21.21 \, e_0 / t^2$, without any hypothesis on $0$; $e_0$ is the excess at the start."
    ),
    "frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line": (
        r"Abstract: for $d = 1$, $B < 0$, $0 \in K^0$ and a constant step the cluster lies within $\min(\gamma, 1 - "
        r"\gamma) D(K^t)$ of the origin, $K^t$ the last hull that holds $0$."
    ),
    "frank_wolfe.limits_own_their_cells": (
        r"Theorem 4.2: for $B > 0$, a constant step and single leaders every token tends to a token that owns its cell, "
        r"whether vertices own theirs or not."
    ),
    "frank_wolfe.diameter_contracts_by_shared_mass": (
        r"Proposition on collapse: each step multiplies the diameter $D$ by at most $1 - 2 \gamma / (1 + e^{|\beta| D^2 / "
        r"2})$, for every real $\beta$ and $\gamma \in [0, 1]$; for $\beta \ge 0$ with equality from $x, -x$."
    ),
    "frank_wolfe.acute_sets_are_small": (
        r"Theorem 5.2: the acute angles of its first hypothesis leave only segments and acute triangles in the plane. For "
        r"the theorem as corrected above neither they nor equal norms are needed."
    ),
    "frank_wolfe.mean_escape_exponent_is_the_first_pick": (
        r"Theorem 5.4: with one token in each tube, disjoint tubes and each token scoring itself highest at the start, "
        r"$\frac{1}{\beta} \log E T_2$ tends to the cost of the cheapest first pick, however many are needed."
    ),
    "localmax.no_planar_step_ends_at_rest": (
        r"No finite-time convergence: four tokens in the plane may step to rest, too, if a token need not attend to "
        r"itself: $(-8, 8)$, $(5, 12)$, $(-5, 8)$, $(-3, 10)$ with $A = I$, $\gamma = \tfrac45$, $\delta = \tfrac{71}{5}$."
    ),
    "localmax.limit_vertices_are_packed": (
        r"Convex hulls: for constant $\delta$ and any $A$, different vertices $v$, $w$ of the limit hull satisfy $\langle "
        r"A (v - w), v - w \rangle \ge 2 \delta$."
    ),
    "localmax.every_token_converges": (
        r"Convergence of tokens: for $\delta > 0$ a token may go to and fro for ever. With $A = I$, $\gamma = \tfrac12$, "
        r"$\delta = \tfrac{17}{4}$ the tokens $(4, 4, 0)$, $(4, -5, 0)$, $(3, 2, \pm 8)$ rest, and a fifth goes from "
        r"$(\tfrac{11}{3}, \tfrac13, 0)$ to $(\tfrac{34}{9}, \tfrac{1}{18}, 0)$ and back; from $(4, 0, 0)$ it tends to "
        r"this cycle."
    ),
    "localmax.equal_norms_make_hegselmann_krause": (
        r"Lyapunov functions: where all $\|z_i\|_A$ are equal, the step is that of Hegselmann and Krause with radius "
        r"$\sqrt{2 \delta}$, and $\sum_{i, j} \min(\|z_i - z_j\|_A^2, 2 \delta)$ falls in it. Elsewhere it may rise: for "
        r"$4, 1, 0$ with $A = 1$, $\gamma = \tfrac12$, $\delta = 1$ from $10$ to $12$."
    ),
    "polarization.tie_at_the_top_is_kept": (
        r"Assumption 3.1: only $u_0(0) > u_j(0)$ for $j \ge 1$ is needed for Theorem 3.3(c). Where $u_0(0) = u_1(0)$ "
        r"exceed the others, $s_0 = s_1 \to \frac12$."
    ),
    "polarization.score_ratios_settle": (
        r"Theorem 3.3(b): the true rate is $\tau^{-2}$, where $\tau = \int_0^t \gamma$: $s_j / s_0 \sim 2 / (p "
        r"\|\beta_*\|^2 \tau^2)$ for every $j \ge 1$."
    ),
    "polarization.margin_tracks_log_time": (
        r"Theorem 3.3(c): the proof has the lower half of $\Theta(\log t)$. For the upper half let $\|\beta_*\| = 1$: $dm "
        r"/ d\tau \ge \|s\|^2 \ge \frac1p$ gives $\gamma \le e^{-m} \le e^{-m(0) - \tau / p}$, and so $\tau \le p \log(1 + "
        r"e^{-m(0)} t / p)$. In fact $m - \log t \to 0$."
    ),
    "polarization.one_hot_bound_in_time": (
        r"Lemma B.1: the chain for $q_i$ bounds $dq_i$ from below, and its last line turns the sign. The lemma holds: for "
        r"$\|\beta_*\| = 1$, $d(1 / q_i) \ge (u_0 - u_i) \, du_0$ and, for $t \ge t_0$, $d(u_0 - u_i) \ge \frac12 du_0$, "
        r"so that $1 / q_i \ge \frac14 (u_0 - u_0(t_0))^2$; with (17) this is (b), and $du_i = q_i \, du_0$ gives (a)."
    ),
    "polarization.scores_decay_like_inverse_log_squared": (
        r"Lemma B.1(b) is sharp: $s_j \log^2 t \to 2 \|\beta_*\|^2 / p$ for every $j \ge 1$."
    ),
    "polarization.frozen_values_also_polarise": (
        r"Section 3.1: scores polarize where $a$ alone is trained, too, and faster in time: $s_j / s_0 \le 1 / (1 + (u_0 - "
        r"u_j) t / (p (1 + e^{u_0})))$."
    ),
    "polarization.large_target_leaves_two_over_target": (
        r"Appendix C.1, last sentence: Theorem 3.3(b) bounds $q_j$ from above only, so that $\int \gamma < \infty$ does "
        r"not yet exclude a one-hot limit; $\|\dot a\| \le \gamma \|u\|$ with bounded $u$ does. How sparse the limit is "
        r"depends on $\|\beta_*\|$: $1 - s_0(\infty) \sim 2 (p - 1) / (p \|\beta_*\|^2)$ as $\|\beta_*\| \to \infty$."
    ),
    "polarization.kl_of_values_polarises_fully": (
        r"Section 3.2, KL divergence: as it is written, $-\langle p_*, \log \beta \rangle$ is unbounded below, and from "
        r"$V(0) = \sqrt{p_*} \, u(0)^\top$, $u_0(0) > \dots > u_{p-1}(0) > 0$ and $a(0) = 0$ the scores become one-hot. "
        r"The code for figure 10 has $-\langle p_*, \log \sigma(\beta) \rangle$, with which they do not."
    ),
}
"""By ids of claims, each with a sentence of prose that names the theorem; formulas between dollar signs."""
