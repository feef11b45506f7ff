"""Two localmax orbits from one start, under a smaller and a larger sensitivity (arXiv 2509.15958)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamics.arithmetic import Array
from dynamics.system import System, identity, quantity
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep


# One system with both sensitivities, and not two: what is drawn, shrunk and kept in a certificate is one start.
@dataclass(frozen=True, eq=False)
class TwoSensitivities(System):
    """The same tokens, matrix and step size with delta and with a sensitivity that is not smaller."""

    z: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    A: Array = quantity("d", "d", meaning="key-query matrix", alias="key_query", default=identity)
    gamma: Array = quantity(meaning="step size alpha/(1+alpha)", alias="step_size", default="1/2")
    delta: Array = quantity(meaning="the smaller sensitivity", default=0)
    larger: Array = quantity(meaning="the larger sensitivity", default=1)

    def validate(self) -> None:
        """Raise ValueError unless 0 <= delta <= larger."""
        if not 0 <= self.delta.item() <= self.larger.item():
            raise ValueError(
                f"TwoSensitivities: 0 <= delta <= larger is needed, not {self.delta.item()}, {self.larger.item()}"
            )

    def under(self, delta: Array) -> LocalmaxStep:
        """The step map with this sensitivity."""
        return LocalmaxStep(z=self.z, A=self.A, gamma=self.gamma, delta=delta, rule=np.array(ADDITIVE))
