"""Enclosures written in decimals that contain them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from claims.certificates.format import MOST_EXPONENT
from dynamics.arithmetic import fraction
from dynamics.decimals import decimal

SHORT = 40
"""An exact slack longer than this is written as an enclosure."""


def enclosing_decimals(slack: Any) -> tuple[str, str]:
    """Two exact numbers around the slack as text, rounded outward to 12 digits; both are the exact slack if it is short.

    Raises ValueError where the slack is not finite or too small or large to be written.
    """
    if not isinstance(slack, arb):
        exact = fraction(slack)
        # A short slack is told as it is, which a reader can check by hand.
        if len(str(exact)) <= SHORT:
            return str(exact), str(exact)
        return decimal(exact, up=False), decimal(exact, up=True)
    if not slack.is_finite():
        raise ValueError(f"the slack {slack} is not finite")
    return decimal(_dyadic(slack.lower()), up=False), decimal(_dyadic(slack.upper()), up=True)


def _dyadic(point: arb) -> Fraction:
    """The end of a ball as the dyadic number it is."""
    mantissa, exponent = (int(part) for part in point.man_exp())
    # 2^3 < 10: within so many bits there are no more decimals than the format allows.
    if abs(exponent) > 3 * MOST_EXPONENT:
        raise ValueError(f"a slack of size 2^{exponent} is too small or too large to be written")
    return Fraction(mantissa) * Fraction(2) ** exponent
