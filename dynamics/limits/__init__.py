"""Limits of the tokens of self-attention as t -> infinity (arXiv 2305.05465).

A claim about a limit names a trap and the times at which to look for it:

    @claim.limit("> 0", times=settling_times(leader_trap), trap=leader_trap)
    def as_many_limits_as_leaders(end: LedEnd, start: RescaledFlow): ...

Each trap takes a state in balls and the exact start, and returns what holds for ever, or raises UndecidedError:

=====================  ==============================================  ====================================================
trap                   flows                                           what it returns
=====================  ==============================================  ====================================================
``threshold_trap``     d = 1, V > 0, Q^T K > 0                         ``ThresholdEnd``: sides, limits, P*, rank (Lemma A')
``leader_trap``        V = lambda I > 0, any Q^T K                     ``LedEnd``: leaders, limits, P*, vertices (B2)
``symmetry_trap``      the same, starts with exact symmetries          ``TiedEnd``: limits inside faces or at 0 (D)
``product_trap``       the same, starts that are products              ``TiedEnd`` from those of the sides (K)
``tokens_trap``        the same                                        the first of these three that catches
``line_trap``          d = 1, V > 0, Q^T K > 0                         that of A', else of D: a token may rest at 0
``classes_trap``       V = lambda I > 0, any Q^T K                     ``ClassesEnd``: clusters that never mix (C)
``hyperplanes_trap``   one simple eigenvalue of V ahead, any Q^T K     ``HyperplanesEnd``: one or two (T3'', N3'')
``polytope_trap``      V = lambda on F, smaller beside; B > 0 on F     ``PolytopeEnd``: the boundary of a polytope (T4'')
``collapse_trap``      V = -lambda I, Q^T K > 0                        ``CollapseEnd``: all tokens tend to 0 (T5'')
``mirrored_trap``      n = 2, d = 1, x_2 = -x_1, any V, Q^T K          ``MirroredEnd``: to 0 or away, and how fast (F)
``corners_trap``       V, Q^T K diagonal > 0, tokens at corners        ``CornersEnd``: as many limits as corners (G)
``frozen_trap``        ``PerceptronFlow``, d = 1, negative tokens      ``FrozenEnd``: all but one at rest for ever (P)
``pairs_trap``         mirrored pairs under a larger negative rate     ``PairsEnd``: a limit for each pair (R)
``triangle_trap``      V = -lambda I, turning Q^T K, n = 3, d = 2      ``TurningEnd``: tokens run off (S)
``between_trap``       ``TwoStarts``, n = 2, d = 1                     ``BoundedBetween``: a bounded token between (E)
=====================  ==============================================  ====================================================

``settle(start)`` does all of it for one start. docs/flow_limits.md has the lemmas and their proofs.
"""

from dynamics.limits.between import BoundedBetween, between_trap
from dynamics.limits.classes import ClassesEnd, classes_trap
from dynamics.limits.ends import LedEnd, ThresholdEnd, TiedEnd, TokensEnd
from dynamics.limits.hyperplanes import HyperplanesEnd, hyperplanes_trap
from dynamics.limits.leaders import leader_trap
from dynamics.limits.margins import NoLemmaError
from dynamics.limits.mirrored import MirroredEnd, mirrored_trap
from dynamics.limits.polytopes import PolytopeEnd, polytope_trap
from dynamics.limits.products import line_trap, product_trap, tokens_trap
from dynamics.limits.repulsion import CollapseEnd, GatheredEnd, collapse_trap, gathering_trap
from dynamics.limits.settling import Settled, SettlingStopped, UnsettledError, settle, settling_times
from dynamics.limits.starts import (
    CornersEnd,
    FrozenEnd,
    PairsEnd,
    TurningEnd,
    corners_trap,
    frozen_trap,
    pairs_trap,
    triangle_trap,
)
from dynamics.limits.symmetry import symmetry_trap
from dynamics.limits.thresholds import threshold_trap

__all__ = [
    "BoundedBetween",
    "ClassesEnd",
    "CollapseEnd",
    "CornersEnd",
    "FrozenEnd",
    "GatheredEnd",
    "HyperplanesEnd",
    "LedEnd",
    "MirroredEnd",
    "NoLemmaError",
    "PairsEnd",
    "PolytopeEnd",
    "Settled",
    "SettlingStopped",
    "ThresholdEnd",
    "TiedEnd",
    "TokensEnd",
    "TurningEnd",
    "UnsettledError",
    "between_trap",
    "classes_trap",
    "collapse_trap",
    "corners_trap",
    "frozen_trap",
    "gathering_trap",
    "hyperplanes_trap",
    "leader_trap",
    "line_trap",
    "mirrored_trap",
    "pairs_trap",
    "polytope_trap",
    "product_trap",
    "settle",
    "settling_times",
    "symmetry_trap",
    "threshold_trap",
    "tokens_trap",
    "triangle_trap",
]
