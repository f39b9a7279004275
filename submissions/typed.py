"""From what is typed, in a form or in a cell of a spreadsheet, to an answer in the shape that is stored; and back.

What makes no sense for a line's kind is kept as typed: judging says what is wrong, and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from games.rules.model import Answer, Option

_WHOLE = re.compile(r"-?[0-9]{1,9}")
_AROUND = str.maketrans("", "", "$,% \N{NO-BREAK SPACE}")


def read(option: Option, text: str) -> Answer:
    """One answer in the shape its kind is stored in."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        return None
    if option.kind == "yes_no":
        return {"yes": True, "no": False}.get(text.casefold(), text)
    if option.kind == "choice":
        return next((one.value for one in option.choices if text == one.label), text)
    if option.kind == "count":
        return int(text) if _WHOLE.fullmatch(text) else text
    if option.kind in ("money", "percent"):
        return _decimal(text)
    return text


def shown(answer: Answer) -> str:
    """The answer as the value of an input."""
    if answer is None or isinstance(answer, Mapping):
        return ""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


def _decimal(text: str) -> str:
    bare = text.translate(_AROUND)
    try:
        return bare if Decimal(bare).is_finite() else text
    except InvalidOperation:
        return text
