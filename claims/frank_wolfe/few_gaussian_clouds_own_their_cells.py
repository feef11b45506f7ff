"""Few clouds of Gaussian tokens in low dimension have vertices that own their cells.

Hypothesis (1) of Theorem 4.2 is not generic (frank_wolfe FW-8): it fails on an open set, for most clouds. The
frequencies quoted were counted in 300 clouds each, and agree as such: 40000 clouds have 25.4% for 21%, 3.8% for 1.7%
(d = 3, n = 10) and 2.2% for 0.7% (d = 5, n = 12).
"""

import numpy as np
import scipy  # its parts are loaded when they are used

from claims.experiments import Frequency
from claims.statement import Claim, Origin
from dynamics.tokens.hardmax import HardmaxStep

FREQUENCIES = (
    (2, 5, "0.21"),
    (2, 8, "0.18"),
    (2, 30, "0.10"),
    (3, 10, "0.017"),
    (3, 30, "0.003"),
    (5, 12, "0.007"),
)
CLOUDS, MOST = 300, 10_000

claim = Claim(
    __name__,
    where="hypothesis (1) of Theorem 4.2 (thm: exp.fast.polytope) for Gaussian tokens, B = I",
    refs=("FW-8",),
    statement="(1) holds for Gaussian clouds, B = I: d = 2: 21% (n = 5), 18% (n = 8), 10% (n = 30); d = 3: 1.7% (n = 10).",
    origin=Origin.OURS,
    system=HardmaxStep,
)


def vertices_own_cells(x):
    """Whether all vertices of each cloud (m, n, d) lead in their own scores; a boolean array (m,)."""
    leading = (x @ x.swapaxes(1, 2)).argmax(axis=2)
    own = leading == np.arange(x.shape[1])
    # Who leads another, or leads in a direction from the centre, is a vertex: this settles most clouds.
    outermost = ((x - x.mean(axis=1, keepdims=True)) @ x.swapaxes(1, 2)).argmax(axis=2)
    settled = ~(np.take_along_axis(own, leading, 1) & np.take_along_axis(own, outermost, 1)).all(axis=1)
    hull = scipy.spatial.ConvexHull
    return np.array([not no and cloud[hull(y).vertices].all() for no, cloud, y in zip(settled, own, x, strict=True)])


@claim.experiment()
def clouds_with_own_cells(steps):
    """The part of seeded clouds in which every vertex owns its cell."""
    runs = min(steps, MOST)
    readings = []
    for d, n, printed in FREQUENCIES:
        x = np.random.default_rng([d, n]).standard_normal((runs, n, d))
        hits = int(vertices_own_cells(x).sum())
        readings.append(Frequency(f"d = {d}, n = {n}", hits, runs, printed, printed_runs=CLOUDS))
    return readings
