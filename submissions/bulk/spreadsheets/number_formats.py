"""Decides if a number format multiplies by 100 what it shows (ECMA-376, part 1, § 18.8.31).

Only a percent sign that is an instruction does. One in quotation marks or brackets, or after `\\`, `_` or `*`, is text
or filling. A format has up to three sections for numbers, separated by semicolons: positive (or all), negative, zero.
"""

import re
from decimal import Decimal

_NO_INSTRUCTION = re.compile(r'"[^"]*"|\[[^\]]*\]|[\\_*].', re.DOTALL)
_CONDITION = re.compile(r"\[\s*[<>=]")
_UNFINISHED = re.compile(r'["\[\]\\_*!]')  # also `!`, by which some languages mark text
_SECTIONS_OF_NUMBERS, _MOST_SECTIONS = 3, 4  # the fourth is for texts


def is_percentage(number: Decimal, number_format: str) -> bool:
    """Return whether the cell shows the number times 100.

    Raises:
        ValueError: The format has a percent sign whose effect is not certain.
    """
    if "%" not in number_format:
        return False
    instructions = _NO_INSTRUCTION.sub("", number_format)
    if "%" not in instructions and not _UNFINISHED.search(instructions):
        return False
    sections = instructions.split(";")
    signs = [section.count("%") for section in sections[:_SECTIONS_OF_NUMBERS]]
    if len(sections) > _MOST_SECTIONS or _UNFINISHED.search(instructions) or max(signs) > 1:
        raise ValueError(number_format)
    if len(set(signs)) > 1 and _CONDITION.search(number_format):
        raise ValueError(number_format)
    return signs[1 if number < 0 and len(signs) > 1 else 0] == 1
