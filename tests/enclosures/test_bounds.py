"""The sharper bounds of attention rest on what is said of the scores' form at complex times: that is checked here."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.special
from flint import arb

from dynamics.arithmetic import FLOAT64, numbers, working_precision
from dynamics.enclosures import bounds
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow
from tests.planting import asked_of, facts_above

FORMS = {"B": [[1, 2], [-1, 1]], "V": [[1, 0], [3, "-1/2"]]}
RESCALED = RescaledFlow.instance(z=[[1, 0], ["1/2", 2]], **FORMS)
PLAIN = SelfAttentionFlow.instance(x=[[1, 0], ["1/2", 2]], **FORMS)


def later(time):
    """A state of the rescaled flow at another time, as certified steps carry it."""
    state = [arb(entry) for name in RESCALED.moving for entry in getattr(RESCALED, name).flat]
    return [*state[:-1], arb(time)]


def floats(matrix):
    return np.array([[complex(float(arb(v).mid())) for v in row] for row in numbers(matrix)])


def the_form_of_the_scores_moves_with_time(m):
    found = m.bounds_of(RESCALED)
    B, V = (FLOAT64.convert(getattr(RESCALED, name)) for name in ("B", "V"))
    for time in (0.0, 0.5, -1.0):
        flow = scipy.linalg.expm(time * V)
        assert np.allclose(floats(found.key_query(later(time))), flow.T @ B @ flow)
    assert np.allclose(floats(m.bounds_of(PLAIN).key_query([arb(0)] * 4)), B)


def no_form_within_the_radius_is_larger_than_the_spread(m):
    """On a line, where the spread is attained, and for forms that do not commute."""
    line = RescaledFlow.instance(z=[[1], [2]], B=[[3]], V=[[1]])
    spread = m.bounds_of(line).spread([arb(1), arb(2), arb("0.5")], arb(2))
    assert float(spread.mid()) == pytest.approx(3 * np.exp(5), rel=1e-9)
    # B = 3, V = 1, at time 1/2 within a radius of 2: 3 e^{2 (1/2 + 2)}, which is attained.
    assert not spread < 3 * arb(5).exp()
    found = m.bounds_of(RESCALED)
    B, V = (FLOAT64.convert(getattr(RESCALED, name)) for name in ("B", "V"))
    for time in (0.0, 0.5):
        for rho in (0.01, 0.5, 2.0):
            most = max(
                np.linalg.norm(flow.T @ B @ flow, 2)
                # On the circle: a norm of an analytic function is largest there.
                for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False)
                for flow in [scipy.linalg.expm((time + rho * np.exp(1j * angle)) * V)]
            )
            assert most <= float(found.spread(later(time), arb(rho)).upper())
    assert np.linalg.norm(B, 2) <= float(m.bounds_of(PLAIN).spread([arb(0)] * 4, arb(1)).upper())


def the_flow_is_what_is_bounded(m):
    """Token i moves by V times the mean that softmax takes of <M^T z_i, z_j>, and by C z_i."""
    for flow, z in ((RESCALED, RESCALED.z), (PLAIN, PLAIN.x)):
        found, tokens = m.bounds_of(flow), FLOAT64.convert(z)
        M = floats(found.key_query([arb(0)] * 5 if flow is RESCALED else [arb(0)] * 4)).real
        weights = scipy.special.softmax(tokens @ M @ tokens.T, axis=-1)
        V, C = (FLOAT64.convert(matrix) for matrix in (found.V, found.C))
        assert np.allclose(weights @ tokens @ V.T + tokens @ C.T, flow.to(FLOAT64).velocity()[0])


def a_flow_that_is_none_of_these_has_no_bounds_of_its_own(m):
    assert m.bounds_of(LogisticFlow.instance(u=[1, 0])) is None
    assert m.bounds_of(PLAIN) is not None


def a_flow_that_is_only_like_one_of_these_has_none_either(m):
    class Backwards(SelfAttentionFlow):
        """The same arrays."""

    assert m.bounds_of(Backwards(**PLAIN.arrays())) is None


test_bounds, test_bugs_in_bounds = asked_of(bounds, facts_above(globals()), around=lambda: working_precision(64))
