"""The decimal sign of the numbers in a spreadsheet's texts: a comma that may be one is asked about, never guessed.

A comma that does not divide thousands may be a decimal sign, and 2,5 read as 25 would be filed as such. Where
semicolons divide the cells of a CSV file, commas usually are decimal signs: there 1,000 is asked about, too. A cell
that the workbook stores as a number is not in doubt.
"""

import re
from typing import Literal

from submissions.core.errors import Refusal
from submissions.core.thousands import WITH_THOUSANDS

DecimalSign = Literal["", "point", "comma"]  # "": nothing was said
DECIMAL_SIGNS = ("point", "comma")
_AROUND = str.maketrans("", "", "$% \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}")
_NUMBER = re.compile(r"-?[0-9.,]*[0-9][0-9.,]*", re.ASCII)
_ONE_GROUP = re.compile(r"-?[0-9]+,[0-9]+", re.ASCII)  # also what a decimal comma would look like
_WITH_COMMA = re.compile(r"-?([0-9]+|[1-9][0-9]{0,2}(\.[0-9]{3})+)?(,[0-9]+)?", re.ASCII)


def parse_sign(text: str) -> DecimalSign:
    """`point`, `comma`, or "" for an empty text."""
    match text:
        case "" | "point" | "comma":
            return text
    raise Refusal("field-shape/decimal", option="decimal", value=text[:40])


def with_point(text: str, sign: DecimalSign, where: str, *, semicolons: bool = False) -> str:
    """The text of a number with a decimal point; any other text as it is. A `Refusal` names the cell in doubt."""
    bare = text.translate(_AROUND)
    if not _NUMBER.fullmatch(bare):
        return text
    if sign == "comma":
        if not _WITH_COMMA.fullmatch(bare):
            raise Refusal("sheet-decimal-sign/comma", option=where, where=where, text=text[:40])
        return bare.replace(".", "").replace(",", ".")
    if "," not in bare:
        return text
    is_thousands = bool(WITH_THOUSANDS.fullmatch(bare))
    if sign == "point" and not is_thousands:
        raise Refusal("sheet-decimal-sign/point", option=where, where=where, text=text[:40])
    if not sign and (not is_thousands or (semicolons and _ONE_GROUP.fullmatch(bare))):
        raise Refusal("sheet-decimal-sign", option=where, where=where, text=text[:40])
    return text
