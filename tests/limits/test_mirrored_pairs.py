"""Two mirrored tokens on a line: what the lemma says for ever is what a long run does."""

import numpy as np
import pytest

from dynamics.integrate import integrate
from dynamics.limits import NoLemmaError, mirrored_trap
from dynamics.tokens.self_attention import SelfAttentionFlow


def pair(u, v, b, other=None):
    return SelfAttentionFlow.instance(x=[[u], [-u if other is None else other]], B=[[b]], V=[[v]])


@pytest.mark.parametrize(("v", "b"), [(1, 1), (-1, 1), (1, -1), (-1, -1), (-2, 3)])
def test_a_long_run_ends_as_the_lemma_says(v, b):
    start = pair(1, v, b)
    end = mirrored_trap(start, start)
    assert end.loss == -v * b
    # For V > 0 rounding errors of the mean grow like e^t.
    late = 4.0 if end.runs_off else 20.0 if v > 0 else 2000.0
    (state,) = integrate(start, [late], 1e-9)
    u = abs(float(state.x[0, 0]))
    assert (u > 1) is end.runs_off
    assert (bool(np.exp(-v * min(late, 300.0)) * u > 1)) is end.rescaled_runs_off
    if not end.runs_off:
        assert 2 * late * u * u * float(end.loss.p / end.loss.q) == pytest.approx(1, rel=0.1 if v > 0 else 0.01)


@pytest.mark.parametrize("start", [pair(1, 1, 1, 2), pair(0, 1, 1), pair(1, 0, 1), pair(1, 1, 0)])
def test_other_starts_are_not_caught(start):
    with pytest.raises(NoLemmaError):
        mirrored_trap(start, start)
