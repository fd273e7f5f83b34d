"""Numbers as plots and notebooks write them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

#: Numbers of a wider range have a comma from 1,000 on; others are years and house numbers.
WIDE_RANGE = 1000
_MOST_DECIMALS = 2
_NEARLY_ALL = 0.8


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


def percents_alike(shares: Sequence[float]) -> Callable[[float], str]:
    """How shares are written that stand side by side: whole percents, and one decimal where all are small.

    >>> [percents_alike([0.024, 0.16])(share) for share in (0.024, 0.16)], percents_alike([0.024])(0.024)
    (['2%', '16%'], '2.4%')
    >>> percents_alike([0.997])(0.997), percents_alike([0.5])(0.001)
    ('99.7%', '<1%')
    """
    small = max(shares) < 0.0995
    least = 0.0005 if small else 0.005

    def text(share: float) -> str:
        if 0 < share < least:
            return "<0.1%" if small else "<1%"
        return f"{100 * share:.{1 if small or 0.995 < share < 1 else 0}f}%"

    return text


def number_text(value: float, spread: float) -> str:
    """A number with about three digits of a range of this width.

    >>> number_text(1234.567, 10), number_text(1234.567, 5000), number_text(221900.4, 1e6), number_text(-0.001, 4)
    ('1234.57', '1,235', '221,900', '0.00')
    """
    if not math.isfinite(value):
        return "–"
    decimals = min(12, max(0, 3 - math.ceil(math.log10(spread)))) if spread > 0 else 2
    if max(abs(value), spread) >= 1e9 or decimals > 6:
        return minus(f"{value:.3g}")
    text = f"{value:,.{decimals}f}" if abs(value) >= 1e4 or spread > WIDE_RANGE else f"{value:.{decimals}f}"
    return minus(text) if any(digit in text for digit in "123456789") else text.lstrip("-")


def estimate_text(value: float, spread: float) -> str:
    """The same of an estimate: large numbers end in zeros.

    >>> estimate_text(164493, 111135), estimate_text(1234.567, 10)
    ('164,000', '1234.57')
    """
    step = 10.0 ** (math.ceil(math.log10(spread)) - 3) if 1000 < spread < 1e300 else 1.0
    return number_text(step * round(value / step) if step > 1 and math.isfinite(value) else value, spread)


def text_for(values: Iterable[float], fact: bool = False) -> Callable[[float], str]:
    """How numbers of a forecast are written, as the pages do it: in steps of at most a thirtieth of its 90% interval, and with no
    more decimals than nearly all samples have. A fact, such as an outcome, keeps its own digits.

    >>> text_for([3.0, 4.0, 5.0])(4.0), text_for([3.0, 4.512, 5.0])(4.0)
    ('4', '4.00')
    >>> prices = [150_000.5, 164_493.5, 187_041.5]
    >>> text_for(prices)(164_493.5), text_for(prices, fact=True)(164_493.5)
    ('164,000', '164,494')
    >>> text_for([9.0, 10.0, 10.5, 13.0], fact=True)(71.2), text_for([52.0] * 20)(52.0)
    ('71.2', '52')
    """
    ordered = sorted(values)
    at = len(ordered) - 1
    low, high = ordered[round(0.05 * at)], ordered[round(0.95 * at)]
    if not high > low:
        return _own_digits
    decimals = _decimals(ordered)
    spread = max(3 * (high - low), 10.0 ** (3 - decimals) if decimals is not None else 0.0)
    step = 10.0 ** (math.ceil(math.log10(spread)) - 3)
    # Of a forecast with a long tail, the low quantiles are finer than its steps.
    fine = (low >= 0 or high <= 0) and (decimals is None or step > 10.0**-decimals)

    def text(value: float) -> str:
        if fact:
            return max(number_text(value, spread), _own_digits(value), key=_decimals_in)
        if not (fine and 0 < abs(value) < 5 * step):
            return estimate_text(value, spread)
        few = float(f"{value:.2g}") if decimals is None else round(float(f"{value:.2g}"), decimals)
        return minus(f"{few:.2g}") if abs(value) < 10 else number_text(few, 1000)

    return text


def _own_digits(value: float) -> str:
    """To four digits, and all of those before the point."""
    if not math.isfinite(value) or abs(value) >= 1e9 or 0 < abs(value) < 1e-4:
        return number_text(value, 0)
    text = f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return minus(text) if any(digit in text for digit in "123456789") else "0"


def _decimals_in(text: str) -> int:
    return len(text.partition(".")[2])


def _decimals(ordered: list[float]) -> int | None:
    """Decimals that nearly all samples have besides their most frequent value, which may be a zero among amounts; None if many."""
    usual = max(groupby(ordered), key=lambda one: sum(1 for _ in one[1]))[0]
    others = [value for value in ordered if value != usual] or ordered[:1]
    for decimals in range(_MOST_DECIMALS + 1):
        scale = 10.0**decimals
        fitting = sum(abs(scale * value - round(scale * value)) <= 1e-6 * abs(scale * value) for value in others)
        if fitting >= _NEARLY_ALL * len(others):
            return decimals
    return None
