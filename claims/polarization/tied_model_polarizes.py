"""In the tied model U softmax(U a) the margin grows at every state, and the runs of figure 11 become sparse.

In the clock tau the flow is the gradient of the margin m, so dm/dtau = |grad m|^2 with grad m = (beta_* s^T + v a^T,
U^T v), v = J(s) U^T beta_*. It is never zero: the first part vanishes only for v = k beta_* with k != 0, then the
second only for U^T beta_* = 0, and then v = 0. That the model polarizes is measured: the largest score tends to 1, and
the winner's column grows like log t (seed 42, step 0.05).
"""

import numpy as np

from claims.stating.experiments import Reading
from claims.stating.statement import Claim, Origin
from dynamics.training.tied_attention import TiedFlow

# Only that the margin grows is proved; no lemma says where the scores of the tied model go (O7).
claim = Claim(
    __name__,
    where="section 4.1, massive activations; caption of figure 11",
    refs=("C-4.1b", "X5", "E22", "O7"),
    statement=(
        "this model qualitatively follows the behavior of the value-softmax model ... In all cases, a sparse "
        "solution is found, and the norm of U^(m) diverges."
    ),
    origin=Origin.PRINTED,
    system=TiedFlow,
)


@claim.identity()
def margin_rate_formula(f: TiedFlow, *, share=1):
    """dm/dtau by the product rule, minus the squares of dU/dtau and da/dtau."""
    dU, da = f.velocity()
    return f.dm_dtau() - share * ((dU * dU).sum(axis=(-1, -2)) + (da * da).sum(axis=-1))


@claim.state("> 0")
def margin_rate(f: TiedFlow):
    """|dU/dtau|^2 + |da/dtau|^2."""
    dU, da = f.velocity()
    return (dU * dU).sum(axis=(-1, -2)) + (da * da).sum(axis=-1)


# The authors seed twice and draw a matrix that the identity replaces: a is what comes after it.
def _run(D, steps):
    """Gradient descent in the authors' setting up to each of the ascending `steps`: the scores, U and a there."""
    rng = np.random.RandomState(42)
    beta_star = rng.randn(D)
    beta_star /= np.linalg.norm(beta_star)
    rng = np.random.RandomState(42)
    rng.randn(D, D)  # drawn for the value matrix, which the identity then replaces
    a, U = 1 + 0.1 * rng.randn(D), np.eye(D)
    for step in range(1, steps[-1] + 1):
        s = _softmax(U @ a)
        values = beta_star @ U
        m = values @ s
        v = s * (values - m)
        rate = 0.05 / (1 + np.exp(m))
        turn = rate * (v @ U)
        U += np.outer(rate * beta_star, s) + np.outer(rate * v, a)
        a += turn
        if step in steps:
            yield step, _softmax(U @ a), U, a


# Shifted by the largest score, so that nothing overflows, however far the scores have grown.
def _softmax(z):
    weights = np.exp(z - z.max())
    return weights / weights.sum()


PRINTED = {
    10: {2000: (".9949", "4.758"), 10_000: (".9978", "6.35")},
    20: {2000: (".9967", "4.717"), 10_000: (".9985", "6.33")},
    50: {2000: (".9986", "4.687"), 10_000: (".9993", "6.31")},
    100: {2000: (".9992", "4.634"), 10_000: (".9996", "6.29")},
}

"""D, steps: the largest score and |U^(m)|, m the winner, of a run with the authors' settings."""


@claim.experiment()
def scores_become_sparse(steps):
    """max s and |U^(m)| in the four runs of figure 11."""
    readings = []
    for D, table in PRINTED.items():
        marks = [mark for mark in table if mark <= steps]
        if not marks:
            continue
        for step, s, U, _ in _run(D, marks):
            top, norm = table[step]
            readings.append(Reading(f"D={D} step {step} max s", float(s.max()), top))
            readings.append(Reading(f"D={D} step {step} |U^(m)|", float(np.linalg.norm(U[:, s.argmax()])), norm))
    return readings


# The code takes the argmax of softmax(U a), the caption that of a: late they agree, at step 100 not.
@claim.experiment()
def captions_winner_differs_early(steps):
    """D = 20 after 100 steps: the largest score is at 3, the largest entry of a (the caption's m) at 16."""
    if steps < 100:
        return []
    ((_, s, _, a),) = _run(20, [100])
    return [
        Reading("D=20 step 100 argmax of softmax(U a)", float(s.argmax()), "3.0"),
        Reading("D=20 step 100 argmax of a", float(a.argmax()), "16.0"),
    ]
