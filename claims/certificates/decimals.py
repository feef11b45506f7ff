"""Enclosures written in decimals that contain them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from claims.certificates.format import MOST_EXPONENT
from dynamics.arithmetic import fraction

DIGITS = 12
"""Decimal digits of an enclosure, few enough to read."""

SHORT = 40
"""An exact slack longer than this is written as an enclosure."""


def enclosure(slack: Any) -> tuple[str, str]:
    """Two exact numbers around the slack as text, rounded outward to 12 digits; both are the exact slack if it is short.

    Raises ValueError where the slack is not finite or too small or large to be written.
    """
    if not isinstance(slack, arb):
        exact = fraction(slack)
        if len(str(exact)) <= SHORT:
            return str(exact), str(exact)
        return decimal(exact, up=False), decimal(exact, up=True)
    if not slack.is_finite():
        raise ValueError(f"the slack {slack} is not finite")
    return decimal(_dyadic(slack.lower()), up=False), decimal(_dyadic(slack.upper()), up=True)


def _dyadic(point: arb) -> Fraction:
    """The end of a ball as the dyadic number it is."""
    mantissa, exponent = (int(part) for part in point.man_exp())
    if abs(exponent) > 3 * MOST_EXPONENT:
        raise ValueError(f"a slack of size 2^{exponent} is too small or too large to be written")
    return Fraction(mantissa) * Fraction(2) ** exponent


def decimal(value: Fraction, up: bool) -> str:
    """The nearest number of 12 significant decimal digits that is not below `value` (not above it, unless `up`)."""
    if value == 0:
        return "0"
    size = abs(value)
    exponent = len(str(size.numerator)) - len(str(size.denominator)) if size.denominator < 10**4000 > size.numerator else 0
    if not exponent:
        exponent = int((size.numerator.bit_length() - size.denominator.bit_length()) * 0.30103)
    exponent -= DIGITS
    scaled = value * Fraction(10) ** -exponent
    while abs(scaled) >= 10**DIGITS:
        scaled, exponent = scaled / 10, exponent + 1
    while abs(scaled) < 10 ** (DIGITS - 1):
        scaled, exponent = scaled * 10, exponent - 1
    mantissa = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return _placed(mantissa, exponent)


def _placed(mantissa: int, exponent: int) -> str:
    """The decimal mantissa * 10^exponent in the usual notation."""
    digits, sign_ = str(abs(mantissa)).rstrip("0"), "-" if mantissa < 0 else ""
    exponent += len(str(abs(mantissa))) - len(digits)
    point = len(digits) + exponent  # digits before the decimal point
    if 0 < point <= DIGITS:
        digits = digits.ljust(point, "0")
        return f"{sign_}{digits[:point]}.{digits[point:]}" if digits[point:] else f"{sign_}{digits}"
    if -4 < point <= 0:
        return f"{sign_}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign_}{digits[0]}{rest}e{point - 1}"
