"""Starts, hypotheses and counts of the claims on what is open about hardmax runs."""

from __future__ import annotations

from typing import Any

from claims.frank_wolfe.cells import polytope_with_ties, tokens_in_one_cell
from claims.frank_wolfe.runs import first_step, one_at_a_time, run_with_own_cells
from dynamics.hardmax import HardmaxStep

# ---------------------------------------------------------------------------------------------------------------------
# Ties at the start


@one_at_a_time
def polytope_with_a_token_on_a_wall(draws: Any) -> HardmaxStep:
    """Vertices that own their cells and a token where two cells meet; or ties of any kind, mostly under a definite B."""
    if draws.choice(("on a wall", "any ties")) == "on a wall":
        violate = tokens_in_one_cell.violate
        assert violate is not None
        walled: HardmaxStep = violate(first_step(run_with_own_cells(draws)), draws)
        return walled
    return polytope_with_ties(draws)
