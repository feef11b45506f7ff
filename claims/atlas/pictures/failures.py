"""Statements whose failure has a picture of its own: here each names what draws it, from its exact counterexample.

Such a painter draws what the statement is about before anything else, and raises NothingToShowError where the
counterexample does not show the failure any more. Statements that fail alike are drawn by the same painter.
"""

from __future__ import annotations

from claims.atlas.pictures.closing_gaps import gap_that_closes
from claims.atlas.pictures.corners import gaps_at_a_corner, lengths_of_a_corner
from claims.atlas.pictures.curves import along_a_flow
from claims.atlas.pictures.escapes import chance_against_bound, exponents, way_out
from claims.atlas.pictures.lasting import apart_for_ever, moves_by_step, orbit_to_rest
from claims.atlas.pictures.orbits import exact_orbit
from claims.atlas.pictures.subject import Painter
from claims.atlas.pictures.too_many_limits import hyperplanes_and_limits, least_distance

FAILURES: dict[str, tuple[Painter, ...]] = {
    "clusters.different_rates_give_three_points": (least_distance, hyperplanes_and_limits),
    "clusters.perceptrons_give_three_hyperplanes": (least_distance, along_a_flow),
    "frank_wolfe.escape_takes_exponentially_long": (chance_against_bound, exponents, way_out),
    "frank_wolfe.escape_takes_exponentially_long_at_unit_diameter": (chance_against_bound, exponents, way_out),
    "frank_wolfe.escape_takes_exponentially_long_at_unit_radius": (chance_against_bound, exponents, way_out),
    "frank_wolfe.group_jumps_are_rare_by_diameter": (gaps_at_a_corner, lengths_of_a_corner),
    "localmax.every_token_converges": (apart_for_ever, exact_orbit),
    "localmax.no_planar_step_ends_at_rest": (moves_by_step, orbit_to_rest),
    "localmax.tokens_converge_under_positive_scores": (apart_for_ever, exact_orbit),
    "polarization.score_gaps_grow": (gap_that_closes, along_a_flow),
}
"""By the claim's id: the painters of its counterexample, first of what the statement is about, then of the state."""
