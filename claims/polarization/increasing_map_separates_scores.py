"""An increasing map with f'(0) = 0 need not separate the scores, so Theorem 3.2 does not carry over to all maps.

Section 3.2 says that "an analogue of Theorem 3.2 can be established". Of the strict order this is false (E21(iii)):
increasing does not mean f' > 0, as the proof of Lemma D.4 says, and G = int 1/f' may diverge. The lemma itself has the
weak order for a.
"""

from claims.polarization.setting.scores import ASSUMPTION_3_1
from claims.stating.statement import Claim, Origin
from dynamics.training.score_maps import OnePlusCubeFlow

claim = Claim(
    __name__,
    where="section 3.2, other normalization functions: Theorem 3.2(a), asked of every map",
    refs=("C-nf-C1", "E21", "E21(iii)", "H8"),
    note=(
        "f(x) = 1 + x^3 is increasing, but f'(0) = 0: from u(0) = (1, 0), a(0) = 0 no score ever moves. If f > 0 "
        "and f' > 0 the scores separate."
    ),
    statement="For f increasing and differentiable with F > 0, s_0(t) > s_1(t) > ... > s_{p-1}(t) for all t > 0.",
    origin=Origin.CARRIED_OVER,
    system=OnePlusCubeFlow,
    assumptions=ASSUMPTION_3_1,
    corrected_by="polarization.positive_map_keeps_order",
)


# Where f'(0) = 0 no score moves from a(0) = 0, so what fails at the start fails at every time.
@claim.state("> 0")
def scores_separate_at_start(f: OnePlusCubeFlow):
    """d(a_i - a_{i+1})/dtau at t = 0: zero there, and then zero for ever."""
    da = f.da_dtau()
    return da[..., :-1] - da[..., 1:]
