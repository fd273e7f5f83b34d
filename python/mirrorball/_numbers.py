"""Numbers as plots and notebooks write them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable


def minus(text: str) -> str:
    """A hyphen in front of a number as a minus sign."""
    return text.replace("-", "\N{MINUS SIGN}")


def percent_text(share: float) -> str:
    """
    >>> percent_text(0.9), percent_text(0.125), percent_text(-0.02)
    ('90%', '12.5%', '−2%')
    """
    return minus(f"{100 * share:.4g}%")


def plain_text(value: float, digits: int = 4) -> str:
    """To so many digits, without an exponent up to 10¹², as the program writes it.

    >>> plain_text(0.123456), plain_text(10362.4), plain_text(10362.4, 2), plain_text(2.5e13)
    ('0.1235', '10362', '10362', '2.5e+13')
    """
    return f"{value:.0f}" if 10**digits - 0.5 <= abs(value) < 1e12 else f"{value:.{digits}g}"


def number_text(value: float, spread: float) -> str:
    """A number with about three digits of a range of this width.

    >>> number_text(1234.567, 10), number_text(1234.567, 5000), number_text(221900.4, 1e6), number_text(-0.001, 4)
    ('1234.57', '1235', '221,900', '0.00')
    """
    if not math.isfinite(value):
        return "–"
    decimals = min(12, max(0, 3 - math.ceil(math.log10(spread)))) if spread > 0 else 2
    if max(abs(value), spread) >= 1e9 or decimals > 6:
        return minus(f"{value:.3g}")
    text = f"{value:,.{decimals}f}" if abs(value) >= 1e4 else f"{value:.{decimals}f}"
    return minus(text) if any(digit in text for digit in "123456789") else text.lstrip("-")


def estimate_text(value: float, spread: float) -> str:
    """The same of an estimate: large numbers end in zeros.

    >>> estimate_text(164493, 111135), estimate_text(1234.567, 10)
    ('164,000', '1234.57')
    """
    step = 10.0 ** (math.ceil(math.log10(spread)) - 3) if 1000 < spread < 1e300 else 1.0
    return number_text(step * round(value / step) if step > 1 and math.isfinite(value) else value, spread)


def text_for(values: Iterable[float], fact: bool = False) -> Callable[[float], str]:
    """How numbers of a forecast are written, as the pages do it: in steps of at most a thirtieth of its 90% interval, and
    without decimals where all samples are whole. A fact, such as an outcome, keeps the digits before its point.

    >>> text_for([3.0, 4.0, 5.0])(4.0), text_for([3.0, 4.5, 5.0])(4.0)
    ('4', '4.00')
    >>> prices = [150_000.5, 164_493.5, 187_041.5]
    >>> text_for(prices)(164_493.5), text_for(prices, fact=True)(164_493.5)
    ('164,000', '164,494')
    """
    ordered = sorted(values)
    at = len(ordered) - 1
    low, high = ordered[round(0.05 * at)], ordered[round(0.95 * at)]
    spread = 3 * (high - low or ordered[-1] - ordered[0])
    if not spread > 0:
        return lambda value: number_text(value, spread)
    if whole := all(float(value).is_integer() for value in ordered):
        spread = max(spread, 1000)
    step = 10.0 ** (math.ceil(math.log10(spread)) - 3)
    fine = (low >= 0 or high <= 0) and not (whole and step <= 1)  # of a long tail, low quantiles are finer than its steps

    def text(value: float) -> str:
        if fact:
            return number_text(value, spread)
        if not (fine and 0 < abs(value) < 5 * step):
            return estimate_text(value, spread)
        return minus(f"{value:.2g}") if abs(value) < 10 else number_text(float(f"{value:.2g}"), 1000)

    return text
