"""Numbers written in decimals: bounds are rounded outward, and a size is never told larger than it certainly is.

Whatever is printed as a bound is written by :func:`outward`, or by what is built on it here.
"""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, ROUND_UP, Context
from fractions import Fraction
from typing import Any

from flint import arb

from dynamics.arithmetic import fraction, rational, working_precision

DIGITS = 12
"""Decimal digits of an enclosure, few enough to read."""

PLAIN_BITS = 8192
"""A dyadic number of so many bits before or behind the point at most is rounded as the fraction it is."""


def outward(value: Any, side: int, digits: int = DIGITS) -> str:
    """A bound as text, in so many significant digits: not above `value` (side -1), not below it (1), or nearest (0).

    A ball counts with its lower or upper end, or with its middle. Every number that is printed as a bound is printed so.
    Infinities are "inf" and "-inf". Raises ValueError for what is no number.
    """
    if isinstance(value, arb):
        end = value.lower() if side < 0 else value.upper() if side > 0 else value.mid()
    elif isinstance(value, float):
        # A float is a dyadic number: exactly, as a ball of width zero.
        end = arb(value)
    else:
        return _rounded(fraction(rational(value)), side, digits)
    if end.is_nan():
        raise ValueError(f"{value} is no number")
    if not end.is_finite():
        return "inf" if end > 0 else "-inf"
    mantissa, exponent = (int(part) for part in end.man_exp())
    if max(mantissa.bit_length(), abs(exponent)) > PLAIN_BITS:
        return _beyond(end, side, digits)
    return _rounded(Fraction(mantissa) * Fraction(2) ** exponent, side, digits)


def certain(value: Any, digits: int = DIGITS) -> str:
    """How far a number certainly is from zero, with its sign: the end of it that is nearer to zero, rounded towards zero.

    "0" for a ball around zero. Raises ValueError for what is no number.
    """
    low, high = (value.lower(), value.upper()) if isinstance(value, arb) else (value, value)
    if low <= 0 <= high:
        return "0"
    return outward(low, -1, digits) if low > 0 else outward(high, 1, digits)


def size_at_most(value: Any, digits: int = DIGITS) -> str:
    """What the size of a number is at most, rounded up. Raises ValueError for what is no number."""
    return outward(abs(arb(value) if isinstance(value, float) else value), 1, digits)


def shortened(text: str, digits: int, *, at_most: bool = False) -> str:
    """A decimal of any size with fewer digits: rounded towards zero, or away from it where a size is `at_most` so large."""
    rounding = ROUND_UP if at_most else ROUND_DOWN
    # Slacks are smaller than any Decimal, so that their powers of ten are kept apart.
    written, _, power = text.lower().partition("e")
    sign, mantissa, exponent = Context(prec=digits, rounding=rounding).create_decimal(written).as_tuple()
    return _placed((-1) ** sign * int("".join(map(str, mantissa))), int(exponent) + int(power or 0), DIGITS)


def interval_text(low: Any, high: Any, digits: int = 4) -> str:
    """The text of an interval, both ends rounded outward. Raises ValueError for what is no number."""
    return f"{outward(low, -1, digits)} to {outward(high, 1, digits)}"


def fixed_span(low: Any, high: Any, places: int = 2, *, signed: bool = False) -> str:
    """The same with so many digits behind the point. Raises ValueError for what is not finite."""
    told = []
    for end, up in ((low, False), (high, True)):
        scaled = fraction(rational(end)) * 10**places
        units = math.ceil(scaled) if up else math.floor(scaled)
        whole, rest = divmod(abs(units), 10**places)
        told.append(f"{'-' if units < 0 else '+' if signed else ''}{whole}.{rest:0{places}d}")
    return " to ".join(told)


def float_beside(end: Any, side: int) -> float:
    """The float nearest to an exact number that is not above it (side -1), or not below it (1)."""
    exact = arb(end)
    near = float(exact)
    while exact.is_finite() and not (arb(near) - exact) * side >= 0:
        near = math.nextafter(near, side * math.inf)
    return near


def _rounded(exact: Fraction, side: int, digits: int) -> str:
    if side:
        return decimal(exact, side > 0, digits)
    low, high = (decimal(exact, up, digits) for up in (False, True))
    return low if exact - Fraction(low) <= Fraction(high) - exact else high


def _beyond(end: arb, side: int, digits: int) -> str:
    """The same for a number far beyond floats: a decimal near to it, units further until it is sure to bound it."""
    # Four bits for a digit, and what the exponent takes: e^(10^9) has 31 bits of it before its first digit is right.
    with working_precision(4 * digits + 64 + 2 * abs(int(end.man_exp()[1])).bit_length()):
        mantissa, _, exponent = end.str(digits, radius=False).partition("e")
        whole, _, rest = mantissa.partition(".")
        number, power = int(whole + rest), int(exponent or 0) - len(rest)
        while side and not (arb(f"{number}e{power}") - end) * side >= 0:
            number += side
        return _placed(number, power, digits)


def decimal(value: Fraction, up: bool, digits: int = DIGITS) -> str:
    """The nearest number of so many significant decimal digits that is not below `value` (not above it, unless `up`)."""
    if value == 0:
        return "0"
    size = abs(value)
    # A guess of the power of ten, mended below: digits are counted where there are few, Python writes no more than 4300.
    exponent = len(str(size.numerator)) - len(str(size.denominator)) if size.denominator < 10**4000 > size.numerator else 0
    if not exponent:
        # log10(2) is a little less than .30103: for any size that is held in memory the guess is near, and the loops end
        # it.
        exponent = int((size.numerator.bit_length() - size.denominator.bit_length()) * 0.30103)
    exponent -= digits
    scaled = value * Fraction(10) ** -exponent
    while abs(scaled) >= 10**digits:
        scaled, exponent = scaled / 10, exponent + 1
    while abs(scaled) < 10 ** (digits - 1):
        scaled, exponent = scaled * 10, exponent - 1
    mantissa = math.ceil(scaled) if up else math.floor(scaled)
    return _placed(mantissa, exponent, digits)


def _placed(mantissa: int, exponent: int, most: int) -> str:
    """The decimal mantissa * 10^exponent in the usual notation, without an exponent up to so many digits."""
    digits, sign_ = str(abs(mantissa)).rstrip("0"), "-" if mantissa < 0 else ""
    exponent += len(str(abs(mantissa))) - len(digits)
    point = len(digits) + exponent  # digits before the decimal point
    if 0 < point <= most:
        digits = digits.ljust(point, "0")
        return f"{sign_}{digits[:point]}.{digits[point:]}" if digits[point:] else f"{sign_}{digits}"
    if -4 < point <= 0:
        return f"{sign_}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign_}{digits[0]}{rest}e{point - 1}"
