"""The figures of the evidence as text: percentages, chances, fractions, amounts; with a true minus sign."""

from fractions import Fraction
from math import floor, log10

DIGITS = 4  # of a percentage
LONGEST = 40  # characters of a fraction that is written out
SIGNIFICANT = 3  # digits of a small percentage
NONE = "–"


def percent(share: float, digits: int = DIGITS) -> str:
    """A share as a percentage without the unit, which is in the table's heading."""
    return number(share * 100, digits)


def number(value: float, digits: int = 2) -> str:
    """ "1,234.50"; no minus before a zero."""
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.removeprefix("-")


def chance(share: float) -> str:
    """A chance in percent with four digits, a small one with three significant digits: "12.3400", "0.0000348"."""
    if not share or share * 100 >= 0.1:
        return percent(share)
    return number(share * 100, SIGNIFICANT - 1 - floor(log10(share * 100)))


def units(net: str | float) -> str:
    """A frozen amount in units ("1/2", "-1", 19.95): "+0.5", "−1", "+19.95", "0"."""
    value = float(Fraction(net))
    text = f"{value:+,.4f}".rstrip("0").rstrip(".")
    return text.replace("-", "−") if value else "0"


def fraction(text: str) -> str:
    """ "3/8" with true division sign; a long one by its size: the attached record has it in full."""
    if len(text) <= LONGEST:
        return text.replace("-", "−").replace("/", " ∕ ")
    above, _, below = text.lstrip("-").partition("/")
    return f"a fraction with a numerator of {len(above)} and a denominator of {len(below)} digits"


def dollars(amount: float) -> str:
    """ "$1,234.50", small ones with four digits."""
    return f"${number(amount, 2 if abs(amount) >= 1 or not amount else 4)}".replace("$−", "−$")
